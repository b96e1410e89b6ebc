"""The documents of the commands as objects.

A document's attributes are the keys of the JSON that ``m220 COMMAND --format json`` prints, units in their names; a key
that Python reserves has an underscore behind it (``from_``). Every key is there by subscript too: ``run.cells["0200"]``.
Attributes annotated here are in every document of the class.
"""

import functools
import json
import keyword
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Type, get_args, get_type_hints

from . import _m220

if TYPE_CHECKING:
    import chess


class Record:
    """A part of a document: its keys as attributes."""

    def __init__(self, fields: Dict[str, Any]) -> None:
        self._fields = fields
        for key, value in fields.items():
            name = key + "_" if keyword.iskeyword(key) else key
            # A class is hashable though its objects are not, which mypy takes for one thing.
            parts = _parts(type(self))  # type: ignore[arg-type]
            # A key of the document, such as a label of a program, takes nothing from the class.
            if not hasattr(self, name):
                setattr(self, name, _as_object(value, parts.get(name, Record)))

    def __getitem__(self, key: str) -> Any:
        """The member of this key, as it stands in JSON."""
        return _as_object(self._fields[key], Record)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={_short(value)}" for key, value in vars(self).items() if not key.startswith("_"))
        return f"{type(self).__name__}({shown})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._fields == self._fields

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> Dict[str, Any]:
        """The same as dictionaries and lists, as in JSON."""
        fields: Dict[str, Any] = json.loads(json.dumps(self._fields))
        return fields


@functools.lru_cache(maxsize=None)
def _parts(owner: type) -> Dict[str, Type[Record]]:
    """The attributes whose annotation names a record, a list of them, or one that may be missing."""
    found = {}
    for name, hint in get_type_hints(owner).items():
        for part in (hint, *get_args(hint)):
            if isinstance(part, type) and issubclass(part, Record):
                found[name] = part
    return found


def _as_object(value: Any, kind: Type[Record]) -> Any:
    if isinstance(value, dict):
        return kind(value)
    if isinstance(value, list):
        return [_as_object(each, kind) for each in value]
    return value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _with(words: List[str], *options: str) -> List[str]:
    """A command line with further options, before the words that are none."""
    at = words.index("--") if "--" in words else len(words)
    return [*words[:at], *options, *words[at:]]


class Document(Record):
    """The result of a command."""

    schema: int
    _words: List[str]
    #: A notebook shows the picture.
    _draws = True

    def __init__(self, words: List[str]) -> None:
        self._words = words
        out, self._exit = _m220.call(_with(words, "--format", "json"))
        if not out:
            kinds = {2: _m220.UsageError, 3: _m220.BadInputError, 5: _m220.OutputError}
            kind = kinds.get(self._exit, _m220.NoVerdictError)
            raise kind(f"m220 {' '.join(words)}: no result; standard error says why")
        try:
            fields = json.loads(out)
        except ValueError:
            raise _m220.UsageError(f"m220 {' '.join(words)}: an option prints something else than the document") from None
        super().__init__(fields)

    @property
    def exit_code(self) -> int:
        """How the command ended: 0 done, 1 a difference or a fault, 4 no verdict."""
        return self._exit

    def svg(self, *options: str) -> str:
        """The result as a picture; ``options`` are those of the command: ``"--svg-from", "e5"``."""
        words = [word for word in self._words if not word.startswith("--svg=")]
        try:
            return _m220.call(_with(words, *options, "--svg", "-"))[0].decode()
        except _m220.UsageError as error:
            if "'--svg'" in str(error):
                raise _m220.UsageError(f"m220 {self._words[0]} draws no picture") from None
            raise

    def text(self) -> str:
        """The result as the command prints it for people."""
        return _m220.call(self._words)[0].decode()

    def _repr_svg_(self) -> Optional[str]:
        return self.svg() if self._draws else None


def encode(document: object) -> Any:
    """For ``json.dumps(document, default=m220.encode)``."""
    if isinstance(document, Record):
        return document.to_dict()
    raise TypeError(f"{type(document).__name__} is no document")


class Plain(Document):
    """A document whose members are those of the command's JSON."""

    _draws = False


class Moves(Record):
    """A result that names moves."""

    def as_moves(self) -> "List[chess.Move]":
        """Its moves as python-chess has them, which must be installed."""
        import chess

        return [chess.Move.from_uci(move) for move in self._moves()]

    def _moves(self) -> List[str]:
        raise NotImplementedError


class Game(Moves):
    """A game, with a row for each half-move; ``as_moves()``: the moves played."""

    rows: List[Record]

    def _moves(self) -> List[str]:
        return [row._fields["uci"] for row in self.rows]


class Games(Document):
    """Whole games through the eyes of the map."""

    version: str
    effort: str
    games: List[Game]
    players: List[Record]
    _draws = False

    def rows(self) -> List[Dict[str, Any]]:
        """A flat dictionary for each half-move, with the keys of :data:`GAME_ROW`; squares are joined by hyphens."""
        rows = (_flat(row.to_dict()) for game in self.games for row in game.rows)
        return [{name: row.get(name) for name in GAME_ROW} for row in rows]


_AIM = {
    "piece": str, "from": str, "to": str, "target": str, "pawns": int, "way": str, "closed": str, "irresistible": bool,
}  # fmt: skip

#: The columns of ``Games.rows()`` and their types: a schema, as polars takes it. Any value may be None.
GAME_ROW: Dict[str, type] = {
    "game": int, "game_id": str, "ply": int, "number": int, "side": str, "san": str, "uci": str, "fen": str,
    "legal": int, "off_map": str, "first_horizon": int, "why": str,
    "sensible.1": int, "sensible.2": int, "sensible.3": int, "sensible.4": int, "keeps": bool, "keeping": int,
    **{f"{attack}.{name}": kind for attack in ("aim", "against", "opens") for name, kind in _AIM.items()},
    "closed.own_before": int, "closed.enemy_before": int, "closed.own_after": int, "closed.enemy_after": int,
    "style.own": float, "style.enemy": float,
    "machine.move": str, "machine.san": str, "machine.same": bool, "machine.reason": str, "machine.share": int,
    "machine.m220_seconds": float, "machine.result": str,
    "choice.move": str, "choice.san": str, "choice.reason": str, "choice.confirmed": bool,
    "choice.complete_horizon": int, "choice.positions": int, "choice.line": str, "choice.group": str,
    "choice.verdict": str, "choice.at_horizon": int, "choice.e_plus": int, "choice.w": float,
    "e_plus": int, "king_doomed": str, "effort": str, "host_seconds": float, "version": str,
}  # fmt: skip


def _flat(fields: Dict[str, Any], before: str = "") -> Dict[str, Any]:
    flat: Dict[str, Any] = {}
    for key, value in fields.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{before}{key}."))
        elif key == "sensible":
            flat.update({f"{before}{key}.{index + 1}": count for index, count in enumerate(value)})
        elif isinstance(value, list):
            flat[before + key] = "-".join(str(each) for each in value)
        else:
            flat[before + key] = value
    return flat


class Times(Record):
    """Times under the three models, in microseconds."""

    m20: float
    m220: float
    nominal: float


class MachineRun(Record):
    """A run of a machine program on the emulator."""

    result: str
    instructions: int
    time_us: Times
    cells_used: int
    stop: str


class Compared(Document):
    """A document of two engines: the machine program on the emulator, and the native reference."""

    engine: str
    equal: Optional[bool]
    differences: List[Record]
    machine: Optional[MachineRun]


class Trajectories(Compared):
    """The shortest trajectories of a piece."""

    fen: str
    piece: str
    colour: str
    from_: str
    to: str
    moves: Optional[int]
    count: int
    limit_reached: bool
    trajectories: List[List[str]]


class Attack(Record):
    """What a piece attacks, and the ways it takes."""

    side: str
    piece: str
    from_: str
    to: str
    target: Optional[str]
    moves: int
    half_moves: int
    promotes: bool
    trajectories: List[List[str]]


class Attacks(Compared):
    """All attacks of both sides within a horizon."""

    fen: str
    horizon: int
    trajectory_count: int
    attacks: List[Attack]


class Solution(Record):
    """A key with what it threatens, and the mates after each reply."""

    key: str
    san: str
    threats: List[str]
    variations: List[Record]


class Mate(Compared, Moves):
    """The keys of a mate problem, and their solution trees; ``as_moves()``: the keys."""

    fen: str
    moves: int
    keys: Optional[List[str]]
    solution: List[Solution]
    refutations: Optional[List[str]]
    positions_visited: Record

    def _moves(self) -> List[str]:
        return self.keys or []


class MapValue(Record):
    """An attack of the map: whether it gets through, and what it dooms."""

    side: str
    piece: str
    from_: str
    to: str
    target: Optional[str]
    promotes: bool
    moves: int
    half_moves: int
    aim_pawns: int
    function: int
    doomed_pawns: int
    trajectories: List[Record]


class Map(Compared):
    """The mathematical map of a position."""

    fen: str
    turn: str
    horizon: int
    doomed_by: Record
    sensible_moves: List[Record]
    values: List[MapValue]


class HorizonAnalysis(Record):
    """The analysis within one horizon."""

    horizon: int
    outcome: Record
    complete: bool
    interrupted: bool
    positions: int
    tree_size: int
    moves: List[Record]


class Analysis(Compared, Moves):
    """The map's analysis; ``as_moves()``: the chosen move, if there is one."""

    fen: str
    turn: str
    chosen: Optional[str]
    analyses: List[HorizonAnalysis]

    def _moves(self) -> List[str]:
        return [self.chosen] if self.chosen else []


class Candidate(Record):
    """A move that was weighed."""

    move: str
    san: str


class Best(Document, Moves):
    """The move that the map chooses; ``as_moves()``: the line that it counts on, from this move on."""

    fen: str
    turn: str
    move: Optional[str]
    san: Optional[str]
    line: List[str]
    candidates: List[Candidate]
    positions: int

    def _moves(self) -> List[str]:
        return self.line


class Ending(Compared):
    """A small ending, classified exactly, or a position of one."""

    ending: str
    _draws = False


class EndingPosition(Ending):
    """A position of a small ending, with its class."""

    fen: str
    _draws = True


class Relations(Compared):
    """The relations between the pieces of a position, counted."""

    fen: str
    counts: Record
    evaluation: int
    relations: List[Record]


class Play(Compared, Moves):
    """The move that Bell's program of about 1970 chooses; ``as_moves()``: this move."""

    fen: str
    move: Optional[str]
    san: Optional[str]
    candidates: List[Candidate]

    def _moves(self) -> List[str]:
        return [self.move] if self.move else []


class Stop(Record):
    """Why and where the machine stopped."""

    reason: str
    at: str
    word: str
    message: str


class Run(Document):
    """The state of the machine after a program has run."""

    model: str
    stop: Stop
    registers: Record
    instructions: int
    time_us: Times
    cells: Record
    core_checksum: str
    printer: Optional[str]
    _draws = False


class Assembly(Document):
    """An assembled program: a summary, and the image."""

    image: bytes
    _draws = False

"""The M-220 chess laboratory: Botvinnik's chess programs of 1968 on an exact emulator, for Python and notebooks.

    >>> import m220
    >>> king = m220.trajectories("king", "a4", "h4")
    >>> king.count, king.equal, king.machine.instructions < 3000
    (393, True, True)

Each function runs the command of its name and returns its document as an object (see :class:`Document`); in a notebook it
shows its picture. A position is a FEN, a name (``"fig22"``, ``"opera"``: ``m220 positions`` lists them) or anything with a
method ``fen()``, as a ``chess.Board`` of python-chess. Keyword arguments are the command's options: ``max_moves=5`` is
``--max-moves 5``, ``flip=True`` is ``--flip``, a list repeats the option; ``help("mate")`` prints them. What goes wrong is
raised as a subclass of :class:`Error` with the command's own words. While a command runs, other threads of Python run too,
and Ctrl-C ends it.
"""

import operator
import os
import shutil
import tempfile
import weakref
from typing import Any, Callable, Dict, List, Optional, TypeVar, Union

from ._documents import (
    GAME_ROW,
    Analysis,
    Assembly,
    Attack,
    Attacks,
    Best,
    Candidate,
    Compared,
    Document,
    Ending,
    EndingPosition,
    Games,
    HorizonAnalysis,
    MachineRun,
    Map,
    MapValue,
    Mate,
    Plain,
    Play,
    Record,
    Relations,
    Run,
    Solution,
    Stop,
    Times,
    Trajectories,
    encode,
)
from ._machine import Cells, Machine, Microseconds, Registers, Standing
from ._m220 import BadInputError, Error, NoVerdictError, OutputError, UsageError
from ._m220 import __version__ as __version__
from ._m220 import call as call

# Without `map` and `help`: a star import hides no function of Python's own.
__all__ = [
    "Analysis", "Assembly", "Attack", "Attacks", "BadInputError", "Best", "Candidate", "Cells", "Compared", "Document",
    "Ending", "EndingPosition", "Error", "GAME_ROW", "Games", "HorizonAnalysis", "Machine", "MachineRun", "Map",
    "MapValue", "Mate", "Microseconds", "NoVerdictError", "OutputError", "Play", "Record", "Registers", "Relations",
    "Run", "Solution", "Standing", "Stop", "Times", "Trajectories", "UsageError",
    "analyse", "assemble", "attacks", "best", "book", "diff", "encode", "endings", "game", "game_rows", "geometry",
    "learn", "mate", "plan", "play", "play_history", "play_lessons", "play_opening", "positions", "relations",
    "reproduce", "run", "sync", "trajectories",
]  # fmt: skip

Position = Union[str, Any]


def _words(command: str, position: Optional[Position] = None, **options: Any) -> List[str]:
    words = command.split()
    if position is not None:
        if not isinstance(position, str) and not hasattr(position, "fen"):
            raise TypeError(f"a position is a FEN, a name, or has a method fen(), not {type(position).__name__}")
        text = position if isinstance(position, str) else position.fen()
        words.append(("--fen=" if "/" in text else "--position=") + text)
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is True:
                words.append(option)
            elif each is not None and each is not False:
                words.append(f"{option}={each}")
    return words


#: The pieces of python-chess, by their numbers.
_PIECES = {1: "pawn", 2: "knight", 3: "bishop", 4: "rook", 5: "queen", 6: "king"}


def _piece(piece: Union[str, int, None]) -> Optional[str]:
    """A piece by its name, or as a constant of python-chess (``chess.KING``)."""
    return _PIECES.get(piece, str(piece)) if isinstance(piece, int) else piece


def _square(square: Union[str, int]) -> str:
    """A square by its name, or as a constant of python-chess (``chess.A4``)."""
    if isinstance(square, str):
        return square
    number = operator.index(square)
    return "abcdefgh"[number % 8] + str(number // 8 + 1) if 0 <= number < 64 else str(number)


def trajectories(
    piece: Union[str, int, None], from_: Union[str, int], to: Union[str, int], position: Optional[Position] = None, **options: Any
) -> Trajectories:
    """The shortest trajectories of a piece; without a position on an empty board.

    ``piece`` may be None if it stands on ``from_``. Options: ``colour``, ``max_moves``, ``engine``.
    """
    return Trajectories(_words("trajectories", position, piece=_piece(piece), from_=_square(from_), to=_square(to), **options))


def attacks(position: Position, horizon: Optional[int] = None, **options: Any) -> Attacks:
    """All attacks of both sides within ``horizon`` half-moves, three by default."""
    return Attacks(_words("attacks", position, horizon=horizon, **options))


def mate(position: Position, moves: Optional[int] = None, **options: Any) -> Mate:
    """All keys of a mate in ``moves`` moves, and their solution trees (Bell's Algorithm 50).

    Without ``moves`` those of the named problem, else two.
    """
    return Mate(_words("mate", position, moves=moves, **options))


def map(position: Position, horizon: Optional[int] = None, **options: Any) -> Map:
    """The mathematical map: the attacks within ``horizon`` half-moves (three), and which of them get through."""
    return Map(_words("map", position, horizon=horizon, **options))


def analyse(position: Position, **options: Any) -> Analysis:
    """The map's analysis: which first moves win by the rules of 1968. Options: ``horizon``, ``depth``, ``share``."""
    return Analysis(_words("analyse", position, **options))


def best(position: Position, **options: Any) -> Best:
    """The move that the map and the positional rules choose. Options: ``horizon_limit``, ``positions``, ``timeout``."""
    return Best(_words("best", position, **options))


def endings(ending: Optional[str] = None, position: Optional[Position] = None, **options: Any) -> Ending:
    """A whole ending (``"KRK"``, ``"KPK"`` ...), or a position of one."""
    if position is not None:
        return EndingPosition(_words("endings", position, **options))
    return Ending([*_words("endings", **options), *(["--", ending] if ending else [])])


def relations(position: Position, **options: Any) -> Relations:
    """The relations between the pieces (attacks, protections, ...) and the evaluation by them."""
    return Relations(_words("relations", position, **options))


def game(pgn: Union[str, "os.PathLike[str]"], **options: Any) -> Games:
    """Whole games through the eyes of the map: a file of games in PGN, or their text.

    ``rows()`` has a dictionary for each half-move, ready for a data frame. Options: ``game``, ``games="all"``,
    ``from_``, ``to``, ``side``, ``player``, ``effort`` (``"map"``, ``"machine"``, ``"choice"``), ``share``, ``shard``,
    ``jobs``, ``measure_style``, ``summary``.
    """
    return _reading(pgn, "games.pgn", lambda path, _: Games([*_words("game", **options), "--", path]))


def game_rows(pgn: Union[str, "os.PathLike[str]"], number: Optional[int] = None, **options: Any) -> List[Dict[str, Any]]:
    """The rows of one game of a file, the first by default: what goes in and what comes out can be sent to another process.

    Options: those of :func:`game`.
    """
    return game(pgn, game=number, **options).rows()


def positions(text: Optional[str] = None, **options: Any) -> Document:
    """The named positions, or those whose name or title contains a text."""
    return Plain([*_words("positions", **options), *(["--", text] if text else [])])


def book(number: Optional[int] = None, **options: Any) -> Document:
    """A figure of the book of 1968 next to what is found here; without a number, the list of figures."""
    kind = Plain if number is None else Document
    return kind([*_words("book", **options), *([] if number is None else ["--", str(number)])])


def reproduce(**options: Any) -> Document:
    """The book's tasks and the other tasks on the machine and natively, compared. Options: ``runs``."""
    return Plain(_words("reproduce", **options))


def diff(kind: Optional[str] = None, **options: Any) -> Document:
    """Many cases of a kind (``"attacks"``), the machine program against the native reference.

    Options: ``random``, ``seed``, ``positions``.
    """
    return Plain([*_words("diff", **options), *(["--", kind] if kind else [])])


def geometry(position: Position, **options: Any) -> Document:
    """An ending measured: the squares of the pawns, the opposition, the space of the kings."""
    return Document(_words("geometry", position, **options))


def plan(position: Position, **options: Any) -> Document:
    """A plan refined into moves. Options: ``plan``, ``refine``, ``prevent``, ``combine``."""
    return Document(_words("plan", position, **options))


def sync(question: str, position: Optional[Position] = None, **options: Any) -> Document:
    """Synchronous chess. ``question``: ``"doublet"`` (``white``, ``black``), ``"moves"``, ``"count"``, ``"values"`` ..."""
    kind = Document if question == "doublet" else Plain
    return kind(_words(f"sync {question}", position, **options))


def play(position: Position, **options: Any) -> Play:
    """The move that Bell's program chooses, by the machine program and natively."""
    return Play(_words("play best", position, **options))


def play_history(**options: Any) -> Document:
    """The two games that Bell's program played, and what it would play now. Options: ``game``, ``reading`` ..."""
    return Plain(_words("play history", **options))


def play_lessons(position: Position, **options: Any) -> Document:
    """The move that P. Rău's lessons choose. Options: ``level``, ``cuts``, ``tables``, ``opening`` ..."""
    return Document(_words("play lessons", position, **options))


def play_opening(played: Optional[str] = None, **options: Any) -> Document:
    """What the opening file of P. Rău's lessons has after the moves ``played`` (``"e2e4 e7e5"``). Options: ``opening`` ..."""
    return Document(_words("play opening", played=played, **options))


def learn(task: str, file: Union[str, "os.PathLike[str]"], **options: Any) -> Document:
    """The values of relations, learned. ``task``: ``"cases"``, or ``"game"`` (``side``, ``step``), with their file or text."""
    return _reading(file, "learn.txt", lambda path, _: Plain([*_words(f"learn {task}", **options), "--", path]))


_Made = TypeVar("_Made", bound=Document)


def _reading(source: Union[str, "os.PathLike[str]"], name: str, make: Callable[[str, str], _Made]) -> _Made:
    """The document of a command that reads a program or games, from their path or their text.

    A text is in a file of this name, in a folder that is there as long as the document: ``text()`` reads it again.
    """
    folder = tempfile.mkdtemp(prefix="m220-")
    path = os.fspath(source)
    try:
        if isinstance(source, str) and "\n" in source:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
        document = make(path, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(document, shutil.rmtree, folder, ignore_errors=True)
    return document


def run(program: Union[str, "os.PathLike[str]"], **options: Any) -> Run:
    """Runs a program on the machine: a file (source, ELF image, deck), or the text of a source, of several lines.

    Options: ``model``, ``start``, ``set`` (a list), ``max_instructions``, ``dump`` (a list), ``cards`` ...
    """
    return _reading(program, "program.m220", lambda path, _: Run([*_words("run", **options), "--", path]))


def assemble(program: Union[str, "os.PathLike[str]"], **options: Any) -> Assembly:
    """Assembles a source, a file or a text of several lines; ``.image`` is the ELF image."""

    def make(path: str, folder: str) -> Assembly:
        image = os.path.join(folder, "program.elf")
        assembly = Assembly([*_words("asm", **options), "-o", image, "--", path])
        with open(image, "rb") as file:
            assembly.image = file.read()
        return assembly

    return _reading(program, "program.m220", make)


def help(command: str = "") -> None:
    """Prints the help of a command, with all its options."""
    try:
        call([*command.split(), "--help"])
    except UsageError as text:
        print(text)

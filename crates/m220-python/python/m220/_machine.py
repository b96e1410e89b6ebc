"""The machine, stepped from Python."""

import operator
import os
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Union, overload

from . import _m220

#: A cell: its address, or its name in the program.
Cell = Union[int, str]


class Registers(NamedTuple):
    """The registers: instruction counter with its cube, address register, omega, result, low product."""

    rvk: int
    ra: int
    omega: bool
    rr: int
    rmr: int


class Standing(NamedTuple):
    """Why the machine stopped: ``halt``, ``breakpoint``, ``until``, ``instruction-limit``, ``time-limit``, or a fault."""

    reason: str
    at: int
    message: str

    def __str__(self) -> str:
        return f"{self.reason} at {self.at:04o}: {self.message}"


class Microseconds(NamedTuple):
    """Modelled time: by the tables of the M-220 and of the M-20, and by the M-220's advertised mean speed."""

    m220: float
    m20: float
    nominal: float


class Cells:
    """Core, by address or by name: ``cells[0o100]``, ``cells["sum"]``, ``cells[0o100:0o104]``.

    A cell holds a word of 45 bits, an ``int``. A ``float`` that is put into one is written as the machine's number;
    ``number("sum")`` reads one.
    """

    def __init__(self, machine: "Machine") -> None:
        self._machine = machine

    def __len__(self) -> int:
        return self._machine.cubes * 0o10000

    def __iter__(self) -> Iterator[int]:
        return (self._machine.core(at) for at in range(len(self)))

    @overload
    def __getitem__(self, key: Cell) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> List[int]: ...
    def __getitem__(self, key: Union[Cell, slice]) -> Union[int, List[int]]:
        if isinstance(key, slice):
            return [self._machine.core(at) for at in range(*key.indices(len(self)))]
        return self._machine.core(self._at(key))

    def __setitem__(self, key: Cell, value: Union[int, float]) -> None:
        try:
            word = operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            word = _m220.word_of(value)
        self._machine.set_core(self._at(key), word)

    def number(self, key: Cell) -> float:
        """The number that the word in a cell means."""
        return _m220.number_of(self._machine.core(self._at(key)))

    def _at(self, key: Cell) -> int:
        if isinstance(key, str):
            return self._machine.address(key)
        at = operator.index(key)
        if not -len(self) <= at < len(self):
            raise IndexError(f"no cell {at} in {self._machine.cubes} cubes of core")
        return at % len(self)


class Machine(_m220.Machine):
    """An emulated M-220, M-20 or ITEP M-20 with a program in core, to be stepped and inspected.

        >>> machine = m220.Machine("start a\\norigin 0100\\na: ADD two, two, sum\\n STOP\\ntwo: number 2.0\\nsum: reserve 1\\n")
        >>> machine.run().reason, machine.cells.number("sum")
        ('halt', 4.0)

    ``program`` is a file (source, ELF image, octal deck), the text of a source of several lines, or the bytes of an image
    or a deck. Drums and tapes are blank; ``cards`` is a deck for the reader. One thread at a time uses a machine.
    """

    def __new__(
        cls,
        program: Union[str, bytes, "os.PathLike[str]"],
        *,
        model: Optional[str] = None,
        cubes: Optional[int] = None,
        memory_mode: Optional[int] = None,
        start: Union[int, str, None] = None,
        cards: Union[str, bytes, None] = None,
        plain_numbers: bool = False,
    ) -> "Machine":
        name, content = _content(program, model)
        begin = start if start is None or isinstance(start, str) else f"{operator.index(start):o}"
        deck = cards.encode() if isinstance(cards, str) else cards
        return super().__new__(cls, content, name, model, cubes, memory_mode, begin, deck, plain_numbers)

    @property
    def cells(self) -> Cells:
        """Core."""
        return Cells(self)

    @property
    def registers(self) -> Registers:
        """The registers as they are now; ``debug("set RA = 12")`` changes one."""
        return Registers(*self._registers())

    @property
    def time_us(self) -> Microseconds:
        """Modelled time since the start, in microseconds."""
        return Microseconds(*self._microseconds())

    @property
    def symbols(self) -> Dict[str, int]:
        """The program's names of cells."""
        return dict(self._names())

    def step(self, count: int = 1) -> Optional[Standing]:
        """Carries out ``count`` instructions; returns None, or why it stopped after fewer."""
        found = self._step(count)
        return None if found is None else Standing(*found)

    def run(
        self,
        until: Optional[Cell] = None,
        max_instructions: Optional[int] = None,
        *,
        seconds: Optional[float] = None,
        every: Optional[int] = None,
        call: Optional[Callable[["Machine"], Any]] = None,
    ) -> Standing:
        """Runs until the machine stops, to a breakpoint, or to the cell ``until``.

        ``seconds`` limits the time of this computer. ``call`` gets the machine after each ``every`` instructions. Other
        threads run meanwhile, and Ctrl-C ends the run with the machine where it is.
        """
        at = self.address(until) if isinstance(until, str) else until
        return Standing(*self._run(at, max_instructions, seconds, every, call))

    def break_at(self, cell: Cell) -> None:
        """Sets a breakpoint; ``debug("break sum if RA = 3")`` knows conditions, ``debug("watch sum")`` watches."""
        at = self.cells._at(cell)
        if at not in self.breakpoints:
            self.toggle_breakpoint(at)

    def __repr__(self) -> str:
        return f"<m220.Machine {self.model} at {self.next_cell:04o}, {self.instructions} instructions>"

    def _repr_svg_(self) -> str:
        return _panel(self)


def _content(program: Union[str, bytes, "os.PathLike[str]"], model: Optional[str]) -> "tuple[str, bytes]":
    """A program as bytes, a source assembled, and the name that messages call it by."""
    from . import assemble

    if isinstance(program, bytes):
        return "program", program
    path = os.fspath(program)
    is_text = "\n" in path
    if is_text or path.endswith(".m220"):
        options = {} if model is None else {"model": model}
        return ("program" if is_text else path), assemble(path, **options).image
    with open(path, "rb") as file:
        return path, file.read()


def _lamps(name: str, value: int, bits: int, y: int) -> str:
    """A register as a row of lamps, in groups of three as its octal digits, the highest bit first."""
    dots = []
    for bit in reversed(range(bits)):
        x = 70 + 11 * (bits - 1 - bit) + 5 * ((bits - 1) // 3 - bit // 3)
        dots.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{"#ffb03a" if value >> bit & 1 else "#3a3a34"}"/>')
    return f'<text x="10" y="{y + 4}">{name}</text>{"".join(dots)}'


def _panel(machine: Machine) -> str:
    """The panel of the console: the registers as lamps, and the instruction that comes next."""
    found = machine.registers
    rows = [("RVK", found.rvk % 0o10000, 12), ("RA", found.ra, 12), ("omega", int(found.omega), 1)]
    rows += [("RR", found.rr, 45), ("RMR", found.rmr, 45)]
    lamps = "".join(_lamps(name, value, bits, 24 + 22 * row) for row, (name, value, bits) in enumerate(rows))
    at = machine.next_cell
    says = f"{at:04o}  {machine.instruction(at)}".replace("&", "&amp;").replace("<", "&lt;")
    count = f"{machine.instructions:,} instructions, {machine.time_us.m220 / 1000:,.3f} ms of the M-220"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="660" height="176" viewBox="0 0 660 176" role="img" '
        f'aria-label="Machine at {at:04o}">'
        '<rect width="660" height="176" rx="8" fill="#23231f"/>'
        '<g font-family="monospace" font-size="13" fill="#d8d2bd" xml:space="preserve">'
        f'{lamps}<text x="10" y="140">{says}</text><text x="10" y="162">{count}</text></g></svg>'
    )

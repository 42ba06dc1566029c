"""Tiles and charts of the attendant's pages, as values: what they show, in words and numbers.

Rules: plain frozen values with ready words, so that a page may hold them and the painting formats nothing. Colour only
repeats what a word says. Does not know the machine, the meters or the screen.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

MOST_STEPS = 6
"""The most steps between the ends of an axis."""
_NICE = (1, 2, 5)


class Tone(Enum):
    """How good the news of a figure is."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"
    PLAIN = "plain"


class Form(Enum):
    """The room that a tile needs: an amount, a sentence with its advice, or one line over the whole width."""

    AMOUNT = "amount"
    NOTICE = "notice"
    STRIP = "strip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One value with its label. `level` from 0 to 1 draws a bar, such as how full a box is; None draws none."""

    label: str
    value: str
    detail: str = ""
    tone: Tone = Tone.PLAIN
    level: float | None = None
    form: Form = Form.AMOUNT


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """One series over time: a label and an amount for each column; an amount below zero hangs below the zero line.

    `unit` is the currency's sign for cents, and empty for counts.
    """

    title: str
    columns: tuple[tuple[str, int], ...]
    unit: str = ""
    note: str = ""
    """A sentence about the whole series, such as its sum."""
    scale: tuple[tuple[int, str], ...] = ()
    """The grid lines, lowest first: the amount and its words. The first and the last are the ends of the axis."""
    groups: tuple[tuple[str, int], ...] = ()
    """What neighbouring columns have in common, such as their month: its words and the count of columns."""
    shaded: frozenset[int] = frozenset()
    """The columns that are marked, by number from 0."""
    shaded_means: str = ""
    """The meaning of the mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """A bar for each row: its label, its share from 0 to 1, and the words beside it."""

    title: str
    rows: tuple[tuple[str, float, str], ...]
    note: str = ""
    """A sentence about all rows, or the reason why there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BandRow:
    """An actual return beside the theoretical one, after `games` games; 1 is all of the stakes.

    From `low` to `high` is where 99 of 100 actual returns are. None is a value that is not known yet.
    """

    label: str
    actual: float | None
    theoretical: float | None
    low: float | None
    high: float | None
    games: int
    words: str = ""
    """The actual return, and whether it is inside its band."""
    detail: str = ""
    """The theoretical return, the band and the count of games."""
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Actual against theoretical returns."""

    title: str
    rows: tuple[BandRow, ...]
    note: str = ""
    over_games: bool = False
    """True to draw each band as it narrows with the games, where there is room."""


Figure = Tile | Columns | Shares | Band


class Place(Enum):
    """A part of the cabinet that a drawing points at."""

    ACCEPTOR = "acceptor"
    PRINTER = "printer"
    CASH_BOX = "cash-box"
    MAIN_DOOR = "main-door"
    LOGIC_DOOR = "logic-door"
    PANEL = "panel"
    SCREEN = "screen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The cabinet from the front with a place marked; `title` and `words` name the place beside it."""

    place: Place
    title: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneCode:
    """A text as a code that a phone reads. It has a page of its own; `rows` are the names and values of the text."""

    text: str
    rows: tuple[tuple[str, str], ...]
    words: tuple[str, ...] = ()
    """Sentences below the rows: whose signature it is, and how it is checked."""


def scale_of(amounts: Iterable[int], words: Callable[[int], str]) -> tuple[tuple[int, str], ...]:
    """Returns the grid lines of an axis that holds all amounts and zero, at most `MOST_STEPS` steps of 1, 2 or 5 times
    a power of ten apart."""
    found = tuple(amounts)
    low, high = min((0, *found)), max((0, *found))
    step = next(step for step in _steps() if -(-high // step) - low // step <= MOST_STEPS)
    first, last = low // step, max(-(-high // step), low // step + 1)
    return tuple((number * step, words(number * step)) for number in range(first, last + 1))


def _steps() -> Iterable[int]:
    power = 1
    while True:
        yield from (nice * power for nice in _NICE)
        power *= 10

"""One page of the attendant's menu, as a value.

Rules: a page is text, figures, entries and the meaning of each button; the help line, the legends and the touch areas
come from the same values. A touch names the page that it was made on, so that it means nothing on another. The screen
draws any page it receives. This module does not know the screen, the live machine or the store.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from textwrap import wrap

from cabinet.attendant.charts import Drawing, Figure, PhoneCode
from cabinet.attendant.pictures import Picture
from cabinet.engine.inputs import Button

LINES_PER_PAGE = 18
ENTRIES_PER_PAGE = 8
"""Entries that are shown at a time: each is as high as a finger, and has a button of its own."""
ROWS_PER_PAGE = 12
"""Rows of a long list on one page; a row may need several lines."""
LEAVING = "turn the key to leave"
WIDE = 60
"""Longest line of a sentence, in characters."""


class LineStyle(Enum):
    """The style of a line."""

    NORMAL = "normal"
    HEAD = "head"
    WARN = "warn"
    STRONG = "strong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row: its cells from left to right. With several cells, the last `figures` are aligned at the right."""

    cells: tuple[str, ...]
    style: LineStyle = LineStyle.NORMAL
    figures: int = 1


def sentences(words: str) -> tuple[Line, ...]:
    """Wraps words into lines of at most WIDE characters."""
    return tuple(Line(cells=(part,)) for part in wrap(words, WIDE))


def sheets(lines: tuple[Line, ...], continued: str = "{head}, continued") -> tuple[tuple[Line, ...], ...]:
    """Splits lines into pages, at least one. A heading never ends a page: it moves to the next with its lines. A page
    that begins within a group repeats its heading; `continued` makes the words of it."""
    if len(lines) <= LINES_PER_PAGE:
        return (lines,)
    end = LINES_PER_PAGE
    while end > 1 and lines[end - 1].style is LineStyle.HEAD:
        end -= 1
    heads = [line for line in lines[:end] if line.style is LineStyle.HEAD]
    rest = lines[end:]
    if heads and rest[0].style is not LineStyle.HEAD:
        rest = (_repeated(heads[-1], continued), *rest)
    return (lines[:end], *sheets(rest, continued))


def _repeated(head: Line, continued: str) -> Line:
    ending = continued.partition("{head}")[2]
    name = head.cells[0].removesuffix(ending)
    return replace(head, cells=(continued.format(head=name), *head.cells[1:]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A long list of which only the shown rows are read. `rows` returns the lines of each row in a range."""

    count: int
    rows: Callable[[int, int], tuple[tuple[Line, ...], ...]]
    """First row and number of rows -> the lines of each."""
    nothing: str = ""
    """What an empty list says."""

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return max(1, -(-self.count // ROWS_PER_PAGE))


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The strip above each page: where and when the attendant is, and what waits. All but the count is text."""

    time: str
    machine: str
    venue: str
    credit: str
    who: str
    locks: int = 0
    locks_words: str = ""


class Touched(Enum):
    """What a touch of the page means."""

    ENTRY = "entry"
    TAB = "tab"
    BACK = "back"
    EARLIER = "earlier"
    LATER = "later"
    DIGIT = "digit"
    ERASE = "erase"
    TAKE = "take"


KEYPAD = (
    *((Touched.DIGIT, digit) for digit in range(1, 10)),
    (Touched.ERASE, 0),
    (Touched.DIGIT, 0),
    (Touched.TAKE, 0),
)
"""What the keys of the digits mean, row by row from above, three in a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTouch:
    """A touch of the attendant's page. `place` is the page it was made on; `word` names the entry or the tab, `nth` is
    its number on the page, or the digit."""

    place: str
    what: Touched
    nth: int = 0
    word: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """A group of pages in the strip below the head; `key` is its name in the menu."""

    key: str
    label: str
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the attendant's menu.

    `selected` is the index of the shown entry under the bar, `position` is (page, page count); pages count from 1.
    `does` is the meaning of each lit button.
    """

    title: str
    place: str = ""
    """The name of this page for a touch."""
    lines: tuple[Line, ...] = ()
    menu: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    """What each entry does, below its label; empty without."""
    keys: tuple[Button, ...] = ()
    """The button of each entry; empty where the bar alone chooses."""
    first: int = 0
    """The number of the first entry that is shown, among all."""
    selected: int = 0
    notice: str = ""
    """The outcome of the last request; shown beside the title, so that the page does not move."""
    position: tuple[int, int] = (1, 1)
    where: str = ""
    """The position in words: the rows of a list that are shown, or the page."""
    does: tuple[tuple[Button, str], ...] = ()
    beside: str = ""
    """The words of the help line for the buttons that stand beside the entries."""
    leaving: str = LEAVING
    pattern: tuple[tuple[int, int, int], ...] = ()
    """Colours of the display test, which fill the screen below the title from left to right."""
    sound: str = ""
    """The sound of the sound test that this page plays."""
    silent_lines: tuple[Line, ...] = ()
    """What stands on it instead of its lines where there is no loudspeaker."""
    figures: tuple[Figure, ...] = ()
    """Tiles and charts of the page, as values."""
    drawing: Drawing | None = None
    """Where to look, beside the text; a page without the room for it leaves it out."""
    code: PhoneCode | None = None
    """A code for a phone, in place of text and figures."""
    picture: Picture | None = None
    """A step of a past game, which fills the page; then only its words, the way back and the turns are shown."""
    head: Head | None = None
    tabs: tuple[Tab, ...] = ()
    tabbed: bool = False
    """True where the entries stand in the strip of the tabs: on the first page."""
    back: str = ""
    """The words that lead to the page above; empty on the first page."""
    turns: bool = False
    """True where there is another page to turn to, or more entries than are shown."""
    keypad: bool = False
    """True where digits are entered."""
    erase: str = ""
    take: str = ""
    """The words on the keys beside the digits."""

    @property
    def help(self) -> str:
        """Returns the help line: the meaning of the buttons that stand beside no entry, and the key."""
        moves = (f"{button.value.upper()} {words}" for button, words in self.does if button not in self.keys)
        return "  ·  ".join(filter(None, (*moves, self.beside, self.leaving)))

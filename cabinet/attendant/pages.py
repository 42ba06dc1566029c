"""One page of the attendant's menu, as a value.

Rules: a page is text, a menu and the meaning of each button; the help line and the legends read the same meanings. The
screen draws any page it receives. This module does not know the screen, the machine or the store.
"""

from dataclasses import dataclass
from enum import Enum
from textwrap import wrap

from cabinet.attendant.charts import Figure
from cabinet.engine.inputs import Button

LINES_PER_PAGE = 18
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
    """One row: its cells from left to right. With several cells, the last is at the right edge."""

    cells: tuple[str, ...]
    style: LineStyle = LineStyle.NORMAL


def sentences(words: str) -> tuple[Line, ...]:
    """Wraps words into lines of at most WIDE characters."""
    return tuple(Line(cells=(part,)) for part in wrap(words, WIDE))


def sheets(lines: tuple[Line, ...]) -> tuple[tuple[Line, ...], ...]:
    """Splits lines into pages, at least one. A heading never ends a page: it moves to the next with its lines."""
    if len(lines) <= LINES_PER_PAGE:
        return (lines,)
    end = LINES_PER_PAGE
    while end > 1 and lines[end - 1].style is LineStyle.HEAD:
        end -= 1
    return (lines[:end], *sheets(lines[end:]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The strip above each page: where and when the attendant is, and what waits. All but the count is text."""

    time: str
    machine: str
    venue: str
    credit: str
    who: str
    locks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the attendant's menu.

    `selected` is the index of the menu entry under the bar, `position` is (page, page count); pages count from 1.
    `does` is the meaning of each lit button.
    """

    title: str
    lines: tuple[Line, ...] = ()
    menu: tuple[str, ...] = ()
    selected: int = 0
    notice: str = ""
    """The outcome of the last request; shown beside the title, so that the page does not move."""
    position: tuple[int, int] = (1, 1)
    does: tuple[tuple[Button, str], ...] = ()
    pattern: tuple[tuple[int, int, int], ...] = ()
    """Colours of the display test, which fill the screen below the title from left to right."""
    sound: str = ""
    """The sound of the sound test that this page plays."""
    figures: tuple[Figure, ...] = ()
    """Tiles and charts of the page, as values."""
    head: Head | None = None

    @property
    def help(self) -> str:
        """Returns the help line: the meaning of each button, and the key."""
        return "  ·  ".join((*(f"{button.value.upper()} {words}" for button, words in self.does), LEAVING))

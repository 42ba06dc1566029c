"""What the attendant reads: one page as a value.

Rules: a page is text, a menu and what each button does on it, which the help line and the legends both read; nothing
here draws it. The screen shows whatever page it is handed. Does not know the screen, the machine or the store.
"""

from dataclasses import dataclass
from enum import Enum
from textwrap import wrap

from cabinet.engine.inputs import Button

LINES_PER_PAGE = 18
LEAVING = "turn the key to leave"
WIDE = 60
"""So many characters of a sentence stand on one line."""


class LineStyle(Enum):
    """How a line of a page wants to be read."""

    NORMAL = "normal"
    HEAD = "head"
    WARN = "warn"
    STRONG = "strong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row: its cells from left to right. The last cell of several stands at the right edge."""

    cells: tuple[str, ...]
    style: LineStyle = LineStyle.NORMAL


def sentences(words: str) -> tuple[Line, ...]:
    """Words as lines of text, none longer than WIDE."""
    return tuple(Line(cells=(part,)) for part in wrap(words, WIDE))


def sheets(lines: tuple[Line, ...]) -> tuple[tuple[Line, ...], ...]:
    """Lines by pages; a heading goes with what it heads and ends no page. At least one page, though it be empty."""
    if len(lines) <= LINES_PER_PAGE:
        return (lines,)
    end = LINES_PER_PAGE
    while end > 1 and lines[end - 1].style is LineStyle.HEAD:
        end -= 1
    return (lines[:end], *sheets(lines[end:]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the attendant's menu.

    `selected` is the index of the menu entry under the bar, `position` is (page, of so many), both counted as people
    do. `does` is what each button that is alight does.
    """

    title: str
    lines: tuple[Line, ...] = ()
    menu: tuple[str, ...] = ()
    selected: int = 0
    notice: str = ""
    """What became of the last thing that was asked for; beside the title, so that nothing moves for it."""
    position: tuple[int, int] = (1, 1)
    does: tuple[tuple[Button, str], ...] = ()
    pattern: tuple[tuple[int, int, int], ...] = ()
    """Colours that fill the screen beneath the title, from left to right; for the test of the display."""
    sound: str = ""
    """A sound to be heard with the page; for the test of the sound."""

    @property
    def help(self) -> str:
        """How to move around: what the buttons do, and the key."""
        return "  ·  ".join((*(f"{button.value.upper()} {words}" for button, words in self.does), LEAVING))

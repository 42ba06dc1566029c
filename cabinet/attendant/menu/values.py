"""The values of the menu: where it is, what can be chosen, what it requests.

Rules: a value that holds a PIN does not show it. It decides nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from cabinet.attendant.charts import Drawing, Figure, PhoneCode
from cabinet.attendant.pages import Line, Listing
from cabinet.attendant.pictures import Picture
from cabinet.attendant.till import TicketChosen
from cabinet.engine.closing_facts import ClosingKind
from cabinet.engine.inputs import Button, Command


class MenuKey(Enum):
    """A key of the menu."""

    UP = "up"
    DOWN = "down"
    SELECT = "select"
    BACK = "back"


KEYS: Mapping[Button, MenuKey] = {
    Button.CHIP: MenuKey.UP,
    Button.BET: MenuKey.DOWN,
    Button.DEAL: MenuKey.SELECT,
    Button.CLEAR: MenuKey.BACK,
}
"""The panel's buttons that move the bar."""

DIRECT = tuple(button for button in Button if button not in KEYS)
"""The other buttons in the order of the panel: each opens the entry beside which it stands."""

CARD_BACK, OLDER, NEWER = DIRECT[:3]
"""The buttons of a past game besides those of the bar."""

DIGIT_BUTTONS: Mapping[Button, str] = dict(
    zip((button for button in Button if button not in {Button.DEAL, Button.CLEAR}), "1234567890", strict=True)
)
"""The digit of each button where digits are entered."""


class Extra(Enum):
    """Requests of the menu that are no commands of the machine."""

    AUDIT_TICKET = "print an audit ticket"
    TEST_TICKET = "print a test ticket"
    SAVE_FILES = "save the books as files"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintClosing:
    """The attendant prints the slip of a closed period or of a removed cash box, again or for the first time."""

    kind: ClosingKind
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintReceipt:
    """The attendant prints the receipt of a settlement, whose log entry has this number; `copy` marks it as a copy."""

    number: int
    copy: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PinTyped:
    """The digits entered as the technician's PIN."""

    digits: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class UseLanguage:
    """The attendant reads the pages in this language until the key is turned back; `code` has two letters."""

    code: str


Request = Command | Extra | PrintClosing | PrintReceipt | PinTyped | TicketChosen | UseLanguage


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of a menu: it opens a page (`goes`, names from here on), requests something (`asks`), or is only text.

    `detail` says what it does, `short` is its name in the legend of its button.
    """

    label: str
    goes: tuple[str, ...] = ()
    asks: Request | None = None
    detail: str = ""
    short: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu:
    """The state of the menu. `path` names the pages from the top; `asking` is the entry that waits for a yes; `pressed`
    are the buttons that the test has detected, `trial` is the number of the tested sound or picture, `digits` are those
    entered so far; `outcome` is the outcome of the last request, `settled` the log entry of a settlement just made,
    whose receipt is offered."""

    path: tuple[str, ...] = ()
    selected: int = 0
    page: int = 0
    asking: Entry | None = None
    pressed: frozenset[Button] = frozenset()
    trial: int = 0
    digits: str = field(default="", repr=False)
    outcome: str = ""
    settled: int | None = None


class Steps(Enum):
    """What the buttons do on a page besides moving the bar."""

    NONE = "none"
    LAMPS = "test of lamps"
    TRIALS = "test of sounds or pictures"
    DIGITS = "digits"
    PICTURES = "pictures of a game"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What stands at a place of the menu: the text, a long list, figures, and what can be chosen there."""

    title: str
    lines: tuple[Line, ...] = ()
    listing: Listing | None = None
    figures: tuple[tuple[Figure, ...], ...] = ()
    """The figures of each page."""
    drawing: Drawing | None = None
    """Where to look, beside the text."""
    code: PhoneCode | None = None
    """The code for a phone; it has the page for itself."""
    entries: tuple[Entry, ...] = ()
    direct: bool = True
    """False where the bar alone chooses: at a question."""
    steps: Steps = Steps.NONE
    trials: int = 0
    """The number of sounds or pictures to try."""
    pattern: tuple[tuple[int, int, int], ...] = ()
    sound: str = ""
    silent_lines: tuple[Line, ...] = ()
    """The lines of the sound test for a cabinet without a loudspeaker."""
    most_digits: int = 0
    """Digits that can be entered."""
    take: Callable[[str], Entry] | None = None
    """Digits -> the entry that they choose; None where they choose nothing yet."""
    at_once: bool = False
    """True where the last digit chooses; otherwise DEAL does."""
    picture: Picture | None = None
    """The step of a past game that is shown."""
    pictures: int = 0
    """The number of its steps."""
    stills: tuple[int, ...] = ()
    """The steps at which the table stood still."""
    older: str = ""
    newer: str = ""
    """The names of the games before and after; empty without."""

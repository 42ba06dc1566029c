"""A printable page as a value, and what a ticket printer reports.

The page knows lines, sizes and bar codes, not money. Rules for every printer language:
- a job's outcome is reported exactly once: `Printed`, `PrintFailed` (certainly nothing of it will ever come out) or
  `PrintUnknown` (anything else: link lost, power lost, no answer);
- a job is never sent a second time by the driver.
"""

from dataclasses import dataclass
from enum import Enum

from drivers.protocol import Confirm

CANNOT_REPORT = "cannot report its status"
"""How the fault of a printer that prints and does not say how it is begins, in every language."""


class Align(Enum):
    """Where a line of text stands."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One line of text. `scale` 1 to 4 multiplies width and height."""

    text: str
    align: Align = Align.LEFT
    scale: int = 1
    bold: bool = False
    inverse: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Left and right text on one line, for names and amounts."""

    left: str
    right: str
    bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Barcode:
    """An even number of decimal digits as a bar code, with quiet zones; refused when it would not fit the paper."""

    digits: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A rule across the paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """Empty lines."""

    lines: int = 1


Element = Text | Columns | Barcode | Line | Feed


@dataclass(frozen=True, slots=True, kw_only=True)
class Voucher:
    """What a ticket of value says, for a printer that lays it out by a form of its own; each is one line of text."""

    number: str  # decimal digits, as in the bar code
    number_text: str
    establishment: str
    location: str
    city: str
    date: str
    time: str
    ticket: str
    amount_words: str
    amount_digits: str
    validity: str
    machine: str
    duplicate_mark: str = ""
    """What marks a duplicate; empty on the original."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page, top to bottom; it is cut after the last element. `voucher` says the same, of a ticket of value only."""

    elements: tuple[Element, ...]
    voucher: Voucher | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Print:
    """Order: print this page. `job` is the cabinet's own number and comes back in the outcome."""

    job: int
    document: Document


PrintOrder = Print | Confirm


class Paper(Enum):
    """What the paper sensor says."""

    OK = "ok"
    LOW = "low"
    OUT = "out"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterStarted:
    """The printer answered and can report its status; only such a printer may print tickets of value."""

    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterStatus:
    """How the printer is; sent when anything in it changes. `link` False means: not answering.

    `reports` False means: it answers, but not with all that must be known before and after a ticket of value.
    """

    link: bool
    online: bool = False
    paper: Paper = Paper.UNKNOWN
    cover_open: bool = False
    jam: bool = False
    fault: str = ""
    reports: bool = True
    ticket_waits: bool = False
    """A ticket hangs in the printer's mouth; not every printer can tell."""

    @property
    def can_print(self) -> bool:
        """True when a job sent now may be expected to come out."""
        paper_there = self.paper in {Paper.OK, Paper.LOW}
        well = not (self.cover_open or self.jam or self.fault)
        return self.link and self.reports and self.online and paper_there and well


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """All of the job came out and the printer was well afterwards."""

    job: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintFailed:
    """The job was not begun: nothing of it was sent, nothing will come out."""

    job: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintUnknown:
    """Nobody can say whether the job came out, or will."""

    job: int
    reason: str


PrinterEvent = PrinterStarted | PrinterStatus | Printed | PrintFailed | PrintUnknown

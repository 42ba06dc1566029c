"""A printable page as a value, and the events of a ticket printer.

A page has lines, sizes and bar codes, but no money. Rules for every printer language:
- the outcome of a job is reported exactly once: `Printed`, `PrintFailed` (certainly nothing was or will be printed)
  or `PrintUnknown` (anything else: link lost, power lost, no answer);
- the driver never sends a job twice.
"""

from dataclasses import dataclass
from enum import Enum

from drivers.protocol import Confirm

CANNOT_REPORT = "cannot report its status"
"""The beginning of the fault text, in every language, for a printer that prints but does not report its status."""


class Align(Enum):
    """The place of a line of text."""

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
    """An even number of decimal digits as a bar code, with quiet zones; refused when it does not fit the paper."""

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
    """The fields of a ticket of value, for a printer with its own ticket form; each is one line of text."""

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
    """The mark of a duplicate; empty on the original."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page, top to bottom; it is cut after the last element. `voucher` has the same content, for a ticket of value
    only."""

    elements: tuple[Element, ...]
    voucher: Voucher | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Print:
    """Order: print this page. `job` is the cabinet's number of the job and is repeated in the outcome."""

    job: int
    document: Document


PrintOrder = Print | Confirm


class Paper(Enum):
    """The state of the paper sensor."""

    OK = "ok"
    LOW = "low"
    OUT = "out"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterStarted:
    """The printer has answered and can report its status; only such a printer may print tickets of value."""

    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterStatus:
    """The status of the printer; sent at each change. `link` False: it does not answer.

    `reports` False: it answers, but without a part of the status that a ticket of value needs.
    """

    link: bool
    online: bool = False
    paper: Paper = Paper.UNKNOWN
    cover_open: bool = False
    jam: bool = False
    fault: str = ""
    reports: bool = True
    ticket_waits: bool = False
    """True if a ticket is in the printer's mouth; not every printer reports this."""

    @property
    def can_print(self) -> bool:
        """True if a job sent now is expected to be printed."""
        paper_there = self.paper in {Paper.OK, Paper.LOW}
        well = not (self.cover_open or self.jam or self.fault)
        return self.link and self.reports and self.online and paper_there and well


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """The whole job was printed, and the printer had no fault afterwards."""

    job: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintFailed:
    """The job was not begun: nothing of it was sent, nothing will be printed."""

    job: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintUnknown:
    """It is unknown whether the job was or will be printed."""

    job: int
    reason: str


PrinterEvent = PrinterStarted | PrinterStatus | Printed | PrintFailed | PrintUnknown

"""What goes over the wire to a TCL ticket printer: commands, the ticket form, and the status it answers with.

    ^Se|^                                                   how are you
    *S|0|firmware|f1|f2|f3|f4|f5|tt|*                       each flag one character, 40 with six bits added
    ^P|0|1|field 1|...|field 17|^                           print form 0 once: 20 bars in all
    ^C|^  ^C|j|^                                            clear errors; clear errors and the jam
    ^F|A|^  ^r|^                                            drop all pages in memory; reset as after power-up
    ^f|I|^                                                  feed to the next ticket
    ^j|^ lines ESC [^] ESC                                  journal: plain lines until it is left

Rules:
- a field cannot end itself or the command: bars and carets are replaced, and so is all that is not plain ASCII;
- a status is found by its two ends and read by position, whatever its length: a flag character may itself be a bar;
- "system error" is a summary: real units set it together with its cause, so it is a fault only when no other flag
  explains it. An empty tray explains a missing index mark, too;
- "validation done" may stand from power-up on: it proves a ticket only when it rises after the print command. "At top
  of form" is a state of rest and "bar code begun" a hint: neither is a proof, neither a fault;
- what fits nothing is dropped, and counted as noise.

Sources, public and independent; the maker's manual was not used: the hosts CashVault, Monaco and a Unity GEN2 client,
which drive real units, and the PayCheck 4 emulator. The bits of the first three characters are the same in all four. In
the fourth the emulator has the jam at 0x20 and no cutter; the three hosts agree. In the fifth Monaco, the Unity client
and the emulator agree on 0x20, the first two and the emulator's order in time on what it proves; only two lines of
CashVault that are switched off read 0x20 and 0x10 as "not complete". The Unity client calls 0x10 a top-of-form error
and does not act on it. Monaco drops pages with ^F|A|^; CashVault and the emulator use ^C|j|^ for errors and jams, and
no source uses it for pages. Knows no time.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from drivers.errors import ConfigurationError
from drivers.printers.document import (
    Align,
    Barcode,
    Columns,
    Document,
    Element,
    Feed,
    Line,
    Paper,
    PrinterStatus,
    Text,
    Voucher,
)
from drivers.printers.lines import fold, format_columns, wrap

ASK_STATUS = b"^Se|^"
CLEAR_ERROR = b"^C|^"
CLEAR_JAM = b"^C|j|^"
DROP_PAGES = b"^F|A|^"
RESET = b"^r|^"
FEED_TICKET = b"^f|I|^"
BEGIN_JOURNAL = b"^j|^"
END_JOURNAL = b"\x1b[^]\x1b"
XON, XOFF = b"\x11", b"\x13"

OUT_OF_PAPER = "out of tickets"
DIGITS_ON_FORM = 18
JOURNAL_COLUMNS = 32  # what every page is made to fit; the printer may have room for more
_JOURNAL_NEWLINE = b"\r\n"
_LONGEST_STATUS = 96
_NOT_IN_A_FIELD = str.maketrans({"|": "/", "^": "'"})
_STATUS = re.compile(rb"\*S\|[^|]*\|([^|]*)" + rb"\|([\x40-\x7f])" * 5 + rb"\|.*?\|\*", re.DOTALL)


class Flag(Enum):
    """A bit of the status: which of the five characters, and which bit of it."""

    BUSY = (1, 0x20)
    SYSTEM_ERROR = (1, 0x10)
    HEAD_UP = (1, 0x08)
    PAPER_OUT = (1, 0x04)
    HEAD_ERROR = (1, 0x02)
    VOLTAGE = (1, 0x01)
    HEAD_HOT = (2, 0x20)
    LIBRARY_REFERENCE = (2, 0x10)
    DATA_ERROR = (2, 0x08)
    LIBRARY_LOAD = (2, 0x04)
    BUFFER_OVERFLOW = (2, 0x02)
    JOB_MEMORY = (2, 0x01)
    COMMAND_ERROR = (3, 0x20)
    LIBRARY_CORRUPT = (3, 0x10)
    TICKET_IN_CHUTE = (3, 0x08)
    FLASH_ERROR = (3, 0x04)
    OFFLINE = (3, 0x02)
    NO_INDEX_MARK = (3, 0x01)
    JOURNAL_MODE = (4, 0x08)
    CUTTER = (4, 0x04)
    JAM = (4, 0x02)
    PAPER_LOW = (4, 0x01)
    VALIDATION_DONE = (5, 0x20)
    AT_TOP_OF_FORM = (5, 0x10)
    XOFF = (5, 0x08)
    DRAWER_OPEN = (5, 0x04)
    BARCODE_BEGUN = (5, 0x02)
    POWER_RESET = (5, 0x01)


FAULT_WORDS = {
    Flag.HEAD_ERROR: "print head error",
    Flag.VOLTAGE: "supply voltage out of range",
    Flag.HEAD_HOT: "print head too hot",
    Flag.LIBRARY_CORRUPT: "its stored forms are damaged",
    Flag.FLASH_ERROR: "its memory is damaged",
    Flag.NO_INDEX_MARK: "no index mark found: put the tickets in with the mark on the sensor's side",
    Flag.SYSTEM_ERROR: "system error",
}
"""What keeps it from printing anything, beside covers, paper and jams."""

REFUSAL_WORDS = {
    Flag.LIBRARY_REFERENCE: "it does not have the ticket form",
    Flag.DATA_ERROR: "it did not understand the page",
    Flag.LIBRARY_LOAD: "it could not load the ticket form",
    Flag.BUFFER_OVERFLOW: "bytes of the page were lost",
    Flag.JOB_MEMORY: "the page did not fit its memory",
    Flag.COMMAND_ERROR: "it did not understand a command",
}
"""What it holds against something it was sent; says nothing of the next page once it is cleared."""

AT_REST = frozenset({Flag.VALIDATION_DONE, Flag.POWER_RESET})
"""What may stand while it rests, and on some units stands until the next ticket or the next power-up."""

LEFTOVERS = frozenset({*AT_REST, *REFUSAL_WORDS})
"""What it still says of the time before, and should forget before the next page."""

_EXPLAINS = {
    Flag.SYSTEM_ERROR: frozenset(FAULT_WORDS.keys() | REFUSAL_WORDS.keys()) - {Flag.SYSTEM_ERROR}
    | {Flag.HEAD_UP, Flag.DRAWER_OPEN, Flag.PAPER_OUT, Flag.JAM, Flag.CUTTER, Flag.OFFLINE},
    Flag.NO_INDEX_MARK: frozenset({Flag.PAPER_OUT}),
}
"""For a flag that can be the consequence of others: any of them explains it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One status."""

    firmware: str
    flags: frozenset[Flag]

    @property
    def jammed(self) -> bool:
        """Paper or knife is stuck."""
        return bool(self.flags & {Flag.JAM, Flag.CUTTER})

    @property
    def open(self) -> bool:
        """The head is up, or the drawer with the tickets is out."""
        return bool(self.flags & {Flag.HEAD_UP, Flag.DRAWER_OPEN})

    @property
    def paper(self) -> Paper:
        """What the paper sensors say."""
        if Flag.PAPER_OUT in self.flags:
            return Paper.OUT
        return Paper.LOW if Flag.PAPER_LOW in self.flags else Paper.OK

    @property
    def fault(self) -> str:
        """Why it cannot print, when neither cover nor paper nor a jam is the reason; else empty."""
        explained = {flag for flag, causes in _EXPLAINS.items() if causes & self.flags}
        return _first_words(FAULT_WORDS, self.flags - explained)

    @property
    def refusal(self) -> str:
        """What it holds against something it was sent; empty when nothing."""
        return _first_words(REFUSAL_WORDS, self.flags)

    @property
    def obstacle(self) -> str:
        """Why nothing can come out, in plain words; empty when nothing is in the way."""
        if self.open:
            return "the head is up or the drawer open"
        if self.jammed:
            return "jammed"
        if self.fault:
            return self.fault
        if self.paper is Paper.OUT:
            return OUT_OF_PAPER
        return "offline" if Flag.OFFLINE in self.flags else ""

    def status(self, blocked: str = "") -> PrinterStatus:
        """The same in the words every printer language shares; `blocked` is a fault the host found by itself."""
        return PrinterStatus(
            link=True,
            online=Flag.OFFLINE not in self.flags,
            paper=self.paper,
            cover_open=self.open,
            jam=self.jammed,
            fault=self.fault or blocked,
            ticket_waits=Flag.TICKET_IN_CHUTE in self.flags,
        )


class Reader:
    """Finds statuses in the stream."""

    def __init__(self) -> None:
        self._stream = b""
        self.held = False  # the printer has said XOFF
        self.noise = 0  # bytes since the last status that were not part of one

    def reset(self) -> None:
        """The line is new."""
        self._stream, self.held, self.noise = b"", False, 0

    def feed(self, data: bytes) -> tuple[Report, ...]:
        """Bytes came in; returns the statuses that are whole now."""
        for byte in data:
            if byte in XON + XOFF:
                self.held = byte == XOFF[0]
        self._stream += data.translate(None, XON + XOFF)
        reports: list[Report] = []
        while (found := _STATUS.search(self._stream)) is not None:
            reports.append(_read(found))
            self._stream = self._stream[found.end() :]
            self.noise = 0
        if len(self._stream) > _LONGEST_STATUS:
            self.noise += len(self._stream) - _LONGEST_STATUS
            self._stream = self._stream[-_LONGEST_STATUS:]
        return tuple(reports)

    @property
    def puzzled(self) -> bool:
        """Something came in since the last status, and was none."""
        return bool(self.noise or self._stream)


def field(text: str) -> str:
    """A text as it can stand in a field of a form."""
    return fold(text, "ascii").translate(_NOT_IN_A_FIELD).strip()


def encode_ticket(voucher: Voucher) -> bytes:
    """The command that prints a ticket by form 0.

    Raises ConfigurationError when the number is not 18 decimal digits.
    """
    number = voucher.number
    if len(number) != DIGITS_ON_FORM or not (number.isascii() and number.isdigit()):
        raise ConfigurationError(f"the ticket form has a bar code of {DIGITS_ON_FORM} decimal digits, not {number!r}")
    mark = f"{voucher.duplicate_mark} " if voucher.duplicate_mark else ""
    fields = (
        mark + voucher.number_text,
        voucher.establishment,
        voucher.location,
        voucher.city,
        "",
        "",
        voucher.number_text,
        voucher.date,
        voucher.time,
        mark + voucher.ticket,
        voucher.amount_words,
        "",
        voucher.amount_digits,
        "",
        voucher.validity,
        voucher.machine,
        number,
    )
    return ("^P|0|1|" + "".join(f"{field(each)}|" for each in fields) + "^").encode("ascii")


def encode_journal(document: Document) -> tuple[bytes, ...]:
    """A page without value as plain lines, from entering journal mode to the cut edge of the last ticket; each a write.

    Raises ConfigurationError when the page has a bar code: that is printed on the ticket form or not at all.
    """
    lines = [line for element in document.elements for line in _format(element)]
    encoded = (field_line.encode("ascii") + _JOURNAL_NEWLINE for field_line in lines)
    return (BEGIN_JOURNAL, *encoded, END_JOURNAL, FEED_TICKET)


def _format(element: Element) -> tuple[str, ...]:
    match element:
        case Text():
            place = {Align.LEFT: str.ljust, Align.CENTRE: str.center, Align.RIGHT: str.rjust}[element.align]
            lines = wrap(field(element.text), JOURNAL_COLUMNS)
            return tuple(place(line, JOURNAL_COLUMNS).rstrip() for line in lines)
        case Columns():
            return format_columns(field(element.left), field(element.right), JOURNAL_COLUMNS)
        case Line():
            return ("-" * JOURNAL_COLUMNS,)
        case Feed():
            return ("",) * element.lines
        case Barcode():
            raise ConfigurationError(
                "this printer prints a bar code on its ticket form only, and the page is no ticket"
            )
        case _:
            assert_never(element)


def _read(found: re.Match[bytes]) -> Report:
    firmware, *characters = found.groups()
    return Report(
        firmware=firmware.decode("ascii", "replace").strip(),
        flags=frozenset(flag for flag in Flag if characters[flag.value[0] - 1][0] & flag.value[1]),
    )


def _first_words(words: dict[Flag, str], flags: frozenset[Flag]) -> str:
    return next((text for flag, text in words.items() if flag in flags), "")

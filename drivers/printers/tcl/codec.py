"""The messages of a TCL ticket printer: commands, the ticket form, and the status.

    ^Se|^                                                   status request
    *S|0|firmware|f1|f2|f3|f4|f5|tt|*                       each flag is one character, 40 with six added bits
    ^P|0|1|field 1|...|field 17|^                           print form 0 once: 20 bars in all
    ^C|^  ^C|j|^                                            clear errors; clear errors and the jam
    ^F|A|^  ^r|^                                            drop all pages in memory; reset as after power-up
    ^f|I|^                                                  feed to the next ticket
    ^j|^ lines ESC [^] ESC                                  journal: plain lines until it is left

Rules:
- a field cannot end itself or the command: bars, carets and everything outside plain ASCII are replaced;
- a status is found by its two ends and read by position, for any length: a flag character may itself be a bar;
- "system error" is a summary: real units set it together with its cause, so it is a fault only without another flag
  that explains it. An empty tray also explains a missing index mark;
- "validation done" may be set from power-up on: it proves a ticket only when it rises after the print command. "At
  top of form" is an idle state and "bar code begun" a hint: neither is a proof or a fault;
- unknown bytes are dropped and counted as noise.

Sources, public and independent; the maker's manual was not used: the hosts CashVault, Monaco and a Unity GEN2 client,
which drive real units, and the PayCheck 4 emulator. The bits of the first three characters are the same in all four.
In the fourth the emulator has the jam at 0x20 and no cutter; the three hosts agree. In the fifth Monaco, the Unity
client and the emulator agree on 0x20; Monaco, the Unity client and the emulator's order in time agree on what it
proves. Only two disabled lines of CashVault read 0x20 and 0x10 as "not complete". The Unity client calls 0x10 a
top-of-form error and does not act on it. Monaco drops pages with ^F|A|^; CashVault and the emulator use ^C|j|^ for
errors and jams, and no source uses it for pages. Knows no time.
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
JOURNAL_COLUMNS = 32  # every page fits into this; the printer may have room for more
_JOURNAL_NEWLINE = b"\r\n"
_LONGEST_STATUS = 96
_NOT_IN_A_FIELD = str.maketrans({"|": "/", "^": "'"})
_STATUS = re.compile(rb"\*S\|[^|]*\|([^|]*)" + rb"\|([\x40-\x7f])" * 5 + rb"\|.*?\|\*", re.DOTALL)


class Flag(Enum):
    """A bit of the status: the number of the character (of five), and its bit."""

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
"""Faults that stop all printing, besides covers, paper and jams."""

REFUSAL_WORDS = {
    Flag.LIBRARY_REFERENCE: "it does not have the ticket form",
    Flag.DATA_ERROR: "it did not understand the page",
    Flag.LIBRARY_LOAD: "it could not load the ticket form",
    Flag.BUFFER_OVERFLOW: "bytes of the page were lost",
    Flag.JOB_MEMORY: "the page did not fit its memory",
    Flag.COMMAND_ERROR: "it did not understand a command",
}
"""Refusals of something it was sent; once cleared they do not affect the next page."""

AT_REST = frozenset({Flag.VALIDATION_DONE, Flag.POWER_RESET})
"""Flags that may be set while it is idle, on some units until the next ticket or the next power-up."""

LEFTOVERS = frozenset({*AT_REST, *REFUSAL_WORDS})
"""Flags of earlier work, which must be cleared before the next page."""

_EXPLAINS = {
    Flag.SYSTEM_ERROR: frozenset(FAULT_WORDS.keys() | REFUSAL_WORDS.keys()) - {Flag.SYSTEM_ERROR}
    | {Flag.HEAD_UP, Flag.DRAWER_OPEN, Flag.PAPER_OUT, Flag.JAM, Flag.CUTTER, Flag.OFFLINE},
    Flag.NO_INDEX_MARK: frozenset({Flag.PAPER_OUT}),
}
"""A flag that can be the consequence of others -> the flags that explain it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One status."""

    firmware: str
    flags: frozenset[Flag]

    @property
    def jammed(self) -> bool:
        """True if paper or knife is stuck."""
        return bool(self.flags & {Flag.JAM, Flag.CUTTER})

    @property
    def open(self) -> bool:
        """True if the head is up or the ticket drawer is open."""
        return bool(self.flags & {Flag.HEAD_UP, Flag.DRAWER_OPEN})

    @property
    def paper(self) -> Paper:
        """The state of the paper sensors."""
        if Flag.PAPER_OUT in self.flags:
            return Paper.OUT
        return Paper.LOW if Flag.PAPER_LOW in self.flags else Paper.OK

    @property
    def fault(self) -> str:
        """The fault that stops printing, other than cover, paper or jam; empty without one."""
        explained = {flag for flag, causes in _EXPLAINS.items() if causes & self.flags}
        return _first_words(FAULT_WORDS, self.flags - explained)

    @property
    def refusal(self) -> str:
        """The refusal of something it was sent; empty without one."""
        return _first_words(REFUSAL_WORDS, self.flags)

    @property
    def obstacle(self) -> str:
        """The reason why it cannot print; empty without one."""
        if self.open:
            return "the head is up or the drawer is open"
        if self.jammed:
            return "jammed"
        if self.fault:
            return self.fault
        if self.paper is Paper.OUT:
            return OUT_OF_PAPER
        return "offline" if Flag.OFFLINE in self.flags else ""

    def status(self, blocked: str = "") -> PrinterStatus:
        """Returns the status in the form shared by every printer language; `blocked` is a fault detected by the
        host."""
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
        self.held = False  # the printer has sent XOFF
        self.noise = 0  # bytes since the last status that were not part of one

    def reset(self) -> None:
        """Drops everything; the line was opened."""
        self._stream, self.held, self.noise = b"", False, 0

    def feed(self, data: bytes) -> tuple[Report, ...]:
        """Handles received bytes. Returns the statuses that are now complete."""
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
        """True if bytes arrived since the last status that are not a status."""
        return bool(self.noise or self._stream)


def field(text: str) -> str:
    """Returns a text that is safe in a field of a form."""
    return fold(text, "ascii").translate(_NOT_IN_A_FIELD).strip()


def encode_ticket(voucher: Voucher) -> bytes:
    """Returns the command that prints a ticket with form 0.

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
    """Returns a page without value as plain lines, from the begin of journal mode to the cut edge of the last ticket;
    each item is one write.

    Raises ConfigurationError when the page has a bar code: only the ticket form can print one.
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
                "this printer prints a bar code on its ticket form only, and the page is not a ticket"
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

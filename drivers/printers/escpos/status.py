"""Decodes the bytes of an ESC/POS printer, without a conversation.

One stream carries four kinds of answers. Their fixed bits identify them, never their order alone:

    DLE EOT n     0xx1xx10   one byte, at once, even while printing
    automatic     0xx1xx00   first of four; the other three are 0xx0xxxx
    GS r, GS I    0xx0xxxx   one byte, in print order, only while online
    XON, XOFF     0x11, 0x13

Bits of DLE EOT:

    n=1 printer   bit 3 offline
    n=2 cause     bit 2 cover open, bit 5 stopped without paper, bit 6 error
    n=3 error     bit 2 recoverable, bit 3 cutter, bit 5 unrecoverable, bit 6 head too hot
    n=4 paper     bits 2+3 near end, bits 5+6 absent

Source: Epson's ESC/POS reference (DLE EOT, GS a, GS r). Knows nothing of time, jobs or tickets.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from drivers.printers.document import Paper, PrinterStatus

PRINTER, CAUSE, ERROR, ROLL = 1, 2, 3, 4
QUESTIONS = (PRINTER, CAUSE, ERROR, ROLL)
NEEDED = frozenset({PRINTER, CAUSE, ROLL})  # without these "ready" is not proved; many printers do not answer n=3

_ASB_REST = 3


class Kind(Enum):
    """The kinds of a byte from the printer."""

    REAL_TIME = "answer to DLE EOT"
    ASB_HEAD = "first byte of an automatic status"
    IN_ORDER = "answer to GS r, or a later byte of an automatic status"
    XON = "continue"
    XOFF = "wait"
    STRAY = "unknown"


def classify(byte: int) -> Kind:
    """Returns the kind of one byte, by its fixed bits."""
    if byte == 0x11:
        return Kind.XON
    if byte == 0x13:
        return Kind.XOFF
    if byte & 0x93 == 0x12:
        return Kind.REAL_TIME
    if byte & 0x93 == 0x10:
        return Kind.ASB_HEAD
    if byte & 0x90 == 0x00:
        return Kind.IN_ORDER
    return Kind.STRAY


def is_paper_answer(byte: int) -> bool:
    """Returns True if the byte can be the answer to GS r 1: near end and end have two equal bits each.

    The check is strict on purpose: no single wrong bit turns another answer into one of these.
    """
    return byte in {0x00, 0x03, 0x0C, 0x0F}


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """The status that the printer reports."""

    online: bool
    paper: Paper
    cover_open: bool = False
    jam: bool = False
    fault: str = ""

    @property
    def obstacle(self) -> str:
        """The reason why it cannot print; empty without a named reason (it may still be offline)."""
        if self.cover_open:
            return "the cover is open"
        if self.jam:
            return "the cutter is jammed"
        if self.fault:
            return self.fault
        return {Paper.OUT: "out of paper", Paper.UNKNOWN: "the paper sensor reports nothing"}.get(self.paper, "")

    @property
    def status(self) -> PrinterStatus:
        """Returns the status in the form shared by every printer language."""
        return PrinterStatus(
            link=True,
            online=self.online,
            paper=self.paper,
            cover_open=self.cover_open,
            jam=self.jam,
            fault=self.fault,
        )


def read_answers(answers: Mapping[int, int]) -> Condition:
    """Returns the condition from the answers to DLE EOT; the numbers of NEEDED must be there, ERROR may be
    missing."""
    cause, error = answers[CAUSE], answers.get(ERROR, 0)
    return Condition(
        online=not answers[PRINTER] & 0x08,
        paper=_read_roll(answers[ROLL], stopped=bool(cause & 0x20)),
        cover_open=bool(cause & 0x04),
        jam=bool(error & 0x08),
        fault=_name_fault(
            lasting=bool(error & 0x20),
            hot=bool(error & 0x40),
            other=bool(error & 0x04) or (bool(cause & 0x40) and not error & 0x68),
        ),
    )


def read_automatic(frame: bytes) -> Condition:
    """Returns the condition from the four bytes of an automatic status."""
    head, error, roll, _ = frame
    return Condition(
        online=not head & 0x08,
        paper=Paper.OUT if roll & 0x0C else Paper.LOW if roll & 0x03 else Paper.OK,
        cover_open=bool(head & 0x20),
        jam=bool(error & 0x08),
        fault=_name_fault(lasting=bool(error & 0x20), hot=bool(error & 0x40), other=bool(error & 0x04)),
    )


def _read_roll(roll: int, *, stopped: bool) -> Paper:
    if stopped or roll & 0x60:
        return Paper.OUT
    return Paper.LOW if roll & 0x0C else Paper.OK


def _name_fault(*, lasting: bool, hot: bool, other: bool) -> str:
    if lasting:
        return "unrecoverable error"
    if hot:
        return "print head too hot"
    return "error that needs an attendant" if other else ""


class AutomaticStatus:
    """Collects the four bytes of an automatic status from the stream; answers to DLE EOT may come between them."""

    def __init__(self) -> None:
        self._frame = b""

    @property
    def gathering(self) -> bool:
        """True if a frame has begun and is not complete or given up."""
        return bool(self._frame)

    def begin(self, head: int) -> None:
        """Begins a frame with its first byte; drops an incomplete earlier frame."""
        self._frame = bytes([head])

    def add(self, byte: int) -> bytes | None:
        """Adds a further byte. Returns the frame once it is complete."""
        frame = self._frame + bytes([byte])
        self._frame = b"" if len(frame) > _ASB_REST else frame
        return frame if len(frame) > _ASB_REST else None

    def give_up(self) -> None:
        """Drops an incomplete frame."""
        self._frame = b""

"""One page on its way through an ESC/POS printer, from the order to the one outcome.

    CHECKING    a fresh look at the printer; anything wrong: PrintFailed, nothing was sent
    SYNCING     an in-order question goes ahead and must come back: the printer holds nothing older any more
    SENDING     chunk after chunk, each only after a pause for the paper and another clean look
    MARKING     two more in-order questions end the page; both answers mean that everything before was executed
    CONFIRMING  a fresh look: well, or out of paper only now: Printed

Rules:
- from the first byte of the page on, whatever is not proved ends as PrintUnknown, and no further byte is sent. Printers
  keep a page while paper is out or the cover open, and print it later: nobody may call it failed;
- two answers are asked for at the end, so that one stray byte on the line can never stand for a finished ticket;
- a missed look while sending means PrintUnknown: a printer that lost power for a moment has forgotten the beginning,
  and would still answer at the end;
- after an outcome that is not known the next page begins with a reset, and waits until late answers have come in.

Source for the in-order answer: Epson's ESC/POS reference, GS r. Knows no bits: see `escpos_status`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from drivers.printers.document import Paper, Printed, PrintFailed, PrintUnknown
from drivers.printers.escpos_bytes import ASK_PAPER, NO_AUTOMATIC_STATUS, RESET, Piece
from drivers.printers.escpos_status import Condition

Outcome = Printed | PrintFailed | PrintUnknown

_CHUNK_BYTES = 256
_BITS_PER_BYTE = 10
_SLOWEST_DOT_LINES_PER_S = 400
_MARKS = 2
_FILLER = bytes(32)  # completes a command that was torn when the line broke; idle printers ignore it


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long the driver waits for what; all in seconds."""

    answer_s: float = 1.0
    proof_s: float = 3.0
    retry_s: float = 2.0
    watch_s: float = 0.3
    completion_s: float = 10.0
    confirm_s: float = 3.0
    settle_s: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Bytes sent in one go, and how long to wait before the next."""

    data: bytes
    pause_s: float


def pack(pieces: Iterable[Piece], *, baud: int, handshake: bool) -> tuple[Chunk, ...]:
    """Gather pieces to chunks of at most 256 bytes (a longer piece stands alone), each with its pause.

    Without a handshake line the pause covers the paper too, at the pace of the slowest heads; with one only the wire.
    """
    chunks: list[Chunk] = []
    data, dot_lines = b"", 0
    for piece in pieces:
        if data and len(data) + len(piece.data) > _CHUNK_BYTES:
            chunks.append(_chunk(data, dot_lines, baud=baud, handshake=handshake))
            data, dot_lines = b"", 0
        data, dot_lines = data + piece.data, dot_lines + piece.dot_lines
    chunks.append(_chunk(data, dot_lines, baud=baud, handshake=handshake))
    return tuple(chunks)


def _chunk(data: bytes, dot_lines: int, *, baud: int, handshake: bool) -> Chunk:
    on_the_wire_s = len(data) * _BITS_PER_BYTE / baud
    on_paper_s = 0.0 if handshake else dot_lines / _SLOWEST_DOT_LINES_PER_S
    return Chunk(data=data, pause_s=max(on_the_wire_s, on_paper_s))


class Markers:
    """In-order questions asked and not yet answered, across jobs; `doubtful` after an outcome that is not known."""

    def __init__(self) -> None:
        self.owed = 0
        self.doubtful = False

    def ask(self, count: int) -> bytes:
        """The bytes of so many questions, which are counted as owed."""
        self.owed += count
        return ASK_PAPER * count

    def answer(self) -> None:
        """One answer came in."""
        self.owed = max(0, self.owed - 1)

    def settle(self) -> None:
        """Everything asked has been answered or will never be."""
        self.owed, self.doubtful = 0, False


class _Stage(Enum):
    CHECKING = "checking"
    SYNCING = "syncing"
    SENDING = "sending"
    MARKING = "marking"
    CONFIRMING = "confirming"


class Delivery:
    """The life of one print job; the protocol tells it what it sees and sends what it owes.

    `outcome` is set once and is then final.
    """

    def __init__(self, *, job: int, chunks: tuple[Chunk, ...], markers: Markers, timing: Timing, now: float) -> None:
        self.outcome: Outcome | None = None
        self.look_at: float | None = now  # when the next look at the printer is wanted
        self._job = job
        self._chunks = list(chunks)
        self._markers = markers
        self._timing = timing
        self._stage = _Stage.CHECKING
        self._fresh_from = now
        self._deadline: float | None = None
        self._quiet_at: float | None = None
        self._marks_missing = 0
        self._held = False
        self._begun = False  # something of the page has been handed over
        self._owed = b""

    @property
    def job(self) -> int:
        """The cabinet's number of this job."""
        return self._job

    def look(self, condition: Condition | None, now: float, *, asked_at: float) -> None:
        """The printer was asked at `asked_at` how it is; None when it did not answer."""
        if self.outcome is not None:
            return
        if condition is None:
            self._stop("the printer stopped answering")
        elif self._stage is _Stage.CONFIRMING:
            self._judge_end(condition, now, asked_at=asked_at)
        elif condition.obstacle:
            self._stop(condition.obstacle)
        elif self._stage is _Stage.CHECKING:
            self._judge_start(condition, now, asked_at=asked_at)
        elif self._stage is _Stage.SENDING and self._may_send(condition, asked_at=asked_at):
            self._send_chunk(now)
        else:
            self.look_at = max(now + self._timing.watch_s, self._fresh_from)

    def in_order_answer(self, now: float) -> None:
        """An answer to an in-order question came in (the protocol has counted it)."""
        if self.outcome is not None:
            return
        if self._stage is _Stage.SYNCING:
            self._quiet_at, self._deadline = now + self._timing.settle_s, None
            if not self._markers.owed:
                self._begin_sending(now)
        elif self._stage is _Stage.MARKING:
            self._marks_missing -= 1
            if not self._marks_missing:
                self._enter(_Stage.CONFIRMING, now, self._timing.confirm_s)
                self._fresh_from = self.look_at = now

    def hold(self, *, held: bool) -> None:
        """The printer asked us to wait (XOFF) or to go on (XON)."""
        self._held = held

    def line_lost(self) -> None:
        """The line is gone."""
        self._stop("the line to the printer was lost")

    def tick(self, now: float) -> None:
        """Time has passed."""
        if self.outcome is not None:
            return
        if self._quiet_at is not None and now >= self._quiet_at:
            self._begin_sending(now)
        elif self._deadline is not None and now >= self._deadline:
            self._stop(_OVERDUE[self._stage])

    def due(self) -> float | None:
        """When `tick` is needed."""
        times = [time for time in (self._quiet_at, self._deadline) if time is not None]
        return min(times) if times and self.outcome is None else None

    def bytes_to_send(self) -> bytes:
        """Bytes owed to the printer; each is returned once."""
        owed, self._owed = self._owed, b""
        return owed

    def _judge_start(self, condition: Condition, now: float, *, asked_at: float) -> None:
        if asked_at < self._fresh_from:
            self.look_at = now
        elif not condition.online:
            self._stop("the printer is offline")
        else:
            self._enter(_Stage.SYNCING, now, self._timing.completion_s)
            self._owed += _FILLER + RESET if self._markers.doubtful else b""
            self._owed += NO_AUTOMATIC_STATUS + self._markers.ask(1)

    def _begin_sending(self, now: float) -> None:
        self._markers.settle()
        self._quiet_at = None
        self._enter(_Stage.SENDING, now, self._timing.completion_s)
        if not self._held:
            self._send_chunk(now)

    def _may_send(self, condition: Condition, *, asked_at: float) -> bool:
        return condition.online and not self._held and asked_at >= self._fresh_from

    def _send_chunk(self, now: float) -> None:
        chunk = self._chunks.pop(0)
        self._begun = True
        self._owed += chunk.data
        self._fresh_from = now + chunk.pause_s
        self._deadline = self._fresh_from + self._timing.completion_s
        self.look_at = self._fresh_from
        if not self._chunks:
            self._stage = _Stage.MARKING
            self._marks_missing = _MARKS
            self._owed += self._markers.ask(_MARKS)
            self.look_at = now + self._timing.watch_s

    def _judge_end(self, condition: Condition, now: float, *, asked_at: float) -> None:
        if asked_at < self._fresh_from:
            self.look_at = now
        elif condition.cover_open or condition.jam or condition.fault:
            self._stop(f"{condition.obstacle}, just after the page")
        elif condition.online or condition.paper is Paper.OUT:
            self.outcome = Printed(job=self._job)
        else:
            self.look_at = now + self._timing.watch_s

    def _enter(self, stage: _Stage, now: float, limit_s: float) -> None:
        self._stage = stage
        self._deadline = now + limit_s
        self.look_at = now + self._timing.watch_s

    def _stop(self, reason: str) -> None:
        if self.outcome is not None:
            return
        self.look_at = None
        if self._begun:
            self._markers.doubtful = True
            self.outcome = PrintUnknown(job=self._job, reason=reason)
        else:
            self.outcome = PrintFailed(job=self._job, reason=reason)


_OVERDUE = {
    _Stage.CHECKING: "the printer did not say how it is",
    _Stage.SYNCING: "the printer is still busy with an earlier page",
    _Stage.SENDING: "the printer would not take the rest of the page",
    _Stage.MARKING: "the printer did not say that the page is done",
    _Stage.CONFIRMING: "the printer stayed offline after the page",
}

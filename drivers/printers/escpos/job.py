"""One page on its way through an ESC/POS printer, from the order to the one outcome.

    CHECKING    a fresh status; any fault: PrintFailed, nothing was sent
    SYNCING     an in-order question, whose answer proves that the printer holds no older page
    SENDING     chunk after chunk, each with an in-order question at its end; the answer releases the next
    MARKING     two such questions end the page; both answers prove that everything before was executed
    CONFIRMING  a fresh status: no fault, or out of paper only now: Printed

Rules:
- from the first byte of the page on, an unproved outcome is PrintUnknown, and no further byte is sent. Printers keep
  a page while paper is out or the cover is open, and print it later: it must not be reported as failed;
- the answers set the pace: the printer never holds more than one chunk, so no handshake line is needed, and a chunk
  lost on the line, or in a printer that was off for a moment, is detected;
- two answers are required at the end, so that one stray byte on the line cannot prove a ticket;
- the status is polled during the job: a fault or a missing status ends the job at once;
- after an unknown outcome the printer may have printed the rest of that page on the paper of the next one: the next
  page begins with a reset, a feed and a cut, and waits until late answers have arrived.

Source for the in-order answer: Epson's ESC/POS reference, GS r. Knows no bits: see `drivers.printers.escpos.status`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from drivers.printers.document import Paper, Printed, PrintFailed, PrintUnknown
from drivers.printers.escpos.bytes import ASK_PAPER, CLEAN_PAPER, NO_AUTOMATIC_STATUS
from drivers.printers.escpos.status import Condition

Outcome = Printed | PrintFailed | PrintUnknown

_CHUNK_BYTES = 256  # no receive buffer is smaller
_LAST_MARKS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The waits of the driver, in seconds."""

    answer_s: float = 1.0
    proof_s: float = 3.0
    retry_s: float = 2.0
    watch_s: float = 0.3
    completion_s: float = 10.0
    confirm_s: float = 3.0
    settle_s: float = 1.0

    def times(self, factor: float) -> "Timing":
        """Returns the timing with longer waits before silence is a fault; the intervals of questions do not
        change."""
        return replace(
            self,
            answer_s=self.answer_s * factor,
            proof_s=self.proof_s * factor,
            completion_s=self.completion_s * factor,
            confirm_s=self.confirm_s * factor,
        )


def pack(pieces: Iterable[bytes]) -> tuple[bytes, ...]:
    """Joins pieces to chunks of at most 256 bytes; a longer piece is one chunk."""
    chunks: list[bytes] = []
    for piece in pieces:
        if chunks and len(chunks[-1]) + len(piece) <= _CHUNK_BYTES:
            chunks[-1] += piece
        else:
            chunks.append(piece)
    return tuple(chunks)


class Markers:
    """In-order questions without an answer, across jobs; `doubtful` after an unknown outcome."""

    def __init__(self) -> None:
        self.owed = 0
        self.doubtful = False

    def ask(self, count: int) -> bytes:
        """Returns the bytes of `count` questions, and counts them as open."""
        self.owed += count
        return ASK_PAPER * count

    def answer(self) -> None:
        """Counts one answer."""
        self.owed = max(0, self.owed - 1)

    def settle(self) -> None:
        """Closes every open question: it is answered, or its answer will not come."""
        self.owed, self.doubtful = 0, False


class _Stage(Enum):
    CHECKING = "checking"
    SYNCING = "syncing"
    SENDING = "sending"
    MARKING = "marking"
    CONFIRMING = "confirming"


class Delivery:
    """One print job; the protocol passes it statuses and answers, and sends its bytes.

    `outcome` is set once and is then final.
    """

    def __init__(self, *, job: int, chunks: tuple[bytes, ...], markers: Markers, timing: Timing, now: float) -> None:
        self.outcome: Outcome | None = None
        self.poll_at: float | None = now  # when the next status is needed
        self._job = job
        self._chunks = list(chunks)
        self._markers = markers
        self._timing = timing
        self._stage = _Stage.CHECKING
        self._fresh_from = now
        self._deadline: float | None = None
        self._quiet_at: float | None = None
        self._answers_missing = 0
        self._held = False
        self._begun = False  # a part of the page has been handed over
        self._owed = b""

    @property
    def job(self) -> int:
        """The cabinet's number of this job."""
        return self._job

    def on_status(self, condition: Condition | None, now: float, *, asked_at: float) -> None:
        """Handles the status asked for at `asked_at`; None when the printer did not answer."""
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
        else:
            self.poll_at = now + self._timing.watch_s

    def in_order_answer(self, now: float) -> None:
        """Handles an answer to an in-order question (already counted by the protocol)."""
        if self.outcome is not None:
            return
        if self._stage is _Stage.SYNCING:
            self._quiet_at, self._deadline = now + self._timing.settle_s, None
            if not self._markers.owed:
                self._begin_sending(now)
        elif self._answers_missing:
            self._answers_missing -= 1
            self._go_on(now)

    def hold(self, now: float, *, held: bool) -> None:
        """Handles a request of the printer to wait (XOFF) or to continue (XON)."""
        self._held = held
        if self.outcome is None:
            self._go_on(now)

    def line_lost(self) -> None:
        """Ends the job; the line is gone."""
        self._stop("the line to the printer was lost")

    def tick(self, now: float) -> None:
        """Handles what is due at `now`."""
        if self.outcome is not None:
            return
        if self._quiet_at is not None and now >= self._quiet_at:
            self._begin_sending(now)
        elif self._deadline is not None and now >= self._deadline:
            self._stop(_OVERDUE[self._stage])

    def due(self) -> float | None:
        """Returns when `tick` must be called next."""
        times = [time for time in (self._quiet_at, self._deadline) if time is not None]
        return min(times) if times and self.outcome is None else None

    def bytes_to_send(self) -> bytes:
        """Returns the bytes to send, each once."""
        owed, self._owed = self._owed, b""
        return owed

    def _judge_start(self, condition: Condition, now: float, *, asked_at: float) -> None:
        if asked_at < self._fresh_from:
            self.poll_at = now
        elif not condition.online:
            self._stop("the printer is offline")
        else:
            self._enter(_Stage.SYNCING, now, self._timing.completion_s)
            self._owed += CLEAN_PAPER if self._markers.doubtful else b""
            self._owed += NO_AUTOMATIC_STATUS + self._markers.ask(1)

    def _begin_sending(self, now: float) -> None:
        self._markers.settle()
        self._quiet_at = None
        self._enter(_Stage.SENDING, now, self._timing.completion_s)
        self._go_on(now)

    def _go_on(self, now: float) -> None:
        """Begins the next stage once every open question is answered."""
        if self._answers_missing:
            return
        if self._stage is _Stage.SENDING and not self._held:
            self._send_chunk(now)
        elif self._stage is _Stage.MARKING:
            self._enter(_Stage.CONFIRMING, now, self._timing.confirm_s)
            self._fresh_from = self.poll_at = now

    def _send_chunk(self, now: float) -> None:
        last = len(self._chunks) == 1
        self._answers_missing = _LAST_MARKS if last else 1
        self._owed += self._chunks.pop(0) + self._markers.ask(self._answers_missing)
        self._begun = True
        self._enter(_Stage.MARKING if last else _Stage.SENDING, now, self._timing.completion_s)

    def _judge_end(self, condition: Condition, now: float, *, asked_at: float) -> None:
        if asked_at < self._fresh_from:
            self.poll_at = now
        elif condition.cover_open or condition.jam or condition.fault:
            self._stop(f"{condition.obstacle}, just after the page")
        elif condition.online or condition.paper is Paper.OUT:
            self.outcome = Printed(job=self._job)
        else:
            self.poll_at = now + self._timing.watch_s

    def _enter(self, stage: _Stage, now: float, limit_s: float) -> None:
        self._stage = stage
        self._deadline = now + limit_s
        self.poll_at = now + self._timing.watch_s

    def _stop(self, reason: str) -> None:
        if self.outcome is not None:
            return
        self.poll_at = None
        if self._begun:
            self._markers.doubtful = True
            self.outcome = PrintUnknown(job=self._job, reason=reason)
        else:
            self.outcome = PrintFailed(job=self._job, reason=reason)


_OVERDUE = {
    _Stage.CHECKING: "the printer did not report its status",
    _Stage.SYNCING: "the printer is still busy with an earlier page",
    _Stage.SENDING: "the printer did not accept the rest of the page",
    _Stage.MARKING: "the printer did not report that the page is done",
    _Stage.CONFIRMING: "the printer stayed offline after the page",
}

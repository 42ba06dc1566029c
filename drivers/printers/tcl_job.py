"""One page on its way through a TCL printer, from the order to the one outcome.

    CHECKING   a fresh status; an obstacle: PrintFailed. A ticket in the chute or a busy printer is waited for
    CLEARING   clear error (after a doubtful page clear job too), until what it said of the page before is forgotten
    SENDING    the ticket in one command; a journal page line by line, at the pace of the paper
    PRINTING   statuses until it says that all is done: Printed

Rules:
- from the first byte of the page on, whatever is not proved ends as PrintUnknown, and no further byte is sent;
- "bar code done" proves a ticket only because it was seen cleared before: statuses come in the order of the questions,
  so that one which has it set then is about this ticket. A unit that clears it only when it begins the next ticket must
  be seen to do that;
- "power reset", "bar code incomplete", "ticket incomplete", a refusal or an obstacle before that is an outcome nobody
  knows. Only paper that ends behind a finished ticket leaves it printed;
- a ticket takes four to five seconds, in which some printers say nothing;
- a journal page proves itself by a printer that was busy and is not any more. It never is a ticket of value.

Source: open drivers of the GEN2 and GEN3 printers. Knows no bytes: see `tcl_words`.
"""

from dataclasses import dataclass
from enum import Enum

from drivers.printers.document import Printed, PrintFailed, PrintUnknown
from drivers.printers.tcl_words import CLEAR_ERROR, CLEAR_JOB, LEFTOVERS, Flag, Report

Outcome = Printed | PrintFailed | PrintUnknown

_CLEAR_ATTEMPTS = 3

CHUTE_BLOCKED = "a ticket is in the printer's mouth: take it out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long the driver waits for what; all in seconds."""

    status_s: float = 1.0  # between two questions while nothing is printed
    watch_s: float = 0.5  # and while something is
    repeat_s: float = 3.0  # a question without an answer is asked again
    silence_s: float = 10.0  # and nothing at all for so long is a lost printer
    probe_s: float = 2.0  # between questions to a printer that does not answer
    chute_s: float = 30.0  # a ticket may hang in the chute
    busy_s: float = 15.0
    clear_s: float = 5.0
    print_s: float = 25.0
    journal_line_s: float = 0.15
    journal_print_s: float = 5.0  # a journal page is not believed sooner, unless the printer was seen busy


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """What is to be sent, in order; `ticket` when it is the ticket form."""

    bytes: tuple[bytes, ...]
    ticket: bool


class _Stage(Enum):
    CHECKING = "checking"
    CLEARING = "clearing"
    SENDING = "sending"
    PRINTING = "printing"


class TclJob:
    """The life of one print job; `outcome` is set once and is then final."""

    def __init__(self, *, job: int, pieces: Pieces, doubtful: bool, timing: Timing, now: float) -> None:
        self.job = job
        self.outcome: Outcome | None = None
        self.stubborn = False  # it would not forget the page before: reset it
        self._pieces = list(pieces.bytes)
        self._ticket = pieces.ticket
        self.doubtful = doubtful  # the printer may hold an older page
        self._timing = timing
        self._stage = _Stage.CHECKING
        self._fresh_from = now
        self._deadline = now + timing.chute_s + timing.busy_s
        self._waiting_for = ""
        self._next_piece_at: float | None = None
        self._sent_at = now
        self._was_busy = False
        self._clears_left = _CLEAR_ATTEMPTS
        self._still_done = False  # "bar code done" is still about the ticket before
        self._begun = False
        self._owed = b""

    @property
    def begun(self) -> bool:
        """True once something of the page was handed over."""
        return self._begun

    @property
    def quiet(self) -> bool:
        """True while nothing may be asked: a question would be printed among the lines."""
        return self._stage is _Stage.SENDING

    def look_in_s(self, asked_at: float) -> float:
        """When to ask again, after the answer to a question of `asked_at`: at once when that was too old."""
        return 0.0 if asked_at < self._fresh_from else self._timing.watch_s

    def hear(self, report: Report, now: float, *, asked_at: float) -> None:
        """A status came in, the answer to a question of `asked_at`."""
        if self.outcome is not None or asked_at < self._fresh_from:
            return
        if self._stage is _Stage.PRINTING:
            self._judge_page(report, now)
        elif report.obstacle:
            self.stop(report.obstacle)
        elif self._stage is _Stage.CHECKING:
            self._judge_start(report, now)
        elif self._stage is _Stage.CLEARING:
            self._judge_cleared(report, now)

    def stop(self, reason: str) -> None:
        """It cannot go on: the line is lost, the printer silent, the chute blocked."""
        if self.outcome is not None:
            return
        if self._begun:
            self.doubtful = True
            self.outcome = PrintUnknown(job=self.job, reason=reason)
        else:
            self.outcome = PrintFailed(job=self.job, reason=reason)

    def tick(self, now: float, *, held: bool) -> None:
        """Time has passed; `held` when the printer asked us to wait."""
        if self.outcome is not None:
            return
        if self._next_piece_at is not None and now >= self._next_piece_at:
            self._next_piece_at = now + self._timing.journal_line_s
            if not held:
                self._send_piece(now)
        if now >= self._deadline:
            self._run_out()

    def due(self) -> float | None:
        """When `tick` is needed."""
        if self.outcome is not None:
            return None
        return self._deadline if self._next_piece_at is None else min(self._next_piece_at, self._deadline)

    def bytes_to_send(self) -> bytes:
        """Bytes owed to the printer; each is returned once."""
        owed, self._owed = self._owed, b""
        return owed

    def _judge_start(self, report: Report, now: float) -> None:
        waits = {
            Flag.TICKET_IN_CHUTE: CHUTE_BLOCKED,
            Flag.BUSY: "the printer is still busy with an earlier page",
            Flag.XOFF: "the printer has no room for the page",
        }
        self._waiting_for = next((words for flag, words in waits.items() if flag in report.flags), "")
        if not self._waiting_for:
            self._stage = _Stage.CLEARING
            self._deadline = now + self._timing.clear_s
            self._fresh_from = now
            self._owed += (CLEAR_JOB if self.doubtful else b"") + CLEAR_ERROR
            self.doubtful = False

    def _judge_cleared(self, report: Report, now: float) -> None:
        left = report.flags & (LEFTOVERS | {Flag.JOURNAL_MODE})
        self._clears_left -= 1
        self._still_done = left == {Flag.BARCODE_DONE}
        if left and not (self._still_done and self._clears_left <= 0):
            self._owed += CLEAR_ERROR
            return
        self._stage = _Stage.SENDING
        self._deadline = now + self._timing.print_s + len(self._pieces) * self._timing.journal_line_s
        self._send_piece(now)

    def _send_piece(self, now: float) -> None:
        self._owed += self._pieces.pop(0)
        self._begun = True
        self._next_piece_at = now + self._timing.journal_line_s if self._pieces else None
        if not self._pieces:
            self._stage = _Stage.PRINTING
            self._sent_at = self._fresh_from = now
            self._deadline = now + self._timing.print_s

    def _judge_page(self, report: Report, now: float) -> None:
        flags = report.flags
        self._still_done = self._still_done and Flag.BARCODE_DONE in flags
        done = self._ticket_is_done(report) if self._ticket else self._journal_is_done(report, now)
        if Flag.POWER_RESET in flags:
            self.stop("the printer was switched off while printing")
        elif flags & {Flag.BARCODE_INCOMPLETE, Flag.TICKET_INCOMPLETE}:
            self.stop(f"the ticket is not complete: {report.obstacle or 'the printer does not say why'}")
        elif report.refusal:
            self.stop(report.refusal)
        elif report.obstacle and not (done and report.obstacle == "out of tickets"):
            self.stop(report.obstacle)
        elif done and (Flag.BUSY not in flags or Flag.TICKET_IN_CHUTE in flags):
            self.outcome = Printed(job=self.job)

    def _ticket_is_done(self, report: Report) -> bool:
        return Flag.BARCODE_DONE in report.flags and not self._still_done

    def _journal_is_done(self, report: Report, now: float) -> bool:
        self._was_busy = self._was_busy or Flag.BUSY in report.flags
        long_ago = now >= self._sent_at + self._timing.journal_print_s
        return Flag.JOURNAL_MODE not in report.flags and (self._was_busy or long_ago)

    def _run_out(self) -> None:
        if self._stage is _Stage.CHECKING:
            self.stop(self._waiting_for or "the printer did not say how it is")
        elif self._stage is _Stage.CLEARING:
            self.stubborn = True
            self.stop("the printer would not forget the page before")
        elif self._stage is _Stage.SENDING:
            self.stop("the printer would not take the rest of the page")
        else:
            self.stop("the printer did not say that the page is done")

"""One page on its way through a TCL printer, from the order to the one outcome.

    CHECKING   a fresh status; an obstacle: PrintFailed. Waits for a ticket in the chute and for a busy printer
    CLEARING   clear errors, until the earlier flags are gone
    SENDING    the ticket in one command; a journal page line by line, at the pace of the paper
    PRINTING   statuses until all is reported done: Printed

Rules:
- from the first byte of the page on, an unproved outcome is PrintUnknown, and no further byte is sent;
- "validation done" proves a ticket only when it rises: a status must show it cleared after the errors were
  cleared or after the page was sent, in answer to a later question. If it stays set until printing begins, a
  status must show that;
- "power reset", a refusal or an obstacle before that is an unknown outcome. Only for the end of the paper the job
  waits: its sensor is before the head and reports it while the last, valid ticket is printed;
- a unit whose "power reset" cannot be cleared counts only while it is polled without a gap, because its flags are the
  same after a power cut as after a ticket;
- a ticket takes four to five seconds, in which some printers do not answer;
- a printer that was busy and no longer is proves a journal page, which is never a ticket of value.

Sources: see `drivers.printers.tcl.codec`. Knows no bytes.
"""

from dataclasses import dataclass, replace
from enum import Enum

from drivers.printers.document import Printed, PrintFailed, PrintUnknown
from drivers.printers.tcl.codec import AT_REST, CLEAR_ERROR, LEFTOVERS, OUT_OF_PAPER, Flag, Report

Outcome = Printed | PrintFailed | PrintUnknown

_CLEAR_ATTEMPTS = 3

CHUTE_BLOCKED = "a ticket is in the printer's mouth: take it out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The waits of the driver, in seconds."""

    status_s: float = 1.0  # between two questions without a job
    watch_s: float = 0.5  # and during a job
    repeat_s: float = 3.0  # a question without an answer is asked again
    silence_s: float = 10.0  # without any byte for this time the printer is lost
    probe_s: float = 2.0  # between questions to a printer that does not answer
    chute_s: float = 30.0  # a ticket may stay in the chute
    busy_s: float = 15.0
    clear_s: float = 5.0
    pause_s: float = (
        0.2  # between two writes: some units execute only the last of several commands that arrive together
    )
    gap_s: float = 1.0  # in this time between two statuses a printer cannot be switched off and on undetected
    print_s: float = 25.0
    journal_line_s: float = 0.15
    journal_print_s: float = 5.0  # a journal page does not count sooner, unless a status showed the printer busy

    def times(self, factor: float) -> "Timing":
        """Returns the timing with longer waits before silence is a fault; the intervals of questions do not
        change."""
        return replace(
            self,
            silence_s=self.silence_s * factor,
            busy_s=self.busy_s * factor,
            clear_s=self.clear_s * factor,
            print_s=self.print_s * factor,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """The writes of a page, in order; `ticket`: it uses the ticket form."""

    bytes: tuple[bytes, ...]
    ticket: bool


class _Stage(Enum):
    CHECKING = "checking"
    CLEARING = "clearing"
    SENDING = "sending"
    PRINTING = "printing"


class TclJob:
    """One print job; `outcome` is set once and is then final."""

    def __init__(self, *, job: int, pieces: Pieces, timing: Timing, now: float) -> None:
        self.job = job
        self.outcome: Outcome | None = None
        self.stubborn = False  # it did not clear the earlier page: reset it
        self._pieces = list(pieces.bytes)
        self._ticket = pieces.ticket
        self.doubtful = False  # the printer may still hold this page
        self._timing = timing
        self._stage = _Stage.CHECKING
        self._fresh_from = now
        self._deadline = now + timing.chute_s + timing.busy_s
        self._waiting_for = ""
        self._next_piece_at: float | None = None
        self._sent_at = now
        self._was_busy = False
        self._clears_left = _CLEAR_ATTEMPTS
        self._standing: frozenset[Flag] = frozenset()  # flags that could not be cleared and do not concern this page
        self._newest_asked_at: float | None = None  # when the newest status was requested
        self._begun = False
        self._owed = b""

    @property
    def begun(self) -> bool:
        """True if a part of the page was handed over."""
        return self._begun

    @property
    def quiet(self) -> bool:
        """True if no question may be sent now, because it would be printed among the lines."""
        return self._stage is _Stage.SENDING

    def poll_in_s(self, asked_at: float) -> float:
        """Returns the seconds until the next question, after the answer to a question of `asked_at`: 0 when that was
        too old."""
        return 0.0 if asked_at < self._fresh_from else self._timing.watch_s

    def on_report(self, report: Report, now: float, *, asked_at: float) -> None:
        """Handles a status, the answer to a question of `asked_at`."""
        if self.outcome is not None or asked_at < self._fresh_from:
            return
        if self._stage is _Stage.PRINTING:
            self._judge_page(report, now, unseen_s=asked_at - (self._newest_asked_at or self._sent_at))
            self._newest_asked_at = asked_at
        elif report.obstacle:
            self.stop(report.obstacle)
        elif self._stage is _Stage.CHECKING:
            self._judge_start(report, now)
        elif self._stage is _Stage.CLEARING:
            self._judge_cleared(report, now)

    def stop(self, reason: str) -> None:
        """Ends the job: the line is lost, the printer is silent, or the chute is blocked."""
        if self.outcome is not None:
            return
        if self._begun:
            self.doubtful = True
            self.outcome = PrintUnknown(job=self.job, reason=reason)
        else:
            self.outcome = PrintFailed(job=self.job, reason=reason)

    def tick(self, now: float, *, held: bool) -> None:
        """Handles what is due at `now`; `held`: the printer has requested a wait."""
        if self.outcome is not None:
            return
        if self._next_piece_at is not None and now >= self._next_piece_at:
            self._next_piece_at = now + self._timing.journal_line_s
            if not held:
                self._send_piece(now)
        if now >= self._deadline:
            self._run_out()

    def due(self) -> float | None:
        """Returns when `tick` must be called next."""
        if self.outcome is not None:
            return None
        return self._deadline if self._next_piece_at is None else min(self._next_piece_at, self._deadline)

    def bytes_to_send(self) -> bytes:
        """Returns the bytes to send, each once."""
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
            self._owed += CLEAR_ERROR

    def _judge_cleared(self, report: Report, now: float) -> None:
        left = report.flags & (LEFTOVERS | {Flag.JOURNAL_MODE})
        self._clears_left -= 1
        if left and (self._clears_left > 0 or left - AT_REST):
            self._owed += CLEAR_ERROR
            self._fresh_from = now
            return
        self._standing = left
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

    def _judge_page(self, report: Report, now: float, *, unseen_s: float) -> None:
        flags = report.flags
        blind = Flag.POWER_RESET in self._standing and unseen_s > self._timing.gap_s
        self._standing &= flags
        new = flags - self._standing
        done = Flag.VALIDATION_DONE in new if self._ticket else self._journal_is_done(report, now)
        out_of_paper = report.obstacle == OUT_OF_PAPER
        self._waiting_for = report.obstacle
        if Flag.POWER_RESET in new:
            self.stop("the printer was switched off while printing")
        elif blind:
            self.stop("the printer did not answer for a while, and may have been switched off")
        elif report.refusal or (report.obstacle and not out_of_paper):
            self.stop(report.refusal or report.obstacle)
        elif done and (Flag.BUSY not in flags or Flag.TICKET_IN_CHUTE in flags):
            self.outcome = Printed(job=self.job)

    def _journal_is_done(self, report: Report, now: float) -> bool:
        self._was_busy = self._was_busy or Flag.BUSY in report.flags
        long_ago = now >= self._sent_at + self._timing.journal_print_s
        return Flag.JOURNAL_MODE not in report.flags and (self._was_busy or long_ago)

    def _run_out(self) -> None:
        if self._stage is _Stage.CHECKING:
            self.stop(self._waiting_for or "the printer did not report its status")
        elif self._stage is _Stage.CLEARING:
            self.stubborn = True
            self.stop("the printer did not clear the earlier page")
        elif self._stage is _Stage.SENDING:
            self.stop("the printer did not accept the rest of the page")
        else:
            self.stop(self._waiting_for or "the printer did not report that the page is done")

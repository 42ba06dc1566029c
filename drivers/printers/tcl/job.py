"""One page on its way through a TCL printer, from the order to the one outcome.

    CHECKING   a fresh status; an obstacle: PrintFailed. A ticket in the chute or a busy printer is waited for
    CLEARING   clear errors, until the printer has forgotten what it said before
    SENDING    the ticket in one command; a journal page line by line, at the pace of the paper
    PRINTING   statuses until it says that all is done: Printed

Rules:
- from the first byte of the page on, whatever is not proved ends as PrintUnknown, and no further byte is sent;
- "validation done" proves a ticket only when it rises: it must be seen cleared after the errors were cleared or after
  the page was sent, in answers to questions that came later. Where it stands until printing begins, that must be seen;
- "power reset", a refusal or an obstacle before that is an outcome that is not known. Only the end of the
  paper is waited for: its sensor sits before the head and says so while the last ticket, as good as any, is printed;
- a unit whose "power reset" cannot be cleared is believed only while it is watched without a gap, for its flags look
  the same after a power cut as after a ticket;
- a ticket takes four to five seconds, in which some printers say nothing;
- a journal page proves itself by a printer that was busy and is not any more. It never is a ticket of value.

Sources: see `tcl_words`. Knows no bytes.
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
    """How long the driver waits for what; all in seconds."""

    status_s: float = 1.0  # between two questions while nothing is printed
    watch_s: float = 0.5  # and while something is
    repeat_s: float = 3.0  # a question without an answer is asked again
    silence_s: float = 10.0  # and nothing at all for so long is a lost printer
    probe_s: float = 2.0  # between questions to a printer that does not answer
    chute_s: float = 30.0  # a ticket may hang in the chute
    busy_s: float = 15.0
    clear_s: float = 5.0
    pause_s: float = 0.2  # between two writes: of commands that arrive together some units obey only the last
    gap_s: float = 1.0  # between two statuses a printer cannot have been switched off and on unseen
    print_s: float = 25.0
    journal_line_s: float = 0.15
    journal_print_s: float = 5.0  # a journal page is not believed sooner, unless the printer was seen busy

    def times(self, factor: float) -> "Timing":
        """The waits after which silence is a fault, so many times as long; questions come as often as before."""
        return replace(
            self,
            silence_s=self.silence_s * factor,
            busy_s=self.busy_s * factor,
            clear_s=self.clear_s * factor,
            print_s=self.print_s * factor,
        )


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

    def __init__(self, *, job: int, pieces: Pieces, timing: Timing, now: float) -> None:
        self.job = job
        self.outcome: Outcome | None = None
        self.stubborn = False  # it would not forget the page before: reset it
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
        self._standing: frozenset[Flag] = frozenset()  # what could not be cleared and is not about this page
        self._newest_asked_at: float | None = None  # when the question of the newest status was asked
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

    def poll_in_s(self, asked_at: float) -> float:
        """When to ask again, after the answer to a question of `asked_at`: at once when that was too old."""
        return 0.0 if asked_at < self._fresh_from else self._timing.watch_s

    def on_report(self, report: Report, now: float, *, asked_at: float) -> None:
        """A status came in, the answer to a question of `asked_at`."""
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
            self.stop("the printer was not heard for a while, and may have been switched off")
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
            self.stop(self._waiting_for or "the printer did not say how it is")
        elif self._stage is _Stage.CLEARING:
            self.stubborn = True
            self.stop("the printer would not forget the page before")
        elif self._stage is _Stage.SENDING:
            self.stop("the printer would not take the rest of the page")
        else:
            self.stop(self._waiting_for or "the printer did not say that the page is done")

"""TCL ticket printers (FutureLogic GEN2, GEN3 and others set to TCL): start-up, status, and tickets with
a proved outcome.

    host                                        printer
    ^Se|^                             ->
                                      <-        *S|0|firmware|f1|f2|f3|f4|f5|tt|*
    ^C|^                              ->        no answer; the next status shows the effect
    ^P|0|1|17 fields|^                ->        the same for a ticket

The host always sends first. The printer has its own ticket form; other pages are printed as plain lines in journal
mode. After power-up the printer sets a flag until it is cleared, and an unfinished page is lost or, if only paper was
missing, kept.

Rules:
- one command in a write, and a status before the next: some units execute only the last of several
  that arrive together;
- one question is open at a time and is asked again after 3 s; 10 s without any status is silence, because a printer
  may not answer in the 5 s of a ticket. Silence is a fault;
- a printer that answers with a valid status can report everything about a ticket, and is started;
- a silent one is asked every 2 s. Each fourth time the host first ends journal mode, in which questions are only
  printed; the same bytes complete a command cut by a lost line;
- one page at a time; its outcome is reported exactly once and survives a lost line (see `drivers.printers.tcl.job`);
- after an unknown outcome, and after every opening of the line, the first command to a printer that is not busy drops
  the pages in its memory: a ticket that was paid by hand must not be printed after a refill. A unit that does not know
  that command, or is still busy, is reset. After a page of ours the ticket under the head is then
  fed out, because a part of that page may be on it;
- the next page waits for a ticket in the chute; one that is not taken within 30 s is a fault, until it is gone;
- a latched fault is cleared every few seconds: a real one comes back at once.

Sources: see `drivers.printers.tcl.codec`. Knows no money and no meaning of a page.
"""

from collections.abc import Sequence

from drivers.errors import ConfigurationError
from drivers.printers.document import (
    CANNOT_REPORT,
    Print,
    PrinterEvent,
    PrinterStarted,
    PrinterStatus,
    PrintFailed,
    PrintOrder,
)
from drivers.printers.tcl.codec import (
    ASK_STATUS,
    CLEAR_ERROR,
    CLEAR_JAM,
    DROP_PAGES,
    END_JOURNAL,
    FEED_TICKET,
    RESET,
    Flag,
    Reader,
    Report,
    encode_journal,
    encode_ticket,
)
from drivers.printers.tcl.job import CHUTE_BLOCKED, Pieces, TclJob, Timing
from drivers.protocol import Confirm, LineSettings

_LEAVE_JOURNAL_EVERY = 4
_CLEAR_EVERY_S = 5.0
_NO_ANSWER = "no answer: switched off, unplugged, or set to another speed"
_NO_STATUS = f"{CANNOT_REPORT}: what it answers is none; check its speed and that it is set to TCL"


class TclProtocol:
    """The conversation with one TCL printer; a `WireProtocol[PrinterEvent, PrintOrder]`."""

    def __init__(self, *, baud: int = 9600, timing: Timing | None = None) -> None:
        self._line = LineSettings(baud=baud)
        self._timing = timing or Timing()
        self._reader = Reader()
        self._open = False
        self._linked = False
        self._ask_at = 0.0
        self._asked_at: float | None = None
        self._waiting_since: float | None = None  # the time of the first question since the last status
        self._unheard = 0  # questions since the last status
        self._job: TclJob | None = None
        self._doubtful = True  # the printer may hold a page that must not be printed
        self._spoilt = False  # a part of a page of ours may be on the ticket under the head
        self._dropped_at: float | None = None  # when it was ordered to drop the page; a later status shows the effect
        self._free_at = 0.0  # no write before this time: the last one must be sent
        self._chute_since: float | None = None
        self._clear_at = 0.0
        self._status: PrinterStatus | None = None
        self._out = b""
        self._events: list[PrinterEvent] = []

    @property
    def line(self) -> LineSettings:
        """Eight bits, no parity; the speed of the settings."""
        return self._line

    def opened(self, now: float) -> None:
        """Begins the start-up; the first question goes out with the next tick."""
        self._reader.reset()
        self._open, self._linked, self._doubtful = True, False, True
        self._ask_at = self._clear_at = self._free_at = now
        self._asked_at = self._waiting_since = self._chute_since = self._dropped_at = None
        self._unheard, self._out = 0, b""

    def closed(self, now: float) -> None:
        """Handles a closed line: a page in progress ends here."""
        self._stop_job("the line to the printer was lost", now)
        self._open = self._linked = False
        self._out = b""
        self._publish(PrinterStatus(link=False, fault="the line is gone"))

    def receive(self, data: bytes, now: float) -> None:
        """Handles received bytes, cut anywhere."""
        if self._open:
            for report in self._reader.feed(data):
                self._on_report(report, now)

    def order(self, order: PrintOrder, now: float) -> None:
        """Prints a page; its outcome is an event. A confirmation has no effect."""
        if isinstance(order, Confirm):
            return
        if self._job is not None:
            if self._job.job != order.job:
                self._refuse(order, "busy")
        elif not self._linked:
            self._refuse(order, "the printer does not answer")
        else:
            self._begin(order, now)

    def tick(self, now: float) -> None:
        """Handles what is due at `now`: deadlines and questions."""
        if not self._open:
            return
        if self._job is not None:
            self._job.tick(now, held=self._reader.held)
            self._after_job(now)
        if self._may_not_ask():
            self._ask_at, self._waiting_since = now, None  # no answer can be missing
            return
        silent_at = self._silent_at()
        if silent_at is not None and now >= silent_at:
            self._fall_silent(now)
        if now >= self._may_ask_at():
            self._ask(now)

    def due(self) -> float | None:
        """Returns the nearest deadline."""
        if not self._open:
            return None
        asking = () if self._may_not_ask() else (self._may_ask_at(), self._silent_at())
        times = (*asking, self._job.due() if self._job is not None else None)
        return min((time for time in times if time is not None), default=None)

    def bytes_to_send(self) -> bytes:
        """Returns the bytes of questions and pages to send, each once."""
        owed, self._out = self._out, b""
        return owed

    def events(self) -> Sequence[PrinterEvent]:
        """Returns the events since the last call, each once."""
        happened, self._events = tuple(self._events), []
        return happened

    # Questions and statuses

    def _may_not_ask(self) -> bool:
        return self._job is not None and self._job.quiet

    def _may_ask_at(self) -> float:
        return max(self._ask_at, self._free_at)

    def _write(self, command: bytes, now: float) -> None:
        self._out += command
        self._free_at = now + self._timing.pause_s

    def _silent_at(self) -> float | None:
        return None if self._waiting_since is None else self._waiting_since + self._timing.silence_s

    def _ask(self, now: float) -> None:
        self._unheard += 1
        self._waiting_since = now if self._waiting_since is None else self._waiting_since
        if not self._linked and self._unheard % _LEAVE_JOURNAL_EVERY == 0:
            self._write(END_JOURNAL, now)
            return
        self._write(ASK_STATUS, now)
        self._asked_at = now
        self._ask_at = now + (self._timing.repeat_s if self._linked else self._timing.probe_s)

    def _on_report(self, report: Report, now: float) -> None:
        asked_at = self._asked_at
        if asked_at is None:
            return
        self._waiting_since, self._unheard = None, 0
        if not self._linked:
            self._linked = True
            self._events.append(PrinterStarted(model=f"TCL {report.firmware}".strip()))
        self._watch_chute(report, now)
        to_tidy = self._doubtful or Flag.JOURNAL_MODE in report.flags or (self._spoilt and not report.obstacle)
        if self._job is not None and (self._job.begun or not to_tidy):
            self._job.on_report(report, now, asked_at=asked_at)
            self._after_job(now)
        else:
            self._tidy(report, now, asked_at=asked_at)
        self._publish(report.status(self._blocked(now)))
        self._ask_at = now + self._next_poll_s(asked_at)

    def _next_poll_s(self, asked_at: float) -> float:
        if self._dropped_at is not None:
            return 0.0
        return self._timing.status_s if self._job is None else self._job.poll_in_s(asked_at)

    def _fall_silent(self, now: float) -> None:
        self._stop_job("the printer stopped answering", now)
        puzzled = self._reader.puzzled
        self._reader.reset()
        self._waiting_since = None
        self._linked = False
        if puzzled:
            self._publish(PrinterStatus(link=True, fault=_NO_STATUS, reports=False))
        else:
            self._publish(PrinterStatus(link=False, fault=_NO_ANSWER))

    def _publish(self, status: PrinterStatus) -> None:
        if status != self._status:
            self._status = status
            self._events.append(status)

    # Between pages

    def _watch_chute(self, report: Report, now: float) -> None:
        if Flag.TICKET_IN_CHUTE not in report.flags:
            self._chute_since = None
        elif self._chute_since is None:
            self._chute_since = now
        if self._job is not None and not self._job.begun and (blocked := self._blocked(now)):
            self._job.stop(blocked)

    def _blocked(self, now: float) -> str:
        since = self._chute_since
        return CHUTE_BLOCKED if since is not None and now >= since + self._timing.chute_s else ""

    def _tidy(self, report: Report, now: float, *, asked_at: float) -> None:
        """Drops an unwanted page, ends journal mode, feeds out a spoilt ticket, clears latched flags; one command for
        each status."""
        if Flag.JOURNAL_MODE in report.flags:
            self._write(END_JOURNAL, now)
        elif self._dropped_at is not None:
            self._see_dropped(report, now, reported_after_s=asked_at - self._dropped_at)
        elif Flag.BUSY in report.flags and not report.obstacle:
            return
        elif self._doubtful:
            self._write(DROP_PAGES, now)
            self._dropped_at = now
        elif self._spoilt and not report.obstacle:
            self._write(FEED_TICKET, now)
            self._spoilt = False
        elif (report.fault or report.jammed or report.refusal) and now >= self._clear_at:
            self._write(CLEAR_JAM if report.jammed else CLEAR_ERROR, now)
            self._clear_at = now + _CLEAR_EVERY_S

    def _see_dropped(self, report: Report, now: float, *, reported_after_s: float) -> None:
        if reported_after_s < 0:
            return
        self._doubtful, self._dropped_at = False, None
        if report.flags & {Flag.COMMAND_ERROR, Flag.BUSY}:
            self._write(RESET, now)

    # Pages

    def _begin(self, order: Print, now: float) -> None:
        document = order.document
        try:
            if document.voucher is not None:
                pieces = Pieces(bytes=(encode_ticket(document.voucher),), ticket=True)
            else:
                pieces = Pieces(bytes=encode_journal(document), ticket=False)
        except ConfigurationError as fault:
            self._refuse(order, str(fault))
            return
        self._job = TclJob(job=order.job, pieces=pieces, timing=self._timing, now=now)
        if not self._unheard:
            self._ask_at = now

    def _refuse(self, order: Print, reason: str) -> None:
        self._events.append(PrintFailed(job=order.job, reason=reason))

    def _stop_job(self, reason: str, now: float) -> None:
        if self._job is not None:
            self._job.stop(reason)
            self._after_job(now)

    def _after_job(self, now: float) -> None:
        job = self._job
        if job is None:
            return
        if owed := job.bytes_to_send():
            self._write(owed, now)
        if job.outcome is not None:
            self._events.append(job.outcome)
            self._doubtful = self._doubtful or job.doubtful
            self._spoilt = self._spoilt or job.doubtful
            self._job = None
            if job.stubborn:
                self._write(RESET, now)
            self._ask_at = now + self._timing.status_s

"""Timeouts of open intents: a note, a ticket in the acceptor or a ticket in print whose outcome no device reports.

Rules: every driver reports the outcome of each order; this is for a driver that fails to. The time of an intent counts
from its first sight in this run, so that a restart gives the devices time to report. A jam shows the place of a note
and calls the attendant: the time of the note restarts when the jam ends. A timeout is a fact for the machine. The
module knows no devices, and not the effect of a fact.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from cabinet.engine.inputs import Fact, Fault, PaperOverdue, PrintUnknown
from cabinet.engine.state import Machine, NoteIntent, PrintIntent, TicketIntent


@dataclass(slots=True, kw_only=True)
class _Since:
    """The open intent and its first sight; an intent is the same object while it is open."""

    intent: NoteIntent | TicketIntent | PrintIntent | None = None
    since_s: float = 0.0

    def open_s(self, intent: NoteIntent | TicketIntent | PrintIntent | None, now: float, *, held_up: bool) -> float:
        """Returns how long this intent has been open, in seconds."""
        if intent is not self.intent or held_up:
            self.intent, self.since_s = intent, now
        return now - self.since_s


@dataclass(slots=True, kw_only=True)
class IntentWatch:
    """The timeouts of one machine."""

    paper_s: float
    """How long an acceptor may take to report a note or ticket that it was ordered to stack."""
    print_s: float
    """How long a printer may take to report a ticket."""
    _paper: _Since = field(default_factory=_Since)
    _print: _Since = field(default_factory=_Since)

    def facts(self, machine: Machine, now: float) -> Iterator[Fact]:
        """Yields the timeouts now."""
        document, printing = machine.acceptor.in_path, machine.printer.printing
        paper_s = self._paper.open_s(document, now, held_up=Fault.BILL_JAM in machine.faults)
        print_s = self._print.open_s(printing, now, held_up=False)
        if document is not None and paper_s >= self.paper_s:
            yield PaperOverdue(after_s=round(paper_s))
        if printing is not None and print_s >= self.print_s:
            reason = f"the printer has said nothing of it for {print_s:.0f} s"
            yield PrintUnknown(sequence=printing.sequence, reason=reason)

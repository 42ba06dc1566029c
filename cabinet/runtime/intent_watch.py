"""Intents that stay open: a note, a ticket put in or a ticket to be printed, whose end no device reports.

Rules that hold: every driver ends what it was ordered to do; this is for one that does not. The time of an intent
counts from when this program first saw it, so that a restart gives the devices time to report. A jam shows where a note
is and calls the attendant: the time of the note begins anew with its end. What is found is a fact for the machine. Does
not know devices, or what a fact does.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from cabinet.engine.inputs import Fact, Fault, PaperOverdue, PrintUnknown
from cabinet.engine.state import Machine, NoteIntent, PrintIntent, TicketIntent


@dataclass(slots=True, kw_only=True)
class _Since:
    """Which intent is open, and since when; the same intent is the same object for as long as it is open."""

    intent: NoteIntent | TicketIntent | PrintIntent | None = None
    since_s: float = 0.0

    def open_s(self, intent: NoteIntent | TicketIntent | PrintIntent | None, now: float, *, held_up: bool) -> float:
        """How long this intent is open now."""
        if intent is not self.intent or held_up:
            self.intent, self.since_s = intent, now
        return now - self.since_s


@dataclass(slots=True, kw_only=True)
class IntentWatch:
    """Times the intents of one machine."""

    paper_s: float
    """How long an acceptor may not report a note or ticket that it was ordered to take."""
    print_s: float
    """How long a printer may not report a ticket."""
    _paper: _Since = field(default_factory=_Since)
    _print: _Since = field(default_factory=_Since)

    def facts(self, machine: Machine, now: float) -> Iterator[Fact]:
        """What the machine has to know of its open intents now."""
        paper, printing = machine.note or machine.ticket, machine.printing
        paper_s = self._paper.open_s(paper, now, held_up=Fault.BILL_JAM in machine.faults)
        print_s = self._print.open_s(printing, now, held_up=False)
        if paper is not None and paper_s >= self.paper_s:
            yield PaperOverdue(after_s=round(paper_s))
        if printing is not None and print_s >= self.print_s:
            reason = f"the printer has said nothing of it for {print_s:.0f} s"
            yield PrintUnknown(sequence=printing.sequence, reason=reason)

"""What the acceptor reports without a name: a document is stacked or returned, one is rejected, the acceptor starts.

Rules that hold: a document stacked is the one in the path, then the one booked last, then the one in doubt; a document
returned is the one in the path, then a refused one on its way out, then the one in doubt; an acceptor that has started
has reported everything that it kept, so a document still open is in doubt, unless the acceptor's own count decides.
Does not know acceptors or their lines.
Source: requirements BA-01 to BA-09, TP-12; the restart table of the device facts.
"""

from cabinet.engine import bills_in, documents, locks, tickets_in
from cabinet.engine.inputs import AcceptorStarted, BillRejected, BillReturned, BillStacked
from cabinet.engine.log import LogKind
from cabinet.engine.state import (
    BookedTicket,
    LockKind,
    Machine,
    NoteIntent,
    RefusedDocument,
    RefusedTicket,
    TicketIntent,
)
from cabinet.engine.step import StepBuilder
from cabinet.engine.ticket_facts import TicketStacked


def stacked(step: StepBuilder, fact: BillStacked) -> None:
    """Books a stacked note, or a document that the acceptor cannot name: then the open document decides."""
    if fact.cents is None and _is_ticket(step.machine, fact):
        tickets_in.stacked(step, TicketStacked(recovered=fact.recovered))
    else:
        bills_in.stacked(step, fact)


def _is_ticket(machine: Machine, fact: BillStacked) -> bool:
    """Returns True if a report without a name is about a ticket."""
    known = machine.acceptor.in_path or documents.repeatable(machine, recovered=fact.recovered)
    lock = documents.doubted(machine) if known is None else None
    return isinstance(known, TicketIntent | BookedTicket) or (
        lock is not None and lock.kind is LockKind.TICKET_IN_DOUBT
    )


def returned(step: StepBuilder, fact: BillReturned) -> None:
    """Handles a document that went back: nothing is owed for it.

    It ends a doubt when no refused document can be meant.
    """
    after = "after power-up" if fact.recovered else ""
    acceptor = step.machine.acceptor
    if acceptor.in_path is None and acceptor.refused is not None:
        _refused_one_is_out(step, acceptor.refused, after)
        return
    lock = documents.doubted(step.machine) if acceptor.in_path is None else None
    if lock is not None:
        locks.clear_lock(step, lock)
    _came_out_of_jam(step)
    if acceptor.in_path is not None:
        step.update_acceptor(document=None)
    document = documents.intent_of(lock) if lock is not None else acceptor.in_path
    cents = document.cents if document is not None else None
    if isinstance(document, TicketIntent):
        words = ", ".join(filter(None, (tickets_in.named(document.sequence), after)))
        step.log(LogKind.TICKET_RETURNED, words, cents)
    else:
        if document is not None:
            step.count(bills_returned=1)
        step.log(LogKind.NOTE_RETURNED, after, cents)


def _refused_one_is_out(step: StepBuilder, refused: RefusedDocument, after: str) -> None:
    """The refused document is the player's again; one in doubt stays in doubt."""
    step.update_acceptor(refused=None)
    if isinstance(refused, RefusedTicket):
        step.log(LogKind.TICKET_RETURNED, ", ".join(filter(None, (tickets_in.named(refused.sequence), after))))
    else:
        step.log(LogKind.NOTE_RETURNED, after)


def _came_out_of_jam(step: StepBuilder) -> None:
    """Adds to the detail of the jam whose the document is that was freed from it."""
    document, jam = step.machine.acceptor.in_path, locks.find(step.machine, LockKind.BILL_JAM)
    if document is not None and jam is not None:
        name = "note" if isinstance(document, NoteIntent) else "ticket"
        not_kept = f"the {name} in it was not kept and is the player's"
        locks.reword(step, LockKind.BILL_JAM, "; ".join(filter(None, (jam.detail, not_kept))))


REASONS = 40
"""Different reasons of an acceptor that have a meter; further ones are counted together."""
_REJECTED = "bills_rejected:"


def _rejected_for(step: StepBuilder, reason: str) -> str:
    """Returns the meter of the notes that the acceptor rejected for a reason, so that their number stays small."""
    known = [name for name in step.machine.books.meters if name.startswith(_REJECTED)]
    name = f"{_REJECTED}{reason or 'no reason'}"
    return name if name in known or len(known) < REASONS else f"{_REJECTED}other"


def rejected(step: StepBuilder, fact: BillRejected) -> None:
    """Counts a refused note; too many in a row stop the acceptor."""
    row = step.machine.acceptor.rejects_in_a_row + 1
    step.count_named({"bills_rejected": 1, _rejected_for(step, fact.reason): 1})
    step.update_acceptor(rejects_in_a_row=row)
    step.log(LogKind.NOTE_REJECTED, fact.reason)
    if row >= step.settings.rejects_max and locks.find(step.machine, LockKind.EXCESSIVE_REJECTS) is None:
        locks.add_lock(step, LockKind.EXCESSIVE_REJECTS, f"{row} in a row")


def started(step: StepBuilder, fact: AcceptorStarted) -> None:
    """The acceptor is up and has reported everything that it kept: a document still open now is in doubt."""
    step.update_acceptor(ready=True, document=step.machine.acceptor.in_path, refused=None)
    step.log(LogKind.ACCEPTOR_STARTED, f"{fact.model} {fact.firmware} {fact.serial}")
    if not _decided_by_count(step, fact):
        documents.doubt(step)
    step.update_acceptor(serial=fact.serial)


def _decided_by_count(step: StepBuilder, fact: AcceptorStarted) -> bool:
    """Closes the intent of the open note by the acceptor's count of kept notes, which is one more than before it or the
    same. Returns whether it did: the count of another unit, or of one without a serial number, decides nothing."""
    note = step.machine.acceptor.in_path
    if not isinstance(note, NoteIntent) or not note.serial or note.serial != fact.serial:
        return False
    if note.counter is None or fact.counter not in {note.counter, note.counter + 1}:
        return False
    if fact.counter == note.counter:
        returned(step, BillReturned(recovered=True))
    else:
        bills_in.stacked(step, BillStacked(cents=note.cents, recovered=True))
        step.update_acceptor(document=None)
    return True

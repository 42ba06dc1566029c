"""A document, note or ticket: why it goes back, the intent to stack it, and the doubt about one without a report.

Rules that hold: one document is in the path at most, with its intent on record; an offer while an older one is open
means that no report of the older one will come; an open document of which no report will come, or has come for too
long, is in doubt, which is a lock with its amount. Does not know what a note or a ticket becomes.
Source: requirements BA-01 to BA-09; the restart table of the device facts.
"""

from cabinet.engine import locks
from cabinet.engine.effects import Reason, StackBill
from cabinet.engine.inputs import PaperOverdue
from cabinet.engine.state import (
    BookedDocument,
    DocumentIntent,
    Lock,
    LockKind,
    Machine,
    NoteIntent,
    Phase,
    Settings,
    TicketIntent,
)
from cabinet.engine.step import StepBuilder

DOUBTS = (LockKind.NOTE_IN_DOUBT, LockKind.TICKET_IN_DOUBT)
"""The locks of a document in doubt."""


def why_not_taken(settings: Settings, machine: Machine, cents: int, *, allowed: bool) -> Reason | None:
    """Why a document of this value goes back; None when it is taken. Decided with the credit it would lead to."""
    reason = why_none_taken(machine)
    if reason is not None:
        return reason
    if not allowed:
        return Reason.NOT_ALLOWED
    return None if fits(settings, machine, cents) else Reason.OVER_LIMIT


def why_none_taken(machine: Machine) -> Reason | None:
    """Returns why every document goes back now; None when it depends on the document."""
    if machine.acceptor.in_path is not None or machine.phase is Phase.CASHING_OUT:
        return Reason.NOT_NOW
    if machine.access.audit_key:
        return Reason.AUDIT
    return Reason.LOCKED if locks.notes_stopped(machine) else None


def fits(settings: Settings, machine: Machine, cents: int) -> bool:
    """Returns True if the credit stays within its limit with this amount more."""
    return machine.books.credit_cents + cents <= settings.credit_limit_cents


def close_older(step: StepBuilder) -> None:
    """Forgets the open, booked and refused documents before this one: the acceptor reports none of them any more."""
    doubt(step)
    step.update_acceptor(document=None, refused=None)


def stack(step: StepBuilder, document: DocumentIntent) -> None:
    """Accepts the document in escrow, with the intent recorded."""
    step.update(attract=False)
    step.update_acceptor(document=document)
    step.request(StackBill())


def keep(step: StepBuilder, document: BookedDocument, lock: Lock | None) -> None:
    """Closes the intent of a document in the box, or clears the lock of its doubt."""
    if lock is not None:
        locks.clear_lock(step, lock)
    step.update_acceptor(document=document, rejects_in_a_row=0)


def repeatable(machine: Machine, *, recovered: bool) -> BookedDocument | None:
    """Returns the booked document that a report may be about: reported again after a restart, or after the attendant
    has settled it."""
    booked = machine.acceptor.booked
    return booked if booked is not None and (recovered or booked.by_hand) else None


def intent_of(lock: Lock) -> DocumentIntent:
    """Returns the intent of a document in doubt."""
    return ticket_of(lock) if lock.kind is LockKind.TICKET_IN_DOUBT else NoteIntent(cents=lock.cents)


def ticket_of(lock: Lock) -> TicketIntent:
    """Returns the intent of a ticket in doubt."""
    return TicketIntent(sequence=locks.ticket_number(lock), cents=lock.cents)


def doubted(machine: Machine) -> Lock | None:
    """Returns the lock of the document in doubt. There is one at most: with it no other document is taken."""
    return next((lock for lock in machine.locks if lock.kind in DOUBTS), None)


# --- doubt ------------------------------------------------------------------------------------------------------


def overdue(step: StepBuilder, fact: PaperOverdue) -> None:
    """Puts an open document in doubt that the acceptor does not report: no intent stays open for ever."""
    doubt(step, f"the acceptor has said nothing of it for {fact.after_s} s")


def doubtful(machine: Machine, why: str = "") -> Lock | None:
    """Returns the lock that asks an attendant for the outcome of the open document; None when none is open."""
    match machine.acceptor.in_path:
        case NoteIntent(cents=cents):
            return Lock(kind=LockKind.NOTE_IN_DOUBT, detail=why, cents=cents)
        case TicketIntent(sequence=sequence, cents=cents):
            detail = ": ".join(filter(None, (f"ticket {sequence}", why)))
            return Lock(kind=LockKind.TICKET_IN_DOUBT, detail=detail, cents=cents, sequence=sequence)
        case None:
            return None


def doubt(step: StepBuilder, why: str = "", *, named: bool = False) -> None:
    """Adds the lock that asks an attendant for the outcome of the open document. `named` as in `locks.add_lock`."""
    lock = doubtful(step.machine, why)
    if lock is not None:
        step.update_acceptor(document=None)
        locks.add_separate_lock(step, lock, named=named)

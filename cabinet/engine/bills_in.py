"""Notes: whether one is taken, and what it becomes.

Rules that hold: a note is credit exactly once, and only against an open intent; what the acceptor reports a second
time, or after the attendant has settled it, is in the books already; an open note of which no report will come, or has
come for too long, is in doubt; a note that was not asked for waits in suspense. Does not know acceptors, their lines,
or what is shown.
Source: requirements BA-01 to BA-09; the credit rule of the device facts: no intent, no credit.
"""

from cabinet.engine import locks
from cabinet.engine.effects import Credited, NoteGoesBack, Reason, ReturnBill, StackBill
from cabinet.engine.inputs import (
    AcceptorStarted,
    BillOffered,
    BillRejected,
    BillReturned,
    BillStacked,
    BillUnasked,
    PaperOverdue,
)
from cabinet.engine.ledger import Route
from cabinet.engine.log import LogKind
from cabinet.engine.state import Lock, LockKind, Machine, NoteIntent, Phase, Settings
from cabinet.engine.step import StepBuilder

UNKNOWN = "value unknown"
"""How the detail of a lock begins when the value of the note is not known."""


def taking(settings: Settings, machine: Machine) -> bool:
    """Whether the acceptor should take notes at all."""
    busy = machine.phase is Phase.CASHING_OUT or machine.access.audit_key or machine.document_in_path
    room = machine.books.credit_cents + min(settings.notes_cents, default=0) <= settings.credit_limit_cents
    return bool(settings.notes_cents) and room and not busy and not locks.notes_stopped(machine)


def why_not_note(settings: Settings, machine: Machine, cents: int) -> Reason | None:
    """Why this note goes back; None when it is taken. Decided with the credit it would lead to."""
    if machine.document_in_path or machine.phase is Phase.CASHING_OUT:
        return Reason.NOT_NOW
    if machine.access.audit_key:
        return Reason.AUDIT
    if locks.notes_stopped(machine):
        return Reason.LOCKED
    if cents not in settings.notes_cents:
        return Reason.NOT_ALLOWED
    if machine.books.credit_cents + cents > settings.credit_limit_cents:
        return Reason.OVER_LIMIT
    return None


def offered(step: StepBuilder, fact: BillOffered) -> None:
    """Take the note in escrow, with the intent on record, or give it back.

    An offer while an older note is open means that no report of the older one will come: it is in doubt.
    """
    reason = why_not_note(step.settings, step.machine, fact.cents)
    doubt(step)
    step.update(unconfirmed=None, unconfirmed_ticket=None, refused_ticket="")
    if reason is None:
        serial = step.machine.acceptor_serial if fact.counter is not None else ""
        step.update(note=NoteIntent(cents=fact.cents, counter=fact.counter, serial=serial), attract=False)
        step.request(StackBill())
    else:
        step.request(ReturnBill())
        step.emit(NoteGoesBack(cents=fact.cents, reason=reason))
        step.log(LogKind.NOTE_REFUSED, reason.value, fact.cents)


def stacked(step: StepBuilder, fact: BillStacked) -> None:
    """The note is the machine's: credit it against its intent, or keep it in suspense.

    A note of another value than the one expected leaves the expected one in doubt: one report, perhaps two notes.
    """
    if _is_repeat(step.machine, fact):
        step.log(LogKind.NOTE_RECOVERED, "already in the books", fact.cents)
        step.update(unconfirmed=None)
        return
    intent = step.machine.note
    doubt_lock = locks.find(step.machine, LockKind.NOTE_IN_DOUBT)
    expected = intent.cents if intent else doubt_lock.cents if doubt_lock else None
    if expected is None or fact.cents not in {None, expected}:
        doubt(step)
        _suspend(step, fact)
        return
    if intent is None and doubt_lock is not None:
        locks.clear_lock(step, doubt_lock)
    step.update(note=None, rejects_in_a_row=0, unconfirmed=NoteIntent(cents=expected), unconfirmed_ticket=None)
    credit_note(step, expected, Route.BILL_IN)
    step.log(LogKind.NOTE_RECOVERED if fact.recovered else LogKind.NOTE_ACCEPTED, cents=expected)


def _is_repeat(machine: Machine, fact: BillStacked) -> bool:
    """Whether the report repeats a note that is booked: after a restart, or after the attendant has settled it."""
    booked = machine.unconfirmed
    if booked is None or machine.document_in_path or not (fact.recovered or booked.by_hand):
        return False
    return fact.cents in {None, booked.cents}


def credit_note(step: StepBuilder, cents: int, route: Route) -> None:
    """A note becomes credit along a route."""
    step.post(route, cents)
    if route is Route.BILL_IN:
        _count_note(step, cents)
    step.emit(Credited(cents=cents))
    step.update(attract=False)


def _count_note(step: StepBuilder, cents: int) -> None:
    """A note is in the books: counts it, and locks when one play has brought in more than the settings allow."""
    step.count_named({f"bills:{cents}": 1})
    machine = step.machine
    brought = machine.books.meter("bills_in") - machine.marks.get(locks.NOTES_MARK, 0)
    if brought >= step.settings.increment_max_cents and not locks.find(machine, LockKind.EXCESSIVE_INCREMENT):
        locks.add_lock(step, LockKind.EXCESSIVE_INCREMENT, cents=brought)


def suspend_note(step: StepBuilder, cents: int) -> None:
    """A note is in the box, but whose money it is has not been decided."""
    step.post(Route.SUSPENDED, cents)
    _count_note(step, cents)


def _suspend(step: StepBuilder, fact: BillStacked) -> None:
    """Keeps a note without an intent. A report of an unknown value after a restart is a repeat if such a note already
    waits for the attendant."""
    step.update(unconfirmed=NoteIntent(cents=fact.cents or 0), unconfirmed_ticket=None)
    if fact.recovered and fact.cents is None and any(value_unknown(lock) for lock in step.machine.locks):
        step.log(LogKind.NOTE_RECOVERED, "of unknown value; one already waits for the attendant")
        return
    if fact.cents:
        suspend_note(step, fact.cents)
    words = "" if fact.cents else UNKNOWN
    step.log(LogKind.NOTE_UNEXPECTED, words, fact.cents)
    locks.add_separate_lock(step, Lock(kind=LockKind.UNEXPECTED_NOTE, detail=words, cents=fact.cents or 0))


def unsolicited(step: StepBuilder, fact: BillUnasked) -> None:
    """Something that was never offered is in the box: what is open stays open, and the attendant must check."""
    words = f"{UNKNOWN}: {fact.detail}"
    step.log(LogKind.NOTE_UNEXPECTED, "; ".join(filter(None, (words, fact.evidence))))
    lock = Lock(kind=LockKind.UNEXPECTED_NOTE, detail=words, told_cents=fact.told_cents or 0)
    locks.add_separate_lock(step, lock)


def values_of(settings: Settings, lock: Lock) -> tuple[int, ...]:
    """What a note of unknown value may be worth: any note that is taken, or the value that the acceptor reported."""
    reported = (lock.told_cents,) if lock.told_cents and lock.told_cents not in settings.notes_cents else ()
    return (*settings.notes_cents, *reported)


def value_unknown(lock: Lock) -> bool:
    """Whether the lock is about a note whose value the acceptor could not report."""
    return lock.kind is LockKind.UNEXPECTED_NOTE and not lock.cents


def returned(step: StepBuilder, fact: BillReturned) -> None:
    """The note went back: nothing is owed for it."""
    lock = locks.find(step.machine, LockKind.NOTE_IN_DOUBT)
    if step.machine.note is None and fact.recovered and lock is not None:
        locks.clear_lock(step, lock)
    cents = step.machine.note.cents if step.machine.note else None
    if step.machine.note is not None:
        came_out_of_jam(step, "note")
    step.update(note=None)
    step.log(LogKind.NOTE_RETURNED, "after power-up" if fact.recovered else "", cents)


def came_out_of_jam(step: StepBuilder, paper: str) -> None:
    """Adds to the detail of the jam whose the document is that was freed from it."""
    jam = locks.find(step.machine, LockKind.BILL_JAM)
    if jam is not None:
        not_kept = f"the {paper} in it was not kept and is the player's"
        locks.reword(step, LockKind.BILL_JAM, "; ".join(filter(None, (jam.detail, not_kept))))


def rejected(step: StepBuilder, fact: BillRejected) -> None:
    """The acceptor refused a note; too many in a row stop it."""
    row = step.machine.rejects_in_a_row + 1
    step.count(bills_rejected=1)
    step.update(rejects_in_a_row=row)
    step.log(LogKind.NOTE_REJECTED, fact.reason)
    if row == step.settings.rejects_max:
        locks.add_lock(step, LockKind.EXCESSIVE_REJECTS, f"{row} in a row")


def acceptor_started(step: StepBuilder, fact: AcceptorStarted) -> None:
    """The acceptor is up and has reported everything that it kept: a note still open now is in doubt."""
    step.update(acceptor_ready=True, unconfirmed=None, unconfirmed_ticket=None, refused_ticket="")
    step.log(LogKind.ACCEPTOR_STARTED, f"{fact.model} {fact.firmware} {fact.serial}")
    if step.machine.note is None or not _settle_by_count(step, step.machine.note, fact):
        doubt(step)
    step.update(acceptor_serial=fact.serial)


def _settle_by_count(step: StepBuilder, note: NoteIntent, fact: AcceptorStarted) -> bool:
    """Settles the open note by the acceptor's count of kept notes: one more than before it, or none; returns whether it
    did. The count of another unit, or of one without a serial number, decides nothing."""
    same = bool(note.serial) and note.serial == fact.serial
    if not same or note.counter is None or fact.counter not in {note.counter, note.counter + 1}:
        return False
    if fact.counter == note.counter:
        returned(step, BillReturned(recovered=True))
    else:
        stacked(step, BillStacked(cents=note.cents, recovered=True))
        step.update(unconfirmed=None)
    return True


def overdue(step: StepBuilder, fact: PaperOverdue) -> None:
    """An open note or ticket that the acceptor does not report is in doubt: no intent stays open for ever."""
    doubt(step, f"the acceptor has said nothing of it for {fact.after_s} s")


def doubtful(machine: Machine, why: str = "") -> Lock | None:
    """The lock that asks an attendant what became of the open note or ticket; None when none is open."""
    note, ticket = machine.note, machine.ticket
    if note is not None:
        return Lock(kind=LockKind.NOTE_IN_DOUBT, detail=why, cents=note.cents)
    if ticket is None:
        return None
    detail = ": ".join(filter(None, (f"ticket {ticket.sequence}", why)))
    return Lock(kind=LockKind.TICKET_IN_DOUBT, detail=detail, cents=ticket.cents, sequence=ticket.sequence)


def doubt(step: StepBuilder, why: str = "") -> None:
    """An attendant must say what became of the open note or ticket."""
    lock = doubtful(step.machine, why)
    if lock is not None:
        step.update(note=None, ticket=None)
        locks.add_separate_lock(step, lock)

"""Notes: whether one is taken, and what it becomes.

Rules that hold: a note is credit exactly once, and only against an open intent; what the acceptor reports a second
time, or after the attendant has settled it, is in the books already; a note that was not asked for waits in suspense.
Does not know acceptors, their lines, or what is shown.
Source: requirements BA-01 to BA-09; the credit rule of the device facts: no intent, no credit.
"""

from cabinet.engine import documents, locks
from cabinet.engine.effects import Credited, NoteGoesBack, Reason, ReturnBill
from cabinet.engine.inputs import BillOffered, BillStacked, BillUnasked
from cabinet.engine.ledger import Route
from cabinet.engine.log import LogKind
from cabinet.engine.state import BookedNote, Lock, LockKind, Machine, NoteIntent, RefusedNote, Settings
from cabinet.engine.step import StepBuilder

UNKNOWN = "value unknown"
"""How the detail of a lock begins when the value of the note is not known."""


def taking(settings: Settings, machine: Machine) -> bool:
    """Returns True if the acceptor should accept notes: the smallest one at least would be taken."""
    smallest = min(settings.notes_cents, default=None)
    return smallest is not None and why_not_note(settings, machine, smallest) is None


def why_not_note(settings: Settings, machine: Machine, cents: int) -> Reason | None:
    """Returns why this note goes back; None when it is accepted."""
    return documents.why_not_taken(settings, machine, cents, allowed=cents in settings.notes_cents)


def offered(step: StepBuilder, fact: BillOffered) -> None:
    """Accepts the note in escrow, with the intent recorded, or returns it."""
    reason = why_not_note(step.settings, step.machine, fact.cents)
    documents.close_older(step)
    if reason is None:
        serial = step.machine.acceptor.serial if fact.counter is not None else ""
        documents.stack(step, NoteIntent(cents=fact.cents, counter=fact.counter, serial=serial))
    else:
        step.update_acceptor(refused=RefusedNote() if documents.doubted(step.machine) is not None else None)
        step.request(ReturnBill())
        step.emit(NoteGoesBack(cents=fact.cents, reason=reason))
        if reason is not Reason.AUDIT:
            step.count_named({"bills_refused": 1, f"bills_refused:{reason.value}": 1})
        step.log(LogKind.NOTE_REFUSED, reason.value, fact.cents)


def stacked(step: StepBuilder, fact: BillStacked) -> None:
    """The note is the machine's: credit it against its intent, or keep it in suspense.

    A note of another value than the one expected leaves the expected one in doubt: one report, perhaps two notes.
    """
    machine = step.machine
    if _is_repeat(machine, fact):
        step.log(LogKind.NOTE_RECOVERED, "already in the books", fact.cents)
        step.update_acceptor(document=None)
        return
    in_path = machine.acceptor.in_path
    lock = documents.doubted(machine) if in_path is None else None
    note = documents.intent_of(lock) if lock is not None else in_path
    if not isinstance(note, NoteIntent) or fact.cents not in {None, note.cents}:
        documents.doubt(step)
        _suspend(step, fact)
        return
    documents.keep(step, BookedNote(cents=note.cents), lock)
    credit_note(step, note.cents, Route.BILL_IN)
    step.log(LogKind.NOTE_RECOVERED if fact.recovered else LogKind.NOTE_ACCEPTED, cents=note.cents)


def _is_repeat(machine: Machine, fact: BillStacked) -> bool:
    """Returns True if the report repeats a note that is booked."""
    booked = documents.repeatable(machine, recovered=fact.recovered)
    return isinstance(booked, BookedNote) and fact.cents in {None, booked.cents}


def credit_note(step: StepBuilder, cents: int, route: Route) -> None:
    """Credits a note by a route."""
    step.post(route, cents)
    if route is Route.BILL_IN:
        _count_note(step, cents)
    step.emit(Credited(cents=cents))
    step.update(attract=False)


def _count_note(step: StepBuilder, cents: int) -> None:
    """Counts a booked note, and locks when one play has brought in more than the settings allow."""
    step.count_named({f"bills:{cents}": 1})
    machine = step.machine
    brought = machine.books.meter("bills_in") - machine.marks.get(locks.NOTES_MARK, 0)
    if brought >= step.settings.increment_max_cents and not locks.find(machine, LockKind.EXCESSIVE_INCREMENT):
        locks.add_lock(step, LockKind.EXCESSIVE_INCREMENT, cents=brought)


def suspend_note(step: StepBuilder, cents: int) -> None:
    """Keeps a note in suspense: it is in the box, and its owner is not decided."""
    step.post(Route.SUSPENDED, cents)
    _count_note(step, cents)


def _suspend(step: StepBuilder, fact: BillStacked) -> None:
    """Keeps a note without an intent. A report of an unknown value after a restart is a repeat if such a note already
    waits for the attendant."""
    step.update_acceptor(document=BookedNote(cents=fact.cents or None))
    if fact.recovered and fact.cents is None and any(value_unknown(lock) for lock in step.machine.locks):
        step.log(LogKind.NOTE_RECOVERED, "of unknown value; one already waits for the attendant")
        return
    if fact.cents:
        suspend_note(step, fact.cents)
    words = "" if fact.cents else UNKNOWN
    step.log(LogKind.NOTE_UNEXPECTED, words, fact.cents)
    locks.add_separate_lock(step, Lock(kind=LockKind.UNEXPECTED_NOTE, detail=words, cents=fact.cents or 0))


def unsolicited(step: StepBuilder, fact: BillUnasked) -> None:
    """Handles a document in the box that was never offered: the open document stays open, and the attendant must
    check."""
    words = f"{UNKNOWN}: {fact.detail}"
    step.log(LogKind.NOTE_UNEXPECTED, "; ".join(filter(None, (words, fact.evidence))))
    lock = Lock(kind=LockKind.UNEXPECTED_NOTE, detail=words, reported_cents=fact.reported_cents or 0)
    locks.add_separate_lock(step, lock)


def values_of(settings: Settings, lock: Lock) -> tuple[int, ...]:
    """Returns the possible values of a note of unknown value: every accepted note type, and the value that the acceptor
    reported."""
    reported = (lock.reported_cents,) if lock.reported_cents and lock.reported_cents not in settings.notes_cents else ()
    return (*settings.notes_cents, *reported)


def value_unknown(lock: Lock) -> bool:
    """Returns True if the lock is about a note whose value the acceptor could not report."""
    return lock.kind is LockKind.UNEXPECTED_NOTE and not lock.cents

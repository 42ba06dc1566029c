"""Tickets put in: whether one is taken, and what it becomes. A ticket is credit exactly once, against an open intent.

Rules that hold: only a ticket of this machine that has not been paid is taken; it is credit when it is
stacked and can no longer come back; what is credited is covered by the tickets account, so that the books themselves
forbid paying one twice. Whether a number is one of ours is looked up outside; here it is decided.
A document that the acceptor cannot name belongs to the intent that is open: a note, or a ticket.
Source: requirements TP-12, BA-01 to BA-05; the restart table of the device facts holds for tickets as for notes.
"""

from dataclasses import replace

from cabinet.engine import bills_in, cash_out, locks
from cabinet.engine.effects import Credited, Reason, ReturnBill, StackBill, TicketGoesBack, TicketRedeemed
from cabinet.engine.inputs import BillReturned, BillStacked
from cabinet.engine.ledger import Account, Route
from cabinet.engine.log import LogKind
from cabinet.engine.state import Lock, LockKind, Machine, Phase, Settings, TicketIntent
from cabinet.engine.step import StepBuilder
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked


def covered(machine: Machine, cents: int) -> bool:
    """Whether the books owe this amount on tickets."""
    return 0 < cents <= machine.books.balance(Account.TICKETS)


def in_acceptor(machine: Machine, sequence: int) -> bool:
    """Whether this ticket was put in and it is not settled where it went: neither the acceptor nor an attendant has
    said so."""
    open_now = machine.ticket is not None and machine.ticket.sequence == sequence
    doubted = (lock.sequence for lock in machine.locks if lock.kind is LockKind.TICKET_IN_DOUBT)
    return open_now or sequence in doubted


def standing_of(machine: Machine, fact: TicketOffered | TicketStacked) -> Standing | None:
    """What the ticket is, by the record and by the books: what they do not owe is no ticket of ours."""
    known = fact.sequence is not None and fact.sequence < machine.printer.next_ticket and covered(machine, fact.cents)
    return Standing.UNKNOWN if fact.standing is Standing.PAYABLE and not known else fact.standing


def why_not_ticket(settings: Settings, machine: Machine, fact: TicketOffered) -> Reason | None:
    """Why this ticket goes back; None when it is taken. Decided with the credit it would lead to."""
    if machine.document_in_path or machine.phase is Phase.CASHING_OUT:
        return Reason.NOT_NOW
    if machine.access.audit_key:
        return Reason.AUDIT
    if locks.notes_stopped(machine):
        return Reason.LOCKED
    if not settings.tickets_in or standing_of(machine, fact) is not Standing.PAYABLE:
        return Reason.NOT_ALLOWED
    if machine.books.credit_cents + fact.cents > settings.credit_limit_cents:
        return Reason.OVER_LIMIT
    return None


def offered(step: StepBuilder, fact: TicketOffered) -> None:
    """Take the ticket in escrow, with the intent on record, or give it back.

    As with notes, an offer while an older document is open means that no report of the older one will come.
    """
    reason = why_not_ticket(step.settings, step.machine, fact)
    bills_in.doubt(step)
    step.update(unconfirmed=None, unconfirmed_ticket=None, refused_ticket="")
    if reason is None and fact.sequence is not None:
        step.update(ticket=TicketIntent(sequence=fact.sequence, cents=fact.cents), attract=False)
        step.request(StackBill())
        return
    standing = standing_of(step.machine, fact) or Standing.UNKNOWN
    why = _why(standing) if reason is Reason.NOT_ALLOWED else (reason or Reason.NOT_ALLOWED).value
    step.update(refused_ticket=_named(fact.sequence))
    step.request(ReturnBill())
    step.emit(TicketGoesBack(reason=reason or Reason.NOT_ALLOWED, standing=standing))
    step.log(LogKind.TICKET_REFUSED, f"{_named(fact.sequence)}: {why}", fact.cents or None)


_WHY = {
    Standing.VOID: "void; its money was paid in another way",
    Standing.CLEARED: "issued before a memory clear; only the attendant may pay it",
}
"""The log's words for a standing, where those that journals hold are not plain."""


def _why(standing: Standing) -> str:
    return _WHY.get(standing, standing.value)


def _named(sequence: int | None) -> str:
    return "no ticket of this machine" if sequence is None else f"ticket {sequence}"


# --- what the acceptor says -------------------------------------------------------------------------------------


def stacked(step: StepBuilder, fact: TicketStacked) -> None:
    """The ticket is the machine's: credit it against its intent, or keep it in suspense."""
    machine = step.machine
    if _is_repeat(machine, fact):
        step.log(LogKind.TICKET_RECOVERED, f"{_named(fact.sequence)}: already in the books", fact.cents or None)
        step.update(unconfirmed_ticket=None)
        return
    lock = None if machine.ticket else _doubt_of(machine, fact)
    expected = machine.ticket or (_intent_of(lock) if lock is not None else None)
    other = fact.standing is not None and expected is not None and fact.sequence != expected.sequence
    if expected is None or other or not covered(machine, expected.cents):
        bills_in.doubt(step)
        _suspend(step, fact)
        return
    if lock is not None:
        locks.clear_lock(step, lock)
    step.update(ticket=None, rejects_in_a_row=0, unconfirmed=None, unconfirmed_ticket=expected)
    redeem(step, expected, Route.TICKET_IN)
    what = LogKind.TICKET_RECOVERED if fact.recovered else LogKind.TICKET_ACCEPTED
    step.log(what, _named(expected.sequence), expected.cents)


def _is_repeat(machine: Machine, fact: TicketStacked) -> bool:
    """Whether the report repeats a ticket that is booked: after a restart, or after the attendant has settled it."""
    booked = machine.unconfirmed_ticket
    if booked is None or machine.document_in_path or not (fact.recovered or booked.by_hand):
        return False
    return fact.standing is None or (fact.sequence or 0) == booked.sequence


def _doubt_of(machine: Machine, fact: TicketStacked) -> Lock | None:
    """The ticket in doubt that this report can be about."""
    fitting = (lock for lock in machine.locks if lock.kind is LockKind.TICKET_IN_DOUBT)
    return next((lock for lock in fitting if fact.standing is None or lock.sequence == fact.sequence), None)


def _intent_of(lock: Lock) -> TicketIntent:
    return TicketIntent(sequence=lock.sequence or 0, cents=lock.cents)


def redeem(step: StepBuilder, ticket: TicketIntent, route: Route) -> None:
    """The ticket's money leaves the tickets account; its number is worth nothing from here on."""
    step.post(route, ticket.cents)
    step.count(tickets_in_count=1)
    step.emit(TicketRedeemed(sequence=ticket.sequence))
    if route is Route.TICKET_IN:
        step.emit(Credited(cents=ticket.cents, ticket=True))
        step.update(attract=False)


def _suspend(step: StepBuilder, fact: TicketStacked) -> None:
    """Keeps a ticket without an intent: it is in the box, and the attendant must say whose money it is."""
    standing = standing_of(step.machine, fact) or Standing.UNKNOWN
    cents = fact.cents if standing is Standing.PAYABLE else 0
    sequence = fact.sequence or 0
    if cents:
        redeem(step, TicketIntent(sequence=sequence, cents=cents), Route.TICKET_SUSPENDED)
    step.update(unconfirmed=None, unconfirmed_ticket=TicketIntent(sequence=sequence, cents=cents))
    detail = _named(fact.sequence) if cents else f"{_named(fact.sequence)}: {_why(standing)}"
    step.log(LogKind.TICKET_UNEXPECTED, detail, cents or None)
    lock = Lock(kind=LockKind.UNEXPECTED_TICKET, detail=detail, cents=cents, sequence=fact.sequence)
    locks.add_separate_lock(step, lock)


def document_stacked(step: StepBuilder, fact: BillStacked) -> None:
    """Takes a note, or a document that the acceptor cannot name: then what is open decides."""
    if fact.cents is None and _speaks_of_ticket(step.machine, recovered=fact.recovered):
        stacked(step, TicketStacked(recovered=fact.recovered))
    else:
        bills_in.stacked(step, fact)


def _speaks_of_ticket(machine: Machine, *, recovered: bool) -> bool:
    if machine.document_in_path:
        return machine.ticket is not None
    booked = machine.unconfirmed_ticket or machine.unconfirmed
    if booked is not None and (recovered or booked.by_hand):
        return machine.unconfirmed_ticket is not None
    note, ticket = (locks.find(machine, kind) for kind in (LockKind.NOTE_IN_DOUBT, LockKind.TICKET_IN_DOUBT))
    return note is None and ticket is not None


def document_returned(step: StepBuilder, fact: BillReturned) -> None:
    """What was in escrow went back: nothing is owed for it. The acceptor does not say what it was."""
    machine = step.machine
    if machine.refused_ticket and not machine.document_in_path and not _ends_doubt(machine, fact):
        step.update(refused_ticket="")
        step.log(LogKind.TICKET_RETURNED, machine.refused_ticket)
        return
    lock = locks.find(machine, LockKind.TICKET_IN_DOUBT)
    doubtful = fact.recovered and not machine.document_in_path and locks.find(machine, LockKind.NOTE_IN_DOUBT) is None
    if machine.ticket is None and not (doubtful and lock is not None):
        bills_in.returned(step, fact)
        return
    if machine.ticket is None and lock is not None:
        locks.clear_lock(step, lock)
    sequence = machine.ticket.sequence if machine.ticket else lock.sequence if lock else None
    if machine.ticket is not None:
        bills_in.came_out_of_jam(step, "ticket")
    step.update(ticket=None)
    after = ", after power-up" if fact.recovered else ""
    step.log(LogKind.TICKET_RETURNED, f"{_named(sequence)}{after}", machine.ticket.cents if machine.ticket else None)


def _ends_doubt(machine: Machine, fact: BillReturned) -> bool:
    """Whether a return that the acceptor has kept through a power cut can be about a note or ticket in doubt."""
    doubts = (LockKind.NOTE_IN_DOUBT, LockKind.TICKET_IN_DOUBT)
    return fact.recovered and any(locks.find(machine, kind) is not None for kind in doubts)


# --- settling ---------------------------------------------------------------------------------------------------


def credit(step: StepBuilder, lock: Lock) -> None:
    """The attendant has found the ticket in the box: its money becomes credit."""
    if lock.kind is LockKind.TICKET_IN_DOUBT:
        ticket = _intent_of(lock)
        redeem(step, ticket, Route.TICKET_IN)
        step.update(unconfirmed=None, unconfirmed_ticket=replace(ticket, by_hand=True))
    else:
        step.post(Route.SUSPENSE_CREDITED, lock.cents)
        step.emit(Credited(cents=lock.cents, ticket=True))
        step.update(attract=False)
    step.log(LogKind.TICKET_ACCEPTED, f"{_named(lock.sequence)}, by the attendant", lock.cents)


def pay_by_hand(step: StepBuilder, lock: Lock) -> None:
    """The attendant has found the ticket in the box and has paid its money; the ticket is used."""
    if lock.kind is LockKind.TICKET_IN_DOUBT:
        ticket = _intent_of(lock)
        redeem(step, ticket, Route.TICKET_SUSPENDED)
        step.update(unconfirmed=None, unconfirmed_ticket=replace(ticket, by_hand=True))
    cash_out.pay_by_hand(step, replace(lock, sequence=None), Route.SUSPENSE_PAID)

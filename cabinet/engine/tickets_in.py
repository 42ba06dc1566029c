"""Tickets put in: whether one is taken, and what it becomes. A ticket is credit exactly once, against an open intent.

Rules that hold: only a ticket of this machine that has not been paid is taken; it is credit when it is
stacked and can no longer come back; what is credited is covered by the tickets account, so that the books themselves
forbid paying one twice. Whether a number is one of ours is looked up outside; here it is decided.
Source: requirements TP-12, BA-01 to BA-05; the restart table of the device facts holds for tickets as for notes.
"""

from cabinet.engine import cash_out, documents, locks
from cabinet.engine.effects import Credited, Reason, ReturnBill, TicketGoesBack, TicketRedeemed
from cabinet.engine.ledger import Account, Route
from cabinet.engine.log import LogKind
from cabinet.engine.state import BookedTicket, Lock, LockKind, Machine, RefusedTicket, Settings, TicketIntent
from cabinet.engine.step import StepBuilder
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked

LEAST_CENTS = 1
"""The smallest value of a ticket: all of the credit is cashed out, whatever is left."""


def taking(settings: Settings, machine: Machine) -> bool:
    """Returns True if the acceptor should accept tickets. A ticket may be worth less than the smallest note, so it may
    fit where no note does."""
    room = documents.fits(settings, machine, LEAST_CENTS)
    return settings.tickets_in and room and documents.why_none_taken(machine) is None


def covered(machine: Machine, cents: int) -> bool:
    """Returns True if the books owe this amount on tickets."""
    return 0 < cents <= machine.books.balance(Account.TICKETS)


def in_acceptor(machine: Machine, sequence: int) -> bool:
    """Returns True if this ticket was put in and its outcome is not known: neither the acceptor nor an attendant
    has reported it."""
    in_path = machine.acceptor.in_path
    doubted = (lock.sequence for lock in machine.locks if lock.kind is LockKind.TICKET_IN_DOUBT)
    return (isinstance(in_path, TicketIntent) and in_path.sequence == sequence) or sequence in doubted


def standing_of(machine: Machine, fact: TicketOffered | TicketStacked) -> Standing | None:
    """Returns the standing of a ticket by the record and the books: one that the books do not owe is unknown."""
    known = fact.sequence is not None and fact.sequence < machine.printer.next_ticket and covered(machine, fact.cents)
    return Standing.UNKNOWN if fact.standing is Standing.PAYABLE and not known else fact.standing


def why_not_ticket(settings: Settings, machine: Machine, fact: TicketOffered) -> Reason | None:
    """Returns why this ticket goes back; None when it is accepted."""
    allowed = settings.tickets_in and standing_of(machine, fact) is Standing.PAYABLE
    return documents.why_not_taken(settings, machine, fact.cents, allowed=allowed)


def offered(step: StepBuilder, fact: TicketOffered) -> None:
    """Accepts the ticket in escrow, with the intent recorded, or returns it."""
    reason = why_not_ticket(step.settings, step.machine, fact)
    documents.close_older(step)
    if reason is None and fact.sequence is not None:
        documents.stack(step, TicketIntent(sequence=fact.sequence, cents=fact.cents))
        return
    standing = standing_of(step.machine, fact) or Standing.UNKNOWN
    why = _why(standing) if reason is Reason.NOT_ALLOWED else (reason or Reason.NOT_ALLOWED).value
    step.update_acceptor(refused=RefusedTicket(sequence=fact.sequence))
    step.request(ReturnBill())
    step.emit(TicketGoesBack(reason=reason or Reason.NOT_ALLOWED, standing=standing))
    step.log(LogKind.TICKET_REFUSED, f"{named(fact.sequence)}: {why}", fact.cents or None)


_WHY = {
    Standing.VOID: "void; its money was paid in another way",
    Standing.CLEARED: "issued before a memory clear; only the attendant may pay it",
}
"""The log's words for a standing, where those that journals hold are not plain."""


def _why(standing: Standing) -> str:
    return _WHY.get(standing, standing.value)


def named(sequence: int | None) -> str:
    """Returns the log's name of a ticket."""
    return "no ticket of this machine" if sequence is None else f"ticket {sequence}"


# --- in the box -------------------------------------------------------------------------------------------------


def stacked(step: StepBuilder, fact: TicketStacked) -> None:
    """Credits a stacked ticket against its intent, or keeps it in suspense."""
    machine = step.machine
    if _is_repeat(machine, fact):
        step.log(LogKind.TICKET_RECOVERED, f"{named(fact.sequence)}: already in the books", fact.cents or None)
        step.update_acceptor(document=None)
        return
    in_path = machine.acceptor.in_path
    lock = documents.doubted(machine) if in_path is None else None
    ticket = documents.intent_of(lock) if lock is not None else in_path
    if not isinstance(ticket, TicketIntent) or not _is_of(fact, ticket.sequence) or not covered(machine, ticket.cents):
        documents.doubt(step)
        _suspend(step, fact)
        return
    documents.keep(step, BookedTicket(sequence=ticket.sequence, cents=ticket.cents), lock)
    redeem(step, ticket, Route.TICKET_IN)
    what = LogKind.TICKET_RECOVERED if fact.recovered else LogKind.TICKET_ACCEPTED
    step.log(what, named(ticket.sequence), ticket.cents)


def _is_of(fact: TicketStacked, sequence: int | None) -> bool:
    """Returns True if the report can be about the ticket of this number: it names none, or this one."""
    return fact.standing is None or fact.sequence == sequence


def _is_repeat(machine: Machine, fact: TicketStacked) -> bool:
    """Returns True if the report repeats a ticket that is booked."""
    booked = documents.repeatable(machine, recovered=fact.recovered)
    return isinstance(booked, BookedTicket) and _is_of(fact, booked.sequence)


def redeem(step: StepBuilder, ticket: TicketIntent, route: Route) -> None:
    """Moves the ticket's money out of the tickets account; the ticket is worth nothing from now on."""
    step.post(route, ticket.cents)
    step.count(tickets_in_count=1)
    step.emit(TicketRedeemed(sequence=ticket.sequence))
    if route is Route.TICKET_IN:
        step.emit(Credited(cents=ticket.cents, ticket=True))
        step.update(attract=False)


def _suspend(step: StepBuilder, fact: TicketStacked) -> None:
    """Keeps a ticket without an intent: it is in the box, and the attendant must decide whose money it is."""
    standing = standing_of(step.machine, fact) or Standing.UNKNOWN
    cents = fact.cents if standing is Standing.PAYABLE else 0
    if cents and fact.sequence is not None:
        redeem(step, TicketIntent(sequence=fact.sequence, cents=cents), Route.TICKET_SUSPENDED)
    step.update_acceptor(document=BookedTicket(sequence=fact.sequence, cents=cents))
    detail = named(fact.sequence) if cents else f"{named(fact.sequence)}: {_why(standing)}"
    step.log(LogKind.TICKET_UNEXPECTED, detail, cents or None)
    lock = Lock(kind=LockKind.UNEXPECTED_TICKET, detail=detail, cents=cents, sequence=fact.sequence)
    locks.add_separate_lock(step, lock)


# --- settling ---------------------------------------------------------------------------------------------------


def credit(step: StepBuilder, lock: Lock) -> None:
    """Credits a ticket that the attendant has found in the box."""
    if lock.kind is LockKind.TICKET_IN_DOUBT:
        _redeem_by_hand(step, lock, Route.TICKET_IN)
    else:
        step.post(Route.SUSPENSE_CREDITED, lock.cents)
        step.emit(Credited(cents=lock.cents, ticket=True))
        step.update(attract=False)
    step.log(LogKind.TICKET_ACCEPTED, f"{named(lock.sequence)}, by the attendant", lock.cents)


def pay_by_hand(step: StepBuilder, lock: Lock) -> None:
    """Books a ticket that the attendant has found in the box and paid; the ticket is used."""
    if lock.kind is LockKind.TICKET_IN_DOUBT:
        _redeem_by_hand(step, lock, Route.TICKET_SUSPENDED)
    cash_out.pay_by_hand(step, lock, Route.SUSPENSE_PAID, voids_ticket=False)


def _redeem_by_hand(step: StepBuilder, lock: Lock, route: Route) -> None:
    ticket = documents.ticket_of(lock)
    redeem(step, ticket, route)
    step.update_acceptor(document=BookedTicket(sequence=ticket.sequence, cents=ticket.cents, by_hand=True))

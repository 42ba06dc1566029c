"""Cashing out: by ticket, by hand, and what happens when nobody knows whether a ticket came out.

Money leaves the credit at once and stays in transit until a ticket is confirmed, a hand-pay is keyed off, or it goes
back. A ticket number is reserved with the intent and never used twice; nothing is ever printed again by itself.
Source: requirements CM-06 to CM-10, TP-02 to TP-08.
"""

from cabinet.engine import locks
from cabinet.engine.effects import (
    Fate,
    PaidOut,
    PayingOut,
    PrintTicket,
    Reason,
    Significant,
    TicketInDoubt,
    TicketVoided,
)
from cabinet.engine.inputs import BackOut, CashOut, PrinterStarted, PrintFailed, PrintUnknown, TicketPrinted
from cabinet.engine.ledger import Route
from cabinet.engine.locks import audited
from cabinet.engine.state import Lock, LockKind, Machine, Phase, PrintIntent, Settings
from cabinet.engine.step import Draft


def can_print(machine: Machine) -> bool:
    """Whether a ticket printed now may be expected to come out."""
    return machine.printer_ready and not locks.tickets_stopped(machine)


def why_not_cash_out(settings: Settings, machine: Machine, command: CashOut) -> Reason | None:
    """There must be credit, no open hand, and nothing that touches paying."""
    del settings, command
    if locks.hand_open(machine) or machine.phase is Phase.CASHING_OUT or machine.paper_open:
        return Reason.NOT_NOW
    if locks.cash_out_stopped(machine):
        return Reason.LOCKED
    return None if machine.books.credit_cents else Reason.NO_CREDIT


def cash_out(draft: Draft, command: CashOut) -> None:
    """Set all of the credit apart; print a ticket, or call for a hand-pay."""
    del command
    if not audited(draft):
        return
    machine = draft.machine
    cents = machine.books.credit_cents
    draft.log(Significant.CASH_OUT, cents=cents)
    draft.post(Route.CASH_OUT, cents)
    locks.notes_counted_from_here(draft)
    draft.set(bets=(0,) * len(machine.bets), attract=False, notice="")
    if can_print(machine) and cents <= draft.settings.ticket_max_cents:
        draft.set(resume=machine.phase, next_ticket=machine.next_ticket + 1)
        start_printing(draft, PrintIntent(sequence=machine.next_ticket, cents=cents))
    else:
        why = "no printer" if not can_print(machine) else "above the ticket limit"
        call_hand_pay(draft, cents, why)


def start_printing(draft: Draft, intent: PrintIntent) -> None:
    """Put the intent on record and ask for the ticket."""
    draft.set(phase=Phase.CASHING_OUT, printing=intent)
    days, sequence, cents = draft.settings.ticket_expires_days, intent.sequence, intent.cents
    draft.act(PrintTicket(sequence=sequence, cents=cents, duplicate=intent.duplicate, expires_days=days))
    draft.tell(PayingOut(sequence=sequence, cents=cents, expires_days=days))


def call_hand_pay(draft: Draft, cents: int, why: str, sequence: int | None = None) -> None:
    """Lock until an attendant has paid, or the player backs out; `sequence` is the ticket that should have been."""
    draft.log(Significant.HAND_PAY_PENDING, why, cents)
    locks.lay(draft, LockKind.HAND_PAY, why, cents=cents, sequence=sequence)


def why_not_back_out(settings: Settings, machine: Machine, command: BackOut) -> Reason | None:
    """There must be a hand-pay to back out of, and nothing else in the way."""
    del settings, command
    top = locks.find(machine, LockKind.HAND_PAY)
    if top is None:
        return Reason.NOT_NOW
    others = [lock for lock in machine.locks if lock.lock_id != top.lock_id and locks.LOCKS[lock.kind].stops_cash_out]
    return Reason.LOCKED if others else None


def back_out(draft: Draft, command: BackOut) -> None:
    """The player has the credit back."""
    del command
    lock = locks.find(draft.machine, LockKind.HAND_PAY)
    if lock is not None:
        draft.log(Significant.HAND_PAY_BACKED_OUT, cents=lock.cents)
        give_back(draft, lock)


def give_back(draft: Draft, lock: Lock) -> None:
    """Money in transit becomes credit again; its ticket number, if any, is worth nothing."""
    draft.post(Route.UNDONE, lock.cents)
    if lock.sequence is not None:
        draft.tell(TicketVoided(sequence=lock.sequence, fate=Fate.GIVEN_BACK))
    locks.lift(draft, lock)


def pay_by_hand(draft: Draft, lock: Lock, route: Route) -> None:
    """An attendant has paid the money of this lock by hand; a receipt number is given."""
    receipt = draft.machine.next_receipt
    draft.post(route, lock.cents)
    draft.count(hand_pays=1)
    draft.set(next_receipt=receipt + 1)
    if lock.sequence is not None:
        draft.tell(TicketVoided(sequence=lock.sequence, fate=Fate.PAID_BY_HAND))
    draft.log(Significant.HAND_PAID, f"receipt {receipt}", lock.cents)
    _tell_paid(draft, PaidOut(cents=lock.cents, receipt=receipt))
    locks.lift(draft, lock)


def ticket_is_out(draft: Draft, sequence: int, cents: int, *, duplicate: bool = False) -> None:
    """The ticket exists: its money has left the machine."""
    draft.post(Route.TICKET_OUT, cents)
    draft.count(tickets_out_count=1)
    draft.log(Significant.TICKET_PRINTED, f"ticket {sequence}", cents)
    _tell_paid(draft, PaidOut(cents=cents, sequence=sequence, duplicate=duplicate))


def _tell_paid(draft: Draft, event: PaidOut) -> None:
    total = draft.machine.paid_out_total_cents + event.cents
    draft.set(paid_out_cents=event.cents, paid_out_total_cents=total)
    draft.tell(event)


# --- what the printer says --------------------------------------------------------------------------------------


def _take_intent(draft: Draft, sequence: int) -> PrintIntent | None:
    """Close the open intent if it is this ticket's; a late word about another one changes nothing."""
    intent = draft.machine.printing
    if intent is None or intent.sequence != sequence:
        return None
    draft.set(printing=None, phase=draft.machine.resume)
    return intent


def printed(draft: Draft, fact: TicketPrinted) -> None:
    """The ticket came out and the printer was well afterwards."""
    intent = _take_intent(draft, fact.sequence)
    if intent is not None:
        ticket_is_out(draft, intent.sequence, intent.cents, duplicate=intent.duplicate)


def print_failed(draft: Draft, fact: PrintFailed) -> None:
    """Nothing of it came out: the money is paid by hand, or the player backs out.

    A failed duplicate leaves the first ticket as much in doubt as it was.
    """
    intent = _take_intent(draft, fact.sequence)
    if intent is None:
        return
    draft.log(Significant.PRINT_FAILED, fact.reason, intent.cents)
    if intent.duplicate:
        _in_doubt(draft, intent, fact.reason)
    else:
        draft.tell(TicketVoided(sequence=intent.sequence, fate=Fate.NOT_PRINTED))
        call_hand_pay(draft, intent.cents, fact.reason, intent.sequence)


def print_unknown(draft: Draft, fact: PrintUnknown) -> None:
    """Nobody can say: an attendant decides."""
    intent = _take_intent(draft, fact.sequence)
    if intent is not None:
        _in_doubt(draft, intent, fact.reason)


def _in_doubt(draft: Draft, intent: PrintIntent, why: str) -> None:
    draft.log(Significant.PRINT_UNKNOWN, why, intent.cents)
    draft.tell(TicketInDoubt(sequence=intent.sequence))
    locks.lay(draft, LockKind.PRINT_UNKNOWN, why, cents=intent.cents, sequence=intent.sequence)


def doubt_open_ticket(draft: Draft) -> None:
    """At power-up: a ticket whose outcome we did not live to hear of is in doubt."""
    intent = draft.machine.printing
    if intent is not None:
        print_unknown(draft, PrintUnknown(sequence=intent.sequence, reason="power lost while printing"))


def printer_started(draft: Draft, fact: PrinterStarted) -> None:
    """A printer that can report its status is there."""
    draft.set(printer_ready=True)
    draft.log(Significant.PRINTER_STARTED, fact.model)

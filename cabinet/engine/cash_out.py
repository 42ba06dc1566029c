"""Cashing out: by ticket, by hand, and what happens when it is not known whether a ticket came out.

Money leaves the credit at once and stays in transit until a ticket is confirmed, a hand-pay is keyed off, or it goes
back. A ticket number is reserved with the intent and never used twice; nothing is ever printed again by itself.
Source: requirements CM-06 to CM-10, TP-02 to TP-08.
"""

from cabinet.engine import locks
from cabinet.engine.effects import Fate, PaidOut, PayingOut, PrintTicket, Reason, TicketInDoubt, TicketVoided
from cabinet.engine.inputs import BackOut, CashOut, PrinterStarted, PrintFailed, PrintUnknown, TicketPrinted
from cabinet.engine.ledger import Route
from cabinet.engine.locks import audit_or_lock
from cabinet.engine.log import LogKind
from cabinet.engine.state import Lock, LockKind, Machine, Phase, PrintIntent, Settings
from cabinet.engine.step import StepBuilder


def can_print(machine: Machine) -> bool:
    """Returns True if a ticket printed now may be expected to come out."""
    return machine.printer.ready and not locks.printing_stopped(machine)


def why_not_cash_out(_settings: Settings, machine: Machine, _command: CashOut) -> Reason | None:
    """Requires credit, no open hand, and no lock that stops paying."""
    if locks.hand_open(machine) or machine.phase is Phase.CASHING_OUT or machine.acceptor.in_path is not None:
        return Reason.NOT_NOW
    if locks.cash_out_stopped(machine):
        return Reason.LOCKED
    return None if machine.books.credit_cents else Reason.NO_CREDIT


def cash_out(step: StepBuilder, _command: CashOut) -> None:
    """Moves all of the credit into transit; prints a ticket, or calls for a hand-pay."""
    if not audit_or_lock(step):
        return
    machine = step.machine
    cents = machine.books.credit_cents
    step.log(LogKind.CASH_OUT, cents=cents)
    step.post(Route.CASH_OUT, cents)
    locks.notes_counted_from_here(step)
    step.update(attract=False)
    step.update_seat(bets=(0,) * len(machine.seat.bets))
    step.update_shown(notice="")
    if can_print(machine) and cents <= step.settings.ticket_max_cents:
        step.update(resume=machine.phase)
        step.update_printer(next_ticket=machine.printer.next_ticket + 1)
        start_printing(step, PrintIntent(sequence=machine.printer.next_ticket, cents=cents))
    else:
        why = "no printer" if not can_print(machine) else "above the ticket limit"
        call_hand_pay(step, cents, why)


def start_printing(step: StepBuilder, intent: PrintIntent) -> None:
    """Records the intent and requests the ticket."""
    step.update(phase=Phase.CASHING_OUT)
    step.update_printer(printing=intent)
    days, sequence, cents = step.settings.ticket_expires_days, intent.sequence, intent.cents
    step.request(PrintTicket(sequence=sequence, cents=cents, duplicate=intent.duplicate, expires_days=days))
    step.emit(PayingOut(sequence=sequence, cents=cents, expires_days=days))


def call_hand_pay(step: StepBuilder, cents: int, why: str, sequence: int | None = None) -> None:
    """Locks until an attendant has paid, or the player backs out; `sequence` is the ticket that was not printed."""
    step.log(LogKind.HAND_PAY_PENDING, why, cents)
    locks.add_lock(step, LockKind.HAND_PAY, why, cents=cents, sequence=sequence)


def why_not_back_out(_settings: Settings, machine: Machine, _command: BackOut) -> Reason | None:
    """Requires a hand-pay that can be backed out of, and no other obstacle."""
    top = locks.find(machine, LockKind.HAND_PAY)
    if top is None:
        return Reason.NOT_NOW
    others = [lock for lock in machine.locks if lock.lock_id != top.lock_id and locks.LOCKS[lock.kind].stops_cash_out]
    return Reason.LOCKED if others else None


def back_out(step: StepBuilder, _command: BackOut) -> None:
    """Returns the credit to the player."""
    lock = locks.find(step.machine, LockKind.HAND_PAY)
    if lock is not None:
        step.log(LogKind.HAND_PAY_BACKED_OUT, cents=lock.cents)
        return_to_credit(step, lock)
        locks.clear_lock(step, lock, named=True)


def return_to_credit(step: StepBuilder, lock: Lock) -> None:
    """Moves money in transit back to credit; its ticket number, if any, is worth nothing."""
    step.post(Route.UNDONE, lock.cents)
    if lock.sequence is not None:
        step.emit(TicketVoided(sequence=lock.sequence, fate=Fate.GIVEN_BACK))


def pay_by_hand(step: StepBuilder, lock: Lock, route: Route, *, voids_ticket: bool = True) -> None:
    """Books the money of this lock as paid by hand, with a receipt number. `voids_ticket`: a ticket of the lock
    is worth nothing from here on; False when it is redeemed already."""
    receipt = step.machine.printer.next_receipt
    step.post(route, lock.cents)
    step.count_named({"hand_pays": 1, f"hand_pays:{route.value}": 1})
    step.update_printer(next_receipt=receipt + 1)
    if voids_ticket and lock.sequence is not None:
        step.emit(TicketVoided(sequence=lock.sequence, fate=Fate.PAID_BY_HAND))
    step.log(LogKind.HAND_PAID, f"receipt {receipt}", lock.cents)
    _emit_paid(step, PaidOut(cents=lock.cents, receipt=receipt))


def ticket_is_out(step: StepBuilder, sequence: int, cents: int, *, duplicate: bool = False) -> None:
    """Books a printed ticket: its money has left the machine."""
    step.post(Route.TICKET_OUT, cents)
    step.count(tickets_out_count=1)
    step.log(LogKind.TICKET_PRINTED, f"ticket {sequence}", cents)
    _emit_paid(step, PaidOut(cents=cents, sequence=sequence, duplicate=duplicate))


def _emit_paid(step: StepBuilder, event: PaidOut) -> None:
    total = step.machine.shown.paid_out_total_cents + event.cents
    step.update_shown(paid_out_cents=event.cents, paid_out_total_cents=total)
    step.emit(event)


# --- what the printer says --------------------------------------------------------------------------------------


def _take_intent(step: StepBuilder, sequence: int) -> PrintIntent | None:
    """Closes the open intent if it is this ticket's; a late report about another one changes nothing."""
    intent = step.machine.printer.printing
    if intent is None or intent.sequence != sequence:
        return None
    step.update(phase=step.machine.resume)
    step.update_printer(printing=None)
    return intent


def printed(step: StepBuilder, fact: TicketPrinted) -> None:
    """Handles a ticket that came out without a later fault of the printer."""
    intent = _take_intent(step, fact.sequence)
    if intent is not None:
        ticket_is_out(step, intent.sequence, intent.cents, duplicate=intent.duplicate)


def print_failed(step: StepBuilder, fact: PrintFailed) -> None:
    """Nothing of it came out: the money is paid by hand, or the player backs out.

    A failed duplicate leaves the first ticket as much in doubt as it was.
    """
    intent = _take_intent(step, fact.sequence)
    if intent is None:
        return
    step.log(LogKind.PRINT_FAILED, fact.reason, intent.cents)
    if intent.duplicate:
        _in_doubt(step, intent, fact.reason)
    else:
        step.emit(TicketVoided(sequence=intent.sequence, fate=Fate.NOT_PRINTED))
        call_hand_pay(step, intent.cents, fact.reason, intent.sequence)


def print_unknown(step: StepBuilder, fact: PrintUnknown) -> None:
    """Handles a print of unknown outcome: the attendant decides."""
    intent = _take_intent(step, fact.sequence)
    if intent is not None:
        _in_doubt(step, intent, fact.reason)


def _in_doubt(step: StepBuilder, intent: PrintIntent, why: str) -> None:
    step.log(LogKind.PRINT_UNKNOWN, why, intent.cents)
    step.emit(TicketInDoubt(sequence=intent.sequence))
    locks.add_lock(step, LockKind.PRINT_UNKNOWN, why, cents=intent.cents, sequence=intent.sequence)


def doubt_open_ticket(step: StepBuilder) -> None:
    """Puts a ticket in doubt at power-up if its outcome was not reported before the power cut."""
    intent = step.machine.printer.printing
    if intent is not None:
        print_unknown(step, PrintUnknown(sequence=intent.sequence, reason="power lost while printing"))


def printer_started(step: StepBuilder, fact: PrinterStarted) -> None:
    """Records that a printer with status reports is connected."""
    step.update_printer(ready=True)
    step.log(LogKind.PRINTER_STARTED, fact.model)

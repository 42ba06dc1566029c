"""Issued tickets that the attendant pays by hand instead of the acceptor taking them.

Rules that hold: a ticket is paid once, in the step that ends it; nothing is paid on a ticket whose printing, or whose
way into the box, is still in question; what the books owe on tickets covers it, unless a memory clear has taken that
back. No player's credit, no player's screen and no lock is touched. Which tickets are out is looked up outside.
Source: requirements TP-05, TP-13, AT-08.
"""

from cabinet.engine import locks, tickets_in
from cabinet.engine.effects import Fate, Reason, TicketVoided
from cabinet.engine.inputs import PayTicket
from cabinet.engine.ledger import Route
from cabinet.engine.log import LogKind
from cabinet.engine.state import LockKind, Machine, Settings
from cabinet.engine.step import StepBuilder


def expired_words(days: int) -> str:
    """Returns how long ago a ticket has expired, as text; empty for 0, a good one."""
    return f"EXPIRED {days:,} day{'' if days == 1 else 's'} ago" if days else ""


def why_not_pay(_settings: Settings, machine: Machine, command: PayTicket) -> Reason | None:
    """Returns why this ticket is not paid now; None when it is."""
    if machine.acceptor.in_path is not None or machine.printer.printing is not None:
        return Reason.NOT_NOW
    if locks.hand_pay_stopped(machine):
        return Reason.LOCKED
    if _in_doubt(machine, command.sequence):
        return Reason.LOCKED
    known = 0 < command.sequence < machine.printer.next_ticket and command.cents > 0
    owed = tickets_in.covered(machine, command.cents) or not command.owed
    return None if known and owed else Reason.NO_SUCH


_DOUBTS = (LockKind.TICKET_IN_DOUBT, LockKind.PRINT_UNKNOWN)


def _in_doubt(machine: Machine, sequence: int) -> bool:
    return any(lock.kind in _DOUBTS and lock.sequence == sequence for lock in machine.locks)


def pay_ticket(step: StepBuilder, command: PayTicket) -> None:
    """Books a ticket paid by the attendant, with a receipt number. Nothing is paid from books that contradict
    themselves."""
    if not locks.audit_or_lock(step):
        return
    receipt = step.machine.printer.next_receipt
    step.post(Route.TICKET_PAID if command.owed else Route.OLD_TICKET_PAID, command.cents)
    step.count(tickets_paid_count=1)
    step.update_printer(next_receipt=receipt + 1)
    step.emit(TicketVoided(sequence=command.sequence, fate=Fate.PAID_BY_HAND))
    words = (f"ticket {command.sequence}", f"receipt {receipt}", expired_words(command.expired_days))
    step.log(LogKind.TICKET_PAID, ", ".join(filter(None, words)), command.cents)

"""The attendant's decisions: how a lock is settled, and the end of a round that cannot be played on.

Each settlement moves money along a route of the ledger or moves none; it ends its lock. Knows no menu.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from cabinet.engine import bills_in, cash_out, documents, locks, tickets_in
from cabinet.engine.effects import Reason, RoundVoided
from cabinet.engine.errors import EngineError
from cabinet.engine.inputs import Fault, SettleLock, Settlement, VoidRound
from cabinet.engine.ledger import Account, Route
from cabinet.engine.locks import LOCKS
from cabinet.engine.log import LogKind
from cabinet.engine.state import BookedNote, ClearedBy, Lock, LockKind, Machine, Phase, PrintIntent, Settings
from cabinet.engine.step import StepBuilder


def settlements_of(machine: Machine, lock: Lock) -> tuple[Settlement, ...]:
    """Returns how this lock may be settled now; empty while its condition lasts or when only the condition can end
    it."""
    ways = _ways_of(machine, lock)
    return tuple(how for how in ways if how not in _PAYING) if locks.hand_pay_stopped(machine) else ways


_PAYING = frozenset({Settlement.PAID_BY_HAND, Settlement.REPRINT})
"""Settlements by which money leaves the machine."""


def _ways_of(machine: Machine, lock: Lock) -> tuple[Settlement, ...]:
    rule = LOCKS[lock.kind]
    if rule.cleared_by is ClearedBy.ATTENDANT and lock.present:
        return ()
    if rule.technician and not machine.access.technician:
        return ()
    stuck = stuck_document(machine, lock)
    if stuck is not None:
        return _ways_of(machine, stuck)
    if bills_in.value_unknown(lock):
        return (*rule.settlements, Settlement.NOTE_RETURNED)
    if lock.kind is LockKind.UNEXPECTED_TICKET and not lock.cents:
        return (Settlement.CLEAR,)
    if lock.kind is LockKind.TICKET_IN_DOUBT and not tickets_in.covered(machine, lock.cents):
        return (Settlement.TICKET_RETURNED,)
    if lock.kind is LockKind.PRINT_UNKNOWN and not _may_print_again(machine):
        return tuple(how for how in rule.settlements if how is not Settlement.REPRINT)
    if lock.kind is LockKind.LARGE_WIN and machine.books.credit_cents < lock.cents:
        return (Settlement.CLEAR,)
    return rule.settlements


def stuck_document(machine: Machine, lock: Lock) -> Lock | None:
    """The note or ticket that is still open when its jam is settled: where it is must be said then. None without one,
    and for any other lock."""
    return documents.doubtful(machine) if lock.kind is LockKind.BILL_JAM else None


def _may_print_again(machine: Machine) -> bool:
    """Requires a working printer that is not busy, and no open hand."""
    others = [lock for lock in machine.locks if lock.kind is not LockKind.PRINT_UNKNOWN]
    stopped = any(lock.kind in locks.PRINTER_STOPPERS for lock in others)
    return machine.printer.ready and machine.printer.printing is None and not stopped and not locks.hand_open(machine)


def why_not_settle(settings: Settings, machine: Machine, command: SettleLock) -> Reason | None:
    """Requires that the lock exists and may be settled in this way; a note of unknown value needs a value."""
    lock = locks.find_id(machine, command.lock_id)
    if lock is None:
        return Reason.NO_SUCH
    valued = bills_in.value_unknown(lock) and command.how is not Settlement.NOTE_RETURNED
    named = command.cents in bills_in.values_of(settings, lock) if valued else command.cents is None
    return None if named and command.how in settlements_of(machine, lock) else Reason.NOT_ALLOWED


def settle_lock(step: StepBuilder, command: SettleLock) -> None:
    """Applies the attendant's decision once. Nothing is paid from books that contradict themselves."""
    lock = locks.find_id(step.machine, command.lock_id)
    if lock is None or (command.how in _PAYING and not locks.audit_or_lock(step)):
        return
    step.require_audit()
    if command.cents is not None:
        bills_in.suspend_note(step, command.cents)
        lock = replace(lock, cents=command.cents)
    stuck = stuck_document(step.machine, lock)
    cents = lock.cents if stuck is None else stuck.cents
    step.log(LogKind.SETTLED, f"{lock.kind.value}: {command.how.value}", cents or None)
    if stuck is None:
        _settle(step, lock, command.how)
    else:
        _settle_stuck(step, lock, command.how)


def _settle_stuck(step: StepBuilder, jam: Lock, how: Settlement) -> None:
    """Applies the attendant's answer where the note or ticket of the jam is: the document in doubt is settled, and the
    jam is over."""
    lock_id = step.machine.next_lock_id
    documents.doubt(step, named=True)
    stuck = locks.find_id(step.machine, lock_id)
    if stuck is not None:
        _settle(step, stuck, how)
    locks.clear_lock(step, jam, named=True)


def _settle(step: StepBuilder, lock: Lock, how: Settlement) -> None:
    """Moves what the lock holds, and clears the lock. Raises EngineError for a settlement that no rule covers."""
    move = _MOVES.get((lock.kind, how))
    if move is not None:
        move(step, lock)
    elif how not in _WITHOUT_A_MOVE:
        raise EngineError(f"the lock {lock.kind.value} cannot be settled by {how.value!r}")
    locks.clear_lock(step, lock, named=True)


def _credit_doubted_note(step: StepBuilder, lock: Lock) -> None:
    bills_in.credit_note(step, lock.cents, Route.BILL_IN)
    step.update_acceptor(document=BookedNote(cents=lock.cents, by_hand=True))
    step.log(LogKind.NOTE_ACCEPTED, "by the attendant", lock.cents)


def _credit_suspended_note(step: StepBuilder, lock: Lock) -> None:
    bills_in.credit_note(step, lock.cents, Route.SUSPENSE_CREDITED)
    step.log(LogKind.NOTE_ACCEPTED, "by the attendant", lock.cents)


def _keep_suspended_note(step: StepBuilder, lock: Lock) -> None:
    step.post(Route.SUSPENSE_KEPT, lock.cents)


def _accept_increment(step: StepBuilder, _lock: Lock) -> None:
    locks.notes_counted_from_here(step)


def _confirm_time(step: StepBuilder, _lock: Lock) -> None:
    step.update(faults=tuple(fault for fault in step.machine.faults if fault is not Fault.CLOCK_INVALID))
    step.log(LogKind.TIME_CONFIRMED)


def _forget_rejects(step: StepBuilder, _lock: Lock) -> None:
    step.update_acceptor(rejects_in_a_row=0)


def _confirm_ticket(step: StepBuilder, lock: Lock) -> None:
    cash_out.ticket_is_out(step, locks.ticket_number(lock), lock.cents)


def _reprint(step: StepBuilder, lock: Lock) -> None:
    step.count(tickets_reprinted=1)
    step.update(resume=step.machine.phase)
    intent = PrintIntent(sequence=locks.ticket_number(lock), cents=lock.cents, duplicate=True)
    cash_out.start_printing(step, intent)


def _pay_by_hand(step: StepBuilder, lock: Lock) -> None:
    cash_out.pay_by_hand(step, lock, _HAND_PAY_ROUTES[lock.kind])


_HAND_PAY_ROUTES = {
    LockKind.HAND_PAY: Route.CANCELLED,
    LockKind.PRINT_UNKNOWN: Route.CANCELLED,
    LockKind.LARGE_WIN: Route.JACKPOT,
    LockKind.UNEXPECTED_NOTE: Route.SUSPENSE_PAID,
}

_MOVES: Mapping[tuple[LockKind, Settlement], Callable[[StepBuilder, Lock], None]] = {
    (LockKind.NOTE_IN_DOUBT, Settlement.CREDIT_NOTE): _credit_doubted_note,
    (LockKind.UNEXPECTED_NOTE, Settlement.CREDIT_NOTE): _credit_suspended_note,
    (LockKind.UNEXPECTED_NOTE, Settlement.NOTHING_OWED): _keep_suspended_note,
    (LockKind.TICKET_IN_DOUBT, Settlement.CREDIT_TICKET): tickets_in.credit,
    (LockKind.UNEXPECTED_TICKET, Settlement.CREDIT_TICKET): tickets_in.credit,
    (LockKind.TICKET_IN_DOUBT, Settlement.PAID_BY_HAND): tickets_in.pay_by_hand,
    (LockKind.UNEXPECTED_TICKET, Settlement.PAID_BY_HAND): tickets_in.pay_by_hand,
    (LockKind.EXCESSIVE_INCREMENT, Settlement.CLEAR): _accept_increment,
    (LockKind.CLOCK_INVALID, Settlement.TIME_IS_RIGHT): _confirm_time,
    (LockKind.EXCESSIVE_REJECTS, Settlement.CLEAR): _forget_rejects,
    (LockKind.PRINT_UNKNOWN, Settlement.TICKET_CAME_OUT): _confirm_ticket,
    (LockKind.PRINT_UNKNOWN, Settlement.REPRINT): _reprint,
    (LockKind.PRINT_UNKNOWN, Settlement.GIVE_CREDIT): cash_out.return_to_credit,
    (LockKind.HAND_PAY, Settlement.GIVE_CREDIT): cash_out.return_to_credit,
    **{(kind, Settlement.PAID_BY_HAND): _pay_by_hand for kind in _HAND_PAY_ROUTES},
}
"""What each settlement moves or changes, besides its lock."""

_WITHOUT_A_MOVE = frozenset({Settlement.CLEAR, Settlement.NOTE_RETURNED, Settlement.TICKET_RETURNED})
"""Settlements of a lock that holds nothing of the books."""


def why_not_void(_settings: Settings, machine: Machine, _command: VoidRound) -> Reason | None:
    """Requires an open round that a fault has stopped."""
    if not locks.hand_open(machine):
        return Reason.NOT_NOW
    return None if locks.play_stopped(machine) else Reason.NOT_ALLOWED


def void_round(step: StepBuilder, _command: VoidRound) -> None:
    """Returns every stake of the open round to credit; nothing is won, and the journal keeps the cards."""
    machine = step.machine
    locks.audit_or_lock(step)  # behind this step the table is empty: a wrong balance of it would not be seen
    cents = machine.books.balance(Account.TABLE)
    step.post(Route.VOIDED, cents)
    step.count(voided_rounds=1)
    places = len(machine.seat.bets)
    step.update(phase=Phase.BETTING, round=None, results=None)
    step.update_seat(bets=(0,) * places, insurance_offer_cents=0)
    step.emit(RoundVoided(number=machine.round_number, cents=cents))
    step.log(LogKind.ROUND_VOIDED, f"round {machine.round_number}", cents)

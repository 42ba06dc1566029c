"""What can be wrong, what each fault stops, and how it ends: one table, and the functions that add and clear locks.

Several locks stay separate; clearing one clears no other. A lock never changes the round. The books are audited
here too: a difference is a lock, and a lock that is cleared while the difference lasts comes back.
Source: requirements TE-01 to TE-08 and the event table of the same chapter; CM-05, PL-08.
"""

from collections.abc import Mapping
from dataclasses import replace

from cabinet.engine import ledger
from cabinet.engine.errors import EngineError
from cabinet.engine.inputs import Door, Fault, Settlement
from cabinet.engine.ledger import Account
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.state import ClearedBy, Lock, LockKind, LockRule, Machine, Phase
from cabinet.engine.step import StepBuilder


def _rule(
    stops: str,
    cleared_by: ClearedBy,
    *settlements: Settlement,
    alarm: bool = False,
    calls: bool = False,
    lets_hand_finish: bool = False,
    technician: bool = False,
) -> LockRule:
    """A row of the table; `stops` names what is off: p (play), n(otes), c(ash-out), h(and-pays)."""
    return LockRule(
        stops_play="p" in stops,
        stops_notes="n" in stops,
        stops_cash_out="c" in stops,
        stops_hand_pay="h" in stops,
        cleared_by=cleared_by,
        alarm=alarm,
        calls=calls,
        lets_hand_finish=lets_hand_finish,
        technician=technician,
        settlements=settlements,
    )


_CONDITION, _ATTENDANT, _DECISION = ClearedBy.CONDITION, ClearedBy.ATTENDANT, ClearedBy.SETTLEMENT

LOCKS: Mapping[LockKind, LockRule] = {
    LockKind.MEMORY: _rule("pnc", _DECISION),
    LockKind.SETTINGS_REFUSED: _rule("pnc", _CONDITION),
    LockKind.DATA_REFUSED: _rule("pnc", _CONDITION),
    LockKind.DATA_PARTITION_MISSING: _rule("pnc", _CONDITION),
    LockKind.SELF_AUDIT: _rule("pnc", _DECISION, Settlement.CLEAR, technician=True),
    LockKind.PROGRAM_CHANGED: _rule("pnc", _DECISION, Settlement.CLEAR, technician=True),
    LockKind.LOGIC_DOOR: _rule("pnc", _ATTENDANT, Settlement.CLEAR, alarm=True, technician=True),
    LockKind.MAIN_DOOR: _rule("pnc", _CONDITION, alarm=True),
    LockKind.CASHBOX_DOOR: _rule("pnc", _CONDITION, alarm=True),
    LockKind.CASHBOX_REMOVED: _rule("pnc", _CONDITION),
    LockKind.DOOR_WHILE_OFF: _rule("pnc", _DECISION, Settlement.CLEAR),
    LockKind.BILL_CHEAT: _rule("n", _ATTENDANT, Settlement.CLEAR, alarm=True),
    LockKind.BILL_JAM: _rule("pnc", _ATTENDANT, Settlement.CLEAR, alarm=True),
    LockKind.NOTE_IN_DOUBT: _rule("pnc", _DECISION, Settlement.CREDIT_NOTE, Settlement.NOTE_RETURNED),
    LockKind.UNEXPECTED_NOTE: _rule(
        "pnc", _DECISION, Settlement.CREDIT_NOTE, Settlement.PAID_BY_HAND, Settlement.NOTHING_OWED
    ),
    LockKind.TICKET_IN_DOUBT: _rule(
        "pnc", _DECISION, Settlement.CREDIT_TICKET, Settlement.PAID_BY_HAND, Settlement.TICKET_RETURNED
    ),
    LockKind.UNEXPECTED_TICKET: _rule("pnc", _DECISION, Settlement.CREDIT_TICKET, Settlement.PAID_BY_HAND),
    LockKind.EXCESSIVE_INCREMENT: _rule("pnc", _DECISION, Settlement.CLEAR, technician=True),
    LockKind.PRINT_UNKNOWN: _rule(
        "pnc",
        _DECISION,
        Settlement.TICKET_CAME_OUT,
        Settlement.PAID_BY_HAND,
        Settlement.REPRINT,
        Settlement.GIVE_CREDIT,
    ),
    LockKind.PRINTER_JAM: _rule("pnc", _ATTENDANT, Settlement.CLEAR),
    LockKind.HAND_PAY: _rule("pnc", _DECISION, Settlement.PAID_BY_HAND, Settlement.GIVE_CREDIT),
    LockKind.LARGE_WIN: _rule("pnc", _DECISION, Settlement.CLEAR, Settlement.PAID_BY_HAND),
    LockKind.OUT_OF_SERVICE: _rule("pn", _DECISION, lets_hand_finish=True),
    LockKind.DISPLAY_LOST: _rule("pnc", _CONDITION),
    LockKind.STORAGE_LOW: _rule("pn", _CONDITION, lets_hand_finish=True),
    LockKind.SECOND_COPY_LOST: _rule("pn", _CONDITION, lets_hand_finish=True),
    LockKind.COPIES_NOT_COMPARED: _rule("pnch", _DECISION, Settlement.CLEAR, lets_hand_finish=True),
    LockKind.RECORDS_IN_DOUBT: _rule("pnch", _DECISION, Settlement.CLEAR, lets_hand_finish=True),
    LockKind.PLAYER_LIMIT: _rule("pn", ClearedBy.PLAYER, lets_hand_finish=True),
    LockKind.CASHBOX_FULL: _rule("n", _CONDITION),
    LockKind.EXCESSIVE_REJECTS: _rule("n", _DECISION, Settlement.CLEAR),
    LockKind.ACCEPTOR_FAULT: _rule("n", _CONDITION),
    LockKind.ACCEPTOR_LINK: _rule("n", _CONDITION),
    LockKind.ACCEPTOR_WRONG: _rule("n", _ATTENDANT, Settlement.CLEAR),
    LockKind.ACCEPTOR_EVENTS_LOST: _rule("n", _ATTENDANT, Settlement.CLEAR),
    LockKind.PRINTER_LINK: _rule("", _CONDITION),
    LockKind.PRINTER_FAULT: _rule("", _CONDITION),
    LockKind.PRINTER_COVER: _rule("", _CONDITION),
    LockKind.PAPER_OUT: _rule("", _CONDITION),
    LockKind.PAPER_LOW: _rule("", _CONDITION, calls=True),
    LockKind.CASHBOX_NEAR_FULL: _rule("", _CONDITION, calls=True),
    LockKind.CLOCK_INVALID: _rule("", _CONDITION, Settlement.TIME_IS_RIGHT, technician=True),
    LockKind.OVER_TEMPERATURE: _rule("", _CONDITION),
    LockKind.UNDER_VOLTAGE: _rule("", _CONDITION),
    LockKind.STUCK_BUTTON: _rule("", _CONDITION, calls=True),
}

FAULT_LOCKS: Mapping[Fault, LockKind | None] = {
    Fault.BILL_JAM: LockKind.BILL_JAM,
    Fault.BILL_CHEAT: LockKind.BILL_CHEAT,
    Fault.BILL_COUNTERFEIT: None,
    Fault.CASHBOX_FULL: LockKind.CASHBOX_FULL,
    Fault.CASHBOX_NEAR_FULL: LockKind.CASHBOX_NEAR_FULL,
    Fault.CASHBOX_REMOVED: LockKind.CASHBOX_REMOVED,
    Fault.ACCEPTOR_HARDWARE: LockKind.ACCEPTOR_FAULT,
    Fault.ACCEPTOR_LINK: LockKind.ACCEPTOR_LINK,
    Fault.ACCEPTOR_WRONG: LockKind.ACCEPTOR_WRONG,
    Fault.ACCEPTOR_EVENTS_LOST: LockKind.ACCEPTOR_EVENTS_LOST,
    Fault.PRINTER_LINK: LockKind.PRINTER_LINK,
    Fault.PRINTER_HARDWARE: LockKind.PRINTER_FAULT,
    Fault.PRINTER_COVER: LockKind.PRINTER_COVER,
    Fault.PRINTER_JAM: LockKind.PRINTER_JAM,
    Fault.PAPER_OUT: LockKind.PAPER_OUT,
    Fault.PAPER_LOW: LockKind.PAPER_LOW,
    Fault.DISPLAY_LOST: LockKind.DISPLAY_LOST,
    Fault.STORAGE_LOW: LockKind.STORAGE_LOW,
    Fault.SECOND_COPY_LOST: LockKind.SECOND_COPY_LOST,
    Fault.CLOCK_INVALID: LockKind.CLOCK_INVALID,
    Fault.PROGRAM_CHANGED: LockKind.PROGRAM_CHANGED,
    Fault.STUCK_BUTTON: LockKind.STUCK_BUTTON,
    Fault.OVER_TEMPERATURE: LockKind.OVER_TEMPERATURE,
    Fault.UNDER_VOLTAGE: LockKind.UNDER_VOLTAGE,
}
"""The lock that a device's fault adds; None for a fault that is only logged."""

DOOR_LOCKS: Mapping[Door, LockKind] = {
    Door.MAIN: LockKind.MAIN_DOOR,
    Door.CASHBOX: LockKind.CASHBOX_DOOR,
    Door.LOGIC: LockKind.LOGIC_DOOR,
}

PRINTER_STOPPERS = frozenset(
    {
        LockKind.PRINTER_LINK,
        LockKind.PRINTER_FAULT,
        LockKind.PRINTER_COVER,
        LockKind.PAPER_OUT,
        LockKind.PRINTER_JAM,
        LockKind.PRINT_UNKNOWN,
    }
)
"""With any of these a cash-out is paid by hand."""


def hand_open(machine: Machine) -> bool:
    """Returns True while a round waits for a player's decision."""
    return machine.phase in {Phase.INSURANCE, Phase.DECIDING}


def play_stopped(machine: Machine) -> bool:
    """Returns True when a lock forbids play now; a lock that lets the hand finish forbids only the next one."""
    hand = hand_open(machine)
    return any(LOCKS[k.kind].stops_play and not (hand and LOCKS[k.kind].lets_hand_finish) for k in machine.locks)


def notes_stopped(machine: Machine) -> bool:
    """Returns True when a lock forbids accepting notes."""
    return any(LOCKS[lock.kind].stops_notes for lock in machine.locks)


def cash_out_stopped(machine: Machine) -> bool:
    """Returns True when a lock forbids paying out."""
    return any(LOCKS[lock.kind].stops_cash_out for lock in machine.locks)


def hand_pay_stopped(machine: Machine) -> bool:
    """Returns True while an amount that is unpaid in the records may have been paid: then the attendant does not pay it
    either."""
    return any(LOCKS[lock.kind].stops_hand_pay for lock in machine.locks)


def printing_stopped(machine: Machine) -> bool:
    """Returns True when a lock keeps the printer from printing: a cash-out is paid by hand."""
    return any(lock.kind in PRINTER_STOPPERS for lock in machine.locks)


def find(machine: Machine, kind: LockKind) -> Lock | None:
    """Returns the lock of this kind, if there is one."""
    return next((lock for lock in machine.locks if lock.kind is kind), None)


def find_id(machine: Machine, lock_id: int) -> Lock | None:
    """Returns the lock with this id, if it is still there."""
    return next((lock for lock in machine.locks if lock.lock_id == lock_id), None)


_PRIORITY = {kind: place for place, kind in enumerate(LockKind)}


def add_lock(
    step: StepBuilder,
    kind: LockKind,
    detail: str = "",
    cents: int = 0,
    sequence: int | None = None,
    *,
    named: bool = False,
) -> None:
    """Adds a lock, highest priority first. A kind without money has one lock at most: it is present again. `named`: an
    entry of the caller names the cause, so the log gets no second one."""
    standing = find(step.machine, kind)
    if standing is not None and not (cents or sequence):
        _set_present(step, standing, present=True)
        return
    add_separate_lock(step, Lock(kind=kind, detail=detail, cents=cents, sequence=sequence), named=named)


def add_separate_lock(step: StepBuilder, lock: Lock, *, named: bool = False) -> None:
    """Adds a lock beside those of its kind, and numbers it. `named` as in `add_lock`."""
    machine = step.machine
    lock = replace(lock, lock_id=machine.next_lock_id)
    ordered = sorted((*machine.locks, lock), key=lambda each: (_PRIORITY[each.kind], each.lock_id))
    step.update(locks=tuple(ordered), next_lock_id=machine.next_lock_id + 1, attract=False)
    if not named:
        step.log(LogKind.LOCKED, _named(lock), lock.cents or None)


def reword(step: StepBuilder, kind: LockKind, detail: str) -> bool:
    """Gives the lock of this kind another cause; returns whether there was one with a different cause."""
    standing = find(step.machine, kind)
    if standing is None or detail in {"", standing.detail}:
        return False
    _replace(step, replace(standing, detail=detail))
    return True


def clear_lock(step: StepBuilder, lock: Lock, *, named: bool = False) -> None:
    """Clears one lock. `named` as in `add_lock`."""
    step.update(locks=tuple(each for each in step.machine.locks if each.lock_id != lock.lock_id))
    if not named:
        step.log(LogKind.UNLOCKED, _named(lock), lock.cents or None)


def ticket_number(lock: Lock) -> int:
    """Returns the number of the ticket that the lock is about. Raises EngineError for a lock without one, which no step
    adds to a ticket in doubt."""
    if lock.sequence is None:
        raise EngineError(f"lock {lock.lock_id}, {lock.kind.value}, has no ticket number")
    return lock.sequence


def audit_or_lock(step: StepBuilder) -> bool:
    """Returns True if the books agree with themselves and with the open hands; if not, the machine is locked and the
    reason logged, once in a step."""
    machine = step.machine
    staked = machine.round.staked_cents if machine.round is not None and hand_open(machine) else 0
    table = machine.books.balance(Account.TABLE)
    stakes = () if table == staked else (f"the table holds {table}, the open hands have staked {staked}",)
    faults = (*ledger.faults_of(machine.books), *stakes)
    if faults:
        if not any(isinstance(each, LogEntry) and each.what is LogKind.SELF_AUDIT_FAILED for each in step.events):
            step.log(LogKind.SELF_AUDIT_FAILED, "; ".join(faults))
        add_lock(step, LockKind.SELF_AUDIT, "; ".join(faults))
    return not faults


NOTES_MARK = "play.bills_in"
"""The mark with the value of the notes' meter at the beginning of the current play."""


def notes_counted_from_here(step: StepBuilder) -> None:
    """Begins or ends a play: the notes of the next one are counted from here."""
    step.mark("play", "bills_in")


def condition_gone(step: StepBuilder, kind: LockKind) -> None:
    """Handles the end of a fault or of an open door, which the caller logs. Clears the lock, or marks that the
    attendant may clear it."""
    lock = find(step.machine, kind)
    if lock is None:
        return
    if LOCKS[kind].cleared_by is ClearedBy.CONDITION:
        clear_lock(step, lock, named=True)
    else:
        _set_present(step, lock, present=False)


def _set_present(step: StepBuilder, lock: Lock, *, present: bool) -> None:
    _replace(step, replace(lock, present=present))


def _replace(step: StepBuilder, changed: Lock) -> None:
    step.update(locks=tuple(changed if each.lock_id == changed.lock_id else each for each in step.machine.locks))


def _named(lock: Lock) -> str:
    return f"{lock.kind.value}: {lock.detail}" if lock.detail else lock.kind.value

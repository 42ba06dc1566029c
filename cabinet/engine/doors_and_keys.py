"""Doors, the audit key, the reset key, the PIN and the call button.

A door is a lock while it is open; the reset key gives the plain answer to the first lock that needs no more.
"""

from cabinet.engine import locks, technician
from cabinet.engine.inputs import (
    CallAttendant,
    Door,
    DoorClosed,
    DoorOpened,
    Key,
    KeyTurned,
    PinEntered,
    PinWaitOver,
    SettleLock,
    Settlement,
)
from cabinet.engine.locks import DOOR_LOCKS, LOCKS
from cabinet.engine.log import LogKind
from cabinet.engine.settlement import settle_lock, settlements_of
from cabinet.engine.state import LockKind
from cabinet.engine.step import StepBuilder


def call_attendant(step: StepBuilder, _command: CallAttendant) -> None:
    """Switches the call lamp."""
    step.update(calling=not step.machine.calling)
    step.log(LogKind.CALL_ON if step.machine.calling else LogKind.CALL_OFF)


def door_opened(step: StepBuilder, fact: DoorOpened) -> None:
    """Everything stops; the door is counted once per opening. An opening while the power was off is a
    second lock, which stays when the door is closed."""
    if fact.door not in step.machine.access.open_doors:
        step.update_access(open_doors=(*step.machine.access.open_doors, fact.door))
        step.count_named({f"doors:{fact.door.value}": 1})
        step.log(LogKind.DOOR_OPENED, fact.door.value)
        if fact.while_off:
            step.log(LogKind.DOOR_WHILE_OFF, fact.door.value)
            locks.add_lock(step, LockKind.DOOR_WHILE_OFF, fact.door.value, named=True)
        locks.add_lock(step, DOOR_LOCKS[fact.door], named=True)
    technician.detect_technician(step)


def door_closed(step: StepBuilder, fact: DoorClosed) -> None:
    """Returns to the state before, unless another lock is in force."""
    if fact.door not in step.machine.access.open_doors:
        return
    left = tuple(door for door in step.machine.access.open_doors if door is not fact.door)
    step.update_access(open_doors=left)
    if fact.door is Door.MAIN:
        step.mark("door_close", "games_played")
    step.log(LogKind.DOOR_CLOSED, fact.door.value)
    locks.condition_gone(step, DOOR_LOCKS[fact.door])
    technician.door_closed(step, fact.door)
    step.require_audit()


def key_turned(step: StepBuilder, fact: KeyTurned) -> None:
    """Applies a turn of a key: the audit key opens the attendant's menu; the reset key settles a lock that needs the
    attendant's confirmation."""
    if fact.key is Key.AUDIT:
        if fact.on is not step.machine.access.audit_key:
            step.update(attract=False)
            step.update_access(audit_key=fact.on)
            step.log(LogKind.AUDIT_ENTERED if fact.on else LogKind.AUDIT_LEFT)
        if fact.on:
            technician.detect_technician(step)
        else:
            technician.leave(step)
    elif fact.on and step.machine.access.clear_prepared:
        technician.clear_memory(step)
    elif fact.on:
        _reset(step)


def pin_entered(step: StepBuilder, fact: PinEntered) -> None:
    """Applies a PIN from the attendant's menu."""
    technician.pin_entered(step, right=fact.right)


def pin_wait_over(step: StepBuilder, _fact: PinWaitOver) -> None:
    """Ends the lock-out by wrong PINs."""
    technician.end_lock_out(step)


_RESET_SETTLES = {LockKind.HAND_PAY: Settlement.PAID_BY_HAND}
"""What the reset key's yes means where it is not a plain clearing."""


def _reset(step: StepBuilder) -> None:
    """The reset key settles the first lock that takes a plain yes; without one it switches the call lamp off.

    A lock that only the technician may clear, or that needs a comparison with the printed reports, is settled in the
    menu.
    """
    for lock in step.machine.locks:
        how, rule = _RESET_SETTLES.get(lock.kind, Settlement.CLEAR), LOCKS[lock.kind]
        in_menu = rule.technician or rule.stops_hand_pay
        if not in_menu and how in settlements_of(step.machine, lock):
            settle_lock(step, SettleLock(lock_id=lock.lock_id, how=how))
            return
    if step.machine.calling:
        call_attendant(step, CallAttendant())

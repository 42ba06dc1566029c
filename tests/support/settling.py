"""Every lock with its cause gone and an attendant who may settle it, and every settlement."""

from collections.abc import Iterator

from support.locked import under
from support.machines import Cabinet

from cabinet.engine.bills_in import value_unknown
from cabinet.engine.inputs import DoorClosed, Fault, FaultEnded, SettleLock, Settlement
from cabinet.engine.locks import LOCKS
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import LockKind


def ready(kind: LockKind) -> Cabinet:
    """Returns the lock with its cause gone, and an attendant who may settle it. A time is confirmed while in doubt."""
    cabinet = under(kind)
    cabinet.do(*(DoorClosed(door=door) for door in cabinet.machine.access.open_doors))
    cabinet.do(*(FaultEnded(fault=fault) for fault in cabinet.machine.faults if fault is not Fault.CLOCK_INVALID))
    if LOCKS[kind].technician:
        cabinet.technician()
        cabinet.do(*(DoorClosed(door=door) for door in cabinet.machine.access.open_doors))
    else:
        cabinet.audit()
    return cabinet


def ways() -> Iterator[tuple[LockKind, Settlement]]:
    """Every kind of lock with every way it may be settled."""
    for kind in LockKind:
        cabinet = ready(kind) if LOCKS[kind].settlements else None
        if cabinet is not None:
            yield from ((kind, how) for how in settlements_of(cabinet.machine, cabinet.lock(kind)))


WAYS = tuple(ways())


def choice(cabinet: Cabinet, kind: LockKind, how: Settlement) -> SettleLock:
    """The command that settles the lock this way."""
    lock = cabinet.lock(kind)
    return SettleLock(lock_id=lock.lock_id, how=how, cents=500 if value_unknown(lock) else None)

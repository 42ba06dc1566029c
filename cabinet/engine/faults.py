"""Faults that devices and sensors report: each begins and ends by itself, and adds the lock of its kind."""

from cabinet.engine import closings, documents, locks
from cabinet.engine.inputs import (
    Fault,
    FaultBegan,
    FaultEnded,
)
from cabinet.engine.locks import FAULT_LOCKS
from cabinet.engine.log import LogKind
from cabinet.engine.state import LockKind
from cabinet.engine.step import StepBuilder

_SILENCES_ACCEPTOR = frozenset({Fault.ACCEPTOR_LINK, Fault.ACCEPTOR_WRONG, Fault.ACCEPTOR_HARDWARE})
"""With these an acceptor may never report an open document."""
_NOT_HEARD = frozenset({Fault.ACCEPTOR_LINK, Fault.ACCEPTOR_WRONG})
"""With these no acceptor of this cabinet reports anything."""


def fault_began(step: StepBuilder, fact: FaultBegan) -> None:
    """A device's fault: logged, counted once while it lasts, and locked as its row says. One that lasts for another
    reason is logged again, and its lock says so: it is never gone in between."""
    kind = FAULT_LOCKS[fact.fault]
    words = f"{fact.fault.value}: {fact.detail}" if fact.detail else fact.fault.value
    if kind is not None and fact.fault in step.machine.faults:
        unheard = locks.find(step.machine, kind) is None
        if unheard:
            locks.add_lock(step, kind, fact.detail, named=True)
        if unheard or locks.reword(step, kind, fact.detail):
            step.log(LogKind.FAULT_BEGAN, words, _held_cents(step, fact.fault))
        return
    cents = _held_cents(step, fact.fault)
    if fact.fault is Fault.CASHBOX_REMOVED:
        number, cents = closings.close_cash_box(step)
        words = ", ".join(filter(None, (f"{fact.fault.value}: {number}", fact.detail)))
    step.log(LogKind.FAULT_BEGAN, words, cents)
    if kind is not None:
        step.update(faults=(*step.machine.faults, fact.fault))
        locks.add_lock(step, kind, fact.detail, named=True)
    if fact.fault in _SILENCES_ACCEPTOR:
        documents.doubt(step)  # a report may never come; one that is about it settles it


def _held_cents(step: StepBuilder, fault: Fault) -> int | None:
    """Returns the amount of the note or ticket that a jam holds, for the log; None without one."""
    held = documents.doubtful(step.machine) if fault is Fault.BILL_JAM else None
    return held.cents if held is not None else None


def fault_ended(step: StepBuilder, fact: FaultEnded) -> None:
    """A device says a fault is over, or no device can report it any more.

    Where the cash box is does not follow from the silence of its acceptor: the lock ends, and the box counts as taken
    out until the acceptor has started with it, so that one removal is counted once.
    """
    if fact.fault not in step.machine.faults:
        return
    kind = FAULT_LOCKS[fact.fault]
    silent = not _NOT_HEARD.isdisjoint(step.machine.faults)
    if fact.fault is not Fault.CASHBOX_REMOVED or not silent:
        step.update(faults=tuple(fault for fault in step.machine.faults if fault is not fact.fault))
    elif locks.find(step.machine, LockKind.CASHBOX_REMOVED) is None:
        return
    step.log(LogKind.FAULT_ENDED, fact.fault.value, _held_cents(step, fact.fault))
    if kind is not None:
        locks.condition_gone(step, kind)

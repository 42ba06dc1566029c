"""Which lamps are lit: those of the buttons, and the light on top of the cabinet.

Rules: a button's lamp, its legend and what the engine accepts are one and the same set; the tower light follows from
the machine alone. The tower tells four states apart: call (call lamp), fault (fault lamp), an open door (both), and a
payment by hand (call lamp, as the attendant is needed and nothing is broken).
"""

from enum import Enum

from cabinet.engine.inputs import Button
from cabinet.engine.locks import LOCKS
from cabinet.engine.state import Lock, LockKind, Machine
from cabinet.ui.news import News, lit_now


class Tower(Enum):
    """The lamps of the tower light."""

    CALL = "call"
    FAULT = "fault"


_DOORS = frozenset({LockKind.MAIN_DOOR, LockKind.CASHBOX_DOOR, LockKind.LOGIC_DOOR})
_PAYMENTS = frozenset({LockKind.HAND_PAY, LockKind.LARGE_WIN})
_QUIET = frozenset({LockKind.OUT_OF_SERVICE, LockKind.CLOCK_INVALID})
"""What is no fault: the operator closed the machine, or nobody has set the clock."""


def lamps_of(news: News, now_s: float) -> frozenset[Button]:
    """The buttons that are lit now."""
    return lit_now(news, now_s)


def tower_of(machine: Machine) -> frozenset[Tower]:
    """The lamps of the tower light that are lit."""
    lit = {lamp for lock in machine.locks for lamp in _lamps_for(lock)}
    return frozenset(lit | ({Tower.CALL} if machine.calling else set()))


def _lamps_for(lock: Lock) -> frozenset[Tower]:
    if lock.kind in _DOORS:
        return frozenset(Tower)
    if lock.kind in _PAYMENTS:
        return frozenset({Tower.CALL})
    return frozenset() if lock.kind in _QUIET else frozenset({Tower.FAULT})


def sounds_alarm(machine: Machine) -> bool:
    """True while something is wrong that has to be heard, whatever the volume."""
    return any(LOCKS[lock.kind].alarm and lock.present for lock in machine.locks)

"""The time without tries after too many wrong PINs.

Rules: the time is monotonic and begins at the first sight of the lock-out in this run, so that a restart begins it
again and never shortens it; the count of wrong PINs is stored. Its end is a fact for the machine. The module knows no
PIN.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cabinet.engine.inputs import Fact, PinWaitOver
from cabinet.engine.state import Machine
from cabinet.engine.technician import is_locked_out

LOCK_OUT_S = 15 * 60.0
"""Seconds in which no PIN is taken: three tries in a quarter of an hour make a search of all PINs take years."""


@dataclass(slots=True, kw_only=True)
class PinWatch:
    """The lock-out of one machine."""

    lock_out_s: float = LOCK_OUT_S
    left_s: float = 0.0
    """Seconds left of the lock-out at the last check; 0 without one."""
    _ends_s: float | None = None

    def facts(self, machine: Machine, now: float) -> Iterator[Fact]:
        """Yields the end of the lock-out when its time has passed."""
        if not is_locked_out(machine):
            self._ends_s, self.left_s = None, 0.0
            return
        if self._ends_s is None:
            self._ends_s = now + self.lock_out_s
        self.left_s = max(0.0, self._ends_s - now)
        if now >= self._ends_s:
            yield PinWaitOver()

"""The keys of a keyboard that works a simulated cabinet.

Rules: a button that a key holds down stays down for SHORTEST_HOLD_S at least, as a finger would hold it; the pins drop
anything shorter as a bounce. Pure but for what it remembers. Does not know what a key does.
"""

from collections.abc import Callable
from typing import Final

from cabinet.presentation.port import SimulatedKey

SHORTEST_HOLD_S: Final = 0.03
"""A simulated button is held down at least so long."""


class Keyboard:
    """The keys that are down, and those to be let go soon."""

    def __init__(self) -> None:
        self._down_s: dict[str, float] = {}
        self._lifts: dict[str, tuple[float, Callable[[], None]]] = {}

    def press(self, name: str, key: SimulatedKey, now: float) -> None:
        """A key went down."""
        self._down_s[name] = now
        key.down()

    def release(self, name: str, key: SimulatedKey, now: float) -> None:
        """A key went up; what it holds is let go when `lift` is called in time."""
        if key.up is not None:
            self._lifts[name] = (max(now, self._down_s.pop(name, now) + SHORTEST_HOLD_S), key.up)

    def lift(self, now: float) -> None:
        """Let go of what is due."""
        for name in [name for name, (due_s, _) in self._lifts.items() if due_s <= now]:
            self._lifts.pop(name)[1]()

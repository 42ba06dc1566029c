"""The keyboard of a simulated cabinet.

Rules: a button pressed by a key stays down for at least SHORTEST_HOLD_S, as under a finger; the pins drop anything
shorter as a bounce. Pure but for the keys it remembers. Does not know what a key does.
"""

from collections.abc import Callable
from typing import Final

from cabinet.presentation.port import SimulatedKey

SHORTEST_HOLD_S: Final = 0.03
"""Seconds a simulated button stays down at least."""


class Keyboard:
    """The keys that are down, and those due for release."""

    def __init__(self) -> None:
        self._down_s: dict[str, float] = {}
        self._lifts: dict[str, tuple[float, Callable[[], None]]] = {}

    def press(self, name: str, key: SimulatedKey, now: float) -> None:
        """Records that a key went down."""
        self._down_s[name] = now
        key.down()

    def release(self, name: str, key: SimulatedKey, now: float) -> None:
        """Records that a key went up; the next due `lift` releases its button."""
        if key.up is not None:
            self._lifts[name] = (max(now, self._down_s.pop(name, now) + SHORTEST_HOLD_S), key.up)

    def lift(self, now: float) -> None:
        """Releases the buttons that are due."""
        for name in [name for name, (due_s, _) in self._lifts.items() if due_s <= now]:
            self._lifts.pop(name)[1]()

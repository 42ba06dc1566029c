"""Makes one press of what a touch screen may report twice.

Rules: some displays send a finger, some a mouse, some both, and some a second mouse click; presses that are close in
time and place are one. Pure but for what it remembers of the last press.
"""

from math import hypot
from typing import Final

SAME_S: Final = 0.08
"""Two presses closer than this in time may be one."""
SAME_SHARE: Final = 30 / 1080
"""And when they are also closer than this share of the display's height."""


class Taps:
    """Tells a new press from an echo of the last one."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._near_px = SAME_SHARE * size[1]
        self._last: tuple[tuple[int, int], float] | None = None

    def accept(self, position: tuple[int, int], now: float) -> bool:
        """True for a press of its own; an echo is forgotten, and does not make later ones echoes."""
        if self._last is not None:
            (x, y), at = self._last
            if now - at < SAME_S and hypot(position[0] - x, position[1] - y) < self._near_px:
                return False
        self._last = (position, now)
        return True

"""Merges the double reports of a touch screen into one press.

Rules: some displays send a finger event, some a mouse event, some both, and some a second mouse click; two presses
close in time and place are one. Pure but for the last press, which it remembers.
"""

from math import hypot
from typing import Final

SAME_S: Final = 0.08
"""Seconds. Two presses closer than this may be one."""
SAME_SHARE: Final = 30 / 1080
"""Share of the display's height. They are one when they are also closer than this."""


class TapFilter:
    """Detects whether a press is new or an echo of the last one."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._near_px = SAME_SHARE * size[1]
        self._last: tuple[tuple[int, int], float] | None = None

    def accept(self, position: tuple[int, int], now: float) -> bool:
        """Returns True for a new press. An echo is not remembered, so it makes no later press an echo."""
        if self._last is not None:
            (x, y), at = self._last
            if now - at < SAME_S and hypot(position[0] - x, position[1] - y) < self._near_px:
                return False
        self._last = (position, now)
        return True

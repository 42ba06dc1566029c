"""A time of day in a test's hands."""

from cabinet.runtime.startup import RELEASED_MS

NOON_MS = RELEASED_MS + 1_000_000_000
HOUR_MS = 3_600_000


class Day:
    """A time of day in a test's hands; runs with `now` unless it is set."""

    def __init__(self, wall_ms: int = NOON_MS) -> None:
        self.wall = wall_ms
        self.now = 0.0

    def read(self) -> int:
        return self.wall

    def after(self, seconds: float) -> float:
        """So much later; `now`."""
        self.now += seconds
        self.wall += round(seconds * 1_000)
        return self.now

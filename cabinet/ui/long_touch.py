"""Fingers on a stack of chips: a short touch places a chip, a long one takes one back.

Rules: one touch is one of the two, never both, so a short touch counts when the finger leaves within HOLD_S. A finger
that stays takes back another chip after each further HOLD_S, until STUCK_S. Pure but for the fingers it remembers. Does
not know where a finger is, or what it may ask for.
"""

from dataclasses import dataclass, replace

from cabinet.presentation.press_or_hold import HOLD_S, STUCK_S
from cabinet.ui.touch import Wish


@dataclass(frozen=True, slots=True, kw_only=True)
class LongTouch:
    """One finger that is down."""

    at: tuple[int, int]
    """The pixel it came down on."""
    short: Wish | None
    long: Wish
    since_s: float
    due_s: float
    """When it takes the next chip."""

    @property
    def is_held(self) -> bool:
        """True when it has taken a chip: it is no short touch any more."""
        return self.due_s > self.since_s + HOLD_S


class LongTouches:
    """All fingers that are on stacks."""

    def __init__(self) -> None:
        self._down: dict[int, LongTouch] = {}

    @property
    def next_s(self) -> float:
        """When to call `due` next; infinite for never."""
        return min((touch.due_s for touch in self._waiting()), default=float("inf"))

    def touch(self, finger: int, at: tuple[int, int], short: Wish | None, long: Wish, now: float) -> None:
        """Records that a finger came down on a stack."""
        self._down[finger] = LongTouch(at=at, short=short, long=long, since_s=now, due_s=now + HOLD_S)

    def due(self, now: float) -> tuple[LongTouch, ...]:
        """Returns the fingers that take a chip now, each once for every HOLD_S."""
        waiting = self._waiting()
        found = {finger: touch for finger, touch in self._down.items() if touch in waiting and now >= touch.due_s}
        self._down |= {finger: replace(touch, due_s=now + HOLD_S) for finger, touch in found.items()}
        return tuple(found.values())

    def lift(self, finger: int, now: float) -> LongTouch | None:
        """Records that a finger left; returns it when that was a short touch."""
        touch = self._down.pop(finger, None)
        return touch if touch is not None and not touch.is_held and now < touch.due_s else None

    def _waiting(self) -> tuple[LongTouch, ...]:
        return tuple(touch for touch in self._down.values() if touch.due_s < touch.since_s + STUCK_S)

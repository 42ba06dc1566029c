"""When a press counts: as the button goes down, or, for one that does something else when it is held, as it is let go.

Rules: one push of a finger is one thing, a press or a hold, never both; a press that counts late means what it meant
when the button went down, or nothing: a story, a page or the attendant's key that came between has taken it away. One
that hurries a story has counted by that. Light and sound do not wait for any of this. `take` may be called from another
thread than the rest. Reads no clock.
"""

from typing import Final, NamedTuple

from cabinet.engine import machine as engine
from cabinet.engine.inputs import Button, Command
from cabinet.engine.state import Settings
from cabinet.presentation.snapshot import Snapshot, is_open, lit_now, played_unseen, settling_now

STUCK_S: Final = 30.0
"""A button that is down so long is not held by anybody."""
HOLD_S: Final = 1.0
"""How long a button must be down to be held; sooner let go it was pressed."""
LANGUAGE: Final = Button.CHIP
RULES: Final = Button.PLACE
SESSION: Final = Button.STAND
ONE_BACK: Final = Button.CLEAR
"""Held while bets are down it takes one chip back; pressed, all of them."""


def counts_late(snapshot: Snapshot, button: Button, now: float) -> bool:
    """True for a button whose press counts when it is let go: it does something else when it is held, as things are."""
    if snapshot.attendant is not None or not is_open(snapshot, now) or button in settling_now(snapshot, now):
        return False
    if button is ONE_BACK:
        return sum(snapshot.machine.bets) > 0 and button in lit_now(snapshot, now)
    return button in {LANGUAGE, RULES} or (button is SESSION and button not in lit_now(snapshot, now))


class _Down(NamedTuple):
    """A button that may yet become a press: what that would mean, and since when it is down."""

    meaning: Command | None
    since_s: float


class PressOrHold:
    """The buttons of one panel or one screen that are down, and what letting go of them means."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._down: dict[Button, _Down] = {}
        self._taken: set[Button] = set()

    def down(self, button: Button, snapshot: Snapshot, now: float) -> bool:
        """A button went down. True when its press counts now."""
        self._taken.discard(button)
        if not counts_late(snapshot, button, now):
            self._down.pop(button, None)
            return True
        self._down[button] = _Down(self._meaning(snapshot, button, now), now)
        return False

    def up(self, button: Button, snapshot: Snapshot, now: float) -> bool:
        """A button was let go. True when its press counts now."""
        self._taken.discard(button)
        down = self._down.pop(button, None)
        if down is None or down.meaning is None or now - down.since_s >= HOLD_S:
            return False
        return self._meaning(snapshot, button, now) == down.meaning

    def take(self, button: Button) -> bool:
        """Take a button that is down for held: it is no press any more. False when it was one already."""
        if button in self._taken:
            return True
        # Whoever removes it has it: the other thread may be letting go of it at this moment.
        if self._down.pop(button, None) is None:
            return False
        self._taken.add(button)
        return True

    def _meaning(self, snapshot: Snapshot, button: Button, now: float) -> Command | None:
        if snapshot.attendant is not None or not is_open(snapshot, now) or played_unseen(snapshot, button):
            return None
        return engine.bound(self._settings, snapshot.machine, button)

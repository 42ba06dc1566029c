"""Decides when a press counts: when the button goes down, or, if holding the button does something else, when
it goes up.

Rules: one push is a press or a hold, never both. A press that counts on release means what it meant when the button
went down, or nothing if an animation, a page or the attendant's key came in between. A press that skips an animation
has counted with that. Lamps and sounds react at once. `take` may be called from another thread than the other methods.
Reads no clock.
"""

from typing import Final, NamedTuple

from cabinet.engine import machine as engine
from cabinet.engine.inputs import Button, Command
from cabinet.engine.state import Settings
from cabinet.presentation.snapshot import Snapshot, is_open, lit_now, played_unseen, unready_now

STUCK_S: Final = 30.0
"""Seconds. A button that is down this long is stuck: no person holds one so long."""
HOLD_S: Final = 1.0
"""Seconds a button must be down to count as held; a shorter push is a press."""
LANGUAGE: Final = Button.CHIP
RULES: Final = Button.PLACE
SESSION: Final = Button.STAND
ONE_BACK: Final = Button.CLEAR
"""Held while bets are placed it takes one chip back; pressed, all of them."""


def counts_late(snapshot: Snapshot, button: Button, now: float) -> bool:
    """Returns True for a button whose press counts on release, because holding it does something else now."""
    if snapshot.attendant is not None or not is_open(snapshot, now) or button in unready_now(snapshot, now):
        return False
    if button is ONE_BACK:
        return sum(snapshot.machine.seat.bets) > 0 and button in lit_now(snapshot, now)
    return button in {LANGUAGE, RULES} or (button is SESSION and button not in lit_now(snapshot, now))


class _Down(NamedTuple):
    """A button that may still become a press: its meaning, and since when it is down."""

    meaning: Command | None
    since_s: float


class PressOrHold:
    """The buttons of one panel or one screen that are down, and what their release means."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._down: dict[Button, _Down] = {}
        self._taken: set[Button] = set()

    def down(self, button: Button, snapshot: Snapshot, now: float) -> bool:
        """Records that a button went down. Returns True when its press counts now."""
        self._taken.discard(button)
        if not counts_late(snapshot, button, now):
            self._down.pop(button, None)
            return True
        self._down[button] = _Down(self._meaning(snapshot, button, now), now)
        return False

    def up(self, button: Button, snapshot: Snapshot, now: float) -> bool:
        """Records that a button went up. Returns True when its press counts now."""
        self._taken.discard(button)
        down = self._down.pop(button, None)
        if down is None or down.meaning is None or now - down.since_s >= HOLD_S:
            return False
        return self._meaning(snapshot, button, now) == down.meaning

    def take(self, button: Button) -> bool:
        """Turns a button that is down into a hold, so that its release is no press. Returns False when it was one
        already."""
        if button in self._taken:
            return True
        # Whichever thread removes the entry owns the push: the other one may handle the release at this moment.
        if self._down.pop(button, None) is None:
            return False
        self._taken.add(button)
        return True

    def _meaning(self, snapshot: Snapshot, button: Button, now: float) -> Command | None:
        if snapshot.attendant is not None or not is_open(snapshot, now) or played_unseen(snapshot, button):
            return None
        return engine.bound(self._settings, snapshot.machine, button)

"""Which buttons are seen pressed: those under fingers on the screen, those that are down on the panel, and those let go
a moment ago.

Rules: a press is seen for PRESS_SHOWN_S at least, however short it was; a button is let go by the finger that is on it,
wherever that has moved to. Pure but for what it remembers. Does not know what a press means.
"""

from collections.abc import Set as AbstractSet
from typing import Final

from cabinet.engine.inputs import Button
from cabinet.ui.ui_state import ButtonDown, UiState, ui_step

PRESS_SHOWN_S: Final = 0.1
"""How long a press is shown at least, however short it was."""


class Fingers:
    """The buttons of one cabinet."""

    def __init__(self) -> None:
        self._touching: dict[int, tuple[Button, float]] = {}
        """Fingers on the screen: on which button, and since when."""
        self._pushed: dict[Button, float] = {}
        """Buttons of the panel, and since when."""
        self._left: dict[Button, float] = {}
        """Buttons let go, and until when that is not seen."""

    @property
    def touched(self) -> frozenset[Button]:
        """The buttons under a finger on the screen."""
        return frozenset(button for button, _ in self._touching.values())

    @property
    def pushed(self) -> AbstractSet[Button]:
        """The buttons of the panel that were down when they were last felt."""
        return self._pushed.keys()

    @property
    def on_buttons(self) -> frozenset[int]:
        """The fingers that are on a button."""
        return frozenset(self._touching)

    @property
    def next_s(self) -> float:
        """When the next button is seen let go; infinite for none."""
        return min(self._left.values(), default=float("inf"))

    def touch(self, button: Button, finger: int, now: float) -> None:
        """A finger came down on a button."""
        self._touching[finger] = (button, now)

    def lift(self, finger: int, now: float) -> Button | None:
        """A finger went up; returns the button that is let go by that: none when it was on none, or another finger
        still is."""
        if finger not in self._touching:
            return None
        button, since_s = self._touching.pop(finger)
        if button in self.touched:
            return None
        self._left[button] = max(now, since_s + PRESS_SHOWN_S)
        return button

    def update_panel(self, held: AbstractSet[Button], now: float) -> tuple[Button, ...]:
        """The buttons of the panel that are down now; returns those that were not before."""
        self._left = {button: until_s for button, until_s in self._left.items() if until_s > now}
        new = tuple(held - self._pushed.keys())
        self._pushed |= dict.fromkeys(new, now)
        for button in self._pushed.keys() - held:
            self._left[button] = max(now, self._pushed.pop(button) + PRESS_SHOWN_S)
        return new

    def seen(self, ui: UiState, at_s: float) -> UiState:
        """The screen's state with every button down that is seen pressed at that moment if nothing happens until
        then."""
        left = (button for button, until_s in self._left.items() if until_s > at_s)
        for button in (*self.touched, *left, *self._pushed):
            ui = ui_step(ui, ButtonDown(button=button))
        return ui

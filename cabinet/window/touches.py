"""The buttons that are shown pressed: under fingers on the screen, down on the panel, or released a moment ago.

Rules: a press is shown for at least PRESS_SHOWN_S. The finger on a button releases it, wherever that finger has moved.
Pure but for the presses it remembers. Does not know what a press means.
"""

from collections.abc import Set as AbstractSet
from typing import Final

from cabinet.engine.inputs import Button
from cabinet.ui.ui_state import ButtonDown, UiState, ui_step

PRESS_SHOWN_S: Final = 0.1
"""Seconds a press is shown at least."""


class Fingers:
    """The buttons of one cabinet."""

    def __init__(self) -> None:
        self._touching: dict[int, tuple[Button, float]] = {}
        """Finger on the screen -> its button, and since when."""
        self._pushed: dict[Button, float] = {}
        """Panel button -> since when it is down."""
        self._left: dict[Button, float] = {}
        """Released button -> until when it is shown pressed."""

    @property
    def touched(self) -> frozenset[Button]:
        """The buttons under a finger on the screen."""
        return frozenset(button for button, _ in self._touching.values())

    @property
    def pushed(self) -> AbstractSet[Button]:
        """The panel's buttons that were down at the last update."""
        return self._pushed.keys()

    @property
    def on_buttons(self) -> frozenset[int]:
        """The fingers that are on a button."""
        return frozenset(self._touching)

    @property
    def next_s(self) -> float:
        """When the next button is shown released; infinite for none."""
        return min(self._left.values(), default=float("inf"))

    def touch(self, button: Button, finger: int, now: float) -> None:
        """Records that a finger came down on a button."""
        self._touching[finger] = (button, now)

    def lift(self, finger: int, now: float) -> Button | None:
        """Records that a finger went up; returns the button it releases: none when it was on none, or another finger
        still is."""
        if finger not in self._touching:
            return None
        button, since_s = self._touching.pop(finger)
        if button in self.touched:
            return None
        self._left[button] = max(now, since_s + PRESS_SHOWN_S)
        return button

    def update_panel(self, held: AbstractSet[Button], now: float) -> tuple[Button, ...]:
        """Records which panel buttons are down; returns those that were not down before."""
        self._left = {button: until_s for button, until_s in self._left.items() if until_s > now}
        new = tuple(held - self._pushed.keys())
        self._pushed |= dict.fromkeys(new, now)
        for button in self._pushed.keys() - held:
            self._left[button] = max(now, self._pushed.pop(button) + PRESS_SHOWN_S)
        return new

    def seen(self, ui: UiState, at_s: float) -> UiState:
        """Returns the screen's state with every button down that is shown pressed at `at_s` if nothing happens until
        then."""
        left = (button for button, until_s in self._left.items() if until_s > at_s)
        for button in (*self.touched, *left, *self._pushed):
            ui = ui_step(ui, ButtonDown(button=button))
        return ui

"""The buttons of the panel: which are down, when a press of one counts, and which are stuck.

Rules: a button that is down when the cabinet starts is stuck at once, any other after STUCK_S. The fault names
every stuck button and is over when the last one is free. Time is an argument.
Does not know: pins, what a press does, what the fault stops. `take` may be called from another thread than the rest.
"""

from collections.abc import Iterable, Iterator

from cabinet.engine.inputs import Button, Fact, Fault, FaultBegan, FaultEnded
from cabinet.engine.state import Machine, Settings
from cabinet.presentation.press_or_hold import STUCK_S, PressOrHold
from cabinet.presentation.snapshot import Snapshot


class ButtonWatch:
    """The buttons of one panel."""

    def __init__(self, settings: Settings, down_at_start: Iterable[Button]) -> None:
        self._presses = PressOrHold(settings)
        self._down_s = dict.fromkeys(down_at_start, float("-inf"))
        self._named = ""

    @property
    def down(self) -> frozenset[Button]:
        """Returns the buttons that are down."""
        return frozenset(self._down_s)

    def press(self, button: Button, snapshot: Snapshot, at_s: float) -> bool:
        """Applies a button that went down. True if its press counts now."""
        self._down_s[button] = at_s
        return self._presses.down(button, snapshot, at_s)

    def release(self, button: Button, snapshot: Snapshot, at_s: float) -> bool:
        """Applies a release. True if its press counts now."""
        self._down_s.pop(button, None)
        return self._presses.up(button, snapshot, at_s)

    def take(self, button: Button) -> bool:
        """Takes a button that is down as held: see `PressOrHold`."""
        return self._presses.take(button)

    def facts(self, machine: Machine, now: float) -> Iterator[Fact]:
        """Yields the facts about stuck buttons now."""
        named = ", ".join(sorted(button.value for button, since_s in self._down_s.items() if now - since_s >= STUCK_S))
        if named and named != self._named:
            yield FaultBegan(fault=Fault.STUCK_BUTTON, detail=named)
        elif not named and Fault.STUCK_BUTTON in machine.faults:
            yield FaultEnded(fault=Fault.STUCK_BUTTON)
        self._named = named

"""Buttons of the panel that are down longer than a person holds one: stuck, or with something leaning on them.

Rules: a button that is down when the cabinet starts is stuck at once, any other after STUCK_S. The fault names
every stuck button and is over when the last one is free. Time is an argument.
Does not know: pins, what a press does, what the fault stops.
"""

from collections.abc import Iterable, Iterator

from cabinet.engine.inputs import Button, Fact, Fault, FaultBegan, FaultEnded
from cabinet.engine.state import Machine
from cabinet.ui.holds import STUCK_S


class ButtonWatch:
    """Looks after the buttons of one panel."""

    def __init__(self, down_at_start: Iterable[Button]) -> None:
        self._down_s = dict.fromkeys(down_at_start, float("-inf"))
        self._named = ""

    def down(self, button: Button, at_s: float) -> None:
        """A button was pressed."""
        self._down_s[button] = at_s

    def up(self, button: Button) -> None:
        """A button was let go."""
        self._down_s.pop(button, None)

    def facts(self, machine: Machine, now: float) -> Iterator[Fact]:
        """What the machine has to know of its buttons now."""
        named = ", ".join(sorted(button.value for button, since_s in self._down_s.items() if now - since_s >= STUCK_S))
        if named and named != self._named:
            yield FaultBegan(fault=Fault.STUCK_BUTTON, detail=named)
        elif not named and Fault.STUCK_BUTTON in machine.faults:
            yield FaultEnded(fault=Fault.STUCK_BUTTON)
        self._named = named

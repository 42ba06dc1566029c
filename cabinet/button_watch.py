"""Buttons of the panel that are down longer than a person holds one: stuck, or with something leaning on them.

Rules: a button that is down when the cabinet starts is stuck at once, any other after STUCK_S. The fault names
every stuck button and is over when the last one is free. Time is an argument.
Does not know: pins, what a press does, what the fault stops.
"""

from collections.abc import Iterable, Iterator

from cabinet.engine.inputs import Fact, Fault, FaultBegan, FaultEnded
from cabinet.engine.state import Machine
from cabinet.ui.holds import STUCK_S
from drivers.panel.debounce import Change
from drivers.panel.layout import Input


class ButtonWatch:
    """Looks after the buttons of one panel."""

    def __init__(self, down_at_start: Iterable[Input]) -> None:
        self._down_s = dict.fromkeys(down_at_start, float("-inf"))
        self._named = ""

    def feel(self, change: Change) -> None:
        """A button was pressed or let go."""
        if change.active:
            self._down_s[change.name] = change.at_s
        else:
            self._down_s.pop(change.name, None)

    def facts(self, machine: Machine, now: float) -> Iterator[Fact]:
        """What the machine has to know of its buttons now."""
        named = ", ".join(sorted(name.value for name, since_s in self._down_s.items() if now - since_s >= STUCK_S))
        if named and named != self._named:
            yield FaultBegan(fault=Fault.STUCK_BUTTON, detail=named)
        elif not named and Fault.STUCK_BUTTON in machine.faults:
            yield FaultEnded(fault=Fault.STUCK_BUTTON)
        self._named = named

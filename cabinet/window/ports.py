"""The port of a running cabinet, and the port of one that may not start.

Rules: both are a `presentation.port.CabinetPort` and decide nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from cabinet.attendant.pages import PageTouch
from cabinet.engine.inputs import Button, Command, Fault, FaultBegan, FaultEnded
from cabinet.engine.state import Machine
from cabinet.presentation.port import SimulatedKeys
from cabinet.presentation.snapshot import Snapshot
from cabinet.runtime.controller import Controller
from cabinet.runtime.fault_attendant import FaultAttendant, FaultPage
from cabinet.runtime.inbox import LetGo, Pressed
from cabinet.runtime.watchdog import ServiceManager

CHECK_EVERY_S: Final = 3.0
"""Seconds between two checks whether the data may be there now."""


def _never() -> bool:
    return False


class ControllerPort:
    """The controller as the window sees it."""

    def __init__(self, controller: Controller, simulate: SimulatedKeys | None) -> None:
        """`simulate` is the keyboard of a simulated cabinet."""
        self._controller = controller
        self._simulate = simulate
        self.snapshot = controller.snapshot
        self.on_snapshot = controller.on_snapshot
        self.frame_done = controller.frame_done
        self.attended = controller.attended
        self.take_held = controller.take_held

    def put(self, wish: Button | Command | PageTouch, now: float) -> None:
        """Sends a wish to the cabinet's thread."""
        self._controller.put(Pressed(wish=wish, at_s=now))

    def release(self, button: Button, now: float) -> None:
        """Reports to the cabinet's thread that a button on the screen is up."""
        self._controller.put(LetGo(button=button, at_s=now))

    def display_lost(self, detail: str) -> None:
        """Reports the loss: a cabinet without a display takes no money."""
        self._controller.put(FaultBegan(fault=Fault.DISPLAY_LOST, detail=detail))

    def display_found(self) -> None:
        """Reports that the display is back."""
        self._controller.put(FaultEnded(fault=Fault.DISPLAY_LOST))

    @property
    def stopping(self) -> bool:
        """True once the cabinet shuts down."""
        return self._controller.stopping

    @property
    def held(self) -> frozenset[Button]:
        """The panel's buttons that are held down."""
        return self._controller.held

    @property
    def simulate(self) -> SimulatedKeys | None:
        """The keyboard of a simulated cabinet."""
        return self._simulate


@dataclass(slots=True, kw_only=True)
class FaultPort:
    """A machine that may not start: one lock that shows the cause, and no button that plays. The audit key opens pages
    that only show."""

    machine: Machine
    manager: ServiceManager
    stopping: bool = False
    simulate: SimulatedKeys | None = None
    """The keyboard of a simulated cabinet; without keys its window can be closed all the same."""
    attendant: FaultAttendant | None = None
    """The panel and the attendant's pages; None where the panel cannot be opened."""
    moved: Callable[[], bool] = _never
    """True if another file system is now where the data is expected: then this machine ends, to be started again."""
    _check_s: float = field(init=False, default=float("-inf"))
    _shown: FaultPage = field(init=False)
    _snapshot: Snapshot = field(init=False)

    def __post_init__(self) -> None:
        self._shown = FaultPage(machine=self.machine)
        self._snapshot = Snapshot(number=1, machine=self.machine)

    def snapshot(self) -> Snapshot:
        """Returns the lock, or the page over it."""
        shown = FaultPage(machine=self.machine) if self.attendant is None else self.attendant.shown
        if shown != self._shown:
            self._shown = shown
            number = self._snapshot.number + 1
            self._snapshot = Snapshot(number=number, machine=shown.machine, lit=shown.lit, attendant=shown.page)
        return self._snapshot

    def on_snapshot(self, callback: Callable[[], None]) -> None:
        """Adds a listener for each new page."""
        if self.attendant is not None:
            self.attendant.on_change(callback)

    @property
    def held(self) -> frozenset[Button]:
        """The panel's buttons that are held down."""
        return frozenset() if self.attendant is None else self.attendant.held

    def put(self, wish: Button | Command | PageTouch, now: float) -> None:
        """Moves in the attendant's pages; this machine accepts no command."""
        del now
        if self.attendant is not None and isinstance(wish, Button | PageTouch):
            self.attendant.put(wish)

    def release(self, button: Button, now: float) -> None:
        """Ignored: no press is open."""

    def attended(self, *, reading: bool) -> None:
        """Ignored: no button works anyway."""

    def take_held(self, button: Button) -> bool:
        """Returns False: no button is held."""
        del button
        return False

    def display_lost(self, detail: str) -> None:
        """Ignored: the machine is locked already."""
        self.manager.status(detail)

    def display_found(self) -> None:
        """Ignored: the one lock stays."""

    def frame_done(self, now: float) -> None:
        """Feeds the watchdog, and checks at intervals whether the data may be there now."""
        self.manager.feed()
        if now >= self._check_s:
            self._check_s = now + CHECK_EVERY_S
            self.stopping = self.stopping or self.moved()

"""What the window may ask of the cabinet: of a running one, and of one that may not start.

Decides nothing; both offer `presentation.port.CabinetPort`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cabinet.engine.inputs import Button, Command, Fault, FaultBegan, FaultEnded
from cabinet.engine.state import Machine
from cabinet.presentation.port import SimulatedKeys
from cabinet.presentation.snapshot import Snapshot
from cabinet.runtime.controller import Controller
from cabinet.runtime.inbox import LetGo, Pressed
from cabinet.runtime.watchdog import ServiceManager

if TYPE_CHECKING:
    pass


class ControllerPort:
    """The heart as the window sees it."""

    def __init__(self, controller: Controller, simulate: SimulatedKeys | None) -> None:
        """`simulate` is the keyboard of a simulated cabinet."""
        self._controller = controller
        self._simulate = simulate
        self.snapshot = controller.snapshot
        self.on_snapshot = controller.on_snapshot
        self.frame_done = controller.frame_done
        self.attended = controller.attended
        self.take_held = controller.take_held

    def put(self, wish: Button | Command, now: float) -> None:
        """Hand a wish to the cabinet's thread."""
        self._controller.put(Pressed(wish=wish, at_s=now))

    def let_go(self, button: Button, now: float) -> None:
        """Tell the cabinet's thread that a button on the screen is up."""
        self._controller.put(LetGo(button=button, at_s=now))

    def display_lost(self, detail: str) -> None:
        """A cabinet that cannot be seen takes nothing."""
        self._controller.put(FaultBegan(fault=Fault.DISPLAY_LOST, detail=detail))

    def display_found(self) -> None:
        """It can be seen again."""
        self._controller.put(FaultEnded(fault=Fault.DISPLAY_LOST))

    @property
    def stopping(self) -> bool:
        """True once the cabinet is going down."""
        return self._controller.stopping

    @property
    def held(self) -> frozenset[Button]:
        """Buttons of the panel that are held down."""
        return self._controller.held

    @property
    def simulate(self) -> SimulatedKeys | None:
        """The keyboard of a simulated cabinet."""
        return self._simulate


@dataclass(slots=True, kw_only=True)
class FaultPort:
    """A machine that may not start: one lock that says why, and nothing that can be pressed."""

    machine: Machine
    manager: ServiceManager
    stopping: bool = False
    held: frozenset[Button] = frozenset()
    simulate: SimulatedKeys | None = None
    """A keyboard without keys on a simulated cabinet: its window can be closed."""
    _snapshot: Snapshot = field(init=False)

    def __post_init__(self) -> None:
        self._snapshot = Snapshot(number=1, machine=self.machine)

    def snapshot(self) -> Snapshot:
        """Always the same."""
        return self._snapshot

    def on_snapshot(self, callback: Callable[[], None]) -> None:
        """There is never news."""

    def put(self, wish: Button | Command, now: float) -> None:
        """Nothing can be wished of it."""

    def let_go(self, button: Button, now: float) -> None:
        """Nothing was pressed."""

    def attended(self, *, reading: bool) -> None:
        """Nothing can be pressed as it is."""

    def take_held(self, button: Button) -> bool:
        """Nothing is held."""
        del button
        return False

    def display_lost(self, detail: str) -> None:
        """It is locked already."""
        self.manager.status(detail)

    def display_found(self) -> None:
        """Its one lock stays."""

    def frame_done(self, now: float) -> None:
        """The fault is on the screen: that is all this machine has to do, so the watchdog is fed."""
        del now
        self.manager.feed()

"""A panel on mock pins with its far end, in time that a test moves."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from gpiozero import Factory

from drivers.panel.gpio import Panel
from drivers.panel.layout import Wiring
from drivers.panel.pin_factory import make_factory
from drivers.simulated.panel import SimulatedPanel


@dataclass
class Clock:
    """Monotonic seconds; stands still unless moved."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += seconds


def pins_by(clock: Clock) -> Factory:
    """Mock pins that stamp what happens on them by this clock."""
    factory = make_factory("mock")
    factory.ticks = clock
    return factory


@dataclass
class Bench:
    """One panel's wires and far end. `open` gives the panel; `woken` counts the calls of its `on_edge`."""

    wiring: Wiring = field(default_factory=Wiring)
    factory: Factory = field(default_factory=lambda: make_factory("mock"))
    clock: Clock = field(default_factory=Clock)
    woken: int = 0

    def __post_init__(self) -> None:
        self.far = SimulatedPanel(self.wiring, self.factory, sleep=self.clock.move)

    @contextmanager
    def open(self) -> Iterator[Panel]:
        panel = Panel(self.wiring, self.wake, self.factory, clock=self.clock)
        try:
            yield panel
        finally:
            panel.close()

    def wake(self) -> None:
        self.woken += 1

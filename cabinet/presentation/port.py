"""The interface between the window and the cabinet: everything that passes between the two loops.

Rules: every method may be called from the window's thread at any time and returns at once. `snapshot` is the newest
value and complete. Does not know threads, queues or pixels.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from cabinet.attendant.pages import PageTouch
from cabinet.engine.inputs import Button, Command
from cabinet.presentation.snapshot import Snapshot

KEY_LABELS: Final = {"0": "ZERO", ",": "COMMA", ".": "PERIOD", "-": "MINUS", "/": "SLASH"}
"""Keys whose sign is easily confused with another or overlooked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedKey:
    """What a key of the keyboard does to a simulated cabinet when it goes down and when it is released."""

    meaning: str | Button
    """The panel button that the key stands for, or a description of its action."""
    down: Callable[[], None]
    up: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedKeys:
    """The keyboard of a simulated cabinet, by pygame's key names (`f1`, `space`, `left shift`)."""

    keys: Mapping[str, SimulatedKey] = field(default_factory=dict)

    def rows(self) -> tuple[tuple[str, str | Button], ...]:
        """Returns (key, meaning) for the list on the screen."""
        return tuple((KEY_LABELS.get(name, name.upper()), key.meaning) for name, key in self.keys.items())


class CabinetPort(Protocol):
    """A cabinet as its window sees it."""

    def snapshot(self) -> Snapshot:
        """Returns the newest machine and the events that led to it; the same object until there is a newer one."""

    def on_snapshot(self, callback: Callable[[], None]) -> None:
        """Registers a callback for every new snapshot. It is called from any thread and must return quickly."""

    def put(self, wish: Button | Command | PageTouch, now: float) -> None:
        """Sends a press of a button on the screen, a command without a button, or a touch of the attendant's page."""

    def release(self, button: Button, now: float) -> None:
        """Reports that a finger left a button on the screen."""

    def attended(self, *, reading: bool) -> None:
        """Reports that a person touched the screen or held a button, or that a page over the table was opened or
        closed. `reading` is True while such a page is open: buttons that play are dead and dark then."""

    def frame_done(self, now: float) -> None:
        """Reports that the screen shows the newest value; this feeds the display's watchdog."""

    def display_lost(self, detail: str) -> None:
        """Reports that there is no display; `detail` gives the cause."""

    def display_found(self) -> None:
        """Reports that there is a display again."""

    @property
    def stopping(self) -> bool:
        """True once the cabinet shuts down."""

    @property
    def held(self) -> frozenset[Button]:
        """The panel's buttons that are held down now."""

    def take_held(self, button: Button) -> bool:
        """Uses a held button for its hold action, so that its release is no press. Returns False when it was used
        before."""

    @property
    def simulate(self) -> SimulatedKeys | None:
        """The keyboard of a simulated cabinet; None on a real one, where no key has an effect."""

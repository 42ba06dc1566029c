"""What a window needs of a cabinet: the whole of what passes between the two loops.

Rules: every method may be called from the window's thread at any time and returns at once; `news` is the newest value
and complete. Does not know threads, queues or pixels.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from cabinet.engine.inputs import Button, Command
from cabinet.presentation.snapshot import Snapshot

SPELT: Final = {"0": "ZERO", ",": "COMMA", ".": "PERIOD", "-": "MINUS", "/": "SLASH"}
"""Keys whose sign alone is easily mistaken for another, or overlooked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedKey:
    """What a key of the keyboard does to a simulated cabinet while it is down, and when it is let go."""

    meaning: str | Button
    """The button that it is, or in words what it does."""
    down: Callable[[], None]
    up: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedKeys:
    """The keyboard of a simulated cabinet, by key name as pygame spells it (`f1`, `space`, `left shift`)."""

    keys: Mapping[str, SimulatedKey] = field(default_factory=dict)

    def rows(self) -> tuple[tuple[str, str | Button], ...]:
        """(key, meaning) for the list that the screen can show."""
        return tuple((SPELT.get(name, name.upper()), key.meaning) for name, key in self.keys.items())


class CabinetPort(Protocol):
    """A cabinet as its window sees it."""

    def snapshot(self) -> Snapshot:
        """The newest machine and the story that led to it; the same object until there is a newer one."""

    def on_snapshot(self, callback: Callable[[], None]) -> None:
        """Call back from any thread, quickly, whenever there is news."""

    def put(self, wish: Button | Command, now: float) -> None:
        """A button pressed on the screen, or a wish that has no button."""

    def let_go(self, button: Button, now: float) -> None:
        """A finger left a button on the screen."""

    def attended(self, *, reading: bool) -> None:
        """Somebody has just touched the screen or held a button; or a page was laid over the table or put away.
        `reading` is True while one lies there: buttons that would play under it are dead and dark."""

    def frame_done(self, now: float) -> None:
        """The screen shows the newest value; feeds the watch over the display."""

    def display_lost(self, detail: str) -> None:
        """There is no display to show anything on, or not any more; `detail` says what was found."""

    def display_found(self) -> None:
        """There is one (again)."""

    @property
    def stopping(self) -> bool:
        """True once the cabinet is going down."""

    @property
    def held(self) -> frozenset[Button]:
        """Buttons of the panel that are held down now."""

    def take_held(self, button: Button) -> bool:
        """Take one of these for what it does when it is held: letting go of it is then no press. False when it has
        been one already."""

    @property
    def simulate(self) -> SimulatedKeys | None:
        """The keyboard of a simulated cabinet; None on a real one, where no key does anything."""

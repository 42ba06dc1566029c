"""A cabinet without threads or devices behind the window's port: the engine stepped at once, and what was wished."""

from collections.abc import Callable
from dataclasses import dataclass, field

from cabinet.attendant.pages import PageTouch
from cabinet.engine import machine as engine
from cabinet.engine.effects import Event
from cabinet.engine.inputs import Button, Command, Fault, FaultBegan, FaultEnded, Input
from cabinet.engine.state import Machine, Settings
from cabinet.presentation.gate import SkipAnimation, accept
from cabinet.presentation.port import SimulatedKeys
from cabinet.presentation.snapshot import Snapshot, lift, next_snapshot, push, skip_animation, with_page_open
from cabinet.tools.screens_gallery import NamedDraw, named_draw


@dataclass
class PlayedCabinet:
    """Steps its machine whenever something is put; with `answers` False it keeps wishes only, as a slow one would."""

    settings: Settings = field(default_factory=Settings)
    draw: NamedDraw = field(default_factory=lambda: named_draw(""))
    simulate: SimulatedKeys | None = None
    held: frozenset[Button] = frozenset()
    stopping: bool = False
    answers: bool = True
    wishes: list[Button | Command | PageTouch] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)
    callbacks: list[Callable[[], None]] = field(default_factory=list)
    attendance: list[bool] = field(default_factory=list)
    taken: bool = True
    """True if what is held may be taken for held, and has not been a press already."""
    on_frame: Callable[[int], None] = lambda _: None

    def __post_init__(self) -> None:
        self._snapshot = self._snapshot_after(None, engine.starting(self.settings), (), 0.0)

    def snapshot(self) -> Snapshot:
        """The newest value."""
        return self._snapshot

    def on_snapshot(self, callback: Callable[[], None]) -> None:
        """The listeners."""
        self.callbacks.append(callback)

    def frame_done(self, now: float) -> None:
        """Counts frames."""
        self.frames.append(now)
        self.on_frame(len(self.frames))

    def attended(self, *, reading: bool) -> None:
        """Records that a player is present, and the page over the table."""
        self.attendance.append(reading)
        self._publish(with_page_open(self._snapshot, reading=reading))

    def take_held(self, button: Button) -> bool:
        """As long as it is held, if at all."""
        return self.taken and button in self.held

    def display_lost(self, detail: str) -> None:
        """The display is a device like any other."""
        self.step(FaultBegan(fault=Fault.DISPLAY_LOST, detail=detail))

    def display_found(self) -> None:
        """It is back."""
        self.step(FaultEnded(fault=Fault.DISPLAY_LOST))

    def put(self, wish: Button | Command | PageTouch, now: float) -> None:
        """Does at once what the cabinet's thread would."""
        self.wishes.append(wish)
        if isinstance(wish, PageTouch):
            return
        command = accept(self.settings, self._snapshot, wish, now, pressed_at_s=now) if self.answers else None
        button = wish if isinstance(wish, Button) else None
        if isinstance(command, SkipAnimation):
            snapshot = self._snapshot if button is None else push(self._snapshot, button, now, down=self.held)
            self._publish(skip_animation(snapshot, now))
        elif command is not None:
            self.step(command, now=now, by=button)

    def release(self, button: Button, now: float) -> None:
        """A finger left a button on the screen."""
        self._publish(lift(self._snapshot, button, now))

    def step(self, *inputs: Input, now: float = 0.0, by: Button | None = None) -> None:
        """Lets something happen, by a button or by itself."""
        for given in inputs:
            step = engine.step(self.settings, self._snapshot.machine, given, self.draw)
            self._publish(self._snapshot_after(self._snapshot, step.machine, step.events, now, by))

    def _snapshot_after(
        self, old: Snapshot | None, machine: Machine, events: tuple[Event, ...], now: float, by: Button | None = None
    ) -> Snapshot:
        return next_snapshot(
            old,
            machine=machine,
            events=events,
            lit=engine.lit(self.settings, machine),
            notes=True,
            attendant=None,
            now_s=now,
            settings=self.settings,
            by=by,
            down=self.held,
        )

    def _publish(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        for callback in self.callbacks:
            callback()

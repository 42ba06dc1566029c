"""Builders for what the cabinet's thread publishes: a machine played through the engine while time is moved by hand.

player = Player().put(*at("classic"), Bet(), cards="AS 6S KH 9D")
screen = player.screen()
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from support.rounds import draws, seeded_draw

from cabinet.engine import machine as engine
from cabinet.engine.cards import Draw
from cabinet.engine.effects import Event
from cabinet.engine.inputs import (
    AcceptorStarted,
    BillOffered,
    BillStacked,
    Button,
    ChooseChip,
    ChooseGame,
    Command,
    Input,
    PrinterStarted,
)
from cabinet.engine.state import Machine, Settings
from cabinet.presentation.gate import SkipAnimation, accept
from cabinet.presentation.snapshot import Snapshot, is_open, next_snapshot, push, skip_animation
from cabinet.tools.screens_gallery import snapshot_after
from cabinet.ui.layout.screen import Layout, layout
from cabinet.ui.presenter import present
from cabinet.ui.scenes.moment import Moment, moment_of
from cabinet.ui.ui_state import MachineInfo, UiState
from cabinet.ui.view import Screen

WALL = datetime(2031, 3, 5, 14, 32, 20)  # noqa: DTZ001 - any time of day will do
FACTS = MachineInfo(machine_id="0042", venue="Venue", returns={"european": 0.9949}, helpline="Help: 0800")
SIZE = (1280, 720)
READY: tuple[Input, ...] = (
    PrinterStarted(model="printer"),
    AcceptorStarted(model="reader", firmware="1", serial="1"),
)


def notes(cents: int) -> tuple[Input, ...]:
    """Notes of a hundred worth this much."""
    return (BillOffered(cents=10_000), BillStacked(cents=10_000)) * (cents // 10_000)


def at(game_id: str, chip_cents: int = 2_500, credit_cents: int = 30_000) -> tuple[Input, ...]:
    """Credit, a game, a chip in hand."""
    return (*notes(credit_cents), ChooseGame(game_id=game_id), ChooseChip(chip_cents=chip_cents))


def snapshot_of(
    machine: Machine, events: tuple[Event, ...] = (), *, now_s: float = 0.0, settings: Settings | None = None
) -> Snapshot:
    """Fresh news of a machine."""
    return next_snapshot(
        None,
        machine=machine,
        events=events,
        lit=engine.lit(settings or Settings(), machine),
        notes=True,
        attendant=None,
        now_s=now_s,
    )


@dataclass(slots=True)
class Player:
    """A player at the cabinet. `now_s` moves only on request; `notes` is whether the acceptor takes notes."""

    settings: Settings = field(default_factory=Settings)
    seed: int = 1
    ui: UiState = field(default_factory=UiState)
    facts: MachineInfo = FACTS
    notes: bool = True
    machine: Machine = field(init=False)
    snapshot: Snapshot = field(init=False)
    now_s: float = 0.0
    draw: Draw = field(init=False)

    def __post_init__(self) -> None:
        """A machine that has never played, its devices ready."""
        self.machine = engine.starting(self.settings)
        self.snapshot = snapshot_of(self.machine, settings=self.settings)
        self.draw = seeded_draw(self.seed)
        self.put(*READY)

    def put(self, *inputs: Input, cards: str | None = None) -> "Player":
        """Applies each input after the animation of the one before; `now_s` is the moment of the last one."""
        draw = self.draw if cards is None else draws(cards)
        for given in inputs:
            self.now_s = max(self.now_s + 5.0, self.snapshot.open_at_s + 5.0)
            self.step(given, draw)
        return self

    def step(self, given: Input, draw: Draw | None = None, *, by: Button | None = None) -> None:
        """One input at this very moment, by a button or by itself."""
        self.snapshot = snapshot_after(
            self.snapshot, self.settings, self.machine, given, draw or self.draw, self.now_s, notes=self.notes, by=by
        )
        self.machine = self.snapshot.machine

    def wish(self, wish: Command | Button) -> None:
        """A player's wish, or a button, as the cabinet takes it now."""
        command = accept(self.settings, self.snapshot, wish, self.now_s, pressed_at_s=self.now_s)
        button = wish if isinstance(wish, Button) else None
        if isinstance(command, SkipAnimation):
            snapshot = self.snapshot if button is None else push(self.snapshot, button, self.now_s, down=frozenset())
            self.snapshot = skip_animation(snapshot, self.now_s)
        elif command is not None:
            self.step(command, by=button)

    def wait(self, seconds: float) -> "Player":
        """Time passes."""
        self.now_s += seconds
        return self

    def settle(self) -> "Player":
        """Time passes until the animation and the message have ended."""
        self.now_s = max(self.now_s, self.snapshot.open_at_s) + 30.0
        return self

    def screen(self) -> Screen:
        """Returns what is on the screen now."""
        return present(self.snapshot, self.ui, self.now_s, WALL, self.settings, self.facts)

    def where(self) -> Layout:
        """Where it is."""
        return layout(SIZE, self.screen())

    def moment(self) -> Moment:
        """The moment scenes are made from."""
        return moment_of(self.snapshot, self.ui, self.now_s, WALL, self.settings, self.facts)

    def shows(self, pick: Callable[[Screen], object]) -> list[object]:
        """Returns what `pick` finds on each screen until the animation ends, frame by frame, equal ones once."""
        seen: list[object] = []
        while True:
            found = pick(self.screen())
            if not seen or seen[-1] != found:
                seen.append(found)
            if is_open(self.snapshot, self.now_s):
                return seen
            self.now_s += 1 / 60

    def read(self, **changes: object) -> "Player":
        """The same with the screen's own state changed."""
        self.ui = replace(self.ui, **changes)  # type: ignore[arg-type]
        return self

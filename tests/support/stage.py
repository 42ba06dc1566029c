"""A window with a cabinet behind it and a clock that is moved by hand: what is pressed, and what is shown."""

from datetime import UTC, datetime, timedelta

import pygame
from support.display import open_display
from support.played_cabinet import PlayedCabinet

from cabinet.config.mounting import UPRIGHT, Mounting
from cabinet.engine.inputs import BillOffered, BillStacked, Button, ChooseChip, ChooseGame, PrinterStarted
from cabinet.tools.screens_gallery import SAMPLE_FACTS, WALL
from cabinet.ui.layout.screen import Layout, layout
from cabinet.ui.presenter import present
from cabinet.ui.ui_state import MachineInfo, UiState
from cabinet.ui.view import Kind, Screen, Slot
from cabinet.window.loop import WindowLoop, WindowOptions
from cabinet.window.mixer import Mixer

SIZE = (1280, 720)
START = 100.0
READY = (
    PrinterStarted(model="printer"),
    BillOffered(cents=10_000),
    BillStacked(cents=10_000),
    ChooseGame(game_id="classic"),
    ChooseChip(chip_cents=2_500),
)


class Stage:
    """A cabinet, its window, and a clock that is moved by hand."""

    def __init__(self, cabinet: PlayedCabinet, facts: MachineInfo = SAMPLE_FACTS, mounting: Mounting = UPRIGHT) -> None:
        self.cabinet = cabinet
        self.shown: list[list[pygame.Rect]] = []
        self.now = START
        self.mixer = Mixer()
        self.play = WindowLoop(
            cabinet=cabinet,
            options=WindowOptions(settings=cabinet.settings, facts=facts, windowed=SIZE, mounting=mounting),
            surface=open_display(SIZE),
            mixer=self.mixer,
            show=self.shown.append,
            wall=lambda: WALL.astimezone(UTC) + timedelta(seconds=self.now - START),
        )
        cabinet.on_snapshot(self.play.wake)
        pygame.event.clear()
        self.turn()

    @property
    def screen(self) -> Screen:
        """What should be on the screen."""
        wall = datetime(2031, 3, 5, tzinfo=UTC)
        return present(self.cabinet.snapshot(), UiState(), self.now, wall, self.cabinet.settings, SAMPLE_FACTS)

    @property
    def where(self) -> Layout:
        """Where things are."""
        return layout(SIZE, self.screen)

    def turn(self, seconds: float = 0.0) -> float:
        """One pass of the loop, so much later; returns how long it would sleep."""
        self.now += seconds
        return self.play.turn(self.now)

    def middle(self, kind: Kind, place: int = 0, nth: int = 0) -> tuple[int, int]:
        """The middle of a slot."""
        return self.where.rect(Slot(kind, place, nth=nth)).centre

    def legend(self, button: Button) -> tuple[int, int]:
        """Where a button's legend is."""
        return self.middle(Kind.LEGEND, nth=list(Button).index(button))

    def click(self, at: tuple[int, int], seconds: float = 0.3) -> None:
        """A click, some time after what came before, and the passes of the loop it needs."""
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=at, touch=False))
        self.turn(seconds)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=at, touch=False))
        self.turn(0.05)

    def finger(self, at: tuple[int, int]) -> None:
        """A finger comes down."""
        x, y = (at[0] + 0.5) / SIZE[0], (at[1] + 0.5) / SIZE[1]
        pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, touch_id=1, finger_id=1, x=x, y=y, dx=0, dy=0))

    def mouse(self, at: tuple[int, int]) -> None:
        """A mouse button goes down."""
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=at, touch=True))

    def until_open(self) -> None:
        """Waits for the end of the animation."""
        self.now = max(self.now, self.cabinet.snapshot().open_at_s)
        self.turn(0.01)

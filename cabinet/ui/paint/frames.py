"""Frames of the news as it is told, each planned before it is due.

Rules: a frame is due at a moment that is known before, and so is what it will show unless something happens until then;
what happened all the same is never passed over for a plan. It is planned for as long after the last as this display has
taken frames before. Of a planned frame only the pixels are left to paint when it is due. Does not know the loop.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import pygame

from cabinet.presentation.snapshot import Snapshot
from cabinet.presentation.timeline import FRAME_S
from cabinet.ui.paint.painter import Painter, Plan
from cabinet.ui.ui_state import UiState
from cabinet.ui.view import Screen

SLOWEST_S: Final = 0.1
"""A frame that comes later after the last was not waiting for the display."""
SLACK_S: Final = FRAME_S / 2
"""A frame that comes so much earlier or later than it was planned for is made anew."""


class Frame(NamedTuple):
    """All that decides what a frame shows: the news, the screen's own state, and when."""

    snapshot: Snapshot
    ui: UiState
    at_s: float


class Frames:
    """The frames of one painter. Only one thread at a time."""

    def __init__(self, painter: Painter, present: Callable[[Snapshot, UiState, float], Screen]) -> None:
        """`present` gives the screen of a frame."""
        self._painter = painter
        self._present = present
        self._planned: tuple[Frame, Plan] | None = None
        self._came_s = float("-inf")
        self._gaps_s = (FRAME_S, FRAME_S)
        """How long after the one before the last two frames came."""
        self.ahead_s = 0.0
        """How much later than it came the moment is that the last frame shows, for it was planned so."""
        self.painted = 0
        """How many frames changed something."""
        self.foreseen = 0
        """How many of these were planned when they were due."""

    @property
    def beat_s(self) -> float:
        """How soon after a frame of a story this display takes the next; one that was late says nothing."""
        gap_s = min(self._gaps_s)
        return gap_s if FRAME_S < gap_s < SLOWEST_S else FRAME_S

    def is_planned(self, frame: Frame) -> bool:
        """Whether the frame only has to be painted; not when something else happened since it was planned."""
        if self._planned is None:
            return False
        planned, _ = self._planned
        return (
            planned.snapshot is frame.snapshot and abs(planned.at_s - frame.at_s) < SLACK_S and planned.ui == frame.ui
        )

    def plan(self, frame: Frame) -> None:
        """Make all of a frame but its pixels."""
        self._planned = frame, self._painter.plan(self._present(*frame), at_once=False)

    def paint(self, surface: pygame.Surface, frame: Frame) -> tuple[Screen, list[pygame.Rect]]:
        """Make the surface show a frame, as it was planned if it was; returns its screen, and the regions that
        changed."""
        self._gaps_s, self._came_s = (self._gaps_s[1], frame.at_s - self._came_s), frame.at_s
        foreseen, planned = self.is_planned(frame), self._planned
        self._planned, self.ahead_s = None, 0.0
        if planned is not None and foreseen:
            self.ahead_s, screen = planned[0].at_s - frame.at_s, planned[1].screen
            regions = self._painter.carry_out(surface, planned[1])
        else:
            screen = self._present(*frame)
            regions = self._painter.paint(surface, screen, at_once=False)
        self.painted += bool(regions)
        self.foreseen += bool(regions) and foreseen
        return screen, regions

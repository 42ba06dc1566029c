"""Frames of the news as it is told, each planned before it is due.

Rules: a frame is due at a moment that is known before, and so is what it will show unless something happens until then;
what happened all the same is never passed over for a plan. Of a planned frame only the pixels are left to paint when it
is due. Does not know the loop.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import pygame

from cabinet.ui.news import News
from cabinet.ui.pace import FRAME_S
from cabinet.ui.paint.painter import Painter, Plan
from cabinet.ui.ui_state import UiState
from cabinet.ui.view import Screen

SLACK_S: Final = FRAME_S / 2
"""A frame that comes so much earlier or later than it was planned for is made anew."""


class Frame(NamedTuple):
    """All that decides what a frame shows: the news, the screen's own state, and when."""

    news: News
    ui: UiState
    at_s: float


class Frames:
    """The frames of one painter. Only one thread at a time."""

    def __init__(self, painter: Painter, present: Callable[[News, UiState, float], Screen]) -> None:
        """`present` gives the screen of a frame."""
        self._painter = painter
        self._present = present
        self._planned: tuple[Frame, Plan] | None = None
        self.at_s = 0.0
        """The moment that the frame painted last shows."""
        self.painted = 0
        """How many frames changed something."""
        self.foreseen = 0
        """How many of these were planned when they were due."""

    def is_planned(self, frame: Frame) -> bool:
        """Whether the frame only has to be painted; not when something else happened since it was planned."""
        if self._planned is None:
            return False
        planned, _ = self._planned
        return planned.news is frame.news and abs(planned.at_s - frame.at_s) < SLACK_S and planned.ui == frame.ui

    def plan(self, frame: Frame) -> None:
        """Make all of a frame but its pixels."""
        self._planned = frame, self._painter.plan(self._present(*frame), at_once=False)

    def paint(self, surface: pygame.Surface, frame: Frame) -> tuple[Screen, list[pygame.Rect]]:
        """Make the surface show a frame, as it was planned if it was; returns its screen, and the regions that
        changed."""
        foreseen, planned = self.is_planned(frame), self._planned
        self._planned = None
        if planned is not None and foreseen:
            self.at_s, screen = planned[0].at_s, planned[1].screen
            regions = self._painter.carry_out(surface, planned[1])
        else:
            self.at_s, screen = frame.at_s, self._present(*frame)
            regions = self._painter.paint(surface, screen, at_once=False)
        self.painted += bool(regions)
        self.foreseen += bool(regions) and foreseen
        return screen, regions

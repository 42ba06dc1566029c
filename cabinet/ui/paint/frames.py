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
from cabinet.ui.paint.painter import Painter
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
        self._planned: tuple[Frame, Screen] | None = None

    def screen_of(self, frame: Frame) -> Screen | None:
        """What was planned for a frame; None when nothing was, or something else happened since."""
        if self._planned is None:
            return None
        planned, screen = self._planned
        same = planned.news is frame.news and abs(planned.at_s - frame.at_s) < SLACK_S and planned.ui == frame.ui
        return screen if same else None

    def plan(self, frame: Frame) -> None:
        """Make all of a frame but its pixels."""
        screen = self._present(*frame)
        self._painter.plan(screen, at_once=False)
        self._planned = frame, screen

    def paint(self, surface: pygame.Surface, frame: Frame) -> tuple[Screen, list[pygame.Rect]]:
        """Make the surface show a frame; returns its screen, and the regions that changed."""
        screen = self.screen_of(frame) or self._present(*frame)
        self._planned = None
        return screen, self._painter.paint(surface, screen, at_once=False)

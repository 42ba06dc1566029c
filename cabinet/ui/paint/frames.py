"""The frames of a snapshot's animation, each planned before it is due.

Rules: the time of the next frame is known in advance, and so is its picture unless something happens until then; a
change always wins over a plan. The plan is for as long after the last frame as this display took before. A planned
frame only needs its pixels painted when it is due. Does not know the loop.
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
"""Seconds. A frame with a longer gap before it was not waiting for the display."""
SLACK_S: Final = FRAME_S / 2
"""Seconds. A frame that is earlier or later than its plan by more than this is planned again."""


class Frame(NamedTuple):
    """Everything that decides a frame: the snapshot, the screen's own state, and the time."""

    snapshot: Snapshot
    ui: UiState
    at_s: float


class Frames:
    """The frames of one painter. For one thread at a time."""

    def __init__(self, painter: Painter, present: Callable[[Snapshot, UiState, float], Screen]) -> None:
        """`present` returns the screen of a frame."""
        self._painter = painter
        self._present = present
        self._planned: tuple[Frame, Plan] | None = None
        self._came_s = float("-inf")
        self._gaps_s = (FRAME_S, FRAME_S)
        """The gaps before the last two frames, in seconds."""
        self.ahead_s = 0.0
        """How much later than its arrival the time of the last frame is, because it was planned so."""
        self.painted = 0
        """Frames that changed something."""
        self.foreseen = 0
        """Those of them that were planned before they were due."""

    @property
    def beat_s(self) -> float:
        """The time from one frame of an animation to the next on this display; late frames do not count."""
        gap_s = min(self._gaps_s)
        return gap_s if FRAME_S < gap_s < SLOWEST_S else FRAME_S

    def is_planned(self, frame: Frame) -> bool:
        """Returns True when the frame only needs painting: nothing has happened since it was planned."""
        if self._planned is None:
            return False
        planned, _ = self._planned
        return (
            planned.snapshot is frame.snapshot and abs(planned.at_s - frame.at_s) < SLACK_S and planned.ui == frame.ui
        )

    def plan(self, frame: Frame) -> None:
        """Makes everything of a frame but its pixels."""
        self._planned = frame, self._painter.plan(self._present(*frame), at_once=False)

    def paint(self, surface: pygame.Surface, frame: Frame) -> tuple[Screen, list[pygame.Rect]]:
        """Paints a frame on the surface, from its plan if there is one; returns its screen, and the changed regions."""
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

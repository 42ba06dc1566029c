"""Frames that are planned before they are due, in the loop."""

import random
from datetime import datetime
from threading import Event, current_thread, main_thread

import pygame
import pytest
from support.display import pixels_of
from support.stage import START, Stage

from cabinet.engine.inputs import Bet, Deal
from cabinet.presentation.timeline import FRAME_S
from cabinet.tools.screens_gallery import SAMPLE_FACTS, WALL
from cabinet.ui.view import Kind, Slot
from cabinet.window.loop import WindowLoop, WindowOptions

pytestmark = pytest.mark.screen

PATIENCE_S = 20.0
MOVING = range(4, 9)
"""Frames of a deal that are followed by motion."""


def test_the_next_frame_of_an_animation_is_planned_while_the_display_shows_one(stage: Stage):
    """The wall clock is read once for each planned frame: here while `show` waits for that."""
    planned, waiting = Event(), []

    def wall() -> datetime:
        if current_thread() is not main_thread():
            planned.set()
        return WALL

    def show(_: list[pygame.Rect]) -> None:
        waiting.append(planned.wait(PATIENCE_S) if len(waiting) in MOVING else None)
        planned.clear()

    options = WindowOptions(settings=stage.cabinet.settings, facts=SAMPLE_FACTS)
    play = WindowLoop(
        cabinet=stage.cabinet,
        options=options,
        surface=stage.play.surface,
        mixer=stage.mixer,
        show=show,
        wall=wall,
    )
    play.turn(stage.now)
    now = stage.now + 1.0
    stage.cabinet.step(Bet(), Deal(), now=now)
    while len(waiting) <= max(MOVING):
        now += FRAME_S
        play.turn(now)
    assert [each for each in waiting if each is not None] == [True] * len(MOVING)


@pytest.mark.parametrize("beat_s", [FRAME_S, 1 / 50, 1 / 30, 1 / 24])
def test_frames_of_an_animation_are_planned_for_the_displays_refresh(stage: Stage, beat_s: float):
    stage.turn(1.0)
    stage.cabinet.step(Bet(), Deal(), now=stage.now)
    frames = stage.play.frames
    painted = frames.painted
    for _ in range(40):
        stage.turn(beat_s * 1.001)
    assert frames.painted - painted > 15
    # The first frame cannot know the display's speed.
    assert frames.foreseen >= frames.painted - painted - 4


def test_every_frame_of_an_animation_is_planned_although_the_loop_oversleeps(stage: Stage):
    chance, frames = random.Random(1), stage.play.frames
    stage.turn(1.0)
    stage.cabinet.step(Bet(), Deal(), now=stage.now)
    painted, foreseen, pause_s = frames.painted, frames.foreseen, 0.0
    while stage.now < stage.cabinet.snapshot().open_at_s:
        pause_s = stage.turn(pause_s + chance.uniform(0.0001, 0.001))
    assert frames.painted - painted > 30
    assert frames.foreseen - foreseen >= 0.95 * (frames.painted - painted)


def test_frames_after_a_late_one_are_planned(stage: Stage):
    stage.turn(1.0)
    stage.cabinet.step(Bet(), Deal(), now=stage.now)
    for _ in range(10):
        stage.turn(FRAME_S)
    stage.turn(3 * FRAME_S)
    frames = stage.play.frames
    painted, foreseen = frames.painted, frames.foreseen
    for _ in range(10):
        stage.turn(FRAME_S)
    assert frames.foreseen - foreseen == frames.painted - painted > 5


def test_snapshot_is_planned_before_the_frame_that_shows_it_is_due(stage: Stage):
    stage.turn(1.0)
    stage.cabinet.step(Bet(), now=stage.now)
    assert stage.turn(0.4 * FRAME_S) == 0.0
    assert stage.turn(0.0) > 0.0, "it is planned once"
    foreseen = stage.play.frames.foreseen
    stage.turn(0.7 * FRAME_S)
    assert stage.play.frames.foreseen == foreseen + 1


def test_the_clock_changes_with_the_minute_during_an_animation(stage: Stage):
    """WALL is twenty seconds past a full minute; a frame is planned in the minute before."""
    stage.turn(1.0)
    stage.now = START + 40.0 - 6 * FRAME_S
    stage.turn(0.0)
    stage.cabinet.step(Bet(), Deal(), now=stage.now)
    seen = []
    for _ in range(12):
        stage.turn(FRAME_S)
        box = stage.where.rect(Slot(Kind.CLOCK))
        seen.append((stage.now >= START + 40.0, pixels_of(stage.play.surface, tuple(box))))
    before, after = ({pixels for late, pixels in seen if late is which} for which in (False, True))
    assert stage.play.frames.foreseen >= 6
    assert len(before) == len(after) == 1
    assert before != after

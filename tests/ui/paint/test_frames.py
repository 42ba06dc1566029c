"""A frame is planned before it is due, and never shown in place of a change since."""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pygame
import pytest
from support.display import differing, open_display
from support.moments import PLAYED, moments_played

from cabinet.engine.inputs import Button
from cabinet.presentation.snapshot import Snapshot
from cabinet.presentation.timeline import FRAME_S
from cabinet.tools.screens_gallery import SAMPLE_FACTS, WALL
from cabinet.ui.paint.frames import SLACK_S, Frame, Frames
from cabinet.ui.paint.painter import Painter
from cabinet.ui.presenter import present
from cabinet.ui.ui_state import ButtonDown, UiState, ui_step
from cabinet.ui.view import Screen

pytestmark = pytest.mark.screen

SIZE = (640, 360)
UI = UiState()
PRESSED = ui_step(UI, ButtonDown(button=Button.DEAL))


def seen(snapshot: Snapshot, ui: UiState, at_s: float) -> Screen:
    return present(snapshot, ui, at_s, WALL, PLAYED, SAMPLE_FACTS)


@pytest.fixture(scope="module")
def surface() -> pygame.Surface:
    return open_display(SIZE)


@pytest.fixture
def animated(surface: pygame.Surface) -> tuple[Frames, Frame]:
    """A running animation, and its next frame, planned."""
    frames = Frames(Painter(SIZE), seen)
    shown = (Frame(snapshot, UI, now_s) for snapshot, now_s in moments_played("european", random.Random(5)))
    frame, following = next(
        (each, later)
        for each in shown
        if seen(*(later := each._replace(at_s=each.at_s + FRAME_S))).sprites != seen(*each).sprites
    )
    frames.paint(surface, frame)
    frames.plan(following)
    return frames, following


def test_a_planned_frame_is_shown_as_planned(surface: pygame.Surface, animated: tuple[Frames, Frame]):
    frames, following = animated
    assert frames.is_planned(following)
    before, painted = surface.copy(), frames.painted
    screen, regions = frames.paint(surface, following)
    assert regions
    assert (frames.painted, frames.foreseen) == (painted + 1, 1)
    assert differing(surface, before).size != (0, 0), "planning had painted nothing"
    assert screen == seen(*following)
    settle(surface, frames, following)
    assert shows(surface, screen)


def settle(surface: pygame.Surface, frames: Frames, frame: Frame) -> None:
    """Paints until nothing is deferred to the next frame."""
    while frames.paint(surface, frame)[1]:
        pass


def shows(surface: pygame.Surface, screen: Screen) -> bool:
    """Returns True when the surface looks as if the screen had been painted on an empty one."""
    anew = pygame.Surface(SIZE).convert()
    Painter(SIZE).paint(anew, screen)
    return differing(surface, anew, by=3).size == (0, 0)


@pytest.mark.parametrize("late_s", [-0.9 * SLACK_S, 0.9 * SLACK_S])
def test_a_slightly_early_or_late_frame_uses_the_plan(animated: tuple[Frames, Frame], late_s: float):
    frames, following = animated
    assert frames.is_planned(following._replace(at_s=following.at_s + late_s))


@pytest.mark.requirement("PD-06")
@pytest.mark.parametrize(
    "happened",
    [
        lambda frame: frame._replace(ui=PRESSED),
        lambda frame: frame._replace(snapshot=replace(frame.snapshot, number=frame.snapshot.number + 1)),
        lambda frame: frame._replace(at_s=frame.at_s + 1.1 * SLACK_S),
        lambda frame: frame._replace(at_s=frame.at_s - 1.1 * SLACK_S),
    ],
    ids=["press", "snapshot", "late", "early"],
)
def test_a_change_since_the_plan_is_shown(
    surface: pygame.Surface, animated: tuple[Frames, Frame], happened: Callable[[Frame], Frame]
):
    frames, following = animated
    frame = happened(following)
    assert not frames.is_planned(frame)
    screen, _ = frames.paint(surface, frame)
    assert screen == seen(*frame)
    settle(surface, frames, frame)
    assert shows(surface, screen)


def test_a_plan_is_for_one_frame(surface: pygame.Surface, animated: tuple[Frames, Frame]):
    frames, following = animated
    frames.paint(surface, following)
    assert not frames.is_planned(following)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("game_id", "seed"), [("classic", 13), ("european", 11), ("table", 12)])
def test_planned_frames_equal_newly_painted_ones(surface: pygame.Surface, game_id: str, seed: int):
    """Some plans are for events that never come; some animations are skipped."""
    chance, painter, other = random.Random(seed), Painter(SIZE), Painter(SIZE)
    frames, anew = Frames(painter, seen), pygame.Surface(SIZE).convert()
    moments = [*moments_played(game_id, random.Random(seed))]
    for (snapshot, now_s), (_, next_s) in pairwise(moments):
        frame = Frame(snapshot, chance.choice((UI, UI, PRESSED)), now_s)
        screen, _ = frames.paint(surface, frame)
        while painter.is_behind:
            painter.paint(surface, screen, at_once=False)
        other.forget()
        other.paint(anew, screen)
        assert differing(surface, anew, by=3).size == (0, 0), f"at {now_s}"
        frames.plan(Frame(snapshot, UI, next_s + chance.choice((0.0, 0.005, 0.03))))
    assert frames.painted > frames.foreseen > 10

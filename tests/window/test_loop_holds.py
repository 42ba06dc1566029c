"""Held buttons on the window: by touch and on the panel a push is a press or a hold, never both."""

import pygame
import pytest
from support.stage import Stage

from cabinet.engine.inputs import Bet, Button, Deal, TakeChip
from cabinet.presentation.press_or_hold import STUCK_S
from cabinet.presentation.timeline import FRAME_S
from cabinet.tools.screens_gallery import named_draw
from cabinet.ui.sound.cues import Cue
from cabinet.ui.view import Kind, Slot
from cabinet.window.mixer import Mixer

pytestmark = pytest.mark.screen


def _mouse(stage: Stage, kind: int, button: Button, seconds: float) -> None:
    pygame.event.post(pygame.event.Event(kind, button=1, pos=stage.legend(button), touch=False))
    stage.turn(seconds)


def _down(stage: Stage, button: Button) -> None:
    _mouse(stage, pygame.MOUSEBUTTONDOWN, button, 0.2)


def _up(stage: Stage, button: Button) -> None:
    _mouse(stage, pygame.MOUSEBUTTONUP, button, 0.05)


def test_a_touch_of_chip_counts_once_on_release(stage: Stage):
    _down(stage, Button.CHIP)
    assert stage.cabinet.wishes == []
    _up(stage, Button.CHIP)
    _up(stage, Button.CHIP)
    assert stage.cabinet.wishes == [Button.CHIP]


def test_a_touch_of_chip_shows_and_sounds_at_once(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    sounded: list[Cue] = []
    monkeypatch.setattr(Mixer, "play", lambda _, cue: sounded.append(cue))
    before = len(stage.shown)
    _mouse(stage, pygame.MOUSEBUTTONDOWN, Button.CHIP, FRAME_S)
    assert sounded == [Cue.PRESS]
    nth = list(Button).index(Button.CHIP)
    assert stage.shown[before:] == [[pygame.Rect(stage.where.rect(Slot(Kind.LEGEND, nth=nth)))]]


def test_chip_held_by_touch_switches_the_language_and_is_no_press(stage: Stage):
    _down(stage, Button.CHIP)
    for _ in range(3):
        stage.turn(0.4)
    _up(stage, Button.CHIP)
    assert stage.play.ui.language.code == "de"
    assert stage.cabinet.wishes == []


def test_a_press_on_the_panel_is_no_hold(stage: Stage):
    stage.cabinet.taken = False
    stage.cabinet.held = frozenset({Button.CHIP, Button.PLACE, Button.STAND})
    for _ in range(6):
        stage.turn(0.6)
    assert (stage.play.ui.language.code, stage.play.ui.help_page, stage.play.ui.session_shown) == ("en", None, False)


def test_a_stuck_panel_button_does_nothing(stage: Stage):
    stage.cabinet.held = frozenset({Button.CHIP})
    for _ in range(round(STUCK_S / 0.5) + 2):
        stage.turn(0.5)
    spoken = stage.play.ui.language
    attended = len(stage.cabinet.attendance)
    for _ in range(20):
        stage.turn(0.5)
        assert stage.play.ui.language is spoken
    assert len(stage.cabinet.attendance) == attended, "no player is there"
    stage.cabinet.held = frozenset()
    stage.turn(0.5)
    stage.cabinet.held = frozenset({Button.CHIP})
    for _ in range(3):
        stage.turn(0.5)
    assert stage.play.ui.language is not spoken, "after its release it is a button again"


@pytest.mark.parametrize("lost", [pygame.WINDOWFOCUSLOST, pygame.WINDOWHIDDEN, pygame.WINDOWMINIMIZED])
def test_a_finger_lost_with_the_window_is_released_without_a_press(stage: Stage, lost: int):
    corner = (stage.legend(Button.CHIP)[0], stage.where.rect(Slot(Kind.LEGEND, nth=3)).y + 5)
    resting = stage.play.surface.get_at(corner)
    _down(stage, Button.CHIP)
    assert stage.play.surface.get_at(corner) != resting
    pygame.event.post(pygame.event.Event(lost))
    for _ in range(6):
        stage.turn(0.5)
    _up(stage, Button.CHIP)
    assert stage.play.surface.get_at(corner) == resting
    assert stage.cabinet.wishes == []
    assert stage.play.ui.language.code == "en"


def test_the_next_touch_completes_a_missing_release_without_a_press(stage: Stage):
    _down(stage, Button.CHIP)
    _down(stage, Button.BET)
    _up(stage, Button.BET)
    assert stage.cabinet.wishes == [Button.BET]
    stage.turn(3.0)
    assert stage.play.ui.language.code == "en"


def test_two_fingers_hold_and_press_side_by_side(stage: Stage):
    _down(stage, Button.CHIP)
    stage.finger(stage.legend(Button.BET))
    stage.turn(0.2)
    assert stage.cabinet.wishes == [Button.BET]
    _up(stage, Button.CHIP)
    assert stage.cabinet.wishes == [Button.BET, Button.CHIP]


def test_the_release_of_chip_does_not_skip_a_hand_dealt_meanwhile(stage: Stage):
    stage.click(stage.legend(Button.BET))
    stage.until_open()
    stage.cabinet.wishes.clear()
    _down(stage, Button.CHIP)
    stage.cabinet.put(Button.DEAL, stage.now)
    end_s = stage.cabinet.snapshot().open_at_s
    _up(stage, Button.CHIP)
    assert stage.cabinet.wishes == [Button.DEAL]
    assert stage.cabinet.snapshot().open_at_s == end_s


# --- one chip back ----------------------------------------------------------------------------------------------


def _on_stack(stage: Stage, kind: int, seconds: float) -> None:
    pygame.event.post(pygame.event.Event(kind, button=1, pos=stage.middle(Kind.PLACE), touch=False))
    stage.turn(seconds)


def _chips(stage: Stage, count: int) -> None:
    """Places this number of chips of 25 dollars on the one place."""
    stage.cabinet.step(*(Bet(place=0) for _ in range(count)), now=stage.now)
    stage.turn(1.0)
    stage.cabinet.wishes.clear()


def test_a_short_touch_of_a_stack_places_a_chip_on_release(stage: Stage):
    _chips(stage, 1)
    _on_stack(stage, pygame.MOUSEBUTTONDOWN, 0.3)
    assert stage.cabinet.wishes == []
    _on_stack(stage, pygame.MOUSEBUTTONUP, 0.05)
    assert stage.cabinet.wishes == [Bet(place=0)]


def test_a_touch_of_an_empty_place_places_a_chip_at_once(stage: Stage):
    stage.turn(1.0)
    _on_stack(stage, pygame.MOUSEBUTTONDOWN, 0.05)
    assert stage.cabinet.wishes == [Bet(place=0)]


def test_a_long_touch_of_a_stack_takes_one_chip_after_the_other(stage: Stage):
    _chips(stage, 3)
    _on_stack(stage, pygame.MOUSEBUTTONDOWN, 0.05)
    for _ in range(5):
        stage.turn(0.5)
    _on_stack(stage, pygame.MOUSEBUTTONUP, 0.05)
    assert stage.cabinet.wishes == [TakeChip(place=0)] * 2
    assert stage.cabinet.snapshot().machine.seat.bets == (2_500,)


def test_a_long_touch_takes_a_chip_from_a_full_stack(stage: Stage):
    _chips(stage, 4)
    _on_stack(stage, pygame.MOUSEBUTTONDOWN, 0.05)
    for _ in range(3):
        stage.turn(0.5)
    assert stage.cabinet.wishes == [TakeChip(place=0)]


def test_a_finger_on_a_stack_that_is_dealt_meanwhile_places_and_takes_no_chip(stage: Stage):
    _chips(stage, 1)
    _on_stack(stage, pygame.MOUSEBUTTONDOWN, 0.05)
    stage.cabinet.draw = named_draw("10S 6S 8H 9D")
    stage.cabinet.step(Deal(), now=stage.now)
    stage.turn(0.05)
    _on_stack(stage, pygame.MOUSEBUTTONUP, 0.05)
    assert stage.cabinet.wishes == []


def test_clear_held_on_the_panel_takes_one_chip_and_clears_nothing(stage: Stage):
    _chips(stage, 2)
    stage.cabinet.held = frozenset({Button.CLEAR})
    for _ in range(3):
        stage.turn(0.5)
    stage.cabinet.held = frozenset()
    stage.turn(0.1)
    assert stage.cabinet.wishes == [TakeChip(place=0)]
    assert stage.cabinet.snapshot().machine.seat.bets == (2_500,)


def test_clear_touched_shortly_clears_every_bet(stage: Stage):
    _chips(stage, 2)
    _down(stage, Button.CLEAR)
    _up(stage, Button.CLEAR)
    assert stage.cabinet.wishes == [Button.CLEAR]
    assert stage.cabinet.snapshot().machine.seat.bets == (0,)

"""The buttons that are shown pressed, and for how long."""

from math import inf

from cabinet.engine.inputs import Button
from cabinet.ui.ui_state import UiState
from cabinet.window.touches import PRESS_SHOWN_S, Fingers

UI = UiState()
NOTHING = frozenset[Button]()


def pressed(fingers: Fingers, at_s: float) -> frozenset[Button]:
    return fingers.seen(UI, at_s).pressed


def test_a_button_is_shown_pressed_under_a_finger():
    fingers = Fingers()
    fingers.touch(Button.HIT, 1, 10.0)
    assert pressed(fingers, 10.0) == pressed(fingers, 60.0) == fingers.touched == {Button.HIT}
    assert fingers.on_buttons == {1}


def test_each_finger_releases_its_own_button():
    fingers = Fingers()
    fingers.touch(Button.HIT, 1, 10.0)
    fingers.touch(Button.STAND, 2, 10.0)
    assert fingers.lift(2, 20.0) is Button.STAND
    assert fingers.lift(2, 20.0) is None
    assert fingers.touched == {Button.HIT}


def test_the_last_of_two_fingers_releases_the_button():
    fingers = Fingers()
    fingers.touch(Button.HIT, 1, 10.0)
    fingers.touch(Button.HIT, 2, 10.0)
    assert fingers.lift(1, 20.0) is None
    assert pressed(fingers, 20.0) == {Button.HIT}
    assert fingers.lift(2, 30.0) is Button.HIT
    assert pressed(fingers, 30.0) == NOTHING


def test_a_press_is_shown_until_it_ends_and_for_a_minimum_time():
    fingers = Fingers()
    fingers.touch(Button.HIT, 1, 10.0)
    fingers.lift(1, 10.01)
    assert fingers.next_s == 10.0 + PRESS_SHOWN_S
    assert pressed(fingers, 10.0 + 0.9 * PRESS_SHOWN_S) == {Button.HIT}
    assert pressed(fingers, 10.0 + 1.1 * PRESS_SHOWN_S) == NOTHING
    fingers.touch(Button.STAND, 1, 20.0)
    fingers.lift(1, 25.0)
    assert pressed(fingers, 25.0) == NOTHING


def test_asking_for_a_later_moment_changes_nothing_now():
    fingers = Fingers()
    fingers.touch(Button.HIT, 1, 10.0)
    fingers.lift(1, 10.0)
    assert pressed(fingers, 99.0) == NOTHING
    assert pressed(fingers, 10.0) == {Button.HIT}


def test_panel_buttons_are_reported_when_they_go_down_and_shown_while_down():
    fingers = Fingers()
    assert fingers.update_panel(frozenset({Button.DEAL}), 10.0) == (Button.DEAL,)
    assert fingers.update_panel(frozenset({Button.DEAL}), 10.02) == ()
    assert fingers.pushed == pressed(fingers, 10.02) == {Button.DEAL}
    assert fingers.update_panel(NOTHING, 10.03) == ()
    assert fingers.pushed == NOTHING
    assert pressed(fingers, 10.05) == {Button.DEAL}
    assert fingers.next_s == 10.0 + PRESS_SHOWN_S


def test_a_button_shown_released_is_forgotten():
    fingers = Fingers()
    fingers.touch(Button.HIT, 1, 10.0)
    fingers.lift(1, 10.0)
    fingers.update_panel(NOTHING, 10.0 + PRESS_SHOWN_S)
    assert fingers.next_s == inf

"""Short and long touches of a stack of chips."""

import pytest

from cabinet.engine.inputs import Bet, TakeChip
from cabinet.presentation.press_or_hold import HOLD_S, STUCK_S
from cabinet.ui.long_touch import LongTouches

AT = (640, 300)
PLACE, TAKE = Bet(place=0), TakeChip(place=0)


def touching(now: float = 10.0) -> LongTouches:
    """Returns the touches with one finger on a stack."""
    touches = LongTouches()
    touches.touch(1, AT, PLACE, TAKE, now)
    return touches


def test_a_short_touch_counts_on_release():
    touches = touching()
    assert touches.due(10.5) == ()
    left = touches.lift(1, 10.9)
    assert left is not None
    assert (left.at, left.short) == (AT, PLACE)
    assert touches.lift(1, 10.9) is None


def test_a_long_touch_takes_a_chip_every_second_and_places_none():
    touches = touching()
    assert touches.next_s == 10.0 + HOLD_S
    assert [touch.long for touch in touches.due(11.0)] == [TAKE]
    assert touches.due(11.5) == ()
    assert [touch.long for touch in touches.due(12.0)] == [TAKE]
    assert touches.lift(1, 12.3) is None


def test_a_long_touch_found_late_places_no_chip():
    assert touching().lift(1, 10.0 + HOLD_S) is None


def test_a_permanent_touch_stops_taking_chips():
    touches, taken = touching(), 0
    for second in range(100):
        taken += len(touches.due(10.0 + second))
    assert taken == pytest.approx(STUCK_S, abs=1)
    assert touches.next_s == float("inf")


def test_each_finger_is_tracked_independently():
    touches = touching()
    touches.touch(2, AT, PLACE, TAKE, 10.8)
    assert len(touches.due(11.0)) == 1
    assert touches.lift(1, 11.1) is None
    assert touches.lift(2, 11.1) is not None

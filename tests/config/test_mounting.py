"""How panel and foil are mounted: pixels there, fingers back."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import SIZES

from cabinet.config.mounting import STRAIGHT, TURNS, UPRIGHT, Mounting, is_calibration, unfit
from cabinet.ui.layout.geometry import Rect

PANEL = (1920, 1080)


@given(st.sampled_from(TURNS), st.integers(0, 900), st.integers(0, 900))
def test_a_finger_on_a_pixel_of_the_panel_is_on_the_same_pixel_of_the_picture(rotation: int, x: int, y: int):
    mounting = Mounting(rotation=rotation)
    there = Rect(*mounting.on_panel((x, y, 1, 1), PANEL))
    assert there.within(Rect(0, 0, *PANEL))
    found = mounting.finger((there.x + 0.5) / PANEL[0], (there.y + 0.5) / PANEL[1])
    assert found is not None
    width, height = mounting.picture_size(PANEL)
    assert (int(found[0] * width), int(found[1] * height)) == (x, y)


@pytest.mark.parametrize(
    ("turn", "expected"), [(0, (0.1, 0.3)), (90, (0.7, 0.1)), (180, (0.9, 0.7)), (270, (0.3, 0.9))]
)
def test_a_foil_may_lie_turned_on_its_panel(turn: int, expected: tuple[float, float]):
    assert Mounting(touch_rotation=turn).finger(0.1, 0.3) == pytest.approx(expected)


def test_a_calibration_mends_a_foil_that_is_larger_than_the_panel_or_mirrored():
    stretched = Mounting(touch_calibration=(1.25, 0.0, -0.125, 0.0, 1.0, 0.0))
    assert stretched.finger(0.5, 0.5) == pytest.approx((0.5, 0.5))
    assert stretched.finger(0.1, 0.5) == pytest.approx((0.0, 0.5))
    assert stretched.finger(0.02, 0.5) is None
    mirrored = Mounting(touch_calibration=(-1.0, 0.0, 1.0, 0.0, 1.0, 0.0))
    assert mirrored.finger(0.2, 0.6) == pytest.approx((0.8, 0.6))


@pytest.mark.parametrize("point", [(-0.01, 0.5), (0.5, 1.01), (70.0, 0.5)])
def test_what_no_finger_can_send_is_no_touch(point: tuple[float, float]):
    assert UPRIGHT.finger(*point) is None


@pytest.mark.parametrize(
    ("numbers", "good"),
    [
        (STRAIGHT, True),
        ((1.25, 0.0, -0.125, 0.0, 1.0, 0.0), True),
        ((0.92, 0.0, 0.04, 0.0, 0.95, 0.02), True),
        ((0.0, 1.0, 0.0, -1.0, 0.0, 1.0), True),
        ((1.0, 0.0, 0.0, 2.0, 0.0, 0.0), False),
        ((1.0, 0.0, 0.0, 1.0), False),
        ((1.0, 0.0, nan, 0.0, 1.0, 0.0), False),
        ((inf, 0.0, 0.0, 0.0, 1.0, 0.0), False),
        ((1.0, 0.0, 5.0, 0.0, 1.0, 0.0), False),
        ((0.5, 0.0, 0.0, 0.0, 0.5, 0.0), False),
    ],
)
def test_a_calibration_with_which_parts_of_the_panel_cannot_be_touched_is_none(
    numbers: tuple[float, ...], *, good: bool
):
    assert is_calibration(numbers) is good


@pytest.mark.requirement("PD-04")
@pytest.mark.parametrize("size", [*SIZES, (3840, 1080), (1366, 768)])
def test_every_supported_picture_is_drawn(size: tuple[int, int]):
    assert unfit(size) == ""


@pytest.mark.requirement("PD-04")
@pytest.mark.parametrize("size", [(640, 480), (320, 320), (720, 1280), (1279, 720), (1280, 719), (1280, 1025), (0, 0)])
def test_a_picture_too_small_or_too_narrow_is_refused_in_a_sentence_that_names_the_smallest(size: tuple[int, int]):
    assert f"{size[0]}x{size[1]} pixels: the smallest is 1280x720, the narrowest is 5 to 4" in unfit(size)

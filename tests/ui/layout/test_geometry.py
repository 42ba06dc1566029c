"""Rectangles of whole pixels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.ui.layout.geometry import Rect, between, lying_at, spanning

BOX = Rect(10, 20, 30, 40)


def test_right_and_bottom_are_just_outside():
    assert (BOX.right, BOX.bottom, BOX.centre) == (40, 60, (25, 40))
    assert BOX.holds((10, 20))
    assert not BOX.holds((40, 20))
    assert not BOX.holds((39, 60))


@pytest.mark.parametrize(
    ("other", "meet"),
    [
        (Rect(40, 20, 5, 5), False),
        (Rect(39, 59, 5, 5), True),
        (Rect(0, 0, 10, 20), False),
        (Rect(15, 25, 5, 5), True),
        (Rect(15, 25, 0, 5), False),
    ],
)
def test_rectangles_meet_when_they_share_a_pixel(other: Rect, meet: bool):
    assert BOX.meets(other) is meet
    assert other.meets(BOX) is meet


@given(edges=st.lists(st.floats(0, 1920), min_size=3, max_size=3), unit=st.floats(0.5, 2.0))
def test_neighbours_share_their_edges(edges: list[float], unit: float):
    left, middle, right = sorted(edges)
    assert spanning(left, 0, middle, 10, unit).right == spanning(middle, 0, right, 10, unit).x


def test_between_goes_from_start_to_end():
    end = Rect(110, 220, 130, 140)
    assert between(BOX, end, 0) == BOX
    assert between(BOX, end, 1) == end
    assert between(BOX, end, 0.5) == Rect(60, 120, 80, 90)


@pytest.mark.parametrize("unit", [2 / 3, 1.0, 4 / 3])
def test_a_rectangle_has_the_same_size_at_every_position(unit: float):
    sizes = {lying_at(left / 7, left / 3, 61.4, 61.4, unit)[2:] for left in range(100)}
    assert len(sizes) == 1

"""Suit signs: as high as their square, symmetrical, four of them."""

import pytest

from cabinet.ui.art.pips import CLUBS, DIAMONDS, HEARTS, SPADES, pip
from cabinet.ui.art.vector import mirrored


def test_a_pip_fills_its_unit_square_in_height() -> None:
    for suit in range(4):
        points = [point for contour in pip(suit) for point in contour]
        assert min(y for _, y in points) == pytest.approx(-0.5, abs=0.04)
        assert max(y for _, y in points) == pytest.approx(0.5, abs=0.01)
        assert max(abs(x) for x, _ in points) < 0.5
    with pytest.raises(ValueError, match="suit 4"):
        pip(4)


@pytest.mark.parametrize("suit", [SPADES, HEARTS, DIAMONDS])
def test_a_sign_is_its_own_mirror_image(suit: int) -> None:
    (contour,) = pip(suit)
    assert {(round(x, 9), round(y, 9)) for x, y in mirrored(contour)} == {
        (round(x, 9), round(y, 9)) for x, y in contour
    }


def test_a_club_has_three_leaves_joined_by_a_stem() -> None:
    assert len(pip(CLUBS)) == 5

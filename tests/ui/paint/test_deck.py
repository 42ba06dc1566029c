"""Cards at the prepared heights, and while they turn."""

import itertools

import pytest

from cabinet.engine.cards import card_from_code
from cabinet.ui.art.cards import card_back, card_face
from cabinet.ui.paint.deck import card_asset, heights_for, nearest, turning_sizes
from cabinet.ui.paint.pieces import Piece, Scaled
from cabinet.ui.shapes import SMALL_CARD_PX

ACE = card_from_code("AS")
SIZES = ((1280, 720), (1280, 1024), (1920, 1080), (3840, 2160))


@pytest.mark.parametrize("size", SIZES)
def test_heights_step_down_to_the_lowest_without_gaps(size: tuple[int, int]):
    heights = sorted(heights_for(size))
    assert heights[-1] == max(heights_for(size)[:3])
    gaps = [low / high for low, high in itertools.pairwise(heights) if high != SMALL_CARD_PX]
    assert min(gaps) > 0.8


def test_a_card_at_a_prepared_height_is_not_scaled():
    heights = heights_for((1920, 1080))
    asset, size = card_asset(ACE, heights[0], heights)
    assert isinstance(asset, Piece)
    assert asset.make is card_face
    assert size == (round(heights[0] * 5 / 7), heights[0])


def test_a_card_a_pixel_off_stays_sharp():
    heights = heights_for((1920, 1080))
    assert isinstance(card_asset(ACE, heights[0] - 1, heights)[0], Piece)


def test_a_card_between_two_heights_is_scaled_down_from_the_larger():
    asset, size = card_asset(ACE, 150, (190, 158, 136, 110))
    assert isinstance(asset, Scaled)
    assert asset.of == card_asset(ACE, 158, (190, 158))[0]
    assert size == asset.size == (107, 150)


def test_small_cards_come_from_small_ones_and_large_from_large():
    assert nearest(100, (190, 120, 109, 94)) == 109
    assert nearest(112, (190, 120, 109, 94)) == 120
    assert nearest(400, (190, 109)) == 400


def test_a_turning_card_narrows_shows_its_back_first_and_its_face_after_the_edge():
    heights = (140,)
    widths = [card_asset(ACE, 140, heights, turn=turn / 10)[1][0] for turn in range(11)]
    assert widths == [*sorted(widths[:6], reverse=True), *sorted(widths[6:])]
    assert widths[0] == widths[-1] == 100
    assert widths[5] == 30
    assert {(wide, 140) for wide in widths} == {*turning_sizes(140, heights), (100, 140)}

    def drawn(turn: float) -> object:
        asset = card_asset(ACE, 140, heights, turn=turn)[0]
        base = asset.of if isinstance(asset, Scaled) else asset
        return base.make if isinstance(base, Piece) else base

    assert [drawn(turn) for turn in (0.0, 0.3, 0.7, 1.0)] == [card_back, card_back, card_face, card_face]


def test_an_unknown_card_never_shows_a_face():
    asset, _ = card_asset(None, 140, (140,), turn=1.0)
    assert isinstance(asset, Piece)
    assert asset.make is card_back

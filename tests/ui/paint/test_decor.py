"""Ornament."""

import pytest
from support.display import open_display, pixels_of

from cabinet.ui.art.palette import FELT
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.decor import BACK, FANS, WELCOME, card_place, cartouche, fan, fan_asset, framed, heap_asset

pytestmark = pytest.mark.screen


@pytest.fixture(autouse=True)
def _display() -> None:
    open_display((320, 200))


@pytest.mark.parametrize("codes", [*FANS.values(), WELCOME, (BACK,)])
@pytest.mark.parametrize("high", [60, 200])
def test_a_fan_is_whole(codes: tuple[str, ...], high: int):
    surface = Assets(10 * 2**20).get(fan_asset(codes, high))
    width, height = surface.get_size()
    ink = surface.get_bounding_rect(min_alpha=200)
    assert ink.x > 0
    assert ink.right < width
    assert ink.y > 0
    assert ink.bottom < height
    assert ink.h >= 0.95 * high


def test_a_wider_spread_is_a_wider_fan():
    assert fan(WELCOME, 100, 30).get_width() > fan(WELCOME, 100, 10).get_width()


@pytest.mark.parametrize("width", [80, 300])
def test_a_heap_shows_its_three_stacks(width: int):
    pile = heap_asset(width)
    assert len(pile.parts) == 3
    for asset, x, y in pile.parts:
        assert x >= 0
        assert y >= 0
        size = Assets(10 * 2**20).get(asset).get_size()
        assert x + size[0] <= pile.size[0]
        assert y + size[1] <= pile.size[1]


def test_each_game_has_its_own_cloth_with_clear_corners():
    cards = [framed((120, 160), game_id, bright=False) for game_id in FELT]
    assert len({pixels_of(card) for card in cards}) == len(FELT)
    assert all(card.get_at((0, 0)).a == 0 for card in cards)
    assert pixels_of(framed((120, 160), "table", bright=True)) != pixels_of(cards[1])
    assert set(FANS) == set(FELT)


def test_a_cartouche_has_cut_corners_and_darkens_the_cloth():
    frame = cartouche((300, 110))
    assert frame.get_at((1, 1)).a == 0
    assert frame.get_at((150, 55)).a > 0
    assert frame.get_at((150, 1)).a > frame.get_at((150, 55)).a


def test_a_place_for_cards_is_faint():
    frame = card_place((160, 150))
    assert frame.get_size() == (160, 150)
    assert 0 < frame.get_at((80, 70)).a < 110
    assert frame.get_at((5, 75)).a < 60

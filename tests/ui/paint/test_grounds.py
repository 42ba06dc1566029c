"""Grounds and lights."""

import pygame
import pytest
from support.display import open_display

from cabinet.ui.art.cards import card_size
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.grounds import card_shade, cloth, dialog, hairline, light, shade, veil

pytestmark = pytest.mark.screen


@pytest.fixture(autouse=True)
def _display() -> None:
    open_display((320, 200))


def test_the_cloth_of_a_very_fine_display_looks_like_that_of_a_coarser_one():
    fine, coarse = cloth((3840, 100), "table"), cloth((1920, 50), "table")
    assert fine.get_size() == (3840, 100)
    for x in (10, 900, 1910):
        here, there = (
            pygame.transform.average_color(each, pygame.Rect(x * times, 0, 8 * times, 50 * times))
            for each, times in ((fine, 2), (coarse, 1))
        )
        assert here[:3] == pytest.approx(there[:3], abs=2)


def test_nothing_shines_through_a_dialog():
    ground = pygame.Surface((300, 200))
    ground.fill((255, 255, 255))
    ground.blit(Assets(10 * 2**20).get(dialog((300, 200))), (0, 0))
    assert max(ground.get_at((150, 120))[:3]) < 60


def test_grounds_and_veils_have_the_size_and_strength_asked_for():
    assert veil((30, 20), 100).get_alpha() == 100
    assert shade((30, 20), (1, 2, 3)).get_at((29, 19))[:3] == (1, 2, 3)
    assert hairline((30, 2), (9, 9, 9), 128).get_at((0, 0)).a == 128


def test_a_pool_of_light_fills_any_size_and_fades_to_its_edge():
    pool = Assets(10 * 2**20).get(light((90, 40)))
    assert pool.get_size() == (90, 40)
    assert pool.get_at((45, 20)).a > pool.get_at((2, 20)).a


def test_the_shade_of_a_card_has_its_shape():
    dark = card_shade(140, 120)
    assert dark.get_size() == card_size(140)
    assert dark.get_at((0, 0)).a == 0
    assert dark.get_at((50, 70)) == (0, 0, 0, 120)

"""Suit signs: as high as their square, symmetrical, four of them, in any colour."""

import pygame

from cabinet.ui.art.pictures import rendered
from cabinet.ui.art.pips import pip

RED = (200, 20, 30)


def sign(suit: int) -> pygame.Surface:
    return rendered(pip(suit, RED, (50, 50), 100), (200, 200), (0, 0, 100, 100))


def test_a_sign_is_as_high_as_its_square_and_has_one_colour() -> None:
    for suit in range(4):
        ink = sign(suit).get_bounding_rect(min_alpha=128)
        assert abs(ink.centery - 100) <= 4
        assert 190 <= ink.height <= 200
        assert 150 <= ink.width <= 196
        assert sign(suit).get_at((100, 110)) == (*RED, 255)


def test_a_sign_is_its_own_mirror_image() -> None:
    for suit in range(4):
        outline = pygame.mask.from_surface(sign(suit))
        flipped = pygame.mask.from_surface(pygame.transform.flip(sign(suit), flip_x=True, flip_y=False))
        assert outline.overlap_area(flipped, (0, 0)) > 0.98 * outline.count()


def test_the_four_signs_differ() -> None:
    assert len({pygame.image.tobytes(sign(suit), "RGBA") for suit in range(4)}) == 4

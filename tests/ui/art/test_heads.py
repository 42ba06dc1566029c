"""Heads of the court: inside the frame, above the robe, an outline for each rank."""

import pygame
import pytest

from cabinet.ui.art.heads import HEADS
from cabinet.ui.art.liveries import LIVERIES
from cabinet.ui.art.vector import Canvas


def blank() -> Canvas:
    """A canvas as a court figure is drawn on, its origin in the card's middle."""
    return Canvas((250, 350), (-125, -175, 250, 350), oversample=2)


def drawn(rank: int, suit: int) -> pygame.Surface:
    canvas = blank()
    HEADS[rank].behind(canvas, LIVERIES[suit])
    HEADS[rank].front(canvas, LIVERIES[suit])
    return canvas.finished()


@pytest.mark.parametrize("rank", sorted(HEADS))
def test_a_head_stays_in_the_upper_half_of_its_frame(rank: int) -> None:
    ink = drawn(rank, 0).get_bounding_rect()
    assert ink.top >= 175 - 151
    assert ink.bottom <= 175 - 30
    assert ink.left >= 125 - 63
    assert ink.right <= 125 + 63


def test_king_and_queen_look_straight_ahead_and_the_jack_to_the_side() -> None:
    def lopsided(rank: int) -> float:
        outline = pygame.mask.from_surface(drawn(rank, 0))
        flipped = pygame.mask.from_surface(pygame.transform.flip(drawn(rank, 0), flip_x=True, flip_y=False))
        return 1 - outline.overlap_area(flipped, (0, 0)) / outline.count()

    assert lopsided(12) < 0.04
    assert lopsided(11) < 0.04
    assert lopsided(10) > 0.15


def test_the_hair_of_each_suit_differs() -> None:
    assert len({pygame.image.tobytes(drawn(12, suit), "RGBA") for suit in range(4)}) == 4

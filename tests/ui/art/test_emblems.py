"""What courts hold: twelve things, where the hand is, inside the frame."""

import pygame
import pytest

from cabinet.ui.art.emblems import HELD
from cabinet.ui.art.liveries import LIVERIES
from cabinet.ui.art.vector import Canvas


def blank() -> Canvas:
    """A canvas as a court figure is drawn on, its origin in the card's middle."""
    return Canvas((250, 350), (-125, -175, 250, 350), oversample=2)


@pytest.mark.parametrize(("rank", "suit"), sorted(HELD))
def test_a_thing_held_passes_through_the_hand_and_stays_beside_the_face(rank: int, suit: int) -> None:
    canvas = blank()
    HELD[rank, suit](canvas, LIVERIES[suit])
    piece = canvas.finished()
    ink = piece.get_bounding_rect()
    assert ink.top >= 175 - 151
    assert ink.left >= 125 + 15
    assert ink.right <= 125 + 66
    hand = pygame.Rect(125 + 36, 175 - 21, 16, 16)
    rests_on_the_hand = (rank, suit) == (12, 3)
    assert rests_on_the_hand or piece.subsurface(hand).get_bounding_rect().height > 8


def test_no_two_figures_hold_the_same() -> None:
    looks = set()
    for (_, suit), draw in HELD.items():
        canvas = blank()
        draw(canvas, LIVERIES[suit])
        looks.add(pygame.image.tobytes(canvas.finished(), "RGBA"))
    assert len(looks) == 12

"""Court figures: twelve of them, two-headed, inside their frame."""

import pygame
import pytest

from cabinet.ui.art.cards import card_face
from cabinet.ui.art.emblems import HELD
from cabinet.ui.art.heads import HEADS
from cabinet.ui.art.robes import ROBES

COURT = [(rank, suit) for rank in (10, 11, 12) for suit in range(4)]


def figure(rank: int, suit: int) -> pygame.Surface:
    """The inside of the frame of a card drawn one pixel per unit."""
    return card_face(rank, suit, 350).subsurface(pygame.Rect(68, 32, 114, 286))


@pytest.mark.parametrize(("rank", "suit"), COURT)
def test_a_figure_fills_its_frame_with_many_colours(rank: int, suit: int) -> None:
    piece = figure(rank, suit)
    colours = {tuple(c // 24 for c in piece.get_at((x, y))[:3]) for x in range(0, 114, 2) for y in range(0, 286, 2)}
    assert len(colours) > 60


@pytest.mark.parametrize(("rank", "suit"), COURT)
def test_a_figure_is_the_same_upside_down(rank: int, suit: int) -> None:
    piece = figure(rank, suit)
    turned = pygame.transform.rotate(piece, 180)
    apart = [
        sum(abs(a - b) for a, b in zip(piece.get_at((x, y))[:3], turned.get_at((x, y))[:3], strict=True))
        for x in range(2, 112, 4)
        for y in range(2, 130, 4)
    ]
    assert sum(apart) / len(apart) < 40


def test_each_figure_holds_something_of_its_own() -> None:
    assert set(HELD) == set(COURT)
    assert len(set(HELD.values())) == 12
    assert set(HEADS) == set(ROBES) == {10, 11, 12}


def test_the_three_ranks_have_different_outlines() -> None:
    """Seen as one colour on the ground behind the head, the upper thirds of jack, queen and king differ widely."""
    shapes = []
    for rank in (10, 11, 12):
        piece = figure(rank, 0)
        shapes.append([piece.get_at((x, y)).b < 190 for y in range(0, 92, 2) for x in range(0, 114, 2)])
    for a, b in ((0, 1), (0, 2), (1, 2)):
        differing = sum(p != q for p, q in zip(shapes[a], shapes[b], strict=True))
        assert differing > 0.15 * len(shapes[a])

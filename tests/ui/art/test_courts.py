"""Court figures: twelve of them, two-headed, inside their frame."""

import pygame
import pytest

from cabinet.ui.art.cards import card_face
from cabinet.ui.art.courts import FIGURES
from cabinet.ui.art.liveries import LIVERIES
from cabinet.ui.art.pictures import drawing, rendered
from cabinet.ui.art.pips import SUITS

COURT = [(rank, suit) for rank in (10, 11, 12) for suit in range(4)]


def figure(rank: int, suit: int) -> pygame.Surface:
    """Returns the inside of the frame of a card with one pixel per unit."""
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
    assert sum(apart) / len(apart) < 1


def held(rank: int, suit: int) -> pygame.Surface:
    """Returns the object that a figure holds, on a card with two pixels per unit."""
    return rendered(drawing(f"cards/{FIGURES[rank]}-of-{SUITS[suit]}-holds"), (500, 700), (-125, -175, 250, 350))


def test_each_figure_holds_something_of_its_own() -> None:
    assert len({pygame.image.tobytes(held(rank, suit), "RGBA") for rank, suit in COURT}) == 12


def test_a_thing_held_passes_through_the_hand_and_stays_beside_the_face() -> None:
    hand = pygame.Rect(2 * (125 + 36), 2 * (175 - 21), 32, 32)
    for rank, suit in COURT:
        ink = held(rank, suit).get_bounding_rect()
        assert ink.top >= 2 * (175 - 151)
        assert ink.left >= 2 * (125 + 15)
        assert ink.right <= 2 * (125 + 66)
        rests_on_the_hand = (rank, suit) == (12, 3)
        assert rests_on_the_hand or held(rank, suit).subsurface(hand).get_bounding_rect().height > 16


def test_a_figure_wears_the_livery_of_its_suit_and_no_other() -> None:
    for rank, suit in COURT:
        worn = _colours(figure(rank, suit))
        livery = LIVERIES[suit]
        assert {livery.main, livery.second, livery.hair} <= worn
        others = {colour for other in LIVERIES if other is not livery for colour in (other.main, other.hair)}
        assert not worn & others


def _colours(piece: pygame.Surface) -> set[tuple[int, ...]]:
    width, height = piece.get_size()
    return {tuple(piece.get_at((x, y))[:3]) for x in range(width) for y in range(height)}


def test_the_three_ranks_have_different_outlines() -> None:
    """Compares the upper thirds of jack, queen and king as one colour on the ground behind the head."""
    shapes = []
    for rank in (10, 11, 12):
        piece = figure(rank, 0)
        shapes.append([piece.get_at((x, y)).b < 190 for y in range(0, 92, 2) for x in range(0, 114, 2)])
    for a, b in ((0, 1), (0, 2), (1, 2)):
        differing = sum(p != q for p, q in zip(shapes[a], shapes[b], strict=True))
        assert differing > 0.15 * len(shapes[a])

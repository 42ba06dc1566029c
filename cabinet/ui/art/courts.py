"""Court cards: an original two-headed figure for each jack, queen and king.

Rules: a file holds the upper half of a figure, with its origin in the card's middle, in the livery of spades. The
figure and its copy, rotated by half a turn, meet along a slanting sash. King, queen and jack differ in outline. A suit
has its own livery, hair, held object and direction. The object has the colours of its suit. Does not know the rules of
any game.
"""

from typing import Final

import pygame

from cabinet.ui.art.liveries import DRAWN_IN, LIVERIES
from cabinet.ui.art.palette import Colour
from cabinet.ui.art.pictures import Box, drawing, recoloured, rendered
from cabinet.ui.art.pips import SUITS, pip

FIGURES: Final = {10: "jack", 11: "queen", 12: "king"}
"""By rank."""
_CARD: Final[Box] = (-125, -175, 250, 350)
"""The card in a figure's units."""
_WORN: Final = {10: ((-20, -34), 9.4), 11: ((0, -46.4), 6.0), 12: ((0, -15.4), 12.5)}
"""The place of the suit's sign on a figure, and its height."""
_FACES_RIGHT: Final = {(10, 1), (10, 3), (11, 0), (11, 2), (12, 1), (12, 2)}
"""Figures (rank, suit) that are mirrored."""


def court_panel(rank: int, suit: int, colour: Colour, size: tuple[int, int]) -> pygame.Surface:
    """Returns the framed figure of rank 10 (jack), 11 (queen) or 12 (king) on a clear surface as large as its card."""
    half = rendered(_half_figure(rank, suit, colour), size, _CARD)
    half.blit(rendered(drawing("cards/court-half"), size, _CARD), (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    half.blit(pygame.transform.rotate(half, 180), (0, 0))
    sash = recoloured(drawing("cards/court-sash"), LIVERIES[suit].instead_of(DRAWN_IN))
    half.blit(rendered(sash + drawing("cards/court-frame"), size, _CARD), (0, 0))
    return pygame.transform.flip(half, flip_x=(rank, suit) in _FACES_RIGHT, flip_y=False)


def _half_figure(rank: int, suit: int, colour: Colour) -> str:
    """Returns the upper half of a figure: its ground, the figure, its clothes and object, and the sign in its
    corner."""
    figure, livery = FIGURES[rank], LIVERIES[suit]
    at, height = _WORN[rank]
    dressed = livery.instead_of(DRAWN_IN)
    return (
        drawing("cards/court-ground")
        + recoloured(drawing(f"cards/{figure}"), dressed)
        + pip(suit, livery.main, at, height)
        + drawing(f"cards/{figure}-of-{SUITS[suit]}-holds")
        + recoloured(drawing(f"cards/{figure}-arm"), dressed)
        + pip(suit, colour, (-46, -130), 26)
    )


def small_court(rank: int, suit: int, colour: Colour) -> str:
    """Returns the drawing of a court card too small for a figure: the suit under the headgear of the rank."""
    return pip(suit, colour, (157, 258), 122) + drawing(f"cards/{FIGURES[rank]}-headgear", at=(160, 166))

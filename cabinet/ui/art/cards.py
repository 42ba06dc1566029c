"""Playing cards: faces, back, shadow and the dashed place of a card to come.

Rules: a card is five wide to seven high. Ranks 0 to 12 are ace, two to ten, jack, queen, king; suits 0 to 3 are spades,
hearts, diamonds, clubs. Rank over suit stands large in two corners. Below `SMALL_CARD_PX` the face is simplified to a
larger index and one sign. The signs and figures are files in `assets/cards`; their places on a card are defined here.
Does not know the value of a card or its owner.
"""

from typing import Final

import numpy as np
import pygame

from cabinet.ui.art import palette
from cabinet.ui.art.courts import court_panel, small_court
from cabinet.ui.art.palette import Colour
from cabinet.ui.art.pictures import Box, drawing, in_one_colour, rendered
from cabinet.ui.art.pips import SPADES, pip
from cabinet.ui.art.shade import Plate, along, fading, from_box, grid, inside
from cabinet.ui.shapes import CARD_RATIO, SMALL_CARD_PX

Point = tuple[float, float]

RANKS: Final = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")
UNITS: Final = (250.0, 350.0)
"""A card in its own units."""
CORNER: Final = 22.0
"""Radius of a card's corner in its units."""

JACK: Final = 10
"""The lowest rank of a figure."""

_LEFT, _MID, _RIGHT = 87.0, 125.0, 163.0
_ROWS: Final = (57.0, 135.7, 214.3, 293.0)
_PIP: Final = 47.0
_CARD: Final[Box] = (0, 0, *UNITS)
_SIDES: Final = (_LEFT, _RIGHT)
_TWO_BY_TWO: Final = tuple((x, y) for y in (_ROWS[0], _ROWS[3]) for x in _SIDES)
_TWO_BY_THREE: Final = (*_TWO_BY_TWO, (_LEFT, 175.0), (_RIGHT, 175.0))
_TWO_BY_FOUR: Final = tuple((x, y) for y in _ROWS for x in _SIDES)
PIP_PLACES: Final[dict[int, tuple[Point, ...]]] = {
    1: ((_MID, _ROWS[0]), (_MID, _ROWS[3])),
    2: ((_MID, _ROWS[0]), (_MID, 175.0), (_MID, _ROWS[3])),
    3: _TWO_BY_TWO,
    4: (*_TWO_BY_TWO, (_MID, 175.0)),
    5: _TWO_BY_THREE,
    6: (*_TWO_BY_THREE, (_MID, 116.0)),
    7: (*_TWO_BY_THREE, (_MID, 116.0), (_MID, 234.0)),
    8: (*_TWO_BY_FOUR, (_MID, 175.0)),
    9: (*_TWO_BY_FOUR, (_MID, 96.4), (_MID, 253.6)),
}
"""The places of the pips of two (rank 1) to ten (rank 9), in card units; those below the middle stand upside down."""


def card_size(height_px: int) -> tuple[int, int]:
    """Returns width and height in pixels of a card `height_px` high."""
    return max(1, round(height_px * CARD_RATIO)), height_px


def suit_colour(suit: int, *, four_colour: bool = False) -> Colour:
    """Returns the ink of a suit: black and red, or with diamonds blue and clubs green."""
    if four_colour:
        return (palette.INK, palette.CARD_RED, palette.CARD_BLUE, palette.CARD_GREEN)[suit]
    return (palette.INK, palette.CARD_RED, palette.CARD_RED, palette.INK)[suit]


def card_face(rank: int, suit: int, height_px: int, *, four_colour: bool = False) -> pygame.Surface:
    """Returns the face of a card, `card_size(height_px)` large, with clear corners.

    Raises `ValueError` for a rank outside 0 to 12 or a suit outside 0 to 3, `PictureError` for a file that is missing.
    """
    if rank not in range(13) or suit not in range(4):
        raise ValueError(f"rank {rank}, suit {suit}: expected 0 to 12 and 0 to 3")
    size, colour = card_size(height_px), suit_colour(suit, four_colour=four_colour)
    small = height_px < SMALL_CARD_PX
    signs = _small_signs(rank, suit, colour) if small else _signs(rank, suit, colour)
    face = rendered(drawing("cards/paper") + signs, size, _CARD)
    if rank >= JACK and not small:
        face.blit(court_panel(rank, suit, colour, size), (0, 0))
    return _cut_out(face, height_px)


def card_back(height_px: int) -> pygame.Surface:
    """Returns the patterned back of a card."""
    return _cut_out(rendered(drawing("cards/paper") + drawing("cards/back"), card_size(height_px), _CARD), height_px)


def card_shadow(height_px: int) -> pygame.Surface:
    """Returns the soft shadow of a card: larger than the card by `shadow_margin` on every side, for a place below and
    behind it."""
    width, height = card_size(height_px)
    margin = shadow_margin(height_px)
    plate = Plate((width + 2 * margin, height + 2 * margin))
    edge = from_box(plate.at, (margin, margin, width, height), height * CORNER / UNITS[1])
    plate.add((0, 0, 0), fading(edge + margin * 0.3, margin * 1.15), strength=0.5)
    return plate.surface()


def card_rim(height_px: int, size: tuple[int, int]) -> pygame.Surface:
    """Returns the shadow of a card of this size, made from that of one `height_px` high: only the part that stays
    visible below the card, which lies `shadow_drop` higher."""
    margin, drop = shadow_margin(height_px), shadow_drop(size[1])
    rim = card_shadow(height_px)
    if size != card_size(height_px):
        rim = pygame.transform.smoothscale(rim, (size[0] + 2 * margin, size[1] + 2 * margin))
    edge, corner = 3, 3 + round(size[1] * CORNER / UNITS[1])
    for across, down in ((edge, corner), (corner, edge)):
        hidden = pygame.Rect(margin, margin - drop, *size).inflate(-2 * across, -2 * down)
        if hidden.w > 0 and hidden.h > 0:
            rim.fill((0, 0, 0, 0), hidden)
    return rim


def shadow_drop(height_px: int) -> int:
    """Returns how far the shadow of a card is below it, in pixels."""
    return round(height_px * 0.02)


def shadow_margin(height_px: int) -> int:
    """Returns how far a card's shadow extends beyond the card on each side, in pixels."""
    return max(2, round(height_px * 0.06))


def slot(height_px: int) -> pygame.Surface:
    """Returns the dashed outline of a card's place."""
    return rendered(drawing("cards/slot"), card_size(height_px), _CARD)


def _signs(rank: int, suit: int, colour: Colour) -> str:
    """Returns rank over suit, top left, and the same upside down, bottom right; between them the pips, if the card has
    any."""
    corners = "".join(
        _index(rank, colour, _from_end((33, 46), turned=turned), 86, turned=turned)
        + pip(suit, colour, _from_end((33, 103), turned=turned), 43, turned=turned)
        for turned in (False, True)
    )
    if rank == 0:
        return corners + (drawing("cards/ace-of-spades") if suit == SPADES else pip(suit, colour, (_MID, 175), 128))
    places = PIP_PLACES.get(rank, ())
    return corners + "".join(pip(suit, colour, place, _PIP, turned=place[1] > 176) for place in places)


def _small_signs(rank: int, suit: int, colour: Colour) -> str:
    corner = _index(rank, colour, (52, 66), 128) + pip(suit, colour, (52, 158), 70)
    return corner + (small_court(rank, suit, colour) if rank >= JACK else pip(suit, colour, (150, 238), 150))


def _index(rank: int, colour: Colour, at: Point, em: float, *, turned: bool = False) -> str:
    """Returns the drawing of a rank, its middle at `at`, in letters of `em` units."""
    return in_one_colour(drawing(f"cards/index-{RANKS[rank]}", at=at, scale=em / 100, turned=turned), colour)


def _from_end(at: Point, *, turned: bool) -> Point:
    """Returns a point, or the same point of the card rotated by half a turn."""
    return (UNITS[0] - at[0], UNITS[1] - at[1]) if turned else at


def _cut_out(face: pygame.Surface, height_px: int) -> pygame.Surface:
    """Rounds the corners and adds a warm line along the edge."""
    size = face.get_size()
    edge = from_box(grid(size), (0, 0, *size), height_px * CORNER / UNITS[1])
    line = along(edge + 0.7, max(1.0, height_px / 150))[..., None]
    rgb = pygame.surfarray.pixels3d(face)
    shape = (inside(edge) * 255).astype(np.uint8)
    rgb[...] = (rgb * (1 - line) + np.array(palette.PAPER_EDGE, np.float32) * line).astype(np.uint8)
    # Clear pixels of a card have no colour, as in a surface that SDL keeps in runs.
    rgb[shape == 0] = 0
    del rgb
    alpha = pygame.surfarray.pixels_alpha(face)
    alpha[...] = shape
    del alpha
    return face

"""Playing cards: faces, back, shadow and the dashed place of a card to come.

Rules: a card is five wide to seven high; ranks 0 to 12 are ace, two to ten, jack, queen, king; suits 0 to 3 are spades,
hearts, diamonds, clubs. Rank over suit stands large in two corners. Below `SMALL_CARD_PX` the face keeps only what can
be seen: a larger index and one sign. Does not know what a card counts or who holds it.
"""

from functools import lru_cache
from typing import Final

import numpy as np
import pygame

from cabinet.ui.art import palette
from cabinet.ui.art.courts import court_panel, small_court
from cabinet.ui.art.fonts import Role, font
from cabinet.ui.art.palette import Colour
from cabinet.ui.art.pips import DIAMONDS, SPADES, pip
from cabinet.ui.art.shade import Plate, along, fading, from_box, grid, inside
from cabinet.ui.art.vector import (
    Canvas,
    Point,
    Points,
    both_sides,
    dashes,
    ellipse,
    mirrored,
    path,
    placed,
    rounded_box,
)
from cabinet.ui.shapes import CARD_RATIO, SMALL_CARD_PX

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
UNITS: Final = (250.0, 350.0)
"""A card in its own units."""
CORNER: Final = 22.0
"""Radius of a card's corner in its units."""

_LEFT, _MID, _RIGHT = 87.0, 125.0, 163.0
_ROWS: Final = (57.0, 135.7, 214.3, 293.0)
_PIP: Final = 47.0
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
"""Where the pips of two (rank 1) to ten (rank 9) stand, in card units; those below the middle stand on their heads."""


def card_size(height_px: int) -> tuple[int, int]:
    """Width and height in pixels of a card `height_px` high."""
    return max(1, round(height_px * CARD_RATIO)), height_px


def suit_colour(suit: int, *, four_colour: bool = False) -> Colour:
    """The ink of a suit: black and red, or with diamonds blue and clubs green."""
    if four_colour:
        return (palette.INK, palette.CARD_RED, palette.CARD_BLUE, palette.CARD_GREEN)[suit]
    return (palette.INK, palette.CARD_RED, palette.CARD_RED, palette.INK)[suit]


def card_face(rank: int, suit: int, height_px: int, *, four_colour: bool = False) -> pygame.Surface:
    """The face of a card, `card_size(height_px)` large, with clear corners.

    Raises `ValueError` for a rank outside 0 to 12 or a suit outside 0 to 3.
    """
    if rank not in range(13) or suit not in range(4):
        raise ValueError(f"rank {rank}, suit {suit}: expected 0 to 12 and 0 to 3")
    canvas = _paper(height_px)
    colour = suit_colour(suit, four_colour=four_colour)
    if height_px < SMALL_CARD_PX:
        _draw_small(canvas, rank, suit, colour)
    else:
        _draw_full(canvas, rank, suit, colour)
    return _cut_out(canvas.finished(), height_px)


def card_back(height_px: int) -> pygame.Surface:
    """The patterned back of a card."""
    canvas = _paper(height_px)
    field = rounded_box(11, 11, 228, 328, 13)
    canvas.blend(field, (112, 28, 46), palette.BACK_RED)
    weave = canvas.layer()
    _draw_lattice(weave)
    canvas.merge(weave, within=rounded_box(21, 21, 208, 308, 8))
    canvas.stroke(rounded_box(17, 17, 216, 316, 10), 1.2, palette.BRASS, closed=True)
    canvas.stroke(rounded_box(22.5, 22.5, 205, 305, 7), 2.6, palette.BRASS, closed=True)
    _draw_medallion(canvas)
    return _cut_out(canvas.finished(), height_px)


def card_shadow(height_px: int) -> pygame.Surface:
    """The soft shadow of a card: larger than the card by `shadow_margin` on every side, to be put below and behind."""
    width, height = card_size(height_px)
    margin = shadow_margin(height_px)
    plate = Plate((width + 2 * margin, height + 2 * margin))
    edge = from_box(plate.at, (margin, margin, width, height), height * CORNER / UNITS[1])
    plate.lay((0, 0, 0), fading(edge + margin * 0.3, margin * 1.15), strength=0.5)
    return plate.surface()


def card_rim(height_px: int, size: tuple[int, int]) -> pygame.Surface:
    """The shadow of a card of this size, made from that of one `height_px` high: only what the card leaves to be seen
    that lies on it, `shadow_drop` higher."""
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
    """How far the shadow of a card lies below it, in pixels."""
    return round(height_px * 0.02)


def shadow_margin(height_px: int) -> int:
    """How far a card's shadow reaches beyond the card on each side, in pixels."""
    return max(2, round(height_px * 0.06))


def slot(height_px: int) -> pygame.Surface:
    """The dashed outline of a card's place."""
    size = card_size(height_px)
    canvas = Canvas(size, (0, 0, *UNITS))
    width = max(2.6, 1.3 * UNITS[1] / height_px)
    outline = rounded_box(width, width, UNITS[0] - 2 * width, UNITS[1] - 2 * width, CORNER)
    for dash in dashes(outline, on=17, off=14):
        canvas.stroke(dash, width, palette.BRASS)
    out = canvas.finished()
    alpha = pygame.surfarray.pixels_alpha(out)
    alpha[...] = (alpha * np.float32(0.62)).astype(np.uint8)
    del alpha
    return out


def _paper(height_px: int) -> Canvas:
    canvas = Canvas(card_size(height_px), (0, 0, *UNITS), ground=palette.PAPER, oversample=3 if height_px > 400 else 4)
    canvas.blend(((0, 0), (250, 0), (250, 350), (0, 350)), palette.PAPER, palette.PAPER_LOW)
    return canvas


def _draw_full(canvas: Canvas, rank: int, suit: int, colour: Colour) -> None:
    if rank == 0:
        _draw_ace(canvas, suit, colour)
    elif rank < 10:
        for x, y in PIP_PLACES[rank]:
            draw_pip(canvas, suit, colour, (x, y), _PIP, turned=y > 176)
    else:
        court_panel(canvas, rank, suit, colour)
    _draw_corners(canvas, rank, suit, colour)


def _draw_corners(canvas: Canvas, rank: int, suit: int, colour: Colour) -> None:
    """Rank over suit, top left, and the same upside down, bottom right."""
    layer = canvas.layer()
    layer.stamp(_rank_glyph(RANKS[rank], layer.px(86), layer.px(48), colour), (33, 46))
    draw_pip(layer, suit, colour, (33, 103), 43)
    canvas.merge(layer)
    canvas.merge(layer, turned=True)


def _draw_small(canvas: Canvas, rank: int, suit: int, colour: Colour) -> None:
    canvas.stamp(_rank_glyph(RANKS[rank], canvas.px(128), canvas.px(84), colour), (52, 66))
    draw_pip(canvas, suit, colour, (52, 158), 70)
    if rank < 10:
        draw_pip(canvas, suit, colour, (150, 238), 150)
    else:
        small_court(canvas, rank, suit, colour)


def draw_pip(canvas: Canvas, suit: int, colour: Colour, centre: Point, height: float, *, turned: bool = False) -> None:
    """One sign of a suit."""
    for contour in pip(suit):
        canvas.fill(placed(contour, at=centre, scale=height, degrees=180 if turned else 0), colour)


@lru_cache(maxsize=64)
def _rank_glyph(rank: str, em_px: int, widest_px: int, colour: Colour) -> pygame.Surface:
    """The rank cut to its ink; set narrower when it would leave its corner."""
    line = font(Role.CARD_INDEX, em_px).render("O" if rank == "Q" else rank, True, colour)
    glyph = line.subsurface(line.get_bounding_rect()).copy()
    if rank == "Q":
        _add_tail(glyph, colour)
    if glyph.get_width() > widest_px:
        glyph = pygame.transform.smoothscale(glyph, (widest_px, glyph.get_height()))
    return glyph


def _add_tail(ring: pygame.Surface, colour: Colour) -> None:
    """Make an O a Q whose slanting tail stays on the line, because the family's own hangs into the suit below."""
    width, height = ring.get_size()
    tail = ((0.46, 0.66), (0.72, 0.66), (1.0, 1.0), (0.72, 1.0))
    pygame.draw.polygon(ring, colour, [(x * (width - 1), y * (height - 1)) for x, y in tail])


def _draw_ace(canvas: Canvas, suit: int, colour: Colour) -> None:
    centre = (_MID, 175.0)
    if suit != SPADES:
        draw_pip(canvas, suit, colour, centre, 128)
        return
    _draw_wreath(canvas, centre)
    draw_pip(canvas, suit, colour, centre, 136)
    _draw_filigree(canvas, colour, (centre[0], centre[1] - 2))


def _draw_wreath(canvas: Canvas, centre: Point) -> None:
    """A fine ring of rays around the ace of spades."""
    for step in range(60):
        ray = placed(((0, -83), (0, -92 if step % 5 == 0 else -87)), at=centre, degrees=step * 6)
        canvas.stroke(ray, 1.5, palette.BRASS)
    canvas.stroke(ellipse(centre, 79, 79, count=96), 1.3, palette.BRASS, closed=True)


_INNER_SPADE: Final = both_sides(path("M 0 -50 C 9 -30 40 -14 40 10 C 40 27 24 31 0 15"))
_SCROLL: Final = path("M 4 12 C 16 22 32 20 31 8 C 30 0 20 0 20 7 C 20 11 25 12 26 8")
_LEAF: Final = both_sides(path("M 0 0 C 5 -5 5 -11 0 -17"))


def _draw_filigree(canvas: Canvas, colour: Colour, centre: Point) -> None:
    """A brass line inside the ace of spades, with scrolls, leaves and a red heart of its own."""
    canvas.stroke(placed(_INNER_SPADE, at=centre), 1.8, palette.BRASS, closed=True)
    for scroll in (_SCROLL, mirrored(_SCROLL)):
        canvas.stroke(placed(scroll, at=centre), 1.5, palette.BRASS_LIGHT)
    x, y = centre
    for degrees in (-66, -33, 0, 33, 66):
        canvas.fill(placed(_LEAF, at=(x, y - 14), degrees=degrees), palette.BRASS_LIGHT)
    canvas.disc((x, y - 12), 8.4, colour)
    draw_pip(canvas, DIAMONDS, palette.CARD_RED, (x, y - 12), 19)
    draw_pip(canvas, DIAMONDS, palette.BRASS_LIGHT, (x, y - 12), 7)


def _draw_lattice(canvas: Canvas) -> None:
    step = 19.0
    for n in range(-20, 34):
        canvas.stroke(((n * step, 0), (n * step + 350, 350)), 1.1, (168, 128, 78))
        canvas.stroke(((n * step, 0), (n * step - 350, 350)), 1.1, (168, 128, 78))
    for row in range(38):
        for column in range(28):
            if (row + column) % 2 == 0:
                centre = (column * step / 2, row * step / 2)
                canvas.fill(placed(_LOZENGE, at=centre, scale=3.0), palette.BRASS)


_LOZENGE: Final[Points] = ((0, -1), (0.8, 0), (0, 1), (-0.8, 0))


def _draw_medallion(canvas: Canvas) -> None:
    centre = (125.0, 175.0)
    for rx, ry, colour in ((62, 84, palette.BRASS), (59.5, 81.5, palette.BACK_RED), (55, 77, palette.BRASS)):
        canvas.fill(ellipse(centre, rx, ry, count=96), colour)
    canvas.fill(ellipse(centre, 53.6, 75.6, count=96), (74, 15, 30))
    for degrees in (0, 180):
        for contour in pip(SPADES):
            canvas.fill(placed(contour, at=_along(centre, 44, degrees), scale=30, degrees=degrees), palette.BRASS)
    for degrees in range(0, 360, 45):
        reach = 21 if degrees % 90 else 17
        canvas.fill(placed(_LEAF, at=_along(centre, 9, degrees), scale=reach / 17, degrees=degrees), palette.BRASS)
    for degrees in (90, 270):
        canvas.fill(placed(_LOZENGE, at=_along(centre, 40, degrees), scale=7), palette.BRASS)
    canvas.fill(placed(_LOZENGE, at=centre, scale=7), palette.BRASS_LIGHT)


def _along(centre: Point, reach: float, degrees: float) -> Point:
    """The point `reach` from the centre, clockwise from the top."""
    return placed(((0, -reach),), at=centre, degrees=degrees)[0]


def _cut_out(face: pygame.Surface, height_px: int) -> pygame.Surface:
    """Round the corners and lay a warm line along the edge."""
    size = face.get_size()
    edge = from_box(grid(size), (0, 0, *size), height_px * CORNER / UNITS[1])
    line = along(edge + 0.7, max(1.0, height_px / 150))[..., None]
    rgb = pygame.surfarray.pixels3d(face)
    shape = (inside(edge) * 255).astype(np.uint8)
    rgb[...] = (rgb * (1 - line) + np.array(palette.PAPER_EDGE, np.float32) * line).astype(np.uint8)
    # Where a card is clear its colour is nothing, as SDL leaves it of a surface that it keeps in runs.
    rgb[shape == 0] = 0
    del rgb
    alpha = pygame.surfarray.pixels_alpha(face)
    alpha[...] = shape
    del alpha
    return face

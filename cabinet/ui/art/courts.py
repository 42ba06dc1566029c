"""Court cards: an original two-headed figure for each jack, queen and king.

Rules: a figure is drawn once, upright, on a ground whose origin is the card's middle, and meets itself turned by half a
turn along a slanting sash. King, queen and jack differ in outline (beard and arched crown, veil and tiara, profile and
plumed cap); a suit changes livery, hair, the thing held and the way the figure looks. Knows no rules of any game.
"""

from typing import Final

from cabinet.ui.art import palette
from cabinet.ui.art.emblems import HELD
from cabinet.ui.art.heads import HEADS
from cabinet.ui.art.liveries import LINE, LIVERIES, Livery
from cabinet.ui.art.palette import Colour
from cabinet.ui.art.pips import pip
from cabinet.ui.art.robes import ROBES, draw_raised_arm
from cabinet.ui.art.vector import Canvas, Points, both_sides, path, placed, rounded_box

MIDDLE: Final = (125.0, 175.0)
"""Where a figure's origin lies on the card."""
HALF_WIDTH: Final = 63.0
HALF_HEIGHT: Final = 151.0
_SLANT: Final = 13.0
_FRAME: Final = rounded_box(-HALF_WIDTH, -HALF_HEIGHT, 2 * HALF_WIDTH, 2 * HALF_HEIGHT, 7)
_UPPER: Final[Points] = ((-80, -160), (80, -160), (80, _SLANT * 80 / 63), (-80, -_SLANT * 80 / 63))
_LOOKS_RIGHT: Final = {(10, 1), (10, 3), (11, 0), (11, 2), (12, 1), (12, 2)}
"""Figures (rank, suit) that are turned left for right."""


def court_panel(canvas: Canvas, rank: int, suit: int, colour: Colour) -> None:
    """Draw the framed figure of rank 10 (jack), 11 (queen) or 12 (king) into the middle of a card."""
    livery = LIVERIES[suit]
    half = canvas.layer(origin=MIDDLE)
    _draw_ground(half)
    _draw_figure(half, rank, suit, livery)
    _draw_sign(half, suit, colour)
    whole = canvas.layer(origin=MIDDLE)
    whole.merge(half, within=_UPPER)
    whole.merge(half, within=tuple((-x, -y) for x, y in _UPPER), turned=True)
    _draw_sash(whole, livery)
    canvas.merge(whole, within=placed(_FRAME, at=MIDDLE), flipped=(rank, suit) in _LOOKS_RIGHT)
    canvas.stroke(placed(_FRAME, at=MIDDLE), 2.4, palette.BRASS, closed=True)
    canvas.stroke(placed(_FRAME, at=MIDDLE), 0.9, palette.BRASS_DARK, closed=True)


def small_court(canvas: Canvas, rank: int, suit: int, colour: Colour) -> None:
    """The sign of a court card too small for a figure: the suit under the headgear of the rank."""
    for contour in pip(suit):
        canvas.fill(placed(contour, at=(157, 258), scale=122), colour)
    for contour in _HEADGEAR[rank]:
        canvas.shape(placed(contour, at=(160, 166), scale=0.92), palette.BRASS, palette.BRASS_DARK, 5)


_HEADGEAR: Final[dict[int, tuple[Points, ...]]] = {
    10: (
        path("M -56 4 C -62 -26 -26 -40 6 -38 C 36 -38 60 -24 58 0 L 54 6"),
        path("M -50 0 C -34 -52 20 -70 66 -56 C 58 -50 62 -42 50 -38 C 46 -30 30 -34 22 -28 C 4 -26 -20 -20 -36 2"),
        path("M -60 0 L 58 0 L 54 20 L -56 20"),
    ),
    11: (
        both_sides(path("M 0 -60 L 14 -22 L 34 -36 L 40 -14 L 56 -26 L 48 4 L 0 4")),
        both_sides(path("M 0 0 L 50 0 L 47 20 L 0 20")),
    ),
    12: (
        both_sides(path("M 0 -46 C 24 -46 40 -30 44 0 L 0 0")),
        both_sides(path("M 0 -64 L 16 -22 L 32 -44 L 40 -20 L 66 -44 L 54 4 L 0 4")),
        both_sides(path("M 0 0 L 56 0 L 52 20 L 0 20")),
    ),
}


def _draw_ground(canvas: Canvas) -> None:
    """A warm ground with rays behind the head."""
    canvas.fill(rounded_box(-70, -160, 140, 200, 1), (250, 243, 225))
    for step in range(24):
        ray: Points = ((0, 0), (-9.2, -220), (9.2, -220))
        canvas.fill(placed(ray, at=(0, -100), degrees=step * 15 + 7.5), (244, 232, 203))


def _draw_figure(canvas: Canvas, rank: int, suit: int, livery: Livery) -> None:
    head = HEADS[rank]
    head.behind(canvas, livery)
    ROBES[rank](canvas, livery, suit)
    head.front(canvas, livery)
    HELD[rank, suit](canvas, livery)
    draw_raised_arm(canvas, livery, rank)


def _draw_sign(canvas: Canvas, suit: int, colour: Colour) -> None:
    for contour in pip(suit):
        canvas.fill(placed(contour, at=(-46, -130), scale=26), colour)


def _draw_sash(canvas: Canvas, livery: Livery) -> None:
    """The band where the two halves meet."""
    reach, slope = 70, _SLANT / HALF_WIDTH

    def band(half_height: float) -> Points:
        ends = ((-reach, -reach * slope), (reach, reach * slope))
        return (
            (ends[0][0], ends[0][1] - half_height),
            (ends[1][0], ends[1][1] - half_height),
            (ends[1][0], ends[1][1] + half_height),
            (ends[0][0], ends[0][1] + half_height),
        )

    canvas.fill(band(8.6), LINE)
    canvas.fill(band(7.4), palette.BRASS_LIGHT)
    canvas.fill(band(6.2), LINE)
    canvas.fill(band(5.2), palette.BRASS)
    for step in range(-7, 8):
        at = (step * 10.0, step * 10.0 * slope)
        lozenge: Points = ((0, -4.2), (3.6, 0), (0, 4.2), (-3.6, 0))
        canvas.fill(placed(lozenge, at=at, degrees=11.7), livery.main if step % 2 else LINE)
        canvas.disc((at[0] + 5, at[1] + 5 * slope), 1.0, palette.PAPER)

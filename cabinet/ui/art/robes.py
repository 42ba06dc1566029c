"""What the court wears below the chin, and the arm that holds something up.

Rules: upright, origin at the card's middle; a robe reaches a little below the sash that covers its lower edge.
"""

from collections.abc import Callable
from typing import Final

from cabinet.ui.art import palette
from cabinet.ui.art.liveries import LINE, LINEN, LINEN_SHADE, PEN, SKIN, SKIN_SHADE, Livery
from cabinet.ui.art.pips import pip
from cabinet.ui.art.vector import Canvas, Points, both_sides, ellipse, mirrored, path, placed

Robe = Callable[[Canvas, Livery, int], None]


def _pair(canvas: Canvas, line: Points, width: float, colour: palette.Colour) -> None:
    canvas.stroke(line, width, colour)
    canvas.stroke(mirrored(line), width, colour)


def _sign(canvas: Canvas, suit: int, at: tuple[float, float], height: float, colour: palette.Colour) -> None:
    for contour in pip(suit):
        canvas.fill(placed(contour, at=at, scale=height), colour)


def _king_robe(canvas: Canvas, livery: Livery, suit: int) -> None:
    shoulder = path("M 0 -66 L 16 -64 C 36 -60 56 -52 68 -34 L 68 30 L 0 30")
    canvas.shape(shoulder, livery.second, LINE, PEN)
    canvas.shape(mirrored(shoulder), livery.main, LINE, PEN)
    for x in (-54, -42, -30):
        canvas.stroke(path(f"M {x} -40 C {x - 2} -20 {x - 1} 0 {x - 3} 24"), 1.4, livery.lining)
    front = both_sides(path("M 0 -40 L 17 -40 L 19 30 L 0 30"))
    canvas.shape(front, palette.BRASS, LINE, PEN)
    _lattice(canvas)
    _sign(canvas, suit, (0, -15.4), 12.5, livery.main)
    _ermine(canvas)


def _lattice(canvas: Canvas) -> None:
    """Crossed threads on the brass front of a robe."""
    for y in range(-34, 30, 9):
        for side in (-1, 1):
            canvas.stroke(((side * -16.6, y), (side * 17.4, y + 16)), 1.0, palette.BRASS_DARK)
    _pair(canvas, ((14.4, -40), (16, 30)), 1.3, palette.BRASS_LIGHT)


def _ermine(canvas: Canvas) -> None:
    """A collar of white fur with black tails."""
    collar = both_sides(
        path(
            "M 0 -58 L 14 -68 C 28 -66 44 -58 52 -46 C 52 -39 46 -35 41 -38 C 38 -31 31 -28 26 -32 "
            "C 23 -25 15 -23 11 -28 C 8 -22 3 -20 0 -22"
        )
    )
    canvas.shape(collar, LINEN, LINE, PEN)
    tail: Points = ((0, -3.4), (1.7, 2.2), (0, 3.6), (-1.7, 2.2))
    for x, y, turn in ((44, -46, -30), (33, -40, -22), (32, -54, -30), (20, -35, -12), (21, -47, -18), (8, -31, 0)):
        canvas.fill(placed(tail, at=(x, y), degrees=turn), LINE)
        canvas.fill(placed(tail, at=(-x, y), degrees=-turn), LINE)


def _queen_robe(canvas: Canvas, livery: Livery, suit: int) -> None:
    canvas.shape(
        both_sides(path("M 0 -82 L 7 -82 C 6.6 -70 8 -64 14 -61 C 22 -58 30 -56 36 -50 L 0 -26")), SKIN, LINE, PEN
    )
    canvas.fill(path("M 7 -82 C 6.6 -70 8 -64 14 -61 L 2 -58 C 4 -66 1 -74 -3 -79"), SKIN_SHADE)
    sleeve = path("M 26 -57 C 44 -56 60 -44 64 -20 L 66 30 L 26 30 L 20 -20")
    for arm in (sleeve, mirrored(sleeve)):
        canvas.shape(arm, livery.second, LINE, PEN)
    for line in (
        "M 32 -50 C 44 -46 54 -34 58 -14",
        "M 30 -42 C 40 -38 48 -28 51 -10",
        "M 28 -33 C 36 -30 41 -22 43 -8",
    ):
        _pair(canvas, path(line), 1.4, palette.BRASS)
    bodice = both_sides(
        path("M 0 -36 C 5 -43 13 -45 20 -42 C 25 -46 27 -52 27 -57 L 32 -55 C 33 -40 27 -20 24 -6 L 27 30 L 0 30")
    )
    canvas.shape(bodice, livery.main, LINE, PEN)
    hem = path("M 0 -36 C 5 -43 13 -45 20 -42 C 25 -46 27 -52 27 -57")
    _pair(canvas, hem, 3.2, LINE)
    _pair(canvas, hem, 1.9, palette.BRASS_LIGHT)
    canvas.shape(both_sides(path("M 0 -33 L 9 -38 L 6 30 L 0 30")), LINEN, LINE, 1.2)
    for y in range(-28, 30, 8):
        canvas.stroke(((-7, y), (7, y + 6)), 1.2, livery.second)
        canvas.stroke(((7, y), (-7, y + 6)), 1.2, livery.second)
    _necklace(canvas, livery, suit)


def _necklace(canvas: Canvas, livery: Livery, suit: int) -> None:
    for step in range(-4, 5):
        x = step * 4.1
        canvas.shape(ellipse((x, -52.5 - x * x * 0.028), 1.8, 1.8), LINEN, LINE, 0.8)
    canvas.shape(ellipse((0, -46.4), 4.6, 4.6), palette.BRASS_LIGHT, LINE, 1.1)
    _sign(canvas, suit, (0, -46.4), 6, livery.main)


def _jack_robe(canvas: Canvas, livery: Livery, suit: int) -> None:
    sleeve = path("M 14 -58 C 40 -60 58 -48 64 -24 L 66 30 L 24 30")
    for arm in (sleeve, mirrored(sleeve)):
        canvas.shape(arm, livery.second, LINE, PEN)
    for x in (30, 42, 54):
        slash = path(f"M {x} {-48 + (x - 30) * 0.5} Q {x + 7} -24 {x + 2} 2 Q {x - 4} -22 {x} {-48 + (x - 30) * 0.5}")
        for side in (slash, mirrored(slash)):
            canvas.shape(side, palette.BRASS_LIGHT, LINE, 1.0)
    doublet = both_sides(path("M 0 -62 L 16 -60 C 26 -58 28 -46 26 -30 L 24 30 L 0 30"))
    canvas.shape(doublet, livery.main, LINE, PEN)
    for line in ("M 9 -56 L 9 30", "M 17.6 -56 L 17 30"):
        _pair(canvas, path(line), 2.6, livery.lining)
    canvas.shape(both_sides(path("M 0 -60 L 4.4 -60 L 4.4 30 L 0 30")), palette.BRASS, LINE, 1.1)
    for y in (-38, -29, -20, -11):
        canvas.shape(ellipse((0, y), 2.4, 2.4), LINEN, LINE, 0.9)
    _ruff(canvas)
    canvas.shape(ellipse((-20, -34), 7.4, 7.4), palette.BRASS_LIGHT, LINE, 1.2)
    _sign(canvas, suit, (-20, -34), 9.4, livery.main)


def _ruff(canvas: Canvas) -> None:
    """A pleated collar."""
    edge = tuple(point for n in range(18) for point in placed(((0, -11.0 if n % 2 else -9.4),), degrees=n * 20))
    outline = tuple((x * 2.5 + 1, y * 1.0 - 60) for x, y in edge)
    canvas.shape(outline, LINEN, LINE, PEN)
    for x, y in outline[1::2]:
        canvas.stroke(((1 + (x - 1) * 0.34, -61.5 + (y + 60) * 0.3), (x - (x - 1) * 0.08, y)), 1.1, LINEN_SHADE)
    for x, y in outline[::2]:
        canvas.stroke(((1 + (x - 1) * 0.45, -61.5 + (y + 60) * 0.4), (x, y)), 1.0, LINE)


_HAND: Final = path(
    "M -6.4 -6.6 C -3 -9 4 -9 6.6 -6 C 8.6 -3 8.6 4 6 6.6 C 3 9 -4 9 -6.6 6.4 C -8.4 3 -8.4 -3 -6.4 -6.6"
)


def draw_raised_arm(canvas: Canvas, livery: Livery, rank: int) -> None:
    """The cuff and hand, at the right, that close around whatever is held there."""
    sleeve = path("M 33 2 L 55 2 L 62 34 L 28 34")
    canvas.shape(sleeve, livery.main if rank == 11 else livery.second, LINE, PEN)
    canvas.shape(
        path("M 31.6 -3 Q 44 -7 56.4 -3 L 57.4 4.6 Q 44 0.6 30.6 4.6"),
        LINEN if rank == 10 else palette.BRASS_LIGHT,
        LINE,
        PEN,
    )
    if rank != 10:
        for x in (37, 44, 51):
            canvas.disc((x, -0.6), 1.5, livery.main)
    canvas.shape(placed(_HAND, at=(44, -13)), SKIN, LINE, 1.4)
    for y in (-16.6, -13, -9.4):
        canvas.stroke(((41, y), (50.4, y - 0.4)), 1.0, LINE)
    canvas.shape(path("M 37.6 -17 C 40 -20.6 45 -20.4 46.4 -17.6 C 44 -15.6 41 -15.6 38.4 -13.4"), SKIN, LINE, 1.1)


ROBES: Final[dict[int, Robe]] = {10: _jack_robe, 11: _queen_robe, 12: _king_robe}
"""By rank: jack, queen, king."""

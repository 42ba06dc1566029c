"""What each court figure holds up in its hand.

Rules: drawn upright at the right of the figure, about x = 44, before the hand that closes on it at y = -13.
"""

from collections.abc import Callable
from typing import Final

from cabinet.ui.art import palette
from cabinet.ui.art.liveries import LINE, LINEN, PEN, STEEL, STEEL_SHADE, Livery
from cabinet.ui.art.palette import Colour
from cabinet.ui.art.pips import pip
from cabinet.ui.art.vector import Canvas, Points, both_sides, ellipse, path, placed

Held = Callable[[Canvas, Livery], None]
_X: Final = 44.0
_LEAF: Final[Colour] = (48, 122, 76)
_WOOD: Final[Colour] = (128, 84, 46)


def _at(contour: Points, y: float = 0.0, *, scale: float = 1, degrees: float = 0) -> Points:
    return placed(contour, at=(_X, y), scale=scale, degrees=degrees)


def _shaft(canvas: Canvas, top: float, width: float, colour: Colour) -> None:
    half = width / 2
    canvas.shape(((_X - half, top), (_X + half, top), (_X + half, 20), (_X - half, 20)), colour, LINE, 1.2)


def _sword(canvas: Canvas, livery: Livery) -> None:
    canvas.shape(_at(both_sides(path("M 0 -146 L 4.4 -136 L 3.6 -28 L 0 -28"))), STEEL, LINE, PEN)
    canvas.fill(_at(path("M 0 -144 L 3.4 -135.6 L 2.8 -28 L 0 -28")), STEEL_SHADE)
    canvas.stroke(_at(((0, -132), (0, -40))), 1.0, LINE)
    guard = both_sides(path("M 0 -31 L 12 -31 C 16 -31 17 -27 14.6 -25 L 0 -24"))
    canvas.shape(_at(guard), palette.BRASS_LIGHT, LINE, PEN)
    _shaft(canvas, -24, 4.6, livery.main)


def _sceptre(canvas: Canvas, livery: Livery) -> None:
    _shaft(canvas, -112, 4.4, palette.BRASS_LIGHT)
    for y in (-104, -70, -40):
        canvas.shape(_at(ellipse((0, y), 4.4, 2.6)), palette.BRASS, LINE, 1.2)
    canvas.shape(
        _at(both_sides(path("M 0 -114 C 7 -114 9 -118 13 -120 C 12 -112 8 -108 0 -108"))), palette.BRASS, LINE, PEN
    )
    for contour in pip(1):
        canvas.shape(_at(contour, -128, scale=23), livery.main, LINE, PEN)
    canvas.stroke(path("M 37.6 -131 C 37.6 -134 39 -136 41 -136"), 1.4, livery.lining)


def _axe(canvas: Canvas, livery: Livery) -> None:
    _shaft(canvas, -138, 4.6, _WOOD)
    blade = path("M -2 -128 C -8 -130 -12 -136 -20 -140 C -26 -128 -26 -110 -20 -98 C -12 -102 -8 -108 -2 -110")
    canvas.shape(_at(blade), STEEL, LINE, PEN)
    canvas.stroke(_at(path("M -18 -135 C -22.6 -126 -22.6 -112 -18 -103")), 1.6, STEEL_SHADE)
    canvas.shape(_at(path("M 2 -126 L 13 -130 L 15 -119 L 13 -108 L 2 -112")), STEEL_SHADE, LINE, PEN)
    canvas.shape(_at(both_sides(path("M 0 -131 L 4.4 -131 L 4.4 -107 L 0 -107"))), palette.BRASS_LIGHT, LINE, 1.2)
    canvas.shape(_at(both_sides(path("M 0 -148 L 4 -138 L 0 -135"))), livery.main, LINE, 1.2)


def _orb(canvas: Canvas, livery: Livery) -> None:
    canvas.shape(_at(ellipse((0, -36), 15, 15)), livery.main, LINE, PEN)
    canvas.stroke(_at(path("M -10.6 -40 C -9.6 -44 -6 -47.4 -2.6 -48")), 1.8, livery.lining)
    canvas.shape(
        _at(path("M -14.8 -38.4 Q 0 -32.4 14.8 -38.4 L 14.6 -33 Q 0 -27 -14.6 -33")), palette.BRASS_LIGHT, LINE, 1.2
    )
    canvas.shape(_at(path("M -2.4 -50.6 L 2.4 -50.6 L 2.6 -35 L -2.6 -35")), palette.BRASS_LIGHT, LINE, 1.2)
    cross = path(
        "M -2 -52 L -2 -60 L -8 -60 L -8 -65 L -2 -65 L -2 -73 L 2 -73 L 2 -65 L 8 -65 L 8 -60 L 2 -60 L 2 -52"
    )
    canvas.shape(_at(cross), palette.BRASS_LIGHT, LINE, 1.3)
    canvas.shape(_at(ellipse((0, -35), 3, 3)), LINEN, LINE, 1.0)


def _stem(canvas: Canvas, top: float) -> None:
    canvas.stroke(_at(path(f"M 0 14 C -2 -16 2 -30 0 {top}")), 4.0, LINE)
    canvas.stroke(_at(path(f"M 0 14 C -2 -16 2 -30 0 {top}")), 1.8, _LEAF)
    for degrees in (52, -46):
        leaf = both_sides(path("M 0 0 C 6 -7 6 -16 0 -22"))
        canvas.shape(_at(leaf, -28, degrees=degrees), _LEAF, LINE, 1.2)


def _lily(canvas: Canvas, livery: Livery) -> None:
    _stem(canvas, -60)
    for degrees in (-44, 44):
        petal = both_sides(path("M 0 0 C 8 -10 6 -22 0 -29"))
        canvas.shape(_at(petal, -58, degrees=degrees), LINEN, LINE, PEN)
    canvas.shape(_at(both_sides(path("M 0 0 C 9 -10 7 -24 0 -34")), -57), LINEN, LINE, PEN)
    canvas.stroke(_at(((0, -62), (0, -80))), 1.2, livery.lining)
    for x in (-4, 0, 4):
        canvas.disc((_X + x, -90.0 - (3 if x == 0 else 0)), 1.7, palette.BRASS)


def _rose(canvas: Canvas, livery: Livery) -> None:
    _stem(canvas, -56)
    for degrees in range(0, 360, 72):
        petal = placed(ellipse((0, -8.4), 8, 7), at=(_X, -70), degrees=degrees)
        canvas.shape(petal, livery.main, LINE, PEN)
    canvas.shape(_at(ellipse((0, -70), 8.4, 8.4)), livery.lining, LINE, 1.2)
    canvas.stroke(_at(path("M -4 -70 C -4 -75 4 -75 4.4 -70 C 4 -66 -1 -66 -1 -69.6")), 1.3, LINE)


def _mirror(canvas: Canvas, livery: Livery) -> None:
    _shaft(canvas, -44, 4.6, palette.BRASS_LIGHT)
    canvas.shape(_at(ellipse((0, -62), 16, 20)), palette.BRASS, LINE, PEN)
    canvas.shape(_at(ellipse((0, -62), 11.6, 15.4)), STEEL, LINE, 1.2)
    canvas.stroke(_at(((-5, -60), (4, -71))), 1.8, LINEN)
    canvas.stroke(_at(((-3, -54), (6, -65))), 1.4, LINEN)
    for contour in pip(2):
        canvas.shape(_at(contour, -85, scale=11), livery.main, LINE, 1.1)


def _clover(canvas: Canvas, livery: Livery) -> None:
    _stem(canvas, -56)
    for degrees in (0, 120, 240):
        heart = placed(
            both_sides(path("M 0 0 C 10 -4 13 -13 8 -18 C 4 -21 1 -19 0 -15")),
            at=(_X, -66),
            scale=0.88,
            degrees=degrees,
        )
        canvas.shape(heart, _LEAF, LINE, PEN)
        canvas.stroke(placed(((0, -3), (0, -11)), at=(_X, -66), degrees=degrees), 1.2, livery.lining)
    canvas.disc((_X, -66), 2.4, palette.BRASS_LIGHT)


def _halberd(canvas: Canvas, livery: Livery) -> None:
    _shaft(canvas, -122, 4.2, _WOOD)
    canvas.shape(_at(both_sides(path("M 0 -150 L 4.4 -132 L 2.4 -118 L 0 -118"))), STEEL, LINE, PEN)
    canvas.shape(
        _at(path("M 1.6 -124 C 7 -124 10 -130 14 -131 C 18 -122 18 -108 14 -100 C 10 -102 7 -108 1.6 -108")),
        STEEL,
        LINE,
        PEN,
    )
    canvas.shape(_at(path("M -1.6 -121 L -10 -124 L -13 -116 L -10 -113 L -1.6 -111")), STEEL_SHADE, LINE, PEN)
    canvas.shape(_at(both_sides(path("M 0 -106 L 4 -106 L 6.4 -92 L 2.4 -96 L 0 -90"))), livery.second, LINE, 1.2)


def _arrow(canvas: Canvas, livery: Livery) -> None:
    _shaft(canvas, -126, 3.4, _WOOD)
    canvas.shape(_at(both_sides(path("M 0 -144 L 9 -122 L 0 -127"))), STEEL, LINE, PEN)
    for y in (-44, -37, -30):
        canvas.shape(_at(both_sides(path(f"M 0 {y} L 9 {y - 9} L 9 {y - 2} L 0 {y + 8}"))), livery.main, LINE, 1.1)


def _pennant(canvas: Canvas, livery: Livery) -> None:
    _shaft(canvas, -130, 4.0, _WOOD)
    canvas.shape(_at(both_sides(path("M 0 -149 L 4.6 -134 L 0 -129"))), STEEL, LINE, PEN)
    flag = path("M 2 -126 C 8 -130 12 -122 19 -125 L 19 -84 C 12 -81 8 -89 2 -85")
    canvas.shape(_at(flag), livery.second, LINE, PEN)
    for contour in pip(2):
        canvas.fill(placed(contour, at=(_X + 10.6, -105), scale=24), palette.BRASS_LIGHT)


def _staff(canvas: Canvas, livery: Livery) -> None:
    _shaft(canvas, -118, 4.8, _WOOD)
    for y, degrees in ((-64, 58), (-80, -56), (-98, 56), (-110, -50)):
        canvas.shape(_at(both_sides(path("M 0 0 C 6 -5 6 -13 0 -18")), y, degrees=degrees), _LEAF, LINE, 1.2)
    for contour in pip(3):
        canvas.shape(_at(contour, -131, scale=25), livery.main, LINE, PEN)
    for contour in pip(3):
        canvas.fill(_at(contour, -131, scale=24), livery.main)


HELD: Final[dict[tuple[int, int], Held]] = {
    (12, 0): _sword,
    (12, 1): _sceptre,
    (12, 2): _axe,
    (12, 3): _orb,
    (11, 0): _lily,
    (11, 1): _rose,
    (11, 2): _mirror,
    (11, 3): _clover,
    (10, 0): _halberd,
    (10, 1): _arrow,
    (10, 2): _pennant,
    (10, 3): _staff,
}
"""By rank and suit."""

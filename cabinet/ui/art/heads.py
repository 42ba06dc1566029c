"""Heads of the court: the king's beard and arched crown, the queen's veil and tiara, the jack's profile and plume.

Rules: upright, origin at the card's middle, y grows downward; `behind` is drawn before the robe, `front` after it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cabinet.ui.art import palette
from cabinet.ui.art.liveries import BLUSH, LINE, LINEN, LIPS, PEN, SKIN, SKIN_SHADE, Livery
from cabinet.ui.art.vector import Canvas, Points, both_sides, ellipse, mirrored, path

Draw = Callable[[Canvas, Livery], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """One rank's head in two parts, drawn before and after the robe."""

    behind: Draw
    front: Draw


def _pair(canvas: Canvas, line: Points, width: float, colour: palette.Colour) -> None:
    """The same stroke on both sides of the face."""
    canvas.stroke(line, width, colour)
    canvas.stroke(mirrored(line), width, colour)


def _eyes(canvas: Canvas, y: float, apart: float, *, size: float = 1) -> None:
    for side in (-1, 1):
        x = side * apart
        white = path(
            f"M {x - 5 * size} {y} Q {x} {y - 5.2 * size} {x + 5 * size} {y} Q {x} {y + 4 * size} {x - 5 * size} {y}"
        )
        canvas.fill(white, LINEN)
        canvas.disc((x - 0.6, y - 0.5), 2.2 * size, LINE)
        canvas.stroke(
            path(f"M {x - 5.4 * size} {y + 0.4} Q {x} {y - 5.4 * size} {x + 5.4 * size} {y + 0.4}"), 1.5, LINE
        )


# --- the king ---------------------------------------------------------------------------------------------------


def _king_behind(canvas: Canvas, livery: Livery) -> None:
    locks = both_sides(
        path("M 0 -126 C 18 -127 25 -116 24.5 -102 C 24 -90 34 -88 34 -76 C 34 -66 23 -63 20 -70 L 14 -60 L 0 -60")
    )
    canvas.shape(locks, livery.hair, LINE, PEN)
    _pair(canvas, path("M 21 -104 C 20 -90 28 -86 28 -78 C 28 -73 23 -72 23 -76"), 1.4, livery.strand)


def _king_front(canvas: Canvas, livery: Livery) -> None:
    canvas.shape(both_sides(path("M 0 -124 C 13 -124 18 -117 18 -104 C 18 -86 12 -72 0 -70")), SKIN, LINE, PEN)
    canvas.fill(path("M 2 -122 C 13 -123 17 -116 17 -104 C 17 -98 16 -92 14 -86 L 5 -88 L 6 -104"), SKIN_SHADE)
    _king_beard(canvas, livery)
    _eyes(canvas, -102, 8.2)
    _pair(canvas, path("M 3.4 -107 C 7 -110.5 11 -110.5 14.5 -107"), 2.1, livery.hair)
    canvas.stroke(path("M 2.2 -105 C 3.4 -99 5 -95 4.6 -92.4 C 3 -90.8 0 -90.6 -2 -91.6"), 1.3, LINE)
    _king_crown(canvas, livery)


def _king_beard(canvas: Canvas, livery: Livery) -> None:
    beard = both_sides(
        path(
            "M 0 -84 C 6 -86 12 -88 15 -97 C 17 -99 18.5 -99 19 -97 C 21 -84 19 -76 16 -70 "
            "C 15 -64 11 -60 9 -60 C 8 -55 4 -51 0 -47"
        )
    )
    canvas.shape(beard, livery.hair, LINE, PEN)
    _pair(canvas, path("M 15 -84 C 15 -76 12 -68 9 -63"), 1.2, livery.strand)
    _pair(canvas, path("M 9.5 -80 C 9.5 -72 7 -64 4.4 -57"), 1.2, livery.strand)
    canvas.stroke(path("M 0 -76 L 0 -53"), 1.2, livery.strand)
    canvas.fill(path("M -5 -83 Q 0 -85.5 5 -83 Q 0 -78 -5 -83"), LIPS)
    moustache = path(
        "M 0 -87.5 C 4 -91 9 -90 12 -86 C 13.5 -83.6 17 -83.4 18 -86 C 18.4 -80 12 -78.5 8 -81 C 5 -83 3 -84.4 0 -84.6"
    )
    canvas.shape(both_sides(moustache), livery.hair, LINE, 1.2)
    _pair(canvas, path("M 3 -87 C 6 -88 8 -87 10.5 -84"), 1.0, livery.strand)


def _king_crown(canvas: Canvas, livery: Livery) -> None:
    canvas.shape(both_sides(path("M 0 -143 C 12 -143 20 -136 22 -124 L 0 -120")), livery.main, LINE, PEN)
    _pair(canvas, path("M 8 -126 C 10 -134 7 -139 2 -142"), 1.1, livery.lining)
    points = both_sides(
        path(
            "M 0 -137 L 4.6 -128.6 C 7 -130 9 -133 10.6 -139.6 C 12 -133 14 -130.4 17 -129.6 "
            "C 19.6 -132 22 -135 26 -138 L 22 -116.6 C 14 -120.4 8 -121.6 0 -121.8"
        )
    )
    canvas.shape(points, palette.BRASS, LINE, PEN)
    canvas.fill(both_sides(path("M 0 -134 L 3.6 -127 L 0 -126")), palette.BRASS_LIGHT)
    band = both_sides(path("M 0 -123.4 C 8 -123 15 -121.8 21.6 -118.2 L 20.4 -111 C 14 -114.4 8 -115.6 0 -115.8"))
    canvas.shape(band, palette.BRASS_LIGHT, LINE, PEN)
    canvas.shape(both_sides(path("M 0 -122.4 L 3.6 -119.4 L 0 -116.6")), livery.second, LINE, 0.8)
    for x, y in ((9.0, -118.6), (16.0, -116.4)):
        for side in (-1, 1):
            canvas.disc((side * x, y), 1.7, livery.main if x > 10 else LINEN)
    for x, y, r in ((10.6, -140.6, 2.4), (26.4, -139.4, 2.6)):
        for side in (-1, 1):
            canvas.shape(ellipse((side * x, y), r, r), LINEN, LINE, 1.1)
    _king_cross(canvas)


def _king_cross(canvas: Canvas) -> None:
    canvas.shape(ellipse((0, -141.4), 3, 3), palette.BRASS_LIGHT, LINE, 1.1)
    canvas.stroke(((0, -144), (0, -150)), 2.6, LINE)
    canvas.stroke(((-2.6, -147.2), (2.6, -147.2)), 2.6, LINE)
    canvas.stroke(((0, -144), (0, -149.6)), 1.3, palette.BRASS_LIGHT)
    canvas.stroke(((-2.4, -147.2), (2.4, -147.2)), 1.3, palette.BRASS_LIGHT)


# --- the queen --------------------------------------------------------------------------------------------------


def _queen_behind(canvas: Canvas, livery: Livery) -> None:
    veil = both_sides(path("M 0 -134 C 22 -134 31 -118 32 -98 C 33 -80 43 -66 47 -46 L 0 -36"))
    canvas.shape(veil, livery.second, LINE, PEN)
    _pair(canvas, path("M 27.5 -112 C 31 -88 35 -72 41 -52"), 1.3, palette.BRASS)
    locks = both_sides(
        path(
            "M 0 -128 C 19 -129 25 -114 24 -100 C 23 -90 29 -84 27 -74 C 25.4 -67 30 -63 27 -56 "
            "C 22 -50 15 -53 13 -58 L 0 -58"
        )
    )
    canvas.shape(locks, livery.hair, LINE, PEN)
    _pair(canvas, path("M 21 -106 C 19 -92 25 -84 22.6 -74 C 21 -68 24.6 -64 22.6 -58"), 1.3, livery.strand)
    _pair(canvas, path("M 17.6 -92 C 16.6 -84 20 -78 18 -70 C 17 -66 19 -63 18 -59"), 1.1, livery.strand)


def _queen_front(canvas: Canvas, livery: Livery) -> None:
    canvas.shape(both_sides(path("M 0 -123 C 11 -123 16.4 -116 16.4 -104 C 16.4 -90 9 -77.5 0 -75")), SKIN, LINE, PEN)
    canvas.fill(
        path("M 2 -121 C 11 -122 15.6 -115 15.6 -104 C 15.6 -92 9 -80 2 -76.4 C 9 -88 8 -100 6 -106"), SKIN_SHADE
    )
    for side in (-1, 1):
        canvas.fill(ellipse((side * 9.4, -93), 3.4, 2.4), BLUSH, alpha=190)
    _eyes(canvas, -102, 7.4, size=0.92)
    _pair(canvas, path("M 2.8 -107.4 C 6 -111 10 -111 13 -107.6"), 1.2, livery.hair)
    _pair(canvas, path("M 11.6 -102.6 L 14 -104"), 1.1, LINE)
    canvas.stroke(path("M 1.8 -104 C 2.4 -99 3.4 -96 3 -94 C 2 -93 0.4 -93 -0.8 -93.6"), 1.1, LINE)
    lips = both_sides(path("M 0 -87.4 C 1.6 -89 3 -88.6 5 -86.6 C 3 -84 1.6 -83.6 0 -83.6"))
    canvas.fill(lips, LIPS)
    canvas.stroke(path("M -4.4 -86.6 Q 0 -85 4.4 -86.6"), 0.7, LINE)
    parted = path("M 0 -124 C 12 -125 19 -115 18 -98 C 16 -108 10 -113 0 -117.4")
    canvas.shape(both_sides(parted), livery.hair, LINE, 1.3)
    _pair(canvas, path("M 3 -120 C 10 -119 14 -114 16 -107"), 1.0, livery.strand)
    for side in (-1, 1):
        canvas.shape(ellipse((side * 17.6, -90), 1.9, 2.8), palette.BRASS_LIGHT, LINE, 0.9)
    _queen_tiara(canvas, livery)


def _queen_tiara(canvas: Canvas, livery: Livery) -> None:
    crest = both_sides(
        path(
            "M 0 -146 C 3 -142 5.4 -139 5 -135 C 4.8 -132 7 -131 9 -133 C 10 -136 12 -138.6 14.6 -140 "
            "C 15 -136 16 -133 19.6 -133 C 21 -133 22 -134 23.4 -136 L 21 -118 C 14 -122.6 8 -124 0 -124.4"
        )
    )
    canvas.shape(crest, palette.BRASS, LINE, PEN)
    canvas.shape(both_sides(path("M 0 -140 C 2.6 -136 3.4 -133 0 -129")), livery.main, LINE, 0.9)
    _pair(canvas, path("M 8.4 -127.6 C 10 -130 12 -132 13.4 -135"), 1.1, palette.BRASS_LIGHT)
    band = both_sides(path("M 0 -126 C 9 -125.6 16 -123.6 22 -119.4 L 21 -114.4 C 15 -118.4 8 -120.2 0 -120.6"))
    canvas.shape(band, palette.BRASS_LIGHT, LINE, 1.3)
    for x, y in ((0.0, -123.2), (7.0, -122.6), (14.0, -120.4)):
        for side in (-1, 1):
            canvas.disc((side * x, y), 1.4, livery.main)
    for x, y, r in ((0, -147, 2.5), (14.8, -141.4, 2.0), (23.8, -137.4, 2.0)):
        for side in (-1, 1):
            canvas.shape(ellipse((side * x, y), r, r), LINEN, LINE, 1.0)


# --- the jack ---------------------------------------------------------------------------------------------------


def _jack_behind(canvas: Canvas, livery: Livery) -> None:
    bob = path(
        "M -8 -118 C 8 -126 28 -116 28 -98 C 28 -90 34 -84 35 -77 C 29 -73 22 -70 14 -70 C 6 -70 4 -74 2 -78 L -6 -100"
    )
    canvas.shape(bob, livery.hair, LINE, PEN)
    canvas.shape(path("M -5 -78 C -3.4 -69 -3.6 -64 -6 -56 L 14 -56 L 14 -82"), SKIN, LINE, PEN)
    canvas.fill(path("M 12 -82 C 6 -76 0 -73 -4 -72 L -3 -62 L 13 -62"), SKIN_SHADE)


def _jack_front(canvas: Canvas, livery: Livery) -> None:
    canvas.shape(_JACK_PROFILE, SKIN, LINE, PEN)
    _jack_features(canvas, livery)
    fringe = path(
        "M -13 -116 C -6 -112 -3 -108 -2 -101 C -1 -95 2 -93 1 -87 C 0 -81 5 -77 9 -76 C 16 -73 25 -75 35 -77 "
        "C 31 -84 28 -90 28 -98 C 28 -112 18 -120 2 -121"
    )
    canvas.shape(fringe, livery.hair, LINE, PEN)
    for strand in (
        "M 2 -112 C 6 -100 4 -90 12 -80",
        "M 10 -112 C 14 -100 12 -90 20 -79",
        "M 18 -110 C 21 -100 20 -92 27 -80",
    ):
        canvas.stroke(path(strand), 1.3, livery.strand)
    _jack_cap(canvas, livery)


_JACK_PROFILE: Final = path(
    "M 14 -118 L -12.6 -118 C -14.4 -113 -15 -109 -14.4 -106 C -14 -104 -14.6 -102.6 -15.6 -100.6 L -20.4 -93.4 "
    "C -21 -91.6 -18.6 -90.6 -16 -90.4 C -15.2 -89.4 -15.4 -88.6 -16 -87.8 C -18 -87 -18 -85.4 -16.4 -84.8 "
    "C -17.6 -84 -17.2 -82.2 -15.6 -81.6 C -14.8 -80 -16 -78.6 -15.4 -76.4 C -14.4 -72.6 -10 -71.6 -5 -72.6 "
    "C 0 -73.6 6 -77 10 -82 L 14 -96"
)


def _jack_features(canvas: Canvas, livery: Livery) -> None:
    canvas.fill(path("M -13.4 -101.6 Q -9 -106 -4.6 -101 Q -9 -98.6 -13.4 -101.6"), LINEN)
    canvas.disc((-10.4, -102), 2.1, LINE)
    canvas.stroke(path("M -13.6 -102.4 Q -9 -107 -3.6 -101.4"), 1.5, LINE)
    canvas.stroke(path("M -14 -107.4 C -11 -110.6 -7 -110.4 -3.4 -107.4"), 1.8, livery.hair)
    canvas.stroke(path("M -17 -91.4 C -15.4 -93.6 -14 -93 -13.8 -91.2"), 1.0, LINE)
    canvas.fill(path("M -17.2 -86.8 C -14.6 -88 -12.6 -86.8 -11 -85.4 C -13 -84 -15 -82.8 -16.6 -83.2"), LIPS)
    canvas.fill(ellipse((-7.6, -91.6), 3.4, 2.6), BLUSH, alpha=190)


def _jack_cap(canvas: Canvas, livery: Livery) -> None:
    crown = path(
        "M -19 -117 C -26 -128 -16 -138 2 -138 C 22 -138 38 -130 37 -119 C 36 -112 28 -112 24 -113 "
        "C 10 -118 -6 -119 -19 -117"
    )
    canvas.shape(crown, livery.main, LINE, PEN)
    canvas.stroke(path("M -14 -124 C -8 -132 4 -134 14 -133"), 1.4, livery.lining)
    canvas.stroke(path("M 22 -118 C 30 -120 33 -124 31 -129"), 1.4, livery.lining)
    brim = path("M -20.6 -119.6 C -8 -122.6 12 -121.6 27 -115.4 L 25.6 -109.6 C 12 -115 -6 -116.2 -19.6 -113.4")
    canvas.shape(brim, palette.BRASS_LIGHT, LINE, 1.4)
    _jack_plume(canvas, livery)
    canvas.shape(ellipse((-7, -118.6), 3.6, 3.6), livery.second, LINE, 1.2)
    canvas.disc((-7.8, -119.4), 1.1, LINEN)


def _jack_plume(canvas: Canvas, livery: Livery) -> None:
    plume = path(
        "M -7 -119 C -4 -134 8 -149 28 -148 C 38 -148 46 -141 47 -132 C 44 -134 43 -134 41 -133 "
        "C 42 -129 41 -126 38 -123 "
        "C 37 -126 35 -127 33 -127 C 33 -124 31 -121 27 -119 C 27 -123 25 -125 22 -125 C 21 -122 19 -120 15 -119 "
        "C 15 -124 12 -126 8 -124 C 4 -122 -2 -118 -7 -119"
    )
    canvas.shape(plume, LINEN, LINE, PEN)
    canvas.stroke(path("M -5 -120.6 C 4 -134 18 -141 40 -136"), 1.3, livery.second)
    for barb in (
        "M 6 -131 C 8 -129 10 -127 11 -125.6",
        "M 15 -136 C 18 -133 20 -129.6 21 -126",
        "M 26 -138.6 C 29 -135 31 -131 32 -128",
    ):
        canvas.stroke(path(barb), 1.0, livery.second)


HEADS: Final[dict[int, Head]] = {
    10: Head(behind=_jack_behind, front=_jack_front),
    11: Head(behind=_queen_behind, front=_queen_front),
    12: Head(behind=_king_behind, front=_king_front),
}
"""By rank: jack, queen, king."""

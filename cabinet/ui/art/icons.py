"""Simple line icons for states and the top bar, in one weight, on a grid of 24 units.

Rules: one colour, round ends, nothing finer than the pen. Does not know what a state means.
"""

from typing import Final

import pygame

from cabinet.ui.art.palette import Colour
from cabinet.ui.art.vector import Canvas, Points, ellipse, path, rounded_box

_PEN: Final = 1.7

Line = tuple[Points, bool]
"""A contour and whether it is closed."""


def icon(name: str, px: int, colour: Colour) -> pygame.Surface:
    """An icon in a square of `px` pixels.

    Raises `ValueError` for a name that is not in `ICONS`.
    """
    if name not in ICONS:
        raise ValueError(f"icon {name!r}: expected one of {', '.join(sorted(ICONS))}")
    canvas = Canvas((px, px), (0, 0, 24, 24), oversample=6 if px < 40 else 4)
    canvas.surface.fill((*colour, 0))
    for contour, closed in ICONS[name]:
        canvas.stroke(contour, _PEN, colour, closed=closed)
    return canvas.finished()


def _open(*descriptions: str) -> tuple[Line, ...]:
    return tuple((path(description), False) for description in descriptions)


def _closed(*contours: Points) -> tuple[Line, ...]:
    return tuple((contour, True) for contour in contours)


def _dot(x: float, y: float) -> Line:
    return (((x, y), (x + 0.01, y)), False)


_SPEAKER: Final = path("M 3 9.5 L 7 9.5 L 12 5 L 12 19 L 7 14.5 L 3 14.5")
_PAGE: Final = path("M 5 3 L 15 3 L 19 7 L 19 21 L 5 21")

ICONS: Final[dict[str, tuple[Line, ...]]] = {
    "door": (*_closed(rounded_box(4, 2.5, 16, 19, 1), path("M 4 2.5 L 13 5.5 L 13 21.5 L 4 21.5")), _dot(10.4, 13.4)),
    "jam": (
        *_closed(rounded_box(2.5, 3, 19, 6, 1.5)),
        *_open("M 6 6 L 18 6", "M 7 9 L 7 13 L 10 15 L 7 17.5 L 7 21", "M 17 9 L 17 12 L 14 14 L 17 17 L 17 21"),
        *_open("M 10 21 L 14 21"),
    ),
    "note": (*_closed(rounded_box(2, 6, 20, 12, 1.6), ellipse((12, 12), 3, 3)), _dot(5.6, 12), _dot(18.4, 12)),
    "ticket": (
        *_closed(
            path(
                "M 2.5 6 L 21.5 6 L 21.5 9.6 C 18.6 9.8 18.6 14.2 21.5 14.4 L 21.5 18 L 2.5 18 L 2.5 14.4 "
                "C 5.4 14.2 5.4 9.8 2.5 9.6"
            )
        ),
        *_open("M 14.5 9 L 14.5 10.2", "M 14.5 13.8 L 14.5 15", "M 7.6 10.4 L 11.4 10.4", "M 7.6 13.6 L 10.4 13.6"),
    ),
    "bell": _open(
        "M 4 18 C 6 16 6 14 6 11 C 6 7 8.6 4.6 12 4.6 C 15.4 4.6 18 7 18 11 C 18 14 18 16 20 18 L 4 18",
        "M 9.8 21 C 11 22 13 22 14.2 21",
        "M 12 4.4 L 12 2.6",
    ),
    "key": (
        *_closed(ellipse((7.5, 12), 4.5, 4.5)),
        *_open("M 12 12 L 21.5 12 L 21.5 15.6", "M 17.6 12 L 17.6 14.8"),
        _dot(6.4, 12),
    ),
    "clock": (*_closed(ellipse((12, 12), 9, 9)), *_open("M 12 6.6 L 12 12 L 15.6 14.2")),
    "speaker_on": (
        (_SPEAKER, True),
        *_open("M 15.4 8.8 C 17.2 10.4 17.2 13.6 15.4 15.2", "M 18 6 C 21.8 9 21.8 15 18 18"),
    ),
    "speaker_off": ((_SPEAKER, True), *_open("M 15.6 9.4 L 20.8 14.6", "M 20.8 9.4 L 15.6 14.6")),
    "help": (
        *_closed(ellipse((12, 12), 9.4, 9.4)),
        *_open("M 9 9.6 C 9 5.8 15 5.8 15 9.4 C 15 11.8 12 11.8 12 14"),
        _dot(12, 17.2),
    ),
    "rules": (
        (_PAGE, True),
        *_open("M 15 3 L 15 7 L 19 7", "M 8.4 11 L 15.6 11", "M 8.4 14.2 L 15.6 14.2", "M 8.4 17.4 L 13 17.4"),
    ),
    "printer": (
        *_open("M 6.5 8.5 L 6.5 3 L 17.5 3 L 17.5 8.5", "M 6.5 17 L 3 17 L 3 8.5 L 21 8.5 L 21 17 L 17.5 17"),
        *_closed(path("M 6.5 13.5 L 17.5 13.5 L 17.5 21 L 6.5 21")),
        _dot(17.6, 11),
    ),
    "hand": _open(
        "M 7.4 13 L 7.4 6 C 7.4 4.2 10 4.2 10 6 L 10 11 L 10 4 C 10 2.2 12.6 2.2 12.6 4 L 12.6 11 L 12.6 5 "
        "C 12.6 3.2 15.2 3.2 15.2 5 L 15.2 11.4 L 15.2 7.6 C 15.2 5.8 17.8 5.8 17.8 7.6 L 17.8 15 "
        "C 17.8 19 15.6 21.6 12.4 21.6 C 9 21.6 7.6 19.6 6 17 L 3.6 13.4 C 2.6 11.8 4.6 10.6 5.8 12 L 7.4 13.8"
    ),
    "warning": (*_closed(path("M 12 3.4 L 21.6 20 L 2.4 20")), *_open("M 12 9.4 L 12 14"), _dot(12, 17)),
    "globe": (
        *_closed(ellipse((12, 12), 9.2, 9.2), ellipse((12, 12), 4, 9.2)),
        *_open("M 3 12 L 21 12"),
    ),
    "turbo": _open("M 13.5 2.5 L 5.5 13.5 L 11.5 13.5 L 10.5 21.5 L 18.5 10.5 L 12.5 10.5 L 13.5 2.5"),
    "call": _open(
        "M 3 17.5 L 21 17.5",
        "M 4.6 17.4 C 4.6 7.6 19.4 7.6 19.4 17.4",
        "M 12 10 L 12 7.6",
        "M 10.4 7 L 13.6 7",
        "M 2.6 20.6 L 21.4 20.6",
    ),
    "lock": (
        *_closed(rounded_box(4.5, 10.5, 15, 11, 1.8)),
        *_open("M 8 10.4 L 8 7 C 8 1.8 16 1.8 16 7 L 16 10.4"),
        _dot(12, 16),
    ),
}
"""Every icon by name."""

"""The mounting of the display, and the position of a finger in the picture. Pure.

Rules: the picture is rotated clockwise by `rotation` degrees, so that it is upright on a rotated panel. A touch is
calibrated, then rotated by the mounting of the foil, then rotated back with the picture. Points are shares of width and
height, 0 to 1; pixels are whole numbers.
"""

from dataclasses import dataclass
from math import isfinite
from typing import Final

TURNS: Final = (0, 90, 180, 270)
STRAIGHT: Final = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
"""The identity calibration."""
SMALLEST: Final = (1280, 720)
"""Width and height in pixels of the smallest picture with readable text and large enough touch areas."""
NARROWEST: Final = (5, 4)
"""Width to height of the narrowest picture in which the legends of the panel fit side by side."""
REACHED: Final = (0.05, 0.95)
"""The range of the panel, in both directions, that a touch on the foil must be able to reach."""
SLACK: Final = 0.03
"""Tolerance beside the panel, as a share: a calibrated touch within it counts as on the edge."""

Point = tuple[float, float]
Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""


def unfit(picture: tuple[int, int]) -> str:
    """Returns why a picture of this size in pixels cannot be drawn; empty for a size that can."""
    (width, height), (across, down) = picture, NARROWEST
    if width >= SMALLEST[0] and height >= SMALLEST[1] and width * down >= height * across:
        return ""
    return (
        f"a picture of {width}x{height} pixels: the smallest is {SMALLEST[0]}x{SMALLEST[1]}, the narrowest is "
        f"{across} to {down}, such as 1280x1024"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Mounting:
    """`touch_calibration` is a 2x3 matrix (a, b, c, d, e, f): x' = ax + by + c, y' = dx + ey + f."""

    rotation: int = 0
    touch_rotation: int = 0
    touch_calibration: tuple[float, ...] = STRAIGHT

    def picture_size(self, panel: tuple[int, int]) -> tuple[int, int]:
        """Returns width and height of the picture on a panel."""
        return panel if self.rotation in {0, 180} else (panel[1], panel[0])

    def on_panel(self, box: Box, panel: tuple[int, int]) -> Box:
        """Returns the position of a rectangle of the picture on a panel of this size in pixels."""
        x, y, w, h = box
        match self.rotation:
            case 90:
                return (panel[0] - y - h, x, h, w)
            case 180:
                return (panel[0] - x - w, panel[1] - y - h, w, h)
            case 270:
                return (y, panel[1] - x - w, h, w)
            case _:
                return box

    def in_picture(self, point: Point) -> Point:
        """Returns the position in the picture of a point of the panel."""
        return turned(point, -self.rotation)

    def finger(self, x: float, y: float) -> Point | None:
        """Returns the position of a touch in the picture; None outside it."""
        if not (0 <= x <= 1 and 0 <= y <= 1):
            return None
        a, b, c, d, e, f = self.touch_calibration
        there = (a * x + b * y + c, d * x + e * y + f)
        if not all(-SLACK <= share <= 1 + SLACK for share in there):
            return None
        across, down = (min(1.0, max(0.0, share)) for share in there)
        return self.in_picture(turned((across, down), self.touch_rotation))


UPRIGHT: Final = Mounting()
"""Panel and foil without rotation."""


def turned(point: Point, degrees: int) -> Point:
    """Returns the point after a clockwise rotation of the panel; `degrees` is a multiple of 90."""
    x, y = point
    for _ in range(degrees % 360 // 90):
        x, y = 1 - y, x
    return x, y


def is_calibration(numbers: tuple[float, ...]) -> bool:
    """True for an invertible matrix with which REACHED, nearly all of the panel, can be touched."""
    if len(numbers) != len(STRAIGHT) or not all(map(isfinite, numbers)):
        return False
    a, b, c, d, e, f = numbers
    size = a * e - b * d
    if abs(size) <= 1e-3:
        return False
    # The points of the foil that reach each corner of REACHED.
    corners = ((x - c, y - f) for x in REACHED for y in REACHED)
    foil = (((e * x - b * y) / size, (a * y - d * x) / size) for x, y in corners)
    return all(0 <= share <= 1 for point in foil for share in point)

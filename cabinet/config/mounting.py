"""How the display is mounted in the cabinet, and where a finger on its foil is in the picture.

Rules: the picture is turned clockwise by `rotation` degrees on the panel, so that it stands upright on a panel that is
mounted turned; a finger is first put right by the calibration, then turned by how the foil lies on the panel, then
turned back with the picture. Points are shares of width and height, 0 to 1. Pure; knows no pixels but whole ones.
"""

from dataclasses import dataclass
from math import isfinite
from typing import Final

TURNS: Final = (0, 90, 180, 270)
STRAIGHT: Final = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
"""The calibration of a foil that needs none."""
SMALLEST: Final = (1280, 720)
"""Width and height of the least picture whose words can be read and whose buttons can be touched."""
NARROWEST: Final = (5, 4)
"""Width to height of the narrowest picture in which the legends of a panel have room side by side."""
REACHED: Final = (0.05, 0.95)
"""The part of the panel, across and down, that a finger on the foil must be able to reach."""
SLACK: Final = 0.03
"""So far beside the panel a calibrated finger still counts as being on its edge."""

Point = tuple[float, float]
Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""


def unfit(picture: tuple[int, int]) -> str:
    """Why a picture of so many pixels is not drawn, and what is; empty for one that is."""
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
        """Width and height of the picture on a panel."""
        return panel if self.rotation in {0, 180} else (panel[1], panel[0])

    def on_panel(self, box: Box, panel: tuple[int, int]) -> Box:
        """Where a rectangle of the picture lies on a panel of so many pixels."""
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
        """Where a point of the panel is in the picture."""
        return turned(point, -self.rotation)

    def finger(self, x: float, y: float) -> Point | None:
        """Where a finger is in the picture; None when it is beside it."""
        if not (0 <= x <= 1 and 0 <= y <= 1):
            return None
        a, b, c, d, e, f = self.touch_calibration
        there = (a * x + b * y + c, d * x + e * y + f)
        if not all(-SLACK <= share <= 1 + SLACK for share in there):
            return None
        across, down = (min(1.0, max(0.0, share)) for share in there)
        return self.in_picture(turned((across, down), self.touch_rotation))


UPRIGHT: Final = Mounting()
"""Panel and foil as they come."""


def turned(point: Point, degrees: int) -> Point:
    """The point after the panel was turned clockwise; `degrees` is a multiple of 90."""
    x, y = point
    for _ in range(degrees % 360 // 90):
        x, y = 1 - y, x
    return x, y


def is_calibration(numbers: tuple[float, ...]) -> bool:
    """Whether these are a matrix that keeps apart what lies apart, and with which nearly all of the panel can be
    touched."""
    if len(numbers) != len(STRAIGHT) or not all(map(isfinite, numbers)):
        return False
    a, b, c, d, e, f = numbers
    size = a * e - b * d
    if abs(size) <= 1e-3:
        return False
    # Where on the foil a finger must be to reach each corner of the panel but for the last of its edge.
    corners = ((x - c, y - f) for x in REACHED for y in REACHED)
    foil = (((e * x - b * y) / size, (a * y - d * x) / size) for x, y in corners)
    return all(0 <= share <= 1 for point in foil for share in point)

"""The colours of the cabinet: cloth, brass, cream, ink, and the chips of the house.

Rules: one accent (aged brass), cream for type, red only for hearts, diamonds, TURBO, and what is wrong on a page of the
attendant. A colour is defined here once.
Does not know the things that have these colours.
"""

from dataclasses import dataclass
from typing import Final

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloth:
    """A felt from the middle of its pool of light to the corners."""

    inner: Colour
    mid: Colour
    outer: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipPaint:
    """One chip: its clay, the spots on its edge, the inlay under the value and the value itself."""

    body: Colour
    spot: Colour
    inlay: Colour
    figure: Colour


FELT: Final[dict[str, Cloth]] = {
    "european": Cloth(inner=(23, 106, 97), mid=(12, 76, 72), outer=(4, 32, 35)),
    "table": Cloth(inner=(36, 105, 56), mid=(17, 75, 41), outer=(5, 31, 19)),
    "classic": Cloth(inner=(118, 34, 52), mid=(78, 21, 35), outer=(31, 7, 14)),
}
"""The cloth of each game, by game id."""

BRASS: Final[Colour] = (201, 164, 92)
BRASS_LIGHT: Final[Colour] = (240, 214, 154)
BRASS_DARK: Final[Colour] = (126, 94, 42)
CREAM: Final[Colour] = (243, 234, 214)
CREAM_DIM: Final[Colour] = (178, 168, 150)
INK: Final[Colour] = (21, 23, 26)
UMBER: Final[Colour] = (35, 26, 16)
PAPER: Final[Colour] = (255, 253, 248)
PAPER_LOW: Final[Colour] = (244, 239, 228)
PAPER_EDGE: Final[Colour] = (207, 198, 180)
CARD_RED: Final[Colour] = (179, 32, 44)
CARD_BLUE: Final[Colour] = (30, 78, 150)
CARD_GREEN: Final[Colour] = (22, 112, 60)
TURBO_RED: Final[Colour] = (214, 44, 52)
LAMP: Final[Colour] = (255, 236, 186)
RAIL: Final[Cloth] = Cloth(inner=(46, 34, 27), mid=(27, 20, 17), outer=(12, 9, 8))
"""The wooden rail, from its lit upper edge down."""
KEY_LIT_TOP: Final[Colour] = (255, 246, 223)
KEY_LIT_LOW: Final[Colour] = (222, 202, 150)
KEY_DARK_TOP: Final[Colour] = (44, 36, 31)
KEY_DARK_LOW: Final[Colour] = (24, 19, 16)
KEY_DARK_LEGEND: Final[Colour] = (140, 127, 114)
PLAQUE: Final[Colour] = (16, 27, 26)
SIGN_OK: Final[Colour] = (126, 206, 140)
SIGN_WARN: Final[Colour] = (255, 196, 96)
SIGN_BAD: Final[Colour] = (255, 140, 126)
FIGURE_GROUND: Final[Colour] = (27, 33, 39)
"""The ground of a tile or a chart of an attendant's page."""
FIGURE_TRACK: Final[Colour] = (49, 57, 64)
"""The ground of a bar in it."""
FIGURE_BAND: Final[Colour] = (98, 78, 42)
"""The band of a return in it."""

CHIP: Final[dict[int, ChipPaint]] = {
    50: ChipPaint(body=(209, 122, 60), spot=(250, 240, 222), inlay=(160, 82, 32), figure=(255, 248, 236)),
    1_00: ChipPaint(body=(233, 228, 216), spot=(49, 81, 122), inlay=(246, 242, 233), figure=(38, 62, 98)),
    2_00: ChipPaint(body=(214, 178, 74), spot=(92, 54, 22), inlay=(198, 160, 56), figure=(46, 28, 12)),
    5_00: ChipPaint(body=(163, 33, 44), spot=(246, 240, 228), inlay=(146, 26, 37), figure=(255, 246, 236)),
    10_00: ChipPaint(body=(44, 92, 158), spot=(246, 240, 228), inlay=(36, 78, 138), figure=(255, 250, 240)),
    25_00: ChipPaint(body=(31, 107, 67), spot=(246, 240, 228), inlay=(24, 92, 56), figure=(255, 250, 240)),
    100_00: ChipPaint(body=(32, 33, 38), spot=(240, 232, 214), inlay=(24, 25, 29), figure=(246, 236, 212)),
    500_00: ChipPaint(body=(96, 52, 132), spot=(243, 232, 210), inlay=(82, 42, 116), figure=(252, 244, 232)),
    1000_00: ChipPaint(body=(176, 138, 58), spot=(36, 28, 22), inlay=(190, 152, 70), figure=(32, 22, 10)),
}
"""Chip colours by value in cents, by common casino custom: white 1, red 5, green 25, black 100, purple 500."""

CHIP_OTHER: Final[ChipPaint] = ChipPaint(
    body=(92, 100, 108), spot=(243, 234, 214), inlay=(74, 82, 90), figure=(250, 246, 238)
)
"""For a value without a customary colour."""

"""The bands of the screen, and the places in the top bar and on the rail.

Rules: bands are fixed in design units but never lower than a finger needs (nine millimetres on a 15.6-inch display of
any proportions). Amounts reserve the width of the largest possible one. Results are remembered and shared. Does not
know the felt.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from cabinet.ui.layout.geometry import Rect, spanning
from cabinet.ui.view import Kind, Rail, Slot, TopBar, TopItem

DESIGN = (1920, 1080)
TOUCH_MM = 9.2
DIAGONAL_MM = 15.6 * 25.4
EDGE = 24.0
"""Free space at the left and right edges."""
REMEMBERED = 32
"""Arrangements that are remembered, so that not every frame computes them."""
LIMITS_W = 320.0
"""The least width of the limits: beside many switches they move from the middle of the bar, and the title shrinks."""
FIGURE_EM = 0.47
"""Width of a tabular figure of the condensed sans, in em; a comma and a point are narrower."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bands:
    """The display in design units: whole width and height, and where the bands begin. Each display has one object, so
    that results remembered by it are found at once."""

    size: tuple[int, int]
    unit: float
    width: float
    height: float
    touch: float
    """The least side of a touch area, in design units."""
    top_h: float
    rail_top: float
    legend_top: float
    legend_h: float
    footer_top: float

    @property
    def tall(self) -> float:
        """The height of the felt in that of a 16:9 display: 1 and more."""
        return max(1.0, self.height / DESIGN[1])


@lru_cache(maxsize=REMEMBERED)
def bands_of(size: tuple[int, int]) -> Bands:
    """Returns the bands of a display of `size` pixels."""
    unit = min(size[0] / DESIGN[0], size[1] / DESIGN[1])
    width, height = size[0] / unit, size[1] / unit
    touch = TOUCH_MM * math.hypot(width, height) / DIAGONAL_MM
    legend_h = max(60.0, touch)
    footer_top = height - 30
    legend_top = footer_top - legend_h - 2
    return Bands(
        size=size,
        unit=unit,
        width=width,
        height=height,
        touch=touch,
        top_h=max(60.0, touch),
        rail_top=legend_top - 118,
        legend_top=legend_top,
        legend_h=legend_h,
        footer_top=footer_top,
    )


# --- top bar ----------------------------------------------------------------------------------------------------


def bar_rects(bands: Bands, top: TopBar) -> Mapping[Slot, Rect]:
    """Returns the title at the left, limits in the middle, switches and clock at the right; each switch is a finger
    wide and as high as the bar."""
    return _bar(bands, tuple([(view.item, len(view.word)) for view in top.items]))


@lru_cache(maxsize=REMEMBERED)
def _bar(bands: Bands, items: tuple[tuple[TopItem, int], ...]) -> Mapping[Slot, Rect]:
    high, unit = bands.top_h, bands.unit
    clock_left = bands.width - EDGE - 12 - 9 * 14
    widths = [_item_width(bands, letters, item) for item, letters in items]
    left = clock_left - 8 - sum(widths)
    rects = {
        Slot(Kind.TOP_BAR): spanning(0, 0, bands.width, high, unit),
        Slot(Kind.CLOCK): spanning(clock_left, 0, bands.width - EDGE - 12, high, unit),
    }
    x = left
    for index, width in enumerate(widths):
        rects[Slot(Kind.TOP_ITEM, nth=index)] = spanning(x, 0, x + width, high, unit)
        x += width
    half = min(240.0, left - bands.width / 2 - 12)
    end = bands.width / 2 + half
    start = end - max(2 * half, LIMITS_W)
    rects[Slot(Kind.LIMITS)] = spanning(start, 0, end, high, unit)
    rects[Slot(Kind.TITLE)] = spanning(EDGE + 12, 0, start - 16, high, unit)
    return rects


def _item_width(bands: Bands, letters: int, item: TopItem) -> float:
    word = letters * 15.0 + 34 + (34 if item is TopItem.SOUND else 0)
    return max(bands.touch + 4, word)


# --- rail -------------------------------------------------------------------------------------------------------


def rail_rects(bands: Bands, rail: Rail) -> Mapping[Slot, Rect]:
    """Returns chips at the left, message in the middle, amounts at the right, the panel's legends in one row, the fine
    line below."""
    raised = tuple([chip.raised for chip in rail.chips])
    return _rail(bands, raised, len(rail.meters), len(rail.legends), rail.value_chars)


@lru_cache(maxsize=REMEMBERED)
def _rail(
    bands: Bands, raised: tuple[bool, ...], meters_shown: int, legends: int, value_chars: int
) -> Mapping[Slot, Rect]:
    chips, chips_right = _chip_rects(bands, raised)
    meters, meters_left = _meter_rects(bands, meters_shown, value_chars)
    top, unit = bands.rail_top, bands.unit
    left, right = chips_right + 20, meters_left - 20
    return (
        chips
        | meters
        | _legends(bands, legends)
        | {
            Slot(Kind.RAIL): spanning(0, top, bands.width, bands.height, unit),
            Slot(Kind.MESSAGE): spanning(left, top + 16, right, top + 70, unit),
            Slot(Kind.HINT): spanning(left, top + 74, right, top + 108, unit),
            Slot(Kind.FOOTER): spanning(EDGE, bands.footer_top, bands.width - EDGE, bands.height - 4, unit),
        }
    )


def _chip_rects(bands: Bands, raised: tuple[bool, ...]) -> tuple[dict[Slot, Rect], float]:
    count = max(4, len(raised))
    pitch = min(112.0, 520.0 / count)
    side = max(bands.touch, min(94.0, pitch - 10))
    pitch = max(pitch, side + 4)
    rects = {}
    for index, up in enumerate(raised):
        x = EDGE + 12 + index * pitch
        y = bands.rail_top + 113 - side - (14 if up else 0)
        rects[Slot(Kind.CHIP, nth=index)] = spanning(x, y, x + side, y + side, bands.unit)
    return rects, EDGE + 12 + count * pitch


def meter_px(bands: Bands, rail: Rail) -> float:
    """Returns the height of type of the large amounts, in design units: as large as the largest amount allows."""
    return _meter_px(bands, len(rail.meters), rail.value_chars)


def _meter_px(bands: Bands, meters: int, value_chars: int) -> float:
    room = min(720.0, bands.width * 0.36)
    return min(54.0, (room - 2 * 30) / (max(1, meters) * max(8, value_chars) * FIGURE_EM))


def _meter_rects(bands: Bands, meters: int, value_chars: int) -> tuple[dict[Slot, Rect], float]:
    width = _meter_px(bands, meters, value_chars) * max(8, value_chars) * FIGURE_EM
    rects = {}
    top, unit = bands.rail_top, bands.unit
    right = bands.width - EDGE - 4
    for index in range(meters - 1, -1, -1):
        rects[Slot(Kind.METER_LABEL, nth=index)] = spanning(right - width, top + 10, right, top + 36, unit)
        rects[Slot(Kind.METER_VALUE, nth=index)] = spanning(right - width, top + 36, right, top + 92, unit)
        rects[Slot(Kind.CREDITS, nth=index)] = spanning(right - width, top + 93, right, top + 116, unit)
        right -= width + 30
    return rects, right + 30


def legend_rects(bands: Bands, rail: Rail) -> dict[Slot, Rect]:
    """Returns the legends of the panel in one row, each above its button."""
    return _legends(bands, len(rail.legends))


def _legends(bands: Bands, legends: int) -> dict[Slot, Rect]:
    count = max(1, legends)
    gap = 8.0
    width = (bands.width - 2 * (EDGE - 4) - gap * (count - 1)) / count
    top, unit = bands.legend_top, bands.unit
    rects = {}
    for index in range(legends):
        x = EDGE - 4 + index * (width + gap)
        rects[Slot(Kind.LEGEND, nth=index)] = spanning(x, top, x + width, top + bands.legend_h, unit)
    return rects

"""The print on the felt and the things beside the dealer: shoe, plate, arched lines, the insurance question.

Rules: the lines are between the dealer's cards and the places; an open question takes their room.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from cabinet.ui.layout.bands import Bands
from cabinet.ui.layout.geometry import Rect, spanning
from cabinet.ui.shapes import CARD_RATIO
from cabinet.ui.view import Kind, Slot, TableView

LINE_EM = (40.0, 26.0, 24.0, 22.0)
LINE_PITCH = (53.0, 44.0, 38.0, 36.0)
QUESTION_HALF = 430.0
"""Half the width of the insurance question."""
QUESTION_MARGIN = 18.0
"""Distance of its buttons from its edges: its inner border is at 10.5; the side margins of its words are twice as
large."""
DISCARD = 260.0
"""Wider and higher than any card with its shadow, so that a card there is out of sight and not over the top bar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arc:
    """The baseline of one felt line, in pixels: from (left, y) down to y + sag in the middle and up to (right, y).

    At a share t (0 to 1) of the width the baseline is at y + sag * (1 - (2 t - 1)^2). Text is centred on it, each glyph
    rotated along it, at `px` pixels of type.
    """

    left: int
    right: int
    y: int
    sag: int
    px: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The heights on the felt above the places, in design units of a 16:9 display."""

    above: float
    card_h: float
    gap: float
    lines_h: float
    sag: float


MANY: Rows = Rows(above=32, card_h=176, gap=20, lines_h=162, sag=46)
ALONE: Rows = Rows(above=24, card_h=194, gap=14, lines_h=142, sag=30)
"""A table of one place gives more of the height to its cards."""


def rows_of(*, alone: bool) -> Rows:
    """Returns the heights of a table with one place, or with more."""
    return ALONE if alone else MANY


def dealer_top(bands: Bands, *, alone: bool = False) -> float:
    """Returns the upper edge of the dealer's cards."""
    return bands.top_h + rows_of(alone=alone).above + 24 * (bands.tall - 1)


def dealer_card_h(bands: Bands, *, alone: bool = False) -> float:
    """Returns the height of the dealer's cards."""
    return rows_of(alone=alone).card_h * min(bands.tall, 1.3)


def lines_top(bands: Bands, *, alone: bool = False) -> float:
    """Returns the upper edge of the printed lines' room."""
    return dealer_top(bands, alone=alone) + dealer_card_h(bands, alone=alone) + rows_of(alone=alone).gap


def places_top(bands: Bands, *, alone: bool = False) -> float:
    """Returns the upper edge of the places' room."""
    return lines_top(bands, alone=alone) + rows_of(alone=alone).lines_h * min(bands.tall, 1.3)


def felt_arcs(bands: Bands, table: TableView) -> tuple[Arc, ...]:
    """Returns one arc per printed line, in the room between dealer and places."""
    return _arcs(bands, len(table.felt_lines), alone=table.alone)


@lru_cache(maxsize=16)
def _arcs(bands: Bands, lines: int, *, alone: bool) -> tuple[Arc, ...]:
    stretch = min(bands.tall, 1.2)
    unit = bands.unit
    middle, y = bands.width / 2, lines_top(bands, alone=alone) - 4
    arcs = []
    sag = rows_of(alone=alone).sag
    for index in range(lines):
        size = LINE_EM[min(index, len(LINE_EM) - 1)] * stretch
        half = 430 - 50 * index
        arcs.append(
            Arc(
                left=round((middle - half) * unit),
                right=round((middle + half) * unit),
                y=round((y + size * 0.8) * unit),
                sag=round(sag * unit),
                px=max(1, round(size * unit)),
            )
        )
        y += LINE_PITCH[min(index, len(LINE_PITCH) - 1)] * stretch
        sag *= 0.86
    return tuple(arcs)


def felt_rects(bands: Bands, table: TableView) -> Mapping[Slot, Rect]:
    """Returns shoe, plate, and the open question."""
    asked = None if table.question is None else len(table.question.buttons)
    return _felt(bands, asked, alone=table.alone)


@lru_cache(maxsize=16)
def _felt(bands: Bands, asked: int | None, *, alone: bool) -> Mapping[Slot, Rect]:
    top, unit = dealer_top(bands), bands.unit
    middle = bands.width / 2
    shoe_h = 146 * min(bands.tall, 1.3)
    shoe_left = min(bands.width - 320, middle + 760)
    plate_left = max(96.0, middle - 860)
    rects = {
        Slot(Kind.SHOE): spanning(shoe_left, top - 6, shoe_left + shoe_h * CARD_RATIO, top - 6 + shoe_h, unit),
        Slot(Kind.DISCARD): spanning(-DISCARD, top, 0, top + DISCARD * min(bands.tall, 1.3), unit),
        Slot(Kind.PLATE): spanning(plate_left, top, plate_left + 400, top + 140, unit),
    }
    if asked is not None:
        rects |= _question_rects(bands, asked, alone=alone)
    return rects


def _question_rects(bands: Bands, buttons: int, *, alone: bool) -> dict[Slot, Rect]:
    unit, middle = bands.unit, bands.width / 2
    top, bottom = lines_top(bands, alone=alone) - 11, places_top(bands, alone=alone) - 3
    half, margin = QUESTION_HALF, QUESTION_MARGIN
    button_h = max(52.0, bands.touch)
    button_top = bottom - button_h - margin
    room = 2 * (half - 2 * margin)
    text_bottom = top + 14 + (button_top - top - 18) * 0.5
    inset = 2 * margin
    rects = {
        Slot(Kind.QUESTION): spanning(middle - half, top, middle + half, bottom, unit),
        Slot(Kind.QUESTION_TEXT): spanning(middle - half + inset, top + 14, middle + half - inset, text_bottom, unit),
        Slot(Kind.QUESTION_AMOUNT): spanning(
            middle - half + inset, text_bottom + 4, middle + half - inset, button_top - 2, unit
        ),
    }
    width = min(250.0, (room - 16 * (buttons - 1)) / max(1, buttons))
    x = middle - (buttons * width + (buttons - 1) * 16) / 2
    for index in range(buttons):
        rects[Slot(Kind.QUESTION_BUTTON, nth=index)] = spanning(x, button_top, x + width, bottom - margin, unit)
        x += width + 16
    return rects

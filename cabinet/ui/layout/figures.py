"""The places of tiles and charts on an attendant's page, by rule: any figures in any room.

Rules: figures keep their order. Neighbours of one kind share a row: a strip has its own, notices stand side by side,
amounts make an even grid, narrow charts stand side by side, a chart over time has the whole width. Charts take the
height that is left, as far as their rows can use it. Nothing overlaps and nothing leaves the room. Lengths are in
design units. Does not know fonts.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from cabinet.attendant.charts import Band, Columns, Figure, Form, Shares, Tile
from cabinet.ui.layout.geometry import Rect

TILES_SHARE = 0.5
"""The part of the free height that tiles may take before the charts."""
SIZES = (1.3, 1.2, 1.1, 1.0, 0.95, 0.9, 0.85, 0.8)
"""The sizes of figures: larger on a page with room, smaller on a full one."""
GAP = 14.0
"""Between figures."""
PAD = 18.0
"""From the edge of a figure to its contents."""
AMOUNT_W = 270.0
"""The least width of a tile with an amount."""
NOTICE_W = 380.0
CHART_W = 480.0
MOST_IN_ROW = 4
MOST_CHARTS = 3
STRIP_H = 64.0
AMOUNT_H = 104.0
"""The height of a tile without its detail, a line of which is `DETAIL_H`, and without its level."""
DETAIL_H = 26.0
LEVEL_H = 14.0
MOST_AMOUNT_H = 160.0
COLUMNS_H = 240.0
HEAD_H = 66.0
"""The height of a chart's title with its note below, and the edges of the chart."""
LEAST_BAR_ROW = 31.0
"""The least and the largest height of a bar's row."""
BAR_ROW = 88.0
LOW_ROW = 54.0
"""The heights of a return's row: the least, the largest, and the largest that is drawn over the games."""
FLAT_ROW = 120.0
TALL_ROW = 290.0
LETTER_W = 9.9
"""The mean width of a letter of a notice."""
LINE_H = 29.0
"""The height of a line of a notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Figures side by side, by number and by their parts of the width, and the heights between which the row may be."""

    figures: tuple[int, ...]
    widths: tuple[float, ...]
    least: float
    most: float
    chart: bool


def fitting_unit(room: Rect, figures: Sequence[Figure], unit: float) -> float:
    """Returns the pixels to a design unit of the figures of a page: more where the room stays empty otherwise, fewer
    where they do not fit, so that all type changes alike."""
    for share in SIZES:
        rows, high = tuple(_rows(figures, room.w / unit / share)), room.h / unit / share
        needed = sum(row.most if share > 1 else row.least for row in rows) + GAP * (len(rows) - 1)
        if needed <= high:
            return unit * share
    return unit * SIZES[-1]


def figure_rects(room: Rect, figures: Sequence[Figure], unit: float) -> tuple[Rect, ...]:
    """Returns the rectangle of each figure in a room of pixels, `unit` pixels to a design unit."""
    wide = room.w / unit
    rows = tuple(_rows(figures, wide))
    heights = _heights(rows, room.h / unit - GAP * (len(rows) - 1))
    found: dict[int, Rect] = {}
    top = 0.0
    for row, height in zip(rows, heights, strict=True):
        left = 0.0
        for number, part in zip(row.figures, row.widths, strict=True):
            x, y = room.x + round(left * unit), room.y + round(top * unit)
            right, bottom = room.x + round((left + part) * unit), room.y + round((top + height) * unit)
            found[number] = Rect(x, y, right - x, bottom - y)
            left += part + GAP
        top += height + GAP
    return tuple(found[number] for number in range(len(figures)))


def _rows(figures: Sequence[Figure], wide: float) -> Iterator[Row]:
    for kind, same in groupby(enumerate(figures), key=lambda each: _kind_of(each[1])):
        numbers = [number for number, _ in same]
        narrowest, most_columns = _WIDTHS[kind]
        columns = _even(len(numbers), max(1, min(most_columns, int((wide + GAP) // (narrowest + GAP)))))
        for start in range(0, len(numbers), columns):
            row = tuple(numbers[start : start + columns])
            widths = _parts(kind, len(row), columns, wide)
            limits = [_limits(figures[number], part) for number, part in zip(row, widths, strict=True)]
            yield Row(
                figures=row,
                widths=widths,
                least=max(least for least, _ in limits),
                most=max(most for _, most in limits),
                chart=not isinstance(figures[row[0]], Tile),
            )


def _parts(kind: object, count: int, columns: int, wide: float) -> tuple[float, ...]:
    """Returns the width of each figure of a row. Of several notices the first, which is done first, has two parts."""
    doubled = kind is Form.NOTICE and count > 1
    part = (wide - GAP * (columns - 1)) / (columns + doubled)
    return tuple(part * (2 if doubled and not place else 1) for place in range(count))


def _kind_of(figure: Figure) -> object:
    if isinstance(figure, Tile):
        return figure.form
    return Columns if isinstance(figure, Columns) else Shares


_WIDTHS: dict[object, tuple[float, int]] = {
    Form.STRIP: (10_000.0, 1),
    Form.NOTICE: (NOTICE_W, MOST_CHARTS),
    Form.AMOUNT: (AMOUNT_W, MOST_IN_ROW),
    Columns: (10_000.0, 1),
    Shares: (CHART_W, MOST_CHARTS),
}
"""The least width of each kind of figure, and the most in a row."""


def _even(count: int, columns: int) -> int:
    """Returns the least number of columns with as many rows, so that the last row is nearly full."""
    rows = -(-count // columns)
    return -(-count // rows)


def _limits(figure: Figure, wide: float) -> tuple[float, float]:
    """Returns the least and the largest height of a figure of a width."""
    match figure:
        case Tile(form=Form.STRIP):
            return STRIP_H, STRIP_H
        case Tile(form=Form.NOTICE):
            high = 2 * PAD + LINE_H * (1.1 + _lines(figure.value, wide) + _lines(figure.detail, wide))
            return high, high
        case Tile():
            high = (
                AMOUNT_H + DETAIL_H * min(2, _lines(figure.detail, wide)) + (LEVEL_H if figure.level is not None else 0)
            )
            return high, max(high, MOST_AMOUNT_H)
        case Columns():
            return COLUMNS_H, math.inf
        case Shares():
            return HEAD_H + LEAST_BAR_ROW * max(2, len(figure.rows)), HEAD_H + BAR_ROW * max(1, len(figure.rows))
        case Band():
            most = TALL_ROW if figure.over_games else FLAT_ROW
            return HEAD_H + LOW_ROW * max(1, len(figure.rows)), HEAD_H + most * max(1, len(figure.rows))


def _lines(words: str, wide: float) -> int:
    """Returns how many lines of a figure words need."""
    return math.ceil(len(words) * LETTER_W / max(1.0, wide - 2 * PAD))


def _heights(rows: Sequence[Row], room: float) -> list[float]:
    """Returns the height of each row: the least, and the rest of the room shared as far as the largest allow; all less
    in proportion where the room is too low."""
    heights = [row.least for row in rows]
    free = room - sum(heights)
    if free < 0:
        return [height * room / sum(heights) for height in heights]
    for charts in (False, True):
        grows = [number for number, row in enumerate(rows) if row.chart == charts and row.most > row.least]
        share = free / len(grows) if grows else 0.0
        for number in grows:
            more = min(rows[number].most - heights[number], share * (1.0 if charts else TILES_SHARE))
            heights[number] += more
            free -= more
    return heights


# --- inside charts ----------------------------------------------------------------------------------------------


def labels_every(count: int, widest: float, pitch: float) -> int:
    """Returns from which to which label of an axis one is shown, so that they do not touch."""
    return next((every for every in range(1, count + 1) if every * pitch >= widest), max(1, count))


def side_by_side(starts: Sequence[float], widths: Sequence[float], end: float, gap: float) -> list[float]:
    """Returns the left edges of words that begin at `starts` where they fit: pushed right by the words before them, and
    back from the end. They overlap only where all together are too wide."""
    lefts: list[float] = []
    for start, _ in zip(starts, widths, strict=True):
        free = lefts[-1] + widths[len(lefts) - 1] + gap if lefts else start
        lefts.append(max(start, free))
    limit = end
    for number in range(len(lefts) - 1, -1, -1):
        lefts[number] = min(lefts[number], limit - widths[number])
        limit = lefts[number] - gap
    return lefts

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
GROWN = (1.0, 1.1, 1.2, 1.3)
"""The sizes of figures on a page with room."""
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
HEAD_H = 66.0
"""The height of a chart's title with its note below, and the edges of the chart."""
BAR_ROW = 88.0
"""The largest height of a bar's row."""
FLAT_ROW = 120.0
"""The largest height of a return's row, and of one that is drawn over the games."""
TALL_ROW = 290.0
LETTER_W = 9.9
"""The mean width of a letter of a notice."""
LINE_H = 29.0
"""The height of a line of a notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Figures side by side, by number, and the heights between which the row may be."""

    figures: tuple[int, ...]
    columns: int
    least: float
    most: float
    chart: bool


def grown_unit(room: Rect, figures: Sequence[Figure], unit: float) -> float:
    """Returns the pixels to a design unit of figures that are enlarged as far as a roomy page allows, at most by the
    last of `GROWN`."""
    fits = [unit * share for share in GROWN if _most_h(figures, room.w / unit / share) <= room.h / unit / share]
    return max(fits, default=unit)


def _most_h(figures: Sequence[Figure], wide: float) -> float:
    rows = tuple(_rows(figures, wide))
    return sum(row.most for row in rows) + GAP * (len(rows) - 1)


def figure_rects(room: Rect, figures: Sequence[Figure], unit: float) -> tuple[Rect, ...]:
    """Returns the rectangle of each figure in a room of pixels, `unit` pixels to a design unit."""
    rows = tuple(_rows(figures, room.w / unit))
    heights = _heights(rows, room.h / unit - GAP * (len(rows) - 1))
    found: dict[int, Rect] = {}
    top = 0.0
    for row, height in zip(rows, heights, strict=True):
        wide = (room.w / unit - GAP * (row.columns - 1)) / row.columns
        for place, number in enumerate(row.figures):
            left = place * (wide + GAP)
            x, y = room.x + round(left * unit), room.y + round(top * unit)
            right, bottom = room.x + round((left + wide) * unit), room.y + round((top + height) * unit)
            found[number] = Rect(x, y, right - x, bottom - y)
        top += height + GAP
    return tuple(found[number] for number in range(len(figures)))


def _rows(figures: Sequence[Figure], wide: float) -> Iterator[Row]:
    for kind, same in groupby(enumerate(figures), key=lambda each: _kind_of(each[1])):
        numbers = [number for number, _ in same]
        chart = not isinstance(figures[numbers[0]], Tile)
        least, most, narrowest, most_columns = _LIMITS[kind]
        columns = _even(len(numbers), max(1, min(most_columns, int((wide + GAP) // (narrowest + GAP)))))
        if kind is Form.NOTICE:
            least = most = max(_notice_h(figures[n], (wide - GAP * (columns - 1)) / columns) for n in numbers)
        elif kind is Shares:
            most = max(least, *(_chart_h(figures[n]) for n in numbers))
        for start in range(0, len(numbers), columns):
            yield Row(
                figures=tuple(numbers[start : start + columns]), columns=columns, least=least, most=most, chart=chart
            )


def _kind_of(figure: Figure) -> object:
    if isinstance(figure, Tile):
        return figure.form
    return Columns if isinstance(figure, Columns) else Shares


_LIMITS: dict[object, tuple[float, float, float, int]] = {
    Form.STRIP: (64.0, 64.0, 10_000.0, 1),
    Form.NOTICE: (120.0, 300.0, NOTICE_W, MOST_CHARTS),
    Form.AMOUNT: (128.0, 160.0, AMOUNT_W, MOST_IN_ROW),
    Columns: (240.0, math.inf, 10_000.0, 1),
    Shares: (190.0, math.inf, CHART_W, MOST_CHARTS),
}
"""The least and the largest height, the least width, and the most in a row, of each kind of figure."""


def _even(count: int, columns: int) -> int:
    """Returns the least number of columns with as many rows, so that the last row is nearly full."""
    rows = -(-count // columns)
    return -(-count // rows)


def _notice_h(figure: Figure, wide: float) -> float:
    """Returns the height that the words of a notice need at a width."""
    if not isinstance(figure, Tile):
        return 0.0
    letters = max(1.0, (wide - 2 * PAD) / LETTER_W)
    lines = 1.1 + math.ceil(len(figure.value) * 1.12 / letters) + math.ceil(len(figure.detail) / letters)
    return 2 * PAD + LINE_H * lines


def _chart_h(figure: Figure) -> float:
    """Returns the height in which a chart has its largest rows; more would stay empty."""
    if isinstance(figure, Shares):
        return HEAD_H + BAR_ROW * len(figure.rows)
    if isinstance(figure, Band):
        return HEAD_H + (TALL_ROW if figure.over_games else FLAT_ROW) * len(figure.rows)
    return math.inf


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

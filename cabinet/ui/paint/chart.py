"""A basic-strategy chart as a grid of coloured cells with short words, and their legend below it.

Rules: each short word has its own ground, the same in every chart with that legend; all cells have the same width.
"""

import math
from typing import Final

from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import text_width
from cabinet.ui.art.palette import Colour
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import Layout
from cabinet.ui.paint.keys import tile
from cabinet.ui.paint.pieces import piece
from cabinet.ui.paint.sheet import LEFT, Sheet
from cabinet.ui.view import ChartView, Kind, Slot

GROUNDS: Final[tuple[Colour, ...]] = (
    (38, 96, 74),
    (110, 40, 52),
    (124, 92, 32),
    (52, 74, 122),
    (96, 66, 118),
    (70, 74, 80),
)
"""Grounds of the short words, in the order of the legend."""
APART_EM: Final = 3
"""The largest distance between the parts of the legend, in its type."""
HEAD_SHARE: Final = 1.6
"""Width of the first column, in cells."""


def put_chart(sheet: Sheet, where: Layout, chart: ChartView) -> None:
    """Paints the grid in the chart's room: long charts in two halves side by side, the legend in the last line."""
    room = where.rect(Slot(Kind.CHART))
    px = where.text_px(Kind.CHART)
    foot = round(px * 1.9) if chart.legend else 0
    title = round(px * 1.6) if chart.title else 0
    sheet.words(Role.TEXT, px, chart.title, Rect(room.x, room.y, room.w, title), across=LEFT, colour=palette.CREAM_DIM)
    grid = Rect(room.x, room.y + title, room.w, room.h - foot - title)
    blocks = _blocks(chart, grid, px)
    gap = round(px * 1.2)
    wide = (grid.w - gap * (len(blocks) - 1)) // len(blocks)
    high = grid.h // (max(len(block.rows) for block in blocks) + 1)
    for number, block in enumerate(blocks):
        box = Rect(grid.x + number * (wide + gap), grid.y, wide, grid.h)
        _put_block(sheet, block, _grounds(chart), box, high, min(px, round(high * 0.7)))
    if chart.legend:
        _put_legend(sheet, chart, Rect(room.x, room.bottom - foot, room.w, foot), px)


def _blocks(chart: ChartView, grid: Rect, px: int) -> tuple[ChartView, ...]:
    """Returns the whole chart, or two halves of it when its rows would be lower than the type needs."""
    if grid.h // (len(chart.rows) + 1) >= px * 1.25:
        return (chart,)
    half = -(-len(chart.rows) // 2)
    return tuple(ChartView(columns=chart.columns, rows=rows) for rows in (chart.rows[:half], chart.rows[half:]))


def _grounds(chart: ChartView) -> dict[str, Colour]:
    words = [word for word, _ in chart.legend] + sorted({cell for row in chart.rows for cell in row.cells})
    return {word: GROUNDS[number % len(GROUNDS)] for number, word in enumerate(dict.fromkeys(words))}


def _put_block(sheet: Sheet, chart: ChartView, grounds: dict[str, Colour], box: Rect, high: int, px: int) -> None:
    cell = box.w / (len(chart.columns) + HEAD_SHARE)
    head = round(cell * HEAD_SHARE)
    for column, words in enumerate(chart.columns):
        sheet.words(Role.FIGURES, px, words, _cell(box, head, cell, column, 0, high), colour=palette.BRASS_LIGHT)
    for number, row in enumerate(chart.rows, start=1):
        first = Rect(box.x, box.y + number * high, head - px // 3, high)
        sheet.words(Role.FIGURES, px, row.hand, first, colour=palette.BRASS_LIGHT)
        for column, words in enumerate(row.cells):
            room = _cell(box, head, cell, column, number, high)
            sheet.put(piece(tile, (room.w - 2, room.h - 2), grounds[words], words, px), room.x + 1, room.y + 1)


def _cell(box: Rect, head: int, cell: float, column: int, row: int, high: int) -> Rect:
    left, right = round(head + cell * column), round(head + cell * (column + 1))
    return Rect(box.x + left, box.y + row * high, right - left, high)


def _put_legend(sheet: Sheet, chart: ChartView, room: Rect, px: int) -> None:
    """Paints the meaning of the short words, spread over the room."""
    grounds = _grounds(chart)
    side = round(px * 1.3)
    mark_w, between = round(side * 1.4), px // 2
    wide = [math.ceil(text_width(Role.TEXT, px, meaning)) for _, meaning in chart.legend]
    free = room.w - sum(wide) - len(wide) * (mark_w + between)
    apart = min(APART_EM * px, free // max(1, len(wide) - 1))
    if apart < px:
        # The legend does not fit in this size: each part gets the same room and the largest type that fits.
        apart, wide = px, [room.w // len(wide) - mark_w - between - px] * len(wide)
    x = room.x
    for (word, meaning), words_w in zip(chart.legend, wide, strict=True):
        mark = Rect(x, room.y + (room.h - side) // 2, mark_w, side)
        sheet.put(piece(tile, (mark.w, mark.h), grounds[word], word, round(px * 0.9)), mark.x, mark.y)
        sheet.words(Role.TEXT, px, meaning, Rect(mark.right + between, room.y, words_w, room.h), across=LEFT)
        x = mark.right + between + words_w + apart

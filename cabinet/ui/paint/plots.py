"""What is drawn inside the charts of an attendant's page: columns over time, and bars of shares.

Rules: every mark has its words beside it. Columns stand on the zero line, those below it hang from it. Grid lines and
labels never touch; labels are left out evenly where there is no room for all. All bars of a chart have one scale.
"""

from collections.abc import Sequence
from typing import Final

from cabinet.attendant.charts import Columns, Shares
from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import SMALLEST_PX, figures_width, text_width
from cabinet.ui.layout.figures import BAR_ROW, PAD, labels_every, side_by_side
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.paint.grounds import hairline, shade
from cabinet.ui.paint.pieces import piece
from cabinet.ui.paint.sheet import LEFT, MIDDLE, RIGHT, Sheet

TITLE_PX: Final = 25.0
"""Sizes are in design units."""
NOTE_PX: Final = 20.0
ROW_PX: Final = 22.0
AXIS_PX: Final = 19.0
BAR_H: Final = 30.0
LEAST_BAR: Final = 0.16
"""The least part of a row's width that its bar has."""
LARGE_PX: Final = 26.0
TITLE_H: Final = 36.0
NOTE_H: Final = 28.0
SHADED: Final = 22
"""The strength of the mark behind columns, of 255."""
GRID: Final = 46


def put_columns(sheet: Sheet, chart: Columns, rect: Rect, unit: float) -> None:
    """Paints amounts over time: title, grid with its labels, columns, and the axis in two lines."""
    if not chart.columns:
        put_reason(sheet, chart.title, chart.note, rect, unit)
        return
    body = put_head(sheet, chart.title, chart.note, rect, unit)
    px = round(AXIS_PX * unit)
    axis_w = max((figures_width(px, words) for _, words in chart.scale), default=0) + px // 2
    foot_h = round(px * 1.5)
    rows = (1 if any(label for label, _ in chart.columns) else 0) + bool(chart.groups) + bool(chart.shaded_means)
    plot = Rect(body.x + axis_w, body.y + px // 2, body.w - axis_w, body.h - px // 2 - rows * foot_h)
    edges = [plot.x + plot.w * number / len(chart.columns) for number in range(len(chart.columns) + 1)]
    _put_shading(sheet, chart.shaded, edges, plot)
    low, high = _ends(chart)
    for value, words in chart.scale:
        y = _height(value, low, high, plot)
        sheet.put(piece(hairline, (plot.w, max(1, round(unit))), palette.CREAM, GRID), plot.x, y)
        room = Rect(body.x, y - px, axis_w - px // 2, 2 * px)
        sheet.figures(px, words, room, across=RIGHT, colour=palette.CREAM_DIM)
    _put_bars(sheet, chart, edges, plot, unit)
    _put_axis(sheet, chart, edges, Rect(plot.x, plot.bottom, plot.w, rows * foot_h), px, unit)


def put_head(sheet: Sheet, title: str, note: str, rect: Rect, unit: float) -> Rect:
    """Paints title and note, and returns the room below them."""
    pad, low = round(PAD * unit), round(PAD * unit * 0.6)
    inner = Rect(rect.x + pad, rect.y + low, rect.w - 2 * pad, rect.h - 2 * low)
    high = round(TITLE_H * unit)
    px, note_px = round(TITLE_PX * unit), round(NOTE_PX * unit)
    title_w = text_width(Role.TEXT_BOLD, px, title)
    beside = title_w + 2 * pad + text_width(Role.TEXT, note_px, note) <= inner.w
    head = Rect(inner.x, inner.y, inner.w, high)
    sheet.words(Role.TEXT_BOLD, px, title, head, across=LEFT, colour=palette.BRASS_LIGHT)
    below = Rect(inner.x, head.bottom, inner.w, 0 if beside or not note else round(NOTE_H * unit))
    sheet.words(Role.TEXT, note_px, note, head if beside else below, across=RIGHT if beside else LEFT)
    top = below.bottom + round(8 * unit)
    return Rect(inner.x, top, inner.w, inner.bottom - top)


def put_reason(sheet: Sheet, title: str, reason: str, rect: Rect, unit: float) -> None:
    """Paints a chart that has nothing to show: its title, and the reason in the middle."""
    body = put_head(sheet, title, "", rect, unit)
    px = round(TITLE_PX * unit)
    sheet.paragraphs(Role.TEXT, px, (reason,), body, across=MIDDLE, colour=palette.CREAM_DIM)


def _ends(chart: Columns) -> tuple[int, int]:
    amounts = [value for value, _ in chart.scale] + [value for _, value in chart.columns] + [0]
    return min(amounts), max(*amounts, min(amounts) + 1)


def _height(value: float, low: int, high: int, plot: Rect) -> int:
    return plot.bottom - round(plot.h * (value - low) / (high - low))


def _put_shading(sheet: Sheet, shaded: frozenset[int], edges: Sequence[float], plot: Rect) -> None:
    for number in sorted(shaded):
        left, right = round(edges[number]), round(edges[number + 1])
        sheet.put(piece(hairline, (right - left, plot.h), palette.CREAM, SHADED), left, plot.y)


def _put_bars(sheet: Sheet, chart: Columns, edges: Sequence[float], plot: Rect, unit: float) -> None:
    """Paints the columns, and the zero line over them. An amount that is not zero is at least a pixel high."""
    low, high = _ends(chart)
    zero = _height(0, low, high, plot)
    for (_, value), start, end in zip(chart.columns, edges, edges[1:], strict=False):
        apart = max(1, round((end - start) * 0.22))
        left, right = round(start) + (apart + 1) // 2, round(end) - apart // 2
        top = _height(value, low, high, plot)
        if value:
            high_px = max(1, abs(top - zero))
            colour = palette.BRASS if value > 0 else palette.SIGN_BAD
            y = zero - high_px if value > 0 else zero
            sheet.put(piece(shade, (max(1, right - left), high_px), colour), left, y)
    thick = max(1, round(2 * unit))
    sheet.put(piece(shade, (plot.w, thick), palette.CREAM), plot.x, zero - thick // 2)


def _put_axis(sheet: Sheet, chart: Columns, edges: Sequence[float], foot: Rect, px: int, unit: float) -> None:
    line_h = round(px * 1.5)
    top = foot.y
    named = [number for number, (label, _) in enumerate(chart.columns) if label]
    if named:
        _put_labels(sheet, chart, named, edges, Rect(foot.x, top, foot.w, line_h), px)
        top += line_h
    if chart.groups:
        _put_groups(sheet, chart, edges, Rect(foot.x, top, foot.w, line_h), px, unit)
        top += line_h
    if chart.shaded_means:
        side = round(px * 0.8)
        sheet.put(piece(hairline, (side, side), palette.CREAM, 2 * SHADED), foot.x, top + (line_h - side) // 2)
        room = Rect(foot.x + 2 * side, top, foot.w - 2 * side, line_h)
        sheet.words(Role.TEXT, px, chart.shaded_means, room, across=LEFT, colour=palette.CREAM_DIM)


def _put_labels(
    sheet: Sheet, chart: Columns, named: Sequence[int], edges: Sequence[float], room: Rect, px: int
) -> None:
    """Paints every label, or every second, third and so on; the last one always."""
    pitch = (edges[-1] - edges[0]) / len(named)
    widest = max(figures_width(px, chart.columns[number][0]) for number in named) + px // 2
    every = labels_every(len(named), widest, pitch)
    for place, number in enumerate(named):
        if (len(named) - 1 - place) % every == 0:
            middle = (edges[number] + edges[number + 1]) / 2
            wide = round(max(widest, edges[number + 1] - edges[number]))
            box = Rect(round(middle - wide / 2), room.y, wide, room.h)
            sheet.figures(px, chart.columns[number][0], box, across=MIDDLE, colour=palette.CREAM)


def _put_groups(sheet: Sheet, chart: Columns, edges: Sequence[float], room: Rect, px: int, unit: float) -> None:
    """Paints what columns have in common below the first of them, and a line where a group begins."""
    firsts, first = [], 0
    for _, count in chart.groups:
        firsts.append(first)
        first += count
    names = [name for name, _ in chart.groups]
    gap, thin = px // 2, max(1, round(unit))
    while px > SMALLEST_PX and sum(text_width(Role.TEXT, px, name) + gap for name in names) > room.w:
        px -= 1
    widths = [float(text_width(Role.TEXT, px, name)) for name in names]
    lefts = side_by_side([edges[number] + gap for number in firsts], widths, room.right, gap)
    for name, number, left, wide in zip(names, firsts, lefts, widths, strict=True):
        x = edges[number]
        cuts = any(start - gap / 2 < x < start + length for start, length in zip(lefts, widths, strict=True))
        high = max(2, room.h // 7) if cuts else room.h - gap // 2
        sheet.put(piece(shade, (thin, high), palette.CREAM_DIM), round(x), room.y)
        box = Rect(round(left), room.y, round(wide) + 1, room.h)
        sheet.words(Role.TEXT, px, name, box, across=LEFT, colour=palette.CREAM_DIM)


# --- shares -----------------------------------------------------------------------------------------------------


def put_shares(sheet: Sheet, chart: Shares, rect: Rect, unit: float, beside: Sequence[Shares] = ()) -> None:
    """Paints a bar for each row between its label and its words; the longest bar fills its room. With the charts
    `beside` it, which are as wide, it shares the size of type and the places of the bars."""
    if not chart.rows:
        put_reason(sheet, chart.title, chart.note, rect, unit)
        return
    body = put_head(sheet, chart.title, chart.note, rect, unit)
    charts = [each for each in (chart, *beside) if each.rows]
    pitch = min(BAR_ROW * unit, body.h / max(len(each.rows) for each in charts))
    px = min(round(LARGE_PX * unit), max(round(ROW_PX * unit), round(pitch * 0.4)), round(pitch * 0.8))
    while px > SMALLEST_PX and sum(_widths(charts, px)) + 2 * px > body.w * (1 - LEAST_BAR):
        px -= 1
    label_w, words_w = _widths(charts, px)
    bar_x, bar_w = body.x + label_w + px, body.w - label_w - words_w - 2 * px
    longest = max(share for _, share, _ in chart.rows) or 1.0
    for number, (label, share, words) in enumerate(chart.rows):
        top, bottom = body.y + round(number * pitch), body.y + round((number + 1) * pitch)
        high = bottom - top
        sheet.words(Role.TEXT, px, label, Rect(body.x, top, label_w, high), across=LEFT)
        bar_h = min(round(BAR_H * unit), round(high * 0.56))
        _put_bar(sheet, share / longest, Rect(bar_x, top + (high - bar_h) // 2, bar_w, bar_h))
        room = Rect(body.right - words_w, top, words_w, high)
        sheet.words(Role.TEXT, px, words, room, across=RIGHT, colour=palette.PAPER)


def _widths(charts: Sequence[Shares], px: int) -> tuple[int, int]:
    """Returns the widths of the longest label and of the longest words."""
    rows = [row for chart in charts for row in chart.rows]
    return (
        max(text_width(Role.TEXT, px, label) for label, _, _ in rows),
        max(text_width(Role.TEXT, px, words) for _, _, words in rows),
    )


def _put_bar(sheet: Sheet, share: float, room: Rect) -> None:
    sheet.put(piece(shade, (room.w, room.h), palette.FIGURE_TRACK), room.x, room.y)
    wide = max(1, round(room.w * share)) if share > 0 else 0
    if wide:
        sheet.put(piece(shade, (wide, room.h), palette.BRASS), room.x, room.y)

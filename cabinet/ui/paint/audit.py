"""The attendant's page: text in columns, a menu with a bar, and how to navigate.

Rules: plain and large, without ornament. The last cell of a row is at the right edge. Columns are as wide as their
cells, and all rows of a page have one size of type, smaller if necessary.
"""

from collections.abc import Mapping
from typing import Final, assert_never

from cabinet.attendant.pages import Line, LineStyle, Page
from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import SMALLEST_PX, text_width
from cabinet.ui.art.palette import Colour
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import Layout
from cabinet.ui.paint.bars import put_legends
from cabinet.ui.paint.figures import put_figures
from cabinet.ui.paint.grounds import hairline, shade
from cabinet.ui.paint.pieces import piece
from cabinet.ui.paint.sheet import LEFT, RIGHT, Sheet
from cabinet.ui.view import Kind, LegendView, Slot

GROUND: Final[Colour] = (16, 20, 24)
BAR: Final[Colour] = (222, 202, 150)
STRIPE: Final[Colour] = (24, 29, 34)
LEADING: Final = 1.42
PATTERN_BELOW: Final = 70
"""Where the test picture begins, in units below the first line of the page."""
ROOMY: Final = 1.25
"""The growth of lines where there is room."""


def put_audit(sheet: Sheet, where: Layout, page: Page, legends: tuple[LegendView, ...]) -> None:
    """Paints the whole page on its own ground, with the legends of the buttons that navigate in it."""
    sheet.put(piece(shade, where.size, GROUND), 0, 0)
    title = where.rect(Slot(Kind.AUDIT_TITLE))
    sheet.words(Role.TITLE, where.text_px(Kind.AUDIT_TITLE), page.title, title, across=LEFT)
    if page.notice:
        half = title.w // 2
        right = Rect(title.x + half, title.y, where.size[0] - 2 * title.x - half, title.h)
        sheet.words(Role.TEXT_BOLD, where.text_px(Kind.AUDIT_HELP), page.notice, right, across=RIGHT, colour=BAR)
    place = where.rect(Slot(Kind.AUDIT_POSITION))
    number, count = page.position
    if count > 1:
        words = f"{number} / {count}"
        sheet.figures(where.text_px(Kind.AUDIT_POSITION), words, place, colour=palette.CREAM_DIM)
    thin = max(1, round(where.unit * 2))
    edge = round(where.unit * 40)
    sheet.put(piece(hairline, (where.size[0] - 2 * edge, thin), palette.BRASS, 255), edge, title.bottom)
    if page.pattern:
        _put_pattern(sheet, where, page.pattern)
    _put_lines(sheet, where, page.lines)
    put_figures(sheet, where, page.figures, where.rect(Slot(Kind.AUDIT_BODY)))
    for index, entry in enumerate(page.menu):
        _put_entry(sheet, where, entry, index, chosen=index == page.selected)
    put_legends(sheet, where, legends)
    foot = where.rect(Slot(Kind.AUDIT_HELP))
    sheet.words(Role.TEXT, where.text_px(Kind.AUDIT_HELP), page.help, foot, across=LEFT, colour=palette.BRASS)


def _put_pattern(sheet: Sheet, where: Layout, colours: tuple[Colour, ...]) -> None:
    """Paints the test picture: its colours side by side over the whole width, from the title to the foot, except for
    the words."""
    top = where.rect(Slot(Kind.AUDIT_BODY)).y + round(where.unit * PATTERN_BELOW)
    bottom = where.rect(Slot(Kind.AUDIT_HELP)).y
    width = where.size[0]
    edges = [round(width * number / len(colours)) for number in range(len(colours) + 1)]
    for colour, left, right in zip(colours, edges, edges[1:], strict=False):
        sheet.put(piece(shade, (right - left, bottom - top), colour), left, top)


def _put_lines(sheet: Sheet, where: Layout, lines: tuple[Line, ...]) -> None:
    room = where.rect(Slot(Kind.AUDIT_BODY))
    px = round(where.text_px(Kind.AUDIT_BODY) * ROOMY)
    pitch = min(px * LEADING, room.h / max(1, len(lines)))
    px = min(px, round(pitch / LEADING * 1.08))
    pad = px // 2
    px, columns = _set_in_columns(lines, px, room.w - 2 * pad)
    rows = 0
    for number, line in enumerate(lines):
        top, bottom = round(room.y + number * pitch), round(room.y + (number + 1) * pitch)
        row = Rect(room.x, top, room.w, bottom - top)
        # A sentence that continues in the next line is no row of a table.
        rows = rows + 1 if len(line.cells) > 1 else 0
        if rows % 2:
            sheet.put(piece(shade, (row.w, row.h), STRIPE), row.x, row.y)
        inner = Rect(row.x + pad, row.y, row.w - 2 * pad, row.h)
        _put_line(sheet, line, inner, px, columns.get(len(line.cells), ()))


def _set_in_columns(lines: tuple[Line, ...], px: int, wide: int) -> tuple[int, Mapping[int, tuple[int, ...]]]:
    """Returns the size of type in which every row fits, at most `px`, and the column widths by number of cells: the
    widest cell, plus the shared rest."""
    while True:
        columns = {count: _widest(lines, count, px) for count in {len(line.cells) for line in lines} - {1}}
        if px <= SMALLEST_PX or all(sum(found) + px * (len(found) - 1) <= wide for found in columns.values()):
            return px, {count: _spread(found, wide) for count, found in columns.items()}
        px -= 1


def _widest(lines: tuple[Line, ...], count: int, px: int) -> tuple[int, ...]:
    rows = [line for line in lines if len(line.cells) == count]
    return tuple(
        max(text_width(_role_of(line, nth), px, line.cells[nth]) if line.cells[nth] else 0 for line in rows)
        for nth in range(count)
    )


def _spread(widths: tuple[int, ...], wide: int) -> tuple[int, ...]:
    """Returns the columns with the rest of the room shared among all but the last."""
    free = max(0, wide - sum(widths)) // (len(widths) - 1)
    return (*(width + free for width in widths[:-1]), wide - sum(widths[:-1]) - free * (len(widths) - 1))


def _put_line(sheet: Sheet, line: Line, inner: Rect, px: int, columns: tuple[int, ...]) -> None:
    colour = _style(line.style)[1]
    left = inner.x
    for nth, (words, width) in enumerate(zip(line.cells, columns or (inner.w,), strict=True)):
        across = RIGHT if columns and nth == len(columns) - 1 else LEFT
        room = Rect(left, inner.y, width, inner.h)
        sheet.words(_role_of(line, nth), px, words, room, across=across, colour=colour)
        left += width


def _role_of(line: Line, nth: int) -> Role:
    """Returns the type of a cell: the last of several cells has figures."""
    role = _style(line.style)[0]
    return Role.FIGURES if 0 < nth == len(line.cells) - 1 and role is Role.TEXT else role


def _style(style: LineStyle) -> tuple[Role, Colour]:
    match style:
        case LineStyle.NORMAL:
            return Role.TEXT, palette.CREAM
        case LineStyle.HEAD:
            return Role.TEXT_BOLD, palette.BRASS_LIGHT
        case LineStyle.WARN:
            return Role.TEXT_BOLD, (255, 196, 96)
        case LineStyle.STRONG:
            return Role.TEXT_BOLD, palette.PAPER
        case _:
            assert_never(style)


def _put_entry(sheet: Sheet, where: Layout, words: str, index: int, *, chosen: bool) -> None:
    room = where.rect(Slot(Kind.AUDIT_MENU, nth=index))
    sheet.put(piece(shade, (room.w, room.h), BAR if chosen else STRIPE), room.x, room.y)
    pad = round(where.unit * 18)
    inner = Rect(room.x + pad, room.y, room.w - 2 * pad, room.h)
    colour = palette.UMBER if chosen else palette.CREAM
    sheet.words(Role.TEXT_BOLD, where.text_px(Kind.AUDIT_MENU), words, inner, across=LEFT, colour=colour)

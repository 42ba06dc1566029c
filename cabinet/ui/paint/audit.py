"""The attendant's page: text in columns, a menu with a bar, how to move around.

Rules: plain and large, no ornament; the last cell of a row stands at the right edge; all lines fit, smaller if need be.
"""

from typing import Final, assert_never

from cabinet.attendant.pages import Line, LineStyle, Page
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import Role
from cabinet.ui.art.palette import Colour
from cabinet.ui.geometry import Rect
from cabinet.ui.layout import Layout
from cabinet.ui.paint.bars import put_legends
from cabinet.ui.paint.keys import hairline, shade
from cabinet.ui.paint.pieces import piece
from cabinet.ui.paint.sheet import LEFT, RIGHT, Sheet
from cabinet.ui.view import Kind, LegendView, Slot

GROUND: Final[Colour] = (16, 20, 24)
BAR: Final[Colour] = (222, 202, 150)
STRIPE: Final[Colour] = (24, 29, 34)
LEADING: Final = 1.42
PATTERN_BELOW: Final = 70
"""So many units below the first line of the page the test picture begins."""
ROOMY: Final = 1.25
"""How much larger lines are set where there is room."""


def put_audit(sheet: Sheet, where: Layout, page: Page, legends: tuple[LegendView, ...]) -> None:
    """The whole page on its own ground, with the legends of the buttons that move around in it."""
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
    for index, entry in enumerate(page.menu):
        _put_entry(sheet, where, entry, index, chosen=index == page.selected)
    put_legends(sheet, where, legends)
    foot = where.rect(Slot(Kind.AUDIT_HELP))
    sheet.words(Role.TEXT, where.text_px(Kind.AUDIT_HELP), page.help, foot, across=LEFT, colour=palette.BRASS)


def _put_pattern(sheet: Sheet, where: Layout, colours: tuple[Colour, ...]) -> None:
    """The test picture: its colours side by side over the whole width, from the title to the foot but for the words."""
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
    rows = 0
    for number, line in enumerate(lines):
        top, bottom = round(room.y + number * pitch), round(room.y + (number + 1) * pitch)
        row = Rect(room.x, top, room.w, bottom - top)
        # A sentence that goes on in the next line is no row of a table.
        rows = rows + 1 if len(line.cells) > 1 else 0
        if rows % 2:
            sheet.put(piece(shade, (row.w, row.h), STRIPE), row.x, row.y)
        _put_line(sheet, line, row, px)


def _put_line(sheet: Sheet, line: Line, row: Rect, px: int) -> None:
    role, colour = _style(line.style)
    pad = px // 2
    inner = Rect(row.x + pad, row.y, row.w - 2 * pad, row.h)
    if len(line.cells) == 1:
        sheet.words(role, px, line.cells[0], inner, across=LEFT, colour=colour)
        return
    for number, words in enumerate(line.cells):
        share = inner.w / len(line.cells)
        last = number == len(line.cells) - 1
        first_extra = share * 0.25 if len(line.cells) == 2 else 0
        left = round(inner.x + number * share + (first_extra if number else 0))
        right = round(inner.x + (number + 1) * share + (first_extra if not last else 0))
        room = Rect(left, row.y, right - left - (0 if last else pad), row.h)
        sheet.words(
            Role.FIGURES if last and role is Role.TEXT else role,
            px,
            words,
            room,
            across=RIGHT if last else LEFT,
            colour=colour,
        )


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

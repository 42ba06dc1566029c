"""The code for a phone on an attendant's page, and beside it what it holds.

Rules: dark on light, with a clear border; a module is a whole number of pixels, as many as fit, so that a camera reads
it.
"""

from typing import Final

import pygame

from cabinet.attendant.charts import PhoneCode
from cabinet.statement.code import BORDER, modules
from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.palette import Colour
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import Layout
from cabinet.ui.paint.pieces import piece
from cabinet.ui.paint.sheet import LEFT, RIGHT, Sheet
from cabinet.ui.view import Kind, Slot

DARK: Final[Colour] = (0, 0, 0)
LIGHT: Final[Colour] = (255, 255, 255)
MOST_WIDE: Final = 0.6
"""The part of the page's width that the code may take."""
GAP: Final = 28.0
"""Between the code and the text, in units."""
ROWS_SHARE: Final = 0.7
"""The part of the height that the rows may take; the sentences have the rest."""
LEADING: Final = 1.35
NAMES_SHARE: Final = 0.55
ROWS_W: Final = 640.0
"""The width of the rows, so that a value stands near its name."""


def code_picture(text: str, step: int) -> pygame.Surface:
    """Returns the code of a text with its border, `step` pixels for each module."""
    rows = modules(text)
    side = len(rows) + 2 * BORDER
    out = pygame.Surface((side * step, side * step))
    out.fill(LIGHT)
    for y, row in enumerate(rows, start=BORDER):
        for x, dark in enumerate(row, start=BORDER):
            if dark:
                out.fill(DARK, (x * step, y * step, step, step))
    return out


def put_phone_code(sheet: Sheet, where: Layout, code: PhoneCode) -> None:
    """Paints the code at the left of the page, as large as it fits, and its rows and sentences beside it."""
    room = where.rect(Slot(Kind.AUDIT_BODY))
    side = len(modules(code.text)) + 2 * BORDER
    step = max(1, min(room.h, round(room.w * MOST_WIDE)) // side)
    wide = side * step
    sheet.put(piece(code_picture, code.text, step), room.x, room.y)
    left = room.x + wide + round(GAP * where.unit)
    beside = Rect(left, room.y, room.right - left, room.h)
    bottom = _put_rows(sheet, where, code, beside)
    foot = Rect(beside.x, bottom, beside.w, beside.bottom - bottom)
    px = where.text_px(Kind.AUDIT_HELP)
    sheet.paragraphs(Role.TEXT, px, code.words, foot, across=LEFT, down=0.0, colour=palette.BRASS, gap_em=0.4)


def _put_rows(sheet: Sheet, where: Layout, code: PhoneCode, room: Rect) -> int:
    """Paints a line for each row, and returns where they end."""
    px = where.text_px(Kind.AUDIT_BODY)
    pitch = min(px * LEADING, room.h * ROWS_SHARE / max(1, len(code.rows)))
    px = min(px, round(pitch / LEADING))
    for number, (name, value) in enumerate(code.rows):
        row = Rect(room.x, round(room.y + number * pitch), min(room.w, round(ROWS_W * where.unit)), round(pitch))
        names = round(row.w * NAMES_SHARE)
        sheet.words(Role.TEXT, px, name, Rect(row.x, row.y, names, row.h), across=LEFT, colour=palette.CREAM_DIM)
        sheet.words(Role.TEXT_BOLD, px, value, Rect(row.x + names, row.y, row.w - names, row.h), across=RIGHT)
    return round(room.y + len(code.rows) * pitch + px * 0.6)

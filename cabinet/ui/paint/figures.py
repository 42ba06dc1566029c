"""Tiles and charts of an attendant's page: grounds, words and amounts; `plots` has what is drawn inside charts.

Rules: money is the largest type; the amounts of a page have one size. A tone is a sign and a word, with its colour
beside them. Words wrap or shrink, and are never cut.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from cabinet.attendant.charts import Band, Columns, Figure, Form, Shares, Tile, Tone
from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import text_width
from cabinet.ui.art.icons import icon
from cabinet.ui.art.palette import Colour
from cabinet.ui.layout.figures import PAD, figure_rects, fitting_unit
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import Layout
from cabinet.ui.paint.bands import put_band
from cabinet.ui.paint.grounds import shade
from cabinet.ui.paint.lettering import LEADING, amount_px, set_paragraphs
from cabinet.ui.paint.pieces import piece
from cabinet.ui.paint.plots import put_columns, put_shares
from cabinet.ui.paint.sheet import LEFT, RIGHT, Sheet

EDGE: Final = 6.0
"""Width of the edge in the colour of a tone, in design units as all lengths here."""
LABEL_PX: Final = 21.0
AMOUNT_PX: Final = 44.0
WORDS_PX: Final = 33.0
DETAIL_PX: Final = 20.0
STATE_PX: Final = 32.0
NOTICE_PX: Final = 24.0
ADVICE_PX: Final = 21.0
ICON: Final = 26.0
LEVEL_H: Final = 9.0
PARTED: Final = " · "
"""Between the parts of a detail; each part has its own line where they do not fit on one."""
SIGNS: Final[dict[Tone, tuple[Colour, str]]] = {
    Tone.OK: (palette.SIGN_OK, "check"),
    Tone.WARN: (palette.SIGN_WARN, "warning"),
    Tone.BAD: (palette.SIGN_BAD, "stop"),
    Tone.PLAIN: (palette.BRASS, ""),
}
"""The colour and the sign of each tone."""


def put_figures(sheet: Sheet, where: Layout, figures: Sequence[Figure], room: Rect) -> None:
    """Paints figures in a room of the page."""
    unit = fitting_unit(room, figures, where.unit)
    rects = figure_rects(room, figures, unit)
    px = _amounts_px(figures, rects, unit)
    for figure, rect in zip(figures, rects, strict=True):
        sheet.put(piece(shade, (rect.w, rect.h), palette.FIGURE_GROUND), rect.x, rect.y)
        match figure:
            case Tile():
                _put_tile(sheet, figure, rect, unit, px)
            case Columns():
                put_columns(sheet, figure, rect, unit)
            case Shares():
                beside = [each for each in figures if isinstance(each, Shares) and each is not figure]
                put_shares(sheet, figure, rect, unit, beside)
            case Band():
                put_band(sheet, figure, rect, unit)
            case _:
                assert_never(figure)


def is_amount(words: str) -> bool:
    """Returns True for a value that is set in figures: an amount, a count or a share."""
    return any(each.isdigit() for each in words) and not any(each.islower() for each in words)


def _amounts_px(figures: Sequence[Figure], rects: Sequence[Rect], unit: float) -> int:
    """Returns the one size of type in which every amount of the page fits its tile."""
    fits = [
        amount_px(round(AMOUNT_PX * unit), figure.value, rect.w - round(2 * PAD * unit))
        for figure, rect in zip(figures, rects, strict=True)
        if isinstance(figure, Tile) and figure.form is Form.AMOUNT and is_amount(figure.value)
    ]
    return min(fits, default=round(AMOUNT_PX * unit))


def _put_tile(sheet: Sheet, tile: Tile, rect: Rect, unit: float, px: int) -> None:
    colour, _ = SIGNS[tile.tone]
    if tile.tone is not Tone.PLAIN:
        sheet.put(piece(shade, (max(2, round(EDGE * unit)), rect.h), colour), rect.x, rect.y)
    match tile.form:
        case Form.STRIP:
            _put_strip(sheet, tile, _inner(rect, unit), unit)
        case Form.NOTICE:
            _put_notice(sheet, tile, _inner(rect, unit), unit)
        case Form.AMOUNT:
            _put_amount(sheet, tile, _inner(rect, unit), unit, px)
        case _:
            assert_never(tile.form)


def _inner(rect: Rect, unit: float) -> Rect:
    pad, low = round(PAD * unit), round(PAD * unit * 0.6)
    return Rect(rect.x + pad, rect.y + low, rect.w - 2 * pad, rect.h - 2 * low)


def _put_sign(sheet: Sheet, tone: Tone, x: int, middle: int, px: int) -> int:
    """Paints the sign of a tone and returns where the words beside it begin."""
    colour, name = SIGNS[tone]
    if not name:
        return x
    sheet.put(piece(icon, name, px, colour), x, middle - px // 2)
    return x + px + px // 2


def _put_strip(sheet: Sheet, tile: Tile, inner: Rect, unit: float) -> None:
    """Paints the sign, the value, and the detail at the right end."""
    colour, _ = SIGNS[tile.tone]
    left = _put_sign(sheet, tile.tone, inner.x, inner.y + inner.h // 2, round(1.3 * ICON * unit))
    px = round(STATE_PX * unit)
    free = inner.right - left
    detail_w = min(round(free * 0.5), text_width(Role.TEXT, round(NOTICE_PX * unit), tile.detail))
    value = Rect(left, inner.y, free - detail_w - round(PAD * unit), inner.h)
    sheet.words(Role.TEXT_BOLD, px, tile.value, value, across=LEFT, colour=colour)
    detail = Rect(inner.right - detail_w, inner.y, detail_w, inner.h)
    sheet.words(Role.TEXT, round(NOTICE_PX * unit), tile.detail, detail, across=RIGHT)


def _put_notice(sheet: Sheet, tile: Tile, inner: Rect, unit: float) -> None:
    """Paints what has happened in bold and what to do below it, from the top."""
    colour, _ = SIGNS[tile.tone]
    head = Rect(inner.x, inner.y, inner.w, round(ICON * unit))
    left = _put_sign(sheet, tile.tone, head.x, head.y + head.h // 2, head.h)
    label = Rect(left, head.y, head.right - left, head.h)
    sheet.words(Role.TEXT_BOLD, round(LABEL_PX * unit), tile.label, label, across=LEFT, colour=colour)
    top = head.bottom + round(6 * unit)
    value_h = round((inner.bottom - top) * (0.5 if tile.detail else 1.0))
    px = round(NOTICE_PX * unit)
    value = Rect(inner.x, top, inner.w, value_h)
    lines = _height_of(Role.TEXT_BOLD, px, tile.value, value)
    sheet.paragraphs(Role.TEXT_BOLD, px, (tile.value,), value, across=LEFT, down=0.0, colour=palette.PAPER)
    top += lines + round(4 * unit)
    advice = Rect(inner.x, top, inner.w, inner.bottom - top)
    if tile.detail:
        sheet.paragraphs(Role.TEXT, round(ADVICE_PX * unit), (tile.detail,), advice, across=LEFT, down=0.0)


def _height_of(role: Role, px: int, words: str, room: Rect) -> int:
    """Returns the height in pixels that a paragraph takes in a room."""
    found = set_paragraphs(role, px, (words,), (room.w, room.h))
    return round(len(found.lines) * found.px * LEADING)


def _put_amount(sheet: Sheet, tile: Tile, inner: Rect, unit: float, px: int) -> None:
    """Paints the label, the value, the detail, and the level at the lower edge."""
    colour, _ = SIGNS[tile.tone]
    head = Rect(inner.x, inner.y, inner.w, round(ICON * unit))
    sign_w = head.h if SIGNS[tile.tone][1] else 0
    if sign_w:
        _put_sign(sheet, tile.tone, head.right - sign_w, head.y + head.h // 2, sign_w)
    label = Rect(head.x, head.y, head.w - sign_w - round(8 * unit), head.h)
    sheet.words(Role.TEXT, round(LABEL_PX * unit), tile.label, label, across=LEFT, colour=palette.BRASS_LIGHT)
    value = Rect(inner.x, head.bottom, inner.w, round((AMOUNT_PX + 8) * unit))
    shown = palette.PAPER if tile.tone is Tone.PLAIN else colour
    if is_amount(tile.value):
        sheet.figures(px, tile.value, value, across=LEFT, colour=palette.PAPER)
    else:
        words = round(WORDS_PX * unit)
        sheet.paragraphs(Role.TEXT_BOLD, words, (tile.value,), value, across=LEFT, colour=shown)
    level_h = round(LEVEL_H * unit) if tile.level is not None else 0
    foot = Rect(inner.x, value.bottom, inner.w, inner.bottom - value.bottom - (level_h * 3 // 2 if level_h else 0))
    _put_detail(sheet, tile.detail, foot, unit)
    if tile.level is not None:
        full = palette.BRASS if tile.tone is Tone.PLAIN else colour
        _put_level(sheet, tile.level, Rect(inner.x, inner.bottom - level_h, inner.w, level_h), full)


def _put_detail(sheet: Sheet, words: str, room: Rect, unit: float) -> None:
    """Paints a detail on one line, or each of its parts on its own."""
    px = round(DETAIL_PX * unit)
    fits = not words or text_width(Role.TEXT, px, words) <= room.w
    parts = (words,) if fits else tuple(words.split(PARTED))
    if words:
        sheet.paragraphs(Role.TEXT, px, parts, room, across=LEFT, down=0.0, colour=palette.CREAM)


def _put_level(sheet: Sheet, level: float, room: Rect, colour: Colour) -> None:
    sheet.put(piece(shade, (room.w, room.h), palette.FIGURE_TRACK), room.x, room.y)
    wide = round(room.w * min(max(level, 0.0), 1.0))
    if wide:
        sheet.put(piece(shade, (wide, room.h), colour), room.x, room.y)

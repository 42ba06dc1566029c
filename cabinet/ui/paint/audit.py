"""The attendant's page: head, tabs, text in columns, entries with a bar, digits, and how to navigate.

Rules: plain and large, without ornament. Columns are as wide as their cells and stand close together; figures are
aligned at the right of their column. All rows of a page have one size of type, smaller if necessary.
"""

from collections.abc import Mapping
from typing import Final, assert_never

from cabinet.attendant.pages import KEYPAD, Head, Line, LineStyle, Page, Touched
from cabinet.attendant.pictures import Picture
from cabinet.engine.inputs import Button
from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import SMALLEST_PX, text_width
from cabinet.ui.art.palette import Colour
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import Layout
from cabinet.ui.paint.bars import put_legends
from cabinet.ui.paint.drawings import put_drawing
from cabinet.ui.paint.figures import put_figures
from cabinet.ui.paint.grounds import hairline, shade
from cabinet.ui.paint.phone_code import put_phone_code
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
TILE: Final[Colour] = (38, 45, 52)
"""The ground of what can be touched."""
WARNING: Final[Colour] = (255, 196, 96)
SPACED: Final = "   \N{MIDDLE DOT}   "
ARROWS: Final = ("\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}", "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}")
"""The signs of the previous page and of the next one."""
NAMES_EM: Final = 0.66
"""Height of the name of a button beside that of a label."""
NAME_W: Final = 96
"""Room for the name of a button, in units."""
DETAIL_EM: Final = 0.8
GAP_EM: Final = 2.0
"""Free room between two columns, in heights of type."""


def put_audit(sheet: Sheet, where: Layout, page: Page, legends: tuple[LegendView, ...]) -> None:
    """Paints the whole page on its own ground, with the legends of the buttons that navigate in it. The picture of a
    past game lies on its table."""
    if page.picture is not None:
        _put_picture(sheet, where, page, page.picture)
    else:
        _put_page(sheet, where, page)
    put_legends(sheet, where, legends)
    foot = where.rect(Slot(Kind.AUDIT_HELP))
    sheet.words(Role.TEXT, where.text_px(Kind.AUDIT_HELP), page.help, foot, across=LEFT, colour=palette.BRASS)


def _put_picture(sheet: Sheet, where: Layout, page: Page, picture: Picture) -> None:
    """Paints the words of a past game: the strip above its table, and below it what happened and the amounts."""
    strip, below = where.rect(Slot(Kind.AUDIT_HEAD)), where.rect(Slot(Kind.AUDIT_GROUND))
    sheet.put(piece(shade, (strip.w, strip.h), WARNING), strip.x, strip.y)
    pad = round(where.unit * 40)
    inner = Rect(strip.x + pad, strip.y, strip.w - 2 * pad, strip.h)
    sheet.words(Role.TEXT_BOLD, where.text_px(Kind.AUDIT_TITLE), picture.strip, inner, colour=palette.UMBER)
    sheet.put(piece(shade, (below.w, below.h), GROUND), below.x, below.y)
    _put_strip(sheet, where, page)
    said = where.rect(Slot(Kind.AUDIT_BODY))
    px = where.text_px(Kind.AUDIT_TITLE)
    sheet.paragraphs(Role.TEXT_BOLD, px, (picture.said,), said, across=LEFT, colour=palette.PAPER)
    for nth, (label, amount) in enumerate(picture.amounts):
        room = where.rect(Slot(Kind.AUDIT_AMOUNT, nth=nth))
        high = room.h // 2
        small = where.text_px(Kind.AUDIT_HEAD)
        name, value = Rect(room.x, room.y, room.w, high), Rect(room.x, room.y + high, room.w, room.h - high)
        sheet.words(Role.TEXT, small, label, name, across=RIGHT, colour=palette.CREAM_DIM)
        sheet.words(Role.FIGURES, where.text_px(Kind.AUDIT_TITLE), amount, value, across=RIGHT, colour=palette.CREAM)


def _put_page(sheet: Sheet, where: Layout, page: Page) -> None:
    """Paints the page but the legends and the help line."""
    sheet.put(piece(shade, where.size, GROUND), 0, 0)
    if page.head is not None:
        _put_head(sheet, where, page.head)
    _put_strip(sheet, where, page)
    _put_title(sheet, where, page)
    if page.pattern:
        _put_pattern(sheet, where, page.pattern)
    if page.code is not None:
        put_phone_code(sheet, where, page.code)
    elif page.figures:
        put_figures(sheet, where, page.figures, where.rect(Slot(Kind.AUDIT_BODY)))
    else:
        _put_lines(sheet, where, page.lines)
    _put_entries(sheet, where, page)
    if page.drawing is not None and where.has(Kind.AUDIT_DRAWING):
        put_drawing(sheet, page.drawing, where.rect(Slot(Kind.AUDIT_DRAWING)), where.unit)
    if page.keypad:
        _put_keypad(sheet, where, page)


def _put_head(sheet: Sheet, where: Layout, head: Head) -> None:
    """Paints the strip above the page: where it is at the left, what waits at the right."""
    room, px = where.rect(Slot(Kind.AUDIT_HEAD)), where.text_px(Kind.AUDIT_HEAD)
    half = room.w // 2
    left, right = Rect(room.x, room.y, half, room.h), Rect(room.x + half, room.y, room.w - half, room.h)
    place = SPACED.join(filter(None, (head.time, head.machine, head.venue)))
    sheet.words(Role.TEXT, px, place, left, across=LEFT, colour=palette.CREAM_DIM)
    locks = text_width(Role.TEXT_BOLD, px, head.locks_words) + px
    beside = Rect(right.x, right.y, right.w - locks, right.h)
    sheet.words(Role.TEXT, px, SPACED.join((head.who, head.credit)), beside, across=RIGHT, colour=palette.CREAM)
    colour = WARNING if head.locks else palette.CREAM_DIM
    sheet.words(Role.TEXT_BOLD, px, head.locks_words, right, across=RIGHT, colour=colour)


def _put_strip(sheet: Sheet, where: Layout, page: Page) -> None:
    """Paints the tabs, on the first page with their buttons, and beside them the way back and the turns of the page."""
    px = where.text_px(Kind.AUDIT_TAB)
    if page.tabbed:
        for nth, label in enumerate(page.menu):
            room = where.rect(Slot(Kind.AUDIT_TAB, nth=nth))
            name = _name(page.keys[nth]) if nth < len(page.keys) else ""
            _put_tile(sheet, room, label, px, chosen=nth == page.selected, below=name)
    for nth, tab in enumerate(page.tabs):
        _put_tile(sheet, where.rect(Slot(Kind.AUDIT_TAB, nth=nth)), tab.label, px, chosen=tab.chosen)
    if page.back:
        _put_tile(sheet, where.rect(Slot(Kind.AUDIT_BACK)), f"{ARROWS[0]} {page.back}", px)
    for nth, arrow in enumerate(ARROWS if page.turns else ()):
        _put_tile(sheet, where.rect(Slot(Kind.AUDIT_TURN, nth=nth)), arrow, where.text_px(Kind.AUDIT_TURN))


def _put_tile(sheet: Sheet, room: Rect, words: str, px: int, *, chosen: bool = False, below: str = "") -> None:
    """Paints a tile with words in its middle and, smaller below them, the name of its button."""
    _put_ground(sheet, room, chosen=chosen)
    colour = palette.UMBER if chosen else palette.CREAM
    pad = px // 3
    inner = Rect(room.x + pad, room.y, room.w - 2 * pad, room.h)
    if not below:
        sheet.words(Role.TEXT_BOLD, px, words, inner, colour=colour)
        return
    high = round(room.h * 0.6)
    sheet.words(Role.TEXT_BOLD, px, words, Rect(inner.x, inner.y, inner.w, high), colour=colour)
    small = round(px * NAMES_EM)
    dim = palette.UMBER if chosen else palette.BRASS
    sheet.words(
        Role.TEXT_BOLD, small, below, Rect(inner.x, inner.y + high - px // 4, inner.w, room.h - high), colour=dim
    )


def _put_ground(sheet: Sheet, room: Rect, *, chosen: bool = False) -> None:
    """Paints the ground of a touch area, a little smaller than the area."""
    margin = max(1, room.h // 30)
    ground = Rect(room.x + margin, room.y + margin, room.w - 2 * margin, room.h - 2 * margin)
    sheet.put(piece(shade, (ground.w, ground.h), BAR if chosen else TILE), ground.x, ground.y)


def _name(button: Button) -> str:
    return button.value.upper()


def _put_title(sheet: Sheet, where: Layout, page: Page) -> None:
    """Paints the title, the outcome of the last request beside it, and the position in a list at the right."""
    title = where.rect(Slot(Kind.AUDIT_TITLE))
    px = where.text_px(Kind.AUDIT_TITLE)
    sheet.words(Role.TITLE, px, page.title, title, across=LEFT)
    place = where.rect(Slot(Kind.AUDIT_POSITION))
    sheet.words(
        Role.TEXT, where.text_px(Kind.AUDIT_POSITION), page.where, place, across=RIGHT, colour=palette.CREAM_DIM
    )
    if page.notice:
        left = min(title.x + title.w // 2, title.x + text_width(Role.TITLE, px, page.title) + px)
        end = title.right if page.where else place.right
        room = Rect(left, title.y, end - left, title.h)
        sheet.words(Role.TEXT_BOLD, where.text_px(Kind.AUDIT_HELP), page.notice, room, across=RIGHT, colour=BAR)
    thin = max(1, round(where.unit * 2))
    sheet.put(piece(hairline, (place.right - title.x, thin), palette.BRASS, 255), title.x, title.bottom)


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
        cells = columns.get(len(line.cells), ())
        if rows % 2:
            sheet.put(piece(shade, (sum(cells[-1]) + 2 * pad, row.h), STRIPE), row.x, row.y)
        _put_line(sheet, line, Rect(row.x + pad, row.y, row.w - 2 * pad, row.h), px, cells)


Columns = tuple[tuple[int, int], ...]
"""Where each column begins, and how wide it is, in pixels."""


def _set_in_columns(lines: tuple[Line, ...], px: int, wide: int) -> tuple[int, Mapping[int, Columns]]:
    """Returns the size of type in which every row fits, at most `px`, and the columns by number of cells: each is as
    wide as its widest cell."""
    while True:
        columns = {count: _widest(lines, count, px) for count in {len(line.cells) for line in lines} - {1}}
        least = max((sum(found) + px * (len(found) - 1) for found in columns.values()), default=0)
        if px <= SMALLEST_PX or least <= wide:
            return px, {count: _spread(found, wide, round(px * GAP_EM)) for count, found in columns.items()}
        px -= 1


def _widest(lines: tuple[Line, ...], count: int, px: int) -> tuple[int, ...]:
    rows = [line for line in lines if len(line.cells) == count]
    return tuple(
        max(text_width(_role_of(line, nth), px, line.cells[nth]) if line.cells[nth] else 0 for line in rows)
        for nth in range(count)
    )


def _spread(widths: tuple[int, ...], wide: int, gap: int) -> Columns:
    """Returns the columns with a gap between two, smaller where the room is short."""
    free = min(gap, max(0, wide - sum(widths)) // (len(widths) - 1))
    starts = (sum(widths[:nth]) + nth * free for nth in range(len(widths)))
    return tuple(zip(starts, widths, strict=True))


def _put_line(sheet: Sheet, line: Line, inner: Rect, px: int, columns: Columns) -> None:
    colour = _style(line.style)[1]
    if not columns:
        sheet.words(_role_of(line, 0), px, line.cells[0], inner, across=LEFT, colour=colour)
        return
    for nth, (words, (start, width)) in enumerate(zip(line.cells, columns, strict=True)):
        across = RIGHT if _is_figure(line, nth) else LEFT
        room = Rect(inner.x + start, inner.y, width, inner.h)
        sheet.words(_role_of(line, nth), px, words, room, across=across, colour=colour)


def _is_figure(line: Line, nth: int) -> bool:
    """True for a cell that is aligned at the right."""
    return nth >= max(1, len(line.cells) - line.figures)


def _role_of(line: Line, nth: int) -> Role:
    """Returns the type of a cell: figures have their own."""
    role = _style(line.style)[0]
    return Role.FIGURES if _is_figure(line, nth) and role is Role.TEXT else role


def _style(style: LineStyle) -> tuple[Role, Colour]:
    match style:
        case LineStyle.NORMAL:
            return Role.TEXT, palette.CREAM
        case LineStyle.HEAD:
            return Role.TEXT_BOLD, palette.BRASS_LIGHT
        case LineStyle.WARN:
            return Role.TEXT_BOLD, WARNING
        case LineStyle.STRONG:
            return Role.TEXT_BOLD, palette.PAPER
        case _:
            assert_never(style)


def _put_entries(sheet: Sheet, where: Layout, page: Page) -> None:
    """Paints the entries with what each does and the button that opens it; the chosen one is the bar."""
    if page.tabbed or page.keypad:
        return
    for nth, label in enumerate(page.menu):
        room = where.rect(Slot(Kind.AUDIT_MENU, nth=nth))
        detail = page.details[nth] if nth < len(page.details) else ""
        name = _name(page.keys[nth]) if nth < len(page.keys) else ""
        _put_entry(sheet, where, room, (label, detail, name), chosen=nth == page.selected)


def _put_entry(sheet: Sheet, where: Layout, room: Rect, words: tuple[str, str, str], *, chosen: bool) -> None:
    label, detail, name = words
    _put_ground(sheet, room, chosen=chosen)
    px, pad = where.text_px(Kind.AUDIT_MENU), round(where.unit * 18)
    small = round(px * NAMES_EM)
    named = max(round(where.unit * NAME_W), text_width(Role.TEXT_BOLD, small, name)) if name else 0
    inner = Rect(room.x + pad, room.y, room.w - 2 * pad, room.h)
    text = Rect(inner.x, inner.y, inner.w - named - (pad if name else 0), inner.h)
    colour = palette.UMBER if chosen else palette.CREAM
    button = Rect(inner.right - named, inner.y, named, inner.h)
    sheet.words(Role.TEXT_BOLD, small, name, button, across=RIGHT, colour=palette.UMBER if chosen else palette.BRASS)
    if not detail:
        sheet.words(Role.TEXT_BOLD, px, label, text, across=LEFT, colour=colour)
        return
    high = round(room.h * 0.42)
    sheet.words(Role.TEXT_BOLD, px, label, Rect(text.x, text.y, text.w, high), across=LEFT, colour=colour)
    below = Rect(text.x, text.y + high, text.w, room.h - high - max(2, room.h // 20))
    dim = palette.UMBER if chosen else palette.CREAM_DIM
    sheet.paragraphs(Role.TEXT, round(px * DETAIL_EM), (detail,), below, across=LEFT, down=LEFT, colour=dim)


def _put_keypad(sheet: Sheet, where: Layout, page: Page) -> None:
    """Paints the keys of the digits."""
    for nth, (what, digit) in enumerate(KEYPAD):
        words = {Touched.ERASE: page.erase, Touched.TAKE: page.take}.get(what, f"{digit}")
        room = where.rect(Slot(Kind.AUDIT_DIGIT, nth=nth))
        _put_tile(sheet, room, words, where.text_px(Kind.AUDIT_DIGIT))

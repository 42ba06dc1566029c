"""The attendant's page: head, strip of tabs, title, body, entries, keypad, drawing, help.

Rules: the page fills the screen above the legends. What can be touched is at least TOUCH units high, which is 60 pixels
on a display of 1280 x 720. Entries beside a text stand in a column at its right; without a text they fill the page. A
drawing of where to look stands below the entries, or below the text where that leaves more room; without room for it
there is none.
"""

from collections.abc import Iterator

from cabinet.attendant.pages import ENTRIES_PER_PAGE, Page
from cabinet.ui.layout.bands import Bands
from cabinet.ui.layout.geometry import Rect, spanning
from cabinet.ui.view import Kind, Slot

TOUCH = 91.0
"""The least height of what is touched."""
EDGE = 40.0
HEAD_H = 46.0
STRIP_TOP = 52.0
TITLE_H = 54.0
BACK_W = 190.0
TURN_W = 104.0
GAP = 8.0
COLUMN_W = 600.0
DETAILED_W = 780.0
"""Width of entries that say what they do."""
ROWS_ALONE = ENTRIES_PER_PAGE // 2
"""Rows of entries without a text; more stand in a second column."""
MOST_H = 150.0
LINE_H = 45.0
"""The height of a line of the text, at most."""
LEAST_DRAWING_H = 180.0
GOOD_DRAWING_H = 300.0
"""The height with which a drawing stays in the column of the entries."""
MOST_DRAWING_H = 470.0
AMOUNT_W = 190.0
"""Width of an amount of a past game."""
KEYPAD_ROWS, KEYPAD_COLUMNS = 4, 3

Pairs = Iterator[tuple[Slot, Rect]]


def audit_rects(bands: Bands, page: Page) -> dict[Slot, Rect]:
    """Returns everything of the attendant's page but the legends."""
    if page.picture is not None:
        return dict(_picture(bands, len(page.picture.amounts)))
    unit, right = bands.unit, bands.width - EDGE
    strip_h = max(TOUCH, bands.touch)
    title = STRIP_TOP + strip_h + 4
    top, bottom = title + TITLE_H + 4, bands.legend_top - 46
    rects = {
        Slot(Kind.AUDIT_HEAD): spanning(EDGE, 0, right, HEAD_H, unit),
        Slot(Kind.AUDIT_TITLE): spanning(EDGE, title, right - 420, title + TITLE_H, unit),
        Slot(Kind.AUDIT_POSITION): spanning(right - 400, title, right, title + TITLE_H, unit),
        Slot(Kind.AUDIT_HELP): spanning(EDGE, bottom + 4, right, bands.legend_top - 6, unit),
    }
    rects |= dict(_strip(bands, page, STRIP_TOP, STRIP_TOP + strip_h))
    beside = page.keypad or (bool(page.menu) and not page.tabbed) or page.drawing is not None
    alone = beside and not page.lines and not page.figures
    wide = DETAILED_W if page.details else COLUMN_W
    split = EDGE if alone else right - wide
    body_right = split - 30 if beside and not alone else right
    column = (split, top, right, bottom)
    if page.keypad:
        rects |= dict(_keypad(bands, column))
    elif beside:
        rects |= dict(_entries(bands, len(page.menu), column, alone=alone))
    text = (EDGE, top, max(EDGE, body_right), bottom)
    if page.drawing is not None and (found := _drawing(page, text, column)) is not None:
        rects[Slot(Kind.AUDIT_DRAWING)] = spanning(*found, unit)
        text = (*text[:3], found[1] - GAP) if found[0] < split else text
    rects[Slot(Kind.AUDIT_BODY)] = spanning(*text, unit)
    return rects


Room = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def _drawing(page: Page, text: Room, column: Room) -> Room | None:
    """Returns the room of the drawing: below the entries, or below the text where that is clearly more; None without
    room."""
    used = len(page.menu) * min(MOST_H, (column[3] - column[1]) / max(1, len(page.menu)))
    below_entries = (column[0], column[1] + used + (GAP if page.menu else 0.0), column[2], column[3])
    below_text = (text[0], text[1] + len(page.lines) * LINE_H + GAP, min(text[2], text[0] + COLUMN_W), text[3])
    rooms = sorted((below_entries, below_text), key=lambda room: min(room[3] - room[1], GOOD_DRAWING_H), reverse=True)
    left, top, right, bottom = rooms[0]
    if bottom - top < LEAST_DRAWING_H:
        return None
    return left, top, right, min(bottom, top + MOST_DRAWING_H)


def _picture(bands: Bands, amounts: int) -> Pairs:
    """Returns the places around the table of a past game: the strip that marks it in place of the top bar; the way
    back, what happened, the amounts and the turns in place of the rail; the help in place of the fine line."""
    unit, top, bottom = bands.unit, bands.rail_top, bands.legend_top
    right = bands.width - EDGE
    yield Slot(Kind.AUDIT_HEAD), spanning(0, 0, bands.width, bands.top_h, unit)
    yield Slot(Kind.AUDIT_GROUND), spanning(0, top, bands.width, bands.height, unit)
    high = max(TOUCH, bands.touch)
    from_top = top + (bottom - top - high) / 2
    yield Slot(Kind.AUDIT_BACK), spanning(EDGE, from_top, EDGE + BACK_W, from_top + high, unit)
    turns = right - 2 * TURN_W - GAP
    for nth in range(2):
        x = turns + nth * (TURN_W + GAP)
        yield Slot(Kind.AUDIT_TURN, nth=nth), spanning(x, from_top, x + TURN_W, from_top + high, unit)
    left, end = EDGE + BACK_W + 3 * GAP, turns - 3 * GAP
    amounts_left = end - amounts * AMOUNT_W
    yield Slot(Kind.AUDIT_BODY), spanning(left, from_top, amounts_left - GAP, from_top + high, unit)
    for nth in range(amounts):
        x = amounts_left + nth * AMOUNT_W
        yield Slot(Kind.AUDIT_AMOUNT, nth=nth), spanning(x, from_top, x + AMOUNT_W - GAP, from_top + high, unit)
    yield Slot(Kind.AUDIT_HELP), spanning(EDGE, bands.footer_top, right, bands.height - 4, unit)


def _strip(bands: Bands, page: Page, top: float, bottom: float) -> Pairs:
    """Returns the way back at the left, tabs in the middle, the turns of the page at the right; on the first page the
    tabs alone."""
    left, right, unit = EDGE, bands.width - EDGE, bands.unit
    if not page.tabbed:
        yield Slot(Kind.AUDIT_BACK), spanning(left, top, left + BACK_W, bottom, unit)
        turns = right - 2 * TURN_W - GAP
        for nth in range(2):
            x = turns + nth * (TURN_W + GAP)
            yield Slot(Kind.AUDIT_TURN, nth=nth), spanning(x, top, x + TURN_W, bottom, unit)
        left, right = left + BACK_W + 2 * GAP, turns - 2 * GAP
    count = len(page.menu) if page.tabbed else len(page.tabs)
    wide = (right - left - GAP * (count - 1)) / max(1, count)
    for nth in range(count):
        x = left + nth * (wide + GAP)
        yield Slot(Kind.AUDIT_TAB, nth=nth), spanning(x, top, x + wide, bottom, unit)


def _entries(bands: Bands, count: int, room: tuple[float, float, float, float], *, alone: bool) -> Pairs:
    """Returns the entries one below the other, without a text in two columns."""
    left, top, right, bottom = room
    columns = 2 if alone else 1
    rows = max(ROWS_ALONE, -(-count // columns)) if alone else count
    high = min(MOST_H, (bottom - top) / max(1, rows))
    wide = (right - left - GAP * (columns - 1)) / columns
    for nth in range(count):
        column, row = divmod(nth, rows)
        x, y = left + column * (wide + GAP), top + row * high
        yield Slot(Kind.AUDIT_MENU, nth=nth), spanning(x, y, x + wide, y + high, bands.unit)


def _keypad(bands: Bands, room: tuple[float, float, float, float]) -> Pairs:
    left, top, right, bottom = room
    high = min(MOST_H, (bottom - top) / KEYPAD_ROWS)
    wide = (right - left) / KEYPAD_COLUMNS
    for nth in range(KEYPAD_ROWS * KEYPAD_COLUMNS):
        row, column = divmod(nth, KEYPAD_COLUMNS)
        x, y = left + column * wide, top + row * high
        yield Slot(Kind.AUDIT_DIGIT, nth=nth), spanning(x, y, x + wide, y + high, bands.unit)

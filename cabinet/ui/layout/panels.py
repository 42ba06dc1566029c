"""Panels: game choice, attract captions and overlays; `audit` has the attendant's page.

Rules: an overlay stays above the rail, so that the credit is always visible, and its contents keep away from its inner
border.
"""

from collections.abc import Iterator

from cabinet.ui.layout.audit import audit_rects
from cabinet.ui.layout.bands import Bands
from cabinet.ui.layout.geometry import Rect, spanning
from cabinet.ui.view import HelpView, Kind, NoticeView, Overlay, Scene, Screen, SessionView, Slot

WELCOME_H = 680.0
"""Height of the welcome's words on a 16:9 display."""
BORDER = 0.0122
"""Distance of a panel's inner border from its edge, as a share of its width."""
MARGIN = 12.0
"""Free room between that border and the contents of the panel."""
FOOT_LETTERS = 84
"""Letters of a notice's foot that fit in a line."""
FOOT_PITCH = 28.0
Pairs = Iterator[tuple[Slot, Rect]]


def panel_rects(bands: Bands, screen: Screen) -> dict[Slot, Rect]:
    """Returns everything that is neither bar, rail nor table."""
    rects: dict[Slot, Rect] = {}
    if screen.choice is not None:
        rects |= dict(_choice(bands, len(screen.choice.games), line=bool(screen.choice.lines)))
    if screen.attract is not None:
        rects |= dict(_caption(bands, with_table=screen.table is not None))
    if screen.audit is not None and screen.scene is Scene.AUDIT:
        rects |= audit_rects(bands, screen.audit)
    if screen.overlay is not None:
        rects |= dict(_overlay(bands, screen.overlay))
    return rects


def _choice(bands: Bands, games: int, *, line: bool) -> Pairs:
    """Returns the games side by side; without a line below the heading their cards are taller, for one line more
    each."""
    unit, middle = bands.unit, bands.width / 2
    room = bands.rail_top - bands.top_h
    head = bands.top_h + max(room * 0.05, (room - 800) / 2)
    yield Slot(Kind.CAPTION), spanning(middle - 800, head, middle + 800, head + 84, unit)
    yield Slot(Kind.CAPTION_LINES), spanning(middle - 800, head + 88, middle + 800, head + 130, unit)
    top = head + (160 if line else 104)
    bottom = min(bands.rail_top - 30, top + 640)
    gap = 36.0
    wide = min(560.0, (min(bands.width, 2100.0) - 2 * 60 - gap * (games - 1)) / max(1, games))
    left = middle - (games * wide + (games - 1) * gap) / 2
    for index in range(games):
        yield Slot(Kind.GAME, nth=index), spanning(left, top, left + wide, bottom, unit)
        yield Slot(Kind.GAME_TITLE, nth=index), spanning(left + 24, top + 36, left + wide - 24, top + 110, unit)
        yield Slot(Kind.GAME_LINES, nth=index), spanning(left + 36, top + 136, left + wide - 36, bottom - 32, unit)
        left += wide + gap


def _caption(bands: Bands, *, with_table: bool) -> Pairs:
    """Returns the caption: beside the dealer when a hand is demonstrated, else in the middle of the felt."""
    unit, middle = bands.unit, bands.width / 2
    if with_table:
        top, left = bands.top_h + 56, max(40.0, middle - 900)
        yield Slot(Kind.CAPTION), spanning(left, top, left + 500, top + 64, unit)
        yield Slot(Kind.CAPTION_LINES), spanning(left, top + 72, left + 520, top + 240, unit)
        return
    grown = min(bands.tall, 1.25)
    top = bands.top_h + (bands.rail_top - bands.top_h - WELCOME_H * grown) / 2
    lines = top + 170 * grown
    yield Slot(Kind.CAPTION), spanning(middle - 800, top, middle + 800, top + 140 * grown, unit)
    yield Slot(Kind.CAPTION_LINES), spanning(middle - 390, lines, middle + 390, top + WELCOME_H * grown, unit)


def _overlay(bands: Bands, overlay: Overlay) -> Pairs:
    if isinstance(overlay, NoticeView):
        yield from _notice(bands, overlay)
    elif isinstance(overlay, SessionView):
        yield from _session(bands, overlay)
    else:
        yield from _paged(bands, overlay)


def _panel(bands: Bands, wide: float, high: float) -> tuple[float, float, float, float]:
    """Returns left, top, right and bottom of a panel in the middle of the felt, at most as large as the felt allows."""
    room_top, room_bottom = bands.top_h + 14, bands.rail_top - 14
    wide, high = min(wide, bands.width - 60), min(high, room_bottom - room_top)
    middle, y = bands.width / 2, (room_top + room_bottom) / 2
    return middle - wide / 2, y - high / 2, middle + wide / 2, y + high / 2


def margin_of(left: float, right: float) -> float:
    """Returns the distance of a panel's contents from its edges, in the units of its sides."""
    return (right - left) * BORDER + MARGIN


def _notice(bands: Bands, notice: NoticeView) -> Pairs:
    unit = bands.unit
    button_h = max(64.0, bands.touch) if notice.buttons else 0.0
    amount_h = 110.0 if notice.amount else 0.0
    feet = sum(-(-len(words) // FOOT_LETTERS) for words in (*notice.more, notice.foot))
    high = 310 + amount_h + FOOT_PITCH * max(1, feet) + (button_h + 20 if button_h else 0)
    left, top, right, bottom = _panel(bands, 1120, high)
    margin = margin_of(left, right)
    yield Slot(Kind.OVERLAY), spanning(left, top, right, bottom, unit)
    yield Slot(Kind.OVERLAY_TITLE), spanning(left + 48, top + 30, right - 48, top + 96, unit)
    y = top + 108
    yield Slot(Kind.OVERLAY_BODY), spanning(left + 64, y, right - 64, y + 78, unit)
    y += 82
    if notice.amount:
        yield Slot(Kind.OVERLAY_AMOUNT), spanning(left + 64, y + 4, right - 64, y + amount_h - 4, unit)
        y += amount_h
    yield Slot(Kind.OVERLAY_ADVICE), spanning(left + 64, y, right - 64, y + 78, unit)
    low = bottom - margin
    foot = low - (button_h + 14 if button_h else 0)
    yield Slot(Kind.OVERLAY_FOOT), spanning(left + 64, y + 84, right - 64, foot, unit)
    yield from _buttons(bands, (left + 64, low - button_h, right - 64, low), len(notice.buttons))


def _paged(bands: Bands, overlay: Overlay) -> Pairs:
    unit = bands.unit
    left, top, right, bottom = _panel(bands, 1560, bands.rail_top - bands.top_h)
    button_h, low = max(64.0, bands.touch), bottom - margin_of(left, right)
    foot = low - button_h
    yield Slot(Kind.OVERLAY), spanning(left, top, right, bottom, unit)
    yield Slot(Kind.OVERLAY_TITLE), spanning(left + 56, top + 24, right - 56, top + 90, unit)
    if isinstance(overlay, HelpView) and overlay.chart is not None:
        yield Slot(Kind.CHART), spanning(left + 56, top + 98, right - 56, foot - 12, unit)
    else:
        yield Slot(Kind.OVERLAY_BODY), spanning(left + 56, top + 104, right - 56, foot - 12, unit)
    yield Slot(Kind.OVERLAY_FOOT), spanning(left + 56, foot + 2, left + 706, low, unit)
    yield from _buttons(bands, (left + 724, foot, right - 56, low), len(overlay.buttons))


def _session(bands: Bands, view: SessionView) -> Pairs:
    """Returns rows in two columns, the result, each limit with its buttons beside it, notes, and the button that
    closes."""
    unit, button_h = bands.unit, max(64.0, bands.touch)
    lines = -(-len(view.rows) // 2)
    notes_h = 36.0 * len(view.notes)
    high = 104 + 50 * lines + 76 + (button_h + 18) * len(view.limits) + notes_h + button_h + 47
    left, top, right, bottom = _panel(bands, 1560, high)
    low = bottom - margin_of(left, right)
    yield Slot(Kind.OVERLAY), spanning(left, top, right, bottom, unit)
    left, right, middle = left + 56, right - 56, (left + right) / 2
    yield Slot(Kind.OVERLAY_TITLE), spanning(left, top + 24, right, top + 90, unit)
    y = top + 98
    for index in range(len(view.rows)):
        column, row = divmod(index, lines)
        x, end = ((left, middle - 40), (middle + 40, right))[column]
        yield Slot(Kind.SESSION_ROW, nth=index), spanning(x, y + 50 * row, end, y + 50 * row + 46, unit)
    y += 50 * lines
    yield Slot(Kind.SESSION_RESULT), spanning(left, y + 8, right, y + 70, unit)
    y += 76
    first = 0
    for index, limit in enumerate(view.limits):
        yield Slot(Kind.SESSION_LIMIT, nth=index), spanning(left, y, middle - 60, y + button_h, unit)
        for slot, rect in _buttons(bands, (middle - 40, y, right, y + button_h), limit.count):
            yield slot._replace(nth=slot.nth + first), rect
        first += limit.count
        y += button_h + 18
    yield Slot(Kind.OVERLAY_BODY), spanning(left, y, right, y + notes_h, unit)
    foot = low - button_h
    yield Slot(Kind.OVERLAY_FOOT), spanning(left, foot, right - 330, low, unit)
    for slot, rect in _buttons(bands, (right - 300, foot, right, low), len(view.buttons) - first):
        yield slot._replace(nth=slot.nth + first), rect


def _buttons(bands: Bands, room: tuple[float, float, float, float], count: int) -> Pairs:
    """Returns buttons in a row, at the right end of the room."""
    left, top, right, bottom = room
    gap = 18.0
    wide = min(300.0, (right - left - gap * (count - 1)) / max(1, count))
    x = right - count * wide - (count - 1) * gap
    for index in range(count):
        yield Slot(Kind.OVERLAY_BUTTON, nth=index), spanning(x, top, x + wide, bottom, bands.unit)
        x += wide + gap

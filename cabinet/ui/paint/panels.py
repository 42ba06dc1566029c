"""Game choice, attract captions, and the overlays: help, notices, keys.

Rules: a panel fills its room exactly; body text is broken and shrunk until all of it fits; the ground behind a panel is
darkened, or covered where the table must not be read.
"""

from typing import Final, assert_never

from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import text_width
from cabinet.ui.art.icons import icon
from cabinet.ui.art.palette import Colour
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import Layout
from cabinet.ui.paint.chart import put_chart
from cabinet.ui.paint.decor import FANS, WELCOME, fan_asset, framed, heap_asset
from cabinet.ui.paint.grounds import dialog, hairline, light, shade, veil
from cabinet.ui.paint.keys import key, keycap, lozenge, ring
from cabinet.ui.paint.lettering import LEADING, set_paragraphs
from cabinet.ui.paint.pieces import Asset, Faded, Shaded, piece
from cabinet.ui.paint.sheet import LEFT, RIGHT, Sheet
from cabinet.ui.view import (
    AttractView,
    ChoiceView,
    GameCard,
    HelpView,
    KeysView,
    Kind,
    NoticeTone,
    NoticeView,
    Overlay,
    OverlayButton,
    SessionView,
    Slot,
)

VEIL: Final = 150
DIM: Final = 110
"""Brightness of a game that cannot be chosen, of 255."""
FAN_SHARE: Final = 0.36
"""The share of a game's card for its fan of cards, below the title."""
GAME_FOOT_EM: Final = 3.4
"""The height of the limits and the return at the foot of a game's card, in its type."""
GAME_CLEAR_EM: Final = 0.8
"""The free space above them."""
GAME_GAP_EM: Final = 0.3
"""The space between the lines of a game."""
COVER: Final[Colour] = (12, 11, 12)
STEPS_OF_FADE: Final = 12
HEADING_EM: Final = 0.75
"""The space before a further heading on a page of help, in its type."""
POINT_GAP_EM: Final = 0.5
"""The space between sentences of help."""
HELP_SHAPE: Final = 0.394
"""Height of the body of a help page on 16:9, as a share of its width; a higher body has larger type."""
HELP_GROWN: Final = 1.25
"""The largest growth of that type."""
UNBROKEN: Final = 0.75
"""The least size of an unbroken line, as a share of the size at which it would be broken."""
KEY_ROWS: Final = 14
"""Rows in a column of keys before a third column begins."""
WORDS_W: Final = 760
"""Width of the welcome's words in design units; the rest of the felt is for the still life."""


# --- choice and attract -----------------------------------------------------------------------------------------


def put_choice(sheet: Sheet, where: Layout, view: ChoiceView) -> None:
    """Paints the heading and one card per game, each on its own cloth."""
    sheet.words(Role.TITLE, where.text_px(Kind.CAPTION), view.heading, where.rect(Slot(Kind.CAPTION)))
    room = where.rect(Slot(Kind.CAPTION_LINES))
    sheet.paragraphs(Role.TEXT, where.text_px(Kind.CAPTION_LINES), view.lines, room, colour=palette.BRASS_LIGHT)
    rooms = [_lines_room(where, index) for index in range(len(view.games))]
    settings = [
        set_paragraphs(Role.TEXT, where.text_px(Kind.GAME_LINES), game.lines, (room.w, room.h), GAME_GAP_EM)
        for game, room in zip(view.games, rooms, strict=True)
    ]
    px = min((found.px for found in settings), default=0)
    for index, (game, room) in enumerate(zip(view.games, rooms, strict=True)):
        _put_game(sheet, where, game, index)
        colour = palette.CREAM if game.enabled else palette.CREAM_DIM
        sheet.paragraphs(Role.TEXT, px, game.lines, room, colour=colour, gap_em=GAME_GAP_EM)


def _lines_room(where: Layout, index: int) -> Rect:
    """Returns the room of a game's lines: below its cards, and clear of its limits."""
    room, px = where.rect(Slot(Kind.GAME_LINES, nth=index)), where.text_px(Kind.GAME_LINES)
    top = room.y + round(room.h * FAN_SHARE)
    return Rect(room.x, top, room.w, room.bottom - round(px * (GAME_FOOT_EM + GAME_CLEAR_EM)) - top)


def _put_game(sheet: Sheet, where: Layout, game: GameCard, index: int) -> None:
    box = where.rect(Slot(Kind.GAME, nth=index))
    if game.pointed:
        glow = (round(box.w * 1.5), round(box.h * 1.4))
        sheet.place(light(glow), box)
    ground = game_ground(where, game.game_id, index, bright=game.pointed)
    sheet.put(ground if game.enabled else Shaded(ground, DIM), box.x, box.y)
    title = where.rect(Slot(Kind.GAME_TITLE, nth=index))
    colour = palette.CREAM if game.enabled else palette.CREAM_DIM
    sheet.words(Role.TITLE, where.text_px(Kind.GAME_TITLE), game.title, title, colour=colour)
    rule = round(title.w * 0.3)
    thin = max(1, round(where.unit * 2))
    sheet.put(
        piece(hairline, (rule, thin), palette.BRASS, 200), title.x + (title.w - rule) // 2, title.bottom + 6 * thin
    )
    room = where.rect(Slot(Kind.GAME_LINES, nth=index))
    px = where.text_px(Kind.GAME_LINES)
    foot, cards = round(px * GAME_FOOT_EM), round(room.h * FAN_SHARE)
    if game.game_id in FANS:
        still = game_fan(where, game.game_id, index)
        fan_room = Rect(room.x, room.y, room.w, cards)
        sheet.place(still if game.enabled else Shaded(still, DIM), fan_room)
    strong = Rect(room.x, room.bottom - foot, room.w, foot // 2)
    sheet.words(Role.TEXT_BOLD, round(px * 1.15), game.limits, strong, colour=palette.BRASS_LIGHT)
    weak = Rect(room.x, room.bottom - foot // 2, room.w, foot // 2)
    sheet.words(Role.TEXT, round(px * 0.85), game.returns, weak, colour=palette.CREAM_DIM)


def game_ground(where: Layout, game_id: str, index: int, *, bright: bool) -> Asset:
    """Returns the ground of a game's card."""
    box = where.rect(Slot(Kind.GAME, nth=index))
    return piece(framed, (box.w, box.h), game_id, bright=bright)


def game_fan(where: Layout, game_id: str, index: int) -> Asset:
    """Returns the fan of cards on a game's card."""
    room = where.rect(Slot(Kind.GAME_LINES, nth=index))
    return fan_asset(FANS[game_id], round(room.h * FAN_SHARE / 1.35))


def put_attract(sheet: Sheet, where: Layout, view: AttractView, *, with_table: bool, demonstration: str = "") -> None:
    """Paints the heading and lines of a slide; beside the dealer when a hand is shown, else large in the middle.

    The word that marks a demonstration stands above them, moves with them, and never fades.
    """
    level = round(view.fade * STEPS_OF_FADE) * 255 // STEPS_OF_FADE
    dx, dy = (round(d * where.unit) for d in view.drift)
    inner = Sheet(sheet.assets)
    if not with_table:
        _put_still_life(inner, where, dx, dy)
    head = _moved(where.rect(Slot(Kind.CAPTION)), dx, dy)
    body = _moved(where.rect(Slot(Kind.CAPTION_LINES)), dx, dy)
    if with_table:
        px = _unbroken(round(where.text_px(Kind.CAPTION_LINES) * 0.7), view.lines, body.w)
        inner.words(Role.TITLE, round(where.text_px(Kind.CAPTION) * 0.7), view.heading, head, across=LEFT)
        colour = palette.BRASS_LIGHT
        inner.paragraphs(Role.TEXT, px, view.lines, body, colour=colour, across=LEFT, down=0.0, gap_em=0.3)
    else:
        _put_welcome(inner, view, head, body)
    for asset, x, y, _, _ in inner.blits:
        sheet.put(asset if level >= 255 else Faded(asset, level), x, y)
    px = where.text_px(Kind.HINT)
    above = Rect(head.x, head.y - head.h // 2, head.w, head.h // 2)
    sheet.words(Role.TEXT_BOLD, px, demonstration, above, colour=palette.BRASS_LIGHT, across=LEFT, tracking=0.2)


def _put_welcome(sheet: Sheet, view: AttractView, head: Rect, body: Rect) -> None:
    """Paints the name of the game, the call, what the cabinet takes and offers, and the small text below."""
    sheet.words(Role.TITLE, round(head.h * 0.86), view.heading, head)
    wide, thin = head.h * 2, max(1, head.h // 50)
    sheet.put(piece(hairline, (wide, thin), palette.BRASS, 220), head.x + (head.w - wide) // 2, head.bottom + thin * 3)
    call_h, foot_h = round(body.h * 0.16), round(body.h * 0.18)
    call = Rect(body.x, body.y, body.w, call_h)
    sheet.words(Role.TEXT_BOLD, round(call_h * 0.46), view.call, call)
    lines = Rect(body.x, call.bottom, body.w, body.h - call_h - foot_h)
    px = _unbroken(round(call_h * 0.4), view.lines, lines.w)
    sheet.paragraphs(Role.TEXT, px, view.lines, lines, colour=palette.BRASS_LIGHT, gap_em=0.35)
    foot = Rect(body.x, lines.bottom, body.w, foot_h)
    sheet.paragraphs(Role.TEXT, round(call_h * 0.32), view.foot, foot, gap_em=0.2)


def _unbroken(px: int, lines: tuple[str, ...], wide: int) -> int:
    """Returns the largest type, at most `px`, in which no line is broken; `px` when that would be a good deal
    smaller."""
    sizes = range(px, round(px * UNBROKEN) - 1, -1)
    return next((size for size in sizes if all(text_width(Role.TEXT, size, line) <= wide for line in lines)), px)


def _put_still_life(sheet: Sheet, where: Layout, dx: int, dy: int) -> None:
    """Paints two cards left and a heap of chips right of the words, where there is room."""
    left, right = still_life(where)
    play, side = where.play, _beside_words(where)
    sheet.place(left, _moved(Rect(play.x, play.y, side, play.h), dx, dy))
    sheet.place(right, _moved(Rect(play.right - side, play.y, side, play.h), dx, dy))


def still_life(where: Layout) -> tuple[Asset, Asset]:
    """Returns the ornaments left and right of the welcome."""
    side = _beside_words(where)
    return fan_asset(WELCOME, round(side * 0.58)), heap_asset(round(side * 0.54))


def _beside_words(where: Layout) -> int:
    return (where.play.w - round(WORDS_W * where.unit)) // 2


def _moved(rect: Rect, dx: int, dy: int) -> Rect:
    return Rect(rect.x + dx, rect.y + dy, rect.w, rect.h)


# --- overlays ---------------------------------------------------------------------------------------------------


def put_overlay(sheet: Sheet, where: Layout, overlay: Overlay) -> None:
    """Paints the darkened ground and the panel on it."""
    play = where.play
    if isinstance(overlay, NoticeView) and overlay.covers:
        sheet.put(piece(shade, (play.w, play.h), COVER), play.x, play.y)
    else:
        sheet.put(piece(veil, (play.w, play.h), VEIL), play.x, play.y)
    box = where.rect(Slot(Kind.OVERLAY))
    sheet.put(dialog((box.w, box.h)), box.x, box.y)
    match overlay:
        case NoticeView():
            _put_notice(sheet, where, overlay)
        case HelpView():
            _put_help(sheet, where, overlay)
        case KeysView():
            _put_keys(sheet, where, overlay)
        case SessionView():
            _put_session(sheet, where, overlay)
        case _:
            assert_never(overlay)
    _put_buttons(sheet, where, overlay.buttons)


def _put_buttons(sheet: Sheet, where: Layout, buttons: tuple[OverlayButton, ...]) -> None:
    for index, button in enumerate(buttons):
        room = where.rect(Slot(Kind.OVERLAY_BUTTON, nth=index))
        sheet.put(piece(key, (room.w, room.h), button.word, "", lit=button.enabled), room.x, room.y)
        if button.pointed:
            thin = max(2, round(where.unit * 4))
            around = (room.w + 2 * thin, room.h + 2 * thin)
            sheet.put(piece(ring, around, thin), room.x - thin, room.y - thin)


def _put_notice(sheet: Sheet, where: Layout, view: NoticeView) -> None:
    colour, sign = _tone(view.tone)
    title = where.rect(Slot(Kind.OVERLAY_TITLE))
    mark = round(title.h * 0.86)
    gap = mark // 3
    sheet.place(piece(icon, sign, mark, colour), Rect(title.x, title.y, mark, title.h))
    words = Rect(title.x + mark + gap, title.y, title.w - mark - gap, title.h)
    sheet.words(Role.TITLE, where.text_px(Kind.OVERLAY_TITLE), view.title, words, across=LEFT, colour=colour)
    px = where.text_px(Kind.OVERLAY_BODY)
    sheet.paragraphs(Role.TEXT, px, (view.sentence,), where.rect(Slot(Kind.OVERLAY_BODY)), across=LEFT)
    if view.amount:
        _put_amount(sheet, where, view)
    sheet.paragraphs(
        Role.TEXT_BOLD,
        where.text_px(Kind.OVERLAY_ADVICE),
        (view.advice,),
        where.rect(Slot(Kind.OVERLAY_ADVICE)),
        colour=palette.BRASS_LIGHT,
        across=LEFT,
    )
    foot = tuple(words for words in (*view.more, view.foot) if words)
    if foot:
        px = where.text_px(Kind.OVERLAY_FOOT)
        room = where.rect(Slot(Kind.OVERLAY_FOOT))
        sheet.paragraphs(Role.TEXT, px, foot, room, colour=palette.CREAM_DIM, across=LEFT)


def _tone(tone: NoticeTone) -> tuple[Colour, str]:
    match tone:
        case NoticeTone.CALM:
            return palette.CREAM, "ticket"
        case NoticeTone.ATTENTION:
            return palette.BRASS_LIGHT, "call"
        case NoticeTone.FAULT:
            return palette.BRASS_LIGHT, "warning"
        case NoticeTone.PAUSE:
            return palette.CREAM, "clock"
        case _:
            assert_never(tone)


def _put_amount(sheet: Sheet, where: Layout, view: NoticeView) -> None:
    room = where.rect(Slot(Kind.OVERLAY_AMOUNT))
    px = where.text_px(Kind.OVERLAY_AMOUNT)
    sheet.figures(px, view.amount, room, across=RIGHT)
    label = Rect(room.x, room.y, room.w // 2, room.h)
    sheet.words(Role.TEXT_BOLD, px // 3, view.amount_label, label, across=LEFT, colour=palette.BRASS, tracking=0.06)


def _put_help(sheet: Sheet, where: Layout, view: HelpView) -> None:
    title = where.rect(Slot(Kind.OVERLAY_TITLE))
    px = where.text_px(Kind.OVERLAY_TITLE)
    sheet.words(Role.TITLE, px, view.heading or view.title, title, across=LEFT)
    if view.heading:
        half = Rect(title.x + title.w // 2, title.y, title.w // 2, title.h)
        sheet.words(Role.TITLE, px * 5 // 9, view.title, half, across=RIGHT, colour=palette.BRASS)
    if view.chart is not None:
        put_chart(sheet, where, view.chart)
    else:
        body = where.rect(Slot(Kind.OVERLAY_BODY))
        grown = min(HELP_GROWN, max(1.0, body.h / body.w / HELP_SHAPE))
        _put_sections(sheet, round(where.text_px(Kind.OVERLAY_BODY) * 1.2 * grown), view, body)
    foot = where.rect(Slot(Kind.OVERLAY_FOOT))
    lines = tuple(words for words in (view.position, view.note) if words)
    px = where.text_px(Kind.OVERLAY_FOOT)
    sheet.paragraphs(Role.TEXT, px, lines, foot, across=LEFT, colour=palette.CREAM_DIM)


def _put_sections(sheet: Sheet, px: int, view: HelpView, room: Rect) -> None:
    """Paints the first section under the page's title, and further ones below their headings, in one size of type."""
    indent = round(px * 0.92)
    lines = (*view.lines, *(line for section in view.further for line in (section.heading, *section.lines)))
    free = room.h - round(len(view.further) * px * HEADING_EM)
    size = set_paragraphs(Role.TEXT, px, lines, (room.w - indent, free), POINT_GAP_EM).px
    y = _put_points(sheet, size, view.lines, room, indent)
    for section in view.further:
        head = Rect(room.x, y + round(size * (HEADING_EM - 0.3)), room.w, round(size * LEADING))
        sheet.words(Role.TITLE, round(size * 1.12), section.heading, head, across=LEFT, colour=palette.BRASS_LIGHT)
        top = head.bottom + round(size * POINT_GAP_EM * 0.7)
        y = _put_points(sheet, size, section.lines, Rect(room.x, top, room.w, room.bottom - top), indent)


def _put_points(sheet: Sheet, px: int, lines: tuple[str, ...], room: Rect, indent: int) -> int:
    """Paints sentences below one another, each with a lozenge before it; returns where the next part may begin."""
    inner = Rect(room.x + indent, room.y, room.w - indent, room.h)
    for head in sheet.paragraphs(Role.TEXT, px, lines, inner, across=LEFT, down=0.0, gap_em=POINT_GAP_EM):
        side = max(4, round(head.h * 0.28))
        sheet.place(piece(lozenge, side, palette.BRASS), Rect(room.x, head.y, indent // 2, head.h))
    rows = len(set_paragraphs(Role.TEXT, px, lines, (inner.w, inner.h), POINT_GAP_EM).lines)
    return room.y + round(px * (LEADING * rows + POINT_GAP_EM * len(lines)))


def _put_session(sheet: Sheet, where: Layout, view: SessionView) -> None:
    """Paints labels left, amounts right, the result large; a loss looks like a gain."""
    title = where.rect(Slot(Kind.OVERLAY_TITLE))
    sheet.words(Role.TITLE, where.text_px(Kind.OVERLAY_TITLE), view.title, title, across=LEFT)
    px = where.text_px(Kind.SESSION_ROW)
    for index, (label, value) in enumerate(view.rows):
        room = where.rect(Slot(Kind.SESSION_ROW, nth=index))
        half = Rect(room.x, room.y, room.w * 11 // 20, room.h)
        rest = Rect(half.right, room.y, room.w - half.w, room.h)
        sheet.words(Role.TEXT, px, label, half, across=LEFT, colour=palette.BRASS_LIGHT)
        sheet.words(Role.TEXT_BOLD, px, value, rest, across=RIGHT)
    result = where.rect(Slot(Kind.SESSION_RESULT))
    sheet.words(Role.TITLE, where.text_px(Kind.SESSION_RESULT), view.result, result, across=LEFT)
    px = where.text_px(Kind.SESSION_LIMIT)
    for index, limit in enumerate(view.limits):
        room = where.rect(Slot(Kind.SESSION_LIMIT, nth=index))
        upper = Rect(room.x, room.y, room.w, room.h // 2)
        lower = Rect(room.x, upper.bottom, room.w, room.h - upper.h)
        sheet.words(Role.TEXT_BOLD, px, limit.label, upper, across=LEFT)
        sheet.words(Role.TEXT, px * 8 // 9, limit.state, lower, across=LEFT, colour=palette.CREAM_DIM)
    px = where.text_px(Kind.OVERLAY_FOOT)
    notes = where.rect(Slot(Kind.OVERLAY_BODY))
    sheet.paragraphs(Role.TEXT, px, view.notes, notes, across=LEFT, colour=palette.CREAM_DIM)
    foot = where.rect(Slot(Kind.OVERLAY_FOOT))
    sheet.words(Role.TEXT_BOLD, px * 6 // 5, view.foot, foot, across=LEFT, colour=palette.BRASS_LIGHT)


def _put_keys(sheet: Sheet, where: Layout, view: KeysView) -> None:
    """Paints columns of keys and their actions; more columns rather than small type."""
    title = where.rect(Slot(Kind.OVERLAY_TITLE))
    sheet.words(Role.TITLE, where.text_px(Kind.OVERLAY_TITLE), view.title, title, across=LEFT)
    room = where.rect(Slot(Kind.OVERLAY_BODY))
    columns = 2 if len(view.rows) <= 2 * KEY_ROWS else 3
    rows = -(-len(view.rows) // columns)
    pitch = min(room.h // max(1, rows), round(where.text_px(Kind.OVERLAY_BODY) * 2))
    px = min(where.text_px(Kind.OVERLAY_BODY), round(pitch * 0.6))
    wide = room.w // columns
    for number, (name, meaning) in enumerate(view.rows):
        column, row = divmod(number, rows)
        cap = Rect(room.x + column * wide, room.y + row * pitch, round(px * 3.4), round(pitch * 0.8))
        sheet.put(piece(keycap, (cap.w, cap.h), name), cap.x, cap.y)
        rest = Rect(cap.right + px // 2, cap.y, wide - cap.w - px, cap.h)
        sheet.words(Role.TEXT, px, meaning, rest, across=LEFT)

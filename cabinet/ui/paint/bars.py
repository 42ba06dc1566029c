"""The top bar, the rail with chips, message and amounts, and the fine line below.

Rules: a legend looks like its button. Amounts have figures of equal width. Clock, amounts and fine line are separate
sections, so that they can be painted on top of an overlay.
"""

from typing import Final

from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.chips import chip, chip_ring, chip_shadow
from cabinet.ui.art.felt import rail, top_bar
from cabinet.ui.art.fonts import figures_width
from cabinet.ui.art.icons import icon
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import Layout
from cabinet.ui.paint.grounds import hairline, light
from cabinet.ui.paint.keys import key, level_bars
from cabinet.ui.paint.pieces import Asset, Faded, Shaded, piece
from cabinet.ui.paint.sheet import LEFT, RIGHT, Sheet
from cabinet.ui.view import ChipView, Kind, LegendView, Rail, Slot, TopBar, TopItem, TopItemView

PAID: Final = 1
"""The index of PAID among the meters."""
DIM: Final = 105
"""Brightness of a chip that cannot be selected, of 255."""


def put_top_bar(sheet: Sheet, where: Layout, top: TopBar) -> None:
    """Paints the bar, the game's name, the limits and the switches; not the clock."""
    bar = where.rect(Slot(Kind.TOP_BAR))
    sheet.put(piece(top_bar, (bar.w, bar.h)), bar.x, bar.y)
    title = where.rect(Slot(Kind.TITLE))
    sheet.words(Role.TITLE, where.text_px(Kind.TITLE), top.title, title, across=LEFT)
    if top.badge:
        sheet.words(
            Role.TEXT_BOLD,
            where.text_px(Kind.TOP_ITEM),
            top.badge,
            title,
            across=RIGHT,
            colour=palette.BRASS_LIGHT,
            tracking=0.08,
        )
    sheet.words(Role.TEXT, where.text_px(Kind.LIMITS), top.limits, where.rect(Slot(Kind.LIMITS)))
    for index, view in enumerate(top.items):
        _put_top_item(sheet, where, view, where.rect(Slot(Kind.TOP_ITEM, nth=index)))


def _put_top_item(sheet: Sheet, where: Layout, view: TopItemView, room: Rect) -> None:
    px = where.text_px(Kind.TOP_ITEM)
    colour = palette.BRASS if view.enabled else palette.BRASS_DARK
    if view.on and view.item is TopItem.TURBO:
        sheet.put(piece(key, (room.w, room.h), "", "", lit=True, red=True), room.x, room.y)
        colour = palette.PAPER
    elif view.on and view.item is not TopItem.SOUND:
        colour = palette.LAMP
        sheet.place(piece(hairline, (max(2, room.w - px), max(2, px // 8)), palette.LAMP, 255), room, down=0.84)
    words = room
    if view.item is TopItem.SOUND:
        mark = round(px * 1.3)
        side = Rect(room.right - mark - px // 2, room.y, mark, room.h)
        words = Rect(room.x, room.y, room.w - mark - px // 3, room.h)
        asset = piece(level_bars, (mark, round(px * 0.8)), view.level, colour) if view.level else _muted(mark, colour)
        sheet.place(asset, side)
    sheet.words(Role.TEXT_BOLD, px, view.word, words, colour=colour, tracking=0.07)


def _muted(px: int, colour: palette.Colour) -> Asset:
    return piece(icon, "speaker_off", px, colour)


def put_wood(sheet: Sheet, where: Layout) -> None:
    """Paints the rail itself."""
    wood = where.rect(Slot(Kind.RAIL))
    sheet.put(piece(rail, (wood.w, wood.h)), wood.x, wood.y)


def put_chips(sheet: Sheet, where: Layout, chips: tuple[ChipView, ...]) -> None:
    """Paints the chips, the selected one in its ring of light."""
    for index, view in enumerate(chips):
        _put_chip(sheet, view, where.rect(Slot(Kind.CHIP, nth=index)))


def put_message(sheet: Sheet, where: Layout, view: Rail) -> None:
    """Paints the message and the hint."""
    room = where.rect(Slot(Kind.MESSAGE))
    sheet.words(Role.TITLE, where.text_px(Kind.MESSAGE), view.message, room)
    room = where.rect(Slot(Kind.HINT))
    sheet.words(Role.TEXT, where.text_px(Kind.HINT), view.hint, room, colour=palette.CREAM_DIM)


def put_legends(sheet: Sheet, where: Layout, legends: tuple[LegendView, ...]) -> None:
    """Paints the legends."""
    for index, legend in enumerate(legends):
        room = where.rect(Slot(Kind.LEGEND, nth=index))
        sheet.put(legend_asset((room.w, room.h), legend), room.x, room.y)


def legend_asset(size: tuple[int, int], view: LegendView) -> Asset:
    """Returns the look of a legend."""
    return piece(key, size, view.word, view.second, lit=view.lit, pressed=view.pressed)


def _put_chip(sheet: Sheet, view: ChipView, room: Rect) -> None:
    shadow, *ring, face = chip_assets(view, room.w)
    sheet.place(shadow, Rect(room.x, room.y + room.h // 12, room.w, room.h))
    for light_round in ring:
        sheet.place(light_round, room)
    sheet.put(face, room.x, room.y)


def chip_assets(view: ChipView, wide: int) -> tuple[Asset, ...]:
    """Returns a chip's shadow, the ring of the selected one, and its face; dim when it cannot be selected."""
    ring: Asset = piece(chip_ring, wide)
    face: Asset = piece(chip, view.cents, wide)
    if not view.enabled:
        ring, face = Faded(ring, DIM), Shaded(face, DIM)
    return (piece(chip_shadow, wide), ring, face) if view.raised else (piece(chip_shadow, wide), face)


def put_clock(sheet: Sheet, where: Layout, top: TopBar) -> None:
    """Paints the time of day; the sign before it shows that it can be touched."""
    room, px = where.rect(Slot(Kind.CLOCK)), where.text_px(Kind.CLOCK)
    colour = palette.LAMP if top.clock_on else palette.BRASS
    wide = figures_width(px, top.clock) + px * 3 // 2
    sheet.place(piece(icon, "clock", px, colour), Rect(room.right - wide, room.y, wide, room.h), across=LEFT)
    sheet.figures(px, top.clock, room, colour=palette.LAMP if top.clock_on else palette.CREAM)


def put_meters(sheet: Sheet, where: Layout, view: Rail, footer: str) -> None:
    """Paints the labels of the amounts, and the fine line."""
    px = where.text_px(Kind.METER_LABEL)
    for index, meter in enumerate(view.meters):
        label = where.rect(Slot(Kind.METER_LABEL, nth=index))
        sheet.words(Role.TEXT_BOLD, px, meter.label, label, across=RIGHT, colour=palette.BRASS, tracking=0.09)
    foot = where.rect(Slot(Kind.FOOTER))
    sheet.words(Role.TEXT, where.text_px(Kind.FOOTER), footer, foot, colour=palette.CREAM_DIM)


def put_amounts(sheet: Sheet, where: Layout, view: Rail) -> None:
    """Paints the amounts, that of a win in its light, and the same in credits."""
    px = where.text_px(Kind.METER_VALUE)
    for index, meter in enumerate(view.meters):
        glows = view.celebrate and index == PAID
        value = where.rect(Slot(Kind.METER_VALUE, nth=index))
        if glows:
            wide = figures_width(px, meter.value)
            middle = Rect(value.right - wide, value.y, wide, value.h)
            sheet.place(meter_light(value, px), middle)
        sheet.counted(px, meter.value, value, colour=palette.LAMP if glows else palette.CREAM)
        below = where.rect(Slot(Kind.CREDITS, nth=index))
        sheet.counted(where.text_px(Kind.CREDITS), meter.credits, below, colour=palette.CREAM_DIM)


def meter_light(room: Rect, px: int) -> Asset:
    """Returns the light on an amount that is counted up: one size for any number of figures."""
    return light((room.w + px, round(room.h * 1.9)))

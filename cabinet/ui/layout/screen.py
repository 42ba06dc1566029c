"""The layout of a screen: a rectangle in pixels for each of its slots, computed by rules alone.

Rules: pure geometry. A design unit is 1/1920 of a 16:9 width or 1/1080 of its height, whichever is smaller on the
display; the rest goes to the felt. Every slot of a Screen has a rectangle inside the display (but for DISCARD, just
beside it). Texts never overlap. A touch area is at least nine millimetres on a 15.6-inch display. Does not know fonts
or painting: a text is set at `text_px` of its kind, smaller where it would not fit its rectangle.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from cabinet.ui.layout.bands import Bands, bands_of, bar_rects, legend_rects, meter_px, rail_rects
from cabinet.ui.layout.felt import Arc, felt_arcs, felt_rects
from cabinet.ui.layout.geometry import Rect, between, spanning
from cabinet.ui.layout.hands import dealer_rects
from cabinet.ui.layout.motion import place_rects
from cabinet.ui.layout.panels import panel_rects
from cabinet.ui.view import Kind, Scene, Screen, Slot, Sprite, TableView

TEXT: Mapping[Kind, float] = {
    Kind.TITLE: 32,
    Kind.LIMITS: 24,
    Kind.TOP_ITEM: 20,
    Kind.CLOCK: 27,
    Kind.PLATE: 30,
    Kind.QUESTION_TEXT: 31,
    Kind.QUESTION_AMOUNT: 24,
    Kind.MESSAGE: 38,
    Kind.HINT: 21,
    Kind.METER_LABEL: 20,
    Kind.CREDITS: 18,
    Kind.FOOTER: 18,
    Kind.GAME_TITLE: 42,
    Kind.GAME_LINES: 25,
    Kind.CAPTION: 60,
    Kind.CAPTION_LINES: 30,
    Kind.OVERLAY_TITLE: 46,
    Kind.OVERLAY_BODY: 29,
    Kind.OVERLAY_AMOUNT: 72,
    Kind.OVERLAY_ADVICE: 29,
    Kind.OVERLAY_FOOT: 21,
    Kind.SESSION_ROW: 27,
    Kind.SESSION_RESULT: 38,
    Kind.SESSION_LIMIT: 27,
    Kind.CHART: 22,
    Kind.AUDIT_TITLE: 36,
    Kind.AUDIT_POSITION: 24,
    Kind.AUDIT_BODY: 25,
    Kind.AUDIT_MENU: 28,
    Kind.AUDIT_HEAD: 25,
    Kind.AUDIT_TAB: 28,
    Kind.AUDIT_BACK: 28,
    Kind.AUDIT_TURN: 40,
    Kind.AUDIT_DIGIT: 44,
    Kind.AUDIT_HELP: 23,
}
"""Height of type (em) per kind, in design units."""

MOVING = frozenset({Kind.CARD, Kind.CHIPS, Kind.WIN_CHIPS, Kind.CHIP, Kind.PLAQUE})
"""Kinds that a sprite may come from or go to."""
LYING = frozenset({Kind.CARD, Kind.CHIPS, Kind.WIN_CHIPS})
"""Kinds of cards and chips on the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The pixels of one screen.

    `unit` is pixels per design unit, `felt` the rectangle of the cloth (the whole display), `play` the part of it
    between the bars. `arcs` has one entry per felt line.
    """

    size: tuple[int, int]
    unit: float
    rects: Mapping[Slot, Rect]
    text: Mapping[Kind, int]
    arcs: tuple[Arc, ...]
    felt: Rect
    play: Rect
    swept: Mapping[Slot, Rect] = field(default_factory=dict)
    """The rectangles on `Screen.swept`."""

    def rect(self, slot: Slot) -> Rect:
        """Returns the rectangle of a slot. A card or chip slot that is not on the screen (a sprite may come from one)
        is the nearest one of its hand, place or kind; any other unknown slot is a programming error and raises
        KeyError."""
        found = self.rects.get(slot)
        return found if found is not None else self._nearest(slot)

    def has(self, kind: Kind, place: int = 0, hand: int = 0, nth: int = 0) -> bool:
        """Returns True when this slot is on the screen."""
        return Slot(kind, place, hand, nth) in self.rects

    def text_px(self, kind: Kind) -> int:
        """Returns the height of type for a kind, in pixels; a PLAQUE's or BANNER's type follows from its rectangle."""
        return self.text[kind]

    def _nearest(self, slot: Slot) -> Rect:
        for kind in (slot.kind, Kind.CHIPS, Kind.SPOT) if slot.kind in MOVING else ():
            same = [s for s in self.rects if s.kind is kind and s.place == slot.place]
            if same:
                return self.rects[min(same, key=lambda s: (abs(s.hand - slot.hand), abs(s.nth - slot.nth)))]
        raise KeyError(slot)


def layout(size: tuple[int, int], screen: Screen) -> Layout:
    """Returns the layout of a screen on a display of `size` pixels."""
    bands = bands_of(size)
    rects: dict[Slot, Rect] = {}
    arcs: tuple[Arc, ...] = ()
    if screen.scene is not Scene.AUDIT:
        rects |= bar_rects(bands, screen.top)
        rects |= rail_rects(bands, screen.rail)
    else:
        rects |= legend_rects(bands, screen.rail)
    if screen.table is not None:
        arcs = felt_arcs(bands, screen.table)
        rects |= felt_rects(bands, screen.table)
        rects |= _lying(bands, screen.table)
    rects |= panel_rects(bands, screen)
    swept = {} if screen.swept is None else _lying(bands, screen.swept)
    text = _text_px(bands.unit, meter_px(bands, screen.rail))
    return Layout(
        size=size,
        unit=bands.unit,
        rects=rects,
        text=text,
        arcs=arcs,
        felt=Rect(0, 0, *size),
        play=spanning(0, bands.top_h, bands.width, bands.rail_top, bands.unit),
        swept=swept,
    )


def _lying(bands: Bands, table: TableView) -> Mapping[Slot, Rect]:
    """Returns the hands of a table."""
    return {**dealer_rects(bands, table), **place_rects(bands, table)}


@lru_cache(maxsize=8)
def _text_px(unit: float, meter_em: float) -> Mapping[Kind, int]:
    text = {kind: max(1, round(em * unit)) for kind, em in TEXT.items()}
    return text | {Kind.METER_VALUE: max(1, round(meter_em * unit))}


def sprite_rect(where: Layout, sprite: Sprite) -> Rect:
    """Returns where a sprite is now: between the middles of its slots, on an arc above the straight line. It has its
    size on the table all the way, so that it is never scaled."""
    start = where.swept[sprite.start] if sprite.swept else where.rect(sprite.start)
    end = where.rect(sprite.end)
    lies = end if sprite.end.kind in LYING else start
    if sprite.start.kind is Kind.SHOE:
        # A card larger than the shoe leaves at its upper edge, and not over the top bar.
        start = start._replace(y=start.y + max(0, (lies.h - start.h + 1) // 2))
    flat, lift = between(start, end, sprite.progress), sprite.lift * math.sin(math.pi * sprite.progress)
    left, top = flat.x + (flat.w - lies.w) // 2, flat.y + (flat.h - lies.h) // 2
    return Rect(left, top - round(lift * where.unit), lies.w, lies.h)

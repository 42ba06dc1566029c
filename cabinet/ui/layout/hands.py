"""The places of hands: the dealer's, and up to five places of up to four hands with any number of cards.

Rules: cards of a hand overlap, but never cover a corner index. When they would become too small they form rows, and the
hands of a place two lines. Of all arrangements that fit, the one with the largest cards wins. A place with several
hands gets more of the width. Cards have few heights, all of them prepared (`card_heights`). Results for a hand are
remembered and shared. Places stand still here: for motion see `layout.motion`. Does not know the value of cards.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from cabinet.presentation.memo_key import IdentityKey, PartsKey
from cabinet.ui.layout.bands import EDGE, REMEMBERED, Bands
from cabinet.ui.layout.fan import CARD_FLOOR, HAND_GAP, PLAQUE_OF_CARD, Fan, Room, best_fan, forms_for, shares_of
from cabinet.ui.layout.felt import dealer_card_h, dealer_top, places_top
from cabinet.ui.layout.geometry import Rect, lying_at, spanning
from cabinet.ui.shapes import CARD_RATIO, SMALL_CARD_PX
from cabinet.ui.view import DEALER, DealerView, HandView, Kind, Slot, TableView

CARD_H_MANY = 158.0
CARD_H_ONE = 248.0
STEP = 0.86
"""Each further height of cards is this share of the one before."""
LOWEST_PX = 28
RISE = 30.0
"""How much lower the middle of the arc of places is than its ends."""
INSURANCE_H = 38.0
TAG_W, TAG_GAP = 300.0, 10.0
"""Width of the insurance tag beside the stake of the only place, and the gap between them."""
IN_LINE_TAG_H = 34.0
"""Height of the tag beside chips in one line with it."""
STACK_RISE = 1.36
"""Height of the box of a chip stack over a chip's diameter."""


def card_h(bands: Bands, *, alone: bool) -> float:
    """Returns the height of a player's cards where there is room: larger for the only place of the table."""
    tall = min(bands.tall, 1.42)
    if alone:
        return CARD_H_ONE * tall
    column = bands.rail_top - 6 - places_top(bands) - RISE * tall
    return min(CARD_H_MANY * tall, column - INSURANCE_H - forms_for(hands=1)[0].around_h)


def card_px(bands: Bands, *, alone: bool) -> int:
    """Returns the same in whole pixels, rounded down."""
    return int(card_h(bands, alone=alone) * bands.unit + 0.01)


@lru_cache(maxsize=8)
def lower_heights(bands: Bands) -> tuple[int, ...]:
    """Returns the heights in pixels, the largest first, for cards of players that cannot have the wanted one. The last
    above zero is the smallest drawn for hands of a usual number of cards."""
    top = max(card_px(bands, alone=alone) for alone in (False, True))
    large = _steps_down(top, SMALL_CARD_PX)
    small = _steps_down(min(SMALL_CARD_PX - 1, top), LOWEST_PX)
    return tuple(sorted({*large, *small, math.ceil(CARD_FLOOR * bands.unit)}, reverse=True))


@lru_cache(maxsize=16)
def card_heights(bands: Bands, *, alone: bool) -> tuple[int, ...]:
    """Returns the wanted height and all lower ones, in pixels."""
    wanted = card_px(bands, alone=alone)
    return (wanted, *(height_px for height_px in lower_heights(bands) if height_px < wanted))


def _steps_down(top: int, lowest: int) -> tuple[int, ...]:
    heights = []
    while top > lowest:
        heights.append(top)
        top = round(top * STEP)
    return (*heights, lowest)


FORESEEN = 256
"""Places that stand still and are remembered; an animation may have many."""


# --- dealer -----------------------------------------------------------------------------------------------------


def dealer_rects(bands: Bands, table: TableView) -> Mapping[Slot, Rect]:
    """Returns the dealer's hand, centred: two cards side by side, more of them closer. The total is at its left."""
    return _dealing(bands, IdentityKey(table.dealer), alone=table.alone)


@lru_cache(maxsize=REMEMBERED)
def _dealing(bands: Bands, dealer: IdentityKey[DealerView], *, alone: bool) -> Mapping[Slot, Rect]:
    """Returns the same as `_dealer`, found by identity for the dealer of the last frame."""
    return _dealer(bands, dealer.it.hand.open, max(2, len(dealer.it.hand.cards)), alone=alone)


@lru_cache(maxsize=REMEMBERED)
def _dealer(bands: Bands, spread: float, cards: int, *, alone: bool) -> Mapping[Slot, Rect]:
    high = dealer_card_h(bands, alone=alone)
    wide, top, unit = high * CARD_RATIO, dealer_top(bands, alone=alone), bands.unit
    many = max(2.0, spread)
    widest = min(1000.0, bands.width - 900)
    natural = min(1.1, 2.2 / (many - 1)) if many > 1 else 1.1
    step = min(max(0.42, natural), (widest / wide - 1) / max(1.0, many - 1)) * wide
    left = bands.width / 2 - (wide + (many - 1) * step) / 2
    right = left + wide + (many - 1) * step
    rects = {
        Slot(Kind.CARD, DEALER, 0, index): spanning(x, top, x + wide, top + high, unit)
        for index in range(cards)
        for x in (left + index * step,)
    }
    disc = high * PLAQUE_OF_CARD * 0.94
    rects[Slot(Kind.PLAQUE, DEALER)] = lying_at(left - disc - 4, top - 6, disc, disc, unit)
    middle = (left + right) / 2
    rects[Slot(Kind.DEALER_BANNER)] = spanning(middle - 150, top + high - 24, middle + 150, top + high + 16, unit)
    return rects


# --- places -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Box:
    """The room of one place, in design units."""

    left: float
    top: float
    right: float
    bottom: float


@lru_cache(maxsize=REMEMBERED)
def boxes_of(bands: Bands, hands: tuple[int, ...]) -> tuple[Box, ...]:
    """Returns the column of each place, by its number of hands with cards. Several hands widen a column, places without
    any give room. The same numbers give the same objects."""
    return _boxes(bands, shares_of(hands))


@lru_cache(maxsize=REMEMBERED)
def _boxes(bands: Bands, shares: tuple[float, ...]) -> tuple[Box, ...]:
    top, bottom = places_top(bands, alone=len(shares) == 1), bands.rail_top - 6
    if len(shares) == 1:
        half = min(bands.width / 2 - EDGE, 760.0)
        return (Box(left=bands.width / 2 - half, top=top, right=bands.width / 2 + half, bottom=bottom),)
    rise = RISE * min(bands.tall, 1.3)
    whole = min(bands.width - 2 * EDGE, 2300.0)
    left = (bands.width - whole) / 2
    boxes = []
    for share in shares:
        right = left + share * whole
        off = ((left + right) / 2 - bands.width / 2) / (whole * 0.4)
        up = rise * min(1.0, off * off)
        boxes.append(Box(left=left + 5, top=top + rise - up, right=right - 5, bottom=bottom - up))
        left = right
    return tuple(boxes)


def lying(
    bands: Bands, number: int, hands: tuple[HandView, ...], box: Box, *, insured: bool, alone: bool
) -> Mapping[Slot, Rect]:
    """Returns the hands of a place that stands still in its column."""
    shape = tuple([_shape(hand) for hand in hands])
    return _one_place(bands, PartsKey(hands, number, shape), box, insured=insured, alone=alone)


def _shape(hand: HandView) -> tuple[int, int, int, int]:
    """Returns everything of a hand that decides its place."""
    letters = 0 if hand.banner is None else 1 + len(hand.banner.word) + len(hand.banner.amount)
    return len(hand.cards), len(hand.stake), hand.stake_room, letters


@lru_cache(maxsize=FORESEEN)
def _one_place(
    bands: Bands, known: PartsKey[tuple[HandView, ...]], box: Box, *, insured: bool, alone: bool
) -> Mapping[Slot, Rect]:
    number, views = known.parts[0], known.it
    assert isinstance(number, int)
    room, bottom = _room(bands, box, alone=alone)
    fan = best_fan(room, views)
    rects = {Slot(Kind.PLACE, number): spanning(box.left, box.top, box.right, box.bottom, bands.unit)}
    line_h = room.height / fan.form.lines
    for line, hands in enumerate(fan.form.lined_up(views)):
        line_bottom = bottom - (fan.form.lines - 1 - line) * line_h
        rects |= _line_of_hands(bands, number, hands, fan, (box.left, box.right, line_bottom))
    if insured and alone:
        rects[Slot(Kind.INSURANCE, number)] = _beside_stake(bands, rects, number)
    elif insured:
        cards = [rect.y for slot, rect in rects.items() if slot.kind is Kind.CARD]
        y = min(cards, default=round(bottom * bands.unit)) / bands.unit - fan.form.pointer_h
        middle = (box.left + box.right) / 2
        half = min(130.0, (box.right - box.left) / 2)
        rects[Slot(Kind.INSURANCE, number)] = lying_at(
            middle - half, y - INSURANCE_H + 2, 2 * half, INSURANCE_H - 4, bands.unit
        )
    return rects


def _room(bands: Bands, box: Box, *, alone: bool) -> tuple[Room, float]:
    """Returns the room of a column for hands, and their lowest edge. The room for an insurance is always kept free, so
    that cards do not shrink when there is one."""
    insurance_h = 0.0 if alone else INSURANCE_H
    high, stretch = card_h(bands, alone=alone), min(bands.tall, 1.3)
    single = forms_for(hands=1, alone=alone, stretch=stretch)[0]
    spare = max(0.0, box.bottom - box.top - insurance_h - single.around_h - high)
    bottom = box.bottom - spare / 2
    room = Room(
        width=box.right - box.left,
        height=bottom - box.top - insurance_h,
        card_h=high,
        unit=bands.unit,
        heights_px=card_heights(bands, alone=alone),
        alone=alone,
        stretch=stretch,
    )
    return room, bottom


def _beside_stake(bands: Bands, rects: Mapping[Slot, Rect], place: int) -> Rect:
    """Returns the insurance of the only place: left of the stake of its first hand, in line with the amount."""
    amount, chips = rects[Slot(Kind.AMOUNT, place)], rects[Slot(Kind.CHIPS, place)]
    right = min(amount.x, chips.x) / bands.unit - TAG_GAP
    left = max(EDGE, right - TAG_W)
    return lying_at(left, amount.y / bands.unit, right - left, amount.h / bands.unit, bands.unit)


def _line_of_hands(
    bands: Bands,
    place: int,
    hands: tuple[tuple[int, HandView], ...],
    fan: Fan,
    room: tuple[float, float, float],
) -> dict[Slot, Rect]:
    """Returns the hands of one line side by side, the whole line centred between `room`'s left and right, on its
    bottom."""
    views = tuple(view for _, view in hands)
    widths = fan.slot_widths(views, room[1] - room[0])
    left = (room[0] + room[1] - sum(widths) - fan.gaps(views)) / 2
    rects: dict[Slot, Rect] = {}
    for (number, view), width in zip(hands, widths, strict=True):
        spot = HandSpot(bands=bands, place=place, hand=number, view=view, fan=fan, left=left, width=width, foot=room[2])
        rects |= dict(spot.rects(alone=len(views) == 1))
        left += width + HAND_GAP
    return rects


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSpot:
    """One hand with its room: `left` and `width`, and `foot`, its lower edge; design units."""

    bands: Bands
    place: int
    hand: int
    view: HandView
    fan: Fan
    left: float
    width: float
    foot: float

    def rects(self, *, alone: bool) -> Iterator[tuple[Slot, Rect]]:
        """Yields all parts of this hand by slot."""
        spread = self.fan.spread_of(self.view)
        overhang = self.fan.overhang if alone else self.fan.overhang / 2
        cards_left = self.left + (self.width - spread) / 2 - (0 if alone else overhang)
        cards_bottom = self.foot - self.fan.form.stake_h - self.fan.form.banner_h / 2 - 2
        yield from self._cards(cards_left, cards_bottom)
        yield from self._marks(cards_left, spread, cards_bottom)
        if self.fan.form.lines == 1:
            yield from self._stake_below(cards_left + spread / 2)
        else:
            yield from self._stake_in_line()

    def _slot(self, kind: Kind, index: int = 0) -> Slot:
        return Slot(kind, self.place, self.hand, index)

    def _thing(self, left: float, top: float, width: float, height: float) -> Rect:
        """Returns the room of a part that is drawn once for many places."""
        return lying_at(left, top, width, height, self.bands.unit)

    def _cards(self, left: float, bottom: float) -> Iterator[tuple[Slot, Rect]]:
        fan, count = self.fan, max(2, len(self.view.cards))
        rows = fan.rows_of(len(self.view.cards))
        top = bottom - fan.card_h - (rows - 1) * fan.row_pitch
        for index in range(count):
            row, column = divmod(index, fan.per_row)
            x = left + column * fan.step
            yield self._slot(Kind.CARD, index), self._thing(x, top + row * fan.row_pitch, fan.card_w, fan.card_h)

    def _marks(self, left: float, spread: float, bottom: float) -> Iterator[tuple[Slot, Rect]]:
        fan = self.fan
        top = bottom - fan.card_h - (fan.rows_of(len(self.view.cards)) - 1) * fan.row_pitch
        disc = fan.plaque
        yield (
            self._slot(Kind.PLAQUE),
            self._thing(left + spread - disc * 0.45, top - disc * 0.32, disc, disc),
        )
        tip = min(28.0, fan.form.pointer_h - 6)
        middle = left + max(tip / 2, min(spread / 2, spread - disc * 0.45 - tip / 2 - 2))
        yield self._slot(Kind.POINTER), self._thing(middle - tip / 2, top - tip * 0.75 - 5, tip, tip * 0.75)
        yield self._slot(Kind.BANNER), self._banner(left + spread / 2, bottom)

    def _banner(self, middle: float, bottom: float) -> Rect:
        high = self.fan.form.banner_h
        banner = self.view.banner
        letters = len(banner.word) + len(banner.amount) + 1 if banner else 10
        wide = min(self.width, max(letters * high * 0.36 + high, 3 * high))
        middle = min(max(middle, self.left + wide / 2), self.left + self.width - wide / 2)
        return self._thing(middle - wide / 2, bottom - high / 2, wide, high)

    def _stake_below(self, middle: float) -> Iterator[tuple[Slot, Rect]]:
        """Yields circle or free chips under the cards, the amount under them."""
        form = self.fan.form
        ring = form.stake_h - 4 - (0 if form.tag_beside else form.tag_h)
        top = self.foot - form.stake_h + 2
        if form.circle:
            yield Slot(Kind.SPOT, self.place), self._thing(middle - ring / 2, top, ring, ring)
        chip = (ring - 6) / STACK_RISE if not form.circle else ring * 0.70
        chip_top = top + (ring - chip * STACK_RISE) / 2
        chip_left = max(self.left, middle - chip / 2)
        yield self._slot(Kind.CHIPS), self._thing(chip_left, chip_top, chip, chip * STACK_RISE)
        beside = middle + (ring / 2 + 6 if form.circle else chip / 2 + 4)
        beside = min(beside, self.left + self.width - chip)
        yield self._slot(Kind.WIN_CHIPS), self._thing(beside, chip_top, chip, chip * STACK_RISE)
        tag_h = form.tag_h - 2
        wide = max(96.0, len(self.view.stake) * 12.0 + 24) * tag_h / 28
        if form.tag_beside:
            tag_left, tag_top = middle - ring / 2 - 14 - wide, top + (ring - tag_h) / 2
        else:
            wide = min(self.width, wide)
            tag_left = min(max(middle - wide / 2, self.left), self.left + self.width - wide)
            tag_top = self.foot - form.tag_h
        yield self._slot(Kind.AMOUNT), self._thing(tag_left, tag_top, wide, tag_h)

    def _stake_in_line(self) -> Iterator[tuple[Slot, Rect]]:
        """Yields chips and amount in one line under the cards."""
        top = self.foot - self.fan.form.stake_h + self.fan.form.banner_h / 2 - 11
        high = self.foot - top - 2
        chip = high / STACK_RISE
        tag_h = min(high, IN_LINE_TAG_H)
        wide = min(self.width - 2 * chip - 6, max(70.0, len(self.view.stake) * 11.0 + 16) * tag_h / 28)
        left = self.left + max(0.0, (self.width - wide - 2 * chip - 6) / 2)
        yield self._slot(Kind.CHIPS), self._thing(left, top, chip, high)
        yield self._slot(Kind.WIN_CHIPS), self._thing(left + chip + 2, top, chip, high)
        tag_top = top + (high - tag_h) / 2
        yield self._slot(Kind.AMOUNT), self._thing(left + 2 * chip + 6, tag_top, wide, tag_h)

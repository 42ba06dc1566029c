"""A table: the print on the felt, the dealer, the places, and everything that flies between them.

Rules: everything is at its slot of the layout; of several hands the active one is lit; the cards of a lost hand
are in shade.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.buttons import BannerTone, pointer
from cabinet.ui.art.cards import card_rim, card_size, shadow_drop, shadow_margin, slot
from cabinet.ui.art.chips import chip_shadow
from cabinet.ui.art.felt import CircleState, bet_circle, shoe
from cabinet.ui.layout.bands import bands_of
from cabinet.ui.layout.fan import NATURAL_STEP
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.hands import card_px
from cabinet.ui.layout.screen import Layout, sprite_rect
from cabinet.ui.paint.deck import NEAR_PX, card_asset, heights_for, nearest
from cabinet.ui.paint.decor import card_place, cartouche
from cabinet.ui.paint.grounds import card_shade, dialog, light
from cabinet.ui.paint.keys import key, printed, result, stack, tag, total
from cabinet.ui.paint.pieces import Asset, Faded, Scaled, piece
from cabinet.ui.paint.sheet import MIDDLE, RIGHT, Sheet
from cabinet.ui.shapes import CARD_RATIO
from cabinet.ui.view import (
    DEALER,
    Banner,
    CardView,
    DealerView,
    HandView,
    Kind,
    PlaceView,
    Plaque,
    QuestionView,
    Slot,
    Sprite,
    SpriteKind,
    TableView,
)

LOST: Final = 140
"""Brightness of the cards of a lost hand, of 255."""
CAPITALS: Final = (True, False, True)
PRINT_STRENGTH: Final = (250, 245, 245)
PRINT_TRACKING: Final = (0.11, 0.04, 0.12)
"""The tracking of the felt's lines, from the first one down; all further ones have the last."""
LIT_REACH: Final = 0.9
"""How far the light extends beyond a hand on each side, in card heights."""
LIT_CARDS: Final = (1.0, 0.6)
LIT_HANDS: Final = (2, 5)
"""Lights are made for cards of these multiples of the wanted height, and for hands of these numbers of cards."""
LIT_BEYOND: Final = (1.6, 2.4)
"""A light is large enough for a hand when it is these times as wide and as high."""


class CardStyle(NamedTuple):
    """The common look of all cards of a table."""

    heights: tuple[int, ...]
    four_colour: bool


def put_dealer(sheet: Sheet, where: Layout, dealer: DealerView, *, four_colour: bool) -> None:
    """Paints the dealer's cards, total and result."""
    style = CardStyle(heights_for(where.size), four_colour)
    if not dealer.hand.cards and not dealer.awaits:
        first, second = (where.rect(Slot(Kind.CARD, DEALER, 0, index)) for index in (0, 1))
        _put_card_place(sheet, where, DEALER, (second.right - first.x, first.h))
    _put_cards(sheet, where, dealer.hand, DEALER, 0, style)
    if dealer.awaits:
        room = where.rect(Slot(Kind.CARD, DEALER, 0, len(dealer.hand.cards)))
        sheet.place(piece(slot, nearest(room.h, style.heights)), room)
    _put_total(sheet, where.rect(Slot(Kind.PLAQUE, DEALER)), dealer.hand)
    if dealer.hand.banner is not None:
        _put_banner(sheet, where.rect(Slot(Kind.DEALER_BANNER)), dealer.hand.banner)


def put_hands(sheet: Sheet, where: Layout, place: PlaceView, *, four_colour: bool) -> None:
    """Paints the cards and chips of a place."""
    style = CardStyle(heights_for(where.size), four_colour)
    for number, hand in enumerate(place.hands):
        _put_cards(sheet, where, hand, place.number, number, style)
        _put_stakes(sheet, where, hand, place.number, number)


# --- felt -------------------------------------------------------------------------------------------------------


def put_print(sheet: Sheet, where: Layout, table: TableView) -> None:
    """Paints the print on the felt, and the shoe."""
    room = where.rect(Slot(Kind.SHOE))
    sheet.place(piece(shoe, room.h), room)
    _put_plate(sheet, where, table.plate)
    if table.question is None:
        for number, (arc, words) in enumerate(zip(where.arcs, table.felt_lines, strict=True)):
            half = (arc.right - arc.left) // 2
            style = min(number, len(CAPITALS) - 1)
            cased = words.upper() if CAPITALS[style] else words
            asset = piece(printed, arc.px, cased, palette.BRASS_LIGHT, half, arc.sag, PRINT_TRACKING[style])
            box = Rect(arc.left, arc.y - arc.px, arc.right - arc.left, arc.px + arc.sag)
            sheet.place(Faded(asset, PRINT_STRENGTH[style]), box, down=1.0)


def _put_plate(sheet: Sheet, where: Layout, lines: tuple[str, ...]) -> None:
    """Paints the name of the game and its packs in a printed frame, the first line large."""
    if not lines:
        return
    room = where.rect(Slot(Kind.PLATE))
    sheet.put(piece(cartouche, (room.w, room.h)), room.x, room.y)
    px = where.text_px(Kind.PLATE)
    sizes = [px, *(round(px * 0.7) for _ in lines[1:])]
    y = room.y + (room.h - round(sum(sizes) * 1.45)) // 2
    for number, (words, size) in enumerate(zip(lines, sizes, strict=True)):
        role = Role.TITLE if number == 0 else Role.TEXT
        colour = palette.BRASS_LIGHT if number == 0 else palette.CREAM_DIM
        box = Rect(room.x + px // 2, y, room.w - px, round(size * 1.45))
        sheet.words(role, size, words, box, colour=colour, tracking=0.04)
        y += round(size * 1.45)


def put_ground(sheet: Sheet, where: Layout, place: PlaceView, *, alone: bool) -> None:
    """Paints the ground under the cards of a place: the light on the active hand and the betting circle."""
    if not any(hand.cards for hand in place.hands):
        _put_card_place(sheet, where, place.number, frame_size(where.size, alone=alone))
    for number, hand in enumerate(place.hands):
        if hand.active:
            _put_light(sheet, where, place, number, alone=alone)
    if where.has(Kind.SPOT, place.number):
        room = where.rect(Slot(Kind.SPOT, place.number))
        state = CircleState.CHOSEN if place.pointed else CircleState.IDLE
        sheet.place(piece(bet_circle, room.w, state), room)
    if place.asked:
        room = where.rect(Slot(Kind.PLACE, place.number))
        if not alone:
            sheet.place(asked_light(room), room)


def _put_card_place(sheet: Sheet, where: Layout, place: int, size: tuple[int, int]) -> None:
    """Paints the printed frame for the first two cards of a place."""
    first, second = (where.rect(Slot(Kind.CARD, place, 0, index)) for index in (0, 1))
    sheet.place(piece(card_place, size), Rect(first.x, first.y, second.right - first.x, first.h))


def frame_size(size: tuple[int, int], *, alone: bool) -> tuple[int, int]:
    """Returns the size of that frame at the places of a display: two cards where there is room."""
    high = card_px(bands_of(size), alone=alone)
    return round(card_size(high)[0] * (1 + NATURAL_STEP)), high


def _put_light(sheet: Sheet, where: Layout, place: PlaceView, number: int, *, alone: bool) -> None:
    """Paints the light, which stands still while cards come to the hand: it is centred on the place and rarely
    grows."""
    cards = [
        where.rect(Slot(Kind.CARD, place.number, number, index))
        for index in range(max(2, len(place.hands[number].cards)))
    ]
    left, right = min(card.x for card in cards), max(card.right for card in cards)
    top, bottom = min(card.y for card in cards), max(card.bottom for card in cards)
    asset = light_on(right - left, bottom - top, lights_for(where.size, alone=alone))
    middle = where.rect(Slot(Kind.PLACE, place.number)) if len(place.hands) == 1 else Rect(left, top, right - left, 0)
    sheet.place(asset, Rect(middle.x, top, middle.w, bottom - top))


def asked_light(room: Rect) -> Asset:
    """Returns the light on a place that is asked about insurance."""
    step = max(8, room.w // 8)
    # No two places have the same width in pixels: with rounded widths they share one light.
    return light((-(-room.w // step) * step, round(room.h * 0.9)))


def light_on(wide: int, high: int, lights: tuple[tuple[int, int], ...]) -> Asset:
    """Returns the light on a hand of this size: the smallest that extends well beyond it, else the largest."""
    enough = [size for size in lights if size[0] >= wide * LIT_BEYOND[0] and size[1] >= high * LIT_BEYOND[1]]
    return light(min(enough or lights[:1], key=lambda size: size[0] * size[1]))


def lights_for(size: tuple[int, int], *, alone: bool) -> tuple[tuple[int, int], ...]:
    """Returns the sizes of the lights on hands of a display, the largest first: few, so that all can be prepared."""
    wanted = card_px(bands_of(size), alone=alone)
    found = [
        (
            round(high * (CARD_RATIO * (1 + NATURAL_STEP * (cards - 1)) + 2 * LIT_REACH)),
            round(high * (1 + 2 * LIT_REACH)),
        )
        for high in (wanted * share for share in LIT_CARDS)
        for cards in LIT_HANDS
    ]
    return tuple(sorted(found, reverse=True))


# --- hands ------------------------------------------------------------------------------------------------------


def _put_cards(sheet: Sheet, where: Layout, hand: HandView, place: int, number: int, style: CardStyle) -> None:
    for room, card in _cards_of(where, hand, place, number):
        _put_card(sheet, room, card, style, dimmed=hand.dimmed)


def _cards_of(where: Layout, hand: HandView, place: int, number: int) -> Iterator[tuple[Rect, CardView]]:
    for index, card in enumerate(hand.cards):
        if not card.hidden:
            yield where.rect(Slot(Kind.CARD, place, number, index)), card


def _put_card(sheet: Sheet, room: Rect, card: CardView, style: CardStyle, *, dimmed: bool) -> None:
    asset, size = card_asset(card.card, room.h, style.heights, turn=card.turn, four_colour=style.four_colour)
    _put_shadow(sheet, room, size[0], style)
    x = room.x + (room.w - size[0]) // 2
    sheet.put(asset, x, room.y)
    if dimmed:
        shade = lost_shade(nearest(room.h, style.heights))
        sheet.put(shade if sheet.size_of(shade) == size else Scaled(shade, size), x, room.y)


def lost_shade(high: int) -> Asset:
    """Returns the shade over a card of a lost hand: it has a card's shape, so that no face is kept twice."""
    return piece(card_shade, high, 255 - LOST)


def _put_shadow(sheet: Sheet, room: Rect, wide: int, style: CardStyle) -> None:
    prepared = nearest(room.h, style.heights)
    margin, high = shadow_margin(prepared), prepared if abs(room.h - prepared) <= NEAR_PX else room.h
    x = room.x + (room.w - wide) // 2 - margin
    sheet.put(shadow_of(prepared, (wide, high)), x, room.y - margin + shadow_drop(high))


def shadow_of(prepared: int, size: tuple[int, int]) -> Asset:
    """Returns the shadow of a card of `size`, made from that of a prepared height."""
    return piece(card_rim, prepared, size)


def _put_stakes(sheet: Sheet, where: Layout, hand: HandView, place: int, number: int) -> None:
    for kind, chips in ((Kind.CHIPS, hand.chips), (Kind.WIN_CHIPS, hand.win_chips)):
        if chips:
            _put_stack(sheet, where.rect(Slot(kind, place, number)), chips)
    room = where.rect(Slot(Kind.AMOUNT, place, number))
    # A hand that still comes apart from another has no room for figures yet.
    if hand.stake and room.w > 2 * room.h:
        sheet.place(piece(tag, hand.stake, (room.w, room.h)), room)


def _put_stack(sheet: Sheet, room: Rect, chips: tuple[int, ...]) -> None:
    asset = stack(chips, room.w)
    wide, high = asset.size
    foot = room.y + (room.h + high) // 2
    x = room.x + (room.w - wide) // 2
    sheet.place(piece(chip_shadow, wide), Rect(x, foot - wide + wide // 10, wide, wide))
    sheet.put(asset, x, foot - high)


def put_signs(sheet: Sheet, where: Layout, place: PlaceView, *, alone: bool) -> None:
    """Paints totals, results, the pointer and the insurance tag: above all cards of the place."""
    for number, hand in enumerate(place.hands):
        _put_total(sheet, where.rect(Slot(Kind.PLAQUE, place.number, number)), hand)
        if hand.banner is not None:
            _put_banner(sheet, where.rect(Slot(Kind.BANNER, place.number, number)), hand.banner)
        if hand.active or place.asked:
            room = where.rect(Slot(Kind.POINTER, place.number, number))
            sheet.place(piece(pointer, pointer_px(room)), room)
    if place.insurance:
        room = where.rect(Slot(Kind.INSURANCE, place.number))
        across = RIGHT if alone else MIDDLE
        sheet.place(piece(result, place.insurance, (room.w, room.h), BannerTone.NEUTRAL), room, across=across)


def pointer_px(room: Rect) -> int:
    """Returns the size of the pointer, with its glow."""
    return round(room.w * 1.7)


def _put_total(sheet: Sheet, room: Rect, hand: HandView) -> None:
    view: Plaque | None = hand.plaque
    if view is not None:
        word = view.soft_word if view.soft else ""
        sheet.put(piece(total, room.w, view.number, word, active=hand.active, bust=view.bust), room.x, room.y)


def _put_banner(sheet: Sheet, room: Rect, view: Banner) -> None:
    words = f"{view.word} {view.amount}".strip()
    sheet.place(piece(result, words, (room.w, room.h), BannerTone(view.tone.value)), room)


# --- question ---------------------------------------------------------------------------------------------------


def put_question(sheet: Sheet, where: Layout, view: QuestionView) -> None:
    """Paints the insurance question of one place."""
    box = where.rect(Slot(Kind.QUESTION))
    sheet.put(dialog((box.w, box.h)), box.x, box.y)
    room = where.rect(Slot(Kind.QUESTION_TEXT))
    sheet.words(Role.TITLE, where.text_px(Kind.QUESTION_TEXT), view.text, room)
    words = view.detail if view.amount in view.detail else f"{view.amount} {view.detail}"
    room = where.rect(Slot(Kind.QUESTION_AMOUNT))
    sheet.words(Role.TEXT, where.text_px(Kind.QUESTION_AMOUNT), words, room, colour=palette.BRASS_LIGHT)
    for index, button in enumerate(view.buttons):
        room = where.rect(Slot(Kind.QUESTION_BUTTON, nth=index))
        sheet.put(piece(key, (room.w, room.h), button.word, "", lit=button.lit), room.x, room.y)


# --- what moves -------------------------------------------------------------------------------------------------


def put_sprites(sheet: Sheet, where: Layout, sprites: tuple[Sprite, ...], *, four_colour: bool) -> None:
    """Paints flying cards and chips at their size on the table: nothing is scaled in flight."""
    style = CardStyle(heights_for(where.size), four_colour)
    for sprite in sprites:
        room = sprite_rect(where, sprite)
        if sprite.kind is SpriteKind.CHIPS:
            _put_stack(sheet, room, sprite.chips)
        else:
            turn = 0.0 if sprite.card is None else 1.0
            _put_card(sheet, room, CardView(card=sprite.card, turn=turn), style, dimmed=sprite.dimmed)

"""What play will need, in the order in which it will be needed.

Rules: names assets and type only, makes none; the pack at the sizes of cards at rest comes first, then what may come
at any time (the other cloths, panels), then cards at the sizes of crowded tables. Any screen there is can be asked
about: what has no room on it (chips in the attendant's menu, the circle of a split place) is left out.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from cabinet.engine.cards import BLACKJACK_TOTAL
from cabinet.engine.inputs import Button
from cabinet.ui.art import palette
from cabinet.ui.art.buttons import (
    BannerTone,
    banner_type_px,
    legend_type_px,
    plaque_type_px,
    pointer,
    tag_type_px,
)
from cabinet.ui.art.cards import SMALL_PX, card_back, card_shadow, slot
from cabinet.ui.art.chips import chip_shadow
from cabinet.ui.art.felt import CircleState, bet_circle
from cabinet.ui.art.fonts import Role
from cabinet.ui.layout import Layout, layout
from cabinet.ui.paint.bars import PAID, chip_assets, legend_asset, meter_light
from cabinet.ui.paint.deck import face_of, heights_for, turning_sizes
from cabinet.ui.paint.decor import FANS, cloth
from cabinet.ui.paint.keys import (
    MOST_IN_STACK,
    STACK_SHARE,
    dialog,
    key,
    key_type_px,
    result,
    stacked_chip,
    tag,
    total,
)
from cabinet.ui.paint.panels import game_fan, game_ground, still_life
from cabinet.ui.paint.pieces import Asset, Scaled, piece
from cabinet.ui.paint.table import asked_light, light_on, lit_width, lost_shade, pointer_px, shadow_of
from cabinet.ui.view import (
    DEALER,
    ChoiceView,
    GameCard,
    HelpView,
    Kind,
    LegendView,
    NoticeTone,
    NoticeView,
    PlaceView,
    QuestionButton,
    QuestionView,
    Scene,
    Screen,
    Slot,
)

FACES = 52
LOWEST, MOST = 2, 30
"""The totals a hand may have: one card, and a bust."""
AT_REST = 4
"""How many of `heights_for` are those of cards at rest."""
MORE_CARDS = 5
"""So many cards more than two are lit without a new light."""
BANNERS = ((Kind.BANNER, 0), (Kind.DEALER_BANNER, 0), (Kind.INSURANCE, 0))
LETTERS = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    " .,:;!?'’„“”\"()/%&+-–−—·×…½¼$€£\u00a0\u202f"
    "ÄÖÜäöüßÀÂÇÈÉÊÎÔÙÛàâçèéêëîïôùûœÁÍÑÓÚáíñóú¿¡«»"
)
"""Every letter and sign of a line that may change while a round is told, in all languages."""


FIGURES = "0123456789 .,:+-−$€£\u00a0\u202f"
"""Every sign of an amount."""


class Type(NamedTuple):
    """Type that is used in play, and the letters of it that are drawn beforehand."""

    role: Role
    px: int
    signs: str = LETTERS


def assets_to_prepare(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """Everything worth preparing for a display of `size`, with the chips and legends of this screen."""
    heights = heights_for(size)
    yield from chain(
        _buttons(size, screen),
        _signs(size, screen),
        _pack(heights[:AT_REST], four_colour=screen.four_colour),
        _stacks(size, screen),
        _totals(size, screen),
        _lights(size, screen),
        _turning(heights[:AT_REST], four_colour=screen.four_colour),
        (piece(cloth, size, game_id) for game_id in palette.FELT),
        _panels(size, screen),
        _pack(heights[AT_REST:], four_colour=screen.four_colour),
    )


def types_to_prepare(size: tuple[int, int], screen: Screen) -> Iterator[Type]:
    """The type of every line that changes while a round is told."""
    where = layout(size, screen)
    lines = (
        (Role.TITLE, Kind.MESSAGE, LETTERS),
        (Role.TEXT, Kind.HINT, LETTERS),
        (Role.FIGURES, Kind.METER_VALUE, FIGURES),
        (Role.FIGURES, Kind.CREDITS, LETTERS),
        (Role.FIGURES, Kind.CLOCK, FIGURES),
        (Role.TITLE, Kind.QUESTION_TEXT, LETTERS),
        (Role.TEXT, Kind.QUESTION_AMOUNT, LETTERS),
        (Role.TEXT_BOLD, Kind.TOP_ITEM, LETTERS),
    )
    yield from (Type(role, where.text_px(kind), signs) for role, kind, signs in lines)
    if where.has(Kind.LEGEND):
        yield from _key_types(where.rect(Slot(Kind.LEGEND)).h)
    for where in _layouts(size, screen):
        yield from _table_types(where)


def _layouts(size: tuple[int, int], screen: Screen) -> Iterator[Layout]:
    """The table as it is, and as it lies while its places are insured; nothing where there is no table."""
    if (table := screen.table) is not None:
        yield layout(size, screen)
        insured = tuple(replace(place, insurance="-") for place in table.places)
        yield layout(size, replace(screen, table=replace(table, places=insured)))


def _key_types(high: int) -> Iterator[Type]:
    for px in dict.fromkeys((*key_type_px(high), legend_type_px(high))):
        yield Type(Role.TEXT_BOLD, px)


def _table_types(where: Layout) -> Iterator[Type]:
    for place in (0, DEALER):
        soft, plain, word = plaque_type_px(where.rect(Slot(Kind.PLAQUE, place)).w)
        yield from (Type(Role.FIGURES, px, FIGURES) for px in (soft, plain))
        yield Type(Role.FIGURES, word)
    for kind, place in BANNERS:
        if where.has(kind, place):
            yield Type(Role.TEXT_BOLD, banner_type_px(where.rect(Slot(kind, place)).h))
    if where.has(Kind.AMOUNT):
        yield Type(Role.FIGURES, tag_type_px(where.rect(Slot(Kind.AMOUNT)).h), FIGURES)


def _pack(heights: tuple[int, ...], *, four_colour: bool) -> Iterator[Asset]:
    for high in heights:
        yield piece(card_back, high)
        yield piece(card_shadow, high)
        yield lost_shade(high)
        if high >= SMALL_PX:
            yield piece(slot, high)
    for high in heights:
        for card in range(FACES):
            yield face_of(card, high, four_colour=four_colour)


def _turning(heights: tuple[int, ...], *, four_colour: bool) -> Iterator[Asset]:
    """Cards at rest heights as they turn over, in each of the widths they take."""
    for high in heights:
        faces = [piece(card_back, high), *(face_of(card, high, four_colour=four_colour) for card in range(FACES))]
        for wide in turning_sizes(high):
            yield shadow_of(high, wide)
            yield from (Scaled(face, wide) for face in faces)


def _buttons(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """Every legend in each of its states, and chips that cannot be taken."""
    where = layout(size, screen)
    for index, legend in enumerate(screen.rail.legends):
        if where.has(Kind.LEGEND, nth=index):
            room = where.rect(Slot(Kind.LEGEND, nth=index))
            for lit, pressed, second in _looks(legend):
                yield legend_asset((room.w, room.h), replace(legend, lit=lit, pressed=pressed, second=second))
    for index, chip in enumerate(screen.rail.chips):
        if where.has(Kind.CHIP, nth=index):
            for enabled in (True, False):
                yield from chip_assets(
                    replace(chip, raised=True, enabled=enabled), where.rect(Slot(Kind.CHIP, nth=index)).w
                )


def _looks(legend: LegendView) -> Iterator[tuple[bool, bool, str]]:
    """Lit, pressed, and what it says below; a dark one says nothing."""
    for second in dict.fromkeys((legend.second, "")):
        yield from ((True, False, second), (True, True, second))
    yield from ((False, False, ""), (False, True, ""))


def _totals(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """The plaques of hard totals, circles, and the pointer."""
    for where in _layouts(size, screen):
        yield from _totals_of(where)


def _totals_of(where: Layout) -> Iterator[Asset]:
    for room, actives in ((Slot(Kind.PLAQUE), (False, True)), (Slot(Kind.PLAQUE, DEALER), (False,))):
        diameter = where.rect(room).w
        for active in actives:
            for points in range(LOWEST, MOST + 1):
                yield piece(total, diameter, str(points), "", active=active, bust=points > BLACKJACK_TOTAL)
    if where.has(Kind.SPOT):
        for state in (CircleState.IDLE, CircleState.CHOSEN):
            yield piece(bet_circle, where.rect(Slot(Kind.SPOT)).w, state)
    yield piece(pointer, pointer_px(where.rect(Slot(Kind.POINTER))))


def _lights(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """The light on a hand of two cards and more, on the place that is asked, and on the amount counted up."""
    for where in _layouts(size, screen):
        yield from _lights_of(where, () if screen.table is None else screen.table.places)


def _lights_of(where: Layout, places: tuple[PlaceView, ...]) -> Iterator[Asset]:
    first, second = (where.rect(Slot(Kind.CARD, nth=nth)) for nth in (0, 1))
    two, step = second.right - first.x, second.x - first.x
    yield from dict.fromkeys(light_on(lit_width(two, two + more * step), first.h) for more in range(MORE_CARDS))
    if len(places) > 1:
        yield from (asked_light(where.rect(Slot(Kind.PLACE, place.number))) for place in places)
    if where.has(Kind.METER_VALUE, nth=PAID):
        yield meter_light(where.rect(Slot(Kind.METER_VALUE, nth=PAID)), where.text_px(Kind.METER_VALUE))


def _signs(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """What lies under results and stakes; with no words on it here."""
    for where in _layouts(size, screen):
        yield from _signs_of(where)


def _signs_of(where: Layout) -> Iterator[Asset]:
    for kind, place in BANNERS:
        if where.has(kind, place):
            room = where.rect(Slot(kind, place))
            yield from (piece(result, "", (room.w, room.h), tone) for tone in BannerTone)
    if where.has(Kind.AMOUNT):
        room = where.rect(Slot(Kind.AMOUNT))
        yield piece(tag, "", (room.w, room.h))


def _stacks(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """The chips of stacks in each of their turns."""
    where = layout(size, screen)
    if not where.has(Kind.CHIPS):
        return
    diameter = max(8, round(where.rect(Slot(Kind.CHIPS)).w * STACK_SHARE))
    for chip in screen.rail.chips:
        for level in range(MOST_IN_STACK):
            yield stacked_chip(chip.cents, diameter, level)
    yield piece(chip_shadow, diameter)


def _panels(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """The grounds of notices, of help and of the insurance question, the game choice and the welcome."""
    notice = NoticeView(tone=NoticeTone.CALM, title="-", sentence="-", advice="-")
    yield _ground(size, replace(screen, overlay=notice))
    if screen.table is not None:
        offered = tuple(QuestionButton(button=button, word="", lit=True) for button in (Button.STAND, Button.HIT))
        question = QuestionView(text="-", amount="-", detail="-", buttons=offered)
        asked = layout(size, replace(screen, table=replace(screen.table, question=question)))
        box = asked.rect(Slot(Kind.QUESTION))
        yield dialog((box.w, box.h))
        room = asked.rect(Slot(Kind.QUESTION_BUTTON))
        yield from (piece(key, (room.w, room.h), "", "", lit=lit) for lit in (True, False))
    page = HelpView(title="-", heading="-", lines=(), position="", buttons=())
    yield _ground(size, replace(screen, overlay=page))
    games = tuple(
        GameCard(game_id=game_id, title="-", lines=(), limits="", returns="", pointed=False) for game_id in FANS
    )
    choice = replace(screen, scene=Scene.CHOICE, choice=ChoiceView(heading="-", lines=(), games=games))
    where = layout(size, choice)
    yield from still_life(where)
    for index, game_id in enumerate(FANS):
        yield game_fan(where, game_id, index)
        for bright in (True, False):
            yield game_ground(where, game_id, index, bright=bright)


def _ground(size: tuple[int, int], screen: Screen) -> Asset:
    box = layout(size, screen).rect(Slot(Kind.OVERLAY))
    return dialog((box.w, box.h))

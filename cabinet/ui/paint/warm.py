"""The assets that play will need, in the order of need.

Rules: names assets and type only, makes none. The pack at the sizes of cards at rest comes first, then assets that may
be needed at any time (the other cloths, panels), then cards at the sizes of crowded tables. Accepts every screen:
things without room on it (chips in the attendant's menu, the circle of a split place) are left out.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from cabinet.engine.cards import BLACKJACK_TOTAL
from cabinet.engine.inputs import Button
from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.buttons import (
    BannerTone,
    banner_type_px,
    legend_type_px,
    plaque_type_px,
    pointer,
    tag_type_px,
)
from cabinet.ui.art.cards import card_back, card_size, slot
from cabinet.ui.art.chips import chip_shadow
from cabinet.ui.art.felt import CircleState, bet_circle
from cabinet.ui.art.fonts import figure, set_figures
from cabinet.ui.layout.bands import bands_of
from cabinet.ui.layout.fan import plaque_of
from cabinet.ui.layout.hands import card_heights
from cabinet.ui.layout.screen import Layout, layout
from cabinet.ui.paint.bars import PAID, chip_assets, legend_asset, meter_light
from cabinet.ui.paint.deck import AT_REST, face_of, heights_for, turning_sizes
from cabinet.ui.paint.decor import FANS, card_place
from cabinet.ui.paint.grounds import cloth, dialog, light
from cabinet.ui.paint.keys import STACK_SHARE, key, key_type_px, result, stacked_chip, tag, total
from cabinet.ui.paint.panels import game_fan, game_ground, still_life
from cabinet.ui.paint.pieces import Asset, Scaled, piece
from cabinet.ui.paint.table import asked_light, frame_size, lights_for, lost_shade, pointer_px, shadow_of
from cabinet.ui.shapes import MOST_IN_STACK, SMALL_CARD_PX
from cabinet.ui.view import (
    DEALER,
    CardView,
    ChoiceView,
    GameCard,
    HandView,
    HelpView,
    Kind,
    LegendView,
    NoticeTone,
    NoticeView,
    QuestionButton,
    QuestionView,
    Scene,
    Screen,
    Slot,
    TableView,
)

FACES = 52
LOWEST, MOST = 2, 30
"""The totals of a hand: from one card to a bust."""
HANDS_MAX = 4
"""Hands of one place after splits."""
CROWDED = 9
"""Heights of cards, from the wanted one down, that turn over on crowded tables; smaller ones are rare."""
BANNERS = ((Kind.BANNER, 0), (Kind.DEALER_BANNER, 0), (Kind.INSURANCE, 0))
LETTERS = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    " .,:;!?'’„“”\"()/%&+-–−—·×…½¼$€£\u00a0\u202f"
    "ÄÖÜäöüßÀÂÇÈÉÊÎÔÙÛàâçèéêëîïôùûœÁÍÑÓÚáíñóú¿¡«»"
)
"""All letters and signs of a line that can change during a round, in all languages."""


FIGURES = "0123456789 .,:+-−$€£\u00a0\u202f"
"""All signs of an amount."""


DIGITS = "0123456789"


class Type(NamedTuple):
    """Type for play, and its letters that are drawn beforehand."""

    role: Role
    px: int
    signs: str = LETTERS


def assets_to_prepare(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """Yields everything to prepare for a display of `size`, with the chips and legends of this screen."""
    heights = heights_for(size)
    yield from chain(
        _buttons(size, screen),
        _figures(size, screen),
        _signs(size, screen),
        _pack(heights[:AT_REST], four_colour=screen.four_colour),
        _stacks(size, screen),
        _totals(size, screen),
        _lights(size, screen),
        _turning(heights, heights[:AT_REST], four_colour=screen.four_colour),
        (piece(cloth, size, game_id) for game_id in palette.FELT),
        _panels(size, screen),
        _pack(heights[AT_REST:], four_colour=screen.four_colour),
        _turning(heights, _crowded(size, screen), four_colour=screen.four_colour),
    )


def _crowded(size: tuple[int, int], screen: Screen) -> tuple[int, ...]:
    """Returns the heights of cards on this table when it is crowded."""
    return () if screen.table is None else card_heights(bands_of(size), alone=screen.table.alone)[1:CROWDED]


def types_to_prepare(size: tuple[int, int], screen: Screen) -> Iterator[Type]:
    """Yields the type of every line that changes during a round."""
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
    if screen.table is not None:
        for diameter in _plaques(size, alone=screen.table.alone):
            yield from _plaque_types(diameter)


def _layouts(size: tuple[int, int], screen: Screen) -> Iterator[Layout]:
    """Yields the layouts of the table: as it is, insured, and split in all ways; none without a table."""
    if (table := screen.table) is None:
        return
    yield layout(size, screen)
    first, *others = (replace(place, insurance="-", hands=place.hands[:1]) for place in table.places)
    pair = HandView(cards=(CardView(card=0),) * 2, open=2.0)
    for hands in range(1, HANDS_MAX + 1):
        split = replace(first, hands=(pair,) * hands)
        for places in ((split, *others), (split, *(replace(other, hands=(pair,) * hands) for other in others))):
            yield layout(size, replace(screen, table=replace(table, places=places)))


def _key_types(high: int) -> Iterator[Type]:
    for px in dict.fromkeys((*key_type_px(high), legend_type_px(high))):
        yield Type(Role.TEXT_BOLD, px)


def _table_types(where: Layout) -> Iterator[Type]:
    for place in (0, DEALER):
        yield from _plaque_types(where.rect(Slot(Kind.PLAQUE, place)).w)
    for kind, place in BANNERS:
        if where.has(kind, place):
            px = banner_type_px(where.rect(Slot(kind, place)).h)
            yield from (Type(role, px) for role in (Role.TEXT_BOLD, Role.FIGURES))
    if where.has(Kind.AMOUNT):
        yield Type(Role.FIGURES, tag_type_px(where.rect(Slot(Kind.AMOUNT)).h), FIGURES)


def _plaque_types(diameter: int) -> Iterator[Type]:
    soft, plain, word = plaque_type_px(diameter)
    yield from (Type(Role.FIGURES, px, FIGURES) for px in (soft, plain))
    yield Type(Role.FIGURES, word)


def _plaques(size: tuple[int, int], *, alone: bool) -> tuple[int, ...]:
    """Returns the diameters of totals beside the cards of a crowded table."""
    bands = bands_of(size)
    heights_px = card_heights(bands, alone=alone)
    return tuple(
        dict.fromkeys(int(plaque_of((height_px + 0.01) / bands.unit) * bands.unit) for height_px in heights_px)
    )


def _pack(heights: tuple[int, ...], *, four_colour: bool) -> Iterator[Asset]:
    for high in heights:
        yield piece(card_back, high)
        yield shadow_of(high, card_size(high))
        yield lost_shade(high)
        if high >= SMALL_CARD_PX:
            yield piece(slot, high)
    for high in heights:
        for card in range(FACES):
            yield face_of(card, high, four_colour=four_colour)


def _turning(heights: tuple[int, ...], of: tuple[int, ...], *, four_colour: bool) -> Iterator[Asset]:
    """Yields cards of some prepared heights as they turn over, in all their widths."""
    for high in of:
        faces = [piece(card_back, high), *(face_of(card, high, four_colour=four_colour) for card in range(FACES))]
        for wide in turning_sizes(high, heights):
            yield shadow_of(high, wide)
            yield from (Scaled(face, wide) for face in faces)


def _buttons(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """Yields every legend in all its states, and chips that cannot be selected."""
    where = layout(size, screen)
    for index, legend in enumerate(screen.rail.legends):
        if where.has(Kind.LEGEND, nth=index):
            room = where.rect(Slot(Kind.LEGEND, nth=index))
            for lit, pressed, second in _legend_states(legend):
                yield legend_asset((room.w, room.h), replace(legend, lit=lit, pressed=pressed, second=second))
    for index, chip in enumerate(screen.rail.chips):
        if where.has(Kind.CHIP, nth=index):
            for enabled in (True, False):
                yield from chip_assets(
                    replace(chip, raised=True, enabled=enabled), where.rect(Slot(Kind.CHIP, nth=index)).w
                )


def _figures(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """Yields the digits of the amounts, also of one that is counted up in its light."""
    where = layout(size, screen)
    amounts = ((Kind.METER_VALUE, palette.CREAM), (Kind.METER_VALUE, palette.LAMP), (Kind.CREDITS, palette.CREAM_DIM))
    for kind, colour in amounts:
        px = where.text_px(kind)
        for found in (set_figures(px, digit)[0] for digit in DIGITS):
            yield piece(figure, px, found.character, found.shift, colour)


def _legend_states(legend: LegendView) -> Iterator[tuple[bool, bool, str]]:
    """Yields (lit, pressed, small text) for a legend; a dark one has no small text."""
    for second in dict.fromkeys((legend.second, "")):
        yield from ((True, False, second), (True, True, second))
    yield from ((False, False, ""), (False, True, ""))


def _totals(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """Yields the plaques of hard totals, circles, printed frames, and the pointer."""
    for where in _layouts(size, screen):
        for room in (Slot(Kind.PLAQUE), Slot(Kind.PLAQUE, DEALER)):
            yield from _plaque(where.rect(room).w)
        if where.has(Kind.SPOT):
            yield from (piece(bet_circle, where.rect(Slot(Kind.SPOT)).w, state) for state in CircleState)
        yield piece(pointer, pointer_px(where.rect(Slot(Kind.POINTER))))
    if (table := screen.table) is not None:
        yield piece(card_place, frame_size(size, alone=table.alone))
        for diameter in _plaques(size, alone=table.alone):
            yield from _plaque(diameter)


def _plaque(diameter: int) -> Iterator[Asset]:
    for active in (False, True):
        for points in range(LOWEST, MOST + 1):
            yield piece(total, diameter, str(points), "", active=active, bust=points > BLACKJACK_TOTAL)


def _lights(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """Yields the light on hands of all sizes, on the place that is asked, and on the amount counted up."""
    if (table := screen.table) is None:
        return
    where = layout(size, screen)
    yield from (light(room) for room in lights_for(size, alone=table.alone))
    if not table.alone:
        yield from (asked_light(where.rect(Slot(Kind.PLACE, place.number))) for place in table.places)
    if where.has(Kind.METER_VALUE, nth=PAID):
        yield meter_light(where.rect(Slot(Kind.METER_VALUE, nth=PAID)), where.text_px(Kind.METER_VALUE))


def _signs(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """Yields the grounds of results and stakes, without texts."""
    for where in _layouts(size, screen):
        for kind, place in BANNERS:
            if where.has(kind, place):
                room = where.rect(Slot(kind, place))
                yield from (piece(result, "", (room.w, room.h), tone) for tone in BannerTone)
        if where.has(Kind.AMOUNT):
            room = where.rect(Slot(Kind.AMOUNT))
            yield piece(tag, "", (room.w, room.h))


def _stacks(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """Yields the chips of stacks at all their angles, in the sizes of whole and of split places."""
    rooms = (where.rect(Slot(Kind.CHIPS)).w for where in _layouts(size, screen))
    for diameter in dict.fromkeys(max(8, round(room * STACK_SHARE)) for room in rooms):
        for chip in screen.rail.chips:
            for level in range(MOST_IN_STACK):
                yield stacked_chip(chip.cents, diameter, level)
        yield piece(chip_shadow, diameter)


def _asked(size: tuple[int, int], screen: Screen, table: TableView) -> Iterator[Asset]:
    """Yields the ground of the insurance question and those of its buttons, whose size differs by a pixel with their
    number."""
    buttons = tuple(
        QuestionButton(button=button, word="", lit=True) for button in (Button.STAND, Button.HIT, Button.CHIP)
    )
    for count in range(2, len(buttons) + 1):
        question = QuestionView(text="-", amount="-", detail="-", buttons=buttons[:count])
        asked = layout(size, replace(screen, table=replace(table, question=question)))
        box = asked.rect(Slot(Kind.QUESTION))
        yield dialog((box.w, box.h))
        rooms = [asked.rect(Slot(Kind.QUESTION_BUTTON, nth=nth)) for nth in range(count)]
        yield from (piece(key, (room.w, room.h), "", "", lit=lit) for room in rooms for lit in (True, False))


def _panels(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """Yields the grounds of notices, of help and of the insurance question, the game choice and the welcome."""
    notice = NoticeView(tone=NoticeTone.CALM, title="-", sentence="-", advice="-")
    yield _ground(size, replace(screen, overlay=notice))
    if screen.table is not None:
        yield from _asked(size, screen, screen.table)
    page = HelpView(title="-", heading="-", lines=(), position="", buttons=())
    yield _ground(size, replace(screen, overlay=page))
    games = tuple(
        GameCard(game_id=game_id, title="-", lines=(), limits="", returns="", pointed=False) for game_id in FANS
    )
    choice = replace(screen, scene=Scene.CHOICE, choice=ChoiceView(heading="-", lines=("-",), games=games))
    where = layout(size, choice)
    yield from still_life(where)
    for index, game_id in enumerate(FANS):
        yield game_fan(where, game_id, index)
        for bright in (True, False):
            yield game_ground(where, game_id, index, bright=bright)


def _ground(size: tuple[int, int], screen: Screen) -> Asset:
    box = layout(size, screen).rect(Slot(Kind.OVERLAY))
    return dialog((box.w, box.h))

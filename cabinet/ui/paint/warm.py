"""What play will need, in the order in which it will be needed.

Rules: names assets only, makes none; the pack at the sizes of cards at rest comes first, then what may come at any time
(the other cloths, panels), then cards at the sizes of crowded tables.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from cabinet.engine.cards import BLACKJACK_TOTAL
from cabinet.ui.art import palette
from cabinet.ui.art.buttons import pointer
from cabinet.ui.art.cards import SMALL_PX, card_back, card_shadow, slot
from cabinet.ui.art.chips import chip_shadow
from cabinet.ui.art.felt import CircleState, bet_circle
from cabinet.ui.layout import layout
from cabinet.ui.paint.bars import legend_asset
from cabinet.ui.paint.deck import face_of, heights_for
from cabinet.ui.paint.decor import FANS, cloth
from cabinet.ui.paint.keys import MOST_IN_STACK, STACK_SHARE, dialog, stacked_chip, total
from cabinet.ui.paint.panels import game_fan, game_ground, still_life
from cabinet.ui.paint.pieces import Asset, piece
from cabinet.ui.paint.table import light_on, pointer_px
from cabinet.ui.view import (
    DEALER,
    ChoiceView,
    GameCard,
    HelpView,
    Kind,
    LegendView,
    NoticeTone,
    NoticeView,
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


def assets_to_prepare(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """Everything worth preparing for a display of `size`, with the chips and legends of this screen."""
    heights = heights_for(size)
    yield from chain(
        _buttons(size, screen),
        _pack(heights[:AT_REST], four_colour=screen.four_colour),
        _stacks(size, screen),
        _totals(size, screen),
        (piece(cloth, size, game_id) for game_id in palette.FELT),
        _panels(size, screen),
        _pack(heights[AT_REST:], four_colour=screen.four_colour),
    )


def _pack(heights: tuple[int, ...], *, four_colour: bool) -> Iterator[Asset]:
    for high in heights:
        yield piece(card_back, high)
        yield piece(card_shadow, high)
        if high >= SMALL_PX:
            yield piece(slot, high)
    for high in heights:
        for card in range(FACES):
            yield face_of(card, high, four_colour=four_colour)


def _buttons(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """Every legend in each of its states."""
    where = layout(size, screen)
    for index, legend in enumerate(screen.rail.legends):
        if where.has(Kind.LEGEND, nth=index):
            room = where.rect(Slot(Kind.LEGEND, nth=index))
            for lit, pressed, second in _looks(legend):
                yield legend_asset((room.w, room.h), replace(legend, lit=lit, pressed=pressed, second=second))


def _looks(legend: LegendView) -> Iterator[tuple[bool, bool, str]]:
    """Lit, pressed, and what it says below; a dark one says nothing."""
    for second in dict.fromkeys((legend.second, "")):
        yield from ((True, False, second), (True, True, second))
    yield from ((False, False, ""), (False, True, ""))


def _totals(size: tuple[int, int], screen: Screen) -> Iterator[Asset]:
    """The plaques of hard totals, circles, and the light on the hand that is played."""
    if screen.table is None:
        return
    where = layout(size, screen)
    for room, actives in ((Slot(Kind.PLAQUE), (False, True)), (Slot(Kind.PLAQUE, DEALER), (False,))):
        diameter = where.rect(room).w
        for active in actives:
            for points in range(LOWEST, MOST + 1):
                yield piece(total, diameter, str(points), "", active=active, bust=points > BLACKJACK_TOTAL)
    for state in (CircleState.IDLE, CircleState.CHOSEN):
        yield piece(bet_circle, where.rect(Slot(Kind.SPOT)).w, state)
    first, second = (where.rect(Slot(Kind.CARD, nth=nth)) for nth in (0, 1))
    # As wide as two and as three cards lie; the first of these also makes what all lights are made from.
    for further in (0, second.x - first.x):
        yield light_on(second.right - first.x + further, first.h)
    yield piece(pointer, pointer_px(where.rect(Slot(Kind.POINTER))))


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
        question = QuestionView(text="-", amount="-", detail="-", buttons=())
        asked = layout(size, replace(screen, table=replace(screen.table, question=question)))
        box = asked.rect(Slot(Kind.QUESTION))
        yield dialog((box.w, box.h))
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

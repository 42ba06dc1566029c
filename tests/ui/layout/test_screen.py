"""No text is covered, and everything is on the display, in every deal."""

import itertools
import math
from dataclasses import replace
from math import ceil

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.pseudo import TONGUES, spoken
from support.tables import SIZES, a_screen, rounds

from cabinet.tools.screens_gallery import gallery, screen_of
from cabinet.ui.layout.fan import CARD_FLOOR, face_of
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import Layout, layout, sprite_rect
from cabinet.ui.view import DEALER, Kind, Scene, Screen, Slot, Sprite, SpriteKind

READ = frozenset(
    {
        Kind.PLAQUE,
        Kind.BANNER,
        Kind.AMOUNT,
        Kind.INSURANCE,
        Kind.TITLE,
        Kind.LIMITS,
        Kind.CLOCK,
        Kind.TOP_ITEM,
        Kind.QUESTION,
        Kind.MESSAGE,
        Kind.HINT,
        Kind.METER_LABEL,
        Kind.METER_VALUE,
        Kind.CREDITS,
        Kind.LEGEND,
        Kind.CHIP,
        Kind.FOOTER,
    }
)
MILLIMETRES = 9.0
TOUCHED = (Kind.LEGEND, Kind.TOP_ITEM, Kind.CHIP, Kind.QUESTION_BUTTON, Kind.OVERLAY_BUTTON, Kind.GAME, Kind.PLACE)
sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
tongues = pytest.mark.parametrize("tongue", TONGUES)
WORST = [[12] * 4] * 5


def read_on(screen: Screen, where: Layout) -> dict[Slot, Rect]:
    """Returns everything that must be readable, card corners included; what the question covers on purpose is left
    out."""
    found = {slot: rect for slot, rect in where.rects.items() if slot.kind in READ and _is_shown(screen, slot)}
    corners = {slot: _index_box(rect) for slot, rect in where.rects.items() if slot.kind is Kind.CARD}
    return found | {slot: rect for slot, rect in corners.items() if _is_dealt(screen, slot)}


def _index_box(card: Rect) -> Rect:
    """Returns the corner of a card that must stay visible: rank over suit; larger on a small card, which is
    simplified."""
    face = face_of(card.h)
    return Rect(card.x, card.y, ceil(card.w * face.index_w), ceil(card.h * face.index_h))


def _is_shown(screen: Screen, slot: Slot) -> bool:
    """Returns True when a slot is shown: a plaque, a result or an amount reserves its room without being there."""
    if slot.kind not in {Kind.PLAQUE, Kind.BANNER, Kind.AMOUNT} or slot.place == DEALER:
        return True
    assert screen.table is not None
    hand = screen.table.places[slot.place].hands[slot.hand]
    return bool({Kind.PLAQUE: hand.plaque, Kind.BANNER: hand.banner, Kind.AMOUNT: hand.stake}[slot.kind])


def _is_dealt(screen: Screen, slot: Slot) -> bool:
    assert screen.table is not None
    if slot.place == DEALER:
        return slot.nth < len(screen.table.dealer.hand.cards)
    return slot.nth < len(screen.table.places[slot.place].hands[slot.hand].cards)


def covered(screen: Screen, where: Layout) -> list[tuple[Slot, Slot]]:
    """Returns pairs of texts that overlap, and corners under a later card."""
    read = read_on(screen, where)
    pairs = [(a, b) for a, b in itertools.combinations(read, 2) if read[a].meets(read[b])]
    return pairs + [
        (slot, other)
        for slot, box in read.items()
        if slot.kind is Kind.CARD
        for other, rect in where.rects.items()
        if other.kind is Kind.CARD
        and (other.place, other.hand) == (slot.place, slot.hand)
        and other.nth > slot.nth
        and _is_dealt(screen, other)
        and box.meets(rect)
    ]


@pytest.mark.sample(2)
@sizes
@pytest.mark.requirement("PD-07", "PD-18")
@given(places=rounds(), dealer=st.integers(1, 10), insured=st.booleans(), question=st.booleans())
@example(places=WORST, dealer=10, insured=True, question=True)
@example(places=[[2]], dealer=2, insured=True, question=True)
def test_no_readable_text_is_covered(
    size: tuple[int, int], places: list[list[int]], dealer: int, insured: bool, question: bool
):
    screen = a_screen(places, dealer=dealer, insured=insured, question=question)
    assert covered(screen, layout(size, screen)) == []


@sizes
@given(places=rounds(), dealer=st.integers(0, 12))
@example(places=WORST, dealer=12)
def test_everything_is_on_the_display(size: tuple[int, int], places: list[list[int]], dealer: int):
    screen = a_screen(places, dealer=dealer, insured=True, question=True)
    where = layout(size, screen)
    outside = {slot.kind for slot, rect in where.rects.items() if not rect.within(where.felt) or min(rect) < 0}
    assert outside == {Kind.DISCARD}


@sizes
@given(places=rounds())
@example(places=WORST)
def test_the_places_stay_on_the_felt_and_apart(size: tuple[int, int], places: list[list[int]]):
    screen = a_screen(places, insured=True)
    where = layout(size, screen)
    columns = [rect for slot, rect in where.rects.items() if slot.kind is Kind.PLACE]
    assert all(rect.within(where.play) for rect in columns)
    assert not any(a.meets(b) for a, b in itertools.combinations(columns, 2))
    strays = [
        slot
        for slot, rect in where.rects.items()
        if slot.kind in {Kind.AMOUNT, Kind.BANNER, Kind.PLAQUE, Kind.CARD, Kind.CHIPS, Kind.WIN_CHIPS}
        and slot.place != DEALER
        and not rect.within(where.rect(Slot(Kind.PLACE, slot.place)))
    ]
    assert strays == []


@sizes
@given(places=rounds())
@example(places=WORST)
@example(places=[[2, 11, 2], *[[2] * 4] * 4])
def test_cards_never_shrink_below_the_floor(size: tuple[int, int], places: list[list[int]]):
    where = layout(size, a_screen(places))
    cards = [rect.h for slot, rect in where.rects.items() if slot.kind is Kind.CARD and slot.place != DEALER]
    assert min(cards) >= CARD_FLOOR * where.unit - 1


@pytest.mark.sample(7)
@sizes
@tongues
def test_every_touch_area_is_as_large_as_a_finger(size: tuple[int, int], tongue: str):
    per_mm = math.hypot(*size) / (15.6 * 25.4)
    for name, exhibit in gallery().items():
        where = layout(size, screen_of(exhibit, spoken()[tongue]))
        small = {slot: rect for slot, rect in where.rects.items() if slot.kind in TOUCHED}
        assert {s: r for s, r in small.items() if min(r.w, r.h) < MILLIMETRES * per_mm - 1} == {}, name


@pytest.mark.sample(7)
@sizes
@tongues
@pytest.mark.requirement("PD-04", "PD-18")
def test_every_exhibit_fits_every_display(size: tuple[int, int], tongue: str):
    for name, exhibit in gallery().items():
        screen = screen_of(exhibit, spoken()[tongue])
        where = layout(size, screen)
        assert {slot.kind for slot, rect in where.rects.items() if not rect.within(where.felt)} <= {Kind.DISCARD}, name
        if screen.scene is Scene.TABLE:
            assert covered(screen, where) == [], name


@pytest.mark.requirement("PD-18")
def test_the_fullest_table_is_split_to_twenty_hands_and_shows_each_stake_and_result():
    screen = screen_of(gallery()["fullest-won"])
    where = layout(SIZES[0], screen)
    assert screen.table is not None
    hands = [(place.number, nth) for place in screen.table.places for nth in range(len(place.hands))]
    assert len(hands) == 20
    for place, hand in hands:
        shown = screen.table.places[place].hands[hand]
        assert shown.banner is not None
        assert shown.stake
        assert where.has(Kind.BANNER, place, hand)
        assert where.has(Kind.AMOUNT, place, hand)


@pytest.mark.parametrize("cards", range(1, 6))
def test_a_growing_hand_moves_without_a_jump(cards: int):
    steps = [_with_open(cards, cards + share / 20) for share in range(1, 21)]
    where = [layout(SIZES[2], screen).rect(Slot(Kind.CARD, 0)) for screen in steps]
    assert max(abs(a.x - b.x) for a, b in itertools.pairwise(where)) <= 4


def _with_open(cards: int, spread: float) -> Screen:
    screen = a_screen([[cards + 1]])
    assert screen.table is not None
    place = screen.table.places[0]
    hand = replace(place.hands[0], open=spread)
    table = replace(screen.table, places=(replace(place, hands=(hand,)),))
    return replace(screen, table=table)


def test_a_pair_comes_apart_from_its_second_cards_place():
    whole = layout(SIZES[2], a_screen([[2]])).rect(Slot(Kind.CARD, 0, 0, 1))
    halves = a_screen([[1, 1]])
    assert halves.table is not None
    place = halves.table.places[0]
    first, second = replace(place.hands[0], open=2.0), replace(place.hands[1], open=0.0)
    apart = replace(halves, table=replace(halves.table, places=(replace(place, hands=(first, second)),)))
    begun = layout(SIZES[2], apart).rect(Slot(Kind.CARD, 0, 1, 0))
    assert abs(begun.x - whole.x) < whole.w * 0.4


@pytest.mark.requirement("PD-04")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("chars", [8, 10, 12, 14])
def test_the_amounts_have_room_for_the_largest_one(size: tuple[int, int], chars: int):
    screen = a_screen([[2]])
    screen = replace(screen, rail=replace(screen.rail, value_chars=chars))
    where = layout(size, screen)
    for nth in range(3):
        room = where.rect(Slot(Kind.METER_VALUE, nth=nth))
        assert room.w >= chars * 0.46 * where.text_px(Kind.METER_VALUE)
        assert room.h >= where.text_px(Kind.METER_VALUE)


def test_a_sprite_starts_and_ends_in_its_slots_and_rises_between():
    where = layout(SIZES[2], a_screen([[2]]))
    start, end = Slot(Kind.SHOE), Slot(Kind.CARD, 0, 0, 1)

    def at(progress: float) -> Rect:
        return sprite_rect(where, Sprite(kind=SpriteKind.CARD, start=start, end=end, progress=progress, lift=40))

    assert abs(at(0).centre[0] - where.rect(start).centre[0]) <= 1
    assert 0 <= at(0).y - where.rect(start).y <= 1, "a card larger than the shoe comes out of its upper edge"
    assert at(0)[2:] == where.rect(end)[2:], "at its final size"
    assert at(1) == where.rect(end)
    middle = (where.rect(start).y + where.rect(end).y) // 2
    assert at(0.5).y <= middle - 39


def test_a_missing_slot_is_the_nearest_of_its_place():
    where = layout(SIZES[2], a_screen([[2, 3]]))
    assert where.rect(Slot(Kind.CARD, 0, 1, 7)) == where.rect(Slot(Kind.CARD, 0, 1, 2))
    with pytest.raises(KeyError):
        where.rect(Slot(Kind.GAME))


def test_the_felt_fills_the_display_and_play_is_between_the_bars():
    for size in SIZES:
        where = layout(size, a_screen([[2]]))
        assert where.felt == Rect(0, 0, *size)
        assert where.play.y >= where.rect(Slot(Kind.TOP_BAR)).bottom
        assert where.play.bottom <= where.rect(Slot(Kind.RAIL)).y

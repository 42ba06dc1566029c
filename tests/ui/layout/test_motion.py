"""What moves begins where it lay, ends where it will lie, and is on the straight way in between."""

from dataclasses import replace

import pytest
from support.tables import SIZES, a_hand, a_screen

from cabinet.ui.layout.bands import bands_of
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.motion import place_rects, stances_of, way_of
from cabinet.ui.layout.screen import layout
from cabinet.ui.view import HandView, Kind, Screen, Slot

sizes = pytest.mark.parametrize("size", SIZES)
FIVE = [[2], [2, 3], [2], [], [2, 2, 2]]


def _with(screen: Screen, place: int, *hands: HandView) -> Screen:
    """The screen with other hands at a place."""
    assert screen.table is not None
    places = tuple(replace(view, hands=hands) if view.number == place else view for view in screen.table.places)
    return replace(screen, table=replace(screen.table, places=places))


def _cards(size: tuple[int, int], screen: Screen, place: int) -> dict[tuple[int, int], Rect]:
    where = layout(size, screen)
    return {(s.hand, s.nth): rect for s, rect in where.rects.items() if s.kind is Kind.CARD and s.place == place}


@sizes
@pytest.mark.parametrize("cards", [2, 3, 6, 9])
def test_a_hand_begins_and_ends_where_it_lies_without_and_with_the_card_that_arrives(size: tuple[int, int], cards: int):
    lay, lies = (_cards(size, a_screen([[n]] * 5), 2) for n in (cards - 1, cards))
    begun, done = (_with(a_screen([[cards]] * 5), 2, replace(a_hand(cards), open=cards - 1 + f)) for f in (0.0, 1.0))
    assert _cards(size, done, 2) == lies
    moved = _cards(size, begun, 2)
    for nth in range(cards - 1):
        assert _apart(moved[0, nth], lay[0, nth]) <= 1


@sizes
def test_a_pair_begins_where_it_lay_and_comes_apart_while_the_others_make_room(size: tuple[int, int]):
    lay = {place: _cards(size, a_screen(FIVE), place) for place in range(5)}
    apart = a_screen([[1, 1], *FIVE[1:]])
    lies = {place: _cards(size, apart, place) for place in range(5)}
    first, second = a_hand(1), a_hand(1)
    begun = _with(apart, 0, replace(first, open=2.0), replace(second, open=0.0))
    moved = {place: _cards(size, begun, place) for place in range(5)}
    assert _apart(moved[0][0, 0], lay[0][0, 0]) <= 1
    assert _apart(moved[0][1, 0], lay[0][0, 1]) <= 1
    for place in (1, 2, 4):
        assert max(_apart(moved[place][key], lay[place][key]) for key in lay[place]) <= 1
        assert moved[place][0, 0][2:] == lies[place][0, 0][2:], "as large as it will be"
    half = _with(apart, 0, replace(first, open=1.5), replace(second, open=0.5))
    middle = layout(size, half).rect(Slot(Kind.CARD, 0, 1, 0)).centre[0]
    assert middle == pytest.approx((lay[0][0, 1].centre[0] + lies[0][1, 0].centre[0]) / 2, abs=2)


def test_of_a_place_at_rest_nothing_is_on_its_way():
    hands = (a_hand(2), a_hand(3))
    assert way_of(hands) == (hands, hands, 1.0, None)
    table = a_screen([[2]] * 5).table
    assert table is not None
    for stance in stances_of(bands_of(SIZES[0]), table.places):
        assert stance.before is stance.after


def test_of_several_cards_the_one_that_arrives_last_says_how_far_the_place_is():
    hands = (replace(a_hand(3), open=2.9), replace(a_hand(2), open=1.2))
    way = way_of(hands)
    assert way.share == pytest.approx(0.2)
    assert [len(hand.cards) for hand in way.before] == [3, 1]


def test_a_third_hand_takes_the_others_behind_it_along():
    hands = (a_hand(2), replace(a_hand(1), open=1.6), replace(a_hand(1), open=0.4), a_hand(2))
    way = way_of(hands)
    assert (way.parted, way.share) == (1, 0.4)
    assert [len(hand.cards) for hand in way.before] == [2, 2, 2]
    table = _with(a_screen([[2, 1, 1, 2]] * 5), 0, *hands).table
    assert table is not None
    rects = place_rects(bands_of(SIZES[2]), table)
    assert {slot.hand for slot in rects if slot.kind is Kind.CARD and slot.place == 0} == {0, 1, 2, 3}
    assert {slot.place for slot in rects} == {0, 1, 2, 3, 4}


def _apart(one: Rect, other: Rect) -> float:
    """How far the middles lie apart, in pixels; for a card of another size its edges do not matter."""
    return max(abs(2 * (a[n] - b[n]) + a[n + 2] - b[n + 2]) / 2 for a, b in ((one, other),) for n in (0, 1))

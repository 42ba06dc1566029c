"""A moving thing begins and ends at its places, and is on the straight way in between."""

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
    """Returns the screen with other hands at a place."""
    assert screen.table is not None
    places = tuple(replace(view, hands=hands) if view.number == place else view for view in screen.table.places)
    return replace(screen, table=replace(screen.table, places=places))


def _cards(size: tuple[int, int], screen: Screen, place: int) -> dict[tuple[int, int], Rect]:
    where = layout(size, screen)
    return {(s.hand, s.nth): rect for s, rect in where.rects.items() if s.kind is Kind.CARD and s.place == place}


@sizes
@pytest.mark.parametrize("cards", [2, 3, 6, 9])
def test_a_hand_moves_from_its_place_without_the_card_to_its_place_with_it(size: tuple[int, int], cards: int):
    at_first, at_last = (_cards(size, a_screen([[n]] * 5), 2) for n in (cards - 1, cards))
    start, done = (_with(a_screen([[cards]] * 5), 2, replace(a_hand(cards), open=cards - 1 + f)) for f in (0.0, 1.0))
    assert _cards(size, done, 2) == at_last
    moved = _cards(size, start, 2)
    for nth in range(cards - 1):
        assert _apart(moved[0, nth], at_first[0, nth]) <= 1


@sizes
def test_a_pair_comes_apart_from_its_place_while_the_others_make_room(size: tuple[int, int]):
    at_first = {place: _cards(size, a_screen(FIVE), place) for place in range(5)}
    apart = a_screen([[1, 1], *FIVE[1:]])
    at_last = {place: _cards(size, apart, place) for place in range(5)}
    first, second = a_hand(1), a_hand(1)
    start = _with(apart, 0, replace(first, open=2.0), replace(second, open=0.0))
    moved = {place: _cards(size, start, place) for place in range(5)}
    assert _apart(moved[0][0, 0], at_first[0][0, 0]) <= 1
    assert _apart(moved[0][1, 0], at_first[0][0, 1]) <= 1
    for place in (1, 2, 4):
        assert max(_apart(moved[place][key], at_first[place][key]) for key in at_first[place]) <= 1
        assert moved[place][0, 0][2:] == at_last[place][0, 0][2:], "at its final size"
    half = _with(apart, 0, replace(first, open=1.5), replace(second, open=0.5))
    middle = layout(size, half).rect(Slot(Kind.CARD, 0, 1, 0)).centre[0]
    assert middle == pytest.approx((at_first[0][0, 1].centre[0] + at_last[0][1, 0].centre[0]) / 2, abs=2)


def test_a_place_at_rest_does_not_move():
    hands = (a_hand(2), a_hand(3))
    assert way_of(hands) == (hands, hands, 1.0, None)
    table = a_screen([[2]] * 5).table
    assert table is not None
    for stance in stances_of(bands_of(SIZES[0]), table.places):
        assert stance.before is stance.after


def test_the_last_arriving_card_sets_the_progress_of_a_place():
    hands = (replace(a_hand(3), open=2.9), replace(a_hand(2), open=1.2))
    way = way_of(hands)
    assert way.share == pytest.approx(0.2)
    assert [len(hand.cards) for hand in way.before] == [3, 1]


def test_a_third_hand_moves_the_hands_behind_it():
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
    """Returns the distance of the middles, in pixels; for a card of another size its edges do not matter."""
    return max(abs(2 * (a[n] - b[n]) + a[n + 2] - b[n + 2]) / 2 for a, b in ((one, other),) for n in (0, 1))

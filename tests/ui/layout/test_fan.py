"""The arithmetic of fans: the largest cards that fit, and no index under another card."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import a_hand

from cabinet.ui.layout.fan import CARD_FLOOR, LARGE, SMALL, Room, best_fan, face_of, forms_for, plaque_of, shares_of
from cabinet.ui.shapes import SMALL_CARD_PX

ROOM = Room(width=374, height=360, card_h=158, unit=1.0)
many = st.lists(st.integers(2, 12), min_size=1, max_size=4)


@given(counts=many, unit=st.sampled_from([0.667, 1.0, 2.0]))
def test_a_step_never_hides_an_index(counts: list[int], unit: float):
    room = Room(width=374, height=360, card_h=158, unit=unit)
    fan = best_fan(room, tuple(a_hand(cards) for cards in counts))
    face = face_of(fan.card_h * unit)
    assert fan.step >= face.index_w * fan.card_w
    assert fan.row_pitch >= face.index_h * fan.card_h
    assert fan.card_h >= CARD_FLOOR


@given(counts=many)
def test_the_hands_of_a_place_fit_its_width_and_height(counts: list[int]):
    hands = tuple(a_hand(cards) for cards in counts)
    fan = best_fan(ROOM, hands)
    for line in fan.form.lined_up(hands):
        views = tuple(view for _, view in line)
        assert sum(fan.slot_widths(views, ROOM.width)) + fan.gaps(views) <= ROOM.width + 0.01
    rows = max(fan.rows_of(cards) for cards in counts)
    assert fan.form.lines * (fan.form.around_h + fan.card_h + (rows - 1) * fan.row_pitch) <= ROOM.height + 0.01


def test_two_cards_have_the_wanted_size():
    assert best_fan(ROOM, (a_hand(2),)).card_h == ROOM.card_h
    assert best_fan(ROOM, (a_hand(0),)).card_h == ROOM.card_h


def test_many_cards_form_rows_before_they_become_tiny():
    fan = best_fan(ROOM, (a_hand(12),))
    assert fan.rows_of(12) > 1
    assert fan.card_h > CARD_FLOOR


def test_four_hands_form_two_lines_where_one_is_too_narrow():
    hands = (a_hand(2),) * 4
    assert best_fan(ROOM, hands).form.lines == 2
    assert best_fan(Room(width=1200, height=360, card_h=158, unit=1.0), hands).form.lines == 1
    assert [len(tuple(line)) for line in best_fan(ROOM, hands).form.lined_up(hands)] == [2, 2]


def test_small_faces_need_more_of_the_card_in_view():
    assert face_of(SMALL_CARD_PX - 1) is SMALL
    assert face_of(SMALL_CARD_PX) is LARGE
    assert SMALL.index_w > LARGE.index_w


def test_plaques_stay_between_their_least_and_largest_size():
    assert plaque_of(20) == plaque_of(60) < plaque_of(150) < plaque_of(400) == plaque_of(500)


def test_one_hand_has_a_circle_and_several_do_not():
    assert [form.circle for form in forms_for(hands=1)] == [True]
    assert not any(form.circle for form in forms_for(hands=4))
    assert forms_for(hands=2, alone=True)[0].stake_h > forms_for(hands=2)[0].stake_h
    assert forms_for(hands=1, alone=True, stretch=1.3)[0].stake_h > forms_for(hands=1, alone=True)[0].stake_h


def test_places_with_more_hands_get_more_of_the_width():
    assert shares_of((1, 0, 1, 0, 1)) == pytest.approx((0.2,) * 5)
    shares = shares_of((4, 1, 0, 0, 0))
    assert shares[0] > 0.2 > shares[2]
    assert sum(shares) == pytest.approx(1.0)


@given(counts=many, unit=st.sampled_from([0.667, 1.0, 2.0]))
def test_cards_have_only_prepared_heights(counts: list[int], unit: float):
    heights_px = tuple(round(high * unit) for high in (158, 136, 117, 101, 86, 74, 64, 56, 48, 42))
    room = Room(width=374, height=360, card_h=158, unit=unit, heights_px=heights_px)
    assert int(best_fan(room, tuple(a_hand(cards) for cards in counts)).card_h * unit) in heights_px


def test_a_hand_keeps_its_width_when_its_stake_is_lost_or_doubled():
    staked = replace(a_hand(2, stake="$2,000.00"), stake_room=9)
    lost = replace(staked, stake="")
    fan = best_fan(ROOM, (staked, staked))
    assert fan.slot_widths((staked, staked), 900) == fan.slot_widths((staked, lost), 900)

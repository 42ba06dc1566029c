"""The timeline of animations: brisk, in order, never too short to be read."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.snapshot import Player, at

from cabinet.engine.effects import BetsChanged, CardDealt, Credited, Event, HandSettled, HoleTurned, RoundSettled
from cabinet.engine.inputs import Bet, BetAll, Deal, Input, Stand
from cabinet.presentation.timeline import (
    COUNT_UP_MAX_S,
    MIN_SHOW_S,
    Beat,
    animation_end,
    cut_at,
    ease_out,
    last_result_s,
    share_of,
    skipped_end,
    timeline,
)

FIVE = "KS AD 8S QD AH 10C 9H 6C 8D 7S KC"


def animation(*inputs: Input, game: str = "classic", cards: str) -> tuple[Event, ...]:
    """Returns the events of the last of these inputs at a table."""
    return Player().put(*at(game), *inputs, cards=cards).snapshot.events


WON = animation(Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH")
DEALT = animation(BetAll(), Deal(), game="european", cards=FIVE)


def beats_of(events: tuple[Event, ...], kind: type, *, turbo: bool = False) -> list[Beat]:
    """Returns the beats of one kind of event, from 0."""
    return [beat for beat in timeline(events, turbo=turbo, from_s=0.0) if isinstance(beat.event, kind)]


def test_every_event_has_one_beat_in_order():
    beats = timeline(WON, turbo=False, from_s=3.0)
    assert tuple(beat.event for beat in beats) == WON
    assert all(3.0 <= beat.start_s <= beat.land_s <= beat.end_s for beat in beats)


def test_a_deal_to_five_places_is_brisk_and_its_cards_overlap():
    cards = beats_of(DEALT, CardDealt)
    assert len(cards) == 11
    assert cards[-1].end_s < 2.2
    gaps = [b.start_s - a.start_s for a, b in itertools.pairwise(cards)]
    assert all(0.12 <= gap <= 0.16 for gap in gaps)
    assert all(b.start_s < a.end_s for a, b in itertools.pairwise(cards))


def test_the_dealer_draws_slower_and_after_the_hole_card_is_turned():
    hole = beats_of(WON, HoleTurned)[0]
    drawn = beats_of(WON, CardDealt)
    assert drawn[0].start_s >= hole.end_s
    lost = animation(Bet(), Deal(), Stand(), cards="AS 2S 7H 3D 2H 2C 3H KH")
    slow = beats_of(lost, CardDealt)
    assert all(b.start_s - a.start_s == pytest.approx(0.45) for a, b in itertools.pairwise(slow))


def test_losing_stakes_are_taken_before_winners_are_paid():
    events = animation(BetAll(), Deal(), *(Stand(),) * 4, game="european", cards=f"{FIVE} 8C")
    settled = beats_of(events, HandSettled)
    kept = [beat.event.returned_cents > 0 for beat in settled if isinstance(beat.event, HandSettled)]
    assert kept == sorted(kept)
    assert len(set(kept)) == 2
    assert [beat.start_s for beat in settled] == sorted(beat.start_s for beat in settled)
    taken_s = max(beat.end_s for beat, stays in zip(settled, kept, strict=True) if not stays)
    assert min(beat.start_s for beat, stays in zip(settled, kept, strict=True) if stays) >= taken_s


def test_nothing_is_settled_before_the_dealer_has_finished():
    assert beats_of(WON, HandSettled)[0].start_s > max(beat.end_s for beat in beats_of(WON, CardDealt))


def test_a_win_is_counted_up_in_little_more_than_a_second():
    counting = beats_of(WON, RoundSettled)[0]
    assert 0 < counting.end_s - counting.start_s <= COUNT_UP_MAX_S


def test_turbo_cuts_travel():
    assert animation_end(WON, turbo=True, from_s=0.0) < 0.8 * animation_end(WON, turbo=False, from_s=0.0)
    assert all(beat.land_s == beat.start_s == beat.end_s for beat in beats_of(DEALT, CardDealt, turbo=True))


@pytest.mark.requirement("PD-21")
@given(turbo=st.booleans(), skipped_s=st.floats(0, 10))
def test_results_are_shown_long_enough_when_skipped_and_in_turbo(turbo: bool, skipped_s: float):
    shown_s = last_result_s(WON, turbo=turbo, from_s=0.0)
    assert shown_s is not None
    end_s = skipped_end(WON, turbo=turbo, from_s=0.0, now_s=skipped_s)
    seen_from_s = min(shown_s, skipped_s)
    assert end_s >= seen_from_s + MIN_SHOW_S or end_s == animation_end(WON, turbo=turbo, from_s=0.0)
    assert animation_end(WON, turbo=turbo, from_s=0.0) >= shown_s + MIN_SHOW_S


def test_a_skipped_deal_takes_presses_at_once():
    assert skipped_end(DEALT, turbo=False, from_s=10.0, now_s=10.4) == 10.4
    assert skipped_end(DEALT, turbo=False, from_s=10.0, now_s=99.0) == animation_end(DEALT, turbo=False, from_s=10.0)


def test_an_animation_jumps_to_its_end_when_it_is_skipped():
    end_s = skipped_end(WON, turbo=False, from_s=0.0, now_s=0.2)
    assert cut_at(WON, turbo=False, from_s=0.0, open_at_s=end_s) == pytest.approx(0.2)
    whole_s = animation_end(WON, turbo=False, from_s=0.0)
    assert cut_at(WON, turbo=False, from_s=0.0, open_at_s=whole_s) is None


def test_no_press_waits_for_chips_that_are_placed():
    placed = (BetsChanged(before=(0,), after=(500,)),)
    assert beats_of(placed, BetsChanged)[0].end_s > 0
    assert animation_end(placed, turbo=False, from_s=4.0) == 4.0


def test_an_animation_without_results_has_no_last_result():
    assert last_result_s((Credited(cents=500),), turbo=False, from_s=0.0) is None
    assert animation_end((), turbo=False, from_s=7.0) == 7.0


@given(share=st.floats(-2, 3))
def test_easing_stays_between_its_ends(share: float):
    assert 0.0 <= ease_out(share) <= 1.0


def test_movement_eases_out():
    assert ease_out(0.5) > 0.5
    assert (ease_out(0.0), ease_out(1.0)) == (0.0, 1.0)


def test_a_share_of_a_span_without_length_is_all_or_nothing():
    assert share_of(1.0, 1.0, 0.9) == 0.0
    assert share_of(1.0, 1.0, 1.0) == 1.0
    assert share_of(1.0, 3.0, 2.0) == 0.5

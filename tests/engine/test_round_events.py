"""Steps as events, in the order of a real table."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rounds import draws, seeded_draw

from cabinet.engine.blackjack import act, deal, insurance_max_cents, insure, legal_actions, results
from cabinet.engine.cards import code_of
from cabinet.engine.effects import (
    CardDealt,
    DealerPeeked,
    Event,
    HandPlayed,
    HandSettled,
    HoleTurned,
    InsuranceAnswered,
    InsuranceSettled,
)
from cabinet.engine.errors import EngineError
from cabinet.engine.round import Action, Round, Stage
from cabinet.engine.round_events import FACE_DOWN, events_between
from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, TABLE, Rules, vary

HIT, STAND, DOUBLE, SPLIT = Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT


def words(events: Sequence[Event]) -> list[str]:
    """The events as short lines: `0/0[0]: 8S`, `dealer/0[1]: ?`, `hit 0/0 +0`."""
    return [word(event) for event in events]


def word(event: Event) -> str:
    match event:
        case CardDealt():
            to = f"{'dealer' if event.place is None else event.place}/{event.hand}"
            return f"{to}[{event.position}]: {'?' if event.card == FACE_DOWN else code_of(event.card)}"
        case HoleTurned():
            return f"turned: {code_of(event.card)}"
        case DealerPeeked():
            return "peek: blackjack" if event.blackjack else "peek: none"
        case InsuranceAnswered():
            return f"answer {event.place}: {event.cents}"
        case HandPlayed():
            return f"{event.action} {event.place}/{event.hand} +{event.added_cents}"
        case HandSettled():
            return f"{event.outcome.value} {event.place}/{event.hand}: {event.returned_cents} for {event.stake_cents}"
        case InsuranceSettled():
            return f"insurance {event.place}: {event.returned_cents} for {event.stake_cents}"
        case _:
            return repr(event)


class Played:
    """Plays stacked cards and keeps the events of the last step."""

    def __init__(self, rules: Rules, bets: Mapping[int, int], cards: str) -> None:
        self.draw = draws(cards)
        self.round = deal(rules, bets, self.draw)
        self.last = words(events_between(None, self.round))

    def act(self, action: Action) -> list[str]:
        return self._step(act(self.round, action, self.draw))

    def insure(self, cents: int) -> list[str]:
        return self._step(insure(self.round, cents, self.draw))

    def _step(self, after: Round) -> list[str]:
        self.last = words(events_between(self.round, after))
        self.round = after
        return self.last


# --- the deal ---------------------------------------------------------------------------------------------------


def test_a_european_deal_goes_round_the_places() -> None:
    played = Played(EUROPEAN, {1: 1_000, 3: 500}, "2S 3S 5D 6H 7H")
    assert played.last == ["1/0[0]: 2S", "3/0[0]: 3S", "dealer/0[0]: 5D", "1/0[1]: 6H", "3/0[1]: 7H"]


def test_the_second_dealer_card_of_table_is_dealt_face_down() -> None:
    played = Played(TABLE, {0: 1_000}, "2S 5D 6H 9C")
    assert played.last == ["0/0[0]: 2S", "dealer/0[0]: 5D", "0/0[1]: 6H", "dealer/0[1]: ?"]


def test_the_first_dealer_card_of_classic_is_dealt_face_down() -> None:
    played = Played(CLASSIC, {0: 1_000}, "2S 9C 6H 5D")
    assert played.last == ["0/0[0]: 2S", "dealer/0[0]: ?", "0/0[1]: 6H", "dealer/0[1]: 5D"]


def test_only_the_hole_card_is_marked_face_down() -> None:
    events = events_between(None, deal(TABLE, (1_000,), draws("2S 5D 6H 9C")))
    assert [event for event in events if isinstance(event, CardDealt) and event.face_down] == [
        CardDealt(card=FACE_DOWN, place=None, hand=0, position=1, face_down=True)
    ]


# --- looking and insuring ---------------------------------------------------------------------------------------


def test_the_look_under_a_ten_is_part_of_the_deal() -> None:
    assert Played(TABLE, {0: 1_000}, "2S 10D 6H 9C").last[-1] == "peek: none"


def test_a_blackjack_under_a_ten_ends_the_deal() -> None:
    played = Played(TABLE, {0: 1_000}, "2S 10D 6H AC")
    assert played.last[4:] == ["peek: blackjack", "turned: AC", "loss 0/0: 0 for 1000"]


def test_no_look_under_an_ace_before_the_answer() -> None:
    played = Played(TABLE, {0: 1_000}, "10S AD 9H 9C")
    assert len(played.last) == 4
    assert played.insure(500) == ["answer 0: 500", "peek: none", "insurance 0: 0 for 500"]


def test_insurance_is_settled_only_once() -> None:
    played = Played(TABLE, {0: 1_000}, "10S AD 9H 9C")
    played.insure(500)
    assert played.act(STAND) == ["stand 0/0 +0", "turned: 9C", "loss 0/0: 0 for 1000"]


def test_an_insured_natural_is_paid_after_the_insurance_is_taken() -> None:
    played = Played(TABLE, {0: 1_000}, "AS AD KH 9C")
    assert played.insure(500) == [
        "answer 0: 500",
        "peek: none",
        "insurance 0: 0 for 500",
        "turned: 9C",
        "blackjack 0/0: 2500 for 1000",
    ]


def test_the_dealer_looks_once_when_the_last_place_has_answered() -> None:
    played = Played(vary(TABLE, places_max=2), {0: 1_000, 1: 1_000}, "10S 10H AD 9H 8H 7C")
    assert played.insure(0) == ["answer 0: 0"]
    assert played.insure(500) == ["answer 1: 500", "peek: none", "insurance 1: 0 for 500"]


def test_a_declined_insurance_is_not_settled() -> None:
    played = Played(TABLE, {0: 1_000}, "10S AD 9H 9C")
    assert played.insure(0) == ["answer 0: 0", "peek: none"]


def test_under_a_blackjack_the_stake_is_taken_before_insurance_is_paid() -> None:
    played = Played(TABLE, {0: 1_000}, "10S AD 9H KC")
    assert played.insure(500) == [
        "answer 0: 500",
        "peek: blackjack",
        "turned: KC",
        "loss 0/0: 0 for 1000",
        "insurance 0: 1500 for 500",
    ]


def test_without_a_hole_card_no_dealer_peeks_and_insurance_waits() -> None:
    played = Played(EUROPEAN, {0: 1_000, 1: 1_000}, "10S 10H AD 9H 8H 7C")
    assert played.insure(500) == ["answer 0: 500"]
    assert played.insure(0) == ["answer 1: 0"]
    played.act(STAND)
    assert played.act(STAND) == [
        "stand 1/0 +0",
        "dealer/0[1]: 7C",
        "insurance 0: 0 for 500",
        "win 0/0: 2000 for 1000",
        "push 1/0: 1000 for 1000",
    ]


# --- playing ----------------------------------------------------------------------------------------------------


def test_a_hit_has_its_card() -> None:
    played = Played(TABLE, {0: 1_000}, "2S 5D 6H 9C 3S")
    assert played.act(HIT) == ["hit 0/0 +0", "0/0[2]: 3S"]


def test_a_split_has_both_cards() -> None:
    played = Played(EUROPEAN, {2: 1_000}, "8S 5D 8H 2C 3C")
    assert played.act(SPLIT) == ["split 2/0 +1000", "2/0[1]: 2C", "2/1[1]: 3C"]


def test_a_second_split_names_the_hands_as_they_now_are() -> None:
    played = Played(EUROPEAN, {0: 1_000}, "8S 5D 8H 2C 8C 3C 4C")
    played.act(SPLIT)
    played.act(STAND)
    assert played.act(SPLIT) == ["split 0/1 +1000", "0/1[1]: 3C", "0/2[1]: 4C"]


def test_a_double_and_the_dealer_turn_are_one_step() -> None:
    played = Played(TABLE, {0: 1_000}, "6S 5D 5H 9C 10S 3D")
    assert played.act(DOUBLE) == [
        "double 0/0 +1000",
        "0/0[2]: 10S",
        "turned: 9C",
        "dealer/0[2]: 3D",
        "win 0/0: 4000 for 2000",
    ]


def test_the_hole_card_of_classic_is_turned_before_the_dealer_draws() -> None:
    played = Played(CLASSIC, {0: 1_000}, "10S 2C 9H 10D 3D AD AH")
    assert played.act(STAND) == [
        "stand 0/0 +0",
        "turned: 2C",
        "dealer/0[2]: 3D",
        "dealer/0[3]: AD",
        "dealer/0[4]: AH",
        "win 0/0: 2000 for 1000",
    ]


def test_a_bust_still_turns_the_hole_card() -> None:
    played = Played(TABLE, {0: 1_000}, "10S 5D 6H 9C 10H")
    assert played.act(HIT) == ["hit 0/0 +0", "0/0[2]: 10H", "turned: 9C", "bust 0/0: 0 for 1000"]


def test_the_dealer_takes_what_is_lost_before_paying_what_is_won() -> None:
    played = Played(EUROPEAN, {0: 100, 1: 200, 2: 300, 3: 400}, "10S 10H 10C 7S 9D 10D 7H 9C 10D KC")
    for _ in range(3):
        played.act(STAND)
    assert played.act(STAND)[1:] == [
        "dealer/0[1]: KC",
        "loss 1/0: 0 for 200",
        "loss 3/0: 0 for 400",
        "win 0/0: 200 for 100",
        "push 2/0: 300 for 300",
    ]


def test_a_round_that_is_over_has_no_next_step() -> None:
    over = deal(TABLE, (1_000,), draws("AS 5D KH 9C"))
    with pytest.raises(EngineError, match="no next step"):
        events_between(over, over)


# --- what holds for every story ---------------------------------------------------------------------------------


def play_through(rules: Rules, choices: Sequence[int], seed: int) -> list[Round]:
    """A whole round: the choices pick among what is legal, stand or decline once they are used up."""
    draw = seeded_draw(seed)
    waiting = list(choices)
    played = [deal(rules, dict.fromkeys(range(rules.places_max), 1000), draw)]
    while (now := played[-1]).stage is not Stage.OVER:
        pick = waiting.pop() if waiting else 0
        if now.stage is Stage.INSURANCE:
            played.append(insure(now, insurance_max_cents(now) * (pick % 2), draw))
        else:
            legal = sorted(legal_actions(now), key=lambda action: (action is not STAND, action.value))
            played.append(act(now, legal[pick % len(legal)], draw))
    return played


whole_rounds = st.builds(
    play_through, st.sampled_from(list(GAMES.values())), st.lists(st.integers(0, 11), max_size=40), st.integers(0, 9999)
)


def all_events(rounds: Sequence[Round]) -> list[list[Event]]:
    return [
        list(events_between(None, rounds[0])),
        *(list(events_between(before, after)) for before, after in pairwise(rounds)),
    ]


@pytest.mark.requirement("PD-14")
@given(whole_rounds)
def test_every_card_is_dealt_once_in_the_order_drawn(rounds: list[Round]) -> None:
    events = [event for step in all_events(rounds) for event in step]
    shown = [event.card for event in events if isinstance(event, CardDealt | HoleTurned) and event.card != FACE_DOWN]
    assert sorted(shown) == sorted(rounds[-1].drawn)
    dealt = [event.card for event in events if isinstance(event, CardDealt)]
    assert [card for card in rounds[-1].drawn if card in dealt] == [card for card in dealt if card != FACE_DOWN]


@given(whole_rounds)
def test_the_hole_card_is_named_only_when_the_round_is_over(rounds: list[Round]) -> None:
    for round_, step in zip(rounds, all_events(rounds), strict=True):
        turned = [event for event in step if isinstance(event, HoleTurned)]
        assert len(turned) == (round_.stage is Stage.OVER and round_.rules.hole_card)


@given(whole_rounds)
def test_the_story_settles_exactly_the_results(rounds: list[Round]) -> None:
    events = [event for step in all_events(rounds) for event in step]
    ended = results(rounds[-1])
    settled = [event for event in events if isinstance(event, HandSettled)]
    assert sorted((each.place, each.hand, each.returned_cents) for each in settled) == [
        (each.place, each.hand, each.returned_cents) for each in ended.hands
    ]
    insured = [event for event in events if isinstance(event, InsuranceSettled)]
    assert [(each.place, each.returned_cents) for each in insured] == [
        (each.place, each.returned_cents) for each in ended.insurances
    ]


@given(whole_rounds)
def test_added_stakes_and_answers_make_up_what_was_staked(rounds: list[Round]) -> None:
    events = [event for step in all_events(rounds) for event in step]
    added = sum(event.added_cents for event in events if isinstance(event, HandPlayed))
    insured = sum(event.cents for event in events if isinstance(event, InsuranceAnswered))
    bets = sum(place.bet_cents for place in rounds[0].places)
    assert bets + added + insured == results(rounds[-1]).staked_cents


@given(whole_rounds)
def test_once_something_is_paid_nothing_more_is_taken(rounds: list[Round]) -> None:
    settled = [
        event.returned_cents > 0
        for event in all_events(rounds)[-1]
        if isinstance(event, HandSettled | InsuranceSettled)
    ]
    assert settled == sorted(settled)

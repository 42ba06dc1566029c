"""The play of a round: dealing, looking, drawing, and every rule as a setting."""

from collections.abc import Collection
from itertools import product

import pytest
from support.rounds import codes, dealer_shown, draws, ended, named, only, play

from cabinet.engine.blackjack import (
    act,
    cost_cents,
    deal,
    hole_card,
    insurance_max_cents,
    insure,
    is_natural,
    is_pair,
    legal_actions,
    results,
    upcard,
    why_not,
)
from cabinet.engine.cards import Card, total_of
from cabinet.engine.errors import EngineError, OddAmountError
from cabinet.engine.round import Action, Hand, Outcome, Stage
from cabinet.engine.rules import (
    CLASSIC,
    EUROPEAN,
    TABLE,
    DoubleOn,
    HitAt21,
    LateBlackjackTakes,
    Limits,
    Rules,
    vary,
)

HIT, STAND, DOUBLE, SPLIT = Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT


@pytest.mark.requirement("RN-08")
def test_cards_are_drawn_only_once_a_choice_needs_them() -> None:
    asked: list[int] = []

    def draw(out: Collection[int]) -> Card:
        asked.append(len(out))
        return stacked(out)

    stacked = draws("8S 9D 8H 8C 3S 2H 9S")
    round_ = deal(TABLE, (1_000,), draw)
    assert asked == [0, 1, 2, 3]
    round_ = act(round_, SPLIT, draw)
    assert asked == [0, 1, 2, 3, 4, 5]
    round_ = act(act(round_, HIT, draw), STAND, draw)
    act(round_, STAND, draw)
    assert asked == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.requirement("PD-14")
def test_each_draw_receives_every_card_that_is_out() -> None:
    seen: list[str] = []

    def draw(out: Collection[int]) -> Card:
        seen.append(codes(out))
        return stacked(out)

    stacked = draws("8S 9D 8H 3S 2H 5C KC")
    round_ = act(deal(EUROPEAN, (1_000,), draw), SPLIT, draw)
    act(act(round_, STAND, draw), STAND, draw)
    order = ["8S", "9D", "8H", "3S", "2H", "5C", "KC"]
    assert seen == [" ".join(order[:count]) for count in range(len(order))]


# --- dealing ----------------------------------------------------------------------------------------------------


def test_cards_go_round_the_table_twice() -> None:
    round_ = deal(EUROPEAN, {4: 1_000, 1: 2_000, 2: 500}, draws("2S 3S 4S 5D 6H 7H 8H"))
    assert [(place.number, place.bet_cents) for place in round_.places] == [(1, 2_000), (2, 500), (4, 1_000)]
    assert [codes(place.hands[0].cards) for place in round_.places] == ["2S 6H", "3S 7H", "4S 8H"]
    assert codes(round_.dealer) == "5D"


def test_places_without_a_bet_stay_out() -> None:
    round_ = deal(EUROPEAN, (0, 1_000, 0, 500, 0), draws("2S 3S 5D 6H 7H"))
    assert [place.number for place in round_.places] == [1, 3]


@pytest.mark.parametrize("bets", [(), (0, 0), {}, {0: 0}])
def test_no_bets_no_round(bets: tuple[int, ...] | dict[int, int]) -> None:
    with pytest.raises(EngineError, match="at least one place"):
        deal(EUROPEAN, bets, draws(""))


@pytest.mark.parametrize("bets", [{-1: 100}, {0: -100}, {5: 100}])
def test_a_bet_that_cannot_be_is_refused(bets: dict[int, int]) -> None:
    with pytest.raises(EngineError, match="place"):
        deal(EUROPEAN, bets, draws(""))


@pytest.mark.requirement("CM-02")
def test_three_to_two_and_half_come_out_whole_for_every_bet_offered() -> None:
    limits = Limits()
    for cents in range(limits.min_cents, limits.max_cents + 1, min(limits.chips_cents)):
        assert only(ended(TABLE, "AS 9D KH 8C", bets=(cents,))).returned_cents * 2 == cents * 5
        insured = ended(TABLE, "AS AD KH 8C", bets=(cents,), insurance=[cents // 2])
        assert insured.insurances[0].stake_cents * 2 == cents


@pytest.mark.requirement("CM-02")
@pytest.mark.parametrize("cents", [1, 25, 101, 9_999])
def test_an_odd_bet_is_never_dealt(cents: int) -> None:
    with pytest.raises(OddAmountError):
        deal(TABLE, (cents,), draws("AS 9D KH 8C"))


def test_a_bet_that_an_odd_ratio_cannot_pay_is_never_dealt() -> None:
    rules = vary(TABLE, blackjack_pays=(6, 5))
    with pytest.raises(OddAmountError):
        deal(rules, (102,), draws("AS 9D KH 8C"))
    assert only(ended(rules, "AS 9D KH 8C", bets=(100,))).returned_cents == 220


# --- looking at a round -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "cards"), [(TABLE, "8S 10D 9H 7C"), (CLASSIC, "8S 7C 9H 10D")])
def test_the_hole_card_is_hidden_until_the_round_is_over(rules: Rules, cards: str) -> None:
    round_ = play(rules, cards)
    assert codes([upcard(round_)]) == "10D"
    assert codes(dealer_shown(round_)) == "10D"
    assert hole_card(round_) == named("7C")[0]
    over = act(round_, STAND, draws(""))
    assert hole_card(over) is None
    assert dealer_shown(over) == over.dealer


@pytest.mark.parametrize("cards", ["AS KS", "KS AS", "10S AS"])
def test_an_ace_and_a_ten_value_are_a_natural(cards: str) -> None:
    assert is_natural(Hand(named(cards), 100))
    assert not is_natural(Hand(named(cards), 100, from_split=True))


@pytest.mark.parametrize("cards", ["AS AH", "9S 2S", "KS QS", "AS 5H 5D", "7S 7H 7D", "AS 9H"])
def test_other_cards_are_no_natural(cards: str) -> None:
    assert not is_natural(Hand(named(cards), 100))


def test_a_pair_is_a_matter_of_the_rules() -> None:
    assert is_pair(EUROPEAN, Hand(named("KS KH"), 100))
    assert not is_pair(EUROPEAN, Hand(named("KS QH"), 100))
    assert is_pair(TABLE, Hand(named("KS QH"), 100))
    assert not is_pair(TABLE, Hand(named("9S 8H"), 100))
    assert not is_pair(TABLE, Hand(named("8S 8H 8D"), 100))


def test_totals_are_the_best_that_brute_force_finds() -> None:
    names = ("AS", "2S", "5S", "6S", "9S", "KS")
    for count in range(1, 6):
        for cards in product(names, repeat=count):
            hand = named(" ".join(cards))
            ways = {
                sum(way)
                for way in product(
                    *(
                        (1, 11) if name == "AS" else (min(card % 13 + 1, 10),)
                        for name, card in zip(cards, hand, strict=True)
                    )
                )
            }
            fitting = [way for way in ways if way <= 21]
            best = max(fitting) if fitting else min(ways)
            total = total_of(hand)
            assert total.points == best
            assert total.soft == (best > min(ways))
            assert total.bust == (best > 21)


def test_actions_cost_the_stake_again_or_nothing() -> None:
    round_ = play(EUROPEAN, "8S 9D 8H", bets=(2_500,))
    assert [cost_cents(round_, action) for action in (HIT, STAND, DOUBLE, SPLIT)] == [0, 0, 2_500, 2_500]


def test_an_action_costs_what_the_place_whose_turn_it_is_has_staked() -> None:
    round_ = play(EUROPEAN, "8S 9S 9D 8H 9H", [STAND], bets=(1_000, 2_500))
    assert cost_cents(round_, DOUBLE) == 2_500


def test_questions_asked_at_the_wrong_time_are_our_mistake() -> None:
    deciding = play(EUROPEAN, "8S 9D 8H")
    with pytest.raises(EngineError, match="no place is asked"):
        insurance_max_cents(deciding)
    with pytest.raises(EngineError, match="no results"):
        results(deciding)
    asked = deal(EUROPEAN, (1_000,), draws("8S AD 8H"))
    with pytest.raises(EngineError, match="no hand is being decided"):
        cost_cents(asked, DOUBLE)
    assert why_not(asked, HIT) == "no hand is being decided"


# --- settings that no game as delivered uses, or only one -------------------------------------------------------


def test_soft_17_is_hit_where_the_rules_say_so() -> None:
    rules = vary(TABLE, dealer_hits_soft_17=True)
    assert codes(play(rules, "10S 6D 8H AC 10C", [STAND]).dealer) == "6D AC 10C"
    assert codes(play(rules, "10S 10D 8H 7C", [STAND]).dealer) == "10D 7C"
    assert codes(play(rules, "10S 7D 8H AC", [STAND]).dealer) == "7D AC"


def test_no_double_after_a_split_where_the_rules_forbid_it() -> None:
    rules = vary(TABLE, double_after_split=False)
    assert DOUBLE in legal_actions(play(rules, "8S 9D 8H 8C"))
    assert legal_actions(play(rules, "8S 9D 8H 8C 3S 2H", [SPLIT])) == {HIT, STAND}


def test_double_on_any_two_includes_a_split_21() -> None:
    rules = vary(TABLE, double_on=DoubleOn.ANY_TWO)
    assert legal_actions(play(rules, "KS 9D QH 8C AS 5H", [SPLIT])) == {STAND, DOUBLE}


def test_split_aces_are_played_on_where_the_rules_let_them() -> None:
    rules = vary(TABLE, split_aces_one_card=False)
    round_ = play(rules, "AS 9D AH 8C 5S 6H", [SPLIT])
    assert legal_actions(round_) == {HIT, STAND, DOUBLE}
    assert SPLIT not in legal_actions(play(vary(rules, splits_max=3), "AS 9D AH 8C AD 6H", [SPLIT]))


def test_a_new_pair_of_aces_may_be_split_but_not_hit_or_doubled() -> None:
    rules = vary(EUROPEAN, resplit_aces=True)
    round_ = play(rules, "AS 9D AH 5S AD", [SPLIT])
    assert round_.turn == (0, 1)
    assert legal_actions(round_) == {STAND, SPLIT}
    for action in (HIT, DOUBLE):
        with pytest.raises(EngineError, match="one card each"):
            act(round_, action, draws("2S"))
    again = act(round_, SPLIT, draws("6S 7S 8C"))
    assert again.stage is Stage.OVER
    assert [codes(hand.cards) for hand in again.places[0].hands] == ["AS 5S", "AH 6S", "AD 7S"]


def test_aces_are_done_when_no_split_is_left() -> None:
    once = vary(EUROPEAN, resplit_aces=True, splits_max=1)
    assert play(once, "AS 9D AH AC AD 8C", [SPLIT]).stage is Stage.OVER
    twice = vary(EUROPEAN, resplit_aces=True, splits_max=2)
    assert legal_actions(play(twice, "AS 9D AH AC 5D", [SPLIT])) == {STAND, SPLIT}
    assert play(twice, "AS 9D AH AC 5D AS AH 8C", [SPLIT, SPLIT]).stage is Stage.OVER


def test_no_splits_where_the_rules_allow_none() -> None:
    assert SPLIT not in legal_actions(play(vary(TABLE, splits_max=0), "8S 9D 8H 8C"))


def test_hard_21_may_be_hit_only_where_the_rules_say_so() -> None:
    rules = vary(TABLE, hit_at_21=HitAt21.HARD_ONLY)
    assert legal_actions(play(rules, "9S 9D 4H 8C 8S", [HIT])) == {HIT, STAND}
    assert legal_actions(play(rules, "AS 9D 4H 8C 6S", [HIT])) == {STAND}


def test_less_than_half_is_insured_only_where_the_rules_say_so() -> None:
    rules = vary(TABLE, insurance_partial=True)
    round_ = play(rules, "8S AD 9H 7C", insurance=[125])
    assert round_.places[0].insurance_cents == 125
    with pytest.raises(EngineError, match="expected 0 or 500"):
        play(TABLE, "8S AD 9H 7C", insurance=[125])


def test_ratios_come_from_the_rules() -> None:
    rules = vary(TABLE, blackjack_pays=(2, 1), insurance_pays=(3, 1))
    assert only(ended(rules, "AS 9D KH 8C")).returned_cents == 3_000
    assert ended(rules, "8S AD 9H KC", insurance=[500]).insurances[0].returned_cents == 2_000


def test_a_hand_won_by_its_cards_needs_no_dealer() -> None:
    rules = vary(EUROPEAN, cards_max=5)
    round_ = play(rules, "2S 9D 2H 2D 2C 3S 3C", [HIT, HIT, HIT])
    assert codes(round_.dealer) == "9D 3C"
    assert only(results(round_)).outcome is Outcome.CARDS_WIN


@pytest.mark.parametrize("cards_max", [5, None])
def test_a_hand_won_by_its_cards_stays_won_against_a_late_blackjack(cards_max: int | None) -> None:
    rules = vary(EUROPEAN, cards_max=cards_max)
    actions = [HIT, HIT, HIT] if cards_max else [HIT, HIT, HIT, STAND]
    expected = Outcome.CARDS_WIN if cards_max else Outcome.LOSS
    assert only(ended(rules, "2S KD 2H 2D 2C 3S AC", actions)).outcome is expected


ORIGINAL = vary(EUROPEAN, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES)


@pytest.mark.parametrize(
    ("cards", "actions", "expected"),
    [
        ("9S KD 9H AC", [STAND], [(Outcome.LOSS, 0)]),
        ("6S KD 5H 2C AC", [DOUBLE], [(Outcome.LOSS, 1_000)]),
        ("10S KD 6H 6C AC", [DOUBLE], [(Outcome.BUST, 1_000)]),
        ("8S KD 8H 10C 10H AC", [SPLIT, STAND, STAND], [(Outcome.LOSS, 0), (Outcome.PUSH, 1_000)]),
        ("8S KD 8H 3C 3H 2C 2H AC", [SPLIT, DOUBLE, DOUBLE], [(Outcome.LOSS, 1_000), (Outcome.PUSH, 2_000)]),
        ("8S KD 8H 10C 5H KC AC", [SPLIT, STAND, HIT], [(Outcome.LOSS, 0), (Outcome.BUST, 1_000)]),
        ("AS KD KH AC", [], [(Outcome.PUSH, 1_000)]),
    ],
)
def test_a_late_blackjack_may_take_first_bets_only(
    cards: str, actions: list[Action], expected: list[tuple[Outcome, int]]
) -> None:
    hands = ended(ORIGINAL, cards, actions).hands
    assert [(hand.outcome, hand.returned_cents) for hand in hands] == expected


def test_other_losses_are_whole_where_a_late_blackjack_takes_first_bets_only() -> None:
    assert only(ended(ORIGINAL, "6S KD 5H 2C 9C", [DOUBLE])).returned_cents == 0


def test_a_dealer_blackjack_leaves_nothing_to_decide() -> None:
    for cards in ("8S KD 8H AC", "8S AD 8H KC"):
        (hand,) = play(TABLE, cards).places[0].hands
        assert (hand.done, hand.doubled, hand.from_split) == (True, False, False)


# --- several places ---------------------------------------------------------------------------------------------


def test_places_decide_in_turn_and_finished_ones_are_passed_over() -> None:
    draw = draws("10S AS 9S 9D 8H KH 8S 2D")
    round_ = deal(EUROPEAN, (1_000, 1_000, 1_000), draw)
    assert round_.turn == (0, 0)
    round_ = act(round_, STAND, draw)
    assert round_.turn == (2, 0)


def test_every_place_is_asked_for_insurance_before_anyone_decides() -> None:
    draw = draws("10S AS AD 9H KH 8C 9C")
    round_ = deal(EUROPEAN, (1_000, 2_000), draw)
    assert (round_.stage, round_.turn) == (Stage.INSURANCE, (0, 0))
    round_ = insure(round_, 0, draw)
    assert (round_.stage, round_.turn) == (Stage.INSURANCE, (1, 0))
    round_ = insure(round_, 1_000, draw)
    assert (round_.stage, round_.turn) == (Stage.DECIDING, (0, 0))
    assert [place.insurance_cents for place in round_.places] == [0, 1_000]


def test_only_insured_places_get_an_insurance_result() -> None:
    ended_ = ended(EUROPEAN, "10S 9S AD 9H 8H KC", [STAND, STAND], bets=(1_000, 2_000), insurance=[0, 1_000])
    assert [(each.place, each.returned_cents) for each in ended_.insurances] == [(1, 3_000)]
    assert (ended_.staked_cents, ended_.returned_cents) == (4_000, 3_000)


def test_a_natural_is_insured_like_any_hand() -> None:
    ended_ = ended(TABLE, "AS AD KH KC", insurance=[500])
    assert ended_.returned_cents == 1_000 + 1_500
    assert ended(TABLE, "AS AD KH 9C", insurance=[500]).returned_cents == 2_500


def test_split_hands_are_played_from_the_first_on() -> None:
    round_ = play(EUROPEAN, "8S 9D 8H 8C 2H 3S 4S", [SPLIT, SPLIT])
    assert [codes(hand.cards) for hand in round_.places[0].hands] == ["8S 3S", "8C 4S", "8H 2H"]
    assert round_.turn == (0, 0)
    assert act(round_, STAND, draws("")).turn == (0, 1)

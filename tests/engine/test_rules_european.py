"""European Blackjack, sentence by sentence. Each test quotes the rule it proves; the table of all sentences is
`rule_sentences.toml`."""

from collections import Counter

import pytest
from support.rounds import codes, dealer_shown, draws, ended, named, only, play

from cabinet.engine.blackjack import act, deal, hole_card, insurance_max_cents, insure, legal_actions
from cabinet.engine.cards import total_of
from cabinet.engine.errors import EngineError
from cabinet.engine.round import Action, Outcome, Stage
from cabinet.engine.rules import EUROPEAN
from cabinet.runtime.shoe import make_draw

HIT, STAND, DOUBLE, SPLIT = Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT


# --- the pack and the places ------------------------------------------------------------------------------------


def test_six_decks_are_in_play() -> None:
    """'6 decks of standard playing cards are used'"""
    draw = make_draw(EUROPEAN.decks)
    out: list[int] = []
    while len(out) < 312:
        out.append(draw(out))
    faces = Counter(codes(out).split())
    assert len(faces) == 52
    assert set(faces.values()) == {6}


def test_each_round_begins_with_the_whole_pack() -> None:
    """'The cards are shuffled following the completion of each game round'"""
    first = play(EUROPEAN, "KS 9D QS 8C", [STAND])
    second = play(EUROPEAN, "KS 9D QS 8C", [STAND])
    assert first.stage is Stage.OVER
    assert second.drawn == first.drawn


def test_one_to_five_places_may_be_played() -> None:
    """'you may bet on up to five hands per game round'; 'Play 1 to 5 hands'"""
    for count in range(1, 6):
        cards = " ".join(["8S"] * count + ["7D"] + ["9H"] * count)
        assert len(deal(EUROPEAN, [1_000] * count, draws(cards)).places) == count
    with pytest.raises(EngineError, match="no place 5"):
        deal(EUROPEAN, {5: 1_000}, draws("8S 7D 9H"))


# --- no hole card -----------------------------------------------------------------------------------------------


def test_dealer_has_one_card_until_every_hand_is_complete() -> None:
    """'the dealer does not receive a second card (or hole card) until after all the player hands ...'"""
    draw = draws("10S 8S 9D 7S 8H 3H 2D KC")
    round_ = deal(EUROPEAN, (1_000, 1_000), draw)
    for action in (STAND, SPLIT, STAND):
        assert codes(round_.dealer) == "9D"
        assert hole_card(round_) is None
        round_ = act(round_, action, draw)
    assert codes(round_.dealer) == "9D"
    round_ = act(round_, STAND, draw)
    assert round_.stage is Stage.OVER
    assert codes(round_.dealer) == "9D KC"


def test_dealer_gets_the_second_card_even_when_every_hand_is_bust() -> None:
    """'The dealer's 2nd card is delivered following completion of all player hand actions'"""
    round_ = play(EUROPEAN, "10S 9D 6S KH 2C", [HIT])
    assert codes(round_.dealer) == "9D 2C"


def test_dealer_takes_no_third_card_that_no_hand_needs() -> None:
    """'The dealer's 2nd card is delivered following completion of all player hand actions'"""
    assert codes(play(EUROPEAN, "AS 9D KS 2C").dealer) == "9D 2C"
    assert codes(play(EUROPEAN, "AS 10S 9D KS 6S KH 2C", [HIT], bets=(1_000, 1_000)).dealer) == "9D 2C"
    both = play(EUROPEAN, "AS 10S 9D KS 6S 2C 7C", [STAND], bets=(1_000, 1_000))
    assert codes(both.dealer) == "9D 2C 7C"


def test_late_dealer_blackjack_takes_doubled_and_split_stakes() -> None:
    """'the dealer does not receive a second card (or hole card) until after all the player hands ...'"""
    results = ended(EUROPEAN, "8S KD 8H 3S 10C 10H AC", [SPLIT, DOUBLE, STAND])
    assert results.dealer_blackjack
    assert [(hand.outcome, hand.stake_cents, hand.returned_cents) for hand in results.hands] == [
        (Outcome.LOSS, 2_000, 0),
        (Outcome.LOSS, 1_000, 0),
    ]


def test_no_card_of_the_dealer_is_hidden() -> None:
    """'The dealer does not receive a hole card on the initial phase of the game round'"""
    round_ = play(EUROPEAN, "8S KD 9H")
    assert dealer_shown(round_) == round_.dealer == round_.drawn[1:2]


# --- what is paid -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ten", ["10H", "JH", "QH", "KH"])
@pytest.mark.parametrize("ace_first", [True, False])
def test_blackjack_pays_three_to_two(ten: str, ace_first: bool) -> None:
    """'A winning player blackjack (an ace and 10-value card on the initial deal) pays 3:2'"""
    cards = f"AS 9D {ten} 8C" if ace_first else f"{ten} 9D AS 8C"
    result = only(ended(EUROPEAN, cards))
    assert (result.outcome, result.returned_cents) == (Outcome.BLACKJACK, 2_500)


def test_blackjack_beats_a_dealer_21_of_three_cards() -> None:
    """'Blackjack pays:: 3 to 2'"""
    results = ended(EUROPEAN, "AS 10S 6D KH 9S 5C KC", [STAND], bets=(1_000, 1_000))
    assert [hand.outcome for hand in results.hands] == [Outcome.BLACKJACK, Outcome.LOSS]


def test_a_21_of_three_cards_pays_evens() -> None:
    """'all other winning hands pay 1:1'"""
    result = only(ended(EUROPEAN, "7S 9D 7H 7D KC", [HIT, STAND]))
    assert (result.outcome, result.returned_cents) == (Outcome.WIN, 2_000)


def test_a_winning_hand_pays_evens() -> None:
    """'Winning Hand:: 1 to 1'"""
    assert only(ended(EUROPEAN, "10S 9D 10H KC", [STAND])).returned_cents == 2_000
    assert only(ended(EUROPEAN, "6S 9D 5H 9H KC", [DOUBLE])).returned_cents == 4_000


def test_the_better_score_wins_and_over_21_loses() -> None:
    """'to beat the score of the dealer without exceeding a total of 21'"""
    assert only(ended(EUROPEAN, "10S 9D 10H KC", [STAND])).outcome is Outcome.WIN
    assert only(ended(EUROPEAN, "10S 9D 8H KC", [STAND])).outcome is Outcome.LOSS
    assert only(ended(EUROPEAN, "10S 9D 9H KC", [STAND])).outcome is Outcome.PUSH
    assert only(ended(EUROPEAN, "10S 5D 6H 6C 9C", [HIT])).outcome is Outcome.BUST
    assert only(ended(EUROPEAN, "10S 6D 2H 10C 10D", [STAND])).outcome is Outcome.WIN


# --- insurance --------------------------------------------------------------------------------------------------


def test_insurance_pays_two_to_one() -> None:
    """'Winning insurance bets pay 2:1'"""
    results = ended(EUROPEAN, "10S AD 9H KC", [STAND], insurance=[500])
    assert [(each.stake_cents, each.returned_cents) for each in results.insurances] == [(500, 1_500)]
    assert results.returned_cents == results.staked_cents == 1_500


def test_insurance_is_lost_without_a_dealer_blackjack() -> None:
    """'Insurance pays:: 2 to 1'"""
    results = ended(EUROPEAN, "10S AD 9H 7C", [STAND], insurance=[500])
    assert [each.returned_cents for each in results.insurances] == [0]
    assert only(results).outcome is Outcome.WIN


def test_insurance_waits_for_the_second_card() -> None:
    """'Insurance pays:: 2 to 1'; no hole card, so the answer comes after the hands"""
    results = ended(EUROPEAN, "10S AD 6H 10H KC", [HIT], insurance=[500])
    assert only(results).outcome is Outcome.BUST
    assert [each.returned_cents for each in results.insurances] == [1_500]


def test_at_most_half_of_each_wager_can_be_insured() -> None:
    """'insurance is limited to ½ of the wager per hand'"""
    draw = draws("10S 9S AD 9H 8H")
    round_ = deal(EUROPEAN, (1_000, 600), draw)
    assert insurance_max_cents(round_) == 500
    with pytest.raises(EngineError, match="expected up to 500"):
        insure(round_, 501, draw)
    with pytest.raises(EngineError, match="expected up to 500"):
        insure(round_, -1, draw)
    round_ = insure(round_, 125, draw)
    assert round_.stage is Stage.INSURANCE
    assert insurance_max_cents(round_) == 300
    round_ = insure(round_, 300, draw)
    assert [place.insurance_cents for place in round_.places] == [125, 300]


# --- doubling ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", ["2S 3H", "5S 6H", "9S 7H", "10S KH", "AS 2H", "AS 9H", "8S 8H", "AS AH"])
def test_any_first_two_cards_may_be_doubled(cards: str) -> None:
    """'The player may double down on any first two cards'; 'Double Down:: Yes'"""
    first, second = cards.split()
    draw = draws(f"{first} 7D {second} 2C 10C")
    round_ = act(deal(EUROPEAN, (1_000,), draw), DOUBLE, draw)
    assert round_.stage is Stage.OVER
    hand = round_.places[0].hands[0]
    assert (hand.stake_cents, hand.doubled, len(hand.cards)) == (2_000, True, 3)


def test_three_cards_may_not_be_doubled() -> None:
    """'The player may double down on any first two cards'"""
    draw = draws("2S 7D 3H 4C")
    round_ = act(deal(EUROPEAN, (1_000,), draw), HIT, draw)
    assert legal_actions(round_) == {HIT, STAND}
    with pytest.raises(EngineError, match="first two cards"):
        act(round_, DOUBLE, draw)


def test_split_hands_may_be_doubled() -> None:
    """'The player may double down following a split'; 'Double Down after split:: Yes'"""
    results = ended(EUROPEAN, "8S 7D 8H 3S 2H 10C 9C QC", [SPLIT, DOUBLE, DOUBLE])
    assert [(hand.stake_cents, hand.returned_cents) for hand in results.hands] == [(2_000, 4_000), (2_000, 4_000)]


def test_a_two_card_21_after_a_split_may_be_doubled() -> None:
    """'The player may double down on any first two cards'"""
    assert legal_actions(play(EUROPEAN, "KS 7D KH AS 5H", [SPLIT])) == {STAND, DOUBLE}


# --- splitting --------------------------------------------------------------------------------------------------


def test_a_split_pair_becomes_two_hands_with_their_own_stakes() -> None:
    """'Split:: Yes'"""
    hands = play(EUROPEAN, "8S 7D 8H 3S 2H", [SPLIT]).places[0].hands
    assert [(codes(hand.cards), hand.stake_cents) for hand in hands] == [("8S 3S", 1_000), ("8H 2H", 1_000)]


def test_three_splits_make_four_hands_and_no_more() -> None:
    """'The player may split three times for a total of four hands'"""
    round_ = play(EUROPEAN, "8S 7D 8H 8D 8C 8S 8H 8D 8C", [SPLIT, SPLIT, SPLIT])
    assert len(round_.places[0].hands) == 4
    assert SPLIT not in legal_actions(round_)
    with pytest.raises(EngineError, match="3 times"):
        act(round_, SPLIT, draws("8S 8H"))


@pytest.mark.parametrize("cards", ["KS QH", "10S JH", "JS KH", "QS 10H"])
def test_like_values_of_different_rank_may_not_be_split(cards: str) -> None:
    """'like-value cards that are not identical may not be split'; 'K and Q cannot be split'"""
    first, second = cards.split()
    round_ = play(EUROPEAN, f"{first} 7D {second}")
    assert legal_actions(round_) == {HIT, STAND, DOUBLE}


@pytest.mark.parametrize("cards", ["KS KH", "10S 10H", "2S 2H", "AS AH"])
def test_identical_cards_may_be_split(cards: str) -> None:
    """'K and K can be split'"""
    first, second = cards.split()
    assert SPLIT in legal_actions(play(EUROPEAN, f"{first} 7D {second}"))


def test_split_aces_get_one_card_each() -> None:
    """'Split aces receive only one card on each ace'; 'Split Aces:: Yes, 1 card on each'"""
    round_ = play(EUROPEAN, "AS 7D AH 3S 2H KC", [SPLIT])
    assert round_.stage is Stage.OVER
    assert [codes(hand.cards) for hand in round_.places[0].hands] == ["AS 3S", "AH 2H"]


def test_aces_may_not_be_split_again() -> None:
    """'The player may not re-split aces'"""
    round_ = play(EUROPEAN, "AS 7D AH AD AC KC", [SPLIT])
    assert round_.stage is Stage.OVER
    assert len(round_.places[0].hands) == 2


@pytest.mark.parametrize("cards", ["AS 7D AH KS QH KC", "KS 7D KH AS AH KC"])
def test_ace_and_ten_after_a_split_are_not_blackjack(cards: str) -> None:
    """'An ace and a 10-value card following a split does not constitute blackjack'"""
    actions = [SPLIT] if cards.startswith("A") else [SPLIT, STAND, STAND]
    results = ended(EUROPEAN, cards, actions)
    assert [(hand.outcome, hand.returned_cents) for hand in results.hands] == [(Outcome.WIN, 2_000)] * 2


def test_ace_and_ten_after_a_split_lose_to_a_dealer_blackjack() -> None:
    """'An ace and a 10-value card following a split does not constitute blackjack'"""
    results = ended(EUROPEAN, "AS KD AH KS QH AC", [SPLIT])
    assert [hand.outcome for hand in results.hands] == [Outcome.LOSS, Outcome.LOSS]


# --- 21 and surrender -------------------------------------------------------------------------------------------


def test_a_soft_21_may_not_be_hit() -> None:
    """'The player may not hit on a soft total of 21'"""
    round_ = play(EUROPEAN, "AS 7D 4H 6C", [HIT])
    assert legal_actions(round_) == {STAND}
    with pytest.raises(EngineError, match="21 may not be hit"):
        act(round_, HIT, draws("2S"))


def test_a_hard_21_may_be_hit() -> None:
    """'The player may not hit on a soft total of 21'"""
    assert legal_actions(play(EUROPEAN, "9S 7D 4H 8C", [HIT])) == {HIT, STAND}


def test_surrender_is_not_offered() -> None:
    """'Surrender is not available'; 'Surrender:: No'"""
    assert {action.value for action in legal_actions(play(EUROPEAN, "8S 10D 8H"))} == {
        "hit",
        "stand",
        "double",
        "split",
    }


# --- the dealer -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("second", ["2C", "5C", "7C"])
def test_dealer_draws_at_16_and_less(second: str) -> None:
    """'Dealer draws to:: 16'"""
    assert codes(play(EUROPEAN, f"10S 9D 8H {second} 10C", [STAND]).dealer) == f"9D {second} 10C"


def test_dealer_stands_at_17() -> None:
    """'Dealer stands on:: 17'"""
    assert codes(play(EUROPEAN, "10S 9D 8H 8C", [STAND]).dealer) == "9D 8C"
    assert codes(play(EUROPEAN, "10S 9D 8H 5C 3C", [STAND]).dealer) == "9D 5C 3C"


@pytest.mark.parametrize("cards", ["6C", "7C", "8C", "9C", "2C 4C"])
def test_dealer_stands_on_soft_17_or_higher(cards: str) -> None:
    """'The dealer stands on soft 17 or higher'"""
    assert codes(play(EUROPEAN, f"10S AD 8H {cards}", [STAND]).dealer) == f"AD {cards}"


def test_dealer_draws_against_a_21_too() -> None:
    """'Dealer draws to:: 16'"""
    assert only(ended(EUROPEAN, "7S 9D 7H 7D 2C 10C", [HIT, STAND])).outcome is Outcome.PUSH


def test_dealer_draws_at_a_soft_16() -> None:
    """'Dealer draws to:: 16'"""
    assert codes(play(EUROPEAN, "10S AD 8H 5C 10C 4D", [STAND]).dealer) == "AD 5C 10C 4D"
    assert codes(play(EUROPEAN, "10S AD 8H 5C 6C 9D", [STAND]).dealer) == "AD 5C 6C 9D"


# --- what cards are worth ---------------------------------------------------------------------------------------


def test_court_cards_count_ten_and_others_their_number() -> None:
    """'All face cards are valued at ten and the cards from 2-10 are valued as indicated'"""
    assert [total_of(named(name))[0] for name in ("JS", "QH", "KD")] == [10, 10, 10]
    assert [total_of(named(f"{number}C"))[0] for number in range(2, 11)] == list(range(2, 11))


def test_an_ace_counts_one_where_eleven_would_bust() -> None:
    """'if counting the Ace as eleven would put the hand over twenty-one, the Ace is automatically counted as one'"""
    assert total_of(named("AS 10H")) == (21, True)
    assert total_of(named("AS 10H KD")) == (21, False)
    assert total_of(named("AS 5H 6D")) == (12, False)


def test_the_ace_always_makes_the_best_hand() -> None:
    """'it's always assumed to have the value that makes the best hand'"""
    assert total_of(named("AS AH")) == (12, True)
    assert total_of(named("AS AH 9D")) == (21, True)
    assert total_of(named("AS AH AD 8C")) == (21, True)
    assert total_of(named("AS AH AD 9C")) == (12, False)


def test_a_hand_is_worth_the_sum_of_its_cards() -> None:
    """'a hand containing a Jack, 3, and 4 has a value of 17'"""
    assert total_of(named("JS 3H 4D")) == (17, False)

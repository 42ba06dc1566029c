"""Classic Blackjack, sentence by sentence. Each test quotes the rule it proves; the table of all sentences is
`rule_sentences.toml`."""

from collections import Counter

import pytest
from support.rounds import codes, dealer_shown, draws, ended, only, play

from cabinet.engine.blackjack import (
    act,
    cost_cents,
    deal,
    hole_card,
    insurance_max_cents,
    insure,
    legal_actions,
)
from cabinet.engine.effects import CardDealt, DealerPeeked, HoleTurned
from cabinet.engine.errors import EngineError
from cabinet.engine.round import Action, Outcome, Stage
from cabinet.engine.round_events import events_between
from cabinet.engine.rules import CLASSIC
from cabinet.runtime.shoe import make_draw

HIT, STAND, DOUBLE, SPLIT = Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT


# --- the deal: player, hole card, player, upcard ----------------------------------------------------------------


def test_dealer_first_card_is_face_down_and_the_second_up() -> None:
    """'The first of the dealer's cards is placed face down , the second is placed face up showing its value'"""
    round_ = play(CLASSIC, "8S 7C 9H 10D")
    dealt = [event for event in events_between(None, round_) if isinstance(event, CardDealt)]
    assert [(event.place, event.position, event.face_down) for event in dealt] == [
        (0, 0, False),
        (None, 0, True),
        (0, 1, False),
        (None, 1, False),
    ]
    assert codes(dealer_shown(round_)) == "10D"
    hidden = hole_card(round_)
    assert hidden is not None
    assert codes([hidden]) == "7C"


def test_two_cards_are_dealt_face_up_to_the_player() -> None:
    """'Two cards are dealt'; 'Both cards you are playing are placed face up'"""
    round_ = play(CLASSIC, "8S 7C 9H 10D")
    dealt_to_place = [
        event for event in events_between(None, round_) if isinstance(event, CardDealt) and event.place == 0
    ]
    assert codes(event.card for event in dealt_to_place) == "8S 9H"


def test_insurance_is_the_option_under_an_ace() -> None:
    """'If the dealer's upcard is an ace, you have the option of taking Insurance'; 'before the dealer views the first
    card'"""
    round_ = deal(CLASSIC, (1_000,), draws("8S KC 9H AD"))
    assert round_.stage is Stage.INSURANCE
    assert not any(isinstance(event, DealerPeeked) for event in events_between(None, round_))


def test_an_ace_face_down_gives_no_insurance_question() -> None:
    """'If the dealer's second card or upcard is an ace'"""
    assert deal(CLASSIC, (1_000,), draws("8S AC 9H 9D")).stage is Stage.DECIDING


@pytest.mark.parametrize("cards", ["8S 8H", "KS QH", "AS AH"])
def test_two_cards_of_identical_value_may_be_split(cards: str) -> None:
    """'if you have two cards of identical value you will be given the option to split them'"""
    first, second = cards.split()
    assert SPLIT in legal_actions(play(CLASSIC, f"{first} 7C {second} 9D"))
    assert SPLIT not in legal_actions(play(CLASSIC, "8S 7C 9H 9D"))


# --- blackjack --------------------------------------------------------------------------------------------------


def test_with_a_two_card_21_the_dealer_shows_the_hand() -> None:
    """'Should you have a two-card hand totalling 21 (Blackjack), the dealer will show their hand'"""
    round_ = deal(CLASSIC, (1_000,), draws("AS 7C KH 9D"))
    assert round_.stage is Stage.OVER
    assert HoleTurned(card=round_.dealer[0]) in events_between(None, round_)
    assert codes(dealer_shown(round_)) == "7C 9D"


def test_blackjack_wins_three_to_two() -> None:
    """'If the dealer does not have Blackjack, you win 3:2 on your stake'"""
    result = only(ended(CLASSIC, "AS 7C KH 9D"))
    assert (result.outcome, result.returned_cents) == (Outcome.BLACKJACK, 2_500)


def test_two_blackjacks_return_the_stake() -> None:
    """'If the dealer does have Blackjack, your original stake is returned to you and the game ends (a 'push')'"""
    for cards in ("AS AC KH KD", "AS KC KH AD"):
        result = only(ended(CLASSIC, cards))
        assert (result.outcome, result.returned_cents) == (Outcome.PUSH, 1_000)


# --- the dealer -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hole", ["2C", "6C", "7C"])
def test_dealer_draws_with_fewer_than_17(hole: str) -> None:
    """'If the dealer has fewer than 17, they must draw another card'"""
    assert codes(play(CLASSIC, f"10S {hole} 8H 9D 10C", [STAND]).dealer) == f"{hole} 9D 10C"


@pytest.mark.parametrize("dealer", ["7C 10D", "8C 10D", "10C 10D"])
def test_dealer_draws_no_more_at_17_or_over(dealer: str) -> None:
    """'If the dealer's hand equals 17 or over, they may not draw any more cards'"""
    hole, up = dealer.split()
    assert codes(play(CLASSIC, f"10S {hole} 8H {up}", [STAND]).dealer) == dealer


@pytest.mark.parametrize("dealer", ["6C AD", "AC 6D"])
def test_dealer_stands_at_a_soft_17(dealer: str) -> None:
    """'This also applies if the dealer has a soft 17 (an ace card and a six)'"""
    hole, up = dealer.split()
    assert codes(play(CLASSIC, f"10S {hole} 8H {up}", [STAND]).dealer) == dealer


# --- playing the hand -------------------------------------------------------------------------------------------


def test_cards_one_by_one_until_bust_or_stand() -> None:
    """'you can either take more cards ('hit') or remain at your current total (a 'stand' )'; 'one by one ... until you
    have either gone over 21 ('bust') or ... call a 'stand''"""
    round_ = play(CLASSIC, "2S 7C 3H 10D 4S 5S", [HIT, HIT])
    assert len(round_.places[0].hands[0].cards) == 4
    assert legal_actions(round_) == {HIT, STAND}
    assert act(round_, STAND, draws("")).stage is Stage.OVER
    assert act(round_, HIT, draws("KS")).stage is Stage.OVER


def test_at_21_no_more_cards_are_taken() -> None:
    """'If you do not have 21, you can either take more cards'"""
    round_ = play(CLASSIC, "10S 7C 5H 10D 6S", [HIT])
    assert legal_actions(round_) == {STAND}


def test_there_is_no_limit_to_the_cards() -> None:
    """'You may then continue to take more cards, one by one'"""
    cards = "2S 10D 2H 9D 2D 2C 2S 2H AS AH AD AC AS"
    round_ = play(CLASSIC, cards, [HIT] * 9)
    assert len(round_.places[0].hands[0].cards) == 11
    assert legal_actions(round_) == {HIT, STAND}


# --- winning and losing -----------------------------------------------------------------------------------------


def test_a_dealer_bust_wins() -> None:
    """'If the dealer busts, you win the game'"""
    assert only(ended(CLASSIC, "10S 6C 2H 10D 6S", [STAND])).outcome is Outcome.WIN


def test_the_higher_hand_wins() -> None:
    """'If your hand is higher than the dealers, without going over 21, you win'"""
    assert only(ended(CLASSIC, "10S 8C 9H 10D", [STAND])).returned_cents == 2_000


def test_the_lower_hand_loses() -> None:
    """'If the dealer's hand is higher than yours, without going over 21, the dealer wins'"""
    assert only(ended(CLASSIC, "10S 10C 9H 10D", [STAND])).returned_cents == 0


def test_a_bust_loses() -> None:
    """'If you bust, you lose the game'"""
    result = only(ended(CLASSIC, "10S 6C 6H 10D 6S", [HIT]))
    assert (result.outcome, result.returned_cents) == (Outcome.BUST, 0)


def test_a_tie_returns_the_stake() -> None:
    """'If your hand matches the dealers, it is a push and your stake is returned'"""
    result = only(ended(CLASSIC, "10S 9C 9H 10D", [STAND]))
    assert (result.outcome, result.returned_cents) == (Outcome.PUSH, 1_000)


# --- insurance --------------------------------------------------------------------------------------------------


def test_after_insurance_the_dealer_peeks() -> None:
    """'If you accept Insurance, the dealer will check ('peek') at their card for Blackjack'"""
    draw = draws("8S 7C 9H AD")
    before = deal(CLASSIC, (1_000,), draw)
    after = insure(before, 500, draw)
    assert DealerPeeked(blackjack=False) in events_between(before, after)


def test_insurance_costs_half_of_the_stake() -> None:
    """'The cost of insurance is half of the current stake placed'"""
    draw = draws("8S 7C 9H AD")
    round_ = deal(CLASSIC, (1_000,), draw)
    assert insurance_max_cents(round_) == 500
    with pytest.raises(EngineError, match="expected 0 or 500"):
        insure(round_, 250, draw)
    assert insure(round_, 500, draw).places[0].insurance_cents == 500


def test_dealer_blackjack_pays_insurance_and_takes_the_stake() -> None:
    """'your insurance bet is paid at 2 to 1, your original stake is lost'"""
    results = ended(CLASSIC, "8S KC 9H AD", insurance=[500])
    assert [each.returned_cents for each in results.insurances] == [1_500]
    assert only(results).returned_cents == 0


@pytest.mark.parametrize(("second", "outcome"), [("9H", Outcome.WIN), ("7H", Outcome.LOSS), ("8H", Outcome.PUSH)])
def test_without_blackjack_insurance_is_lost_and_the_cards_decide(second: str, outcome: Outcome) -> None:
    """'you lose your insurance bet and the main bet is either won or lost based on the outcome of the cards'"""
    results = ended(CLASSIC, f"10S 7C {second} AD", [STAND], insurance=[500])
    assert [each.returned_cents for each in results.insurances] == [0]
    assert only(results).outcome is outcome


# --- splitting --------------------------------------------------------------------------------------------------


def test_a_split_makes_two_hands_for_an_equal_bet() -> None:
    """'place an additional bet (equal to your original bet) to play two hands instead of one'; 'Each of the cards then
    becomes the start of a new hand'"""
    before = play(CLASSIC, "8S 7C 8H 9D")
    assert cost_cents(before, SPLIT) == 1_000
    hands = act(before, SPLIT, draws("3S 2H")).places[0].hands
    assert [(codes(hand.cards), hand.stake_cents) for hand in hands] == [("8S 3S", 1_000), ("8H 2H", 1_000)]


def test_a_split_is_allowed_once() -> None:
    """'Splitting is only allowed once, at the start of the game'; 'No further splitting (resplitting)'"""
    round_ = play(CLASSIC, "8S 7C 8H 9D 8D 8C", [SPLIT])
    assert SPLIT not in legal_actions(round_)
    with pytest.raises(EngineError, match="split 1 times"):
        act(round_, SPLIT, draws("2S 3S"))


def test_a_split_comes_before_other_cards() -> None:
    """'If your first two cards are of identical value'; 'at the start of the game'"""
    round_ = play(CLASSIC, "2S 7C 2H 9D 2D", [HIT])
    assert SPLIT not in legal_actions(round_)


def test_split_hands_are_paid_evens_each_by_itself() -> None:
    """'If either of your hands beats the dealer, you are paid evens on your original stake'"""
    results = ended(CLASSIC, "8S 7C 8H 10D 10S 8D", [SPLIT, STAND, STAND])
    assert [hand.returned_cents for hand in results.hands] == [2_000, 0]


@pytest.mark.parametrize("cards", ["AS 7C AH 10D KS QH", "KS 7C QH 10D AS AH"])
def test_no_blackjack_on_a_split_hand(cards: str) -> None:
    """'If you split a hand, Blackjack (3:2) cannot be called on that hand'; 'paid at evens'"""
    actions = [SPLIT] if cards.startswith("A") else [SPLIT, STAND, STAND]
    results = ended(CLASSIC, cards, actions)
    assert [(hand.outcome, hand.returned_cents) for hand in results.hands] == [(Outcome.WIN, 2_000)] * 2


def test_split_aces_get_one_further_card_each() -> None:
    """'When splitting two aces, only one further card can be drawn for each hand in the split'"""
    round_ = play(CLASSIC, "AS 7C AH 10D 5S 6H", [SPLIT])
    assert [codes(hand.cards) for hand in round_.places[0].hands] == ["AS 5S", "AH 6H"]
    assert round_.stage is Stage.OVER


# --- doubling ---------------------------------------------------------------------------------------------------


def test_double_doubles_the_bet_for_exactly_one_card() -> None:
    """'This option enables you to double your bet, but receive just one more card (forfeiting the opportunity to hit
    further)'"""
    before = play(CLASSIC, "2S 7C 3H 10D")
    assert cost_cents(before, DOUBLE) == 1_000
    round_ = act(before, DOUBLE, draws("4S"))
    hand = round_.places[0].hands[0]
    assert (hand.stake_cents, codes(hand.cards), round_.stage) == (2_000, "2S 3H 4S", Stage.OVER)


@pytest.mark.parametrize("cards", ["2S 3H", "10S KH", "AS 9H", "AS AH", "8S 8H"])
def test_any_two_cards_may_be_doubled(cards: str) -> None:
    """'This option enables you to double your bet'"""
    first, second = cards.split()
    assert DOUBLE in legal_actions(play(CLASSIC, f"{first} 7C {second} 9D"))


def test_split_hands_may_be_doubled() -> None:
    """'99.54% based on good playing strategy', which needs the double after a split"""
    assert DOUBLE in legal_actions(play(CLASSIC, "8S 7C 8H 9D 3S 2H", [SPLIT]))
    assert legal_actions(play(CLASSIC, "KS 7C QH 9D AS 2H", [SPLIT])) == {STAND, DOUBLE}


# --- general rules ----------------------------------------------------------------------------------------------


def test_six_decks_shuffled_after_every_game() -> None:
    """'The game uses 6 decks of cards and shuffles after every game played'"""
    draw = make_draw(CLASSIC.decks)
    out: list[int] = []
    while len(out) < 312:
        out.append(draw(out))
    faces = Counter(codes(out).split())
    assert len(faces) == 52
    assert set(faces.values()) == {6}
    first, second = (play(CLASSIC, "10S 7C 8H 10D", [STAND]) for _ in range(2))
    assert second.drawn == first.drawn

"""Table Blackjack, sentence by sentence. Each test quotes the rule it proves; the table of all sentences is
`rule_sentences.toml`."""

from collections import Counter

import pytest
from support.rounds import codes, dealer_shown, draws, ended, named, only, play

from cabinet.engine.blackjack import (
    act,
    cost_cents,
    deal,
    hole_card,
    insurance_max_cents,
    insure,
    legal_actions,
)
from cabinet.engine.cards import total_of
from cabinet.engine.effects import CardDealt, DealerPeeked
from cabinet.engine.errors import EngineError
from cabinet.engine.round import Action, Outcome, Stage
from cabinet.engine.round_events import events_between
from cabinet.engine.rules import TABLE
from cabinet.runtime.shoe import make_draw

HIT, STAND, DOUBLE, SPLIT = Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT

TEN_SMALL_CARDS = "2S 10D 2H 9D 2D 2C 2S 2H AS AH AD AC"
"""A deal and eight hits that give the player ten cards with a total of 16; the dealer has 19."""


# --- the game in general ----------------------------------------------------------------------------------------


def test_closer_to_21_without_going_over_wins() -> None:
    """'closer to 21 than the Dealer without going over'; 'closest to 21 without going over, wins'"""
    assert only(ended(TABLE, "10S 10D 10H 9C", [STAND])).outcome is Outcome.WIN
    assert only(ended(TABLE, "10S 10D 8H 9C", [STAND])).outcome is Outcome.LOSS
    assert only(ended(TABLE, "10S 10D 6H 7C 6S", [HIT])).outcome is Outcome.BUST


def test_one_player_plays_against_the_dealer() -> None:
    """'Blackjack allows you to play head-to-head against the Dealer'"""
    assert len(play(TABLE, "10S 10D 8H 9C").places) == 1
    with pytest.raises(EngineError, match="no place 1"):
        deal(TABLE, (1_000, 1_000), draws("10S 8S 10D 8H 7H 9C"))


def test_cards_splits_and_doubles_are_there_to_choose() -> None:
    """'taking extra cards, card splitting, or double down'"""
    assert legal_actions(play(TABLE, "8S 10D 8H 9C")) == {HIT, STAND, DOUBLE, SPLIT}


def test_six_decks_are_in_play() -> None:
    """'6 decks of standard playing cards are shuffled for each hand of play'"""
    draw = make_draw(TABLE.decks)
    out: list[int] = []
    while len(out) < 312:
        out.append(draw(out))
    faces = Counter(codes(out).split())
    assert len(faces) == 52
    assert set(faces.values()) == {6}


def test_each_hand_begins_with_the_whole_pack() -> None:
    """'6 decks of standard playing cards are shuffled for each hand of play'"""
    first, second = (play(TABLE, "10S 10D 8H 9C", [STAND]) for _ in range(2))
    assert second.drawn == first.drawn


# --- the deal ---------------------------------------------------------------------------------------------------


def test_player_cards_and_one_dealer_card_lie_face_up() -> None:
    """'two cards, both face up. The Dealer will receive two cards, one face up and one face down'"""
    round_ = play(TABLE, "8S 10D 9H 7C")
    dealt = [event for event in events_between(None, round_) if isinstance(event, CardDealt)]
    assert [(event.place, event.face_down) for event in dealt] == [(0, False), (None, False), (0, False), (None, True)]
    assert codes(dealer_shown(round_)) == "10D"
    hidden = hole_card(round_)
    assert hidden is not None
    assert codes([hidden]) == "7C"


def test_cards_count_their_face_value() -> None:
    """'Face cards are worth 10'; 'All other cards are worth the value on their face'"""
    assert [total_of(named(name))[0] for name in ("JS", "QH", "KD")] == [10, 10, 10]
    assert [total_of(named(f"{number}C"))[0] for number in range(2, 11)] == list(range(2, 11))


def test_an_ace_counts_eleven_only_up_to_21() -> None:
    """'Aces are only counted as an 11 if it does not make the total card value to exceed 21'"""
    assert total_of(named("AS KD")) == (21, True)
    assert total_of(named("AS 5D 6C")) == (12, False)


def test_five_and_ace_are_a_soft_16() -> None:
    """'a 5 plus an Ace equals a "Soft 16"'"""
    assert total_of(named("5S AD")) == (16, True)


def test_aces_have_their_highest_value_against_the_dealer() -> None:
    """'Aces are given the highest possible value not to exceed 21'"""
    assert only(ended(TABLE, "AS 10D 8H 8C", [STAND])).outcome is Outcome.WIN
    assert only(ended(TABLE, "10S 10D 5H 5C 3S AC AD", [HIT, STAND])).outcome is Outcome.WIN


# --- blackjack --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", ["AS 9D KH 8C", "10S 9D AH 8C", "JS 9D AH 8C", "AS 9D QH 8C"])
def test_ace_and_ten_value_are_blackjack_and_pay_three_to_two(cards: str) -> None:
    """'Online Table Blackjack pays back 3 to 2'; 'first two cards equal 21 ... it is called Blackjack'"""
    result = only(ended(TABLE, cards))
    assert (result.outcome, result.returned_cents) == (Outcome.BLACKJACK, 2_500)


def test_only_the_first_two_cards_make_blackjack() -> None:
    """'Only the first two cards of each hand are eligible for Blackjack'"""
    result = only(ended(TABLE, "5S 10D 6H 8C KH", [HIT, STAND]))
    assert (result.outcome, result.returned_cents) == (Outcome.WIN, 2_000)


@pytest.mark.parametrize("cards", ["AS 9D AH 8C KS QH", "KS 9D QH 8C AS AH"])
def test_21_on_a_split_hand_is_not_blackjack(cards: str) -> None:
    """'A split hand leading to a two card total value of 21 is not Blackjack'"""
    actions = [SPLIT] if cards.startswith("A") else [SPLIT, STAND, STAND]
    results = ended(TABLE, cards, actions)
    assert [(hand.outcome, hand.returned_cents) for hand in results.hands] == [(Outcome.WIN, 2_000)] * 2


def test_blackjack_is_a_certain_win_once_the_dealer_has_none() -> None:
    """'the Player is the guaranteed winner and will be paid 3 to 2'"""
    round_ = play(TABLE, "AS 10D KH 6C")
    assert round_.stage is Stage.OVER
    assert codes(round_.dealer) == "10D 6C"
    assert only(ended(TABLE, "AS 10D KH 6C")).returned_cents == 2_500


def test_without_blackjack_the_player_may_improve_the_hand() -> None:
    """'Otherwise, the Player will have the opportunity to improve the outcome of that hand'"""
    round_ = play(TABLE, "8S 10D 3H 6C")
    assert round_.stage is Stage.DECIDING
    assert legal_actions(round_) == {HIT, STAND, DOUBLE}


# --- hitting and standing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "hits"), [("10S 9D 5H 8C 6S", 1), ("8S 9D 2H 8C AS", 1), ("5S 9D 4H 8C 2S 10S", 2), ("7S 9D 7H 8C 7D", 1)]
)
def test_at_21_only_stand_is_left_and_has_to_be_pressed(cards: str, hits: int) -> None:
    """'a total card value of 21, regardless of the number of cards the player must stand'; 'required to click the STAND
    button to complete the hand'"""
    round_ = play(TABLE, cards, [HIT] * hits)
    assert round_.stage is Stage.DECIDING
    assert legal_actions(round_) == {STAND}
    assert act(round_, STAND, draws("")).stage is Stage.OVER


def test_21_on_a_split_hand_leaves_only_stand() -> None:
    """'a total card value of 21, regardless of the number of cards the player must stand'"""
    assert legal_actions(play(TABLE, "KS 9D QH 8C AS 5H", [SPLIT])) == {STAND}


def test_cards_may_be_taken_until_bust_stand_or_21() -> None:
    """'Additional cards may be requested until you either bust, stand, or your total card value reaches 21'"""
    round_ = play(TABLE, "2S 9D 3H 8C 2D 3C 4S", [HIT, HIT, HIT])
    assert legal_actions(round_) == {HIT, STAND}
    assert act(round_, HIT, draws("KS")).stage is Stage.OVER
    assert act(round_, STAND, draws("")).stage is Stage.OVER
    assert legal_actions(act(round_, HIT, draws("7S"))) == {STAND}


def test_over_21_is_bust_and_the_bet_is_lost() -> None:
    """'When you bust ... that hand loses and your bet is forfeited'"""
    result = only(ended(TABLE, "10S 10D 6H 6C 6S", [HIT]))
    assert (result.outcome, result.returned_cents) == (Outcome.BUST, 0)


def test_stand_plays_the_hand_as_it_is() -> None:
    """'You decide to request no additional cards and play that hand against the Dealer's hand'"""
    round_ = play(TABLE, "10S 10D 8H 7C", [STAND])
    assert codes(round_.places[0].hands[0].cards) == "10S 8H"
    assert round_.stage is Stage.OVER


def test_eleven_cards_without_a_bust_win_at_once() -> None:
    """'The 11-card Player hand whose total card value does not exceed 21 will automatically wins'"""
    ten = play(TABLE, TEN_SMALL_CARDS, [HIT] * 8)
    assert ten.stage is Stage.DECIDING
    assert HIT in legal_actions(ten)
    round_ = play(TABLE, f"{TEN_SMALL_CARDS} AS", [HIT] * 9)
    assert round_.stage is Stage.OVER
    assert codes(round_.dealer) == "10D 9D"
    result = only(ended(TABLE, f"{TEN_SMALL_CARDS} AS", [HIT] * 9))
    assert (result.outcome, result.returned_cents) == (Outcome.CARDS_WIN, 2_000)


def test_eleven_cards_with_21_win_at_once_too() -> None:
    """'The 11-card Player hand whose total card value does not exceed 21'"""
    assert only(ended(TABLE, f"{TEN_SMALL_CARDS} 5S", [HIT] * 9)).outcome is Outcome.CARDS_WIN


def test_eleven_cards_over_21_are_bust() -> None:
    """'The 11-card Player hand whose total card value does not exceed 21'"""
    assert only(ended(TABLE, f"{TEN_SMALL_CARDS} KS", [HIT] * 9)).outcome is Outcome.BUST


def test_no_hand_holds_more_than_eleven_cards() -> None:
    """'may draw a maximum of 11 cards for any hand'"""
    round_ = play(TABLE, f"{TEN_SMALL_CARDS} AS", [HIT] * 9)
    assert legal_actions(round_) == frozenset()
    with pytest.raises(EngineError):
        act(round_, HIT, draws("AH"))


def test_eleven_cards_beat_a_dealer_who_draws_for_another_hand() -> None:
    """'will automatically wins'"""
    cards = "2S 10D 2H 6D  2D 10H  2C 2S 2H 2D AS AH AD AC AS  5C"
    results = ended(TABLE, cards, [SPLIT, *[HIT] * 9, STAND])
    assert [hand.outcome for hand in results.hands] == [Outcome.CARDS_WIN, Outcome.LOSS]


# --- doubling ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", ["2S 3H", "5S 6H", "10S KH", "AS 9H", "AS AH", "8S 8H"])
def test_two_cards_under_21_may_be_doubled(cards: str) -> None:
    """'Double down may be used on any two cards whose total card value is less than 21'"""
    first, second = cards.split()
    assert DOUBLE in legal_actions(play(TABLE, f"{first} 9D {second} 8C"))


def test_two_cards_with_21_may_not_be_doubled() -> None:
    """'This will not be offered if the total card value of the first two cards is twenty one'"""
    round_ = play(TABLE, "KS 9D QH 8C AS 5H", [SPLIT])
    assert DOUBLE not in legal_actions(round_)
    with pytest.raises(EngineError, match="under 21"):
        act(round_, DOUBLE, draws("2S"))


def test_double_doubles_the_bet_for_one_card() -> None:
    """'it automatically double the original betting and receive one extra card'"""
    before = play(TABLE, "6S 9D 5H 8C")
    assert cost_cents(before, DOUBLE) == 1_000
    round_ = act(before, DOUBLE, draws("2S"))
    hand = round_.places[0].hands[0]
    assert (hand.stake_cents, codes(hand.cards), round_.stage) == (2_000, "6S 5H 2S", Stage.OVER)


@pytest.mark.parametrize(
    ("actions", "stakes"),
    [
        ([SPLIT, DOUBLE, STAND], [2_000, 1_000]),
        ([SPLIT, STAND, DOUBLE], [1_000, 2_000]),
        ([SPLIT, DOUBLE, DOUBLE], [2_000, 2_000]),
    ],
)
def test_either_or_both_split_hands_may_be_doubled(actions: list[Action], stakes: list[int]) -> None:
    """'one either one or both of the initial 2 card hands of a split'; 'either of the first two cards or split both'"""
    cards = "8S 9D 8H 8C 3S 2H" + " 10S" * actions.count(DOUBLE)
    round_ = play(TABLE, cards, actions)
    assert [hand.stake_cents for hand in round_.places[0].hands] == stakes


def test_split_aces_may_not_be_doubled() -> None:
    """'with the exception of split Aces'; 'If you split cards other than Aces, you may double down'"""
    round_ = play(TABLE, "AS 9D AH 8C 5S 6H", [SPLIT])
    assert round_.stage is Stage.OVER
    assert not any(hand.doubled for hand in round_.places[0].hands)


# --- splitting --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", ["8S 8H", "KS QH", "10S JH", "AS AH"])
def test_two_cards_of_the_same_value_may_be_split(cards: str) -> None:
    """'the first two cards in a hand are the same value, you may split them into two separate hands'"""
    first, second = cards.split()
    assert SPLIT in legal_actions(play(TABLE, f"{first} 9D {second} 8C"))


def test_two_cards_of_different_value_may_not_be_split() -> None:
    """'the first two cards in a hand are the same value'"""
    round_ = play(TABLE, "8S 9D 9H 8C")
    with pytest.raises(EngineError, match="only a pair"):
        act(round_, SPLIT, draws("2S 3S"))


def test_split_places_a_second_bet_of_the_same_size() -> None:
    """'an additional bet that is equal to the original bet will be placed'"""
    before = play(TABLE, "8S 9D 8H 8C")
    assert cost_cents(before, SPLIT) == 1_000
    hands = act(before, SPLIT, draws("3S 2H")).places[0].hands
    assert [(codes(hand.cards), hand.stake_cents) for hand in hands] == [("8S 3S", 1_000), ("8H 2H", 1_000)]


def test_a_hand_is_split_only_once() -> None:
    """'Only 1 split will be allowed. There is no re-splitting'; 'Each hand is only allowed one split'; 'Re-splitting is
    not allowed'"""
    round_ = play(TABLE, "8S 9D 8H 8C 8D 8C", [SPLIT])
    assert SPLIT not in legal_actions(round_)
    with pytest.raises(EngineError, match="split 1 times"):
        act(round_, SPLIT, draws("2S 3S"))


def test_split_aces_get_one_card_each() -> None:
    """'Split Aces will receive only one card each'; 'each Ace will only receive one additional card'"""
    round_ = play(TABLE, "AS 9D AH 8C 5S 6H", [SPLIT])
    assert [codes(hand.cards) for hand in round_.places[0].hands] == ["AS 5S", "AH 6H"]
    assert round_.stage is Stage.OVER


# --- insurance and the dealer's look ----------------------------------------------------------------------------


def test_insurance_is_offered_under_an_ace() -> None:
    """'When the Dealer's face up card is an Ace, an Insurance Bet will be offered'; 'you will be offered Insurance'"""
    assert deal(TABLE, (1_000,), draws("8S AD 9H KC")).stage is Stage.INSURANCE
    assert deal(TABLE, (1_000,), draws("8S 9D 9H AC")).stage is Stage.DECIDING


def test_insurance_is_half_of_the_wager() -> None:
    """'it is worth half of the initial wager'; 'another bet equal to half of your original wager'"""
    draw = draws("8S AD 9H 7C")
    round_ = deal(TABLE, (1_000,), draw)
    assert insurance_max_cents(round_) == 500
    for cents in (499, 501, 1, -500):
        with pytest.raises(EngineError, match="expected 0 or 500"):
            insure(round_, cents, draw)
    assert insure(round_, 500, draw).places[0].insurance_cents == 500


@pytest.mark.parametrize("cents", [0, 500])
def test_dealer_looks_after_insurance_was_accepted_or_declined(cents: int) -> None:
    """'After the Insurance Bet has been accepted or declined, the Dealer's face down card is checked'; 'will also check
    for blackjack after Insurance Bets are either accepted or declined'"""
    draw = draws("8S AD 9H KC")
    before = deal(TABLE, (1_000,), draw)
    assert not any(isinstance(event, DealerPeeked) for event in events_between(None, before))
    after = insure(before, cents, draw)
    assert DealerPeeked(blackjack=True) in events_between(before, after)
    assert after.stage is Stage.OVER


def test_insurance_pays_two_to_one_and_the_game_ends() -> None:
    """'your Insurance Bet, if made, will be paid 2 to 1 and the game ends'"""
    results = ended(TABLE, "8S AD 9H KC", insurance=[500])
    assert [each.returned_cents for each in results.insurances] == [1_500]
    assert only(results).returned_cents == 0


def test_insurance_is_forfeited_and_play_goes_on_without_blackjack() -> None:
    """'any Insurance bet is forfeited and play continues'"""
    assert play(TABLE, "8S AD 9H 7C", insurance=[500]).stage is Stage.DECIDING
    results = ended(TABLE, "8S AD 10H 7C", [STAND], insurance=[500])
    assert [each.returned_cents for each in results.insurances] == [0]
    assert only(results).outcome is Outcome.PUSH


@pytest.mark.parametrize("ten", ["10D", "JD", "QD", "KD"])
def test_dealer_looks_under_a_ten_without_an_insurance_question(ten: str) -> None:
    """'When the Dealer's face up card is a 10 or face card then the Dealer checks for blackjack'; 'In this case no
    Insurance Bet will be offered in advance'"""
    found = deal(TABLE, (1_000,), draws(f"8S {ten} 9H AC"))
    assert found.stage is Stage.OVER
    assert DealerPeeked(blackjack=True) in events_between(None, found)
    none = deal(TABLE, (1_000,), draws(f"8S {ten} 9H 9C"))
    assert none.stage is Stage.DECIDING
    assert DealerPeeked(blackjack=False) in events_between(None, none)


def test_a_dealer_blackjack_costs_no_double_and_no_split() -> None:
    """'it eliminates risking additional Double Down and Split wagers'"""
    for cards in ("8S KD 8H AC", "8S AD 8H KC"):
        round_ = play(TABLE, cards)
        assert legal_actions(round_) == frozenset()
        assert only(ended(TABLE, cards)).stake_cents == 1_000


def test_dealer_blackjack_ends_the_game_and_takes_the_wager() -> None:
    """'When Dealer Blackjack is revealed play ends and the player loses wager'; 'all wagers are forfeited'"""
    results = ended(TABLE, "10S KD 9H AC")
    assert results.dealer_blackjack
    assert (only(results).outcome, only(results).returned_cents) == (Outcome.LOSS, 0)


@pytest.mark.parametrize("cards", ["AS KD KH AC", "AS AD KH KC"])
def test_two_blackjacks_push(cards: str) -> None:
    """'If the Player also has a blackjack it called a push and the wager will be returned'; 'this is called a push and
    your wager will be returned'"""
    result = only(ended(TABLE, cards))
    assert (result.outcome, result.returned_cents) == (Outcome.PUSH, 1_000)


def test_without_a_dealer_blackjack_the_hand_is_played() -> None:
    """'If the Dealer does not have Blackjack then you get to play out your hand'"""
    assert play(TABLE, "8S AD 9H 7C").stage is Stage.DECIDING
    assert play(TABLE, "8S KD 9H 7C").stage is Stage.DECIDING


# --- the dealer's turn ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hole", ["2C", "6C", "7C"])
def test_dealer_hits_at_16_and_less(hole: str) -> None:
    """'must hit on total card values of 16 or less'; 'dealt until the total card value is 17 or higher'"""
    assert codes(play(TABLE, f"10S 9D 8H {hole} 10C", [STAND]).dealer) == f"9D {hole} 10C"


@pytest.mark.parametrize("dealer", ["10D 7C", "AD 6C", "AD 7C", "10D 10C"])
def test_dealer_stands_at_all_17s_and_more(dealer: str) -> None:
    """'must stand on all 17's including soft values where an Ace could be counted as an 11 value'"""
    up, hole = dealer.split()
    assert codes(play(TABLE, f"10S {up} 8H {hole}", [STAND]).dealer) == dealer


def test_dealer_stands_at_a_soft_17_of_three_cards() -> None:
    """'must stand on all 17's including soft values'"""
    assert codes(play(TABLE, "10S 2D 8H 4C AC", [STAND]).dealer) == "2D 4C AC"


def test_face_down_card_is_turned_after_the_hand() -> None:
    """'After your hand is played the Dealer's face down card is revealed'"""
    before = play(TABLE, "10S 10D 6H 7C")
    assert codes(dealer_shown(before)) == "10D"
    for after in (act(before, STAND, draws("")), act(before, HIT, draws("KH"))):
        assert hole_card(after) is None
        assert codes(dealer_shown(after)) == "10D 7C"


def test_dealer_does_not_play_against_a_bust_or_a_blackjack() -> None:
    """'If the Player hand is either a bust or a Blackjack winner, then the Dealer's hand will not be played'"""
    assert codes(play(TABLE, "10S 10D 6H 2C 6S", [HIT]).dealer) == "10D 2C"
    assert codes(play(TABLE, "AS 10D KH 2C").dealer) == "10D 2C"


def test_dealer_plays_when_one_split_hand_still_stands() -> None:
    """'Otherwise, the Dealer's hand will be played out once the Player hand is complete'"""
    round_ = play(TABLE, "8S 10D 8H 2C 8C 10H KS 7D", [SPLIT, HIT, STAND])
    assert codes(round_.dealer) == "10D 2C 7D"


def test_the_higher_total_wins() -> None:
    """'it will be compared to the Player's hand and the highest total card value will win'; 'accumulating a total card
    value that is higher than the Dealer's but not over 21'"""
    assert only(ended(TABLE, "10S 10D 9H 8C", [STAND])).outcome is Outcome.WIN
    assert only(ended(TABLE, "10S 10D 9H 10C", [STAND])).outcome is Outcome.LOSS


def test_player_wins_when_the_dealer_busts() -> None:
    """'The Dealer will bust if the total card value exceeds 21 and the Player will win'"""
    assert only(ended(TABLE, "10S 10D 2H 6C 6S", [STAND])).returned_cents == 2_000


def test_a_tie_returns_the_wager() -> None:
    """'In the event of a tie, this is a push and your wager for that hand will be returned'"""
    result = only(ended(TABLE, "10S 10D 9H 9C", [STAND]))
    assert (result.outcome, result.returned_cents) == (Outcome.PUSH, 1_000)

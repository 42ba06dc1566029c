"""What each sentence of the help says of the cards, asked of the engine by playing: one function for each key.

A claim gives the parts of its sentence as they come out of play, or None where the sentence is not true of these rules.
It never reads the setting that the sentence is made from, so that a sentence and the play can disagree.
"""

from collections.abc import Mapping
from fractions import Fraction

from support.help_play import (
    BET,
    COUNTS,
    DOUBLE,
    HIT,
    SPLIT,
    STAND,
    Claim,
    Parts,
    first_hand,
    long_hand,
    may,
    played,
    ratio,
    result,
    small,
    splits,
    when,
    wins_by_cards,
    won,
)
from support.rounds import StackedDraw, named

from cabinet.engine.blackjack import act, deal, hole_card, insure, legal_actions, results
from cabinet.engine.cards import total_of
from cabinet.engine.round import Action, Outcome, Round, Stage
from cabinet.engine.rules import Rules
from cabinet.text.messages import Key, Words

# --- the aim, the deal, blackjack -----------------------------------------------------------------------------------


def _values(rules: Rules, words: Words) -> Parts | None:
    del rules, words
    pips = all(total_of(named(f"{n}S")).points == n for n in range(2, 11))
    return when(pips and all(total_of(named(f"{face}S")).points == 10 for face in "JQK"))


def _ace(rules: Rules, words: Words) -> Parts | None:
    del rules, words
    soft, hard = total_of(named("AS 5S")), total_of(named("AS 5S 10S"))
    return when((soft.points, soft.soft, hard.points, hard.soft) == (16, True, 16, False))


def _deal_two(rules: Rules, words: Words) -> Parts | None:
    del words
    return when(first_hand(played(rules, "10S 9S")).cards == named("10S 9S"))


def _no_hole(rules: Rules, words: Words) -> Parts | None:
    del words
    before, after = played(rules, "10S 9S"), played(rules, "10S 9S", STAND, more="5H")
    return when(before.dealer == named("6D") and after.dealer[1:2] == named("10C"))


def _hole_at(position: int) -> Claim:
    def claim(rules: Rules, words: Words) -> Parts | None:
        del words
        round_ = played(rules, "10S 9S")
        hidden = hole_card(round_)
        return when(hidden is not None and len(round_.dealer) == 2 and round_.dealer[position] == hidden)

    return claim


def _looks(rules: Rules, words: Words) -> Parts | None:
    del words
    under_ten = played(rules, "10S 9S", up="KD", hole="AC", more="5H")
    under_ace = played(rules, "10S 9S", up="AD", hole="KC", more="5H")
    return when(under_ten.stage is under_ace.stage is Stage.OVER)


def _blackjack_what(rules: Rules, words: Words) -> Parts | None:
    del words
    natural, other = played(rules, "AS KS", more="10H"), played(rules, "10S KS", STAND, more="10H")
    return when(result(natural).outcome is Outcome.BLACKJACK and result(other).outcome is not Outcome.BLACKJACK)


def _blackjack_pays(rules: Rules, words: Words) -> Parts | None:
    over_21_of_three = played(rules, "AS KS", up="6D", hole="5C", more="10H")
    return when(won(over_21_of_three) > 1, ratio=ratio(words, won(over_21_of_three)))


def _blackjack_both(rules: Rules, words: Words) -> Parts | None:
    del words
    both = [played(rules, "AS KS", up=up, hole=hole) for up, hole in (("AD", "KC"), ("KD", "AC"))]
    return when(all(won(round_) == 0 for round_ in both))


def _blackjack_split(rules: Rules, words: Words) -> Parts | None:
    del words
    if not splits(rules):
        return None
    ended = played(rules, "KS KH", SPLIT, STAND, STAND, then="AS 5H", up="6D", hole="10C", more="10H")
    return when(ended.stage is Stage.OVER and won(ended) == 1)


# --- playing a hand -------------------------------------------------------------------------------------------------


def _take(rules: Rules, words: Words) -> Parts | None:
    del words
    hit = played(rules, "10S 2S", HIT, then="3S")
    stood = played(rules, "10S 9S", STAND, more="10H")
    bust = played(rules, "10S 6S", HIT, then="10H", more="10D")
    return when(
        len(first_hand(hit).cards) == 3
        and first_hand(stood).cards == named("10S 9S")
        and result(bust).outcome is Outcome.BUST
        and won(bust) == -1
    )


def _at_21(*, hard: bool) -> Claim:
    def claim(rules: Rules, words: Words) -> Parts | None:
        del words
        soft_21, hard_21 = may(rules, HIT, "AS 2S", HIT, then="8S"), may(rules, HIT, "10S 6S", HIT, then="5S")
        return when((soft_21, hard_21) == (False, hard))

    return claim


def _waits(*, aces: bool, cards: bool) -> Claim:
    def claim(rules: Rules, words: Words) -> Parts | None:
        kinds = {
            "plain": played(rules, "10S 6S", HIT, then="5S").stage is Stage.DECIDING,
            "blackjack": played(rules, "AS KS", more="10H").stage is Stage.DECIDING,
            "doubled": played(rules, "6S 5S", DOUBLE, then="KS", more="10H").stage is Stage.DECIDING,
        }
        finished_aces, finished_cards = False, None
        if splits(rules):
            kinds["split"] = _is_first("KS KH", "AS 5H", rules)
            finished_aces = not _is_first("AS AH", "KS 5H", rules)
        for count in COUNTS:
            at_21 = long_hand(rules, count, f"{12 - count}S" if count < 11 else "AD", more="10H 10D")
            if at_21.stage is Stage.OVER:
                finished_cards = len(first_hand(at_21).cards)
                break
            assert total_of(first_hand(at_21).cards).points == 21
        assert kinds.pop("plain")
        assert kinds.pop("split", True)
        true = not any(kinds.values()) and (finished_aces, finished_cards is not None) == (aces, cards)
        return when(true, number=words.number(finished_cards or 0))

    return claim


def _is_first(pair: str, then: str, rules: Rules) -> bool:
    """Returns True if the first hand of a split pair waits for its player."""
    round_ = played(rules, pair, SPLIT, then=then, more="10H 10D")
    return round_.turn == (0, 0)


def _no_limit(rules: Rules, words: Words) -> Parts | None:
    del words
    cards = f"{small(11)} AS".split()
    return when(all(may(rules, HIT, "AS AH", *(HIT,) * hit, then=" ".join(cards[2 : 2 + hit])) for hit in range(11)))


def _cards_win(rules: Rules, words: Words) -> Parts | None:
    count = wins_by_cards(rules)
    if count is None:
        return None
    hand = long_hand(rules, count, up="KD", hole="QC", more="10H")
    return when(len(first_hand(hand).cards) == count, number=words.number(count), even=ratio(words, won(hand)))


# --- doubling and splitting -----------------------------------------------------------------------------------------


def _doubled(rules: Rules) -> tuple[bool, bool, bool]:
    """Returns whether split hands may be doubled: any, one with 21 on two cards, a split ace."""
    return (
        may(rules, DOUBLE, "8S 8H", SPLIT, then="3S 5H"),
        may(rules, DOUBLE, "KS KH", SPLIT, then="AS 5H"),
        may(rules, DOUBLE, "AS AH", SPLIT, then="5S 5H") and _is_first("AS AH", "5S 5H", rules),
    )


def _double_two(*, any_two: bool) -> Claim:
    def claim(rules: Rules, words: Words) -> Parts | None:
        del words
        two = all(may(rules, DOUBLE, hand) for hand in ("6S 5S", "10S 10H", "AS 9S", "2S 2H"))
        three = may(rules, DOUBLE, "2S 3S", HIT, then="4S")
        barred = splits(rules) > 0 and _doubled(rules)[0] and _doubled(rules)[1] is not any_two
        return when(two and not three and not barred)

    return claim


def _double_what(rules: Rules, words: Words) -> Parts | None:
    del words
    hand = first_hand(played(rules, "6S 5S", DOUBLE, then="2S", more="10H"))
    return when(hand.stake_cents == 2 * BET and len(hand.cards) == 3 and hand.done)


def _double_split(*expected: bool) -> Claim:
    def claim(rules: Rules, words: Words) -> Parts | None:
        del words
        return when(splits(rules) and _doubled(rules) == expected)

    return claim


def _double_no_split(rules: Rules, words: Words) -> Parts | None:
    del words
    return when(splits(rules) and not any(_doubled(rules)))


def _pairs(*expected: bool) -> Claim:
    def claim(rules: Rules, words: Words) -> Parts | None:
        del words
        return when((may(rules, SPLIT, "KS KH"), may(rules, SPLIT, "KS QH")) == expected)

    return claim


def _split_what(rules: Rules, words: Words) -> Parts | None:
    del words
    if not splits(rules):
        return None
    hands = played(rules, "8S 8H", SPLIT, then="3S 5H").places[0].hands
    return when([hand.stake_cents for hand in hands] == [BET] * 2 and [len(hand.cards) for hand in hands] == [2, 2])


def _split_once(rules: Rules, words: Words) -> Parts | None:
    del words
    return when(splits(rules) == 1)


def _split_many(rules: Rules, words: Words) -> Parts | None:
    times = splits(rules)
    return when(times > 1, times=words.number(times), hands=words.number(times + 1))


def _split_aces(*, played_on: bool) -> Claim:
    def claim(rules: Rules, words: Words) -> Parts | None:
        del words
        return when(splits(rules) and _is_first("AS AH", "5S 6H", rules) is played_on)

    return claim


def _aces_again(*, again: bool) -> Claim:
    def claim(rules: Rules, words: Words) -> Parts | None:
        del words
        if splits(rules) < 2:
            return None
        return when(may(rules, SPLIT, "AS AH", SPLIT, then="AD 6H") is again)

    return claim


def _split_results(rules: Rules, words: Words) -> Parts | None:
    if not splits(rules):
        return None
    ended = results(played(rules, "8S 8H", SPLIT, STAND, STAND, then="10S 2H", up="7D", hole="10C", more="5H")).hands
    apart = [hand.outcome for hand in ended] == [Outcome.WIN, Outcome.LOSS]
    even = Fraction(ended[0].returned_cents - BET, BET)
    return when(apart, even=ratio(words, even))


# --- insurance, the dealer, results ---------------------------------------------------------------------------------


def _insured(rules: Rules, hole: str, cents: int) -> Round:
    """A round of one place insured against an ace and played to its end."""
    dealers = {(False, False): "10S AD 9S", (True, False): f"10S AD 9S {hole}", (True, True): f"10S {hole} 9S AD"}
    order = dealers[rules.hole_card, rules.hole_card_first]
    draw = StackedDraw([*order.split(), *(() if rules.hole_card else (hole,)), "10H"])
    round_ = insure(deal(rules, (BET,), draw), cents, draw)
    return round_ if round_.stage is Stage.OVER else act(round_, STAND, draw)


def _insurance_when(rules: Rules, words: Words) -> Parts | None:
    del words
    asked = {}
    for up in ("AD", "KD", "9D"):
        dealers = ("2C", up) if rules.hole_card_first else (up, "2C")
        draw = StackedDraw(f"10S {dealers[0]} 9S {dealers[1]} 10H".split())
        asked[up] = deal(rules, (BET,), draw).stage is Stage.INSURANCE
    return when(asked == {"AD": True, "KD": False, "9D": False})


def _insurance_pays(rules: Rules, words: Words) -> Parts | None:
    with_blackjack, without = (results(_insured(rules, hole, BET // 2)).insurances[0] for hole in ("KC", "9C"))
    paid = Fraction(with_blackjack.returned_cents - BET // 2, BET // 2)
    return when(without.returned_cents == 0, ratio=ratio(words, paid))


def _insurance_apart(rules: Rules, words: Words) -> Parts | None:
    del words
    bets = [[result(_insured(rules, hole, cents)) for cents in (0, BET // 2)] for hole in ("KC", "9C", "7C")]
    return when(all(one == other for one, other in bets))


def _no_surrender(rules: Rules, words: Words) -> Parts | None:
    del words
    return when(legal_actions(played(rules, "8S 8H")) <= {HIT, STAND, DOUBLE, SPLIT})


def _dealer(*, soft_17_hit: bool) -> Claim:
    def claim(rules: Rules, words: Words) -> Parts | None:
        del words
        cards = {"16": ("6D", "10C"), "17": ("7D", "10C"), "soft": ("6D", "AC"), "18": ("8D", "10C")}
        drawn = {
            name: len(played(rules, "10S 9S", STAND, up=up, hole=hole, more="2H 2D 2C 10H").dealer) > 2
            for name, (up, hole) in cards.items()
        }
        return when(drawn == {"16": True, "17": False, "soft": soft_17_hit, "18": False})

    return claim


def _dealer_idle(*, turns: bool, won_cards: bool) -> Claim:
    """The dealer does not draw when no hand is to be compared."""

    def claim(rules: Rules, words: Words) -> Parts | None:
        del words
        bust = played(rules, "10S 6S", HIT, then="10H", up="5D", hole="6C", more="10D")
        natural = played(rules, "AS KS", up="5D", hole="6C", more="10D")
        count = wins_by_cards(rules)
        by_cards = None if count is None else long_hand(rules, count, up="5D", hole="6C", more="10D 10C")
        idle = [round_ for round_ in (bust, natural, by_cards) if round_ is not None]
        turned = len(played(rules, "10S 9S").dealer) == 2
        stopped = all(round_.stage is Stage.OVER and len(round_.dealer) == 2 for round_ in idle)
        return when(stopped and turned is turns and (count is not None) is won_cards)

    return claim


def _results_win(rules: Rules, words: Words) -> Parts | None:
    dealer_bust = played(rules, "10S 2S", STAND, up="6D", hole="10C", more="10H")
    higher = played(rules, "10S 9S", STAND, up="8D", hole="10C")
    return when(won(dealer_bust) == won(higher), even=ratio(words, won(higher)))


def _results_lose(rules: Rules, words: Words) -> Parts | None:
    del words
    lower = played(rules, "10S 8S", STAND, up="9D", hole="10C")
    bust = played(rules, "10S 6S", HIT, then="10H", up="6D", hole="10C", more="10D")
    return when(won(lower) == won(bust) == -1)


def _results_push(rules: Rules, words: Words) -> Parts | None:
    del words
    return when(won(played(rules, "10S 9S", STAND, up="9D", hole="10C")) == 0)


def _late(rules: Rules, hand: str, *actions: Action, then: str = "") -> Round:
    """A hand against a dealer whose second card makes blackjack, found at the end where there is no hole card."""
    return played(rules, hand, *actions, then=then, up="KD", hole="AC")


def _dealers_blackjack(*, but_cards: bool) -> Claim:
    def claim(rules: Rules, words: Words) -> Parts | None:
        beaten, equal = result(_late(rules, "10S 9S", *_until_late(rules, STAND))), result(_late(rules, "AS KS"))
        count = _beats_late(rules)
        true = not beaten.returned_cents and equal.returned_cents == BET and (count is not None) is but_cards
        if not rules.hole_card:
            true = true and not result(_late(rules, "10S 6S", HIT, STAND, then="5S")).returned_cents
        return when(true, number=words.number(count or 0))

    return claim


def _until_late(rules: Rules, *actions: Action) -> tuple[Action, ...]:
    """The actions where there is time for them: a dealer who looks ends the round at once."""
    return () if rules.hole_card else actions


def _beats_late(rules: Rules) -> int | None:
    """The number of cards with which a hand beats a dealer's blackjack; None when there is no such number."""
    if rules.hole_card:
        return None
    for count in COUNTS:
        round_ = long_hand(rules, count, up="KD", hole="AC")
        if round_.stage is Stage.OVER and result(round_).returned_cents:
            return count
    return None


def _late_takes(*, everything: bool, split: bool) -> Claim:
    """Returns what a late blackjack takes: of a doubled hand, and of a split place with one hand doubled and one
    bust."""

    def claim(rules: Rules, words: Words) -> Parts | None:
        del words
        if played(rules, "10S 9S", up="KD", hole="AC").stage is Stage.OVER or (splits(rules) > 0) is not split:
            return None
        rounds = [_late(rules, "6S 5S", DOUBLE, then="8S"), _late(rules, "6S 5S", DOUBLE, then="10S")]
        if split:
            rounds.append(_late(rules, "8S 8H", SPLIT, STAND, STAND, then="10S 10H"))
            rounds.append(_late(rules, "8S 8H", SPLIT, STAND, HIT, then="10S 10H 10D"))
        lost = [sum(hand.stake_cents - hand.returned_cents for hand in results(round_).hands) for round_ in rounds]
        return when(lost == ([2 * BET] * len(lost) if everything else [BET] * len(lost)))

    return claim


CARD_CLAIMS: Mapping[Key, Claim] = {
    Key.AIM_VALUES: _values,
    Key.AIM_ACE: _ace,
    Key.DEAL_TWO: _deal_two,
    Key.DEAL_NO_HOLE: _no_hole,
    Key.DEAL_HOLE_FIRST: _hole_at(0),
    Key.DEAL_HOLE_SECOND: _hole_at(1),
    Key.DEAL_PEEKS: _looks,
    Key.BLACKJACK_WHAT: _blackjack_what,
    Key.BLACKJACK_PAYS: _blackjack_pays,
    Key.BLACKJACK_BOTH: _blackjack_both,
    Key.BLACKJACK_SPLIT: _blackjack_split,
    Key.HAND_TAKE: _take,
    Key.HAND_AT_21_NEVER: _at_21(hard=False),
    Key.HAND_AT_21_HARD: _at_21(hard=True),
    Key.HAND_WAITS: _waits(aces=False, cards=False),
    Key.HAND_WAITS_ACES: _waits(aces=True, cards=False),
    Key.HAND_WAITS_CARDS: _waits(aces=False, cards=True),
    Key.HAND_WAITS_ACES_CARDS: _waits(aces=True, cards=True),
    Key.HAND_NO_LIMIT: _no_limit,
    Key.HAND_CARDS_WIN: _cards_win,
    Key.DOUBLE_ANY: _double_two(any_two=True),
    Key.DOUBLE_UNDER_21: _double_two(any_two=False),
    Key.DOUBLE_WHAT: _double_what,
    Key.DOUBLE_SPLIT: _double_split(True, False, True),
    Key.DOUBLE_SPLIT_21: _double_split(True, True, True),
    Key.DOUBLE_SPLIT_NOT_ACES: _double_split(True, False, False),
    Key.DOUBLE_SPLIT_21_NOT_ACES: _double_split(True, True, False),
    Key.DOUBLE_NO_SPLIT: _double_no_split,
    Key.SPLIT_NEVER: _pairs(False, False),
    Key.SPLIT_RANK: _pairs(True, False),
    Key.SPLIT_VALUE: _pairs(True, True),
    Key.SPLIT_WHAT: _split_what,
    Key.SPLIT_ONCE: _split_once,
    Key.SPLIT_MANY: _split_many,
    Key.SPLIT_ACES_ONE: _split_aces(played_on=False),
    Key.SPLIT_ACES_PLAYED: _split_aces(played_on=True),
    Key.SPLIT_ACES_AGAIN: _aces_again(again=True),
    Key.SPLIT_ACES_NOT_AGAIN: _aces_again(again=False),
    Key.SPLIT_RESULTS: _split_results,
    Key.INSURANCE_WHEN: _insurance_when,
    Key.INSURANCE_PAYS: _insurance_pays,
    Key.INSURANCE_APART: _insurance_apart,
    Key.SURRENDER_NEVER: _no_surrender,
    Key.DEALER_STANDS: _dealer(soft_17_hit=False),
    Key.DEALER_HITS: _dealer(soft_17_hit=True),
    Key.DEALER_TURNS: _dealer_idle(turns=True, won_cards=False),
    Key.DEALER_TURNS_WON: _dealer_idle(turns=True, won_cards=True),
    Key.DEALER_TAKES: _dealer_idle(turns=False, won_cards=False),
    Key.DEALER_TAKES_WON: _dealer_idle(turns=False, won_cards=True),
    Key.RESULTS_WIN: _results_win,
    Key.RESULTS_LOSE: _results_lose,
    Key.RESULTS_PUSH: _results_push,
    Key.RESULTS_BLACKJACK: _dealers_blackjack(but_cards=False),
    Key.RESULTS_BLACKJACK_CARDS: _dealers_blackjack(but_cards=True),
    Key.RESULTS_LATE_ALL: _late_takes(everything=True, split=True),
    Key.RESULTS_LATE_FIRST: _late_takes(everything=False, split=True),
    Key.RESULTS_LATE_ALL_UNSPLIT: _late_takes(everything=True, split=False),
    Key.RESULTS_LATE_FIRST_UNSPLIT: _late_takes(everything=False, split=False),
}
"""The sentences that are about cards."""

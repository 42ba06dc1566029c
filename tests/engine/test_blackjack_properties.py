"""What holds for every round of any game played any legal way, and returns that are known exactly."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rounds import draws, seeded_draw

from cabinet.engine.blackjack import (
    act,
    cost_cents,
    deal,
    insurance_max_cents,
    insure,
    is_natural,
    legal_actions,
    results,
    why_not,
)
from cabinet.engine.cards import Card, Draw, total_of, value_of
from cabinet.engine.errors import EngineError
from cabinet.engine.round import Action, Hand, Outcome, Round, Stage
from cabinet.engine.rules import (
    CLASSIC,
    EUROPEAN,
    GAMES,
    TABLE,
    HitAt21,
    LateBlackjackTakes,
    Rules,
    SplitBy,
    most_cards,
    vary,
)

HIT, STAND, DOUBLE, SPLIT = Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT


VARIANTS = (
    *GAMES.values(),
    vary(EUROPEAN, resplit_aces=True, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES, cards_max=5),
    vary(EUROPEAN, split_aces_one_card=False, resplit_aces=True, split_by=SplitBy.VALUE, dealer_hits_soft_17=True),
    vary(TABLE, splits_max=3, double_after_split=False, places_max=3, insurance_partial=True, cards_max=5),
    vary(CLASSIC, splits_max=0, hit_at_21=HitAt21.HARD_ONLY, blackjack_pays=(6, 5), decks=1),
)


class Choices:
    """Plays at random but repeatably: every number is one choice."""

    def __init__(self, numbers: Collection[int]) -> None:
        self.numbers = list(numbers)

    def among(self, count: int) -> int:
        return (self.numbers.pop() if self.numbers else 0) % count


def steps(rules: Rules, bets: Mapping[int, int], numbers: Collection[int], draw: Draw) -> list[Round]:
    """Every round value from the deal to the end under arbitrary legal play; stands once the choices are used up."""
    choices = Choices(numbers)
    rounds = [deal(rules, bets, draw)]
    while (now := rounds[-1]).stage is not Stage.OVER:
        if now.stage is Stage.INSURANCE:
            most = insurance_max_cents(now)
            amounts = (0, most, most // 2) if rules.insurance_partial else (0, most)
            rounds.append(insure(now, amounts[choices.among(len(amounts))], draw))
        else:
            legal = sorted(legal_actions(now), key=lambda action: (action is not STAND, action.value))
            rounds.append(act(now, legal[choices.among(len(legal))], draw))
    return rounds


@st.composite
def played(draw: st.DrawFn) -> list[Round]:
    """All the values of a round of any game, played any legal way with any bets."""
    rules = draw(st.sampled_from(VARIANTS))
    chips = draw(st.lists(st.integers(0, 100), min_size=rules.places_max, max_size=rules.places_max).filter(any))
    bets = {number: count * 100 for number, count in enumerate(chips)}
    choices = draw(st.lists(st.integers(0, 11), max_size=60))
    return steps(rules, bets, choices, seeded_draw(draw(st.integers(0, 1 << 32)), rules.decks))


def on_table(round_: Round) -> list[Card]:
    return [*round_.dealer, *(card for place in round_.places for hand in place.hands for card in hand.cards)]


# --- what holds for every round ---------------------------------------------------------------------------------


@pytest.mark.requirement("PD-14")
@given(played())
def test_every_card_is_out_once_and_lies_on_the_table(rounds: list[Round]) -> None:
    for round_ in rounds:
        assert len(set(round_.drawn)) == len(round_.drawn)
        assert sorted(round_.drawn) == sorted(on_table(round_))


@pytest.mark.requirement("PD-14")
@given(played())
def test_cards_are_used_in_the_order_drawn_and_never_go_back(rounds: list[Round]) -> None:
    for before, after in pairwise(rounds):
        assert after.drawn[: len(before.drawn)] == before.drawn
        assert after.dealer[: len(before.dealer)] == before.dealer


@pytest.mark.requirement("PD-07")
@given(played())
def test_every_hand_ends_with_the_outcome_its_total_earns(rounds: list[Round]) -> None:
    over = rounds[-1]
    ended_ = results(over)
    hands = [hand for place in over.places for hand in place.hands]
    assert [result.stake_cents for result in ended_.hands] == [hand.stake_cents for hand in hands]
    dealer = total_of(over.dealer)
    for hand, result in zip(hands, ended_.hands, strict=True):
        total = total_of(hand.cards)
        if result.outcome is Outcome.BUST:
            assert total.bust
        elif result.outcome is Outcome.BLACKJACK:
            assert is_natural(hand)
            assert not ended_.dealer_blackjack
        elif result.outcome is Outcome.CARDS_WIN:
            assert len(hand.cards) == over.rules.cards_max
        elif result.outcome is Outcome.WIN:
            assert dealer.bust or total.points > dealer.points
        elif result.outcome is Outcome.LOSS:
            assert ended_.dealer_blackjack or total.points < dealer.points
        elif not ended_.dealer_blackjack:
            assert total.points == dealer.points


@given(played())
def test_no_more_comes_back_than_a_round_can_pay(rounds: list[Round]) -> None:
    over = rounds[-1]
    paid, for_ = over.rules.blackjack_pays
    ended_ = results(over)
    for hand in ended_.hands:
        most = hand.stake_cents + hand.stake_cents * paid // for_
        assert 0 <= hand.returned_cents <= (most if hand.outcome is Outcome.BLACKJACK else 2 * hand.stake_cents)
    for insurance in ended_.insurances:
        assert insurance.returned_cents == (3 * insurance.stake_cents if ended_.dealer_blackjack else 0)
    bets = sum(place.bet_cents for place in over.places)
    assert bets <= ended_.staked_cents <= bets * (2 * (over.rules.splits_max + 1)) + bets // 2


@given(played())
def test_stakes_grow_by_exactly_what_a_step_costs(rounds: list[Round]) -> None:
    for before, after in pairwise(rounds):
        if before.stage is not Stage.DECIDING:
            continue
        grown = staked(after) - staked(before)
        costs = {cost_cents(before, action) for action in legal_actions(before)}
        assert grown in costs


@given(played())
def test_a_hand_is_marked_doubled_exactly_when_its_stake_is(rounds: list[Round]) -> None:
    for round_ in rounds:
        for place in round_.places:
            assert all(hand.stake_cents == place.bet_cents * (1 + hand.doubled) for hand in place.hands)


def staked(round_: Round) -> int:
    return sum(hand.stake_cents for place in round_.places for hand in place.hands)


@given(played())
def test_legal_actions_are_exactly_those_that_can_be_carried_out(rounds: list[Round]) -> None:
    for round_ in rounds:
        for action in Action:
            draw = seeded_draw(1, round_.rules.decks)
            if action in legal_actions(round_):
                assert len(act(round_, action, draw).drawn) >= len(round_.drawn)
            else:
                assert why_not(round_, action)
                with pytest.raises(EngineError):
                    act(round_, action, draw)


@given(played())
def test_a_hand_whose_turn_it_is_can_always_stand(rounds: list[Round]) -> None:
    for round_ in rounds:
        assert (STAND in legal_actions(round_)) == (round_.stage is Stage.DECIDING)
        assert (round_.turn is None) == (round_.stage is Stage.OVER)


@pytest.mark.requirement("PD-15")
@given(played())
def test_nothing_moves_a_round_that_is_over(rounds: list[Round]) -> None:
    over = rounds[-1]
    assert all(hand.done for place in over.places for hand in place.hands)
    assert results(over) == results(over)
    for action in Action:
        with pytest.raises(EngineError):
            act(over, action, draws(""))
    with pytest.raises(EngineError):
        insure(over, 0, draws(""))


@given(st.sampled_from(VARIANTS), st.lists(st.integers(0, 11), max_size=60), st.integers(0, 1 << 32))
def test_the_same_draws_and_choices_give_the_same_round(rules: Rules, numbers: list[int], seed: int) -> None:
    bets = {rules.places_max - 1: 1_000}
    rounds = steps(rules, bets, numbers, seeded_draw(seed, rules.decks))
    recorded = list(rounds[-1].drawn)
    assert steps(rules, bets, numbers, lambda _out: recorded.pop(0)) == rounds
    assert recorded == []


@pytest.mark.requirement("RN-05")
@given(st.sampled_from(VARIANTS), st.lists(st.integers(0, 11), max_size=60), st.integers(0, 1 << 32))
def test_cards_do_not_depend_on_the_stake(rules: Rules, numbers: list[int], seed: int) -> None:
    small = steps(rules, {0: 100}, numbers, seeded_draw(seed, rules.decks))
    large = steps(rules, {0: 10_000}, numbers, seeded_draw(seed, rules.decks))
    assert [round_.drawn for round_ in small] == [round_.drawn for round_ in large]


# --- returns that are known exactly -----------------------------------------------------------------------------


def stand(_hand: Hand) -> Action:
    return STAND


def like_the_dealer(hand: Hand) -> Action:
    return HIT if total_of(hand.cards).points < 17 else STAND


def cautious(hand: Hand) -> Action:
    total = total_of(hand.cards)
    return HIT if total.points <= (17 if total.soft else 11) else STAND


@pytest.mark.no_cover
@pytest.mark.sample(3)
@pytest.mark.parametrize("rules", list(GAMES.values()), ids=list(GAMES))
@pytest.mark.parametrize(
    ("decide", "expected"), [(stand, -0.1597465626), (cautious, -0.0601311182), (like_the_dealer, -0.0567564759)]
)
def test_simple_play_returns_what_the_mathematics_say(
    rules: Rules, decide: Callable[[Hand], Action], expected: float
) -> None:
    draw = seeded_draw(20_260_101)
    nets = []
    for _ in range(12_000):
        round_ = deal(rules, (100,), draw)
        while round_.stage is not Stage.OVER:
            if round_.stage is Stage.INSURANCE:
                round_ = insure(round_, 0, draw)
            else:
                round_ = act(round_, decide(round_.places[0].hands[0]), draw)
        ended_ = results(round_)
        nets.append((ended_.returned_cents - ended_.staked_cents) / 100)
    mean = sum(nets) / len(nets)
    spread = (sum((net - mean) ** 2 for net in nets) / len(nets)) ** 0.5
    assert abs(mean - expected) < 3.5 * spread / len(nets) ** 0.5


# --- a pack is enough -------------------------------------------------------------------------------------------

ONE_DECK = (
    vary(EUROPEAN, decks=1, splits_max=1, split_aces_one_card=False, split_by=SplitBy.VALUE),
    vary(EUROPEAN, decks=1, places_max=2, split_aces_one_card=False, resplit_aces=True),
    vary(TABLE, decks=1, places_max=3, splits_max=2, hole_card=True, cards_max=None, dealer_hits_soft_17=True),
)


def longest(rules: Rules, order: Sequence[int]) -> Round:
    """A round in which every hand is split and hit as long as the rules let it, from a pack in this order."""

    def draw(out: Collection[int]) -> int:
        return next(card for card in order if card not in out)

    now = deal(rules, dict.fromkeys(range(rules.places_max), 100), draw)
    while now.stage is not Stage.OVER:
        if now.stage is Stage.INSURANCE:
            now = insure(now, 0, draw)
        else:
            now = act(now, next(a for a in (SPLIT, HIT, STAND) if a in legal_actions(now)), draw)
    return now


@pytest.mark.requirement("PD-14")
@given(st.sampled_from(ONE_DECK), st.permutations(range(52)), st.integers(0, 52))
def test_no_round_takes_more_cards_than_the_bound(rules: Rules, shuffled: list[int], low: int) -> None:
    """The lower the first cards are, the more of them a hand takes."""
    order = sorted(shuffled[:low], key=value_of) + shuffled[low:]
    assert len(longest(rules, order).drawn) <= most_cards(rules) <= 52

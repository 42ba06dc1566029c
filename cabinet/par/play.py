"""Best play, and the return of a way of playing.

Best play is composition-dependent; a split hand is played as the best play before a split for the same cards, doubling
included where it is allowed after a split (the convention known as CDZ-). Insurance is never taken. The module knows
the beginning of a round and its pairs, not charts or the variance.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cabinet.engine.rules import Rules
from cabinet.par.hands import Bools, Floats, Hands, Ints, Pack, full_pack, list_hands
from cabinet.par.splits import list_deals, split_starts, splittable
from cabinet.par.state_space import (
    FIRST,
    Field,
    Payoffs,
    Policy,
    best_policy,
    build_field,
    ends_with_blackjack,
    spread_policy,
    stakes_won,
    worth_of,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Opening:
    """The beginning of a round, for every upcard."""

    upcard: Floats
    """The chance of each upcard."""
    chance: Floats
    """The chance of each two-card hand given the upcard, by [hand, upcard]; zero for hands of more cards."""
    hidden: Floats
    """The chance of a dealer's blackjack that costs one bet and ends the round before play, by [hand, upcard]."""
    natural: Floats
    """The worth of each hand if it is a blackjack, by [hand, upcard]; zero for other hands."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Everything needed to value ways of playing one set of rules."""

    rules: Rules
    first: Field
    """The first hands alone."""
    split: Field
    """The hands of split pairs; the first hands alone when nothing may be split."""
    first_won: Payoffs
    split_won: Payoffs
    opening: Opening
    pairs: dict[int, int]
    """The row of `first` that holds each pair that may be split, by column."""
    starts: Floats
    """How often a split yields each row of `split`, by [row, upcard], per split of its pair."""
    share: Floats
    """The share of each pair's hands that may be split, by [pair column, upcard]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Best:
    """Best play and its worths over the cases that are played, by [row of the first hands, upcard]."""

    policy: Policy
    worth: Floats
    hit: Floats
    split: Floats
    """The worth of splitting, by [pair column, upcard]."""
    splits: Bools
    """True where a pair is split."""
    value: float
    by_upcard: Floats


@lru_cache(maxsize=4)
def set_table(rules: Rules, pack: Pack | None = None) -> Table:
    """Returns hands, deals and payoffs of the rules, with all decks or another pack.

    The caller must not change the arrays. A small pack must have enough cards for the play that follows.
    """
    pack = pack or full_pack(rules.decks)
    hands = list_hands(pack, rules.cards_max)
    apart = ends_with_blackjack(rules) and not rules.hole_card and rules.cards_max is not None
    deals = [deal for pair in range(10) for deal in list_deals(rules, pair, apart=apart) if rules.splits_max]
    first = build_field(rules, pack, hands, [FIRST])
    split = build_field(rules, pack, hands, deals or [FIRST])
    starts = np.array([split_starts(rules, pack, deal) for deal in deals])
    return Table(
        rules=rules,
        first=first,
        split=split,
        first_won=stakes_won(first),
        split_won=stakes_won(split),
        opening=_open(rules, first),
        pairs=_pair_rows(first),
        starts=rows_of_second_cards(split, starts) if deals else np.zeros((split.size, 10)),
        share=np.array([splittable(rules, pack, pair) for pair in range(10)]),
    )


def play_best(table: Table) -> Best:
    """Returns the best play of the rules and its return."""
    policy, kept, hit = best_policy(table.first, table.first_won)
    split = worth_of_splits(table, policy)
    worth = kept.copy()
    splits = np.zeros((10, 10), dtype=bool)
    for pair, row in table.pairs.items():
        splits[pair] = (split[pair] > kept[row]) & (table.share[pair] > 0)
        gain = np.where(splits[pair], table.share[pair] * (split[pair] - kept[row]), 0.0)
        worth[row] = kept[row] + gain
    by_upcard = sum_up(table.opening, worth)
    value = float(table.opening.upcard @ by_upcard)
    return Best(policy=policy, worth=kept, hit=hit, split=split, splits=splits, value=value, by_upcard=by_upcard)


def worth_of_splits(table: Table, policy: Policy) -> Floats:
    """Returns the worth of splitting each pair when the split hands are played like first hands under the policy."""
    worth, _ = worth_of(table.split, table.split_won, spread_policy(table.first, policy, table.split))
    return sum_by_pair(table, worth)


def sum_by_pair(table: Table, worth: Floats) -> Floats:
    """Returns the sum over the rows of split hands for one split of each pair, by [pair column, upcard]."""
    result = np.zeros((10, 10))
    for pair in range(10):
        rows = np.flatnonzero(pair_of_rows(table.split) == pair)
        result[pair] = (table.starts[rows] * worth[rows]).sum(axis=0)
    return result


def sum_up(opening: Opening, worth: Floats) -> Floats:
    """Returns the return by upcard, from the worth of each first hand over the cases that are played."""
    natural = opening.natural != 0
    played = np.where(natural, opening.natural, worth - opening.hidden)
    result: Floats = (opening.chance * played).sum(axis=0)
    return result


def _open(rules: Rules, first: Field) -> Opening:
    pack = first.pack.array
    paid, per = rules.blackjack_pays
    return Opening(
        upcard=pack / pack.sum(),
        chance=_two_cards(pack, first.hands),
        hidden=first.blackjack * ends_with_blackjack(rules),
        natural=first.natural[:, None] * (1 - first.blackjack) * paid / per,
    )


def _two_cards(pack: Ints, hands: Hands) -> Floats:
    left = np.maximum(pack[:, None] - np.eye(10), 0.0)
    total = left.sum(axis=0)
    result = np.zeros((len(hands.hard), 10))
    for row in np.flatnonzero(hands.size == 2):
        one, *rest = np.flatnonzero(hands.counts[row])
        if rest:
            result[row] = 2 * left[one] * left[rest[0]] / (total * (total - 1))
        else:
            result[row] = left[one] * (left[one] - 1) / (total * (total - 1))
    return np.maximum(result, 0.0)


def _pair_rows(first: Field) -> dict[int, int]:
    hands = first.hands
    counts = hands.counts[first.hand]
    rows = np.flatnonzero((hands.size[first.hand] == 2) & (counts.max(axis=1) == 2))
    return {int(counts[row].argmax()): int(row) for row in rows}


def pair_of_rows(split: Field) -> Ints:
    """Returns the pair column of each row of split hands; -1 for first hands."""
    return np.array([-1 if deal.pair is None else deal.pair for deal in split.deals])[split.deal]


def rows_of_second_cards(split: Field, chances: Floats) -> Floats:
    """Returns chances by [deal, second card, upcard] as chances to start by [row, upcard]."""
    result = np.zeros((split.size, 10))
    two = np.flatnonzero(split.hands.size[split.hand] == 2)
    pairs = pair_of_rows(split)[two]
    counts = split.hands.counts[split.hand[two]]
    counts[np.arange(len(two)), pairs] -= 1
    result[two] = chances[split.deal[two], counts.argmax(axis=1)]
    return result

"""The worth of a split pair, computed from single hands.

Split hands are exchangeable: the hands of a pair are worth as much as one of them, dealt from the pack without the pair
cards that are out, times their number. If a further pair card may be split again, the number of hands depends on the
others' second cards. The case "the second card of another hand is no pair card" is then everything less the case "it is
one", which is the same single hand with one more pair card gone. So every split is a sum of single hands dealt after
`gone` pair cards have left the pack, each with a whole-number weight that depends only on the permitted number of
hands. The module counts split hands. It does not know how a hand is played or what it wins.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np

from cabinet.engine.rules import Rules, SplitBy
from cabinet.par.hands import ACE, TEN, Floats, Pack


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How often a single hand counts, by pair cards gone: any second card, or any except the pair card."""

    any_card: dict[int, int]
    no_pair: dict[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """One way hands are dealt: the first hand, or a hand of a split pair.

    `pair` is the column of the split value (None for the hand before any split), `gone` the number of pair cards that
    are out. `original` marks the hand with the round's first stake; None if that makes no difference.
    """

    pair: int | None = None
    gone: int = 0
    original: bool | None = None


def hands_max(rules: Rules, pair: int) -> int:
    """Returns the number of hands that a pair of this column may become; 1 when it may not be split."""
    if pair == ACE and not rules.resplit_aces:
        return min(rules.splits_max, 1) + 1
    return rules.splits_max + 1


def list_deals(rules: Rules, pair: int, *, apart: bool) -> tuple[Deal, ...]:
    """Returns the single hands of a split of this column; with `apart` the original hand is separate."""
    most = hands_max(rules, pair)
    if most < 2:
        return ()
    kinds = (True, False) if apart else (None,)
    gone = range(2, max(2, 2 * most - 2) + 1)
    return tuple(Deal(pair=pair, gone=count, original=kind) for count in gone for kind in kinds)


def split_starts(rules: Rules, pack: Pack, deal: Deal) -> Floats:
    """Returns how often a split yields a hand of this deal with each second card, by [second card, upcard].

    The sum over the deals of a pair is the expected number of hands. Single entries may be negative, because they are
    terms of the counting above and not chances.
    """
    if deal.pair is None:
        raise ValueError("a deal of a split needs its pair; got the first hand")
    weights = count_hands(hands_max(rules, deal.pair), deal.original)
    draws = second_cards(pack, deal)
    result = np.zeros((10, 10))
    for share, same_up in upcard_cases(rules, pack, deal.pair):
        chances = [pair_chance(rules, pack, deal.pair, gone, same_up) for gone in range(2, deal.gone + 1)]
        others = draws.copy()
        others[deal.pair] -= chances[-1]
        weighted = weights.any_card.get(deal.gone, 0) * draws + weights.no_pair.get(deal.gone, 0) * others
        result += share * np.prod(chances[:-1], axis=0) * weighted
    return result


def splittable(rules: Rules, pack: Pack, pair: int) -> Floats:
    """Returns the share of two-card hands of this value that may be split, by upcard; the rules may require equal
    ranks."""
    if rules.splits_max == 0:
        return np.zeros(10)
    result = np.ones(10)
    if pair == TEN and rules.split_by is SplitBy.RANK:
        four = pack.counts[TEN] // 4
        result[:] = (four - 1) / (4 * four - 1)
        result[TEN] = (comb(four - 1, 2) + 3 * comb(four, 2)) / comb(4 * four - 1, 2)
    return result


def pair_chance(rules: Rules, pack: Pack, pair: int, gone: int, same_up: Floats) -> Floats:
    """Returns the chance by upcard that the next card is a pair card; `same_up` is 1 if the upcard was one."""
    total = pack.total - gone - 1
    of_a_rank = pair == TEN and rules.split_by is SplitBy.RANK
    cards = pack.counts[pair] // 4 if of_a_rank else pack.counts[pair]
    return np.maximum(cards - gone - same_up, 0.0) / total


@lru_cache(maxsize=16)
def count_hands(most: int, original: bool | None) -> Weights:
    """Returns the weights of single hands when a pair may become `most` hands; `original` as in Deal."""
    any_card: Counter[int] = Counter()
    no_pair: Counter[int] = Counter()
    for (hands, settled), orders in list_ends(most).items():
        first_settled = settled > 0
        for counter, number, first, others in (
            (no_pair, settled, first_settled, settled - 1),
            (any_card, hands - settled, not first_settled, settled),
        ):
            counted = number if original is None else int(first) if original else number - int(first)
            for more in range(others + 1 if counted else 0):
                counter[hands + more] += orders * counted * (-1) ** more * comb(others, more)
    return Weights(any_card=dict(any_card), no_pair=dict(no_pair))


def list_ends(most: int) -> dict[tuple[int, int], int]:
    """Returns the number of orders of the second cards that end with (hands, hands settled before the limit was met).

    The cards are dealt hand by hand; a pair card makes one hand more, any other card settles one.
    """
    ends: Counter[tuple[int, int]] = Counter()

    def deal(hands: int, settled: int) -> None:
        if hands == most or settled == hands:
            ends[hands, settled] += 1
            return
        deal(hands + 1, settled)
        deal(hands, settled + 1)

    deal(2, 0)
    return dict(ends)


def second_cards(pack: Pack, deal: Deal) -> Floats:
    """Returns the chance of each second card on a hand of this deal, by [second card, upcard]."""
    left = np.repeat(pack.array.astype(float)[:, None], 10, axis=1) - np.eye(10)
    left[deal.pair] -= deal.gone
    result: Floats = np.maximum(left, 0.0) / (pack.total - deal.gone - 1)
    return result


def upcard_cases(rules: Rules, pack: Pack, pair: int) -> tuple[tuple[Floats, Floats], ...]:
    """Returns shares by upcard of "the upcard is a pair card" being 0 or 1, with that number."""
    same = np.eye(10)[pair]
    if pair == TEN and rules.split_by is SplitBy.RANK:
        chance = same * (pack.counts[TEN] // 4 - 2) / (pack.counts[TEN] - 2)
        return ((1 - chance, np.zeros(10)), (chance, same))
    return ((np.ones(10), same),)

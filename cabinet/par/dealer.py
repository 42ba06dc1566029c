"""The dealer's final total, exactly, for any number of packs at once.

The chance of a dealer's hand depends on its cards, not on their order. So the hands are listed once as multisets, with
the number of orders in which the dealer may draw them after each upcard; their chance is a product of falling counts.
One walk over that list serves every upcard and every pack. The module knows how the dealer draws, not players' hands,
stakes or when the dealer checks for blackjack.
"""

from collections import Counter
from functools import lru_cache

import numpy as np

from cabinet.par.hands import ACE, TEN, Floats, Ints

FINALS = ("17", "18", "19", "20", "21", "bust", "blackjack")
"""The dealer's possible results; 21 is any 21 except blackjack."""
BUST = 5
BLACKJACK = 6
_BLOCK = 4096
"""Packs computed at a time: fewer calls against less memory."""


def final_totals(left: Ints, *, hits_soft_17: bool) -> Floats:
    """Returns the chance of each of FINALS by pack and upcard.

    `left` has a row per pack: the remaining cards of each value, the upcard included. The result is indexed [pack,
    upcard value - 1, final]; it is zero if the pack does not have the upcard. Otherwise each row sums to 1.
    """
    result = np.zeros((len(left), 10, len(FINALS)))
    for start in range(0, len(left), _BLOCK):
        block = slice(start, start + _BLOCK)
        result[block] = _block_totals(np.maximum(left[block], 0).astype(float), hits_soft_17=hits_soft_17)
    return result


def blackjack_chance(left: Ints) -> Floats:
    """Returns the chance of a dealer's blackjack by pack and upcard; `left` includes the upcard."""
    result = np.zeros((len(left), 10))
    others = np.maximum(left.sum(axis=1) - 1.0, 1.0)
    result[:, ACE] = left[:, TEN] / others
    result[:, TEN] = left[:, ACE] / others
    return result


def _block_totals(left: Floats, *, hits_soft_17: bool) -> Floats:
    sums = np.zeros((10, len(FINALS), len(left)))
    total = left.sum(axis=1)
    orders_left = np.ones((22, len(left)))
    for size in range(2, 22):
        orders_left[size] = orders_left[size - 1] / np.maximum(total - size + 1, 1.0)
    path: list[int] = []
    products: list[Floats] = [np.ones(len(left))]
    for cards, ends in _dealer_hands(hits_soft_17=hits_soft_17):
        shared = 0
        while shared < min(len(path), len(cards)) and path[shared] == cards[shared]:
            shared += 1
        del path[shared:], products[shared + 1 :]
        for column in cards[shared:]:
            products.append(products[-1] * np.maximum(left[:, column] - path.count(column), 0.0))
            path.append(column)
        chance = products[-1] * orders_left[len(cards)]
        for up, final, orders in ends:
            sums[up, final] += orders * chance if orders > 1 else chance
    have = left.T[:, None, :]
    np.divide(sums, have, out=sums, where=have > 0)
    return sums.transpose(2, 0, 1)


@lru_cache(maxsize=2)
def _dealer_hands(*, hits_soft_17: bool) -> tuple[tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]], ...]:
    """Returns every finished dealer's hand as sorted columns, with (upcard column, final, orders of drawing) by
    upcard."""
    orders: Counter[tuple[tuple[int, ...], int, int]] = Counter()
    for up in range(10):
        _draw((up,), orders, hits_soft_17=hits_soft_17)
    ends: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    for (cards, up, final), count in orders.items():
        ends.setdefault(cards, []).append((up, final, count))
    return tuple((cards, tuple(ends[cards])) for cards in sorted(ends))


def _draw(cards: tuple[int, ...], orders: Counter[tuple[tuple[int, ...], int, int]], *, hits_soft_17: bool) -> None:
    hard = sum(cards) + len(cards)
    soft = ACE in cards and hard <= 11
    points = hard + 10 * soft
    if len(cards) > 1 and (points > 17 or (points == 17 and not (soft and hits_soft_17))):
        natural = len(cards) == 2 and points == 21
        final = BLACKJACK if natural else BUST if points > 21 else points - 17
        orders[tuple(sorted(cards)), cards[0], final] += 1
        return
    for column in range(10):
        _draw((*cards, column), orders, hits_soft_17=hits_soft_17)

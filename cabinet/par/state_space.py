"""Hands against upcards: the worth of standing, doubling and busting in each, and the result of a way of playing.

A row is a hand in a deal (the first hand, or a hand of a split pair with further pair cards gone), a column an upcard.
If the dealer checks for blackjack before play, or a late one takes the first bet alone, a dealer's blackjack costs one
bet in every way of playing and is no part of play. Then every worth here is the sum over the cases without one, *not*
divided by their chance, so that draws keep their plain chances and worths of rows add up; divide by `alive` for the
worth given no blackjack. If a late blackjack takes all stakes, it counts as a total above 21, and `alive` is 1
everywhere. The module knows draws, payoffs and when hitting and doubling is allowed. It does not know which action is
best or what a split is worth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from cabinet.engine.rules import DoubleOn, HitAt21, LateBlackjackTakes, Rules
from cabinet.par.dealer import BLACKJACK, BUST, blackjack_chance, final_totals
from cabinet.par.hands import ACE, TEN, Bools, Floats, Hands, Ints, Pack
from cabinet.par.splits import Deal

FIRST = Deal()
"""The hand before any split."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Field:
    """All rows of some deals, sorted by hard total."""

    rules: Rules
    pack: Pack
    hands: Hands
    deals: tuple[Deal, ...]
    deal: Ints
    """Index into `deals`, by row."""
    hand: Ints
    """Row of `hands`, by row."""
    left: Ints
    """Remaining cards of each value after the hand and the gone pair cards, the upcard included."""
    after: Ints
    """The row after one more card of each value; the number of rows where the hand would be bust."""
    totals: tuple[slice, ...]
    """The rows of each hard total, rising."""
    finals: Floats
    """The dealer's finals over the cases that are played, by [row, upcard, final]; an empty row at the end."""
    blackjack: Floats
    """The chance that the dealer holds blackjack, by [row, upcard]."""
    alive: Floats
    """The chance of the cases that are played, by [row, upcard]."""
    may_hit: Bools
    may_double: Bools
    natural: Bools
    """True for a blackjack of the player's."""

    @property
    def size(self) -> int:
        """Returns the number of rows."""
        return len(self.hand)

    def draw(self, rows: slice | Ints, card: int) -> Floats:
        """Returns the chance to draw a card of this column, by [row, upcard]."""
        left = self.left[rows]
        same = np.eye(10, dtype=np.int64)[card]
        chance: Floats = np.maximum(left[:, card, None] - same, 0) / np.maximum(left.sum(axis=1) - 1.0, 1.0)[:, None]
        return chance

    def rows_of(self, deal: Deal) -> Ints:
        """Returns the rows of one deal."""
        return np.flatnonzero(self.deal == self.deals.index(deal))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Payoffs:
    """The worth of the ends of a hand, by [row, upcard]: standing, doubling, and the busting part of a hit."""

    stand: Floats
    double: Floats
    bust: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Policy:
    """A way of playing, by [row, upcard]: double if True, else hit if True, else stand."""

    hit: Bools
    double: Bools


def ends_with_blackjack(rules: Rules) -> bool:
    """Returns True when a dealer's blackjack costs one bet in every way of playing."""
    return rules.hole_card or rules.late_blackjack_takes is LateBlackjackTakes.ORIGINAL_STAKES


def _gone(deals: Sequence[Deal]) -> Ints:
    """Returns the cards of each value that a split has taken out of the pack, one row for each deal."""
    gone = np.zeros((len(deals), 10), dtype=np.int64)
    for index, item in enumerate(deals):
        if item.pair is not None:
            gone[index, item.pair] = item.gone - 1
    return gone


def _finals(rules: Rules, left: Ints) -> Floats:
    """Returns the dealer's finals for the pack of each row, and zeros in one row more."""
    packs, inverse = np.unique(left, axis=0, return_inverse=True)
    finals = final_totals(packs, hits_soft_17=rules.dealer_hits_soft_17)
    if ends_with_blackjack(rules):
        finals[:, :, BLACKJACK] = 0
    return np.concatenate([finals[inverse.reshape(-1)], np.zeros((1, *finals.shape[1:]))])


def build_field(rules: Rules, pack: Pack, hands: Hands, deals: Sequence[Deal]) -> Field:
    """Returns all rows of the deals from the pack with their draws and the dealer's finals."""
    pairs = [(deal, _holding(hands, item)) for deal, item in enumerate(deals)]
    deal = np.concatenate([np.full(len(rows), index) for index, rows in pairs])
    hand = np.concatenate([rows for _, rows in pairs])
    order = np.argsort(hands.hard[hand], kind="stable")
    deal, hand = deal[order], hand[order]
    left = pack.array - hands.counts[hand] - _gone(deals)[deal]
    blackjack = blackjack_chance(left)
    place = np.full((len(deals), len(hands.hard) + 1), len(hand))
    place[deal, hand] = np.arange(len(hand))
    edges = np.searchsorted(hands.hard[hand], np.arange(23))
    one_card = np.array([item.pair == ACE and rules.split_aces_one_card for item in deals])[deal]
    first = np.array([item == FIRST for item in deals])[deal]
    return Field(
        rules=rules,
        pack=pack,
        hands=hands,
        deals=tuple(deals),
        deal=deal,
        hand=hand,
        left=left,
        after=place[deal[:, None], hands.after[hand]],
        totals=tuple(slice(int(a), int(b)) for a, b in pairwise(edges) if b > a),
        finals=_finals(rules, left),
        blackjack=blackjack,
        alive=1 - blackjack * ends_with_blackjack(rules),
        may_hit=_may_hit(rules, hands, hand) & ~one_card & ~(first & _natural(hands, hand)),
        may_double=_may_double(rules, hands, hand) & ~one_card & (first | rules.double_after_split),
        natural=first & _natural(hands, hand),
    )


def stakes_won(field: Field) -> Payoffs:
    """Returns the net result of each end in original bets; a blackjack of the player is not counted."""
    stand = _stand_net(field)
    bust = _bust_part(field)
    return Payoffs(stand=stand, double=_double_down(field, 2 * stand) - 2 * bust, bust=-bust)


def worth_of(field: Field, payoffs: Payoffs, policy: Policy) -> tuple[Floats, Floats]:
    """Returns the worth of every row under the policy, and the worth of one hit followed by the policy."""
    hit = np.zeros((field.size, 10))
    worth = np.zeros((field.size + 1, 10))
    for rows in reversed(field.totals):
        hit[rows] = payoffs.bust[rows] + _after_draw(field, rows, worth)
        kept = np.where(policy.hit[rows], hit[rows], payoffs.stand[rows])
        worth[rows] = np.where(policy.double[rows], payoffs.double[rows], kept)
    return worth[:-1], hit


def best_policy(field: Field, payoffs: Payoffs) -> tuple[Policy, Floats, Floats]:
    """Returns the best play of each row without splits, its worth, and the worth of hitting."""
    hit = np.zeros((field.size, 10))
    kept = np.zeros((field.size + 1, 10))
    hits = np.zeros((field.size, 10), dtype=bool)
    for rows in reversed(field.totals):
        hit[rows] = payoffs.bust[rows] + _after_draw(field, rows, kept)
        hits[rows] = field.may_hit[rows, None] & (hit[rows] > payoffs.stand[rows])
        kept[rows] = np.where(hits[rows], hit[rows], payoffs.stand[rows])
    doubles = field.may_double[:, None] & (payoffs.double > kept[:-1])
    return Policy(hit=hits, double=doubles), np.where(doubles, payoffs.double, kept[:-1]), hit


def reach_of(field: Field, starts: Floats, policy: Policy) -> Floats:
    """Returns how often each row is met under the policy, from the given chances to start in it."""
    reach = np.concatenate([starts, np.zeros((1, 10))])
    for rows in field.totals:
        going = reach[rows] * (policy.hit[rows] & ~policy.double[rows])
        for card in range(10):
            after = field.after[rows, card]
            if after[0] < field.size or after[-1] < field.size:
                reach[after] += going * field.draw(rows, card)
    return reach[:-1]


def spread_policy(source: Field, policy: Policy, target: Field) -> Policy:
    """Returns the play of the first hands for every row with the same cards, as far as it is allowed there."""
    place = np.zeros(len(source.hands.hard), dtype=np.int64)
    place[source.hand] = np.arange(source.size)
    rows = place[target.hand]
    return Policy(
        hit=policy.hit[rows] & target.may_hit[:, None],
        double=policy.double[rows] & target.may_double[:, None],
    )


def _holding(hands: Hands, deal: Deal) -> Ints:
    if deal.pair is None:
        return np.arange(len(hands.hard))
    return np.flatnonzero(hands.counts[:, deal.pair] > 0)


def _natural(hands: Hands, hand: Ints) -> Bools:
    result: Bools = (hands.size[hand] == 2) & (hands.points[hand] == 21)
    return result


def _may_hit(rules: Rules, hands: Hands, hand: Ints) -> Bools:
    points, soft = hands.points[hand], hands.soft[hand]
    may = (points < 21) | (~soft & (rules.hit_at_21 is HitAt21.HARD_ONLY))
    if rules.cards_max is not None:
        may &= hands.size[hand] < rules.cards_max
    result: Bools = may
    return result


def _may_double(rules: Rules, hands: Hands, hand: Ints) -> Bools:
    small = (hands.points[hand] < 21) | (rules.double_on is DoubleOn.ANY_TWO)
    result: Bools = (hands.size[hand] == 2) & small
    return result


def _stand_net(field: Field) -> Floats:
    """Returns wins less losses of a single stake at the end."""
    finals = field.finals[:-1]
    net = np.zeros((field.size, 10))
    points = field.hands.points[field.hand]
    for total in range(2, 22):
        rows = points == total
        below = finals[rows][:, :, : max(total - 17, 0)].sum(axis=2)
        above = finals[rows][:, :, max(total - 16, 0) : BUST].sum(axis=2) + finals[rows][:, :, BLACKJACK]
        net[rows] = finals[rows][:, :, BUST] + below - above
    if field.rules.cards_max is not None:
        full = field.hands.size[field.hand] == field.rules.cards_max
        net[full] = field.alive[full] + _late_wins(field)[full]
    return net


def _late_wins(field: Field) -> Floats:
    """Returns the additional worth of a hand that has won by its number of cards, if a late blackjack takes the first
    bet alone.

    Such a hand is paid all the same; the hand with the first bet also gets back the cost that was counted for the
    blackjack.
    """
    if field.rules.hole_card or not ends_with_blackjack(field.rules):
        return np.zeros((field.size, 10))
    first = np.array([deal.original is not False for deal in field.deals])[field.deal]
    result: Floats = field.blackjack * (1 + first)[:, None]
    return result


def _bust_part(field: Field) -> Floats:
    """Returns the chance to draw a card that busts, over the cases in which the hand is played."""
    result = np.zeros((field.size, 10))
    for rows in field.totals:
        hard = int(field.hands.hard[field.hand[rows.start]])
        for card in range(max(21 - hard, 0), 10):
            result[rows] += field.draw(rows, card) * _alive_after(field, rows, card)
    return result


def _alive_after(field: Field, rows: slice, card: int) -> Floats:
    """Returns the chance that the dealer has no blackjack after this card is drawn too."""
    left = field.left[rows]
    result = np.ones((len(left), 10))
    if ends_with_blackjack(field.rules):
        others = np.maximum(left.sum(axis=1) - 2.0, 1.0)
        result[:, ACE] -= (left[:, TEN] - (card == TEN)) / others
        result[:, TEN] -= (left[:, ACE] - (card == ACE)) / others
    return result


def _double_down(field: Field, ends: Floats) -> Floats:
    """Returns the worth of one more card, without busts, when the ends are worth this much."""
    padded = np.concatenate([ends, np.zeros((1, 10))])
    result = np.zeros((field.size, 10))
    two = np.flatnonzero(field.may_double)
    for card in range(10):
        result[two] += field.draw(two, card) * padded[field.after[two, card]]
    return result


def _after_draw(field: Field, rows: slice, worth: Floats) -> Floats:
    """Returns the worth of one more card that does not bust."""
    result = np.zeros((rows.stop - rows.start, 10))
    hard = int(field.hands.hard[field.hand[rows.start]])
    for card in range(min(21 - hard, 10)):
        result += field.draw(rows, card) * worth[field.after[rows, card]]
    return result

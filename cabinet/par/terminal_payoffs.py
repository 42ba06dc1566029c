"""The ends of single hands: net result and the dealer's final together, with the cards used.

The chances are exact. Each comes with the mean number of cards of each value in the hand: two hands of one round draw
from one pack, so their dependence depends on which cards go with which result. The module knows one hand against the
dealer, not several hands, pairs or the round.
"""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from cabinet.par.dealer import FINALS
from cabinet.par.hands import Floats, Ints
from cabinet.par.state_space import Field, Policy, reach_of

NETS = (-2, -1, 0, 1, 2)
"""Net results of one hand in original bets; they index their column as net + 2."""
DEALER_POINTS = (17, 18, 19, 20, 21, 0, 22)
"""The player's total that each final is compared with: a bust loses to every total, a blackjack beats even 21."""
_EVEN = 2
_CARDS = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parts:
    """Arrays whose first index is the upcard: chances, or means times chances, of a part of the rounds."""

    def plus(self, other: Self) -> Self:
        """Returns the sum of two parts that exclude each other."""
        return type(self)(**{item.name: getattr(self, item.name) + getattr(other, item.name) for item in fields(self)})

    def weigh(self, weight: Floats) -> Self:
        """Returns the part weighted with these chances by upcard."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return type(self)(
            **{name: value * weight.reshape(-1, *[1] * (value.ndim - 1)) for name, value in values.items()}
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ends(Parts):
    """Ends by [upcard, dealer's final, net + 2]."""

    chance: Floats
    cards: Floats
    """Chance times mean number of cards of each value held at the end, by [.., card column]."""
    doubled: Floats
    """The chance of having doubled, by upcard."""
    bust: Floats
    """The chance of having gone bust, by upcard."""


def ends_of(field: Field, starts: Floats, policy: Policy) -> dict[int, Ends]:
    """Returns the ends of each deal of the field, by its index, from the chances to start in each row."""
    reach = reach_of(field, starts, policy)
    flow = _Flow(
        stay=reach * ~(policy.hit | policy.double),
        hit=reach * (policy.hit & ~policy.double),
        double=reach * policy.double,
        doubled=np.zeros((field.size + 1, 10)),
    )
    two = np.flatnonzero(field.may_double)
    for card in range(_CARDS):
        np.add.at(flow.doubled, field.after[two, card], flow.double[two] * field.draw(two, card))
    deals = [np.flatnonzero(field.deal == index) for index in range(len(field.deals))]
    return {index: _ends_of_deal(field, rows, flow) for index, rows in enumerate(deals) if starts[rows].any()}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Flow:
    """How often each row stands, hits, doubles, or is the result of a double."""

    stay: Floats
    hit: Floats
    double: Floats
    doubled: Floats


def _ends_of_deal(field: Field, rows: Ints, flow: _Flow) -> Ends:
    sums = np.zeros((10, len(FINALS), len(NETS), 1 + _CARDS))
    _add_stands(field, rows, flow, 1, sums)
    _add_stands(field, rows, flow, 2, sums)
    lost = _add_busts(field, rows, flow, 1, sums) + _add_busts(field, rows, flow, 2, sums)
    doubled = (flow.double[rows] * field.finals[rows].sum(axis=2)).sum(axis=0)
    return Ends(chance=sums[..., 0], cards=sums[..., 1:], doubled=doubled, bust=lost)


def _held(field: Field, rows: Ints) -> Floats:
    """Returns a one and the cards of each value, by row."""
    counts = field.hands.counts[field.hand[rows]]
    return np.concatenate([np.ones((len(rows), 1)), counts], axis=1)


def _add_stands(field: Field, rows: Ints, flow: _Flow, stake: int, sums: Floats) -> None:
    weight = (flow.stay if stake == 1 else flow.doubled)[rows]
    used = np.flatnonzero(weight.any(axis=1))
    rows, weight = rows[used], weight[used]
    held = _held(field, rows)
    mass = weight[:, :, None] * field.finals[rows]
    nets = _net_of(field, rows, stake)
    for net in range(-stake, stake + 1):
        part = (mass * (nets == net)[:, None, :]).reshape(len(rows), 10 * len(FINALS))
        sums[:, :, net + _EVEN] += (part.T @ held).reshape(10, len(FINALS), -1)


def _add_busts(field: Field, rows: Ints, flow: _Flow, stake: int, sums: Floats) -> Floats:
    """Adds the hands that draw a card too many; their dealer's final is the rest that the other draws leave."""
    going = (flow.hit if stake == 1 else flow.double)[rows]
    used = rows[going.any(axis=1)]
    going = going[going.any(axis=1)]
    rest = field.finals[used]
    busting = np.zeros((len(used), 10, _CARDS))
    for card in range(_CARDS):
        draw = field.draw(used, card)
        after = field.after[used, card]
        rest -= draw[:, :, None] * field.finals[after]
        busting[:, :, card] = draw * (after == field.size)[:, None]
    mass = going[:, :, None] * np.maximum(rest, 0) * (busting.sum(axis=2) > 0)[:, :, None]
    share = busting / np.maximum(busting.sum(axis=2, keepdims=True), 1e-300)
    total = (mass.reshape(len(used), 10 * len(FINALS)).T @ _held(field, used)).reshape(10, len(FINALS), -1)
    total[..., 1:] += (mass.transpose(1, 2, 0) @ share.transpose(1, 0, 2)).reshape(10, len(FINALS), _CARDS)
    sums[:, :, _EVEN - stake] += total
    lost: Floats = total[..., 0].sum(axis=1)
    return lost


def _net_of(field: Field, rows: Ints, stake: int) -> Ints:
    """Returns the net result of standing, by [row, dealer's final]."""
    points = field.hands.points[field.hand[rows]][:, None]
    result: Ints = stake * np.sign(points - np.array(DEALER_POINTS))
    if field.rules.cards_max is not None:
        result[field.hands.size[field.hand[rows]] == field.rules.cards_max] = stake
    return result

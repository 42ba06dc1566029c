"""The variance of a round: one place's net result, and the dependence of the places of one round.

Single hands are exact, and so are the chances of a split and of its hands. Hands of one round (of a split pair, or of
two places) share the dealer and the pack. Given the upcard and the dealer's final they are combined as independent,
less the first-order effect of drawing from one pack: a card of one hand is missing for the other, which lowers the
joint chance by the product of their leanings towards each value over the remaining cards. The rest is of second order
in (cards of a hand / cards of the pack). If a late blackjack takes the first bet alone and a number of cards wins at
once, such a win against a blackjack is counted here as the loss of the bet. The module combines hands. It does not know
how single hands are played.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from math import comb

import numpy as np

from cabinet.engine.rules import Rules
from cabinet.par.chart_search import DOUBLE_OR_HIT, HIT, SPLIT, Play
from cabinet.par.dealer import BLACKJACK, FINALS
from cabinet.par.hands import Floats, full_pack
from cabinet.par.play import Table, pair_of_rows, rows_of_second_cards
from cabinet.par.splits import Deal, hands_max, list_ends, pair_chance, second_cards, upcard_cases
from cabinet.par.state_space import Policy
from cabinet.par.terminal_payoffs import NETS, Ends, Parts, ends_of

MOST = 8
"""The most a place can win or lose, in original bets, without blackjacks: four hands, all doubled."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place(Parts):
    """One place's round, or a part of its rounds: chances and means-times-chances given the upcard.

    The first three are by [upcard, dealer's final, ..], the others by upcard and per round.
    """

    nets: Floats
    """The chance of each net result, at net + MOST; a paid blackjack of the player's is not among them."""
    cards: Floats
    """Mean number of cards of each value held."""
    won_cards: Floats
    """Mean of net result times number of cards of each value."""
    doubles: Floats
    busts: Floats
    hands: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rounds:
    """All of one place's rounds."""

    played: Place
    """All rounds except those with a paid blackjack."""
    natural: Floats
    """The chance of a paid blackjack, by [upcard, dealer's final]."""
    split: Floats
    """The chance of a split, by upcard."""
    covariance: float
    """Of the net results of two places of one round, in squared original bets."""


_NET = np.arange(-MOST, MOST + 1)


def rounds_of(table: Table, play: Play) -> Rounds:
    """Returns one place's rounds for this way of playing, and the dependence of two places."""
    natural, decided = _decided(table)
    parts = [_without_reply(table, decided)]
    for starts, policy in _passes(table, play):
        parts += [_of_single(ends) for ends in ends_of(table.first, starts, policy).values()]
    splitting = play.pairs == SPLIT
    met = np.zeros((10, 10))
    kinds = kinds_of(table, play) if splitting.any() else {}
    for pair, row in table.pairs.items():
        chance = table.opening.chance[row] * table.share[pair] * splitting[pair]
        met[pair] = chance * table.first.alive[row]
        if splitting[pair].any():
            parts.append(split_rounds(table.rules, pair, kinds).weigh(chance))
    played = reduce(Place.plus, parts)
    return Rounds(
        played=played,
        natural=natural.sum(axis=0),
        split=met.sum(axis=0),
        covariance=_covariance(table, played, natural),
    )


def _decided(table: Table) -> tuple[Floats, Floats]:
    """Returns rounds without a decision, by [first hand, upcard, final]: the player's blackjack, and the dealer's."""
    first, opening = table.first, table.opening
    natural = first.natural[:, None, None] * opening.chance[:, :, None] * first.finals[:-1]
    other = np.zeros_like(natural)
    other[:, :, BLACKJACK] = opening.chance * np.where(first.natural[:, None], first.blackjack, opening.hidden)
    natural[:, :, BLACKJACK] = 0
    return natural, other


def _without_reply(table: Table, decided: Floats) -> Place:
    """Returns rounds that a dealer's blackjack ends at once: the bet is lost, or pushed by a blackjack."""
    counts = table.first.hands.counts[table.first.hand].astype(float)
    nets = np.zeros((10, len(FINALS), len(_NET)))
    nets[:, :, MOST] = decided[table.first.natural].sum(axis=0)
    nets[:, :, MOST - 1] = decided[~table.first.natural].sum(axis=0)
    cards = np.tensordot(decided, counts, axes=(0, 0))
    lost = np.tensordot(decided[~table.first.natural], counts[~table.first.natural], axes=(0, 0))
    none = np.zeros(10)
    return Place(nets=nets, cards=cards, won_cards=-lost, doubles=none, busts=none, hands=decided.sum(axis=(0, 2)))


def _passes(table: Table, play: Play) -> Iterator[tuple[Floats, Policy]]:
    """Yields first hands with the chances to start in them: first those played by total, then pairs with separate
    advice."""
    plain = table.opening.chance * ~table.first.natural[:, None]
    paired = np.zeros_like(plain)
    hit, double = play.first.hit.copy(), play.first.double.copy()
    for pair, row in table.pairs.items():
        codes = play.pairs[pair]
        own = plain[row] * table.share[pair] * (codes >= 0)
        plain[row] -= own
        paired[row] = own * (codes != SPLIT)
        hit[row] = codes == HIT
        double[row] = (codes >= DOUBLE_OR_HIT) & (codes != SPLIT)
    yield plain, play.first
    yield paired, Policy(hit=hit, double=double)


def _of_single(ends: Ends) -> Place:
    nets = np.zeros((*ends.chance.shape[:2], len(_NET)))
    nets[:, :, MOST - 2 : MOST + 3] = ends.chance
    won_cards = np.tensordot(ends.cards, NETS, axes=(2, 0))
    return Place(
        nets=nets,
        cards=ends.cards.sum(axis=2),
        won_cards=won_cards,
        doubles=ends.doubled,
        busts=ends.bust,
        hands=ends.chance.sum(axis=(1, 2)),
    )


def kinds_of(table: Table, play: Play) -> dict[tuple[Deal, bool], Ends]:
    """Returns the ends of the hands of split pairs; with the flag, only those whose second card is no pair card."""
    rules, deals = table.rules, table.split.deals
    kinds: dict[tuple[Deal, bool], Ends] = {}
    for settled in (False, True):
        chances = np.array([_second_cards(rules, deal, settled=settled) for deal in deals])
        starts = rows_of_second_cards(table.split, chances)
        starts *= (play.pairs == SPLIT)[pair_of_rows(table.split)].any(axis=1)[:, None]
        kinds |= {(deals[i], settled): ends for i, ends in ends_of(table.split, starts, play.split).items()}
    return kinds


def _second_cards(rules: Rules, deal: Deal, *, settled: bool) -> Floats:
    pack = full_pack(rules.decks)
    chances = second_cards(pack, deal)
    if settled and deal.pair is not None:
        cases = upcard_cases(rules, pack, deal.pair)
        chances[deal.pair] -= sum(share * pair_chance(rules, pack, deal.pair, deal.gone, same) for share, same in cases)
    return chances


def split_rounds(rules: Rules, pair: int, kinds: dict[tuple[Deal, bool], Ends]) -> Place:
    """Returns the rounds of one split pair, from the ends of its hands, as if it were split against every upcard."""
    apart = any(deal.original is not None for deal, _ in kinds)
    parts = []
    for (hands, settled), orders in list_ends(hands_max(rules, pair)).items():
        ends = []
        for index in range(hands):
            first = Deal(pair=pair, gone=hands, original=(index == 0) if apart else None)
            ends.append(_of_hand(rules, first, kinds, settled=index < settled, others=settled - (index < settled)))
        parts.append(_join(rules, pair, ends).weigh(np.full(10, float(orders))))
    return reduce(Place.plus, parts)


def _of_hand(rules: Rules, deal: Deal, kinds: dict[tuple[Deal, bool], Ends], *, settled: bool, others: int) -> Ends:
    """Returns one hand of a split, while the second cards of `others` are no pair cards; `splits` explains the
    counting."""
    parts = []
    for more in range(others + 1):
        gone = deal.gone + more
        ends = kinds[replace(deal, gone=gone), settled]
        weight = (-1) ** more * comb(others, more) * _pair_cards_chance(rules, deal, gone - 2)
        parts.append(ends.weigh(weight))
    return reduce(Ends.plus, parts)


def _pair_cards_chance(rules: Rules, deal: Deal, number: int) -> Floats:
    """Returns the chance by upcard that the next cards after a pair are this many pair cards."""
    pair = deal.pair or 0
    pack = full_pack(rules.decks)
    chance = np.zeros(10)
    for share, same in upcard_cases(rules, pack, pair):
        factors = [pair_chance(rules, pack, pair, 2 + more, same) for more in range(number)]
        chance += reduce(np.multiply, factors, share)
    return chance


def _join(rules: Rules, pair: int, ends: Sequence[Ends]) -> Place:
    """Returns several hands of one split against one dealer, combined."""
    singles = [_given_final(pair, item) for item in ends]
    final = ends[0].chance.sum(axis=2)
    nets = reduce(_convolve, [single.nets for single in singles])
    for one, other in combinations(range(len(singles)), 2):
        rest = [single.nets for index, single in enumerate(singles) if index not in {one, other}]
        crowding = _crowding(rules, singles[one].leaning[..., :, None, :], singles[other].leaning[..., None, :, :])
        nets = nets - reduce(_convolve, [_sum_diagonals(crowding), *rest])
    padded = np.zeros((*final.shape, len(_NET)))
    reach = nets.shape[-1] // 2
    padded[:, :, MOST - reach : MOST + reach + 1] = nets
    cards = np.sum([single.cards for single in singles], axis=0)
    means = [single.nets @ NETS for single in singles]
    others = np.sum(means, axis=0) - means
    won_cards = np.sum(
        [single.won_cards + mean[..., None] * single.cards for single, mean in zip(singles, others, strict=True)],
        axis=0,
    )
    return Place(
        nets=padded * final[..., None],
        cards=cards * final[..., None],
        won_cards=won_cards * final[..., None],
        doubles=np.sum([item.doubled for item in ends], axis=0),
        busts=np.sum([item.bust for item in ends], axis=0),
        hands=np.sum([item.chance.sum(axis=(1, 2)) for item in ends], axis=0),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Single:
    """A hand given upcard and dealer's final: chances of its nets, their leanings, means of its cards."""

    nets: Floats
    leaning: Floats
    cards: Floats
    won_cards: Floats


def _given_final(pair: int, ends: Ends) -> _Single:
    final = ends.chance.sum(axis=2)
    scale = 1 / np.where(final > 0, final, 1)[..., None]
    nets = ends.chance * scale
    held = ends.cards * scale[..., None]
    drawn = held.copy()
    drawn[..., pair] -= nets
    return _Single(
        nets=nets,
        leaning=_lean(drawn, drawn.sum(axis=2, keepdims=True)),
        cards=held.sum(axis=2),
        won_cards=np.tensordot(held, NETS, axes=(2, 0)),
    )


def _lean(weighted: Floats, plain: Floats) -> Floats:
    """Returns how much more cards of each value go with a weight than the hand's length alone explains."""
    length = plain.sum(axis=-1, keepdims=True)
    share = plain / np.where(length > 0, length, 1)
    leaning: Floats = weighted - share * weighted.sum(axis=-1, keepdims=True)
    return leaning


def _crowding(rules: Rules, one: Floats, other: Floats) -> Floats:
    """Returns how much two leanings lower a joint chance because both hands draw from one pack."""
    pack = full_pack(rules.decks).array
    left = 52 * rules.decks - 2
    crowding: Floats = (one * other / (pack / pack.sum())).sum(axis=-1) / left
    return crowding


def _convolve(one: Floats, other: Floats) -> Floats:
    result = np.zeros((*one.shape[:-1], one.shape[-1] + other.shape[-1] - 1))
    for shift in range(other.shape[-1]):
        result[..., shift : shift + one.shape[-1]] += one * other[..., shift, None]
    return result


def _sum_diagonals(table: Floats) -> Floats:
    size = table.shape[-1]
    result = np.zeros((*table.shape[:-2], 2 * size - 1))
    for shift in range(size):
        result[..., shift : shift + size] += table[..., shift, :]
    return result


def _covariance(table: Table, played: Place, natural: Floats) -> float:
    paid, per = table.rules.blackjack_pays
    counts = table.first.hands.counts[table.first.hand].astype(float)
    natural_cards = np.tensordot(natural, counts, axes=(0, 0))
    paid_natural = natural.sum(axis=0) * paid / per
    final = played.nets.sum(axis=2) + natural.sum(axis=0)
    scale = 1 / np.where(final > 0, final, 1)
    won = (played.nets @ _NET + paid_natural) * scale
    won_cards = (played.won_cards + natural_cards * paid / per) * scale[..., None]
    leaning = _lean(won_cards, (played.cards + natural_cards) * scale[..., None])
    joint = won**2 - _crowding(table.rules, leaning, leaning)
    upcard = table.opening.upcard
    mean = float(upcard @ (final * won).sum(axis=1))
    return float(upcard @ (final * joint).sum(axis=1)) - mean**2

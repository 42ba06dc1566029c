"""The exact analysis of a set of rules.

Returns are exact for best play (composition-dependent; split hands as before the split) and for the best chart. The
variance is exact for single hands; `variance` says how hands are combined. The module knows the parts of a sheet, not
how a part is computed or how sheets are stored.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cabinet.engine.round import Action
from cabinet.engine.rules import DoubleOn, LateBlackjackTakes, Rules, SplitBy, vary
from cabinet.par.action_values import ORDER, worths_of_actions
from cabinet.par.chart_search import Learned, learn_chart, play_of_best, play_of_cells
from cabinet.par.dealer import BLACKJACK, final_totals
from cabinet.par.hands import ACE, TEN, Floats, full_pack
from cabinet.par.play import Best, Table, play_best, set_table
from cabinet.par.sheet import DealerTable, Events, Insurance, ParSheet
from cabinet.par.variance import MOST, Rounds, rounds_of

Progress = Callable[[float, str], None]
"""Receives the share done, 0 to 1, and the name of the present work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The effect of one changed rule on the return of best play."""

    change: str
    rules: Rules
    ev_best: float
    difference: float
    """Against the rules compared with, in original bets; positive is better for the player."""


def analyse(rules: Rules, progress: Progress | None = None) -> ParSheet:
    """Computes the par sheet of the rules, in a second or two; `progress` receives the share done."""
    report = progress or _no_report
    report(0.0, "hands and dealer")
    table = set_table(rules)
    report(0.4, "best play")
    best = play_best(table)
    report(0.45, "best chart")
    learned = learn_chart(table, best)
    report(0.6, "results by the chart")
    rounds = rounds_of(table, learned.play)
    report(0.8, "stakes")
    counted = _count(rules, best, learned, rounds)
    report(1.0, "done")
    return _fill_in(table, best, learned, rounds, counted)


def value_of_hand(rules: Rules, cards: Sequence[int], up: int) -> dict[Action, float]:
    """Returns the worth in original bets of each legal action with these cards (values, 1 for an ace) against an
    upcard.

    Best play follows the action. If the dealer checks for blackjack before play, the worth assumes no dealer's
    blackjack; otherwise it includes one. The worth of the player's blackjack is under STAND. Raises ValueError for
    cards that are not a hand a player can hold.
    """
    if len(cards) < 2 or not all(1 <= card <= 10 for card in (*cards, up)):
        raise ValueError(f"cards {tuple(cards)} against {up}; expected at least two values from 1 to 10, and one")
    table = set_table(rules)
    first, column = table.first, up - 1
    row = int(np.flatnonzero(first.hand == first.hands.find(tuple(cards.count(value) for value in range(1, 11))))[0])
    worths = worths_of_actions(table, play_best(table))[:, row, column]
    found = {action: float(worth) for action, worth in zip(ORDER, worths, strict=True) if not np.isnan(worth)}
    if first.natural[row]:
        blackjack = table.opening.natural[row, column]
        found[Action.STAND] = float(blackjack / first.alive[row, column] if rules.hole_card else blackjack)
    return found


def compare_rules(rules: Rules, progress: Progress | None = None) -> tuple[Effect, ...]:
    """Returns the effect of each single changed rule on the return of best play, without changes that have no
    effect."""
    report = progress or _no_report
    base = play_best(set_table(rules)).value
    variants = [(name, varied) for name, varied in _variants(rules) if varied != rules]
    effects = []
    for index, (name, varied) in enumerate(variants):
        report(index / len(variants), name)
        value = play_best(set_table(varied)).value
        effects.append(Effect(change=name, rules=varied, ev_best=value, difference=value - base))
    report(1.0, "done")
    return tuple(effects)


def _no_report(_share: float, _what: str) -> None:
    """Ignores progress, for a caller without a progress callback."""


def _variants(rules: Rules) -> list[tuple[str, Rules]]:
    return [
        *((f"{decks} decks", vary(rules, decks=decks)) for decks in (1, 2, 4, 6, 8)),
        ("dealer hits soft 17", vary(rules, dealer_hits_soft_17=True)),
        ("hole card", vary(rules, hole_card=True)),
        ("no hole card", vary(rules, hole_card=False, hole_card_first=False)),
        (
            "no hole card, late blackjack takes original stakes only",
            vary(
                rules,
                hole_card=False,
                hole_card_first=False,
                late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES,
            ),
        ),
        ("double on any two cards", vary(rules, double_on=DoubleOn.ANY_TWO)),
        ("no double after a split", vary(rules, double_after_split=False)),
        ("pairs by value", vary(rules, split_by=SplitBy.VALUE)),
        ("pairs by rank", vary(rules, split_by=SplitBy.RANK)),
        *((f"up to {splits} splits", vary(rules, splits_max=splits)) for splits in range(4)),
        ("split aces are played on", vary(rules, split_aces_one_card=False)),
        ("aces may be split again", vary(rules, resplit_aces=True)),
        ("five cards win", vary(rules, cards_max=5)),
        ("no limit of cards", vary(rules, cards_max=None)),
        ("blackjack pays 6 to 5", vary(rules, blackjack_pays=(6, 5))),
        ("blackjack pays evens", vary(rules, blackjack_pays=(1, 1))),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    """Counts over all rounds, those that a late blackjack ends included."""

    chart: Rounds
    stake: float
    stake_best: float


def _count(rules: Rules, best: Best, learned: Learned, rounds: Rounds) -> _Counted:
    """Returns stakes and events. Stakes that a late blackjack gives back are counted."""
    made = replace(rules, late_blackjack_takes=LateBlackjackTakes.ALL_STAKES)
    table = set_table(made)
    chart = rounds if made == rules or rules.hole_card else rounds_of(table, play_of_cells(table, learned.cells))
    by_best = rounds_of(table, play_of_best(table, best))
    return _Counted(chart=chart, stake=_stake(table, chart), stake_best=_stake(table, by_best))


def _stake(table: Table, rounds: Rounds) -> float:
    made = rounds.played.hands + rounds.played.doubles + rounds.natural.sum(axis=1)
    return float(table.opening.upcard @ made)


def _fill_in(table: Table, best: Best, learned: Learned, rounds: Rounds, counted: _Counted) -> ParSheet:
    distribution = _distribution(table, rounds)
    mean = sum(net * chance for net, chance in distribution)
    return ParSheet(
        game_id=table.rules.game_id,
        rules=table.rules,
        ev_best=best.value,
        ev_chart=learned.value,
        ev_by_upcard_best=tuple(best.by_upcard.tolist()),
        ev_by_upcard_chart=tuple(learned.by_upcard.tolist()),
        chart=learned.chart,
        average_stake=counted.stake,
        average_stake_best=counted.stake_best,
        variance=sum(net**2 * chance for net, chance in distribution) - mean**2,
        covariance=rounds.covariance,
        distribution=distribution,
        events=_events(table, counted.chart, distribution),
        insurance=_insurance(table.rules),
        dealer=_dealer(table.rules),
    )


def _distribution(table: Table, rounds: Rounds) -> tuple[tuple[float, float], ...]:
    upcard = table.opening.upcard
    chances = np.tensordot(upcard, rounds.played.nets.sum(axis=1), axes=(0, 0))
    sums = {float(index - MOST): float(chance) for index, chance in enumerate(chances) if chance > 0}
    paid, per = table.rules.blackjack_pays
    sums[paid / per] = sums.get(paid / per, 0.0) + float(upcard @ rounds.natural.sum(axis=1))
    return tuple(sorted(sums.items()))


def _events(table: Table, rounds: Rounds, distribution: tuple[tuple[float, float], ...]) -> Events:
    opening, first = table.opening, table.first
    chance = opening.chance * opening.upcard
    natural = chance[first.natural].sum()
    both = (chance * first.blackjack)[first.natural].sum()
    pairs = {pair: chance[row] for pair, row in table.pairs.items()}
    four = 4 * table.rules.decks
    rank_share = np.ones(10)
    rank_share[TEN] = (four - 1) / (4 * four - 1)
    return Events(
        win=sum(chance for net, chance in distribution if net > 0),
        push=sum(chance for net, chance in distribution if net == 0),
        loss=sum(chance for net, chance in distribution if net < 0),
        blackjack=float(natural),
        blackjack_paid=float(natural - both),
        dealer_blackjack=float((chance * first.blackjack).sum()),
        both_blackjack=float(both),
        split=float(opening.upcard @ rounds.split),
        hands=float(opening.upcard @ (rounds.played.hands + rounds.natural.sum(axis=1))),
        doubles=float(opening.upcard @ rounds.played.doubles),
        busts=float(opening.upcard @ rounds.played.busts),
        pair_of_value=float(sum(chance.sum() for chance in pairs.values())),
        pair_of_rank=float(sum(chance.sum() * rank_share[pair] for pair, chance in pairs.items())),
        insurance_offered=float(opening.upcard[ACE]),
    )


def _insurance(rules: Rules) -> Insurance:
    paid, per = rules.insurance_pays
    cards = 52 * rules.decks
    tens = 16 * rules.decks
    no_ten, one_ten, two_tens = ((1 + paid / per) * (tens - held) / (cards - 3) - 1 for held in range(3))
    return Insurance(no_ten=no_ten, one_ten=one_ten, two_tens=two_tens, wins=tens / (cards - 1))


def _dealer(rules: Rules) -> DealerTable:
    finals = final_totals(full_pack(rules.decks).array[None], hits_soft_17=rules.dealer_hits_soft_17)[0]
    given = finals.copy()
    given[:, BLACKJACK] = 0
    given /= given.sum(axis=1, keepdims=True)
    return DealerTable(unconditional=_rows(finals), no_blackjack=_rows(given))


def _rows(table: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in table.tolist())

"""A par sheet as plain data: what `cabinet par --json` writes.

Returns are per original bet, 1 for a whole bet; upcards and hands are named as people write them. What is only
printed (bands, effects of rules) is made here too, so that text, page and data cannot differ.
Knows: names of figures. Does not know: how they are computed or drawn.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cabinet.commands.par.arguments import card_word, rule_words
from cabinet.engine.round import Action
from cabinet.engine.rules import CLASSIC, Limits, Rules
from cabinet.par import CONFIDENCES, ROUNDS, ParSheet
from cabinet.par.chart import write_rows
from cabinet.par.dealer import FINALS

if TYPE_CHECKING:
    from cabinet.par.analysis import Effect

UPCARDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
"""The dealer's cards in the order charts are printed."""


def sheet_document(sheet: ParSheet, seconds: float, effects: "Sequence[Effect] | None" = None) -> dict[str, Any]:
    """Everything a par sheet says."""
    rules = sheet.rules
    document = {
        "game": rules.game_id,
        "title": rules.title,
        "rules": rule_words(rules),
        **_returns(sheet),
        "average_stake": sheet.average_stake,
        "average_stake_best": sheet.average_stake_best,
        "ev_per_staked": sheet.ev_per_staked,
        "ev_per_staked_best": sheet.ev_best / sheet.average_stake_best,
        "hit_frequency": sheet.hit_frequency,
        "variance": sheet.variance,
        "deviation": sheet.deviation,
        "covariance": sheet.covariance,
        "variance_by_places": {str(n): sheet.variance_of_round(n) for n in range(1, rules.places_max + 1)},
        "volatility_index": sheet.volatility_index,
        "distribution": [list(pair) for pair in sheet.distribution],
        "bands": bands(sheet),
        "events": asdict(sheet.events),
        "insurance": asdict(sheet.insurance),
        "dealer": {
            "unconditional": dealer_rows(sheet.dealer.unconditional),
            "no_blackjack": dealer_rows(sheet.dealer.no_blackjack),
        },
        "reading": list(reading(rules)),
        "seconds": seconds,
    }
    if effects is not None:
        document["effects"] = [
            {"change": each.change, "ev_best": each.ev_best, "difference": each.difference} for each in effects
        ]
    return document


def _returns(sheet: ParSheet) -> dict[str, Any]:
    """Returns what the best play and the chart give, and the chart itself."""
    return {
        "ev_best": sheet.ev_best,
        "ev_chart": sheet.ev_chart,
        "return_best": sheet.return_best,
        "return_chart": sheet.return_chart,
        "house_edge_best": -sheet.ev_best,
        "house_edge_chart": -sheet.ev_chart,
        "ev_by_upcard_best": by_upcard(sheet.ev_by_upcard_best),
        "ev_by_upcard_chart": by_upcard(sheet.ev_by_upcard_chart),
        "chart": {name: write_rows(getattr(sheet.chart, name)) for name in ("hard", "soft", "pairs")},
    }


def by_upcard(figures: Sequence[float]) -> dict[str, float]:
    """Figures by the upcard's name, in the order of charts."""
    return {card_word(value): figures[value - 1] for value in UPCARDS}


def dealer_rows(rows: Sequence[Sequence[float]]) -> dict[str, dict[str, float]]:
    """The dealer's ends by upcard."""
    return {card_word(value): dict(zip(FINALS, rows[value - 1], strict=True)) for value in UPCARDS}


def bands(sheet: ParSheet) -> list[dict[str, Any]]:
    """Returns the ranges of returns after each number of rounds, with one place and with all places."""
    places = sorted({1, sheet.rules.places_max})
    return [
        {"places": n, "rounds": rounds, "confidence": confidence, "low": low, "high": high}
        for n in places
        for rounds in ROUNDS
        for confidence in CONFIDENCES
        for low, high in (sheet.band(rounds, confidence, n),)
    ]


def hand_document(rules: Rules, cards: Sequence[int], up: int, worths: dict[Action, float]) -> dict[str, Any]:
    """The worth of every action with one hand."""
    best = max(worths, key=worths.__getitem__)
    return {
        "game": rules.game_id,
        "rules": rule_words(rules),
        "hand": [card_word(card) for card in cards],
        "up": card_word(up),
        "given": "no dealer blackjack" if rules.hole_card else "nothing of the dealer's second card",
        "actions": {action.value: worth for action, worth in worths.items()},
        "best": best.value,
    }


def reading(rules: Rules) -> tuple[str, ...]:
    """Returns what the figures mean, in sentences."""
    limits = Limits()
    paid, per = rules.blackjack_pays
    whole = all(cents * paid % per == 0 for cents in (limits.min_cents, *limits.chips_cents))
    looks = (
        "The dealer looks for blackjack under ace and ten before play; it costs the original bet only."
        if rules.hole_card
        else "The dealer's second card is drawn after play; "
        f"a blackjack found then takes {rules.late_blackjack_takes.value}."
    )
    rounding = (
        f"Every bet that can be placed with the chips is paid {paid} to {per} in whole cents: nothing is ever rounded."
        if whole
        else f"Not every chip is paid {paid} to {per} in whole cents: a table of this game needs other chips."
    )
    sentences = (
        f"{rules.decks} decks, a fresh pack for every round; insurance is never taken.",
        looks,
        "Best play looks at every card of the hand; split hands are played as the best play before the split (CDZ-).",
        "The chart has one piece of advice for each total, softness and upcard, pairs apart.",
        "Stakes, variance, distribution and events are those of play by the chart.",
        rounding,
    )
    if rules == CLASSIC:
        return (*sentences, "The rule text of Classic Blackjack states 99.54 %: best play under the rules as listed.")
    return sentences

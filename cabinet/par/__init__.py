"""Exact analysis of a rule set: return, strategy, distribution.

`cached_sheet` serves the cabinet: it reads a few kilobytes and loads no heavy library for rules that have a sheet.
`analyse`, `value_of_hand`, `value_of_chart`, `list_best_play` and `compare_rules` compute; numpy is loaded when one of
them is called.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cabinet.engine.round import Action
from cabinet.engine.rules import Rules
from cabinet.par.cache import cached_sheet, kept_in
from cabinet.par.chart import Advice, BestPlay, Chart
from cabinet.par.sheet import CONFIDENCES, ROUNDS, DealerTable, Events, Insurance, ParSheet

if TYPE_CHECKING:
    from cabinet.par.analysis import Effect

__all__ = [
    "CONFIDENCES",
    "ROUNDS",
    "Action",
    "Advice",
    "BestPlay",
    "Chart",
    "DealerTable",
    "Events",
    "Insurance",
    "ParSheet",
    "analyse",
    "cached_sheet",
    "compare_rules",
    "kept_in",
    "list_best_play",
    "value_of_chart",
    "value_of_hand",
]


def analyse(rules: Rules, progress: Callable[[float, str], None] | None = None) -> ParSheet:
    """Computes the par sheet of the rules. `progress` receives the share done, 0 to 1, and the name of the work."""
    from cabinet.par import analysis

    return analysis.analyse(rules, progress)


def value_of_hand(rules: Rules, cards: Sequence[int], up: int) -> dict[Action, float]:
    """Returns the worth in original bets of each legal action with these cards (values, 1 for an ace) against an
    upcard."""
    from cabinet.par import analysis

    return analysis.value_of_hand(rules, cards, up)


def compare_rules(rules: Rules, progress: Callable[[float, str], None] | None = None) -> "tuple[Effect, ...]":
    """Returns the effect of each single changed rule on the return of best play."""
    from cabinet.par import analysis

    return analysis.compare_rules(rules, progress)


def list_best_play(rules: Rules) -> BestPlay:
    """Returns best play as advice for every hand a player can hold."""
    from cabinet.par import plan

    return plan.list_best_play(rules)


def value_of_chart(rules: Rules, chart: Chart) -> float:
    """Returns the mean net result of play by any chart, in original bets."""
    from cabinet.par import plan

    return plan.value_of_chart(rules, chart)

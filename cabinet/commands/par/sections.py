"""A par sheet's figures as tables of text, the same for the terminal and for the printed page.

Knows: what stands in which table, how figures are written. Does not know: terminals, pages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cabinet.commands.par.arguments import card_word
from cabinet.commands.par.document import UPCARDS
from cabinet.par import Advice

Document = Mapping[str, Any]
"""What `sheet_document` gives."""

LEGEND = (
    (Advice.HIT, "hit"),
    (Advice.STAND, "stand"),
    (Advice.DOUBLE_OR_HIT, "double, or hit where that is not allowed"),
    (Advice.DOUBLE_OR_STAND, "double, or stand where that is not allowed"),
    (Advice.SPLIT, "split"),
)
_EVENTS = (
    ("win", "round won"),
    ("push", "round pushed"),
    ("loss", "round lost"),
    ("blackjack", "player's blackjack"),
    ("blackjack_paid", "player's blackjack, paid"),
    ("dealer_blackjack", "dealer's blackjack"),
    ("both_blackjack", "both have blackjack"),
    ("split", "first hand is split"),
    ("hands", "hands per round"),
    ("doubles", "doubled hands per round"),
    ("busts", "player's hands bust per round"),
    ("pair_of_value", "first two cards of one value"),
    ("pair_of_rank", "first two cards of one rank"),
    ("insurance_offered", "insurance offered"),
)
_INSURED = (
    ("no_ten", "no ten-value in hand"),
    ("one_ten", "one ten-value in hand"),
    ("two_tens", "two ten-values in hand"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A table: the first column says what, the others are figures."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPart:
    """A part of the chart: the letters of its rows, by the name of the hand."""

    title: str
    rows: tuple[tuple[str, str], ...]


def sections(document: Document) -> tuple[Section, ...]:
    """Every table of the sheet, in the order of the page."""
    parts = [
        _returns(document),
        _upcards(document),
        _spread(document),
        _distribution(document),
        *_bands(document),
        _events(document),
        _insurance(document),
        *(_dealer(document, name, words) for name, words in _DEALER),
    ]
    if "effects" in document:
        parts.append(_effects(document))
    return (*parts, _rules(document))


def chart_parts(document: Document) -> tuple[ChartPart, ...]:
    """The chart from high to low, upcards in the order of charts."""
    chart = document["chart"]
    hard = tuple((str(total), _ordered(chart["hard"][str(total)])) for total in range(20, 4, -1))
    soft = tuple((f"A,{total - 11}", _ordered(chart["soft"][str(total)])) for total in range(20, 12, -1))
    values = (1, *range(10, 1, -1))
    pairs = tuple((f"{card_word(v)},{card_word(v)}", _ordered(chart["pairs"][str(v)])) for v in values)
    return (
        ChartPart(title="Hard", rows=hard),
        ChartPart(title="Soft", rows=soft),
        ChartPart(title="Pairs", rows=pairs),
    )


def percent(share: float, digits: int = 4) -> str:
    """A share in percent."""
    return f"{100 * share:.{digits}f} %"


def signed(share: float) -> str:
    """A gain or loss in percent."""
    return f"{100 * share:+.4f} %"


def net_word(net: float) -> str:
    """A net result in bets: +1.5, -2, 0."""
    return f"{net:+g}" if net else "0"


def _ordered(letters: str) -> str:
    return "".join(letters[value - 1] for value in UPCARDS)


def _returns(document: Document) -> Section:
    best, chart = document["average_stake_best"], document["average_stake"]
    rows = (
        ("return to player", percent(document["return_best"]), percent(document["return_chart"])),
        ("house edge per bet", percent(document["house_edge_best"]), percent(document["house_edge_chart"])),
        ("stakes per bet", f"{best:.4f}", f"{chart:.4f}"),
        ("house edge per amount staked", *(percent(-document[f"ev_per_staked{end}"]) for end in ("_best", ""))),
        ("return per amount staked", *(percent(1 + document[f"ev_per_staked{end}"]) for end in ("_best", ""))),
    )
    return Section(title="Return", head=("", "best play", "best chart"), rows=rows)


def _upcards(document: Document) -> Section:
    best, chart = document["ev_by_upcard_best"], document["ev_by_upcard_chart"]
    rows = tuple((up, signed(best[up]), signed(chart[up])) for up in best)
    return Section(title="Gain per bet by the dealer's upcard", head=("upcard", "best play", "best chart"), rows=rows)


def _spread(document: Document) -> Section:
    places = document["variance_by_places"]
    rows = [
        ("hit frequency (rounds won)", percent(document["hit_frequency"])),
        ("variance, one place", f"{document['variance']:.4f}"),
        ("standard deviation, one place", f"{document['deviation']:.4f}"),
        ("volatility index (90 %, one round)", f"{document['volatility_index']:.4f}"),
    ]
    if len(places) > 1:
        rows.append(("covariance of two places", f"{document['covariance']:.4f}"))
        rows += [(f"variance of a round, {n} places", f"{value:.4f}") for n, value in places.items() if n != "1"]
    return Section(title="Spread, in bets of one place", head=("", "chart"), rows=tuple(rows))


def _distribution(document: Document) -> Section:
    rows = tuple((net_word(net), f"{100 * chance:.6f} %") for net, chance in document["distribution"])
    return Section(title="Net result of a round, in bets", head=("net", "chance"), rows=rows)


def _bands(document: Document) -> list[Section]:
    every = document["bands"]
    confidences = sorted({band["confidence"] for band in every})
    head = ("rounds", *(f"{100 * confidence:.0f} % of the time" for confidence in confidences))
    found = []
    for places in sorted({band["places"] for band in every}):
        rows: dict[int, list[str]] = {}
        for band in every:
            if band["places"] == places:
                rows.setdefault(band["rounds"], []).append(f"{percent(band['low'], 2)} to {percent(band['high'], 2)}")
        words = "one place" if places == 1 else f"{places} places a round"
        title = f"Actual return of the chart, {words}"
        found.append(Section(title=title, head=head, rows=tuple((f"{n:,}", *cells) for n, cells in rows.items())))
    return found


def _events(document: Document) -> Section:
    events = document["events"]
    rows = tuple((words, f"{events[name]:.8f}") for name, words in _EVENTS)
    return Section(title="Events per round of one place", head=("event", "chance or mean"), rows=rows)


def _insurance(document: Document) -> Section:
    insurance = document["insurance"]
    rows = tuple((words, signed(insurance[name])) for name, words in _INSURED)
    wins = ("chance to win, cards not seen", percent(insurance["wins"]))
    return Section(title="Insurance, gain per amount insured", head=("", "insurance"), rows=(*rows, wins))


_DEALER = (
    ("unconditional", "The dealer's final total"),
    ("no_blackjack", "The dealer's final total when there is no blackjack"),
)


def _dealer(document: Document, name: str, title: str) -> Section:
    table = document["dealer"][name]
    ends = next(iter(table.values()))
    rows = tuple((up, *(f"{chance:.6f}" for chance in row.values())) for up, row in table.items())
    return Section(title=title, head=("upcard", *ends), rows=rows)


def _effects(document: Document) -> Section:
    rows = tuple((e["change"], percent(1 + e["ev_best"]), signed(e["difference"])) for e in document["effects"])
    return Section(title="What changing one rule does", head=("change", "return of best play", "difference"), rows=rows)


def _rules(document: Document) -> Section:
    hidden = {"game_id", "title"}
    rows = tuple(
        (name.replace("_", " "), _rule_word(value)) for name, value in document["rules"].items() if name not in hidden
    )
    return Section(title="Rules", head=("rule", "setting"), rows=rows)


def _rule_word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " to ".join(map(str, value))
    return "no limit" if value is None else str(value)

"""A par sheet: the figures of what a game returns, as a value.

Returns are per original bet, on one place, with a fresh pack for every round and insurance never taken. The figures of
the distribution (stake, variance, distribution, events) are for play by the chart. The module knows the figures of a
sheet, what follows from them, and their JSON form, not where they come from.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from cabinet.engine.rules import Rules
from cabinet.par.chart import Chart, read_rows, write_rows

ByUpcard = tuple[float, ...]
"""One figure per upcard ace, 2, … 10, at index value - 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Events:
    """Frequencies of events, per round of one place played by the chart."""

    win: float
    """The round returns more than its stakes."""
    push: float
    loss: float
    blackjack: float
    """The player is dealt blackjack, paid or pushed."""
    blackjack_paid: float
    dealer_blackjack: float
    both_blackjack: float
    split: float
    """The first hand is split."""
    hands: float
    """Mean number of hands, split hands counted."""
    doubles: float
    """Mean number of doubled hands."""
    busts: float
    """Mean number of the player's hands that go bust."""
    pair_of_value: float
    """The first two cards have the same value."""
    pair_of_rank: float
    insurance_offered: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Insurance:
    """The return of an insurance bet per unit of it, by the number of ten-values in the player's first two cards."""

    no_ten: float
    one_ten: float
    two_tens: float
    wins: float
    """The chance that the dealer has blackjack, given an ace up and no knowledge of the player's cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerTable:
    """The dealer's results by upcard when only the upcard has left the pack.

    Each row is the chances of 17, 18, 19, 20, 21, bust and blackjack.
    """

    unconditional: tuple[tuple[float, ...], ...]
    no_blackjack: tuple[tuple[float, ...], ...]
    """Given that the dealer has no blackjack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParSheet:
    """The figures of one set of rules."""

    game_id: str
    rules: Rules
    ev_best: float
    """Mean net result of best (composition-dependent) play, in original bets."""
    ev_chart: float
    """Mean net result of the best chart."""
    ev_by_upcard_best: ByUpcard
    ev_by_upcard_chart: ByUpcard
    chart: Chart
    average_stake: float
    """Mean of all stakes of a round by the chart, in original bets."""
    average_stake_best: float
    variance: float
    """Of one place's net result, in squared original bets."""
    covariance: float
    """Of the net results of two places of one round."""
    distribution: tuple[tuple[float, float], ...]
    """Net results of one place in original bets, rising, each with its chance."""
    events: Events
    insurance: Insurance
    dealer: DealerTable

    @property
    def return_best(self) -> float:
        """Returns the return to player of best play; 1 is fair."""
        return 1 + self.ev_best

    @property
    def return_chart(self) -> float:
        """Returns the return to player of the chart; 1 is fair."""
        return 1 + self.ev_chart

    @property
    def ev_per_staked(self) -> float:
        """Returns the mean net result of the chart per unit of money staked, doubles and splits included."""
        return self.ev_chart / self.average_stake

    @property
    def hit_frequency(self) -> float:
        """Returns the chance that a round returns more than its stakes."""
        return self.events.win

    @property
    def deviation(self) -> float:
        """Returns the standard deviation of one place's net result, in original bets."""
        return sqrt(self.variance)

    @property
    def volatility_index(self) -> float:
        """Returns half the width of the 90 % band of one round, in original bets: 1.645 standard deviations."""
        return _width(0.9) * self.deviation

    def variance_of_round(self, places: int) -> float:
        """Returns the variance of a round with the same bet on several places, in squared original bets of one
        place."""
        return places * self.variance + places * (places - 1) * self.covariance

    def band(self, rounds: int, confidence: float, places: int = 1) -> tuple[float, float]:
        """Returns the range of returns to player (per original bets) after a number of rounds by the chart.

        `confidence` is the chance to be inside, such as 0.95. The range uses the normal distribution, which the mean of
        many rounds follows closely; for a few rounds the lower end may be below 0.
        """
        if rounds < 1 or not 0 < confidence < 1:
            raise ValueError(f"a band of {rounds} rounds at {confidence}; expected rounds from 1, confidence in (0, 1)")
        half = _width(confidence) * sqrt(self.variance_of_round(places) / rounds) / places
        return self.return_chart - half, self.return_chart + half


CONFIDENCES = (0.90, 0.95, 0.99)
ROUNDS = (10**3, 10**4, 10**5, 10**6, 10**7)
"""The numbers of rounds for which a par sheet prints bands."""


def write_sheet(sheet: ParSheet) -> dict[str, Any]:
    """Returns the sheet as plain data for JSON, without its rules."""
    plain = asdict(sheet)
    del plain["rules"], plain["game_id"]
    plain["chart"] = {name: write_rows(rows) for name, rows in plain["chart"].items()}
    return plain


def read_sheet(rules: Rules, plain: Mapping[str, Any]) -> ParSheet:
    """Returns the sheet of these rules from the data of `write_sheet`. Raises KeyError or ValueError for other data."""
    numbers = {key: plain[key] for key in ("ev_best", "ev_chart", "variance", "covariance")}
    dealer = {name: tuple(map(tuple, rows)) for name, rows in plain["dealer"].items()}
    return ParSheet(
        game_id=rules.game_id,
        rules=rules,
        **numbers,
        ev_by_upcard_best=tuple(plain["ev_by_upcard_best"]),
        ev_by_upcard_chart=tuple(plain["ev_by_upcard_chart"]),
        average_stake=plain["average_stake"],
        average_stake_best=plain["average_stake_best"],
        distribution=tuple((net, chance) for net, chance in plain["distribution"]),
        chart=Chart(**{name: read_rows(rows) for name, rows in plain["chart"].items()}),
        events=Events(**plain["events"]),
        insurance=Insurance(**plain["insurance"]),
        dealer=DealerTable(**dealer),
    )


def _width(confidence: float) -> float:
    """Returns the number of standard deviations on either side that contain this share of a normal distribution."""
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + confidence) / 2)

"""Plays many rounds with the cabinet's own engine and a strategy, and compares the result with the par sheet.

Rules:
- Every round is dealt by `blackjack` from a fresh pack and paid by its results.
- The cards come from a seeded generator, so that a run can be repeated. Only this module has it; the cabinet never
  imports the module and draws from `cabinet.runtime.shoe`.
- Rounds are played in blocks, each with a seed made of the run's seed and the block's number, so the result does not
  depend on the number of processes. Insurance is never taken.

The module does not know how play is found or valued (see `cabinet.par`), screens or credit.
"""

import os
import signal
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from math import sqrt
from multiprocessing import get_context
from typing import Any, TypeVar

from numpy.random import default_rng

from cabinet.engine import blackjack
from cabinet.engine.cards import Card, Draw, total_of, value_of
from cabinet.engine.errors import EngineError
from cabinet.engine.round import Action, Round, Stage
from cabinet.engine.rules import Rules
from cabinet.par import Advice, BestPlay, Chart, ParSheet, cached_sheet, list_best_play, value_of_chart
from cabinet.report.progress import progress
from cabinet.report.value import Report, Section, Span, Table, Tone, Words, words
from cabinet.runtime.shoe import ChanceError

BLOCK = 20_000
"""Rounds played with one seed: enough to be worth a message between processes, few enough to show progress."""
DOUBTFUL = 4.0
"""Standard errors from the par sheet that a correct engine exceeds less than once in 15,000 runs."""
_NUMBERS = 1 << 16


class Strategy(Enum):
    """How the rounds are played."""

    BEST = "best"
    """Composition-dependent best play."""
    CHART = "chart"
    """The best chart."""
    DEALER = "dealer"
    """Play like the dealer: hit 16 or less, stand on 17 or more."""
    NEVER_BUST = "never-bust"
    """Hit hard 11 or less and soft 17 or less, else stand."""


Decide = Callable[[Round], Action]
"""Returns the action for the hand whose turn it is."""
Cell = tuple[Action, Action]
"""The action, and the action where that one is not allowed."""
_Key = TypeVar("_Key")

_CELLS: dict[Advice, Cell] = {
    Advice.STAND: (Action.STAND, Action.STAND),
    Advice.HIT: (Action.HIT, Action.STAND),
    Advice.DOUBLE_OR_HIT: (Action.DOUBLE, Action.HIT),
    Advice.DOUBLE_OR_STAND: (Action.DOUBLE, Action.STAND),
    Advice.SPLIT: (Action.SPLIT, Action.STAND),
}
_VALUES = tuple(value_of(card) for card in range(52 * 8))
_OVER, _INSURANCE = Stage.OVER, Stage.INSURANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The sums over rounds; money in cents of all places together, squares in squared cents."""

    rounds: int = 0
    net_cents: int = 0
    squares: int = 0
    staked_cents: int = 0
    won: int = 0
    pushed: int = 0

    def plus(self, other: "Tally") -> "Tally":
        """Returns the sum of both."""
        return Tally(
            rounds=self.rounds + other.rounds,
            net_cents=self.net_cents + other.net_cents,
            squares=self.squares + other.squares,
            staked_cents=self.staked_cents + other.staked_cents,
            won=self.won + other.won,
            pushed=self.pushed + other.pushed,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The rounds to play."""

    rules: Rules
    strategy: Strategy
    rounds: int
    places: int = 1
    seed: int = 1

    def __post_init__(self) -> None:
        """Raises an error for no rounds, or for more places than the game has."""
        if self.rounds < 1:
            raise EngineError(f"a simulation needs at least 1 round, found {self.rounds}")
        if not 1 <= self.places <= self.rules.places_max:
            most = self.rules.places_max
            raise EngineError(
                f"{self.rules.game_id} has {most} place{'s' if most > 1 else ''}; {self.places} cannot be played"
            )

    @property
    def bet_cents(self) -> int:
        """Returns the bet on each place; half of it and the pay for a blackjack are whole cents."""
        return 2 * self.rules.blackjack_pays[1]

    @property
    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yields number and rounds of each block."""
        return ((start // BLOCK, min(BLOCK, self.rounds - start)) for start in range(0, self.rounds, BLOCK))


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of a run, in original bets, with the par sheet's figures for the strategy."""

    job: Job
    tally: Tally
    expected: float
    """The exact mean net result per bet."""
    sheet: ParSheet
    jobs: int = 1
    seconds: float = field(default=0.0, compare=False)

    @property
    def _bets_cents(self) -> int:
        return self.job.bet_cents * self.job.places

    @property
    def mean(self) -> float:
        """Returns the mean net result per bet."""
        return self.tally.net_cents / self.tally.rounds / self._bets_cents

    @property
    def variance(self) -> float:
        """Returns the variance of a round's net result, in squared bets of one place."""
        squares = self.tally.squares / self.tally.rounds / self.job.bet_cents**2
        return max(squares - (self.mean * self.job.places) ** 2, 0.0)

    @property
    def error(self) -> float:
        """Returns the standard error of the mean."""
        return sqrt(self.variance / self.tally.rounds) / self.job.places

    @property
    def z(self) -> float:
        """Returns by how many standard errors the mean is above the expected value."""
        return (self.mean - self.expected) / self.error if self.error else 0.0

    @property
    def expected_variance(self) -> float | None:
        """Returns the par sheet's variance of a round's net result; known only for the chart."""
        chart = self.job.strategy is Strategy.CHART
        return self.sheet.variance_of_round(self.job.places) if chart else None

    @property
    def speed(self) -> float:
        """Returns rounds per second, all processes together."""
        return self.tally.rounds / self.seconds if self.seconds else 0.0

    @property
    def agrees(self) -> bool:
        """Returns False when it is very unlikely that engine and par sheet are both right."""
        return abs(self.z) <= DOUBTFUL


# --- cards and plays --------------------------------------------------------------------------------------------


def seeded_draw(decks: int, seed: int, block: int = 0) -> Draw:
    """Returns a draw with the same cards for the same seed and block; for simulation only. It raises ChanceError when
    all cards are out."""
    cards = 52 * decks
    numbers: Callable[[], Card] = partial(next, _numbers(cards, seed, block))

    def draw(out: Collection[int]) -> Card:
        if len(out) >= cards:
            raise ChanceError(f"all {cards} cards of the pack are out; expected at least one left to draw")
        card = numbers()
        while card in out:
            card = numbers()
        return card

    return draw


def _numbers(cards: int, seed: int, block: int) -> Iterator[Card]:
    generator = default_rng((seed, block))
    while True:
        yield from generator.integers(0, cards, _NUMBERS).tolist()


def stop_chart(hard: int, soft: int) -> Chart:
    """Returns the chart of a player who hits below these totals and never doubles or splits."""
    hard_rows = {total: _row(hits=total < hard) for total in range(4, 22)}
    soft_rows = {total: _row(hits=total < soft) for total in range(12, 22)}
    pairs = {value: hard_rows[2 * value] for value in range(2, 11)}
    return Chart(hard=hard_rows, soft=soft_rows, pairs={1: soft_rows[12], **pairs})


def _row(*, hits: bool) -> tuple[Advice, ...]:
    return (Advice.HIT if hits else Advice.STAND,) * 10


def plan_of(strategy: Strategy, sheet: ParSheet) -> Chart | BestPlay:
    """Returns the chart or the best play of a strategy under the sheet's rules."""
    match strategy:
        case Strategy.BEST:
            return list_best_play(sheet.rules)
        case Strategy.CHART:
            return sheet.chart
        case Strategy.DEALER:
            return stop_chart(17, 18 if sheet.rules.dealer_hits_soft_17 else 17)
        case Strategy.NEVER_BUST:
            return stop_chart(12, 18)


def follow(rules: Rules, plan: Chart | BestPlay) -> Decide:
    """Returns the decisions of a chart, or of best play by the cards in hand."""
    return _follow_chart(rules, plan) if isinstance(plan, Chart) else _follow_best(rules, plan)


def _follow_chart(rules: Rules, chart: Chart) -> Decide:
    hard, soft, pairs = (_cells(rows) for rows in (chart.hard, chart.soft, chart.pairs))
    up_at = 1 if rules.hole_card_first else 0

    def decide(round_: Round) -> Action:
        cards = _cards_in_turn(round_)
        up = _VALUES[round_.dealer[up_at]]
        if _may_split(round_, cards):
            return _obey(round_, pairs[_VALUES[cards[0]]][up])
        points, is_soft = total_of(cards)
        return _obey(round_, (soft if is_soft else hard)[points][up])

    return decide


def _follow_best(rules: Rules, best: BestPlay) -> Decide:
    hands, splits = _cells(best.hands), best.splits
    up_at = 1 if rules.hole_card_first else 0

    def decide(round_: Round) -> Action:
        cards = _cards_in_turn(round_)
        up = _VALUES[round_.dealer[up_at]]
        if splits[_VALUES[cards[0]]][up - 1] and _may_split(round_, cards):
            return Action.SPLIT
        return _obey(round_, hands[tuple(sorted([_VALUES[card] for card in cards]))][up])

    return decide


def _cells(rows: Mapping[_Key, tuple[Advice, ...]]) -> dict[_Key, tuple[Cell, ...]]:
    """Returns advice as actions, by the upcard's value itself."""
    unused = _CELLS[Advice.STAND]
    return {key: (unused, *(_CELLS[advice] for advice in row)) for key, row in rows.items()}


def _cards_in_turn(round_: Round) -> tuple[Card, ...]:
    place, hand = round_.turn or (0, 0)
    return round_.places[place].hands[hand].cards


def _may_split(round_: Round, cards: tuple[Card, ...]) -> bool:
    alike = len(cards) == 2 and _VALUES[cards[0]] == _VALUES[cards[1]]
    return alike and blackjack.why_not(round_, Action.SPLIT) is None


def _obey(round_: Round, cell: Cell) -> Action:
    wanted, instead = cell
    if blackjack.why_not(round_, wanted) is None:
        return wanted
    return instead if blackjack.why_not(round_, instead) is None else Action.STAND


# --- playing ----------------------------------------------------------------------------------------------------


def play_rounds(job: Job, decide: Decide, draw: Draw, rounds: int) -> Tally:
    """Plays a number of rounds."""
    bets = (job.bet_cents,) * job.places
    rules = job.rules
    net_cents = squares = staked_cents = won = pushed = 0
    for _ in range(rounds):
        staked, returned = _play_round(rules, bets, decide, draw)
        net = returned - staked
        net_cents += net
        squares += net * net
        staked_cents += staked
        won += net > 0
        pushed += net == 0
    return Tally(rounds=rounds, net_cents=net_cents, squares=squares, staked_cents=staked_cents, won=won, pushed=pushed)


def _play_round(rules: Rules, bets: tuple[int, ...], decide: Decide, draw: Draw) -> tuple[int, int]:
    """Plays one round through the engine. Returns stakes and returns, in cents."""
    round_ = blackjack.deal(rules, bets, draw)
    while (stage := round_.stage) is not _OVER:
        if stage is _INSURANCE:
            round_ = blackjack.insure(round_, 0, draw)
        else:
            round_ = blackjack.act(round_, decide(round_), draw)
    staked = returned = 0
    for result in blackjack.results(round_).hands:
        staked += result.stake_cents
        returned += result.returned_cents
    return staked, returned


def simulate(
    job: Job, *, jobs: int = 1, sheet: ParSheet | None = None, report: Callable[[Finding], None] | None = None
) -> Finding:
    """Plays the job in `jobs` processes. `report` receives the result of all blocks so far, after each block."""
    sheet = sheet or cached_sheet(job.rules, None)
    plan = plan_of(job.strategy, sheet)
    expected = value_of_chart(job.rules, plan) if isinstance(plan, Chart) else sheet.ev_best
    began = time.perf_counter()
    total = Tally()
    for tally in _play_blocks(job, plan, jobs):
        total = total.plus(tally)
        seconds = time.perf_counter() - began
        finding = Finding(job=job, tally=total, expected=expected, sheet=sheet, jobs=jobs, seconds=seconds)
        if report is not None:
            report(finding)
    return finding


def _play_blocks(job: Job, plan: Chart | BestPlay, jobs: int) -> Iterator[Tally]:
    if jobs == 1:
        decide = follow(job.rules, plan)
        for block in job.blocks:
            yield _play_block(job, decide, block)
        return
    with get_context("spawn").Pool(jobs, _begin_worker, (job, plan)) as pool:
        yield from pool.imap_unordered(_play_here, job.blocks)


def _play_block(job: Job, decide: Decide, block: tuple[int, int]) -> Tally:
    number, rounds = block
    return play_rounds(job, decide, seeded_draw(job.rules.decks, job.seed, number), rounds)


_HERE: dict[str, Callable[[tuple[int, int]], Tally]] = {}
"""The function with which this process plays blocks, when it is one of several."""


def _begin_worker(job: Job, plan: Chart | BestPlay) -> None:
    """Prepares a worker process. It ignores an interruption, because the parent handles it and ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _HERE["play"] = partial(_play_block, job, follow(job.rules, plan))


def _play_here(block: tuple[int, int]) -> Tally:
    return _HERE["play"](block)


# --- the command ------------------------------------------------------------------------------------------------


def run_simulation(job: Job, jobs: int | None) -> Finding:
    """Simulates in `jobs` processes, by default one for each core, with the running mean on standard error."""
    with progress(f"Reading the par sheet of {job.rules.title}") as update:
        sheet = cached_sheet(job.rules, None)

        def report(finding: Finding) -> None:
            found = f"Playing: {_percent(1 + finding.mean)} ± {_percent(finding.error)}"
            update(completed=finding.tally.rounds, total=job.rounds, description=found)

        return simulate(job, jobs=jobs or len(os.sched_getaffinity(0)), sheet=sheet, report=report)


def finding_json(finding: Finding) -> dict[str, Any]:
    """Returns a finding as plain data; returns and means are per original bet."""
    job, tally = finding.job, finding.tally
    bets = job.bet_cents * job.places * tally.rounds
    return {
        "game": job.rules.game_id,
        "strategy": job.strategy.value,
        "rounds": tally.rounds,
        "places": job.places,
        "seed": job.seed,
        "jobs": finding.jobs,
        "mean": finding.mean,
        "error": finding.error,
        "return": 1 + finding.mean,
        "expected": finding.expected,
        "z": finding.z,
        "agrees": finding.agrees,
        "variance": finding.variance,
        "expected_variance": finding.expected_variance,
        "average_stake": tally.staked_cents / bets,
        "hit_frequency": tally.won / tally.rounds,
        "push_frequency": tally.pushed / tally.rounds,
        "seconds": finding.seconds,
        "rounds_per_second": finding.speed,
        "rounds_per_second_per_job": finding.speed / finding.jobs,
    }


def finding_report(finding: Finding) -> Report:
    """Returns a finding with the par sheet's figures. Not ok when it is very unlikely that engine and par sheet are
    both right."""
    job, plain = finding.job, finding_json(finding)
    places = f", {job.places} places" if job.places > 1 else ""
    pace = (
        f"{finding.seconds:.1f} s in {finding.jobs} process{'' if finding.jobs == 1 else 'es'}: "
        f"{finding.speed:,.0f} rounds a second, {finding.speed / finding.jobs:,.0f} in each. Seed {job.seed}."
    )
    table = Table(columns=words("", "simulated", "par sheet", "apart"), rows=_rows(finding, plain))
    blocks: list[Words | Table] = [table, pace]
    if not finding.agrees:
        doubt = f"More than {DOUBTFUL:.0f} standard errors apart: engine or par sheet is wrong"
        blocks.append(Span(text=doubt, tone=Tone.BAD))
    title = f"{job.rules.title}: {plain['rounds']:,} rounds, {job.strategy.value}{places}"
    return Report(data=plain, sections=(Section(title=title, blocks=tuple(blocks)),), ok=finding.agrees)


def _rows(finding: Finding, plain: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    job, sheet = finding.job, finding.sheet
    simulated = f"{_percent(1 + finding.mean)} ± {_percent(finding.error)}"
    variance = "" if finding.expected_variance is None else f"{finding.expected_variance:.4f}"
    stakes = {Strategy.CHART: f"{sheet.average_stake:.4f}", Strategy.BEST: f"{sheet.average_stake_best:.4f}"}
    hit = _percent(sheet.hit_frequency) if job.strategy is Strategy.CHART and job.places == 1 else ""
    return (
        ("return per bet", simulated, _percent(1 + finding.expected), f"{finding.z:+.2f} standard errors"),
        ("variance of a round", f"{finding.variance:.4f}", variance, ""),
        ("stakes per bet", f"{plain['average_stake']:.4f}", stakes.get(job.strategy, ""), ""),
        ("rounds won", _percent(plain["hit_frequency"]), hit, ""),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.4f} %"

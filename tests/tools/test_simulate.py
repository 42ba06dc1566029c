"""Simulation of the cabinet's own engine: repeatable, by the named strategy, in agreement with the par sheet."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from support.commands import call
from support.reports import shown
from support.rounds import draws

from cabinet.engine import blackjack
from cabinet.engine.errors import EngineError
from cabinet.engine.round import Action, Round, Stage
from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, Rules, vary
from cabinet.par import ParSheet, analyse, cached_sheet
from cabinet.tools.simulate import (
    BLOCK,
    DOUBTFUL,
    Decide,
    Finding,
    Job,
    Strategy,
    Tally,
    finding_json,
    finding_report,
    follow,
    plan_of,
    play_rounds,
    run_simulation,
    seeded_draw,
    simulate,
    stop_chart,
)

ROUNDS = 60_000
RESPLIT = vary(CLASSIC, decks=1, resplit_aces=True, splits_max=3, blackjack_pays=(6, 5), double_after_split=False)


@cache
def player(rules: Rules, strategy: Strategy) -> Decide:
    return follow(rules, plan_of(strategy, cached_sheet(rules, None)))


# --- the proof ----------------------------------------------------------------------------------------------------


@pytest.mark.sample(2)
@pytest.mark.requirement("PD-12")
@pytest.mark.parametrize("strategy", [Strategy.BEST, Strategy.CHART], ids=lambda strategy: strategy.value)
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_the_engine_returns_what_the_par_sheet_says(rules: Rules, strategy: Strategy):
    finding = simulate(Job(rules=rules, strategy=strategy, rounds=ROUNDS, seed=7))

    assert finding.error < 0.005
    assert abs(finding.z) < DOUBTFUL
    assert finding.variance == pytest.approx(finding.sheet.variance, rel=0.03)
    assert finding_json(finding)["average_stake"] == pytest.approx(finding.sheet.average_stake, rel=0.005)


@pytest.mark.requirement("PD-12")
def test_several_places_share_their_dealer_as_the_sheet_says():
    finding = simulate(Job(rules=EUROPEAN, strategy=Strategy.CHART, rounds=15_000, places=5, seed=2))

    assert abs(finding.z) < DOUBTFUL
    assert finding.expected_variance == pytest.approx(5 * 1.2882 + 20 * 0.4791, rel=1e-3)
    assert finding.variance == pytest.approx(finding.expected_variance, rel=0.05)


@pytest.mark.parametrize("strategy", [Strategy.DEALER, Strategy.NEVER_BUST], ids=lambda strategy: strategy.value)
def test_plain_strategies_return_what_is_known_of_them(strategy: Strategy):
    finding = simulate(Job(rules=CLASSIC, strategy=strategy, rounds=20_000, seed=3))
    known = {Strategy.DEALER: "-5.67564759", Strategy.NEVER_BUST: "-6.01311182"}

    assert f"{100 * finding.expected:.8f}" == known[strategy]
    assert finding.agrees
    assert finding.expected_variance is None


@pytest.mark.breadth
@pytest.mark.requirement("PD-12")
def test_other_rules_agree_too():
    sheet = analyse(RESPLIT)
    for strategy in (Strategy.BEST, Strategy.CHART):
        assert simulate(Job(rules=RESPLIT, strategy=strategy, rounds=30_000), sheet=sheet).agrees


def test_a_sheet_that_is_wrong_is_found():
    finding = simulate(Job(rules=CLASSIC, strategy=Strategy.DEALER, rounds=20_000))
    assert not replace(finding, expected=finding.mean + 5 * finding.error).agrees
    assert replace(finding, expected=finding.mean - 3 * finding.error).z == pytest.approx(3)


# --- the cards --------------------------------------------------------------------------------------------------


def test_the_same_seed_and_block_deal_the_same_cards():
    def cards(seed: int, block: int) -> list[int]:
        draw = seeded_draw(6, seed, block)
        return [draw(()) for _ in range(50)]

    assert cards(1, 0) == cards(1, 0)
    assert len({tuple(cards(seed, block)) for seed in (1, 2) for block in (0, 1)}) == 4


def test_simulated_cards_are_even_and_none_that_is_out_comes_again():
    draw = seeded_draw(1, 5)
    assert sorted(Counter(draw(range(26)) for _ in range(5_000))) == list(range(26, 52))
    counts = Counter(draw(()) for _ in range(52_000))
    assert len(counts) == 52
    assert all(abs(count - 1_000) < 6 * 1_000**0.5 for count in counts.values())


# --- the strategies ---------------------------------------------------------------------------------------------


def opened(rules: Rules, cards: str) -> Round:
    return blackjack.deal(rules, (100,), draws(cards))


@pytest.mark.parametrize(
    ("strategy", "cards", "action"),
    [
        (Strategy.CHART, "10S 4D 2S", Action.STAND),
        (Strategy.CHART, "10S 4D 3S", Action.STAND),
        (Strategy.CHART, "8S 10D 8H", Action.HIT),
        (Strategy.CHART, "8S 9D 8H", Action.SPLIT),
        (Strategy.CHART, "10S 6D KH", Action.STAND),
        (Strategy.CHART, "AS 5D 7H", Action.DOUBLE),
        (Strategy.BEST, "10S 4D 2S", Action.HIT),
        (Strategy.BEST, "9S 4D 3S", Action.STAND),
        (Strategy.BEST, "8S 9D 8H", Action.SPLIT),
        (Strategy.BEST, "5S 6D 5H", Action.DOUBLE),
        (Strategy.DEALER, "8S 9D 8H", Action.HIT),
        (Strategy.DEALER, "AS 9D 6H", Action.STAND),
        (Strategy.NEVER_BUST, "AS 9D 6H", Action.HIT),
        (Strategy.NEVER_BUST, "10S 10D 2H", Action.STAND),
    ],
)
def test_a_strategy_plays_as_it_is_named(strategy: Strategy, cards: str, action: Action):
    assert player(EUROPEAN, strategy)(opened(EUROPEAN, cards)) is action


def test_the_dealers_play_hits_soft_17_where_the_dealer_does():
    sheet = cached_sheet(CLASSIC, None)
    soft = replace(sheet, rules=vary(CLASSIC, dealer_hits_soft_17=True))
    assert plan_of(Strategy.DEALER, sheet) == stop_chart(17, 17)
    assert plan_of(Strategy.DEALER, soft) == stop_chart(17, 18)


def test_what_the_rules_forbid_is_replaced():
    once = vary(EUROPEAN, splits_max=1, double_after_split=False)
    decide = player(EUROPEAN, Strategy.CHART)
    draw = draws("8S 6D 8H 8D 3C 10C")
    split = blackjack.act(blackjack.deal(once, (100,), draw), Action.SPLIT, draw)
    assert decide(split) is Action.STAND, "eights that may not be split again are sixteen"
    second = blackjack.act(split, Action.STAND, draw)
    assert second.stage is Stage.DECIDING
    assert decide(second) is Action.HIT, "eleven that may not be doubled is hit"


@pytest.mark.parametrize("strategy", list(Strategy), ids=lambda strategy: strategy.value)
def test_every_strategy_keeps_to_the_rules_where_aces_may_be_split_again(strategy: Strategy):
    aces = replace(cached_sheet(CLASSIC, None), rules=RESPLIT)
    decide = follow(RESPLIT, plan_of(strategy, aces))
    assert (
        play_rounds(Job(rules=RESPLIT, strategy=strategy, rounds=1), decide, seeded_draw(1, 1), 3_000).rounds == 3_000
    )


# --- running ----------------------------------------------------------------------------------------------------


def test_the_tally_counts_what_the_engine_pays():
    draw = draws("AS 9D KH 7C 10S 9C 8H 10H 5S 6D 6H 10C 10D 9H")
    job = Job(rules=CLASSIC, strategy=Strategy.CHART, rounds=1)
    tally = play_rounds(job, player(CLASSIC, Strategy.CHART), draw, 3)

    assert job.bet_cents == 4
    assert tally == Tally(rounds=3, net_cents=6 - 4 + 8, squares=36 + 16 + 64, staked_cents=16, won=2, pushed=0)


def test_several_processes_find_what_one_finds():
    job = Job(rules=CLASSIC, strategy=Strategy.DEALER, rounds=BLOCK + 500, seed=9)
    reported: list[int] = []
    one = simulate(job, report=lambda finding: reported.append(finding.tally.rounds))

    assert simulate(job, jobs=2).tally == one.tally
    assert reported == [BLOCK, BLOCK + 500]


@pytest.mark.parametrize(
    ("places", "rounds", "words"),
    [(2, 10, "classic has 1 place; 2"), (0, 10, "0 cannot be played"), (1, 0, "at least 1")],
)
def test_a_job_that_cannot_be_played_is_refused(places: int, rounds: int, words: str):
    with pytest.raises(EngineError, match=words):
        Job(rules=CLASSIC, strategy=Strategy.CHART, rounds=rounds, places=places)


def test_the_command_reports_the_mean_its_error_and_the_comparison():
    result = call("simulate", "classic", "--rounds", "3000", "--jobs", "1", "--seed", "4", "--json")
    found = json.loads(result.stdout)

    assert result.exit_code == 0
    assert found["return"] == 1 + found["mean"]
    assert found["z"] == pytest.approx((found["mean"] - found["expected"]) / found["error"])
    assert (found["rounds"], found["jobs"], found["agrees"], found["strategy"]) == (3_000, 1, True, "chart")
    assert found["rounds_per_second"] == pytest.approx(3_000 / found["seconds"])


def test_text_says_the_same():
    result = call("simulate", "european", "--rounds", "2000", "--jobs", "1", "--places", "2")
    assert "2,000 rounds, chart, 2 places" in result.stdout
    assert "rounds a second" in result.stdout


def test_rules_can_be_varied():
    result = call(
        "simulate",
        "classic",
        "--rounds",
        "500",
        "--jobs",
        "1",
        "--set",
        "splits_max=0",
        "--set",
        "blackjack_pays=1:1",
        "--json",
    )
    assert json.loads(result.stdout)["expected"] < -0.02


def _doubtful(sheet: ParSheet) -> Finding:
    job = Job(rules=CLASSIC, strategy=Strategy.CHART, rounds=1_000)
    tally = Tally(rounds=1_000, net_cents=4_000, squares=20_000, staked_cents=4_400, won=990)
    return Finding(job=job, tally=tally, expected=sheet.ev_chart, sheet=sheet, seconds=2.0)


def test_a_doubtful_finding_is_said_to_be_one():
    report = finding_report(_doubtful(cached_sheet(CLASSIC, None)))

    assert not report.ok
    assert "engine or par sheet is wrong" in shown(report)
    assert "500 rounds a second" in shown(report)


def test_progress_is_shown_while_it_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("FORCE_COLOR", "1")
    run_simulation(Job(rules=CLASSIC, strategy=Strategy.DEALER, rounds=1_000), 1)
    assert "Playing: 9" in capsys.readouterr().err

"""What is measured without a screen: the player who never stops, and the arithmetic of the figures."""

from itertools import islice
from pathlib import Path

import pytest
from support.machines import SETTINGS
from support.rounds import draws, seeded_draw

from cabinet.engine.effects import Refused, RoundSettled
from cabinet.engine.inputs import BillStacked
from cabinet.engine.ledger import faults_of
from cabinet.engine.rules import TABLE
from cabinet.store import codec
from cabinet.store.journal import FILE, Journal
from cabinet.store.verify import verify
from cabinet.tools.bench.engine import (
    BenchError,
    Effort,
    bytes_of,
    lasting_ms,
    measure_commits,
    measure_memory,
    measure_rounds,
    play_on,
    play_round,
    resident_after_rounds,
    resident_mb,
    run_program,
    spread,
)

LITTLE = Effort(prepared=False, idle_s=0.1, presses=1, deals=1, commits=12, rounds_s=0.03, starts=1, memory_rounds=20)


def test_the_player_never_stops_and_is_never_refused():
    steps = list(islice(play_on(SETTINGS, seeded_draw(1)), 3_000))
    assert not [event for _, step in steps for event in step.events if isinstance(event, Refused)]
    assert sum(isinstance(event, RoundSettled) for _, step in steps for event in step.events) > 500
    assert sum(isinstance(input_, BillStacked) for input_, _ in steps) >= 1
    assert faults_of(steps[-1][1].machine.books) == ()


@pytest.mark.parametrize(
    ("cards", "paid"),
    [("AS 6D KH 10C", 2_500), ("10S 10D 9H 8C", 2_000), ("10S 10D 7H 8C", 0), ("10S 7D 6H 10C KD", 0)],
    ids=["blackjack", "win", "loss", "bust"],
)
def test_a_round_is_played_to_its_end(cards: str, paid: int):
    draw = draws(cards)
    assert play_round(TABLE, draw) == paid
    assert draw.left == []


def test_insurance_is_declined():
    assert play_round(TABLE, draws("10S AD 9H 9C")) == 0


def test_spread_names_the_middle_the_last_but_one_in_a_hundred_and_the_worst():
    assert spread([3.0]) == {"median": 3.0, "p99": 3.0, "worst": 3.0}
    assert spread(list(map(float, range(200, 0, -1)))) == {"median": 100.5, "p99": 198.0, "worst": 200.0}


def test_how_long_something_takes_is_reported_in_milliseconds():
    done: list[int] = []
    assert lasting_ms(lambda: done.append(1)) >= 0
    assert done == [1]


def test_the_bytes_of_a_step_are_those_of_its_machine_and_words():
    input_, step = next(play_on(SETTINGS, seeded_draw(1)))
    assert bytes_of(input_, step) > len(codec.encode_machine(step.machine)) > 300


def test_commits_go_to_a_journal_that_is_in_order(tmp_path: Path):
    figures = measure_commits(tmp_path, LITTLE)
    assert figures["commit_ratio"] == pytest.approx(
        figures["commit_ms"] / figures["bare_commit_ms"], rel=0.05, abs=0.02
    )
    assert min(figures.values()) > 0
    with Journal(tmp_path, str) as journal:
        assert journal.seq == LITTLE.commits
    verdict = verify(tmp_path)
    assert (verdict.rows, verdict.first_bad) == (LITTLE.commits, None)


def test_rounds_are_counted(tmp_path: Path):
    assert measure_rounds(tmp_path, LITTLE)["rounds_per_s"] > 100
    assert list(tmp_path.iterdir()) == []


def test_memory_is_measured_after_every_round_was_committed(tmp_path: Path):
    start_mb, end_mb = resident_after_rounds(tmp_path, 20)
    assert 0 < start_mb < 10_000
    assert abs(end_mb - start_mb) < 50
    with Journal(tmp_path, str) as journal:
        assert journal.machine is not None
        assert journal.machine.round_number == 22


def test_memory_is_that_of_a_process_of_its_own(tmp_path: Path):
    held = bytearray(200 * 2**20)
    figures = measure_memory(tmp_path, LITTLE)
    assert figures["rss_mb_start"] < 150 < len(held) / 2**20 < resident_mb()
    assert figures["rss_rounds"] == 20
    assert figures["rss_flat"] is (figures["rss_mb_end"] - figures["rss_mb_start"] <= 3)
    assert not (tmp_path / FILE).exists()


def test_a_measured_program_gives_its_words_or_its_last_ones():
    assert run_program("import sys; print(sys.argv[1])", "heard") == "heard\n"
    with pytest.raises(BenchError, match=r"ended with 1: ValueError: out of paper"):
        run_program("raise ValueError('out of paper')")
    with pytest.raises(BenchError, match=r"ended with 3: nothing was said"):
        run_program("raise SystemExit(3)")

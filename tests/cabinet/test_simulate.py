"""The cabinet's own engine, played by the thousand, agrees with the exact analysis."""

import pytest

from cabinet.engine.errors import EngineError
from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, TABLE
from cabinet.simulate import Job, Strategy, simulate

ROUNDS = 20_000
WITHIN = 4.5
"""Standard errors a right engine stays inside, with the seed of the job."""


@pytest.mark.requirement("PD-12", "RN-04")
@pytest.mark.parametrize("game_id", GAMES)
def test_the_engine_returns_what_the_par_sheet_says_of_the_chart(game_id: str):
    found = simulate(Job(rules=GAMES[game_id], strategy=Strategy.CHART, rounds=ROUNDS))

    error = (found.variance / ROUNDS) ** 0.5
    assert abs(found.mean - found.expected) < WITHIN * error


def test_the_same_seed_plays_the_same_rounds_and_another_does_not():
    first, again, other = (
        simulate(Job(rules=TABLE, strategy=Strategy.DEALER, rounds=2_000, seed=seed)) for seed in (7, 7, 8)
    )

    assert first.tally == again.tally
    assert first.tally != other.tally


def test_impossible_jobs_are_refused_with_what_was_found():
    with pytest.raises(EngineError, match="at least 1 round, found 0"):
        Job(rules=EUROPEAN, strategy=Strategy.BEST, rounds=0)
    with pytest.raises(EngineError, match="2 cannot be played"):
        Job(rules=CLASSIC, strategy=Strategy.BEST, rounds=1, places=2)

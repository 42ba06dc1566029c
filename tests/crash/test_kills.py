"""A process that plays a session is killed again and again, at moments drawn by lot, until the session is through."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.crashes import cues_of, money_of
from support.journals import open_journal, raw, replayed

from cabinet.store import codec
from cabinet.store.verify import verify

WORKER = Path(__file__).parent / "worker.py"
MOST_RUNS = 80


def run_until_killed(folder: Path, name: str, lot: random.Random) -> bool:
    """Let the worker live for a few cues, kill it in the middle of what it does next; True when it had got through."""
    with subprocess.Popen(
        [sys.executable, str(WORKER), str(folder), name],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(WORKER.parents[1])},
    ) as worker:
        assert worker.stdout is not None
        for _ in range(lot.randrange(1, 9)):
            if not worker.stdout.readline():
                break
        for _ in range(lot.randrange(0, 4_000)):  # a moment that no statement is safe from
            pass
        worker.send_signal(signal.SIGKILL)
        worker.wait(timeout=30)
        return worker.returncode == 0


@pytest.mark.sample(1)
@pytest.mark.requirement("PL-01", "PL-02", "PL-03", "BA-02", "TP-05", "EV-05", "CM-10")
@pytest.mark.parametrize("name", ["table-evening", "money-in-trouble", "tickets-in"])
def test_a_session_killed_at_random_ends_with_the_same_money_and_the_same_cards(tmp_path: Path, name: str) -> None:
    lot = random.Random(f"kills of {name}")
    settings, cues = cues_of(name)
    kills = 0
    while not run_until_killed(tmp_path, name, lot):
        kills += 1
        assert kills < MOST_RUNS, "the session does not get through"
        if _got_through(tmp_path, len(cues)):
            break
    assert kills >= 3
    with open_journal(tmp_path) as journal:
        machine = journal.machine
    assert machine is not None
    assert money_of(machine) == money_of(cues[-1].step.machine)
    verdict = verify(tmp_path)
    assert verdict.ok, verdict.problems
    assert replayed(tmp_path, settings) == machine
    with raw(tmp_path) as connection:
        drawn = [codec.decode_plain(text) for (text,) in connection.execute("SELECT drawn FROM steps ORDER BY seq")]
    assert [card for cards in drawn for card in cards] == [card for cue in cues for card in cue.step.drawn]


def _got_through(folder: Path, cues: int) -> bool:
    with raw(folder) as connection:
        (done,) = connection.execute("SELECT coalesce(max(mono_ms), 0) FROM steps").fetchone()
    return bool(done == cues)

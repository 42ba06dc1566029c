"""Measurements without a screen: commits compared with bare commits, rounds of the engine alone, memory
over many rounds.

Rules: each commit alternates with a bare commit of the same number of bytes into the same folder, so that both meet the
same medium; medians are compared. Cards are drawn as in play. The module does not know windows or devices.
"""

import gc
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from cabinet.engine import blackjack
from cabinet.engine import machine as engine
from cabinet.engine.cards import Draw, total_of
from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillStacked,
    ChooseGame,
    Command,
    Deal,
    DeclineInsurance,
    Hit,
    Input,
    Stand,
)
from cabinet.engine.round import Action, Stage
from cabinet.engine.rules import CLASSIC, EUROPEAN, TABLE, Rules
from cabinet.engine.state import Machine, Phase, Settings
from cabinet.engine.step import Step
from cabinet.runtime import shoe
from cabinet.store import codec
from cabinet.store.journal import Journal, Stamp
from cabinet.store.medium import BareCommits

FLAT_MB = 3.0
"""Growth of memory up to this size counts as none, in megabytes."""
MEMORY_FOLDER = Path("/dev/shm")
"""A folder in memory, so that many rounds do not wait for a medium; without it they do."""
LOW_CENTS = 1_000
"""Below this credit a note is put in."""


PATIENCE_S = 60.0


class BenchError(Exception):
    """A measurement was not possible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much is measured."""

    prepared: bool = True
    """True if the screen is measured after all its assets are made, as in a cabinet that has run for a minute."""
    idle_s: float = 4.0
    presses: int = 15
    deals: int = 5
    commits: int = 600
    rounds_s: float = 3.0
    starts: int = 5
    memory_rounds: int = 10_000


def spread(values: Sequence[float]) -> dict[str, float]:
    """Returns the median, the value that 99 in 100 do not exceed, and the maximum. There must be a value."""
    ordered = sorted(values)
    p99 = ordered[math.ceil(len(ordered) * 0.99) - 1]
    return {"median": round(median(ordered), 3), "p99": round(p99, 3), "worst": round(ordered[-1], 3)}


def lasting_ms(act: Callable[[], object]) -> float:
    """Returns how long a call takes, in milliseconds."""
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def run_program(program: str, *arguments: str) -> str:
    """Runs one of our programs in a separate process and returns its output. Raises BenchError with its last words when
    it fails."""
    command = [sys.executable, "-c", program, *arguments]
    try:
        done = subprocess.run(command, check=False, timeout=PATIENCE_S, capture_output=True, text=True)
    except subprocess.TimeoutExpired as error:
        raise BenchError(f"a measured program did not end within {PATIENCE_S:.0f} s") from error
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["nothing was said"]
        raise BenchError(f"a measured program ended with {done.returncode}: {said[-1]}")
    return done.stdout


# --- a player who never stops -----------------------------------------------------------------------------------


def play_on(settings: Settings, draw: Draw) -> Iterator[tuple[Input, Step]]:
    """Yields the steps of continuous play at a table of one place; notes go in when the credit is low."""
    machine = engine.starting(settings)
    given: tuple[Input, ...] = (ChooseGame(game_id=TABLE.game_id),)
    while True:
        for input_ in given:
            step = engine.step(settings, machine, input_, draw)
            machine = step.machine
            yield input_, step
        given = _next_inputs(machine)


def _next_inputs(machine: Machine) -> tuple[Input, ...]:
    if machine.phase in {Phase.INSURANCE, Phase.DECIDING} or machine.books.credit_cents >= LOW_CENTS:
        return (_next_command(machine),)
    return (BillOffered(cents=10_000), BillStacked(cents=10_000))


def _next_command(machine: Machine) -> Command:
    """Returns the next command: hit up to 16, decline insurance, bet the smallest chip."""
    if machine.phase is Phase.INSURANCE:
        return DeclineInsurance()
    if machine.phase is Phase.DECIDING and machine.round is not None and machine.round.turn is not None:
        place, hand = machine.round.turn
        return Hit() if total_of(machine.round.places[place].hands[hand].cards)[0] < 17 else Stand()
    return Deal() if sum(machine.seat.bets) else Bet(place=0)


def _no_tickets(sequence: int) -> str:
    raise AssertionError(f"no ticket is issued here ({sequence})")


def _stamp() -> Stamp:
    return Stamp(boot=1, wall_ms=time.time_ns() // 1_000_000, mono_ms=time.monotonic_ns() // 1_000_000, clock_ok=True)


# --- measurements -----------------------------------------------------------------------------------------------


def measure_commits(folder: Path, effort: Effort) -> dict[str, Any]:
    """Measures commits of a round's steps, each compared with a bare durable commit."""
    ours_ms: list[float] = []
    bare_ms: list[float] = []
    steps = play_on(Settings(), shoe.make_draw(6))
    with Journal(folder, _no_tickets) as journal, BareCommits(folder) as bare:
        for number in range(effort.commits):
            input_, step = next(steps)
            ours = partial(journal.commit, input_, step, _stamp())
            plain = partial(bare.commit, bytes(bytes_of(input_, step)))
            if number % 2:
                bare_ms.append(lasting_ms(plain))
            ours_ms.append(lasting_ms(ours))
            if not number % 2:
                bare_ms.append(lasting_ms(plain))
    return {
        "commit_ms": round(median(ours_ms), 3),
        "bare_commit_ms": round(median(bare_ms), 3),
        "commit_ratio": round(median(ours_ms) / median(bare_ms), 2),
    }


def bytes_of(input_: Input, step: Step) -> int:
    """Returns the bytes that a step writes: the new machine and the text of its row."""
    words = codec.encode_input(input_) + codec.encode_events(step.events) + codec.encode_postings(step.postings)
    return len(codec.encode_machine(step.machine)) + len(words)


def measure_rounds(folder: Path, effort: Effort) -> dict[str, Any]:
    """Measures rounds of the engine alone, on one place, with every card drawn by the secure generator from a fresh
    pack."""
    del folder
    draw = shoe.make_draw(6)
    per_s = []
    for rules in (CLASSIC, TABLE, EUROPEAN):
        rounds, began = 0, time.perf_counter()
        while (lasted_s := time.perf_counter() - began) < effort.rounds_s / 3:
            play_round(rules, draw)
            rounds += 1
        per_s.append(rounds / lasted_s)
    return {"rounds_per_s": round(median(per_s))}


def play_round(rules: Rules, draw: Draw) -> int:
    """Plays one round from the deal to the results, hit up to 16. Returns what it pays for a stake of 10.00, in
    cents."""
    round_ = blackjack.deal(rules, (1_000,), draw)
    while round_.stage is Stage.INSURANCE:
        round_ = blackjack.insure(round_, 0, draw)
    while round_.stage is Stage.DECIDING and round_.turn is not None:
        place, hand = round_.turn
        low = total_of(round_.places[place].hands[hand].cards)[0] < 17
        round_ = blackjack.act(round_, Action.HIT if low else Action.STAND, draw)
    return blackjack.results(round_).returned_cents


MEMORY = """
import sys
from pathlib import Path
from cabinet.tools.bench.engine import resident_after_rounds
print(*resident_after_rounds(Path(sys.argv[1]), int(sys.argv[2])))
"""
"""Runs in a new process: in a used one a leak could use memory that other work has freed."""


def measure_memory(folder: Path, effort: Effort) -> dict[str, Any]:
    """Measures resident memory before and after many rounds through the machine and the journal."""
    above = MEMORY_FOLDER if os.access(MEMORY_FOLDER, os.W_OK) else folder
    with tempfile.TemporaryDirectory(dir=above) as name:
        start_mb, end_mb = map(float, run_program(MEMORY, name, str(effort.memory_rounds)).split())
    return {
        "rss_mb_start": round(start_mb, 1),
        "rss_mb_end": round(end_mb, 1),
        "rss_flat": end_mb - start_mb <= FLAT_MB,
        "rss_rounds": effort.memory_rounds,
    }


def resident_after_rounds(folder: Path, rounds: int) -> tuple[float, float]:
    """Returns the memory in megabytes after a tenth of the rounds, when every cache is full, and after all rounds."""
    with Journal(folder, _no_tickets) as journal:
        steps = play_on(Settings(), shoe.make_draw(6))
        warm = rounds // 10
        _commit_until(journal, steps, warm)
        start_mb = resident_mb()
        _commit_until(journal, steps, warm + rounds)
        return start_mb, resident_mb()


def _commit_until(journal: Journal, steps: Iterator[tuple[Input, Step]], round_number: int) -> None:
    for input_, step in steps:
        journal.commit(input_, step, _stamp())
        if step.machine.round_number >= round_number:
            return


def resident_mb() -> float:
    """Returns the memory that this process holds now, in megabytes."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

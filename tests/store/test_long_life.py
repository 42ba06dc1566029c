"""A machine that has played for years starts as quickly and keeps as little as one that has played for days.

`pytest tests/store/test_long_life.py --rounds 1000000` (`make endurance`) plays that number of rounds, `make test`
fewer with the same assertions. Every step is stepped by the engine and committed by the journal as on a cabinet, and
old rows leave; only the medium is a quick one (memory, where the system has it) and the clock is a counter.
"""

import logging
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.inputs import ACCEPTOR, PRINTER
from support.journals import number_of, stamp
from support.rounds import seeded_draw

from cabinet.engine import machine as engine
from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillStacked,
    CashOut,
    ChooseGame,
    Deal,
    DeclineInsurance,
    Input,
    PoweredUp,
    Stand,
    TicketPrinted,
)
from cabinet.engine.ledger import faults_of
from cabinet.engine.state import Machine, Phase, Settings
from cabinet.runtime.startup import open_run
from cabinet.store.compact import KEEPING
from cabinet.store.journal import FILE, Journal
from cabinet.store.mirror import WAL
from cabinet.store.verify import verify

_log = logging.getLogger(__name__)

SETTINGS = Settings()
QUICK_MEDIUM = Path("/dev/shm")
SAMPLES = 10
SETTLED_ROWS = KEEPING.rows + KEEPING.step
"""From here on as many rows leave as come."""
CASH_OUT_EVERY = 500
"""Rounds."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder on a medium without waits, if there is one."""
    with tempfile.TemporaryDirectory(dir=QUICK_MEDIUM if os.access(QUICK_MEDIUM, os.W_OK) else None) as name:
        yield Path(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What a machine of this age keeps."""

    rounds: int
    steps: int
    rows: int
    bytes_: int


def next_inputs(machine: Machine) -> tuple[Input, ...]:
    """A player of one place who bets the smallest chip, stands on everything and has notes enough."""
    if not machine.books.meters:
        return PoweredUp(clean=True), ACCEPTOR, PRINTER
    if machine.printer.printing is not None:
        return (TicketPrinted(sequence=machine.printer.printing.sequence),)
    match machine.phase:
        case Phase.CHOOSING:
            return (ChooseGame(game_id="table"),)
        case Phase.INSURANCE:
            return (DeclineInsurance(),)
        case Phase.DECIDING:
            return (Stand(),)
        case _ if machine.books.credit_cents < 1_000:
            return BillOffered(cents=10_000), BillStacked(cents=10_000)
        case _:
            return (Deal(),) if sum(machine.seat.bets) or machine.seat.last_bets else (Bet(place=0),)


class Player:
    """Plays on one journal that is closed and opened again between the samples."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.steps = self.rounds = 0
        self._draw = seeded_draw(1)
        self._tickets = 0

    def play(self, rounds: int) -> None:
        """Plays this number of further rounds."""
        until = self.rounds + rounds
        with Journal(self.folder, number_of) as journal:
            while self.rounds < until:
                machine = journal.machine or engine.starting(SETTINGS)
                for input_ in self._inputs(machine):
                    self._take(journal, input_)

    def _inputs(self, machine: Machine) -> tuple[Input, ...]:
        due = self.rounds // CASH_OUT_EVERY > self._tickets
        if due and machine.phase is Phase.SETTLED and machine.books.credit_cents and machine.printer.printing is None:
            self._tickets += 1
            return (CashOut(),)
        return next_inputs(machine)

    def _take(self, journal: Journal, input_: Input) -> None:
        self._commit(journal, input_)
        dropped = journal.find_droppable()
        if dropped is not None:
            self._commit(journal, dropped)

    def _commit(self, journal: Journal, input_: Input) -> None:
        step = engine.step(SETTINGS, journal.machine or engine.starting(SETTINGS), input_, self._draw)
        self.steps += 1
        journal.commit(input_, step, stamp(self.steps))
        self.rounds = step.machine.books.meter("games_played")

    def sample(self) -> Sample:
        """Returns what the machine keeps now."""
        size = sum(
            (self.folder / name).stat().st_size for name in (FILE, f"{FILE}{WAL}") if (self.folder / name).exists()
        )
        return Sample(rounds=self.rounds, steps=self.steps, rows=verify(self.folder).rows, bytes_=size)

    def start_s(self) -> float:
        """Returns the processor time of a start, in seconds: the least of some, because other programs disturb it."""
        return min(self._start() for _ in range(5))

    def _start(self) -> float:
        began = time.process_time()
        with Journal(self.folder, number_of) as journal:
            open_run(journal, SETTINGS, check_program=False)
        return time.process_time() - began


@pytest.mark.no_cover
@pytest.mark.timeout(0)
@pytest.mark.requirement("PL-12", "PL-08")
def test_start_and_file_are_the_same_after_any_number_of_rounds(folder: Path, request: pytest.FixtureRequest) -> None:
    player, samples, starts_s = Player(folder), list[Sample](), list[float]()
    for number in range(SAMPLES):
        player.play(request.config.getoption("--rounds") // SAMPLES)
        samples.append(player.sample())
        if player.steps >= SETTLED_ROWS and (not starts_s or number == SAMPLES - 1):
            starts_s.append(player.start_s())
        _log.info("%s, starts in %s s", samples[-1], starts_s)
    settled = [sample for sample in samples if sample.steps >= SETTLED_ROWS]
    first, last = settled[0], settled[-1]
    assert last.rounds >= 2 * first.rounds, "so few rounds show nothing"
    assert all(sample.rows <= KEEPING.rows + 2 * KEEPING.step for sample in settled)
    assert last.bytes_ <= first.bytes_ * 1.1
    assert starts_s[-1] <= starts_s[0] * 2
    with Journal(folder, number_of) as journal:
        assert journal.machine is not None
        assert journal.seq == player.steps
        assert faults_of(journal.machine.books) == ()
        assert journal.machine.books.meter("games_played") == player.rounds
    assert verify(folder).ok

"""The power goes before, between, inside and after every durable write of a session; media lie, fill up and decay.

After each cut the cabinet is opened again and the session goes on: the same cards and the same money, or a lock that
says so. Cuts are drawn by lot from a seed: `pytest tests/crash/test_power_cuts.py --cuts 20000 --cut-seed 7` looks
longer (`make torture`), and a failure names the seed and the number of the cut to do again. However many there are, a
test cuts only so often that it is done long before it counts as one that hangs.
"""

import os
import random
import resource
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import pairwise
from math import ceil
from pathlib import Path

import pytest
from support.crashes import SESSIONS
from support.journals import drop_if_due, stamp
from support.power import Files, Film, Shot, decayed, open_pair, take_film, while_written, write_files

from cabinet.engine.ledger import Account
from cabinet.engine.state import Machine
from cabinet.runtime.fault_machine import memory_fault
from cabinet.store.errors import StoreDamagedError, StoreError, StoreFullError, StoreMissingError
from cabinet.store.journal import Journal
from cabinet.store.verify import verify

Outcome = tuple[tuple[Files, ...], frozenset[int]]
"""The copies as the cut leaves them, and the rows at which the cabinet may find itself again."""


def before(film: Film, shot: Shot, lot: random.Random) -> Outcome:
    """Nothing of the step was written."""
    return shot.before, frozenset({shot.row - 1})


def between(film: Film, shot: Shot, lot: random.Random) -> Outcome:
    """The first copy has the step, the second does not."""
    return shot.between, frozenset({shot.row})


def after(film: Film, shot: Shot, lot: random.Random) -> Outcome:
    """Both have it; nothing was acted yet."""
    return shot.after, frozenset({shot.row})


def in_first(film: Film, shot: Shot, lot: random.Random) -> Outcome:
    """Cut while the first copy was written."""
    first = while_written(shot.before[0], shot.between[0], lot)
    return (first, shot.before[1]), frozenset({shot.row - 1, shot.row})


def in_second(film: Film, shot: Shot, lot: random.Random) -> Outcome:
    """Cut while the second copy was written."""
    return (shot.between[0], while_written(shot.between[1], shot.after[1], lot)), frozenset({shot.row})


def in_only(film: Film, shot: Shot, lot: random.Random) -> Outcome:
    """Cut while the only copy of a cabinet without a mirror was written."""
    return (while_written(shot.before[0], shot.between[0], lot),), frozenset({shot.row - 1, shot.row})


def first_forgets(film: Film, shot: Shot, lot: random.Random) -> Outcome:
    """The first medium said that it had written and had not: it comes back as it was some steps ago."""
    return (lot.choice(film.shots[: shot.row]).before[0], shot.after[1]), frozenset({shot.row})


def second_forgets(film: Film, shot: Shot, lot: random.Random) -> Outcome:
    """The second medium did."""
    return (shot.after[0], lot.choice(film.shots[: shot.row]).before[1]), frozenset({shot.row})


def first_decays(film: Film, shot: Shot, lot: random.Random) -> Outcome:
    """The first medium has lost or changed something."""
    return (decayed(shot.after[0], lot), shot.after[1]), frozenset({shot.row})


def second_decays(film: Film, shot: Shot, lot: random.Random) -> Outcome:
    """The second medium has."""
    return (shot.after[0], decayed(shot.after[1], lot)), frozenset({shot.row})


KINDS: tuple[Callable[[Film, Shot, random.Random], Outcome], ...] = (
    before,
    between,
    after,
    in_first,
    in_second,
    in_only,
    first_forgets,
    second_forgets,
    first_decays,
    second_decays,
)


PER_TEST = 100
"""Cuts that one test makes at most; the rest are other tests, which other processes may run."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Share the cuts asked for out among the sessions and as many tests as it takes."""
    if "cuts" not in metafunc.fixturenames:
        return
    of_session = int(metafunc.config.getoption("--cuts")) // len(SESSIONS)
    tests = max(1, ceil(of_session / PER_TEST))
    bounds = [of_session * number // tests for number in range(tests + 1)]
    shares = [(name, range(*pair)) for name in SESSIONS for pair in pairwise(bounds)]
    metafunc.parametrize(("name", "cuts"), shares, ids=[f"{name}-{cuts.start}" for name, cuts in shares])


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    """What the cuts are drawn from."""
    return str(request.config.getoption("--cut-seed"))


# --- films ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def film_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Film]:
    """The films, each taken once."""

    @cache
    def taken(name: str) -> Film:
        return take_film(tmp_path_factory.mktemp("film"), name)

    return taken


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "cut"


def test_the_films_hold_every_kind_of_hand_and_way_of_money(film_of: Callable[[str], Film]) -> None:
    films = [film_of(name) for name in SESSIONS]
    reported = Counter(
        word
        for film in films
        for shot in film.shots
        if shot.cue is not None
        for event in shot.cue.step.events
        for word in (getattr(event, "action", ""), getattr(getattr(event, "outcome", None), "value", ""))
    )
    assert {"hit", "stand", "double", "split", "blackjack", "win", "push", "loss", "bust"} <= set(reported)
    for film in films:
        assert any(shot.cue is None for shot in film.shots), "old rows leave"
        assert any(shot.before[0].database != shot.between[0].database for shot in film.shots), (
            "the log is written back"
        )
        assert film.shots[-1].is_ == film.cues[-1].step.machine
    moved = {posting.route.value for film in films for cue in film.cues for posting in cue.step.postings}
    assert {"bill in", "wager", "win", "loss", "cash-out", "ticket out", "cash-out undone"} <= moved
    assert any("cancelled" in route for route in moved)


# --- cuts by lot ------------------------------------------------------------------------------------------------


def check(film: Film, shot: Shot, copies: tuple[Files, ...], rows: frozenset[int], place: Path) -> None:
    """Open what the cut has left; the same cards and the same money."""
    write_files(place, copies)
    with open_pair(place) as journal:
        assert journal.seq in rows, f"it is at row {journal.seq}, expected {sorted(rows)}"
        there = _shot_at(film, journal.seq)
        machine = there.is_ if there else film.shots[0].was
        assert (journal.machine or film.shots[0].was) == machine
        done = 0 if there is None else there.done + (there.cue is not None)
        assert film.end_from(done, machine) == film.whole
        _go_on_a_little(film, done, journal)
    for name in ("first", "second")[: len(copies)]:
        verdict = verify(place / name)
        assert verdict.ok, (name, verdict.problems)


def _shot_at(film: Film, row: int) -> Shot | None:
    return film.shots[row - 1] if row else None


def _go_on_a_little(film: Film, done: int, journal: Journal) -> None:
    """The next step of the session is kept, as if nothing had been."""
    if done < len(film.cues):
        cue = film.cues[done]
        journal.commit(cue.input, cue.step, stamp(journal.seq + 1))
        drop_if_due(journal)


@pytest.mark.requirement("PL-01", "PL-02", "PL-03", "PL-06", "EV-05", "CM-05", "TP-02")
def test_wherever_the_power_goes_the_same_cards_and_the_same_money_come_back(
    name: str, cuts: range, seed: str, place: Path, film_of: Callable[[str], Film]
) -> None:
    film = film_of(name)
    for number in cuts:
        lot = random.Random(f"{seed} {name} {number}")
        kind = KINDS[number % len(KINDS)]
        shot = lot.choice(film.shots)
        copies, rows = kind(film, shot, lot)
        with named(f"--cut-seed {seed}, cut {number} of {name}: {kind.__name__} at row {shot.row}"):
            check(film, shot, copies, rows, place)


@contextmanager
def named(words: str) -> Iterator[None]:
    """Say of whatever fails inside which cut it was."""
    try:
        yield
    except BaseException as error:
        error.add_note(words)
        raise


@pytest.mark.requirement("PL-07")
def test_two_decayed_copies_lock_and_name_the_money_or_come_back_as_they_once_were(
    name: str, cuts: range, seed: str, place: Path, film_of: Callable[[str], Film]
) -> None:
    """Two media that lose their newest writes at the same time leave no trace of them; nothing worse may happen."""
    film, locks = film_of(name), 0
    for number in cuts[::3]:
        lot = random.Random(f"{seed} {name} both {number}")
        shot = lot.choice(film.shots)
        write_files(place, (decayed(shot.after[0], lot), decayed(shot.after[1], lot)))
        with named(f"--cut-seed {seed}, cut {number} of {name}: both decay at row {shot.row}"):
            try:
                with open_pair(place) as journal:
                    there = _shot_at(film, journal.seq)
                    assert journal.seq <= shot.row
                    assert journal.machine == (there.is_ if there else None)
            except (StoreDamagedError, StoreMissingError) as error:
                locks += 1
                _check_lock(error, shot.is_, place)
    assert locks


def _check_lock(error: StoreError, machine: Machine, place: Path) -> None:
    """The lock names what the players had, or says that nothing can be read; an unmarked amount is the right one."""
    (lock,) = memory_fault(error, (place / "first", place / "second")).locks
    _, there, reported = lock.detail.partition("as far as can be read: ")
    for account in (Account.CREDIT, Account.TABLE):
        cents = machine.books.balance(account)
        words = f"{account.value} {cents / 100:,.2f}"
        if there and account.value in reported and f"{account.value} " in reported and "?" not in reported:
            assert words in reported, (reported, words)


# --- media that refuse, and kills -------------------------------------------------------------------------------


def _read_only(journal: Journal, which: int) -> None:
    journal.connections[which].execute("PRAGMA query_only = ON")


def _full(journal: Journal, which: int) -> None:
    connection = journal.connections[which]
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")


@pytest.mark.requirement("PL-01", "PL-12")
@pytest.mark.parametrize("refuse", [_read_only, _full])
def test_a_first_medium_that_refuses_at_any_step_keeps_the_step_before(
    refuse: Callable[[Journal, int], None], place: Path, film_of: Callable[[str], Film]
) -> None:
    film, refused = film_of("money-in-trouble"), 0
    for shot in film.shots[:: 3 if refuse is _read_only else 2]:
        if shot.cue is None:
            continue
        write_files(place, shot.before)
        with suppress(StoreFullError), open_pair(place) as journal:
            refuse(journal, 0)
            refused += 1
            journal.commit(shot.cue.input, shot.cue.step, stamp(shot.row))
            refused -= 1
        with open_pair(place) as journal:
            assert journal.seq in {shot.row - 1, shot.row}
            assert (journal.machine or shot.was) in {0: (shot.was,), 1: (shot.is_,)}[journal.seq - shot.row + 1]
    assert refused > 1


def _filled_in(place: Path, shot: Shot, room: int) -> bool:
    """Commits the step in a process that may write no byte after `limit` of a file; returns whether it could."""
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        journal = open_pair(place)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        assert shot.cue is not None
        try:
            journal.commit(shot.cue.input, shot.cue.step, stamp(shot.row))
        except StoreFullError:
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFEXITED(status)
    assert os.WEXITSTATUS(status) in {0, 1}, "it ended in another error than that of a full medium"
    return os.WEXITSTATUS(status) == 0


@pytest.mark.requirement("PL-01", "PL-12")
def test_a_medium_the_system_calls_full_in_the_middle_of_a_step_keeps_the_step_before(
    place: Path, film_of: Callable[[str], Film]
) -> None:
    """The system refuses to let the files grow, at any byte of the step."""
    outcomes = Counter[bool]()
    film = film_of("tickets-in")
    for number, shot in enumerate(film.shots[::4]):
        if shot.cue is None:
            continue
        write_files(place, shot.before[:1])
        kept = _filled_in(place, shot, room=number % 5 * 3_000)
        outcomes[kept] += 1
        with open_pair(place) as journal:
            assert journal.seq == shot.row - 1 + kept
            assert (journal.machine or shot.was) == (shot.is_ if kept else shot.was)
        assert verify(place / "first").ok
    assert outcomes[False] > 1


@pytest.mark.requirement("PL-01", "PL-06", "PL-12")
def test_a_second_medium_that_refuses_at_any_step_costs_nothing(place: Path, film_of: Callable[[str], Film]) -> None:
    for shot in film_of("money-in-trouble").shots[::4]:
        if shot.cue is None:
            continue
        write_files(place, shot.before)
        with open_pair(place) as journal:
            _read_only(journal, 1)
            journal.commit(shot.cue.input, shot.cue.step, stamp(shot.row))
        with open_pair(place) as journal:
            assert (journal.seq, journal.machine) == (shot.row, shot.is_)
        assert verify(place / "second").rows == verify(place / "first").rows


@pytest.mark.requirement("PL-01", "PL-06", "EV-05")
def test_a_kill_at_any_statement_of_either_copy_leaves_the_step_before_or_the_step(
    place: Path, film_of: Callable[[str], Film], breadth: int
) -> None:
    """Each third step goes through all copies and statements, too: they repeat after eight steps."""
    film = film_of("table-evening")
    for number, shot in enumerate(film.shots):
        if shot.cue is None or (breadth == 1 and number % 3):
            continue
        write_files(place, shot.before)
        _killed_in(place, shot, which=number % 2, statement=number // 2 % 4)
        with open_pair(place) as journal:
            assert journal.seq == shot.row - 1 + number % 2
            assert (journal.machine or shot.was) == (shot.is_ if number % 2 else shot.was)
        assert verify(place / "first").rows == verify(place / "second").rows


def _killed_in(place: Path, shot: Shot, *, which: int, statement: int) -> None:
    """A process that commits the step and is killed as one of its copies comes to this statement."""
    child = os.fork()
    if child == 0:
        left = [statement]

        def kill(_: str) -> None:
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1

        journal = open_pair(place)
        journal.connections[which].set_trace_callback(kill)
        assert shot.cue is not None
        journal.commit(shot.cue.input, shot.cue.step, stamp(shot.row))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)

"""What an update reads of the books, also of running ones, and the copies it keeps."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.inputs import ACCEPTOR
from support.journals import keep, left_by_the_program_before, number_of, session_steps, stamp
from support.machines import SETTINGS

from cabinet.engine import machine as engine
from cabinet.engine.inputs import BillOffered, PoweredUp
from cabinet.installation.paths import Paths
from cabinet.installation.update import books
from cabinet.installation.update.books import UnsteadyError, copies, copy_books, read_figures, read_running
from cabinet.store.errors import StoreDamagedError
from cabinet.store.journal import FILE, Journal
from cabinet.store.verify import verify


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """A root with books in it."""
    found = Paths(root=tmp_path)
    found.data.mkdir(parents=True)
    found.update.mkdir(parents=True)
    keep(found.data, *session_steps())
    return found


def state_of(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in folder.iterdir()}


def test_the_figures_are_those_of_the_books_and_reading_changes_nothing(paths: Paths):
    before = state_of(paths.data)
    found = read_figures(paths.data)
    verdict = verify(paths.data)
    assert {name: cents for name, cents in found.accounts.items() if cents} == {
        name: cents for name, cents in verdict.accounts.items() if cents
    }
    assert found.meters["bills_in"] > 0
    assert {"power_ups", "doors"}.isdisjoint(found.meters), "a start moves these"
    assert state_of(paths.data) == before


def test_the_newest_start_is_known_by_its_entry_and_its_program(paths: Paths):
    before = read_figures(paths.data)
    with Journal(paths.data, number_of) as journal:
        assert journal.machine is not None
        fact = PoweredUp(clean=True, version="0.2.0")
        journal.commit(fact, engine.step(SETTINGS, journal.machine, fact, lambda _: 0), stamp(journal.seq + 1))
    after = read_figures(paths.data)
    assert after.start > before.start
    assert after.program == "0.2.0"


def test_what_is_held_is_said_in_words(tmp_path: Path):
    found = read_figures(left_by_the_program_before(tmp_path))
    assert [thing.partition(" of ")[0] for thing in found.held] == ["an unsettled payout"]
    assert found.form == 4


def test_a_ticket_that_is_being_printed_is_held(tmp_path: Path):
    steps = session_steps()
    printing = next(number for number, (_, step) in enumerate(steps, 1) if step.machine.printer.printing)
    keep(tmp_path, *steps[:printing])
    assert "a ticket in the printer" in read_figures(tmp_path).held


def test_running_books_are_read_with_what_is_only_in_the_log(paths: Paths):
    with Journal(paths.data, number_of) as journal:
        journal.connection.execute("PRAGMA wal_autocheckpoint = 0")
        fact = PoweredUp(clean=True, version="running")
        assert journal.machine is not None
        journal.commit(fact, engine.step(SETTINGS, journal.machine, fact, lambda _: 0), stamp(journal.seq + 1))
        assert read_running(paths).program == "running"


def test_a_note_in_the_acceptor_of_a_running_machine_is_seen(paths: Paths):
    shutil.rmtree(paths.data)
    paths.data.mkdir()
    with Journal(paths.data, number_of) as journal:
        machine = engine.starting(SETTINGS)
        for fact in (PoweredUp(clean=True), ACCEPTOR, BillOffered(cents=500)):
            step = engine.step(SETTINGS, machine, fact, lambda _: 0)
            journal.commit(fact, step, stamp(journal.seq + 1))
            machine = step.machine
        assert read_running(paths).held == ("a note still in the acceptor",)


def after_each_copy(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> list[str]:
    """Calls `act` while a copy is made: behind each copied file."""
    real, copied = shutil.copy2, list[str]()

    def copy(source: Path, target: Path) -> None:
        real(source, target)
        copied.append(source.name)
        act()

    monkeypatch.setattr(books.shutil, "copy2", copy)
    return copied


def test_books_that_change_while_they_are_copied_are_copied_again(paths: Paths, monkeypatch: pytest.MonkeyPatch):
    changes = [b"x", b"y"]

    def write() -> None:
        if changes:
            with (paths.data / f"{FILE}-wal").open("ab") as file:
                file.write(changes.pop())

    copied = after_each_copy(monkeypatch, write)
    read_running(paths)
    assert len(copied) > 2


def test_books_that_never_stay_the_same_are_not_guessed(paths: Paths, monkeypatch: pytest.MonkeyPatch):
    def write() -> None:
        with (paths.data / f"{FILE}-wal").open("ab") as file:
            file.write(b"x")

    after_each_copy(monkeypatch, write)
    with pytest.raises(UnsteadyError, match="change all the time"):
        read_running(paths)


def test_damaged_books_are_said_to_be_damaged(paths: Paths):
    with (paths.data / FILE).open("r+b") as file:
        file.truncate(5000)
    with pytest.raises(StoreDamagedError):
        read_running(paths)


def test_a_missing_medium_is_said(paths: Paths):
    shutil.rmtree(paths.data)
    with pytest.raises(StoreDamagedError, match="connect the medium"):
        read_running(paths)


def test_a_copy_is_whole_and_the_two_newest_stay(paths: Paths):
    made = [copy_books(paths, f"20261201-00000{number}", "0.1.0") for number in range(4)]
    assert copies(paths) == tuple(made[2:])
    assert verify(made[3]).ok
    assert made[3].name == "books-20261201-000003-0.1.0"


def test_a_copy_that_is_not_whole_is_none(paths: Paths):
    (paths.update / "books-20261201-000000-0.1.0.partial").mkdir()
    assert copies(paths) == ()


def test_the_new_copy_and_the_newest_other_stay_also_when_the_clock_is_in_the_past(paths: Paths):
    """A Pi has no clock of its own: without a battery it can begin in 1970."""
    for date in ("20261101-101500", "20261102-101500", "19700101-000012"):
        copy_books(paths, date, "0.1.0")
    assert [each.name for each in copies(paths)] == ["books-19700101-000012-0.1.0", "books-20261102-101500-0.1.0"]

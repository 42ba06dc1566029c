"""`cabinet idle`: the package's scripts learn whether a player's money is in the machine."""

from pathlib import Path

import pytest
from support.inputs import ACCEPTOR
from support.journals import keep, number_of, session_steps, stamp
from support.machines import SETTINGS

from cabinet.commands.idle import find_held, say_held
from cabinet.engine import machine as engine
from cabinet.engine.inputs import BillOffered, PoweredUp
from cabinet.installation.paths import Paths
from cabinet.installation.update import books
from cabinet.installation.update.record import right_to_update
from cabinet.store.errors import StoreBusyError, StoreError
from cabinet.store.ground import remember_books
from cabinet.store.journal import FILE, Journal


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """A root with empty folders."""
    found = Paths(root=tmp_path)
    found.data.mkdir(parents=True)
    return found


def take_note(journal: Journal) -> None:
    """Lets a note into the path of the acceptor."""
    machine = engine.starting(SETTINGS)
    for fact in (PoweredUp(clean=True), ACCEPTOR, BillOffered(cents=500)):
        step = engine.step(SETTINGS, machine, fact, lambda _: 0)
        journal.commit(fact, step, stamp(journal.seq + 1))
        machine = step.machine


def test_a_machine_without_books_holds_nothing(paths: Paths, capsys: pytest.CaptureFixture[str]):
    assert say_held(paths) == 0
    assert capsys.readouterr().out == "The machine holds nothing of a player's.\n"


def test_a_machine_with_a_note_in_its_acceptor_is_not_idle_even_while_it_runs(
    paths: Paths, capsys: pytest.CaptureFixture[str]
):
    with Journal(paths.data, number_of) as journal:
        take_note(journal)
        assert say_held(paths) == 1
    assert capsys.readouterr().err == "cabinet: the machine holds a note still in the acceptor\n"


def test_a_player_who_has_been_paid_leaves_nothing(paths: Paths):
    keep(paths.data, *session_steps())
    assert find_held(paths) == ()


def test_books_that_cannot_be_read_are_not_idle(paths: Paths):
    (paths.data / FILE).write_bytes(b"no journal")
    with pytest.raises(StoreError):
        find_held(paths)


def test_books_that_never_stand_still_are_busy(paths: Paths, monkeypatch: pytest.MonkeyPatch):
    keep(paths.data, *session_steps())
    stamps = iter(range(10_000))
    monkeypatch.setattr(books, "_stamps", lambda _: {FILE: (next(stamps), 0)})
    with pytest.raises(StoreBusyError, match="change all the time"):
        find_held(paths)


def test_books_that_a_machine_has_had_and_that_are_missing_are_not_idle(paths: Paths):
    """Its medium is not mounted: a player's credit can be on it."""
    paths.mark.mkdir()
    remember_books(paths.data, paths.mark)
    with pytest.raises(StoreError, match="connect the medium with the data"):
        find_held(paths)


def test_a_machine_that_is_updated_is_not_idle(paths: Paths):
    keep(paths.data, *session_steps())
    with right_to_update(paths), pytest.raises(StoreBusyError, match="an update of the program is running"):
        say_held(paths)
    assert say_held(paths) == 0

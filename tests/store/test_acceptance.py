"""Refused data is evidence: a refusal leaves every byte and every time of its folder as it was."""

from pathlib import Path

import pytest
from support.cases import case
from support.journals import keep, number_of, open_journal, session_steps, stamp
from support.refused import LEAVES_LOG, REFUSED, leave_log, played, state_of

from cabinet.store import mirror
from cabinet.store.acceptance import accept
from cabinet.store.errors import StoreDamagedError, StoreError, StoreMissingError, StoreNewError, StoreRefusedError
from cabinet.store.ground import ANY, Ground
from cabinet.store.journal import FILE, Journal
from cabinet.store.mirror import AnotherMachineError
from cabinet.store.opening import LOCK_FILE
from cabinet.store.restore import restore


def another_machine(folder: Path) -> None:
    """Writes the first row of a machine that began at another time."""
    folder.mkdir(exist_ok=True)
    with open_journal(folder) as journal:
        journal.commit(*session_steps()[0], stamp(999))


@pytest.mark.requirement("PL-07")
def test_a_start_changes_nothing_in_data_that_it_refuses(tmp_path: Path) -> None:
    for name, (spoil, error) in REFUSED.items():
        for killed in (False, True)[: 1 + (name in LEAVES_LOG)]:
            with case(name=name, killed=killed):
                folder = tmp_path / f"{name} {killed}"
                played(folder)
                spoil(folder)
                if killed:
                    leave_log(folder)
                before = state_of(folder)
                for _ in range(2):
                    with pytest.raises(error):
                        open_journal(folder)
                    assert state_of(folder) == before


@pytest.mark.requirement("PL-07")
def test_a_start_changes_neither_of_two_copies_that_it_refuses(tmp_path: Path) -> None:
    for name, (spoil, error) in REFUSED.items():
        with case(name=name):
            place = tmp_path / name
            played(place / "data", place / "second")
            spoil(place / "data")
            spoil(place / "second")
            before = state_of(place)
            with pytest.raises(StoreError) as raised:
                Journal(place / "data", number_of, second=place / "second")
            assert isinstance(raised.value, (error, StoreMissingError))
            assert state_of(place) == before


@pytest.mark.requirement("PL-07")
def test_the_copies_of_two_machines_stay_as_they_are(tmp_path: Path) -> None:
    played(tmp_path / "data")
    another_machine(tmp_path / "second")
    for lock in (True, False):
        with case(lock=lock):
            if not lock:
                (tmp_path / "second" / LOCK_FILE).unlink()
            leave_log(tmp_path / "second")
            before = state_of(tmp_path)
            with pytest.raises(AnotherMachineError):
                Journal(tmp_path / "data", number_of, second=tmp_path / "second")
            assert state_of(tmp_path) == before


@pytest.mark.requirement("PL-07")
def test_the_second_copy_of_another_machine_gives_nothing_to_an_empty_first(tmp_path: Path) -> None:
    played(tmp_path / "data", tmp_path / "second")
    (tmp_path / "data" / FILE).unlink()
    wrong = Ground(not_ours=lambda _facts: "machine 0002")
    before = state_of(tmp_path)
    with pytest.raises(StoreRefusedError, match="holds the books of machine 0002"):
        Journal(tmp_path / "data", number_of, second=tmp_path / "second", ground=wrong)
    assert state_of(tmp_path) == before


@pytest.mark.requirement("PL-07")
def test_a_second_copy_that_is_ahead_and_one_that_is_lost_stay_as_they_are(tmp_path: Path) -> None:
    """The first copy is damaged and the second misses steps: a person decides."""
    played(tmp_path / "data", tmp_path / "second")
    keep(tmp_path / "data", *session_steps()[:1])
    REFUSED["damaged row"][0](tmp_path / "data")
    before = state_of(tmp_path)
    with pytest.raises(StoreDamagedError, match="misses later steps"):
        Journal(tmp_path / "data", number_of, second=tmp_path / "second")
    assert state_of(tmp_path) == before


def test_sound_data_is_accepted_without_a_change_too(tmp_path: Path) -> None:
    played(tmp_path / "data")
    for killed in (False, True):
        with case(killed=killed):
            if killed:
                leave_log(tmp_path / "data")
            before = state_of(tmp_path)
            accept(tmp_path / "data", ANY)
            assert state_of(tmp_path) == before


def test_an_empty_file_on_a_machine_that_is_not_new_is_not_written(tmp_path: Path) -> None:
    not_new = Ground(not_new=StoreNewError("no books", found="?"))
    (tmp_path / "second").mkdir()
    (tmp_path / "data").mkdir()
    for second in (None, tmp_path / "second"):
        for files in ((), (LOCK_FILE,), (LOCK_FILE, FILE)):
            with case(second=second, files=files):
                for name in files:
                    (tmp_path / "data" / name).touch()
                before = state_of(tmp_path)
                with pytest.raises(StoreNewError):
                    Journal(tmp_path / "data", number_of, second=second, ground=not_new)
                assert state_of(tmp_path) == before


@pytest.mark.requirement("PL-07")
def test_a_copy_that_appears_while_the_machine_runs_is_not_changed_when_it_is_refused(tmp_path: Path) -> None:
    played(tmp_path / "data", tmp_path / "second")
    (tmp_path / "second").rename(tmp_path / "away")
    with Journal(tmp_path / "data", number_of, second=tmp_path / "second") as journal:
        another_machine(tmp_path / "second")
        (tmp_path / "second" / LOCK_FILE).unlink()
        before = state_of(tmp_path / "second")
        assert journal.renew_lost_second() is None
        assert "that of another machine" in journal.second_trouble
        assert state_of(tmp_path / "second") == before


@pytest.mark.requirement("PL-07")
def test_a_restore_changes_neither_folder_when_it_refuses(tmp_path: Path) -> None:
    kinds = REFUSED.keys() - {"mark that is a folder"}  # no mark of the second copy is read for it
    for name, (spoil, _) in ((kind, REFUSED[kind]) for kind in sorted(kinds)):
        with case(name=name):
            source = tmp_path / name
            played(source)
            spoil(source)
            before = state_of(tmp_path)
            with pytest.raises(StoreError):
                restore(source, tmp_path / "new")
            assert state_of(tmp_path) == before


def test_a_rollback_journal_is_put_aside_with_the_file_it_belongs_to(tmp_path: Path) -> None:
    """Beside a new file it would be taken for that file's and roll it back."""
    played(tmp_path / "data", tmp_path / "second")
    REFUSED["rollback journal"][0](tmp_path / "data")
    with Journal(tmp_path / "data", number_of, second=tmp_path / "second") as journal:
        assert journal.seq == len(session_steps())
    assert (tmp_path / "data" / f"{mirror.ASIDE_FILE}-journal").exists()
    assert not (tmp_path / "data" / f"{FILE}-journal").exists()


def test_a_file_lost_beside_its_log_is_a_damaged_copy(tmp_path: Path) -> None:
    played(tmp_path / "data", tmp_path / "second")
    REFUSED["0 bytes beside its log"][0](tmp_path / "data")
    with Journal(tmp_path / "data", number_of, second=tmp_path / "second") as journal:
        assert journal.seq == len(session_steps())
        assert "missing or empty, but content of it is beside it" in journal.recovered[0]

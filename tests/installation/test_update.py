"""An update from one version to another, with real programs on real books: what it leaves, and what it refuses."""

import itertools
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from support.updates import (
    FIRST,
    FORM,
    SECOND,
    ChildService,
    Installed,
    commit,
    installed,
    members_of,
    sign,
    unpack_first,
)
from support.version_program import Fault

from cabinet.config.settings import load
from cabinet.engine.inputs import (
    BillUnasked,
    Door,
    DoorClosed,
    DoorOpened,
    Key,
    KeyTurned,
    PoweredUp,
    SetOutOfService,
    SettleLock,
    Settlement,
)
from cabinet.engine.locks import find
from cabinet.engine.log import LogKind
from cabinet.engine.record_facts import FormChanged
from cabinet.engine.state import LockKind
from cabinet.installation.update import Outcome, Pace, resume, update
from cabinet.installation.update_books import copies, read_running
from cabinet.installation.update_files import make_folder
from cabinet.installation.update_plan import RefusedError
from cabinet.installation.update_record import Record, RecordError, Stage, read_record, right_to_update, write_record
from cabinet.installation.versions import installed as versions_of
from cabinet.installation.versions import switch
from cabinet.store import reports
from cabinet.store.journal import Journal
from cabinet.store.reading import reading
from cabinet.store.verify import verify


@pytest.fixture
def cabinet(tmp_path: Path) -> Iterator[Installed]:
    """A cabinet with the first version, running and out of service."""
    with installed(tmp_path) as found:
        yield found


@pytest.fixture
def still(tmp_path: Path) -> Iterator[Installed]:
    """The same, stopped: for what is refused before the program is asked."""
    with installed(tmp_path, running=False) as found:
        yield found


def versions(cabinet: Installed) -> list[str]:
    return [each.version for each in versions_of(cabinet.paths)]


def unchanged(cabinet: Installed) -> tuple[object, ...]:
    """What a refused update leaves as it was."""
    paths = cabinet.paths
    tree = sorted((str(each), each.lstat().st_mtime_ns) for each in paths.programs.rglob("*"))
    return cabinet.books(), tree, cabinet.current(), read_record(paths)


def clear_program_changed(cabinet: Installed) -> None:
    """What the technician does, on the books of the stopped cabinet."""
    with Journal(cabinet.paths.data, str) as journal:
        assert journal.machine is not None
        lock = find(journal.machine, LockKind.PROGRAM_CHANGED)
        assert lock is not None
    cabinet.take(
        DoorOpened(door=Door.LOGIC),
        KeyTurned(key=Key.AUDIT, on=True),
        SettleLock(lock_id=lock.lock_id, how=Settlement.CLEAR),
        DoorClosed(door=Door.LOGIC),
        KeyTurned(key=Key.AUDIT, on=False),
    )


# --- what an update does ----------------------------------------------------------------------------------------


@pytest.mark.requirement("SE-03", "ME-08")
def test_an_update_lets_the_new_version_run_on_the_same_books(cabinet: Installed):
    before = read_running(cabinet.paths)
    assert cabinet.update(cabinet.package(SECOND)) is Outcome.DONE
    assert cabinet.current() == SECOND
    assert cabinet.service.is_ready()
    assert cabinet.service.reloads == 1
    after = read_running(cabinet.paths)
    assert (after.accounts, after.meters) == (before.accounts, before.meters)
    assert set(after.locks) - set(before.locks) == {LockKind.PROGRAM_CHANGED.value}
    cabinet.service.stop()
    assert verify(cabinet.paths.data).ok
    assert versions(cabinet) == [FIRST, SECOND]
    (copy,) = copies(cabinet.paths)
    assert verify(copy).ok
    assert copy.name.endswith(FIRST)


def test_a_dry_run_says_the_plan_and_changes_nothing(cabinet: Installed):
    package, before = cabinet.package(SECOND), unchanged(cabinet)
    assert cabinet.update(package, dry_run=True) is Outcome.DONE
    assert unchanged(cabinet) == before
    assert not cabinet.paths.update.exists()
    assert any("0.1.0 runs, 0.2.0 is to run" in line for line in cabinet.said)
    assert any("An update would stop the cabinet" in line for line in cabinet.said)
    assert cabinet.service.is_ready()


def test_the_way_back_leads_to_the_version_before(still: Installed):
    unpack_first(still.paths, members_of(SECOND))
    switch(still.paths, SECOND)
    before = still.figures()
    assert still.update(None) is Outcome.DONE
    assert (still.current(), versions(still)) == (FIRST, [FIRST, SECOND])
    still.service.stop()
    after = still.figures()
    assert (after.program, after.accounts, after.meters) == (FIRST, before.accounts, before.meters)


def test_the_oldest_version_goes_when_the_technician_has_confirmed_the_newest(still: Installed):
    for version in ("0.0.8", "0.0.9"):
        unpack_first(still.paths, members_of(version))
    write_proved(still, old="0.0.9")
    still.take(PoweredUp(clean=True, version=FIRST, program_hash="another"))
    still.resume()
    assert versions(still) == ["0.0.8", "0.0.9", FIRST], "a program that is not confirmed"
    clear_program_changed(still)
    assert still.resume() is Outcome.DONE
    assert versions(still) == ["0.0.9", FIRST]
    assert read_record(still.paths) is None


def write_proved(cabinet: Installed, old: str) -> None:
    """Leaves the cabinet as an update from `old` to the first version does."""
    make_folder(cabinet.paths.update)
    record = Record(stage=Stage.PROVED, old=old, old_form=FORM, new=FIRST, unpacked=True)
    write_record(cabinet.paths, record)


# --- what is refused --------------------------------------------------------------------------------------------


def refused(cabinet: Installed, file: Path | None, reason: str) -> None:
    """The update is refused for this reason, and nothing has changed."""
    before = unchanged(cabinet)
    with pytest.raises(RefusedError, match=reason):
        cabinet.update(file)
    assert unchanged(cabinet) == before


def test_a_machine_in_service_is_not_updated(still: Installed):
    package = still.package(SECOND)
    still.take(KeyTurned(key=Key.AUDIT, on=True), SetOutOfService(out=False), KeyTurned(key=Key.AUDIT, on=False))
    refused(still, package, "choose \\*Take out of service\\*")


def test_another_update_waits_until_the_technician_has_confirmed_the_last(still: Installed):
    package = still.package(SECOND)
    write_proved(still, old="0.0.9")
    still.take(PoweredUp(clean=True, version=FIRST, program_hash="another"))
    refused(still, package, r"0\.1\.0 is not confirmed yet")
    clear_program_changed(still)
    with pytest.raises(RefusedError, match="expected a newer one"):
        still.update(still.package(FIRST))


class NoteAtTheStop(ChildService):
    """A service that finishes a note as it stops."""

    def stop(self) -> None:
        """Ends the program, with a note in the box that was not there before."""
        ended = self.process is not None
        ChildService.stop(self)
        if ended:
            fact = BillUnasked(reported_cents=500, detail="as the machine was stopped")
            commit(self.paths.data, load(self.paths.settings), fact)


def test_a_note_that_is_finished_by_the_stop_refuses_the_update(still: Installed):
    still.service = NoteAtTheStop(still.paths)
    still.service.start()
    still.until(still.service.is_ready)
    assert still.update(still.package(SECOND)) is Outcome.REFUSED
    still.until(still.service.is_ready)
    assert any("the machine holds an unexpected note of unknown value" in line for line in still.said), still.said
    assert (still.current(), versions(still), copies(still.paths)) == (FIRST, [FIRST], ())


def test_a_file_that_was_changed_is_not_read(still: Installed):
    package = still.package(SECOND)
    package.write_bytes(package.read_bytes() + b"\0")
    refused(still, package, "the file is not the one that was signed")


def test_a_file_signed_by_another_key_is_not_read(still: Installed):
    package = still.package(SECOND)
    sign(package, "from another", key=b"\x08" * 32)
    refused(still, package, "the file is not the one that was signed")


def test_a_file_without_a_signature_is_not_read(still: Installed):
    package = still.package(SECOND)
    package.with_name(f"{package.name}.minisig").unlink()
    refused(still, package, "cannot be read: No such file or directory; an update is two files")


@pytest.mark.parametrize("version", [FIRST, "0.0.9"])
def test_a_version_that_is_not_newer_is_refused(still: Installed, version: str):
    refused(still, still.package(version), "expected a newer one")


def test_there_is_no_way_back_without_a_version_before(still: Installed):
    refused(still, None, r"there is no version before 0\.1\.0")


def test_two_updates_at_a_time_are_refused(still: Installed):
    with right_to_update(still.paths), pytest.raises(RecordError, match="another update is running"):
        still.update(still.package(SECOND))


def test_damaged_books_are_left_alone_and_the_version_before_goes_on(still: Installed):
    package = still.package(SECOND)
    with (still.paths.data / "journal.db").open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 64)
    refused(still, package, "Nothing was changed")


# --- a new version that is not as it should be ------------------------------------------------------------------


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.NOT_VERIFIED, "row 3 does not fit its hash"),
        (Fault.BAD_FINDING, "Loudspeaker: gives no sound"),
        (Fault.NO_REHEARSAL, "this version cannot do that"),
    ],
)
def test_a_version_that_fails_on_a_copy_of_the_books_never_runs(cabinet: Installed, fault: Fault, said: str):
    before = read_running(cabinet.paths)
    assert cabinet.update(cabinet.package(SECOND, fault)) is Outcome.REFUSED
    assert any(said in line for line in cabinet.said), cabinet.said
    cabinet.until(cabinet.service.is_ready)
    assert (cabinet.current(), versions(cabinet), read_record(cabinet.paths)) == (FIRST, [FIRST], None)
    after = read_running(cabinet.paths)
    assert (after.accounts, after.locks, after.program) == (before.accounts, before.locks, FIRST)


def taken_back(cabinet: Installed) -> list[str]:
    """What the log of the cabinet says of updates that were taken back."""
    with reading(cabinet.paths.data) as connection:
        return [each.detail for each in reports.events(connection, limit=9, what=(LogKind.UPDATE_TAKEN_BACK.value,))]


@dataclass(slots=True)
class Clock:
    """Each reading of it is ten seconds later while the second version runs: a trial ends after some of them, however
    busy this machine is."""

    service: ChildService
    from_ready: bool
    """Whether the clock stands until the program is ready."""
    seconds: float = 0.0

    def now(self) -> float:
        """Returns the time, in seconds."""
        trial = self.service.paths.current.readlink() == Path(SECOND)
        if trial and (not self.from_ready or self.service.is_ready()):
            self.seconds += 10
        return self.seconds


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.NEVER_READY, "the service is not ready"),
        (Fault.ENDS, "the service is not ready"),
        (Fault.MONEY, "the machine is locked: unexpected note"),
    ],
)
def test_a_version_that_does_not_prove_itself_is_taken_back(cabinet: Installed, fault: Fault, said: str):
    package, updater = cabinet.package(SECOND, fault), cabinet.updater()
    clock = Clock(cabinet.service, from_ready=fault is Fault.MONEY)
    assert update(replace(updater, now=clock.now), package) is Outcome.WENT_BACK
    assert any(said in line for line in cabinet.said), cabinet.said
    cabinet.until(cabinet.service.is_ready)
    assert (cabinet.current(), versions(cabinet), read_record(cabinet.paths)) == (FIRST, [FIRST], None)
    assert read_running(cabinet.paths).program == FIRST
    cabinet.service.stop()
    assert [said in entry for entry in taken_back(cabinet)] == [True]
    assert verify(cabinet.paths.data).ok


def test_a_version_that_is_well_for_a_moment_only_is_taken_back(cabinet: Installed):
    package, clock = cabinet.package(SECOND, Fault.LATE), Clock(cabinet.service, from_ready=True)
    ready: list[bool] = []

    def wait(seconds: float) -> None:
        """The note comes behind a look at the new version that finds nothing."""
        threading.Event().wait(seconds)
        if cabinet.current() != SECOND or not cabinet.service.is_ready():
            return
        ready.append(True)
        if len(ready) == 2:
            (cabinet.paths.root / "late").touch()
            cabinet.until(lambda: "unexpected note" in read_running(cabinet.paths).locks)

    updater = replace(cabinet.updater(), now=clock.now, sleep=wait, pace=Pace(trial_s=60.0, steady_s=30.0, poll_s=0.02))
    assert update(updater, package) is Outcome.WENT_BACK
    assert cabinet.current() == FIRST


# --- forms of the books -----------------------------------------------------------------------------------------


def test_the_books_keep_their_form_until_the_technician_confirms(tmp_path: Path):
    with installed(tmp_path, form=4) as cabinet:
        assert cabinet.update(cabinet.package(SECOND)) is Outcome.DONE
        assert read_running(cabinet.paths).form == 4
        cabinet.service.stop()
        clear_program_changed(cabinet)
        cabinet.take(FormChanged(old=4, new=5))
        assert read_running(cabinet.paths).form == 5
        with pytest.raises(RefusedError, match=r"there is no way back from 0\.2\.0"):
            cabinet.update(None)
        assert (cabinet.current(), versions(cabinet)) == (SECOND, [FIRST, SECOND])


def test_a_version_that_moves_the_books_on_at_its_first_start_stays(tmp_path: Path):
    """The version before cannot read the books any more: the new one is the only one that can."""
    with installed(tmp_path, form=4) as cabinet:
        assert cabinet.update(cabinet.package(SECOND, Fault.MOVES_ON)) is Outcome.NEEDS_HELP
        assert cabinet.current() == SECOND
        record = read_record(cabinet.paths)
        assert record is not None
        assert record.stage is Stage.PROVED


# --- interrupted ------------------------------------------------------------------------------------------------


def test_without_an_interrupted_update_there_is_nothing_to_end(still: Installed):
    before = unchanged(still)
    assert still.resume() is Outcome.DONE
    assert unchanged(still) == before


def test_an_interrupted_update_whose_version_has_moved_the_books_on_is_kept(still: Installed):
    """The version before, which reads up to form 4, could not open these books."""
    unpack_first(still.paths, members_of(SECOND))
    switch(still.paths, SECOND)
    make_folder(still.paths.update)
    record = Record(stage=Stage.TRYING, old=FIRST, old_form=FORM - 1, new=SECOND, unpacked=True)
    write_record(still.paths, record)
    assert still.resume() is Outcome.NEEDS_HELP
    assert still.current() == SECOND
    assert read_record(still.paths) == replace(record, stage=Stage.PROVED)


@dataclass(slots=True)
class Broken(ChildService):
    """A service that does not come up: its program is missing."""

    broken: bool = True

    def start(self) -> None:
        """Starts the program, or nothing."""
        if not self.broken:
            ChildService.start(self)


@pytest.mark.parametrize("stage", [Stage.PREPARING, Stage.TRYING])
def test_the_record_of_an_update_stays_until_the_version_before_is_ready(still: Installed, stage: Stage):
    service = Broken(still.paths)
    still.service = service
    make_folder(still.paths.update)
    record = Record(stage=stage, old=FIRST, old_form=FORM, new=SECOND, unpacked=True)
    write_record(still.paths, record)
    seconds = itertools.count(step=10.0)
    updater = replace(still.updater(), now=lambda: next(seconds), sleep=lambda _s: None)
    assert resume(updater, at_start=False) is Outcome.NEEDS_HELP
    assert read_record(still.paths) == record
    assert not any("runs again" in line for line in still.said)
    assert "was started again and is not ready; see `journalctl -u" in still.said[-1]
    service.broken = False
    assert still.resume(at_start=False) is (Outcome.DONE if stage is Stage.PREPARING else Outcome.WENT_BACK)
    assert (service.is_ready(), read_record(still.paths)) == (True, None)
    assert "ersion 0.1.0 runs again" in still.said[-1]


@pytest.mark.parametrize("fault", [Fault.ENDS, Fault.NOT_VERIFIED])
def test_a_failed_way_back_keeps_its_record(cabinet: Installed, fault: Fault):
    """The version before does not come up: `--resume` repeats what has failed."""
    service = Broken(cabinet.paths, broken=False)
    cabinet.service.stop()
    cabinet.service = service
    service.start()
    cabinet.until(service.is_ready)
    seconds = itertools.count(step=10.0)

    def say(line: str) -> None:
        cabinet.said.append(line)
        service.broken = line.startswith(("Going back", "Trying version"))

    updater = replace(cabinet.updater(), say=say, now=lambda: next(seconds), sleep=lambda _s: None)
    assert update(updater, cabinet.package(SECOND, fault)) is Outcome.NEEDS_HELP
    assert read_record(cabinet.paths) is not None
    assert cabinet.current() == FIRST
    service.broken = False
    cabinet.resume(at_start=False)
    assert (service.is_ready(), read_record(cabinet.paths)) == (True, None)


def test_a_way_back_without_the_books_says_which_medium_to_connect_and_leaves_the_service_on(still: Installed):
    make_folder(still.paths.update)
    record = Record(stage=Stage.TRYING, old=FIRST, old_form=FORM, new=SECOND, unpacked=True)
    write_record(still.paths, record)
    still.paths.data.rename(still.paths.data.with_name("away"))
    assert still.resume(at_start=False) is Outcome.NEEDS_HELP
    assert still.service.process is not None
    assert f"Connect the medium of {still.paths.data}. The record of the update stays" in still.said[-1]
    assert read_record(still.paths) == record


def test_at_a_start_of_the_system_the_service_is_left_to_the_system(still: Installed):
    make_folder(still.paths.update)
    write_record(still.paths, Record(stage=Stage.TRYING, old=FIRST, old_form=FORM, new=SECOND, unpacked=True))
    assert still.resume() is Outcome.WENT_BACK
    assert (still.service.is_up(), read_record(still.paths)) == (False, None)


def test_a_way_back_that_the_books_do_not_permit_names_the_version_that_stays(still: Installed):
    unpack_first(still.paths, members_of(SECOND))
    switch(still.paths, SECOND)
    make_folder(still.paths.update)
    record = Record(stage=Stage.TRYING, old=FIRST, old_form=FORM - 1, new=SECOND, unpacked=True)
    write_record(still.paths, record)
    assert still.resume(at_start=False) is Outcome.NEEDS_HELP
    assert still.service.is_up()
    assert "which version 0.1.0 cannot read: 0.2.0 stays" in still.said[-1]
    assert "clears *program changed*" in still.said[-1]


def test_a_start_of_the_service_by_an_update_leaves_that_update_alone(still: Installed):
    """The service asks for the end of an interrupted update at each start, also at those of a running one."""
    make_folder(still.paths.update)
    write_record(still.paths, Record(stage=Stage.TRYING, old=FIRST, old_form=FORM, new=SECOND, unpacked=True))
    before = unchanged(still)
    with right_to_update(still.paths):
        assert still.resume() is Outcome.DONE
    assert unchanged(still) == before


@pytest.mark.parametrize("words", ["Starting version", "Trying version"])
@pytest.mark.sample(1)
def test_an_interrupt_takes_everything_back(cabinet: Installed, words: str):
    def interrupt(line: str) -> None:
        cabinet.said.append(line)
        if line.startswith(words):
            raise KeyboardInterrupt

    package = cabinet.package(SECOND)
    with pytest.raises(KeyboardInterrupt):
        update(replace(cabinet.updater(), say=interrupt), package)
    cabinet.until(cabinet.service.is_ready)
    assert (cabinet.current(), versions(cabinet), read_record(cabinet.paths)) == (FIRST, [FIRST], None)

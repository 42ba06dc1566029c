"""What an update checks and tries before the change: what it refuses, and that it then leaves everything as it was."""

import pytest
from support.update_acts import refused, versions
from support.updates import FIRST, SECOND, ChildService, Installed, commit, sign
from support.version_program import Fault

from cabinet.config.settings import load
from cabinet.engine.inputs import BillUnasked, Key, KeyTurned, SetOutOfService
from cabinet.installation.update.books import copies, read_running
from cabinet.installation.update.environment import Outcome
from cabinet.installation.update.record import read_record


def test_a_machine_in_service_is_not_updated(still: Installed):
    package = still.package(SECOND)
    still.take(KeyTurned(key=Key.AUDIT, on=True), SetOutOfService(out=False), KeyTurned(key=Key.AUDIT, on=False))
    refused(still, package, "choose \\*Take out of service\\*")


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


def test_damaged_books_are_left_alone_and_the_version_before_goes_on(still: Installed):
    package = still.package(SECOND)
    with (still.paths.data / "journal.db").open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 64)
    refused(still, package, "Nothing was changed")


def test_a_version_after_whose_start_the_one_before_cannot_use_the_books_never_runs(cabinet: Installed):
    assert cabinet.update(cabinet.package(SECOND, Fault.CLOSES_THE_WAY_BACK)) is Outcome.REFUSED
    said = f"version {FIRST} cannot use the books after a start of {SECOND}: no way back: the file is damaged"
    assert any(said in line for line in cabinet.said), cabinet.said
    assert (cabinet.current(), versions(cabinet)) == (FIRST, [FIRST])


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

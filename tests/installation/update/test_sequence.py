"""An update from one version to another, with real programs on real books: what it leaves, and who may begin one."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.update_acts import clear_program_changed, refused, unchanged, versions, write_proved
from support.updates import FIRST, FORM, SECOND, Installed, installed, members_of, unpack_first

from cabinet.engine.inputs import PoweredUp
from cabinet.engine.record_facts import FormChanged
from cabinet.engine.state import LockKind
from cabinet.installation.durable import make_folder
from cabinet.installation.update.books import copies, read_running
from cabinet.installation.update.environment import Outcome
from cabinet.installation.update.plan import RefusedError
from cabinet.installation.update.record import Record, RecordError, Stage, read_record, right_to_update, write_record
from cabinet.installation.update.sequence import update
from cabinet.installation.update.versions import switch
from cabinet.store.verify import verify


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


def test_another_update_waits_until_the_technician_has_confirmed_the_last(still: Installed):
    package = still.package(SECOND)
    write_proved(still, old="0.0.9")
    still.take(PoweredUp(clean=True, version=FIRST, program_hash="another"))
    refused(still, package, r"0\.1\.0 is not confirmed yet")
    clear_program_changed(still)
    with pytest.raises(RefusedError, match="expected a newer one"):
        still.update(still.package(FIRST))


def test_two_updates_at_a_time_are_refused(still: Installed):
    with right_to_update(still.paths), pytest.raises(RecordError, match="another update is running"):
        still.update(still.package(SECOND))


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


def test_without_an_interrupted_update_there_is_nothing_to_end(still: Installed):
    before = unchanged(still)
    assert still.resume() is Outcome.DONE
    assert unchanged(still) == before


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

"""The way out of an update at every stage, and the confirmed version."""

import itertools
import os
import signal
from contextlib import suppress
from dataclasses import dataclass, replace

import pytest
from support.update_acts import clear_program_changed, versions, write_proved
from support.updates import FIRST, FORM, SECOND, ChildService, Installed, members_of, unpack_first
from support.version_program import Fault

from cabinet.engine.inputs import PoweredUp
from cabinet.installation.durable import make_folder
from cabinet.installation.update.environment import Outcome
from cabinet.installation.update.record import Record, Stage, read_record, write_record
from cabinet.installation.update.sequence import resume, update
from cabinet.installation.update.versions import switch
from cabinet.window.signals import deferred, terminable


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


@pytest.mark.parametrize(("old", "new"), [("0.0.8", FIRST), ("0.0.8", "0.0.9")])
def test_a_record_of_versions_that_apt_has_changed_since_ends_and_lets_another_update_begin(
    still: Installed, old: str, new: str
):
    """The first version was installed again with apt, after a removal in the middle of an update."""
    make_folder(still.paths.update)
    write_record(still.paths, Record(stage=Stage.TRYING, old=old, old_form=FORM, new=new, unpacked=True))
    assert still.resume() is Outcome.NEEDS_HELP
    assert (still.current(), read_record(still.paths)) == (FIRST, None)
    assert f"{FIRST} stays" in still.said[-1]
    assert still.update(still.package(SECOND)) is Outcome.DONE


@dataclass(slots=True)
class Stopping(ChildService):
    """A service whose stop was interrupted: it is still stopping when it is asked for the first time."""

    asked: int = 0

    def is_up(self) -> bool:
        """Returns whether the unit is in any state but stopped."""
        self.asked += 1
        return self.asked == 1 or ChildService.is_up(self)


def test_a_service_that_is_still_stopping_is_started_once_it_has_stopped(still: Installed):
    still.service = Stopping(still.paths)
    make_folder(still.paths.update)
    write_record(still.paths, Record(stage=Stage.PREPARING, old=FIRST, old_form=FORM, new=SECOND, unpacked=True))
    assert still.resume(at_start=False) is Outcome.DONE
    assert still.service.is_ready()


@dataclass(slots=True)
class Interrupted(ChildService):
    """A service at whose starts a technician presses Ctrl-C, from the given one on."""

    starts: int = 0
    begin: int = 1

    def start(self) -> None:
        """Starts the program."""
        ChildService.start(self)
        self.starts += 1
        if self.starts >= self.begin:
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize(("fault", "begin"), [(Fault.NONE, 1), (Fault.NO_REHEARSAL, 1), (Fault.MONEY, 2)])
def test_ctrl_c_does_not_stop_the_way_out_half_way(still: Installed, fault: Fault, begin: int):
    """Each start is interrupted: the one of the new version, and the one that takes it back."""
    still.service = service = Interrupted(still.paths, begin=begin)
    updater = replace(still.updater(), undisturbed=deferred, pace=replace(still.pace, trial_s=3.0))
    with terminable(), suppress(KeyboardInterrupt):
        update(updater, still.package(SECOND, fault))
    assert (still.current(), read_record(still.paths)) == (FIRST, None), still.said
    assert service.is_ready()

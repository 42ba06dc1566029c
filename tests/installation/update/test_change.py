"""The change to a new version: one that does not prove itself is taken back."""

import threading
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from support.update_acts import versions
from support.updates import FIRST, SECOND, ChildService, Installed, installed
from support.version_program import Fault

from cabinet.engine.log import LogKind
from cabinet.installation.update.books import read_running
from cabinet.installation.update.environment import Outcome, Pace
from cabinet.installation.update.record import Stage, read_record
from cabinet.installation.update.sequence import update
from cabinet.store import reports
from cabinet.store.reading import reading
from cabinet.store.verify import verify


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


def test_a_version_that_moves_the_books_on_at_its_first_start_stays(tmp_path: Path):
    """The version before cannot read the books any more: the new one is the only one that can."""
    with installed(tmp_path, form=4) as cabinet:
        assert cabinet.update(cabinet.package(SECOND, Fault.MOVES_ON)) is Outcome.NEEDS_HELP
        assert cabinet.current() == SECOND
        record = read_record(cabinet.paths)
        assert record is not None
        assert record.stage is Stage.PROVED

"""An update that is cut off at any call that changes a file: a complete version starts, and the books are those before.

One update runs; before each of its calls the disk is copied. Each copy is what a power cut leaves at that call, and the
next start of the system ends the update on it: the disk is then as it was before the update, or as it is after it.
"""

import hashlib
import logging
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from support.cases import case
from support.update_cuts import Call, Images, Unsynced, at_each_call, full_from
from support.updates import FIRST, SECOND, ChildService, Installed, installed

from cabinet.installation.paths import Paths
from cabinet.installation.update.books import read_running
from cabinet.installation.update.environment import Outcome
from cabinet.installation.update.record import Record, Stage, read_record
from cabinet.store.verify import verify

_log = logging.getLogger(__name__)

FEWEST_CALLS = 150
"""An update makes at least this number of calls that change a file."""
NESTED = 8
"""Interrupted ends of an update that are interrupted again."""


@contextmanager
def restarted(image: Path) -> Iterator[Installed]:
    """A cabinet that finds this disk after a power cut; its program does not run yet."""
    paths = Paths(root=image)
    cabinet = Installed(paths=paths, packages=image, service=ChildService(paths), number=100)
    try:
        yield cabinet
    finally:
        cabinet.service.stop()


@dataclass(frozen=True, slots=True)
class Programs:
    """What the disk has of the program, and how far an update is."""

    files: dict[str, str]
    """The target of each link, and a hash of each file."""
    record: Record | None
    rest: tuple[str, ...]
    """What lies beside the record, apart from copies of the books and the news for the log."""


def programs(paths: Paths) -> Programs:
    """Reads the disk. The link for the way back is left out, because it leads nowhere else than an older version."""
    files: dict[str, str] = {}
    for each in sorted(paths.programs.rglob("*")):
        if each.is_symlink():
            files[str(each.relative_to(paths.programs))] = str(each.readlink())
        elif each.is_file():
            files[str(each.relative_to(paths.programs))] = hashlib.sha256(each.read_bytes()).hexdigest()[:8]
    files.pop("back", None)
    rest = tuple(each.name for each in sorted(paths.update.glob("*")) if not each.name.startswith(("books-2", "taken")))
    return Programs(files=files, record=read_record(paths), rest=rest)


@dataclass(slots=True)
class Recorded:
    """One update with all its disks."""

    folder: Path
    images: Images
    calls: list[Call]
    before: Programs
    after: Programs
    not_durable: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """An update from the first version to the second, recorded."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "images").mkdir()
    with installed(folder) as cabinet:
        paths, package = cabinet.paths, cabinet.package(SECOND)
        images, medium, wrong = Images(paths.root, folder / "images"), Unsynced(paths.root), list[str]()

        def follow(call: Call) -> None:
            images.take(call)
            wrong.extend(_not_durable(call, medium, paths))
            medium.follow(call)

        cabinet.resume()
        before = programs(paths)
        with at_each_call(follow) as calls:
            assert cabinet.update(package) is Outcome.DONE, cabinet.said
        wrong.extend(map(str, medium.of(paths.root)))
        return Recorded(folder, images, calls, before, programs(paths), wrong)


def _not_durable(call: Call, medium: Unsynced, paths: Paths) -> Iterator[str]:
    """Yields what gets a whole name before all of it is durable; with the change of versions, what else is not."""
    if call.name not in {"rename", "replace"}:
        return
    old, new = call.paths()
    if new.is_relative_to(paths.root) and new.suffix != ".partial":
        yield from (f"{new}: {each}" for each in medium.of(old) - {old.parent})
    if new == paths.current:
        yield from (f"the change of versions: {each}" for each in medium.of(paths.root) - {new.parent})


@pytest.mark.requirement("ME-08")
def test_a_cut_at_any_call_leaves_the_program_before_or_the_new_one_and_the_same_books(
    recorded: Recorded,
) -> None:
    ends: dict[str, int] = {}
    for image in recorded.images.taken:
        with case(image=image.name), restarted(image) as after:
            books = after.books()
            after.resume()
            end = programs(after.paths)
            assert end in (recorded.before, recorded.after)
            assert after.current() == (FIRST if end == recorded.before else SECOND)
            assert after.books() == books
            ends[after.current()] = ends.get(after.current(), 0) + 1
    _log.info("%d calls, %d different disks, ends %s", len(recorded.calls), len(recorded.images.taken), ends)
    assert len(recorded.calls) >= FEWEST_CALLS
    assert ends.keys() == {FIRST, SECOND}


def test_what_ends_an_interrupted_update_may_be_cut_off_too(recorded: Recorded, tmp_path: Path) -> None:
    """At the last disks `current` has changed: there the most is to be undone."""
    taken, tried = recorded.images.taken, 0
    for image in (*taken[:: len(taken) // NESTED], *taken[-NESTED:]):
        root = tmp_path / f"{image.name}-{tried}"
        shutil.copytree(image, root, symlinks=True)
        with restarted(root) as after, case(image=image.name):
            (tmp_path / "again").mkdir()
            books, again = after.books(), Images(root, tmp_path / "again")
            with at_each_call(again.take) as calls:
                after.resume()
            end = programs(after.paths)
        for second in again.taken:
            with restarted(second) as after, case(image=image.name, second=second.name):
                after.resume()
                assert programs(after.paths) == end
                assert after.books() == books
        shutil.rmtree(tmp_path / "again")
        tried += 1 + len(calls)
    _log.info("%d calls", tried)
    assert tried >= NESTED


def test_a_name_becomes_whole_only_when_everything_behind_it_is_durable(recorded: Recorded) -> None:
    """The worst medium keeps only what was synced."""
    assert recorded.not_durable == []


def cut_at(cabinet: Installed, package: Path, number: int) -> bool:
    """Updates in a process of its own that is killed with all its programs at a call; whether it came to that call.

    A negative number counts from the change of versions, which is the call before -1.
    """
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        changed = list[int]()

        def kill(call: Call) -> None:
            if call.number == number or (changed and call.number - changed[0] == -number):
                os.killpg(0, signal.SIGKILL)
            if call.name == "replace" and call.paths()[1] == cabinet.paths.current:
                changed.append(call.number)

        with at_each_call(kill):
            cabinet.update(package)
        cabinet.service.stop()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.mark.parametrize("number", [-5, -3, -1, *range(0, FEWEST_CALLS, 6)])
@pytest.mark.sample(1)
def test_a_killed_update_completes_when_it_is_repeated(tmp_path: Path, number: int) -> None:
    """At negative numbers the new version is already the one that runs."""
    with installed(tmp_path, running=False) as cabinet:
        package, before = cabinet.package(SECOND), cabinet.figures()
        assert cut_at(cabinet, package, number)
        cabinet.resume()
        assert cabinet.current() == FIRST
        assert cabinet.update(package) is Outcome.DONE, cabinet.said
        assert cabinet.current() == SECOND
        cabinet.service.stop()
        after = cabinet.figures()
        assert (after.accounts, after.meters) == (before.accounts, before.meters)
        assert verify(cabinet.paths.data).ok


@pytest.mark.parametrize("number", [46, *range(60)])
@pytest.mark.sample(2)
def test_a_medium_that_becomes_full_at_any_call_leaves_a_complete_version_that_runs(
    tmp_path: Path, number: int
) -> None:
    with installed(tmp_path, running=False) as cabinet:
        package, before = cabinet.package(SECOND), cabinet.figures()
        refused = list[Call]()
        with at_each_call(full_from(cabinet.paths.root, number, refused)):
            outcome = _update(cabinet, package)
        assert outcome is (Outcome.DONE if not refused else outcome)
        assert outcome in {Outcome.DONE, Outcome.REFUSED, Outcome.WENT_BACK}, cabinet.said[-3:]
        assert cabinet.current() == (SECOND if outcome is Outcome.DONE else FIRST)
        if cabinet.service.is_up():
            cabinet.until(cabinet.service.is_ready)
        cabinet.resume()
        record = read_record(cabinet.paths)
        assert record is None or record.stage is Stage.PROVED
        after = read_running(cabinet.paths)
        assert (after.accounts, after.meters) == (before.accounts, before.meters)
        cabinet.service.stop()
        assert verify(cabinet.paths.data).ok


def _update(cabinet: Installed, package: Path) -> Outcome:
    """Updates. A medium that is full before the first change is a refusal, too."""
    try:
        return cabinet.update(package)
    except OSError:
        return Outcome.REFUSED

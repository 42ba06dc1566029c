"""What a test does with a cabinet that is updated, and compares of it."""

from pathlib import Path

import pytest
from support.updates import FIRST, FORM, Installed

from cabinet.engine.inputs import Door, DoorClosed, DoorOpened, Key, KeyTurned, SettleLock, Settlement
from cabinet.engine.locks import find
from cabinet.engine.state import LockKind
from cabinet.installation.durable import make_folder
from cabinet.installation.update.plan import RefusedError
from cabinet.installation.update.record import Record, Stage, read_record, write_record
from cabinet.installation.update.versions import installed as versions_of
from cabinet.store.journal import Journal


def versions(cabinet: Installed) -> list[str]:
    """Returns the complete versions on the cabinet, the oldest first."""
    return [each.version for each in versions_of(cabinet.paths)]


def unchanged(cabinet: Installed) -> tuple[object, ...]:
    """Returns what a refused update leaves as it was."""
    paths = cabinet.paths
    tree = sorted((str(each), each.lstat().st_mtime_ns) for each in paths.programs.rglob("*"))
    return cabinet.books(), tree, cabinet.current(), read_record(paths)


def clear_program_changed(cabinet: Installed) -> None:
    """Clears *program changed* on the books of the stopped cabinet, as the technician does."""
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


def write_proved(cabinet: Installed, old: str) -> None:
    """Leaves the cabinet as an update from `old` to the first version does."""
    make_folder(cabinet.paths.update)
    record = Record(stage=Stage.PROVED, old=old, old_form=FORM, new=FIRST, unpacked=True)
    write_record(cabinet.paths, record)


def refused(cabinet: Installed, file: Path | None, reason: str) -> None:
    """Asserts that the update is refused for this reason, and that nothing has changed."""
    before = unchanged(cabinet)
    with pytest.raises(RefusedError, match=reason):
        cabinet.update(file)
    assert unchanged(cabinet) == before

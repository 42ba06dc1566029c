"""Data that a start refuses, one folder of each kind, and the state of a folder to the byte and the time."""

import shutil
from collections.abc import Callable
from pathlib import Path

from support.journals import keep, number_of, raw, session_steps, stamp

from cabinet.store import slots
from cabinet.store.errors import StoreDamagedError, StoreError, StoreFullError, StoreNewerError
from cabinet.store.journal import FILE, LOCK_FILE, Journal
from cabinet.store.mark import REACHED
from cabinet.store.mirror import DOUBT_FILE
from cabinet.store.opening import ROLLBACK, SHM, WAL
from cabinet.store.record import seal_facts
from cabinet.store.schema import FORM, NEWEST

State = dict[str, tuple[bytes, int, int]]


def state_of(folder: Path) -> State:
    """Each file and folder in `folder`: its content, its time and its mode."""
    found = {}
    for path in (folder, *sorted(folder.rglob("*"))):
        status = path.stat()
        content = path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(folder))] = (content, status.st_mtime_ns, status.st_mode)
    return found


def execute(folder: Path, statement: str) -> None:
    """Changes the journal of a folder with one statement."""
    with raw(folder) as connection:
        connection.execute(statement)


def leave_log(folder: Path) -> None:
    """Leaves a write-ahead log and its index beside the journal, as a kill does."""
    aside = folder.with_name(f"{folder.name}-killed")
    aside.mkdir()
    with raw(folder) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA application_id = 7")
        for ending in ("", WAL, SHM):
            shutil.copy2(folder / f"{FILE}{ending}", aside)
    for path in aside.iterdir():
        shutil.copy2(path, folder)
    shutil.rmtree(aside)


def _empty(folder: Path) -> None:
    (folder / FILE).write_bytes(b"")


def _gone(folder: Path) -> None:
    (folder / FILE).unlink()


def _truncated(folder: Path) -> None:
    whole = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(whole[: len(whole) // 2])


def _foreign(folder: Path) -> None:
    (folder / FILE).write_bytes(b"no database at all " * 200)


def _newer(folder: Path) -> None:
    with raw(folder) as connection:
        connection.execute(f"PRAGMA user_version = {NEWEST + 1}")
        connection.execute("UPDATE facts SET value = ? WHERE name = ?", (str(NEWEST + 1), FORM))
        seal_facts(connection)


def _damaged_row(folder: Path) -> None:
    execute(folder, "UPDATE steps SET credit = credit + 1 WHERE seq = 3")


def _lost_end(folder: Path) -> None:
    (folder / REACHED).write_bytes(slots.whole(10_000))


def _lost_file_with_log(folder: Path) -> None:
    leave_log(folder)
    _empty(folder)


def _only_a_log(folder: Path) -> None:
    leave_log(folder)
    for path in folder.iterdir():
        if path.name not in {f"{FILE}{WAL}", LOCK_FILE}:
            path.unlink()


def _invalid_number(folder: Path) -> None:
    (folder / REACHED).write_bytes(b"?")
    _damaged_row(folder)


def _mark_is_a_folder(folder: Path) -> None:
    (folder / DOUBT_FILE).mkdir()


def _file_is_a_folder(folder: Path) -> None:
    (folder / FILE).unlink()
    (folder / FILE).mkdir()


def _never_owned(folder: Path) -> None:
    """A medium whose files someone has copied here: it has no lock file."""
    (folder / LOCK_FILE).unlink()
    _damaged_row(folder)


def _rolls_back(folder: Path) -> None:
    _damaged_row(folder)
    (folder / f"{FILE}{ROLLBACK}").write_bytes(b"half a rollback journal" * 50)


REFUSED: dict[str, tuple[Callable[[Path], None], type[StoreError]]] = {
    "0 bytes": (_empty, StoreDamagedError),
    "gone": (_gone, StoreDamagedError),
    "truncated": (_truncated, StoreDamagedError),
    "foreign file": (_foreign, StoreDamagedError),
    "newer form": (_newer, StoreNewerError),
    "damaged row": (_damaged_row, StoreDamagedError),
    "lost end": (_lost_end, StoreDamagedError),
    "0 bytes beside its log": (_lost_file_with_log, StoreDamagedError),
    "only a log": (_only_a_log, StoreDamagedError),
    "invalid number of the newest row": (_invalid_number, StoreDamagedError),
    "mark that is a folder": (_mark_is_a_folder, StoreDamagedError),
    "journal that is a folder": (_file_is_a_folder, StoreFullError),
    "without a lock file": (_never_owned, StoreDamagedError),
    "rollback journal": (_rolls_back, StoreDamagedError),
}
"""What makes sound data into data of each kind, and the error of a start on it."""

LEAVES_LOG = frozenset(
    {"newer form", "damaged row", "lost end", "invalid number of the newest row", "without a lock file"}
)
"""The kinds that a kill may leave with a write-ahead log, too."""


def played(folder: Path, second: Path | None = None) -> None:
    """Writes a session to the journal of a folder, and to a second copy."""
    if second is None:
        keep(folder, *session_steps())
        return
    second.mkdir(parents=True, exist_ok=True)
    with Journal(folder, number_of, second=second) as journal:
        for input_, step in session_steps():
            journal.commit(input_, step, stamp(journal.seq + 1))

"""One owner per folder, durability that is read back, and errors that say what they are."""

import sqlite3
from pathlib import Path

import pytest

from cabinet.store.errors import StoreBusyError, StoreDamagedError, StoreError, StoreFullError
from cabinet.store.opening import FILE, LOCK_FILE, _set_up, connect, explained, own_folder, refusal


def error(name: str) -> sqlite3.Error:
    """An error of the library with its code."""
    found = sqlite3.OperationalError(name)
    found.sqlite_errorcode = getattr(sqlite3, name)
    return found


def test_a_connection_promises_what_a_journal_needs(tmp_path: Path) -> None:
    connection = connect(tmp_path / FILE)
    asked = ("locking_mode", "journal_mode", "synchronous", "trusted_schema")
    assert [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in asked] == ["exclusive", "wal", 2, 0]
    connection.close()


def test_a_medium_that_cannot_promise_it_is_refused() -> None:
    with pytest.raises(StoreError, match="journal_mode is 'memory', expected 'wal'; move the data to a local disk"):
        _set_up(sqlite3.connect(":memory:"), Path("x"))


@pytest.mark.requirement("PL-12")
@pytest.mark.parametrize("name", ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN"])
def test_a_medium_that_refuses_is_not_taken_for_a_damaged_file(name: str) -> None:
    assert isinstance(refusal(error(name), Path("x")), StoreFullError)
    with pytest.raises(StoreFullError, match="make room or check the medium"), explained(Path("x")):
        raise error(name)


def test_other_errors_while_opening_keep_their_meaning() -> None:
    assert type(refusal(error("SQLITE_CONSTRAINT"), Path("x"))) is StoreError
    with pytest.raises(StoreDamagedError, match="keep this file"), explained(Path("x")):
        raise error("SQLITE_CORRUPT")
    with pytest.raises(StoreBusyError, match="close it first"), explained(Path("x")):
        raise error("SQLITE_BUSY")


def test_a_folder_is_owned_once_and_given_up(tmp_path: Path) -> None:
    with own_folder(tmp_path / "new"):
        assert (tmp_path / "new" / LOCK_FILE).exists()
        with pytest.raises(StoreBusyError), own_folder(tmp_path / "new"):
            pass
    with own_folder(tmp_path / "new"):
        pass

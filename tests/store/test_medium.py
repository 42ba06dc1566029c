"""The bare commits that others are measured against ask for the same promise as the journal does."""

import sqlite3
from pathlib import Path

import pytest

from cabinet.store import medium
from cabinet.store.journal import FILE, Journal
from cabinet.store.medium import BareCommits


def test_the_library_is_named_by_its_version():
    assert tuple(map(int, medium.library().split("."))) >= (3, 37, 0), "tables that check their types need 3.37"


def test_a_bare_commit_is_one_row_that_is_there_afterwards(tmp_path: Path):
    with BareCommits(tmp_path) as bare:
        for length in (0, 10, 5_000):
            bare.commit(bytes(length))
        assert bare.count() == 3
    with sqlite3.connect(tmp_path / medium.FILE) as other:
        assert other.execute("SELECT length(body) FROM rows ORDER BY id").fetchall() == [(0,), (10,), (5_000,)]


def _promises(connection: sqlite3.Connection) -> list[object]:
    return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]


def test_a_bare_commit_asks_the_medium_for_what_the_journal_asks_for(tmp_path: Path):
    with BareCommits(tmp_path) as bare, Journal(tmp_path, str) as journal:
        assert _promises(bare.connection) == _promises(journal.connection) == ["wal", 2]
        assert not bare.connection.in_transaction


def test_bare_commits_leave_a_journal_beside_them_alone(tmp_path: Path):
    with Journal(tmp_path, str):
        pass
    before = (tmp_path / FILE).read_bytes()
    with BareCommits(tmp_path) as bare:
        bare.commit(b"row")
    assert (tmp_path / FILE).read_bytes() == before


def test_a_file_that_is_there_already_is_not_measured_into(tmp_path: Path):
    with BareCommits(tmp_path):
        pass
    with pytest.raises(sqlite3.OperationalError, match="exists"):
        BareCommits(tmp_path)

"""The bare durable commit that the journal is measured against."""

import sqlite3
from pathlib import Path

import pytest

from cabinet.store.medium import FILE, BareCommits, library


def test_each_row_is_kept(tmp_path: Path) -> None:
    with BareCommits(tmp_path) as bare:
        bare.commit(b"one")
        bare.commit(b"two")
        assert bare.count() == 2
    with sqlite3.connect(tmp_path / FILE) as again:
        assert again.execute("SELECT body FROM rows ORDER BY id").fetchall() == [(b"one",), (b"two",)]
    again.close()


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    with BareCommits(tmp_path):
        pass
    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        BareCommits(tmp_path)


def test_the_library_says_its_version() -> None:
    assert library().startswith("3.")

"""Migrations run once each, in order, and never backwards."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from cabinet.store import schema
from cabinet.store.errors import StoreDamagedError


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """An empty database in memory."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        yield opened


def version_of(connection: sqlite3.Connection) -> int:
    """Which migration ran last."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def tables_of(connection: sqlite3.Connection) -> set[str]:
    """The tables there are."""
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


@pytest.mark.requirement("ME-08")
def test_an_empty_database_gets_every_table(connection: sqlite3.Connection) -> None:
    schema.migrate(connection)
    assert tables_of(connection) == {"steps", "machine", "events", "tickets", "facts", "snapshots", "checkpoint"}
    assert version_of(connection) == len(schema.MIGRATIONS)
    schema.migrate(connection)
    assert version_of(connection) == len(schema.MIGRATIONS)


@pytest.mark.requirement("ME-08")
def test_later_migrations_run_on_what_is_there(connection: sqlite3.Connection) -> None:
    schema.migrate(connection)
    connection.execute("INSERT INTO facts VALUES ('a', 'b')")
    more = ("ALTER TABLE facts ADD COLUMN since INTEGER NOT NULL DEFAULT 7",)
    schema.migrate(connection, (*schema.MIGRATIONS, more))
    assert version_of(connection) == len(schema.MIGRATIONS) + 1
    assert connection.execute("SELECT * FROM facts").fetchall() == [("a", "b", 7)]


def test_a_migration_that_fails_leaves_no_half_of_it(connection: sqlite3.Connection) -> None:
    schema.migrate(connection)
    released = version_of(connection)
    wrong = ("CREATE TABLE half (x INTEGER) STRICT", "CREATE TABLE steps (x INTEGER) STRICT")
    with pytest.raises(sqlite3.OperationalError, match="table steps already exists"):
        schema.migrate(connection, (*schema.MIGRATIONS, wrong))
    assert version_of(connection) == released
    assert "half" not in tables_of(connection)


def test_a_newer_form_is_refused(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA user_version = {len(schema.MIGRATIONS) + 1}")
    with pytest.raises(StoreDamagedError, match="it was written by a newer version; install that one"):
        schema.migrate(connection)
    assert tables_of(connection) == set()

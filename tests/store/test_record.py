"""A step as it is written: the same in every copy, all of it or nothing, and facts under one seal."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from support.journals import number_of, session_steps, stamp

from cabinet.engine.effects import PayingOut
from cabinet.engine.log import LogEntry
from cabinet.store import schema
from cabinet.store.chain import START, link
from cabinet.store.record import SEAL, Record, facts_problem, make_record, write, write_fact


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as found:
        schema.migrate(found)
        yield found


def records() -> Iterator[Record]:
    """The records of a session, one after the other."""
    before, entry = START, 0
    for seq, (input_, step) in enumerate(session_steps(), start=1):
        numbers = {str(e.sequence): number_of(e.sequence) for e in step.events if isinstance(e, PayingOut)}
        found = make_record(input_, step, stamp(seq), seq=seq, before=before, entry=entry, numbers=numbers)
        before, entry = found.hash, entry + len(found.entries)
        yield found


def everything(connection: sqlite3.Connection) -> list[str]:
    """The whole content."""
    return list(connection.iterdump())


def test_records_hang_on_one_another_and_number_the_log_without_gaps() -> None:
    before, entry = START, 0
    for record in records():
        assert record.hash == link(before, record.row)
        assert [each.number for each in record.entries] == list(range(entry + 1, entry + 1 + len(record.entries)))
        assert len(record.entries) == sum(isinstance(event, LogEntry) for event in record.events)
        before, entry = record.hash, entry + len(record.entries)


@pytest.mark.requirement("PL-01", "EV-05")
def test_a_record_that_meets_an_error_leaves_nothing(connection: sqlite3.Connection) -> None:
    found = list(records())
    for record in found:
        before = everything(connection)
        spoilt = (
            replace(record, entries=(*record.entries, record.entries[0])) if record.entries else None,
            replace(record, row=record.row._replace(seq=1)) if record.row.seq > 1 else None,
        )
        for wrong in filter(None, spoilt):
            with pytest.raises(sqlite3.IntegrityError):
                write(connection, wrong)
            assert not connection.in_transaction
            assert everything(connection) == before
        write(connection, record)


def test_a_snapshot_is_kept_where_it_is_asked_for(connection: sqlite3.Connection) -> None:
    for record in records():
        write(connection, replace(record, snapshot=record.row.seq % 10 == 0))
    kept = connection.execute("SELECT snapshots.seq, body FROM snapshots ORDER BY seq").fetchall()
    assert [seq for seq, _ in kept] == list(range(10, len(list(records())) + 1, 10))
    assert kept[0][1] == list(records())[9].body


SPOILS = (
    "UPDATE facts SET value = 'x' WHERE name = 'a'",
    "DELETE FROM facts WHERE name = 'a'",
    f"DELETE FROM facts WHERE name = '{SEAL}'",
    "INSERT INTO facts VALUES ('c', 'd')",
    "UPDATE facts SET name = 'b', value = 'one' WHERE name = 'a'",
)


@pytest.mark.requirement("PL-06", "SE-08")
@pytest.mark.parametrize("spoil", SPOILS)
def test_a_fact_that_is_touched_is_found(connection: sqlite3.Connection, spoil: str) -> None:
    assert facts_problem(connection) is None
    write_fact(connection, "a", "one")
    write_fact(connection, "a", "two")
    assert facts_problem(connection) is None
    connection.execute(spoil)
    assert facts_problem(connection) == "what is remembered of the installation is not sealed"


def test_a_fact_that_cannot_be_written_leaves_the_old_one(connection: sqlite3.Connection) -> None:
    write_fact(connection, "a", "one")
    connection.execute("PRAGMA query_only = ON")
    with pytest.raises(sqlite3.OperationalError):
        write_fact(connection, "a", "two")
    assert not connection.in_transaction
    assert connection.execute("SELECT value FROM facts WHERE name = 'a'").fetchone() == ("one",)

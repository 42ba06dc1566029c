"""Migrations run once each, in order, and never backwards; the journals that older programs have left stay whole.

`journals/` holds, for every form but the newest, what the last program of that form wrote: tickets issued, issued as a
duplicate, void in every way (and redeemed where it could be), the newest in doubt or being printed.
"""

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import takewhile
from pathlib import Path

import pytest
from support.crashes import no_cards
from support.inputs import ACCEPTOR, PRINTER
from support.journals import as_form, drop_if_due, number_of, open_journal, raw, session_steps, stamp
from support.machines import SETTINGS

from cabinet.engine import machine as engine
from cabinet.engine.inputs import Input, Key, KeyTurned, PoweredUp, ResetPeriod, SettleLock, Settlement
from cabinet.engine.locks import find
from cabinet.engine.state import LockKind
from cabinet.store import schema
from cabinet.store.compact import Keeping
from cabinet.store.errors import StoreDamagedError, StoreNewerError
from cabinet.store.journal import FILE, Journal
from cabinet.store.tickets import Ticket, read_all
from cabinet.store.verify import verify

LEFT = sorted((Path(__file__).parent / "journals").glob("form-*.db.gz"))
FORMS = range(1, len(schema.MIGRATIONS))
"""Every form but the newest."""
PRINTED_AGAIN = {3}
"""The ticket that was printed a second time; the oldest programs did not write when."""
REASONS_FROM = 4
"""From this form on a ticket that is void says why."""


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
    assert tables_of(connection) == {"steps", "machine", "events", "tickets", "facts", "snapshots", "checkpoint"} | {
        "closings",
        "closing_counts",
        "hours",
    }
    assert version_of(connection) == len(schema.MIGRATIONS)
    schema.migrate(connection)
    assert version_of(connection) == len(schema.MIGRATIONS)


@pytest.mark.requirement("ME-08")
def test_later_migrations_run_on_what_is_there(connection: sqlite3.Connection) -> None:
    schema.migrate(connection)
    connection.execute("INSERT INTO snapshots VALUES (1, x'00')")
    more = ("ALTER TABLE snapshots ADD COLUMN since INTEGER NOT NULL DEFAULT 7",)
    schema.migrate(connection, (*schema.MIGRATIONS, more))
    assert version_of(connection) == len(schema.MIGRATIONS) + 1
    assert connection.execute("SELECT * FROM snapshots").fetchall() == [(1, b"\0", 7)]


def test_a_migration_that_fails_leaves_no_half_of_it(connection: sqlite3.Connection) -> None:
    schema.migrate(connection)
    released = version_of(connection)
    wrong = ("CREATE TABLE half (x INTEGER) STRICT", "CREATE TABLE steps (x INTEGER) STRICT")
    with pytest.raises(sqlite3.OperationalError, match="table steps already exists"):
        schema.migrate(connection, (*schema.MIGRATIONS, wrong))
    assert version_of(connection) == released
    assert "half" not in tables_of(connection)


def as_newer(connection: sqlite3.Connection) -> None:
    """Bring a journal to a form that this program does not know, as a newer one does."""
    schema.migrate(connection, (*schema.MIGRATIONS, ("CREATE TABLE wings (x INTEGER) STRICT",)))


@pytest.mark.requirement("ME-08")
def test_a_newer_form_is_called_newer(connection: sqlite3.Connection) -> None:
    as_newer(connection)
    with pytest.raises(
        StoreNewerError, match=r"form 6, .* a newer program wrote it. Install that program again"
    ) as raised:
        schema.migrate(connection)
    assert raised.value.found == "6 > 5"
    assert "damaged" not in str(raised.value)


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("number", [1, 4, 6, 1 << 24])
def test_a_damaged_number_of_the_form_is_not_taken_for_another_form(
    connection: sqlite3.Connection, number: int
) -> None:
    schema.migrate(connection)
    connection.execute(f"PRAGMA user_version = {number}")
    with pytest.raises(StoreDamagedError, match=rf"number of its form is {number}, its facts say 5"):
        schema.form_of(connection)


def test_a_newer_form_counts_only_under_its_seal(connection: sqlite3.Connection) -> None:
    schema.migrate(connection)
    connection.execute("UPDATE facts SET value = '6' WHERE name = 'form'")
    connection.execute("PRAGMA user_version = 6")
    with pytest.raises(StoreDamagedError, match="is not sealed"):
        schema.form_of(connection)


# --- what older programs have left ------------------------------------------------------------------------------


def left_by(path: Path, folder: Path) -> Path:
    """A data folder as an older program has left it."""
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_bytes(gzip.decompress(path.read_bytes()))
    return folder


def test_there_are_journals_of_every_older_form(tmp_path: Path) -> None:
    found = set()
    for path in LEFT:
        with raw(left_by(path, tmp_path)) as connection:
            states = {state for (state,) in connection.execute("SELECT state FROM tickets")}
            found |= {(version_of(connection), state) for state in states}
    settled = {form: {"void"} if form < REASONS_FROM else {"paid by hand", "given back as credit"} for form in FORMS}
    assert {(form, state) for form in FORMS for state in {"issued", "printing", "in doubt"} | settled[form]} <= found


@pytest.mark.requirement("ME-08", "SE-03", "EV-05")
@pytest.mark.parametrize("path", LEFT, ids=lambda path: path.name)
def test_a_journal_of_an_older_program_is_right_as_it_is_and_after_the_update(path: Path, tmp_path: Path) -> None:
    before = verify(left_by(path, tmp_path))
    assert before.problems == ()
    with open_journal(tmp_path) as journal:
        assert journal.machine is not None
        assert {name: cents for name, cents in journal.machine.books.balances.items() if cents} == {
            name: cents for name, cents in before.accounts.items() if cents
        }
        listed = read_all(journal.connection)
    over = {number for number, ticket in listed.items() if ticket.state not in {"issued", "in doubt", "printing"}}
    assert over <= {number for number, ticket in listed.items() if ticket.settled_ms} <= over | PRINTED_AGAIN
    third = listed[3]
    assert third._replace(number="", settled_ms=0, settled_ok=0) == Ticket(
        "", 2_000, "issued", third.wall_ms, 1, 1, third.expires_days
    )
    after = verify(tmp_path)
    assert (after.problems, after.rows, after.accounts) == ((), before.rows, before.accounts)


@pytest.mark.requirement("ME-08", "SE-03", "PL-06")
@pytest.mark.parametrize("path", LEFT, ids=lambda path: path.name)
def test_two_copies_of_an_older_program_are_taken_over_as_they_are(path: Path, tmp_path: Path) -> None:
    first, second = left_by(path, tmp_path / "first"), left_by(path, tmp_path / "second")
    with Journal(first, number_of, second=second) as journal:
        assert journal.recovered == ()
    assert verify(first).ok
    assert verify(second).ok


@pytest.mark.requirement("ME-08", "SE-03", "TP-05")
@pytest.mark.parametrize("path", LEFT, ids=lambda path: path.name)
def test_a_ticket_that_was_open_at_the_update_is_in_doubt_and_settled_once(path: Path, tmp_path: Path) -> None:
    with open_journal(left_by(path, tmp_path)) as journal:

        def take(*inputs: Input) -> None:
            for input_ in inputs:
                assert journal.machine is not None
                step = engine.step(SETTINGS, journal.machine, input_, no_cards)
                journal.commit(input_, step, stamp(journal.seq + 1))

        take(PoweredUp(clean=False, version="1.0", program_hash="aa"), ACCEPTOR, PRINTER)
        assert journal.machine is not None
        lock = find(journal.machine, LockKind.PRINT_UNKNOWN)
        assert lock is not None
        assert lock.cents == 2_000
        take(
            KeyTurned(key=Key.AUDIT, on=True),
            SettleLock(lock_id=lock.lock_id, how=Settlement.PAID_BY_HAND),
            KeyTurned(key=Key.AUDIT, on=False),
        )
        assert lock.sequence is not None
        assert read_all(journal.connection)[lock.sequence].state == "paid by hand"
        assert journal.machine.locks == ()
    assert verify(tmp_path).problems == ()


@pytest.mark.requirement("ME-08", "EV-05")
@pytest.mark.parametrize("form", range(2, len(schema.MIGRATIONS)))
def test_tickets_of_dropped_rows_are_equal_to_those_of_the_checkpoint(form: int, tmp_path: Path) -> None:
    keeping = Keeping(rows=15, step=5, rounds=1, entries=20, of_a_kind=3, tickets=9)
    with Journal(tmp_path, number_of, keeping=keeping) as journal:
        for table in ("closings", "closing_counts", "hours"):
            journal.connection.execute(f"DROP TABLE {table}")
        for input_, step in takewhile(lambda each: not isinstance(each[0], ResetPeriod), session_steps()):
            journal.commit(input_, step, stamp(journal.seq + 1))
            drop_if_due(journal)
        before = read_all(journal.connection)
    as_form(tmp_path, form)
    verdict = verify(tmp_path)
    assert verdict.problems == ()
    assert verdict.since > 1
    with open_journal(tmp_path) as journal:
        assert read_all(journal.connection) == before


@pytest.mark.requirement("EV-05", "ME-08")
@pytest.mark.parametrize(
    "spoiled",
    [
        b'[{"sequence":1',
        b'[{"is":[],"sequence":1}]',
        b'[{"is":"PayingOut","sequence":[]}]',
        b'[4,"sequence"]',
        b'{"sequence":1}',
        b'"sequence"\xff',
    ],
)
def test_a_damaged_row_of_an_older_program_is_passed_over_and_named_by_the_check(
    tmp_path: Path, spoiled: bytes
) -> None:
    with raw(left_by(LEFT[0], tmp_path)) as connection:
        (row,) = connection.execute("SELECT min(seq) FROM steps WHERE events LIKE '%TicketVoided%'").fetchone()
        connection.execute("UPDATE steps SET events = CAST(? AS TEXT) WHERE seq = ?", (spoiled, row))
    verdict = verify(tmp_path)
    assert verdict.first_bad == row
    with pytest.raises(StoreDamagedError, match=f"row {row}: its words do not fit its hash"), open_journal(tmp_path):
        pass

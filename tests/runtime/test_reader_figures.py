"""What readers get: the figures of a machine, and answers from the journal."""

from pathlib import Path
from typing import Any

import pytest
from support.journals import keep, number_of, open_journal, random_steps, raw, session_steps

from cabinet.engine.ledger import Account
from cabinet.engine.locks import LOCKS
from cabinet.link import wire
from cabinet.runtime.reader_figures import answer, last_note, note_of, page, rows_after, status_figures
from cabinet.runtime.shown_values import TAIL
from cabinet.store import reports
from cabinet.store.following import NewestRow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with money, tickets and faults in it."""
    folder = tmp_path_factory.mktemp("played")
    keep(folder, *session_steps())
    return folder


def _long(values: Any) -> list[str]:
    """Every text in plain data."""
    if isinstance(values, dict):
        return [text for each in values.values() for text in _long(each)]
    if isinstance(values, list | tuple):
        return [text for each in values for text in _long(each)]
    return [values] if isinstance(values, str) else []


def test_the_status_has_the_money_and_everything_that_stands_in_the_way():
    for _, step in random_steps(3, 400)[::7]:
        machine = step.machine
        figures = status_figures(machine, NewestRow(7, "ab", 9), None)
        assert figures["credit"] == machine.books.credit_cents
        assert figures["tickets_out"] == machine.books.balance(Account.TICKETS)
        assert [lock["kind"] for lock in figures["locks"]] == [lock.kind.value for lock in machine.locks]
        assert all(lock.kind in LOCKS for lock in machine.locks)
        assert figures["open_doors"] == [door.value for door in machine.access.open_doors]
        assert (figures["seq"], figures["row_hash"], figures["row_ms"]) == (7, "ab", 9)
        assert figures["cash_box"] == sum(
            int(cents) * count for cents, count in figures["cash_box_by_denomination"].items()
        )


def test_the_last_note_of_the_events_is_the_last_note_of_the_journal(folder: Path):
    followed = None
    with open_journal(folder) as journal:
        for number, (_, step) in enumerate(session_steps(), start=1):
            followed = note_of(step.events, 1_700_000_000_000 + 1_000 * number) or followed
        assert followed == last_note(journal.connection)
    assert followed is not None


def test_no_answer_has_the_whole_number_of_a_ticket(folder: Path):
    with raw(folder) as connection:
        tickets = page(connection, wire.Tickets())
        assert tickets
        assert [row["tail"] for row in tickets] == [number_of(row["sequence"])[-TAIL:] for row in tickets]
        numbers = [row.number for row in reports.tickets(connection, limit=100)]
        answers = [
            tickets,
            page(connection, wire.Events()),
            page(connection, wire.Games()),
            rows_after(connection, 9, wire.Rows(after=0)).rows,
        ]
    texts = _long(answers)
    assert [text for text in texts for number in numbers if number in text] == []


def test_pages_go_on_where_the_one_before_ended(folder: Path):
    with raw(folder) as connection:
        for kind, key in ((wire.Events, "number"), (wire.Tickets, "sequence"), (wire.Games, "number")):
            first, second = page(connection, kind(limit=1)), page(connection, kind(limit=2))
            if len(second) == 2:
                assert page(connection, kind(limit=1, before=first[0][key])) == second[1:]
            assert first == second[:1]


def test_an_answer_names_its_row(folder: Path):
    with raw(folder) as connection:
        assert isinstance(reply := answer(connection, 12, wire.Events()), wire.Answer)
        assert reply.seq == 12
        assert isinstance(rows := answer(connection, 12, wire.Rows(after=3)), wire.Entries)
        assert {row["seq"] for row in rows.rows} - {0, 1, 2, 3} == {row["seq"] for row in rows.rows}


def test_the_largest_answer_fits_the_wire():
    """A row of the log may be long; 200 of the longest have room."""
    row = {
        "number": 2**62,
        "seq": 2**62,
        "wall_ms": 2**62,
        "clock_ok": True,
        "what": "x" * 60,
        "detail": "y" * 2_000,
        "cents": 2**62,
    }
    assert len(wire.encode(wire.Entries(seq=1, rows=[row] * wire.ROWS_AT_MOST, through=1))) < wire.ANSWER_BYTES

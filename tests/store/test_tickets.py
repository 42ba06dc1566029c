"""The record of issued tickets: what a ticket that is brought back is worth, and how its list is kept."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.clears import cleared_steps
from support.inputs import PRINTER
from support.journals import keep, number_of, open_journal, raw, session_steps, stamp
from support.machines import Cabinet, seated

from cabinet.engine.inputs import (
    BackOut,
    CashOut,
    Input,
    PayTicket,
    PrintFailed,
    PrintUnknown,
    Settlement,
    TicketPrinted,
)
from cabinet.engine.state import LockKind
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked
from cabinet.store import codec, reports, schema
from cabinet.store.chain import StepRow
from cabinet.store.errors import StoreDamagedError
from cabinet.store.tickets import DAY_MS, Ticket, after, look_up, read_all, to_pay
from cabinet.store.verify import verify

PAYABLE = TicketOffered(sequence=1, cents=4_000, standing=Standing.PAYABLE)
PRINTED_MS = stamp(0).wall_ms


def printing() -> Cabinet:
    """A cabinet that is printing ticket 1."""
    cabinet = seated("table", credit=4_000)
    cabinet.do(CashOut())
    return cabinet


def found(folder: Path, cabinet: Cabinet, now_ms: int = 0, sequence: int = 1) -> TicketOffered:
    """What the journal of this cabinet's history says of a ticket."""
    keep(folder, *cabinet.history)
    with open_journal(folder) as journal:
        return look_up(journal.connection, number_of(sequence), now_ms)


@pytest.mark.requirement("TP-12")
def test_an_issued_ticket_is_payable(tmp_path: Path) -> None:
    cabinet = printing()
    cabinet.do(TicketPrinted(sequence=1))
    assert found(tmp_path, cabinet) == PAYABLE


@pytest.mark.requirement("TP-12", "TP-04", "TP-05")
def test_a_ticket_is_worth_what_became_of_it(tmp_path: Path) -> None:
    cases = {
        Standing.OPEN: (),
        Standing.VOID: (PrintFailed(sequence=1, reason="no paper"),),
        Standing.USED: (TicketPrinted(sequence=1), PAYABLE, TicketStacked()),
    }
    for standing, facts in cases.items():
        cabinet, folder = printing(), tmp_path / standing.name
        cabinet.do(*facts)
        folder.mkdir()
        assert found(folder, cabinet) == TicketOffered(sequence=1, cents=4_000, standing=standing)
    cabinet, doubtful = printing(), tmp_path / "doubtful"
    cabinet.do(PrintUnknown(sequence=1, reason="line lost"))
    doubtful.mkdir()
    assert found(doubtful, cabinet).standing is Standing.OPEN


@pytest.mark.requirement("TP-12")
def test_a_number_that_was_never_issued_is_unknown(tmp_path: Path) -> None:
    cabinet = printing()
    assert found(tmp_path, cabinet, sequence=2) == TicketOffered(standing=Standing.UNKNOWN)


ISSUED = Ticket("1", 100, "issued", PRINTED_MS, 1, 0, 30)


@pytest.mark.requirement("TP-14")
@pytest.mark.parametrize(
    ("ticket", "after_ms", "over"),
    [
        (ISSUED, 31 * DAY_MS, False),
        (ISSUED, 31 * DAY_MS + 1, True),
        (ISSUED._replace(expires_days=0), 9_999 * DAY_MS, False),
        (ISSUED._replace(clock_ok=0), 9_999 * DAY_MS, False),
        (ISSUED._replace(state="in doubt"), 9_999 * DAY_MS, False),
        (ISSUED._replace(state="printing"), 9_999 * DAY_MS, False),
        (ISSUED._replace(state="redeemed"), 0, True),
        (ISSUED._replace(state="void"), 0, True),
    ],
)
def test_a_ticket_is_over_when_it_was_settled_or_its_last_day_is_past(
    ticket: Ticket, after_ms: int, *, over: bool
) -> None:
    assert ticket.is_over(PRINTED_MS + after_ms) is over


@pytest.mark.requirement("TP-14")
def test_an_expired_ticket_is_said_to_be_expired_by_a_clock_that_is_right(tmp_path: Path) -> None:
    cabinet = printing()
    cabinet.do(TicketPrinted(sequence=1))
    assert found(tmp_path, cabinet, PRINTED_MS + 92 * DAY_MS).standing is Standing.EXPIRED
    with open_journal(tmp_path) as journal:
        assert look_up(journal.connection, number_of(1), PRINTED_MS + 90 * DAY_MS).standing is Standing.PAYABLE
        assert look_up(journal.connection, number_of(1), 0).standing is Standing.PAYABLE


@pytest.mark.requirement("TP-13", "TP-12")
def test_the_list_says_when_a_ticket_came_back(tmp_path: Path) -> None:
    keep(tmp_path, *session_steps("tickets-in"))
    with open_journal(tmp_path) as journal:
        listed = {ticket.sequence: ticket for ticket in reports.tickets(journal.connection, limit=9)}
        states = {sequence: ticket.state for sequence, ticket in listed.items()}
    assert states == {1: "redeemed", 2: "redeemed", 3: "redeemed", 4: "redeemed", 5: "issued", 6: "paid by hand"}
    assert all(listed[sequence].settled_ms > listed[sequence].wall_ms for sequence in (1, 2, 3, 4, 6))
    assert (listed[5].settled_ms, listed[5].settled_ok) == (0, False)


@pytest.mark.requirement("TP-13", "TP-04", "TP-05", "TP-09")
@pytest.mark.parametrize(
    ("inputs", "state"),
    [
        ((PrintFailed(sequence=1, reason="no paper"),), "not printed"),
        ((PrintFailed(sequence=1, reason="no paper"), Settlement.PAID_BY_HAND), "paid by hand"),
        ((PrintFailed(sequence=1, reason="no paper"), BackOut()), "given back as credit"),
        ((PrintUnknown(sequence=1, reason="line lost"), Settlement.PAID_BY_HAND), "paid by hand"),
        ((PrintUnknown(sequence=1, reason="line lost"), Settlement.GIVE_CREDIT), "given back as credit"),
    ],
)
def test_the_list_says_what_became_of_a_ticket_and_when(
    tmp_path: Path, inputs: Sequence[Input | Settlement], state: str
) -> None:
    cabinet = printing()
    for each in inputs:
        if isinstance(each, Settlement):
            cabinet.settle(cabinet.machine.locks[0].kind, each)
        else:
            cabinet.do(each)
    keep(tmp_path, *cabinet.history)
    with open_journal(tmp_path) as journal:
        (row,) = reports.tickets(journal.connection, limit=9)
        assert to_pay(journal.connection, 1, 0) is None
    assert (row.state, row.settled_ms > row.wall_ms) == (state, True)
    assert verify(tmp_path).problems == ()


@pytest.mark.requirement("TP-05", "TP-09")
def test_a_duplicate_says_when_it_came_out_and_stays_payable(tmp_path: Path) -> None:
    cabinet = printing()
    cabinet.do(PrintUnknown(sequence=1, reason="line lost"), PRINTER)
    cabinet.settle(LockKind.PRINT_UNKNOWN, Settlement.REPRINT)
    cabinet.do(TicketPrinted(sequence=1))
    keep(tmp_path, *cabinet.history)
    with open_journal(tmp_path) as journal:
        (row,) = reports.unpaid_tickets(journal.connection)
        assert look_up(journal.connection, row.number, 0) == PAYABLE
    assert (row.state, row.duplicates, row.settled_ms > row.wall_ms) == ("issued", 1, True)
    assert verify(tmp_path).problems == ()


@pytest.mark.requirement("TP-13", "TP-14")
def test_the_desk_pays_what_is_out_expired_or_not_and_what_a_memory_clear_left(tmp_path: Path) -> None:
    cabinet = printing()
    cabinet.do(TicketPrinted(sequence=1))
    assert found(tmp_path, cabinet, PRINTED_MS + 92 * DAY_MS).standing is Standing.EXPIRED
    with open_journal(tmp_path) as journal:
        assert to_pay(journal.connection, 1, 0) == PayTicket(sequence=1, cents=4_000)
        late = to_pay(journal.connection, 1, PRINTED_MS + 92 * DAY_MS)
        assert late == PayTicket(sequence=1, cents=4_000, expired_days=1)
        assert to_pay(journal.connection, 2, 0) is None
    cleared = tmp_path / "cleared"
    cleared.mkdir()
    keep(cleared, *cleared_steps())
    with open_journal(cleared) as journal:
        assert to_pay(journal.connection, 1, 0) == PayTicket(sequence=1, cents=500, owed=False)


def test_a_journal_of_a_program_without_fates_reads_as_it_was_written() -> None:
    (event,) = codec.decode_events('[{"is":"TicketVoided","sequence":7}]')
    row = StepRow(1, 1, 5, 5, 1, 0, 0, "", "", "", "", "", "", b"")
    changed = after(event, Ticket("7", 100, "in doubt", 1, 1, 0), row, "")
    assert changed == Ticket("7", 100, "void", 1, 1, 0, 0, 5, 1)
    (event,) = codec.decode_events('[{"is":"PaidOut","cents":100,"sequence":7,"receipt":null}]')
    assert after(event, Ticket("7", 100, "printing", 1, 1, 1), row, "") == Ticket("7", 100, "issued", 1, 1, 1)


@pytest.mark.requirement("CM-05", "TP-12")
def test_verify_compares_the_tickets_that_are_out_with_the_books(tmp_path: Path) -> None:
    keep(tmp_path, *session_steps("tickets-in"))
    verdict = verify(tmp_path)
    assert verdict.ok, verdict.problems
    with open_journal(tmp_path) as journal:
        out = [ticket.cents for ticket in read_all(journal.connection).values() if ticket.state == "issued"]
    assert verdict.accounts["tickets"] == sum(out) > 0


@pytest.mark.requirement("TP-12", "CM-05")
def test_a_ticket_whose_redemption_was_taken_from_the_list_is_found(tmp_path: Path) -> None:
    keep(tmp_path, *session_steps("tickets-in"))
    with raw(tmp_path) as connection:
        connection.execute("UPDATE tickets SET state = 'issued' WHERE sequence = 1")
    problems = verify(tmp_path).problems
    assert any("ticket 1 is listed as issued" in problem for problem in problems), problems


@pytest.mark.requirement("PL-09", "TP-12")
def test_a_ticket_from_before_a_memory_clear_stays_listed_and_is_the_attendants(tmp_path: Path) -> None:
    keep(tmp_path, *cleared_steps())
    with open_journal(tmp_path) as journal:
        there = look_up(journal.connection, number_of(1), 0)
        (row,) = reports.tickets(journal.connection, limit=9)
    assert (there.sequence, there.cents, there.standing) == (1, 500, Standing.CLEARED)
    assert row.state == "issued before a memory clear"
    verdict = verify(tmp_path)
    assert (verdict.problems, verdict.accounts.get("tickets", 0)) == ((), 0)


def test_the_list_of_an_older_program_can_be_read(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "old.db", isolation_level=None)
    schema.migrate(connection, schema.MIGRATIONS[:2])
    connection.execute("INSERT INTO tickets VALUES (3, '7', 500, 'issued', 9, 1, 0)")
    before = read_all(connection)
    schema.migrate(connection)
    assert before == read_all(connection) == {3: Ticket("7", 500, "issued", 9, 1, 0)}
    assert look_up(connection, "7", PRINTED_MS).standing is Standing.PAYABLE
    connection.close()


@pytest.mark.requirement("TP-12", "PL-01")
def test_a_step_about_an_unknown_ticket_is_refused_and_not_kept(tmp_path: Path) -> None:
    cabinet = printing()
    *before, (input_, last) = [*cabinet.history, (TicketPrinted(sequence=1), cabinet.do(TicketPrinted(sequence=1)))]
    keep(tmp_path, *before)
    with open_journal(tmp_path) as journal:
        journal.connection.execute("DELETE FROM tickets")
        with pytest.raises(StoreDamagedError, match="speaks of ticket 1, which is not listed"):
            journal.commit(input_, last, stamp(journal.seq + 1))
        assert journal.seq == len(before)
        assert journal.connection.execute("SELECT max(seq) FROM steps").fetchone() == (len(before),)

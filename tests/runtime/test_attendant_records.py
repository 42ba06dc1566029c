"""Long lists from a journal: each part is the same as the whole list has there, and is read once for a step."""

from contextlib import ExitStack

import pytest
from support.attendant_data import keep, number_of
from support.machines import seated

from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillStacked,
    CashOut,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Stand,
    TicketPrinted,
)
from cabinet.engine.log import LogKind
from cabinet.runtime.attendant_records import JournalRecords
from cabinet.store import reports

DOORS = {LogKind.DOOR_OPENED.value, LogKind.DOOR_CLOSED.value}


@pytest.fixture
def kept(tmp_path):
    """A cabinet with five tickets and a door."""
    with ExitStack() as undo:
        found = keep(tmp_path, seated(credit=0), undo)
        for sequence in range(1, 6):
            found.do(BillOffered(cents=500), BillStacked(cents=500), CashOut(), TicketPrinted(sequence=sequence))
        found.do(DoorOpened(door=Door.MAIN), DoorClosed(door=Door.MAIN))
        yield found


def test_parts_of_the_log_make_up_the_whole(kept):
    records, every = kept.data().records, {kind.value for kind in LogKind}
    count = records.count_log(every)
    whole = records.read_log(every, 0, count)
    assert [row.number for row in whole] == sorted((row.number for row in whole), reverse=True)
    assert tuple(row for first in range(0, count, 3) for row in records.read_log(every, first, 3)) == whole
    assert len(whole) == count
    assert (records.count_log(DOORS), {row.what for row in records.read_log(DOORS, 0, 9)}) == (2, DOORS)


@pytest.mark.requirement("TP-09")
def test_tickets_are_read_in_parts_by_state_and_by_their_end_without_their_number(kept):
    records = kept.data().records
    assert [row.sequence for row in records.read_tickets(set(), 1, 3)] == [4, 3, 2]
    assert (records.count_tickets(set()), records.count_tickets({"redeemed"})) == (5, 0)
    (found,) = records.find_tickets(number_of(3)[-4:], 9)
    assert (found.sequence, found.tail) == (3, number_of(3)[-4:])
    assert [row.sequence for row in records.find_tickets("000005", 9)] == [5]
    assert records.find_tickets(number_of(3), 9) == (found,)


def test_a_part_is_read_once_for_a_step(kept):
    rows = []
    records = JournalRecords(kept.journal, lambda row: rows.append(row) or row, lambda row: row, kept.cabinet.settings)
    for _ in range(2):
        assert records.read_log(DOORS, 0, 9) == records.read_log(DOORS, 0, 9)
    assert len(rows) == reports.count_events(kept.journal.connection, what=DOORS)


@pytest.mark.requirement("EV-03")
def test_a_game_is_read_step_by_step_once_and_reading_changes_nothing(tmp_path):
    with ExitStack() as undo:
        kept = keep(tmp_path, seated("table", credit=10_000), undo)
        kept.cabinet.cards("9S 6D 8H 10C 10D")
        kept.do(Bet(), Deal(), Stand())
        seq, records = kept.journal.seq, kept.data().records
        game = records.read_game(1)
        assert game.steps[-1].machine.round == kept.cabinet.machine.round
        assert game.steps[-1].credit_cents == kept.cabinet.credit
        assert records.read_game(1) is game
        assert not records.read_game(2).kept
        assert kept.journal.seq == seq

"""Without a journal, the lists of the data stand for all rows: by kind, by state, by the end of the number."""

from dataclasses import replace

from support.attendant_data import bare_desk
from support.machines import seated

from cabinet.attendant.data import LogRow, TicketRow
from cabinet.attendant.pictures import PastGame
from cabinet.attendant.records import count_log, count_tickets, find_tickets, read_game, read_log, read_tickets

LOG = tuple(
    LogRow(number=n, when="", what="door opened" if n % 2 else "locked", detail="", cents=None) for n in range(9, 0, -1)
)
TICKETS = tuple(
    TicketRow(sequence=n, when="", cents=n, state="issued" if n > 3 else "redeemed", tail=f"{n * 11:04d}", duplicates=0)
    for n in range(6, 0, -1)
)
DATA = replace(bare_desk(seated()), events=LOG, notes=LOG[:2], tickets=TICKETS, unpaid=TICKETS[:3])


def test_a_list_has_each_row_of_its_kinds_once_newest_first():
    doors = read_log(DATA, {"door opened"}, 0, 10)
    assert [row.number for row in doors] == [9, 7, 5, 3, 1]
    assert count_log(DATA, {"door opened"}) == 5
    assert [row.number for row in read_log(DATA, {"door opened"}, 3, 10)] == [3, 1]


def test_tickets_are_listed_by_state_and_found_by_their_end():
    assert [row.sequence for row in read_tickets(DATA, set(), 1, 2)] == [5, 4]
    assert (count_tickets(DATA, set()), count_tickets(DATA, {"redeemed"})) == (6, 3)
    assert [row.sequence for row in find_tickets(DATA, "33")] == [3]
    assert [row.sequence for row in find_tickets(DATA, "000002")] == [2]


def test_without_a_journal_a_game_is_one_of_the_data_or_not_kept():
    game = PastGame(number=4)
    data = replace(bare_desk(seated()), games=(game,))
    assert read_game(data, 4) is game
    assert not read_game(data, 5).kept

"""The long lists: every kind of entry is on the log, every ticket is found, and only shown rows are read."""

from contextlib import ExitStack
from dataclasses import replace

import pytest
from support.attendant_data import MenuHand, bare_desk, keep, listed, number_of
from support.machines import seated

from cabinet.attendant.data import LogRow, TicketRow
from cabinet.attendant.menu import Menu
from cabinet.attendant.menu.moves import node_of
from cabinet.attendant.menu.record_pages import LOG_PAGES, TICKET_PAGES
from cabinet.attendant.menu.values import DIGIT_BUTTONS
from cabinet.attendant.pages import ROWS_PER_PAGE, Touched
from cabinet.attendant.till import TicketChosen
from cabinet.engine.inputs import Button, CashOut, Door, DoorClosed, DoorOpened, PrintUnknown, TicketPrinted
from cabinet.engine.log import LogKind

GAMES = {LogKind.GAME_STARTED, LogKind.GAME_ENDED}
PLAYERS_LIMITS = {LogKind.LIMIT_SET, LogKind.LIMIT_REACHED, LogKind.LIMIT_PASSED}
OF_DIGIT = {digit: button for button, digit in DIGIT_BUTTONS.items()}


@pytest.mark.requirement("AT-04")
def test_the_whole_log_has_every_kind_and_the_other_pages_all_but_games_and_limits_of_players():
    whole, *others = LOG_PAGES.values()
    assert whole == frozenset(LogKind)
    assert set().union(*others) == set(LogKind) - GAMES - PLAYERS_LIMITS


def test_a_page_of_the_log_has_only_its_kinds(tmp_path):
    with ExitStack() as undo:
        cabinet = keep(tmp_path, seated(credit=500), undo)
        cabinet.do(DoorOpened(door=Door.MAIN), DoorClosed(door=Door.MAIN), CashOut(), TicketPrinted(sequence=1))
        words = [line.cells[2].partition(":")[0] for line in listed(cabinet.data(), "Log", "Doors")]
        assert set(words) == {"Door opened", "Door closed"}
        assert len(listed(cabinet.data(), "Log", "Whole log")) > len(words)


def test_only_the_rows_that_are_shown_are_read():
    class Counting:
        """Records that count what is read of them."""

        read = 0

        def count_log(self, kinds: object) -> int:
            return 1_240

        def read_log(self, kinds: object, first: int, count: int) -> tuple[LogRow, ...]:
            self.read += count
            return tuple(
                LogRow(number=1_240 - n, when="", what="door opened", detail="", cents=None)
                for n in range(first, min(first + count, 1_240))
            )

    records = Counting()
    hand = MenuHand(data=replace(bare_desk(seated()), records=records))
    hand.choose("Log", "Whole log")
    hand.press(Button.CHIP)
    records.read = 0
    assert (hand.page.where, records.read) == ("rows 1,237-1,240 of 1,240", ROWS_PER_PAGE)


# --- tickets ----------------------------------------------------------------------------------------------------


def test_tickets_are_listed_by_their_state(tmp_path):
    with ExitStack() as undo:
        cabinet = keep(tmp_path, seated(credit=500), undo)
        cabinet.do(CashOut(), PrintUnknown(sequence=1, reason="link lost"))
        counts = {name: len(listed(cabinet.data(), "Tickets", name)) for name in TICKET_PAGES}
        found = {name for name in TICKET_PAGES if node_of(Menu(path=("Tickets", name)), cabinet.data()).listing.count}
    assert counts["All tickets"] == 1
    assert found == {"All tickets", "Tickets in doubt"}


@pytest.fixture
def kept(tmp_path):
    """A cabinet whose ticket 1 is out."""
    with ExitStack() as undo:
        found = keep(tmp_path, seated(credit=500), undo)
        found.do(CashOut(), TicketPrinted(sequence=1))
        yield found


@pytest.mark.requirement("TP-13", "TP-09")
@pytest.mark.parametrize("digits", [number_of(1)[-4:], number_of(1)[-2:], "000001", "1"])
def test_a_ticket_is_found_by_the_last_digits_of_its_bar_code_or_its_number_and_can_be_paid(kept, digits):
    hand = MenuHand(data=kept.data())
    hand.choose("Find a ticket")
    hand.press(*(OF_DIGIT[digit] for digit in digits))
    assert ("Tickets with this end", "1") in hand.rows
    hand.press(Button.DEAL)
    assert hand.page.menu == ("Ticket 000001  $5.00",)
    hand.press(Button.CASH_OUT, Button.CASH_OUT, Button.BET, Button.DEAL)
    assert hand.asked == [TicketChosen(sequence=1)]


def test_digits_are_touched_and_erased(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Find a ticket")
    for digit in (9, 9, 0):
        hand.touch(Touched.DIGIT, nth=digit)
    hand.touch(Touched.ERASE)
    assert hand.menu.digits == "99"
    hand.touch(Touched.TAKE)
    assert hand.rows == [("No ticket of this machine ends with 99",)]


def test_a_ticket_that_is_not_out_is_found_and_cannot_be_paid():
    row = TicketRow(sequence=7, when="then", cents=500, state="redeemed", tail="0042", duplicates=0, settled="now")
    hand = MenuHand(data=replace(bare_desk(seated()), tickets=(row,)))
    hand.choose("Find a ticket")
    hand.press(*(OF_DIGIT[digit] for digit in "042"), Button.DEAL, Button.CASH_OUT)
    assert hand.page.title == "Ticket 000007"
    assert ("It was", "redeemed now") in hand.rows
    assert hand.page.menu == ()

"""Paying a ticket at the desk, from the menu: found by its number however many are out, asked for a second time."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from support.attendant_data import KeptCabinet, MenuHand, bare_desk, keep, number_of
from support.clears import cleared_steps
from support.machines import seated

from cabinet.attendant import till
from cabinet.attendant.data import AttendantData, TicketRow
from cabinet.attendant.till import CHOICES, TicketChosen
from cabinet.engine.inputs import BillOffered, BillStacked, Button, CashOut, TicketPrinted

PAY = "Pay a ticket by hand"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptCabinet]:
    """A cabinet that has issued two tickets."""
    with ExitStack() as undo:
        cabinet = keep(tmp_path, seated("table", credit=500), undo)
        cabinet.do(CashOut(), TicketPrinted(sequence=1), BillOffered(cents=2_000), BillStacked(cents=2_000))
        cabinet.do(CashOut(), TicketPrinted(sequence=2))
        yield cabinet


def many(count: int) -> AttendantData:
    """Data with `count` tickets out, newest first, every third number missing."""
    sequences = [n for n in range(1, 2 * count) if n % 3][:count]
    tickets = [
        TicketRow(sequence=n, when="", cents=100 * n, state="issued", tail="", duplicates=0)
        for n in reversed(sequences)
    ]
    return replace(bare_desk(seated("table", credit=0)), unpaid=tuple(tickets))


@pytest.mark.requirement("TP-13", "AT-08")
def test_the_question_shows_amount_time_receipt_and_the_end_of_the_number(kept: KeptCabinet) -> None:
    hand = MenuHand(data=kept.data())
    hand.choose(PAY)
    assert hand.page.menu == ("Ticket 000002  $20.00", "Ticket 000001  $5.00")
    assert ("2 out", "$25.00") in [line.cells for line in hand.page.lines]
    hand.choose("Ticket 000001")
    read = dict(line.cells for line in hand.page.lines if len(line.cells) == 2)
    assert (read["Amount"], read["Receipt number"], read["Its number ends"]) == ("$5.00", "1", number_of(1)[-4:])
    assert read["Issued"]
    assert read["Good until"] != "no last day"
    assert hand.page.menu == ("No", "Yes")
    assert hand.asked == []


@pytest.mark.requirement("TP-13")
def test_a_no_pays_nothing_and_a_yes_asks_for_this_ticket_once(kept: KeptCabinet) -> None:
    hand = MenuHand(data=kept.data())
    hand.choose(PAY, "Ticket 000002", "No")
    assert hand.asked == []
    hand.choose("Ticket 000002", "Yes")
    assert hand.asked == [TicketChosen(sequence=2)]
    assert hand.page.title == PAY


@pytest.mark.parametrize("count", [0, 1, CHOICES, CHOICES + 1, 101, 1_234])
def test_every_ticket_is_found_in_few_steps_and_no_page_is_longer_than_the_panel_can_show(count: int) -> None:
    data = many(count)
    found: list[int] = []
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        ranges = waiting.pop()
        assert len(ranges) <= 3
        offered = till.choices(data, ranges)
        assert len(offered) <= CHOICES
        found += [choice.asks.sequence for choice in offered if choice.asks]
        waiting += [(*ranges, choice.goes) for choice in offered if choice.goes]
    assert sorted(found) == sorted(ticket.sequence for ticket in data.unpaid)


def test_the_way_back_leads_through_the_ranges() -> None:
    hand = MenuHand(data=many(25))
    hand.choose(PAY)
    range_ = hand.page.menu[1]
    hand.choose(range_)
    hand.choose(hand.page.menu[4])
    hand.press(Button.CLEAR, Button.CLEAR)
    assert hand.page.menu[hand.page.selected] == range_
    hand.press(Button.CLEAR)
    assert hand.page.menu[hand.page.selected] == PAY


def test_without_tickets_the_page_says_so() -> None:
    hand = MenuHand(data=many(0))
    hand.choose(PAY)
    assert [line.cells for line in hand.page.lines] == [("No ticket is out",)]
    assert hand.page.menu == ()


@pytest.mark.requirement("PL-09", "TP-13")
def test_a_ticket_from_before_a_memory_clear_can_be_chosen_and_says_what_it_is(tmp_path: Path) -> None:
    with ExitStack() as undo:
        kept = keep(tmp_path, seated("table", credit=0), undo)
        kept.keep(cleared_steps())
        lines = till.question_lines(kept.data(), TicketChosen(sequence=1))
    assert ("It was", "issued before a memory clear") in [line.cells for line in lines]


def test_a_ticket_that_is_gone_meanwhile_is_not_asked_about() -> None:
    (line,) = till.question_lines(many(3), TicketChosen(sequence=99))
    assert line.cells == ("This ticket is no longer out",)


# --- tickets that have expired ----------------------------------------------------------------------------------


def late(data: AttendantData, days: int) -> AttendantData:
    """Data at this number of days after the newest ticket has expired."""
    first, *others = data.unpaid
    return replace(data, unpaid=(replace(first, expired_days=days), *others))


@pytest.mark.requirement("TP-13", "TP-14")
def test_an_expired_ticket_says_so_in_the_list_and_is_asked_about_twice(kept: KeptCabinet) -> None:
    hand = MenuHand(data=late(kept.data(), 3))
    hand.choose(PAY)
    assert hand.page.menu == ("Ticket 000002  $20.00  EXPIRED 3 days ago", "Ticket 000001  $5.00")
    hand.choose("Ticket 000002")
    assert "EXPIRED 3 days ago" in hand.text
    hand.choose("Yes")
    assert hand.asked == []
    assert "The house decides" in hand.text
    assert (hand.page.menu, hand.page.selected) == (("No", "Yes"), 0)
    hand.choose("Yes")
    assert hand.asked == [TicketChosen(sequence=2, expired=True)]


@pytest.mark.requirement("TP-13", "TP-14")
def test_a_no_to_the_second_question_pays_nothing(kept: KeptCabinet) -> None:
    hand = MenuHand(data=late(kept.data(), 1))
    hand.choose(PAY, "Ticket 000002", "Yes", "No")
    assert hand.asked == []
    assert hand.page.menu == ("Ticket 000002  $20.00  EXPIRED 1 day ago", "Ticket 000001  $5.00")


@pytest.mark.requirement("TP-13", "TP-14")
def test_without_a_believed_clock_the_attendant_is_asked_to_compare_the_last_day(kept: KeptCabinet) -> None:
    hand = MenuHand(data=replace(kept.data(), time_believed=False))
    hand.choose(PAY, "Ticket 000002")
    assert "check by a calendar" in " ".join(hand.text.split())
    hand.choose("Yes")
    assert hand.asked == [TicketChosen(sequence=2)]

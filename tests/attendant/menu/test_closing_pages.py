"""Closed periods and cash boxes: listed with their count, read, and printed again; the question names the period."""

from dataclasses import replace

import pytest
from support.attendant_data import MenuHand, bare_desk
from support.machines import SETTINGS, seated

from cabinet.attendant.data import AttendantData, Closing
from cabinet.attendant.menu.closing_pages import difference_words, period_number
from cabinet.attendant.menu.values import DIGIT_BUTTONS, PrintClosing
from cabinet.engine.closing_facts import ClosingKind, EnterCount
from cabinet.engine.inputs import Button
from cabinet.store.reports import meters

PERIOD = Closing(
    kind=ClosingKind.PERIOD,
    number=2,
    began="01 Nov 2026 08:00:00",
    ended="02 Nov 2026 08:00:00",
    meters={},
    notes={500: 9, 2_000: 0, 10_000: 3},
    expected_cents=34_500,
    tickets_cents=1_250,
    counted_cents=34_000,
)
BOX = replace(PERIOD, kind=ClosingKind.CASH_BOX, number=5, counted_cents=None)


@pytest.fixture
def data() -> AttendantData:
    """A machine with a period and a cash box behind it."""
    cabinet = seated(credit=0)
    report = meters(cabinet.machine, [table.rules.game_id for table in SETTINGS.tables])
    return replace(bare_desk(cabinet), meters=report, closings=(BOX, PERIOD), time="03 Nov 2026 09:00:00")


@pytest.mark.requirement("AT-10")
def test_a_closing_is_listed_read_and_printed_again(data):
    hand = MenuHand(data=data)
    hand.choose("Closed periods")
    assert hand.page.menu == ("Cash box 5  $345.00", "Period 2  $345.00")
    assert hand.page.details == ("02 Nov 2026 08:00:00  not counted", "02 Nov 2026 08:00:00  $5.00 too little")
    hand.choose("Period 2")
    read = dict(cells for cells in hand.rows if len(cells) == 2)
    assert (read["From"], read["To"]) == (PERIOD.began, PERIOD.ended)
    assert (read["$5.00"], read["$100.00"], "$20.00" in read) == ("9 = $45.00", "3 = $300.00", False)
    assert (read["Expected in the cash box"], read["Counted"], read["Difference"]) == ("$345.00", "$340.00", "-$5.00")
    hand.choose("Print the slip", "Yes")
    assert hand.asked == [PrintClosing(kind=ClosingKind.PERIOD, number=2)]


@pytest.mark.parametrize(
    ("counted", "words"),
    [(34_500, "counted, agrees"), (34_499, "$0.01 too little"), (34_501, "$0.01 too much")],
)
def test_a_count_is_judged_to_the_cent(data, counted, words):
    assert difference_words(data, replace(BOX, counted_cents=counted)) == words


@pytest.mark.requirement("AT-10")
def test_the_question_before_a_period_is_closed_names_it_and_since_when_it_runs(data):
    hand = MenuHand(data=data)
    hand.choose("Close the period")
    assert hand.page.title == "Close the period?"
    assert {("Period 3", ""), ("Since", PERIOD.ended), ("Until now", data.time)} <= set(hand.rows)
    hand.data = replace(data, closings=(BOX,))
    assert period_number(hand.data) == 1
    assert ("Since", "the machine was new") in hand.rows


def test_a_closing_that_is_no_longer_listed_says_so(data):
    hand = MenuHand(data=data)
    hand.choose("Closed periods", "Period 2")
    hand.data = replace(data, closings=())
    assert hand.rows == [("This closing is no longer listed",)]


@pytest.mark.requirement("AT-10")
def test_a_count_is_entered_in_cents_and_asked_about_with_the_difference(data):
    hand = MenuHand(data=data)
    hand.choose("Closed periods", "Cash box 5", "Enter the count")
    buttons = {digit: button for button, digit in DIGIT_BUTTONS.items()}
    hand.press(*(buttons[digit] for digit in "34499"))
    assert ("Counted", "$344.99") in hand.rows
    hand.press(Button.DEAL)
    assert {("Counted", "$344.99"), ("Expected in the cash box", "$345.00"), ("Difference", "-$0.01")} <= set(hand.rows)
    assert hand.asked == []
    hand.choose("Yes")
    assert hand.asked == [EnterCount(kind=ClosingKind.CASH_BOX, number=5, cents=34_499)]
    assert hand.page.title == "Cash box 5"

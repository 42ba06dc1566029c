"""The page as a value: it names its buttons, fits, and shows what became of a request."""

import re
from contextlib import ExitStack
from dataclasses import replace

import pytest
from support.attendant_data import MenuHand, bare_desk, every_page, keep, number_of
from support.locked import under
from support.machines import seated

from cabinet.attendant import menu
from cabinet.attendant.audit_ticket import audit_rows
from cabinet.attendant.data import Closing, LogRow
from cabinet.attendant.menu import shown
from cabinet.attendant.menu.record_pages import MOST_DIGITS
from cabinet.attendant.menu.values import DIGIT_BUTTONS
from cabinet.attendant.pages import ENTRIES_PER_PAGE, LINES_PER_PAGE, ROWS_PER_PAGE, Head, Touched
from cabinet.engine.closing_facts import ClosingKind
from cabinet.engine.inputs import (
    Bet,
    Button,
    CashOut,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Stand,
    TicketPrinted,
)
from cabinet.engine.state import LockKind

FOUR = (Button.CHIP, Button.BET, Button.DEAL, Button.CLEAR)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A cabinet with a past: two games, a ticket, a door."""
    with ExitStack() as undo:
        found = keep(tmp_path_factory.mktemp("kept"), seated("table", credit=100_000), undo)
        for cards, choices in (("9S 6D 8H 10C 10D", (Stand(),)), ("AS 6D KH 10C", ())):
            found.cabinet.cards(cards)
            found.do(Bet(), Deal(), *choices)
        found.do(CashOut(), TicketPrinted(sequence=1), DoorOpened(door=Door.MAIN), DoorClosed(door=Door.MAIN))
        yield found


OTHERS = tuple(button for button in Button if button not in FOUR)


@pytest.mark.requirement("AT-04")
def test_every_page_names_its_buttons(kept):
    for _, page in every_page(kept.data()):
        assert "turn the key to leave" in page.help


@pytest.mark.requirement("AT-04")
def test_the_help_of_every_page_names_the_buttons_that_do_something(kept):
    data = kept.data()
    for where, page in every_page(data):
        if not menu.testing(where):
            beside = set(page.keys) if page.beside else set()
            named = {button for button in Button if re.search(rf"\b{button.value.upper()}\b", page.help)}
            assert named | beside == menu.lit(where, data), where.path
            assert not named & beside, where.path


def test_a_digit_is_lit_while_another_one_fits(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Find a ticket")
    for _ in range(MOST_DIGITS):
        assert menu.lit(hand.menu, hand.data) >= set(DIGIT_BUTTONS)
        hand.press(Button.HIT)
    assert menu.lit(hand.menu, hand.data) == {Button.DEAL, Button.CLEAR}
    full = hand.menu
    hand.press(Button.HIT)
    assert hand.menu == full


def test_every_page_fits_the_screen(kept):
    for _, page in every_page(kept.data()):
        assert len(page.lines) <= 2 * LINES_PER_PAGE
        assert len(page.menu) <= ENTRIES_PER_PAGE
        assert all(len(cell) <= 80 for line in page.lines for cell in line.cells)
        assert all(len(label) <= 44 for label in page.menu)
        assert page.menu == () or 0 <= page.selected < len(page.menu)
        assert 1 <= page.position[0] <= page.position[1]


def test_what_stands_beside_a_menu_is_one_page(kept):
    for _, page in every_page(kept.data()):
        assert not page.menu or page.position == (1, 1)


def test_a_page_without_lines_has_a_menu_or_figures(kept):
    for _, page in every_page(kept.data()):
        assert page.lines or page.menu or page.figures or page.picture


def test_the_buttons_that_mean_something_are_lit():
    data = bare_desk(seated())
    assert menu.lit(menu.open_menu(), data) == frozenset(Button) - {Button.CLEAR}, "there is no page above the first"
    hand = MenuHand(data=data)
    hand.choose("Tests")
    assert menu.lit(hand.menu, data) == frozenset(FOUR) | set(OTHERS[:5])


@pytest.mark.requirement("TP-09")
def test_the_whole_number_of_a_ticket_is_on_no_page_and_no_audit_ticket(kept):
    kept_numbers = {number_of(sequence) for sequence in range(1, kept.cabinet.machine.printer.next_ticket)}
    assert kept_numbers
    read = [cell for _, page in every_page(kept.data()) for line in page.lines for cell in line.cells]
    read += [cell for row in audit_rows(kept.data()) for cell in row]
    digits = ["".join(each for each in cell if each.isdigit()) for cell in read]
    assert not any(number[:-4] in each or number[4:14] in each for number in kept_numbers for each in digits)


def test_the_result_of_an_action_is_beside_the_title_until_the_next_press():
    hand = MenuHand(data=bare_desk(seated()))
    before = hand.page
    hand.menu = replace(hand.menu, outcome="The page came out.")
    assert replace(hand.page, notice="") == before
    assert hand.page.notice == "The page came out."
    hand.press(Button.BET)
    assert hand.page.notice == ""


def test_the_technician_reads_that_it_is_the_technicians_menu():
    cabinet = seated()
    cabinet.machine = replace(cabinet.machine, access=replace(cabinet.machine.access, technician=True))
    assert MenuHand(data=bare_desk(cabinet)).page.title == "Technician"


@pytest.mark.requirement("EV-07")
def test_the_menu_opens_with_the_question_about_the_clock_and_the_technician_reads_the_time():
    hand = MenuHand(data=replace(bare_desk(under(LockKind.CLOCK_INVALID)), time="1 Dec 2026 14:05:00 ?"))
    assert hand.page.notice == "The clock is not valid: see Locks."
    hand.choose("Locks")
    assert hand.page.notice == ""
    assert MenuHand(data=bare_desk(seated())).page.notice == ""
    cabinet = under(LockKind.CLOCK_INVALID)
    cabinet.technician()
    hand = MenuHand(data=replace(bare_desk(cabinet), time="1 Dec 2026 14:05:00 ?"))
    hand.choose("Locks", "Clock not valid", "The time is right")
    assert ("The clock shows", "1 Dec 2026 14:05:00 ?") in hand.rows


CLOSING = Closing(kind=ClosingKind.PERIOD, number=1, began="", ended="", meters={}, notes={500: 1}, expected_cents=500)

# --- the position and the head ----------------------------------------------------------------------------------


def test_a_list_says_which_rows_are_shown_and_reaches_the_last():
    rows = tuple(LogRow(number=n, when="now", what="door opened", detail="", cents=None) for n in range(40, 0, -1))
    hand = MenuHand(data=replace(bare_desk(seated()), events=rows))
    hand.choose("Log", "Whole log")
    assert hand.page.where == f"rows 1-{ROWS_PER_PAGE} of 40"
    hand.press(Button.CHIP)
    assert hand.page.where == "rows 37-40 of 40"
    read = [cells[0].split()[0] for cells in hand.rows]
    assert sorted(map(int, read)) == list(range(1, 41))


def test_more_entries_than_buttons_turn_with_the_bar(kept):
    closings = tuple(replace(CLOSING, number=n) for n in range(20, 0, -1))
    hand = MenuHand(data=replace(kept.data(), closings=closings))
    hand.choose("Closed periods")
    assert (hand.page.where, len(hand.page.menu)) == ("1-8 of 20", ENTRIES_PER_PAGE)
    hand.touch(Touched.LATER)
    assert hand.page.where == "9-16 of 20"
    assert hand.page.menu[0].startswith("Period 12")
    hand.press(Button.CASH_OUT)
    assert hand.page.title == "Period 12", "the button opens the line that is shown beside it"


def test_the_head_of_every_page_says_where_the_attendant_is_and_what_waits(kept):
    cabinet = under(LockKind.MAIN_DOOR)
    named = {"time": "01 Dec 2026 14:05:59", "machine_name": "0042", "venue": "Hall"}
    data = replace(bare_desk(cabinet), meters=kept.data().meters, **named)
    heads = {page.head for _, page in every_page(data)}
    assert heads == {
        Head(
            time="01 Dec 2026 14:05",
            machine="0042",
            venue="Hall",
            credit="Credit $5.00",
            who="Attendant is in",
            locks=1,
            locks_words="1 lock",
        )
    }
    doubted = shown.page(menu.open_menu(), replace(data, time="01 Dec 2026 14:05:59 ?", time_believed=False))
    assert doubted.head is not None
    assert doubted.head.time == "01 Dec 2026 14:05 ?"


def test_a_tab_for_each_group_is_on_every_page_but_the_first_and_pictures(kept):
    for where, page in every_page(kept.data()):
        names = [tab.key for tab in page.tabs]
        assert names == ([] if page.tabbed or page.picture else ["", *(group.name for group in menu.GROUPS)]), (
            where.path
        )
        assert bool(page.back) is not page.tabbed

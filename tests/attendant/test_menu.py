"""The menu: reading changes nothing, what changes something is asked twice, and four buttons are enough."""

import re
from contextlib import ExitStack
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.attendant_data import Extra, MenuHand, bare_desk, every_page, keep, number_of
from support.locked import BY_HAND, under, without_cause
from support.machines import SETTINGS, dealt, in_every_state, seated

from cabinet.attendant import menu, reports
from cabinet.attendant.pages import LINES_PER_PAGE
from cabinet.engine.inputs import (
    Bet,
    BillUnasked,
    Button,
    CashOut,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Key,
    KeyTurned,
    PrintUnknown,
    ResetPeriod,
    SetOutOfService,
    SettleLock,
    Settlement,
    Stand,
    TicketPrinted,
    VoidRound,
)
from cabinet.engine.machine import why_not
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import LockKind, State
from cabinet.store.reports import meters

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


NO_METERS = meters(seated(credit=0).machine, [table.rules.game_id for table in SETTINGS.tables])
"""What the store says of a machine on which nothing has happened."""


# --- nothing but a confirmed request changes anything -----------------------------------------------------------


@pytest.mark.requirement("AT-03", "EV-03")
@given(presses=st.lists(st.sampled_from(Button), max_size=40), kind=st.sampled_from(sorted(BY_HAND, key=str)))
def test_only_a_yes_asks_anything_of_the_machine(presses, kind):
    hand = MenuHand(data=replace(bare_desk(without_cause(under(kind))), meters=NO_METERS))
    for button in presses:
        asking, selected, before = hand.menu.asking, hand.menu.selected, len(hand.asked)
        hand.press(button)
        if len(hand.asked) > before:
            assert asking is not None
            assert selected == 1
            assert button is Button.DEAL
            assert hand.asked[-1] == asking.asks


REQUESTS = {
    "Close the period": ResetPeriod(),
    "Take out of service": SetOutOfService(out=True),
    "Print an audit ticket": Extra.AUDIT_TICKET,
}


@pytest.mark.requirement("AT-12", "ME-11")
@pytest.mark.parametrize("label", REQUESTS)
def test_a_request_is_made_after_a_second_yes(kept, label):
    hand = MenuHand(data=kept.data())
    hand.choose(label)
    assert hand.page.menu == ("No", "Yes")
    assert hand.page.selected == 0
    assert hand.asked == []
    hand.choose("Yes")
    assert hand.asked == [REQUESTS[label]]
    assert hand.page.title == "Attendant"


@pytest.mark.parametrize("label", REQUESTS)
def test_a_no_asks_nothing_and_leads_back(kept, label):
    hand = MenuHand(data=kept.data())
    hand.choose(label, "No")
    assert (hand.asked, hand.page.title) == ([], "Attendant")
    hand.choose(label)
    hand.press(Button.CLEAR)
    assert (hand.asked, hand.page.title) == ([], "Attendant")


def test_a_machine_out_of_service_can_be_put_back():
    hand = MenuHand(data=bare_desk(under(LockKind.OUT_OF_SERVICE)))
    hand.choose("Put back in service", "Yes")
    assert hand.asked == [SetOutOfService(out=False)]


def _settlements():
    """Every kind of lock that is settled, with every way it can be."""
    for kind in LockKind:
        machine = without_cause(under(kind)).machine
        yield from ((kind, how) for how in settlements_of(machine, machine.locks[0]))


@pytest.mark.requirement("AT-08", "TP-04", "CM-08")
@pytest.mark.parametrize(("kind", "how"), list(_settlements()), ids=str)
def test_a_lock_is_settled_after_a_second_yes_that_the_machine_accepts(kind, how):
    cabinet = without_cause(under(kind))
    cabinet.audit()
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks", kind.value.capitalize(), how.value.capitalize())
    assert hand.asked == []
    hand.choose("Yes")
    (request,) = hand.asked
    assert request == SettleLock(lock_id=cabinet.machine.locks[0].lock_id, how=how)
    assert why_not(cabinet.settings, cabinet.machine, request) is None
    assert hand.page.title == "Locks and how to settle them"


@pytest.mark.requirement("AT-08")
def test_a_hand_pay_shows_its_amount_and_receipt_number_before_and_during_the_question():
    cabinet = under(LockKind.HAND_PAY)
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks", "Hand-pay")
    expected = ("Receipt number", f"{cabinet.machine.printer.next_receipt}")
    lines = [line.cells for line in hand.page.lines]
    assert ("Amount", "$3,001.00") in lines
    assert expected in lines
    hand.choose("Paid by hand")
    lines = [line.cells for line in hand.page.lines]
    assert ("Hand-pay  $3,001.00",) in lines
    assert expected in lines


@pytest.mark.requirement("AT-10")
def test_closing_a_period_shows_what_must_be_in_the_cash_box(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Close the period")
    assert any(line.cells[0] == "Expected amount" for line in hand.page.lines)


# --- the open round ---------------------------------------------------------------------------------------------


def test_a_round_that_a_fault_holds_up_can_be_voided():
    cabinet = dealt("table", "9S 6D 8H 10C")
    cabinet.do(DoorOpened(door=Door.MAIN))
    cabinet.audit()
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks", "Void the open game", "Yes")
    assert hand.asked == [VoidRound()]
    assert why_not(cabinet.settings, cabinet.machine, VoidRound()) is None


def test_without_an_open_round_there_is_nothing_to_void():
    hand = MenuHand(data=bare_desk(under(LockKind.MAIN_DOOR)))
    hand.choose("Locks")
    assert hand.page.menu == ("Main door",)


# --- moving around ----------------------------------------------------------------------------------------------


@pytest.mark.requirement("AT-04")
def test_every_place_can_be_reached_left_and_read_with_four_buttons(kept):
    for where, _ in every_page(kept.data()):
        hand = MenuHand(data=kept.data(), menu=where)
        for _ in range(4):
            hand.press(Button.CLEAR)
        assert hand.page.title == "Attendant"


@pytest.mark.requirement("AT-04")
def test_every_page_names_its_buttons(kept):
    for _, page in every_page(kept.data()):
        assert "turn the key to leave" in page.help


@pytest.mark.requirement("AT-04")
def test_the_help_of_every_page_names_the_buttons_that_do_something(kept):
    data = kept.data()
    for where, page in every_page(data):
        if not menu.testing(where):
            named = {button for button in Button if re.search(rf"\b{button.value.upper()}\b", page.help)}
            assert named == menu.lit(where, data), where.path


def test_every_page_fits_the_screen(kept):
    for _, page in every_page(kept.data()):
        assert len(page.lines) <= LINES_PER_PAGE
        assert len(page.menu) <= 15
        assert all(len(cell) <= 80 for line in page.lines for cell in line.cells)
        assert all(len(label) <= 40 for label in page.menu)
        assert page.menu == () or 0 <= page.selected < len(page.menu)
        assert 1 <= page.position[0] <= page.position[1]


def test_what_stands_beside_a_menu_is_one_page(kept):
    for _, page in every_page(kept.data()):
        assert not page.menu or page.position == (1, 1)


def test_a_page_without_lines_has_a_menu(kept):
    for _, page in every_page(kept.data()):
        assert page.lines or page.menu


def test_the_bar_goes_round():
    hand = MenuHand(data=bare_desk(seated()))
    hand.press(Button.CHIP)
    assert hand.page.selected == len(hand.page.menu) - 1
    hand.press(Button.BET)
    assert hand.page.selected == 0


def test_pages_go_round(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Meters, lifetime")
    pages = hand.page.position[1]
    assert pages > 1
    hand.press(Button.CHIP)
    assert hand.page.position == (pages, pages)
    hand.press(Button.BET)
    assert hand.page.position == (1, pages)


def test_going_back_leaves_the_bar_where_it_was(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Tickets")
    hand.press(Button.CLEAR)
    assert hand.page.menu[hand.page.selected] == "Tickets"
    hand.press(Button.CLEAR)
    assert hand.page.menu[hand.page.selected] == "Tickets"


def test_deal_is_dark_and_dead_where_nothing_can_be_chosen(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Notes")
    before = hand.menu
    assert Button.DEAL not in menu.lit(hand.menu, hand.data)
    assert Button.CLEAR in menu.lit(hand.menu, hand.data)
    hand.press(Button.DEAL)
    assert hand.menu == before


@pytest.mark.requirement("AT-01")
@pytest.mark.parametrize("button", [button for button in Button if button not in FOUR])
def test_other_buttons_do_nothing(button):
    hand = MenuHand(data=bare_desk(under(LockKind.HAND_PAY)))
    before = hand.menu
    hand.press(button)
    assert (hand.menu, hand.asked) == (before, [])
    assert button not in menu.lit(hand.menu, hand.data)


def test_the_buttons_that_move_are_lit():
    data = bare_desk(seated())
    assert menu.lit(menu.open_menu(), data) == frozenset(FOUR) - {Button.CLEAR}, "there is no page above the first"
    hand = MenuHand(data=data)
    hand.choose("Tests")
    assert menu.lit(hand.menu, data) == frozenset(FOUR)


def test_the_page_of_a_lock_that_ended_meanwhile_says_so():
    cabinet = under(LockKind.MAIN_DOOR)
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks", "Main door")
    cabinet.do(DoorClosed(door=Door.MAIN))
    hand.data = bare_desk(cabinet)
    assert hand.page.title == "Locks and how to settle them"
    assert [line.cells for line in hand.page.lines] == [("This lock is gone",)]
    hand.press(Button.CLEAR)
    assert [line.cells for line in hand.page.lines] == [("Nothing is locked",)]


def test_a_question_about_a_lock_that_ended_meanwhile_is_harmless():
    cabinet = under(LockKind.HAND_PAY)
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks", "Hand-pay", "Paid by hand")
    cabinet.do(KeyTurned(key=Key.RESET, on=True))
    hand.data = bare_desk(cabinet)
    hand.choose("Yes")
    (request,) = hand.asked
    assert why_not(cabinet.settings, cabinet.machine, request) is not None


@pytest.mark.parametrize("state", State)
def test_the_menu_opens_on_a_machine_in_every_state(state):
    hand = MenuHand(data=bare_desk(in_every_state()[state]))
    assert hand.page.title == "Attendant"


@pytest.mark.requirement("TP-05")
def test_a_reprint_is_offered_only_with_a_printer_that_works():
    cabinet = under(LockKind.PRINT_UNKNOWN)
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks", "Print outcome unknown")
    assert Settlement.REPRINT.value.capitalize() in hand.page.menu
    cabinet.machine = replace(cabinet.machine, printer=replace(cabinet.machine.printer, ready=False))
    hand.data = bare_desk(cabinet)
    assert Settlement.REPRINT.value.capitalize() not in hand.page.menu


@pytest.mark.requirement("BA-01")
def test_an_unexpected_note_is_any_note_or_the_reported_amount():
    cabinet = seated(credit=0)
    cabinet.do(BillUnasked(reported_cents=600, detail="6 pulses"))
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks", "Unexpected note")
    assert any("value unknown: 6 pulses" in cell for line in hand.page.lines for cell in line.cells)
    assert "It is $5.00" in hand.page.menu
    hand.choose("It is $6.00", "Credit the note", "Yes")
    assert hand.asked == [SettleLock(lock_id=cabinet.machine.locks[0].lock_id, how=Settlement.CREDIT_NOTE, cents=600)]


# --- the test of lamps and buttons ------------------------------------------------------------------------------


@pytest.mark.requirement("AT-06")
def test_in_the_test_every_lamp_is_lit_and_test_stands_above():
    hand = MenuHand(data=bare_desk(seated()))
    assert not menu.testing(hand.menu)
    hand.choose("Tests", "Lamps")
    assert menu.testing(hand.menu)
    assert menu.lit(hand.menu, hand.data) == frozenset(Button)
    assert hand.page.lines[0].cells == ("TEST", "press every button but CLEAR: each goes dark")


@pytest.mark.requirement("AT-06")
def test_in_the_test_a_button_is_seen_and_does_nothing_else():
    hand = MenuHand(data=bare_desk(under(LockKind.HAND_PAY)))
    hand.choose("Tests", "Lamps")
    for button in Button:
        if button is not Button.CLEAR:
            hand.press(button)
    text = "\n".join("  ".join(line.cells) for line in hand.page.lines)
    assert text.count("works") == len(Button) - 1
    assert "not pressed yet" not in text
    assert "CLEAR  ends the test" in text
    assert menu.lit(hand.menu, hand.data) == {Button.CLEAR}, "a lamp goes dark with its own button and no other"
    assert hand.asked == []
    hand.press(Button.CLEAR)
    assert not menu.testing(hand.menu)


def test_the_test_begins_anew_each_time():
    hand = MenuHand(data=bare_desk(seated()))
    hand.choose("Tests", "Lamps")
    hand.press(Button.HIT, Button.CLEAR)
    hand.choose("Lamps")
    assert not any("works" in line.cells for line in hand.page.lines)


# --- the audit ticket -------------------------------------------------------------------------------------------


@pytest.mark.requirement("ME-11", "AT-10")
def test_the_audit_ticket_has_machine_period_lifetime_and_the_expected_amount(kept):
    rows = reports.audit_rows(kept.data())
    labels = [label for label, _ in rows]
    assert rows[0] == ("Venue", "Blackjack Cabinet")
    assert labels.index("THIS PERIOD") < labels.index("LIFETIME")
    assert labels.count("Expected amount") == 2
    assert labels.count("Coin in (all stakes)") == 2


@pytest.mark.requirement("TP-09")
def test_the_whole_number_of_a_ticket_is_on_no_page_and_no_audit_ticket(kept):
    kept_numbers = {number_of(sequence) for sequence in range(1, kept.cabinet.machine.printer.next_ticket)}
    assert kept_numbers
    read = [cell for _, page in every_page(kept.data()) for line in page.lines for cell in line.cells]
    read += [cell for row in reports.audit_rows(kept.data()) for cell in row]
    digits = ["".join(each for each in cell if each.isdigit()) for cell in read]
    assert not any(number[:-4] in each or number[4:14] in each for number in kept_numbers for each in digits)


def test_a_ticket_in_doubt_is_on_the_page_of_tickets(tmp_path):
    with ExitStack() as undo:
        cabinet = keep(tmp_path, seated(credit=500), undo)
        cabinet.do(CashOut(), PrintUnknown(sequence=1, reason="link lost"))
        hand = MenuHand(data=cabinet.data())
        hand.choose("Tickets")
        assert "in doubt" in hand.text


def test_the_test_shows_how_every_door_and_the_audit_key_stand():
    cabinet = under(LockKind.MAIN_DOOR)
    cabinet.do(KeyTurned(key=Key.AUDIT, on=True))
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Tests", "Lamps")
    rows = {line.cells[0]: line.cells[1] for line in hand.page.lines if len(line.cells) == 2}
    assert (rows["Main door"], rows["Cash box door"], rows["Logic door"]) == ("open", "shut", "shut")
    assert rows["Audit key"] == "turned"


# --- what became of it ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["Close the period", "Take out of service"])
@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_after_an_answer_the_bar_stands_where_the_question_was_asked(kept, label, answer):
    hand = MenuHand(data=kept.data())
    hand.choose(label)
    hand.choose(answer)
    assert hand.page.menu[hand.page.selected] == label


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

"""The pages of locks: what is at stake, each settlement with what it does, and the void of an open game."""

from dataclasses import replace

import pytest
from support.attendant_data import MenuHand, bare_desk
from support.locked import under, without_cause
from support.machines import dealt, seated

from cabinet.attendant.advice import CONSEQUENCES
from cabinet.attendant.menu.hands_on import LANGUAGES
from cabinet.attendant.menu.lock_pages import LOCKS_PAGE, lock_lines
from cabinet.attendant.pages import LINES_PER_PAGE, WIDE, LineStyle
from cabinet.attendant.places import PLACE_WORDS, PLACES
from cabinet.engine.inputs import (
    BillOffered,
    BillUnasked,
    Button,
    Door,
    DoorClosed,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    SettleLock,
    Settlement,
    VoidRound,
)
from cabinet.engine.machine import why_not
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import LockKind


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
    assert hand.page.title == LOCKS_PAGE


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


def test_the_page_of_a_lock_that_ended_meanwhile_says_so():
    cabinet = under(LockKind.MAIN_DOOR)
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks", "Main door")
    cabinet.do(DoorClosed(door=Door.MAIN))
    hand.data = bare_desk(cabinet)
    assert hand.page.title == LOCKS_PAGE
    assert [line.cells for line in hand.page.lines] == [("This lock is gone",)]
    hand.press(Button.CLEAR)
    assert [line.cells for line in hand.page.lines] == [("Nothing is locked",)]


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


def test_the_page_of_a_lock_draws_where_to_look_and_names_the_place():
    for kind in LockKind:
        cabinet = under(kind)
        cabinet.audit()
        hand = MenuHand(data=bare_desk(cabinet))
        hand.choose("Locks", kind.value.capitalize())
        drawing = hand.page.drawing
        assert (None if drawing is None else drawing.place) == PLACES.get(kind)
        assert drawing is None or (drawing.title, drawing.words) == ("Where to look", PLACE_WORDS[drawing.place])


@pytest.mark.requirement("AT-08")
@pytest.mark.parametrize(("kind", "how"), list(_settlements()), ids=str)
def test_each_settlement_says_beside_the_choice_what_it_does_to_the_books(kind, how):
    cabinet = without_cause(under(kind))
    cabinet.audit()
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks", kind.value.capitalize())
    beside = dict(zip(hand.page.menu, hand.page.details, strict=True))
    assert beside[how.value.capitalize()] == CONSEQUENCES[how]


def test_the_money_at_stake_stands_before_everything_else_that_is_known():
    hand = MenuHand(data=bare_desk(under(LockKind.PRINT_UNKNOWN)))
    hand.choose("Locks", "Print outcome unknown")
    money = hand.page.lines[1]
    assert (money.cells[0], money.style) == ("Amount", LineStyle.STRONG)


@pytest.mark.parametrize(("note", "ends"), [(True, "It stays until it is settled."), (False, "It can be cleared now.")])
def test_a_jam_that_is_gone_says_whether_it_is_cleared_or_settled(note, ends):
    cabinet = seated(credit=500)
    if note:
        cabinet.do(BillOffered(cents=2_000))
    cabinet.do(FaultBegan(fault=Fault.BILL_JAM), FaultEnded(fault=Fault.BILL_JAM))
    cabinet.audit()
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks", "Bill jam")
    words = " ".join(line.cells[0] for line in hand.page.lines)
    assert [each for each in ("It stays until it is settled.", "It can be cleared now.") if each in words] == [ends]


@pytest.mark.requirement("AT-04")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_a_lock_is_wrapped_in_every_language(language):
    for kind in LockKind:
        data = replace(bare_desk(under(kind)), language=language)
        lines = lock_lines(data, data.machine.locks[0])
        assert len(lines) <= LINES_PER_PAGE, kind
        assert all(len(line.cells[0]) <= WIDE for line in lines if len(line.cells) == 1), kind

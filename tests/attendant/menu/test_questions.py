"""The question before a request: asked once, its title says what, and only a Yes requests anything."""

from contextlib import ExitStack
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.attendant_data import Extra, MenuHand, bare_desk, keep
from support.locked import BY_HAND, under, without_cause
from support.machines import SETTINGS, seated

from cabinet.attendant import menu
from cabinet.attendant.menu.questions import question
from cabinet.attendant.menu.values import Entry, UseLanguage
from cabinet.attendant.till import TicketChosen
from cabinet.engine.inputs import (
    Bet,
    Button,
    CashOut,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Key,
    KeyTurned,
    ResetPeriod,
    SetOutOfService,
    Stand,
    TicketPrinted,
)
from cabinet.engine.machine import why_not
from cabinet.engine.state import LockKind
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


OTHERS = tuple(button for button in Button if button not in FOUR)


NO_METERS = meters(seated(credit=0).machine, [table.rules.game_id for table in SETTINGS.tables])
"""What the store says of a machine on which nothing has happened."""


@pytest.mark.requirement("AT-03", "EV-03")
@given(presses=st.lists(st.sampled_from(Button), max_size=40), kind=st.sampled_from(sorted(BY_HAND, key=str)))
def test_only_a_yes_asks_anything_of_the_machine(presses, kind):
    """The choice of a language asks nothing of the machine, and needs no yes."""
    hand = MenuHand(data=replace(bare_desk(without_cause(under(kind))), meters=NO_METERS))
    for button in presses:
        asking, selected, before = hand.menu.asking, hand.menu.selected, len(hand.asked)
        hand.press(button)
        if len(hand.asked) > before and not isinstance(hand.asked[-1], UseLanguage):
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
    assert hand.page.title == f"{label}?"
    hand.choose("Yes")
    assert hand.asked == [REQUESTS[label]]
    assert hand.page.title in {"Money", "Service"}


@pytest.mark.parametrize("label", REQUESTS)
def test_a_no_asks_nothing_and_leads_back(kept, label):
    hand = MenuHand(data=kept.data())
    hand.choose(label, "No")
    assert (hand.asked, hand.page.title) == ([], hand.menu.path[0])
    hand.choose(label)
    hand.press(Button.CLEAR)
    assert (hand.asked, hand.page.title) == ([], hand.menu.path[0])


def test_a_machine_out_of_service_can_be_put_back():
    hand = MenuHand(data=bare_desk(under(LockKind.OUT_OF_SERVICE)))
    hand.choose("Put back in service", "Yes")
    assert hand.asked == [SetOutOfService(out=False)]


@pytest.mark.requirement("AT-10")
def test_closing_a_period_shows_what_must_be_in_the_cash_box(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Close the period")
    assert any(line.cells[0] == "Expected amount" for line in hand.page.lines)


@pytest.mark.parametrize("button", OTHERS)
def test_at_a_question_only_the_bar_chooses(kept, button):
    hand = MenuHand(data=kept.data())
    hand.choose("Close the period")
    before = hand.menu
    hand.press(button)
    assert (hand.menu, hand.asked) == (before, [])
    assert button not in menu.lit(hand.menu, hand.data)


def test_a_question_about_a_lock_that_ended_meanwhile_is_harmless():
    cabinet = under(LockKind.HAND_PAY)
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks", "Hand-pay", "Paid by hand")
    cabinet.do(KeyTurned(key=Key.RESET, on=True))
    hand.data = bare_desk(cabinet)
    hand.choose("Yes")
    (request,) = hand.asked
    assert why_not(cabinet.settings, cabinet.machine, request) is not None


def test_a_question_has_a_title_of_its_own_and_begins_at_no():
    asked = question(Entry(label="Close the period", asks=SetOutOfService(out=True)), bare_desk(seated()))
    assert (asked.title, [entry.label for entry in asked.entries]) == ("Close the period?", ["No", "Yes"])
    assert [entry.asks for entry in asked.entries] == [None, SetOutOfService(out=True)]
    assert not asked.direct


def test_the_question_about_a_ticket_names_what_is_done_with_it():
    asked = question(Entry(label="Ticket 000007  $5.00", asks=TicketChosen(sequence=7)), bare_desk(seated()))
    assert asked.title == "Pay ticket 000007 by hand?"

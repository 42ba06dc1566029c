"""What presses and touches do: the bar, direct buttons, pages, the way back."""

from contextlib import ExitStack

import pytest
from support.attendant_data import MenuHand, bare_desk, every_page, keep
from support.locked import under
from support.machines import seated

from cabinet.attendant import menu
from cabinet.attendant.menu.moves import touch
from cabinet.attendant.pages import PageTouch, Touched
from cabinet.engine.inputs import (
    Bet,
    Button,
    CashOut,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    ResetPeriod,
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
def test_every_place_can_be_reached_left_and_read_with_four_buttons(kept):
    for where, _ in every_page(kept.data()):
        hand = MenuHand(data=kept.data(), menu=where)
        for _ in range(4 + len(where.digits)):
            hand.press(Button.CLEAR)
        assert hand.page.title == "Attendant"


def test_the_bar_goes_round():
    hand = MenuHand(data=bare_desk(seated()))
    hand.press(Button.CHIP)
    assert hand.page.selected == len(hand.page.menu) - 1
    hand.press(Button.BET)
    assert hand.page.selected == 0


def test_pages_go_round(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Meters")
    pages = hand.page.position[1]
    assert pages > 1
    hand.press(Button.CHIP)
    assert hand.page.position == (pages, pages)
    hand.press(Button.BET)
    assert hand.page.position == (1, pages)


def test_going_back_leaves_the_bar_where_it_was(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Tickets", "Tickets in doubt")
    hand.press(Button.CLEAR)
    assert hand.page.menu[hand.page.selected] == "Tickets in doubt"
    hand.press(Button.CLEAR)
    assert hand.page.menu[hand.page.selected] == "Tickets"
    hand.press(Button.CLEAR)
    assert hand.page.menu[hand.page.selected] == "Tickets"


def test_deal_is_dark_and_dead_where_nothing_can_be_chosen(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Log", "Notes")
    before = hand.menu
    assert Button.DEAL not in menu.lit(hand.menu, hand.data)
    assert Button.CLEAR in menu.lit(hand.menu, hand.data)
    hand.press(Button.DEAL)
    assert hand.menu == before


@pytest.mark.requirement("AT-01", "AT-04")
@pytest.mark.parametrize("nth", range(len(OTHERS)))
def test_each_other_button_opens_the_line_beside_which_it_stands(kept, nth):
    by_button, by_bar = MenuHand(data=kept.data()), MenuHand(data=kept.data())
    assert by_button.page.keys == OTHERS
    by_button.press(OTHERS[nth])
    by_bar.choose(by_bar.page.menu[nth])
    assert (by_button.page, by_button.asked) == (by_bar.page, [])


@pytest.mark.parametrize("button", OTHERS)
def test_a_button_beside_no_line_does_nothing_and_is_dark(kept, button):
    hand = MenuHand(data=kept.data())
    hand.choose("Meters")
    before = hand.menu
    hand.press(button)
    assert (hand.menu, hand.asked) == (before, [])
    assert button not in menu.lit(hand.menu, hand.data)


def test_what_is_touched_does_what_its_button_does(kept):
    hand = MenuHand(data=kept.data())
    hand.touch(Touched.ENTRY, "Money")
    hand.touch(Touched.ENTRY, "Close the period")
    hand.touch(Touched.ENTRY, "Yes")
    assert hand.asked == [ResetPeriod()]
    hand.touch(Touched.TAB, "Log")
    hand.touch(Touched.ENTRY, "Doors")
    assert hand.page.title == "Doors"
    hand.touch(Touched.BACK)
    assert (hand.page.title, hand.page.menu[hand.page.selected]) == ("Log", "Doors")
    hand.touch(Touched.TAB)
    assert hand.page.title == "Attendant"


def test_a_touch_made_on_another_page_does_nothing(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Close the period")
    late = PageTouch(place=hand.page.place, what=Touched.ENTRY, nth=1, word="Yes")
    hand.choose("No")
    before = hand.menu
    assert touch(hand.menu, late, hand.data) == (before, None)
    hand.choose("Print an audit ticket")
    assert touch(hand.menu, late, hand.data) == (hand.menu, None), "the Yes of another question"


def test_a_touch_of_a_line_that_is_another_one_now_does_nothing():
    cabinet = under(LockKind.HAND_PAY)
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks")
    moved = PageTouch(place=hand.page.place, what=Touched.ENTRY, nth=0, word="Main door")
    assert touch(hand.menu, moved, hand.data) == (hand.menu, None)


def test_pages_and_sounds_are_turned_by_touch(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Meters")
    hand.touch(Touched.LATER)
    assert hand.page.position[0] == 2
    hand.touch(Touched.EARLIER)
    assert hand.page.position[0] == 1
    hand.choose("Tests", "Sound")
    first = hand.page.sound
    hand.touch(Touched.LATER)
    assert hand.page.sound != first


@pytest.mark.parametrize("label", ["Close the period", "Take out of service"])
@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_after_an_answer_the_bar_stands_where_the_question_was_asked(kept, label, answer):
    hand = MenuHand(data=kept.data())
    hand.choose(label)
    hand.choose(answer)
    assert hand.page.menu[hand.page.selected] == label

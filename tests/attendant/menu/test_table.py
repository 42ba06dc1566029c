"""The table of the menu: every page is two presses away, and what is done most takes four."""

from contextlib import ExitStack
from dataclasses import replace

import pytest
from support.attendant_data import Extra, MenuHand, bare_desk, keep
from support.locked import under, without_cause
from support.machines import in_every_state, seated

from cabinet.attendant.menu.table import GROUPS, node_at
from cabinet.attendant.menu.values import Menu, Steps, UseLanguage
from cabinet.attendant.till import TicketChosen
from cabinet.engine.inputs import (
    Bet,
    Button,
    CashOut,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    ResetPeriod,
    SettleLock,
    Settlement,
    Stand,
    TicketPrinted,
)
from cabinet.engine.state import LockKind, State
from cabinet.store import reports

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
def test_every_page_of_a_group_is_at_most_two_presses_away(kept):
    data = kept.data()
    for nth, group in enumerate(GROUPS, start=2):
        for row, leaf in enumerate(group.leaves):
            hand = MenuHand(data=data)
            hand.press(OTHERS[nth], OTHERS[row])
            assert hand.menu.path == (group.name, leaf.name) or hand.menu.asking is not None, leaf.name


SHORT_WAYS = {
    "audit ticket": ((Button.PLACE, Button.DOUBLE, Button.BET, Button.DEAL), Extra.AUDIT_TICKET),
    "close the period": ((Button.PLACE, Button.REBET, Button.BET, Button.DEAL), ResetPeriod()),
    "pay a ticket": ((Button.CASH_OUT, Button.CASH_OUT, Button.BET, Button.DEAL), TicketChosen(sequence=1)),
}


@pytest.mark.parametrize("what", SHORT_WAYS)
def test_what_is_done_most_takes_four_presses(kept, what):
    presses, request = SHORT_WAYS[what]
    hand = MenuHand(data=kept.data())
    hand.press(*presses)
    assert hand.asked == [request]


def test_the_first_lock_is_settled_with_four_presses():
    cabinet = without_cause(under(LockKind.PRINT_UNKNOWN))
    hand = MenuHand(data=bare_desk(cabinet))
    hand.press(Button.SERVICE, Button.CASH_OUT, Button.BET, Button.DEAL)
    assert hand.asked == [SettleLock(lock_id=cabinet.machine.locks[0].lock_id, how=Settlement.TICKET_CAME_OUT)]


@pytest.mark.parametrize("state", State)
def test_the_menu_opens_on_a_machine_in_every_state(state):
    hand = MenuHand(data=bare_desk(in_every_state()[state]))
    assert hand.page.title == "Attendant"


@pytest.mark.requirement("PL-07")
def test_of_doubtful_data_nothing_is_requested_but_a_language() -> None:
    """Every page that can be reached, with a lock that the attendant could settle and as the technician."""
    cabinet = under(LockKind.LARGE_WIN)
    cabinet.do(DoorOpened(door=Door.LOGIC))
    meters = reports.meters(cabinet.machine, ("classic", "european", "table"))
    data = replace(bare_desk(cabinet), meters=meters, doubtful=True)
    places, asked = [()], []
    for path in places:
        node = node_at(Menu(path=path), data)
        assert node.steps in {Steps.NONE, Steps.PICTURES}, path
        asked += [each.asks for each in node.entries if each.asks is not None]
        places += [(*path, *each.goes) for each in node.entries if each.goes]
    assert len(set(places)) > 30
    assert {type(each) for each in asked} == {UseLanguage}

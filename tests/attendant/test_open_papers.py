"""A note or ticket that is on its way, on the attendant's pages: the jam asks where it is, the till does not pay it."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.attendant_data import KeptCabinet, MenuHand, bare_desk, keep, listed
from support.machines import seated

from cabinet.attendant.advice import CONSEQUENCES
from cabinet.attendant.till import TicketChosen
from cabinet.engine.inputs import (
    BillOffered,
    BillReturned,
    BillStacked,
    CashOut,
    Fault,
    FaultBegan,
    FaultEnded,
    PaperOverdue,
    SettleLock,
    Settlement,
    TicketPrinted,
)
from cabinet.engine.state import LockKind
from cabinet.engine.ticket_facts import Standing, TicketOffered

PAY = "Pay a ticket by hand"
TICKET = TicketOffered(sequence=1, cents=500, standing=Standing.PAYABLE)
JAM, FREED = FaultBegan(fault=Fault.BILL_JAM), FaultEnded(fault=Fault.BILL_JAM)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptCabinet]:
    """A cabinet with two tickets out, the first of which is on its way into the acceptor."""
    with ExitStack() as undo:
        cabinet = keep(tmp_path, seated("table", credit=500), undo)
        cabinet.do(CashOut(), TicketPrinted(sequence=1), BillOffered(cents=2_000), BillStacked(cents=2_000))
        cabinet.do(CashOut(), TicketPrinted(sequence=2), TICKET)
        yield cabinet


@pytest.mark.requirement("AT-04")
@pytest.mark.parametrize("how", [Settlement.CREDIT_NOTE, Settlement.NOTE_RETURNED])
def test_a_jam_with_a_note_on_its_way_shows_the_amount_and_asks_where_it_is(how: Settlement) -> None:
    cabinet = seated("table", credit=2_000)
    cabinet.do(BillOffered(cents=5_000), JAM, FREED)
    cabinet.audit()
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks")
    assert hand.page.menu == ("Bill jam  $50.00",)
    hand.choose("Bill jam")
    assert ("Amount", "$50.00") in [line.cells for line in hand.page.lines]
    assert hand.page.menu == ("Credit the note", "The note went back")
    hand.choose(how.value.capitalize())
    read = " ".join(cell for line in hand.page.lines for cell in line.cells)
    assert "Bill jam  $50.00" in read
    assert CONSEQUENCES[how] in read
    hand.choose("Yes")
    assert hand.asked == [SettleLock(lock_id=cabinet.lock(LockKind.BILL_JAM).lock_id, how=how)]


def test_a_jam_with_a_ticket_on_its_way_names_it_and_the_receipt(kept: KeptCabinet) -> None:
    kept.do(JAM, FREED)
    kept.cabinet.audit()
    hand = MenuHand(data=bare_desk(kept.cabinet))
    hand.choose("Locks", "Bill jam")
    lines = [line.cells for line in hand.page.lines]
    assert {("Amount", "$5.00"), ("Ticket", "000001"), ("Receipt number", "1")} <= set(lines)
    assert hand.page.menu == ("Credit the ticket", "Paid by hand", "The ticket went back")


@pytest.mark.requirement("TP-13")
def test_a_ticket_in_the_acceptor_is_listed_as_such_and_not_offered_for_payment(kept: KeptCabinet) -> None:
    for settled in (False, True):
        second, first = (line.cells for line in listed(kept.data(), "Tickets", "All tickets"))
        assert (second[3], first[3]) == ("issued  $20.00", "in the acceptor  $5.00")
        hand = MenuHand(data=kept.data())
        hand.choose(PAY)
        assert hand.page.menu == ("Ticket 000002  $20.00",)
        lines = [line.cells for line in hand.page.lines]
        assert {("2 out", "$25.00"), ("Ticket 000001 is in the acceptor", "$5.00")} <= set(lines)
        if not settled:
            kept.do(PaperOverdue(after_s=60))


@pytest.mark.requirement("TP-13")
def test_a_ticket_that_came_back_is_offered_again(kept: KeptCabinet) -> None:
    kept.do(BillReturned())
    hand = MenuHand(data=kept.data())
    hand.choose(PAY, "Ticket 000001", "Yes")
    assert hand.asked == [TicketChosen(sequence=1)]


def test_a_ticket_put_in_while_its_question_stands_is_not_out_any_more(kept: KeptCabinet) -> None:
    kept.do(BillReturned())
    hand = MenuHand(data=kept.data())
    hand.choose(PAY, "Ticket 000001")
    kept.do(TICKET)
    hand.data = kept.data()
    assert "This ticket is no longer out" in [cell for line in hand.page.lines for cell in line.cells]

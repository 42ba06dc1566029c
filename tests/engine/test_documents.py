"""A document in the path: when it is in doubt, and the attendant who settles its jam is asked where it is."""

from collections.abc import Sequence

import pytest
from support.inputs import ACCEPTOR
from support.machines import Cabinet, seated

from cabinet.engine import machine as engine
from cabinet.engine.documents import DOUBTS, doubtful, intent_of
from cabinet.engine.inputs import (
    BillOffered,
    BillReturned,
    BillStacked,
    Button,
    CashOut,
    Fault,
    FaultBegan,
    FaultEnded,
    Input,
    Key,
    KeyTurned,
    PaperOverdue,
    PayTicket,
    Settlement,
    TicketPrinted,
)
from cabinet.engine.ledger import Account
from cabinet.engine.log import LogKind
from cabinet.engine.settlement import settlements_of, stuck_document
from cabinet.engine.state import Acceptor, LockKind, Machine, NoteIntent, TicketIntent
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked
from cabinet.engine.tickets_in import in_acceptor

OVERDUE = PaperOverdue(after_s=60)
OFFERED = BillOffered(cents=500)
TICKET = {"sequence": 1, "cents": 2_000, "standing": Standing.PAYABLE}
JAM, FREED = FaultBegan(fault=Fault.BILL_JAM), FaultEnded(fault=Fault.BILL_JAM)


def with_note() -> Cabinet:
    """Twenty on the meter, and a note of five on its way."""
    cabinet = seated("table", credit=2_000)
    cabinet.do(OFFERED)
    return cabinet


def with_ticket() -> Cabinet:
    """Five on the meter, and a ticket of twenty on its way."""
    cabinet = seated("table", credit=2_000)
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    cabinet.note(500)
    cabinet.do(TicketOffered(**TICKET))  # type: ignore[arg-type]
    return cabinet


def test_a_document_in_doubt_is_a_lock_with_its_amount_and_number() -> None:
    for document in (NoteIntent(cents=500), TicketIntent(sequence=3, cents=2_000)):
        lock = doubtful(Machine(acceptor=Acceptor(document=document)))
        assert lock is not None
        assert lock.kind in DOUBTS
        assert intent_of(lock) == document
    assert doubtful(Machine()) is None


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize(
    ("late", "credit", "locks"),
    [
        ((), 2_000, [LockKind.NOTE_IN_DOUBT]),
        ((BillStacked(cents=500),), 2_500, []),
        ((BillStacked(cents=None),), 2_500, []),
        ((BillReturned(recovered=True),), 2_000, []),
        ((ACCEPTOR,), 2_000, [LockKind.NOTE_IN_DOUBT]),
    ],
)
def test_an_overdue_note_is_in_doubt_until_the_acceptor_says_more(
    late: Sequence[Input], credit: int, locks: list[LockKind]
) -> None:
    cabinet = with_note()
    cabinet.do(OVERDUE, *late)
    assert (cabinet.credit, cabinet.locked(), cabinet.machine.acceptor.in_path) == (credit, locks, None)


def test_nothing_is_overdue_where_nothing_is_open() -> None:
    cabinet = seated("table", credit=2_000)
    before = cabinet.machine
    step = cabinet.do(OVERDUE)
    assert (step.machine, step.events) == (before, ())


@pytest.mark.requirement("TP-12")
def test_an_overdue_ticket_is_in_doubt_and_credited_when_the_acceptor_says_so_after_all() -> None:
    cabinet = with_ticket()
    cabinet.do(OVERDUE)
    assert cabinet.lock(LockKind.TICKET_IN_DOUBT).sequence == 1
    cabinet.do(TicketStacked(**TICKET))  # type: ignore[arg-type]
    assert (cabinet.credit, cabinet.locked()) == (2_500, [])


# --- the jam ------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("AT-04", "BA-03")
@pytest.mark.parametrize(
    ("how", "credit", "logged"),
    [
        (Settlement.CREDIT_NOTE, 2_500, LogKind.NOTE_ACCEPTED),
        (Settlement.NOTE_RETURNED, 2_000, LogKind.SETTLED),
    ],
)
def test_settling_a_jam_with_a_note_on_its_way_says_where_it_is(how: Settlement, credit: int, logged: LogKind) -> None:
    cabinet = with_note()
    cabinet.do(JAM, FREED)
    jam = cabinet.lock(LockKind.BILL_JAM)
    assert settlements_of(cabinet.machine, jam) == (Settlement.CREDIT_NOTE, Settlement.NOTE_RETURNED)
    cabinet.settle(LockKind.BILL_JAM, how)
    assert (cabinet.credit, cabinet.locked(), cabinet.machine.acceptor.in_path) == (credit, [], None)
    assert logged in cabinet.logged()


@pytest.mark.requirement("AT-04", "TP-12")
@pytest.mark.parametrize(
    ("how", "credit", "tickets"),
    [
        (Settlement.CREDIT_TICKET, 2_500, 0),
        (Settlement.PAID_BY_HAND, 500, 0),
        (Settlement.TICKET_RETURNED, 500, 2_000),
    ],
)
def test_settling_a_jam_with_a_ticket_on_its_way_says_where_it_is(how: Settlement, credit: int, tickets: int) -> None:
    cabinet = with_ticket()
    cabinet.do(JAM, FREED)
    assert how in settlements_of(cabinet.machine, cabinet.lock(LockKind.BILL_JAM))
    cabinet.settle(LockKind.BILL_JAM, how)
    assert (cabinet.credit, cabinet.balance(Account.TICKETS)) == (credit, tickets)
    assert (cabinet.locked(), cabinet.machine.acceptor.in_path) == ([], None)


def test_a_late_report_of_a_note_settled_with_its_jam_is_not_booked_again() -> None:
    cabinet = with_note()
    cabinet.do(JAM, FREED)
    cabinet.settle(LockKind.BILL_JAM, Settlement.CREDIT_NOTE)
    cabinet.do(BillStacked(cents=500))
    assert (cabinet.credit, cabinet.locked()) == (2_500, [])


def test_the_reset_key_says_yes_to_a_jam_only_while_no_note_is_on_its_way() -> None:
    cabinet = with_note()
    cabinet.do(JAM, FREED, KeyTurned(key=Key.RESET, on=True))
    assert cabinet.locked() == [LockKind.BILL_JAM]
    cabinet.do(KeyTurned(key=Key.RESET, on=False), BillReturned(), KeyTurned(key=Key.RESET, on=True))
    assert cabinet.locked() == []


def test_a_jam_that_is_still_there_is_not_settled_and_one_without_a_note_is_cleared() -> None:
    cabinet = with_note()
    cabinet.do(JAM)
    assert settlements_of(cabinet.machine, cabinet.lock(LockKind.BILL_JAM)) == ()
    cabinet.do(BillReturned(), FREED)
    jam = cabinet.lock(LockKind.BILL_JAM)
    assert (settlements_of(cabinet.machine, jam), stuck_document(cabinet.machine, jam)) == ((Settlement.CLEAR,), None)


def test_another_lock_is_settled_as_ever_while_a_note_is_on_its_way() -> None:
    cabinet = with_note()
    cabinet.do(FaultBegan(fault=Fault.BILL_CHEAT), FaultEnded(fault=Fault.BILL_CHEAT))
    cabinet.settle(LockKind.BILL_CHEAT, Settlement.CLEAR)
    assert cabinet.machine.acceptor.in_path is not None


# --- payment by hand ----------------------------------------------------------------------------------------------


@pytest.mark.requirement("TP-13")
def test_a_ticket_is_in_the_acceptor_from_its_offer_until_it_is_settled_and_not_paid_by_hand() -> None:
    cabinet = with_ticket()
    pay = PayTicket(sequence=1, cents=2_000)
    for said in (None, OVERDUE):
        if said is not None:
            cabinet.do(said)
        assert in_acceptor(cabinet.machine, 1)
        assert not in_acceptor(cabinet.machine, 2)
        cabinet.audit()
        assert cabinet.refusal(pay) is not None
        cabinet.audit(on=False)
    cabinet.settle(LockKind.TICKET_IN_DOUBT, Settlement.TICKET_RETURNED)
    assert not in_acceptor(cabinet.machine, 1)
    cabinet.audit()
    cabinet.do(pay)


def test_cash_out_is_dark_only_until_the_document_is_settled() -> None:
    cabinet = with_note()
    assert Button.CASH_OUT not in engine.lit(cabinet.settings, cabinet.machine)
    cabinet.do(OVERDUE)
    cabinet.settle(LockKind.NOTE_IN_DOUBT, Settlement.NOTE_RETURNED)
    assert Button.CASH_OUT in engine.lit(cabinet.settings, cabinet.machine)

"""Tickets put in: taken once, credited once, and in doubt when the outcome is not known."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.cases import case
from support.inputs import ACCEPTOR
from support.machines import POWER, SETTINGS, Cabinet, seated

from cabinet.engine import bills_in, tickets_in
from cabinet.engine.effects import Credited, PaidOut, Reason, ReturnBill, StackBill, TicketGoesBack, TicketRedeemed
from cabinet.engine.inputs import (
    BillOffered,
    BillReturned,
    BillStacked,
    CashOut,
    Door,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    Input,
    Settlement,
    TicketPrinted,
)
from cabinet.engine.ledger import Account
from cabinet.engine.log import LogKind
from cabinet.engine.state import LockKind, Settings, TicketIntent
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked
from cabinet.engine.tickets_in import covered, why_not_ticket

OFFERED = TicketOffered(sequence=1, cents=4_000, standing=Standing.PAYABLE)
STACKED = TicketStacked(sequence=1, cents=4_000, standing=Standing.PAYABLE)
USED = replace(STACKED, standing=Standing.USED)
UNNAMED = TicketStacked()


def with_ticket(settings: Settings = SETTINGS) -> Cabinet:
    """A cabinet without credit that has paid 40.00 on ticket 1."""
    cabinet = seated("table", credit=0, settings=settings)
    cabinet.note(2_000)
    cabinet.note(2_000)
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    return cabinet


def again(fact: TicketStacked | BillStacked | BillReturned) -> Input:
    """The same, reported after a power-up."""
    return replace(fact, recovered=True)


# --- the straight way -------------------------------------------------------------------------------------------


@pytest.mark.requirement("TP-12", "BA-01")
def test_a_ticket_is_credit_when_it_is_stacked_and_not_before() -> None:
    cabinet = with_ticket()
    step = cabinet.do(OFFERED)
    assert step.effects == (StackBill(),)
    assert (cabinet.credit, cabinet.machine.acceptor.in_path) == (0, TicketIntent(sequence=1, cents=4_000))
    step = cabinet.do(STACKED)
    assert Credited(cents=4_000, ticket=True) in step.events
    assert TicketRedeemed(sequence=1) in step.events
    assert (cabinet.credit, cabinet.machine.acceptor.in_path, cabinet.balance(Account.TICKETS)) == (4_000, None, 0)


@pytest.mark.requirement("CM-05", "ME-06")
def test_a_ticket_in_is_counted_and_the_self_audit_has_its_term() -> None:
    cabinet = with_ticket()
    cabinet.do(OFFERED, STACKED)
    assert (cabinet.meter("tickets_in"), cabinet.meter("tickets_in_count")) == (4_000, 1)
    ins = cabinet.meter("bills_in") + cabinet.meter("tickets_in")
    assert cabinet.credit == ins - cabinet.meter("tickets_out") == 4_000


def test_a_ticket_that_comes_back_out_stays_good() -> None:
    cabinet = with_ticket()
    cabinet.do(OFFERED, BillReturned())
    assert (cabinet.credit, cabinet.machine.acceptor.in_path, cabinet.balance(Account.TICKETS)) == (0, None, 4_000)
    assert cabinet.logged()[-1] is LogKind.TICKET_RETURNED
    cabinet.do(OFFERED, STACKED)
    assert cabinet.credit == 4_000


# --- what goes back ---------------------------------------------------------------------------------------------


@pytest.mark.requirement("TP-12", "TP-05")
@pytest.mark.parametrize("standing", [each for each in Standing if each is not Standing.PAYABLE])
def test_a_ticket_that_is_not_payable_goes_back_with_its_reason_and_a_log_entry(standing: Standing) -> None:
    cabinet = with_ticket()
    step = cabinet.do(replace(OFFERED, standing=standing))
    assert step.effects == (ReturnBill(),)
    assert TicketGoesBack(reason=Reason.NOT_ALLOWED, standing=standing) in step.events
    assert (cabinet.machine.acceptor.in_path, cabinet.credit) == (None, 0)
    assert cabinet.logged()[-1] is LogKind.TICKET_REFUSED


@pytest.mark.requirement("TP-12")
@pytest.mark.parametrize(("sequence", "cents"), [(1, 4_001), (1, 0), (2, 4_000), (None, 4_000)])
def test_what_the_books_do_not_owe_is_no_ticket_of_ours(sequence: int | None, cents: int) -> None:
    cabinet = with_ticket()
    step = cabinet.do(TicketOffered(sequence=sequence, cents=cents, standing=Standing.PAYABLE))
    assert TicketGoesBack(reason=Reason.NOT_ALLOWED, standing=Standing.UNKNOWN) in step.events


@pytest.mark.requirement("BA-04")
@pytest.mark.parametrize(
    ("before", "reason"),
    [
        ((DoorOpened(door=Door.MAIN),), Reason.LOCKED),
        ((FaultBegan(fault=Fault.CASHBOX_FULL),), Reason.LOCKED),
        ((BillOffered(cents=500), BillStacked(cents=500), CashOut()), Reason.NOT_NOW),
        ((BillOffered(cents=500),), Reason.NOT_NOW),
    ],
)
def test_a_ticket_goes_back_while_no_money_is_taken(before: Sequence[Input], reason: Reason) -> None:
    cabinet = with_ticket()
    cabinet.do(*before)
    step = cabinet.do(OFFERED)
    assert step.effects == (ReturnBill(),)
    assert TicketGoesBack(reason=reason, standing=Standing.PAYABLE) in step.events


def test_a_ticket_goes_back_while_the_attendant_looks() -> None:
    cabinet = with_ticket()
    cabinet.audit()
    assert why_not_ticket(SETTINGS, cabinet.machine, OFFERED) is Reason.AUDIT


@pytest.mark.requirement("BA-04", "TP-12")
def test_tickets_are_taken_until_the_credit_is_at_its_limit() -> None:
    settings = replace(SETTINGS, credit_limit_cents=10_000)
    for credit, fits in ((10_000 - min(settings.notes_cents) + 1, True), (9_999, True), (10_000, False)):
        with case(credit=credit):
            machine = seated("table", credit=credit, settings=settings).machine
            assert tickets_in.taking(settings, machine) is fits
            assert not bills_in.taking(settings, machine)


@pytest.mark.requirement("TP-12")
def test_no_tickets_are_taken_where_a_ticket_would_go_back() -> None:
    cabinet = seated("table")
    assert tickets_in.taking(cabinet.settings, cabinet.machine)
    assert not tickets_in.taking(replace(SETTINGS, tickets_in=False), cabinet.machine)
    cabinet.audit()
    assert not tickets_in.taking(cabinet.settings, cabinet.machine)
    cabinet.audit(on=False)
    cabinet.do(FaultBegan(fault=Fault.CASHBOX_FULL))
    assert not tickets_in.taking(cabinet.settings, cabinet.machine)


@pytest.mark.requirement("BA-04")
def test_the_credit_limit_holds_for_tickets() -> None:
    cabinet = with_ticket(replace(SETTINGS, credit_limit_cents=4_500))
    cabinet.note(500)
    assert why_not_ticket(cabinet.settings, cabinet.machine, OFFERED) is None
    cabinet.note(100)
    step = cabinet.do(OFFERED)
    assert TicketGoesBack(reason=Reason.OVER_LIMIT, standing=Standing.PAYABLE) in step.events


def test_a_machine_set_to_take_no_tickets_gives_them_back() -> None:
    cabinet = with_ticket(replace(SETTINGS, tickets_in=False))
    assert cabinet.do(OFFERED).effects == (ReturnBill(),)


# --- once only --------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TP-05", "TP-12")
def test_a_copy_of_an_open_ticket_goes_back_and_the_first_is_in_doubt() -> None:
    cabinet = with_ticket()
    cabinet.do(OFFERED)
    step = cabinet.do(OFFERED)
    assert step.effects == (ReturnBill(),)
    assert cabinet.locked() == [LockKind.TICKET_IN_DOUBT]
    assert (cabinet.lock(LockKind.TICKET_IN_DOUBT).cents, cabinet.credit) == (4_000, 0)


@pytest.mark.requirement("TP-12", "BA-02")
@pytest.mark.parametrize("fact", [USED, UNNAMED, BillStacked(cents=None)], ids=["named", "unnamed", "any paper"])
def test_a_booked_ticket_reported_again_after_a_restart_is_booked_once(fact: TicketStacked | BillStacked) -> None:
    cabinet = with_ticket()
    cabinet.do(OFFERED, STACKED, POWER, again(fact), ACCEPTOR)
    assert (cabinet.credit, cabinet.meter("tickets_in"), cabinet.locked()) == (4_000, 4_000, [])


@pytest.mark.requirement("TP-12")
def test_a_used_ticket_in_the_box_that_is_no_repeat_is_a_lock_without_an_amount() -> None:
    cabinet = with_ticket()
    cabinet.do(OFFERED, STACKED, ACCEPTOR, USED)
    lock = cabinet.lock(LockKind.UNEXPECTED_TICKET)
    assert (lock.cents, lock.detail) == (0, "ticket 1: used already")
    cabinet.settle(LockKind.UNEXPECTED_TICKET, Settlement.CLEAR)
    assert (cabinet.credit, cabinet.meter("tickets_in"), cabinet.locked()) == (4_000, 4_000, [])


@pytest.mark.requirement("TP-12")
def test_each_unexpected_ticket_has_its_lock() -> None:
    cabinet = with_ticket()
    cabinet.do(STACKED, TicketStacked(sequence=None, standing=Standing.UNKNOWN), USED)
    unexpected = [lock for lock in cabinet.machine.locks if lock.kind is LockKind.UNEXPECTED_TICKET]
    assert [lock.cents for lock in unexpected] == [4_000, 0, 0]


@pytest.mark.requirement("TP-12")
def test_a_foreign_ticket_in_the_box_is_never_taken_for_a_repeat() -> None:
    cabinet = with_ticket()
    foreign = TicketStacked(sequence=None, standing=Standing.UNKNOWN, recovered=True)
    cabinet.do(OFFERED, STACKED, POWER, foreign)
    assert cabinet.lock(LockKind.UNEXPECTED_TICKET).detail == "no ticket of this machine: not issued here"


# --- doubt ------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("BA-03", "TP-12")
@pytest.mark.parametrize(
    ("how", "credit", "owed", "by_hand"),
    [
        (Settlement.CREDIT_TICKET, 4_000, 0, 0),
        (Settlement.PAID_BY_HAND, 0, 0, 4_000),
        (Settlement.TICKET_RETURNED, 0, 4_000, 0),
    ],
)
def test_the_attendant_settles_a_ticket_in_doubt_once(how: Settlement, credit: int, owed: int, by_hand: int) -> None:
    cabinet = with_ticket()
    cabinet.do(OFFERED, POWER, ACCEPTOR)
    lock = cabinet.lock(LockKind.TICKET_IN_DOUBT)
    assert (lock.cents, lock.sequence) == (4_000, 1)
    step = cabinet.settle(LockKind.TICKET_IN_DOUBT, how)
    assert step.machine.locks == ()
    settled = [event for event in cabinet.events if isinstance(event, TicketRedeemed)]
    assert settled == ([] if how is Settlement.TICKET_RETURNED else [TicketRedeemed(sequence=1)])
    found = cabinet.credit, cabinet.balance(Account.TICKETS), cabinet.balance(Account.HAND_PAID)
    assert (found, cabinet.balance(Account.SUSPENSE)) == ((credit, owed, by_hand), 0)
    receipts = [event.receipt for event in cabinet.events if isinstance(event, PaidOut) and event.receipt]
    assert receipts == ([1] if by_hand else [])


@pytest.mark.requirement("TP-12", "BA-02")
@pytest.mark.parametrize("report", [USED, UNNAMED, BillStacked(cents=None)], ids=["named", "unnamed", "any paper"])
@pytest.mark.parametrize("recovered", [True, False], ids=["after a restart", "plainly"])
@pytest.mark.parametrize("how", [Settlement.CREDIT_TICKET, Settlement.PAID_BY_HAND])
def test_a_ticket_settled_by_the_attendant_and_reported_after_all_is_booked_once(
    how: Settlement, report: TicketStacked | BillStacked, *, recovered: bool
) -> None:
    cabinet = with_ticket()
    cabinet.do(OFFERED, FaultBegan(fault=Fault.ACCEPTOR_LINK))
    cabinet.settle(LockKind.TICKET_IN_DOUBT, how)
    cabinet.do(FaultEnded(fault=Fault.ACCEPTOR_LINK), replace(report, recovered=recovered), ACCEPTOR)
    assert (cabinet.meter("tickets_in"), cabinet.balance(Account.TICKETS)) == (4_000, 0)
    assert (cabinet.meter("bills_in"), cabinet.locked()) == (4_000, [])


@pytest.mark.requirement("TP-12")
def test_a_ticket_that_was_said_to_be_back_and_is_in_the_box_after_all_is_suspended() -> None:
    cabinet = with_ticket()
    cabinet.do(OFFERED, POWER, ACCEPTOR)
    cabinet.settle(LockKind.TICKET_IN_DOUBT, Settlement.TICKET_RETURNED)
    cabinet.do(STACKED)
    assert (cabinet.locked(), cabinet.balance(Account.SUSPENSE)) == ([LockKind.UNEXPECTED_TICKET], 4_000)


@pytest.mark.requirement("BA-01", "TP-12")
@pytest.mark.parametrize(("how", "credit"), [(Settlement.CREDIT_TICKET, 4_000), (Settlement.PAID_BY_HAND, 0)])
def test_a_ticket_without_an_intent_waits_in_suspense_for_the_attendant(how: Settlement, credit: int) -> None:
    cabinet = with_ticket()
    step = cabinet.do(STACKED)
    assert TicketRedeemed(sequence=1) in step.events
    assert (cabinet.credit, cabinet.balance(Account.SUSPENSE)) == (0, 4_000)
    cabinet.settle(LockKind.UNEXPECTED_TICKET, how)
    assert (cabinet.credit, cabinet.balance(Account.SUSPENSE), cabinet.locked()) == (credit, 0, [])
    assert cabinet.balance(Account.HAND_PAID) == 4_000 - credit


@pytest.mark.requirement("BA-01")
def test_another_ticket_than_the_one_expected_leaves_both_to_the_attendant() -> None:
    cabinet = with_ticket()
    cabinet.note(500)
    cabinet.do(CashOut(), TicketPrinted(sequence=2))
    cabinet.do(OFFERED, TicketStacked(sequence=2, cents=500, standing=Standing.PAYABLE))
    assert cabinet.locked() == [LockKind.TICKET_IN_DOUBT, LockKind.UNEXPECTED_TICKET]
    assert (cabinet.balance(Account.SUSPENSE), cabinet.credit) == (500, 0)


def test_a_note_offered_while_a_ticket_is_open_leaves_the_ticket_in_doubt() -> None:
    cabinet = with_ticket()
    step = cabinet.do(OFFERED, BillOffered(cents=500))
    assert step.effects == (ReturnBill(),)
    assert cabinet.locked() == [LockKind.TICKET_IN_DOUBT]


def test_a_ticket_stacked_while_a_note_is_open_leaves_the_note_in_doubt() -> None:
    cabinet = with_ticket()
    cabinet.do(BillOffered(cents=500), STACKED)
    assert cabinet.locked() == [LockKind.NOTE_IN_DOUBT, LockKind.UNEXPECTED_TICKET]


def test_nothing_is_paid_out_while_a_ticket_is_on_its_way_in() -> None:
    cabinet = with_ticket()
    cabinet.note(500)
    cabinet.do(OFFERED)
    assert cabinet.refusal(CashOut()) == "NOT_NOW"


def test_the_books_cover_a_ticket_up_to_what_is_out() -> None:
    machine = with_ticket().machine
    assert [covered(machine, cents) for cents in (0, 1, 4_000, 4_001)] == [False, True, True, False]

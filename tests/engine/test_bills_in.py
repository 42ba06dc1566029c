"""Notes: taken or given back, credited once against an open intent, in doubt or in suspense otherwise."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.inputs import ACCEPTOR, NOTES
from support.machines import POWER, SETTINGS, Cabinet, dealt, in_every_state, seated

from cabinet.engine.bills_in import taking, why_not_note
from cabinet.engine.effects import Credited, NoteGoesBack, Reason, ReturnBill, StackBill
from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillReturned,
    BillStacked,
    CashOut,
    Deal,
    Door,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    Key,
    KeyTurned,
    SetOutOfService,
    SettleLock,
    Settlement,
    TicketPrinted,
)
from cabinet.engine.ledger import Account
from cabinet.engine.locks import LOCKS
from cabinet.engine.log import LogKind
from cabinet.engine.state import LockKind, NoteIntent, State

OFFER, STACKED = BillOffered(cents=2_000), BillStacked(cents=2_000)


def test_a_note_is_stacked_first_and_credit_only_when_it_is_in_the_box() -> None:
    cabinet = seated("table", credit=0)
    step = cabinet.do(OFFER)
    assert step.effects == (StackBill(),)
    assert (cabinet.credit, cabinet.machine.acceptor.in_path) == (0, NoteIntent(cents=2_000))
    step = cabinet.do(STACKED)
    assert Credited(cents=2_000) in step.events
    assert (cabinet.credit, cabinet.machine.acceptor.in_path) == (2_000, None)
    assert (cabinet.meter("bills_in"), cabinet.meter("bills:2000")) == (2_000, 1)
    assert cabinet.logged()[-1] is LogKind.NOTE_ACCEPTED


@pytest.mark.requirement("BA-01")
def test_a_stacked_note_out_of_nowhere_is_a_fault_and_no_credit() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(STACKED)
    assert (cabinet.credit, cabinet.balance(Account.SUSPENSE)) == (0, 2_000)
    assert cabinet.locked() == [LockKind.UNEXPECTED_NOTE]
    assert LogKind.NOTE_UNEXPECTED in cabinet.logged()
    assert cabinet.meter("bills_in") == cabinet.meter("suspended") == 2_000


@pytest.mark.requirement("BA-02")
def test_a_note_reported_twice_is_credited_once() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(OFFER, STACKED, STACKED)
    assert cabinet.credit == 2_000
    assert cabinet.locked() == [LockKind.UNEXPECTED_NOTE]


def test_an_unexpected_note_is_credited_or_paid_by_an_attendant_once() -> None:
    for how, credit, route in (
        (Settlement.CREDIT_NOTE, 2_000, "suspense_credited"),
        (Settlement.PAID_BY_HAND, 0, "suspense_paid"),
        (Settlement.NOTHING_OWED, 0, "suspense_kept"),
    ):
        cabinet = seated("table", credit=0)
        cabinet.do(STACKED)
        cabinet.settle(LockKind.UNEXPECTED_NOTE, how)
        assert (cabinet.credit, cabinet.meter(route), cabinet.balance(Account.SUSPENSE)) == (credit, 2_000, 0)
        assert cabinet.locked() == []
        assert cabinet.meter("bills_in") == 2_000


def _unknown() -> Cabinet:
    cabinet = seated("table", credit=0)
    cabinet.do(BillStacked(cents=None))
    assert cabinet.lock(LockKind.UNEXPECTED_NOTE).detail == "value unknown"
    return cabinet


@pytest.mark.requirement("BA-01", "BA-03")
def test_an_unexpected_note_of_unknown_value_may_turn_out_not_to_be_there() -> None:
    cabinet = _unknown()
    cabinet.settle(LockKind.UNEXPECTED_NOTE, Settlement.NOTE_RETURNED)
    assert (cabinet.credit, cabinet.meter("bills_in"), cabinet.locked()) == (0, 0, [])


WAYS = {
    Settlement.CREDIT_NOTE: ("suspense_credited", 5_000),
    Settlement.PAID_BY_HAND: ("suspense_paid", 0),
    Settlement.NOTHING_OWED: ("suspense_kept", 0),
}


@pytest.mark.requirement("BA-01", "ME-06")
@pytest.mark.parametrize("how", WAYS, ids=lambda how: how.name)
def test_an_unexpected_note_of_unknown_value_is_settled_with_the_value_the_attendant_has_seen(how: Settlement) -> None:
    meter, credit = WAYS[how]
    cabinet = _unknown()
    cabinet.settle(LockKind.UNEXPECTED_NOTE, how, cents=5_000)
    assert (cabinet.credit, cabinet.meter(meter), cabinet.meter("bills_in")) == (credit, 5_000, 5_000)
    assert (cabinet.meter("bills:5000"), cabinet.balance(Account.SUSPENSE), cabinet.locked()) == (1, 0, [])


def test_a_value_is_named_exactly_for_a_note_of_unknown_value() -> None:
    unknown = _unknown()
    unknown.audit()
    lock_id = unknown.lock(LockKind.UNEXPECTED_NOTE).lock_id
    for how, cents in (
        (Settlement.CREDIT_NOTE, None),
        (Settlement.CREDIT_NOTE, 700),
        (Settlement.NOTE_RETURNED, 500),
        (Settlement.CLEAR, None),
    ):
        assert unknown.refusal(SettleLock(lock_id=lock_id, how=how, cents=cents)) == "NOT_ALLOWED"
    known = seated("table", credit=0)
    known.do(STACKED)
    known.audit()
    lock_id = known.lock(LockKind.UNEXPECTED_NOTE).lock_id
    assert known.refusal(SettleLock(lock_id=lock_id, how=Settlement.CREDIT_NOTE, cents=2_000)) == "NOT_ALLOWED"
    assert known.refusal(SettleLock(lock_id=lock_id, how=Settlement.NOTE_RETURNED)) == "NOT_ALLOWED"


@pytest.mark.requirement("PL-13", "ME-05", "BA-04")
def test_with_the_audit_key_on_the_acceptor_is_off_and_a_note_is_returned_or_in_suspense() -> None:
    cabinet = seated("table", credit=0)
    assert taking(cabinet.settings, cabinet.machine)
    cabinet.audit()
    assert not taking(cabinet.settings, cabinet.machine)
    assert cabinet.do(OFFER).effects == (ReturnBill(),)
    before = cabinet.machine.books
    cabinet.do(BillReturned())
    assert cabinet.machine.books == before
    cabinet.do(STACKED)
    assert (cabinet.credit, cabinet.locked()) == (0, [LockKind.UNEXPECTED_NOTE])
    cabinet.audit(on=False)
    assert cabinet.refusal(Bet(place=0)) == "LOCKED"


def test_a_device_that_cannot_say_which_note_means_the_one_expected() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(OFFER, BillStacked(cents=None))
    assert cabinet.credit == 2_000


@pytest.mark.requirement("BA-03")
def test_a_note_of_another_value_leaves_the_expected_one_in_doubt() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(OFFER, BillStacked(cents=500))
    assert (cabinet.credit, cabinet.machine.acceptor.in_path) == (0, None)
    assert cabinet.locked() == [LockKind.NOTE_IN_DOUBT, LockKind.UNEXPECTED_NOTE]
    cabinet.settle(LockKind.UNEXPECTED_NOTE, Settlement.CREDIT_NOTE)
    cabinet.settle(LockKind.NOTE_IN_DOUBT, Settlement.NOTE_RETURNED)
    assert cabinet.credit == 500
    cabinet.do(CashOut())


# --- restarts ---------------------------------------------------------------------------------------------------


@pytest.mark.requirement("BA-02")
def test_a_note_credited_before_the_power_cut_is_not_credited_again() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(OFFER, STACKED, POWER, BillStacked(cents=2_000, recovered=True), ACCEPTOR)
    assert (cabinet.credit, cabinet.balance(Account.SUSPENSE), cabinet.locked()) == (2_000, 0, [])


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize(("how", "credit"), [(Settlement.CREDIT_NOTE, 2_000), (Settlement.NOTE_RETURNED, 0)])
def test_an_attendant_settles_a_note_in_doubt_once(how: Settlement, credit: int) -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(OFFER, POWER, ACCEPTOR)
    lock = cabinet.lock(LockKind.NOTE_IN_DOUBT)
    assert (lock.cents, cabinet.state) == (2_000, State.LOCKED)
    cabinet.settle(LockKind.NOTE_IN_DOUBT, how)
    assert (cabinet.credit, cabinet.meter("bills_in"), cabinet.locked()) == (credit, credit, [])


@pytest.mark.requirement("BA-03", "BA-11")
def test_a_line_that_dies_over_a_note_leaves_it_in_doubt_not_pending_for_ever() -> None:
    cabinet = seated("table", credit=1_000)
    cabinet.do(OFFER, FaultBegan(fault=Fault.ACCEPTOR_LINK))
    assert cabinet.locked() == [LockKind.NOTE_IN_DOUBT, LockKind.ACCEPTOR_LINK]
    cabinet.do(STACKED, FaultEnded(fault=Fault.ACCEPTOR_LINK), ACCEPTOR)
    assert (cabinet.credit, cabinet.locked()) == (3_000, [])


def test_an_offer_over_an_open_note_puts_the_older_one_in_doubt_and_gives_the_new_one_back() -> None:
    cabinet = seated("table", credit=0)
    step = cabinet.do(OFFER, BillOffered(cents=500))
    assert step.effects == (ReturnBill(),)
    assert cabinet.lock(LockKind.NOTE_IN_DOUBT).cents == 2_000
    cabinet.do(STACKED)
    assert (cabinet.credit, cabinet.locked()) == (2_000, [])


# --- refusals ---------------------------------------------------------------------------------------------------


@pytest.mark.requirement("BA-04", "TE-03", "AT-03")
@pytest.mark.parametrize(
    ("state", "reason"),
    [(State.AUDIT, Reason.AUDIT), (State.LOCKED, Reason.LOCKED), (State.CASHING_OUT, Reason.NOT_NOW)],
)
def test_a_note_goes_back_in_audit_lock_and_payout(state: State, reason: Reason) -> None:
    cabinet = in_every_state()[state]
    before = cabinet.machine.books
    assert not taking(cabinet.settings, cabinet.machine)
    step = cabinet.do(OFFER)
    assert step.effects == (ReturnBill(),)
    assert NoteGoesBack(cents=2_000, reason=reason) in step.events
    assert (cabinet.machine.books.balances, cabinet.machine.acceptor.in_path) == (before.balances, None)
    counted = {name: n for name, n in cabinet.machine.books.meters.items() if before.meters.get(name) != n}
    refused = {"bills_refused": 1, f"bills_refused:{reason.value}": 1}
    assert counted == ({} if reason is Reason.AUDIT else refused)


@pytest.mark.requirement("BA-04")
def test_a_note_goes_back_with_a_door_open_and_out_of_service() -> None:
    door = seated("table")
    door.do(DoorOpened(door=Door.MAIN))
    assert why_not_note(door.settings, door.machine, 2_000) is Reason.LOCKED
    off = seated("table")
    off.audit()
    off.do(SetOutOfService(out=True))
    off.audit(on=False)
    assert why_not_note(off.settings, off.machine, 2_000) is Reason.LOCKED
    assert not taking(off.settings, off.machine)


@pytest.mark.requirement("BA-04", "RG-07")
def test_the_limit_is_judged_with_the_credit_the_note_would_lead_to() -> None:
    settings = replace(SETTINGS, credit_limit_cents=10_000)
    cabinet = seated("table", credit=8_000, settings=settings)
    cabinet.note(2_000)
    assert cabinet.credit == 10_000
    step = cabinet.do(BillOffered(cents=100))
    assert NoteGoesBack(cents=100, reason=Reason.OVER_LIMIT) in step.events
    assert not taking(settings, cabinet.machine)


@pytest.mark.requirement("BA-04")
def test_a_smaller_note_is_still_taken_where_a_larger_one_goes_back() -> None:
    cabinet = seated("table", credit=9_000, settings=replace(SETTINGS, credit_limit_cents=10_000))
    assert taking(cabinet.settings, cabinet.machine)
    assert cabinet.do(BillOffered(cents=2_000)).effects == (ReturnBill(),)
    assert cabinet.do(BillOffered(cents=1_000)).effects == (StackBill(),)


@pytest.mark.requirement("BA-04")
def test_notes_are_taken_while_the_smallest_one_still_fits() -> None:
    settings = replace(SETTINGS, credit_limit_cents=10_000)
    smallest = min(settings.notes_cents)
    for credit, fits in ((10_000 - smallest, True), (10_001 - smallest, False)):
        cabinet = seated("table", credit=credit, settings=settings)
        assert taking(settings, cabinet.machine) is fits, credit


@pytest.mark.requirement("BA-06")
def test_each_denomination_is_the_operators_to_allow() -> None:
    cabinet = seated("table", settings=replace(SETTINGS, notes_cents=(500, 2_000)))
    for cents in NOTES:
        taken = why_not_note(cabinet.settings, cabinet.machine, cents) is None
        assert taken is (cents in {500, 2_000}), cents
    none = seated("table", settings=replace(SETTINGS, notes_cents=()))
    assert not taking(none.settings, none.machine)


@pytest.mark.requirement("BA-05")
@pytest.mark.parametrize("cards", ["8S 6D 8H 10C", "9S AD 8H 10C"], ids=["deciding", "insurance"])
def test_a_note_offered_during_a_hand_is_credited_at_once(cards: str) -> None:
    cabinet = dealt("table", cards)
    before = cabinet.state
    cabinet.note(2_000)
    assert (cabinet.credit, cabinet.state) == (101_900, before)


@pytest.mark.requirement("BA-05")
def test_a_note_offered_during_a_hand_with_the_key_turned_goes_back() -> None:
    cabinet = dealt("table", "8S 6D 8H 10C")
    cabinet.audit()
    assert cabinet.state is State.DECIDING
    assert cabinet.do(OFFER).effects == (ReturnBill(),)


@pytest.mark.requirement("BA-07")
def test_without_an_acceptor_the_credit_stays_playable() -> None:
    cabinet = seated("table")
    cabinet.do(FaultBegan(fault=Fault.ACCEPTOR_HARDWARE))
    assert not taking(cabinet.settings, cabinet.machine)
    assert cabinet.do(OFFER).effects == (ReturnBill(),)
    cabinet.do(Bet(place=0))
    cabinet.do(FaultEnded(fault=Fault.ACCEPTOR_HARDWARE))
    assert taking(cabinet.settings, cabinet.machine)


# --- counting ---------------------------------------------------------------------------------------------------


@pytest.mark.requirement("ME-07")
def test_too_much_in_one_play_locks_and_is_counted_anew_after_each_play() -> None:
    settings = replace(SETTINGS, increment_max_cents=5_000)
    cabinet = seated("table", settings=settings, credit=1_000)
    cabinet.note(2_000)
    cabinet.note(2_000)
    assert cabinet.locked() == []
    cabinet.note(1_000)
    assert cabinet.locked() == [LockKind.EXCESSIVE_INCREMENT]
    cabinet.do(KeyTurned(key=Key.RESET, on=True))
    assert cabinet.locked() == [LockKind.EXCESSIVE_INCREMENT], "not for the reset key"
    cabinet.settle(LockKind.EXCESSIVE_INCREMENT, Settlement.CLEAR)
    cabinet.note(2_000)
    assert cabinet.locked() == []


@pytest.mark.requirement("ME-07")
def test_a_cash_out_ends_the_play_that_notes_are_counted_for() -> None:
    cabinet = seated("table", settings=replace(SETTINGS, increment_max_cents=5_000), credit=0)
    for sequence in (1, 2, 3):
        cabinet.note(2_000)
        cabinet.do(CashOut(), TicketPrinted(sequence=sequence))
    assert cabinet.locked() == []


@pytest.mark.requirement("ME-07")
def test_a_deal_ends_the_play_that_notes_are_counted_for() -> None:
    cabinet = seated("classic", settings=replace(SETTINGS, increment_max_cents=5_000), cards="10S 10D 8H 9C")
    cabinet.note(2_000)
    cabinet.note(2_000)
    cabinet.do(Bet(place=0), Deal())
    cabinet.note(2_000)
    cabinet.note(2_000)
    assert cabinet.locked() == []
    cabinet.note(1_000)
    assert cabinet.locked() == [LockKind.EXCESSIVE_INCREMENT]


@pytest.mark.requirement("ME-06")
@given(st.lists(st.sampled_from(NOTES), max_size=30))
def test_the_value_of_notes_is_the_sum_of_count_times_denomination(notes: list[int]) -> None:
    cabinet: Cabinet = seated("table", credit=0, settings=replace(SETTINGS, credit_limit_cents=10**9))
    for cents in notes:
        cabinet.note(cents)
    assert cabinet.meter("bills_in") == cabinet.credit == sum(notes)
    assert sum(cents * cabinet.meter(f"bills:{cents}") for cents in NOTES) == sum(notes)


@pytest.mark.requirement("BA-09", "BA-08")
def test_a_full_box_stops_notes_only_while_jam_and_cheat_alarm() -> None:
    cabinet = seated("table")
    cabinet.do(FaultBegan(fault=Fault.CASHBOX_FULL))
    assert not taking(cabinet.settings, cabinet.machine)
    assert cabinet.state is State.BETTING
    assert not LOCKS[LockKind.CASHBOX_FULL].alarm
    assert LOCKS[LockKind.BILL_JAM].alarm
    assert LOCKS[LockKind.BILL_CHEAT].alarm
    cabinet.do(FaultEnded(fault=Fault.CASHBOX_FULL))
    cabinet.do(FaultBegan(fault=Fault.CASHBOX_NEAR_FULL))
    assert taking(cabinet.settings, cabinet.machine)

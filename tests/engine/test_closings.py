"""Closings: a period and a cash box are closed with a number and an amount, and what is counted goes into the log."""

import pytest
from support.clears import CLEARS, prepared
from support.machines import POWER, Cabinet, dealt, seated

from cabinet.engine.closing_facts import ClosingKind, EnterCount
from cabinet.engine.closings import AT_CLEAR, NUMBERS, box_cents, box_growth, closed_in, period_growth
from cabinet.engine.inputs import (
    Door,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    PoweredUp,
    ResetPeriod,
)
from cabinet.engine.log import LogEntry, LogKind
from cabinet.store import reports

OUT, BACK = FaultBegan(fault=Fault.CASHBOX_REMOVED), FaultEnded(fault=Fault.CASHBOX_REMOVED)
TO_COUNT = EnterCount(kind=ClosingKind.CASH_BOX, number=1, cents=2_500, expected_cents=3_000)


def entries(cabinet: Cabinet, what: LogKind) -> list[tuple[str, int | None]]:
    """The entries of a kind: detail and amount."""
    return [(each.detail, each.cents) for each in cabinet.events if isinstance(each, LogEntry) and each.what is what]


@pytest.mark.requirement("ME-03", "ME-04", "AT-10")
def test_closing_a_period_takes_a_snapshot_and_touches_no_lifetime_meter() -> None:
    cabinet = dealt("table", "AS 6D KH 10C")
    before = cabinet.machine.books
    cabinet.audit()
    cabinet.do(ResetPeriod())
    books = cabinet.machine.books
    assert books.balances == before.balances
    assert books.meters == {**before.meters, NUMBERS[ClosingKind.PERIOD]: 1}
    assert cabinet.machine.period_start == books.meters
    assert LogKind.PERIOD_RESET in cabinet.logged()
    cabinet.audit(on=False)
    cabinet.note(500)
    period = cabinet.meter("bills_in") - cabinet.machine.period_start["bills_in"]
    assert period == 500


@pytest.mark.requirement("AT-10", "EV-05")
def test_the_entry_of_a_closed_period_has_its_number_and_the_value_of_its_notes() -> None:
    cabinet = seated("table", credit=2_000)
    for cents in (500, 1_000):
        cabinet.note(cents)
        cabinet.audit()
        cabinet.do(ResetPeriod())
        cabinet.audit(on=False)
    assert entries(cabinet, LogKind.PERIOD_RESET) == [("no. 1", 2_500), ("no. 2", 1_000)]


@pytest.mark.requirement("AT-10", "EV-05")
def test_the_entry_of_a_removed_cash_box_has_its_number_and_what_was_in_it() -> None:
    cabinet = seated("table", credit=2_000)
    cabinet.note(500)
    cabinet.do(OUT, BACK)
    cabinet.note(1_000)
    cabinet.do(FaultBegan(fault=Fault.CASHBOX_REMOVED, detail="by the acceptor"), BACK)
    assert entries(cabinet, LogKind.FAULT_BEGAN) == [
        ("cash box removed: no. 1", 2_500),
        ("cash box removed: no. 2, by the acceptor", 1_000),
    ]


@pytest.mark.requirement("ME-04", "AT-10")
def test_what_grew_in_a_cash_box_is_known_from_one_removal_to_the_next() -> None:
    cabinet = dealt("table", "AS 6D KH 10C", credit=2_000)
    cabinet.do(OUT, BACK)
    cabinet.note(500)
    cabinet.note(500)
    grown = box_growth(cabinet.machine.books.meters, cabinet.machine.marks)
    assert grown == {"bills:500": 2, "bills_in": 1_000}


@pytest.mark.requirement("ME-08")
def test_after_a_removal_under_an_older_program_only_notes_are_known() -> None:
    meters = {"bills_in": 900, "bills:100": 9, "coin_in": 700, "cashbox_removals": 1}
    left = {"cashbox.bills_in": 400, "cashbox.bills:100": 4}
    assert box_growth(meters, left) == {"bills:100": 5, "bills_in": 500}
    assert box_growth({**meters, "cashbox_removals": 0}, {})["coin_in"] == 700


def test_the_number_of_a_closing_is_no_growth_of_a_period() -> None:
    cabinet = seated("table")
    cabinet.audit()
    cabinet.do(ResetPeriod())
    assert period_growth(cabinet.machine.books.meters, {}) == period_growth(cabinet.machine.period_start, {})
    assert not set(NUMBERS.values()) & period_growth(cabinet.machine.books.meters, {}).keys()


# --- counting ---------------------------------------------------------------------------------------------------


def counting() -> Cabinet:
    """Returns a cabinet with one removed cash box and the audit key turned."""
    cabinet = seated("table", credit=3_000)
    cabinet.do(OUT, BACK)
    cabinet.audit()
    return cabinet


@pytest.mark.requirement("AT-10", "AT-09")
def test_every_count_is_logged_with_what_was_expected_the_difference_and_who_entered_it() -> None:
    cabinet = counting()
    cabinet.do(TO_COUNT, DoorOpened(door=Door.LOGIC))
    cabinet.do(EnterCount(kind=ClosingKind.CASH_BOX, number=1, cents=3_010, expected_cents=3_000))
    assert entries(cabinet, LogKind.COUNT_ENTERED) == [
        ("cash box no. 1: expected 30.00, difference -5.00, by the attendant", 2_500),
        ("cash box no. 1: expected 30.00, difference +0.10, by the technician", 3_010),
    ]


@pytest.mark.requirement("AT-10", "ME-05")
def test_a_count_changes_nothing_of_the_machine() -> None:
    cabinet = counting()
    before = cabinet.machine
    cabinet.do(TO_COUNT)
    assert cabinet.machine == before


def test_only_a_closing_that_there_is_can_be_counted_and_only_with_the_audit_key() -> None:
    cabinet = counting()
    for wrong in (
        EnterCount(kind=ClosingKind.CASH_BOX, number=2, cents=1),
        EnterCount(kind=ClosingKind.CASH_BOX, number=0, cents=1),
        EnterCount(kind=ClosingKind.PERIOD, number=1, cents=1),
        EnterCount(kind=ClosingKind.CASH_BOX, number=1, cents=-1),
    ):
        assert cabinet.refusal(wrong) == "NO_SUCH"
    cabinet.audit(on=False)
    assert cabinet.refusal(TO_COUNT) == "NOT_NOW"


@pytest.mark.requirement("ME-08", "SE-03")
def test_no_count_is_entered_before_the_program_is_confirmed_because_the_one_before_cannot_read_it() -> None:
    cabinet = counting()
    cabinet.do(POWER, PoweredUp(clean=True, version="9.0", program_hash="other"))
    cabinet.audit()
    assert cabinet.refusal(TO_COUNT) == "LOCKED"


# --- the memory clear -------------------------------------------------------------------------------------------


@pytest.mark.requirement("PL-09", "AT-10")
def test_a_memory_clear_keeps_what_is_in_the_cash_box_and_the_numbers_of_closings() -> None:
    cabinet = prepared()
    held = box_cents(cabinet.machine)
    notes = reports.meters(cabinet.machine, ())["in_cashbox_by_denomination"]
    assert held > 0
    cabinet.do(ResetPeriod(), CLEARS)
    report = reports.meters(cabinet.machine, ())
    assert (report["in_cashbox"], report["in_cashbox_by_denomination"]) == (held, notes)
    assert report["lifetime"]["cashbox_at_clear"] == cabinet.meter(AT_CLEAR) == held
    assert cabinet.meter(NUMBERS[ClosingKind.PERIOD]) == 1
    assert entries(cabinet, LogKind.METERS_ZEROED) == [("in the cash box", held)]
    cabinet.do(OUT)
    assert entries(cabinet, LogKind.FAULT_BEGAN)[-1] == ("cash box removed: no. 1", held)
    assert box_cents(cabinet.machine) == 0


def test_a_memory_clear_closes_nothing_although_it_raises_the_numbers_again() -> None:
    assert closed_in({NUMBERS[ClosingKind.PERIOD]: 1}) == (ClosingKind.PERIOD,)
    assert closed_in({NUMBERS[ClosingKind.PERIOD]: 4, AT_CLEAR: 0}) == ()

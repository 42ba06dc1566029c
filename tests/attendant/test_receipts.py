"""The receipt of a settlement has the facts of that settlement, whatever came later."""

from contextlib import ExitStack

import pytest
from support.attendant_data import KeptCabinet, bare_desk, keep
from support.locked import under, without_cause
from support.machines import seated

from cabinet.attendant.audit_ticket import WRITTEN
from cabinet.attendant.receipts import PAID_KINDS, SETTLED_KINDS, receipt_rows, settled
from cabinet.attendant.records import read_log
from cabinet.config.settings import Config
from cabinet.engine.inputs import (
    BillOffered,
    BillStacked,
    CashOut,
    Key,
    KeyTurned,
    PayTicket,
    PrintFailed,
    SettleLock,
    Settlement,
    TicketPrinted,
)
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import LockKind

SETTLED = frozenset(kind.value for kind in SETTLED_KINDS)
AUDIT = KeyTurned(key=Key.AUDIT, on=True)


@pytest.fixture
def undo():
    with ExitStack() as stack:
        yield stack


def newest(kept: KeptCabinet) -> dict[str, str]:
    """Returns the rows of the newest settlement's receipt."""
    data = kept.data()
    (row,) = read_log(data, SETTLED, 0, 1)
    one = settled(data, row.number)
    assert one is not None
    return dict(receipt_rows(data, one))


def _settlements():
    for kind in LockKind:
        machine = without_cause(under(kind)).machine
        yield from ((kind, how) for how in settlements_of(machine, machine.locks[0]))


@pytest.mark.requirement("AT-08")
@pytest.mark.parametrize(("kind", "how"), list(_settlements()), ids=str)
def test_the_receipt_names_the_lock_the_choice_and_the_amount(kind, how, tmp_path, undo):
    cabinet = without_cause(under(kind))
    lock, receipt = cabinet.machine.locks[0], cabinet.machine.printer.next_receipt
    kept = keep(tmp_path, seated(credit=500), undo)
    kept.do(CashOut(), TicketPrinted(sequence=1))
    kept.cabinet = cabinet
    if not cabinet.machine.access.audit_key:
        kept.do(AUDIT)
    kept.do(SettleLock(lock_id=lock.lock_id, how=how))
    rows = newest(kept)
    assert (rows["Lock"], rows["Chosen"]) == (kind.value.capitalize(), how.value.capitalize())
    assert rows.get("Amount") == (bare_desk(cabinet).money(lock.cents) if lock.cents else None)
    assert rows.get("Receipt number") == (f"{receipt}" if how is Settlement.PAID_BY_HAND else None)


@pytest.mark.requirement("AT-08")
def test_a_receipt_keeps_the_facts_of_its_step_when_more_was_paid_later(tmp_path, undo):
    kept = keep(tmp_path, seated("table", credit=0), undo)
    note = (BillOffered(cents=500), BillStacked(cents=500))
    kept.do(*note, CashOut(), PrintFailed(sequence=1, reason="no paper"), KeyTurned(key=Key.RESET, on=True))
    first = newest(kept)
    (row,) = read_log(kept.data(), SETTLED, 0, 1)
    kept.do(*note, *note, CashOut(), PrintFailed(sequence=2, reason="no paper"), KeyTurned(key=Key.RESET, on=True))
    later = settled(kept.data(), row.number)
    assert later is not None
    assert dict(receipt_rows(kept.data(), later)) == first
    assert (first["Amount"], first["Receipt number"], first["Chosen"]) == ("$5.00", "1", "Paid by hand")
    assert (newest(kept)["Amount"], newest(kept)["Receipt number"]) == ("$10.00", "2")


@pytest.mark.requirement("AT-08", "TP-13")
def test_the_receipt_of_a_ticket_paid_by_hand_has_its_number_and_room_for_two_signatures(tmp_path, undo):
    kept = keep(tmp_path, seated("table", credit=0), undo)
    kept.do(BillOffered(cents=500), BillStacked(cents=500), CashOut(), TicketPrinted(sequence=1))
    kept.do(AUDIT, PayTicket(sequence=1, cents=500))
    rows = newest(kept)
    assert (rows["Chosen"], rows["Ticket"], rows["Amount"]) == ("Ticket paid by hand", "000001", "$5.00")
    assert (rows["Receipt number"], rows["Attendant"], rows["Player"]) == ("1", WRITTEN, WRITTEN)
    assert rows["Machine"] == f"{Config().machine.number:04d}"
    assert 8 < len(rows) <= 15


@pytest.mark.requirement("AT-08")
def test_a_hand_pay_of_the_list_is_read_with_the_lock_that_it_settled(tmp_path, undo):
    kept = keep(tmp_path, seated("table", credit=0), undo)
    note = (BillOffered(cents=500), BillStacked(cents=500))
    kept.do(*note, CashOut(), PrintFailed(sequence=1, reason="no paper"), KeyTurned(key=Key.RESET, on=True))
    (row,) = read_log(kept.data(), frozenset(kind.value for kind in PAID_KINDS), 0, 1)
    one = settled(kept.data(), row.number)
    assert one is not None
    assert (one.lock, one.chosen, one.cents) == (LockKind.HAND_PAY.value, Settlement.PAID_BY_HAND.value, 500)


def test_an_entry_that_left_the_log_has_no_receipt(tmp_path, undo):
    kept = keep(tmp_path, seated("table", credit=0), undo)
    assert settled(kept.data(), 10**6) is None

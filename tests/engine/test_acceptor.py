"""What the acceptor reports without a name: the document it is about, restarts, counts, rejected notes."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.inputs import ACCEPTOR
from support.machines import POWER, Cabinet, one_table, seated

from cabinet.engine.acceptor import REASONS
from cabinet.engine.bills_in import taking
from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillRejected,
    BillReturned,
    BillStacked,
    CashOut,
    Door,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    Input,
    Key,
    KeyTurned,
    TicketPrinted,
)
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.rules import TABLE
from cabinet.engine.state import LockKind, RefusedNote
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked
from cabinet.store.codec import decode_machine, encode_machine

OFFER = BillOffered(cents=2_000)
TICKET = TicketOffered(sequence=1, cents=4_000, standing=Standing.PAYABLE)
TICKET_STACKED = TicketStacked(sequence=1, cents=4_000, standing=Standing.PAYABLE)


def with_ticket() -> Cabinet:
    """A cabinet without credit that has paid 40.00 on ticket 1."""
    cabinet = seated("table", credit=0)
    cabinet.note(2_000)
    cabinet.note(2_000)
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    return cabinet


def again(fact: TicketStacked | BillStacked | BillReturned) -> Input:
    """The same, reported after a power-up."""
    return replace(fact, recovered=True)


def test_a_returned_note_closes_the_intent_without_money() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(OFFER, BillReturned())
    assert (cabinet.credit, cabinet.machine.acceptor.in_path, cabinet.meter("bills_in")) == (0, None, 0)
    assert cabinet.logged()[-1] is LogKind.NOTE_RETURNED
    assert taking(cabinet.settings, cabinet.machine)


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize(
    ("words", "credit", "locks"),
    [
        ((BillStacked(cents=2_000, recovered=True), ACCEPTOR), 2_000, []),
        ((BillStacked(cents=None, recovered=True), ACCEPTOR), 2_000, []),
        ((BillReturned(recovered=True), ACCEPTOR), 0, []),
        ((ACCEPTOR,), 0, [LockKind.NOTE_IN_DOUBT]),
        ((ACCEPTOR, BillStacked(cents=2_000, recovered=True)), 2_000, []),
        ((ACCEPTOR, BillStacked(cents=2_000)), 2_000, []),
        ((ACCEPTOR, BillReturned(recovered=True)), 0, []),
        ((ACCEPTOR, BillReturned()), 0, []),
        ((ACCEPTOR, BillOffered(cents=500), BillReturned()), 0, [LockKind.NOTE_IN_DOUBT]),
    ],
)
def test_after_a_power_cut_the_device_is_asked_and_what_stays_unclear_is_in_doubt(
    words: tuple[Input, ...], credit: int, locks: list[LockKind]
) -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(OFFER, POWER)
    assert cabinet.machine.acceptor.in_path is not None, "the device has not been heard yet"
    cabinet.do(*words)
    assert (cabinet.credit, cabinet.locked(), cabinet.machine.acceptor.in_path) == (credit, locks, None)


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize(
    ("before", "after", "credit", "locked"),
    [
        (7, 8, 2_000, []),
        (7, 7, 0, []),
        (7, 9, 0, [LockKind.NOTE_IN_DOUBT]),
        (7, 6, 0, [LockKind.NOTE_IN_DOUBT]),
        (7, None, 0, [LockKind.NOTE_IN_DOUBT]),
        (None, 8, 0, [LockKind.NOTE_IN_DOUBT]),
    ],
)
def test_an_acceptor_that_counts_its_notes_decides_about_the_open_one(
    before: int | None, after: int | None, credit: int, locked: list[LockKind]
) -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(BillOffered(cents=2_000, counter=before))
    cabinet.do(replace(ACCEPTOR, counter=after))
    assert (cabinet.credit, cabinet.locked(), cabinet.machine.acceptor.in_path) == (credit, locked, None)
    assert cabinet.machine.acceptor.booked is None


@pytest.mark.requirement("BA-03", "BA-01")
@pytest.mark.parametrize(
    ("before", "after"),
    [("123456", "123457"), ("", "123456"), ("123456", ""), ("", "")],
    ids=["another unit", "unknown before", "unknown after", "unknown"],
)
@pytest.mark.parametrize("counter", [7, 8])
def test_the_count_of_another_or_an_unknown_acceptor_decides_nothing(before: str, after: str, counter: int) -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(replace(ACCEPTOR, serial=before), BillOffered(cents=2_000, counter=7))
    cabinet.do(POWER, replace(ACCEPTOR, serial=after, counter=counter))
    assert (cabinet.credit, cabinet.locked()) == (0, [LockKind.NOTE_IN_DOUBT])


@pytest.mark.requirement("BA-03", "PL-05")
def test_an_intent_of_a_program_that_wrote_no_serial_number_down_stays_in_doubt() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(BillOffered(cents=2_000, counter=7))
    old = json.loads(encode_machine(cabinet.machine))
    del old["acceptor_serial"], old["note"]["serial"]
    cabinet.machine = decode_machine(json.dumps(old).encode())
    cabinet.do(replace(ACCEPTOR, counter=8))
    assert (cabinet.credit, cabinet.locked()) == (0, [LockKind.NOTE_IN_DOUBT])


@pytest.mark.requirement("BA-08", "ME-01")
def test_ten_rejects_in_a_row_stop_the_acceptor_until_an_attendant_looks() -> None:
    cabinet = seated("table")
    rejected = BillRejected(reason="cannot be read")
    cabinet.do(*[rejected] * 9)
    cabinet.note(100)
    cabinet.do(*[rejected] * 9)
    assert cabinet.locked() == []
    cabinet.do(rejected)
    assert cabinet.locked() == [LockKind.EXCESSIVE_REJECTS]
    assert cabinet.meter("bills_rejected") == 19
    assert not taking(cabinet.settings, cabinet.machine)
    assert cabinet.refusal(Bet(place=0)) is None
    cabinet.do(KeyTurned(key=Key.RESET, on=True))
    assert (cabinet.locked(), cabinet.machine.acceptor.rejects_in_a_row) == ([], 0)


@pytest.mark.requirement("BA-08")
def test_a_lowered_limit_of_rejects_stops_the_acceptor_at_the_next_one_and_locks_once() -> None:
    cabinet = seated("table")
    rejected = BillRejected(reason="cannot be read")
    cabinet.do(*[rejected] * 5)
    cabinet.settings = replace(cabinet.settings, rejects_max=3)
    step = cabinet.do(rejected)
    assert [lock.detail for lock in step.machine.locks] == ["6 in a row"]
    assert LogKind.LOCKED not in [entry.what for entry in cabinet.do(rejected).events if isinstance(entry, LogEntry)]
    assert cabinet.locked() == [LockKind.EXCESSIVE_REJECTS]


@pytest.mark.requirement("TP-12", "EV-01")
@pytest.mark.parametrize(
    ("offer", "named"),
    [
        (replace(TICKET, standing=Standing.USED), "ticket 1"),
        (TicketOffered(standing=Standing.UNKNOWN), "no ticket of this machine"),
    ],
)
def test_a_refused_ticket_that_came_back_is_logged_as_a_ticket_and_the_next_note_as_a_note(
    offer: TicketOffered, named: str
) -> None:
    cabinet = with_ticket()
    cabinet.do(offer)
    step = cabinet.do(BillReturned())
    assert step.events == (LogEntry(what=LogKind.TICKET_RETURNED, detail=named),)
    cabinet.do(BillOffered(cents=2_000), BillReturned())
    assert cabinet.logged()[-1] is LogKind.NOTE_RETURNED


def test_a_refused_ticket_without_a_further_report_changes_no_later_note() -> None:
    cabinet = with_ticket()
    cabinet.do(replace(TICKET, standing=Standing.USED), BillOffered(cents=33), BillReturned())
    assert cabinet.logged()[-1] is LogKind.NOTE_RETURNED


@pytest.mark.requirement("BA-03")
def test_a_return_kept_through_a_power_cut_still_ends_the_doubt_of_an_older_note() -> None:
    cabinet = with_ticket()
    cabinet.do(BillOffered(cents=2_000), replace(TICKET, standing=Standing.USED))
    assert cabinet.locked() == [LockKind.NOTE_IN_DOUBT]
    cabinet.do(BillReturned())
    assert cabinet.locked() == [LockKind.NOTE_IN_DOUBT]
    cabinet.do(again(BillReturned()))
    assert cabinet.locked() == []


@pytest.mark.requirement("BA-03", "EV-01")
@pytest.mark.parametrize("fault", [Fault.ACCEPTOR_HARDWARE, Fault.ACCEPTOR_LINK, Fault.ACCEPTOR_WRONG])
@pytest.mark.parametrize("returned", [BillReturned(), BillReturned(recovered=True)], ids=["at once", "recovered"])
@pytest.mark.parametrize("offer", [OFFER, TICKET], ids=["note", "ticket"])
def test_a_return_ends_the_doubt_of_a_fault_and_is_logged_with_the_amount(
    offer: BillOffered | TicketOffered, returned: BillReturned, fault: Fault
) -> None:
    cabinet = with_ticket()
    cabinet.do(offer, FaultBegan(fault=fault))
    assert {LockKind.NOTE_IN_DOUBT, LockKind.TICKET_IN_DOUBT} & set(cabinet.locked())
    step = cabinet.do(returned)
    assert not {LockKind.NOTE_IN_DOUBT, LockKind.TICKET_IN_DOUBT} & set(cabinet.locked())
    entry = step.events[-1]
    what = LogKind.NOTE_RETURNED if offer is OFFER else LogKind.TICKET_RETURNED
    assert isinstance(entry, LogEntry)
    assert (entry.what, entry.cents) == (what, offer.cents)
    assert cabinet.credit == 0


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize(
    "refused", [BillOffered(cents=500), OFFER, replace(TICKET, standing=Standing.USED)], ids=["note", "same", "ticket"]
)
@pytest.mark.parametrize("recovered", [False, True])
def test_the_return_of_a_refused_document_ends_no_doubt_and_the_next_return_does(
    refused: Input, recovered: bool
) -> None:
    cabinet = with_ticket()
    cabinet.do(OFFER, refused)
    cabinet.do(BillReturned(recovered=recovered))
    assert cabinet.locked() == [LockKind.NOTE_IN_DOUBT]
    cabinet.do(BillReturned())
    assert cabinet.locked() == []


def test_a_refused_note_is_remembered_only_while_a_document_is_in_doubt_and_until_the_acceptor_starts() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(BillOffered(cents=33))
    assert cabinet.machine.acceptor.refused is None
    cabinet.do(BillReturned(), OFFER, BillOffered(cents=500))
    assert cabinet.machine.acceptor.refused == RefusedNote()
    cabinet.do(ACCEPTOR)
    assert cabinet.machine.acceptor.refused is None


@pytest.mark.requirement("BA-03", "TP-12")
@pytest.mark.parametrize(
    ("reports", "credit", "locks"),
    [
        ((again(TICKET_STACKED), ACCEPTOR), 4_000, []),
        ((again(TicketStacked()), ACCEPTOR), 4_000, []),
        ((again(BillStacked(cents=None)), ACCEPTOR), 4_000, []),
        ((again(BillReturned()), ACCEPTOR), 0, []),
        ((ACCEPTOR,), 0, [LockKind.TICKET_IN_DOUBT]),
        ((ACCEPTOR, again(TICKET_STACKED)), 4_000, []),
        ((ACCEPTOR, again(BillStacked(cents=None))), 4_000, []),
        ((ACCEPTOR, again(BillReturned())), 0, []),
        ((ACCEPTOR, BillReturned()), 0, []),
        ((ACCEPTOR, BillOffered(cents=500), BillReturned()), 0, [LockKind.TICKET_IN_DOUBT]),
        ((FaultBegan(fault=Fault.ACCEPTOR_LINK),), 0, [LockKind.TICKET_IN_DOUBT, LockKind.ACCEPTOR_LINK]),
        ((again(BillStacked(cents=2_000)),), 0, [LockKind.UNEXPECTED_NOTE, LockKind.TICKET_IN_DOUBT]),
    ],
)
def test_what_a_restart_makes_of_an_open_ticket(
    reports: Sequence[Input], credit: int, locks: Sequence[LockKind]
) -> None:
    cabinet = with_ticket()
    cabinet.do(TICKET, POWER, *reports)
    assert (cabinet.credit, cabinet.locked()) == (credit, list(locks))
    assert cabinet.machine.acceptor.in_path is None


def test_an_unnamed_document_belongs_to_the_note_that_is_open() -> None:
    cabinet = with_ticket()
    cabinet.do(BillOffered(cents=500), BillStacked(cents=None))
    assert (cabinet.credit, cabinet.locked()) == (500, [])


@pytest.mark.parametrize("document", ["note", "ticket"])
def test_a_jam_says_that_what_came_out_of_it_is_the_players(document: str) -> None:
    cabinet = with_ticket()
    cabinet.do(OFFER if document == "note" else TICKET)
    cabinet.do(
        FaultBegan(fault=Fault.BILL_JAM, detail="deep in the unit"), FaultEnded(fault=Fault.BILL_JAM), BillReturned()
    )
    words = f"deep in the unit; the {document} in it was not kept and is the player's"
    assert cabinet.lock(LockKind.BILL_JAM).detail == words
    cabinet.do(BillReturned())
    assert cabinet.lock(LockKind.BILL_JAM).detail == words


@pytest.mark.requirement("ME-01", "BA-07")
def test_rejected_notes_are_counted_by_reason_and_the_number_of_reasons_stays_small() -> None:
    cabinet = seated("table", settings=one_table(TABLE, rejects_max=1_000))
    for number in range(REASONS + 5):
        cabinet.do(BillRejected(reason=f"code {number}"))
    cabinet.do(BillRejected(reason="code 1"), BillRejected(reason=""))
    counted = {name: n for name, n in cabinet.machine.books.meters.items() if name.startswith("bills_rejected:")}
    assert len(counted) == REASONS + 1
    assert (counted["bills_rejected:code 1"], counted["bills_rejected:other"]) == (2, 6)
    assert sum(counted.values()) == cabinet.meter("bills_rejected")


@pytest.mark.requirement("ME-01")
def test_a_note_that_came_back_is_counted_and_a_refused_one_is_counted_once() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(BillOffered(cents=2_000), BillReturned())
    cabinet.do(DoorOpened(door=Door.MAIN), BillOffered(cents=2_000), BillReturned())
    found = [cabinet.meter(name) for name in ("bills_returned", "bills_refused", "bills_refused:locked")]
    assert found == [1, 1, 1]

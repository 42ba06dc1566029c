"""Bar-coded tickets on an SSP line, in virtual time: their number, escrow, the box, and restarts in between."""

import random
from collections.abc import Sequence

import pytest
from support.notes import ALL, CHANNELS
from support.scripted_unit import ScriptedUnit
from support.ssp_bench import ACK, SspWire, events_after, join, running, sealed_host
from support.wire import Harm, Wire, byte_by_byte

from drivers.bills.events import (
    BillEvent,
    Enabled,
    Offered,
    Rejected,
    Return,
    Returned,
    Stack,
    Started,
    Take,
    TicketOffered,
    TicketStacked,
    Trouble,
    TroubleBegan,
)
from drivers.bills.ssp.codec import Command
from drivers.bills.ssp.host import SspProtocol
from drivers.protocol import Confirm
from drivers.simulated.nv9 import NV9, Timings

NUMBER = "003217654321098765"
OTHER = "001111222233334444"
BOTH = Take(channels=ALL, tickets=True)
READER = {
    Command.BAR_CODE_READERS: bytes.fromhex("F0 03 00 01 06"),
    Command.BAR_CODE_DATA: b"\xf0\x01\x12" + NUMBER.encode(),
}


def reading(nv9: NV9, protocol: SspProtocol | None = None, take: Take = BOTH) -> SspWire:
    """A running wire on which this is taken."""
    wire = running(nv9, protocol)
    wire.order(take)
    wire.run(1.0)
    wire.events.clear()
    return wire


def about_tickets(events: Sequence[BillEvent]) -> list[BillEvent]:
    return [event for event in events if isinstance(event, TicketOffered | TicketStacked | Returned | Rejected)]


@pytest.mark.parametrize("has_reader", [True, False])
def test_started_reports_whether_the_unit_reads_tickets(*, has_reader: bool) -> None:
    wire = join(NV9(CHANNELS, has_reader=has_reader))
    assert wire.run_until_event(Started).reads_tickets is has_reader


def test_a_reader_that_cannot_be_set_up_as_we_need_it_reads_no_tickets() -> None:
    wire = join(ScriptedUnit(answers={**READER, Command.SET_UP_BAR_CODES: b"\xf4"}))
    assert not wire.run_until_event(Started).reads_tickets


def test_the_reader_is_set_up_in_the_makers_bytes() -> None:
    unit = ScriptedUnit(answers=dict(READER))
    wire = running(unit)
    assert bytes.fromhex("24 03 01 12") in unit.received
    assert bytes.fromhex("26 FE") in unit.received
    wire.order(BOTH)
    wire.run(1.0)
    assert bytes.fromhex("26 FC") in unit.received
    wire.order(Take(channels=frozenset(), tickets=True))
    wire.run(1.0)
    assert bytes.fromhex("26 FD") in unit.received
    assert unit.received.count(bytes((Command.ENABLE,))) == 3


def test_a_ticket_is_offered_with_its_number_and_acknowledged_only_after_confirm() -> None:
    nv9 = NV9(CHANNELS, has_reader=True)
    wire = reading(nv9)
    assert nv9.insert_ticket(NUMBER)
    assert wire.run_until_event(TicketOffered) == TicketOffered(number=NUMBER)
    wire.run(20.0)
    assert nv9.phase == "escrow"
    wire.order(Stack())
    assert wire.run_until_event(TicketStacked) == TicketStacked(number=NUMBER, receipt=1)
    assert events_after(wire, 5.0) == []
    assert not nv9.insert_ticket(OTHER)
    wire.order(Confirm(receipt=1))
    wire.run(1.0)
    assert nv9.tickets_stacked == [NUMBER]
    assert nv9.insert_ticket(OTHER)
    assert wire.run_until_event(TicketOffered) == TicketOffered(number=OTHER)


def test_a_ticket_ordered_back_comes_back() -> None:
    nv9 = NV9(CHANNELS, has_reader=True)
    wire = reading(nv9)
    nv9.insert_ticket(NUMBER)
    wire.run_until_event(TicketOffered)
    wire.order(Return())
    wire.run_until_event(Returned)
    assert (nv9.tickets_stacked, nv9.tickets_returned) == ([], [NUMBER])


def test_notes_and_tickets_are_let_through_separately() -> None:
    nv9 = NV9(CHANNELS, has_reader=True)
    wire = reading(nv9, take=Take(channels=ALL))
    nv9.insert_ticket(NUMBER)
    assert about_tickets(events_after(wire)) == [Rejected(code=6, reason="this note type is switched off")]
    wire.order(Take(channels=frozenset(), tickets=True))
    wire.run(1.0)
    assert nv9.enabled
    nv9.insert(2000)
    assert isinstance(wire.run_until_event(Rejected), Rejected)
    nv9.insert_ticket(NUMBER)
    wire.run_until_event(TicketOffered)
    assert (nv9.returned, nv9.tickets_returned) == ([2000], [NUMBER])


def test_tickets_wanted_from_a_unit_without_reader_leave_it_off() -> None:
    wire = running(NV9(CHANNELS))
    wire.order(Take(channels=frozenset(), tickets=True))
    assert wire.run_until_event(Enabled) == Enabled(taking=False)


def test_a_bar_code_of_another_length_is_refused_by_the_unit() -> None:
    nv9 = NV9(CHANNELS, has_reader=True)
    wire = reading(nv9)
    nv9.insert_ticket(NUMBER[:-1])
    assert wire.run_until_event(Rejected) == Rejected(code=0x14, reason="the bar code could not be read")


@pytest.mark.parametrize("data", ["F2", "F0", "F0 00 00", "F0 01 00", "F0 02 01 31", "F0 01 02 31", "F0 01 01 07"])
def test_a_ticket_that_cannot_be_named_goes_back(data: str) -> None:
    unit = ScriptedUnit(answers={**READER, Command.BAR_CODE_DATA: bytes.fromhex(data)})
    wire = running(unit)
    wire.order(BOTH)
    wire.run(1.0)
    unit.received.clear()
    unit.report("E5", "ED", "EC")
    assert not [event for event in events_after(wire) if isinstance(event, TicketOffered)]
    orders = [received[0] for received in unit.received]
    assert orders[orders.index(Command.BAR_CODE_DATA) + 1] == Command.REJECT


def test_a_ticket_stacked_without_an_offer_is_reported_with_what_the_unit_knows() -> None:
    unit = ScriptedUnit(answers={Command.BAR_CODE_DATA: b"\xf0\x02\x12" + NUMBER.encode()})
    wire = running(unit)
    unit.report("D1")
    assert events_after(wire) == [TicketStacked(number=NUMBER, receipt=1)]
    unit.answers[Command.BAR_CODE_DATA] = b"\xf2"
    unit.report("", "D1")
    assert events_after(wire) == [TicketStacked(number=None, receipt=2)]


@pytest.mark.parametrize("stage", ["escrow", "stacking", "stacked"])
@pytest.mark.parametrize("restart", ["host", "unit"])
def test_a_restart_over_a_ticket_ends_in_one_outcome(stage: str, restart: str) -> None:
    nv9 = NV9(CHANNELS, has_reader=True)
    wire = reading(nv9)
    nv9.insert_ticket(NUMBER)
    wire.run_until_event(TicketOffered)
    if stage != "escrow":
        wire.order(Stack())
        wire.run_until(lambda: nv9.phase == "stacking")
    if stage == "stacked":
        wire.run_until(lambda: not nv9.busy)
    wire.events.clear()
    if restart == "host":
        wire.restart_host(SspProtocol())
    else:
        nv9.power_cycle()
    wire.run_until_event(Started)
    outcome = about_tickets(wire.events)
    if stage == "escrow":
        assert outcome == [Returned(recovered=True)]
        assert nv9.tickets_returned == [NUMBER]
    else:
        assert outcome == [TicketStacked(number=NUMBER, receipt=1, recovered=True)]
        assert nv9.tickets_stacked == [NUMBER]


def test_with_the_plain_poll_a_ticket_is_reported_once_and_has_no_receipt() -> None:
    nv9 = NV9(CHANNELS, has_reader=True, knows_acks=False)
    wire = reading(nv9)
    nv9.insert_ticket(NUMBER)
    wire.run_until_event(TicketOffered)
    wire.order(Stack())
    assert wire.run_until_event(TicketStacked) == TicketStacked(number=NUMBER, receipt=None)
    assert about_tickets(events_after(wire, 5.0)) == []


def test_stacked_alone_is_no_ticket_in_the_box() -> None:
    unit = ScriptedUnit(answers=dict(READER))
    wire = running(unit)
    wire.order(BOTH)
    wire.run(1.0)
    unit.report("E5")
    wire.run_until_event(TicketOffered)
    wire.order(Stack())
    unit.report("CC", "EB", "", "", "D1")
    assert events_after(wire, 0.5) == []
    assert wire.run_until_event(TicketStacked) == TicketStacked(number=NUMBER, receipt=1)
    assert bytes((ACK,)) not in unit.received


def test_a_ticket_accepted_and_never_reported_is_an_alarm_when_the_next_note_comes() -> None:
    unit = ScriptedUnit(answers=dict(READER))
    wire = running(unit)
    wire.order(BOTH)
    wire.run(1.0)
    unit.report("E5")
    wire.run_until_event(TicketOffered)
    wire.order(Stack())
    unit.report("CC", "EF 05")
    received = events_after(wire)
    assert isinstance(received[0], TroubleBegan)
    assert received[0].trouble is Trouble.LOST_EVENTS
    assert NUMBER in received[0].detail
    assert isinstance(received[1], Offered)


@pytest.mark.parametrize("seed", range(3))
def test_a_lossy_sealed_line_only_slows_tickets_down(seed: int) -> None:
    nv9 = NV9(CHANNELS, has_reader=True, encryption="demanded", timings=Timings(escrow_s=20.0))
    damage = Harm(lost=0.15, doubled=0.1).by(random.Random(seed))
    wire: SspWire = Wire(sealed_host(), nv9, damage=damage)
    wire.connect()
    wire.order(BOTH)
    for number in (NUMBER, OTHER):
        wire.run_until(lambda wanted=number: nv9.insert_ticket(wanted), at_most_s=300.0)
        assert wire.run_until_event(TicketOffered, at_most_s=60.0).number == number
        wire.order(Stack())
        stacked = wire.run_until_event(TicketStacked, at_most_s=60.0)
        wire.order(Confirm(receipt=stacked.receipt))
        wire.run(5.0)
    assert nv9.tickets_stacked == [NUMBER, OTHER]


def test_one_byte_at_a_time_makes_no_difference() -> None:
    nv9 = NV9(CHANNELS, has_reader=True)
    wire = reading(nv9)
    wire.damage = byte_by_byte
    nv9.insert_ticket(NUMBER)
    assert wire.run_until_event(TicketOffered) == TicketOffered(number=NUMBER)

"""Bar-coded tickets on an ID-003 line, in virtual time: escrow, credit, power cuts, units without a
reader."""

import pytest
from support.id003_bench import NOTE_TYPES, VERSION, Id003Wire, ScriptedUnit, commands, events_after, join
from support.notes import CHANNELS
from support.wire import Wire

from drivers.bills.events import (
    BillEvent,
    Enabled,
    Offered,
    Rejected,
    Return,
    Returned,
    Stack,
    Stacked,
    Started,
    Take,
    TicketOffered,
    TicketStacked,
)
from drivers.bills.id003.codec import Command, State, Status, read_status
from drivers.bills.id003.host import Id003Protocol
from drivers.bills.id003.notes import Notes
from drivers.bills.path_notes import Stage
from drivers.protocol import Confirm
from drivers.simulated.pty_line import Device
from drivers.simulated.uba import UBA

NUMBER = "001234567890123456"
ESCROW = "13 6F " + NUMBER.encode().hex(" ")
ALL = Take(channels=frozenset(each.number for each in CHANNELS), tickets=True)
ONLY_TICKETS = Take(channels=frozenset(), tickets=True)


def taking(device: Device, take: Take = ALL) -> Id003Wire:
    """A wire whose unit takes notes and tickets; earlier events are dropped."""
    wire: Id003Wire = Wire(Id003Protocol(currency="USD"), device)
    wire.connect()
    wire.order(take)
    wire.run_until(lambda: Enabled(taking=True) in wire.events)
    wire.events.clear()
    return wire


def in_escrow(uba: UBA) -> Id003Wire:
    """A wire on which the ticket has been offered."""
    wire = taking(uba)
    assert uba.insert_ticket(NUMBER)
    wire.run_until_event(TicketOffered)
    return wire


# --- without faults ---------------------------------------------------------------------------------------------


@pytest.mark.requirement("TP-12", "BA-01")
def test_a_ticket_in_escrow_is_offered_with_its_number_and_held() -> None:
    uba = UBA(NOTE_TYPES)
    wire = taking(uba)
    uba.insert_ticket(NUMBER)
    assert wire.run_until_event(TicketOffered) == TicketOffered(number=NUMBER)
    assert events_after(wire, 25.0) == []
    assert (uba.phase, uba.stacked_tickets) == ("held", [])


@pytest.mark.requirement("TP-12", "BA-02")
def test_a_stacked_ticket_is_reported_once_and_acknowledged_only_after_confirm() -> None:
    uba = UBA(NOTE_TYPES)
    wire = in_escrow(uba)
    wire.order(Stack())
    stacked = wire.run_until_event(TicketStacked)
    assert stacked == TicketStacked(number=NUMBER, receipt=1)
    assert events_after(wire, 5.0) == []
    assert (uba.phase, uba.stacked_tickets, uba.stacked) == ("vend_valid", [NUMBER], [])
    wire.order(Confirm(receipt=1))
    wire.run_until(lambda: uba.phase == "")
    assert events_after(wire) == []


def test_a_returned_ticket_is_reported_as_returned() -> None:
    uba = UBA(NOTE_TYPES)
    wire = in_escrow(uba)
    wire.order(Return())
    assert wire.run_until_event(Returned) == Returned()
    assert (uba.returned_tickets, uba.stacked_tickets, events_after(wire)) == ([NUMBER], [], [])


def test_a_ticket_without_a_decision_goes_back() -> None:
    uba = UBA(NOTE_TYPES)
    wire = in_escrow(uba)
    wire.run(29.0)
    assert uba.phase == "held"
    wire.run_until_event(Returned, at_most_s=5.0)
    assert uba.returned_tickets == [NUMBER]


def test_notes_and_tickets_follow_each_other_without_being_mistaken() -> None:
    uba = UBA(NOTE_TYPES)
    wire = in_escrow(uba)
    wire.order(Stack())
    wire.run_until_event(TicketStacked)
    wire.order(Confirm(receipt=1))
    wire.run_until(lambda: uba.enabled)
    assert uba.insert(2000)
    assert wire.run_until_event(Offered) == Offered(channel=5, value_cents=2000)
    wire.order(Stack())
    assert wire.run_until_event(Stacked) == Stacked(channel=5, value_cents=2000, receipt=2)


# --- enabling ---------------------------------------------------------------------------------------------------


def _let_in(unit: ScriptedUnit) -> list[bytes]:
    return [data for data in unit.received if data[0] == Command.SET_TICKET_INHIBIT]


@pytest.mark.requirement("BA-04")
def test_tickets_are_let_in_with_the_order_and_shut_out_with_the_next() -> None:
    unit = ScriptedUnit()
    wire = taking(unit)
    assert _let_in(unit) == [b"\xc7\x02", b"\xc7\x00"]
    unit.received.clear()
    wire.order(Take(channels=ALL.channels))
    wire.run(1.0)
    assert _let_in(unit) == [b"\xc7\x02"]


def test_tickets_alone_keep_the_unit_open_with_every_note_switched_off() -> None:
    uba = UBA(NOTE_TYPES)
    wire = taking(uba, ONLY_TICKETS)
    assert uba.insert(500)
    wire.run_until_event(Rejected)
    wire.run_until(lambda: uba.enabled)
    uba.insert_ticket(NUMBER)
    assert wire.run_until_event(TicketOffered) == TicketOffered(number=NUMBER)


@pytest.mark.parametrize("command", [Command.SET_TICKET_TYPE, Command.SET_TICKET_INHIBIT])
def test_a_unit_that_refuses_a_ticket_setting_reads_no_tickets_and_gets_no_order_to(command: Command) -> None:
    unit = ScriptedUnit(answers={command: "4B"})
    wire = join(unit)
    started = wire.run_until_event(Started)
    assert started == Started(
        model="ID-003 note acceptor, countries 01", firmware=VERSION, serial="", channels=CHANNELS, reads_tickets=False
    )
    unit.received.clear()
    wire.order(ALL)
    wire.run(5.0)
    assert _let_in(unit) == []


def test_a_unit_without_a_reader_still_takes_notes() -> None:
    uba = UBA(NOTE_TYPES, knows_tickets=False)
    wire = taking(uba)
    assert uba.insert_ticket(NUMBER)
    wire.run_until_event(Rejected)
    wire.run_until(lambda: uba.enabled)
    uba.insert(500)
    wire.run_until_event(Offered)


@pytest.mark.parametrize("escrow", ["13 6F", "13 6F 31 32 3A", "13 6F 00 00", "13 6F B2 B3"])
def test_a_ticket_whose_number_is_no_digits_goes_back(escrow: str) -> None:
    unit = ScriptedUnit()
    wire = taking(unit)
    unit.report(escrow, escrow, "18")
    assert [type(event) for event in events_after(wire)] == [Rejected]
    assert Command.STACK_2 not in commands(unit)


def test_another_paper_in_escrow_means_that_the_ticket_left() -> None:
    unit = ScriptedUnit()
    wire = taking(unit)
    unit.report(ESCROW, "13 65")
    assert events_after(wire, 1.0) == [
        TicketOffered(number=NUMBER),
        Returned(),
        Offered(channel=5, value_cents=2000),
        Returned(),
    ]


# --- power cuts -------------------------------------------------------------------------------------------------


@pytest.mark.requirement("BA-03", "TP-12")
@pytest.mark.parametrize("to_stacker", [True, False])
@pytest.mark.parametrize("reports_recovered", [True, False])
def test_a_unit_cut_off_while_it_stacks_a_ticket_reports_what_became_of_it(
    *, to_stacker: bool, reports_recovered: bool
) -> None:
    uba = UBA(NOTE_TYPES, reports_recovered=reports_recovered)
    wire = in_escrow(uba)
    wire.order(Stack())
    wire.run_until(lambda: uba.phase == "stacking")
    uba.power_cycle(to_stacker=to_stacker)
    wire.events.clear()
    wire.run(4.0)
    events = [event for event in wire.events if isinstance(event, TicketStacked | Returned)]
    if to_stacker:
        assert events == [TicketStacked(number=NUMBER, receipt=1, recovered=True)]
        wire.order(Confirm(receipt=1))
    wire.run_until_event(Started, at_most_s=20.0)
    if not to_stacker:
        assert [event for event in wire.events if isinstance(event, Returned)] == [Returned(recovered=True)]
    assert len([event for event in wire.events if isinstance(event, TicketStacked)]) == int(to_stacker)
    assert (uba.stacked_tickets, uba.returned_tickets) == (([NUMBER], []) if to_stacker else ([], [NUMBER]))


@pytest.mark.requirement("BA-03", "TP-12")
def test_a_cabinet_restarted_over_a_stacked_ticket_gets_a_document_without_value() -> None:
    uba = UBA(NOTE_TYPES)
    wire = in_escrow(uba)
    wire.order(Stack())
    wire.run_until_event(TicketStacked)
    after = join(uba)
    assert after.run_until_event(Stacked) == Stacked(channel=0, value_cents=None, receipt=1, recovered=True)


@pytest.mark.requirement("BA-03", "TP-12")
def test_a_ticket_found_in_escrow_at_a_start_goes_back_and_closes_the_cabinets_intent() -> None:
    uba = UBA(NOTE_TYPES)
    in_escrow(uba)
    events: list[BillEvent] = []
    after = join(uba)
    after.order(ALL)
    after.run_until_event(Started, at_most_s=20.0)
    events += after.events
    assert Returned(recovered=True) in events
    assert (uba.returned_tickets, uba.stacked_tickets) == ([NUMBER], [])


# --- the messages -----------------------------------------------------------------------------------------------


def test_the_number_in_escrow_is_read_with_its_leading_zeros() -> None:
    status = read_status(0x13, bytes.fromhex(ESCROW)[1:])
    assert status is not None
    assert status.ticket == NUMBER
    assert Status(state=State.ESCROW, data=b"\x65").ticket == ""


def test_a_ticket_that_vanishes_while_it_is_stacked_is_named_as_one() -> None:
    notes = Notes()
    notes.finish_start_up()
    shown = Status(state=State.ESCROW, data=bytes.fromhex(ESCROW)[1:])
    notes.apply(shown, allowed=frozenset(), tickets=True)
    assert notes.stage is Stage.HELD
    notes.order_stack()
    for state in (State.STACKING, State.IDLE):
        notes.apply(Status(state=state), allowed=frozenset(), tickets=True)
    assert "the ticket was being stacked" in str(notes.events())

"""Device words and engine words: every word of the one side has its meaning on the other."""

from dataclasses import replace
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import case
from support.machines import SETTINGS, Cabinet, seated

from cabinet.engine import cash_out
from cabinet.engine.effects import Effect, PrintTicket, ReturnBill, StackBill
from cabinet.engine.inputs import (
    AcceptorStarted,
    BillOffered,
    BillRejected,
    BillReturned,
    BillStacked,
    BillUnasked,
    Button,
    CallAttendant,
    CashOut,
    Door,
    DoorClosed,
    DoorOpened,
    Fact,
    Fault,
    FaultBegan,
    FaultEnded,
    Key,
    KeyTurned,
    PrinterStarted,
    PrintFailed,
    PrintUnknown,
    TicketPrinted,
)
from cabinet.engine.locks import FAULT_LOCKS
from cabinet.engine.state import Settings
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked
from cabinet.runtime import translate
from drivers.bills import events as bills
from drivers.panel import layout
from drivers.panel.layout import Input as PanelInput
from drivers.panel.layout import Tower
from drivers.printers import document as printer

NOTHING: frozenset[Fault] = frozenset()


def look_up(number: str) -> TicketOffered:
    return {"7": KNOWN}[number]


def facts_of(event: bills.BillEvent, standing: frozenset[Fault] = NOTHING) -> tuple[Fact, ...]:
    return translate.bill_facts(event, standing, look_up)


# --- the acceptor -----------------------------------------------------------------------------------------------

STARTED = bills.Started(model="NV9", firmware="4.28", serial="7", channels=())
KNOWN = TicketOffered(sequence=7, cents=500, standing=Standing.PAYABLE)
BILLS = {
    bills.Offered(channel=3, value_cents=2000): (BillOffered(cents=2000),),
    bills.Offered(channel=3, value_cents=500, counter=7): (BillOffered(cents=500, counter=7),),
    bills.Stacked(channel=3, value_cents=2000, receipt=1): (BillStacked(cents=2000),),
    bills.Stacked(channel=0, value_cents=None, receipt=None, recovered=True): (
        BillStacked(cents=None, recovered=True),
    ),
    bills.Unsolicited(reported_cents=600, detail="6 pulses", evidence="low 50"): (
        BillUnasked(reported_cents=600, detail="6 pulses", evidence="low 50"),
    ),
    bills.TicketOffered(number="7"): (KNOWN,),
    bills.TicketStacked(number="7", receipt=1): (TicketStacked(sequence=7, cents=500, standing=Standing.PAYABLE),),
    bills.TicketStacked(number=None, receipt=None, recovered=True): (TicketStacked(recovered=True),),
    bills.Returned(): (BillReturned(),),
    bills.Returned(recovered=True): (BillReturned(recovered=True),),
    bills.Rejected(code=2, reason="not recognised"): (BillRejected(reason="not recognised"),),
    bills.TroubleBegan(trouble=bills.Trouble.JAM, detail="safe"): (FaultBegan(fault=Fault.BILL_JAM, detail="safe"),),
    bills.TroubleEnded(trouble=bills.Trouble.LINK): (FaultEnded(fault=Fault.ACCEPTOR_LINK),),
    bills.Enabled(taking=True): (),
    bills.Enabled(taking=False): (),
}


@pytest.mark.parametrize("event", BILLS, ids=str)
def test_an_event_of_the_acceptor_means(event):
    assert facts_of(event) == BILLS[event]


def test_every_event_of_an_acceptor_is_in_the_table():
    assert {type(event) for event in BILLS} | {bills.Started} == set(get_args(bills.BillEvent))


@pytest.mark.requirement("BA-08")
def test_every_trouble_of_an_acceptor_is_a_fault_of_its_own():
    assert translate.TROUBLES.keys() == set(bills.Trouble)
    assert len(set(translate.TROUBLES.values())) == len(bills.Trouble)


@pytest.mark.parametrize("trouble", bills.Trouble)
def test_a_trouble_that_the_device_never_ends_ends_at_once(trouble):
    facts = facts_of(bills.TroubleBegan(trouble=trouble, detail="x"))
    fault = translate.TROUBLES[trouble]
    momentary = trouble in {bills.Trouble.CHEAT, bills.Trouble.COUNTERFEIT, bills.Trouble.LOST_EVENTS}
    began = FaultBegan(fault=fault, detail="x")
    ended = tuple(fact for fact in facts[1:] if fact == FaultEnded(fault=fault))
    assert facts[0] == began
    assert ended == ((FaultEnded(fault=fault),) if momentary else ())


@pytest.mark.parametrize("trouble", [bills.Trouble.LINK, bills.Trouble.WRONG_DEVICE, bills.Trouble.HARDWARE])
def test_an_acceptor_that_cannot_start_ends_only_the_faults_of_earlier_runs(trouble):
    standing = frozenset({Fault.CASHBOX_FULL})
    began, *ended = facts_of(bills.TroubleBegan(trouble=trouble), standing)
    assert began == FaultBegan(fault=translate.TROUBLES[trouble])
    assert {fact.fault for fact in ended} == {Fault.BILL_JAM, Fault.CASHBOX_REMOVED, Fault.CASHBOX_NEAR_FULL}


def test_an_acceptor_that_starts_ends_the_faults_it_no_longer_has():
    standing = frozenset({Fault.CASHBOX_FULL})
    *ended, started = facts_of(STARTED, standing)
    assert started == AcceptorStarted(model="NV9", firmware="4.28", serial="7")
    assert {fact.fault for fact in ended} == set(translate.TROUBLES.values()) - standing


def test_a_fault_of_an_earlier_life_is_gone_once_the_acceptor_starts_without_it():
    cabinet = seated()
    cabinet.do(FaultBegan(fault=Fault.CASHBOX_FULL), *facts_of(STARTED))
    assert cabinet.machine.faults == ()
    assert cabinet.machine.locks == ()


ORDERS = {
    StackBill(): bills.Stack(),
    ReturnBill(): bills.Return(),
    PrintTicket(sequence=1, cents=100, duplicate=False): None,
}


@pytest.mark.parametrize("effect", ORDERS, ids=str)
def test_an_effect_is_an_order_of_the_acceptor_or_none_of_its(effect):
    assert translate.bill_order(effect) == ORDERS[effect]


def test_every_effect_is_in_the_table():
    assert {type(effect) for effect in ORDERS} == set(get_args(Effect))


CHANNELS = tuple(
    bills.Channel(number=number, value_cents=cents, currency=currency)
    for number, (cents, currency) in enumerate([(100, "USD"), (500, "USD"), (500, "EUR"), (2000, "USD")], start=1)
)


@pytest.mark.requirement("BA-06")
def test_only_notes_the_operator_takes_in_our_currency_are_let_through():
    assert translate.channels_taken(CHANNELS, (500, 2000, 5000), "USD") == {2, 4}
    assert translate.channels_taken(CHANNELS, (), "USD") == frozenset()
    assert translate.channels_taken((), (500,), "USD") == frozenset()


@pytest.mark.requirement("BA-04", "TP-12")
def test_tickets_are_let_in_with_notes_where_the_acceptor_reads_them():
    cabinet = seated()
    reader = replace(STARTED, channels=CHANNELS, reads_tickets=True)

    def take(started: bills.Started | None, settings: Settings = SETTINGS) -> bills.Take:
        return translate.take_now(settings, cabinet.machine, started, "USD", escrow=True)

    assert take(None) == bills.TAKE_NOTHING
    assert (take(reader).tickets, bool(take(reader).channels)) == (True, True)
    assert not take(replace(reader, reads_tickets=False)).tickets
    assert not take(reader, replace(SETTINGS, tickets_in=False)).tickets
    cabinet.do(FaultBegan(fault=Fault.CASHBOX_FULL))
    assert take(reader) == bills.TAKE_NOTHING


@pytest.mark.requirement("BA-04", "TP-12")
def test_tickets_are_let_in_alone_where_no_note_fits_or_none_is_taken() -> None:
    reader = replace(STARTED, channels=CHANNELS, reads_tickets=True)
    tickets_only = bills.Take(channels=frozenset(), tickets=True)
    for settings, escrow, expected in (
        (replace(SETTINGS, credit_limit_cents=8_099), True, tickets_only),
        (replace(SETTINGS, credit_limit_cents=8_000), True, bills.TAKE_NOTHING),
        (replace(SETTINGS, notes_cents=()), True, tickets_only),
        (replace(SETTINGS, notes_cents=(), tickets_in=False), True, bills.TAKE_NOTHING),
        (replace(SETTINGS, credit_limit_cents=8_099), False, bills.TAKE_NOTHING),
    ):
        with case(limit=settings.credit_limit_cents, notes=settings.notes_cents, escrow=escrow):
            machine = seated("table", credit=8_000, settings=settings).machine
            assert translate.take_now(settings, machine, reader, "USD", escrow=escrow) == expected


# --- the printer ------------------------------------------------------------------------------------------------

OUTCOMES = {
    printer.PrinterStarted(model="TP80"): PrinterStarted(model="TP80"),
    printer.Printed(job=7): TicketPrinted(sequence=7),
    printer.PrintFailed(job=7, reason="no paper"): PrintFailed(sequence=7, reason="no paper"),
    printer.PrintUnknown(job=7, reason="link lost"): PrintUnknown(sequence=7, reason="link lost"),
}


@pytest.mark.parametrize("event", OUTCOMES, ids=str)
def test_an_event_of_the_printer_means(event):
    assert translate.printer_facts(event, ()) == (OUTCOMES[event],)


def test_every_event_of_a_printer_is_in_the_table():
    assert {type(event) for event in OUTCOMES} | {printer.PrinterStatus} == set(get_args(printer.PrinterEvent))


STATUSES = tuple(
    printer.PrinterStatus(link=link, online=online, paper=paper, cover_open=cover, jam=jam, fault=fault)
    for link, online, paper, cover, jam, fault in product(
        (True, False), (True, False), printer.Paper, (True, False), (True, False), ("", "head too hot")
    )
)
WELL = printer.PrinterStatus(link=True, online=True, paper=printer.Paper.OK)


def _expected(status: printer.PrinterStatus) -> set[Fault]:
    """What a status says, as a list of sentences."""
    if not status.link:
        return {Fault.PRINTER_LINK}
    reported = {
        Fault.PRINTER_COVER: status.cover_open,
        Fault.PRINTER_JAM: status.jam,
        Fault.PAPER_OUT: status.paper is printer.Paper.OUT,
    }
    explained = any(reported.values())
    reported[Fault.PAPER_LOW] = status.paper is printer.Paper.LOW
    reported[Fault.PRINTER_HARDWARE] = (
        bool(status.fault) or status.paper is printer.Paper.UNKNOWN or not (status.online or explained)
    )
    return {fault for fault, there in reported.items() if there}


def _hear(cabinet: Cabinet, status: printer.PrinterStatus) -> None:
    for fact in translate.printer_facts(status, cabinet.machine.faults):
        cabinet.do(fact)


def _faults(cabinet: Cabinet) -> set[Fault]:
    return set(cabinet.machine.faults)


@pytest.mark.requirement("TP-06")
@given(statuses=st.lists(st.sampled_from(STATUSES), min_size=1, max_size=6))
def test_after_any_statuses_the_machine_has_the_faults_of_the_last_one(statuses):
    cabinet = seated()
    for status in statuses:
        _hear(cabinet, status)
        assert _faults(cabinet) == _expected(status)
        assert {lock.kind for lock in cabinet.machine.locks if lock.present} == {
            FAULT_LOCKS[fault] for fault in _expected(status)
        }


def test_a_ticket_is_printed_exactly_when_the_printer_says_it_can():
    for status in STATUSES:
        with case(status=status):
            cabinet = seated()
            _hear(cabinet, status)
            assert cash_out.can_print(cabinet.machine) == status.can_print


def test_a_fault_that_lasts_is_reported_once():
    out = replace(WELL, online=False, paper=printer.Paper.OUT)
    assert translate.status_facts(out, ()) == (FaultBegan(fault=Fault.PAPER_OUT),)
    assert translate.status_facts(out, (Fault.PAPER_OUT,)) == ()
    assert translate.status_facts(WELL, (Fault.PAPER_OUT,)) == (FaultEnded(fault=Fault.PAPER_OUT),)


def test_faults_of_others_are_left_alone():
    assert translate.status_facts(WELL, (Fault.BILL_JAM,)) == ()


DETAILS = {
    replace(WELL, online=False): "offline",
    replace(WELL, online=False, paper=printer.Paper.LOW): "offline",
    replace(WELL, fault="head too hot"): "head too hot",
    replace(WELL, paper=printer.Paper.UNKNOWN): "the paper sensor reports nothing",
}


@pytest.mark.parametrize("status", DETAILS, ids=str)
def test_a_printer_fault_says_in_words_what_it_is(status):
    facts = translate.status_facts(status, ())
    assert FaultBegan(fault=Fault.PRINTER_HARDWARE, detail=DETAILS[status]) in facts


# --- the panel --------------------------------------------------------------------------------------------------


def test_every_input_of_the_panel_is_a_button_a_door_or_a_key():
    assert translate.BUTTON_OF_INPUT.keys() | translate.DOORS.keys() | translate.KEYS.keys() == set(PanelInput)
    assert translate.BUTTON_OF_INPUT.keys() == set(layout.BUTTON_INPUTS)
    assert set(translate.BUTTON_OF_INPUT.values()) == set(Button)
    assert set(translate.DOORS.values()) == set(Door)
    assert set(translate.KEYS.values()) == set(Key)


def test_every_button_lights_its_own_lamp():
    assert {button: translate.BUTTON_OF_INPUT[lamp] for button, lamp in translate.LAMPS.items()} == {
        b: b for b in Button
    }


@pytest.mark.parametrize("name", PanelInput)
def test_a_contact_that_is_no_button_means(name):
    expected = {
        PanelInput.MAIN_DOOR: (DoorOpened(door=Door.MAIN), DoorClosed(door=Door.MAIN)),
        PanelInput.CASHBOX_DOOR: (DoorOpened(door=Door.CASHBOX), DoorClosed(door=Door.CASHBOX)),
        PanelInput.LOGIC_DOOR: (DoorOpened(door=Door.LOGIC), DoorClosed(door=Door.LOGIC)),
        PanelInput.AUDIT_KEY: (KeyTurned(key=Key.AUDIT, on=True), KeyTurned(key=Key.AUDIT, on=False)),
        PanelInput.RESET_KEY: (KeyTurned(key=Key.RESET, on=True), KeyTurned(key=Key.RESET, on=False)),
    }
    found = tuple(translate.door_or_key_fact(name, active=active) for active in (True, False))
    assert found == expected.get(name, (None, None))


# --- the tower light --------------------------------------------------------------------------------------------


def _tower(*inputs, credit: int = 0) -> frozenset[Tower]:
    cabinet = seated(credit=credit)
    cabinet.do(*inputs)
    return translate.tower_of(cabinet.machine)


@pytest.mark.requirement("TE-06")
def test_the_tower_light_differs_for_a_call_a_door_and_a_hand_pay():
    assert _tower() == frozenset()
    assert _tower(CallAttendant()) == {Tower.TOWER_CALL}
    assert _tower(DoorOpened(door=Door.MAIN)) == {Tower.TOWER_FAULT}
    assert _tower(CashOut(), credit=SETTINGS.ticket_max_cents + 100) == {Tower.TOWER_CALL, Tower.TOWER_FAULT}


def test_a_warning_of_the_computer_leaves_the_tower_dark():
    assert _tower(FaultBegan(fault=Fault.UNDER_VOLTAGE)) == frozenset()


@pytest.mark.parametrize("fault", [Fault.PAPER_LOW, Fault.CASHBOX_NEAR_FULL])
def test_what_runs_out_soon_calls_before_it_does(fault: Fault):
    assert _tower(FaultBegan(fault=fault)) == {Tower.TOWER_CALL}


@pytest.mark.parametrize("fault", [Fault.PAPER_OUT, Fault.PRINTER_LINK, Fault.PRINTER_COVER, Fault.PRINTER_HARDWARE])
def test_a_printer_that_is_down_is_a_fault_before_money_is_wanted(fault: Fault):
    assert _tower(FaultBegan(fault=fault)) == {Tower.TOWER_FAULT}
    assert _tower(FaultBegan(fault=fault), FaultEnded(fault=fault)) == frozenset()


def test_a_stuck_button_calls_and_stops_nothing():
    assert _tower(FaultBegan(fault=Fault.STUCK_BUTTON, detail="bet")) == {Tower.TOWER_CALL}


def test_a_fault_of_the_notes_alone_is_a_fault():
    assert _tower(FaultBegan(fault=Fault.CASHBOX_FULL)) == {Tower.TOWER_FAULT}

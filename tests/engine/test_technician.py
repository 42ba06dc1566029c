"""The technician's level and the memory clear: who may, what it takes, what goes and what stays."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.clears import CLEARS, back_to_play, prepared
from support.locked import under
from support.machines import POWER, SETTINGS, Cabinet, dealt, in_every_state, seated

from cabinet.engine import technician
from cabinet.engine.closings import AT_CLEAR, without_box
from cabinet.engine.effects import MemoryCleared, ReturnBill, StackBill
from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillStacked,
    CashOut,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Fault,
    FaultBegan,
    Input,
    Key,
    KeyTurned,
    PinEntered,
    PinWaitOver,
    PrepareMemoryClear,
    PrintUnknown,
    SettleLock,
    Settlement,
    Stand,
    TicketPrinted,
)
from cabinet.engine.ledger import NEVER_CLEARED
from cabinet.engine.locks import LOCKS
from cabinet.engine.log import LogKind
from cabinet.engine.machine import starting
from cabinet.engine.state import LockKind, Phase, State
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked

OPEN, SHUT = DoorOpened(door=Door.LOGIC), DoorClosed(door=Door.LOGIC)
RESET, RESET_BACK = KeyTurned(key=Key.RESET, on=True), KeyTurned(key=Key.RESET, on=False)
AUDIT, AUDIT_BACK = KeyTurned(key=Key.AUDIT, on=True), KeyTurned(key=Key.AUDIT, on=False)
PREPARE, KEEP = PrepareMemoryClear(on=True), PrepareMemoryClear(on=False)
RIGHT, WRONG = PinEntered(right=True), PinEntered(right=False)
WITH_PIN = replace(SETTINGS, technician_pin=True)


# --- the technician's level -------------------------------------------------------------------------------------


@pytest.mark.requirement("SE-07")
@pytest.mark.parametrize("way", [(AUDIT, OPEN), (OPEN, AUDIT)], ids=["key first", "door first"])
def test_audit_key_and_open_logic_door_are_the_technician_until_the_key_goes_back(way: tuple[Input, ...]) -> None:
    cabinet = seated()
    cabinet.do(way[0])
    assert not cabinet.machine.access.technician
    cabinet.do(way[1])
    assert cabinet.machine.access.technician
    cabinet.do(SHUT)
    assert cabinet.machine.access.technician
    cabinet.do(AUDIT_BACK)
    assert not cabinet.machine.access.technician
    entered, left = LogKind.TECHNICIAN_ENTERED, LogKind.TECHNICIAN_LEFT
    assert [what for what in cabinet.logged() if what in {entered, left}] == [entered, left]


@pytest.mark.requirement("SE-07")
def test_a_power_cut_ends_the_level_and_it_comes_back_with_key_and_door_as_they_are_found() -> None:
    cabinet = seated()
    cabinet.technician()
    cabinet.do(POWER)
    assert not cabinet.machine.access.technician
    cabinet.do(OPEN)
    assert cabinet.machine.access.technician


TECHNICIAN_ONLY = (
    LockKind.SELF_AUDIT,
    LockKind.PROGRAM_CHANGED,
    LockKind.LOGIC_DOOR,
    LockKind.EXCESSIVE_INCREMENT,
)
"""The rows of the event table that a technician clears."""


@pytest.mark.requirement("SE-07", "TE-01")
@pytest.mark.parametrize("kind", TECHNICIAN_ONLY, ids=lambda kind: kind.name)
def test_what_a_technician_clears_no_attendant_does(kind: LockKind) -> None:
    cabinet = under(kind)
    cabinet.do(*(DoorClosed(door=door) for door in cabinet.machine.access.open_doors), AUDIT)
    clear = SettleLock(lock_id=cabinet.lock(kind).lock_id, how=Settlement.CLEAR)
    assert cabinet.refusal(clear) == "NOT_ALLOWED"
    cabinet.do(OPEN, SHUT, clear)
    assert kind not in cabinet.locked()


def test_the_lock_table_asks_for_the_technician_in_exactly_these_rows() -> None:
    """A time is confirmed, not cleared."""
    only = {kind for kind in LockKind if LOCKS[kind].technician}
    assert only == {*TECHNICIAN_ONLY, LockKind.CLOCK_INVALID}


@pytest.mark.requirement("SE-07")
def test_only_the_right_pin_with_key_and_door_open_makes_the_technician() -> None:
    cabinet = seated(settings=WITH_PIN)
    cabinet.do(RIGHT, AUDIT, RIGHT)
    assert not cabinet.machine.access.technician, "the door is shut"
    cabinet.do(OPEN)
    assert not cabinet.machine.access.technician
    cabinet.do(WRONG)
    assert not cabinet.machine.access.technician
    cabinet.do(RIGHT)
    assert (cabinet.machine.access.technician, cabinet.machine.access.wrong_pins) == (True, 0)
    assert cabinet.logged().count(LogKind.PIN_WRONG) == 1


@pytest.mark.requirement("SE-07")
def test_a_lock_out_by_wrong_pins_outlasts_a_power_cut_and_the_logic_door_until_its_time_is_over() -> None:
    cabinet = seated(settings=WITH_PIN)
    cabinet.do(AUDIT, OPEN, *(WRONG for _ in range(technician.TRIES)), POWER, RIGHT)
    assert not cabinet.machine.access.technician
    assert cabinet.logged().count(LogKind.PIN_WRONG) == technician.TRIES
    cabinet.do(WRONG)
    assert cabinet.logged().count(LogKind.PIN_WRONG) == technician.TRIES, "nothing is taken any more"
    cabinet.do(SHUT, OPEN, RIGHT)
    assert not cabinet.machine.access.technician
    cabinet.do(PinWaitOver(), RIGHT)
    assert cabinet.machine.access.technician


@pytest.mark.requirement("SE-07")
def test_the_logic_door_gives_no_tries_back() -> None:
    """Otherwise two wrong PINs for each opening of the door would never end."""
    cabinet = seated(settings=WITH_PIN)
    cabinet.do(AUDIT, OPEN, WRONG, SHUT, OPEN, WRONG, PinWaitOver(), SHUT, OPEN, WRONG, RIGHT)
    assert not cabinet.machine.access.technician


def test_without_a_pin_asked_for_none_is_taken() -> None:
    cabinet = seated()
    before = cabinet.machine
    cabinet.do(RIGHT, WRONG)
    assert cabinet.machine == before


# --- the memory clear -------------------------------------------------------------------------------------------


def played_out() -> Cabinet:
    """A cabinet with a past and nothing of a player's in it."""
    cabinet = seated("table", credit=10_000, cards="9S 6D 8H 10C 10D")
    cabinet.do(Bet(), Deal())
    while cabinet.machine.phase is not Phase.SETTLED:
        cabinet.do(Stand())
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    assert cabinet.credit == 0
    return cabinet


def cleared(cabinet: Cabinet) -> Cabinet:
    """The same after a memory clear, with the key still in."""
    cabinet.technician()
    cabinet.do(PREPARE, RESET)
    return cabinet


@pytest.mark.requirement("PL-09", "ME-03", "ME-01")
def test_a_memory_clear_zeroes_every_meter_and_balance_but_its_own_count_and_is_logged() -> None:
    cabinet = cleared(played_out())
    books, machine = cabinet.machine.books, cabinet.machine
    assert books.balances == {}
    assert books.meters == {"memory_clears": 1, AT_CLEAR: 10_000}
    assert (machine.period_start, without_box(machine.marks), machine.round, machine.seat.last_bets) == (
        {},
        {},
        None,
        {},
    )
    assert machine.phase is Phase.CHOOSING
    assert cabinet.logged()[-2:] == [LogKind.MEMORY_CLEARED, LogKind.METERS_ZEROED]
    assert MemoryCleared(number=1) in cabinet.events


@pytest.mark.requirement("PL-09", "TP-02", "BA-02")
def test_numbers_go_on_and_the_world_is_as_it_was() -> None:
    cabinet = played_out()
    cabinet.do(FaultBegan(fault=Fault.PAPER_LOW))
    before = cabinet.machine
    after = cleared(cabinet).machine
    for name in ("printer", "round_number", "faults", "program"):
        assert getattr(after, name) == getattr(before, name), name
    assert after.acceptor.booked == before.acceptor.booked
    assert cabinet.locked() == [LockKind.LOGIC_DOOR, LockKind.PAPER_LOW]
    assert (after.access.technician, after.access.open_doors) == (True, (Door.LOGIC,))


@pytest.mark.requirement("PL-09", "TP-12")
def test_a_ticket_from_before_a_memory_clear_is_returned() -> None:
    ticket = TicketOffered(sequence=1, cents=500, standing=Standing.PAYABLE)
    untouched = seated(credit=500)
    untouched.do(CashOut(), TicketPrinted(sequence=1))
    assert untouched.do(ticket).effects == (StackBill(),)
    cabinet = prepared()
    cabinet.do(CLEARS)
    back_to_play(cabinet)
    assert cabinet.do(ticket).effects == (ReturnBill(),)


@pytest.mark.requirement("PL-09")
def test_the_count_of_clears_is_never_cleared() -> None:
    cabinet = cleared(played_out())
    cabinet.do(RESET_BACK, PREPARE, RESET)
    assert cabinet.meter("memory_clears") == 2
    assert NEVER_CLEARED == ("memory_clears",)


@pytest.mark.requirement("PL-09")
def test_a_clear_needs_technician_open_door_a_prepared_yes_and_the_reset_key() -> None:
    cabinet = played_out()
    before = cabinet.machine.books.meters
    cabinet.do(AUDIT)
    assert cabinet.refusal(PREPARE) == "NOT_ALLOWED"
    cabinet.do(OPEN, RESET)
    assert cabinet.refusal(KEEP) == "NOT_NOW"
    cabinet.do(PREPARE)
    assert cabinet.refusal(PREPARE) == "NOT_NOW"
    assert {**cabinet.machine.books.meters, "doors:logic door": 0} == {**before, "doors:logic door": 0}
    assert "memory_clears" not in cabinet.machine.books.meters


@pytest.mark.requirement("PL-09")
@pytest.mark.parametrize("gives_up", [KEEP, AUDIT_BACK, SHUT, POWER], ids=["no", "key back", "door shut", "power cut"])
def test_a_prepared_clear_is_given_up_and_the_reset_key_is_harmless_again(gives_up: Input) -> None:
    cabinet = played_out()
    cabinet.technician()
    cabinet.do(PREPARE, gives_up)
    assert LogKind.MEMORY_CLEAR_LEFT in cabinet.logged()
    cabinet.do(RESET)
    assert "memory_clears" not in cabinet.machine.books.meters
    assert cabinet.meter("games_played") == 1


def _in_transit() -> Cabinet:
    cabinet = seated(credit=500)
    cabinet.do(CashOut(), PrintUnknown(sequence=1, reason="no answer"))
    return cabinet


def _noted(*inputs: Input) -> Cabinet:
    cabinet = seated(credit=0)
    cabinet.do(*inputs)
    return cabinet


def _ticketed(standing: Standing) -> Cabinet:
    cabinet = seated(credit=500)
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    cabinet.do(TicketStacked(sequence=1, cents=500, standing=standing))
    return cabinet


HELD = {
    "credit": lambda: seated(credit=500),
    "an open hand": lambda: dealt("table", "8S 6D 8H 10C", credit=500),
    "a payout": _in_transit,
    "a note under way": lambda: _noted(BillOffered(cents=500)),
    "a note in doubt": lambda: _noted(BillOffered(cents=500), FaultBegan(fault=Fault.ACCEPTOR_LINK)),
    "a suspended note": lambda: _noted(BillStacked(cents=500)),
    "a note of unknown value": lambda: _noted(BillStacked(cents=None)),
    "a suspended ticket": lambda: _ticketed(Standing.PAYABLE),
    "a used ticket in the box": lambda: _ticketed(Standing.USED),
}


@pytest.mark.requirement("PL-09")
@pytest.mark.parametrize("what", HELD)
def test_nothing_is_cleared_while_the_machine_holds_anything_of_a_players(what: str) -> None:
    cabinet = HELD[what]()
    cabinet.technician()
    assert technician.holdings(cabinet.machine)
    assert cabinet.refusal(PREPARE) == "NOT_ALLOWED"


@pytest.mark.requirement("PL-09")
@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("a suspended note", "an unexpected note of 5.00"),
        ("a note of unknown value", "an unexpected note of unknown value"),
        ("a suspended ticket", "an unexpected ticket of 5.00"),
        ("a used ticket in the box", "an unexpected ticket of unknown value"),
    ],
)
def test_what_had_no_intent_is_named_for_what_it_is(what: str, words: str) -> None:
    assert technician.holdings(HELD[what]().machine) == (words,)


@pytest.mark.requirement("PL-09")
def test_a_note_that_comes_between_the_yes_and_the_key_stops_the_clear() -> None:
    cabinet = played_out()
    cabinet.technician()
    cabinet.do(PREPARE, BillStacked(cents=500), RESET)
    assert not cabinet.machine.access.clear_prepared
    assert (cabinet.meter("memory_clears"), cabinet.meter("bills_in")) == (0, 10_500)


def test_a_self_audit_failure_goes_with_the_books_it_was_about_and_no_other_lock_does() -> None:
    cabinet = under(LockKind.SELF_AUDIT)
    cabinet.machine = replace(cabinet.machine, books=starting(SETTINGS).books)
    cabinet.do(FaultBegan(fault=Fault.BILL_JAM))
    cleared(cabinet)
    assert cabinet.locked() == [LockKind.LOGIC_DOOR, LockKind.BILL_JAM]


def test_a_machine_with_a_single_game_is_at_its_table_again() -> None:
    settings = replace(SETTINGS, tables=SETTINGS.tables[1:2])
    cabinet = cleared(seated("table", credit=0, settings=settings))
    assert (cabinet.machine.phase, cabinet.machine.seat.bets) == (Phase.BETTING, (0,))


@pytest.mark.requirement("PL-09")
@given(at=st.sampled_from([state for state in State if state is not State.AUDIT]), key=st.sampled_from([AUDIT, RESET]))
def test_no_key_by_itself_clears_anything(at: State, key: Input) -> None:
    cabinet = in_every_state()[at]
    cabinet.do(key)
    cabinet.attempt(PREPARE)
    cabinet.do(RESET)
    assert cabinet.meter("memory_clears") == 0

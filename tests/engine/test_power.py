"""Doors, keys, power, periods and voided rounds: the attendant's side of the machine."""

from dataclasses import replace

import pytest
from support.cases import case
from support.inputs import ACCEPTOR, PLAYER_COMMANDS, PRINTER
from support.machines import POWER, SETTINGS, Cabinet, dealt, in_every_state, one_table, seated

from cabinet.engine.closings import NUMBERS
from cabinet.engine.effects import RoundVoided
from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillStacked,
    Button,
    CallAttendant,
    CashOut,
    ClockJumped,
    Command,
    CopiesCompared,
    CopiesNotCompared,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Double,
    Fault,
    FaultBegan,
    FaultEnded,
    HandAbandoned,
    Hit,
    Input,
    Insure,
    Key,
    KeyTurned,
    MemoryRecovered,
    PoweredDown,
    PoweredUp,
    ProgramChecked,
    RecordsDoubted,
    RecordsDropped,
    ResetPeriod,
    SetOutOfService,
    SettingsChanged,
    SettleLock,
    Settlement,
    SingleCopyFound,
    Split,
    Stand,
    ToggleTurbo,
    VoidRound,
)
from cabinet.engine.ledger import Account
from cabinet.engine.locks import LOCKS
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.machine import lit
from cabinet.engine.record_facts import FormChanged, MachineCommissioned, UpdateTakenBack
from cabinet.engine.rules import CLASSIC
from cabinet.engine.state import LockKind, Machine, State

RESET = KeyTurned(key=Key.RESET, on=True)
PAIR = "8S 6D 8H 10C"
HOLDS = {State.INSURANCE: "9S AD 8H 10C", State.DECIDING: PAIR}


def without_traces(machine: Machine, before: Machine) -> Machine:
    """The machine with the counters of an interruption set back: number of locks added, marks, door counts."""
    return replace(machine, next_lock_id=before.next_lock_id, marks=before.marks, books=before.books)


# --- doors ------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TE-07", "TE-01")
@pytest.mark.parametrize("door", [Door.MAIN, Door.CASHBOX], ids=lambda door: door.name)
@pytest.mark.parametrize("state", [State.BETTING, State.INSURANCE, State.DECIDING, State.SETTLED], ids=lambda s: s.name)
def test_an_open_door_stops_everything_and_closing_it_resumes_the_same_state(state: State, door: Door) -> None:
    cabinet = in_every_state()[state]
    before = cabinet.machine
    cabinet.do(DoorOpened(door=door))
    assert cabinet.state is State.LOCKED
    assert lit(cabinet.settings, cabinet.machine) == {Button.SERVICE}
    assert LOCKS[cabinet.machine.locks[0].kind].alarm
    cabinet.do(BillOffered(cents=100))
    assert cabinet.machine.acceptor.in_path is None
    for press in PLAYER_COMMANDS:
        if press != CallAttendant():
            assert cabinet.refusal(press) in {"LOCKED", "NOT_NOW"}, press
    cabinet.do(DoorClosed(door=door))
    assert cabinet.state is state
    assert without_traces(cabinet.machine, before) == before
    assert {LogKind.DOOR_OPENED, LogKind.DOOR_CLOSED} <= set(cabinet.logged())


@pytest.mark.requirement("TE-01")
def test_the_logic_door_stays_locked_until_the_technician_releases_it_in_the_menu() -> None:
    cabinet = seated("table")
    cabinet.do(DoorOpened(door=Door.LOGIC))
    cabinet.audit()
    lock = cabinet.lock(LockKind.LOGIC_DOOR)
    assert cabinet.refusal(SettleLock(lock_id=lock.lock_id, how=Settlement.CLEAR)) == "NOT_ALLOWED"
    cabinet.audit(on=False)
    cabinet.do(DoorClosed(door=Door.LOGIC), RESET)
    assert cabinet.locked() == [LockKind.LOGIC_DOOR]
    cabinet.settle(LockKind.LOGIC_DOOR, Settlement.CLEAR)
    assert cabinet.state is State.BETTING


@pytest.mark.requirement("ME-01")
def test_each_opening_of_each_door_is_counted_once() -> None:
    cabinet = seated("table")
    for door in Door:
        cabinet.do(DoorOpened(door=door), DoorOpened(door=door), DoorClosed(door=door), DoorClosed(door=door))
    cabinet.do(DoorOpened(door=Door.MAIN))
    assert [cabinet.meter(f"doors:{door.value}") for door in Door] == [2, 1, 1]


@pytest.mark.requirement("AT-05", "AT-01")
def test_neither_a_door_nor_any_press_opens_the_attendants_menu() -> None:
    cabinet = seated("table")
    cabinet.do(DoorOpened(door=Door.MAIN))
    assert cabinet.state is State.LOCKED
    for state, other in in_every_state().items():
        if state is not State.AUDIT:
            for press in PLAYER_COMMANDS:
                other.attempt(press)
                assert other.state is not State.AUDIT


# --- keys -------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("AT-03")
@pytest.mark.parametrize("state", [State.CHOOSING, State.BETTING, State.SETTLED, State.LOCKED], ids=lambda s: s.name)
def test_the_menu_takes_no_play_and_gives_the_exact_state_back(state: State) -> None:
    cabinet = in_every_state()[state]
    before = cabinet.machine
    cabinet.audit()
    assert cabinet.state is State.AUDIT
    assert {cabinet.refusal(press) for press in PLAYER_COMMANDS} == {"AUDIT"}
    cabinet.audit(on=False)
    assert cabinet.machine == before
    assert cabinet.logged()[-2:] == [LogKind.AUDIT_ENTERED, LogKind.AUDIT_LEFT]


@pytest.mark.requirement("AT-02")
@pytest.mark.parametrize("state", HOLDS, ids=lambda state: state.name)
def test_the_menu_opens_when_a_fault_stops_the_hand(state: State) -> None:
    cabinet = dealt("table", HOLDS[state])
    cabinet.audit()
    assert cabinet.state is state
    cabinet.do(FaultBegan(fault=Fault.BILL_JAM))
    assert cabinet.state is State.AUDIT
    cabinet.do(FaultEnded(fault=Fault.BILL_JAM))
    cabinet.do(SettleLock(lock_id=cabinet.lock(LockKind.BILL_JAM).lock_id, how=Settlement.CLEAR))
    assert cabinet.state is state, "the hand goes on before the menu does"


@pytest.mark.no_cover
@pytest.mark.requirement("ME-05")
def test_the_menu_and_the_attract_mode_move_no_meter() -> None:
    for state in (State.AUDIT, State.ATTRACT):
        cabinet = in_every_state()[state]
        before = cabinet.machine.books.meters
        for press in PLAYER_COMMANDS:
            if press != CashOut():
                cabinet.attempt(press)
                cabinet.machine = in_every_state()[state].machine
        cabinet.attempt(ResetPeriod())
        cabinet.attempt(SetOutOfService(out=True))
        cabinet.audit(on=False)
        numbers = {name: cabinet.meter(name) for name in NUMBERS.values() if cabinet.meter(name)}
        assert cabinet.machine.books.meters == before | numbers, "the number of a closing says nothing of money or play"


def test_the_reset_key_clears_what_takes_a_plain_yes_one_at_a_time() -> None:
    cabinet = seated("table")
    for fault in (Fault.BILL_JAM, Fault.PRINTER_JAM):
        cabinet.do(FaultBegan(fault=fault), FaultEnded(fault=fault))
    cabinet.do(RESET)
    assert cabinet.locked() == [LockKind.PRINTER_JAM]
    cabinet.do(KeyTurned(key=Key.RESET, on=False))
    assert cabinet.locked() == [LockKind.PRINTER_JAM]
    cabinet.do(RESET)
    assert cabinet.locked() == []


def test_the_reset_key_decides_nothing_about_money_but_a_hand_pay() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(BillStacked(cents=500), BillOffered(cents=500), RESET)
    assert cabinet.locked() == [LockKind.UNEXPECTED_NOTE]
    cabinet.settle(LockKind.UNEXPECTED_NOTE, Settlement.CREDIT_NOTE)
    cabinet.do(BillOffered(cents=500), POWER, ACCEPTOR, RESET)
    assert cabinet.locked() == [LockKind.NOTE_IN_DOUBT]


def test_the_reset_key_puts_the_call_lamp_out() -> None:
    cabinet = seated("table")
    cabinet.do(CallAttendant(), RESET)
    assert not cabinet.machine.calling
    assert cabinet.logged()[-2:] == [LogKind.CALL_ON, LogKind.CALL_OFF]
    cabinet.do(CallAttendant(), CallAttendant())
    assert not cabinet.machine.calling


def test_only_the_attendant_settles_and_only_what_is_there() -> None:
    cabinet = seated("table", credit=500_000)
    cabinet.do(CashOut())
    lock = cabinet.lock(LockKind.HAND_PAY)
    assert cabinet.refusal(SettleLock(lock_id=lock.lock_id, how=Settlement.PAID_BY_HAND)) == "LOCKED"
    cabinet.audit()
    assert cabinet.refusal(SettleLock(lock_id=lock.lock_id + 1, how=Settlement.PAID_BY_HAND)) == "NO_SUCH"
    assert cabinet.refusal(SettleLock(lock_id=lock.lock_id, how=Settlement.CREDIT_NOTE)) == "NOT_ALLOWED"


@pytest.mark.requirement("CM-09")
def test_a_large_win_that_is_no_longer_all_there_can_only_be_released() -> None:
    cabinet = dealt("classic", "AS 6D KH 10C", credit=100, settings=one_table(CLASSIC, large_win_cents=150))
    lock = cabinet.lock(LockKind.LARGE_WIN)
    assert (lock.cents, cabinet.credit) == (150, 250)
    short = replace(lock, cents=300)
    cabinet.machine = replace(cabinet.machine, locks=(short,))
    cabinet.audit()
    assert cabinet.refusal(SettleLock(lock_id=lock.lock_id, how=Settlement.PAID_BY_HAND)) == "NOT_ALLOWED"
    cabinet.do(SettleLock(lock_id=lock.lock_id, how=Settlement.CLEAR))


def test_an_abandoned_hand_calls_the_attendant_once_and_waits_for_ever() -> None:
    cabinet = dealt("table", PAIR)
    round_ = cabinet.machine.round
    cabinet.do(HandAbandoned(), HandAbandoned())
    assert cabinet.machine.calling
    assert cabinet.machine.round is round_
    assert cabinet.logged().count(LogKind.CALL_ON) == 1
    idle = seated("table")
    idle.do(HandAbandoned())
    assert not idle.machine.calling


# --- power ------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("PL-02", "PL-04")
@pytest.mark.parametrize("state", HOLDS, ids=lambda state: state.name)
def test_an_interrupted_hand_comes_back_with_its_cards_stakes_turn_and_choices(state: State) -> None:
    cabinet = dealt("table", HOLDS[state])
    before, lamps = cabinet.machine, lit(cabinet.settings, cabinet.machine)
    cabinet.do(PoweredUp(clean=False, version="1.0", program_hash="aa"), ACCEPTOR, PRINTER)
    after = cabinet.machine
    assert (after.round, after.phase, after.books.balances) == (before.round, before.phase, before.books.balances)
    assert lit(cabinet.settings, after) == lamps
    assert after.shown.notice == LogKind.POWER_LOST_IN_PLAY.value
    assert LogKind.POWER_LOST_IN_PLAY in cabinet.logged()


@pytest.mark.requirement("PL-10", "TE-05")
@pytest.mark.parametrize("goes_on", [Stand(), Hit(), CashOut()], ids=["stand", "hit", "cash out"])
def test_what_happened_to_the_power_is_shown_until_the_player_goes_on(goes_on: Command) -> None:
    cabinet = seated("table") if isinstance(goes_on, CashOut) else dealt("table", f"{PAIR} 2C 10D")
    cabinet.do(PoweredUp(clean=False, crashed=True), ACCEPTOR, PRINTER)
    assert cabinet.machine.shown.notice
    cabinet.do(goes_on)
    assert cabinet.machine.shown.notice == ""


@pytest.mark.requirement("PL-10", "TE-05")
def test_an_unclean_stop_and_a_crash_are_shown_until_the_next_hand() -> None:
    cabinet = seated("table")
    cabinet.do(PoweredUp(clean=False, crashed=True))
    assert cabinet.machine.shown.notice == "power up after a crash"
    assert LogKind.POWER_UP_AFTER_CRASH in cabinet.logged()
    cabinet.do(Bet(place=0))
    assert cabinet.machine.shown.notice
    cabinet.do(Deal())
    assert cabinet.machine.shown.notice == ""
    cabinet.do(PoweredDown(), POWER)
    assert cabinet.machine.shown.notice == ""
    assert cabinet.logged()[-2:] == [LogKind.POWER_DOWN, LogKind.POWER_UP]
    assert cabinet.meter("power_ups") == 3


@pytest.mark.requirement("PL-10")
def test_a_changed_program_locks_until_released_in_the_menu() -> None:
    cabinet = seated("table")
    cabinet.do(PoweredUp(clean=True, version="2.0", program_hash="bb"))
    assert cabinet.lock(LockKind.PROGRAM_CHANGED).detail == "1.0 to 2.0"
    cabinet.do(RESET)
    assert cabinet.refusal(Bet(place=0)) == "LOCKED"
    cabinet.settle(LockKind.PROGRAM_CHANGED, Settlement.CLEAR)
    cabinet.do(PoweredUp(clean=True, version="2.0", program_hash="bb"))
    assert cabinet.locked() == []


@pytest.mark.requirement("SE-01", "SE-02")
def test_a_program_that_is_found_changed_while_it_runs_locks_and_is_logged_with_its_versions() -> None:
    cabinet = seated("table")
    cabinet.do(ProgramChecked(version="1.0", program_hash="aa"))
    assert cabinet.locked() == []
    cabinet.do(ProgramChecked(version="2.0", program_hash="bb"))
    assert cabinet.lock(LockKind.PROGRAM_CHANGED).detail == "1.0 to 2.0"
    assert cabinet.events[-2] == LogEntry(what=LogKind.PROGRAM_CHANGED, detail="1.0 to 2.0, files aa to bb")
    assert cabinet.refusal(Bet(place=0)) == "LOCKED"


def test_a_program_that_is_not_hashed_is_neither_changed_nor_forgotten() -> None:
    cabinet = seated("table")
    cabinet.do(ProgramChecked(version="1.0", program_hash=""), ProgramChecked(version="1.0", program_hash="aa"))
    assert cabinet.locked() == []
    assert cabinet.machine.program.files_hash == "aa"


@pytest.mark.requirement("PL-06")
def test_records_in_doubt_pay_nothing_until_a_person_or_the_second_copy_clears_them() -> None:
    cabinet = seated("table", credit=1_000)
    cabinet.do(CopiesNotCompared(detail="the stick is not there"), RecordsDoubted(detail="of yesterday"))
    assert cabinet.locked() == [LockKind.COPIES_NOT_COMPARED, LockKind.RECORDS_IN_DOUBT]
    assert cabinet.refusal(CashOut()) == "LOCKED"
    cabinet.do(CopiesCompared())
    assert cabinet.locked() == [LockKind.RECORDS_IN_DOUBT]
    assert cabinet.lock(LockKind.RECORDS_IN_DOUBT).detail == "of yesterday"
    cabinet.do(CopiesCompared())
    cabinet.audit()
    cabinet.do(SettleLock(lock_id=cabinet.lock(LockKind.RECORDS_IN_DOUBT).lock_id, how=Settlement.CLEAR))
    assert cabinet.locked() == []
    cabinet.audit(on=False)
    cabinet.do(CashOut())


REPORTED = {
    FormChanged(old=4, new=5): LogEntry(what=LogKind.FORM_CHANGED, detail="form 4 to 5"),
    FormChanged(old=4, new=5, why="no word"): LogEntry(what=LogKind.FORM_CHANGED, detail="form 4 to 5: no word"),
    UpdateTakenBack(version="2.0", at="20261201-101500", why="it is not ready"): LogEntry(
        what=LogKind.UPDATE_TAKEN_BACK, detail="version 2.0 at 20261201-101500: it is not ready"
    ),
    MachineCommissioned(version="2.0"): LogEntry(what=LogKind.COMMISSIONED, detail="2.0"),
    MemoryRecovered(detail="first copy: row 7"): LogEntry(what=LogKind.MEMORY_RECOVERED, detail="first copy: row 7"),
    SingleCopyFound(): LogEntry(what=LogKind.SINGLE_COPY),
    RecordsDropped(row=501, entry=90, digest="aa"): LogEntry(
        what=LogKind.LOG_OVERFLOW, detail="entries before 90 and rows before 501 are no longer kept"
    ),
    ClockJumped(seconds=-3_600): LogEntry(what=LogKind.CLOCK_JUMPED, detail="by -3600 s"),
    ClockJumped(seconds=60): LogEntry(what=LogKind.CLOCK_JUMPED, detail="by +60 s"),
}


@pytest.mark.requirement("EV-06", "EV-07")
def test_what_the_store_and_the_clock_report_is_logged_and_changes_nothing() -> None:
    for fact, entry in REPORTED.items():
        for state in State:
            with case(fact=fact, state=state):
                cabinet = in_every_state()[state]
                before = cabinet.machine
                step = cabinet.do(fact)
                assert (step.machine, step.events) == (before, (entry,))


@pytest.mark.requirement("PL-04")
def test_faults_and_locks_are_still_there_after_a_restart() -> None:
    cabinet = seated("table")
    cabinet.do(FaultBegan(fault=Fault.BILL_JAM, detail="at the throat"), DoorOpened(door=Door.MAIN))
    before = cabinet.machine.locks
    cabinet.do(POWER, FaultBegan(fault=Fault.BILL_JAM, detail="at the throat"), DoorOpened(door=Door.MAIN))
    assert cabinet.machine.locks == before
    cabinet.do(FaultEnded(fault=Fault.BILL_JAM), DoorClosed(door=Door.MAIN))
    assert cabinet.locked() == [LockKind.BILL_JAM], "the attendant has not looked yet"


@pytest.mark.requirement("AT-09")
def test_changed_settings_are_logged_and_no_chip_of_the_old_table_stays() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(ToggleTurbo())
    cabinet.settings = replace(one_table(CLASSIC), turbo_allowed=False)
    cabinet.do(SettingsChanged(old="tables", new="one table"))
    assert LogKind.OPTIONS_CHANGED in cabinet.logged()
    seat = cabinet.machine.seat
    assert (cabinet.state, seat.game_id, seat.turbo) == (State.BETTING, "classic", False)
    assert lit(cabinet.settings, cabinet.machine) >= {Button.CHIP}
    cabinet.settings = SETTINGS
    cabinet.do(SettingsChanged(old="one table", new="three"))
    assert cabinet.state is State.CHOOSING


@pytest.mark.parametrize(("state", "of_play"), [(dealt("table", PAIR), True), (seated("table"), False)])
def test_settings_that_change_under_a_hand_or_say_nothing_of_play_leave_it_alone(state: Cabinet, of_play: bool) -> None:
    before = state.machine
    state.do(SettingsChanged(old="a", new="b", of_play=of_play))
    assert state.machine == before


# --- voided rounds ----------------------------------------------------------------------------------------------


@pytest.mark.requirement("TE-04", "EV-01")
@pytest.mark.parametrize(
    ("cards", "presses", "stakes"),
    [(PAIR, (), 100), (PAIR + " 3S 2S 10S", (Split(), Double()), 300), ("9S AD 8H 10C", (), 100),
     ("9S AD 8H 7C", (Insure(),), 150)],
)  # fmt: skip
def test_a_malfunction_voids_the_round_and_every_stake_of_it_comes_back(
    cards: str, presses: tuple[Input, ...], stakes: int
) -> None:
    """'Malfunction voids all pays and play'; 'If any malfunction, it voids all pays and play'"""
    cabinet = dealt("table", cards)
    cabinet.do(*presses)
    assert cabinet.balance(Account.TABLE) == stakes
    cabinet.do(FaultBegan(fault=Fault.DISPLAY_LOST))
    cabinet.audit()
    step = cabinet.do(VoidRound())
    assert RoundVoided(number=1, cents=stakes) in step.events
    assert (cabinet.credit, cabinet.balance(Account.TABLE)) == (100_000, 0)
    assert (cabinet.meter("voided"), cabinet.meter("voided_rounds"), cabinet.meter("games_played")) == (stakes, 1, 0)
    assert cabinet.meter("coin_out") == 0
    assert cabinet.refusal(VoidRound()) == "NOT_NOW"
    cabinet.audit(on=False)
    cabinet.do(FaultEnded(fault=Fault.DISPLAY_LOST))
    assert cabinet.state is State.BETTING


def test_no_round_is_voided_without_a_malfunction() -> None:
    cabinet = dealt("table", PAIR)
    cabinet.audit()
    assert cabinet.refusal(VoidRound()) == "NOT_NOW", "the menu has not even opened"
    idle = seated("table")
    idle.audit()
    assert idle.refusal(VoidRound()) == "NOT_NOW"


# --- periods and counters ---------------------------------------------------------------------------------------


@pytest.mark.requirement("ME-01")
def test_games_are_counted_since_power_up_and_since_the_door_closed() -> None:
    cabinet = dealt("table", "AS 6D KH 10C")
    cabinet.do(DoorOpened(door=Door.MAIN), DoorClosed(door=Door.MAIN))
    assert cabinet.machine.marks["power_up.games_played"] == 0
    assert cabinet.machine.marks["door_close.games_played"] == 1
    cabinet.do(POWER)
    assert cabinet.machine.marks["power_up.games_played"] == 1


@pytest.mark.requirement("ME-01", "AT-10")
def test_the_notes_in_the_box_are_counted_since_it_was_removed() -> None:
    cabinet = seated("table", credit=0)
    cabinet.note(500)
    cabinet.do(FaultBegan(fault=Fault.CASHBOX_REMOVED))
    assert cabinet.state is State.LOCKED
    assert (cabinet.machine.marks["cashbox.bills_in"], cabinet.machine.marks["cashbox.bills:500"]) == (500, 1)
    cabinet.do(FaultEnded(fault=Fault.CASHBOX_REMOVED))
    assert cabinet.meter("cashbox_removals") == 1
    assert cabinet.refusal(Hit()) == "NOT_NOW"


@pytest.mark.requirement("AT-09")
def test_a_changed_setting_is_logged_with_old_and_new_value_and_the_access_level() -> None:
    cabinet = seated()
    step = cabinet.do(SettingsChanged(old="turbo=true", new="turbo=false"))
    (entry,) = (event for event in step.events if isinstance(event, LogEntry))
    assert entry.what is LogKind.OPTIONS_CHANGED
    assert entry.detail == "turbo=true -> turbo=false; access level: system administrator, in the settings file"

"""The bench: every hand on the simulated devices does what it says, and can be repeated."""

import pytest
from support.live import running
from support.live_menu import choose, open_menu

from cabinet.engine.locks import DOOR_LOCKS, FAULT_LOCKS
from cabinet.engine.state import LockKind
from cabinet.runtime.simulated import NOTES_CENTS
from cabinet.window.simulated_keys import PLAYER_KEYS

ACTIONS = {
    *(f"note_{each}" for each in (1, 5, 10, 20, 50, 100)),
    *("bad_note", "cheat", "bill_jam", "bill_jam_clear", "cashbox_out", "cashbox_in", "stacker_full", "stacker_empty"),
    *("acceptor_power", "acceptor_unplug", "acceptor_replug"),
    *("paper_out", "paper_low", "paper_refill", "cover_open", "cover_close", "printer_jam", "printer_jam_clear"),
    *("printer_off", "printer_on", "printer_unplug", "printer_replug", "ticket_take", "ticket_insert"),
    *(f"{door}_door_{what}" for door in ("main", "cashbox", "logic") for what in ("open", "close")),
    *(f"{key}_key_{what}" for key in ("audit", "reset") for what in ("on", "off")),
}


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    with running(tmp_path_factory.mktemp("bench")) as found:
        yield found


def test_every_hand_has_a_name_a_key_and_words_of_its_own(live):
    actions = live.simulated_devices.actions()
    assert {action.name for action in actions} == ACTIONS
    assert len({action.key for action in actions}) == len(actions)
    assert len({action.description for action in actions}) == len(actions)


def test_no_key_is_a_button_of_the_player(live):
    assert {action.key for action in live.simulated_devices.actions()} & PLAYER_KEYS.keys() == set()


def test_a_name_that_is_no_action_is_refused(live):
    with pytest.raises(KeyError, match="note_3"):
        live.simulated_devices.do("note_3")


AT_ONCE = (
    {
        "stacker_full": ("stacker_empty", LockKind.CASHBOX_FULL),
        "cashbox_out": ("cashbox_in", LockKind.CASHBOX_REMOVED),
        "paper_low": ("paper_refill", LockKind.PAPER_LOW),
        "cover_open": ("cover_close", LockKind.PRINTER_COVER),
        "main_door_open": ("main_door_close", LockKind.MAIN_DOOR),
        "cashbox_door_open": ("cashbox_door_close", LockKind.CASHBOX_DOOR),
    },
    {
        "paper_out": ("paper_refill", LockKind.PAPER_OUT),
        "acceptor_unplug": ("acceptor_replug", LockKind.ACCEPTOR_LINK),
    },
    {"printer_unplug": ("printer_replug", LockKind.PRINTER_LINK)},
)
"""Faults that can be there together: what makes each, what takes it back, and its lock."""


@pytest.mark.requirement("TE-01", "TE-02")
@pytest.mark.parametrize("faults", AT_ONCE, ids=" ".join)
def test_faults_are_all_kept_and_end_with_their_causes_and_doing_it_twice_changes_nothing(live, faults):
    kinds = {kind for _, kind in faults.values()}
    for name in (*faults, *faults):
        live.simulated_devices.do(name)
    live.until(lambda: {lock.kind for lock in live.machine.locks} == kinds, "every lock")
    for back, _ in (*faults.values(), *faults.values()):
        live.simulated_devices.do(back)
    live.until(lambda: not live.machine.locks, "no lock")


ATTENDED = {
    "bill_jam": ("bill_jam_clear", LockKind.BILL_JAM),
    "printer_jam": ("printer_jam_clear", LockKind.PRINTER_JAM),
}
"""What stays locked until an attendant has cleared it."""


def _clear_in_the_menu(live, kind):
    """Clears a lock from the list of locks, where the menu then is again."""
    left = len(live.machine.locks) - 1
    choose(live, kind.value.capitalize(), "Clear", "Yes")
    live.until(lambda: len(live.machine.locks) == left, "a lock being cleared")


@pytest.mark.requirement("TE-01", "TE-04")
def test_faults_that_need_an_attendant_stay_until_he_clears_each(live):
    for name in ATTENDED:
        live.simulated_devices.do(name)
    kinds = {kind for _, kind in ATTENDED.values()}
    live.until(lambda: {lock.kind for lock in live.machine.locks} == kinds, "every lock")
    for back, _ in ATTENDED.values():
        live.simulated_devices.do(back)
    live.until(lambda: not any(lock.present for lock in live.machine.locks), "the causes being gone")
    assert {lock.kind for lock in live.machine.locks} == kinds
    open_menu(live)
    choose(live, "Locks")
    for _, kind in ATTENDED.values():
        _clear_in_the_menu(live, kind)
    live.simulated_devices.do("audit_key_off")
    live.until(lambda: not live.machine.access.audit_key, "the menu being left")


@pytest.mark.requirement("BA-08", "TE-01")
def test_a_note_on_a_string_locks_until_the_reset_key(live):
    live.simulated_devices.do("cheat")
    live.until(lambda: live.locked(LockKind.BILL_CHEAT), "the cheat")
    live.simulated_devices.do("reset_key_on")
    live.until(lambda: not live.machine.locks, "the lock being cleared")
    live.simulated_devices.do("reset_key_off")


def test_a_bad_note_is_rejected_and_counted(live):
    before = live.machine.books.meter("bills_rejected")
    live.until(lambda: live.controller.snapshot().notes, "notes being taken")
    live.until(
        lambda: live.simulated_devices.acceptor_line.call(lambda: live.simulated_devices.acceptor.enabled),
        "the acceptor being let",
    )
    live.simulated_devices.do("bad_note")
    live.until(lambda: live.machine.books.meter("bills_rejected") == before + 1, "the rejection")


def test_an_acceptor_whose_power_was_cut_takes_notes_again(live):
    live.simulated_devices.do("acceptor_power")
    live.note(NOTES_CENTS[0])


def test_a_note_that_is_put_in_is_credit(live):
    before = live.credit
    live.until(
        lambda: live.simulated_devices.acceptor_line.call(lambda: live.simulated_devices.acceptor.enabled),
        "the acceptor being let",
    )
    live.simulated_devices.do("note_5")
    live.until(lambda: live.credit == before + 500, "the credit")


def test_tickets_are_taken_out_of_the_printer(live):
    live.note(NOTES_CENTS[0])
    live.press("cash_out")
    live.until(
        lambda: live.simulated_devices.printer_line.call(lambda: live.simulated_devices.printer.in_chute), "the ticket"
    )
    for _ in range(2):
        live.simulated_devices.do("ticket_take")
    assert live.simulated_devices.printer_line.call(lambda: live.simulated_devices.printer.in_chute) == []


def test_every_lock_of_a_device_or_door_has_an_action_or_a_reason_for_none():
    tables = (*AT_ONCE, ATTENDED)
    by_hand = {kind for table in tables for _, kind in table.values()} | {LockKind.BILL_CHEAT}
    elsewhere = {
        LockKind.CASHBOX_NEAR_FULL,  # this acceptor has no sensor for it
        LockKind.ACCEPTOR_FAULT,  # added by its own self-test
        LockKind.ACCEPTOR_WRONG,  # another unit at the start
        LockKind.ACCEPTOR_EVENTS_LOST,  # of protocols that number their events
        LockKind.PRINTER_FAULT,  # feed button held, head too hot
        LockKind.LOGIC_DOOR,  # a technician's, who has the door open
        LockKind.UNDER_VOLTAGE,  # of the board
        LockKind.OVER_TEMPERATURE,
        LockKind.DISPLAY_LOST,
        LockKind.STORAGE_LOW,
        LockKind.SECOND_COPY_LOST,
        LockKind.CLOCK_INVALID,
        LockKind.PROGRAM_CHANGED,
        LockKind.STUCK_BUTTON,
    }
    assert {kind for kind in (*FAULT_LOCKS.values(), *DOOR_LOCKS.values()) if kind} - by_hand == elsewhere

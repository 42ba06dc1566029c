"""Every fault of the event table on a whole running cabinet: what it shows and stops, how it ends, what is kept."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.event_table import ROWS, Row, cash_out_without_printer
from support.live import IMPATIENT, PATIENT, Live, running
from support.live_menu import choose

from cabinet.config.settings import Config, MoneySection, SoundSection
from cabinet.engine import machine as engine
from cabinet.engine.bills_in import taking
from cabinet.engine.inputs import Button, CashOut, Deal, ProgramChecked
from cabinet.engine.locks import DOOR_LOCKS, FAULT_LOCKS, find
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import LockKind, Settings
from cabinet.link.place import BESIDE
from cabinet.runtime.clock import read_wall_ms
from cabinet.runtime.startup import PLAYERS
from cabinet.runtime.translate import LAMPS
from cabinet.store import reports
from cabinet.store.journal import FILE
from cabinet.ui.presenter import present
from cabinet.ui.sound.cues import alarm_now
from cabinet.ui.ui_state import UiState
from cabinet.ui.view import NoticeView, Screen
from cabinet.window.machine_info import machine_info

ANIMATION_S = 60.0


def config_for(row: Row) -> Config:
    """Where two notes of a hundred are too much for one play, and no other."""
    money = MoneySection(increment_max_cents=15_000) if row.kind is LockKind.EXCESSIVE_INCREMENT else MoneySection()
    return Config(money=money)


def screen_of(live: Live, config: Config, folder: Path) -> Screen:
    """Returns the screen after all animations."""
    wall = datetime(2031, 3, 5, 14, 32, tzinfo=UTC)
    now = live.controller.snapshot().began_at_s + ANIMATION_S
    return present(live.controller.snapshot(), UiState(), now, wall, config.settings(), machine_info(config, folder))


def off_now(live: Live, settings: Settings) -> str:
    """What is off now, as in the table."""
    machine = live.machine
    play = engine.why_not(settings, machine, Deal()) is None
    cash = engine.why_not(settings, machine, CashOut()) is None
    return ("" if play else "p") + ("" if taking(settings, machine) else "n") + ("" if cash else "c")


def log_of(folder: Path) -> list[str]:
    """Every entry of the event log, oldest first."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        return [f"{row.what}: {row.detail}" for row in reversed(reports.events(connection, limit=1_000))]


def kinds(live: Live) -> frozenset[LockKind]:
    """The locks that stand."""
    return frozenset(lock.kind for lock in live.machine.locks)


def players_money(live: Live) -> int:
    """What is the player's, wherever it lies."""
    return sum(live.machine.books.balance(account) for account in PLAYERS)


def sit_down(live: Live) -> None:
    """A note in, a table chosen, a bet down: everything may be done. Only a program that is known can change."""
    live.controller.put(ProgramChecked(version="known", program_hash="0" * 64))
    live.note(2_000)
    live.sit("table")
    live.press("bet")
    live.until(lambda: sum(live.machine.seat.bets) and live.machine.program.files_hash, "a bet on the table")


def assert_shown_and_stopped(live: Live, row: Row, config: Config, folder: Path) -> None:
    """Screen, lamps, tower light and alarm, and exactly what the table says is off. The alarm of a cheat is short."""
    settings, machine = config.settings(), live.machine
    assert off_now(live, settings) == row.off
    assert any(alarm_now(seen) for seen in live.machines) is row.alarm
    live.until(lambda: live.simulated_devices.panel.tower() == row.tower, f"the tower light {set(row.tower)}")
    screen = screen_of(live, config, folder)
    if "p" not in row.off:
        assert not isinstance(screen.overlay, NoticeView), "play goes on"
        return
    assert isinstance(screen.overlay, NoticeView)
    assert all((screen.overlay.title, screen.overlay.sentence, screen.overlay.advice))
    lock = find(machine, row.kind)
    assert lock is not None
    assert bool(screen.overlay.amount) is bool(lock.cents), "money in a lock is named"
    lit = {Button.SERVICE, Button.CASH_OUT} if row.kind is LockKind.HAND_PAY else {Button.SERVICE}
    assert engine.lit(settings, machine) == lit
    live.until(
        lambda: live.simulated_devices.panel.lamps() == {LAMPS[button] for button in lit}, f"lamps {lit} and no other"
    )


def choose_each(live: Live, *labels: str) -> None:
    """Chooses lines of the attendant's menu that begin so, in small letters."""
    choose(live, *(label.capitalize() for label in labels))


TECHNICIANS = {LockKind.LOGIC_DOOR, LockKind.PROGRAM_CHANGED, LockKind.EXCESSIVE_INCREMENT}
"""What only the technician clears: the audit key, and the logic door opened meanwhile."""


def may_be_settled(live: Live) -> bool:
    """True if a technician may settle every lock now."""
    machine = replace(live.machine, access=replace(live.machine.access, technician=True))
    return all(settlements_of(machine, lock) for lock in machine.locks)


def settle(live: Live, row: Row) -> None:
    """The attendant's act."""
    if row.ends == "reset key":
        live.press("reset_key")
        live.until(lambda: not live.locked(row.kind), "the reset key's yes")
        return
    live.simulated_devices.do("audit_key_on")
    live.until(lambda: live.controller.snapshot().attendant, "the menu")
    if row.kind in TECHNICIANS:
        live.simulated_devices.do("logic_door_open")
        live.until(lambda: live.machine.access.technician, "the technician")
        live.simulated_devices.do("logic_door_close")
        live.until(lambda: not live.machine.access.open_doors, "the logic door being shut")
    choose_each(live, "locks", row.kind.value, row.ends, "yes")
    live.until(lambda: not live.locked(row.kind), "the attendant's decision")
    if live.locked(LockKind.LOGIC_DOOR):
        choose_each(live, "logic door", "clear", "yes")
        live.until(lambda: not live.locked(LockKind.LOGIC_DOOR), "the logic door being released")
    live.simulated_devices.do("audit_key_off")
    live.until(lambda: not live.machine.access.audit_key, "the menu being left")


def assert_ends(live: Live, row: Row) -> None:
    """With the cause gone it ends by its own rule, and not before; no money is lost on the way."""
    if row.ends != "itself":
        live.until(lambda: kinds(live) == {row.kind}, "the other locks being gone")
        live.until(lambda: may_be_settled(live), "the cause being gone")
        settle(live, row)
    live.until(lambda: not kinds(live), "no lock")
    assert sum(live.machine.books.balances.values()) == 0
    live.until(lambda: live.controller.snapshot().notes, "notes being taken again")


def causes_of(kind: LockKind) -> tuple[str, ...]:
    """Names the lock, and the faults and doors that add it: one entry names a cause and its lock."""
    faults = [fault.value for fault, lock in FAULT_LOCKS.items() if lock is kind]
    doors = [door.value for door, lock in DOOR_LOCKS.items() if lock is kind or kind is LockKind.DOOR_WHILE_OFF]
    return (kind.value, *faults, *doors)


COMES = ("locked", "fault began", "door opened", "door opened while off")
GOES = ("unlocked", "fault ended", "door closed", "lock settled")


def assert_logged(folder: Path, row: Row) -> None:
    """The event log reports how it came, that it was settled, and how it went."""
    log = log_of(folder)
    for words in (COMES, GOES):
        named = [f"{each}: {cause}" for each in words for cause in causes_of(row.kind)]
        assert any(entry.startswith(tuple(named)) for entry in log), named
    settled = any(entry.startswith(f"lock settled: {row.kind.value}") for entry in log)
    assert settled is (row.ends != "itself")


@pytest.mark.requirement("TE-01", "TE-02", "TE-03", "TE-04", "PL-04")
@pytest.mark.parametrize("name", ROWS)
def test_a_fault_shows_stops_ends_and_is_kept_as_the_event_table_says(name: str, tmp_path: Path) -> None:
    row, config = ROWS[name], config_for(ROWS[name])
    folder, cut = tmp_path / "before", tmp_path / "after-the-cut"
    patience = IMPATIENT if name == "printer off (75)" else PATIENT
    with running(folder, config, printer_patience=patience) as live:
        sit_down(live)
        assert off_now(live, config.settings()) == ""
        row.makes(live)
        live.until(lambda: kinds(live) == {row.kind} | row.beside, row.kind.value)
        assert_shown_and_stopped(live, row, config, folder)
        held, reported = players_money(live), find(live.machine, row.kind)
        # What a pulled plug leaves: files, and a program that never ended. The readers' socket is no file.
        shutil.copytree(folder, cut, ignore=shutil.ignore_patterns(BESIDE))
        row.undo(live)
        assert_ends(live, row)
    assert_logged(folder, row)
    with running(cut, config, begin=False) as live:
        live.cabinet.start()
        assert reported is not None
        if not row.gone_at_start:
            kept = find(live.machine, row.kind)
            assert kept is not None
            assert (kept.detail, kept.cents, kept.sequence) == (reported.detail, reported.cents, reported.sequence)
        assert players_money(live) == held
        live.until(lambda: live.machine.acceptor.ready and live.machine.printer.ready, "the devices")
        assert_ends(live, row)


AT_START = [
    name
    for name in ROWS
    if name.startswith(
        ("main door", "cash box door", "cash box rem", "logic", "bill jam", "cash box full", "paper out", "printer jam")
    )
]
"""Causes that a start can meet."""


@pytest.mark.requirement("TE-01", "PL-04", "PL-11")
def test_a_start_that_meets_several_causes_keeps_them_apart(tmp_path: Path) -> None:
    with running(tmp_path, begin=False) as live:
        for name in AT_START:
            ROWS[name].makes(live)
        live.cabinet.start()
        live.until(lambda: kinds(live) == {ROWS[name].kind for name in AT_START}, "every lock")
        assert off_now(live, Config().settings()) == "pnc"
        for name in AT_START:
            before = kinds(live)
            ROWS[name].undo(live)
            if ROWS[name].ends == "itself":
                live.until(lambda kind=ROWS[name].kind: kind not in kinds(live), f"{name} ending")
                assert kinds(live) == before - {ROWS[name].kind}, "and nothing else"
        attended = {ROWS[name].kind for name in AT_START if ROWS[name].ends != "itself"}
        assert kinds(live) == attended
        for name in AT_START:
            if ROWS[name].kind in attended:
                live.until(lambda: may_be_settled(live), "the causes gone")
                left = kinds(live) - {ROWS[name].kind}
                settle(live, ROWS[name])
                assert kinds(live) == left


LOGGED = (
    "power up",
    "note accepted",
    "call lamp on",
    "call lamp off",
    "attendant menu entered",
    "attendant menu left",
    "period closed",
    "out of service",
    "back in service",
    "cash-out pressed",
    "ticket printed",
    "note rejected",
    "power down",
)
"""What the event table wants in the log though it locks nothing."""


@pytest.mark.requirement("TE-01", "EV-05", "AT-11", "AT-12")
def test_what_locks_nothing_is_logged(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        live.until(
            lambda: live.simulated_devices.acceptor_line.call(lambda: live.simulated_devices.acceptor.enabled),
            "the acceptor being let",
        )
        live.simulated_devices.do("bad_note")
        live.until(lambda: live.machine.books.meter("bills_rejected"), "the rejection")
        live.note(2_000)
        live.sit("table")
        live.deal()
        live.stand()
        live.press("service", "service")
        live.simulated_devices.do("audit_key_on")
        live.until(lambda: live.controller.snapshot().attendant, "the menu")
        choose_each(live, "close the period", "yes", "take out", "yes", "put back", "yes")
        live.simulated_devices.do("audit_key_off")
        live.until(lambda: not live.machine.access.audit_key, "the menu being left")
        live.press("cash_out")
        live.until(lambda: live.machine.shown.paid_out_cents, "the ticket")
    log = log_of(tmp_path)
    places = [next((at for at, entry in enumerate(log) if entry.startswith(f"{what}:")), None) for what in LOGGED]
    assert None not in places, dict(zip(LOGGED, places, strict=True))


@pytest.mark.requirement("TE-01", "EV-07")
def test_a_clock_that_is_not_set_is_said_and_stops_nothing(tmp_path: Path) -> None:
    now_ms = [0]
    with running(tmp_path, wall_ms=lambda: now_ms[0]) as live:
        sit_down(live)
        live.until(lambda: kinds(live) == {LockKind.CLOCK_INVALID}, "the clock")
        assert off_now(live, Config().settings()) == ""
        now_ms[0] = read_wall_ms()
        live.controller.wake()
        live.until(lambda: not kinds(live), "the clock being set")


@pytest.mark.requirement("TE-01", "CM-08")
def test_a_player_backs_out_of_a_hand_pay_and_it_is_logged(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        live.note(2_000)
        cash_out_without_printer(live)
        live.until(lambda: live.locked(LockKind.HAND_PAY), "the hand-pay")
        live.press("cash_out")
        live.until(lambda: not live.locked(LockKind.HAND_PAY), "the player backing out")
        assert live.credit == 2_000
        assert players_money(live) == 2_000
    assert any(entry.startswith("player backed out of hand-pay") for entry in log_of(tmp_path))


@pytest.mark.requirement("TE-01", "AT-09")
def test_changed_options_are_logged_with_what_they_were(tmp_path: Path) -> None:
    with running(tmp_path):
        pass
    with running(tmp_path, Config(money=MoneySection(large_win_cents=90_000))):
        pass
    (entry,) = [entry for entry in log_of(tmp_path) if entry.startswith("options changed")]
    assert "120000" in entry
    assert "90000" in entry


@pytest.mark.requirement("AT-09")
def test_a_changed_volume_is_logged_with_money_in_the_machine(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        live.note(2_000)
    with running(tmp_path, Config(sound=SoundSection(volume=3))) as live:
        assert live.credit == 2_000
    (entry,) = [entry for entry in log_of(tmp_path) if entry.startswith("options changed")]
    assert "sound.volume=6 -> sound.volume=3" in entry

"""The time of day: which one is believed, what confirms one, and what the technician can do about it."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.days import HOUR_MS, NOON_MS, Day
from support.journals import random_steps
from support.live import Live, running
from support.live_menu import choose
from support.machines import SETTINGS, Cabinet
from support.rounds import seeded_draw

from cabinet.engine import machine as engine
from cabinet.engine.inputs import Door, DoorOpened, Fault, FaultBegan, Input, Key, KeyTurned, Settlement
from cabinet.engine.log import LogKind
from cabinet.engine.state import LockKind
from cabinet.engine.step import Step
from cabinet.engine.ticket_facts import Standing
from cabinet.runtime import clock as clocks
from cabinet.runtime.clock import AWAY_MS, JUMP_MS, LEAP_MS, Clock, Doubt, is_confirmed, read_confirmed
from cabinet.runtime.startup import RELEASED_MS
from cabinet.store import reports
from cabinet.store.compact import Keeping
from cabinet.store.journal import Journal, Stamp
from cabinet.store.verify import Totals, begin, verify, walk

DAY_MS = 24 * HOUR_MS
YEAR_MS = 365 * DAY_MS

# --- the clock --------------------------------------------------------------------------------------------------


def clock(day: Day, floor_ms: int = 0) -> Clock:
    return Clock(wall_ms=day.read, floor_ms=floor_ms)


@pytest.mark.requirement("EV-07")
def test_a_clock_that_runs_does_not_jump_and_is_believed() -> None:
    day = Day()
    found = clock(day)
    for _ in range(100):
        assert found.check(day.after(0.5)) == 0
        assert found.ok(day.read(), day.now)


@pytest.mark.requirement("EV-07")
@pytest.mark.parametrize("wall_ms", [0, RELEASED_MS - 1, NOON_MS - HOUR_MS])
def test_a_clock_that_is_not_set_or_behind_the_journal_is_not_believed(wall_ms: int) -> None:
    day = Day(wall_ms)
    found = clock(day, NOON_MS)
    assert found.check(day.after(1)) == 0
    assert not found.ok(day.read(), day.now)
    day.wall = NOON_MS + HOUR_MS
    assert found.check(day.after(0.5)) > 0
    assert found.ok(day.read(), day.now)


@pytest.mark.requirement("EV-07")
def test_a_clock_that_goes_back_is_reported_and_not_believed_until_it_has_caught_up() -> None:
    day = Day()
    found = clock(day)
    found.check(day.after(1))
    day.wall -= HOUR_MS
    assert found.check(day.after(1)) == -3_600
    assert not found.ok(day.read(), day.now)
    assert found.check(day.after(3_590)) == 0
    assert not found.ok(day.read(), day.now)
    assert found.check(day.after(20)) == 0
    assert found.ok(day.read(), day.now)


@pytest.mark.requirement("EV-07")
def test_a_clock_that_leaps_far_ahead_is_not_believed_until_it_is_put_right() -> None:
    day = Day()
    found = clock(day)
    found.check(day.after(1))
    day.wall += 365 * 24 * HOUR_MS
    assert found.check(day.after(1)) == 365 * 24 * 3_600
    assert not found.ok(day.read(), day.now)
    assert found.floor_ms < day.wall
    found.check(day.after(500))
    assert not found.ok(day.read(), day.now)
    day.wall -= 365 * 24 * HOUR_MS
    assert found.check(day.after(1)) < 0
    assert found.ok(day.read(), day.now)


@pytest.mark.requirement("EV-07")
def test_a_small_correction_is_no_jump() -> None:
    day = Day()
    found = clock(day)
    found.check(day.after(1))
    for correction_ms in (4_000, -4_000):
        day.wall += correction_ms
        assert found.check(day.after(1)) == 0
        assert found.ok(day.read(), day.now)


@given(moves=st.lists(st.integers(min_value=-2 * LEAP_MS, max_value=2 * LEAP_MS), max_size=30))
def test_believed_times_never_go_back_by_more_than_a_correction(moves: list[int]) -> None:
    day, newest = Day(), 0
    found = clock(day, NOON_MS - LEAP_MS)
    for move in moves:
        day.wall += move
        found.check(day.after(60))
        if found.ok(day.read(), day.now):
            assert day.read() >= newest - JUMP_MS
            newest = max(newest, day.read())


# --- a clock that goes ahead ------------------------------------------------------------------------------------


@pytest.mark.requirement("EV-07")
def test_a_clock_that_a_time_server_puts_right_while_the_program_runs_is_believed() -> None:
    day, server = Day(), [False]
    found = Clock(wall_ms=day.read, floor_ms=NOON_MS - 1_000, confirmed=lambda: server[0])
    found.check(day.after(1))
    day.wall += 10 * HOUR_MS
    server[0] = True
    assert found.check(day.after(0.5)) == 36_000
    assert found.ok(day.read(), day.now)
    assert found.floor_ms == day.wall
    server[0] = False
    found.check(day.after(500))
    assert found.ok(day.read(), day.now)


@pytest.mark.requirement("EV-07")
def test_a_clock_that_jumped_ahead_is_valid_once_a_server_confirms_it() -> None:
    day, server = Day(), [False]
    found = Clock(wall_ms=day.read, floor_ms=NOON_MS, confirmed=lambda: server[0])
    found.check(day.after(1))
    day.wall += 10 * HOUR_MS
    found.check(day.after(0.5))
    assert found.judge(day.read(), day.now) is Doubt.AHEAD
    server[0] = True
    found.check(day.after(0.5))
    assert (found.doubt, found.moment) == ("", (day.wall, True))


@pytest.mark.requirement("EV-07")
def test_a_server_does_not_confirm_a_time_before_the_newest_in_the_records() -> None:
    day = Day()
    found = Clock(wall_ms=day.read, floor_ms=NOON_MS + YEAR_MS, confirmed=lambda: True)
    found.check(day.after(1))
    assert found.judge(day.read(), day.now) is Doubt.BEHIND
    assert "behind the newest time in the records" in found.doubt


@pytest.mark.requirement("EV-07")
@pytest.mark.parametrize(
    ("away_ms", "server", "doubt"),
    [
        (AWAY_MS, False, None),
        (AWAY_MS + HOUR_MS, False, Doubt.AHEAD_AT_START),
        (YEAR_MS, False, Doubt.AHEAD_AT_START),
        (YEAR_MS, True, None),
    ],
)
def test_a_clock_far_ahead_at_the_start_is_believed_only_with_a_confirmation(
    away_ms: int, server: bool, doubt: Doubt | None
) -> None:
    day = Day()
    found = Clock(wall_ms=day.read, floor_ms=NOON_MS - away_ms, confirmed=lambda: server)
    assert found.judge(day.read(), day.now) is doubt
    found.check(day.now)
    for _ in range(3):
        found.check(day.after(1))
        assert found.judge(day.read(), day.now) is doubt
        assert bool(found.doubt) is (doubt is not None)


@pytest.mark.requirement("EV-07")
def test_a_clock_far_ahead_at_the_start_that_is_put_right_after_weeks_is_believed() -> None:
    day = Day(NOON_MS + YEAR_MS)
    found = Clock(wall_ms=day.read, floor_ms=NOON_MS)
    found.check(day.now)
    found.check(day.after(30 * DAY_MS / 1_000))
    day.wall -= YEAR_MS
    found.check(day.after(1))
    assert found.ok(day.read(), day.now)


def test_a_machine_that_has_never_played_believes_any_time_after_its_program() -> None:
    day = Day(RELEASED_MS + YEAR_MS)
    found = Clock(wall_ms=day.read, floor_ms=0)
    found.check(day.now)
    assert found.ok(day.read(), day.now)


@pytest.mark.requirement("EV-07")
@pytest.mark.parametrize("floor_ms", [NOON_MS + YEAR_MS, NOON_MS - YEAR_MS])
def test_a_time_that_the_technician_has_confirmed_is_the_new_base(floor_ms: int) -> None:
    day = Day()
    found = Clock(wall_ms=day.read, floor_ms=floor_ms)
    found.check(day.now)
    assert not found.ok(day.read(), day.now)
    found.confirm(day.wall, day.now)
    assert found.ok(day.read(), day.now)
    found.check(day.after(1))
    assert (found.doubt, found.floor_ms) == ("", day.wall)
    day.wall += YEAR_MS
    assert not found.ok(day.read(), day.now)


# --- what confirms a time ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("max_error_us", "marked_ms", "confirmed"),
    [
        (None, None, False),
        (16_000_000, None, False),
        (15_999_999, None, True),
        (None, NOON_MS - 34 * 60_000, True),
        (16_000_000, NOON_MS, True),
        (None, NOON_MS - 2 * HOUR_MS, False),
        (None, NOON_MS + 2 * HOUR_MS, False),
    ],
)
def test_the_kernel_or_a_fresh_mark_confirms_a_time(
    max_error_us: int | None, marked_ms: int | None, confirmed: bool
) -> None:
    assert is_confirmed(max_error_us=max_error_us, marked_ms=marked_ms, wall_ms=NOON_MS) is confirmed


def test_the_mark_of_timesyncd_is_read_by_the_time_of_its_last_touch(tmp_path: Path) -> None:
    mark = tmp_path / "synchronized"
    mark.touch()
    assert read_confirmed(mark)


def test_a_missing_mark_leaves_the_kernel_to_say_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "read_max_error_us", lambda: 16_000_000)
    assert not read_confirmed(tmp_path / "nothing")
    monkeypatch.setattr(clocks, "read_max_error_us", lambda: 4_000)
    assert read_confirmed(tmp_path / "nothing")


def test_the_kernel_reports_its_greatest_error_or_nothing() -> None:
    found = clocks.read_max_error_us()
    assert found is None or 0 <= found <= clocks.UNSURE_US


# --- on a cabinet that runs -------------------------------------------------------------------------------------


def confirm_the_time(live: Live) -> None:
    """The technician opens the logic door and says that the time is right."""
    live.simulated_devices.do("audit_key_on")
    live.simulated_devices.do("logic_door_open")
    live.until(lambda: live.machine.access.technician and live.controller.snapshot().attendant, "the technician")
    choose(live, "Locks", "Clock not valid", "The time is right", "Yes")
    live.until(lambda: not live.locked(LockKind.CLOCK_INVALID), "the clock being believed")


def confirming(cabinet: Cabinet) -> list[tuple[Input, Step]]:
    """The steps by which a technician confirms the present time."""
    taken = len(cabinet.history)
    cabinet.do(FaultBegan(fault=Fault.CLOCK_INVALID, detail="behind"))
    cabinet.do(DoorOpened(door=Door.LOGIC), KeyTurned(key=Key.AUDIT, on=True))
    cabinet.settle(LockKind.CLOCK_INVALID, Settlement.TIME_IS_RIGHT)
    return cabinet.history[taken:]


def newest(folder: Path) -> int:
    """The newest believed time of a journal, which must be what the walk through all of its rows finds."""
    assert verify(folder).problems == ()
    with Journal(folder, str) as journal:
        totals = Totals()
        begin(journal.connection, totals)
        assert walk(journal.connection, totals) is None
        found = reports.newest_time_ms(journal.connection)
    assert found == totals.wall_ms
    return found


@pytest.mark.requirement("EV-07", "TP-12", "TP-14")
def test_a_time_far_ahead_in_the_records_ends_with_the_technician_and_stays_ended(tmp_path: Path) -> None:
    day = Day(NOON_MS + YEAR_MS)
    with running(tmp_path, wall_ms=day.read) as live:
        live.note(500)
    assert newest(tmp_path) >= NOON_MS + YEAR_MS
    day.wall = NOON_MS
    with running(tmp_path, wall_ms=day.read) as live:
        live.until(lambda: live.locked(LockKind.CLOCK_INVALID), "the clock")
        confirm_the_time(live)
        live.simulated_devices.do("logic_door_close")
        live.simulated_devices.do("audit_key_off")
    assert newest(tmp_path) == NOON_MS
    day.wall = NOON_MS + HOUR_MS
    with running(tmp_path, wall_ms=day.read, begin=False) as live:
        live.cabinet.start()
        assert not live.locked(LockKind.CLOCK_INVALID)
        clock = live.cabinet.controller._deps.housekeeping.clock  # noqa: SLF001 - the floor is shown nowhere
        assert clock.floor_ms == NOON_MS + HOUR_MS
    with Journal(tmp_path, str) as journal:
        (entry,) = reports.events(journal.connection, limit=9, what=(LogKind.TIME_CONFIRMED.value,))
    assert (entry.wall_ms, entry.clock_ok) == (NOON_MS, True)


@pytest.mark.requirement("EV-07", "TP-12")
def test_after_a_clock_jump_over_a_restart_no_ticket_expires_before_the_technician_confirms(tmp_path: Path) -> None:
    day = Day()
    with running(tmp_path, wall_ms=day.read) as live:
        live.note(2_000)
        live.press("cash_out")
        live.until(lambda: live.machine.shown.paid_out_cents == 2_000, "the ticket")
        number = live.simulated_devices.tickets()[0].barcode
    day.wall += YEAR_MS
    with running(tmp_path, wall_ms=day.read) as live:
        live.until(lambda: live.locked(LockKind.CLOCK_INVALID), "the question")
        controller = live.cabinet.controller
        assert controller._look_up(time.monotonic(), number).standing is Standing.PAYABLE  # noqa: SLF001 - as when put in
        confirm_the_time(live)
        assert controller._look_up(time.monotonic(), number).standing is Standing.EXPIRED  # noqa: SLF001


@pytest.mark.requirement("EV-07")
def test_a_time_before_the_program_cannot_be_confirmed(tmp_path: Path) -> None:
    day = Day(5_000)
    with running(tmp_path, wall_ms=day.read) as live:
        live.simulated_devices.do("audit_key_on")
        live.simulated_devices.do("logic_door_open")
        live.until(lambda: live.machine.access.technician and live.controller.snapshot().attendant, "the technician")
        choose(live, "Locks", "Clock not valid", "The time is right", "Yes")
        live.until(lambda: "cannot be right" in live.controller.snapshot().attendant.notice, "the refusal")
        assert live.locked(LockKind.CLOCK_INVALID)
    assert newest(tmp_path) == 0


@pytest.mark.requirement("EV-07", "PL-05")
def test_a_confirmed_time_stays_the_base_when_its_row_leaves_the_journal(tmp_path: Path) -> None:
    steps = random_steps(3, 90)
    cabinet = Cabinet(machine=steps[9][1].machine)
    confirms = confirming(cabinet)
    with Journal(tmp_path, str, keeping=Keeping(rows=20, step=10, rounds=1)) as journal:
        for number, (input_, step) in enumerate((*steps[:10], *confirms, *steps[10:])):
            far = number < 10
            wall_ms = NOON_MS + number * 1_000 + (YEAR_MS if far else 0)
            journal.commit(input_, step, Stamp(boot=1, wall_ms=wall_ms, mono_ms=number, clock_ok=True))
            newest_ms = wall_ms
        assert reports.newest_time_ms(journal.connection) == newest_ms
        while (dropped := journal.find_droppable()) is not None:
            step = engine.step(SETTINGS, journal.machine, dropped, seeded_draw(1))
            newest_ms += 1_000
            journal.commit(dropped, step, Stamp(boot=1, wall_ms=newest_ms, mono_ms=0, clock_ok=False))
        (kept,) = journal.connection.execute("SELECT min(seq) FROM steps").fetchone()
        (point_ms,) = journal.connection.execute("SELECT wall_ms FROM checkpoint").fetchone()
    assert kept > 10 + len(confirms)
    assert NOON_MS < point_ms < NOON_MS + YEAR_MS
    assert newest(tmp_path) < NOON_MS + YEAR_MS

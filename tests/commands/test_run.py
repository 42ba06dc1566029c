"""How the program goes up and down: what a failing window, thread, line or medium leaves behind, and who notices."""

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pygame
import pytest
from support.commands import call
from support.display import open_display
from support.journals import open_journal
from support.live import Live, running, wait_for
from support.slow_store import Stall

from cabinet.commands.run import CRASHED, run_cabinet
from cabinet.config.reader import ConfigError
from cabinet.config.settings import Config, DataSection
from cabinet.engine.inputs import BillOffered, BillStacked, Button, Door
from cabinet.engine.locks import LOCKS, hand_open
from cabinet.engine.state import LockKind, Settings
from cabinet.presentation.port import CabinetPort
from cabinet.runtime import housekeeping, watchdog
from cabinet.runtime.build import build
from cabinet.runtime.fault_machine import fault_machine
from cabinet.runtime.startup import PLAYERS, SettingsRefusedError
from cabinet.runtime.watchdog import FRAME
from cabinet.store.errors import StoreDamagedError, StoreError, StoreFullError
from cabinet.store.journal import FILE
from cabinet.store.verify import verify
from cabinet.tools.screens_gallery import SAMPLE_FACTS, WALL
from cabinet.ui.presenter import present
from cabinet.ui.ui_state import UiState
from cabinet.ui.view import NoticeView
from cabinet.window import supervisor
from cabinet.window.display import WindowError
from cabinet.window.loop import WindowOptions
from cabinet.window.ports import FaultPort


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[CabinetPort]]:
    """Replaces the window; returns the cabinets that it received."""
    seen: list[CabinetPort] = []

    def replace_window(act: Callable[[CabinetPort], int]) -> list[CabinetPort]:
        def window(*, cabinet: CabinetPort, options: object) -> int:
            seen.append(cabinet)
            return act(cabinet)

        monkeypatch.setattr(supervisor, "run_window", window)
        return seen

    return replace_window


def fact(folder: Path, name: str) -> str | None:
    with open_journal(folder) as journal:
        return journal.fact(name)


def settings_file(folder: Path, words: str) -> Path:
    path = folder / "cabinet.toml"
    path.write_text(words, encoding="utf-8")
    return path


# --- the window -------------------------------------------------------------------------------------------------


def _fails(_: CabinetPort) -> int:
    raise ValueError("a colour that is none")


@pytest.mark.requirement("TE-05", "PL-10")
def test_a_window_that_fails_is_a_crash_that_the_next_start_reports(
    tmp_path: Path, shown: Callable[..., list[CabinetPort]], caplog: pytest.LogCaptureFixture
) -> None:
    shown(_fails)
    assert run_cabinet(tmp_path, None, simulate=True, windowed=True) == CRASHED
    (record,) = [record for record in caplog.records if record.levelno >= logging.CRITICAL]
    assert "the window has failed" in record.getMessage()
    assert "ValueError: a colour that is none" in record.getMessage()
    assert fact(tmp_path, "running") == "yes"
    with running(tmp_path, begin=False) as live:
        live.cabinet.start()
        assert live.machine.shown.notice == "power up after a crash"


@pytest.mark.parametrize("error", [WindowError("there is no display"), KeyboardInterrupt()])
def test_a_display_that_is_not_there_and_an_interruption_are_no_crash(
    tmp_path: Path, shown: Callable[..., list[CabinetPort]], error: BaseException
) -> None:
    def fails(_: CabinetPort) -> int:
        raise error

    shown(fails)
    if isinstance(error, KeyboardInterrupt):
        with pytest.raises(KeyboardInterrupt):
            run_cabinet(tmp_path, None, simulate=True, windowed=True)
    else:
        assert run_cabinet(tmp_path, None, simulate=True, windowed=True) == 1
    assert fact(tmp_path, "running") == "no"


# --- a cabinet that may not start -------------------------------------------------------------------------------

TURBO = "[games]\nturbo = false\n\n[money]\ncredit_limit_cents = 200000\n"


@pytest.mark.requirement("PD-04")
@pytest.mark.parametrize("display", ["windowed = [640, 480]", "windowed = [1280, 720]\nrotation = 90"])
def test_a_window_that_the_table_does_not_fit_into_is_refused_before_anything_starts(
    tmp_path: Path, shown: Callable[..., list[CabinetPort]], display: str
) -> None:
    seen = shown(lambda _: 0)
    with pytest.raises(ConfigError, match=r"display\.windowed: .*the smallest is 1280x720"):
        run_cabinet(tmp_path / "data", settings_file(tmp_path, f"[display]\n{display}\n"), simulate=True, windowed=True)
    assert seen == []
    assert not (tmp_path / "data").exists()


@pytest.mark.requirement("AT-09", "TE-02")
def test_refused_settings_are_a_lock_of_their_own_that_names_them_and_the_money(
    tmp_path: Path, shown: Callable[..., list[CabinetPort]], caplog: pytest.LogCaptureFixture
) -> None:
    with running(tmp_path / "data") as live:
        live.note(2_000)
    seen = shown(lambda _: 0)
    assert run_cabinet(tmp_path / "data", settings_file(tmp_path, TURBO), simulate=True, windowed=True) == 1
    (port,) = seen
    assert isinstance(port, FaultPort)
    (lock,) = port.machine.locks
    assert lock.kind is LockKind.SETTINGS_REFUSED
    assert (lock.detail, lock.cents) == ("games.turbo, money.credit_limit_cents", 2_000)
    assert LOCKS[lock.kind].stops_play
    assert LOCKS[lock.kind].stops_notes
    (record,) = [record for record in caplog.records if record.levelno >= logging.CRITICAL]
    assert "money.credit_limit_cents from 300000 to 200000" in record.getMessage()
    assert "start it with the settings of the last run" in record.getMessage()
    assert not record.exc_info
    with running(tmp_path / "data") as live:
        assert live.credit == 2_000


def test_a_machine_that_may_not_start_names_none_of_its_dead_buttons() -> None:
    port = FaultPort(machine=fault_machine(StoreDamagedError("words")), manager=watchdog.ServiceManager({}))
    screen = present(port.snapshot(), UiState(), 0.0, WALL, Settings(), SAMPLE_FACTS)
    assert isinstance(screen.overlay, NoticeView)
    assert screen.overlay.advice == "Please ask the attendant for help."


def damage(folder: Path) -> None:
    (folder / FILE).write_bytes(b"no database at all" * 300)


@pytest.mark.screen
@pytest.mark.requirement("TE-02")
def test_the_window_of_a_simulated_cabinet_that_may_not_start_can_be_closed(tmp_path: Path) -> None:
    damage(tmp_path)
    open_display((1280, 720))
    for kind in (pygame.WINDOWCLOSE, pygame.QUIT):
        pygame.event.post(pygame.event.Event(kind))
    assert run_cabinet(tmp_path, None, simulate=True, windowed=True) == 1


@pytest.mark.screen
def test_a_simulated_cabinet_that_may_not_start_ends_where_there_is_no_display(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(tmp_path)
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "nosuch")
    with pytest.raises(WindowError, match="the display cannot be opened"):
        run_cabinet(tmp_path, None, simulate=True, windowed=True)


@pytest.mark.parametrize("simulate", [False, True])
def test_a_simulated_cabinet_that_may_not_start_says_that_it_is_simulated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, simulate: bool
) -> None:
    damage(tmp_path)
    seen: list[WindowOptions] = []
    monkeypatch.setattr(supervisor, "run_window", lambda **given: seen.append(given["options"]))
    monkeypatch.setattr("cabinet.store.mounts.MOUNTS", tmp_path / "no list")
    assert run_cabinet(tmp_path, None, simulate=simulate, windowed=True) == 1
    (options,) = seen
    assert options.facts.simulated is simulate
    assert [key for key, _ in options.facts.keys if key in {"D", "F8", "1"}] == (["D", "F8"] if simulate else [])


@pytest.mark.requirement("SE-04")
def test_a_real_cabinet_that_may_not_start_is_led_out_of_by_no_key(
    tmp_path: Path, shown: Callable[..., list[CabinetPort]]
) -> None:
    damage(tmp_path)
    seen = shown(lambda _: 0)
    assert run_cabinet(tmp_path, None, simulate=False, windowed=True) == 1
    (port,) = seen
    assert port.simulate is None


@pytest.mark.requirement("TE-02")
def test_a_data_folder_that_the_system_refuses_is_a_lock_on_the_screen(
    tmp_path: Path, shown: Callable[..., list[CabinetPort]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cabinet.store.mounts.MOUNTS", tmp_path / "no list")
    loop, file = tmp_path / "loop", tmp_path / "file"
    loop.symlink_to(loop)
    file.write_text("no folder")
    seen = shown(lambda _: 0)
    unusual = settings_file(tmp_path, "[games.rules.classic]\ndecks = 1\nsplits_max = 0\n")
    for config in ([], ["--config", unusual]):
        for place in (loop, file, file / "below", tmp_path / ("a" * 300)):
            assert call("run", "--windowed", *config, "--data", place).exit_code == 1
            (lock,) = seen.pop().snapshot().machine.locks
            assert lock.kind is LockKind.DATA_REFUSED
            assert lock.detail.startswith(f"{place}: E")


@pytest.mark.requirement("PL-06", "TE-02")
def test_a_cabinet_whose_second_copy_may_not_be_read_runs_and_says_so(tmp_path: Path) -> None:
    with running(tmp_path / "data") as live:
        live.note(500)
    mirrored = Config(data=DataSection(mirror=str(tmp_path / ("a" * 300))))
    with running(tmp_path / "data", mirrored, begin=False) as live:
        live.cabinet.start()
        for kind in (LockKind.SECOND_COPY_LOST, LockKind.COPIES_NOT_COMPARED):
            live.until(lambda kind=kind: live.locked(kind), kind.value)
        assert live.controller.failure is None


def test_many_refused_settings_are_counted() -> None:
    error = SettingsRefusedError("words", keys=("a", "b", "c", "d", "e"), cents=5)
    (lock,) = fault_machine(error).locks
    assert lock.detail == "a, b, c, +2"
    assert len(PLAYERS) == 4


@pytest.mark.requirement("PL-12", "PL-11")
def test_a_medium_that_refuses_the_first_commits_of_a_start_leaves_nothing_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines, pins and the folder are given up; the journal is as it was."""
    with running(tmp_path) as live:
        live.note(500)
    before = verify(tmp_path).rows
    cabinet = build(Config(), tmp_path, simulate=True)
    cabinet.journal.connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreFullError, match=rf"{FILE}: the medium refused a write .* make room or check the medium"):
        cabinet.start()
    assert not cabinet.stop(crashed=True)
    assert verify(tmp_path).rows == before
    with running(tmp_path) as live:
        assert live.credit == 500


# --- a thread that does not end ---------------------------------------------------------------------------------


def stalled(live: Live) -> Stall:
    """A commit waits for the medium."""
    stall = Stall(live)
    live.touch(Button.SERVICE)
    live.until(stall.slow.is_set, "a commit that takes its time")
    return stall


@pytest.mark.requirement("PL-01", "TE-05")
def test_the_journal_is_left_to_a_commit_that_does_not_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with running(tmp_path) as live:
        stall = stalled(live)
        monkeypatch.setattr("cabinet.runtime.build.CONTROLLER_ENDS_S", 0.3)
        assert not live.cabinet.stop()
        assert "the data is left to it" in caplog.text
        live.until(
            lambda: not live.simulated_devices.acceptor_line.call(lambda: live.simulated_devices.acceptor.enabled),
            "the inhibit",
        )
        seq = live.cabinet.journal.seq
        stall.release.set()
        assert live.controller.stop(), "the commit ends, and the thread with it"
        assert live.controller.failure is None
        assert live.cabinet.journal.seq > seq, "the commit went through although the cabinet had been stopped"
        live.cabinet.parts.close()
    assert verify(tmp_path).ok
    assert fact(tmp_path, "running") == "yes"


@pytest.mark.requirement("PL-01", "BA-03")
def test_a_note_in_flight_holds_a_stop_up_for_a_while_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its intent is on disk: the next start asks the acceptor."""
    monkeypatch.setattr("cabinet.runtime.controller.IN_FLIGHT_S", 0.5)
    with running(tmp_path) as live:
        assert live.cabinet.pumps[0].stop(), "no device will report the outcome of the note"
        live.controller.put(BillOffered(cents=2_000))
        live.until(lambda: live.machine.acceptor.in_path is not None, "the intent")
        assert live.cabinet.stop(), "it ends long before the cabinet leaves it alone"
    with open_journal(tmp_path) as journal:
        assert journal.machine is not None
        assert journal.machine.acceptor.in_path is not None


@pytest.mark.requirement("PL-01", "BA-03")
def test_a_note_that_is_stacked_on_the_way_down_is_credited(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        assert live.cabinet.pumps[0].stop(), "the test reports the outcome of the note"
        live.controller.put(BillOffered(cents=2_000))
        live.until(lambda: live.machine.acceptor.in_path is not None, "the intent")
        live.controller.stop(timeout_s=0.0)
        live.controller.put(BillStacked(cents=2_000))
        assert live.cabinet.stop()
        assert (live.machine.acceptor.in_path, live.credit) == (None, 2_000)


# --- the watchdog -----------------------------------------------------------------------------------------------


class Manager:
    """The service manager's end of the socket, with a watchdog of a third of a second."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(folder / "notify"))
        self.socket.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(folder / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "300000")
        self.said: list[str] = []

    def heard(self) -> list[str]:
        """What was said since the last look."""
        new = []
        while True:
            try:
                new.append(self.socket.recv(4_096).decode())
            except BlockingIOError:
                self.said += new
                return new

    def fed(self) -> bool:
        return "WATCHDOG=1" in self.heard()

    def starves(self, seconds: float = 1.2) -> None:
        """No feeding for several periods."""
        assert wait_for(lambda: not self.fed())
        assert not wait_for(self.fed, seconds), self.said


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Manager]:
    """A service manager."""
    found = Manager(tmp_path, monkeypatch)
    yield found
    found.socket.close()


@pytest.fixture
def impatient(manager: Manager, monkeypatch: pytest.MonkeyPatch) -> Manager:
    """One with short limits for every part, so that no test waits long."""
    for name, seconds in (("STORE_LIMIT_S", 0.8), ("LINE_LIMIT_S", 0.8), ("FRAME_LIMIT_S", 0.8)):
        monkeypatch.setattr(watchdog, name, seconds)
    return manager


@contextmanager
def with_screen(folder: Path) -> Iterator[tuple[Live, threading.Event]]:
    """A running cabinet whose frames are shown as a window does it, until the event says that a flip hangs."""
    hangs, ends = threading.Event(), threading.Event()
    with running(folder, human_pace=True) as live:

        def show() -> None:
            while not ends.wait(0.05):
                if not hangs.is_set():
                    live.controller.frame_done(time.monotonic())

        screen = threading.Thread(target=show)
        screen.start()
        try:
            yield live, hangs
        finally:
            ends.set()
            screen.join()


@pytest.mark.requirement("TE-05")
def test_the_watchdog_is_fed_while_all_is_well(tmp_path: Path, manager: Manager) -> None:
    with with_screen(tmp_path / "data"):
        for _ in range(5):
            assert wait_for(manager.fed)
    assert not any("not feeding" in word for word in manager.said)


def test_a_commit_that_hangs_is_not_fed_for(tmp_path: Path, impatient: Manager) -> None:
    with with_screen(tmp_path / "data") as (live, _):
        assert wait_for(impatient.fed)
        stall = stalled(live)
        impatient.starves()
        stall.release.set()
        assert wait_for(impatient.fed), "well again"
    assert any("not feeding the watchdog: store: silent for" in word for word in impatient.said), impatient.said


def test_a_line_whose_pump_is_dead_is_not_fed_for(tmp_path: Path, impatient: Manager) -> None:
    with with_screen(tmp_path / "data") as (live, _):
        assert wait_for(impatient.fed)
        assert live.cabinet.pumps[0].stop()
        assert wait_for(lambda: impatient.heard() and any("acceptor line: silent" in word for word in impatient.said))
        impatient.starves()


def test_a_flip_that_never_returns_is_not_fed_for(tmp_path: Path, impatient: Manager) -> None:
    with with_screen(tmp_path / "data") as (live, hangs):
        assert wait_for(impatient.fed)
        hangs.set()
        assert wait_for(lambda: impatient.heard() and any(f"{FRAME}: silent" in word for word in impatient.said))
        impatient.starves()
        assert live.controller.failure is None, "money goes on as it did"


# --- the store's place ------------------------------------------------------------------------------------------


@pytest.mark.requirement("PL-07", "PL-01")
@pytest.mark.parametrize("replaced", [False, True])
def test_a_journal_that_is_taken_away_under_a_running_cabinet_stops_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, replaced: bool
) -> None:
    with running(tmp_path) as live:
        live.note(500)
        kept = tmp_path / "kept.db"
        if replaced:
            kept.hardlink_to(tmp_path / FILE)
            (tmp_path / "another.db").touch()
            (tmp_path / "another.db").replace(tmp_path / FILE)
        else:
            (tmp_path / FILE).rename(kept)
        live.until(lambda: live.controller.failure, "the way down")
        assert isinstance(live.controller.failure, StoreError)
        assert not live.cabinet.stop()
        (tmp_path / FILE).unlink(missing_ok=True)
        kept.rename(tmp_path / FILE)
    (record,) = [record for record in caplog.records if record.levelno >= logging.CRITICAL]
    assert ("was replaced" if replaced else "is no longer there") in record.getMessage()
    assert not record.exc_info
    with running(tmp_path) as live:
        assert live.credit == 500


# --- what is looked after, on a whole cabinet -------------------------------------------------------------------


@pytest.mark.requirement("PL-12", "PL-14")
def test_little_room_lets_the_hand_end_and_the_credit_out_and_no_new_hand_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "CHECK_EVERY_S", 0.05)
    with running(tmp_path) as live:
        free = [housekeeping.ENOUGH_BYTES]
        live.controller._deps.housekeeping.free_bytes = lambda: free[0]  # noqa: SLF001 - the only thing that is not the real one
        live.note(2_000)
        live.sit("table")
        live.deal()
        free[0] = housekeeping.LOW_BYTES - 1
        live.until(lambda: live.locked(LockKind.STORAGE_LOW), "the fault")
        live.stand()
        assert not hand_open(live.machine)
        live.until(
            lambda: not live.simulated_devices.acceptor_line.call(lambda: live.simulated_devices.acceptor.enabled),
            "no more notes",
        )
        number, owed = live.machine.round_number, live.credit
        live.press("deal", "cash_out")
        live.until(lambda: live.machine.shown.paid_out_cents == owed, "the ticket")
        assert live.machine.round_number == number
        free[0] = housekeeping.ENOUGH_BYTES
        live.until(lambda: not live.locked(LockKind.STORAGE_LOW), "its end")
        live.note(500)


@pytest.mark.requirement("SE-01", "PL-10", "SE-02")
def test_a_program_that_changed_behind_an_open_door_locks_when_it_is_closed(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        found = ["aa"]
        live.controller._deps.housekeeping.program = lambda: found[0]  # noqa: SLF001 - a simulated cabinet checks no program
        for program in ("aa", "bb"):
            found[0] = program
            live.simulated_devices.do("main_door_open")
            live.until(lambda: Door.MAIN in live.machine.access.open_doors, "the door")
            live.simulated_devices.do("main_door_close")
            live.until(lambda: Door.MAIN not in live.machine.access.open_doors, "the door")
            live.until(lambda: live.machine.program.files_hash == found[0], "the look at the program")
            assert live.locked(LockKind.PROGRAM_CHANGED) is (program == "bb")
    with running(tmp_path, begin=False) as live:
        live.cabinet.start()
        assert live.locked(LockKind.PROGRAM_CHANGED), "it outlives a restart"

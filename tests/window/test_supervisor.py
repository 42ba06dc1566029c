"""The loop and its display: no display, a lost one, one that hangs, a slow medium, console keys."""

import gc
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from support.display import open_display
from support.live import Live, running, wait_for
from support.played_cabinet import PlayedCabinet
from support.slow_store import Stall

from cabinet.engine.inputs import Button, Hit
from cabinet.engine.state import LockKind, Settings
from cabinet.presentation.port import SimulatedKeys
from cabinet.runtime.watchdog import FRAME, FRAME_LIMIT_S, STORE, Health, make_limits
from cabinet.tools.screens_gallery import SAMPLE_FACTS, WALL
from cabinet.ui.art import palette
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.painter import Painter
from cabinet.ui.presenter import present
from cabinet.ui.sound.cues import Cue
from cabinet.ui.ui_state import UiState
from cabinet.ui.view import Kind, Screen, Slot
from cabinet.window.display import ServerGoneError, Window, WindowError
from cabinet.window.loop import WindowLoop, WindowOptions, freeze_garbage
from cabinet.window.mixer import Mixer
from cabinet.window.ports import ControllerPort
from cabinet.window.supervisor import RETRY_S, WindowSupervisor, run_window, show_cloth, with_sound

pytestmark = pytest.mark.screen

SIZE = (640, 360)
START = 100.0


class RecordingMixer(Mixer):
    """A mixer without a sound card that records its cues."""

    def __init__(self) -> None:
        super().__init__()
        self.cues: list[Cue] = []

    def play(self, cue: Cue) -> bool:
        """Records the cue."""
        self.cues.append(cue)
        return super().play(cue)


def screen_now(live: Live) -> Screen:
    """Returns the screen that a running cabinet should show."""
    return present(live.controller.snapshot(), UiState(), time.monotonic(), WALL, Settings(), SAMPLE_FACTS)


def options() -> WindowOptions:
    return WindowOptions(settings=Settings(), facts=SAMPLE_FACTS, windowed=SIZE)


@pytest.mark.requirement("SE-04")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP])
def test_no_key_of_a_console_stops_a_real_cabinet(number: int):
    cabinet = PlayedCabinet()

    def press(count: int) -> None:
        os.kill(os.getpid(), number if count < 5 else signal.SIGTERM)

    cabinet.on_frame = press
    before = signal.getsignal(number)
    assert run_window(cabinet=cabinet, options=options()) == 0
    assert len(cabinet.frames) == 5
    assert signal.getsignal(number) == before


@pytest.mark.parametrize(("driver", "lines"), [("dummy", 0), ("none-such", 1)])
def test_a_missing_sound_card_is_logged_once(
    driver: str, lines: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setenv("SDL_AUDIODRIVER", driver)
    cabinet = PlayedCabinet()

    def stop(count: int) -> None:
        cabinet.stopping = count == 3

    cabinet.on_frame = stop
    assert run_window(cabinet=cabinet, options=options()) == 0
    numbers = [record.getMessage() for record in caplog.records if record.name == "cabinet.window.supervisor"]
    assert len(numbers) == lines
    assert all(line.startswith("no sound: ") for line in numbers)


def test_the_screen_gets_the_fault_of_a_missing_sound_card(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SDL_AUDIODRIVER", "none-such")
    mixer = Mixer()
    assert with_sound(mixer, options()).facts.silent == mixer.fault != ""
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    mixer = Mixer()
    assert with_sound(mixer, options()).facts.silent == ""
    mixer.close()


def test_the_loop_ends_in_good_order_on_a_signal():
    cabinet = PlayedCabinet()
    cabinet.on_frame = lambda count: os.kill(os.getpid(), signal.SIGTERM) if count == 2 else None
    before = signal.getsignal(signal.SIGTERM)
    assert run_window(cabinet=cabinet, options=options()) == 0
    assert signal.getsignal(signal.SIGTERM) is before
    assert len(cabinet.frames) == 2


def test_the_loop_ends_when_the_cabinet_does():
    cabinet = PlayedCabinet()

    def stop(count: int) -> None:
        cabinet.stopping = True

    cabinet.on_frame = stop
    assert run_window(cabinet=cabinet, options=replace(options(), volume=0)) == 0
    assert len(cabinet.frames) == 1


def showing(cabinet: PlayedCabinet) -> WindowSupervisor:
    return WindowSupervisor(cabinet=cabinet, options=options(), mixer=Mixer())


@pytest.fixture
def dark(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Makes every driver fail to open a display."""
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "nosuch")
    yield monkeypatch
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    open_display(SIZE)


def test_a_display_server_that_ends_locks_the_cabinet_and_ends_this_process():
    cabinet = PlayedCabinet()
    loop = showing(cabinet)
    loop.turn(START)
    for kind in (pygame.WINDOWCLOSE, pygame.QUIT, pygame.QUIT):
        assert cabinet.snapshot().machine.locks == ()
        pygame.event.post(pygame.event.Event(kind))
        if kind == pygame.WINDOWCLOSE:
            loop.turn(START + 1)
    with pytest.raises(ServerGoneError, match="started again"):
        loop.turn(START + 2)
    assert [lock.kind for lock in cabinet.snapshot().machine.locks] == [LockKind.DISPLAY_LOST]


def test_without_a_display_the_cabinet_runs_behind_a_lock_until_there_is_one(dark: pytest.MonkeyPatch):
    cabinet = PlayedCabinet()
    loop = showing(cabinet)
    for n in range(20):
        assert 0 < loop.turn(START + n * RETRY_S / 3) < 0.1
    machine = cabinet.snapshot().machine
    assert [(lock.kind, "SDL_VIDEODRIVER" in lock.detail) for lock in machine.locks] == [(LockKind.DISPLAY_LOST, True)]
    assert len(cabinet.frames) == 20, "its thread still runs"
    dark.setenv("SDL_VIDEODRIVER", "dummy")
    loop.turn(START + 10 * RETRY_S)
    assert cabinet.snapshot().machine.locks == ()
    loop.turn(START + 10 * RETRY_S + 1)
    assert pygame.display.get_surface() is not None
    loop.close()


def test_a_running_cabinet_without_a_display_takes_no_notes_and_lights_its_lamps(
    tmp_path: Path, dark: pytest.MonkeyPatch
):
    with running(tmp_path, human_pace=True) as live:
        loop = WindowSupervisor(cabinet=ControllerPort(live.controller, None), options=options(), mixer=Mixer())
        calm = live.simulated_devices.panel.tower()
        loop.turn(START)
        live.until(lambda: live.locked(LockKind.DISPLAY_LOST), "the lock")
        live.until(lambda: not live.controller.snapshot().notes, "notes being refused")
        live.until(lambda: live.simulated_devices.panel.tower() != calm, "the tower light")
        dark.setenv("SDL_VIDEODRIVER", "dummy")
        loop.turn(START + RETRY_S)
        live.until(lambda: not live.machine.locks, "the lock being gone")
        live.until(lambda: live.controller.snapshot().notes, "notes being taken again")
        loop.close()


def test_a_display_that_stops_answering_locks_the_cabinet_and_is_opened_again():
    cabinet = PlayedCabinet()
    loop = showing(cabinet)
    loop.turn(START)
    loop.turn(START + 0.1)
    pygame.display.quit()
    loop.turn(START + 1)
    assert [lock.kind for lock in cabinet.snapshot().machine.locks] == [LockKind.DISPLAY_LOST]
    loop.turn(START + 1 + RETRY_S)
    assert cabinet.snapshot().machine.locks == ()
    assert pygame.display.get_surface() is not None
    loop.close()


def test_a_page_on_a_lost_display_is_closed_for_the_cabinet_too():
    cabinet = PlayedCabinet()
    cabinet.attended(reading=True)
    loop = showing(cabinet)
    loop.turn(START)
    loop.turn(START + 0.1)
    assert not cabinet.snapshot().reading
    loop.close()


def test_assets_of_a_lost_display_are_freed():
    cabinet, threshold = PlayedCabinet(), gc.get_threshold()
    loop = showing(cabinet)
    before = painters()
    try:
        for nth in range(3):
            now = START + nth * 2 * RETRY_S
            loop.turn(now)
            loop.turn(now + 0.1)
            assert len(painters() - before) == 1
            freeze_garbage()
            pygame.display.quit()
            loop.turn(now + 1)
    finally:
        gc.unfreeze()
        gc.set_threshold(*threshold)
        loop.close()
        open_display(SIZE)


def painters() -> set[int]:
    """Returns all painters, also those in frozen objects."""
    gc.unfreeze()
    return {id(thing) for thing in gc.get_objects() if isinstance(thing, Painter)}


def test_a_simulated_cabinet_reports_why_there_is_no_window(dark: pytest.MonkeyPatch):
    cabinet = PlayedCabinet(simulate=SimulatedKeys())
    with pytest.raises(WindowError, match="cannot be opened"):
        run_window(cabinet=cabinet, options=options())
    assert cabinet.snapshot().machine.locks == ()


def test_a_flip_that_never_returns_reports_no_frame_and_stops_no_money(tmp_path: Path):
    frames: list[float] = []
    inside, release = threading.Event(), threading.Event()

    def stuck(_regions: list[pygame.Rect]) -> None:
        inside.set()
        release.wait(30)

    with running(tmp_path) as live:
        port = ControllerPort(live.controller, None)
        port.frame_done = frames.append
        play = WindowLoop(cabinet=port, options=options(), surface=open_display(SIZE), mixer=Mixer(), show=stuck)
        began = time.monotonic()
        health = Health(make_limits(), began)
        window = threading.Thread(target=play.turn, args=(began,), daemon=True)
        window.start()
        assert inside.wait(15)
        live.note(2_000)
        assert frames == []
        health.beat(STORE, began + FRAME_LIMIT_S + 1)
        assert FRAME in (health.complaint(began + FRAME_LIMIT_S + 1) or "")
        release.set()
        window.join(15)
        assert frames == [began]


@pytest.mark.parametrize("hand", ["touch", "panel"])
def test_a_press_shows_and_sounds_in_the_next_frame_during_a_slow_commit(tmp_path: Path, hand: str):
    with running(tmp_path, human_pace=True) as live:
        mixer = RecordingMixer()
        shown: list[list[pygame.Rect]] = []
        play = WindowLoop(
            cabinet=ControllerPort(live.controller, None),
            options=options(),
            surface=open_display(SIZE),
            mixer=mixer,
            show=shown.append,
        )
        live.controller.on_snapshot(play.wake)
        play.turn(time.monotonic())
        stall = Stall(live)
        live.touch(Button.SERVICE)
        live.until(stall.slow.is_set, "a commit that takes its time")
        play.turn(time.monotonic() + 1)
        shown.clear()
        legend = layout(SIZE, screen_now(live)).rect(Slot(Kind.LEGEND, nth=list(Button).index(Button.SERVICE)))
        if hand == "touch":
            down = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=legend.centre, touch=False)
            pygame.event.post(down)
        else:
            live.simulated_devices.panel.press("service")
            assert wait_for(lambda: live.controller.held)
        play.turn(time.monotonic() + 2)
        assert [pygame.Rect(legend)] in shown
        assert mixer.cues == [Cue.PRESS]
        assert stall.slow.is_set()
        assert not stall.release.is_set()
        stall.release.set()
        if hand == "panel":
            live.simulated_devices.panel.release("service")


def test_a_late_snapshot_sounds_once():
    cabinet, mixer = PlayedCabinet(), RecordingMixer()
    play = WindowLoop(cabinet=cabinet, options=options(), surface=open_display(SIZE), mixer=mixer, show=lambda _: None)
    play.render_at(START)
    play.render_at(START + 0.020)
    cabinet.step(Hit(), now=START + 0.015)
    for later_s in (0.040, 0.060, 0.080):
        play.render_at(START + later_s)
    assert mixer.cues == [Cue.REFUSAL]


def test_cloth_and_venue_show_before_the_first_picture():
    surface = open_display(SIZE)
    show_cloth(surface, "Venue")
    cloth = palette.FELT["european"].mid
    assert surface.get_at((5, 5))[:3] == surface.get_at((SIZE[0] - 5, SIZE[1] - 5))[:3] == cloth
    middle = pygame.Rect(0, 0, 200, 60)
    middle.center = (SIZE[0] // 2, SIZE[1] // 2)
    assert any(surface.get_at((x, middle.centery))[:3] != cloth for x in range(middle.left, middle.right))
    show_cloth(surface, "")
    assert surface.get_at(middle.center)[:3] == cloth


def test_an_opened_display_shows_the_cloth_before_the_loop_draws():
    window = ShownWindow(SIZE)
    loop = WindowSupervisor(cabinet=PlayedCabinet(), options=options(), mixer=Mixer(), window=window)
    loop.turn(START)
    assert window.whole == [pygame.Rect((0, 0), SIZE)]
    loop.close()
    open_display(SIZE)


class ShownWindow(Window):
    """A window that records what was shown on the panel."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__(size)
        self.whole: list[pygame.Rect] = []

    def show(self, regions: list[pygame.Rect]) -> None:
        """Records and shows the regions."""
        self.whole += regions
        super().show(regions)


class WatchedWindow(Window):
    """A window whose monitor a test can unplug."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__(size)
        self.trouble = ""
        self.asked = 0

    def missing(self) -> str:
        """Returns the fault, and counts the calls."""
        self.asked += 1
        return self.trouble


def test_an_unplugged_monitor_locks_the_cabinet_until_it_is_back():
    cabinet, window = PlayedCabinet(), WatchedWindow(SIZE)
    loop = WindowSupervisor(cabinet=cabinet, options=options(), mixer=Mixer(), window=window)
    loop.turn(START)
    loop.turn(START + 0.1)
    window.trouble = "no display is connected"
    locks, numbers = [], set()
    for nth in range(1, 5):
        loop.turn(START + nth * RETRY_S)
        loop.turn(START + nth * RETRY_S + 0.1)
        locks += [[(lock.kind, lock.detail) for lock in cabinet.snapshot().machine.locks]]
        numbers.add(cabinet.snapshot().number)
    assert locks == [[(LockKind.DISPLAY_LOST, window.trouble)]] * 4
    assert len(numbers) == 1, "once"
    assert window.asked == 4, "at intervals, not in every frame"
    window.trouble = ""
    loop.turn(START + 5 * RETRY_S)
    assert cabinet.snapshot().machine.locks == ()
    loop.close()

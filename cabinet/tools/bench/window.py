"""Measurements of the visible program: the start, an idle table, a press.

Rules: the real window and loop are used, on the present display or on none; the cabinet is a simulated one in a
separate folder. Each measurement alternates with one of a bare window.
"""

import gc
import math
import os
import time
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from cabinet.config.settings import Config
from cabinet.engine.state import Machine, Phase
from cabinet.presentation.timeline import FRAME_S
from cabinet.tools.bench.engine import PATIENCE_S, BenchError, Effort, lasting_ms, run_program, spread

if TYPE_CHECKING:
    import pygame

    from cabinet.runtime.build import Cabinet
    from cabinet.runtime.simulated import SimulatedDevices
    from cabinet.window.loop import WindowLoop

SIZE = (1920, 1080)
STILL_S = 0.15
"""A table without a change for this time counts as still, in seconds."""
PREPARED_S = 1.0
"""A loop that has only slept for this time, in seconds, has nothing left to prepare: it checks about twice a second."""
PUSHED_S = 0.08
"""How long a button is held down in a round, in seconds."""
NOTE_CENTS = 2_000
BUTTON = "chip"
"""The pressed button: each press of it changes something."""


def without_display(environment: MutableMapping[str, str] = os.environ) -> None:
    """Selects the dummy display if there is no display and the environment names no driver."""
    if not any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")):
        environment["SDL_VIDEODRIVER"] = "dummy"
        environment.setdefault("SDL_AUDIODRIVER", "dummy")


@contextmanager
def collected_as_before() -> Iterator[None]:
    """Restores the settings of the garbage collector at the end of the block."""
    usual = gc.get_threshold()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)


# --- start ------------------------------------------------------------------------------------------------------

FIRST_FRAME = """
import os, sys
from cabinet.runtime.controller import Controller
Controller.frame_done = lambda controller, now_s: os._exit(0)
from cabinet.commands.main import main
sys.argv = ["cabinet", "run", "--simulate", "--windowed", "--data", sys.argv[1]]
main()
"""
"""The command itself; it ends after its first frame."""

BARE_WINDOW = """
import os, pygame
pygame.display.init()
pygame.display.set_mode((1280, 720)).fill((0, 90, 60))
pygame.display.flip()
os._exit(0)
"""


def measure_start(folder: Path, effort: Effort) -> dict[str, Any]:
    """Measures the time from the start of the process to its first frame, compared with an empty window."""
    without_display()
    ours_ms = []
    bare_ms = []
    for number in range(effort.starts):
        ours_ms.append(lasting_ms(partial(run_program, FIRST_FRAME, str(folder / f"start-{number}"))))
        bare_ms.append(lasting_ms(partial(run_program, BARE_WINDOW)))
    return {"first_frame_s": round(median(ours_ms) / 1000, 3), "bare_window_s": round(median(bare_ms) / 1000, 3)}


# --- an idle table and a press ----------------------------------------------------------------------------------


def measure_window(folder: Path, effort: Effort) -> dict[str, Any]:
    """Measures a simulated cabinet at an idle betting table in the real loop: frames, processor time, response to
    presses."""
    from cabinet.runtime.build import build

    without_display()
    cabinet = build(Config(), folder / "window", simulate=True)
    try:
        with collected_as_before():
            cabinet.start()
            window = MeasuredWindow(cabinet, folder / "window")
            window.sit_down()
            if effort.prepared:
                window.turn_until_prepared()
            figures = window.measure_idle(effort.idle_s)
            waits_s = [window.wait_for_frame() for _ in range(effort.presses)]
            figures |= window.measure_round()
    finally:
        cabinet.stop()
    return {
        **figures,
        "press_to_frame_frames": math.ceil(median(waits_s) / FRAME_S),
        "press_to_frame_ms": spread([wait_s * 1000 for wait_s in waits_s]),
    }


class MeasuredWindow:
    """The window of a started simulated cabinet; it records when each frame was shown."""

    def __init__(self, cabinet: "Cabinet", data: Path) -> None:
        """Opens the window."""
        if cabinet.simulated_devices is None:
            raise BenchError("only a simulated cabinet is measured: it cannot press the buttons of a real one")
        self._bench: SimulatedDevices = cabinet.simulated_devices
        self._controller = cabinet.controller
        self.shown_s: list[float] = []
        self._play = self._open(cabinet, data)
        cabinet.controller.on_snapshot(self._play.wake)

    def _open(self, cabinet: "Cabinet", data: Path) -> "WindowLoop":
        from cabinet.window.display import Window
        from cabinet.window.loop import WindowLoop, WindowOptions
        from cabinet.window.machine_info import machine_info
        from cabinet.window.mixer import Mixer
        from cabinet.window.ports import ControllerPort

        window, mixer = Window(SIZE), Mixer()
        surface = window.open()
        mixer.open()

        def show(regions: "list[pygame.Rect]") -> None:
            window.show(window.transfer(regions))
            self.shown_s.append(time.monotonic())

        facts = machine_info(cabinet.config, data)
        options = WindowOptions(settings=cabinet.config.settings(), facts=facts, windowed=SIZE)
        port = ControllerPort(cabinet.controller, None)
        return WindowLoop(cabinet=port, options=options, surface=surface, mixer=mixer, show=show)

    def sit_down(self) -> None:
        """Goes to a betting table and waits until nothing moves."""
        self._turn_until("the devices", lambda: self._machine.printer.ready and self._machine.acceptor.ready)
        self._bench.panel.tap("deal")
        self._turn_until("a table", lambda: self._machine.phase is Phase.BETTING)
        self._turn_until_still()

    def turn_until_prepared(self) -> None:
        """Turns the loop until it only sleeps, so that all assets of play are made."""
        self._turn_until("a prepared table", self._lasts(PREPARED_S, lambda pause_s: pause_s > 0))

    def measure_idle(self, idle_s: float) -> dict[str, Any]:
        """Measures frames and processor time of the whole process without input."""
        frames, began, used_s = len(self.shown_s), time.monotonic(), time.process_time()
        while time.monotonic() < began + idle_s:
            self._turn()
        lasted_s = time.monotonic() - began
        return {
            "idle_frames_per_s": round((len(self.shown_s) - frames) / lasted_s, 3),
            "idle_cpu_percent": round(100 * (time.process_time() - used_s) / lasted_s, 2),
        }

    def wait_for_frame(self) -> float:
        """Measures the seconds from a press on a pin to the first frame that shows it."""
        frames, began = len(self.shown_s), time.monotonic()
        self._bench.panel.press(BUTTON)
        self._turn_until("an answer to a press", lambda: len(self.shown_s) > frames)
        self._bench.panel.release(BUTTON)
        self._turn_until_still()
        return self.shown_s[frames] - began

    def measure_round(self) -> dict[str, Any]:
        """Measures how many frames of a round played by its buttons only had to be painted when they were due."""
        self._turn_until("credit", lambda: self._machine.books.credit_cents > 0 or self._bench.insert(NOTE_CENTS))
        self._turn_until("credit", lambda: self._machine.books.credit_cents > 0)
        self._turn_until_still()
        frames = self._play.frames
        painted, foreseen = frames.painted, frames.foreseen
        self._push("bet")
        self._push("deal")
        while self._machine.phase is not Phase.SETTLED:
            self._push("stand")
        painted, foreseen = frames.painted - painted, frames.foreseen - foreseen
        return {"round_frames": painted, "round_planned_share": round(foreseen / painted, 3)}

    def _push(self, button: str) -> None:
        """Presses a button and waits for the end of the animation."""
        self._bench.panel.press(button)
        let_go_s = time.monotonic() + PUSHED_S
        self._turn_until("a frame", lambda: time.monotonic() >= let_go_s)
        self._bench.panel.release(button)
        self._turn_until_still()
        self._turn_until("the animation", lambda: time.monotonic() >= self._controller.snapshot().open_at_s)
        self._turn_until_still()

    @property
    def _machine(self) -> Machine:
        return self._controller.snapshot().machine

    def _turn(self) -> float:
        """Runs one pass of the loop as the window does; returns its pause."""
        pause_s = self._play.turn(time.monotonic())
        time.sleep(pause_s)
        return pause_s

    def _turn_until(self, what: str, met: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE_S
        while not met():
            if time.monotonic() > until:
                raise BenchError(f"the simulated cabinet did not show {what} within {PATIENCE_S:.0f} s")
            self._turn()

    def _turn_until_still(self) -> None:
        """Turns the loop until no frame has been shown for a while."""
        self._turn_until("a still table", self._lasts(STILL_S, lambda pause_s: pause_s >= 0))

    def _lasts(self, calm_s: float, calm: Callable[[float], bool]) -> Callable[[], bool]:
        """Returns a function that turns the loop once, and returns True when it has shown no frame and paused calmly
        for this time."""
        since = [time.monotonic()]

        def asked() -> bool:
            frames = len(self.shown_s)
            pause_s = self._turn()
            if len(self.shown_s) > frames or not calm(pause_s):
                since[0] = time.monotonic()
            return time.monotonic() - since[0] > calm_s

        return asked

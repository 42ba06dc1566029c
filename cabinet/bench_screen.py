"""Measurements of what is seen: the start, an idle table, a press, a round that is dealt.

Rules: the real window, loop, presenter and painter are used, on the display there is or on none; the cabinet behind
them is a simulated one in a folder of its own. A bare window, and a frame that is only copied and shown, are measured
turn by turn beside what they are compared with.
"""

import gc
import math
import os
import time
import warnings
from collections.abc import Callable, Iterator, MutableMapping
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from cabinet.bench_engine import PATIENCE_S, BenchError, Effort, lasting_ms, run_program, spread
from cabinet.config import Config
from cabinet.engine import machine as engine
from cabinet.engine.inputs import BetAll, Command, Deal, Hit, Stand
from cabinet.engine.rules import EUROPEAN
from cabinet.engine.state import Machine, Phase, Settings
from cabinet.ui.pace import FRAME_S
from cabinet.ui.ui_state import UiState

if TYPE_CHECKING:
    import pygame

    from cabinet.app import Play
    from cabinet.simulated import Bench
    from cabinet.ui.news import News
    from cabinet.ui.paint.ahead import Ahead
    from cabinet.ui.paint.painter import Painter
    from cabinet.ui.view import Screen
    from cabinet.wiring import Cabinet

SIZE = (1920, 1080)
AHEAD_S = 0.006
"""So much of the time between two frames is at most used to make what later ones show."""
MEGABYTE = 2**20
STILL_S = 0.15
"""A table on which nothing has moved for so long stands still."""
PREPARED_S = 1.0
"""A loop that has only slept for so long has nothing left to prepare: it looks about twice a second."""
BUTTON = "chip"
"""The button that is pressed: each press of it changes something."""


def without_display(environment: MutableMapping[str, str] = os.environ) -> None:
    """Draw to nowhere when there is no display and nobody has said where to draw."""
    if not any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")):
        environment["SDL_VIDEODRIVER"] = "dummy"
        environment.setdefault("SDL_AUDIODRIVER", "dummy")


# --- start ------------------------------------------------------------------------------------------------------

FIRST_FRAME = """
import os, sys
from cabinet.heart import Heart
Heart.frame_done = lambda heart, now_s: os._exit(0)
from cabinet.cli import main
sys.argv = ["cabinet", "run", "--simulate", "--windowed", "--data", sys.argv[1]]
main()
"""
"""The command itself, ended by its first frame."""

BARE_WINDOW = """
import os, pygame
pygame.display.init()
pygame.display.set_mode((1280, 720)).fill((0, 90, 60))
pygame.display.flip()
os._exit(0)
"""


def measure_start(folder: Path, effort: Effort) -> dict[str, Any]:
    """From the start of the process to its first frame, beside a window with nothing in it."""
    without_display()
    ours_ms = []
    bare_ms = []
    for number in range(effort.starts):
        ours_ms.append(lasting_ms(partial(run_program, FIRST_FRAME, str(folder / f"start-{number}"))))
        bare_ms.append(lasting_ms(partial(run_program, BARE_WINDOW)))
    return {"first_frame_s": round(median(ours_ms) / 1000, 3), "bare_window_s": round(median(bare_ms) / 1000, 3)}


# --- an idle table and a press ----------------------------------------------------------------------------------


def measure_window(folder: Path, effort: Effort) -> dict[str, Any]:
    """A simulated cabinet at an idle betting table in the real loop: frames, processor, answer to presses."""
    from cabinet.wiring import build

    without_display()
    cabinet = build(Config(), folder / "window", simulate=True)
    try:
        cabinet.start()
        window = MeasuredWindow(cabinet, folder / "window")
        window.sit_down()
        if effort.prepared:
            window.turn_until_prepared()
        figures = window.measure_idle(effort.idle_s)
        waits_s = [window.wait_for_frame() for _ in range(effort.presses)]
    finally:
        cabinet.stop()
    return {
        **figures,
        "press_to_frame_frames": math.ceil(median(waits_s) / FRAME_S),
        "press_to_frame_ms": spread([wait_s * 1000 for wait_s in waits_s]),
    }


class MeasuredWindow:
    """The window of a started simulated cabinet, with a note of when each frame was shown."""

    def __init__(self, cabinet: "Cabinet", data: Path) -> None:
        """Opens the window."""
        if cabinet.bench is None:
            raise BenchError("only a simulated cabinet is measured: nobody presses the buttons of a real one")
        self._bench: Bench = cabinet.bench
        self._heart = cabinet.heart
        self.shown_s: list[float] = []
        self._play = self._open(cabinet, data)
        cabinet.heart.on_news(self._play.wake)

    def _open(self, cabinet: "Cabinet", data: Path) -> "Play":
        from cabinet.app import Play, WindowOptions
        from cabinet.facts import cabinet_facts
        from cabinet.run import HeartPort
        from cabinet.ui.mixer import Mixer
        from cabinet.window import Window

        window, mixer = Window(SIZE), Mixer()
        surface = window.open()
        mixer.open()

        def show(regions: "list[pygame.Rect]") -> None:
            window.show(regions)
            self.shown_s.append(time.monotonic())

        facts = cabinet_facts(cabinet.config, data)
        options = WindowOptions(settings=cabinet.config.settings(), facts=facts, windowed=SIZE)
        port = HeartPort(cabinet.heart, None)
        return Play(cabinet=port, options=options, surface=surface, mixer=mixer, show=show)

    def sit_down(self) -> None:
        """To a betting table, until nothing moves any more."""
        self._turn_until("the devices", lambda: self._machine.printer_ready and self._machine.acceptor_ready)
        self._bench.panel.tap("deal")
        self._turn_until("a table", lambda: self._machine.phase is Phase.BETTING)
        self._turn_until_still()

    def turn_until_prepared(self) -> None:
        """Until the loop only sleeps: everything that play may need is made."""
        self._turn_until("a prepared table", self._lasts(PREPARED_S, lambda pause_s: pause_s > 0))

    def measure_idle(self, idle_s: float) -> dict[str, Any]:
        """Frames and processor time of the whole process while nobody touches anything."""
        frames, began, used_s = len(self.shown_s), time.monotonic(), time.process_time()
        while time.monotonic() < began + idle_s:
            self._turn()
        lasted_s = time.monotonic() - began
        return {
            "idle_frames_per_s": round((len(self.shown_s) - frames) / lasted_s, 3),
            "idle_cpu_percent": round(100 * (time.process_time() - used_s) / lasted_s, 2),
        }

    def wait_for_frame(self) -> float:
        """Seconds from a button going down on its pin until the first frame that tells of it was shown."""
        frames, began = len(self.shown_s), time.monotonic()
        self._bench.panel.press(BUTTON)
        self._turn_until("an answer to a press", lambda: len(self.shown_s) > frames)
        self._bench.panel.release(BUTTON)
        self._turn_until_still()
        return self.shown_s[frames] - began

    @property
    def _machine(self) -> Machine:
        return self._heart.news().machine

    def _turn(self) -> float:
        """One pass of the loop as the window runs it; the pause it made."""
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
        """Until no frame has been shown for a while."""
        self._turn_until("a still table", self._lasts(STILL_S, lambda pause_s: pause_s >= 0))

    def _lasts(self, calm_s: float, calm: Callable[[float], bool]) -> Callable[[], bool]:
        """A question that takes a turn of the loop: has it shown no frame, and paused calmly, for so long?"""
        since = [time.monotonic()]

        def asked() -> bool:
            frames = len(self.shown_s)
            pause_s = self._turn()
            if len(self.shown_s) > frames or not calm(pause_s):
                since[0] = time.monotonic()
            return time.monotonic() - since[0] > calm_s

        return asked


# --- a round that is dealt --------------------------------------------------------------------------------------

FIVE_PLACES = "KS AD 8S QD AH 10C 9H 6C 8D 7S KC 2H 10H 6H 5C"
"""Two cards for each of five places with the dealer's first between them, two that are hit, and the dealer's own."""
PLAYED: tuple[Command, ...] = (BetAll(), Deal(), Stand(), Hit(), Stand(), Hit(), Stand())


class Clocks(NamedTuple):
    """A moment, or a time that passed between two, in milliseconds: of the clock on the wall, of the processor."""

    wall_ms: float
    cpu_ms: float

    @classmethod
    def now(cls) -> "Clocks":
        """This moment."""
        return cls(time.perf_counter() * 1000, time.process_time() * 1000)

    def since(self, earlier: "Clocks") -> "Clocks":
        """The time that passed from an earlier moment to this one."""
        return Clocks(self.wall_ms - earlier.wall_ms, self.cpu_ms - earlier.cpu_ms)

    def longer_by(self, other: "Clocks") -> "Clocks":
        """This time and another."""
        return Clocks(self.wall_ms + other.wall_ms, self.cpu_ms + other.cpu_ms)


class FrameTimes(NamedTuple):
    """What one frame of the round took, and beside it the least that could show the same."""

    made: Clocks
    """Presenter, layout and painter."""
    shown: Clocks
    """Bringing it to the display."""
    copied: Clocks
    """Copying the pixels that changed, and nothing else."""
    shown_bare: Clocks
    """Bringing that to the display."""
    ahead: Clocks
    """Making, after it was shown, what later frames of the story show."""
    drawn: int
    """What was drawn from scratch instead of copied: letters, scaled cards, grounds."""

    @property
    def ours(self) -> Clocks:
        """The whole frame, from the state of the machine to the display."""
        return self.made.longer_by(self.shown)

    @property
    def bare(self) -> Clocks:
        """The same frame of somebody who knows which pixels to copy, and has them."""
        return self.copied.longer_by(self.shown_bare)


def measure_deal(folder: Path, effort: Effort) -> dict[str, Any]:
    """Frames while five places are dealt, played and paid, each beside a bare copy of its pixels that is shown, too."""
    import pygame

    from cabinet.app import spare_collections
    from cabinet.ui.paint.painter import Painter
    from cabinet.window import Window

    del folder
    without_display()
    # A window that was open as a plain one cannot become one that fills the display.
    pygame.display.quit()
    window = Window.measured(SIZE)
    with warnings.catch_warnings():
        # That the machine has no graphics processor is a figure here, no failure.
        warnings.simplefilter("ignore")
        surface = window.open()
    painter = Painter(SIZE)
    _prepare(painter, surface, whole=effort.prepared)
    usual = gc.get_threshold()
    spare_collections()
    frames = [times for _ in range(effort.deals) for times in _measure_frames(painter, surface, window.show)]
    gc.unfreeze()
    gc.set_threshold(*usual)
    window.close()
    return _figures_of(frames) | _memory_of(painter)


def _figures_of(frames: list[FrameTimes]) -> dict[str, Any]:
    ours, bare = spread([each.ours.cpu_ms for each in frames]), spread([each.bare.cpu_ms for each in frames])
    made, copied = spread([each.made.cpu_ms for each in frames]), spread([each.copied.cpu_ms for each in frames])
    return {
        "deal_frame_ms": spread([each.ours.wall_ms for each in frames]),
        "deal_bare_ms": spread([each.bare.wall_ms for each in frames]),
        "deal_frame_cpu_ms": ours,
        "deal_bare_cpu_ms": bare,
        "deal_ratio": {name: round(ours[name] / bare[name], 2) for name in ours},
        "deal_made_cpu_ms": made,
        "deal_copy_cpu_ms": copied,
        "deal_made_ratio": {name: round(made[name] / copied[name], 2) for name in made},
        "deal_share_of_beat": round(ours["p99"] / (FRAME_S * 1000), 3),
        "deal_ahead_cpu_ms": round(sum(each.ahead.cpu_ms for each in frames) / len(frames), 3),
        "deal_drawn": sum(each.drawn for each in frames),
        "deal_frames": len(frames),
    }


def _memory_of(painter: "Painter") -> dict[str, float]:
    from cabinet.ui.paint.assets import budget_for

    used = painter.assets.used_bytes
    return {"surfaces_mb": round(used / MEGABYTE, 1), "surfaces_share": round(used / budget_for(SIZE), 3)}


def _prepare(painter: "Painter", surface: "pygame.Surface", *, whole: bool) -> None:
    """The table as it is before the deal, and everything that is made while nobody touches a cabinet."""
    screen = _screen_at(*next(frames_of_a_deal(DEALT_BY)))
    painter.paint(surface, screen)
    while whole and painter.warm_up(screen):
        pass


DEALT_BY = Settings()
UI = UiState()
"""Settings and screen's own state of the measured table: one object each, as a cabinet has."""


def _screen_at(news: "News", now_s: float) -> "Screen":
    """What is seen then, in the cabinet of the pictures."""
    from cabinet.ui.gallery import SAMPLE_FACTS, WALL
    from cabinet.ui.presenter import present

    return present(news, UI, now_s, WALL, DEALT_BY, SAMPLE_FACTS)


def _measure_frames(
    painter: "Painter", surface: "pygame.Surface", show: "Callable[[list[pygame.Rect]], None]"
) -> Iterator[FrameTimes]:
    """What each frame that changed something took, and right after it the bare copy of what it changed."""
    from cabinet.ui.art.tally import DRAWN
    from cabinet.ui.paint.ahead import Ahead

    copy, ahead = surface.copy(), Ahead(painter, _screen_at)
    for news, now_s in frames_of_a_deal(DEALT_BY):
        drawn, began = DRAWN.count, Clocks.now()
        regions = painter.paint(surface, _screen_at(news, now_s), at_once=False)
        made, drawn = Clocks.now(), DRAWN.count - drawn
        if not regions:
            _look_ahead(ahead, news, now_s)
            continue
        show(regions)
        shown = Clocks.now()
        for region in regions:
            copy.blit(surface, region, region)
        copied = Clocks.now()
        show(regions)
        shown_bare = Clocks.now()
        _look_ahead(ahead, news, now_s)
        yield FrameTimes(
            made=made.since(began),
            shown=shown.since(made),
            copied=copied.since(shown),
            shown_bare=shown_bare.since(copied),
            ahead=Clocks.now().since(shown_bare),
            drawn=drawn,
        )


def _look_ahead(ahead: "Ahead", news: "News", now_s: float) -> None:
    """What the loop does in the time that a frame leaves over."""
    until_s = time.perf_counter() + AHEAD_S
    while time.perf_counter() < until_s and ahead.look(news, now_s):
        pass


def frames_of_a_deal(settings: Settings) -> Iterator[tuple["News", float]]:
    """What is told at each sixtieth of a second of a round of European Blackjack on five places."""
    from cabinet.ui.gallery import at, named_draw, news_after

    draw, machine, now_s = named_draw(FIVE_PLACES), engine.starting(settings), 0.0
    news: News | None = None
    for given in (*at(EUROPEAN.game_id), *PLAYED):
        news = news_after(news, settings, machine, given, draw, now_s)
        machine = news.machine
        if given not in PLAYED:
            now_s = news.open_at_s
            continue
        yield news, now_s
        now_s += FRAME_S
        while now_s < news.open_at_s:
            yield news, now_s
            now_s += FRAME_S

"""Measurements of the frames of a round, each compared with a frame that is only copied and shown.

Rules: the real window, presenter and painter are used, on the present display or on none; frames are planned, painted
and shown as in the loop.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pygame

from cabinet.engine import machine as engine
from cabinet.engine.inputs import BetAll, Command, Deal, Hit, Stand
from cabinet.engine.rules import EUROPEAN
from cabinet.engine.state import Settings
from cabinet.presentation.snapshot import Snapshot
from cabinet.presentation.timeline import FRAME_S
from cabinet.tools.bench.engine import Effort, spread
from cabinet.tools.bench.window import SIZE, collected_as_before, without_display
from cabinet.tools.screens_gallery import SAMPLE_FACTS, WALL, at, named_draw, snapshot_after
from cabinet.ui.art.tally import DRAWN
from cabinet.ui.paint.assets import budget_for
from cabinet.ui.paint.frames import Frame, Frames
from cabinet.ui.paint.painter import Painter
from cabinet.ui.presenter import present
from cabinet.ui.ui_state import UiState
from cabinet.ui.view import Screen
from cabinet.window.display import Window
from cabinet.window.loop import freeze_garbage
from cabinet.window.overlap import FrameWorker

MEGABYTE = 2**20
Show = Callable[[list[pygame.Rect]], None]

FIVE_PLACES = "KS AD 8S QD AH 10C 9H 6C 8D 7S KC 2H 10H 6H 5C"
"""Two cards for each of five places with the dealer's first between them, two that are hit, and the dealer's own."""
PLAYED: tuple[Command, ...] = (BetAll(), Deal(), Stand(), Hit(), Stand(), Hit(), Stand())


class Clocks(NamedTuple):
    """A moment, or the time between two moments, in milliseconds: by the wall clock, and in processor time of the
    calling thread."""

    wall_ms: float
    cpu_ms: float

    @classmethod
    def now(cls) -> "Clocks":
        """Returns this moment."""
        return cls(time.perf_counter() * 1000, time.thread_time() * 1000)

    def since(self, earlier: "Clocks") -> "Clocks":
        """Returns the time from an earlier moment to this one."""
        return Clocks(self.wall_ms - earlier.wall_ms, self.cpu_ms - earlier.cpu_ms)

    def longer_by(self, other: "Clocks") -> "Clocks":
        """Returns the sum of this time and another."""
        return Clocks(self.wall_ms + other.wall_ms, self.cpu_ms + other.cpu_ms)


class TimedFrames(Frames):
    """Frames that measure the planning of the last one."""

    def __init__(self, painter: Painter) -> None:
        super().__init__(painter, lambda snapshot, _, at_s: _screen_at(snapshot, at_s))
        self.took = Clocks(0.0, 0.0)

    def plan(self, frame: Frame) -> None:
        """Prepares a frame except its pixels."""
        began = Clocks.now()
        super().plan(frame)
        self.took = Clocks.now().since(began)


class FrameTimes(NamedTuple):
    """The times of one frame of the round, with the least that could show the same frame."""

    planned: Clocks
    """Presenter, layout and changes: done before the frame was due."""
    painted: Clocks
    """The work that remained when the frame was due."""
    shown: Clocks
    """Showing it on the display."""
    copied: Clocks
    """Copying only the pixels that changed."""
    shown_bare: Clocks
    """Showing that copy on the display."""

    @property
    def ours(self) -> Clocks:
        """Returns the time from when the frame was due until it was on the display."""
        return self.painted.longer_by(self.shown)

    @property
    def made(self) -> Clocks:
        """Returns the time from the state of the machine to the pixels."""
        return self.planned.longer_by(self.painted)

    @property
    def whole(self) -> Clocks:
        """Returns the time of the whole frame on every thread, from the state of the machine to the display."""
        return self.planned.longer_by(self.ours)

    @property
    def bare(self) -> Clocks:
        """Returns the time to copy and show the changed pixels of the frame, which are known before."""
        return self.copied.longer_by(self.shown_bare)


def measure_deal(folder: Path, effort: Effort) -> dict[str, Any]:
    """Measures frames while five places are dealt, played and paid, each compared with a bare copy of its pixels."""
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
    drawn = DRAWN.count
    with collected_as_before():
        freeze_garbage()
        frames = [times for _ in range(effort.deals) for times in _measure_frames(painter, surface, window.show)]
    window.close()
    return _figures_of(frames) | {"deal_drawn": DRAWN.count - drawn} | _memory_of(painter)


def _figures_of(frames: list[FrameTimes]) -> dict[str, Any]:
    ours, bare = spread([each.ours.cpu_ms for each in frames]), spread([each.bare.cpu_ms for each in frames])
    made, copied = spread([each.made.cpu_ms for each in frames]), spread([each.copied.cpu_ms for each in frames])
    whole = spread([each.whole.cpu_ms for each in frames])
    return {
        "deal_frame_ms": spread([each.ours.wall_ms for each in frames]),
        "deal_bare_ms": spread([each.bare.wall_ms for each in frames]),
        "deal_frame_cpu_ms": ours,
        "deal_bare_cpu_ms": bare,
        "deal_ratio": {name: round(ours[name] / bare[name], 2) for name in ours},
        "deal_each_ratio": spread([each.ours.cpu_ms / each.bare.cpu_ms for each in frames]),
        "deal_made_cpu_ms": made,
        "deal_copy_cpu_ms": copied,
        "deal_made_ratio": {name: round(made[name] / copied[name], 2) for name in made},
        "deal_whole_cpu_ms": whole,
        "deal_whole_ratio": {name: round(whole[name] / bare[name], 2) for name in whole},
        "deal_share_of_beat": round(whole["p99"] / (FRAME_S * 1000), 3),
        "deal_frames": len(frames),
    }


def _memory_of(painter: Painter) -> dict[str, float]:
    used = painter.assets.used_bytes
    return {"surfaces_mb": round(used / MEGABYTE, 1), "surfaces_share": round(used / budget_for(SIZE), 3)}


def _prepare(painter: Painter, surface: pygame.Surface, *, whole: bool) -> None:
    """Returns the table before the deal, with everything that an idle cabinet prepares."""
    screen = _screen_at(*next(frames_of_a_deal(DEALT_BY)))
    painter.paint(surface, screen)
    while whole and painter.warm_up(screen):
        pass


DEALT_BY = Settings()
UI = UiState()
"""The screen's state of the measured table; one object, as in a cabinet."""


def _screen_at(snapshot: Snapshot, now_s: float) -> Screen:
    """Returns the screen at this time, with the facts of the pictures."""
    return present(snapshot, UI, now_s, WALL, DEALT_BY, SAMPLE_FACTS)


def _measure_frames(painter: Painter, surface: pygame.Surface, show: Show) -> Iterator[FrameTimes]:
    """Yields the times of each frame that changed something; the bare copy of its change follows right after it."""
    copy, frames = surface.copy(), TimedFrames(painter)
    bring = _bringing(frames, show)
    dealt = [*frames_of_a_deal(DEALT_BY)]
    for (snapshot, now_s), (next_snapshot, next_s) in zip(dealt, [*dealt[1:], dealt[-1]], strict=True):
        frame = Frame(snapshot, UI, now_s)
        if not frames.is_planned(frame):
            frames.plan(frame)
        planned, began = frames.took, Clocks.now()
        _, regions = frames.paint(surface, frame)
        painted = Clocks.now()
        if not regions:
            continue
        shown = bring(regions, Frame(snapshot, UI, next_s) if next_snapshot is snapshot else None)
        free = Clocks.now()
        for region in regions:
            copy.blit(surface, region, region)
        copied = Clocks.now()
        show(regions)
        shown_bare = Clocks.now()
        yield FrameTimes(
            planned=planned,
            painted=painted.since(began),
            shown=shown.since(painted),
            copied=copied.since(free),
            shown_bare=shown_bare.since(copied),
        )


def _bringing(frames: Frames, show: Show) -> Callable[[list[pygame.Rect], Frame | None], Clocks]:
    """Returns the function that shows regions while the next frame is planned, as in the loop; it returns after they
    are on the display."""
    beside = FrameWorker("frames")

    def bring(regions: list[pygame.Rect], following: Frame | None) -> Clocks:
        moments: list[Clocks] = []

        def wait() -> None:
            show(regions)
            moments.append(Clocks.now())

        if following is None:
            wait()
        else:
            beside.run_while(partial(frames.plan, following), waiting=wait)
        return moments[0]

    return bring


def frames_of_a_deal(settings: Settings) -> Iterator[tuple[Snapshot, float]]:
    """Returns the screen at each sixtieth of a second of a round of European Blackjack on five places."""
    draw, machine, now_s = named_draw(FIVE_PLACES), engine.starting(settings), 0.0
    snapshot: Snapshot | None = None
    for given in (*at(EUROPEAN.game_id), *PLAYED):
        snapshot = snapshot_after(snapshot, settings, machine, given, draw, now_s)
        machine = snapshot.machine
        if given not in PLAYED:
            now_s = snapshot.open_at_s
            continue
        yield snapshot, now_s
        now_s += FRAME_S
        while now_s < snapshot.open_at_s:
            yield snapshot, now_s
            now_s += FRAME_S

"""Measures the cabinet on this machine, and compares each figure with its aim.

Rules: a figure that depends on the machine alternates with a bare reference and is also reported as a ratio. All files
are written to a new folder on the medium of the data folder and removed at the end; an existing journal stays
unchanged. A missed aim is reported and is no error.
"""

import math
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabinet.report.progress import progress
from cabinet.report.value import Column, Report, Section, Span, Table, Tone, Words
from cabinet.tools.bench.engine import FLAT_MB, Effort, measure_commits, measure_memory, measure_rounds
from cabinet.tools.bench.frames import measure_deal
from cabinet.tools.bench.window import measure_start, measure_window

QUICK = Effort(prepared=False, idle_s=0.3, presses=1, deals=1, commits=20, rounds_s=0.1, starts=1, memory_rounds=40)
"""Too little for meaningful figures; for tests."""

Figures = Mapping[str, Any]

STAGES: tuple[tuple[str, Callable[[Path, Effort], Figures]], ...] = (
    ("Starting", measure_start),
    ("Watching an idle table", measure_window),
    ("Dealing", measure_deal),
    ("Committing", measure_commits),
    ("Playing the engine alone", measure_rounds),
    ("Playing ten thousand rounds", measure_memory),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """A figure and its aim: at most `most`, at least `least`, or none."""

    what: str
    of: Callable[[Figures], float]
    unit: str = ""
    most: float = math.inf
    least: float = -math.inf

    def met(self, figures: Figures) -> bool:
        """Returns True if the figure meets its aim."""
        return self.least <= self.of(figures) <= self.most

    def wanted(self) -> str:
        """Returns the aim as text; empty for a figure without one."""
        if self.most < math.inf:
            return f"at most {self.most:,g}"
        return f"at least {self.least:,g}" if self.least > -math.inf else ""


TIMES_BARE = 1.5
"""Limit of a frame's time over that of copying and showing its pixels (docs/decisions/0018-frame-times.md)."""
AIMS = (
    Aim(what="frames drawn at an idle table", of=lambda f: f["idle_frames_per_s"], unit="per s", most=0.3),
    Aim(what="processor used at an idle table", of=lambda f: f["idle_cpu_percent"], unit="%", most=5),
    Aim(what="frame of a deal once due, median", of=lambda f: f["deal_frame_ms"]["median"], unit="ms", most=8),
    Aim(what="... slowest but one in a hundred", of=lambda f: f["deal_frame_ms"]["p99"], unit="ms"),
    Aim(what="... slowest of all", of=lambda f: f["deal_frame_ms"]["worst"], unit="ms", most=16.7),
    Aim(what="... time of the processor, median", of=lambda f: f["deal_frame_cpu_ms"]["median"], unit="ms"),
    Aim(what="... slowest but one in a hundred", of=lambda f: f["deal_frame_cpu_ms"]["p99"], unit="ms"),
    Aim(what="... its pixels copied and shown", of=lambda f: f["deal_bare_cpu_ms"]["p99"], unit="ms"),
    Aim(what="... against that", of=lambda f: f["deal_ratio"]["p99"], unit="times", most=TIMES_BARE),
    Aim(what="... against that, median", of=lambda f: f["deal_ratio"]["median"], unit="times"),
    Aim(what="... each against its own", of=lambda f: f["deal_each_ratio"]["p99"], unit="times"),
    Aim(what="... planned in a round with presses", of=lambda f: f["round_planned_share"], unit=""),
    Aim(what="planned and shown, one in a hundred", of=lambda f: f["deal_whole_cpu_ms"]["p99"], unit="ms"),
    Aim(what="... of the time between two frames", of=lambda f: f["deal_share_of_beat"], unit="", most=0.25),
    Aim(what="... against pixels copied and shown", of=lambda f: f["deal_whole_ratio"]["p99"], unit="times"),
    Aim(what="... not shown, against copying alone", of=lambda f: f["deal_made_ratio"]["p99"], unit="times"),
    Aim(what="... letters, cards, grounds not prepared", of=lambda f: f["deal_drawn"], unit="", most=0),
    Aim(what="surfaces kept, of their budget", of=lambda f: f["surfaces_share"], unit="", most=1),
    Aim(what="press to the frame that shows it", of=lambda f: f["press_to_frame_frames"], unit="frames", most=2),
    Aim(what="commit of the journal, median", of=lambda f: f["commit_ms"], unit="ms"),
    Aim(what="... against a bare durable commit", of=lambda f: f["commit_ratio"], unit="times", most=1.3),
    Aim(what="rounds of the engine alone", of=lambda f: f["rounds_per_s"], unit="per s", least=30_000),
    Aim(what="command to first frame", of=lambda f: f["first_frame_s"], unit="s", most=1.5),
    Aim(what="... of which a bare window", of=lambda f: f["bare_window_s"], unit="s"),
    Aim(what="memory before ten thousand rounds", of=lambda f: f["rss_mb_start"], unit="MB"),
    Aim(what="... grown by", of=lambda f: f["rss_mb_end"] - f["rss_mb_start"], unit="MB", most=FLAT_MB),
)


def run_bench(data: Path, *, quick: bool = False) -> Report:
    """Measures everything, with the progress on standard error. `data` names the medium whose commits are measured."""
    effort = QUICK if quick else Effort()
    figures: dict[str, Any] = {}
    began = time.perf_counter()
    with _folder_beside(data) as folder, progress("", total=len(STAGES)) as update:
        for number, (words, stage) in enumerate(STAGES):
            update(description=words, completed=number)
            figures |= stage(folder, effort)
    return bench_report(figures | {"seconds": round(time.perf_counter() - began, 1)})


@contextmanager
def _folder_beside(data: Path) -> Iterator[Path]:
    """Yields a new folder on the medium of the data folder; removed afterwards."""
    above = next(each for each in data.absolute().parents if each.is_dir())
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=data if data.is_dir() else above) as name:
        yield Path(name)


COLUMNS = (Column(name="measured here"), Column(name="figure", figures=True), Column(name="aim"), Column())


def bench_report(figures: Figures) -> Report:
    """Returns the figures with their aims. A missed aim is reported and is no error."""
    took = f"Took {figures['seconds']} s. Times are those of this machine; ratios hold elsewhere, too."
    table = Table(columns=COLUMNS, rows=tuple(_row(aim, figures) for aim in AIMS))
    return Report(data=figures, sections=(Section(blocks=(table, took)),))


def _row(aim: Aim, figures: Figures) -> tuple[Words, ...]:
    met = Span(text="met", tone=Tone.GOOD) if aim.met(figures) else Span(text="missed", tone=Tone.BAD)
    return aim.what, f"{aim.of(figures):,.6g} {aim.unit}", aim.wanted(), met if aim.wanted() else ""

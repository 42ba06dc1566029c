"""The bench as a whole: its figures, their aims, and that nothing is left behind."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.commands import run
from support.reports import shown

from cabinet.tools.bench.report import AIMS, STAGES, Aim, bench_report

FIGURES: dict[str, Any] = {
    "idle_frames_per_s": 0.0,
    "idle_cpu_percent": 1.5,
    "deal_frame_ms": {"median": 2.0, "p99": 5.0, "worst": 7.0},
    "deal_bare_ms": {"median": 1.8, "p99": 3.5, "worst": 7.0},
    "deal_frame_cpu_ms": {"median": 2.0, "p99": 3.0, "worst": 6.0},
    "deal_bare_cpu_ms": {"median": 1.5, "p99": 2.4, "worst": 4.0},
    "deal_ratio": {"median": 1.33, "p99": 1.25, "worst": 1.5},
    "deal_made_cpu_ms": {"median": 0.7, "p99": 1.6, "worst": 3.0},
    "deal_copy_cpu_ms": {"median": 0.1, "p99": 0.4, "worst": 0.5},
    "deal_made_ratio": {"median": 7.0, "p99": 4.0, "worst": 6.0},
    "deal_each_ratio": {"median": 1.2, "p99": 1.4, "worst": 1.9},
    "round_planned_share": 0.9,
    "deal_whole_cpu_ms": {"median": 2.2, "p99": 4.0, "worst": 7.0},
    "deal_whole_ratio": {"median": 1.47, "p99": 1.67, "worst": 1.75},
    "deal_share_of_beat": 0.24,
    "deal_drawn": 0,
    "surfaces_mb": 95.0,
    "surfaces_share": 0.7,
    "press_to_frame_frames": 1,
    "commit_ms": 1.1,
    "bare_commit_ms": 1.0,
    "commit_ratio": 1.1,
    "rounds_per_s": 35_000,
    "first_frame_s": 1.0,
    "bare_window_s": 0.2,
    "rss_mb_start": 30.0,
    "rss_mb_end": 30.5,
    "seconds": 40.0,
}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, str, str]:
    """A run of the command, too quick to mean anything."""
    folder = tmp_path_factory.mktemp("bench")
    (folder / "data").mkdir()
    # It measures one thing after the other, of which each alone waits for what a busy machine has to give.
    return folder, *run("bench", "--quick", "--json", "--data", "data", cwd=folder, patience_s=100.0)


@pytest.mark.breadth
@pytest.mark.screen
def test_the_bench_reports_every_figure_and_nothing_else_on_standard_output(measured: tuple[Path, int, str, str]):
    _, code, out, err = measured
    assert (code, err) == (0, "")
    figures = json.loads(out)
    assert FIGURES.keys() <= figures.keys()
    for name, figure in FIGURES.items():
        if isinstance(figure, dict):
            assert figures[name].keys() == figure.keys(), name
    for aim in AIMS:
        assert isinstance(aim.of(figures), int | float), aim.what


@pytest.mark.breadth
@pytest.mark.screen
def test_the_bench_leaves_nothing_behind(measured: tuple[Path, int, str, str]):
    folder, *_ = measured
    assert [path.name for path in folder.rglob("*")] == ["data"]


def test_figures_are_shown_beside_their_aims():
    text = shown(bench_report(FIGURES))
    assert "35,000 per s" in text
    assert "at least 30,000" in text
    assert "missed" not in text
    assert text.count("met") == sum(bool(aim.wanted()) for aim in AIMS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("idle_frames_per_s", 60.0),
        ("idle_cpu_percent", 90.0),
        ("deal_frame_ms", {"median": 8.5, "p99": 9.0, "worst": 8.0}),
        ("deal_frame_ms", {"median": 2.0, "p99": 5.0, "worst": 17.0}),
        ("deal_ratio", {"median": 1.33, "p99": 1.6, "worst": 1.5}),
        ("deal_share_of_beat", 0.3),
        ("deal_drawn", 3),
        ("surfaces_share", 1.1),
        ("press_to_frame_frames", 5),
        ("commit_ratio", 1.4),
        ("rounds_per_s", 29_999),
        ("first_frame_s", 1.6),
        ("rss_mb_end", 90.0),
    ],
)
def test_a_missed_aim_is_said(name: str, value: object):
    assert shown(bench_report({**FIGURES, name: value})).count("missed") == 1


def test_an_aim_is_met_at_its_border_and_none_is_always_met():
    assert Aim(what="", of=lambda f: f["x"], most=3).met({"x": 3})
    assert not Aim(what="", of=lambda f: f["x"], least=3).met({"x": 2.9})
    assert Aim(what="", of=lambda f: f["x"]).met({"x": -1e9})
    assert Aim(what="", of=lambda f: f["x"]).wanted() == ""


def test_every_stage_has_its_own_words():
    assert len({words for words, _ in STAGES}) == len(STAGES)

"""What is measured of the screen: the round that is dealt, frame by frame, and where it is drawn."""

from itertools import pairwise
from pathlib import Path

import pytest
from support.machines import SETTINGS

from cabinet.bench_engine import BenchError, Effort
from cabinet.bench_screen import (
    BARE_WINDOW,
    FRAME_S,
    MeasuredWindow,
    frames_of_a_deal,
    measure_deal,
    without_display,
)
from cabinet.config import Config
from cabinet.engine.effects import CardDealt, HandSettled, RoundBegan, RoundSettled
from cabinet.wiring import build

LITTLE = Effort(prepared=False, idle_s=0.1, deals=1)


def test_five_places_are_dealt_played_and_paid():
    frames = list(frames_of_a_deal(SETTINGS))
    told = {id(event): event for news, _ in frames for event in news.events}.values()
    (began,) = [event for event in told if isinstance(event, RoundBegan)]
    assert [bool(bet) for bet in began.bets] == [True] * 5
    assert sum(isinstance(event, CardDealt) for event in told) >= 13
    assert {event.place for event in told if isinstance(event, HandSettled)} == set(range(5))
    assert sum(isinstance(event, RoundSettled) for event in told) == 1


def test_frames_follow_each_other_at_the_pace_of_a_display():
    times = [now_s for _, now_s in frames_of_a_deal(SETTINGS)]
    steps = [later - now for now, later in pairwise(times)]
    assert steps == pytest.approx([FRAME_S] * len(steps))
    assert len(times) > 120


@pytest.mark.parametrize(
    ("environment", "driver"),
    [({}, "dummy"), ({"DISPLAY": ":0"}, None), ({"WAYLAND_DISPLAY": "w"}, None), ({"SDL_VIDEODRIVER": "x11"}, "x11")],
)
def test_it_is_drawn_to_nowhere_only_where_there_is_no_display(environment: dict[str, str], driver: str | None):
    without_display(environment)
    assert environment.get("SDL_VIDEODRIVER") == driver


@pytest.mark.screen
def test_a_deal_is_measured_beside_copies_of_its_pixels(tmp_path: Path):
    figures = measure_deal(tmp_path, LITTLE)
    assert figures["deal_frames"] > 100
    assert (
        0 < figures["deal_frame_ms"]["median"] <= figures["deal_frame_ms"]["p99"] <= figures["deal_frame_ms"]["worst"]
    )
    assert figures["deal_ratio"] == pytest.approx(
        figures["deal_frame_ms"]["median"] / figures["deal_copy_ms"], rel=0.05
    )
    assert figures["deal_flip_ratio"] == pytest.approx(
        figures["deal_frame_ms"]["p99"] / figures["deal_flip_ms"], rel=0.05
    )
    assert figures["deal_flip_cpu_ratio"] == pytest.approx(
        figures["deal_frame_cpu_ms"]["p99"] / figures["deal_flip_ms"], rel=0.05
    )
    assert figures["deal_drawn"] > 0, "nothing was prepared"
    assert 0 < figures["surfaces_share"] <= 1


def test_a_real_cabinet_is_not_measured(tmp_path: Path):
    cabinet = build(Config(), tmp_path, simulate=True)
    bench, cabinet.bench = cabinet.bench, None
    assert bench is not None
    with pytest.raises(BenchError, match="only a simulated cabinet"):
        MeasuredWindow(cabinet, tmp_path)
    cabinet.parts.close()


def test_the_bare_window_is_as_large_as_that_of_the_cabinet():
    assert str(Config().display.windowed) in BARE_WINDOW

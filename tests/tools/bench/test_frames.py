"""What is measured of a round that is dealt, frame by frame."""

from itertools import pairwise
from pathlib import Path

import pytest
from support.machines import SETTINGS

from cabinet.engine.effects import CardDealt, HandSettled, RoundBegan, RoundSettled
from cabinet.presentation.timeline import FRAME_S
from cabinet.tools.bench.engine import Effort
from cabinet.tools.bench.frames import Clocks, FrameTimes, frames_of_a_deal, measure_deal

LITTLE = Effort(prepared=False, idle_s=0.1, deals=1)


def test_five_places_are_dealt_played_and_paid():
    frames = list(frames_of_a_deal(SETTINGS))
    reported = {id(event): event for snapshot, _ in frames for event in snapshot.events}.values()
    (began,) = [event for event in reported if isinstance(event, RoundBegan)]
    assert [bool(bet) for bet in began.bets] == [True] * 5
    assert sum(isinstance(event, CardDealt) for event in reported) >= 13
    assert {event.place for event in reported if isinstance(event, HandSettled)} == set(range(5))
    assert sum(isinstance(event, RoundSettled) for event in reported) == 1


def test_frames_follow_each_other_at_the_pace_of_a_display():
    times = [now_s for _, now_s in frames_of_a_deal(SETTINGS)]
    steps = [later - now for now, later in pairwise(times)]
    assert steps == pytest.approx([FRAME_S] * len(steps))
    assert len(times) > 120


@pytest.mark.screen
def test_a_deal_is_measured_beside_copies_of_its_pixels(tmp_path: Path):
    figures = measure_deal(tmp_path, LITTLE)
    assert figures["deal_frames"] > 100
    for name in (
        "deal_frame_ms",
        "deal_bare_ms",
        "deal_frame_cpu_ms",
        "deal_bare_cpu_ms",
        "deal_made_cpu_ms",
        "deal_whole_cpu_ms",
    ):
        assert 0 < figures[name]["median"] <= figures[name]["p99"] <= figures[name]["worst"], name
    for ratio, ours, bare in (
        ("deal_ratio", "deal_frame_cpu_ms", "deal_bare_cpu_ms"),
        ("deal_whole_ratio", "deal_whole_cpu_ms", "deal_bare_cpu_ms"),
        ("deal_made_ratio", "deal_made_cpu_ms", "deal_copy_cpu_ms"),
    ):
        for name, times in figures[ratio].items():
            assert times == pytest.approx(figures[ours][name] / figures[bare][name], rel=0.05), (ratio, name)
    assert figures["deal_share_of_beat"] == pytest.approx(figures["deal_whole_cpu_ms"]["p99"] * 0.06, rel=0.05)
    assert figures["deal_drawn"] > 0, "nothing was prepared"
    assert 0 < figures["surfaces_share"] <= 1


def test_a_frame_is_finished_when_it_is_shown_and_so_is_its_bare_copy():
    frame = FrameTimes(
        planned=Clocks(2.0, 1.0),
        painted=Clocks(1.0, 0.5),
        shown=Clocks(4.0, 3.0),
        copied=Clocks(0.5, 0.4),
        shown_bare=Clocks(5.0, 4.0),
    )
    assert frame.ours == Clocks(5.0, 3.5)
    assert frame.made == Clocks(3.0, 1.5)
    assert frame.whole == Clocks(7.0, 4.5)
    assert frame.bare == Clocks(5.5, 4.4)

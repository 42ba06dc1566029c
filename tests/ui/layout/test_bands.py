"""The bands: a rail with room for its contents on every display."""

import itertools
import math

import pytest
from support.tables import SIZES, a_rail, a_top

from cabinet.ui.layout.bands import TOUCH_MM, bands_of, bar_rects, legend_rects, meter_px, rail_rects
from cabinet.ui.view import Kind, Slot

sizes = pytest.mark.parametrize("size", [*SIZES, (1366, 768), (1024, 768), (2560, 1080)])


@sizes
def test_bands_follow_each_other_down_the_display(size: tuple[int, int]):
    bands = bands_of(size)
    edges = [0, bands.top_h, bands.rail_top, bands.legend_top, bands.footer_top, bands.height]
    assert edges == sorted(edges)
    assert bands.legend_top + bands.legend_h <= bands.footer_top
    assert bands.rail_top - bands.top_h > 0.6 * bands.height
    assert min(bands.width / 1920, bands.height / 1080) == pytest.approx(1.0)


@sizes
def test_a_finger_is_nine_millimetres_on_a_display_of_any_proportions(size: tuple[int, int]):
    bands = bands_of(size)
    per_mm = math.hypot(*size) / (15.6 * 25.4)
    assert bands.touch * bands.unit == pytest.approx(TOUCH_MM * per_mm)
    assert bands.legend_h >= bands.touch
    assert bands.top_h >= bands.touch


@sizes
def test_legends_stand_in_one_row_apart(size: tuple[int, int]):
    rects = list(legend_rects(bands_of(size), a_rail()).values())
    assert len(rects) == 12
    assert {rect.y for rect in rects} == {rects[0].y}
    assert not any(a.meets(b) for a, b in itertools.combinations(rects, 2))


@sizes
@pytest.mark.parametrize("chips", range(1, 8))
def test_any_number_of_chips_leaves_room_for_words_and_amounts(size: tuple[int, int], chips: int):
    rects = rail_rects(bands_of(size), a_rail(chips))
    apart = [r for s, r in rects.items() if s.kind in {Kind.CHIP, Kind.MESSAGE, Kind.HINT, Kind.METER_VALUE}]
    assert not any(a.meets(b) for a, b in itertools.combinations(apart, 2))
    assert rects[Slot(Kind.MESSAGE)].w > 0.2 * size[0]


def test_the_chosen_chip_stands_higher():
    rects = rail_rects(bands_of((1920, 1080)), a_rail(3))
    assert rects[Slot(Kind.CHIP, nth=1)].y < rects[Slot(Kind.CHIP, nth=0)].y


def test_larger_amounts_are_set_smaller_but_stay_large():
    bands = bands_of((1920, 1080))
    assert meter_px(bands, a_rail(value_chars=8)) > meter_px(bands, a_rail(value_chars=14)) > 30


@sizes
def test_the_top_bar_keeps_title_limits_switches_and_clock_apart(size: tuple[int, int]):
    rects = {slot: rect for slot, rect in bar_rects(bands_of(size), a_top()).items() if slot.kind is not Kind.TOP_BAR}
    assert not any(a.meets(b) for a, b in itertools.combinations(rects.values(), 2))
    assert all(rect.w > 0 for rect in rects.values())

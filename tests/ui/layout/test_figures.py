"""The places of tiles and charts on an attendant's page."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from cabinet.attendant.charts import Band, Columns, Figure, Form, Shares, Tile
from cabinet.ui.layout.figures import BAR_ROW, HEAD_H, SIZES, figure_rects, fitting_unit, labels_every, side_by_side
from cabinet.ui.layout.geometry import Rect

UNIT = 1.0
ROOM = Rect(40, 96, 1840, 850)


def amount(detail: str = "") -> Tile:
    return Tile(label="Cash box", value="$1.00", detail=detail)


def notice(detail: str = "Close it.") -> Tile:
    return Tile(label="1", value="The main door is open.", detail=detail, form=Form.NOTICE)


STRIP = Tile(label="State", value="In service", form=Form.STRIP)
COLUMNS = Columns(title="Drop", columns=())
SHARES = Shares(title="Notes", rows=(("$5", 1.0, "1"),) * 7)
BAND = Band(title="Returns", rows=())
words = st.text("abc ", max_size=260)
figures = st.lists(
    st.one_of(st.sampled_from((amount(), STRIP, COLUMNS, SHARES, BAND)), st.builds(notice, words)), max_size=16
)
rooms = st.builds(Rect, st.integers(0, 90), st.integers(0, 90), st.integers(560, 3_800), st.integers(500, 2_100))


def rects(*found: Figure, room: Rect = ROOM) -> tuple[Rect, ...]:
    return figure_rects(room, found, UNIT)


@given(figures, rooms, st.sampled_from((2 / 3, 1.0, 2.0)))
def test_figures_stay_in_their_room_and_apart(found: list[Figure], room: Rect, unit: float):
    placed = figure_rects(room, found, unit)
    assert len(placed) == len(found)
    assert all(each.within(Rect(room.x, room.y, room.w + 1, room.h + 2)) for each in placed)
    assert not any(a.meets(b) for a, b in itertools.combinations(placed, 2))


@given(figures, rooms)
def test_figures_are_read_in_their_order(found: list[Figure], room: Rect):
    placed = figure_rects(room, found, UNIT)
    assert list(placed) == sorted(placed, key=lambda rect: (rect.y, rect.x))


def test_eight_amounts_are_two_even_rows():
    placed = rects(*[amount()] * 8)
    assert [len(list(row)) for _, row in itertools.groupby(placed, key=lambda rect: rect.y)] == [4, 4]
    assert len({(rect.w, rect.h) for rect in placed}) <= 2


def test_five_amounts_do_not_leave_one_alone_in_a_row():
    placed = rects(*[amount()] * 5)
    assert [len(list(row)) for _, row in itertools.groupby(placed, key=lambda rect: rect.y)] == [3, 2]


def test_a_narrow_room_has_fewer_columns():
    placed = rects(*[amount()] * 4, room=Rect(0, 0, 600, 800))
    assert len({rect.x for rect in placed}) == 2


def test_a_strip_and_a_chart_over_time_have_the_whole_width():
    assert [rect.w for rect in rects(STRIP, COLUMNS)] == [ROOM.w, ROOM.w]


def test_charts_take_the_height_that_is_left():
    placed = rects(STRIP, *[amount()] * 4, SHARES, BAND)
    assert placed[-1].bottom == placed[-2].bottom == ROOM.bottom
    assert placed[-1].h > 2 * placed[1].h


def test_a_chart_is_no_higher_than_its_rows_can_use():
    few = Shares(title="Notes", rows=SHARES.rows[:3])
    assert HEAD_H + 3 * BAR_ROW == rects(STRIP, few)[1].h < rects(STRIP, SHARES)[1].h


def test_a_roomy_page_has_larger_figures_and_a_full_one_smaller_ones():
    assert fitting_unit(ROOM, [STRIP, amount()], UNIT) == max(SIZES)
    assert fitting_unit(ROOM, [STRIP, *[amount()] * 8, SHARES, BAND], UNIT) == UNIT
    assert fitting_unit(ROOM, [COLUMNS], UNIT) == UNIT
    assert fitting_unit(ROOM, [STRIP, *[amount("Notes: 76")] * 20, SHARES, BAND], UNIT) < UNIT


@given(figures, rooms)
def test_enlarged_figures_stay_in_their_room(found: list[Figure], room: Rect):
    placed = figure_rects(room, found, fitting_unit(room, found, UNIT))
    assert all(each.within(Rect(room.x, room.y, room.w + 1, room.h + 2)) for each in placed)


def test_notices_side_by_side_are_as_high_as_the_longest_needs():
    short = rects(notice(), notice(""), notice(""))
    long = rects(notice("Search the acceptor and the top of the cash box. " * 4), notice(""), notice(""))
    assert len({rect.h for rect in long}) == 1
    assert long[0].h > short[0].h


def test_the_notice_that_is_done_first_is_twice_as_wide_as_each_other():
    first, second, third = rects(notice(), notice(""), notice(""))
    assert abs(first.w - 2 * second.w) <= 2
    assert abs(second.w - third.w) <= 1
    assert third.right == ROOM.right


def test_an_amount_with_a_long_detail_has_room_for_two_lines():
    room = Rect(0, 0, 1_240, 420)
    short, long = (
        [amount(words)] * 4 + [SHARES] for words in ("Notes: 76", "Yesterday: $1,055.00 · 7 days: $10,660.00")
    )
    assert rects(*long, room=room)[0].h > rects(*short, room=room)[0].h


def test_a_room_that_is_too_low_makes_everything_lower():
    placed = rects(*[amount()] * 8, SHARES, room=Rect(0, 0, 1_840, 300))
    assert placed[-1].bottom <= 301


@given(st.integers(1, 200), st.floats(1, 200), st.floats(1, 60))
def test_shown_labels_of_an_axis_do_not_touch(count: int, widest: float, pitch: float):
    every = labels_every(count, widest, pitch)
    assert every * pitch >= widest or every == count


@given(st.lists(st.floats(10, 120), min_size=1, max_size=7), st.data())
def test_words_below_an_axis_do_not_overlap(widths: list[float], data: st.DataObject):
    starts = sorted(data.draw(st.lists(st.floats(0, 900), min_size=len(widths), max_size=len(widths))))
    lefts = side_by_side(starts, widths, 1_000, 5)
    assert all(a + wide + 5 <= b + 1e-6 for a, wide, b in zip(lefts, widths, lefts[1:], strict=False))
    assert lefts[-1] + widths[-1] <= 1_000 + 1e-6
    assert min(lefts) >= -1e-6


def test_words_that_fit_stay_where_they_begin():
    assert side_by_side([0, 300, 700], [100, 100, 100], 1_000, 5) == [0, 300, 700]

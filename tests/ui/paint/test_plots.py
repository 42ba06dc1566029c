"""Columns over time and bars of shares, painted."""

import itertools

import pytest
from support.blits import all_words, box_of, composed, ink_of, pieces_of, showing, words_of
from support.display import open_display
from support.figures import shown

from cabinet.attendant.charts import Columns, Shares
from cabinet.ui.art import palette
from cabinet.ui.art.palette import Colour
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.grounds import hairline, shade
from cabinet.ui.paint.plots import GRID, SHADED

pytestmark = pytest.mark.screen

SIZE = (1280, 720)
AMOUNTS = (100, 50, 0, -50, 1)
SCALE = ((-50, "-$50"), (0, "$0"), (50, "$50"), (100, "$100"))


@pytest.fixture(scope="module")
def assets() -> Assets:
    open_display(SIZE)
    return Assets(100 * 2**20)


def columns(*amounts: int, **changes: object) -> Columns:
    named = tuple((f"{number + 1}", cents) for number, cents in enumerate(amounts))
    return Columns(title="Drop", columns=named, scale=SCALE, unit="$", **changes)  # type: ignore[arg-type]


def boxes(assets: Assets, chart: Columns | Shares, colour: Colour) -> list[Rect]:
    """Returns the plain rectangles of a colour, from left to right."""
    blits = showing(composed(shown(chart), SIZE, assets), shade)
    found = [box_of(b) for b in blits if any(piece.args[1] == colour for piece in pieces_of(b.asset))]
    return sorted(box for box in found if box.y > 70)


def zero_of(assets: Assets, chart: Columns) -> int:
    """Returns the row of the zero line."""
    return max(boxes(assets, chart, palette.CREAM), key=lambda box: box.w).centre[1]


def test_a_column_stands_on_the_zero_line_and_is_as_high_as_its_amount(assets: Assets):
    high, half, low = boxes(assets, columns(*AMOUNTS), palette.BRASS)
    zero = zero_of(assets, columns(*AMOUNTS))
    assert {abs(box.bottom - zero) <= 1 for box in (high, half, low)} == {True}
    assert half.h == pytest.approx(high.h / 2, abs=1)


def test_an_amount_below_zero_hangs_from_the_line(assets: Assets):
    (loss,) = boxes(assets, columns(*AMOUNTS), palette.SIGN_BAD)
    assert abs(loss.y - zero_of(assets, columns(*AMOUNTS))) <= 1
    assert loss.h > 20


def test_the_smallest_amount_can_be_seen_and_zero_has_no_column(assets: Assets):
    found = boxes(assets, columns(100, 0, 1), palette.BRASS)
    assert len(found) == 2
    assert found[-1].h >= 1


@pytest.mark.parametrize("count", [1, 2, 30, 168, 400])
def test_columns_stand_apart_at_any_count(assets: Assets, count: int):
    found = boxes(assets, columns(*range(1, count + 1)), palette.BRASS)
    assert len(found) == count
    assert not any(a.meets(b) for a, b in itertools.pairwise(found))


def test_every_grid_line_has_its_words(assets: Assets):
    blits = composed(shown(columns(*AMOUNTS)), SIZE, assets)
    lines = [blit for blit in showing(blits, hairline) if any(p.args[2] == GRID for p in pieces_of(blit.asset))]
    assert len(lines) == len(SCALE)
    assert {words for _, words in SCALE} <= all_words(blits)


def test_marked_columns_have_a_ground_and_the_mark_its_words(assets: Assets):
    chart = columns(*AMOUNTS, shaded=frozenset((1, 2)), shaded_means="Shaded: Saturday and Sunday")
    blits = composed(shown(chart), SIZE, assets)
    grounds = [blit for blit in showing(blits, hairline) if any(p.args[2] == SHADED for p in pieces_of(blit.asset))]
    assert len(grounds) == 2
    assert "Shaded: Saturday and Sunday" in all_words(blits)


def test_labels_that_would_touch_are_left_out_but_the_last(assets: Assets):
    words = all_words(composed(shown(columns(*range(200))), SIZE, assets))
    shown_labels = {int(word) for word in words if word.isdigit()}
    assert 200 in shown_labels
    assert 10 < len(shown_labels) < 100
    assert len({b - a for a, b in itertools.pairwise(sorted(shown_labels))}) == 1


def test_a_group_of_one_column_at_the_end_has_its_whole_name(assets: Assets):
    chart = columns(*range(30), groups=(("November 2026", 29), ("December 2026", 1)))
    assert {"November 2026", "December 2026"} <= all_words(composed(shown(chart), SIZE, assets))


@pytest.mark.parametrize("counts", [(29, 1), (1, 29), (1, 28, 1), (15, 15)])
def test_the_line_where_a_group_begins_cuts_no_name(assets: Assets, counts: tuple[int, ...]):
    months = ("October 2026", "November 2026", "December 2026")
    groups = tuple(zip(months, counts, strict=False))
    blits = composed(shown(columns(*range(30), groups=groups)), SIZE, assets)
    names = [ink_of(blit, assets) for blit in blits if set(words_of(blit)) & set(months)]
    marks = boxes(assets, columns(*range(30), groups=groups), palette.CREAM_DIM)
    assert len(names) == len(marks) == len(groups)
    assert not any(mark.meets(name) for mark in marks for name in names)


def test_a_chart_without_columns_has_its_reason(assets: Assets):
    words = all_words(composed(shown(Columns(title="Drop", columns=(), note="No day is known yet")), SIZE, assets))
    assert {"Drop", "No day is known yet"} <= words


# --- shares -------------------------------------------------------------------------------------------------------

ROWS = (("$5", 0.125, "1 = $5.00"), ("$20", 0.5, "4 = $80.00"), ("$100", 0.0, "0 = $0.00"))


def test_bars_have_one_scale_on_which_the_longest_is_full(assets: Assets):
    chart = Shares(title="Notes", rows=ROWS)
    bars = sorted(boxes(assets, chart, palette.BRASS), key=lambda box: box.y)
    tracks = boxes(assets, chart, palette.FIGURE_TRACK)
    assert len(tracks) == len(ROWS)
    assert [bar.w for bar in bars] == [pytest.approx(tracks[0].w / 4, abs=1), tracks[0].w]


def test_every_row_has_its_label_and_its_words(assets: Assets):
    words = all_words(composed(shown(Shares(title="Notes", rows=ROWS, note="Notes: 5")), SIZE, assets))
    assert {"Notes", "Notes: 5", *(each for label, _, said in ROWS for each in (label, said))} <= words


def test_shares_without_a_row_have_the_reason(assets: Assets):
    assert "No note" in all_words(composed(shown(Shares(title="Notes", rows=(), note="No note")), SIZE, assets))


def test_charts_side_by_side_have_their_bars_at_the_same_places(assets: Assets):
    long = Shares(title="Lifetime", rows=(("$1,000", 0.5, "1,000,000 = $1,000,000,000.00"),))
    blits = showing(composed(shown(Shares(title="Period", rows=ROWS), long), SIZE, assets), shade)
    tracks = [box_of(b) for b in blits if any(p.args[1] == palette.FIGURE_TRACK for p in pieces_of(b.asset))]
    grounds = [box_of(b) for b in blits if any(p.args[1] == palette.FIGURE_GROUND for p in pieces_of(b.asset))]
    lefts = {box.x - max(ground.x for ground in grounds if ground.x <= box.x) for box in tracks}
    assert len({box.w for box in tracks}) == 1
    assert max(lefts) - min(lefts) <= 1

"""Actual returns in their bands, painted."""

from dataclasses import replace

import pygame
import pytest
from support.blits import all_words, box_of, composed, pieces_of, showing
from support.display import open_display
from support.figures import shown

from cabinet.attendant.charts import Band, BandRow, Tone
from cabinet.ui.art import palette
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.bands import diamond, funnel
from cabinet.ui.paint.grounds import shade

pytestmark = pytest.mark.screen

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def assets() -> Assets:
    open_display(SIZE)
    return Assets(100 * 2**20)


def row(actual: float | None, tone: Tone = Tone.OK) -> BandRow:
    return BandRow(
        label="Table",
        actual=actual,
        theoretical=0.99,
        low=0.89,
        high=1.09,
        games=400,
        words="in its band",
        detail="Theory: 99.00%",
        tone=tone,
    )


def many(*rows: BandRow) -> Band:
    """Returns enough rows for flat ones."""
    return Band(title="Returns", rows=(*rows, *(row(None),) * (7 - len(rows))), over_games=True)


def diamonds(assets: Assets, chart: Band) -> list[Rect]:
    return [box_of(blit) for blit in showing(composed(shown(chart), SIZE, assets), diamond)]


def track_of(assets: Assets, chart: Band) -> Rect:
    blits = showing(composed(shown(chart), SIZE, assets), shade)
    return next(
        box_of(blit) for blit in blits if any(piece.args[1] == palette.FIGURE_TRACK for piece in pieces_of(blit.asset))
    )


@pytest.mark.parametrize(("actual", "share"), [(0.99, 0.5), (1.09, 0.75), (0.89, 0.25), (5.0, 1.0), (0.0, 0.0)])
def test_the_mark_is_where_the_return_is_in_its_band(assets: Assets, actual: float, share: float):
    chart = many(row(actual))
    (mark,), track = diamonds(assets, chart), track_of(assets, chart)
    expected = min(max(track.x + track.w * share, track.x + mark.w / 2), track.right - mark.w / 2)
    assert mark.centre[0] == pytest.approx(expected, abs=2)


def test_a_return_that_is_not_known_has_no_mark(assets: Assets):
    assert diamonds(assets, many(row(None))) == []


def test_every_row_has_its_verdict_and_its_numbers(assets: Assets):
    for chart in (many(row(0.99)), Band(title="Returns", rows=(row(0.99),), over_games=True)):
        assert {"Table", "in its band", "Theory: 99.00%"} <= all_words(composed(shown(chart), SIZE, assets))


def test_a_high_row_shows_the_band_over_the_games(assets: Assets):
    assert (
        len(showing(composed(shown(Band(title="Returns", rows=(row(0.99),), over_games=True)), SIZE, assets), funnel))
        == 1
    )
    assert showing(composed(shown(many(row(0.99))), SIZE, assets), funnel) == []


def test_a_chart_that_is_not_over_the_games_has_flat_rows_in_any_room(assets: Assets):
    assert showing(composed(shown(Band(title="Returns", rows=(row(0.99),))), SIZE, assets), funnel) == []


@pytest.mark.parametrize(("actual", "below"), [(0.9, True), (1.08, False)])
def test_the_mark_of_a_high_row_is_above_the_theory_for_a_higher_return(assets: Assets, actual: float, below: bool):
    chart = Band(title="Returns", rows=(row(actual),), over_games=True)
    (mark,) = diamonds(assets, chart)
    (plot,) = [box_of(blit) for blit in showing(composed(shown(chart), SIZE, assets), funnel)]
    assert (mark.centre[1] > plot.centre[1]) == below


def test_a_return_just_outside_its_band_is_outside_the_drawn_band(assets: Assets):
    chart = Band(title="Returns", rows=(row(1.09 + 0.03),), over_games=True)
    (mark,) = diamonds(assets, chart)
    (plot,) = [box_of(blit) for blit in showing(composed(shown(chart), SIZE, assets), funnel)]
    assert mark.centre[1] < plot.centre[1] - plot.h / 4


def test_the_band_narrows_with_the_games():
    drawn = funnel((300, 100))
    band = [sum(drawn.get_at((x, y)).r > palette.FIGURE_TRACK[0] + 20 for y in range(100)) for x in (5, 120, 290)]
    assert band[0] == 100
    assert band[0] > band[1] > band[2] > 20


def test_a_diamond_has_its_colour_in_the_middle_and_free_corners():
    drawn = diamond(20, palette.SIGN_OK)
    assert tuple(drawn.get_at((10, 10)))[:3] == pytest.approx(palette.SIGN_OK, abs=4)
    assert drawn.get_at((0, 0)).a == 0
    assert isinstance(drawn, pygame.Surface)


def test_the_scales_of_low_rows_are_as_long_as_one_another(assets: Assets):
    rows = (row(0.99), replace(row(0.99), detail="Theory: 99.00% · band: 89.00% to 109.00% · games: 400"))
    chart = Band(title="Returns", rows=rows * 5)
    blits = showing(composed(shown(chart), SIZE, assets), shade)
    tracks = [box_of(b) for b in blits if any(p.args[1] == palette.FIGURE_TRACK for p in pieces_of(b.asset))]
    assert len(tracks) == len(chart.rows)
    assert len({(track.x, track.w) for track in tracks}) == 1

"""Tiles and charts as HTML: complete, escaped, and inside their picture."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.attendant.charts import Band, BandRow, Columns, Figure, Form, Shares, Tile, Tone, scale_of
from cabinet.booklet.figures_html import HEIGHT, WIDTH, band_svg, columns_svg, figures_html

ODD = '<z>&"'


def _columns(*amounts: int) -> Columns:
    return Columns(
        title="Win",
        columns=tuple((f"{number}", amount) for number, amount in enumerate(amounts)),
        scale=scale_of(amounts, str),
        groups=(("December", len(amounts)),),
        shaded=frozenset({0}),
        shaded_means="Weekend",
    )


def _row(**values: float | None) -> BandRow:
    known: dict[str, float | None] = {"actual": 0.97, "theoretical": 0.99, "low": 0.9, "high": 1.1, **values}
    return BandRow(label="European", games=3, words="in its band", detail="3 games", **known)


def _numbers(picture: str, names: str) -> list[float]:
    return [float(found) for found in re.findall(rf' (?:{names})="(-?[\d.]+)"', picture)]


@given(amounts=st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=60))
def test_every_column_is_inside_its_picture(amounts: list[int]):
    picture = columns_svg(_columns(*amounts))
    ET.fromstring(picture)
    assert len(re.findall("<rect", picture)) == len(amounts) + 1
    assert all(0 <= x <= WIDTH for x in _numbers(picture, "x|x1|x2"))
    assert all(0 <= y <= HEIGHT for y in _numbers(picture, "y|y1|y2"))


def test_a_column_below_zero_begins_at_the_zero_line():
    picture = columns_svg(_columns(-100, 100))
    below, above = (float(found) for found in re.findall(r'y="([\d.]+)"[^>]*fill="#(?:b03a2e|2f7d4f)"', picture))
    assert below > above


def test_columns_name_their_grid_their_groups_and_their_mark():
    picture = columns_svg(_columns(5, 10))
    for words in ("December", "Weekend", ">10<", ">0<"):
        assert words in picture


@pytest.mark.parametrize(
    "unknown", [{}, {"actual": None}, {"low": None, "high": None}, {"theoretical": None, "actual": None}]
)
def test_a_band_draws_what_is_known(unknown: dict[str, None]):
    picture = band_svg(Band(title="Return", rows=(_row(**unknown),)))
    ET.fromstring(picture)
    assert ("<circle" in picture) is ("actual" not in unknown)
    assert ("<rect" in picture) is ("low" not in unknown)
    assert "in its band · 3 games" in picture


def test_neighbouring_tiles_stand_in_one_grid():
    tile = Tile(label="Credit", value="$1.00", tone=Tone.WARN, level=0.25, form=Form.NOTICE, detail="now")
    page = figures_html((tile, tile, Shares(title="Notes", rows=()), tile))
    assert page.count('class="tiles"') == 2
    assert 'class="tile notice warn"' in page
    assert "width:25.0%" in page


@pytest.mark.parametrize(
    "figure",
    [
        Tile(label=ODD, value=ODD, detail=ODD),
        Columns(title=ODD, columns=((ODD, 1),), note=ODD, scale=((0, ODD), (1, ODD)), groups=((ODD, 1),)),
        Shares(title=ODD, rows=((ODD, 0.5, ODD),), note=ODD),
        Band(
            title=ODD, rows=(BandRow(label=ODD, actual=1, theoretical=1, low=0, high=2, games=1, words=ODD),), note=ODD
        ),
    ],
)
def test_every_word_is_escaped(figure: Figure):
    assert "<z>" not in figures_html((figure,))


@pytest.mark.parametrize(
    "figure", [Columns(title="t", columns=()), Shares(title="t", rows=()), Band(title="t", rows=())]
)
def test_a_chart_without_data_has_its_title_and_its_note_alone(figure: Figure):
    assert "<svg" not in figures_html((figure,))


def test_the_name_of_a_short_group_stays_inside_the_picture():
    chart = Columns(title="Drop", columns=(("1", 1),) * 30, groups=(("November 2026", 29), ("December 2026", 1)))
    last = float(re.findall(r'<text x="([\d.]+)"[^>]*>December 2026<', columns_svg(chart))[0])
    assert last + 6 * len("December 2026") / 2 <= WIDTH

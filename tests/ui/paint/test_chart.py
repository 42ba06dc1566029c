"""Strategy charts."""

from dataclasses import replace

import pytest
from support.blits import all_words, box_of, composed, ink_of, pieces_of, showing
from support.display import open_display
from support.screens import table_screen
from support.tables import SIZES

from cabinet.text.messages import LANGUAGES, Language
from cabinet.tools.screens_gallery import SAMPLE_FACTS, gallery, screen_of
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.keys import tile
from cabinet.ui.view import ChartRow, ChartView, HelpView, Kind, Screen, Slot

pytestmark = pytest.mark.screen

SIZE = (1280, 720)
COLUMNS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
LEGEND = (("H", "hit"), ("S", "stand"), ("D/S", "double, or stand"))


@pytest.fixture(scope="module")
def assets() -> Assets:
    open_display(SIZE)
    return Assets(100 * 2**20)


def with_chart(rows: int) -> tuple[Screen, ChartView]:
    words = ("H", "S", "D/S")
    chart = ChartView(
        title="European",
        columns=COLUMNS,
        rows=tuple(
            ChartRow(hand=f"h{row}", cells=tuple(words[(row + n) % 3] for n in range(10))) for row in range(rows)
        ),
        legend=LEGEND,
    )
    view = HelpView(title="Rules", heading="Basic strategy", lines=(), position="", buttons=(), chart=chart)
    return replace(table_screen(), overlay=view), chart


@pytest.mark.parametrize("rows", [3, 10, 28])
def test_every_cell_stands_in_the_chart_apart_from_all_others(assets: Assets, rows: int):
    screen, chart = with_chart(rows)
    room = layout(SIZE, screen).rect(Slot(Kind.CHART))
    blits = composed(screen, SIZE, assets)
    cells = [box_of(blit) for blit in showing(blits, tile)]
    assert len(cells) == rows * 10 + len(LEGEND)
    assert all(cell.within(room) for cell in cells)
    assert not any(a.meets(b) for n, a in enumerate(cells) for b in cells[:n])
    assert {row.hand for row in chart.rows} | {meaning for _, meaning in LEGEND} <= all_words(blits)


@pytest.mark.sample(5)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_the_legends_parts_stand_apart(size: tuple[int, int], language: Language):
    open_display((64, 64))
    assets = Assets(50 * 2**20)
    screen = screen_of(gallery()["help-chart"], replace(SAMPLE_FACTS, language=language))
    assert isinstance(screen.overlay, HelpView)
    assert screen.overlay.chart is not None
    legend, px = screen.overlay.chart.legend, layout(size, screen).text_px(Kind.CHART)
    blits = composed(screen, size, assets)
    said = [ink_of(b, assets) for b in blits for _, meaning in legend if meaning in all_words([b])]
    marks = [box_of(b) for b in showing(blits, tile) if box_of(b).y > max(ink.y for ink in said) - 2 * px]
    assert len(said) == len(marks) == len(legend) > 3
    for meaning, following in zip(said, marks[1:], strict=False):
        assert px * 0.9 <= following.x - meaning.right
    assert said[-1].right <= layout(size, screen).rect(Slot(Kind.CHART)).right


def test_each_short_word_has_one_ground_of_its_own(assets: Assets):
    screen, _ = with_chart(10)
    pieces = [piece for blit in showing(composed(screen, SIZE, assets), tile) for piece in pieces_of(blit.asset)]
    grounds = {(piece.args[2], piece.args[1]) for piece in pieces}
    assert len(grounds) == len({ground for _, ground in grounds}) == 3

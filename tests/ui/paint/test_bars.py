"""Top bar and rail."""

from dataclasses import replace

import pytest
from support.blits import all_words, box_of, composed, ink_of, is_figure, showing
from support.display import open_display
from support.screens import rail, table_screen, top_bar

from cabinet.engine.inputs import Button
from cabinet.ui.art.chips import chip, chip_ring
from cabinet.ui.art.icons import icon
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.bars import legend_asset
from cabinet.ui.paint.keys import key, level_bars
from cabinet.ui.paint.pieces import Piece, Shaded
from cabinet.ui.view import Kind, Screen, Slot, TopItem, TopItemView

pytestmark = pytest.mark.screen

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def assets() -> Assets:
    open_display(SIZE)
    return Assets(100 * 2**20)


def with_item(item: TopItemView) -> Screen:
    return table_screen(top=top_bar(items=(item,)))


@pytest.mark.requirement("PD-06")
def test_each_legend_is_in_its_slot_and_lit_with_its_button(assets: Assets):
    lit = frozenset({Button.HIT, Button.STAND, Button.SERVICE})
    screen = table_screen(rail=rail(lit))
    where = layout(SIZE, screen)
    keys = showing(composed(screen, SIZE, assets), key)
    assert len(keys) == len(Button)
    for nth, (button, blit) in enumerate(zip(Button, keys, strict=True)):
        assert box_of(blit) == where.rect(Slot(Kind.LEGEND, nth=nth))
        assert isinstance(blit.asset, Piece)
        assert dict(blit.asset.options)["lit"] == (button in lit)
        assert blit.asset == legend_asset((blit.w, blit.h), screen.rail.legends[nth])


def test_the_selected_chip_has_a_ring_and_unavailable_chips_are_dim(assets: Assets):
    screen = table_screen()
    dim = replace(screen.rail.chips[3], enabled=False)
    screen = replace(screen, rail=rail(chips=(*screen.rail.chips[:3], dim)))
    blits = composed(screen, SIZE, assets)
    (ring,) = showing(blits, chip_ring)
    chips = showing(blits, chip)
    assert [isinstance(blit.asset, Shaded) for blit in chips] == [False, False, False, True]
    raised = box_of(chips[2])
    assert Rect(*box_of(ring)).centre == pytest.approx(raised.centre, abs=1)
    assert raised.y < box_of(chips[1]).y


def test_active_turbo_has_a_red_light(assets: Assets):
    for on in (True, False):
        blits = composed(with_item(TopItemView(item=TopItem.TURBO, word="TURBO", on=on)), SIZE, assets)
        red = [b for b in showing(blits, key) if isinstance(b.asset, Piece) and dict(b.asset.options).get("red")]
        assert len(red) == on


@pytest.mark.parametrize("level", range(4))
def test_the_volume_is_shown(assets: Assets, level: int):
    item = TopItemView(item=TopItem.SOUND, word="SOUND", on=level > 0, level=level)
    blits = composed(with_item(item), SIZE, assets)
    assert len(showing(blits, level_bars)) == (level > 0)
    assert len(showing(blits, icon, "speaker_off")) == (level == 0)


def test_a_word_that_must_stay_visible_stands_beside_the_title(assets: Assets):
    blits = composed(table_screen(top=top_bar(badge="SIMULATED")), SIZE, assets)
    assert "SIMULATED" in all_words(blits)


@pytest.mark.requirement("PD-04")
def test_the_largest_amount_keeps_its_size_and_stays_in_its_room(assets: Assets):
    heights = set()
    for value in ("$0.00", "$9,999,999.00"):
        meters = tuple(replace(meter, value=value) for meter in rail().meters)
        screen = table_screen(rail=rail(meters=meters, value_chars=len("$9,999,999.00")))
        where = layout(SIZE, screen)
        figures = [blit for blit in composed(screen, SIZE, assets) if is_figure(blit)]
        for nth in range(3):
            room = where.rect(Slot(Kind.METER_VALUE, nth=nth))
            blits = [blit for blit in figures if ink_of(blit, assets).within(room)]
            assert value in all_words(blits)
            assert max(blit.x + blit.w for blit in blits) >= room.right - 2
            heights.update(blit.h for blit in blits)
    assert len(heights) == 1

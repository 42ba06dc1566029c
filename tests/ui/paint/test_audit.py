"""The attendant's page."""

import itertools
from dataclasses import replace

import pytest
from support.blits import all_words, box_of, composed, ink_of, pieces_of, showing
from support.display import open_display
from support.screens import table_screen

from cabinet.attendant.pages import Line, LineStyle, Page
from cabinet.engine.inputs import Button
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.audit import BAR
from cabinet.ui.paint.grounds import shade
from cabinet.ui.paint.keys import key
from cabinet.ui.view import Kind, Scene, Screen, Slot

pytestmark = pytest.mark.screen

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def assets() -> Assets:
    open_display(SIZE)
    return Assets(100 * 2**20)


def page(count: int, **changes: object) -> Screen:
    lines = tuple(
        Line(cells=("Notes in", f"${n},000.00"), style=tuple(LineStyle)[n % len(LineStyle)]) for n in range(count)
    )
    does = ((Button.CHIP, "up"),)
    base = Page(title="Meters", lines=lines, menu=("Print", "Back"), selected=1, where="page 2 of 9", does=does)
    return replace(table_screen(), scene=Scene.AUDIT, audit=replace(base, **changes))


@pytest.mark.requirement("AT-04")
@pytest.mark.parametrize("count", [1, 12, 40])
def test_every_line_is_readable_inside_the_page(assets: Assets, count: int):
    screen = page(count)
    blits = composed(screen, SIZE, assets)
    room = layout(SIZE, screen).rect(Slot(Kind.AUDIT_BODY))
    amounts = [blit for blit in blits if any(word.endswith(",000.00") for word in all_words([blit]))]
    assert len(amounts) == count
    assert all(ink_of(blit, assets).within(room) for blit in amounts)
    rights = {box_of(blit).right for blit in amounts}
    assert max(rights) - min(rights) <= 1
    assert {"Meters", "page 2 of 9", "CHIP up  ·  turn the key to leave", "Print", "Back"} <= all_words(blits)


def test_the_bar_marks_the_chosen_entry(assets: Assets):
    screen = page(3)
    room = layout(SIZE, screen).rect(Slot(Kind.AUDIT_MENU, nth=1))
    bars = [box_of(b) for b in composed(screen, SIZE, assets) if any(BAR in part.args for part in pieces_of(b.asset))]
    (bar,) = [box for box in bars if box.h > room.h // 2]
    assert bar.within(room)
    assert bar.h > room.h * 0.9


def test_the_navigation_buttons_are_shown(assets: Assets):
    screen = page(3)
    assert len(showing(composed(screen, SIZE, assets), key)) == len(screen.rail.legends)


@pytest.mark.parametrize("cells", [("alone",), ("a", "b", "c"), ("1", "2", "3", "4", "5", "6")])
def test_columns_do_not_run_into_one_another(assets: Assets, cells: tuple[str, ...]):
    screen = page(0, lines=(Line(cells=tuple(f"{cell} of some length" for cell in cells)),))
    blits = [b for b in composed(screen, SIZE, assets) if any("of some length" in word for word in all_words([b]))]
    boxes = sorted((box_of(blit) for blit in blits), key=lambda box: box.x)
    assert len(boxes) == len(cells)
    assert not any(left.meets(right) for left, right in itertools.pairwise(boxes))


@pytest.mark.requirement("AT-06")
def test_the_test_picture_fills_the_whole_width_with_its_colours_in_order(assets: Assets):
    colours = ((255, 0, 0), (0, 255, 0), (0, 0, 255))
    screen = page(1, pattern=colours, menu=())
    blits = composed(screen, SIZE, assets)
    boxes = []
    for colour in colours:
        wide = {round(SIZE[0] / 3), round(SIZE[0] / 3) + 1, SIZE[0] // 3}
        (box,) = [
            box_of(blit)
            for width in wide
            for high in range(SIZE[1])
            for blit in showing(blits, shade, (width, high), colour)
        ]
        boxes.append(box)
    assert [box.x for box in boxes] == [0, boxes[0].right, boxes[1].right]
    assert boxes[-1].right == SIZE[0]
    assert all(box.h > SIZE[1] / 2 for box in boxes)

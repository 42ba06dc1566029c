"""The attendant's page: what is touched is large enough, nothing meets, nothing covers the legends."""

import itertools
from dataclasses import replace

import pytest
from support.screens import five_places, table_screen

from cabinet.attendant.charts import Drawing, Place
from cabinet.attendant.pages import ENTRIES_PER_PAGE, Line, Page, Tab
from cabinet.attendant.pictures import GameStep, Picture
from cabinet.engine.state import Machine, Seat
from cabinet.ui.layout.audit import audit_rects
from cabinet.ui.layout.bands import bands_of
from cabinet.ui.layout.screen import layout
from cabinet.ui.touch import page_touches
from cabinet.ui.view import Kind, Scene, Slot

LEAST_PX = 60
"""The least height of what is touched on a display of 1280 x 720."""
LINES = (Line(cells=("Notes in", "$5.00")),)
TABS = tuple(Tab(key=name, label=name) for name in ("", "Money", "Games", "Tickets", "Log", "Machine", "Service"))
NAMES = tuple(f"Entry {nth}" for nth in range(ENTRIES_PER_PAGE))
PAGES = {
    "first page": Page(title="Attendant", menu=NAMES, tabbed=True, lines=LINES),
    "group": Page(title="Money", menu=NAMES, tabs=TABS, back="Back", turns=True),
    "text beside entries": Page(title="Lock", lines=LINES, menu=NAMES, tabs=TABS, back="Back", turns=True),
    "entries that say what they do": Page(title="Lock", lines=LINES, menu=NAMES, details=NAMES, tabs=TABS, back="Back"),
    "digits": Page(title="Find", lines=LINES, keypad=True, tabs=TABS, back="Back"),
}
SIZES = ((1280, 720), (1920, 1080), (1280, 1024))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", PAGES)
def test_what_can_be_touched_is_large_enough_and_overlaps_nothing(name, size):
    page, unit = PAGES[name], min(size[0] / 1280, size[1] / 720)
    where = layout(size, replace(table_screen(), scene=Scene.AUDIT, audit=page))
    rects = [where.rect(slot) for slot, _ in page_touches(page)]
    assert len(rects) >= ENTRIES_PER_PAGE
    assert all(rect.h >= LEAST_PX * unit and rect.w >= LEAST_PX * unit for rect in rects)
    fixed = [where.rect(Slot(kind)) for kind in (Kind.AUDIT_HEAD, Kind.AUDIT_TITLE, Kind.AUDIT_HELP)]
    fixed += [where.rect(Slot(Kind.LEGEND, nth=nth)) for nth in range(12)]
    assert not any(a.meets(b) for a, b in itertools.combinations([*rects, *fixed], 2))


@pytest.mark.parametrize("name", ["text beside entries", "digits"])
def test_a_text_ends_before_what_stands_beside_it(name):
    page = PAGES[name]
    rects = audit_rects(bands_of((1280, 720)), page)
    kind = Kind.AUDIT_DIGIT if page.keypad else Kind.AUDIT_MENU
    assert rects[Slot(Kind.AUDIT_BODY)].right < rects[Slot(kind, nth=0)].x


DISPLAYS = (*SIZES, (3840, 2160))
LOOK = Drawing(place=Place.PRINTER, title="Where to look", words="The ticket printer")


def drawn(lines: int, choices: int) -> Page:
    """Returns a lock's page with this many lines and choices."""
    details = NAMES[:choices]
    return Page(title="Lock", lines=LINES * lines, menu=details, details=details, tabs=TABS, back="Back", drawing=LOOK)


@pytest.mark.parametrize("size", DISPLAYS, ids=str)
@pytest.mark.parametrize(("lines", "choices"), [(8, 0), (14, 0), (16, 1), (10, 2), (12, 3), (12, 4)])
def test_a_drawing_has_room_beside_every_text_of_a_lock_and_meets_nothing(lines, choices, size):
    where = layout(size, replace(table_screen(), scene=Scene.AUDIT, audit=drawn(lines, choices)))
    room, body = where.rect(Slot(Kind.AUDIT_DRAWING)), where.rect(Slot(Kind.AUDIT_BODY))
    entries = [where.rect(Slot(Kind.AUDIT_MENU, nth=nth)) for nth in range(choices)]
    rest = [where.rect(Slot(kind)) for kind in (Kind.AUDIT_TITLE, Kind.AUDIT_HELP)]
    assert not any(room.meets(each) for each in (body, *entries, *rest))
    assert room.h >= 180 * where.unit - 1
    assert body.h >= lines * 45 * where.unit - 1
    assert room.right <= where.rect(Slot(Kind.AUDIT_POSITION)).right


def test_a_page_without_room_for_a_drawing_leaves_it_out():
    bands, page = bands_of((1280, 720)), drawn(18, 8)
    rects = audit_rects(bands, page)
    assert Slot(Kind.AUDIT_DRAWING) not in rects
    assert rects == audit_rects(bands, replace(page, drawing=None))


PAST = GameStep(machine=Machine(seat=Seat(game_id="european")), when="")
PICTURE = Picture(step=PAST, strip="RECALL", said="The bets are on the table", amounts=(("Bet", "$5.00"),) * 3)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_words_of_a_past_game_stand_around_its_table(size):
    page, unit = Page(title="Game", picture=PICTURE, back="Back", turns=True), min(size[0] / 1280, size[1] / 720)
    screen = five_places()
    where = layout(size, replace(screen, scene=Scene.AUDIT, audit=page))
    rects = [where.rect(slot) for slot, _ in page_touches(page)]
    assert len(rects) == 3
    assert all(rect.h >= LEAST_PX * unit and rect.w >= LEAST_PX * unit for rect in rects)
    words = [where.rect(Slot(kind)) for kind in (Kind.AUDIT_HEAD, Kind.AUDIT_BODY, Kind.AUDIT_HELP)]
    words += [where.rect(Slot(Kind.AUDIT_AMOUNT, nth=nth)) for nth in range(3)]
    words += [where.rect(Slot(Kind.LEGEND, nth=nth)) for nth in range(12)]
    assert not any(a.meets(b) for a, b in itertools.combinations([*rects, *words], 2))
    ground, strip = where.rect(Slot(Kind.AUDIT_GROUND)), where.rect(Slot(Kind.AUDIT_HEAD))
    on_table = [rect for slot, rect in where.rects.items() if slot.kind in {Kind.CARD, Kind.AMOUNT, Kind.PLAQUE}]
    assert on_table
    assert all(strip.bottom <= rect.y and rect.bottom <= ground.y for rect in on_table)

"""The drawing of where to look, painted."""

from dataclasses import replace

import pytest
from support.blits import all_words, box_of, composed, ink_of, pieces_of
from support.display import open_display
from support.screens import table_screen
from support.tables import SIZES

from cabinet.attendant.charts import Drawing, Place
from cabinet.attendant.pages import Line, Page
from cabinet.attendant.places import PLACE_WORDS
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.drawings import cabinet_with
from cabinet.ui.view import Kind, Scene, Screen, Slot

pytestmark = pytest.mark.screen

AMBER = (255, 196, 96)


def shown(place: Place, choices: int = 2) -> Screen:
    """Returns a lock's page with a drawing of a place."""
    look = Drawing(place=place, title="Where to look", words=PLACE_WORDS[place])
    names = tuple(f"Choice {nth}" for nth in range(choices))
    page = Page(title="Lock", lines=(Line(cells=("Amount", "$5.00")),) * 9, menu=names, details=names, drawing=look)
    return replace(table_screen(), scene=Scene.AUDIT, audit=page)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("choices", [0, 2, 4])
def test_the_picture_and_its_words_stay_inside_their_room(size: tuple[int, int], choices: int):
    open_display((64, 64))
    assets = Assets(200 * 2**20)
    for place in Place:
        screen = shown(place, choices)
        room = layout(size, screen).rect(Slot(Kind.AUDIT_DRAWING))
        blits = [blit for blit in composed(screen, size, assets) if box_of(blit).within(room)]
        words = [word for blit in blits for part in all_words([blit]) for word in part.split()]
        assert sorted(words) == sorted(f"Where to look {PLACE_WORDS[place]}".split())
        inks = [blit for blit in blits if all_words([blit])]
        assert all(ink_of(blit, assets).within(room) for blit in inks), place
        (picture,) = [box_of(b) for b in blits if any(part.make is cabinet_with for part in pieces_of(b.asset))]
        assert abs(picture.w / picture.h - 240 / 320) < 0.02


def test_each_place_is_marked_somewhere_else():
    open_display((64, 64))
    size = (240, 320)
    bare = {place: cabinet_with(place, size) for place in Place}
    marks = {}
    for place, surface in bare.items():
        points = [
            (x, y)
            for x in range(0, size[0], 4)
            for y in range(0, size[1], 4)
            if all(abs(a - b) < 50 for a, b in zip(surface.get_at((x, y))[:3], AMBER, strict=True))
        ]
        assert points, place
        marks[place] = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
    assert len({(round(x / 8), round(y / 8)) for x, y in marks.values()}) == len(Place)

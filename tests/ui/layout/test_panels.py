"""Panels: above the rail, with all their contents inside and apart."""

import itertools
from dataclasses import replace

import pytest
from support.tables import SIZES

from cabinet.tools.screens_gallery import gallery, screen_of
from cabinet.ui.layout.bands import bands_of
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.panels import panel_rects
from cabinet.ui.layout.screen import layout
from cabinet.ui.view import Kind, Scene, Slot

sizes = pytest.mark.parametrize("size", SIZES)


@sizes
@pytest.mark.requirement("PD-01")
def test_overlays_leave_bars_and_rail_in_view(size: tuple[int, int]):
    for name, exhibit in gallery().items():
        screen = screen_of(exhibit)
        if screen.overlay is None:
            continue
        where = layout(size, screen)
        panel = where.rect(Slot(Kind.OVERLAY))
        assert panel.within(where.play), name
        inner = _of(panel_rects(bands_of(size), screen), "overlay ", "chart")
        assert all(rect.within(panel) for rect in inner), name
        assert not any(a.meets(b) for a, b in itertools.combinations(inner, 2)), name


@sizes
def test_games_stand_side_by_side(size: tuple[int, int]):
    where = layout(size, screen_of(gallery()["choice"]))
    games = [where.rect(Slot(Kind.GAME, nth=n)) for n in range(3)]
    assert all(rect.within(where.play) for rect in games)
    assert not any(a.meets(b) for a, b in itertools.combinations(games, 2))
    for n, game in enumerate(games):
        title, lines = where.rect(Slot(Kind.GAME_TITLE, nth=n)), where.rect(Slot(Kind.GAME_LINES, nth=n))
        assert title.within(game)
        assert lines.within(game)
        assert not title.meets(lines)


@sizes
def test_games_without_a_line_above_them_have_room_for_one_more_of_their_own(size: tuple[int, int]):
    screen = screen_of(gallery()["choice"])
    assert screen.choice is not None
    shared, apart = (
        layout(size, replace(screen, choice=replace(screen.choice, lines=lines))) for lines in (("-",), ())
    )
    lines = Slot(Kind.GAME_LINES)
    assert apart.rect(lines).h > shared.rect(lines).h or size[1] * 16 > size[0] * 9, "low screens are short of room"
    assert apart.rect(lines).h >= shared.rect(lines).h
    assert apart.rect(Slot(Kind.CAPTION)).bottom <= apart.rect(Slot(Kind.GAME)).y


@sizes
def test_the_attendants_page_keeps_text_menu_help_and_legends_apart(size: tuple[int, int]):
    screen = screen_of(gallery()["audit"])
    assert screen.scene is Scene.AUDIT
    where = layout(size, screen)
    rects = _of(dict(where.rects), "audit ", "legend")
    assert not any(a.meets(b) for a, b in itertools.combinations(rects, 2))
    assert not where.has(Kind.RAIL)


def _of(rects: dict[Slot, Rect], *kinds: str) -> list[Rect]:
    return [rect for slot, rect in rects.items() if slot.kind.value.startswith(kinds) and rect.w and rect.h]

"""Preparation of assets before they are needed, on every screen with time for it."""

import pygame
import pytest
from support.display import open_display
from support.screens import table_screen

from cabinet.tools.screens_gallery import gallery, screen_of
from cabinet.ui.art import palette
from cabinet.ui.art.cards import card_back, card_face
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import budget_for
from cabinet.ui.paint.deck import face_of, heights_for
from cabinet.ui.paint.grounds import cloth
from cabinet.ui.paint.keys import key
from cabinet.ui.paint.painter import Painter
from cabinet.ui.paint.panels import game_fan, game_ground
from cabinet.ui.paint.pieces import Piece, piece
from cabinet.ui.paint.warm import AT_REST, assets_to_prepare, types_to_prepare
from cabinet.ui.view import Screen

pytestmark = pytest.mark.screen

SIZES = ((1280, 720), (1280, 1024), (1920, 1080), (3840, 2160))
TABLES = ("betting-empty", "betting-turbo", "betting-one-place")
"""One of each game."""
VISIT = (
    *("attract-welcome", "choice", "betting", "dealing", "deciding", "insurance", "results"),
    *("classic-win", "table-split-results", "help", "lock-main-door", "printing", "session"),
)
"""What a player may see within a quarter of an hour."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", SIZES)
def test_the_whole_pack_is_prepared_at_every_height(size: tuple[int, int]):
    open_display((64, 64))
    wanted = list(assets_to_prepare(size, table_screen()))
    for high in heights_for(size):
        assert piece(card_back, high) in wanted
        assert sum(isinstance(a, Piece) and a.make is card_face and a.args[2] == high for a in wanted) == 52
    assert {piece(cloth, size, game_id) for game_id in palette.FELT} <= set(wanted)


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", SIZES[:-1])
def test_prepared_tables_leave_a_quarter_of_the_budget_and_nothing_is_made_twice(size: tuple[int, int]):
    surface, painter = open_display(size), Painter(size)
    for screen in (screen_of(gallery()[name]) for name in TABLES):
        painter.paint(surface, screen)
        while painter.warm_up(screen):
            pass
    prepared = painter.assets.used_bytes
    assert prepared < 0.75 * budget_for(size)
    made = []
    for _ in range(2):
        before = painter.assets.made
        for name in VISIT:
            painter.paint(surface, screen_of(gallery()[name]))
        made.append(painter.assets.made - before)
    assert made[0] > made[1] == 0
    if size == SIZES[-2]:
        assert 4 * prepared < 0.75 * budget_for(SIZES[-1]), "twice as wide and high: too large to be made here"


def test_cards_at_rest_come_before_those_of_crowded_tables_and_keys_before_all():
    open_display((64, 64))
    wanted = list(assets_to_prepare((1920, 1080), table_screen()))
    heights = heights_for((1920, 1080))
    first_of = {high: wanted.index(piece(card_back, high)) for high in heights}
    assert max(first_of[high] for high in heights[:AT_REST]) < min(first_of[high] for high in heights[AT_REST:])
    assert isinstance(wanted[0], Piece)
    assert wanted[0].make is key


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", SIZES)
def test_the_cards_of_the_game_choice_are_prepared_in_the_size_that_they_have(size: tuple[int, int]):
    open_display((64, 64))
    where = layout(size, screen_of(gallery()["choice"]))
    wanted = list(assets_to_prepare(size, table_screen()))
    for nth, game_id in enumerate(palette.FELT):
        assert game_fan(where, game_id, nth) in wanted
        assert all(game_ground(where, game_id, nth, bright=bright) in wanted for bright in (True, False))


def one_of_each_arrangement() -> dict[tuple[object, ...], Screen]:
    """Returns the screens of the gallery with different arrangements, one of each kind."""
    screens = [screen_of(exhibit) for exhibit in gallery().values()]
    return {(s.scene, type(s.overlay), s.table is None, s.felt): s for s in screens}


def test_every_screen_can_be_warmed_up():
    open_display((64, 64))
    for name, exhibit in gallery().items():
        screen = screen_of(exhibit)
        assert list(assets_to_prepare((1280, 720), screen)), name
        assert list(types_to_prepare((1280, 720), screen)), name


def test_a_warm_up_continues_across_screens():
    open_display((64, 64))
    painter = Painter((320, 180))
    screens = tuple(one_of_each_arrangement().values())
    assert len(screens) > 10
    for before in screens:
        for after in screens:
            painter.warm_up(before)
            painter.warm_up(after)
    for screen in screens:
        while painter.warm_up(screen):
            pass
        assert painter.is_warm(screen)


def test_the_attendants_menu_does_not_count_as_a_prepared_table():
    open_display((64, 64))
    painter = Painter((320, 180))
    audit, choice = (screen_of(gallery()[name]) for name in ("audit", "choice"))
    while painter.warm_up(audit):
        pass
    assert not painter.is_warm(choice)


def test_prepared_cards_are_kept_in_runs_for_the_painted_surface():
    size = (320, 180)
    surface, screen = open_display(size), table_screen()
    painter = Painter(size)
    painter.paint(surface, screen)
    while painter.warm_up(screen):
        pass
    for high in heights_for(size):
        for card in range(52):
            face = painter.assets.get(face_of(card, high, four_colour=False))
            assert face.get_flags() & pygame.RLEACCEL, (card, high)

"""The mouse pointer."""

from dataclasses import replace

import pygame
import pytest
from support.display import open_display
from support.screens import place, rail, table_screen

from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.pointer import Pointer, chip_in_hand
from cabinet.ui.view import Scene

pytestmark = pytest.mark.screen

BETTING = table_screen(replace(place(0), bettable=True))


def test_the_pointer_over_a_betting_table_is_the_selected_chip():
    assert chip_in_hand(BETTING) == 25_00


@pytest.mark.parametrize(
    "screen",
    [
        table_screen(),
        replace(BETTING, animating=True),
        replace(BETTING, scene=Scene.ATTRACT),
        replace(BETTING, rail=rail(chips=())),
    ],
)
def test_elsewhere_the_pointer_is_an_arrow(screen: object):
    assert chip_in_hand(screen) is None


def test_the_pointer_is_set_on_changes_and_hidden_by_a_touch():
    open_display((320, 200))
    assets = Assets(2**20)
    pointer = Pointer(assets)
    for _ in range(3):
        pointer.follow(BETTING)
    assert assets.made == 1
    pointer.follow(table_screen())
    pygame.mouse.set_visible(True)
    pointer.hide()
    assert not pygame.mouse.get_visible()

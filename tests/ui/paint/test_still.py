"""Pictures as files."""

from pathlib import Path

import pygame
import pytest
from support.display import differing, open_display
from support.screens import five_places, table_screen

from cabinet.ui.paint.painter import Painter
from cabinet.ui.paint.still import GAP, THUMB_W, Camera, contact_sheet, save_picture, thumbnail

pytestmark = pytest.mark.screen


def test_a_picture_equals_a_display_of_that_size(tmp_path: Path):
    surface = open_display((640, 360))
    Painter((640, 360)).paint(surface, five_places())
    camera = Camera((640, 360))
    camera.take(table_screen())
    save_picture(camera.take(five_places()), tmp_path / "five.png")
    again = pygame.image.load(tmp_path / "five.png").convert()
    assert differing(again, surface).size == (0, 0)


def test_a_contact_sheet_shows_every_picture_below_one_another_in_rows():
    picture = thumbnail(pygame.Surface((960, 540)))
    assert picture.get_size() == (THUMB_W, 270)
    one, seven = contact_sheet([("a", picture)]), contact_sheet([(str(n), picture) for n in range(7)])
    assert seven.get_width() == one.get_width()
    assert seven.get_height() - GAP == 2 * (one.get_height() - GAP)


def test_a_contact_sheet_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        contact_sheet([])

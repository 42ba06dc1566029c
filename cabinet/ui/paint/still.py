"""Pictures of screens: single ones as PNG files, and a sheet of many.

Rules: a picture is the screen of a cabinet of that size; files are written whole or not at all. Needs only SDL's dummy
driver. Does not know the contents of the screens.
"""

import os
from collections.abc import Iterable, MutableMapping
from pathlib import Path
from typing import Final

import pygame
from PIL import Image

from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import fitted
from cabinet.ui.paint.painter import Painter
from cabinet.ui.view import Screen

COMPRESSION: Final = 3
"""Level of zlib: a third of the time of the usual 6 for slightly larger files."""
THUMB_W: Final = 480
COLUMNS: Final = 5
GAP: Final = 16
CAPTION_PX: Final = 20


def without_display(environment: MutableMapping[str, str] = os.environ) -> None:
    """Selects SDL's dummy drivers, before anything is opened: pictures need no display and no sound."""
    environment["SDL_VIDEODRIVER"] = "dummy"
    environment["SDL_AUDIODRIVER"] = "dummy"


class Camera:
    """Takes pictures of screens at one size; successive pictures share their assets."""

    def __init__(self, size: tuple[int, int]) -> None:
        pygame.display.init()
        pygame.font.init()
        # The format of surfaces follows the display; its own size does not matter here.
        if pygame.display.get_surface() is None:
            pygame.display.set_mode((64, 64))
        self._surface = pygame.Surface(size)
        self._painter = Painter(size)

    def take(self, screen: Screen) -> pygame.Surface:
        """Returns the picture of a screen; valid until the next call."""
        self._painter.paint(self._surface, screen)
        return self._surface


def save_picture(surface: pygame.Surface, path: Path) -> None:
    """Writes a PNG. Raises OSError when it cannot be written."""
    image = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
    unfinished = path.with_suffix(".part")
    image.save(unfinished, format="PNG", compress_level=COMPRESSION)
    unfinished.replace(path)


def thumbnail(surface: pygame.Surface) -> pygame.Surface:
    """Returns a picture scaled down to a contact sheet's width."""
    width, height = surface.get_size()
    return pygame.transform.smoothscale(surface, (THUMB_W, round(height * THUMB_W / width)))


def contact_sheet(pictures: Iterable[tuple[str, pygame.Surface]], columns: int = COLUMNS) -> pygame.Surface:
    """Returns thumbnails in rows, each with its name below. Raises ValueError without pictures."""
    named = tuple(pictures)
    if not named:
        raise ValueError("a contact sheet of no pictures: expected at least one")
    high = max(picture.get_height() for _, picture in named) + CAPTION_PX + GAP
    rows = -(-len(named) // columns)
    sheet = pygame.Surface((columns * (THUMB_W + GAP) + GAP, rows * (high + GAP) + GAP))
    sheet.fill(palette.INK)
    for number, (name, picture) in enumerate(named):
        x = GAP + (number % columns) * (THUMB_W + GAP)
        y = GAP + (number // columns) * (high + GAP)
        sheet.blit(picture, (x, y))
        words = fitted(Role.TEXT, CAPTION_PX, name, palette.CREAM, (THUMB_W, CAPTION_PX * 2))
        sheet.blit(words, (x, y + high - CAPTION_PX - GAP))
    return sheet

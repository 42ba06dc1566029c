"""Simple line icons for states and the top bar, in one weight, on a grid of 24 units.

Rules: one colour, round ends, nothing finer than the pen. Does not know the meaning of a state.
"""

import pygame

from cabinet.ui.art.palette import Colour
from cabinet.ui.art.pictures import in_one_colour, read, rendered


def icon(name: str, px: int, colour: Colour) -> pygame.Surface:
    """Returns an icon in a square of `px` pixels. Raises `PictureError` for a name without a file in `assets/icons`."""
    picture = read(f"icons/{name}")
    return rendered(in_one_colour(picture.drawing, colour), (px, px), picture.box)

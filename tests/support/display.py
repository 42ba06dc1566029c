"""A display on SDL's dummy driver, and ways to look at what is on it."""

from typing import cast

import pygame


def open_display(size: tuple[int, int]) -> pygame.Surface:
    """A display of this size."""
    pygame.display.init()
    return pygame.display.set_mode(size)


def pixels_of(surface: pygame.Surface, box: tuple[int, int, int, int] | None = None) -> bytes:
    """The colours of a surface, or of a box of it."""
    part = surface.subsurface(pygame.Rect(box)) if box else surface
    return pygame.image.tobytes(part, "RGB")


def differing(one: pygame.Surface, other: pygame.Surface, *, by: int = 1) -> pygame.Rect:
    """The smallest rectangle that holds every pixel that differs `by` steps or more; empty when none does."""
    mask = pygame.mask.from_threshold(one, (0, 0, 0), (by, by, by, 255), other)
    mask.invert()
    rects = cast("list[pygame.Rect]", mask.get_bounding_rects())  # the types of pygame say one rectangle
    return rects[0].unionall(rects[1:]) if rects else pygame.Rect(0, 0, 0, 0)

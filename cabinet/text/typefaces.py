"""Which letters the typefaces of the screen do not have.

Rules: asked of the very files that type is drawn from, so that a newer package with more letters is believed. Does not
know what is written, or where.
"""

from functools import lru_cache
from typing import Final

import fontpkg
import pygame.freetype

from cabinet.ui.art.fonts import Role

PX: Final = 40
"""Any size will do."""


def letters_lacking(text: str) -> tuple[str, ...]:
    """The characters of a text that one of the families cannot draw, each once, in their order.

    A family that is not installed is not asked: `cabinet doctor` names it, and nothing can be drawn anyway.
    """
    drawn = tuple(dict.fromkeys(each for each in text if not each.isspace()))
    return tuple(each for each in drawn if any(not _has(role, each) for role in Role))


@lru_cache(maxsize=256)
def _has(role: Role, character: str) -> bool:
    if not pygame.freetype.get_init():
        pygame.freetype.init()
    family, weight = role.value
    try:
        path = fontpkg.path(family, weight)
    except fontpkg.FontpkgError:
        return True
    return pygame.freetype.Font(str(path)).get_metrics(character, size=PX)[0] is not None

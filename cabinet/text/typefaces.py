"""The typefaces of the screen: the use of each, and the letters they lack.

Rules: letters are searched in the font files that the screen uses, so a newer package with more letters counts at once.
Does not know the texts.
"""

import enum
from functools import lru_cache
from typing import Final

import fontpkg
import pygame.freetype

PX: Final = 40
"""Any size will do."""


class Role(enum.Enum):
    """The use of a piece of type: (family, weight)."""

    TITLE = ("Marcellus", 400)
    TEXT = ("Barlow", 500)
    TEXT_BOLD = ("Barlow", 600)
    FIGURES = ("Barlow Condensed", 600)

    # By identity, in C: every word of every frame hashes its role.
    __hash__ = object.__hash__


def letters_lacking(text: str) -> tuple[str, ...]:
    """Returns the characters of a text that one of the families cannot draw, each once, in order.

    A family that is not installed is left out: `cabinet doctor` names it, and nothing can be drawn anyway.
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

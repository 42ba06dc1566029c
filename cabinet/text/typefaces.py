"""The typefaces of the screen: what each is for, and which letters they lack.

Rules: letters are looked up in the very files that type is drawn from, so that a newer package with more letters is
believed. Does not know what is written, or where.
"""

import enum
from functools import lru_cache
from typing import Final

import fontpkg
import pygame.freetype

PX: Final = 40
"""Any size will do."""


class Role(enum.Enum):
    """What a piece of type is for: (family, weight)."""

    TITLE = ("Marcellus", 400)
    TEXT = ("Barlow", 500)
    TEXT_BOLD = ("Barlow", 600)
    FIGURES = ("Barlow Condensed", 600)

    # By identity, in C: roles are hashed with every word of every frame.
    __hash__ = object.__hash__


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

"""Type: five roles, two families and a serif, loaded from font packages; never a system font.

Rules: a font is loaded once per role and size; a letter is drawn once and kept, a line is put together from letters and
kept, both in bounded caches, so a returned surface must not be drawn on. Figures stand in equal cells, because the
digits of the family are not of equal width. Does not know what is written.
"""

import enum
from functools import lru_cache
from typing import Final

import fontpkg
import pygame

from cabinet.ui.art.palette import Colour
from cabinet.ui.art.tally import DRAWN

TEXT_CACHE: Final = 512
"""Lines of text kept; the least recently used goes first."""
LETTER_CACHE: Final = 8192
"""Letters kept, each of one role, size and colour: at 1920 x 1080 some 3 MB, at 3840 x 2160 some 12."""
FONT_CACHE: Final = 96
"""Role and size pairs kept."""


SMALLEST_PX: Final = 6
"""Type is not made smaller than this."""


class Role(enum.Enum):
    """What a piece of type is for: (family, weight)."""

    TITLE = ("Marcellus", 400)
    TEXT = ("Barlow", 500)
    TEXT_BOLD = ("Barlow", 600)
    FIGURES = ("Barlow Condensed", 600)
    CARD_INDEX = ("Barlow Condensed", 700)

    # By identity, in C: roles are hashed with every word of every frame.
    __hash__ = object.__hash__


@lru_cache(maxsize=FONT_CACHE)
def font(role: Role, px: int) -> pygame.font.Font:
    """The font of a role at `px` pixels of em height (at least 1).

    Raises `fontpkg.FontpkgError` when the font package is not installed.
    """
    if not pygame.font.get_init():
        pygame.font.init()
    family, weight = role.value
    return pygame.font.Font(str(fontpkg.path(family, weight)), max(1, px))


@lru_cache(maxsize=LETTER_CACHE)
def letter(role: Role, px: int, character: str, colour: Colour) -> pygame.Surface:
    """One character, of which lines and amounts are put together. Do not draw on it."""
    DRAWN.count += 1
    face = font(role, px)
    if not face.size(character)[0]:
        # A face may know a kind of space that takes none.
        return pygame.Surface((0, face.get_height()), pygame.SRCALPHA)
    return face.render(character, True, colour)


@lru_cache(maxsize=TEXT_CACHE)
def text(role: Role, px: int, string: str, colour: Colour, *, tracking: float = 0) -> pygame.Surface:
    """One line of type as high as the font's line; `tracking` is extra pixels between characters. Do not draw on it."""
    size = (text_width(role, px, string, tracking=tracking), font(role, px).get_height())
    line = pygame.Surface(size, pygame.SRCALPHA)
    line.fill((*colour, 0))
    starts = _advances(role, px, string, tracking)
    line.blits(
        [
            (letter(role, px, character, colour), (round(x) + (_reach(role, px, character) if x else 0), 0))
            for x, character in zip(starts, string, strict=False)
        ]
    )
    return line


def text_width(role: Role, px: int, string: str, *, tracking: float = 0) -> int:
    """The width in pixels of what `text` would return."""
    if not tracking:
        return font(role, px).size(string)[0]
    return max(0, round(_advances(role, px, string, tracking)[-1] - tracking)) if string else 0


def figures(px: int, string: str, colour: Colour, *, role: Role = Role.FIGURES) -> pygame.Surface:
    """An amount with every digit in a cell of the same width, so that counting never moves it."""
    return _figures(px, string, colour, role)


def figures_width(px: int, string: str, *, role: Role = Role.FIGURES) -> int:
    """The width in pixels of what `figures` would return."""
    face = font(role, px)
    cell = _digit_cell(role, px)
    return sum(cell if character.isdigit() else face.size(character)[0] for character in string)


@lru_cache(maxsize=TEXT_CACHE)
def inked(role: Role, px: int, string: str, colour: Colour, widest_px: float) -> pygame.Surface:
    """A word cut to its ink, as large as `px` allows and no wider than `widest_px`. Do not draw on it."""
    size = px
    while True:
        line = text(role, size, string, colour)
        ink = line.get_bounding_rect()
        if ink.width <= widest_px or size <= SMALLEST_PX:
            return line.subsurface(ink).copy()
        size = max(SMALLEST_PX, min(size - 1, int(size * widest_px / ink.width)))


def fitting_px(role: Role, px: int, string: str, room: tuple[int, int], *, tracking: float = 0) -> int:
    """The size of type at which `fitted` sets a line."""
    size = px
    while size > SMALLEST_PX:
        narrow = text_width(role, size, string, tracking=tracking * size) <= room[0]
        if narrow and font(role, size).get_ascent() <= room[1]:
            break
        size -= 1
    return size


def fitted(
    role: Role, px: int, string: str, colour: Colour, room: tuple[int, int], *, tracking: float = 0
) -> pygame.Surface:
    """A line of at most `px`, smaller if `room` (width, height) wants it; tracking is a share of the size.

    A line that does not fit even at `SMALLEST_PX` is squeezed to the width, never cut.
    """
    size = fitting_px(role, px, string, room, tracking=tracking)
    line = text(role, size, string, colour, tracking=tracking * size)
    if line.get_width() <= room[0]:
        return line
    return pygame.transform.smoothscale(line, (max(1, room[0]), line.get_height()))


@lru_cache(maxsize=TEXT_CACHE)
def _figures(px: int, string: str, colour: Colour, role: Role) -> pygame.Surface:
    face = font(role, px)
    cell = _digit_cell(role, px)
    line = pygame.Surface((figures_width(px, string, role=role), face.get_height()), pygame.SRCALPHA)
    line.fill((*colour, 0))
    x = 0
    for character in string:
        width = face.size(character)[0]
        step = cell if character.isdigit() else width
        line.blit(letter(role, px, character, colour), (x + (step - width) // 2, 0))
        x += step
    return line


@lru_cache(maxsize=FONT_CACHE)
def _digit_cell(role: Role, px: int) -> int:
    """The width that every digit of a size stands in: that of the widest."""
    return max(font(role, px).size(digit)[0] for digit in "0123456789")


@lru_cache(maxsize=TEXT_CACHE)
def _reach(role: Role, px: int, character: str) -> int:
    """How far a letter such as j reaches back under the one before it (0 or less): alone it is set without that."""
    return min(0, font(role, px).metrics(character)[0][0])


def _advances(role: Role, px: int, string: str, tracking: float) -> tuple[float, ...]:
    """The x of each character and of the end, kerning kept, with `tracking` after each character."""
    face = font(role, px)
    return tuple(face.size(string[:count])[0] + tracking * count for count in range(len(string) + 1))

"""Words in rooms: lines as large as possible, paragraphs broken and shrunk until they fit.

Rules: nothing is cut; the size asked for is the largest, and smaller ones are tried until everything fits. Pure but for
the fonts it measures with. Does not know the texts.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import pygame

from cabinet.text.typefaces import Role
from cabinet.ui.art.fonts import SMALLEST_PX, ascent, figures, figures_width, fitted, line_height, text_width
from cabinet.ui.art.palette import Colour

LEADING: Final = 1.3
"""From baseline to baseline, in ems."""


class Paragraph(NamedTuple):
    """Broken text: type size in pixels and (line, first line of its paragraph)."""

    px: int
    lines: tuple[tuple[str, bool], ...]


def line(role: Role, px: int, words: str, colour: Colour, room: tuple[int, int], tracking: float = 0) -> pygame.Surface:
    """Returns one line, smaller than `px` where `room` is too small; tracking is a share of the size."""
    return fitted(role, px, words, colour, room, tracking=tracking)


def amount(px: int, words: str, colour: Colour, wide: int) -> pygame.Surface:
    """Returns an amount in figures of equal width, smaller than `px` where `wide` pixels are too few."""
    return figures(amount_px(px, words, wide), words, colour)


def amount_px(px: int, words: str, wide: int) -> int:
    """Returns the size of type in which an amount fits."""
    size = px
    while size > SMALLEST_PX and figures_width(size, words) > wide:
        size -= 1
    return size


@lru_cache(maxsize=256)
def set_paragraphs(
    role: Role, px: int, paragraphs: tuple[str, ...], room: tuple[int, int], gap_em: float = 0.0
) -> Paragraph:
    """Returns the largest setting of the paragraphs, at most `px`, that fits into the room; `gap_em` between
    paragraphs."""
    size = px
    while True:
        lines = tuple(
            (part, index == 0) for words in paragraphs for index, part in enumerate(broken(role, size, words, room[0]))
        )
        high = size * (LEADING * len(lines) + gap_em * max(0, len(paragraphs) - 1))
        if high <= room[1] or size <= SMALLEST_PX:
            return Paragraph(size, lines)
        size -= 1


def broken(role: Role, px: int, words: str, wide: int) -> tuple[str, ...]:
    """Returns the lines of a paragraph at a width; a word wider than that has a line to itself."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(role, px, longer) <= wide:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def drop_of(role: Role) -> float:
    """Returns how far down a line's surface must be moved to centre its capitals, as a share of its height."""
    return 0.5 - (ascent(role, 100) - 35) / line_height(role, 100)

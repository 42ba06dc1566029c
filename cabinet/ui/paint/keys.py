"""Pieces that are pressed or read as one: keys, totals, results, tags, printed lines, cells of a chart, small signs,
and chips in a stack.

Rules: a piece is exactly as large as its room; words shrink and are never cut. Draws with pieces of `art` only.
"""

from typing import Final

import pygame

from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.buttons import (
    BannerTone,
    Tone,
    amount_tag,
    banner,
    banner_width,
    button,
    plaque,
    tag_width,
)
from cabinet.ui.art.chips import chip_edge, thickness
from cabinet.ui.art.felt import arched_text
from cabinet.ui.art.fonts import fitted, text_width
from cabinet.ui.art.palette import Colour
from cabinet.ui.art.shade import Plate, along, from_box, from_lozenge, inside
from cabinet.ui.paint.grounds import shade
from cabinet.ui.paint.lettering import drop_of
from cabinet.ui.paint.pieces import Asset, Pile, piece

STACK_SHARE: Final = 0.9
"""A stacked chip's diameter over the width of its room, so that a full stack is as high as its room allows."""
KEY_ROOM: Final = 0.86
"""Share of a key's width that two lines of words may take."""
LOWEST_PILL_PX: Final = 10
"""The least height of a result or a tag, in pixels."""
TILT: Final = 7
"""Degrees between each chip of a stack and the one below."""


def key(
    size: tuple[int, int], word: str, second: str, *, lit: bool, pressed: bool = False, red: bool = False
) -> pygame.Surface:
    """Returns a button with its word and, smaller below it, its present action."""
    tone = Tone.RED if red else Tone.NORMAL
    if not second:
        return button(size, word, lit=lit, pressed=pressed, tone=tone)
    out = button(size, "", lit=lit, pressed=pressed, tone=tone)
    colour = legend_colour(lit=lit, red=red)
    width, height = size
    sunk = height * 0.05 if pressed else 0.0
    first_px, second_px = key_type_px(height)
    for words, px, middle, tracking in ((word, first_px, 0.33, 0.03), (second, second_px, 0.67, 0.0)):
        room = (round(width * KEY_ROOM), height)
        line = fitted(key_role(px, words, room[0]), px, words, colour, room, tracking=tracking)
        out.blit(line, line.get_rect(center=(round(width / 2), round(height * middle + sunk))))
    return out


def key_role(px: int, words: str, room_px: int) -> Role:
    """Returns the family of a line of a key: condensed where it would be too wide."""
    return Role.TEXT_BOLD if text_width(Role.TEXT_BOLD, px, words) <= room_px else Role.FIGURES


def key_type_px(height: int) -> tuple[int, int]:
    """Returns the sizes of type of the two lines of a key, where they have room."""
    return max(10, round(height * 0.34)), max(10, round(height * 0.3))


def legend_colour(*, lit: bool, red: bool) -> Colour:
    """Returns the colour of the words on a key."""
    if not lit:
        return palette.KEY_DARK_LEGEND
    return palette.PAPER if red else palette.UMBER


def total(diameter: int, number: str, soft_word: str, *, active: bool, bust: bool) -> pygame.Surface:
    """Returns the round total of a hand; `soft_word` (may be empty) stands small above the number; a bust total is
    dim."""
    out = plaque(diameter, number, active=active, soft=bool(soft_word), soft_word=soft_word)
    if bust:
        out.fill((226, 206, 196, 255), special_flags=pygame.BLEND_RGBA_MULT)
    return out


def result(words: str, room: tuple[int, int], tone: BannerTone) -> pygame.Surface:
    """Returns a result on its pill, as high as the room; where it is too wide in condensed letters, and then lower."""
    high, narrow = result_size(words, room)
    return banner(words, high, tone, narrow=narrow)


def result_size(words: str, room: tuple[int, int]) -> tuple[int, bool]:
    """Returns the height of a result's pill for a room, and whether its letters are condensed."""
    high, narrow = room[1], banner_width(words, room[1]) > room[0]
    while high > LOWEST_PILL_PX and banner_width(words, high, narrow=narrow) > room[0]:
        high -= 1
    return high, narrow


def tag(words: str, room: tuple[int, int]) -> pygame.Surface:
    """Returns an amount on its dark tag, as high as the room; lower only where it would be too wide."""
    high = room[1]
    while high > LOWEST_PILL_PX and tag_width(words, high) > room[0]:
        high -= 1
    return amount_tag(words, high)


def printed(px: int, words: str, colour: Colour, half: int, sag: int, tracking: float) -> pygame.Surface:
    """Returns a line printed on the felt along an arc that is `half` pixels wide to each side and `sag` deep."""
    radius = (half * half + sag * sag) / (2 * max(1, sag))
    size = px
    while size > 8 and text_width(Role.TITLE, size, words, tracking=tracking * size) > 2 * half:
        size -= 1
    return arched_text(Role.TITLE, size, words, colour, radius, tracking * size)


def stack(values: tuple[int, ...], room_width: int) -> Pile:
    """Returns the chips of a stake in a stack, the first lowest; there is room for `MOST_IN_STACK`."""
    diameter = max(8, round(room_width * STACK_SHARE))
    wall = thickness(diameter)
    parts = tuple(
        (stacked_chip(value, diameter, level), 0, wall * (len(values) - 1 - level))
        for level, value in enumerate(values)
    )
    return Pile((diameter, diameter + wall * max(1, len(values))), parts)


def stacked_chip(value_cents: int, diameter: int, level: int) -> Asset:
    """Returns a chip at a level of a stack."""
    return piece(chip_edge, value_cents, diameter, turn=TILT * (level * level % 5))


def level_bars(size: tuple[int, int], level: int, colour: Colour) -> pygame.Surface:
    """Returns three rising bars, `level` of them bright."""
    out = pygame.Surface(size, pygame.SRCALPHA)
    width, height = size
    bar = max(2, width // 5)
    for index in range(3):
        high = round(height * (0.45 + 0.275 * index))
        x = round(index * (width - bar) / 2)
        out.fill((*colour, 255 if index < level else 70), (x, height - high, bar, high))
    return out


def tile(size: tuple[int, int], ground: Colour, words: str, px: int) -> pygame.Surface:
    """Returns a cell of a chart: a plain ground with a short word."""
    out = shade(size, ground)
    line = fitted(Role.FIGURES, px, words, palette.CREAM, (max(1, size[0] - 4), size[1]))
    out.blit(line, line.get_rect(center=(size[0] // 2, round(size[1] / 2 + drop_of(Role.FIGURES) * line.get_height()))))
    return out


def ring(size: tuple[int, int], thin: int) -> pygame.Surface:
    """Returns a bright ring around a key that is pointed at, as round as the key."""
    plate = Plate(size)
    edge = from_box(plate.at, (0, 0, *size), size[1] * 0.24)
    plate.add(palette.LAMP, along(edge + thin / 2, thin))
    return plate.surface()


def lozenge(side: int, colour: Colour) -> pygame.Surface:
    """Returns a small diamond before a sentence."""
    plate = Plate((side, side))
    plate.add(colour, inside(from_lozenge(plate.at, (side / 2, side / 2), side / 2)))
    return plate.surface()


def keycap(size: tuple[int, int], name: str) -> pygame.Surface:
    """Returns a key of the keyboard."""
    plate = Plate(size)
    edge = from_box(plate.at, (1, 1, size[0] - 2, size[1] - 2), size[1] * 0.2)
    plate.add(palette.KEY_DARK_TOP, inside(edge))
    plate.add(palette.BRASS, along(edge + 0.8, 1.2), strength=0.8)
    out = plate.surface()
    line = fitted(Role.TEXT_BOLD, round(size[1] * 0.52), name, palette.BRASS_LIGHT, (size[0] - size[1] // 2, size[1]))
    out.blit(
        line, line.get_rect(center=(size[0] // 2, round(size[1] / 2 + drop_of(Role.TEXT_BOLD) * line.get_height())))
    )
    return out

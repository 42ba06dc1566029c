"""Ornament: fans of cards, heaps of chips, framed cloths, cartouches and printed places for cards.

Rules: an ornament shows no round: a fan or a heap is a still life, never a result or a credit. Sizes are in pixels; a
surface has alpha where the piece is not a full rectangle.
"""

import math
from typing import Final

import numpy as np
import pygame

from cabinet.engine.cards import card_from_code, rank_of, suit_of
from cabinet.ui.art import palette
from cabinet.ui.art.cards import card_back, card_face, card_shadow, card_size
from cabinet.ui.art.felt import felt
from cabinet.ui.art.pictures import rendered
from cabinet.ui.art.pips import SPADES, pip
from cabinet.ui.art.shade import Plate, along, from_box, grid, inside
from cabinet.ui.paint.keys import stack
from cabinet.ui.paint.pieces import Asset, Pile, piece

OVERSAMPLE: Final = 1.5
"""Factor by which cards of a fan are drawn larger before they are rotated, unless they are as high as `LARGE_PX`."""
LARGE_PX: Final = 300
REACH: Final = 1.9
"""How far below the middle of its cards the centre of a fan is, in card heights."""
BACK: Final = "--"
FANS: Final = {
    "european": ("AS", "KH", "8D", "QC", "5S"),
    "table": ("AH", "10S"),
    "classic": (BACK, "QD"),
}
"""The ornament on the card of each game."""
WELCOME: Final = ("AS", "JS")
HEAP: Final = ((100_00,) * 4, (5_00,) * 5, (25_00,) * 3)
"""The stacks of a heap: behind left, behind right, before both."""


def fan(codes: tuple[str, ...], high: int, spread: float) -> pygame.Surface:
    """Returns cards in a fan, `spread` degrees from one to the next; `--` is a back."""
    over = OVERSAMPLE if high < LARGE_PX else 1.0
    cards = [_card(code, round(high * over)) for code in codes]
    middle = (len(codes) - 1) / 2
    turns = [(number - middle) * spread for number in range(len(codes))]
    width = math.ceil(2 * high * (REACH * math.sin(math.radians(abs(turns[0]))) + 0.62))
    out = pygame.Surface((width, math.ceil(high * (1.3 + 0.006 * abs(turns[0])))), pygame.SRCALPHA)
    foot = (width / 2, high * (REACH + 0.56))
    for card, turn in zip(cards, turns, strict=True):
        turned = pygame.transform.rotozoom(card, -turn, 1 / over)
        radians = math.radians(turn)
        at = (foot[0] + REACH * high * math.sin(radians), foot[1] - REACH * high * math.cos(radians))
        out.blit(turned, turned.get_rect(center=(round(at[0]), round(at[1]))))
    return out


def _card(code: str, high: int) -> pygame.Surface:
    """Returns a card on its shadow, as large as the shadow."""
    if code == BACK:
        face = card_back(high)
    else:
        card = card_from_code(code)
        face = card_face(rank_of(card), suit_of(card), high)
    out = card_shadow(high)
    width, height = card_size(high)
    out.blit(face, ((out.get_width() - width) // 2, (out.get_height() - height) // 2))
    return out


def fan_asset(codes: tuple[str, ...], high: int) -> Asset:
    """Returns a fan of these cards; more cards are closer."""
    return piece(fan, codes, high, 15.0 if len(codes) <= 2 else 9.0)


def heap_asset(width: int) -> Pile:
    """Returns three stacks of chips close together."""
    chip = round(width * 0.46)
    stacks = [stack(values, round(chip / 0.9)) for values in HEAP]
    drop = chip // 12
    tallest = max(stacks[0].size[1], stacks[1].size[1] + drop, stacks[2].size[1] - chip // 2)
    places = ((0, tallest), (width - chip, tallest - drop), ((width - chip) // 2, tallest + chip // 2))
    parts = tuple((pile, x, foot - pile.size[1]) for pile, (x, foot) in zip(stacks, places, strict=True))
    return Pile((width, tallest + chip // 2), parts)


def framed(size: tuple[int, int], game_id: str, *, bright: bool) -> pygame.Surface:
    """Returns a game's own cloth in a brass frame with round corners; `bright` frames it in light."""
    out = felt(size, game_id).convert_alpha()
    width, height = size
    edge = from_box(grid(size), (0, 0, width, height), min(width, height) * 0.05)
    plate = Plate(size)
    line = max(2.0, min(width, height) * 0.008)
    rim = palette.LAMP if bright else palette.BRASS
    plate.add(rim, along(edge + line, line * (1.6 if bright else 1.0)))
    inner = from_box(
        grid(size), (line * 5, line * 5, width - line * 10, height - line * 10), min(width, height) * 0.035
    )
    plate.add(palette.BRASS, along(inner, max(1.0, line * 0.4)), strength=0.6)
    out.blit(plate.surface(), (0, 0))
    alpha = pygame.surfarray.pixels_alpha(out)
    alpha[...] = (inside(edge) * 255).astype("uint8")
    del alpha
    return out


def cartouche(size: tuple[int, int]) -> pygame.Surface:
    """Returns a printed frame on the felt: darker cloth between two hairlines of brass with cut corners."""
    plate = Plate(size)
    width, height = size
    line = max(1.0, height / 90)
    cut = height * 0.16
    for inset, strength, wide in ((line, 0.75, 1.0), (line * 5, 0.45, 0.6)):
        box = (inset, inset, width - 2 * inset, height - 2 * inset)
        corners = [
            ((plate.at[0] - x) ** 2 + (plate.at[1] - y) ** 2) ** 0.5 - cut + inset
            for x in (0, width)
            for y in (0, height)
        ]
        edge = from_box(plate.at, box, 0)
        for corner in corners:
            edge = edge.clip(min=-corner)
        if inset == line:
            plate.add((0, 0, 0), inside(edge), strength=0.2)
        plate.add(palette.BRASS, along(edge, max(1.0, line * wide)), strength=strength)
    return plate.surface()


def card_place(size: tuple[int, int]) -> pygame.Surface:
    """Returns the print where cards are dealt: a faint frame with a spade in it."""
    plate = Plate(size)
    width, height = size
    line = max(1.0, height / 110)
    edge = from_box(plate.at, (line, line, width - 2 * line, height - 2 * line), height * 0.07)
    plate.add((0, 0, 0), inside(edge), strength=0.07)
    plate.add(palette.BRASS, along(edge, line), strength=0.42)
    sign = rendered(pip(SPADES, palette.BRASS, (width / 2, height / 2), height * 0.3), size, (0, 0, width, height))
    spade = (pygame.surfarray.array_alpha(sign) / np.float32(255)).astype(np.float32)
    plate.add(palette.BRASS, spade, strength=0.3)
    return plate.surface()

"""A contact sheet: every piece of the table at several sizes, for the eye.

Rules: it shows, it does not arrange; nothing but people and tests looks at it.
"""

from collections.abc import Iterable
from typing import Final

import pygame

from cabinet.ui.art import palette
from cabinet.ui.art.buttons import (
    BannerTone,
    Tone,
    amount_tag,
    banner,
    button,
    panel,
    plaque,
    pointer,
)
from cabinet.ui.art.cards import card_back, card_face, slot
from cabinet.ui.art.chips import chip, chip_ring, chip_stack
from cabinet.ui.art.felt import CircleState, arched_text, bet_circle, felt, rail, shoe
from cabinet.ui.art.fonts import Role, figures, text
from cabinet.ui.art.icons import ICONS, icon

SIZE: Final = (1920, 1500)
_GAP: Final = 10


def contact_sheet() -> pygame.Surface:
    """The sheet, `SIZE` pixels."""
    sheet = felt(SIZE, "european")
    y = _GAP
    for suit in range(4):
        y = _row(sheet, y, (card_face(rank, suit, 178) for rank in range(13)), last=suit < 3)
    _row(sheet, y, (card_face(rank, suit, 96, four_colour=True) for suit in range(4) for rank in (0, 9, 10, 11, 12)))
    y = _row(sheet, y + 106, (card_back(150), slot(150), shoe(190), *_chips(), *_circles()))
    y = _row(sheet, y, (*_plaques(), *_banners(), pointer(44)))
    sheet.blit(rail((SIZE[0], SIZE[1] - y)), (0, y))
    y = _row(sheet, y + _GAP, _keys())
    y = _row(sheet, y, _lines())
    _row(sheet, y, (icon(name, px, palette.BRASS_LIGHT) for name in sorted(ICONS) for px in (22, 40)))
    return sheet


def _row(sheet: pygame.Surface, y: int, pieces: Iterable[pygame.Surface], *, last: bool = False) -> int:
    """Lay pieces from left to right; return where the next row starts (closer when rows of one kind follow)."""
    x, height = _GAP, 0
    for piece in pieces:
        sheet.blit(piece, (x, y))
        x += piece.get_width() + _GAP
        height = max(height, piece.get_height())
    return y + height + (_GAP if last else 2 * _GAP)


def _chips() -> tuple[pygame.Surface, ...]:
    chosen = chip_ring(76)
    middle = chosen.get_rect().center
    face = chip(25_00, 76)
    chosen.blit(face, face.get_rect(center=middle))
    stacks = tuple(chip_stack((100_00, 25_00, 25_00, 5_00, 1_00), diameter) for diameter in (36, 56, 76))
    return (*(chip(value, 76) for value in palette.CHIP), chosen, *stacks)


def _circles() -> tuple[pygame.Surface, ...]:
    return tuple(bet_circle(110, state) for state in CircleState)


def _plaques() -> tuple[pygame.Surface, ...]:
    kinds = (("16", True, False), ("18", True, True), ("21", False, False), ("17", False, True), ("BJ", False, False))
    return tuple(plaque(60, number, active=active, soft=soft) for number, active, soft in kinds)


def _banners() -> tuple[pygame.Surface, ...]:
    words = ("WIN +$25.00", "BUST −$50.00", "PUSH", "BLACKJACK")
    results = tuple(banner(word, 40, tone) for word, tone in zip(words, BannerTone, strict=True))
    return (*results, amount_tag("$1,125.00", 30))


def _keys() -> tuple[pygame.Surface, ...]:
    words = ("CASH OUT", "HIT", "VERDOPPELN", "APPELER LE SERVICE", "TURBO")
    size = (160, 58)
    lit = tuple(button(size, word, lit=True, tone=Tone.RED if word == "TURBO" else Tone.NORMAL) for word in words)
    dark = tuple(button(size, word, lit=False) for word in words[:4])
    return (*lit, *dark, button(size, "STAND", lit=True, pressed=True))


def _lines() -> tuple[pygame.Surface, ...]:
    return (
        panel((260, 150)),
        arched_text(Role.TITLE, 40, "BLACKJACK PAYS 3 TO 2", palette.BRASS, 1400, 5),
        text(Role.TITLE, 34, "Place 3, first hand", palette.CREAM),
        figures(56, "$1,234.50", palette.CREAM),
        figures(56, "$8,888.88", palette.CREAM),
    )

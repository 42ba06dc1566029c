"""skeleton"""

import pygame
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import Role, text


def card_size(height_px: int) -> tuple[int, int]:
    """Width and height of a card `height_px` high: five to seven."""
    return round(height_px * 5 / 7), height_px


def card_face(rank: int, suit: int, height_px: int, *, four_colour: bool = False) -> pygame.Surface:
    out = _blank(height_px, palette.PAPER)
    colour = palette.CARD_RED if suit in {1, 2} else palette.INK
    words = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")[rank] + "SHDC"[suit]
    out.blit(text(Role.CARD_INDEX, max(6, height_px // 4), words, colour), (height_px // 20, 0))
    return out


def card_back(height_px: int) -> pygame.Surface:
    return _blank(height_px, palette.BACK_RED)


def card_shadow(height_px: int) -> pygame.Surface:
    out = _blank(height_px, (0, 0, 0))
    out.set_alpha(90)
    return out


def slot(height_px: int) -> pygame.Surface:
    out = pygame.Surface(card_size(height_px), pygame.SRCALPHA)
    pygame.draw.rect(out, palette.BRASS, out.get_rect(), 2, border_radius=height_px // 16)
    return out


def _blank(height_px: int, colour: palette.Colour) -> pygame.Surface:
    out = pygame.Surface(card_size(height_px), pygame.SRCALPHA)
    pygame.draw.rect(out, colour, out.get_rect(), border_radius=height_px // 16)
    return out

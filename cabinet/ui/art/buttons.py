"""skeleton"""

import enum
import pygame
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import Role, figures, text


class Tone(enum.Enum):
    """The light under a button."""

    NORMAL = "normal"
    RED = "red"


class BannerTone(enum.Enum):
    """What a result means to the player."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    NEUTRAL = "neutral"


def _box(
    size: tuple[int, int], fill: palette.Colour, words: str, colour: palette.Colour, radius: int
) -> pygame.Surface:
    out = pygame.Surface(size, pygame.SRCALPHA)
    pygame.draw.rect(out, fill, out.get_rect(), border_radius=radius)
    pygame.draw.rect(out, palette.BRASS, out.get_rect(), 1, border_radius=radius)
    line = text(Role.TEXT_BOLD, max(6, size[1] * 2 // 5), words, colour)
    out.blit(line, line.get_rect(center=out.get_rect().center))
    return out


def button(
    size: tuple[int, int], label: str, *, lit: bool, pressed: bool = False, tone: Tone = Tone.NORMAL
) -> pygame.Surface:
    return _box(
        size,
        palette.CREAM if lit else palette.KEY_DARK_LOW,
        label,
        palette.UMBER if lit else palette.KEY_DARK_LEGEND,
        size[1] // 5,
    )


def plaque(diameter: int, number: str, *, active: bool, soft: bool = False) -> pygame.Surface:
    return _box(
        (diameter, diameter),
        palette.CREAM if active else palette.PLAQUE,
        number,
        palette.INK if active else palette.CREAM,
        diameter // 2,
    )


def banner(words: str, px_height: int, tone: BannerTone) -> pygame.Surface:
    return _box(
        (px_height * len(words) // 2 + px_height, px_height),
        palette.CREAM if tone is BannerTone.WIN else palette.PLAQUE,
        words,
        palette.INK if tone is BannerTone.WIN else palette.CREAM,
        px_height // 2,
    )


def amount_tag(words: str, px_height: int) -> pygame.Surface:
    return _box(
        (px_height * len(words) // 2 + px_height, px_height), palette.PLAQUE, words, palette.CREAM, px_height // 2
    )


def panel(size: tuple[int, int]) -> pygame.Surface:
    return _box(size, palette.RAIL.mid, "", palette.CREAM, 12)


def pointer(px: int) -> pygame.Surface:
    out = pygame.Surface((px, px), pygame.SRCALPHA)
    pygame.draw.polygon(out, palette.LAMP, [(0, 0), (px - 1, 0), (px // 2, px - 1)])
    return out


def digits(px: int, string: str, colour: palette.Colour) -> pygame.Surface:
    return figures(px, string, colour)

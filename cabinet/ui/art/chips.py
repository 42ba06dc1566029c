"""skeleton"""

from collections.abc import Iterable
import pygame
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import Role, text


def face_value(value_cents: int) -> str:
    """What is printed on a chip."""
    return str(value_cents // 100)


def chip(value_cents: int, diameter_px: int) -> pygame.Surface:
    paint = palette.CHIP.get(value_cents, palette.CHIP_OTHER)
    out = pygame.Surface((diameter_px, diameter_px), pygame.SRCALPHA)
    pygame.draw.circle(out, paint.body, (diameter_px // 2, diameter_px // 2), diameter_px // 2)
    line = text(Role.FIGURES, max(6, diameter_px // 3), face_value(value_cents), paint.figure)
    out.blit(line, line.get_rect(center=out.get_rect().center))
    return out


def chip_edge(value_cents: int, diameter_px: int) -> pygame.Surface:
    return chip(value_cents, diameter_px)


def chip_stack(values: tuple[int, ...], diameter_px: int) -> pygame.Surface:
    return chip(values[-1], diameter_px) if values else pygame.Surface((diameter_px, diameter_px), pygame.SRCALPHA)


def chip_ring(diameter_px: int) -> pygame.Surface:
    out = pygame.Surface((diameter_px, diameter_px), pygame.SRCALPHA)
    pygame.draw.circle(out, palette.LAMP, (diameter_px // 2, diameter_px // 2), diameter_px // 2, 3)
    return out


def break_into_chips(amount_cents: int, chip_values: Iterable[int]) -> tuple[int, ...]:
    """Greedy."""
    left, out = amount_cents, []
    for value in sorted(chip_values, reverse=True):
        count, left = divmod(left, value)
        out += [value] * count
    return tuple(out)

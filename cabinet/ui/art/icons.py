"""skeleton"""

import pygame
from cabinet.ui.art.palette import Colour


def icon(name: str, px: int, colour: Colour) -> pygame.Surface:
    out = pygame.Surface((px, px), pygame.SRCALPHA)
    pygame.draw.rect(out, colour, out.get_rect(), max(1, px // 12), border_radius=px // 6)
    return out

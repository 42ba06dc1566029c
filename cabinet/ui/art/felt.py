"""skeleton"""

import enum
import pygame
from cabinet.ui.art import palette
from cabinet.ui.art.cards import card_back
from cabinet.ui.art.fonts import Role, text


class CircleState(enum.Enum):
    """How a betting circle stands."""

    IDLE = "idle"
    OPEN = "open"
    CHOSEN = "chosen"


def felt(size: tuple[int, int], game_id: str) -> pygame.Surface:
    out = pygame.Surface(size)
    out.fill(palette.FELT[game_id].mid)
    return out


def arched_text(
    role: Role, px: int, string: str, colour: palette.Colour, radius_px: float, tracking: float = 0
) -> pygame.Surface:
    return text(role, px, string, colour, tracking=tracking).copy()


def bet_circle(diameter: int, state: CircleState = CircleState.IDLE) -> pygame.Surface:
    out = pygame.Surface((diameter, diameter), pygame.SRCALPHA)
    pygame.draw.circle(out, palette.BRASS, (diameter // 2, diameter // 2), diameter // 2, 2)
    return out


def rail(size: tuple[int, int]) -> pygame.Surface:
    out = pygame.Surface(size)
    out.fill(palette.RAIL.mid)
    return out


def pool_of_light(size: tuple[int, int]) -> pygame.Surface:
    out = pygame.Surface(size, pygame.SRCALPHA)
    pygame.draw.ellipse(out, (*palette.LAMP, 40), out.get_rect())
    return out


def top_bar(size: tuple[int, int]) -> pygame.Surface:
    out = pygame.Surface(size, pygame.SRCALPHA)
    out.fill((0, 0, 0, 87))
    return out


def shoe(height: int) -> pygame.Surface:
    return card_back(height)

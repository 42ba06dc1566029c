"""Grounds and lights: everything under or over other things that has no text.

Rules: cloth, shades, dialogs and pools of light fill the size asked for; costly pieces are drawn once and scaled to
other sizes. Does not know what is painted on them.
"""

from typing import Final

import pygame

from cabinet.ui.art.buttons import panel
from cabinet.ui.art.cards import card_back
from cabinet.ui.art.felt import felt, pool_of_light
from cabinet.ui.art.palette import Colour
from cabinet.ui.paint.pieces import Asset, Pile, Scaled, Stretched, piece

CLOTH_FINEST_PX: Final = 2560
"""Width above which a cloth is drawn at half the size."""
DIALOG_RATIO: Final = 0.4
"""Height over width of the panel from which the dialogs of a width are made."""
DIALOG_CAP: Final = 0.045
"""The height of its corner and edge, in its widths."""
LIGHT_PX: Final = 512


def cloth(size: tuple[int, int], game_id: str) -> pygame.Surface:
    """Returns the felt of the whole display, opaque.

    On very fine displays it is drawn at half the size and doubled: the weave is then as coarse to the eye as elsewhere,
    and drawing it does not hold up a press.
    """
    if size[0] <= CLOTH_FINEST_PX:
        return felt(size, game_id)
    return pygame.transform.smoothscale(felt((-(-size[0] // 2), -(-size[1] // 2)), game_id), size)


def veil(size: tuple[int, int], strength: int) -> pygame.Surface:
    """Returns a dark, even veil over the background; `strength` 0 to 255."""
    out = pygame.Surface(size)
    out.set_alpha(strength)
    return out


def shade(size: tuple[int, int], colour: Colour) -> pygame.Surface:
    """Returns a plain ground."""
    out = pygame.Surface(size)
    out.fill(colour)
    return out


def hairline(size: tuple[int, int], colour: Colour, strength: int) -> pygame.Surface:
    """Returns a thin line that shows the ground below; `strength` 0 to 255."""
    out = pygame.Surface(size, pygame.SRCALPHA)
    out.fill((*colour, strength))
    return out


def card_shade(high: int, strength: int) -> pygame.Surface:
    """Returns a shade in the shape of a card; `strength` 0 to 255."""
    out = card_back(high).copy()
    out.fill((0, 0, 0, strength), special_flags=pygame.BLEND_RGBA_MULT)
    return out


def dialog(size: tuple[int, int]) -> Asset:
    """Returns the opaque ground of a dialog; all dialogs of a width are made from one."""
    width, height = size
    drawn = (width, round(width * DIALOG_RATIO))
    ground = piece(panel, drawn)
    # The lacquer of a panel is slightly transparent: two layers are opaque.
    return Stretched(Pile(drawn, ((ground, 0, 0), (ground, 0, 0))), height, round(width * DIALOG_CAP))


def light(size: tuple[int, int]) -> Asset:
    """Returns a pool of light of any size, scaled from one."""
    return Scaled(piece(pool_of_light, (LIGHT_PX, LIGHT_PX)), size)

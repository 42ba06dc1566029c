"""The mouse pointer: the selected chip over a table that takes bets, else the system's arrow; none after a touch.

Rules: the pointer is the window system's own, so mouse movements cost no drawing. Does not know positions.
"""

from contextlib import suppress
from typing import Final

import pygame

from cabinet.ui.art.chips import chip
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.pieces import piece
from cabinet.ui.view import Scene, Screen

SIDE_PX: Final = 44


class Pointer:
    """Sets the pointer when the selected chip changes."""

    def __init__(self, assets: Assets) -> None:
        self._assets = assets
        self._shown: int | None = None

    def follow(self, screen: Screen) -> None:
        """Shows the chip that a click would place."""
        cents = chip_in_hand(screen)
        if cents == self._shown:
            return
        self._shown = cents
        # A display without a mouse has no pointer to set.
        with suppress(pygame.error):
            pygame.mouse.set_cursor(self._cursor(cents))

    def _cursor(self, cents: int | None) -> pygame.cursors.Cursor:
        if cents is None:
            return pygame.cursors.Cursor(pygame.SYSTEM_CURSOR_ARROW)
        picture = self._assets.get(piece(chip, cents, SIDE_PX))
        return pygame.cursors.Cursor((SIDE_PX // 2, SIDE_PX // 2), picture)

    def hide(self) -> None:
        """Hides the pointer after a touch."""
        pygame.mouse.set_visible(False)


def chip_in_hand(screen: Screen) -> int | None:
    """Returns the chip that a click on a place would place; None when it would place none."""
    if screen.scene is not Scene.TABLE or screen.overlay is not None or screen.animating or screen.table is None:
        return None
    if not any(place.bettable for place in screen.table.places):
        return None
    return next((view.cents for view in screen.rail.chips if view.raised), None)

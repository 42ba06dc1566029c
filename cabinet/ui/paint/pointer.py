"""The mouse pointer: the chip in hand over a table that takes bets, else the system's arrow; none after a touch.

Rules: the pointer is the window system's own, so that following the mouse costs no drawing. Does not know positions.
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
    """Sets the pointer when the chip in hand changes."""

    def __init__(self, assets: Assets) -> None:
        self._assets = assets
        self._shown: int | None = None

    def follow(self, screen: Screen) -> None:
        """Show the chip that a click would lay."""
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
        """A finger was used: no pointer."""
        pygame.mouse.set_visible(False)


def chip_in_hand(screen: Screen) -> int | None:
    """The chip that a click on a place would lay; None when it would lay none."""
    if screen.scene is not Scene.TABLE or screen.overlay is not None or screen.animating or screen.table is None:
        return None
    if not any(place.bettable for place in screen.table.places):
        return None
    return next((view.cents for view in screen.rail.chips if view.raised), None)

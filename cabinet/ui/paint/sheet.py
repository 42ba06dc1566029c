"""Collects blits: puts assets into the rooms of the layout.

Rules: later blits cover earlier ones; positions are whole pixels; texts are centred by their capitals, so that they
look centred. Does not know Screens.
"""

from typing import Final

import pygame

from cabinet.text.typefaces import Role
from cabinet.ui.art import palette
from cabinet.ui.art.fonts import figure, figures_width, line_height, set_figures
from cabinet.ui.art.palette import Colour
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.lettering import LEADING, amount, amount_px, drop_of, line, set_paragraphs
from cabinet.ui.paint.pieces import Asset, Blit, piece

LEFT: Final = 0.0
MIDDLE: Final = 0.5
RIGHT: Final = 1.0


class Sheet:
    """Collects blits; gets the sizes of assets."""

    def __init__(self, assets: Assets) -> None:
        self.assets = assets
        self.blits: list[Blit] = []
        self.surfaces: list[pygame.Surface] = []

    def size_of(self, asset: Asset) -> tuple[int, int]:
        """Returns the size of an asset."""
        return self.assets.get(asset).get_size()

    def put(self, asset: Asset, x: int, y: int) -> None:
        """Adds an asset at its upper left corner."""
        self._add(asset, self.assets.get(asset), x, y)

    def place(
        self, asset: Asset, room: Rect, across: float = MIDDLE, down: float = MIDDLE, *, drop: float = 0.0
    ) -> None:
        """Adds an asset in a room: `across` and `down` are the shares of the free space left of it and above it.

        `drop` moves it down by that share of its own height.
        """
        surface = self.assets.get(asset)
        w, h = surface.get_size()
        x, y = room.x + round((room.w - w) * across), room.y + round((room.h - h) * down + h * drop)
        self._add(asset, surface, x, y)

    def _add(self, asset: Asset, surface: pygame.Surface, x: int, y: int) -> None:
        self.blits.append(Blit(asset, x, y, *surface.get_size()))
        self.surfaces.append(surface)

    def words(
        self,
        role: Role,
        px: int,
        words: str,
        room: Rect,
        *,
        colour: Colour = palette.CREAM,
        across: float = MIDDLE,
        tracking: float = 0,
    ) -> None:
        """Adds one line of text in a room, in the middle of its height; nothing for an empty text."""
        if words:
            self.place(
                piece(line, role, px, words, colour, (room.w, room.h), tracking), room, across, drop=drop_of(role)
            )

    def figures(
        self, px: int, words: str, room: Rect, *, colour: Colour = palette.CREAM, across: float = RIGHT
    ) -> None:
        """Adds an amount in a room."""
        if words:
            self.place(piece(amount, px, words, colour, room.w), room, across, drop=drop_of(Role.FIGURES))

    def counted(self, px: int, words: str, room: Rect, *, colour: Colour = palette.CREAM) -> None:
        """Adds an amount that changes often, at the right of a room, figure by figure: each is drawn once for all
        amounts.

        Looks the same as `figures`.
        """
        size = amount_px(px, words, room.w)
        high = line_height(Role.FIGURES, size)
        left = room.x + round(room.w - figures_width(size, words))
        top = room.y + round((room.h - high) * MIDDLE + high * drop_of(Role.FIGURES))
        for character, shift, x in set_figures(size, words):
            self.put(piece(figure, size, character, shift, colour), left + x, top)

    def paragraphs(
        self,
        role: Role,
        px: int,
        paragraphs: tuple[str, ...],
        room: Rect,
        *,
        colour: Colour = palette.CREAM,
        across: float = MIDDLE,
        down: float = MIDDLE,
        gap_em: float = 0.0,
    ) -> tuple[Rect, ...]:
        """Adds broken text in a room, all of it; returns the rectangle of the first line of each paragraph."""
        found = set_paragraphs(role, px, paragraphs, (room.w, room.h), gap_em)
        pitch = found.px * LEADING
        high = pitch * len(found.lines) + found.px * gap_em * max(0, len(paragraphs) - 1)
        y = room.y + (room.h - high) * down
        heads = []
        for number, (words, first) in enumerate(found.lines):
            y += found.px * gap_em if first and number else 0
            box = Rect(room.x, round(y), room.w, round(pitch))
            self.words(role, found.px, words, box, colour=colour, across=across)
            if first:
                heads.append(box)
            y += pitch
        return tuple(heads)

"""Makes surfaces and keeps them, within a budget.

Rules: a surface is in the display's own format, so that a blit is a copy. A surface is never both per-pixel and
whole-surface transparent. Pinned surfaces (prepared for play) stay; of the rest the least recently used goes first when
the budget is exceeded. A surface belongs to the cache and must not be changed.

Memory: `budget_for` gives the limit of a display. At 1920 x 1080 the prepared surfaces take about 180 MiB once all
three tables were used (a pack of cards in all sizes 52, its turning cards 45, each of three cloths 8), at 3840 x 2160
four times that. At any size they take at most three quarters of the budget; the rest is for texts and rare assets. Does
not know the use of a surface.
"""

from collections import OrderedDict
from typing import Final, assert_never

import numpy as np
import pygame

from cabinet.ui.art.tally import DRAWN
from cabinet.ui.paint.pieces import Asset, Faded, Piece, Pile, Scaled, Shaded, Stretched

BYTES_PER_PIXEL: Final = 4
BASE_BYTES: Final = 32 * 2**20
RUNS_SHARE: Final = 0.3
"""The share of clear and opaque pixels from which a surface is faster in runs."""
NEARLY_OPAQUE: Final = 252
SCREENS: Final = 31
"""Surfaces as large as the display that may be kept, besides `BASE_BYTES`."""


def budget_for(size: tuple[int, int]) -> int:
    """Returns the bytes of surfaces allowed for a display of `size` pixels: 277 MiB at 1920 x 1080, 1013 at 3840 x
    2160."""
    return BASE_BYTES + SCREENS * size[0] * size[1] * BYTES_PER_PIXEL


class Assets:
    """The surfaces in use. Needs a display mode, whose format the surfaces take."""

    def __init__(self, budget_bytes: int) -> None:
        self._budget_bytes = budget_bytes
        self._kept: OrderedDict[Asset, pygame.Surface] = OrderedDict()
        self._pinned: dict[Asset, pygame.Surface] = {}
        self._bytes = 0
        self._target: pygame.Surface | None = None
        self.made = 0
        """Surfaces made since the start."""

    @property
    def used_bytes(self) -> int:
        """Bytes of all kept surfaces."""
        return self._bytes

    def get(self, asset: Asset) -> pygame.Surface:
        """Returns the surface of an asset; makes it when it is missing."""
        pinned = self._pinned.get(asset)
        if pinned is not None:
            return pinned
        surface = self._kept.get(asset)
        if surface is None:
            return self._keep(asset)
        self._kept.move_to_end(asset)
        return surface

    def pin(self, asset: Asset) -> bool:
        """Prepares an asset and keeps it for good; returns False when it was there already."""
        if asset in self._pinned:
            return False
        fresh = asset not in self._kept
        if isinstance(asset, Scaled | Stretched):
            # Its source serves other sizes as well.
            self.pin(asset.of)
        surface = self._pinned[asset] = self.get(asset)
        self._kept.pop(asset, None)
        if self._target is not None:
            _keep_in_runs(surface, self._target)
        return fresh

    def aim_at(self, target: pygame.Surface) -> None:
        """Sets the surface to paint on: later pinned surfaces get a format for it."""
        self._target = target

    def _keep(self, asset: Asset) -> pygame.Surface:
        surface = _converted(self._made(asset))
        self.made += 1
        self._kept[asset] = surface
        self._bytes += _bytes_of(surface)
        while self._bytes > self._budget_bytes and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= _bytes_of(oldest)
        return surface

    def _made(self, asset: Asset) -> pygame.Surface:
        match asset:
            case Piece(make=make, args=args, options=options):
                return make(*args, **dict(options))
            case Scaled(of=of, size=size):
                DRAWN.count += 1
                return _solid(pygame.transform.smoothscale(self._plain(of), size))
            case Shaded(of=of, level=level):
                return _multiplied(self._plain(of), (level, level, level, 255))
            case Faded(of=of, level=level):
                return _multiplied(self._plain(of), (255, 255, 255, level))
            case Stretched(of=of, height=height, cap=cap):
                return _stretched(self._plain(of), height, min(cap, height // 2))
            case Pile(size=size, parts=parts):
                return self._piled(size, parts)
            case _:
                assert_never(asset)

    def _piled(self, size: tuple[int, int], parts: tuple[tuple[Asset, int, int], ...]) -> pygame.Surface:
        ground = pygame.Surface(size, pygame.SRCALPHA)
        ground.blits([(self._plain(part), (x, y)) for part, x, y in parts])
        return ground

    def _plain(self, asset: Asset) -> pygame.Surface:
        """Returns a surface as the source of another asset: SDL blits a surface in runs on any ground as if that were
        opaque."""
        surface = self.get(asset)
        if not surface.get_flags() & pygame.RLEACCEL:
            return surface
        pixels = pygame.image.tobytes(surface, "RGBA")
        return pygame.image.frombytes(pixels, surface.get_size(), "RGBA").convert_alpha()


def _solid(surface: pygame.Surface) -> pygame.Surface:
    """Returns a scaled surface whose opaque pixels are opaque again: scaling leaves them a step or two below."""
    if surface.get_flags() & pygame.SRCALPHA:
        alpha = pygame.surfarray.pixels_alpha(surface)
        alpha[alpha >= NEARLY_OPAQUE] = 255
    return surface


def _stretched(surface: pygame.Surface, height: int, cap: int) -> pygame.Surface:
    DRAWN.count += 1
    width, full = surface.get_size()
    out = pygame.Surface((width, height), pygame.SRCALPHA)
    middle = surface.subsurface((0, cap, width, full - 2 * cap))
    out.blit(surface, (0, 0), (0, 0, width, cap))
    out.blit(surface, (0, height - cap), (0, full - cap, width, cap))
    if height > 2 * cap:
        out.blit(pygame.transform.smoothscale(middle, (width, height - 2 * cap)), (0, cap))
    return out


def _multiplied(surface: pygame.Surface, factor: tuple[int, int, int, int]) -> pygame.Surface:
    DRAWN.count += 1
    out = surface.copy()
    out.fill(factor, special_flags=pygame.BLEND_RGBA_MULT)
    return out


def _keep_in_runs(surface: pygame.Surface, target: pygame.Surface) -> None:
    """Makes SDL keep a surface in runs of clear and of opaque pixels, where these are most: it skips and copies them
    then instead of blending. SDL does this at the first blit on the target, so that blit is done here, unseen."""
    if not surface.get_flags() & pygame.SRCALPHA:
        return
    alpha = pygame.surfarray.array_alpha(surface)
    if np.count_nonzero((alpha == 0) | (alpha == 255)) < RUNS_SHARE * alpha.size:
        return
    surface.set_alpha(255, pygame.RLEACCEL)
    was = target.get_at((0, 0))
    target.blit(surface, (0, 0), (0, 0, 1, 1))
    target.set_at((0, 0), was)


def _converted(surface: pygame.Surface) -> pygame.Surface:
    return surface.convert_alpha() if surface.get_flags() & pygame.SRCALPHA else surface.convert()


def _bytes_of(surface: pygame.Surface) -> int:
    return surface.get_width() * surface.get_height() * BYTES_PER_PIXEL

"""What can be put on the screen, as values: assets by recipe, and blits of them.

Rules: an asset is named by how it is made, so two equal assets look the same and are kept once; a blit is an asset at
its upper left corner with the size it has. These are plain tuples, so that they are found quickly; `how` keeps tuples
of the same shape apart. A section is blits that are put together, and what has to be known of them in every frame,
found once. Does not make or keep surfaces.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

import pygame


class Piece(NamedTuple):
    """A surface that a function draws from plain values."""

    make: Callable[..., pygame.Surface]
    args: tuple[Hashable, ...]
    options: tuple[tuple[str, Hashable], ...] = ()


class Scaled(NamedTuple):
    """Another asset, brought to a size in pixels."""

    of: "Asset"
    size: tuple[int, int]


class Shaded(NamedTuple):
    """Another asset, darker: `level` 0 (black) to 255 (as it is)."""

    of: "Asset"
    level: int
    how: str = "shaded"


class Faded(NamedTuple):
    """Another asset, more transparent: `level` 0 (gone) to 255 (as it is)."""

    of: "Asset"
    level: int
    how: str = "faded"


class Stretched(NamedTuple):
    """Another asset at another height: its upper and lower `cap` pixels as they are, what is between them stretched."""

    of: "Asset"
    height: int
    cap: int


class Pile(NamedTuple):
    """Assets on top of one another, each at its offset, on a clear ground of the size given."""

    size: tuple[int, int]
    parts: tuple[tuple["Asset", int, int], ...]


Asset = Piece | Scaled | Shaded | Faded | Stretched | Pile


class Blit(NamedTuple):
    """An asset on the screen; `w` and `h` are its size."""

    asset: Asset
    x: int
    y: int
    w: int
    h: int


def piece(make: Callable[..., pygame.Surface], *args: Hashable, **options: Hashable) -> Piece:
    """The asset that `make(*args, **options)` draws. `make` must be a plain function and always draw the same."""
    return Piece(make, args, tuple(sorted(options.items())))


class Section:
    """Blits that come and go together, in the order of painting. Must not be changed."""

    __slots__ = ("_covers", "_draws", "_rects", "blits", "bounds", "name", "placed")

    def __init__(self, name: str, blits: Sequence[Blit], surfaces: Sequence[pygame.Surface]) -> None:
        """`surfaces` are those of the blits' assets, one for each."""
        self.name = name
        self.blits = tuple(blits)
        self._rects = [pygame.Rect(blit.x, blit.y, blit.w, blit.h) for blit in blits]
        self._draws = [(surface, (blit.x, blit.y)) for blit, surface in zip(blits, surfaces, strict=True)]
        self.bounds = self._rects[0].unionall(self._rects[1:]) if blits else pygame.Rect(0, 0, 0, 0)
        """The least rectangle that holds everything."""
        self._covers = [number for number, surface in enumerate(surfaces) if _is_opaque(surface)]
        self.placed: dict[Hashable, pygame.Rect] = {}
        """Where each surface lies, by surface and corner."""
        for draw, rect in zip(self._draws, self._rects, strict=True):
            key: Hashable = draw
            while key in self.placed:
                # The very same once more on top of itself.
                key = (key,)
            self.placed[key] = rect

    def differing(self, other: "Section") -> Iterator[pygame.Rect]:
        """Where the two show something else: what only one of them has, and what lies in another order."""
        mine, others = self.placed, other.placed
        for key in mine.keys() ^ others.keys():
            yield mine[key] if key in mine else others[key]
        before = [key for key in mine if key in others]
        after = [key for key in others if key in mine]
        if before != after:
            yield from (mine[key] for key, later in zip(before, after, strict=True) if key != later)

    def everything(self) -> Iterator[pygame.Rect]:
        """Where anything is."""
        return iter(self._rects)

    def draws_in(self, region: pygame.Rect) -> tuple[list[tuple[pygame.Surface, tuple[int, int]]], bool]:
        """What shows something of a region, lowest first, and whether it hides all that lies below."""
        hit = region.collidelistall(self._rects)
        for number in reversed(self._covers):
            if self._rects[number].contains(region):
                return [self._draws[n] for n in hit if n >= number], True
        return [self._draws[n] for n in hit], False


def _is_opaque(surface: pygame.Surface) -> bool:
    """True when nothing shows through."""
    return not surface.get_flags() & pygame.SRCALPHA and surface.get_alpha() in {None, 255}

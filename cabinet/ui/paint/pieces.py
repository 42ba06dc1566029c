"""The contents of the screen as values: assets by recipe, and blits of them.

Rules: an asset is named by how it is made, so two equal assets look the same and are kept once. A blit is an asset at
its upper left corner with its size. These are plain tuples, so that they are found quickly; `how` distinguishes tuples
of the same shape. A section is a group of blits, with facts about them that every frame needs, computed once. Does not
make or keep surfaces.
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
    """Another asset, scaled to a size in pixels."""

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
    """Another asset at another height: its upper and lower `cap` pixels unchanged, the part between them stretched."""

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
    """Returns the asset that `make(*args, **options)` draws. `make` must be a plain function that always draws the
    same."""
    return Piece(make, args, tuple(sorted(options.items())))


class Section:
    """Blits that appear and disappear together, in the order of painting. Must not be changed."""

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
        """The rectangle of each surface, by surface and corner."""
        for draw, rect in zip(self._draws, self._rects, strict=True):
            key: Hashable = draw
            while key in self.placed:
                # The same surface once more on top of itself.
                key = (key,)
            self.placed[key] = rect

    def differing(self, other: "Section") -> Iterator[pygame.Rect]:
        """Yields where the two differ: blits that only one of them has, and blits in another order."""
        mine, others = self.placed, other.placed
        for key in mine.keys() ^ others.keys():
            yield mine[key] if key in mine else others[key]
        before = [key for key in mine if key in others]
        after = [key for key in others if key in mine]
        if before != after:
            yield from (mine[key] for key, later in zip(before, after, strict=True) if key != later)

    def everything(self) -> Iterator[pygame.Rect]:
        """Yields the rectangles of all blits."""
        return iter(self._rects)

    def draws_in(self, region: pygame.Rect) -> tuple[list[tuple[pygame.Surface, tuple[int, int]]], bool]:
        """Returns the blits in a region, lowest first, and whether they hide everything below."""
        hit = region.collidelistall(self._rects)
        for number in reversed(self._covers):
            if self._rects[number].contains(region):
                return [self._draws[n] for n in hit if n >= number], True
        return [self._draws[n] for n in hit], False


def _is_opaque(surface: pygame.Surface) -> bool:
    """Returns True when nothing shows through."""
    return not surface.get_flags() & pygame.SRCALPHA and surface.get_alpha() in {None, 255}

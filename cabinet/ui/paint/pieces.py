"""What can be put on the screen, as values: assets by recipe, and blits of them.

Rules: an asset is named by how it is made, so two equal assets look the same and are kept once; a blit is an asset at
its upper left corner with the size it has. These are plain tuples, because hundreds are compared in every frame; `how`
keeps tuples of the same shape apart. Does not make or keep anything.
"""

from collections.abc import Callable, Hashable
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

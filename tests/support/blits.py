"""What a list of blits says and shows."""

from collections.abc import Callable, Iterable, Iterator

import pygame

from cabinet.ui.art.fonts import figure
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.compose import Composer
from cabinet.ui.paint.pieces import Asset, Blit, Faded, Piece, Pile, Scaled, Shaded, Stretched
from cabinet.ui.view import Screen


def composed(screen: Screen, size: tuple[int, int], assets: Assets) -> tuple[Blit, ...]:
    """The blits of a screen."""
    sections = Composer(assets).compose(screen, layout(size, screen)).sections
    return tuple(blit for section in sections for blit in section.blits)


def pieces_of(asset: Asset) -> Iterator[Piece]:
    """The pieces an asset is made from."""
    match asset:
        case Piece():
            yield asset
        case Scaled(of=of) | Shaded(of=of) | Faded(of=of) | Stretched(of=of):
            yield from pieces_of(of)
        case Pile(parts=parts):
            for part, _, _ in parts:
                yield from pieces_of(part)


def words_of(blit: Blit) -> tuple[str, ...]:
    """Every word or figure that a blit shows."""
    return tuple(arg for piece in pieces_of(blit.asset) for arg in piece.args if isinstance(arg, str))


def all_words(blits: Iterable[Blit]) -> set[str]:
    """Everything that can be read, amounts put together from their figures."""
    found: set[str] = set()
    amount, before = "", None
    for blit in blits:
        found.update(words_of(blit))
        if is_figure(blit):
            goes_on = before is not None and blit.y == before.y and 0 < blit.x - before.x < before.w + before.h // 2
            amount, before = f"{amount if goes_on else ''}{words_of(blit)[0]}", blit
            found.add(amount)
        else:
            before = None
    return found


def is_figure(blit: Blit) -> bool:
    """True for a single figure of an amount."""
    return isinstance(blit.asset, Piece) and blit.asset.make is figure


def showing(blits: Iterable[Blit], make: Callable[..., pygame.Surface], *args: object) -> list[Blit]:
    """The blits of pieces that `make` draws, with these first arguments."""
    return [
        blit
        for blit in blits
        if any(piece.make is make and piece.args[: len(args)] == args for piece in pieces_of(blit.asset))
    ]


def box_of(blit: Blit) -> Rect:
    """Where a blit is."""
    return Rect(blit.x, blit.y, blit.w, blit.h)


def ink_of(blit: Blit, assets: Assets) -> Rect:
    """Where something of a blit can be seen; a line of words has room above and below for accents."""
    x, y, w, h = assets.get(blit.asset).get_bounding_rect()
    return Rect(blit.x + x, blit.y + y, w, h)

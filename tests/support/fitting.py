"""How large every word on a screen is set, and whether it has the room it needs: measured with the fonts themselves.

Reads off the blits what is to be drawn and draws nothing.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import pygame
from support.blits import composed, pieces_of

from cabinet.text.typefaces import Role
from cabinet.ui.art.buttons import (
    _ROOM,
    SOFT_ROOM,
    banner_type_px,
    banner_width,
    legend_type_px,
    plaque_type_px,
    tag_type_px,
    tag_width,
)
from cabinet.ui.art.fonts import figures_width, fitting_px, text_width
from cabinet.ui.layout.screen import Layout, layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.keys import (
    KEY_ROOM,
    LOWEST_PILL_PX,
    key,
    key_role,
    key_type_px,
    printed,
    result,
    result_size,
    tag,
    total,
)
from cabinet.ui.paint.lettering import amount, amount_px, line
from cabinet.ui.paint.pieces import Asset, Piece
from cabinet.ui.view import Kind, Scene, Screen, Slot


class Set(NamedTuple):
    """Words as they are set: type size and how much of the width that they have they take (more than 1: cut)."""

    kind: str
    words: str
    asked_px: int
    px: int
    share: float


class Undrawn(Assets):
    """Assets of no size, since only what is written on them is asked for."""

    def get(self, asset: Asset) -> pygame.Surface:
        return pygame.Surface((1, 1))


def words_set(screen: Screen, size: tuple[int, int]) -> Iterator[Set]:
    """Everything that is written on a screen."""
    for blit in composed(screen, size, Undrawn(0)):
        for piece in pieces_of(blit.asset):
            yield from _set(piece)
    if screen.scene is not Scene.AUDIT:
        yield from _amounts(screen, layout(size, screen))


def _amounts(screen: Screen, where: Layout) -> Iterator[Set]:
    """The amounts that are put together from figures."""
    shown = [(meter.value, Kind.METER_VALUE, nth) for nth, meter in enumerate(screen.rail.meters)]
    credits_ = [(meter.credits, Kind.CREDITS, nth) for nth, meter in enumerate(screen.rail.meters)]
    for words, kind, nth in (*shown, *credits_):
        if words:
            yield _amount(where.text_px(kind), words, where.rect(Slot(kind, nth=nth)).w)


def _amount(px: int, words: str, wide: int) -> Set:
    size = amount_px(px, words, wide)
    return Set("amount", words, px, size, figures_width(size, words) / wide)


@lru_cache(maxsize=4096)
def _set(piece: Piece) -> tuple[Set, ...]:
    return tuple(_measured(piece))


def _measured(piece: Piece) -> Iterator[Set]:
    args: tuple[Any, ...] = piece.args
    if piece.make is line:
        role, px, words, _, room, tracking = args
        yield _line("line", role, px, words, room, tracking)
    elif piece.make is amount:
        px, words, _, wide = args
        yield _amount(px, words, wide)
    elif piece.make is key:
        yield from _key(*args[:3])
    elif piece.make in {result, tag}:
        yield _pill(piece)
    elif piece.make is total and args[2]:
        diameter, _, word = args
        yield _line(
            "soft", Role.FIGURES, plaque_type_px(diameter)[2], word, (round(diameter * SOFT_ROOM), diameter), 0.0
        )
    elif piece.make is printed:
        px, words, _, half, _, tracking = args
        yield _line("printed", Role.TITLE, px, words, (2 * half, 10_000), tracking)


def _line(kind: str, role: Role, px: int, words: str, room: tuple[int, int], tracking: float) -> Set:
    size = fitting_px(role, px, words, room, tracking=tracking)
    return Set(kind, words, px, size, text_width(role, size, words, tracking=tracking * size) / room[0])


def _key(size: tuple[int, int], word: str, second: str) -> Iterator[Set]:
    width, height = size
    bold = Role.TEXT_BOLD
    if second:
        room = (round(width * KEY_ROOM), height)
        first_px, second_px = key_type_px(height)
        yield _line("key", key_role(first_px, word, room[0]), first_px, word, room, 0.03)
        yield _line("second", key_role(second_px, second, room[0]), second_px, second, room, 0.0)
        return
    margin = max(2.0, height * 0.09)
    room = (round((width - 2 * margin) * _ROOM), round((height - 2 * margin) * 0.7))
    px = legend_type_px(height)
    one = _line("key", bold, px, word, room, 0.015)
    if " " in word:
        middle = min((i for i, c in enumerate(word) if c == " "), key=lambda i: abs(i - len(word) / 2))
        halves = (
            _line("key", bold, px, part, (room[0], room[1] // 2), 0.03) for part in (word[:middle], word[middle:])
        )
        one = max(one, min(halves, key=lambda half: half.px), key=lambda found: found.px)
    yield one


def _pill(piece: Piece) -> Set:
    args: tuple[Any, ...] = piece.args
    words, room = args[:2]
    if piece.make is result:
        high, narrow = result_size(words, room)
        px, long = banner_type_px(high), banner_width(words, high, narrow=narrow)
        return Set("result", words, banner_type_px(room[1]), px, long / room[0])
    high = next((at for at in range(room[1], LOWEST_PILL_PX, -1) if tag_width(words, at) <= room[0]), LOWEST_PILL_PX)
    return Set("tag", words, tag_type_px(room[1]), tag_type_px(high), tag_width(words, high) / room[0])

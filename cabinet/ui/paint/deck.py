"""Which prepared card is shown at a height, and how a card looks while it turns over.

Rules: cards are drawn at a few heights only (`heights_for`); one that lies between is brought down from the next larger
of the same way of drawing. A height that misses a prepared one by a pixel uses it as it is, so that it stays sharp.
"""

from functools import lru_cache
from math import cos, pi
from typing import Final

from cabinet.engine.cards import Card, rank_of, suit_of
from cabinet.ui.art.cards import SMALL_PX, card_back, card_face, card_size
from cabinet.ui.layout_bands import bands_of
from cabinet.ui.layout_felt import dealer_card_h
from cabinet.ui.layout_hands import card_h
from cabinet.ui.paint.pieces import Asset, Scaled, piece

STEP: Final = 0.86
"""Each further height is this share of the one before."""
LOWEST_PX: Final = 28
NEAR_PX: Final = 1
TURNING: Final = (0.3, 0.6, 0.85)
"""The widths at which a card is shown while it turns over, in its own; a frame takes the next wider one."""


@lru_cache(maxsize=8)
def heights_for(size: tuple[int, int]) -> tuple[int, ...]:
    """The heights in pixels at which cards are prepared for a display: those at rest first, then the steps down."""
    bands = bands_of(size)
    at_rest = tuple(
        round(high(bands, alone=alone) * bands.unit) for alone in (False, True) for high in (card_h, dealer_card_h)
    )
    large = _steps_down(max(at_rest), SMALL_PX)
    small = _steps_down(min(SMALL_PX - 1, max(at_rest)), LOWEST_PX)
    return tuple(dict.fromkeys((*at_rest, *large, *small)))


def _steps_down(top: int, lowest: int) -> tuple[int, ...]:
    heights = []
    while top > lowest:
        heights.append(top)
        top = round(top * STEP)
    return (*heights, lowest)


@lru_cache(maxsize=512)
def nearest(high: int, heights: tuple[int, ...]) -> int:
    """The prepared height for a card `high` pixels high: one a pixel away, or the next larger drawn the same way."""
    same = [h for h in heights if (h < SMALL_PX) == (high < SMALL_PX)] or [high]
    close = [h for h in same if abs(h - high) <= NEAR_PX]
    larger = [h for h in same if h > high]
    if close:
        return min(close, key=lambda h: abs(h - high))
    return min(larger) if larger else high


def card_asset(
    card: Card | None, high: int, heights: tuple[int, ...], *, turn: float = 1.0, four_colour: bool = False
) -> tuple[Asset, tuple[int, int]]:
    """The asset of a card `high` pixels high, and its size; narrower while it turns (see `CardView.turn`)."""
    prepared = nearest(high, heights)
    face_up = card is not None and turn >= 0.5
    asset: Asset = piece(card_back, prepared)
    if card is not None and face_up:
        asset = face_of(card, prepared, four_colour=four_colour)
    size = card_size(prepared if abs(prepared - high) <= NEAR_PX else high)
    size = (turning_width(size[0], turn), size[1])
    if size != card_size(prepared):
        asset = Scaled(asset, size)
    return asset, size


def turning_width(wide: int, turn: float) -> int:
    """The width of a card `wide` pixels wide while it turns over (see `CardView.turn`)."""
    share = abs(cos(pi * turn))
    return next((max(2, round(wide * step)) for step in TURNING if share <= step), wide)


def turning_sizes(high: int) -> tuple[tuple[int, int], ...]:
    """The sizes that a card of a prepared height takes while it turns over."""
    full = card_size(high)
    return tuple((max(2, round(full[0] * step)), full[1]) for step in TURNING)


def face_of(card: Card, high: int, *, four_colour: bool) -> Asset:
    """The face of a card as drawn at a height."""
    return piece(card_face, rank_of(card), suit_of(card), high, four_colour=four_colour)

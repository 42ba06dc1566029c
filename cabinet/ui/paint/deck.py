"""The prepared card for a height, and the look of a card that turns over.

Rules: cards are drawn at a few heights only (`heights_for`); a height in between is scaled down from the next larger
one with the same way of drawing. A height within a pixel of a prepared one uses it unscaled, so that it stays sharp.
"""

from math import cos, pi
from typing import Final

from cabinet.engine.cards import Card, rank_of, suit_of
from cabinet.ui.art.cards import card_back, card_face, card_size
from cabinet.ui.layout.bands import bands_of
from cabinet.ui.layout.felt import dealer_card_h
from cabinet.ui.layout.hands import card_px, lower_heights
from cabinet.ui.paint.pieces import Asset, Scaled, piece
from cabinet.ui.shapes import SMALL_CARD_PX

NEAR_PX: Final = 1
TURNING: Final = (0.3, 0.6, 0.85)
"""The widths of a card that turns over, as shares of its own; a frame takes the next wider one."""
TURNING_SMALL: Final = (0.5,)
"""The same for a card that is smaller than wanted, on a crowded table."""
AT_REST: Final = 4
"""How many of `heights_for` belong to cards at rest where there is room."""


def heights_for(size: tuple[int, int]) -> tuple[int, ...]:
    """Returns the heights in pixels of prepared cards for a display: those at rest first, then the steps down."""
    bands = bands_of(size)
    at_rest = tuple(
        high
        for alone in (False, True)
        for high in (card_px(bands, alone=alone), round(dealer_card_h(bands, alone=alone) * bands.unit))
    )
    return tuple(dict.fromkeys((*at_rest, *lower_heights(bands))))


def nearest(high: int, heights: tuple[int, ...]) -> int:
    """Returns the prepared height for a card `high` pixels high: one a pixel away, or the next larger drawn the same
    way."""
    same = [h for h in heights if (h < SMALL_CARD_PX) == (high < SMALL_CARD_PX)] or [high]
    close = [h for h in same if abs(h - high) <= NEAR_PX]
    larger = [h for h in same if h > high]
    if close:
        return min(close, key=lambda h: abs(h - high))
    return min(larger) if larger else high


def card_asset(
    card: Card | None, high: int, heights: tuple[int, ...], *, turn: float = 1.0, four_colour: bool = False
) -> tuple[Asset, tuple[int, int]]:
    """Returns the asset of a card `high` pixels high, and its size; narrower while it turns (see `CardView.turn`)."""
    prepared = nearest(high, heights)
    face_up = card is not None and turn >= 0.5
    asset: Asset = piece(card_back, prepared)
    if card is not None and face_up:
        asset = face_of(card, prepared, four_colour=four_colour)
    size = card_size(prepared if abs(prepared - high) <= NEAR_PX else high)
    size = (turning_width(size[0], turn, _steps(prepared, heights)), size[1])
    if size != card_size(prepared):
        asset = Scaled(asset, size)
    return asset, size


def _steps(high: int, heights: tuple[int, ...]) -> tuple[float, ...]:
    return TURNING if high in heights[:AT_REST] else TURNING_SMALL


def turning_width(wide: int, turn: float, steps: tuple[float, ...] = TURNING) -> int:
    """Returns the width of a card `wide` pixels wide while it turns over (see `CardView.turn`)."""
    share = abs(cos(pi * turn))
    return next((max(2, round(wide * step)) for step in steps if share <= step), wide)


def turning_sizes(high: int, heights: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Returns the sizes that a card of a prepared height takes while it turns over."""
    full = card_size(high)
    return tuple((max(2, round(full[0] * step)), full[1]) for step in _steps(high, heights))


def face_of(card: Card, high: int, *, four_colour: bool) -> Asset:
    """Returns the face of a card for a height."""
    return piece(card_face, rank_of(card), suit_of(card), high, four_colour=four_colour)

"""Measures of cards and chips, shared by the scenes, the layout and the painting. Does not know any of these."""

from typing import Final

CARD_RATIO: Final = 5 / 7
"""A card's width over its height."""
SMALL_CARD_PX: Final = 100
"""Height in pixels below which a card's face is simplified: its index is large, so more of it must stay visible."""
MOST_IN_STACK: Final = 5
"""Chips of a stack that can be distinguished; above that only the figure beside it gives the amount."""

"""What things of the table measure, for those who choose them, lay them out and draw them alike. Does not know how."""

from typing import Final

CARD_RATIO: Final = 5 / 7
"""A card's width over its height."""
SMALL_CARD_PX: Final = 100
"""Height in pixels below which a card's face is simplified: its index is large, so more of it must stay in view."""
MOST_IN_STACK: Final = 5
"""So many chips of a stack can be read; then the figure beside it speaks."""

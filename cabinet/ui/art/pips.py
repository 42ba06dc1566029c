"""The signs of the four suits; spades, hearts, diamonds, clubs are 0 to 3.

Rules: a sign is as high as its square, with its optical middle in the middle. Does not know cards.
"""

from typing import Final

from cabinet.ui.art.palette import Colour
from cabinet.ui.art.pictures import drawing, in_one_colour

SPADES: Final = 0
HEARTS: Final = 1
DIAMONDS: Final = 2
CLUBS: Final = 3

SUITS: Final = ("spades", "hearts", "diamonds", "clubs")
UNITS: Final = 100
"""The height of a sign in the units of its file."""


def pip(suit: int, colour: Colour, at: tuple[float, float], height: float, *, turned: bool = False) -> str:
    """Returns the drawing of a suit's sign, `height` units high with its middle at `at`."""
    return in_one_colour(drawing(f"cards/{SUITS[suit]}", at=at, scale=height / UNITS, turned=turned), colour)

"""The four suits as contours in a square of one unit, middle at the origin; spades, hearts, diamonds, clubs are 0 to 3.

Rules: a contour fills its square's height; the optical middle lies on the origin. Knows no colours and no cards.
"""

from functools import lru_cache
from typing import Final

from cabinet.ui.art.vector import Points, both_sides, ellipse, path

SPADES: Final = 0
HEARTS: Final = 1
DIAMONDS: Final = 2
CLUBS: Final = 3

_SPADE: Final = (
    "M 0 -0.5 C 0.1 -0.32 0.43 -0.15 0.43 0.12 C 0.43 0.29 0.31 0.36 0.21 0.36 C 0.13 0.36 0.07 0.33 0.035 0.27 "
    "C 0.045 0.38 0.08 0.46 0.2 0.5 L 0 0.5"
)
_HEART: Final = (
    "M 0 -0.27 C 0.04 -0.4 0.13 -0.47 0.24 -0.47 C 0.38 -0.47 0.47 -0.36 0.47 -0.22 C 0.47 0.06 0.13 0.25 0 0.5"
)
_DIAMOND: Final = "M 0 -0.5 C 0.1 -0.31 0.25 -0.13 0.39 0 C 0.25 0.13 0.1 0.31 0 0.5"
_CLUB_STEM: Final = "M 0 -0.1 L 0.07 0.02 L 0.035 0.2 C 0.045 0.36 0.09 0.46 0.2 0.5 L 0 0.5"


@lru_cache(maxsize=4)
def pip(suit: int) -> tuple[Points, ...]:
    """The contours whose union is the suit's sign."""
    match suit:
        case 0:
            return (both_sides(path(_SPADE)),)
        case 1:
            return (both_sides(path(_HEART)),)
        case 2:
            return (both_sides(path(_DIAMOND)),)
        case 3:
            leaves = ((0, -0.27), (-0.245, 0.1), (0.245, 0.1))
            return (
                both_sides(path(_CLUB_STEM)),
                *(ellipse(leaf, 0.225, 0.225) for leaf in leaves),
                ellipse((0, -0.02), 0.1, 0.13),
            )
        case _:
            raise ValueError(f"suit {suit}: expected 0 (spades) to 3 (clubs)")

"""The clothes of each suit's court."""

from dataclasses import dataclass
from typing import Final

from cabinet.ui.art.palette import Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Livery:
    """Colours of one suit's court: the robe, its second colour, the lining, the hair and its light strands."""

    main: Colour
    second: Colour
    lining: Colour
    hair: Colour
    strand: Colour

    def instead_of(self, other: "Livery") -> dict[Colour, Colour]:
        """Returns the colours of another livery, each with the one of this livery that replaces it."""
        return {
            other.main: self.main,
            other.second: self.second,
            other.lining: self.lining,
            other.hair: self.hair,
            other.strand: self.strand,
        }


LIVERIES: Final[tuple[Livery, Livery, Livery, Livery]] = (
    Livery(main=(35, 50, 92), second=(118, 28, 46), lining=(86, 112, 158), hair=(62, 50, 48), strand=(112, 96, 88)),
    Livery(main=(176, 34, 46), second=(28, 46, 82), lining=(222, 106, 98), hair=(196, 132, 58), strand=(236, 186, 112)),
    Livery(
        main=(190, 62, 38), second=(16, 96, 98), lining=(236, 150, 86), hair=(222, 184, 104), strand=(246, 220, 158)
    ),
    Livery(main=(22, 96, 64), second=(92, 46, 112), lining=(104, 166, 118), hair=(118, 66, 36), strand=(170, 110, 66)),
)
"""By suit: spades, hearts, diamonds, clubs."""

DRAWN_IN: Final = LIVERIES[0]
"""The livery of the figures in `assets/cards`."""

"""Counts what is drawn from scratch: letters, fields of colour, canvases, scaled and shaded copies.

Rules: every function that draws from scratch counts it; composing prepared pieces is copying and does not count. A
count during a round shows what was not prepared for it.
"""


class Tally:
    """The number of drawings since the program began."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


DRAWN = Tally()
"""Of this process, in which only one thread draws at a time."""

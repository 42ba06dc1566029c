"""Counts what is drawn from scratch: letters, fields of colour, canvases, scaled and shaded copies.

Rules: whoever draws so counts it; putting prepared pieces together is copying and does not count. What is counted while
a round is dealt was not prepared for it.
"""


class Tally:
    """How often something was drawn since the program began."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


DRAWN = Tally()
"""Of this process, in which one thread draws at a time."""

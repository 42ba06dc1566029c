"""Rectangles of whole pixels, for layout and touch. Does not know their contents."""

from typing import NamedTuple


class Rect(NamedTuple):
    """A rectangle in pixels; x and y are its upper left corner, right and bottom are just outside."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The first column to the right of it."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The first row below it."""
        return self.y + self.h

    @property
    def centre(self) -> tuple[int, int]:
        """The middle."""
        return self.x + self.w // 2, self.y + self.h // 2

    def holds(self, point: tuple[int, int]) -> bool:
        """Returns True when the point lies inside."""
        return self.x <= point[0] < self.right and self.y <= point[1] < self.bottom

    def meets(self, other: "Rect") -> bool:
        """Returns True when the two share a pixel."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        ) and min(*self[2:], *other[2:]) > 0

    def within(self, other: "Rect") -> bool:
        """Returns True when it is wholly inside the other."""
        return self.x >= other.x and self.y >= other.y and self.right <= other.right and self.bottom <= other.bottom


def spanning(left: float, top: float, right: float, bottom: float, unit: float = 1.0) -> Rect:
    """Returns the rectangle between these edges in design units, at `unit` pixels each; neighbours share their
    edges."""
    x, y = round(left * unit), round(top * unit)
    return Rect(x, y, max(0, round(right * unit) - x), max(0, round(bottom * unit) - y))


def lying_at(left: float, top: float, width: float, height: float, unit: float = 1.0) -> Rect:
    """Returns the rectangle of this size in design units: the same number of pixels at every position, and never one
    more than `spanning` gives."""
    return Rect(round(left * unit), round(top * unit), int(width * unit), int(height * unit))


def between(start: Rect, end: Rect, share: float) -> Rect:
    """Returns the rectangle `share` (0 to 1) of the way from start to end, in place and size."""
    return Rect(*(round(a + (b - a) * share) for a, b in zip(start, end, strict=True)))

"""Keys for values that are remembered from frame to frame.

Rules: a machine and its events are large and slow to compare, but the next frame asks with the same object
(`IdentityKey`). Two equal values in two objects count as different: that costs a computation and never a wrong answer.
A value computed from some parts of a moment is remembered by these parts (`PartsKey`).
"""

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class IdentityKey(Generic[T]):
    """Wraps a value that must not change; equal only to a wrapper of the same object."""

    __slots__ = ("it",)

    def __init__(self, it: T) -> None:
        self.it = it

    def __hash__(self) -> int:
        return id(self.it)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and self.it is other.it


class PartsKey(Generic[T]):
    """Wraps the source of a computed value; equal to another when the given parts are equal."""

    __slots__ = ("it", "parts")

    def __init__(self, it: T, *parts: Hashable) -> None:
        self.it = it
        self.parts = parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PartsKey) and self.parts == other.parts

"""Keys for what is remembered from frame to frame.

Rules: a machine or a story is large and takes long to compare, but the next frame asks with the very same object
(`Same`). Two equal values that were made apart count as different, which costs a computation and never a wrong answer.
What is computed from a moment of which only some parts matter is remembered by these parts (`Known`).
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
    """Wraps what something is computed from; equal to another when the parts that matter are."""

    __slots__ = ("it", "parts")

    def __init__(self, it: T, *parts: Hashable) -> None:
        self.it = it
        self.parts = parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PartsKey) and self.parts == other.parts

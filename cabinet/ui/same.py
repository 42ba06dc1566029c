"""A value as a key that is compared by being the very same one.

Rules: for what is remembered from frame to frame: a machine or a story is large and takes long to compare, but the
next frame asks with the very same object. Two equal values that were made apart count as different, which costs a
computation and never a wrong answer.
"""

from typing import Generic, TypeVar

T = TypeVar("T")


class Same(Generic[T]):
    """Wraps a value that must not change; equal only to a wrapper of the same object."""

    __slots__ = ("it",)

    def __init__(self, it: T) -> None:
        self.it = it

    def __hash__(self) -> int:
        return id(self.it)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.it is other.it

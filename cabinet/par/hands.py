"""Every hand a player can hold, as arrays.

A hand is its number of cards of each value; order and suits do not matter. Values run 1 (ace) to 10 and index their
column as value - 1. Hands are sorted by their hard total, so all hands of one total are a slice and a drawn card always
leads to a later slice: a value is computed by walking the slices backwards, a probability by walking them forwards. The
module knows totals, softness and the hand after a drawn card, not the rules of play, probabilities or the dealer.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

VALUES = tuple(range(1, 11))
TEN = 9
"""Column of the ten-values."""
ACE = 0
"""Column of the aces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """The cards a round is dealt from: the number of each value, ace to ten. A quarter of the ten-values is of each
    rank."""

    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """Returns the number of cards."""
        return sum(self.counts)

    @property
    def array(self) -> Ints:
        """Returns the counts as an array."""
        return np.array(self.counts, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hands:
    """All hands of two to `size_max` cards that are not bust, sorted by hard total."""

    counts: Ints
    """Number of cards of each value, one row per hand."""
    size: Ints
    """Number of cards."""
    hard: Ints
    """The total with every ace as one."""
    points: Ints
    """The best total."""
    soft: Bools
    """True where an ace counts eleven in the best total."""
    after: Ints
    """Row of the hand with one more card of each value; the number of hands if that hand is bust."""

    def find(self, counts: tuple[int, ...]) -> int:
        """Returns the row of the hand with these counts. Raises ValueError when it is bust or not possible."""
        rows = np.flatnonzero((self.counts == np.array(counts)).all(axis=1))
        if not len(rows):
            raise ValueError(f"no hand holds {counts} of the values ace to ten; expected at most 21 points")
        return int(rows[0])


def list_hands(pack: Pack, size_max: int | None) -> Hands:
    """Returns every hand of at most 21 points that the pack allows, with `size_max` cards at most, None for no
    limit."""
    every = _counts(10, 21, pack, size_max or 21)
    found = sorted((row for row in every if sum(row) > 1), key=lambda row: (_hard(row), row))
    counts = np.array(found, dtype=np.int64)
    hard = counts @ np.array(VALUES)
    soft = (counts[:, ACE] > 0) & (hard <= 11)
    place = {row: index for index, row in enumerate(found)}
    after = [[place.get((*row[:i], row[i] + 1, *row[i + 1 :]), len(found)) for i in range(10)] for row in found]
    return Hands(
        counts=counts,
        size=counts.sum(axis=1),
        hard=hard,
        points=hard + 10 * soft,
        soft=soft,
        after=np.array(after, dtype=np.int64),
    )


def full_pack(decks: int) -> Pack:
    """Returns all cards of a number of decks."""
    return Pack(counts=(4 * decks,) * 9 + (16 * decks,))


def _hard(counts: tuple[int, ...]) -> int:
    return sum(value * count for value, count in zip(VALUES, counts, strict=True))


def _counts(value: int, room: int, pack: Pack, size: int) -> Iterator[tuple[int, ...]]:
    """Yields counts for the values 1 to `value` that fit in `room` points and `size` cards."""
    if value == 0:
        yield ()
        return
    for count in range(min(room // value, size, pack.counts[value - 1]) + 1):
        for rest in _counts(value - 1, room - count * value, pack, size - count):
            yield (*rest, count)

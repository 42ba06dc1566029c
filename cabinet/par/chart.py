"""Ways of playing as values: a chart that a player can learn (one piece of advice per total, softness and upcard, with
separate rows for pairs), and best play hand by hand.

The module knows how a chart is read and written, not where the advice comes from.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from cabinet.engine.round import Action


class Advice(Enum):
    """One cell of a chart; the name is the letter that is written."""

    STAND = "S"
    HIT = "H"
    DOUBLE_OR_HIT = "D"
    DOUBLE_OR_STAND = "d"
    SPLIT = "P"


Row = tuple[Advice, ...]
"""Advice against the upcards ace, 2, … 10: the cell of an upcard is at its value - 1."""

_PLAIN = {
    Advice.STAND: Action.STAND,
    Advice.HIT: Action.HIT,
    Advice.DOUBLE_OR_HIT: Action.HIT,
    Advice.DOUBLE_OR_STAND: Action.STAND,
}
_DOUBLING = frozenset({Advice.DOUBLE_OR_HIT, Advice.DOUBLE_OR_STAND})


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Advice for every hand. `hard` and `soft` are keyed by total, `pairs` by the card's value (1 for aces)."""

    hard: dict[int, Row]
    soft: dict[int, Row]
    pairs: dict[int, Row]

    def advice(self, total: int, pair_value: int | None, upcard_value: int, *, soft: bool) -> Advice:
        """Returns the cell for a hand; `pair_value` only when the hand may be split now."""
        if pair_value is not None:
            return self.pairs[pair_value][upcard_value - 1]
        return (self.soft if soft else self.hard)[total][upcard_value - 1]

    def action(
        self,
        total: int,
        pair_value: int | None,
        upcard_value: int,
        *,
        soft: bool,
        can_double: bool,
        can_split: bool,
    ) -> Action:
        """Returns the action for a hand of this best total.

        `pair_value` is the value of a pair's cards (1 for aces), None for other hands. `can_double` and `can_split` are
        False for what the rules or the credit do not allow now.
        """
        cell = self.advice(total, pair_value if can_split else None, upcard_value, soft=soft)
        if cell is Advice.SPLIT:
            return Action.SPLIT
        return Action.DOUBLE if can_double and cell in _DOUBLING else _PLAIN[cell]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestPlay:
    """Best play of a set of rules, hand by hand; a split hand is played like the first hand with the same cards."""

    hands: Mapping[tuple[int, ...], Row]
    """Advice by the values of the cards in rising order, without splits."""
    splits: Mapping[int, tuple[bool, ...]]
    """True where a pair of this value is split when it may be, by upcard value - 1."""


def write_rows(rows: dict[int, Row]) -> dict[str, str]:
    """Returns rows as a word of ten letters each, the ace first."""
    return {str(key): "".join(cell.value for cell in row) for key, row in rows.items()}


def read_rows(words: dict[str, str]) -> dict[int, Row]:
    """Returns the rows written by `write_rows`. Raises ValueError for a letter that is no advice."""
    return {int(key): tuple(Advice(letter) for letter in word) for key, word in words.items()}

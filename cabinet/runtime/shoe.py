"""Draws cards: the only randomness in the product.

Rules:
- Every card comes from the operating system's secure generator at the moment it is needed, uniformly from the cards of
  the pack that are not out.
- A number from the generator that does not fit the pack is discarded and another is read, so no card is more likely
  than another. A card that is out already is drawn again.
- No card is drawn in advance and no byte is kept between two draws, so neither disk nor memory has a card before its
  time. There is no seed, and nothing depends on stakes, players or the past.

The module does not know rounds, rules except the number of decks, or the caller.
"""

import os
from collections.abc import Callable, Collection

from cabinet.engine.cards import Card, Draw

ByteSource = Callable[[int], bytes]
"""Returns the requested number of unpredictable bytes, like `os.urandom`."""

SYSTEM: ByteSource = os.urandom
"""The operating system's secure generator: the source of every card."""

_NUMBERS = 1 << 16
"""Number of different values of two bytes."""


class ChanceError(Exception):
    """No card may be drawn: the generator of the operating system has failed, or no card is left."""


class Shoe:
    """The cards of a number of decks, drawn one at a time.

    Two bytes make one of 65,536 equally likely numbers. Each card has the same count of consecutive numbers; the few
    numbers left at the top have no card.
    """

    __slots__ = ("_cards", "_limit", "_share", "_source")

    def __init__(self, decks: int, source: ByteSource = SYSTEM) -> None:
        """`source` returns the bytes; tests pass known bytes."""
        self._cards = cards = 52 * decks
        self._share = _NUMBERS // cards
        self._limit = self._share * cards
        self._source = source

    def draw(self, out: Collection[int]) -> Card:
        """Returns a card, drawn uniformly from those of the pack that are not in `out`. Raises ChanceError when all are
        out."""
        if len(out) >= self._cards:
            raise ChanceError(f"all {self._cards} cards of the pack are out; expected at least one left to draw")
        while True:
            number = int.from_bytes(self._source(2), "big")
            if number < self._limit:
                card = number // self._share
                if card not in out:
                    return card


def make_draw(decks: int, source: ByteSource = SYSTEM) -> Draw:
    """Returns the draw from a pack of `decks` decks, for the engine."""
    return Shoe(decks, source).draw


def self_test(source: ByteSource = SYSTEM) -> None:
    """Checks the generator at the start: several blocks must be complete and all different. Raises ChanceError."""
    blocks = [source(32) for _ in range(8)]
    short = [len(block) for block in blocks if len(block) != 32]
    if short:
        raise ChanceError(f"the random generator gave a block of {short[0]} bytes; expected 32. Do not play; restart")
    if len(set(blocks)) != len(blocks):
        raise ChanceError("the random generator repeats itself: two blocks of 32 bytes are alike. Do not play; restart")


def new_secret(source: ByteSource = SYSTEM) -> bytes:
    """Returns 32 unpredictable bytes: the secret of a machine's ticket numbers."""
    return source(32)

"""Cards of a six-deck pack, and what a hand is worth.

A card is an `int` below 312 that names one physical card: `card % 52` is its face, `card // 52` its deck. Faces run
through the ranks A, 2 … 10, J, Q, K of spades, hearts, diamonds, clubs. Because each card is one of its pack, "not
dealt twice" is a set question and the codes are small on disk.
Knows: rank, suit, value, totals. Does not know: who holds the cards, or how they are drawn.
"""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

Card = int
"""One physical card of the pack, 0 to 52 x decks - 1."""

Draw = Callable[[Collection[int]], Card]
"""Draws one card uniformly from those of the pack that are not among the cards handed in."""

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("spades", "hearts", "diamonds", "clubs")
SUIT_LETTERS = ("S", "H", "D", "C")

ACE = 0
TEN_VALUE = 10
BLACKJACK_TOTAL = 21

VALUES = tuple(min(index % 13 + 1, 10) for index in range(52)) * 8
"""The value of each card of eight decks, as `value_of` returns it; a table, because it is asked for with every card."""


def rank_of(card: Card) -> int:
    """The rank, 0 for an ace to 12 for a king."""
    return card % 13


def suit_of(card: Card) -> int:
    """The suit as an index into SUITS."""
    return card % 52 // 13


def value_of(card: Card) -> int:
    """1 for an ace, 2 to 9, 10 for tens and court cards."""
    return VALUES[card]


def code_of(card: Card) -> str:
    """A plain-ASCII name such as `AS` or `10H`, for records and command lines."""
    return RANKS[card % 13] + SUIT_LETTERS[card % 52 // 13]


def card_from_code(code: str, deck: int = 0) -> Card:
    """The card a code such as `AS` or `10h` names, in the given deck. Raises ValueError for anything else."""
    rank, letter = code[:-1].upper(), code[-1:].upper()
    if rank not in RANKS or letter not in SUIT_LETTERS:
        raise ValueError(f"{code!r} names no card; expected a rank ({', '.join(RANKS)}) and a suit (S, H, D, C)")
    return deck * 52 + SUIT_LETTERS.index(letter) * 13 + RANKS.index(rank)


class Total(NamedTuple):
    """The worth of a hand: the best total, and whether an ace counts eleven in it."""

    points: int
    soft: bool

    @property
    def bust(self) -> bool:
        """True when the total is over 21."""
        return self.points > BLACKJACK_TOTAL


def total_of(cards: Iterable[Card]) -> Total:
    """The best total of the cards: one ace counts eleven where that does not bust."""
    points = 0
    ace = False
    for card in cards:
        value = VALUES[card]
        points += value
        if value == 1:
            ace = True
    if ace and points <= 11:
        return Total(points + 10, soft=True)
    return Total(points, soft=False)

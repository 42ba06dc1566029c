"""Every way the cards can fall, through the cabinet's own engine: the exact mean result of a way of playing.

A step of the engine is tried with a draw that gives the cards of a script and stops where the script ends; then each
card that is left goes on the script, with its chance. Positions that differ in nothing that matters to what follows
are worked out once.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping

from cabinet.engine import blackjack
from cabinet.engine.cards import Card, rank_of, total_of
from cabinet.engine.round import Action, Hand, Round, Stage
from cabinet.engine.rules import Rules

Pack = Mapping[int, int]
"""How many cards of each rank, 0 for an ace to 12 for a king."""
Decide = Callable[[Round], Action]
BET = 60


class _ScriptEndError(Exception):
    """The engine wants a card more than the script has."""


class EveryCard:
    """Mean results of rounds from one pack; `rounds` counts the engine's calls."""

    def __init__(self, rules: Rules, pack: Pack, decide: Decide) -> None:
        self.rules, self.pack, self.decide = rules, dict(pack), decide
        self.calls = 0
        self._known: dict[object, float] = {}

    def mean(self) -> float:
        """The mean net result of a round, in bets."""
        start = lambda draw: blackjack.deal(self.rules, (BET,), draw)  # noqa: E731
        return sum(chance * self._worth(round_) for chance, round_ in self._ways(start, ()))

    def _worth(self, round_: Round) -> float:
        if round_.stage is Stage.OVER:
            results = blackjack.results(round_)
            return (results.returned_cents - results.staked_cents) / BET
        key = _key(round_)
        if key not in self._known:
            step = self._step(round_)
            self._known[key] = sum(chance * self._worth(after) for chance, after in self._ways(step, round_.drawn))
        return self._known[key]

    def _step(self, round_: Round) -> Callable[[Callable[[Collection[int]], Card]], Round]:
        if round_.stage is Stage.INSURANCE:
            return lambda draw: blackjack.insure(round_, 0, draw)
        action = self.decide(round_)
        return lambda draw: blackjack.act(round_, action, draw)

    def _ways(
        self, step: Callable[[Callable[[Collection[int]], Card]], Round], out: tuple[Card, ...]
    ) -> Iterator[tuple[float, Round]]:
        """Every way the step can end, with its chance."""
        open_: list[tuple[float, tuple[Card, ...]]] = [(1.0, ())]
        while open_:
            chance, script = open_.pop()
            try:
                self.calls += 1
                yield chance, step(_Script(script))
            except _ScriptEndError:
                left = self._left((*out, *script))
                total = sum(number for _, number in left)
                assert total, "the pack is used up"
                open_ += [(chance * number / total, (*script, card)) for card, number in left]

    def _left(self, out: tuple[Card, ...]) -> list[tuple[Card, int]]:
        """One card of each rank that is left, and how many there are."""
        gone = Counter(rank_of(card) for card in out)
        return [(rank + 13 * gone[rank], n - gone[rank]) for rank, n in self.pack.items() if n > gone[rank]]


class _Script:
    def __init__(self, cards: tuple[Card, ...]) -> None:
        self._cards = iter(cards)

    def __call__(self, out: Collection[int]) -> Card:
        card = next(self._cards, None)
        if card is None:
            raise _ScriptEndError
        assert card not in out
        return card


def _key(round_: Round) -> object:
    """Returns what the rest of a round depends on."""
    (place,) = round_.places
    dealer = tuple(rank_of(card) for card in round_.dealer)
    out = tuple(sorted(rank_of(card) for card in round_.drawn))
    return round_.stage, round_.turn, dealer, out, tuple(_hand_key(hand) for hand in place.hands)


def _hand_key(hand: Hand) -> object:
    """A hand that is done is its total; one that is not may still become a pair or hold an ace."""
    if hand.done:
        return total_of(hand.cards).points, len(hand.cards), hand.stake_cents, hand.from_split
    first, *others = (rank_of(card) for card in hand.cards)
    return first, tuple(sorted(others)), hand.stake_cents, hand.from_split

"""Builders for rounds: draws that hand out named cards, and short ways to play.

draw = draws("AS KH 9D 7C")
round_ = play(TABLE, "9S 6D 8H 10C", "5D", [Action.HIT])
"""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence

from cabinet.engine.blackjack import act, deal, hole_card, insure, results, upcard
from cabinet.engine.cards import Card, Draw, card_from_code, code_of
from cabinet.engine.round import Action, HandResult, Results, Round, Stage
from cabinet.engine.rules import Rules


class StackedDraw:
    """Hands out the named cards in order, each from the first deck that still has it; `left` is what was not drawn."""

    def __init__(self, codes: Iterable[str], decks: int = 6) -> None:
        self.left = list(codes)
        self.decks = decks

    def __call__(self, out: Collection[int]) -> Card:
        assert self.left, f"a card was drawn that the test did not stack, after {[code_of(card) for card in out]}"
        code = self.left.pop(0)
        free = [card for deck in range(self.decks) if (card := card_from_code(code, deck)) not in out]
        assert free, f"all {self.decks} of {code} are out already"
        return free[0]


def draws(codes: str) -> StackedDraw:
    """A draw that hands out these cards, named as `AS KH 10D`, in order."""
    return StackedDraw(codes.split())


def seeded_draw(seed: int, decks: int = 6) -> Draw:
    """A draw that repeats itself for the same seed; for tests only."""
    generator = random.Random(seed)

    def draw(out: Collection[int]) -> Card:
        while (card := generator.randrange(52 * decks)) in out:
            pass
        return card

    return draw


def named(names: str) -> tuple[Card, ...]:
    """The cards of the first deck with these names."""
    return tuple(card_from_code(name) for name in names.split())


def codes(cards: Iterable[Card]) -> str:
    """The names of the cards, as `draws` reads them."""
    return " ".join(code_of(card) for card in cards)


def play(
    rules: Rules,
    cards: str,
    actions: Sequence[Action] = (),
    *,
    bets: Mapping[int, int] | Sequence[int] = (1_000,),
    insurance: Sequence[int] = (),
) -> Round:
    """Deals the named cards in order, answers every insurance question (declines when no answer is given), acts.

    Fails when a named card was not drawn, or one was drawn that is not named.
    """
    draw = draws(cards)
    round_ = deal(rules, bets, draw)
    answers = list(insurance)
    while round_.stage is Stage.INSURANCE:
        round_ = insure(round_, answers.pop(0) if answers else 0, draw)
    for action in actions:
        round_ = act(round_, action, draw)
    assert not draw.left, f"stacked but never drawn: {draw.left}"
    assert not answers, f"insurance never asked for: {answers}"
    return round_


def only(ended: Results) -> HandResult:
    """The result of a round with one hand."""
    assert len(ended.hands) == 1
    return ended.hands[0]


def ended(
    rules: Rules,
    cards: str,
    actions: Sequence[Action] = (),
    *,
    bets: Mapping[int, int] | Sequence[int] = (1_000,),
    insurance: Sequence[int] = (),
) -> Results:
    """The results of a round played to its end; see `play`."""
    return results(play(rules, cards, actions, bets=bets, insurance=insurance))


def dealer_shown(round_: Round) -> tuple[Card, ...]:
    """The dealer's cards that lie face up."""
    return round_.dealer if hole_card(round_) is None else (upcard(round_),)

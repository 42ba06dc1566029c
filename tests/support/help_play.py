"""Rounds on one place for what the help says of the cards: `help_claims` and `help_money` are made with them."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from support.rounds import StackedDraw

from cabinet.engine.blackjack import act, deal, insure, legal_actions, results
from cabinet.engine.cards import total_of
from cabinet.engine.round import Action, Hand, HandResult, Outcome, Round, Stage
from cabinet.engine.rules import Rules
from cabinet.text.messages import Words

Parts = Mapping[str, object]
Claim = Callable[[Rules, Words], Parts | None]
BET = 10_000
HIT, STAND, DOUBLE, SPLIT = Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT
COUNTS = (5, 11)
"""Numbers of cards at which a hand may end, in the rules that are tried."""


def when(true: object, **parts: object) -> Parts | None:
    """The parts, where the claim is true."""
    return parts if true else None


def played(
    rules: Rules, hand: str, *actions: Action, then: str = "", up: str = "6D", hole: str = "10C", more: str = ""
) -> Round:
    """A round on one place: `hand` against `up` and `hole`, no insurance, these actions with the cards `then`; the
    dealer draws from `more`. What is not drawn is left."""
    first, second = hand.split()
    if not rules.hole_card:
        order = f"{first} {up} {second} {then} {hole} {more}"
    else:
        dealers = (hole, up) if rules.hole_card_first else (up, hole)
        order = f"{first} {dealers[0]} {second} {dealers[1]} {then} {more}"
    draw = StackedDraw(order.split())
    round_ = deal(rules, (BET,), draw)
    while round_.stage is Stage.INSURANCE:
        round_ = insure(round_, 0, draw)
    for action in actions:
        round_ = act(round_, action, draw)
    return round_


def may(rules: Rules, action: Action, hand: str, *actions: Action, then: str = "") -> bool:
    """Returns True if the rules allow the action after these."""
    round_ = played(rules, hand, *actions, then=then, more="10H 10D")
    return action in legal_actions(round_)


def result(round_: Round) -> HandResult:
    """How the first hand of a finished round ended."""
    return results(round_).hands[0]


def won(round_: Round) -> Fraction:
    """Returns what the first hand won for each cent staked on it."""
    ended = result(round_)
    return Fraction(ended.returned_cents - ended.stake_cents, ended.stake_cents)


def ratio(words: Words, share: Fraction) -> str:
    """A share as the help writes it."""
    return words.ratio((share.numerator, share.denominator))


def first_hand(round_: Round) -> Hand:
    """The first hand of the only place."""
    return round_.places[0].hands[0]


def splits(rules: Rules) -> int:
    """How often a place may be split: eights come again and again."""
    for times in range(4):
        if not may(rules, SPLIT, "8S 8H", *(SPLIT,) * times, then=" ".join(["8D", "8C"] * times)):
            return times
    raise AssertionError("no end of splitting")


def small(count: int, last: str = "2S") -> str:
    """Returns a number of cards with a total below 21: aces, and a last one."""
    return " ".join([f"A{'SHDC'[number % 4]}" for number in range(count - 1)] + [last])


def long_hand(rules: Rules, count: int, last: str = "2S", **dealer: str) -> Round:
    """Hits a hand until it has this number of cards, or until no hit is possible."""
    cards = small(count, last).split()
    hit = 0
    while hit < count - 2:
        before = played(rules, " ".join(cards[:2]), *(HIT,) * hit, then=" ".join(cards[2 : 2 + hit]), **dealer)
        if HIT not in legal_actions(before):
            return before
        hit += 1
    return played(rules, " ".join(cards[:2]), *(HIT,) * hit, then=" ".join(cards[2:]), **dealer)


def wins_by_cards(rules: Rules) -> int | None:
    """The number of cards with which a hand wins against a higher total; None when there is no such number."""
    for count in COUNTS:
        round_ = long_hand(rules, count, up="KD", hole="QC", more="10H")
        if round_.stage is Stage.OVER and result(round_).outcome is Outcome.CARDS_WIN:
            assert total_of(first_hand(round_).cards).points < 20
            return count
    return None

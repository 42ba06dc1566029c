"""The demonstration hands of an idle cabinet: real rounds, chosen for what they teach.

Rules: the engine shuffles, deals, plays and settles. The first shuffle whose round shows the lesson is taken, however
its hands end. Losses appear so often that no viewer is promised a win: all lessons together return less than their
stakes. Hands are played plainly and soundly. The shuffles follow from numbers, so every cabinet shows the same, and the
random numbers of play stay unused.
"""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import count
from typing import Final

from cabinet.engine import blackjack, round_events
from cabinet.engine.cards import Card, Draw, total_of, value_of
from cabinet.engine.effects import Event, RoundBegan
from cabinet.engine.round import Action, Outcome, Round, Stage
from cabinet.engine.rules import Rules
from cabinet.presentation.timeline import animation_end

BET_CENTS: Final = 1_000
PLACES_SHOWN: Final = (1, 3)
"""The places that play where there are five."""
THINK_S: Final = 0.9
"""Seconds a hand is shown before it is played on."""
LONGEST_S: Final = 10.5
"""Seconds. A longer hand is not shown: its slide would end first."""
SHUFFLES: Final = 1_000
"""Numbers between the first shuffles of two hands of one lesson."""


class Lesson(Enum):
    """What a demonstration hand shows."""

    BLACKJACK = "blackjack"
    DOUBLE = "double"
    SPLIT = "split"
    PUSH = "push"
    LOSS = "loss"


ORDER: Final = (Lesson.BLACKJACK, Lesson.LOSS, Lesson.DOUBLE, Lesson.PUSH, Lesson.SPLIT)
"""The lessons of a game in the order of its turns."""
TURNS: Final = 60
"""Turns of a game until its hands repeat; more than an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a hand: the round after it, its events, and when it begins, in seconds from the first step."""

    round_: Round
    events: tuple[Event, ...]
    at_s: float


def lessons_of(rules: Rules) -> tuple[Lesson, ...]:
    """Returns the lessons of a game in order. A game with one place has a second loss; where two places play, both
    lose."""
    return ORDER if rules.places_max > 1 else (*ORDER, Lesson.LOSS)


@lru_cache(maxsize=8)
def hand_for(rules: Rules, lesson: Lesson, number: int) -> tuple[Step, ...]:
    """Returns hand `number` of a lesson, step by step."""
    shuffles = count(number * SHUFFLES)
    return next(hand for shuffle in shuffles if (hand := _taught(rules, lesson, shuffle)) is not None)


def teaches(lesson: Lesson, round_: Round) -> bool:
    """Returns True when a finished round shows the lesson."""
    hands = [hand for place in round_.places for hand in place.hands]
    results = blackjack.results(round_).hands
    match lesson:
        case Lesson.BLACKJACK:
            return any(result.outcome is Outcome.BLACKJACK for result in results)
        case Lesson.DOUBLE:
            return any(hand.doubled for hand in hands)
        case Lesson.SPLIT:
            return any(hand.from_split for hand in hands)
        case Lesson.PUSH:
            return any(result.outcome is Outcome.PUSH for result in results)
        case Lesson.LOSS:
            return not any(result.returned_cents for result in results)


def _taught(rules: Rules, lesson: Lesson, shuffle: int) -> tuple[Step, ...] | None:
    """Returns the round of a shuffle; None when it shows another lesson, asks about insurance, or takes too long."""
    draw = _shuffled(rules, shuffle)
    bets = tuple(BET_CENTS if rules.places_max == 1 or n in PLACES_SHOWN else 0 for n in range(rules.places_max))
    round_ = blackjack.deal(rules, bets, draw)
    events: tuple[Event, ...] = (
        RoundBegan(number=0, game_id=rules.game_id, bets=bets),
        *round_events.events_between(None, round_),
    )
    steps, at_s = [Step(round_=round_, events=events, at_s=0.0)], 0.0
    while round_.stage is Stage.DECIDING:
        after = blackjack.act(round_, _choice(round_), draw)
        at_s = animation_end(steps[-1].events, turbo=False, from_s=at_s) + THINK_S
        steps.append(Step(round_=after, events=round_events.events_between(round_, after), at_s=at_s))
        round_ = after
    long = animation_end(steps[-1].events, turbo=False, from_s=at_s) > LONGEST_S
    return None if round_.stage is not Stage.OVER or long or not teaches(lesson, round_) else tuple(steps)


def _choice(round_: Round) -> Action:
    """Returns a sound play, from a few simple rules."""
    assert round_.turn is not None
    index, number = round_.turn
    cards, up = round_.places[index].hands[number].cards, value_of(blackjack.upcard(round_))
    total, weak, legal = total_of(cards), 2 <= up <= 6, blackjack.legal_actions(round_)
    if Action.SPLIT in legal and (value_of(cards[0]) in {1, 8} or (weak and value_of(cards[0]) in {2, 3, 6, 7, 9})):
        return Action.SPLIT
    if Action.DOUBLE in legal and not total.soft and (total.points == 11 or (total.points in {9, 10} and weak)):
        return Action.DOUBLE
    stands_from = 18 if total.soft else 12 if weak else 17
    return Action.HIT if total.points < stands_from and Action.HIT in legal else Action.STAND


def _shuffled(rules: Rules, shuffle: int) -> Draw:
    """Returns a pack in the order of a shuffle; every order is equally likely."""

    def place(card: Card) -> bytes:
        return hashlib.blake2b(f"{rules.game_id} {shuffle} {card}".encode(), digest_size=8).digest()

    cards: Iterator[Card] = iter(sorted(range(52 * rules.decks), key=place))

    def draw(out: Collection[Card]) -> Card:
        return next(card for card in cards if card not in out)

    return draw

"""What happened between two states of a round, in the order of a real table.

A step changes a round as a whole; the story takes it apart into events that can be shown one after the other.
Rules that hold: the story is derived from the two rounds alone and decides nothing; the dealer's face-down card is
dealt as `FACE_DOWN` until `HoleTurned` names it; an insurance is paid as soon as it is known whether the dealer has
blackjack; the dealer takes what is lost before paying what is won.
Does not know: credit, the round's number, or how long anything takes to show.
"""

from collections.abc import Iterator
from typing import Final

from cabinet.engine.blackjack import hole_position, results, upcard
from cabinet.engine.cards import TEN_VALUE, value_of
from cabinet.engine.effects import (
    CardDealt,
    DealerPeeked,
    Event,
    HandPlayed,
    HandSettled,
    HoleTurned,
    InsuranceAnswered,
    InsuranceSettled,
)
from cabinet.engine.errors import EngineError
from cabinet.engine.round import Action, HandResult, InsuranceResult, Outcome, Place, Round, Stage

FACE_DOWN: Final = -1
"""Stands for a card that is face down."""


def events_between(before: Round | None, after: Round) -> tuple[Event, ...]:
    """The events of one step, from `before` (None: `after` was just dealt) to `after`, in table order.

    Raises EngineError when `before` was over already.
    """
    return tuple(_events(before, after))


def _events(before: Round | None, after: Round) -> Iterator[Event]:
    if before is None:
        yield from _deal_events(after)
    elif before.turn is None:
        raise EngineError("a round that is over has no next step; expected one that waits for an answer or a decision")
    elif before.stage is Stage.INSURANCE:
        for was, now in zip(before.places, after.places, strict=True):
            if was.insurance_cents is None and now.insurance_cents is not None:
                yield InsuranceAnswered(place=now.number, cents=now.insurance_cents)
    else:
        index, hand = before.turn
        yield from _play_events(before.places[index], after.places[index], hand)
    if _dealer_looked(before, after):
        yield from _peek_events(after)
    if after.stage is Stage.OVER:
        yield from _end_events(after)


def _deal_events(after: Round) -> Iterator[Event]:
    """One card to each place and the dealer, then a second round; the dealer's second only with a hole card."""
    hole = hole_position(after.rules)
    for position in (0, 1):
        for place in after.places:
            yield CardDealt(card=place.hands[0].cards[position], place=place.number, hand=0, position=position)
        if position == hole:
            yield CardDealt(card=FACE_DOWN, place=None, hand=0, position=position, face_down=True)
        elif position == 0 or hole is not None:
            yield CardDealt(card=after.dealer[position], place=None, hand=0, position=position)


def _play_events(before: Place, after: Place, number: int) -> Iterator[Event]:
    """The decision on a hand, read off what became of it, and the cards it brought."""
    old, new = before.hands[number], after.hands[number]
    split = len(after.hands) > len(before.hands)
    if split:
        action, added = Action.SPLIT, new.stake_cents
    elif new.doubled:
        action, added = Action.DOUBLE, new.stake_cents - old.stake_cents
    else:
        action, added = (Action.HIT if len(new.cards) > len(old.cards) else Action.STAND), 0
    yield HandPlayed(place=after.number, hand=number, action=action.value, added_cents=added)
    for hand in (number, number + 1) if split else (number,):
        cards = after.hands[hand].cards
        if action is not Action.STAND:
            yield CardDealt(card=cards[-1], place=after.number, hand=hand, position=len(cards) - 1)


def _dealer_looked(before: Round | None, after: Round) -> bool:
    """True when the dealer looked at the hole card in this step: under a ten on the deal, under an ace once every place
    has answered."""
    if not after.rules.hole_card:
        return False
    if before is None:
        return value_of(upcard(after)) == TEN_VALUE
    return before.stage is Stage.INSURANCE and after.stage is not Stage.INSURANCE


def _peek_events(after: Round) -> Iterator[Event]:
    """Yields what the look showed. Without blackjack every insurance is lost there and then."""
    blackjack = after.stage is Stage.OVER and results(after).dealer_blackjack
    yield DealerPeeked(blackjack=blackjack)
    if not blackjack:
        for place in after.places:
            if place.insurance_cents:
                yield InsuranceSettled(place=place.number, stake_cents=place.insurance_cents, returned_cents=0)


def _end_events(after: Round) -> Iterator[Event]:
    """The dealer's turn and the result of each hand."""
    hole = hole_position(after.rules)
    if hole is not None:
        yield HoleTurned(card=after.dealer[hole])
    for position in range(1 if hole is None else 2, len(after.dealer)):
        yield CardDealt(card=after.dealer[position], place=None, hand=0, position=position)
    ended = results(after)
    insurances = ended.insurances if hole is None or ended.dealer_blackjack else ()
    decided: tuple[HandResult | InsuranceResult, ...] = (*insurances, *ended.hands)
    for result in sorted(decided, key=_is_kept):
        yield _result_event(result)


def _is_kept(result: HandResult | InsuranceResult) -> bool:
    """False for what the dealer takes, so that it sorts first."""
    if isinstance(result, InsuranceResult):
        return result.returned_cents > 0
    return result.outcome not in (Outcome.LOSS, Outcome.BUST)


def _result_event(result: HandResult | InsuranceResult) -> Event:
    if isinstance(result, InsuranceResult):
        return InsuranceSettled(
            place=result.place, stake_cents=result.stake_cents, returned_cents=result.returned_cents
        )
    return HandSettled(
        place=result.place,
        hand=result.hand,
        outcome=result.outcome,
        stake_cents=result.stake_cents,
        returned_cents=result.returned_cents,
    )

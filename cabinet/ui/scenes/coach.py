"""The coach's advice for the present decision: the best action, and the average cost of each other one.

Rules: the coach answers only when asked, only about actions that are allowed now, and never before the cards are shown.
The values were computed from the table's rules beforehand; this module computes none. A cost is in money of the hand's
stake. Does not know how values are computed or whether the operator offers the coach.
"""

from collections.abc import Mapping

from cabinet.engine import blackjack
from cabinet.engine.cards import Card, value_of
from cabinet.engine.inputs import Command, Double, Hit, Insure, Split, Stand
from cabinet.engine.play import insurance_offer
from cabinet.engine.round import Action, Round
from cabinet.engine.state import State
from cabinet.text.messages import Key
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.ui_state import Coach

_COMMANDS: Mapping[Action, Command] = {
    Action.HIT: Hit(),
    Action.STAND: Stand(),
    Action.DOUBLE: Double(),
    Action.SPLIT: Split(),
}
_NAMES = {action: Key[f"BUTTON_{action.name}"] for action in Action}


def advice(moment: Moment) -> tuple[str, str] | None:
    """Returns message and hint of the coach; None when not asked, not offered or without advice."""
    coach, round_ = moment.facts.coaches.get(moment.machine.seat.game_id), moment.machine.round
    if not moment.ui.coached or coach is None or round_ is None or round_.turn is None:
        return None
    match moment.state:
        case State.DECIDING:
            return _of_hand(moment, coach, round_)
        case State.INSURANCE:
            return _of_insurance(moment, coach, round_) if moment.allows(Insure()) else None
        case _:
            return None


def _values(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(value_of(card) for card in cards)


def _of_hand(moment: Moment, coach: Coach, round_: Round) -> tuple[str, str] | None:
    assert round_.turn is not None
    place, number = round_.turn
    hand = round_.places[place].hands[number]
    known = coach.worths_of(_values(hand.cards), value_of(blackjack.upcard(round_)))
    worths = {action: worth for action, worth in known.items() if moment.allows(_COMMANDS[action])}
    if len(worths) < 2:
        return None
    say, words = moment.words.say, moment.words
    best, *others = sorted(worths, key=lambda action: -worths[action])
    costs = {action: round((worths[best] - worths[action]) * hand.stake_cents) for action in others}
    rest = (say(Key.COACH_COST, action=say(_NAMES[a]), amount=words.money(cents)) for a, cents in costs.items())
    return say(Key.COACH_BEST, action=say(_NAMES[best])), say(Key.COACH_COSTS, costs=" · ".join(rest))


def _of_insurance(moment: Moment, coach: Coach, round_: Round) -> tuple[str, str]:
    assert round_.turn is not None
    cards = round_.places[round_.turn[0]].hands[0].cards
    cents = round(coach.insurance_worth(_values(cards)) * insurance_offer(moment.settings, moment.machine))
    say, amount = moment.words.say, moment.words.money(abs(cents))
    if cents > 0:
        return say(Key.COACH_INSURE), say(Key.COACH_INSURANCE_GAINS, amount=amount)
    return say(Key.COACH_DECLINE), say(Key.COACH_INSURANCE_COSTS, amount=amount)

"""The last games as pictures: the list, and a game step by step. Pure.

Rules: each picture is marked RECALL and says that nothing on it is money now. A game that cannot be shown says why, and
has its text.
"""

from collections.abc import Mapping
from typing import Any

from cabinet.attendant import recall
from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu.values import Entry, Menu, Node, Steps
from cabinet.attendant.pages import Line, LineStyle, sentences
from cabinet.attendant.pictures import GameStep, PastGame, Picture
from cabinet.attendant.records import read_game
from cabinet.engine.cards import code_of
from cabinet.engine.effects import (
    CardDealt,
    DealerPeeked,
    HandPlayed,
    HandSettled,
    HoleTurned,
    InsuranceAnswered,
    InsuranceSettled,
    RoundBegan,
    RoundSettled,
    RoundVoided,
)
from cabinet.text.attendant_words import text

LAST_GAMES = text("Last games")
AS_TEXT = text("Last games as text")
LISTED = 10
"""Games in the list."""

_CHOSEN = {
    "hit": text("{hand}: hit"),
    "stand": text("{hand}: stand"),
    "double": text("{hand}: double, {amount} more"),
    "split": text("{hand}: split, {amount} more"),
}
_OUTCOMES = {
    "blackjack": text("{hand}: blackjack, stake {stake}, paid {paid}"),
    "win": text("{hand}: win, stake {stake}, paid {paid}"),
    "cards win": text("{hand}: win by its number of cards, stake {stake}, paid {paid}"),
    "push": text("{hand}: push, stake {stake}, paid {paid}"),
    "loss": text("{hand}: loss, stake {stake}"),
    "bust": text("{hand}: bust, stake {stake}"),
}


# --- the list ---------------------------------------------------------------------------------------------------


def numbers(data: AttendantData) -> tuple[int, ...]:
    """Returns the numbers of the listed games, newest first, those without rows too; of doubtful data only those that
    can be read."""
    known = [int(story["number"]) for story in reversed(data.rounds)]
    if data.doubtful:
        return tuple(known)
    newest = known[0] if known else data.machine.round_number
    oldest = known[-1] if known else newest + 1
    return (*known, *range(oldest - 1, max(0, oldest - 1 - LISTED + len(known)), -1))


def games_node(menu: Menu, data: AttendantData) -> Node:
    """Returns the list of games, or one of them."""
    if len(menu.path) > 2:
        return _game_node(menu, data, int(menu.path[2]))
    listed = tuple(_entry(data, number) for number in numbers(data))
    none = (Line(cells=(data.say("No game so far"),)),)
    return Node(title=data.say(LAST_GAMES), lines=() if listed else none, entries=listed)


def _story(data: AttendantData, number: int) -> Mapping[str, Any] | None:
    return next((story for story in data.rounds if story["number"] == number), None)


def _entry(data: AttendantData, number: int) -> Entry:
    story, name = _story(data, number), data.say("Game {number}", number=number)
    if story is None:
        return Entry(label=name, detail=data.say("no longer in the journal"), goes=(str(number),), short=name)
    staked = data.money(story["staked"])
    if story["open"]:
        end = data.say("open, staked so far {staked}", staked=staked)
    elif story["voided"]:
        end = data.say("voided, {amount} given back", amount=data.money(story["returned"]))
    else:
        end = data.say("staked {staked}, paid {paid}", staked=staked, paid=data.money(story["returned"]))
    label = f"{name}  {recall.title_of(data, story['game'])}"
    return Entry(label=label, detail=f"{story['when']}  {end}", goes=(str(number),), short=name)


# --- one game ---------------------------------------------------------------------------------------------------


def _game_node(menu: Menu, data: AttendantData, number: int) -> Node:
    game, every = read_game(data, number), numbers(data)
    name = data.say("Game {number}", number=number)
    if not game.steps:
        return Node(title=name, lines=_without_pictures(data, game))
    shown = min(menu.page, len(game.steps) - 1)
    return Node(
        title=name,
        steps=Steps.PICTURES,
        picture=_picture(data, game, shown),
        pictures=len(game.steps),
        stills=tuple(nth for nth, step in enumerate(game.steps) if step.still),
        older=str(number - 1) if number - 1 in every else "",
        newer=str(number + 1) if number + 1 in every else "",
    )


def _without_pictures(data: AttendantData, game: PastGame) -> tuple[Line, ...]:
    story = _story(data, game.number)
    if data.doubtful and story is not None:
        return tuple(recall.story_lines(data, story))
    if not game.kept or story is None:
        gone = data.say(
            "This game cannot be shown: its rows were dropped from the journal to keep it small. Its stakes and wins "
            "are in the meters."
        )
        return sentences(gone)
    changed = data.say(
        "There are no pictures of this game: it was played by other rules than those that are set now. Its cards, "
        "choices and results are below."
    )
    warned = tuple(Line(cells=line.cells, style=LineStyle.WARN) for line in sentences(changed))
    return (*warned, *recall.story_lines(data, story))


def _picture(data: AttendantData, game: PastGame, shown: int) -> Picture:
    step = game.steps[shown]
    strip = data.say(
        "RECALL  ·  game {number}, step {step} of {count}  ·  {when}  ·  nothing here is money now",
        number=game.number,
        step=shown + 1,
        count=len(game.steps),
        when=step.when,
    )
    amounts = (
        (data.say("Bet"), data.money(step.bet_cents)),
        (data.say("Paid"), data.money(step.paid_cents)),
        (data.say("Credit then"), data.money(step.credit_cents)),
    )
    return Picture(step=step, strip=strip, said=said(data, step), amounts=amounts)


# --- what happened ----------------------------------------------------------------------------------------------


def said(data: AttendantData, step: GameStep) -> str:
    """Returns what happened in a step, as a sentence."""
    if step.money is not None:
        kind, cents = step.money
        return data.say("During the game: {what}, {amount}", what=recall.moved_words(kind), amount=data.money(cents))
    event = step.events[step.shown - 1]
    match event:
        case RoundBegan():
            return data.say("The bets are on the table")
        case CardDealt() | HoleTurned() | DealerPeeked():
            return _card(data, step, event)
        case InsuranceAnswered() | HandPlayed():
            return _choice(data, step, event)
        case HandSettled() | InsuranceSettled():
            return _result(data, step, event)
        case RoundSettled():
            return data.say("The game is paid: the credit counts {amount} more", amount=data.money(step.paid_cents))
        case RoundVoided():
            return data.say("The game is voided: {amount} went back to the credit", amount=data.money(event.cents))
    return ""


def _hand(data: AttendantData, step: GameStep, place: int, hand: int) -> str:
    """Returns the name of a hand; its number only where the place has several."""
    round_ = step.machine.round
    split = round_ is not None and any(each.number == place and len(each.hands) > 1 for each in round_.places)
    if split:
        return data.say("Place {place}, hand {hand}", place=place + 1, hand=hand + 1)
    return data.say("Place {place}", place=place + 1)


def _card(data: AttendantData, step: GameStep, event: CardDealt | HoleTurned | DealerPeeked) -> str:
    if isinstance(event, DealerPeeked):
        looked = (
            text("The dealer looks at the hole card: blackjack"),
            text("The dealer looks at the hole card: no blackjack"),
        )
        return data.say(looked[0] if event.blackjack else looked[1])
    if isinstance(event, HoleTurned):
        return data.say("The dealer turns the hole card: {card}", card=code_of(event.card))
    if event.face_down:
        return data.say("The dealer gets the hole card, face down")
    card = code_of(event.card)
    if event.place is None:
        return data.say("The dealer gets {card}", card=card)
    return data.say("{hand} gets {card}", hand=_hand(data, step, event.place, event.hand), card=card)


def _choice(data: AttendantData, step: GameStep, event: InsuranceAnswered | HandPlayed) -> str:
    if isinstance(event, HandPlayed):
        hand = _hand(data, step, event.place, event.hand)
        return data.say(_CHOSEN[event.action], hand=hand, amount=data.money(event.added_cents))
    place = data.say("Place {place}", place=event.place + 1)
    if not event.cents:
        return data.say("{hand}: no insurance", hand=place)
    return data.say("{hand}: insurance for {amount}", hand=place, amount=data.money(event.cents))


def _result(data: AttendantData, step: GameStep, event: HandSettled | InsuranceSettled) -> str:
    stake, paid = data.money(event.stake_cents), data.money(event.returned_cents)
    if isinstance(event, HandSettled):
        hand = _hand(data, step, event.place, event.hand)
        return data.say(_OUTCOMES[event.outcome.value], hand=hand, stake=stake, paid=paid)
    place = data.say("Place {place}", place=event.place + 1)
    if not event.returned_cents:
        return data.say("{hand}: insurance lost, stake {stake}", hand=place, stake=stake)
    return data.say("{hand}: insurance won, stake {stake}, paid {paid}", hand=place, stake=stake, paid=paid)

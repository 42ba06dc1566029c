"""The message line: one plain sentence about the present state, and a hint what to do next.

Rules: an event (a note, a refusal) shows for a few seconds, then the state of the game again. A win is celebrated only
when more comes back than was staked. The line shows nothing before its beat. It names a button only while the button is
lit or about to be (see `meanings`), so it asks for nothing while a page covers the table. A payment stands in one of
the two lines until the next hand. The texts between rounds are made in `between`.
"""

from cabinet.engine import blackjack, play
from cabinet.engine import machine as engine
from cabinet.engine.cards import total_of, value_of
from cabinet.engine.effects import (
    CardDealt,
    Credited,
    DealerPeeked,
    HandSettled,
    HoleTurned,
    NoteGoesBack,
    Reason,
    Refused,
    TicketGoesBack,
)
from cabinet.engine.inputs import CashOut, Deal, Double, Hit, Insure, KeepPlaying, Split, Wake
from cabinet.engine.locks import LOCKS, hand_open
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.round import Action, Outcome, Round
from cabinet.engine.state import LockKind, State
from cabinet.engine.ticket_facts import Standing
from cabinet.text.messages import Key, sentence
from cabinet.ui.scenes.between import (
    bet_missing,
    invitation,
    next_round_text,
    paid_by_hand_text,
    paid_out_text,
    why_no_cash_out,
)
from cabinet.ui.scenes.coach import advice
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.scenes.notices import asks_for_a_call

SAID_S = 3.0
"""Seconds that an event shows."""
CALLED_S = 10.0
"""Seconds that the line says that the attendant has been called; the lit button shows it until the attendant comes."""

_REFUSALS = {
    Reason.NOT_NOW: Key.REFUSED_NOT_NOW,
    Reason.LOCKED: Key.REFUSED_LOCKED,
    Reason.AUDIT: Key.REFUSED_LOCKED,
    Reason.NO_CREDIT: Key.REFUSED_NO_CREDIT,
    Reason.OVER_LIMIT: Key.REFUSED_OVER_LIMIT,
    Reason.UNDER_LIMIT: Key.REFUSED_UNDER_LIMIT,
    Reason.NO_BETS: Key.REFUSED_NO_BETS,
    Reason.NO_LAST_BET: Key.REFUSED_NO_LAST_BET,
    Reason.RULES: Key.REFUSED_RULES,
    Reason.NO_SUCH: Key.REFUSED_NOT_ALLOWED,
    Reason.NOT_ALLOWED: Key.REFUSED_NOT_ALLOWED,
}

_TICKETS = {
    Standing.PAYABLE: Key.TICKET_BACK,
    Standing.UNKNOWN: Key.TICKET_UNKNOWN,
    Standing.USED: Key.TICKET_USED,
    Standing.VOID: Key.TICKET_VOID,
    Standing.EXPIRED: Key.TICKET_EXPIRED,
    Standing.OPEN: Key.TICKET_OPEN,
    Standing.CLEARED: Key.TICKET_OPEN,
}

Speech = tuple[str, str]
"""Message and hint."""


def speech(moment: Moment) -> Speech:
    """Returns the message line now."""
    message, hint, aside = _parts(moment)
    paid = paid_out_text(moment)
    if not paid or message == paid:
        return message, aside or paid_by_hand_text(moment) or hint
    return aside or message, paid


def _parts(moment: Moment) -> tuple[str, str, str]:
    """Returns the message, the hint, and the text that replaces the hint."""
    if moment.snapshot.reading:
        return event_text(moment) or moment.words.say(Key.PAGE_OPEN), "", why_no_cash_out(moment) or _called(moment)
    if not moment.playback.finished:
        return *_during_animation(moment), ""
    message, hint = advice(moment) or _state_of_play(moment)
    said = event_text(moment)
    passing = "" if said else _called(moment) or _notice(moment)
    return said or message, hint, why_no_cash_out(moment) or passing


def said_until_s(moment: Moment) -> float | None:
    """Returns when the message line returns to the state of the game; None when it shows that already."""
    if moment.playback.finished and event_text(moment):
        return moment.snapshot.open_at_s + SAID_S
    return moment.snapshot.called_at_s + CALLED_S if _just_called(moment) else None


def _called(moment: Moment) -> str:
    """Returns that the attendant has been called, for CALLED_S."""
    return moment.words.say(Key.CALLED) if _just_called(moment) else ""


def _just_called(moment: Moment) -> bool:
    return moment.machine.calling and moment.now_s < moment.snapshot.called_at_s + CALLED_S


def is_win(moment: Moment) -> bool:
    """Returns True while a round that returned more than its stakes is shown as a win."""
    results = moment.machine.results
    counting = moment.playback.counting()
    counted = counting is None or moment.playback.has_begun(counting)
    return results is not None and counted and results.returned_cents > results.staked_cents


def event_text(moment: Moment) -> str:
    """Returns the text of the last event; empty when it is past."""
    if moment.now_s >= moment.snapshot.open_at_s + SAID_S:
        return ""
    say, words = moment.words.say, moment.words
    for event in reversed(moment.snapshot.events):
        match event:
            case Refused() if event.command != Wake.__name__:
                limits = moment.table.limits
                return say(
                    _refusal(moment, event),
                    low=words.short_money(limits.min_cents),
                    high=words.short_money(limits.max_cents),
                )
            case Credited():
                added = Key.TICKET_ADDED if event.ticket else Key.NOTE_ADDED
                return say(added, amount=words.money(event.cents))
            case NoteGoesBack(reason=Reason.OVER_LIMIT):
                return say(Key.NOTE_BACK_LIMIT, amount=words.short_money(moment.settings.credit_limit_cents))
            case TicketGoesBack():
                why = {Reason.OVER_LIMIT: Key.TICKET_BACK_LIMIT, Reason.NOT_ALLOWED: _TICKETS[event.standing]}
                limit = words.short_money(moment.settings.credit_limit_cents)
                return say(why.get(event.reason, Key.TICKET_BACK), amount=limit)
            case NoteGoesBack() | LogEntry(what=LogKind.NOTE_RETURNED, cents=int()):
                return say(Key.NOTE_BACK)
            case LogEntry(what=LogKind.TICKET_RETURNED, cents=int()):
                return say(Key.TICKET_BACK)
            case LogEntry(what=LogKind.NOTE_REJECTED):
                return say(Key.NOTE_NOT_READ)
            case _:
                continue
    return ""


def _refusal(moment: Moment, event: Refused) -> Key:
    """Returns why a command was refused; for CASH OUT in a hand, when it will be possible."""
    if event.command == CashOut.__name__ and hand_open(moment.machine):
        return Key.CASH_OUT_AFTER_HAND
    if event.command == Deal.__name__ and event.reason is Reason.NO_BETS:
        return bet_missing(moment)
    return _REFUSALS[event.reason]


def _notice(moment: Moment) -> str:
    """Returns the note about a power failure, until the player goes on; or that the operator is about to close the
    machine."""
    if any(lock.kind is LockKind.OUT_OF_SERVICE for lock in moment.machine.locks) and hand_open(moment.machine):
        return moment.words.say(Key.OUT_SOON)
    if moment.machine.shown.notice:
        return moment.words.say(Key.POWER_BACK_HAND if hand_open(moment.machine) else Key.POWER_BACK)
    return ""


# --- during an animation ------------------------------------------------------------------------------------------


def _during_animation(moment: Moment) -> Speech:
    say = moment.words.say
    hint = say(Key.HURRY_HINT)
    latest = moment.playback.latest((CardDealt, DealerPeeked, HoleTurned, HandSettled))
    match latest:
        case HandSettled():
            return _result(moment), hint
        case DealerPeeked():
            return say(Key.DEALER_PEEKS), hint
        case HoleTurned():
            return say(Key.DEALERS_TURN), hint
        case CardDealt(place=None) if not moment.playback.deals or latest.position >= 2:
            return say(Key.DEALERS_TURN), hint
        case CardDealt() | None if moment.playback.deals:
            return say(Key.DEALING), hint
        case None if (played := moment.playback.decision()) is not None and played.action == Action.STAND.value:
            # No place has the next card: the dealer goes on.
            return say(Key.DEALERS_TURN), hint
        case _:
            return say(Key.PLAYING), hint


# --- the state of the game ----------------------------------------------------------------------------------------


def _state_of_play(moment: Moment) -> Speech:
    say = moment.words.say
    match moment.state:
        case State.ATTRACT:
            hint = Key.ATTRACT_HINT if len(moment.ui.languages) > 1 else Key.ATTRACT_HINT_RULES
            return paid_out_text(moment) or say(Key.ATTRACT), say(hint)
        case State.CHOOSING:
            return say(Key.CHOOSE_GAME), say(Key.CHOOSE_GAME_HINT)
        case State.BETTING:
            return invitation(moment)
        case State.AUDIT:
            return "", ""
        case State.CASHING_OUT:
            return say(Key.PRINTING_TITLE), say(Key.PRINTING_ADVICE)
        case State.LOCKED:
            return say(_lock_key(moment)), paid_out_text(moment)
        case State.INSURANCE:
            return _insurance(moment)
        case State.DECIDING:
            return _deciding(moment)
        case State.SETTLED:
            return _settled(moment)


def _lock_key(moment: Moment) -> Key:
    """Returns the text under a lock: a player's own limit waits for the player only, a closed machine for no one, and
    an attendant who must be called is not waited for yet."""
    if engine.why_not(moment.settings, moment.machine, KeepPlaying()) is None:
        return Key.LIMIT_TITLE
    if asks_for_a_call(moment):
        return Key.NOTES_OFF_HINT
    stopping = {lock.kind for lock in moment.machine.locks if LOCKS[lock.kind].stops_play}
    return Key.OUT_OF_SERVICE_TITLE if stopping == {LockKind.OUT_OF_SERVICE} else Key.REFUSED_LOCKED


def _insurance(moment: Moment) -> Speech:
    short = Key.INSURANCE_HINT_NOTE if moment.snapshot.notes else Key.INSURANCE_HINT_NO
    hint = moment.words.say(Key.INSURANCE_HINT if moment.allows(Insure()) else short)
    return asked_text(moment, Key.INSURANCE_ASKED, Key.INSURANCE_ASKED_PLACE, Key.INSURANCE_ASKED_PLACES), hint


def asked_text(moment: Moment, alone: Key, one: Key, several: Key) -> str:
    """Returns the insurance question: at a table of one place, for one place of several, or for several at once."""
    amount = moment.words.money(asked_cents(moment))
    if moment.table.rules.places_max == 1:
        return moment.words.say(alone, amount=amount)
    numbers = [str(place.number + 1) for place in play.places_asked(moment.settings, moment.machine)]
    key = one if len(numbers) == 1 else several
    return moment.words.say(key, place=numbers[0], places=", ".join(numbers), amount=amount)


def asked_cents(moment: Moment) -> int:
    """Returns the insurance that the question names: the offer of one place, or the sum for several."""
    asked = play.places_asked(moment.settings, moment.machine)
    if len(asked) > 1:
        return sum(map(blackjack.half_bet_cents, asked))
    return play.insurance_offer(moment.settings, moment.machine)


def _deciding(moment: Moment) -> Speech:
    round_ = moment.machine.round
    if round_ is None or round_.turn is None:
        return "", ""
    say = moment.words.say
    index, number = round_.turn
    place = round_.places[index]
    many_places, many_hands = moment.table.rules.places_max > 1, len(place.hands) > 1
    key = {
        (False, False): Key.DECIDE,
        (True, False): Key.DECIDE_PLACE,
        (False, True): Key.DECIDE_HAND,
        (True, True): Key.DECIDE_PLACE_HAND,
    }[many_places, many_hands]
    total = total_of(place.hands[number].cards)
    message = say(
        key,
        place=place.number + 1,
        hand=moment.words.listed(Key.HAND_NAMES, number),
        total=say(Key.TOTAL_SOFT, points=total.points) if total.soft else str(total.points),
        upcard=moment.words.listed(Key.UPCARD_NAMES, value_of(blackjack.upcard(round_)) - 1),
    )
    more = any(moment.allows(command) for command in (Hit(), Double(), Split()))
    hint = say(Key.LIT_HINT if more else Key.DECIDE_STAND)
    return sentence(message), hint


def _settled(moment: Moment) -> Speech:
    """Returns the result or the payment, and what is next; in the other order when credit came in since."""
    paid, next_ = paid_out_text(moment), next_round_text(moment)
    if paid and next_ and moment.machine.books.credit_cents:
        return next_, paid
    return paid or _result(moment), next_


def _result(moment: Moment) -> str:
    """Returns how the round ended, in one sentence; it is a win only when more comes back than was staked."""
    say, words = moment.words.say, moment.words
    results, round_ = moment.machine.results, moment.machine.round
    if results is None or round_ is None:
        return ""
    net = results.returned_cents - results.staked_cents
    if net > 0:
        return say(Key.YOU_WIN, amount=words.money(net))
    if net == 0:
        return say(Key.ALL_EQUAL)
    if results.returned_cents:
        return say(Key.SOME_BACK, amount=words.money(results.returned_cents))
    return _dealer_wins(moment, round_)


def _dealer_wins(moment: Moment, round_: Round) -> str:
    say, results = moment.words.say, moment.machine.results
    if results is not None and results.dealer_blackjack:
        return say(Key.DEALER_WINS_BLACKJACK)
    if results is not None and all(result.outcome is Outcome.BUST for result in results.hands):
        return say(Key.DEALER_WINS)
    return say(Key.DEALER_WINS_WITH, points=total_of(round_.dealer).points)

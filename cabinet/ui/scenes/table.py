"""A table at one moment of an animation.

Rules: no card, result or hole card's face shows before its beat, and a hand's total counts only the cards that lie face
up. The machine decides what is true, the Playback what may be shown yet.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cabinet.engine import blackjack
from cabinet.engine import machine as engine
from cabinet.engine.cards import BLACKJACK_TOTAL, Card, total_of
from cabinet.engine.effects import BetsChanged, CardDealt, HandPlayed, HandSettled, InsuranceAnswered
from cabinet.engine.inputs import Bet, BetAll, Command, TakeChip
from cabinet.engine.play import places_asked
from cabinet.engine.round import Action, Hand, HandResult, Outcome, Place, Results, Round, Stage
from cabinet.engine.rules import Rules, Table
from cabinet.engine.state import Machine, Phase, Settings, State
from cabinet.presentation.memo_key import IdentityKey
from cabinet.presentation.timeline import Beat
from cabinet.text.messages import Key, Words
from cabinet.text.rules import felt_lines
from cabinet.ui.scenes.playback import Playback, StillViews, still_views
from cabinet.ui.shapes import MOST_IN_STACK
from cabinet.ui.view import (
    DEALER,
    Banner,
    CardView,
    DealerView,
    HandView,
    Kind,
    PlaceView,
    Plaque,
    Slot,
    Sprite,
    SpriteKind,
    TableView,
    Tone,
)

SOFT_PERIOD_S, SOFT_WORD_S = 1.8, 1.1
"""Seconds. The total of the active hand shows the small word for SOFT_WORD_S of each SOFT_PERIOD_S."""
CARD_LIFT, DEALER_LIFT, CHIP_LIFT = 46.0, 6.0, 30.0
"""How high cards and chips fly, in design units; the dealer's cards stay below the top bar."""

_RESULT_KEYS = {
    Outcome.BLACKJACK: Key.RESULT_BLACKJACK,
    Outcome.WIN: Key.RESULT_WIN,
    Outcome.CARDS_WIN: Key.RESULT_CARDS_WIN,
    Outcome.PUSH: Key.RESULT_PUSH,
    Outcome.LOSS: Key.RESULT_LOSS,
    Outcome.BUST: Key.RESULT_BUST,
}
_RESULT_TONES = {
    Outcome.BLACKJACK: Tone.WIN,
    Outcome.WIN: Tone.WIN,
    Outcome.CARDS_WIN: Tone.WIN,
    Outcome.PUSH: Tone.PUSH,
    Outcome.LOSS: Tone.LOSE,
    Outcome.BUST: Tone.LOSE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A machine at its table, as far as the animation has come. `amounts` is False where no money is at stake."""

    machine: Machine
    table: Table
    playback: Playback
    words: Words
    now_s: float
    amounts: bool = True
    lesson: str = ""
    """The text that names what a demonstration shows."""
    settings: Settings | None = None
    """Settings that decide which bets are allowed; None where no bet is."""

    def allows(self, command: Command) -> bool:
        """Returns True when presses are taken and the engine accepts this command."""
        taken = self.settings is not None and self.now_s >= self.playback.open_at_s
        return taken and self.settings is not None and engine.why_not(self.settings, self.machine, command) is None

    @property
    def round(self) -> Round | None:
        """The round on the table."""
        return self.machine.round

    @property
    def active(self) -> tuple[int, int] | None:
        """(place number, hand) in play; during an animation the hand it began with."""
        round_ = self.round
        decided = self.playback.decision()
        if decided is not None and not self.playback.finished:
            return None if self.playback.dealers_turn else (decided.place, decided.hand)
        if (
            round_ is None
            or round_.turn is None
            or self.machine.phase is not Phase.DECIDING
            or not self.playback.finished
        ):
            return None
        index, hand = round_.turn
        return (round_.places[index].number, hand)

    @property
    def waits(self) -> bool:
        """True while the player decides, under any overlay."""
        return engine.state_of(self.machine) is State.DECIDING

    def money(self, cents: int) -> str:
        """Returns an amount; empty where no money is at stake."""
        return self.words.money(cents) if self.amounts else ""

    def stack(self, cents: int) -> tuple[int, ...]:
        """Returns a stack of chips worth an amount, at most the readable number, the largest at the bottom."""
        return stack_of(cents, self.table.limits.chips_cents)


def stack_of(cents: int, chips: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the fewest chips that make the amount, largest first, at most `MOST_IN_STACK`."""
    found: list[int] = []
    left = cents
    for chip in reversed(chips):
        count, left = divmod(left, chip)
        found += [chip] * count
    return tuple(found[:MOST_IN_STACK]) or ((chips[0],) if cents else ())


def table_view(seen: Seen) -> TableView:
    """Returns the whole table but the insurance question."""
    rules, still = seen.table.rules, _still(seen)
    lines, plate = _print(IdentityKey(rules), seen.words)
    dealer = _dealer(seen) if still is None else still.view_of(seen.playback, None, _dealer, seen)
    return TableView(
        felt_lines=lines,
        plate=plate,
        dealer=dealer,
        places=tuple(
            [
                _place(seen, number) if still is None else still.view_of(seen.playback, number, _place, seen, number)
                for number in range(rules.places_max)
            ]
        ),
        all_bettable=seen.allows(BetAll()),
        demonstration="" if seen.amounts else seen.lesson or seen.words.say(Key.DEMONSTRATION),
    )


def _still(seen: Seen) -> StillViews | None:
    """Returns the remembered views of the present animation; None without one."""
    if seen.playback.finished or seen.now_s >= seen.playback.open_at_s:
        return None
    playback = seen.playback
    animation = IdentityKey(seen.machine), IdentityKey(seen.table), IdentityKey(playback.beats), playback.dealers_turn
    return still_views(*animation, seen.words, seen.amounts)


@lru_cache(maxsize=8)
def _print(rules: IdentityKey[Rules], words: Words) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the print on the felt and on the plate."""
    plate = (words.title(rules.it), words.say_count(Key.PLATE_DECKS, rules.it.decks))
    return felt_lines(words, rules.it), plate


# --- dealer -----------------------------------------------------------------------------------------------------


def _dealer(seen: Seen) -> DealerView:
    round_ = seen.round
    if round_ is None:
        return DealerView(hand=HandView())
    cards = tuple(_dealer_cards(seen, round_))
    landed = sum(1.0 for card in cards if not card.hidden)
    flying = sum(seen.playback.eased(beat) for beat in _flying(seen.playback, None, 0))
    awaits = not round_.rules.hole_card and len(cards) == 1
    hand = HandView(
        cards=cards,
        open=max(2.0, landed + flying),
        plaque=_plaque(seen, cards, active=False),
        banner=_dealer_banner(seen, round_, cards),
    )
    return DealerView(hand=hand, awaits=awaits)


def _dealer_cards(seen: Seen, round_: Round) -> Iterator[CardView]:
    hole = blackjack.hole_position(round_.rules)
    turning = seen.playback.hole()
    for position, card in enumerate(round_.dealer):
        beat = seen.playback.card(None, 0, position)
        if beat is not None and not seen.playback.has_begun(beat):
            continue
        hidden = beat is not None and seen.playback.at_s < beat.land_s
        if position == hole:
            unknown = round_.stage is not Stage.OVER or (turning is not None and not seen.playback.has_begun(turning))
            turn = 0.0 if unknown else 1.0 if turning is None else seen.playback.turned(turning)
            yield CardView(card=None if unknown else card, turn=turn, hidden=hidden)
        else:
            turn = 1.0 if beat is None else seen.playback.turned(beat)
            yield CardView(card=card, turn=turn, hidden=hidden)


def _dealer_banner(seen: Seen, round_: Round, cards: tuple[CardView, ...]) -> Banner | None:
    """Returns the dealer's result once all of the dealer's cards lie face up."""
    if round_.stage is not Stage.OVER or len(cards) < len(round_.dealer) or any(card.turn < 1 for card in cards):
        return None
    if len(round_.dealer) == 2 and total_of(round_.dealer).points == BLACKJACK_TOTAL:
        return Banner(word=seen.words.say(Key.DEALER_BLACKJACK), amount="", tone=Tone.NEUTRAL)
    if total_of(round_.dealer).bust:
        return Banner(word=seen.words.say(Key.DEALER_BUSTS), amount="", tone=Tone.NEUTRAL)
    return None


# --- places -----------------------------------------------------------------------------------------------------


def _place(seen: Seen, number: int) -> PlaceView:
    machine, round_ = seen.machine, seen.round
    betting = machine.phase in {Phase.BETTING, Phase.SETTLED} and seen.playback.at_s >= seen.playback.open_at_s
    place = None if round_ is None else next((p for p in round_.places if p.number == number), None)
    return PlaceView(
        number=number,
        hands=(_placed_chips(seen, number),) if place is None else tuple(_hands(seen, place)),
        pointed=seen.amounts and betting and machine.seat.place == number and seen.table.rules.places_max > 1,
        asked=seen.playback.finished and number in _asked(seen),
        insurance="" if place is None else _insurance_tag(seen, place),
        bettable=seen.allows(Bet(place=number)),
        takeable=seen.allows(TakeChip(place=number)),
    )


def _asked(seen: Seen) -> tuple[int, ...]:
    """Returns the numbers of the places that are asked about insurance."""
    if seen.settings is None or seen.machine.phase is not Phase.INSURANCE:
        return ()
    return tuple(place.number for place in places_asked(seen.settings, seen.machine))


def _placed_chips(seen: Seen, number: int) -> HandView:
    """Returns the chips on a place that is not in play, without those that still move."""
    bets = seen.machine.seat.bets
    cents = bets[number] if number < len(bets) else 0
    there = cents
    for beat in seen.playback.running():
        event = beat.event
        if isinstance(event, BetsChanged) and number < len(event.before):
            there = min(there, event.before[number])
    return HandView(chips=seen.stack(there), stake=seen.money(cents) if cents else "")


def _insurance_tag(seen: Seen, place: Place) -> str:
    """Returns the insurance tag of a place: the stake, then the result."""
    if not place.insurance_cents or not seen.amounts:
        return ""
    asked = next((b for b in seen.playback.beats if _answers(b, place.number)), None)
    if asked is not None and not seen.playback.has_begun(asked):
        return ""
    settled = _insurance_returned(seen, place)
    if settled is None:
        return seen.words.say(Key.INSURANCE_TAG, amount=seen.words.money(place.insurance_cents))
    key = Key.INSURANCE_PAID if settled else Key.INSURANCE_LOST
    return seen.words.say(key, amount=seen.words.signed(settled - place.insurance_cents))


def _answers(beat: Beat, place: int) -> bool:
    return isinstance(beat.event, InsuranceAnswered) and beat.event.place == place


def _insurance_returned(seen: Seen, place: Place) -> int | None:
    """Returns what an insurance brought back; None while it is unknown or not shown. It is known once the dealer has
    peeked."""
    round_, beat = seen.round, seen.playback.insurance(place.number)
    if beat is not None and not seen.playback.has_begun(beat):
        return None
    results = seen.machine.results
    for result in () if results is None else results.insurances:
        if result.place == place.number:
            return result.returned_cents
    peeked = round_ is not None and round_.rules.hole_card and round_.stage is Stage.DECIDING
    return 0 if peeked else None


def _hands(seen: Seen, place: Place) -> Iterator[HandView]:
    split = seen.playback.split(place.number)
    decided = seen.playback.decision()
    for number, hand in enumerate(place.hands):
        apart = None
        if split is not None and decided is not None and number in (decided.hand, decided.hand + 1):
            apart = seen.playback.eased(split)
            if number == decided.hand:
                apart = 2.0 - apart
        yield _hand(seen, place, number, hand, apart)


def _hand(seen: Seen, place: Place, number: int, hand: Hand, apart: float | None) -> HandView:
    playback = seen.playback
    cards = tuple(_cards(seen, place.number, number, hand))
    landed = sum(1.0 for card in cards if not card.hidden)
    flying = sum(playback.eased(beat) for beat in _flying(playback, place.number, number))
    spread = max(1.0, landed + flying) if cards else 0.0
    if apart is not None and landed + flying <= 1:
        spread = apart
    parting = apart is not None and apart % 1 > 0
    result = _result(seen, place.number, number)
    active = seen.active == (place.number, number)
    lost = result is not None and not result.returned_cents
    return HandView(
        cards=cards,
        open=spread,
        plaque=None if parting else _plaque(seen, cards, active=active),
        active=active,
        dimmed=lost,
        chips=() if lost else seen.stack(_stake_there(seen, place.number, number, hand)),
        win_chips=_win_chips(seen, place.number, number, result),
        # The result gives the cost of a lost hand: an amount beside an empty circle would look like a bet.
        stake="" if lost else seen.money(hand.stake_cents),
        stake_room=len(seen.money(2 * place.bet_cents)),
        banner=_banner(seen, hand, cards, result),
    )


def _cards(seen: Seen, place: int, number: int, hand: Hand) -> Iterator[CardView]:
    for position, card in enumerate(hand.cards):
        beat = seen.playback.card(place, number, position)
        if beat is None:
            yield CardView(card=card)
        elif seen.playback.has_begun(beat):
            hidden = seen.playback.at_s < beat.land_s
            yield CardView(card=card, turn=seen.playback.turned(beat), hidden=hidden)


def _flying(playback: Playback, place: int | None, hand: int) -> Iterator[Beat]:
    """Yields the beats of cards that fly to a hand."""
    for beat in playback.beats:
        event = beat.event
        mine = isinstance(event, CardDealt) and (event.place, event.hand) == (place, hand)
        if mine and playback.has_begun(beat) and playback.at_s < beat.land_s:
            yield beat


def _stake_there(seen: Seen, place: int, number: int, hand: Hand) -> int:
    """Returns the stake that has reached the table: the part added by a double or a split arrives with its chips."""
    for beat in seen.playback.running():
        event = beat.event
        if isinstance(event, HandPlayed) and event.place == place and number == _hand_added_to(event):
            return hand.stake_cents - event.added_cents
    return hand.stake_cents


def _hand_added_to(event: HandPlayed) -> int:
    """Returns the hand whose stake a decision adds to: for a split, the new one."""
    return event.hand + (1 if event.action == Action.SPLIT.value else 0)


def _plaque(seen: Seen, cards: tuple[CardView, ...], *, active: bool) -> Plaque | None:
    up = [card.card for card in cards if card.card is not None and card.turn > 0.5 and not card.hidden]
    if not up:
        return None
    total = total_of(up)
    word = _named_soft(up)
    if active and word and seen.playback.finished and seen.waits:
        word = (seen.now_s - seen.playback.open_at_s) % SOFT_PERIOD_S < SOFT_WORD_S
    return Plaque(
        number=str(total.points),
        soft=word,
        soft_word=seen.words.say(Key.SOFT) if _named_soft(up) else "",
        bust=total.bust,
    )


def _named_soft(cards: Sequence[Card]) -> bool:
    """Returns True for a soft total that needs the word; a blackjack does not."""
    total = total_of(cards)
    return total.soft and not (len(cards) == 2 and total.points == BLACKJACK_TOTAL)


def soft_change_s(seen: Seen) -> float | None:
    """Returns when the total of the active hand next shows or hides the small word; None when it does neither."""
    round_ = seen.round
    if not seen.waits or round_ is None or round_.turn is None or not seen.playback.finished:
        return None
    index, hand = round_.turn
    if not _named_soft(round_.places[index].hands[hand].cards):
        return None
    since = (seen.now_s - seen.playback.open_at_s) % SOFT_PERIOD_S
    return seen.now_s + (SOFT_WORD_S - since if since < SOFT_WORD_S else SOFT_PERIOD_S - since)


# --- results ------------------------------------------------------------------------------------------------------


def _result(seen: Seen, place: int, number: int) -> HandResult | None:
    """Returns the hand's result once it may be shown."""
    beat = seen.playback.result(place, number)
    if beat is not None and not seen.playback.has_begun(beat):
        return None
    results: Results | None = seen.machine.results
    if results is None:
        return None
    return next((r for r in results.hands if (r.place, r.hand) == (place, number)), None)


def _banner(seen: Seen, hand: Hand, cards: tuple[CardView, ...], result: HandResult | None) -> Banner | None:
    """Returns the result; a blackjack and a bust are named before they are settled."""
    if result is not None:
        word = seen.words.say(_RESULT_KEYS[result.outcome], count=len(hand.cards))
        net = result.returned_cents - result.stake_cents
        amount = "" if not seen.amounts or result.outcome is Outcome.PUSH else seen.words.signed(net)
        return Banner(word=word, amount=amount, tone=_RESULT_TONES[result.outcome])
    if len(cards) < len(hand.cards) or any(card.turn < 1 for card in cards):
        return None
    if blackjack.is_natural(hand):
        return Banner(word=seen.words.say(Key.RESULT_BLACKJACK), amount="", tone=Tone.NEUTRAL)
    if total_of(hand.cards).bust:
        return Banner(word=seen.words.say(Key.RESULT_BUST), amount="", tone=Tone.LOSE)
    return None


def _win_chips(seen: Seen, place: int, number: int, result: HandResult | None) -> tuple[int, ...]:
    if result is None or result.returned_cents <= result.stake_cents:
        return ()
    beat = seen.playback.result(place, number)
    if beat is not None and not seen.playback.has_ended(beat):
        return ()
    return seen.stack(result.returned_cents - result.stake_cents)


# --- what moves -----------------------------------------------------------------------------------------------------


def sprites(seen: Seen) -> tuple[Sprite, ...]:
    """Returns the cards and chips that move."""
    return tuple(sprite for beat in seen.playback.running() for sprite in _sprites_of(seen, beat))


def _sprites_of(seen: Seen, beat: Beat) -> Iterator[Sprite]:
    playback, event = seen.playback, beat.event
    own = player_chips_slot(seen)
    bank = Slot(Kind.PLAQUE, DEALER)
    match event:
        case CardDealt() if playback.at_s < beat.land_s:
            place = DEALER if event.place is None else event.place
            end = Slot(Kind.CARD, place, event.hand, event.position)
            lift = DEALER_LIFT if event.place is None else CARD_LIFT
            yield Sprite(kind=SpriteKind.CARD, start=Slot(Kind.SHOE), end=end, progress=playback.eased(beat), lift=lift)
        case BetsChanged():
            for number, (before, after) in enumerate(zip(event.before, event.after, strict=True)):
                spot = Slot(Kind.CHIPS, number)
                way = (own, spot) if after > before else (spot, own)
                if after != before:
                    yield _chips(seen, beat, *way, abs(after - before))
        case HandPlayed() if event.added_cents:
            spot = Slot(Kind.CHIPS, event.place, _hand_added_to(event))
            yield _chips(seen, beat, own, spot, event.added_cents)
        case HandSettled() if not event.returned_cents:
            yield _chips(seen, beat, Slot(Kind.CHIPS, event.place, event.hand), bank, event.stake_cents)
        case HandSettled() if event.returned_cents > event.stake_cents:
            won = event.returned_cents - event.stake_cents
            yield _chips(seen, beat, bank, Slot(Kind.WIN_CHIPS, event.place, event.hand), won)
        case _:
            return


def _chips(seen: Seen, beat: Beat, start: Slot, end: Slot, cents: int) -> Sprite:
    return Sprite(
        kind=SpriteKind.CHIPS,
        start=start,
        end=end,
        progress=seen.playback.eased(beat),
        lift=CHIP_LIFT,
        chips=seen.stack(cents),
    )


def player_chips_slot(seen: Seen) -> Slot:
    """Returns where the player's chips come from and go to: the selected chip."""
    return Slot(Kind.CHIP, nth=_chip_in_hand(seen))


def _chip_in_hand(seen: Seen) -> int:
    chips = seen.table.limits.chips_cents
    return chips.index(seen.machine.seat.chip_cents) if seen.machine.seat.chip_cents in chips else 0

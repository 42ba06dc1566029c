"""How a round of blackjack is played: dealing, deciding, insuring, the dealer's turn, the results.

Rules that hold here: every difference between games is read from `Rules`; a round only moves through `deal`, `act` and
`insure`, each of which gives a new `Round` and draws exactly the cards it needs at that moment, in table order; the
dealer's turn belongs to the step that ends the last hand. An illegal step raises `EngineError`: the caller asks
`why_not` first.
Does not know: credit, buttons, screens, or how a card is drawn. Sources: the rule texts of the three games.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

from cabinet.engine.cards import ACE, VALUES, Card, Draw, rank_of, total_of
from cabinet.engine.errors import EngineError
from cabinet.engine.money import fraction_of
from cabinet.engine.round import (
    Action,
    Hand,
    HandResult,
    InsuranceResult,
    Outcome,
    Place,
    Results,
    Round,
    Stage,
)
from cabinet.engine.rules import DoubleOn, HitAt21, LateBlackjackTakes, Rules, SplitBy

# A member named through its class costs a call each time; these are asked for with every card.
_DECIDING: Final = Stage.DECIDING
_OVER: Final = Stage.OVER
_STAND: Final = Action.STAND
_HIT: Final = Action.HIT


# --- looking at a round -------------------------------------------------------------------------------------------


def hole_position(rules: Rules) -> int | None:
    """Where among the dealer's cards the face-down card lies; None in a game without one."""
    if not rules.hole_card:
        return None
    return 0 if rules.hole_card_first else 1


def upcard(round_: Round) -> Card:
    """The dealer's face-up card of the deal."""
    return round_.dealer[1 if round_.rules.hole_card_first else 0]


def hole_card(round_: Round) -> Card | None:
    """The dealer's face-down card, which no player may see yet; None when there is none or it has been turned."""
    position = hole_position(round_.rules)
    return None if position is None or round_.stage is _OVER else round_.dealer[position]


def is_natural(hand: Hand) -> bool:
    """True for an ace and a ten-value as the first two cards: a blackjack. Never true after a split."""
    return not hand.from_split and _is_natural(hand.cards)


def is_pair(rules: Rules, hand: Hand) -> bool:
    """True for two cards that make a pair in this game: one rank, or one value."""
    if len(hand.cards) != 2:
        return False
    first, second = hand.cards
    if rules.split_by is SplitBy.RANK:
        return rank_of(first) == rank_of(second)
    return VALUES[first] == VALUES[second]


def why_not(round_: Round, action: Action) -> str | None:
    """The rule that forbids the action on the hand whose turn it is; None when it is legal. Knows nothing of credit."""
    if round_.stage is not _DECIDING or round_.turn is None:
        return "no hand is being decided"
    index, number = round_.turn
    place = round_.places[index]
    hand = place.hands[number]
    if action is _STAND:
        return None
    if action is _HIT:
        return _why_no_hit(round_.rules, hand)
    if action is Action.DOUBLE:
        return _why_no_double(round_.rules, hand)
    return _why_no_split(round_.rules, hand, len(place.hands))


def legal_actions(round_: Round) -> frozenset[Action]:
    """Every action the rules allow on the hand whose turn it is; empty when no hand is being decided."""
    return frozenset(action for action in Action if why_not(round_, action) is None)


def cost_cents(round_: Round, action: Action) -> int:
    """Returns what the action adds to the stakes: the hand's stake again for a double or a split, else 0."""
    if action not in (Action.DOUBLE, Action.SPLIT):
        return 0
    _, hand = _decided(round_)
    return hand.stake_cents


def insurance_max_cents(round_: Round) -> int:
    """The most that can be insured on the place asked. EngineError when no place is asked."""
    return half_bet_cents(_asked(round_))


def half_bet_cents(place: Place) -> int:
    """The most that can be insured on a place: half of its bet."""
    return fraction_of(place.bet_cents, 1, 2)


# --- moving a round -----------------------------------------------------------------------------------------------


def deal(rules: Rules, bets: Mapping[int, int] | Sequence[int], draw: Draw) -> Round:
    """Begins a round with the bets in cents by place number (0 is the first; places with 0 stay out).

    Deals as at a table: a card to each place, one to the dealer, a second to each place, and the dealer's second where
    there is a hole card. Goes on by itself to the first question there is, or to the end. EngineError for no bets, a
    bet that cannot be, or a place the game does not have; OddAmountError where 3 to 2 or half would not be whole.
    """
    stakes = _stakes_of(rules, bets)
    count = len(stakes)
    out: list[Card] = []
    for _ in range(2 * count + 1 + rules.hole_card):
        out.append(draw(out))
    drawn = tuple(out)
    places = tuple(
        [_opened(number, cents, (drawn[at], drawn[count + 1 + at])) for at, (number, cents) in enumerate(stakes)]
    )
    dealer = (drawn[count], drawn[-1]) if rules.hole_card else (drawn[count],)
    up = VALUES[dealer[1 if rules.hole_card_first else 0]]
    if up == 1:
        return Round(rules, places, dealer, drawn, Stage.INSURANCE, (0, 0))
    if up == 10 and rules.hole_card:
        return _look(rules, places, dealer, drawn, draw)
    return _go_on(rules, places, dealer, drawn, draw)


def insure(round_: Round, cents: int, draw: Draw) -> Round:
    """Insures the place asked for `cents`, 0 to decline; then the next place is asked, or play goes on.

    EngineError when no place is asked, or for an amount other than half of the bet (or, where the rules let less be
    insured, over half).
    """
    asked = _asked(round_)
    most = insurance_max_cents(round_)
    if not 0 <= cents <= most or (0 < cents < most and not round_.rules.insurance_partial):
        least = "up to" if round_.rules.insurance_partial else "0 or"
        raise EngineError(f"insurance of {cents} cents on place {asked.number}; expected {least} {most}")
    index = round_.places.index(asked)
    place = Place(asked.number, asked.bet_cents, asked.hands, cents)
    places = _with_place(round_.places, index, place)
    rules, dealer, drawn = round_.rules, round_.dealer, round_.drawn
    if index + 1 < len(places):
        return Round(rules, places, dealer, drawn, Stage.INSURANCE, (index + 1, 0))
    if rules.hole_card:
        return _look(rules, places, dealer, drawn, draw)
    return _go_on(rules, places, dealer, drawn, draw)


def act(round_: Round, action: Action, draw: Draw) -> Round:
    """Carries the action out on the hand whose turn it is. Ends the round when nothing is left to decide.

    EngineError, with the rule, for an action that `why_not` forbids.
    """
    refusal = why_not(round_, action)
    if refusal is not None or round_.turn is None:
        raise EngineError(f"cannot {action.value}: {refusal}")
    rules, drawn = round_.rules, round_.drawn
    index, number = round_.turn
    place = round_.places[index]
    hands, new = _played(rules, place, number, action, draw, drawn)
    drawn += new
    all_hands = place.hands[:number] + hands + place.hands[number + 1 :]
    places = _with_place(round_.places, index, Place(place.number, place.bet_cents, all_hands, place.insurance_cents))
    if not hands[0].done:
        return Round(rules, places, round_.dealer, drawn, _DECIDING, round_.turn)
    return _go_on(rules, places, round_.dealer, drawn, draw)


# --- results ------------------------------------------------------------------------------------------------------


def results(round_: Round) -> Results:
    """Returns what every hand and insurance of a finished round gets. EngineError while it is not over."""
    if round_.stage is not _OVER:
        raise EngineError(f"a round has no results while it is in stage {round_.stage.value!r}; expected it over")
    rules = round_.rules
    dealer_blackjack = _is_natural(round_.dealer)
    dealer_points = _points(round_.dealer)
    hands = []
    insurances = []
    for place in round_.places:
        for number, hand in enumerate(place.hands):
            outcome = _outcome_of(rules, hand, dealer_points, dealer_blackjack=dealer_blackjack)
            returned = _returned_cents(rules, hand.stake_cents, outcome)
            if dealer_blackjack and rules.late_blackjack_takes is LateBlackjackTakes.ORIGINAL_STAKES:
                outcome, returned = _original_only(place, number, outcome, returned)
            hands.append(
                HandResult(
                    place=place.number,
                    hand=number,
                    outcome=outcome,
                    stake_cents=hand.stake_cents,
                    returned_cents=returned,
                )
            )
        if place.insurance_cents:
            insurances.append(_insurance_result(rules, place.number, place.insurance_cents, won=dealer_blackjack))
    return Results(hands=tuple(hands), insurances=tuple(insurances), dealer_blackjack=dealer_blackjack)


# --- inside -------------------------------------------------------------------------------------------------------


def _points(cards: Iterable[Card]) -> int:
    """The best total, without saying whether it is soft; this is where most of the time of a round goes."""
    points = 0
    ace = False
    for card in cards:
        value = VALUES[card]
        points += value
        if value == 1:
            ace = True
    return points + 10 if ace and points <= 11 else points


def _is_natural(cards: tuple[Card, ...]) -> bool:
    if len(cards) != 2:
        return False
    first, second = VALUES[cards[0]], VALUES[cards[1]]
    return first + second == 11 and (first == 1 or second == 1)


def _stakes_of(rules: Rules, bets: Mapping[int, int] | Sequence[int]) -> list[tuple[int, int]]:
    pairs = sorted(bets.items()) if isinstance(bets, Mapping) else enumerate(bets)
    stakes = [(number, cents) for number, cents in pairs if cents]
    if not stakes:
        raise EngineError("a round needs a bet on at least one place")
    for number, cents in stakes:
        if not 0 <= number < rules.places_max:
            raise EngineError(f"{rules.game_id} has no place {number}; expected 0 to {rules.places_max - 1}")
        if cents < 0:
            raise EngineError(f"the bet on place {number} is {cents} cents; expected more than 0")
        fraction_of(cents, *rules.blackjack_pays)
        fraction_of(cents, 1, 2)
    return stakes


def _opened(number: int, cents: int, cards: tuple[Card, Card]) -> Place:
    return Place(number, cents, (Hand(cards, cents, done=_is_natural(cards)),))


def _asked(round_: Round) -> Place:
    if round_.stage is not Stage.INSURANCE or round_.turn is None:
        raise EngineError(f"no place is asked for insurance in stage {round_.stage.value!r}")
    return round_.places[round_.turn[0]]


def _decided(round_: Round) -> tuple[Place, Hand]:
    if round_.stage is not _DECIDING or round_.turn is None:
        raise EngineError(f"no hand is being decided in stage {round_.stage.value!r}")
    place = round_.places[round_.turn[0]]
    return place, place.hands[round_.turn[1]]


def _with_place(places: tuple[Place, ...], index: int, place: Place) -> tuple[Place, ...]:
    return (*places[:index], place, *places[index + 1 :])


def _holds_split_ace(rules: Rules, hand: Hand) -> bool:
    """True for a hand that began as one ace of a split pair and may have no third card."""
    return rules.split_aces_one_card and hand.from_split and rank_of(hand.cards[0]) == ACE


def _why_no_hit(rules: Rules, hand: Hand) -> str | None:
    if _holds_split_ace(rules, hand):
        return "split aces get one card each"
    if _points(hand.cards) == 21 and (rules.hit_at_21 is HitAt21.NEVER or total_of(hand.cards).soft):
        return "21 may not be hit"
    return None


def _why_no_double(rules: Rules, hand: Hand) -> str | None:
    if len(hand.cards) != 2:
        return "only the first two cards of a hand may be doubled"
    if hand.from_split and not rules.double_after_split:
        return "no double after a split"
    if _holds_split_ace(rules, hand):
        return "split aces get one card each"
    if rules.double_on is DoubleOn.UNDER_21 and _points(hand.cards) == 21:
        return "only two cards under 21 may be doubled"
    return None


def _why_no_split(rules: Rules, hand: Hand, hands: int) -> str | None:
    if not is_pair(rules, hand):
        return "only a pair may be split"
    if hands > rules.splits_max:
        return f"a place may be split {rules.splits_max} times"
    if hand.from_split and rank_of(hand.cards[0]) == ACE and not rules.resplit_aces:
        return "aces may not be split again"
    return None


def _played(
    rules: Rules, place: Place, number: int, action: Action, draw: Draw, drawn: tuple[Card, ...]
) -> tuple[tuple[Hand, ...], tuple[Card, ...]]:
    """Returns what a legal action makes of a hand: the hand or the two hands in its stead, and the cards drawn for
    it."""
    hand = place.hands[number]
    if action is _STAND:
        return (Hand(hand.cards, hand.stake_cents, from_split=hand.from_split, done=True),), ()
    card = draw(drawn)
    cards = (*hand.cards, card)
    if action is _HIT:
        done = _points(cards) > 21 or len(cards) == rules.cards_max
        return (Hand(cards, hand.stake_cents, from_split=hand.from_split, done=done),), (card,)
    if action is Action.DOUBLE:
        return (Hand(cards, 2 * hand.stake_cents, doubled=True, from_split=hand.from_split, done=True),), (card,)
    if action is Action.SPLIT:
        new = (card, draw((*drawn, card)))
        hands = len(place.hands) + 1
        return tuple(
            _half(rules, (old, fresh), hand.stake_cents, hands) for old, fresh in zip(hand.cards, new, strict=True)
        ), new
    assert_never(action)


def _half(rules: Rules, cards: tuple[Card, Card], stake_cents: int, hands: int) -> Hand:
    """One hand of a split pair with its second card. Split aces are done, unless they may be split once more."""
    hand = Hand(cards, stake_cents, from_split=True)
    if not _holds_split_ace(rules, hand) or _why_no_split(rules, hand, hands) is None:
        return hand
    return Hand(cards, stake_cents, from_split=True, done=True)


def _go_on(
    rules: Rules, places: tuple[Place, ...], dealer: tuple[Card, ...], drawn: tuple[Card, ...], draw: Draw
) -> Round:
    """To the next hand that is not done, places and hands in order; with none left, through the dealer's turn."""
    for index, place in enumerate(places):
        for number, hand in enumerate(place.hands):
            if not hand.done:
                return Round(rules, places, dealer, drawn, _DECIDING, (index, number))
    if not rules.hole_card:
        card = draw(drawn)
        dealer = (*dealer, card)
        drawn = (*drawn, card)
    if _dealer_is_needed(rules, places):
        while _dealer_draws(rules, dealer):
            card = draw(drawn)
            dealer = (*dealer, card)
            drawn = (*drawn, card)
    return Round(rules, places, dealer, drawn, _OVER, None)


def _look(
    rules: Rules, places: tuple[Place, ...], dealer: tuple[Card, ...], drawn: tuple[Card, ...], draw: Draw
) -> Round:
    """The dealer looks at the hole card: blackjack ends the round at once, else play goes on."""
    if not _is_natural(dealer):
        return _go_on(rules, places, dealer, drawn, draw)
    ended = tuple(
        Place(
            place.number,
            place.bet_cents,
            tuple(Hand(hand.cards, hand.stake_cents, done=True) for hand in place.hands),
            place.insurance_cents,
        )
        for place in places
    )
    return Round(rules, ended, dealer, drawn, _OVER, None)


def _dealer_is_needed(rules: Rules, places: tuple[Place, ...]) -> bool:
    """True when some hand is still to be compared: not bust, no blackjack, not won by its number of cards."""
    for place in places:
        for hand in place.hands:
            points = _points(hand.cards)
            in_play = points < 21 or (points == 21 and not is_natural(hand))
            if in_play and len(hand.cards) != rules.cards_max:
                return True
    return False


def _dealer_draws(rules: Rules, dealer: tuple[Card, ...]) -> bool:
    points = _points(dealer)
    return points < 17 or (points == 17 and rules.dealer_hits_soft_17 and total_of(dealer).soft)


def _outcome_of(rules: Rules, hand: Hand, dealer_points: int, *, dealer_blackjack: bool) -> Outcome:
    points = _points(hand.cards)
    if points > 21:
        return Outcome.BUST
    if points == 21 and is_natural(hand):
        return Outcome.PUSH if dealer_blackjack else Outcome.BLACKJACK
    if len(hand.cards) == rules.cards_max:
        return Outcome.CARDS_WIN
    if dealer_blackjack or points < dealer_points <= 21:
        return Outcome.LOSS
    return Outcome.PUSH if points == dealer_points else Outcome.WIN


def _returned_cents(rules: Rules, stake_cents: int, outcome: Outcome) -> int:
    """Returns stake and win of a hand together."""
    match outcome:
        case Outcome.BLACKJACK:
            return stake_cents + fraction_of(stake_cents, *rules.blackjack_pays)
        case Outcome.WIN | Outcome.CARDS_WIN:
            return 2 * stake_cents
        case Outcome.PUSH:
            return stake_cents
        case Outcome.LOSS | Outcome.BUST:
            return 0
        case _:
            assert_never(outcome)


def _original_only(place: Place, number: int, outcome: Outcome, returned_cents: int) -> tuple[Outcome, int]:
    """The result where a late dealer blackjack takes a place's first bet only: what was added to it comes back."""
    if outcome not in (Outcome.LOSS, Outcome.BUST):
        return outcome, returned_cents
    if number == 0:
        return outcome, place.hands[0].stake_cents - place.bet_cents
    return (Outcome.PUSH if outcome is Outcome.LOSS else outcome), place.hands[number].stake_cents


def _insurance_result(rules: Rules, number: int, stake_cents: int, *, won: bool) -> InsuranceResult:
    returned = stake_cents + fraction_of(stake_cents, *rules.insurance_pays) if won else 0
    return InsuranceResult(place=number, stake_cents=stake_cents, returned_cents=returned)

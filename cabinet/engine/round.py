"""A round of blackjack as a value: places, hands, dealer's cards, whose turn it is, how it ended.

Rules that hold: a value here is never changed, only replaced; `drawn` lists every card that is out, in draw order;
money appears as stakes and results only, nothing here knows credit. How a round moves is `blackjack`'s business.
These are structs where the rest of the engine has dataclasses: a frozen dataclass takes four times as long to make, and
a simulated round is little else than the making of such values.
"""

from enum import Enum

from msgspec import Struct

from cabinet.engine.cards import Card
from cabinet.engine.rules import Rules


class Stage(Enum):
    """Where a round stands."""

    INSURANCE = "insurance"
    DECIDING = "deciding"
    OVER = "over"


class Action(Enum):
    """What a player may do with the hand whose turn it is."""

    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"


class Outcome(Enum):
    """How a hand ended, in the words shown to the player."""

    BLACKJACK = "blackjack"
    WIN = "win"
    CARDS_WIN = "cards win"
    """Won at once by the number of cards."""
    PUSH = "push"
    LOSS = "loss"
    BUST = "bust"


class Hand(Struct, frozen=True):
    """One hand of a place. `done` means: nothing more is decided for it."""

    cards: tuple[Card, ...]
    stake_cents: int
    doubled: bool = False
    from_split: bool = False
    done: bool = False


class Place(Struct, frozen=True):
    """One betting place in play. `insurance_cents` is None until asked, 0 when declined."""

    number: int
    bet_cents: int
    hands: tuple[Hand, ...]
    insurance_cents: int | None = None


class Round(Struct, frozen=True):
    """One round. `places` holds only the places bet on, in playing order; `turn` is (index in places, hand index)
    while deciding, and (index in places, 0) of the place asked while insuring."""

    rules: Rules
    places: tuple[Place, ...]
    dealer: tuple[Card, ...]
    drawn: tuple[Card, ...]
    stage: Stage
    turn: tuple[int, int] | None

    @property
    def staked_cents(self) -> int:
        """Returns every stake so far, insurance included."""
        hands = sum(hand.stake_cents for place in self.places for hand in place.hands)
        return hands + sum(place.insurance_cents or 0 for place in self.places)


class HandResult(Struct, frozen=True, kw_only=True):
    """How one hand ended; `returned_cents` is stake and win together, 0 for a loss."""

    place: int
    hand: int
    outcome: Outcome
    stake_cents: int
    returned_cents: int


class InsuranceResult(Struct, frozen=True, kw_only=True):
    """How one place's insurance ended; `returned_cents` is stake and win together, 0 when lost."""

    place: int
    stake_cents: int
    returned_cents: int


class Results(Struct, frozen=True, kw_only=True):
    """All of a round's results, hands in playing order."""

    hands: tuple[HandResult, ...]
    insurances: tuple[InsuranceResult, ...]
    dealer_blackjack: bool

    @property
    def staked_cents(self) -> int:
        """Returns every stake of the round, insurance included."""
        return sum(r.stake_cents for r in self.hands) + sum(r.stake_cents for r in self.insurances)

    @property
    def returned_cents(self) -> int:
        """Returns everything that goes back to the player, stakes included."""
        return sum(r.returned_cents for r in self.hands) + sum(r.returned_cents for r in self.insurances)

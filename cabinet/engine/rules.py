"""How blackjack is played here: one value per game, and the limits of its table.

Everything a player can read or press follows from these values: help, felt, legal actions, lamps. A rule is a
setting here and is obeyed in `blackjack`; nothing else may know that there are three games.
Sources: the rule texts of European Blackjack, Table Blackjack and Classic Blackjack.
"""

from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import TypedDict, Unpack

from cabinet.engine.errors import RulesError

CARDS_PER_DECK = 52
DEALER_DRAWS_UP_TO = 16
"""The highest hard total at which any dealer draws; a soft 17 is a 7 with its ace as one."""
LARGEST_RATIO = 100
"""No payout is a ratio of larger numbers: a slip of the keyboard must not become a debt."""
_PAYOUT = f"two whole numbers from 1 to {LARGEST_RATIO}"


class DoubleOn(Enum):
    """Which two-card hands may be doubled."""

    ANY_TWO = "any two cards"
    UNDER_21 = "any two cards under 21"


class SplitBy(Enum):
    """What makes two cards a pair."""

    RANK = "identical rank"
    VALUE = "same value"


class HitAt21(Enum):
    """What may be hit at a total of 21."""

    NEVER = "never"
    HARD_ONLY = "hard 21 only"


class LateBlackjackTakes(Enum):
    """What a dealer's blackjack takes that is found only after the hands were played."""

    ALL_STAKES = "all stakes"
    ORIGINAL_STAKES = "original stakes only"


def _is_payout(ratio: tuple[int, int]) -> bool:
    return min(ratio) >= 1 and max(ratio) <= LARGEST_RATIO


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One game's rules. Ratios are (paid, for)."""

    game_id: str
    title: str
    decks: int = 6
    places_max: int = 1
    hole_card: bool = True
    hole_card_first: bool = False
    """True when the dealer's first card lies face down and the second is the upcard."""
    dealer_hits_soft_17: bool = False
    double_on: DoubleOn = DoubleOn.ANY_TWO
    double_after_split: bool = True
    split_by: SplitBy = SplitBy.VALUE
    splits_max: int = 1
    split_aces_one_card: bool = True
    resplit_aces: bool = False
    hit_at_21: HitAt21 = HitAt21.NEVER
    cards_max: int | None = None
    """A hand of this many cards without a bust wins at once; None for no limit."""
    insurance_partial: bool = False
    """True when less than half of the stake may be insured."""
    blackjack_pays: tuple[int, int] = (3, 2)
    insurance_pays: tuple[int, int] = (2, 1)
    late_blackjack_takes: LateBlackjackTakes = LateBlackjackTakes.ALL_STAKES

    def __post_init__(self) -> None:
        """Raises RulesError for rules that contradict themselves."""
        for wrong, sentence in (
            (not 1 <= self.places_max <= 5, f"places_max is {self.places_max}, expected 1 to 5"),
            (not 0 <= self.splits_max <= 3, f"splits_max is {self.splits_max}, expected 0 to 3"),
            (not 1 <= self.decks <= 8, f"decks is {self.decks}, expected 1 to 8"),
            (
                self.hole_card_first and not self.hole_card,
                "hole_card_first is true, expected false where hole_card is false",
            ),
            (self.cards_max is not None and self.cards_max < 5, f"cards_max is {self.cards_max}, expected 5 or more"),
            (not _is_payout(self.blackjack_pays), f"blackjack_pays is {list(self.blackjack_pays)}, expected {_PAYOUT}"),
            (not _is_payout(self.insurance_pays), f"insurance_pays is {list(self.insurance_pays)}, expected {_PAYOUT}"),
        ):
            if wrong:
                raise RulesError(f"rules of {self.game_id!r}: {sentence}")


EUROPEAN = Rules(
    game_id="european",
    title="European Blackjack",
    places_max=5,
    hole_card=False,
    split_by=SplitBy.RANK,
    splits_max=3,
    hit_at_21=HitAt21.HARD_ONLY,
    insurance_partial=True,
)

TABLE = Rules(
    game_id="table",
    title="Table Blackjack",
    double_on=DoubleOn.UNDER_21,
    cards_max=11,
)

CLASSIC = Rules(
    game_id="classic",
    title="Classic Blackjack",
    hole_card_first=True,
)

GAMES: dict[str, Rules] = {rules.game_id: rules for rules in (EUROPEAN, TABLE, CLASSIC)}
"""The three games by id, in the order of the game choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What may be bet on one place of a table."""

    min_cents: int = 100
    max_cents: int = 10_000
    chips_cents: tuple[int, ...] = (100, 500, 2_500, 10_000)
    credit_cents: int = 25
    """Cents per credit; insurance of half a bet must be a whole number of credits."""

    def __post_init__(self) -> None:
        """Raises RulesError for limits at which 3 to 2 or half a bet is not a whole number of cents."""
        odd = next((chip for chip in self.chips_cents if chip % 2 or (chip // 2) % self.credit_cents), None)
        fallen = next((pair for pair in pairwise(self.chips_cents) if pair[0] >= pair[1]), None)
        for bad, sentence in (
            (not self.chips_cents, "chips_cents is empty, expected at least one chip"),
            (fallen is not None, f"chips_cents has {fallen} in a row, expected chips that rise from small to large"),
            (odd is not None, f"chips_cents has a chip of {odd}, expected chips {self._halves()}"),
            (
                not 0 < self.min_cents <= self.max_cents,
                f"min_cents is {self.min_cents}, expected more than 0 and no more than max_cents, {self.max_cents}",
            ),
            (bool(self.min_cents % 2), f"min_cents is {self.min_cents}, expected an even number of cents"),
            (
                bool(self.min_cents // 2 % self.credit_cents),
                f"min_cents is {self.min_cents}, expected an amount {self._halves()}",
            ),
            (
                bool(self.max_cents % 2 or self.max_cents // 2 % self.credit_cents),
                f"max_cents is {self.max_cents}, expected an amount {self._halves()}: no other bet can be placed",
            ),
        ):
            if bad:
                raise RulesError(f"table limits: {sentence}")

    def _halves(self) -> str:
        return f"of which half is a whole number of credits (credit_cents is {self.credit_cents})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A game as it is offered: rules and limits."""

    rules: Rules
    limits: Limits

    def __post_init__(self) -> None:
        """Raises RulesError for a pack that a round could use up. `Rules` does not check this, because a stored round
        keeps its rules."""
        rules, most = self.rules, most_cards(self.rules)
        if most > CARDS_PER_DECK * rules.decks:
            raise RulesError(
                f"rules of {rules.game_id!r}: decks is {rules.decks}, expected at least {-(-most // CARDS_PER_DECK)}: "
                f"a round of {rules.places_max} places and {rules.splits_max} splits may take {most} cards"
            )


def most_cards(rules: Rules) -> int:
    """Returns a number of cards that no round can exceed, in table order or any other; it may be above the size of the
    pack."""
    hands = rules.places_max * (rules.splits_max + 1)
    hit_up_to = 21 if rules.hit_at_21 is HitAt21.HARD_ONLY else 20
    room, cards = hands * hit_up_to + DEALER_DRAWS_UP_TO, hands + 1
    for value in range(1, 11):
        of_value = rules.decks * (16 if value == 10 else 4)
        fitting = min(of_value, room // value)
        cards, room = cards + fitting, room - fitting * value
    return cards


class RulesChanges(TypedDict, total=False):
    """Every field of `Rules`, each with its type and none required: the keyword arguments of `vary`."""

    game_id: str
    title: str
    decks: int
    places_max: int
    hole_card: bool
    hole_card_first: bool
    dealer_hits_soft_17: bool
    double_on: DoubleOn
    double_after_split: bool
    split_by: SplitBy
    splits_max: int
    split_aces_one_card: bool
    resplit_aces: bool
    hit_at_21: HitAt21
    cards_max: int | None
    insurance_partial: bool
    blackjack_pays: tuple[int, int]
    insurance_pays: tuple[int, int]
    late_blackjack_takes: LateBlackjackTakes


def vary(rules: Rules, **changes: Unpack[RulesChanges]) -> Rules:
    """Returns the rules with some settings changed. Raises RulesError when the result contradicts itself."""
    return replace(rules, **changes)

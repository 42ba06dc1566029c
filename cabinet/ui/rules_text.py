"""The rules in words: the lines on the felt and the help pages, made from the very values the engine plays by.

Rules that hold: every setting of `Rules` and `Limits` a player can meet is told, and told only as it is configured, so
that no page can promise what the engine does not do. Pure: the same rules always give the same words.
Does not know: where the words are shown, or the currency; amounts are written by the `money` handed in.
Covers the checklist regulators ask of a blackjack game (insurance, pairs, aces, doubling, the dealer's rule, card
limits, surrender, ties, dealing without a hole card).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cabinet.engine.rules import DoubleOn, HitAt21, LateBlackjackTakes, Limits, Rules, SplitBy

Money = Callable[[int], str]
"""Writes an amount of cents for the player."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One heading of the help pages with its sentences."""

    title: str
    lines: tuple[str, ...]


def plain_money(cents: int) -> str:
    """The amount with two decimals and no currency, such as `2.50`."""
    return f"{cents // 100}.{cents % 100:02d}"


def felt_lines(rules: Rules) -> tuple[str, ...]:
    """The lines printed on the felt: what blackjack pays, the dealer's rule, what insurance pays."""
    return (
        f"Blackjack pays {_ratio(rules.blackjack_pays)}",
        f"Dealer draws to 16 and {'hits soft 17' if rules.dealer_hits_soft_17 else 'stands on all 17s'}",
        f"Insurance pays {_ratio(rules.insurance_pays)}",
    )


def help_sections(rules: Rules, limits: Limits, *, money: Money = plain_money) -> tuple[Section, ...]:
    """The help pages of a game at its table's limits, in reading order."""
    return (
        Section(title=rules.title, lines=tuple(_aim())),
        Section(title="The table", lines=tuple(_table(rules, limits, money))),
        Section(title="The deal", lines=tuple(_deal(rules))),
        Section(title="Blackjack", lines=tuple(_blackjack(rules))),
        Section(title="Playing your hand", lines=tuple(_hand(rules))),
        Section(title="Doubling", lines=tuple(_doubling(rules))),
        Section(title="Splitting pairs", lines=tuple(_splitting(rules))),
        Section(title="Insurance", lines=tuple(_insurance(rules))),
        Section(title="Surrender", lines=("Surrender is not offered: a hand once dealt is played to its end.",)),
        Section(title="The dealer", lines=tuple(_dealer(rules))),
        Section(title="Results", lines=tuple(_results(rules))),
        Section(title="Whole amounts", lines=tuple(_amounts(rules, limits, money))),
        Section(title="Buttons", lines=tuple(_buttons(rules))),
        Section(title="Malfunction", lines=tuple(_malfunction())),
    )


# --- the sections -------------------------------------------------------------------------------------------------


def _aim() -> Iterator[str]:
    yield "Come closer to 21 than the dealer without going over."
    yield "Cards from 2 to 10 count their number; jack, queen and king count 10."
    yield (
        "An ace counts 11 as long as that does not take the hand over 21, otherwise 1. You never have to choose. "
        "While it counts 11 the total is called soft: an ace and a 5 are a soft 16."
    )


def _table(rules: Rules, limits: Limits, money: Money) -> Iterator[str]:
    yield f"{_count(rules.decks, 'deck')} of 52 cards, shuffled anew for every round.".capitalize()
    if rules.places_max == 1:
        yield "You play one place against the dealer."
    else:
        yield f"You may play one to {_number(rules.places_max)} places in a round, each with its own bet."
    yield f"A bet on a place is at least {money(limits.min_cents)} and at most {money(limits.max_cents)}."
    yield f"Chips: {', '.join(money(chip) for chip in limits.chips_cents)}."


def _deal(rules: Rules) -> Iterator[str]:
    yield "Every place gets two cards, face up."
    if not rules.hole_card:
        yield (
            "The dealer gets one card, face up, and no card face down (no hole card, also called London deal). The "
            "dealer's second card comes after every hand has been played."
        )
        return
    if rules.hole_card_first:
        yield "The dealer's first card lies face down, the second face up."
    else:
        yield "The dealer's first card lies face up, the second face down."
    yield (
        "With an ace up, after the insurance question, or a ten-value card up, the dealer looks at the face-down card. "
        "If it makes blackjack the round ends at once, before anything can be added to a bet."
    )


def _blackjack(rules: Rules) -> Iterator[str]:
    yield "An ace and a ten-value card as your first two cards are blackjack."
    yield f"It pays {_ratio(rules.blackjack_pays)} and beats every other hand, a 21 of more cards too."
    yield "If the dealer has blackjack as well it is a push: your bet comes back."
    if rules.splits_max:
        yield "An ace and a ten-value card on a split hand are 21, not blackjack."


def _hand(rules: Rules) -> Iterator[str]:
    yield "Take cards one by one with HIT, or keep your total with STAND. Over 21 the hand is bust and loses at once."
    if rules.hit_at_21 is HitAt21.NEVER:
        yield "At 21 no further card can be hit; the hand waits until you press STAND."
    else:
        yield "A soft 21 cannot be hit, a hard 21 can; a hand with 21 waits until you press STAND."
    if rules.cards_max is None:
        yield "There is no limit to the number of cards in a hand."
    else:
        cards = _number(rules.cards_max)
        yield f"A hand holds at most {cards} cards. With {cards} cards and no bust it wins at once, 1 to 1."


def _doubling(rules: Rules) -> Iterator[str]:
    if rules.double_on is DoubleOn.ANY_TWO:
        yield "Any hand of two cards may be doubled, unless it is blackjack."
    else:
        yield "Any hand of two cards with a total under 21 may be doubled."
    yield "Your bet on the hand is doubled, you get exactly one more card, and the hand is finished."
    if rules.splits_max and rules.double_after_split:
        yield "Split hands may be doubled too" + (", except split aces." if rules.split_aces_one_card else ".")
        if rules.double_on is DoubleOn.ANY_TWO:
            yield "That includes a split hand with 21 on two cards."
    elif rules.splits_max:
        yield "Split hands may not be doubled."


def _splitting(rules: Rules) -> Iterator[str]:
    if not rules.splits_max:
        yield "Pairs cannot be split."
        return
    if rules.split_by is SplitBy.RANK:
        yield "Two cards of the same rank may be split: king and king, but not king and queen."
    else:
        yield "Two cards of the same value may be split: king and king, and king and queen too."
    yield "A second bet of the same size is placed, each card starts a hand, and each hand gets a second card."
    if rules.splits_max == 1:
        yield "A place may be split once; a new pair is not split again."
    else:
        yield f"A place may be split {_number(rules.splits_max)} times, into {_number(rules.splits_max + 1)} hands."
    if rules.split_aces_one_card:
        yield "Split aces get one card each and no more."
    else:
        yield "Split aces are played like any other hand."
    if rules.splits_max > 1:
        yield f"Aces {'may' if rules.resplit_aces else 'may not'} be split again."
    yield "Each split hand has its own result against the dealer and is paid 1 to 1 if it wins."


def _insurance(rules: Rules) -> Iterator[str]:
    yield "When the dealer shows an ace you are asked, for each place, if you want insurance against blackjack."
    if rules.insurance_partial:
        yield "It costs at most half of the bet on that place; you may insure less, or nothing."
    else:
        yield "It costs half of your bet, or you do without."
    yield f"If the dealer has blackjack insurance pays {_ratio(rules.insurance_pays)}; otherwise it is lost."
    yield "Your bet is won or lost by itself, insured or not."


def _dealer(rules: Rules) -> Iterator[str]:
    if rules.dealer_hits_soft_17:
        yield "The dealer must draw at 16 and less and at a soft 17, and must stand at a hard 17 and at 18 and more."
    else:
        yield "The dealer must draw at 16 and less and must stand at 17 and more, a soft 17 included."
    won = "bust or blackjack" if rules.cards_max is None else "bust, blackjack or already won"
    if rules.hole_card:
        yield f"When every hand is {won} the dealer turns the face-down card and draws no more."
    else:
        yield f"When every hand is {won} the dealer takes only the second card."


def _results(rules: Rules) -> Iterator[str]:
    yield "If the dealer goes over 21, or your total is higher, you win 1 to 1."
    yield "If the dealer's total is higher, you lose. A hand that went over 21 has lost, even if the dealer does too."
    yield "Equal totals are a push: your bet comes back."
    yield "A dealer's blackjack beats every hand but blackjack, a 21 of more cards too."
    if rules.hole_card:
        return
    if rules.late_blackjack_takes is LateBlackjackTakes.ALL_STAKES:
        yield (
            "If the dealer's second card makes blackjack, everything you staked on the hand is lost, "
            "doubled and split bets too."
        )
    else:
        yield (
            "If the dealer's second card makes blackjack, a place loses its first bet only; "
            "what you added by doubling and splitting comes back."
        )


def _amounts(rules: Rules, limits: Limits, money: Money) -> Iterator[str]:
    yield (
        f"Only bets are taken for which {_ratio(rules.blackjack_pays)} and half of the bet come out whole, "
        "so nothing is ever rounded."
    )
    yield f"One credit is {money(limits.credit_cents)}."


def _buttons(rules: Rules) -> Iterator[str]:
    yield "A button works when it is lit. Touching its name on the screen is the same as pressing it."
    yield "CHIP chooses the next chip, BET puts it down, CLEAR takes every bet back."
    if rules.places_max > 1:
        yield "PLACE goes to the next place."
    yield "REBET puts down the bets of the last round; pressed again, once more on top. DOUBLE doubles the bets."
    yield "DEAL starts the round. With no bet down it first repeats the bets of the last round."
    splits = ", SPLIT splits a pair" if rules.splits_max else ""
    yield f"During a hand HIT takes a card, STAND takes none, DOUBLE doubles{splits}."
    yield "At the insurance question HIT is yes and STAND is no."
    yield "CASH OUT pays out all of your credit between rounds. SERVICE calls the attendant."


def _malfunction() -> Iterator[str]:
    yield "Malfunction voids all pays and play."
    yield "A round that was stopped, or left alone, waits as it is; it goes on with the same cards."
    yield "If it cannot go on an attendant voids it: every bet of the round comes back to your credit, nothing is won."


# --- words --------------------------------------------------------------------------------------------------------


def _ratio(pays: tuple[int, int]) -> str:
    return f"{pays[0]} to {pays[1]}"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _count(count: int, thing: str) -> str:
    return f"{_number(count)} {thing}{'' if count == 1 else 's'}"

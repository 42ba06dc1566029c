"""The rules in words: the lines on the felt and the help pages, made from the values that the engine plays by.

Rules: every setting of `Rules` and `Limits` that a player can meet is explained, and only as it is configured,
so no page can promise what the engine does not do. The same holds for the cabinet's offers beside them (other
games, TURBO, notes).
Pure: the same settings always give the same words in a language.
Chooses the sentences of the catalogue; each is a whole sentence, so that every language can phrase it freely. Does not
know where the words are shown, or any language.
Covers the checklist regulators ask of a blackjack game (insurance, pairs, aces, doubling, the dealer's rule, card
limits, surrender, ties, dealing without a hole card).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cabinet.engine.rules import DoubleOn, HitAt21, LateBlackjackTakes, Limits, Rules, SplitBy, Table
from cabinet.engine.state import Settings
from cabinet.text.messages import Key, Words, sentence

_EVEN = (1, 1)
"""The payoff of a win without a blackjack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One heading of the help pages with its sentences."""

    title: str
    lines: tuple[str, ...]


def felt_lines(words: Words, rules: Rules) -> tuple[str, ...]:
    """Returns the lines printed on the felt: the payoff of a blackjack, the dealer's rule, the payoff of insurance."""
    return (
        words.say(Key.FELT_BLACKJACK, ratio=words.ratio(rules.blackjack_pays)),
        words.say(Key.FELT_HITS if rules.dealer_hits_soft_17 else Key.FELT_STANDS),
        words.say(Key.FELT_INSURANCE, ratio=words.ratio(rules.insurance_pays)),
    )


def help_sections(words: Words, table: Table, settings: Settings) -> tuple[Section, ...]:
    """Returns the help pages of a game at its table, on a cabinet with these settings, in reading order."""
    say, rules, limits = words.say, table.rules, table.limits
    sections = (
        (words.title(rules), (say(Key.AIM_21), say(Key.AIM_VALUES), say(Key.AIM_ACE))),
        (say(Key.RULES_TABLE), _table(words, rules, limits)),
        (say(Key.RULES_BETTING), map(say, _betting(rules, settings))),
        (say(Key.RULES_DEAL), map(say, _deal(rules))),
        (say(Key.RULES_BLACKJACK), _blackjack(words, rules)),
        (say(Key.RULES_HAND), _hand(words, rules)),
        (say(Key.RULES_DOUBLING), map(say, _doubling(rules))),
        (say(Key.RULES_SPLITTING), _splitting(words, rules)),
        (say(Key.RULES_INSURANCE), _insurance(words, rules, limits)),
        (say(Key.RULES_SURRENDER), (say(Key.SURRENDER_NEVER),)),
        (say(Key.RULES_DEALER), map(say, _dealer(rules))),
        (say(Key.RULES_RESULTS), _results(words, rules)),
        (say(Key.RULES_BUTTONS), map(say, _buttons(rules, settings))),
        (say(Key.RULES_AMOUNTS), _amounts(words, table, settings)),
        (say(Key.RULES_MALFUNCTION), map(say, _MALFUNCTION)),
    )
    return tuple(Section(title=title, lines=tuple(map(sentence, lines))) for title, lines in sections)


# --- the sections -------------------------------------------------------------------------------------------------


def _table(words: Words, rules: Rules, limits: Limits) -> Iterator[str]:
    yield words.say_count(Key.TABLE_DECKS, rules.decks)
    if rules.places_max == 1:
        yield words.say(Key.TABLE_PLACE_ONE)
    else:
        yield words.say(Key.TABLE_PLACES, number=words.number(rules.places_max))
    low, high = words.short_money(limits.min_cents), words.short_money(limits.max_cents)
    yield words.say(Key.TABLE_LIMITS, low=low, high=high)
    yield words.say(Key.TABLE_CHIPS, chips=", ".join(map(words.short_money, limits.chips_cents)))
    if limits.chips_cents[0] < limits.min_cents:
        yield words.say(Key.TABLE_SMALL_CHIP, low=low)


def _betting(rules: Rules, settings: Settings) -> Iterator[Key]:
    yield Key.BUTTONS_CHIPS
    yield Key.BUTTONS_TAKE_PLACE if rules.places_max > 1 else Key.BUTTONS_TAKE
    if rules.places_max > 1:
        yield Key.BUTTONS_PLACE
        yield Key.BUTTONS_ALL
    yield Key.BUTTONS_REBET
    yield Key.BUTTONS_DOUBLE
    yield Key.BUTTONS_DEAL
    if len(settings.tables) > 1:
        yield Key.BUTTONS_CLEAR


def _deal(rules: Rules) -> Iterator[Key]:
    yield Key.DEAL_TWO
    if not rules.hole_card:
        yield Key.DEAL_NO_HOLE
        return
    yield Key.DEAL_HOLE_FIRST if rules.hole_card_first else Key.DEAL_HOLE_SECOND
    yield Key.DEAL_PEEKS


def _blackjack(words: Words, rules: Rules) -> Iterator[str]:
    yield words.say(Key.BLACKJACK_WHAT)
    yield words.say(Key.BLACKJACK_PAYS, ratio=words.ratio(rules.blackjack_pays))
    yield words.say(Key.BLACKJACK_BOTH)
    if rules.splits_max:
        yield words.say(Key.BLACKJACK_SPLIT)


def _hand(words: Words, rules: Rules) -> Iterator[str]:
    yield words.say(Key.HAND_TAKE)
    yield words.say(Key.HAND_AT_21_NEVER if rules.hit_at_21 is HitAt21.NEVER else Key.HAND_AT_21_HARD)
    aces = bool(rules.splits_max) and rules.split_aces_one_card
    yield words.say(_WAITS[aces, rules.cards_max is not None], number=words.number(rules.cards_max or 0))
    if rules.cards_max is None:
        yield words.say(Key.HAND_NO_LIMIT)
    else:
        yield words.say(Key.HAND_CARDS_WIN, number=words.number(rules.cards_max), even=words.ratio(_EVEN))


_WAITS = {
    (True, True): Key.HAND_WAITS_ACES_CARDS,
    (True, False): Key.HAND_WAITS_ACES,
    (False, True): Key.HAND_WAITS_CARDS,
    (False, False): Key.HAND_WAITS,
}
"""Which hands with 21 wait for STAND: by whether split aces are finished at once, and by number of cards."""


def _doubling(rules: Rules) -> Iterator[Key]:
    any_two = rules.double_on is DoubleOn.ANY_TWO
    yield Key.DOUBLE_ANY if any_two else Key.DOUBLE_UNDER_21
    yield Key.DOUBLE_WHAT
    if rules.splits_max and rules.double_after_split:
        yield _DOUBLED_SPLIT[rules.split_aces_one_card, any_two]
    elif rules.splits_max:
        yield Key.DOUBLE_NO_SPLIT


_DOUBLED_SPLIT = {
    (True, True): Key.DOUBLE_SPLIT_21_NOT_ACES,
    (True, False): Key.DOUBLE_SPLIT_NOT_ACES,
    (False, True): Key.DOUBLE_SPLIT_21,
    (False, False): Key.DOUBLE_SPLIT,
}
"""Which split hands may be doubled: by whether split aces get one card, and whether a 21 of two cards may be
doubled."""


def _splitting(words: Words, rules: Rules) -> Iterator[str]:
    say, most = words.say, rules.splits_max
    if not most:
        yield say(Key.SPLIT_NEVER)
        return
    yield say(Key.SPLIT_RANK if rules.split_by is SplitBy.RANK else Key.SPLIT_VALUE)
    yield say(Key.SPLIT_WHAT)
    if most == 1:
        yield say(Key.SPLIT_ONCE)
    else:
        yield say(Key.SPLIT_MANY, times=words.number(most), hands=words.number(most + 1))
    yield say(Key.SPLIT_ACES_ONE if rules.split_aces_one_card else Key.SPLIT_ACES_PLAYED)
    if most > 1:
        yield say(Key.SPLIT_ACES_AGAIN if rules.resplit_aces else Key.SPLIT_ACES_NOT_AGAIN)
    yield say(Key.SPLIT_RESULTS, even=words.ratio(_EVEN))


def _insurance(words: Words, rules: Rules, limits: Limits) -> Iterator[str]:
    yield words.say(Key.INSURANCE_WHEN)
    yield words.say(Key.INSURANCE_HALF)
    if rules.insurance_partial:
        above = 2 * limits.chips_cents[0]
        if above < limits.max_cents:
            yield words.say(Key.INSURANCE_LESS, amount=words.short_money(above))
        yield words.say(Key.INSURANCE_COVERED)
    if rules.places_max > 1:
        yield words.say(Key.INSURANCE_TOGETHER)
    yield words.say(Key.INSURANCE_PAYS, ratio=words.ratio(rules.insurance_pays))
    yield words.say(Key.INSURANCE_APART)


def _dealer(rules: Rules) -> Iterator[Key]:
    yield Key.DEALER_HITS if rules.dealer_hits_soft_17 else Key.DEALER_STANDS
    if rules.hole_card:
        yield Key.DEALER_TURNS if rules.cards_max is None else Key.DEALER_TURNS_WON
    else:
        yield Key.DEALER_TAKES if rules.cards_max is None else Key.DEALER_TAKES_WON


def _results(words: Words, rules: Rules) -> Iterator[str]:
    yield words.say(Key.RESULTS_WIN, even=words.ratio(_EVEN))
    yield words.say(Key.RESULTS_LOSE)
    yield words.say(Key.RESULTS_PUSH)
    if rules.hole_card or rules.cards_max is None:
        yield words.say(Key.RESULTS_BLACKJACK)
    else:
        yield words.say(Key.RESULTS_BLACKJACK_CARDS, number=words.number(rules.cards_max))
    if rules.hole_card:
        return
    yield words.say(_LATE[rules.late_blackjack_takes is LateBlackjackTakes.ALL_STAKES, bool(rules.splits_max)])


_LATE = {
    (True, True): Key.RESULTS_LATE_ALL,
    (True, False): Key.RESULTS_LATE_ALL_UNSPLIT,
    (False, True): Key.RESULTS_LATE_FIRST,
    (False, False): Key.RESULTS_LATE_FIRST_UNSPLIT,
}
"""By whether the player loses everything, and whether pairs are split."""


def _amounts(words: Words, table: Table, settings: Settings) -> Iterator[str]:
    rules, limits = table.rules, table.limits
    yield words.say(Key.AMOUNTS_NEEDED if rules.splits_max else Key.AMOUNTS_NEEDED_UNSPLIT)
    if settings.notes_cents:
        yield words.say(Key.AMOUNTS_NOTE)
    yield words.say(Key.AMOUNTS_WHOLE, ratio=words.ratio(rules.blackjack_pays))
    yield words.say(Key.AMOUNTS_CREDIT, amount=words.short_money(limits.credit_cents))


def _buttons(rules: Rules, settings: Settings) -> Iterator[Key]:
    yield Key.BUTTONS_LIT
    yield Key.BUTTONS_HAND_SPLIT if rules.splits_max else Key.BUTTONS_HAND
    yield Key.BUTTONS_INSURANCE_PART if rules.insurance_partial else Key.BUTTONS_INSURANCE
    if settings.turbo_allowed:
        yield Key.BUTTONS_TURBO
    yield Key.BUTTONS_SERVICE
    yield Key.BUTTONS_SESSION


_MALFUNCTION = (Key.MALFUNCTION_VOIDS, Key.MALFUNCTION_WAITS, Key.MALFUNCTION_VOID)

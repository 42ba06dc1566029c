"""Every sentence of the help is compared with play, for many rules: it is there when play proves it, with the exact
numbers, and absent otherwise."""

import itertools
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.help_claims import CARD_CLAIMS
from support.help_money import MONEY_CLAIMS, At
from support.help_play import Parts

from cabinet.engine.rules import (
    CLASSIC,
    EUROPEAN,
    TABLE,
    DoubleOn,
    HitAt21,
    LateBlackjackTakes,
    Limits,
    Rules,
    SplitBy,
    Table,
    vary,
)
from cabinet.engine.state import Settings
from cabinet.text.messages import LANGUAGES, Key, Language, Words, sentence
from cabinet.text.po_files import catalogue_of
from cabinet.text.rules import help_sections

CHOICES: dict[str, tuple[object, ...]] = {
    "places_max": (1, 5),
    "hole_card": (True, False),
    "dealer_hits_soft_17": (True, False),
    "double_on": tuple(DoubleOn),
    "double_after_split": (True, True, False),
    "split_by": tuple(SplitBy),
    "splits_max": (0, 1, 3),
    "split_aces_one_card": (True, False),
    "resplit_aces": (True, False),
    "hit_at_21": tuple(HitAt21),
    "cards_max": (None, 5, 11),
    "insurance_partial": (True, False),
    "blackjack_pays": ((3, 2), (6, 5)),
    "insurance_pays": ((2, 1), (3, 2)),
    "late_blackjack_takes": tuple(LateBlackjackTakes),
}
"""The values of each rule to try."""
UNSAID = {Key.DOUBLE_ANY, Key.DOUBLE_UNDER_21}
"""Where a 21 of two cards comes from a split alone and cannot be doubled, both sentences are true and one is shown."""

UNPLAYED: dict[Key, str] = {
    Key.AIM_21: "the aim, which every result follows from",
    Key.AMOUNTS_CREDIT: "how amounts are shown: the amounts on the rail",
    Key.BUTTONS_LIT: "lamps and touch areas: the tests of lamps and of touch",
    Key.BUTTONS_TAKE: "a held button and a long touch: the tests of holds and of long touches",
    Key.BUTTONS_TAKE_PLACE: "the same",
    Key.BUTTONS_SESSION: "a page of the screen: the tests of holds and of the session",
    Key.MALFUNCTION_VOIDS: "the clause itself",
}
"""Sentences that no play can prove -> the proof, or the reason why there is none."""


def rules_drawn() -> list[Rules]:
    """Returns the three games, each with one rule changed at a time, and random rules."""
    chance = random.Random(33)
    drawn = [vary(EUROPEAN, **{name: chance.choice(values) for name, values in CHOICES.items()}) for _ in range(40)]
    changed = [
        vary(game, **{name: value})
        for game in (EUROPEAN, TABLE, CLASSIC)
        for name, values in CHOICES.items()
        for value in values
        if not (game is CLASSIC and name == "hole_card" and not value)
    ]
    return [EUROPEAN, TABLE, CLASSIC, *drawn, *chance.sample(changed, 40)]


def lines_of(words: Words, table: Table, settings: Settings) -> set[str]:
    """Returns every sentence of the help."""
    return {line for section in help_sections(words, table, settings) for line in section.lines}


def text_of(words: Words, key: Key, parts: Parts | None) -> str | None:
    """Returns the sentence with these parts; None without parts."""
    if parts is None:
        return None
    count = parts.get("count")
    return words.say_count(key, count) if isinstance(count, int) else sentence(words.say(key, **parts))


def said_as(words: Words, key: Key, lines: set[str]) -> list[str]:
    """Returns the sentences among these with this key, with any parts."""
    open_parts = defaultdict(lambda: "\0")
    forms = [sentence(text.format_map(open_parts)) for text in catalogue_of(words.language).texts[key]]
    patterns = [re.escape(form).replace("\0", ".+") for form in forms]
    return [line for line in lines if any(re.fullmatch(pattern, line) for pattern in patterns)]


@pytest.mark.requirement("PD-08", "PD-09")
@pytest.mark.parametrize("key", CARD_CLAIMS, ids=lambda key: key.name)
def test_a_sentence_about_cards_is_shown_where_it_is_true(key: Key) -> None:
    words, said_at_all = Words(), set()
    for rules in rules_drawn():
        table = Table(rules=rules, limits=Limits())
        parts = CARD_CLAIMS[key](rules, words)
        said = said_as(words, key, lines_of(words, table, Settings(tables=(table,))))
        text = text_of(words, key, parts)
        assert said == [text] * (text is not None) or (key in UNSAID and not said), (rules, said, text)
        said_at_all.add(bool(said))
    assert True in said_at_all, "no rules lead to this sentence"


def cabinets() -> Iterator[tuple[Table, Settings]]:
    """Yields tables of the three games with changed rules and limits, in cabinets with more or fewer offers."""
    dear = Limits(min_cents=1_000, max_cents=20_000, chips_cents=(100, 500, 2_500), credit_cents=50)
    coarse = Limits(min_cents=200, max_cents=4_000, chips_cents=(200, 600, 1_000))
    rules = (
        (EUROPEAN, TABLE, CLASSIC),
        (vary(EUROPEAN, insurance_partial=False, splits_max=0, decks=8), vary(TABLE, insurance_partial=True)),
        (vary(CLASSIC, splits_max=0, blackjack_pays=(6, 5)), vary(EUROPEAN, insurance_pays=(3, 2), places_max=2)),
        (vary(TABLE, places_max=3, decks=1, splits_max=0),),
    )
    for games, limits in itertools.product(rules, (Limits(), dear, coarse)):
        tables = tuple(Table(rules=game, limits=limits) for game in games)
        offered = {"turbo_allowed": limits is not dear, "notes_cents": (1_000, 5_000) if limits is not coarse else ()}
        settings = replace(Settings(tables=tables, credit_limit_cents=10_000_000), **offered)
        yield from ((table, settings) for table in tables)


@pytest.mark.requirement("PD-08", "PD-09")
@pytest.mark.parametrize("key", MONEY_CLAIMS, ids=lambda key: key.name)
def test_a_sentence_about_bets_and_buttons_is_shown_where_it_is_true(key: Key) -> None:
    words, said_at_all = Words(), set()
    for table, settings in cabinets():
        said = said_as(words, key, lines_of(words, table, settings))
        text = text_of(words, key, MONEY_CLAIMS[key](At(table=table, settings=settings, words=words)))
        assert said == [text] * (text is not None), (table, settings, said, text)
        said_at_all.add(bool(said))
    assert True in said_at_all, "no cabinet leads to this sentence"


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=list(LANGUAGES))
def test_true_sentences_are_shown_in_every_language(language: Language) -> None:
    words = Words(language=language)
    for table in Settings().tables:
        lines, at = lines_of(words, table, Settings()), At(table=table, settings=Settings(), words=words)
        true = {key: claim(table.rules, words) for key, claim in CARD_CLAIMS.items()}
        true |= {key: claim(at) for key, claim in MONEY_CLAIMS.items()}
        texts = {text_of(words, key, parts) for key, parts in true.items() if parts is not None and key not in UNSAID}
        assert texts <= lines


def test_every_sentence_of_the_help_is_compared_or_exempt() -> None:
    compared = {*CARD_CLAIMS, *MONEY_CLAIMS}
    assert not compared & UNPLAYED.keys()
    words = Words()
    for table, settings in cabinets():
        lines = lines_of(words, table, settings)
        known = {line for key in (*compared, *UNPLAYED) for line in said_as(words, key, lines)}
        assert lines <= known, lines - known

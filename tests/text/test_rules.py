"""Help and felt follow the rules: every setting changes the text, and the checklist is complete."""

import re
from dataclasses import fields

import pytest

from cabinet.engine.rules import (
    CLASSIC,
    EUROPEAN,
    GAMES,
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
from cabinet.text.messages import LANGUAGES, Key, Language, Words
from cabinet.text.rules import Section, felt_lines, help_sections

WORDS = Words()
languages = pytest.mark.parametrize("language", LANGUAGES.values(), ids=list(LANGUAGES))
NOT_SAID = {"game_id": "a name for records, which no player meets"}

FLIPPED: dict[str, tuple[Rules, object]] = {
    "title": (TABLE, "Another Blackjack"),
    "decks": (TABLE, 8),
    "places_max": (TABLE, 5),
    "hole_card": (TABLE, False),
    "hole_card_first": (TABLE, True),
    "dealer_hits_soft_17": (TABLE, True),
    "double_on": (TABLE, DoubleOn.ANY_TWO),
    "double_after_split": (TABLE, False),
    "split_by": (TABLE, SplitBy.RANK),
    "splits_max": (TABLE, 3),
    "split_aces_one_card": (TABLE, False),
    "resplit_aces": (EUROPEAN, True),
    "hit_at_21": (TABLE, HitAt21.HARD_ONLY),
    "cards_max": (TABLE, None),
    "insurance_partial": (TABLE, True),
    "blackjack_pays": (TABLE, (6, 5)),
    "insurance_pays": (TABLE, (3, 1)),
    "late_blackjack_takes": (EUROPEAN, LateBlackjackTakes.ORIGINAL_STAKES),
}
"""Setting of the rules -> a game in which it matters, and another value for it."""

CHANGED_LIMITS: dict[str, object] = {
    "min_cents": 500,
    "max_cents": 50_000,
    "chips_cents": (100, 500),
    "credit_cents": 10,
}


def text_of(sections: tuple[Section, ...]) -> str:
    return "\n".join(line for section in sections for line in (section.title, *section.lines))


def sections_of(rules: Rules, limits: Limits | None = None, words: Words = WORDS) -> tuple[Section, ...]:
    """Returns the help of a cabinet that offers this game alone, without TURBO."""
    table = Table(rules=rules, limits=limits or Limits())
    return help_sections(words, table, Settings(tables=(table,), turbo_allowed=False))


def help_text(rules: Rules, limits: Limits | None = None, words: Words = WORDS) -> str:
    return text_of(sections_of(rules, limits, words))


def lines_of(rules: Rules, title: str) -> str:
    return " ".join(line for each in sections_of(rules) if each.title == title for line in each.lines)


# --- every setting has its text ---------------------------------------------------------------------------------


@pytest.mark.requirement("PD-09", "SE-05")
@pytest.mark.parametrize("setting", [field.name for field in fields(Rules) if field.name not in NOT_SAID])
@languages
def test_changing_a_rule_changes_the_help(setting: str, language: Language) -> None:
    rules, value = FLIPPED[setting]
    words = Words(language=language)
    assert getattr(rules, setting) != value
    assert help_text(vary(rules, **{setting: value}), words=words) != help_text(rules, words=words)


@pytest.mark.requirement("PD-09")
@pytest.mark.parametrize("setting", [field.name for field in fields(Limits)])
@languages
def test_changing_a_limit_changes_the_help(setting: str, language: Language) -> None:
    limits, words = Limits(**{setting: CHANGED_LIMITS[setting]}), Words(language=language)  # type: ignore[arg-type]
    assert help_text(TABLE, limits, words=words) != help_text(TABLE, words=words)


@pytest.mark.requirement("PD-09")
def test_every_setting_is_varied_or_exempt() -> None:
    assert FLIPPED.keys() | NOT_SAID.keys() == {field.name for field in fields(Rules)}


def test_the_game_id_is_never_shown() -> None:
    assert help_text(vary(TABLE, game_id="x-17-y")) == help_text(TABLE)


@pytest.mark.requirement("PD-09")
@pytest.mark.parametrize(
    ("setting", "value"),
    [("blackjack_pays", (6, 5)), ("dealer_hits_soft_17", True), ("insurance_pays", (3, 1))],
)
@languages
def test_changing_a_felt_setting_changes_the_felt(setting: str, value: object, language: Language) -> None:
    words = Words(language=language)
    changed = set(felt_lines(words, vary(TABLE, **{setting: value}))) - set(felt_lines(words, TABLE))
    assert len(changed) == 1


@pytest.mark.requirement("PD-09")
@pytest.mark.parametrize("value", list(range(1, 9)))
def test_every_number_of_decks_has_its_own_text(value: int) -> None:
    first = lines_of(vary(TABLE, decks=value), "The table").split(" of ")[0]
    assert (
        first
        == [
            "One deck",
            "Two decks",
            "Three decks",
            "Four decks",
            "Five decks",
            "Six decks",
            "Seven decks",
            "Eight decks",
        ][value - 1]
    )


# --- the felt ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", list(GAMES.values()), ids=list(GAMES))
def test_the_felt_shows_payoffs_and_the_dealers_rule(rules: Rules) -> None:
    assert felt_lines(WORDS, rules) == (
        "Blackjack pays 3 to 2",
        "Dealer draws to 16 and stands on all 17s",
        "Insurance pays 2 to 1",
    )


def test_the_felt_says_so_when_the_dealer_hits_soft_17() -> None:
    assert felt_lines(WORDS, vary(TABLE, dealer_hits_soft_17=True))[1] == "Dealer draws to 16 and hits soft 17"


# --- the checklist ----------------------------------------------------------------------------------------------

CHECKLIST = (
    ("Insurance", "any chip below half of the bet", EUROPEAN),
    ("Insurance", "It costs half of the bet", TABLE),
    ("Insurance", "insurance pays 2 to 1; otherwise it is lost", CLASSIC),
    ("Splitting pairs", "king and king, but not king and queen", EUROPEAN),
    ("Splitting pairs", "king and king, and king and queen too", TABLE),
    ("Splitting pairs", "Split aces get one card each", EUROPEAN),
    ("Splitting pairs", "three times, into four hands", EUROPEAN),
    ("Splitting pairs", "may be split once", CLASSIC),
    ("Splitting pairs", "Aces may not be split again", EUROPEAN),
    ("Splitting pairs", "Each split hand has its own result", TABLE),
    ("Splitting pairs", "Pairs cannot be split", vary(TABLE, splits_max=0)),
    ("Blackjack", "on a split hand are 21, not blackjack", TABLE),
    ("Blackjack", "It pays 3 to 2", CLASSIC),
    ("Doubling", "Split hands may be doubled too, except split aces", TABLE),
    ("Doubling", "Split hands may not be doubled", vary(TABLE, double_after_split=False)),
    ("Doubling", "total under 21", TABLE),
    ("Doubling", "Any hand of two cards may be doubled", EUROPEAN),
    ("Doubling", "even with 21 on two cards, but split aces may not", CLASSIC),
    ("The dealer", "must stand at 17 and more, a soft 17 included", EUROPEAN),
    ("The dealer", "draw at 16 and less and at a soft 17", vary(TABLE, dealer_hits_soft_17=True)),
    ("The dealer", "turns the face-down card and draws no more", CLASSIC),
    ("The dealer", "takes only the second card", EUROPEAN),
    ("Playing your hand", "With eleven cards and no bust it wins at once", TABLE),
    ("Playing your hand", "no limit to the number of cards", CLASSIC),
    ("Playing your hand", "waits until you press STAND", TABLE),
    ("Playing your hand", "A soft 21 cannot be hit", EUROPEAN),
    ("Surrender", "not offered", EUROPEAN),
    ("Results", "Equal totals are a push", TABLE),
    ("Results", "doubled and split bets too", EUROPEAN),
    ("Results", "at most your first bet", vary(EUROPEAN, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES)),
    ("The deal", "London deal", EUROPEAN),
    ("The deal", "first card lies face down", CLASSIC),
    ("The deal", "first card lies face up, the second face down", TABLE),
    ("The deal", "the round ends at once", TABLE),
    ("The table", "one to five places", EUROPEAN),
    ("The table", "Six decks of 52 cards, shuffled anew for every round", CLASSIC),
    ("Malfunction", "Malfunction voids all pays and play.", TABLE),
    ("Malfunction", "every bet of the round comes back", CLASSIC),
    ("Credit and amounts", "nothing is ever rounded", EUROPEAN),
)


@pytest.mark.requirement("PD-08")
@pytest.mark.parametrize(("title", "words", "rules"), CHECKLIST)
def test_help_covers_the_checklist(title: str, words: str, rules: Rules) -> None:
    assert words in lines_of(rules, title)


@pytest.mark.requirement("PD-08")
@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ("hole card", TABLE),
        ("If the dealer’s second card makes blackjack", TABLE),
        ("Aces may not be split again", TABLE),
        ("looks at the face-down card", EUROPEAN),
        ("PLACE", CLASSIC),
        ("eleven cards", CLASSIC),
        ("on a split hand", vary(TABLE, splits_max=0)),
        ("SPLIT", vary(TABLE, splits_max=0)),
        ("split bets", vary(TABLE, splits_max=0)),
        ("and splitting", vary(TABLE, splits_max=0, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES)),
        ("TURBO", TABLE),
    ],
)
def test_help_does_not_mention_features_that_the_game_lacks(words: str, rules: Rules) -> None:
    assert words not in help_text(rules)


SPLIT_WORDS = {"en": r"\bsplit", "de": r"\b(ge)?teil(en|t)", "fr": r"\bsépar", "es": r"\bsepar"}
"""The word for splitting, by language."""


@pytest.mark.requirement("PD-08")
@pytest.mark.parametrize("late", LateBlackjackTakes)
@languages
def test_without_splitting_only_one_sentence_mentions_it(late: LateBlackjackTakes, language: Language) -> None:
    rules = vary(TABLE, splits_max=0, late_blackjack_takes=late)
    unsplit = sections_of(rules, words=Words(language=language))
    said = [line for section in unsplit for line in section.lines if re.search(SPLIT_WORDS[language.code], line)]
    assert said == [Words(language=language).say(Key.SPLIT_NEVER)]


@pytest.mark.requirement("CM-02")
@pytest.mark.requirement("PD-07", "PD-08")
@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_the_word_over_a_soft_total_is_explained_first_of_all(language: Language) -> None:
    words = Words(language=language)
    aim = " ".join(sections_of(CLASSIC, words=words)[0].lines)
    assert words.say(Key.SOFT).lower() in aim
    assert words.say(Key.TOTAL_SOFT, points=16).lower() in aim.lower()


def test_the_rule_for_odd_amounts_is_stated() -> None:
    assert "for which 3 to 2 and half of the bet come out whole" in lines_of(TABLE, "Credit and amounts")


# --- shape and amounts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", list(GAMES.values()), ids=list(GAMES))
@languages
def test_every_section_has_whole_sentences_under_its_own_title(rules: Rules, language: Language) -> None:
    table = Table(rules=rules, limits=Limits())
    sections = help_sections(Words(language=language), table, Settings())
    assert len({section.title for section in sections}) == len(sections)
    for section in sections:
        assert section.lines
        for line in section.lines:
            assert line[0].isupper()
            assert line.endswith(".")
            assert "!" not in line


def test_help_begins_with_the_name_of_the_game() -> None:
    assert sections_of(EUROPEAN)[0].title == "European Blackjack"


def test_amounts_are_written_in_the_currency_of_the_cabinet() -> None:
    text = text_of(sections_of(TABLE, words=Words(currency="EUR")))
    assert "at least €1 and at most €100" in text
    assert "€1, €5, €25, €100" in text


@languages
def test_a_game_with_one_place_speaks_of_places_only_to_say_that_there_is_one(language: Language):
    words = Words(language=language)
    games = [*GAMES.values(), *(vary(TABLE, late_blackjack_takes=each, hole_card=False) for each in LateBlackjackTakes)]
    for rules in (vary(each, places_max=1) for each in games):
        lines = [
            line
            for section in help_sections(words, Table(rules=rules, limits=Limits()), Settings())
            for line in section.lines
        ]
        spoken = [line for line in lines if re.search(r"\b(places?|Pl(atz|ätze\w*)|puestos?)\b", line)]
        assert spoken in ([words.say(Key.TABLE_PLACE_ONE)], []), rules.game_id

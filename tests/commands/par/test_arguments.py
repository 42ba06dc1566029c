"""Rules and cards as words on the command line."""

from dataclasses import fields

import pytest

from cabinet.commands.par.arguments import FIXED, card_word, change_rules, read_card, read_cards, rule_words, settable
from cabinet.engine.errors import RulesError
from cabinet.engine.rules import CLASSIC, EUROPEAN, DoubleOn, HitAt21, LateBlackjackTakes, Rules, SplitBy, vary


def test_every_rule_can_be_set_but_what_a_game_is_called():
    assert settable().keys() == {item.name for item in fields(Rules)} - FIXED


@pytest.mark.parametrize(
    ("setting", "name", "value"),
    [
        ("decks=8", "decks", 8),
        (" decks = 8 ", "decks", 8),
        ("dealer_hits_soft_17=yes", "dealer_hits_soft_17", True),
        ("dealer_hits_soft_17=TRUE", "dealer_hits_soft_17", True),
        ("double_after_split=no", "double_after_split", False),
        ("split_by=identical rank", "split_by", SplitBy.RANK),
        ("split_by=rank", "split_by", SplitBy.RANK),
        ("double_on=under_21", "double_on", DoubleOn.UNDER_21),
        ("hit_at_21=Hard 21 only", "hit_at_21", HitAt21.HARD_ONLY),
        ("late_blackjack_takes=original_stakes", "late_blackjack_takes", LateBlackjackTakes.ORIGINAL_STAKES),
        ("cards_max=5", "cards_max", 5),
        ("cards_max=none", "cards_max", None),
        ("blackjack_pays=6:5", "blackjack_pays", (6, 5)),
        ("blackjack_pays=6/5", "blackjack_pays", (6, 5)),
        ("insurance_pays=3 to 1", "insurance_pays", (3, 1)),
    ],
)
def test_a_setting_is_read_by_the_type_of_its_rule(setting: str, name: str, value: object):
    assert change_rules(CLASSIC, [setting]) == vary(CLASSIC, **{name: value})


def test_several_settings_are_made_together():
    changed = change_rules(CLASSIC, ["hole_card=no", "hole_card_first=no", "decks=2"])
    assert changed == vary(CLASSIC, hole_card=False, hole_card_first=False, decks=2)
    assert change_rules(EUROPEAN, []) == EUROPEAN


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("decks", "expected a rule, =, and its value"),
        ("suits=4", "no rule 'suits'; expected one of decks, "),
        ("title=Mine", "no rule 'title'"),
        ("decks=many", "found 'many', expected a whole number"),
        ("decks=-1", "found '-1', expected a whole number"),
        ("decks=9", "decks is 9, expected 1 to 8"),
        ("hole_card=maybe", "found 'maybe', expected yes or no"),
        ("split_by=suit", 'found \'suit\', expected "identical rank" or "same value"'),
        ("cards_max=two", "found 'two', expected a whole number"),
        ("blackjack_pays=3", "found '3', expected a ratio such as 3:2"),
        ("blackjack_pays=3:two", "expected a whole number"),
        ("hole_card=no", "expected false where hole_card is false"),
    ],
)
def test_what_is_no_setting_is_refused_with_what_was_expected(setting: str, words: str):
    with pytest.raises(RulesError) as refusal:
        change_rules(CLASSIC, [setting])
    assert words in str(refusal.value)


def test_rules_as_words_are_plain_and_whole():
    words = rule_words(EUROPEAN)
    assert words.keys() == {item.name for item in fields(Rules)}
    assert (words["split_by"], words["blackjack_pays"], words["cards_max"]) == ("identical rank", [3, 2], None)


@pytest.mark.parametrize(("text", "values"), [("A,7", (1, 7)), ("10, t ,J,q,K", (10,) * 5), ("2", (2,))])
def test_cards_are_read_by_their_value(text: str, values: tuple[int, ...]):
    assert read_cards(text) == values


@pytest.mark.parametrize("text", ["", "A,", "11", "1", "A7"])
def test_what_is_no_card_is_refused(text: str):
    with pytest.raises(RulesError, match="is no card"):
        read_cards(text)


def test_an_upcard_is_one_card():
    assert [read_card(card_word(value)) for value in range(1, 11)] == list(range(1, 11))
    with pytest.raises(RulesError, match="expected one card"):
        read_card("A,7")

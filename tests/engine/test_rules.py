"""Rule sets and limits: the three games as delivered, and settings that contradict themselves."""

from dataclasses import fields
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.engine.errors import RulesError
from cabinet.engine.money import fraction_of
from cabinet.engine.rules import (
    CLASSIC,
    EUROPEAN,
    GAMES,
    TABLE,
    DoubleOn,
    HitAt21,
    Limits,
    Rules,
    RulesChanges,
    SplitBy,
    Table,
    most_cards,
    vary,
)


def test_the_three_games_differ_where_their_texts_do() -> None:
    assert list(GAMES) == ["european", "table", "classic"]
    differing = {
        "places_max": (5, 1, 1),
        "hole_card": (False, True, True),
        "hole_card_first": (False, False, True),
        "double_on": (DoubleOn.ANY_TWO, DoubleOn.UNDER_21, DoubleOn.ANY_TWO),
        "split_by": (SplitBy.RANK, SplitBy.VALUE, SplitBy.VALUE),
        "splits_max": (3, 1, 1),
        "hit_at_21": (HitAt21.HARD_ONLY, HitAt21.NEVER, HitAt21.NEVER),
        "cards_max": (None, 11, None),
        "insurance_partial": (True, False, False),
    }
    for name, values in differing.items():
        assert tuple(getattr(rules, name) for rules in (EUROPEAN, TABLE, CLASSIC)) == values, name


def test_the_three_games_agree_where_their_texts_do() -> None:
    for rules in GAMES.values():
        assert (rules.decks, rules.blackjack_pays, rules.insurance_pays) == (6, (3, 2), (2, 1))
        assert not rules.dealer_hits_soft_17
        assert rules.double_after_split
        assert rules.split_aces_one_card
        assert not rules.resplit_aces


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"places_max": 0}, "places_max is 0, expected 1 to 5"),
        ({"places_max": 6}, "places_max is 6, expected 1 to 5"),
        ({"splits_max": 4}, "splits_max is 4, expected 0 to 3"),
        ({"decks": 9}, "decks is 9, expected 1 to 8"),
        ({"hole_card_first": True}, "hole_card_first is true, expected false where hole_card is false"),
        ({"cards_max": 4}, "cards_max is 4, expected 5 or more"),
        ({"blackjack_pays": (0, 2)}, r"blackjack_pays is \[0, 2\], expected two whole numbers from 1 to 100"),
        ({"insurance_pays": (2, 101)}, r"insurance_pays is \[2, 101\], expected two whole numbers from 1 to 100"),
    ],
)
def test_rules_that_contradict_themselves_are_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(RulesError, match=f"rules of 'european': {words}"):
        vary(EUROPEAN, **changes)


def test_a_varied_rule_set_is_otherwise_the_same() -> None:
    varied = vary(TABLE, decks=8)
    assert isinstance(varied, Rules)
    assert vary(varied, decks=6) == TABLE


@pytest.mark.requirement("CM-02")
@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"chips_cents": ()}, "chips_cents is empty"),
        ({"chips_cents": (100, 500, 200)}, r"chips_cents has \(500, 200\) in a row, expected chips that rise"),
        ({"chips_cents": (100, 100)}, r"chips_cents has \(100, 100\) in a row"),
        (
            {"chips_cents": (75, 100)},
            r"chips_cents has a chip of 75, expected .* whole number of credits \(credit_cents is 25",
        ),
        ({"chips_cents": (20, 100)}, "chips_cents has a chip of 20"),
        ({"min_cents": 0}, "min_cents is 0, expected more than 0 and no more than max_cents, 10000"),
        ({"min_cents": 20_000}, "min_cents is 20000, expected"),
        ({"min_cents": 125}, "min_cents is 125, expected an even number of cents"),
        ({"min_cents": 120}, "min_cents is 120, expected an amount of which half is a whole number of credits"),
        ({"max_cents": 10_075}, "max_cents is 10075, expected an amount of which half is a whole number of credits"),
        ({"max_cents": 10_020}, "max_cents is 10020, expected an amount of which half is a whole number of credits"),
    ],
)
def test_limits_at_which_half_a_bet_would_not_be_whole_are_refused(limits: dict[str, object], words: str) -> None:
    with pytest.raises(RulesError, match=f"table limits: {words}"):
        Limits(**limits)  # type: ignore[arg-type]


@pytest.mark.requirement("CM-02")
@given(st.integers(1, 200), st.lists(st.integers(1, 400), min_size=1, max_size=4, unique=True), st.integers(1, 8))
def test_whatever_limits_allow_pays_in_whole_credits(credit: int, halves: list[int], chips_down: int) -> None:
    """Chips are drawn so that the limits accept them; every sum of them can be paid 3 to 2 and insured by half."""
    chips = tuple(sorted(2 * credit * half for half in halves))
    limits = Limits(min_cents=2 * credit, max_cents=2 * credit * 10**6, chips_cents=chips, credit_cents=credit)
    bet = sum(limits.chips_cents) * chips_down + limits.min_cents
    assert fraction_of(bet, 3, 2) % credit == 0
    assert fraction_of(bet, 1, 2) % credit == 0


# --- a pack that cannot run out ---------------------------------------------------------------------------------


@pytest.mark.requirement("PD-14")
def test_a_table_whose_round_could_use_up_the_pack_is_refused() -> None:
    words = "decks is 1, expected at least 2: a round of 5 places and 3 splits may take 73 cards"
    with pytest.raises(RulesError, match=words):
        Table(rules=vary(EUROPEAN, decks=1), limits=Limits())


@pytest.mark.requirement("PD-14")
def test_two_decks_are_enough_for_every_table() -> None:
    for places in range(1, 6):
        for splits in range(4):
            rules = vary(EUROPEAN, decks=2, places_max=places, splits_max=splits)
            assert Table(rules=rules, limits=Limits()).rules is rules


def test_one_deck_is_enough_for_few_hands() -> None:
    enough = {
        (places, splits)
        for places in range(1, 6)
        for splits in range(4)
        if most_cards(vary(EUROPEAN, decks=1, places_max=places, splits_max=splits)) <= 52
    }
    assert enough == {(p, s) for p in range(1, 6) for s in range(4) if p * (s + 1) <= 10}


def test_the_changes_of_rules_are_their_fields_with_their_types() -> None:
    hints = get_type_hints(Rules)
    assert get_type_hints(RulesChanges) == {field.name: hints[field.name] for field in fields(Rules)}
    assert not RulesChanges.__required_keys__

"""Cards, their names and what they are worth together."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.engine.cards import (
    ACE,
    RANKS,
    SUIT_LETTERS,
    SUITS,
    Total,
    card_from_code,
    code_of,
    rank_of,
    suit_of,
    total_of,
    value_of,
)

CARDS = st.integers(0, 311)


def test_a_deck_has_every_rank_of_every_suit_once() -> None:
    assert len({(rank_of(card), suit_of(card)) for card in range(52)}) == 52
    assert {rank_of(card) for card in range(312)} == set(range(13))
    assert {suit_of(card) for card in range(312)} == set(range(len(SUITS)))


def test_values_are_those_of_the_ranks() -> None:
    assert [value_of(rank) for rank in range(13)] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert rank_of(card_from_code("AH")) == ACE


@given(CARDS)
def test_a_code_names_the_card_of_its_deck(card: int) -> None:
    assert card_from_code(code_of(card), card // 52) == card
    assert card_from_code(code_of(card).lower(), card // 52) == card


def test_every_card_has_a_code_of_its_own() -> None:
    assert len({code_of(card) for card in range(52)}) == len(RANKS) * len(SUIT_LETTERS)


@pytest.mark.parametrize("wrong", ["", "S", "1S", "11H", "AX", "A♠", "AS "])
def test_what_names_no_card_is_refused_by_name(wrong: str) -> None:
    with pytest.raises(ValueError, match="names no card; expected a rank"):
        card_from_code(wrong)


@pytest.mark.parametrize(
    ("codes", "points", "soft"),
    [
        ("", 0, False),
        ("AS", 11, True),
        ("AS KS", 21, True),
        ("AS AH", 12, True),
        ("AS 5H", 16, True),
        ("AS 5H KD", 16, False),
        ("AS AH 9D", 21, True),
        ("AS AH 9D KD", 21, False),
        ("KS QH 2D", 22, False),
    ],
)
def test_totals(codes: str, points: int, soft: bool) -> None:
    total = total_of(card_from_code(code) for code in codes.split())
    assert total == Total(points, soft)
    assert total.bust is (points > 21)


@given(st.lists(CARDS, max_size=12))
def test_a_total_is_the_best_of_all_ways_to_count_the_aces(cards: list[int]) -> None:
    ways = [sum(way) for way in product(*((1, 11) if value_of(card) == 1 else (value_of(card),) for card in cards))]
    fitting = [way for way in ways if way <= 21]
    assert total_of(cards).points == (max(fitting) if fitting else min(ways))

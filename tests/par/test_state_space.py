"""Ways of playing that need no best play, and what is legal where."""

import numpy as np
import pytest

from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, TABLE, LateBlackjackTakes, Rules, vary
from cabinet.par.hands import full_pack, list_hands
from cabinet.par.play import set_table, sum_up
from cabinet.par.splits import Deal
from cabinet.par.state_space import (
    FIRST,
    Field,
    Policy,
    build_field,
    ends_with_blackjack,
    reach_of,
    spread_policy,
    worth_of,
)

games = pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)


def _never_double(field: Field, hit: np.ndarray) -> Policy:
    hits = np.repeat(hit[:, None], 10, axis=1) & field.may_hit[:, None]
    return Policy(hit=hits, double=np.zeros_like(hits))


@pytest.mark.sample(3)
@games
@pytest.mark.parametrize(
    ("hard_to", "soft_to", "percent"),
    [(0, 0, "-15.97465626"), (11, 17, "-6.01311182"), (16, 16, "-5.67564759")],
    ids=["always stand", "hit hard 11, soft 17", "as the dealer"],
)
def test_fixed_ways_of_playing_return_the_known_figures(rules: Rules, hard_to: int, soft_to: int, percent: str):
    table = set_table(rules)
    field, hands = table.first, table.first.hands
    worth, _ = worth_of(
        field,
        table.first_won,
        _never_double(field, np.where(hands.soft, hands.points <= soft_to, hands.points <= hard_to)),
    )
    assert f"{100 * table.opening.upcard @ sum_up(table.opening, worth):.8f}" == percent


def _row(field: Field, *cards: int, deal: int = 0) -> int:
    hand = field.hands.find(tuple(cards.count(value) for value in range(1, 11)))
    (row,) = np.flatnonzero((field.hand == hand) & (field.deal == deal))
    return int(row)


def test_only_a_hard_21_may_be_hit_in_the_european_game_and_none_elsewhere():
    european, classic = set_table(EUROPEAN).first, set_table(CLASSIC).first

    assert european.may_hit[_row(european, 10, 9, 2)]
    assert not european.may_hit[_row(european, 1, 4, 6)]
    assert not classic.may_hit[_row(classic, 10, 9, 2)]
    assert not classic.may_hit[_row(classic, 1, 4, 6)]
    assert classic.may_hit[_row(classic, 10, 10)]


def test_a_blackjack_is_over_but_the_same_cards_after_a_split_are_21():
    table = set_table(EUROPEAN)
    split = table.split
    deal = split.deals.index(Deal(pair=9, gone=2))

    assert table.first.natural[_row(table.first, 1, 10)]
    assert not split.natural[_row(split, 1, 10, deal=deal)]
    assert split.may_double[_row(split, 1, 10, deal=deal)]
    assert not split.may_hit[_row(split, 1, 10, deal=deal)]


def test_the_table_game_does_not_double_21():
    split = set_table(TABLE).split
    assert not split.may_double[_row(split, 1, 10, deal=split.deals.index(Deal(pair=9, gone=2)))]


def test_split_aces_are_neither_hit_nor_doubled_unless_the_rules_say_so():
    kept, played = set_table(CLASSIC).split, set_table(vary(CLASSIC, split_aces_one_card=False)).split
    aces = Deal(pair=0, gone=2)

    for may in (kept.may_hit, kept.may_double):
        assert not may[kept.rows_of(aces)].any()
    assert played.may_hit[_row(played, 1, 5, deal=played.deals.index(aces))]
    assert played.may_double[_row(played, 1, 5, deal=played.deals.index(aces))]


def test_no_double_after_a_split_where_the_rules_forbid_it():
    assert not set_table(vary(CLASSIC, double_after_split=False)).split.may_double.any()


def test_a_full_hand_wins_at_once_and_takes_no_card():
    field = set_table(vary(CLASSIC, cards_max=5)).first
    row = _row(field, 2, 2, 2, 2, 3)
    assert not field.may_hit[row]
    assert set_table(field.rules).first_won.stand[row] == pytest.approx(field.alive[row])


def test_a_full_hand_wins_even_against_a_late_blackjack():
    rules = vary(EUROPEAN, cards_max=5, splits_max=0)
    field = set_table(rules).first
    assert set_table(rules).first_won.stand[_row(field, 2, 2, 2, 2, 3)] == pytest.approx(np.ones(10))


def test_a_dealers_blackjack_is_part_of_play_only_where_it_takes_all_stakes_late():
    late = vary(EUROPEAN, splits_max=0)
    original = vary(EUROPEAN, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES)

    assert not ends_with_blackjack(late)
    assert ends_with_blackjack(original)
    assert ends_with_blackjack(CLASSIC)
    assert set_table(late).first.alive == pytest.approx(1)
    classic = set_table(CLASSIC).first
    assert classic.alive[_row(classic, 10, 9), 9] == pytest.approx(1 - 24 / 309)


def test_chances_of_hands_met_add_up_along_a_walk():
    table = set_table(CLASSIC)
    field = table.first
    policy = _never_double(field, np.full(field.size, True))
    met = reach_of(field, table.opening.chance, policy)
    leaving = met * ~policy.hit
    bust = sum((met * policy.hit * (1 - _inside(field)))[:, up].sum() for up in range(10)) / 10
    assert leaving.sum() / 10 + bust == pytest.approx(1)


def _inside(field: Field) -> np.ndarray:
    """The chance that one more card does not bust."""
    rows = np.arange(field.size)
    return sum(field.draw(rows, card) * (field.after[:, card] < field.size)[:, None] for card in range(10))


def test_a_policy_is_carried_to_split_hands_as_far_as_it_is_legal():
    table = set_table(vary(CLASSIC, double_after_split=False))
    field = table.first
    eager = Policy(hit=np.full((field.size, 10), True), double=np.full((field.size, 10), True))
    carried = spread_policy(field, eager, table.split)

    assert not carried.double.any()
    assert (carried.hit == table.split.may_hit[:, None]).all()


def test_a_field_of_first_hands_has_a_row_per_hand():
    hands = list_hands(full_pack(1), None)
    field = build_field(vary(CLASSIC, decks=1), full_pack(1), hands, [FIRST])
    assert field.size == len(hands.hard)
    assert (field.rows_of(FIRST) == np.arange(field.size)).all()

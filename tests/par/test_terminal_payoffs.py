"""How single hands end."""

import numpy as np
import pytest

from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, Rules, vary
from cabinet.par.dealer import BLACKJACK, FINALS
from cabinet.par.play import play_best, set_table
from cabinet.par.state_space import Policy, reach_of, worth_of
from cabinet.par.terminal_payoffs import NETS, ends_of

games = pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)


def _best_first_hands(rules: Rules) -> tuple[np.ndarray, Policy]:
    table = set_table(rules)
    return table.opening.chance * ~table.first.natural[:, None], play_best(table).policy


@games
def test_ends_are_worth_what_the_hands_are(rules: Rules):
    table = set_table(rules)
    starts, policy = _best_first_hands(rules)
    (ends,) = ends_of(table.first, starts, policy).values()
    worth, _ = worth_of(table.first, table.first_won, policy)

    assert (ends.chance @ NETS).sum(axis=1) == pytest.approx((starts * worth).sum(axis=0), abs=1e-14)


@games
def test_every_hand_ends_once(rules: Rules):
    table = set_table(rules)
    starts, policy = _best_first_hands(rules)
    (ends,) = ends_of(table.first, starts, policy).values()

    assert ends.chance.min() >= 0
    assert ends.chance.sum(axis=2) == pytest.approx((starts[:, :, None] * table.first.finals[:-1]).sum(axis=0))


def test_a_hand_that_only_stands_keeps_its_two_cards():
    table = set_table(CLASSIC)
    starts, policy = _best_first_hands(CLASSIC)
    never = np.zeros_like(policy.hit)
    (ends,) = ends_of(table.first, starts, Policy(hit=never, double=never)).values()

    assert ends.cards.sum(axis=3) == pytest.approx(2 * ends.chance)
    assert ends.doubled.sum() == ends.bust.sum() == 0
    assert ends.chance[:, FINALS.index("bust"), 3] == pytest.approx(ends.chance[:, FINALS.index("bust")].sum(axis=1))


def test_a_hand_that_always_doubles_holds_three_cards_and_plays_for_two_bets():
    table = set_table(CLASSIC)
    starts, _ = _best_first_hands(CLASSIC)
    double = np.repeat(table.first.may_double[:, None] & ~table.first.natural[:, None], 10, axis=1)
    (ends,) = ends_of(table.first, starts, Policy(hit=double & False, double=double)).values()

    assert ends.cards.sum(axis=3) == pytest.approx(3 * ends.chance)
    assert ends.chance[:, :, [1, 3]].sum() == 0
    assert ends.doubled == pytest.approx(ends.chance.sum(axis=(1, 2)))


def test_busts_are_the_hands_met_that_draw_too_much():
    table = set_table(EUROPEAN)
    field = table.first
    starts, policy = _best_first_hands(EUROPEAN)
    (ends,) = ends_of(field, starts, policy).values()
    met = reach_of(field, starts, policy)
    rows = np.arange(field.size)
    going = met * policy.hit * ~policy.double
    bust = [going * field.draw(rows, card) * (field.after[:, card] == field.size)[:, None] for card in range(10)]

    assert ends.bust == pytest.approx(np.sum(bust, axis=(0, 1)))


def test_a_late_blackjack_beats_every_hand_that_was_played():
    table = set_table(EUROPEAN)
    (ends,) = ends_of(table.first, *_best_first_hands(EUROPEAN)).values()

    assert ends.chance[0, BLACKJACK, :2].sum() == pytest.approx(ends.chance[0, BLACKJACK].sum())
    assert ends.chance[0, BLACKJACK].sum() > 0.2


def test_a_full_hand_wins_against_every_final():
    rules = vary(EUROPEAN, cards_max=5, splits_max=0)
    field = set_table(rules).first
    row = field.hands.find((0, 4, 1, 0, 0, 0, 0, 0, 0, 0))
    starts = np.zeros((field.size, 10))
    starts[row] = 1
    never = np.zeros((field.size, 10), dtype=bool)
    (ends,) = ends_of(field, starts, Policy(hit=never, double=never)).values()

    assert ends.chance[..., 3].sum(axis=1) == pytest.approx(np.ones(10))


def test_parts_add_up_and_are_weighed_by_upcard():
    table = set_table(CLASSIC)
    (ends,) = ends_of(table.first, *_best_first_hands(CLASSIC)).values()
    half = ends.weigh(np.full(10, 0.5))

    assert half.plus(half).chance == pytest.approx(ends.chance)
    assert half.plus(half).bust == pytest.approx(ends.bust)

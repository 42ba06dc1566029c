"""Worths of actions for every hand."""

import numpy as np
import pytest

from cabinet.engine.round import Action
from cabinet.engine.rules import CLASSIC, EUROPEAN, TABLE, Rules
from cabinet.par import value_of_hand
from cabinet.par.action_values import ORDER, worths_of_actions
from cabinet.par.play import play_best, set_table

HIT, DOUBLE, SPLIT = (ORDER.index(action) for action in (Action.HIT, Action.DOUBLE, Action.SPLIT))


@pytest.mark.parametrize("rules", [EUROPEAN, TABLE, CLASSIC], ids=lambda rules: rules.game_id)
def test_the_best_worth_of_every_opening_hand_adds_up_to_the_return_of_the_game(rules: Rules):
    table = set_table(rules)
    best = play_best(table)
    worths = worths_of_actions(table, best)

    share = np.where(np.isnan(worths[SPLIT]), 0.0, 1.0)
    for pair, row in table.pairs.items():
        share[row] *= table.share[pair]
    plain = np.nanmax(worths[:SPLIT], axis=0)
    top = np.where(np.nan_to_num(worths[SPLIT], nan=-9.0) > plain, worths[SPLIT], plain)
    mean = share * top + (1 - share) * plain
    opening = table.opening
    if rules.hole_card:
        lived = np.where(opening.natural != 0, opening.natural, mean * table.first.alive - opening.hidden)
    else:
        lived = np.where(opening.natural != 0, opening.natural, mean)
    total = float(opening.upcard @ (opening.chance * lived).sum(axis=0))

    assert total == pytest.approx(best.value, abs=1e-12)


def test_only_what_the_rules_ever_allow_has_a_worth():
    table = set_table(TABLE)
    worths = worths_of_actions(table, play_best(table))
    first = table.first

    assert np.isnan(worths[HIT][first.hands.points[first.hand] == 21]).all(), "at 21 the player stands"
    pairs = np.zeros(first.size, dtype=bool)
    pairs[list(table.pairs.values())] = True
    assert np.isnan(worths[SPLIT][~pairs]).all()
    assert not np.isnan(worths[DOUBLE][pairs & (first.hands.hard[first.hand] == 8)]).any()


def test_a_blackjack_asks_no_question_but_its_worth_is_known():
    assert value_of_hand(CLASSIC, (1, 10), 5) == {Action.STAND: pytest.approx(1.5)}

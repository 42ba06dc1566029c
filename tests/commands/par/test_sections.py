"""A par sheet's figures as tables of text."""

import pytest
from support.par_documents import par_document

from cabinet.commands.par.sections import Section, chart_parts, net_word, percent, sections, signed
from cabinet.engine.rules import CLASSIC, GAMES, Rules
from cabinet.par import CONFIDENCES, ROUNDS


def _named(title: str, rules: Rules = CLASSIC, *, effects: bool = False) -> Section:
    (found,) = [each for each in sections(par_document(rules, effects=effects)) if each.title.startswith(title)]
    return found


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_every_row_has_a_cell_for_each_column(rules: Rules):
    for section in sections(par_document(rules, effects=True)):
        assert section.rows
        assert {len(row) for row in section.rows} == {len(section.head)}, section.title


def test_the_return_stands_first_with_its_edge_per_bet_and_per_amount_staked():
    first = sections(par_document(CLASSIC))[0]
    assert {row[0]: row[1:] for row in first.rows} == {
        "return to player": ("99.5431 %", "99.5401 %"),
        "house edge per bet": ("0.4569 %", "0.4599 %"),
        "stakes per bet": ("1.1274", "1.1274"),
        "house edge per amount staked": ("0.4053 %", "0.4080 %"),
        "return per amount staked": ("99.5947 %", "99.5920 %"),
    }


def test_every_band_and_every_place_has_its_cell():
    one, several = (each for each in sections(par_document()) if each.title.startswith("Actual return"))
    assert len(one.rows) == len(several.rows) == len(ROUNDS)
    assert len(one.head) == 1 + len(CONFIDENCES)
    assert one.rows[0][0] == "1,000"
    assert "5 places" in several.title
    assert ("covariance of two places", "0.4791") in _named("Spread", GAMES["european"]).rows


def test_games_of_one_place_say_nothing_of_several():
    assert not any("places" in row[0] for row in _named("Spread").rows)


def test_events_insurance_and_dealer_are_printed_as_they_are_known():
    assert ("player's blackjack, paid", "0.04532299") in _named("Events").rows
    assert ("two ten-values in hand", "-8.7379 %") in _named("Insurance").rows
    assert _named("The dealer's final total when").rows[-1][1] == "0.188071"


def test_effects_are_printed_when_they_were_computed():
    assert _named("What changing", effects=True).rows[0] == ("8 decks", "99.4600 %", "-0.0300 %")


def test_rules_are_printed_as_words():
    rows = dict(_named("Rules").rows)
    assert (rows["hole card"], rows["blackjack pays"], rows["cards max"]) == ("yes", "3 to 2", "no limit")
    assert "title" not in rows


def test_the_chart_has_every_hand_a_player_decides():
    hard, soft, pairs = chart_parts(par_document())
    assert [hand for hand, _ in hard.rows] == [str(total) for total in range(20, 4, -1)]
    assert [hand for hand, _ in soft.rows] == [f"A,{card}" for card in range(9, 1, -1)]
    assert [hand for hand, _ in pairs.rows][:3] == ["A,A", "10,10", "9,9"]
    assert dict(pairs.rows)["8,8"] == "PPPPPPPPHH"


@pytest.mark.parametrize(("net", "word"), [(1.5, "+1.5"), (-2.0, "-2"), (0.0, "0")])
def test_net_results_carry_their_sign(net: float, word: str):
    assert net_word(net) == word


def test_shares_are_written_in_percent():
    assert (percent(0.99543), percent(0.5, 1), signed(-0.01)) == ("99.5430 %", "50.0 %", "-1.0000 %")

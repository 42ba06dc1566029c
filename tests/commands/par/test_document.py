"""A par sheet as plain data."""

import json

import pytest
from support.par_documents import EFFECTS, par_document

from cabinet.commands.par.document import bands, by_upcard, dealer_rows, hand_document, reading, sheet_document
from cabinet.engine.round import Action
from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, Rules, vary
from cabinet.par import CONFIDENCES, ROUNDS, cached_sheet
from cabinet.par.dealer import FINALS

UPCARDS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_the_document_says_all_that_others_read(rules: Rules):
    document = json.loads(json.dumps(par_document(rules)))
    sheet = cached_sheet(rules, None)

    assert document.keys() >= {
        "game", "rules", "ev_best", "ev_chart", "return_best", "return_chart", "ev_by_upcard_best", "chart",
        "average_stake", "ev_per_staked", "variance", "hit_frequency", "insurance", "dealer", "seconds",
    }  # fmt: skip
    for name in ("ev_best", "return_chart", "ev_per_staked", "variance", "hit_frequency", "volatility_index"):
        assert document[name] == getattr(sheet, name)
    assert document["game"] == rules.game_id
    assert document["seconds"] == 1.25
    assert list(document["variance_by_places"]) == [str(n) for n in range(1, rules.places_max + 1)]


def test_upcards_are_named_in_the_order_of_charts():
    document = par_document()
    sheet = cached_sheet(EUROPEAN, None)

    assert list(document["ev_by_upcard_best"]) == UPCARDS
    assert document["ev_by_upcard_best"]["A"] == sheet.ev_by_upcard_best[0]
    assert by_upcard(range(10))["10"] == 9
    assert document["dealer"]["unconditional"]["10"]["blackjack"] == pytest.approx(24 / 311)
    assert list(dealer_rows([range(7)] * 10)["A"]) == list(FINALS)


def test_the_chart_is_a_word_of_ten_letters_for_each_hand_ace_first():
    assert par_document()["chart"]["hard"]["11"] == "HDDDDDDDDH"
    assert par_document()["chart"]["pairs"]["8"] == "HPPPPPPPPH"


def test_effects_are_there_when_they_were_asked_for():
    assert "effects" not in par_document()
    reported = par_document(effects=True)["effects"]
    assert reported[0] == {"change": "8 decks", "ev_best": -0.0054, "difference": -0.0003}
    assert len(reported) == len(EFFECTS)


@pytest.mark.parametrize(("rules", "places"), [(EUROPEAN, {1, 5}), (CLASSIC, {1})], ids=["european", "classic"])
def test_bands_are_given_for_one_place_and_for_all(rules: Rules, places: set[int]):
    sheet = cached_sheet(rules, None)
    found = bands(sheet)

    assert {band["places"] for band in found} == places
    assert len(found) == len(places) * len(ROUNDS) * len(CONFIDENCES)
    assert all(band["low"] < sheet.return_chart < band["high"] for band in found)


def test_a_hand_names_its_cards_and_its_best_action():
    worths = {Action.STAND: -0.2, Action.HIT: -0.1}
    document = hand_document(EUROPEAN, (1, 7), 9, worths)

    assert document["actions"] == {"stand": -0.2, "hit": -0.1}
    assert (document["hand"], document["up"], document["best"]) == (["A", "7"], "9", "hit")
    assert hand_document(CLASSIC, (1, 7), 1, worths)["given"] == "no dealer blackjack"


@pytest.mark.requirement("PD-12")
def test_the_sheet_says_under_which_reading_classic_returns_what_its_text_states():
    document = par_document(CLASSIC)

    assert f"{100 * document['return_best']:.2f}" == "99.54"
    assert any("99.54 %: best play" in sentence for sentence in document["reading"])
    assert not any("99.54" in sentence for sentence in reading(vary(CLASSIC, decks=8)))


@pytest.mark.requirement("PD-13")
def test_the_sheet_says_that_nothing_is_rounded_or_that_other_chips_are_needed():
    assert any("nothing is ever rounded" in sentence for sentence in reading(EUROPEAN))
    assert any("needs other chips" in sentence for sentence in reading(vary(EUROPEAN, blackjack_pays=(8, 7))))


def test_varied_rules_are_in_the_document_as_they_were_set():
    sheet = cached_sheet(vary(CLASSIC, title="Mine"), None)
    assert sheet_document(sheet, 0.0)["rules"]["title"] == "Mine"

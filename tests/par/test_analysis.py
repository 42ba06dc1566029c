"""The analysis as a whole."""

from functools import cache

import pytest

from cabinet.engine.money import fraction_of
from cabinet.engine.round import Action
from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, TABLE, LateBlackjackTakes, Limits, Rules, vary
from cabinet.par import ParSheet, analyse, cached_sheet, compare_rules, value_of_hand
from cabinet.par.dealer import FINALS

ALL_ACTIONS = set(Action)
NO_SPLITS = vary(CLASSIC, splits_max=0)


@cache
def _sheet(rules: Rules) -> ParSheet:
    return analyse(rules)


def test_progress_is_reported_from_nothing_to_done():
    reported: list[tuple[float, str]] = []
    analyse(NO_SPLITS, lambda share, what: reported.append((share, what)))

    assert [share for share, _ in reported] == sorted(share for share, _ in reported)
    assert (reported[0][0], reported[-1]) == (0.0, (1.0, "done"))


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_opening_cards_have_the_frequencies_of_a_six_deck_pack(rules):
    events = cached_sheet(rules, None).events

    assert f"{events.blackjack:.8f}" == f"{events.dealer_blackjack:.8f}" == "0.04748949"
    assert f"{events.both_blackjack:.8f}" == "0.00216650"
    assert f"{events.blackjack_paid:.8f}" == "0.04532299"
    assert f"{events.pair_of_value:.8f}" == "0.14518922"
    assert f"{events.pair_of_rank:.8f}" == "0.07395498"
    assert events.insurance_offered == pytest.approx(1 / 13)


def test_insurance_loses_the_more_the_more_tens_the_player_holds():
    insurance = _sheet(NO_SPLITS).insurance
    figures = [f"{ev:.8f}" for ev in (insurance.no_ten, insurance.one_ten, insurance.two_tens)]

    assert figures == ["-0.06796117", "-0.07766990", "-0.08737864"]
    assert f"{insurance.wins:.8f}" == "0.30868167"


def test_the_dealers_ends_are_given_with_blackjack_and_without():
    dealer = _sheet(NO_SPLITS).dealer
    ten = ["0.12127267", "0.12100691", "0.12130583", "0.36844712", "0.03772893", "0.23023854", "0.00000000"]
    ace = ["0.18807057", "0.18923490", "0.18890567", "0.18936239", "0.07739348", "0.16703299", "0.00000000"]

    assert [f"{chance:.8f}" for chance in dealer.no_blackjack[9]] == ten
    assert [f"{chance:.8f}" for chance in dealer.no_blackjack[0]] == ace
    assert dealer.no_blackjack[4] == pytest.approx(dealer.unconditional[4])
    assert dealer.unconditional[9][FINALS.index("blackjack")] == pytest.approx(24 / 311)


def test_stakes_are_hands_and_doubles():
    sheet = _sheet(CLASSIC)
    assert sheet.average_stake == pytest.approx(sheet.events.hands + sheet.events.doubles)
    assert sheet.ev_per_staked == pytest.approx(sheet.ev_chart / sheet.average_stake)


def test_stakes_that_a_late_blackjack_gives_back_have_been_made():
    late = vary(EUROPEAN, splits_max=1, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES)
    early = analyse(vary(late, hole_card=True))
    sheet = analyse(late)

    assert sheet.ev_chart == pytest.approx(early.ev_chart)
    assert sheet.variance == pytest.approx(early.variance)
    assert early.average_stake + 0.001 < sheet.average_stake < early.average_stake + 0.02


def test_returns_by_upcard_average_to_the_return():
    sheet = cached_sheet(TABLE, None)
    for total, parts in ((sheet.ev_best, sheet.ev_by_upcard_best), (sheet.ev_chart, sheet.ev_by_upcard_chart)):
        assert sum(parts[:9]) / 13 + 4 * parts[9] / 13 == pytest.approx(total)


@pytest.mark.requirement("PD-13")
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_three_to_two_and_half_are_whole_at_every_stake_so_the_return_is_that_of_the_sheet(rules):
    limits = Limits()
    for stake in range(limits.min_cents, limits.max_cents + 1, limits.min_cents):
        assert fraction_of(stake, *rules.blackjack_pays) * rules.blackjack_pays[1] == stake * rules.blackjack_pays[0]
        assert fraction_of(stake, 1, 2) * 2 == stake


@pytest.mark.parametrize(
    ("rules", "cards", "actions"),
    [
        (EUROPEAN, (8, 8), ALL_ACTIONS),
        (EUROPEAN, (10, 10), ALL_ACTIONS),
        (EUROPEAN, (9, 8), ALL_ACTIONS - {Action.SPLIT}),
        (EUROPEAN, (2, 3, 5), {Action.STAND, Action.HIT}),
        (EUROPEAN, (10, 9, 2), {Action.STAND, Action.HIT}),
        (EUROPEAN, (1, 8, 2), {Action.STAND}),
        (EUROPEAN, (1, 10), {Action.STAND}),
        (CLASSIC, (10, 9, 2), {Action.STAND}),
        (NO_SPLITS, (8, 8), ALL_ACTIONS - {Action.SPLIT}),
    ],
    ids=lambda value: value.game_id if isinstance(value, Rules) else str(value) if isinstance(value, tuple) else "",
)
def test_a_hand_has_a_worth_for_each_legal_action(rules, cards, actions):
    assert value_of_hand(rules, cards, 6).keys() == actions


def test_worths_are_given_no_blackjack_where_the_dealer_has_looked():
    assert value_of_hand(CLASSIC, (10, 6), 10)[Action.STAND] == pytest.approx(-0.54095444, abs=6e-9)
    assert value_of_hand(EUROPEAN, (10, 6), 10)[Action.STAND] == pytest.approx(-0.57660846, abs=6e-9)


def test_a_blackjack_is_worth_its_pay_less_what_the_dealer_may_push():
    assert value_of_hand(CLASSIC, (1, 10), 10) == {Action.STAND: pytest.approx(1.5)}
    assert value_of_hand(EUROPEAN, (1, 10), 10) == {Action.STAND: pytest.approx(1.5 * (1 - 23 / 309))}


def test_a_late_blackjack_is_counted_where_it_takes_the_first_bet():
    rules = vary(EUROPEAN, splits_max=0, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES)
    late, counted = value_of_hand(rules, (5, 6), 10), value_of_hand(EUROPEAN, (5, 6), 10)

    assert late[Action.STAND] == pytest.approx(counted[Action.STAND])
    assert late[Action.DOUBLE] > counted[Action.DOUBLE] + 0.07


@pytest.mark.parametrize(("cards", "up"), [((10,), 5), ((10, 11), 5), ((10, 5), 0), ((10, 10, 5), 5)], ids=str)
def test_cards_that_are_no_hand_are_refused(cards, up):
    with pytest.raises(ValueError, match="expected"):
        value_of_hand(CLASSIC, cards, up)


@pytest.mark.breadth
def test_changed_rules_are_set_side_by_side():
    reported: list[float] = []
    effects = {effect.change: effect for effect in compare_rules(CLASSIC, lambda share, _: reported.append(share))}

    assert effects["dealer hits soft 17"].difference == pytest.approx(-0.0022, abs=3e-4)
    assert effects["blackjack pays 6 to 5"].difference == pytest.approx(-0.0136, abs=1e-4)
    assert effects["no double after a split"].difference == pytest.approx(-0.0014, abs=3e-4)
    assert effects["no hole card, late blackjack takes original stakes only"].difference == pytest.approx(0, abs=1e-12)
    assert effects["no hole card"].difference < -0.0008
    assert "6 decks" not in effects
    assert all(effect.rules != CLASSIC for effect in effects.values())
    assert reported[-1] == 1

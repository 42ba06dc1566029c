"""Chips, bets and the buttons around them, sentence by sentence of the three rule texts.

Each test quotes what it proves; `rule_sentences.toml` lists every sentence with its test.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.machines import SETTINGS, Cabinet, dealt, one_table, seated
from support.rounds import seeded_draw

from cabinet.engine.bets import chips_down, doubled_of, last_bets, rebet_of, table_of, with_chip
from cabinet.engine.effects import BetsChanged, RoundBegan
from cabinet.engine.inputs import (
    Bet,
    BetAll,
    Button,
    CashOut,
    ChooseChip,
    ChooseGame,
    ChoosePlace,
    ClearBets,
    Deal,
    DeclineInsurance,
    DoubleBet,
    LeaveTable,
    PlayerLeft,
    PointAtGame,
    Rebet,
    Stand,
    TakeChip,
    ToggleTurbo,
    Wake,
)
from cabinet.engine.machine import lit
from cabinet.engine.rules import CLASSIC, EUROPEAN, TABLE, Limits
from cabinet.engine.state import Phase, Settings, State

GAMES = ("european", "table", "classic")
DULL = "10S 10D 8H 9C"
"""A hand that stands at 18 against 19: lost after one press of STAND at a table with a hole card."""


def bets_of(cabinet: Cabinet) -> tuple[int, ...]:
    """The chips down."""
    return chips_down(cabinet.settings, cabinet.machine)


def after_a_round(
    game_id: str, *bets: Bet | ChooseChip, credit: int = 100_000, settings: Settings = SETTINGS
) -> Cabinet:
    """A cabinet whose player has finished one round with these bets and sees the result."""
    cabinet = seated(game_id, settings=settings, draw=seeded_draw(4))
    cabinet.do(*(bets or (Bet(place=0),)), Deal())
    finish(cabinet)
    return cabinet


def finish(cabinet: Cabinet) -> None:
    """Decline and stand until the round is over."""
    while cabinet.state is not State.SETTLED:
        cabinet.do(DeclineInsurance() if cabinet.state is State.INSURANCE else Stand())


# --- chips ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_the_value_clicked_is_the_chip_in_hand(game_id: str) -> None:
    """'Click on the value of the chip you wish to use'; 'you must first select a chip value by clicking it';
    'Select a chip value from the bottom of the screen'"""
    cabinet = seated(game_id)
    cabinet.do(ChooseChip(chip_cents=2_500), Bet(place=0))
    assert bets_of(cabinet)[0] == 2_500
    assert cabinet.refusal(ChooseChip(chip_cents=123)) == "NO_SUCH"


def test_the_button_takes_the_next_larger_chip_and_begins_anew() -> None:
    cabinet = seated("table")
    in_hand = []
    for _ in range(5):
        in_hand.append(cabinet.machine.seat.chip_cents)
        cabinet.do(ChooseChip())
    assert in_hand == [100, 500, 2_500, 10_000, 100]


def test_a_single_chip_leaves_nothing_to_choose() -> None:
    cabinet = seated("table", settings=one_table(TABLE, limits=Limits(chips_cents=(500,), min_cents=500)))
    assert cabinet.refusal(ChooseChip()) == "NO_SUCH"


def test_a_small_chip_bets_the_minimum_with_the_first_click_only() -> None:
    """'a chip that is less than the table minimum, the first click on the betting circle will place the minimum bet'"""
    settings = one_table(EUROPEAN, limits=Limits(min_cents=1_000, chips_cents=(100, 500, 2_500)))
    cabinet = seated(settings=settings)
    cabinet.do(Bet(place=2))
    assert bets_of(cabinet) == (0, 0, 1_000, 0, 0)
    cabinet.do(Bet(place=2))
    assert bets_of(cabinet) == (0, 0, 1_100, 0, 0)
    cabinet.do(Bet(place=3))
    assert bets_of(cabinet) == (0, 0, 1_100, 1_000, 0)


def test_a_large_chip_bets_its_own_value_with_the_first_click() -> None:
    settings = one_table(EUROPEAN, limits=Limits(min_cents=1_000, chips_cents=(100, 500, 2_500)))
    cabinet = seated(settings=settings)
    cabinet.do(ChooseChip(chip_cents=2_500), Bet(place=2))
    assert bets_of(cabinet)[2] == 2_500


@pytest.mark.parametrize("game_id", GAMES)
def test_each_click_places_one_chip(game_id: str) -> None:
    """'Each time you click on a bet circle, a chip of that value will be placed in the circle'; 'Each click places one
    chip on the table'; 'each time the chip area of the table is clicked that value is added to the current bet'"""
    cabinet = seated(game_id)
    cabinet.do(ChooseChip(chip_cents=500), Bet(place=0), Bet(place=0), ChooseChip(chip_cents=100), Bet(place=0))
    assert bets_of(cabinet)[0] == 1_100
    assert [event for event in cabinet.events if isinstance(event, BetsChanged)][-1].before[0] == 1_000


def test_bets_are_placed_by_clicking_the_bet_circle() -> None:
    """'Bets may be made by clicking on the bet circle'"""
    cabinet = seated("table")
    cabinet.do(Bet(place=0))
    assert bets_of(cabinet) == (100,)
    assert cabinet.refusal(Bet(place=1)) == "NO_SUCH"
    assert cabinet.refusal(Bet(place=-1)) == "NO_SUCH"


def test_the_bet_button_bets_on_the_place_pointed_at() -> None:
    cabinet = seated()
    cabinet.do(ChoosePlace(), ChoosePlace(), Bet())
    assert bets_of(cabinet) == (0, 0, 100, 0, 0)
    cabinet.do(ChoosePlace(place=4), Bet(), ChoosePlace(), Bet())
    assert bets_of(cabinet) == (100, 0, 100, 0, 100)


def test_a_table_of_one_place_has_no_other_to_point_at() -> None:
    cabinet = seated("table")
    assert cabinet.refusal(ChoosePlace()) == "NO_SUCH"
    assert cabinet.refusal(ChoosePlace(place=1)) == "NO_SUCH"


def test_ctrl_places_a_chip_on_all_five_places() -> None:
    """'To place a chip on all five circles with one click, hold down the 'ctrl' button'"""
    cabinet = seated()
    cabinet.do(Bet(place=1), ChooseChip(chip_cents=500), BetAll())
    assert bets_of(cabinet) == (500, 600, 500, 500, 500)


def test_a_place_at_the_maximum_is_left_out_of_the_bet_on_all() -> None:
    limits = Limits(max_cents=1_000, chips_cents=(100, 500))
    cabinet = seated(settings=one_table(EUROPEAN, limits=limits))
    cabinet.do(ChooseChip(chip_cents=500), Bet(place=1), Bet(place=1), Bet(place=3), BetAll())
    assert bets_of(cabinet) == (500, 1_000, 500, 1_000, 500)
    cabinet.do(BetAll())
    assert bets_of(cabinet) == (1_000,) * 5
    assert cabinet.refusal(BetAll()) == "OVER_LIMIT"


def test_the_bet_on_all_covers_as_many_places_as_the_credit_does() -> None:
    cabinet = seated(credit=399)
    cabinet.do(Bet(place=4), BetAll())
    assert bets_of(cabinet) == (100, 100, 0, 0, 100)
    assert cabinet.refusal(BetAll()) == "NO_CREDIT"


def test_the_bet_on_all_places_the_minimum_where_it_is_the_first_chip() -> None:
    settings = one_table(EUROPEAN, limits=Limits(min_cents=1_000, chips_cents=(100, 500)))
    cabinet = seated(credit=2_250, settings=settings)
    cabinet.do(Bet(place=2), BetAll())
    assert bets_of(cabinet) == (1_000, 0, 1_100, 0, 0)


def test_a_table_of_one_place_has_no_bet_on_all() -> None:
    assert seated("table").refusal(BetAll()) == "NO_SUCH"


# --- limits and credit ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_a_wager_may_not_exceed_the_maximum(game_id: str) -> None:
    """'Your wager must meet the minimum limit but not exceed the maximum limit'"""
    cabinet = seated(game_id)
    cabinet.do(ChooseChip(chip_cents=10_000), Bet(place=0))
    assert cabinet.refusal(Bet(place=0)) == "OVER_LIMIT"
    assert bets_of(cabinet)[0] == 10_000


def test_a_wager_must_meet_the_minimum() -> None:
    """'Your wager must meet the minimum limit': what a change of limits left below it cannot be dealt"""
    cabinet = seated("table")
    cabinet.do(Bet(place=0))
    higher = replace(SETTINGS, tables=one_table(TABLE, limits=Limits(min_cents=500)).tables)
    cabinet.settings = higher
    assert cabinet.refusal(Deal()) == "UNDER_LIMIT"
    cabinet.do(ClearBets(), Bet(place=0))
    assert bets_of(cabinet) == (500,)


@pytest.mark.requirement("CM-03")
def test_bets_may_not_exceed_the_credit_and_take_nothing_from_it() -> None:
    cabinet = seated(credit=250)
    cabinet.do(Bet(place=0), Bet(place=1))
    assert cabinet.refusal(Bet(place=2)) == "NO_CREDIT"
    assert cabinet.credit == 250
    assert cabinet.meter("coin_in") == 0


def test_chips_down_are_still_the_players_to_cash_out() -> None:
    cabinet = seated("table", credit=300)
    cabinet.do(Bet(place=0), CashOut())
    assert bets_of(cabinet) == (0,)
    assert cabinet.credit == 0


# --- taking back ------------------------------------------------------------------------------------------------


def test_shift_takes_a_chip_back_and_clear_takes_all() -> None:
    """'Bets may be removed ... by either holding the SHIFT key while clicking on the chips on the felt or by clicking
    on the CLEAR button'"""
    cabinet = seated("table")
    cabinet.do(Bet(place=0), Bet(place=0), Bet(place=0), TakeChip(place=0))
    assert bets_of(cabinet) == (200,)
    cabinet.do(ClearBets())
    assert bets_of(cabinet) == (0,)
    assert cabinet.refusal(ClearBets()) == "NO_BETS"
    assert cabinet.refusal(TakeChip(place=0)) == "NO_BETS"
    assert cabinet.refusal(TakeChip(place=7)) == "NO_BETS"


def test_no_bet_below_the_minimum_is_left_lying() -> None:
    settings = one_table(TABLE, limits=Limits(min_cents=1_000, chips_cents=(500, 2_500)))
    cabinet = seated(settings=settings)
    cabinet.do(Bet(place=0), Bet(place=0), TakeChip(place=0))
    assert bets_of(cabinet) == (1_000,)
    cabinet.do(TakeChip(place=0))
    assert bets_of(cabinet) == (0,)


@pytest.mark.parametrize("game_id", GAMES)
def test_clear_removes_every_chip_and_betting_starts_again(game_id: str) -> None:
    """'If you wish to remove all of your chips ... click on the 'clear bets' button'; 'Your chips will be removed from
    the table and you may start the betting process again'; 'use the 'clear' button at the bottom to remove all bets'"""
    cabinet = seated(game_id)
    cabinet.do(Bet(place=0), Bet(place=0), ClearBets())
    assert sum(bets_of(cabinet)) == 0
    assert cabinet.credit == 100_000
    cabinet.do(Bet(place=0))
    assert bets_of(cabinet)[0] == 100


# --- deal -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_without_bets_there_is_no_deal(game_id: str) -> None:
    """'If there are no bets on the table, the deal button will not be available'"""
    cabinet = seated(game_id)
    assert cabinet.refusal(Deal()) == "NO_BETS"
    assert Button.DEAL not in lit(cabinet.settings, cabinet.machine)
    cabinet.do(Bet(place=0))
    assert Button.DEAL in lit(cabinet.settings, cabinet.machine)


@pytest.mark.parametrize("game_id", GAMES)
def test_deal_accepts_the_bets_and_begins(game_id: str) -> None:
    """'Clicking on 'deal' will accept your bets and begin dealing the cards'; 'When you are ready to play, click on
    'deal' to continue'; 'After your bets have been placed, click the DEAL button'; 'player must click the DEAL button
    to start the game'; 'Start game by placing a wager'; 'click 'deal' to start the game'"""
    cabinet = seated(game_id)
    cabinet.do(Bet(place=0), Deal())
    assert next(event for event in cabinet.events if isinstance(event, RoundBegan)).bets[0] == 100
    assert cabinet.meter("coin_in") == 100
    assert cabinet.machine.round is not None


def test_rebet_and_deal_gives_way_to_deal_once_a_chip_is_down() -> None:
    """'After you have placed at least one bet, the re-bet & deal button will be replaced by the deal button'; 'After
    placing chips on the layout by any other means, this button will be replaced by the Deal button'"""
    cabinet = after_a_round("european", Bet(place=0), Bet(place=3), Bet(place=3))
    cabinet.do(Bet(place=1), Deal())
    assert cabinet.machine.seat.last_bets["european"] == (0, 100, 0, 0, 0)


def test_one_press_repeats_the_exact_wager_and_begins() -> None:
    """'On your second and subsequent hands, there is a Re-bet & Deal button'; 'the exact same wager on the following
    hand, use this button to begin the game round with one click'"""
    cabinet = after_a_round("european", Bet(place=0), Bet(place=3), Bet(place=3))
    cabinet.do(Deal())
    assert cabinet.machine.seat.last_bets["european"] == (100, 0, 0, 200, 0)
    assert cabinet.machine.round_number == 2
    assert cabinet.meter("coin_in") == 600


@pytest.mark.requirement("CM-12")
def test_rebet_and_deal_with_too_little_credit_is_refused() -> None:
    cabinet = dealt("table", DULL, credit=1_000, chips=6)
    finish(cabinet)
    assert cabinet.credit == 400
    assert cabinet.refusal(Deal()) == "NO_CREDIT"
    assert Button.DEAL not in lit(cabinet.settings, cabinet.machine)


# --- rebet ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_rebet_waits_for_the_second_hand(game_id: str) -> None:
    """'On your second and subsequent hands, the re-bet button will be activated'; 'After a game is finished ... you may
    repeat the last wager placed by clicking the REBET button'"""
    cabinet = seated(game_id)
    assert cabinet.refusal(Rebet()) == "NO_LAST_BET"
    cabinet = after_a_round(game_id)
    assert Button.REBET in lit(cabinet.settings, cabinet.machine)
    cabinet.do(Rebet())
    assert bets_of(cabinet)[0] == 100


def test_rebet_places_the_wagers_of_the_round_before() -> None:
    """'Selecting re-bet will place the same wagers on the table that you made on the previous round'; 'The REBET button
    restores the preceding wager'"""
    cabinet = after_a_round("european", Bet(place=0), Bet(place=3), Bet(place=3))
    cabinet.do(Rebet())
    assert bets_of(cabinet) == (100, 0, 0, 200, 0)


def test_each_further_rebet_presses_the_bets() -> None:
    """'You may select re-bet more than once'; 'Each additional click presses your bet(s)'"""
    cabinet = after_a_round("european", Bet(place=0), Bet(place=3))
    cabinet.do(Rebet(), Rebet(), Rebet())
    assert bets_of(cabinet) == (300, 0, 0, 300, 0)


def test_a_repeated_wager_may_be_adjusted_and_waits_for_deal() -> None:
    """'You may adjust your wager but the DEAL button needs to be clicked for play to begin'"""
    cabinet = after_a_round("table")
    cabinet.do(Rebet(), Bet(place=0), Bet(place=0), TakeChip(place=0))
    assert cabinet.state is State.BETTING
    assert bets_of(cabinet) == (200,)
    cabinet.do(Deal())
    assert cabinet.machine.round_number == 2


@pytest.mark.requirement("CM-12")
def test_rebet_beyond_credit_or_limit_is_refused_and_places_nothing() -> None:
    cabinet = dealt("table", DULL, credit=1_000, chips=6)
    finish(cabinet)
    assert cabinet.refusal(Rebet()) == "NO_CREDIT"
    cabinet = after_a_round("table", ChooseChip(chip_cents=10_000), Bet(place=0))
    cabinet.do(Rebet())
    assert cabinet.refusal(Rebet()) == "OVER_LIMIT"
    assert bets_of(cabinet) == (10_000,)


def test_each_game_remembers_its_own_last_bets() -> None:
    cabinet = after_a_round("european", Bet(place=4))
    cabinet.do(LeaveTable(), ChooseGame(game_id="table"))
    assert cabinet.refusal(Rebet()) == "NO_LAST_BET"
    cabinet.do(LeaveTable(), ChooseGame(game_id="european"), Rebet())
    assert bets_of(cabinet) == (0, 0, 0, 0, 100)


# --- double bet -------------------------------------------------------------------------------------------------


def test_double_bet_doubles_what_is_down_with_each_click() -> None:
    """'The DOUBLE BET button doubles any presently placed bets with each click'"""
    cabinet = seated()
    cabinet.do(Bet(place=0), Bet(place=2), Bet(place=2), DoubleBet())
    assert bets_of(cabinet) == (200, 0, 400, 0, 0)
    cabinet.do(DoubleBet())
    assert bets_of(cabinet) == (400, 0, 800, 0, 0)


@pytest.mark.requirement("CM-12")
def test_double_bet_stops_at_the_table_maximum_and_at_the_credit() -> None:
    """'The DOUBLE BET button is only available if the wager limit has not been exceeded'"""
    cabinet = seated("table")
    cabinet.do(*(Bet(place=0) for _ in range(60)))
    assert cabinet.refusal(DoubleBet()) == "OVER_LIMIT"
    assert Button.DOUBLE not in lit(cabinet.settings, cabinet.machine)
    poor = seated("table", credit=150)
    poor.do(Bet(place=0))
    assert poor.refusal(DoubleBet()) == "NO_CREDIT"


def test_double_bet_without_a_wager_is_rebet_and_double() -> None:
    """'If the DOUBLE BET button is clicked before a wager is placed, this would equal clicking the REBET button and
    then the DOUBLE BET button'; 'The DEAL button must still be clicked for play to begin'"""
    one, two = after_a_round("table"), after_a_round("table")
    one.do(DoubleBet())
    two.do(Rebet(), DoubleBet())
    assert bets_of(one) == bets_of(two) == (200,)
    assert one.state is State.BETTING
    assert one.machine.round_number == 1


def test_double_bet_on_the_first_hand_has_nothing_to_double() -> None:
    assert seated("table").refusal(DoubleBet()) == "NO_LAST_BET"


# --- what is on the table ---------------------------------------------------------------------------------------


@pytest.mark.requirement("PD-02")
def test_the_finished_round_lies_there_until_a_bet_belongs_to_the_next() -> None:
    cabinet = after_a_round("table")
    over = cabinet.machine.round
    cabinet.do(ChooseChip(), ToggleTurbo(), ToggleTurbo())
    assert cabinet.machine.round is over is not None
    assert cabinet.machine.results is not None
    cabinet.do(Bet(place=0))
    assert cabinet.machine.round is None


@pytest.mark.requirement("PD-22")
def test_attract_mode_gives_the_finished_round_back() -> None:
    cabinet = after_a_round("table")
    before = cabinet.machine
    cabinet.do(PlayerLeft())
    assert cabinet.state is State.ATTRACT
    cabinet.do(Wake())
    assert cabinet.machine == before


@pytest.mark.requirement("PD-22")
def test_attract_mode_waits_for_an_empty_table() -> None:
    cabinet = seated("table")
    cabinet.do(Bet(place=0), PlayerLeft())
    assert cabinet.state is State.BETTING
    open_hand = dealt("table", "8S 6D 8H 10C")
    open_hand.do(PlayerLeft())
    assert open_hand.state is State.DECIDING


def test_turbo_is_switched_on_and_off_by_its_button_in_every_phase_of_play() -> None:
    """'You may click on it to either activate or deactivate it'; 'The TURBO button does not change the method of play
    or the rules'"""
    for cabinet in (seated("table"), dealt("table", "8S 6D 8H 10C"), dealt("table", "9S AD 8H 10C")):
        before = cabinet.machine
        cabinet.do(ToggleTurbo())
        assert cabinet.machine == replace(before, seat=replace(before.seat, turbo=True))
        cabinet.do(ToggleTurbo())
        assert cabinet.machine == before


# --- tables -----------------------------------------------------------------------------------------------------


def test_the_choice_moves_through_the_games_and_round_again() -> None:
    cabinet = seated("table")
    cabinet.do(LeaveTable())
    pointed = []
    for _ in range(4):
        cabinet.do(PointAtGame())
        pointed.append(cabinet.machine.seat.game_id)
    assert pointed == ["classic", "european", "table", "classic"]
    assert cabinet.refusal(PointAtGame(game_id="roulette")) == "NO_SUCH"
    cabinet.do(PointAtGame(game_id="european"), ChooseGame())
    assert (cabinet.machine.phase, cabinet.machine.seat.game_id) == (Phase.BETTING, "european")


def test_a_table_is_left_only_without_chips_and_with_somewhere_to_go() -> None:
    cabinet = seated("table")
    cabinet.do(Bet(place=0))
    assert cabinet.refusal(LeaveTable()) == "NOT_NOW"
    assert seated(settings=one_table(CLASSIC)).refusal(LeaveTable()) == "NO_SUCH"


def test_sitting_down_takes_the_smallest_chip_and_an_empty_table() -> None:
    cabinet = after_a_round("european", ChooseChip(chip_cents=500), Bet(place=2))
    cabinet.do(LeaveTable(), ChooseGame(game_id="table"))
    machine = cabinet.machine
    assert (machine.seat.chip_cents, machine.seat.place, machine.seat.bets, machine.round) == (100, 0, (0,), None)
    assert table_of(cabinet.settings, machine).rules is TABLE


@given(st.integers(0, 4), st.sampled_from((100, 500, 2_500)), st.integers(0, 4))
def test_the_bets_offered_are_the_bets_placed(place: int, chip: int, clicks: int) -> None:
    """The bets after a press can be computed without the press."""
    cabinet = seated()
    cabinet.do(ChooseChip(chip_cents=chip), *(Bet(place=place) for _ in range(clicks)))
    foreseen = with_chip(cabinet.settings, cabinet.machine, place)
    assert rebet_of(cabinet.settings, cabinet.machine) is None
    assert last_bets(cabinet.settings, cabinet.machine) is None
    assert (doubled_of(cabinet.settings, cabinet.machine) is None) is (clicks == 0)
    if cabinet.refusal(Bet(place=place)) is None:
        assert bets_of(cabinet) == foreseen

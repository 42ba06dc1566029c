"""A press meant for one question answers no other: what a button meant before and means now is compared."""

import pytest
from support.rounds import draws
from support.snapshot import Player, at

from cabinet.engine.inputs import (
    BackOut,
    Bet,
    BetAll,
    Button,
    ChooseChip,
    ChooseGame,
    ClearBets,
    Deal,
    DeclineInsurance,
    Door,
    DoorClosed,
    DoorOpened,
    Key,
    KeyTurned,
    PlayerLeft,
    SetOutOfService,
    Stand,
    ToggleTurbo,
)
from cabinet.engine.round import Stage
from cabinet.engine.state import LockKind, Phase, Settings, State
from cabinet.presentation.meanings import READY_AFTER_S, follow, lifted, next_ready_s, unready
from cabinet.presentation.press_or_hold import PressOrHold
from cabinet.presentation.snapshot import is_open, lift, lit_now, unready_now
from cabinet.ui.touch import areas

RHYTHM_S = 0.2
"""Seconds between two presses of a hurried player."""


def asked(places: int = 5) -> Player:
    """Returns a player with bets on places of the European table against an ace; the first insurance question is
    open."""
    bets = [Bet(place=number) for number in range(places)]
    cards = " ".join(["10S"] * places + ["AC"] + ["5H"] * places)
    return Player().put(*at("european", 100), *bets, Deal(), cards=cards).settle()


def hammer(player: Player, button: Button, times: int, rhythm_s: float = RHYTHM_S) -> None:
    """Presses a button repeatedly, each time down for half of the rhythm."""
    for _ in range(times):
        player.wish(button)
        player.wait(rhythm_s / 2)
        player.snapshot = lift(player.snapshot, button, player.now_s)
        player.wait(rhythm_s / 2)


def is_lit(player: Player, button: Button) -> bool:
    return button in lit_now(player.snapshot, player.now_s)


# --- one question after the other -------------------------------------------------------------------------------


@pytest.mark.requirement("PD-06", "PD-17")
def test_no_insurance_repeated_in_rhythm_stands_on_no_hand():
    player = asked()
    hammer(player, Button.STAND, 5)
    assert player.machine.phase is Phase.DECIDING, "all five answers counted"
    before = player.machine
    assert not is_lit(player, Button.STAND)
    player.wish(Button.STAND)
    assert player.machine is before, "the sixth press was meant for a question too"


@pytest.mark.requirement("PD-06")
def test_a_button_counts_and_is_lit_once_it_was_up_and_has_settled():
    player = asked(1)
    player.wish(Button.STAND)
    player.wait(0.3)
    player.snapshot = lift(player.snapshot, Button.STAND, player.now_s)
    player.wait(READY_AFTER_S - 0.01)
    assert not is_lit(player, Button.STAND)
    player.wait(0.02)
    assert is_lit(player, Button.STAND)
    player.wish(Button.STAND)
    assert player.machine.phase is Phase.SETTLED


def test_dropped_presses_do_not_extend_the_settling():
    player = asked(1)
    hammer(player, Button.STAND, 5)
    assert player.machine.phase is Phase.SETTLED


def test_insure_repeated_in_rhythm_draws_no_card():
    player = asked(2)
    hammer(player, Button.HIT, 3)
    assert player.machine.phase is Phase.DECIDING
    assert player.machine.round is not None
    assert [len(place.hands[0].cards) for place in player.machine.round.places] == [2, 2]


def test_an_untouched_button_counts_after_it_has_settled():
    player = asked(1)
    player.wish(Button.STAND)
    assert unready_now(player.snapshot, player.now_s) >= {Button.STAND, Button.HIT}
    player.wait(READY_AFTER_S)
    assert is_lit(player, Button.HIT)


def test_double_repeated_at_the_result_doubles_no_bet():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="5S 6S 6H 9D").settle()
    player.draw = draws("2S 5C")
    player.wish(Button.DOUBLE)
    player.now_s += 0.1
    player.snapshot = lift(player.snapshot, Button.DOUBLE, player.now_s)
    player.now_s = player.snapshot.open_at_s + 0.01
    assert is_open(player.snapshot, player.now_s)
    assert not is_lit(player, Button.DOUBLE)
    player.wish(Button.DOUBLE)
    assert sum(player.machine.seat.bets) == 0
    player.now_s = player.snapshot.open_at_s + READY_AFTER_S
    player.wish(Button.DOUBLE)
    assert player.machine.seat.bets == (5_000,)


def test_a_push_that_skipped_the_animation_draws_no_card():
    player = Player().put(*at("classic"), Bet())
    player.now_s += 5.0
    player.draw = draws("5S 6S 6H 9D")
    player.wish(Button.DEAL)
    player.wait(0.5)
    hammer(player, Button.HIT, 3)
    assert player.machine.round is not None
    assert len(player.machine.round.places[0].hands[0].cards) == 2


# --- who is not slowed down -------------------------------------------------------------------------------------


def test_quick_presses_with_one_meaning_all_count():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="2S 6S 2H 9D").settle()
    player.draw = draws("2D 2C 3S")
    for _ in range(3):
        player.wish(Button.HIT)
        player.now_s = player.snapshot.open_at_s
    assert player.machine.round is not None
    assert len(player.machine.round.places[0].hands[0].cards) == 5


def test_stand_on_successive_places_counts_at_once():
    player = Player().put(*at("european"), Bet(place=0), Bet(place=1), Deal(), cards="10S 10H 9C 8D 8C").settle()
    player.draw = draws("10D")
    for _ in range(2):
        player.wish(Button.STAND)
        player.wait(0.01)
    assert player.machine.phase is Phase.SETTLED


def test_deal_after_deal_counts_at_once():
    player = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="10S 9S 8H 10D").settle()
    player.draw = draws("10S 9S 8H 10D")
    for _ in range(2):
        player.wish(Button.DEAL)
        player.now_s = player.snapshot.open_at_s
        if player.machine.phase is Phase.DECIDING:
            assert is_lit(player, Button.STAND)
            player.draw = draws("10S 9S 8H 10D")
            player.wish(Button.STAND)
            player.now_s = player.snapshot.open_at_s
        assert is_lit(player, Button.DEAL)


def test_after_a_deal_at_normal_pace_every_button_counts_at_once():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="5S 6S 6H 9D")
    player.now_s = player.snapshot.open_at_s
    assert {Button.HIT, Button.STAND, Button.DOUBLE} <= lit_now(player.snapshot, player.now_s)


def test_a_lock_that_is_cleared_leaves_the_question_unchanged():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="5S 6S 6H 9D").settle()
    player.step(DoorOpened(door=Door.MAIN))
    player.step(DoorClosed(door=Door.MAIN))
    assert {Button.HIT, Button.STAND} <= lit_now(player.snapshot, player.now_s)


# --- every other change of meaning ------------------------------------------------------------------------------


def test_clear_repeated_in_rhythm_does_not_leave_the_table():
    player = Player().put(*at("european"), Bet()).settle()
    hammer(player, Button.CLEAR, 3)
    assert (player.machine.phase, sum(player.machine.seat.bets)) == (Phase.BETTING, 0)


def test_cash_out_repeated_in_rhythm_does_not_cancel_the_hand_pay():
    player = Player(settings=Settings(ticket_max_cents=10_000)).put(*at("classic")).settle()
    hammer(player, Button.CASH_OUT, 3)
    assert [lock.kind for lock in player.machine.locks] == [LockKind.HAND_PAY]


@pytest.mark.parametrize("wish", [Button.CASH_OUT, BackOut()], ids=["button", "touch"])
def test_a_second_press_takes_no_hand_pay_back_while_the_machine_is_out_of_service(wish: Button | BackOut):
    out = (KeyTurned(key=Key.AUDIT, on=True), SetOutOfService(out=True), KeyTurned(key=Key.AUDIT, on=False))
    player = Player(settings=Settings(ticket_max_cents=10_000)).put(*at("classic"), *out).settle()
    player.wish(Button.CASH_OUT)
    player.wait(RHYTHM_S)
    player.wish(wish)
    assert player.machine.books.credit_cents == 0, "the press was meant for the payout"
    player.wait(2 * READY_AFTER_S)
    player.snapshot = lift(player.snapshot, Button.CASH_OUT, player.now_s)
    player.wait(READY_AFTER_S)
    player.wish(wish)
    assert player.machine.books.credit_cents == 30_000


def test_the_press_that_wakes_the_machine_repeated_in_rhythm_does_nothing():
    player = Player().put(*at("classic"), Bet(), ClearBets(), PlayerLeft()).settle()
    hammer(player, Button.BET, 3)
    assert (player.machine.attract, sum(player.machine.seat.bets)) == (False, 0)


def test_a_press_in_the_attendants_menu_repeated_in_rhythm_plays_nothing():
    player = Player().put(*at("classic"), KeyTurned(key=Key.AUDIT, on=True), KeyTurned(key=Key.AUDIT, on=False))
    assert not is_lit(player, Button.BET)
    assert is_lit(player, Button.SERVICE), "a call counts at once"
    player.wait(READY_AFTER_S)
    assert is_lit(player, Button.BET)


# --- touch ------------------------------------------------------------------------------------------------------


def test_a_double_tap_on_a_game_places_no_chip():
    player = Player().put(*at("european")[:-2]).settle()
    player.wish(ChooseGame(game_id="european"))
    player.wait(RHYTHM_S)
    found = areas(player.screen(), player.where())
    assert not any(area.enabled for area in found if isinstance(area.wish, Bet | ChooseChip))
    assert not any(area.ctrl_enabled for area in found if isinstance(area.ctrl, BetAll))
    player.wish(Bet(place=0))
    assert sum(player.machine.seat.bets) == 0
    player.wait(READY_AFTER_S)
    player.wish(Bet(place=0))
    assert sum(player.machine.seat.bets) == 100


def test_a_touch_that_the_last_state_accepted_counts_at_once():
    player = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="10S 9S 8H 10D").settle()
    player.wish(Bet(place=0))
    player.wish(Bet(place=0))
    player.wish(ToggleTurbo())
    assert (player.machine.seat.bets, player.machine.seat.turbo) == ((5_000,), True)
    assert player.snapshot.meanings.state is State.BETTING


def test_the_screen_asks_again_when_the_next_button_counts():
    player = asked(1)
    player.wish(Button.STAND)
    assert player.screen().next_change_s == pytest.approx(player.now_s + READY_AFTER_S)


# --- late presses -----------------------------------------------------------------------------------------------


def test_a_press_on_release_is_dropped_when_it_went_down_too_early():
    player = Player().put(*at("european")[:-2]).settle()
    player.wish(ChooseGame(game_id="european"))
    presses = PressOrHold(player.settings)
    assert presses.down(Button.PLACE, player.snapshot, player.now_s), (
        "it pointed at games a moment ago: the gate drops it"
    )
    player.wait(2 * READY_AFTER_S)
    assert not presses.up(Button.PLACE, player.snapshot, player.now_s)


def test_stand_that_does_not_count_yet_is_no_hold():
    player = asked(1)
    player.wish(Button.STAND)
    player.wait(0.1)
    presses = PressOrHold(player.settings)
    assert presses.down(Button.STAND, player.snapshot, player.now_s)
    assert not presses.take(Button.STAND), "a longer hold does not open the session during a hand"
    assert player.machine.round is not None
    assert player.machine.round.stage is Stage.DECIDING


def test_a_button_held_through_the_change_counts_after_its_release():
    before, held = asked(1), frozenset({Button.STAND})
    player = asked(1)
    player.step(DeclineInsurance())
    then = {"settings": player.settings, "machine": player.machine, "open_at_s": 0.0, "now_s": 100.0}
    pushed_in_animation = follow(before.snapshot.meanings, **then, by=Button.STAND, down=held)  # type: ignore[arg-type]
    assert Button.STAND in unready(pushed_in_animation, 100.0, 190.0)
    assert next_ready_s(pushed_in_animation, 100.0, 190.0) is None, "that waits for the finger"
    up = lifted(pushed_in_animation, Button.STAND, 200.0)
    assert Button.STAND in unready(up, 100.0, 200.0 + 0.9 * READY_AFTER_S)
    assert Button.STAND not in unready(up, 100.0, 200.0 + READY_AFTER_S)
    assert lifted(up, Button.STAND, 210.0) is up

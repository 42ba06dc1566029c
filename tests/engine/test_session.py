"""A player's session: when it begins and ends, what it says, and the limits that pause play."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.inputs import ACCEPTOR, PRINTER, anything
from support.machines import POWER, SETTINGS, Cabinet, dealt, seated
from support.rounds import draws, seeded_draw

from cabinet.engine import session
from cabinet.engine.inputs import (
    Bet,
    BillStacked,
    Button,
    CashOut,
    ChooseChip,
    ChooseGame,
    ChoosePlace,
    ClockJumped,
    Deal,
    Door,
    DoorOpened,
    DoubleBet,
    Fault,
    FaultBegan,
    Hit,
    Input,
    KeepPlaying,
    Key,
    KeyTurned,
    LeaveTable,
    LimitLoss,
    LimitTime,
    PlayerLeft,
    PoweredUp,
    PrepareMemoryClear,
    Rebet,
    SessionBegan,
    SessionEnded,
    Settlement,
    Stand,
    TicketPrinted,
    TimeLimitReached,
    ToggleTurbo,
    Wake,
)
from cabinet.engine.ledger import Account
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.machine import lit, why_not
from cabinet.engine.play import bets_to_deal
from cabinet.engine.state import LockKind, Machine, Session, State
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked

NOON_MS = 1_930_000_000_000
LOSS = "10S 9S 8H 10D"
"""Eighteen against nineteen."""
LARGEST = LimitLoss(cents=10_000)


def fresh(credit: int = 10_000, game_id: str = "table") -> Cabinet:
    """A player who has just put this in, at a known time."""
    cabinet = seated(game_id, credit=0)
    cabinet.note(credit)
    cabinet.do(SessionBegan(at_ms=NOON_MS))
    return cabinet


def paid_out(cabinet: Cabinet, sequence: int) -> None:
    """Cash out, and the ticket comes."""
    cabinet.do(CashOut(), TicketPrinted(sequence=sequence))


def lose(cabinet: Cabinet, cents: int) -> None:
    """Bet so much in chips of one dollar and lose it."""
    cabinet.draw = draws(LOSS)
    cabinet.do(*(Bet(place=0) for _ in range(cents // 100)), Deal(), Stand())


def money_of(cabinet: Cabinet) -> tuple[int, int, int]:
    """Put in, taken out, result."""
    machine = cabinet.machine
    return session.put_in_cents(machine), session.taken_out_cents(machine), session.net_cents(machine)


# --- beginning and end ------------------------------------------------------------------------------------------


@pytest.mark.requirement("RG-02")
def test_a_session_begins_with_the_first_money() -> None:
    cabinet = seated("table", credit=0)
    assert cabinet.machine.session is None
    cabinet.note(2_000)
    assert cabinet.machine.session == Session()
    cabinet.do(SessionBegan(at_ms=NOON_MS))
    cabinet.note(500)
    assert cabinet.machine.session == Session(began_ms=NOON_MS), "more money is the same session"
    assert money_of(cabinet) == (2_500, 0, 0)


@pytest.mark.requirement("RG-02", "TP-12")
def test_a_ticket_put_in_begins_a_session_as_a_note_does() -> None:
    cabinet = fresh(500)
    cabinet.do(CashOut(), TicketPrinted(sequence=1), SessionEnded())
    assert cabinet.machine.session is None
    ticket = {"sequence": 1, "cents": 500, "standing": Standing.PAYABLE}
    cabinet.do(TicketOffered(**ticket), TicketStacked(**ticket))  # type: ignore[arg-type]
    assert cabinet.machine.session == Session()
    assert money_of(cabinet) == (500, 0, 0), "what the last session paid out is not this one's"


@pytest.mark.requirement("RG-02")
def test_a_session_lasts_until_the_edge_says_so_and_never_ends_with_money_in_it() -> None:
    cabinet = fresh(500)
    cabinet.do(SessionEnded())
    assert cabinet.machine.session is not None
    cabinet.do(CashOut(), SessionEnded())
    assert cabinet.machine.session is not None, "the money is still on its way out"
    cabinet.do(TicketPrinted(sequence=1))
    assert money_of(cabinet) == (500, 500, 0)
    cabinet.note(500)
    assert money_of(cabinet) == (1_000, 500, 0), "back within the gap: the same session"
    cabinet.do(CashOut(), TicketPrinted(sequence=2), SessionEnded())
    assert cabinet.machine.session is None


def test_its_beginning_is_reported_once() -> None:
    cabinet = fresh()
    cabinet.do(SessionBegan(at_ms=5))
    assert cabinet.machine.session == Session(began_ms=NOON_MS)


def test_nothing_is_reported_of_a_session_that_is_not_there() -> None:
    cabinet = seated("table", credit=0)
    cabinet.do(SessionBegan(at_ms=NOON_MS), TimeLimitReached(), SessionEnded(), ClockJumped(seconds=60))
    assert cabinet.machine.session is None
    assert cabinet.locked() == []


@pytest.mark.requirement("RG-02", "PL-05")
def test_a_session_goes_on_after_a_power_cut() -> None:
    cabinet = fresh()
    lose(cabinet, 500)
    before = cabinet.machine.session, money_of(cabinet)
    cabinet.do(POWER, ACCEPTOR, PRINTER)
    assert (cabinet.machine.session, money_of(cabinet)) == before
    assert money_of(cabinet) == (10_000, 0, -500)


def test_a_memory_clear_ends_it() -> None:
    cabinet = fresh(500)
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    cabinet.technician()
    cabinet.do(PrepareMemoryClear(on=True), KeyTurned(key=Key.RESET, on=True))
    assert LogKind.MEMORY_CLEARED in cabinet.logged()
    assert cabinet.machine.session is None


# --- nothing is left to the next player -------------------------------------------------------------------------


def played_both_games() -> Cabinet:
    """A player with bets, chip, place and TURBO chosen, and last bets at two tables."""
    cabinet = fresh(10_000, "classic")
    lose(cabinet, 100)
    cabinet.do(LeaveTable(), ChooseGame(game_id="european"), ChooseChip(chip_cents=2_500), ChoosePlace(place=3))
    cabinet.draw = draws("10S 8H 10D 10H")
    cabinet.do(Bet(), Deal(), Stand(), ToggleTurbo())
    return cabinet


@pytest.mark.requirement("PD-16")
def test_the_first_deal_of_a_player_never_plays_the_bets_of_the_last_one() -> None:
    cabinet = played_both_games()
    assert {Button.REBET, Button.DEAL, Button.DOUBLE} <= lit(SETTINGS, cabinet.machine)
    paid_out(cabinet, 1)
    cabinet.do(SessionEnded(), PlayerLeft(), Wake())
    cabinet.note(10_000)
    assert not {Button.REBET, Button.DEAL, Button.DOUBLE} & lit(SETTINGS, cabinet.machine)
    assert [cabinet.refusal(wish) for wish in (Rebet(), Deal(), DoubleBet())] == [
        "NO_LAST_BET",
        "NO_BETS",
        "NO_LAST_BET",
    ]
    cabinet.draw = draws("10S 8H 10D 10H")
    cabinet.do(Bet(), Deal(), Stand())
    assert {Button.REBET, Button.DEAL} <= lit(SETTINGS, cabinet.machine), "this player has played"
    assert bets_to_deal(SETTINGS, cabinet.machine) == (100, 0, 0, 0, 0)


def test_the_end_of_a_session_forgets_bets_of_all_games_chip_place_and_turbo() -> None:
    cabinet = played_both_games()
    paid_out(cabinet, 1)
    chosen = cabinet.machine
    assert (chosen.seat.chip_cents, chosen.seat.place, chosen.seat.turbo, set(chosen.seat.last_bets)) == (
        2_500,
        3,
        True,
        {"classic", "european"},
    )
    cabinet.do(SessionEnded())
    left = cabinet.machine
    assert (left.seat.chip_cents, left.seat.place, left.seat.turbo, left.seat.last_bets) == (100, 0, False, {})
    assert left.results == chosen.results is not None, "the last hand stays to be read"


@pytest.mark.requirement("RG-03")
def test_the_payout_that_ends_a_limited_session_forgets_them_too() -> None:
    cabinet = fresh(10_000)
    cabinet.do(LimitLoss(cents=100))
    lose(cabinet, 100)
    paid_out(cabinet, 1)
    assert cabinet.machine.session is None
    assert cabinet.machine.seat.last_bets == {}


def test_a_player_who_left_nothing_is_forgotten_with_the_attract_mode() -> None:
    cabinet = played_both_games()
    paid_out(cabinet, 1)
    cabinet.do(PlayerLeft())
    assert cabinet.machine.seat.last_bets == {}


def test_a_player_who_left_credit_finds_the_bets_again() -> None:
    cabinet = played_both_games()
    before = cabinet.machine.seat.last_bets
    cabinet.do(PlayerLeft(), Wake())
    assert cabinet.machine.seat.last_bets == before


def test_the_first_money_clears_bets_that_an_older_program_kept() -> None:
    cabinet = seated("table", credit=0)
    cabinet.machine = replace(cabinet.machine, seat=replace(cabinet.machine.seat, last_bets={"table": (7_500,)}))
    cabinet.note(10_000)
    assert cabinet.machine.seat.last_bets == {}


# --- what it says -----------------------------------------------------------------------------------------------


@pytest.mark.requirement("RG-02")
def test_a_loss_is_said_as_plainly_as_a_gain() -> None:
    cabinet = fresh()
    cabinet.draw = draws(LOSS)
    cabinet.do(Bet(place=0), Deal())
    assert money_of(cabinet)[2] == 0, "a stake on the table is still the player's"
    cabinet.do(Stand())
    assert money_of(cabinet) == (10_000, 0, -100)
    cabinet.draw = draws("AS 6D KH 10C")
    cabinet.do(*(Bet(place=0) for _ in range(4)), Deal())
    assert money_of(cabinet) == (10_000, 0, 500)
    cabinet.do(CashOut())
    assert money_of(cabinet) == (10_000, 0, 500), "money in transit is still the player's"
    cabinet.do(TicketPrinted(sequence=1))
    assert money_of(cabinet) == (10_000, 10_500, 500)


def test_a_note_in_suspense_is_put_in_when_it_is_credited_and_only_then() -> None:
    cabinet = fresh()
    cabinet.do(BillStacked(cents=2_000))
    assert money_of(cabinet) == (10_000, 0, 0)
    cabinet.settle(LockKind.UNEXPECTED_NOTE, Settlement.CREDIT_NOTE)
    assert money_of(cabinet) == (12_000, 0, 0)
    cabinet.do(BillStacked(cents=1_000))
    cabinet.settle(LockKind.UNEXPECTED_NOTE, Settlement.PAID_BY_HAND)
    assert money_of(cabinet) == (12_000, 0, 0)


@pytest.mark.requirement("RG-02", "CM-05")
@given(given_inputs=st.lists(anything(), max_size=30))
def test_the_result_is_what_the_house_has_paid_or_won(given_inputs: list[Input]) -> None:
    cabinet = fresh()
    cabinet.draw = seeded_draw(11)
    house = cabinet.balance(Account.HOUSE)
    for input_ in given_inputs:
        cabinet.attempt(input_)
        if cabinet.machine.session is None or cabinet.meter("memory_clears"):
            return
        if cabinet.machine.marks.get("session.bills_in"):
            return  # another session than the first
        others = cabinet.meter("suspense_kept") - cabinet.meter("old_tickets_paid")  # moved, but not by play
        assert session.net_cents(cabinet.machine) == house - (cabinet.balance(Account.HOUSE) - others)


@pytest.mark.parametrize(
    ("wall_ms", "lasted"),
    [(NOON_MS, 0), (NOON_MS + 61_999, 61), (NOON_MS - 1, None)],
)
def test_how_long_it_has_lasted(wall_ms: int, lasted: int | None) -> None:
    assert session.lasted_s(Session(began_ms=NOON_MS), wall_ms) == lasted
    assert session.lasted_s(Session(), wall_ms) is None


def test_a_clock_that_is_set_makes_no_session_longer_or_shorter() -> None:
    cabinet = fresh()
    cabinet.do(ClockJumped(seconds=-3_600))
    found = cabinet.machine.session
    assert found is not None
    assert session.lasted_s(found, NOON_MS - 3_600_000 + 60_000) == 60


# --- limits -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("RG-03")
def test_a_limit_of_time_pauses_play_between_hands_and_never_inside_one() -> None:
    cabinet = fresh()
    cabinet.draw = draws("5S 9S 5H 10D 3C KD")
    cabinet.do(LimitTime(session_s=900), Bet(place=0), Deal(), TimeLimitReached())
    assert (cabinet.state, cabinet.locked()) == (State.DECIDING, [])
    cabinet.do(Hit())
    assert cabinet.state is State.DECIDING
    cabinet.do(Hit())
    assert cabinet.state is State.LOCKED
    assert cabinet.locked() == [LockKind.PLAYER_LIMIT]
    assert cabinet.machine.results is not None, "the hand was played to its end"
    assert lit(SETTINGS, cabinet.machine) == {Button.CASH_OUT, Button.SERVICE, Button.HIT}


@pytest.mark.requirement("RG-03")
def test_a_limit_of_loss_pauses_play_when_the_session_has_lost_so_much() -> None:
    cabinet = fresh()
    cabinet.do(LimitLoss(cents=500))
    lose(cabinet, 400)
    assert cabinet.state is State.SETTLED
    lose(cabinet, 100)
    assert cabinet.locked() == [LockKind.PLAYER_LIMIT]
    assert cabinet.refusal(Deal()) == "LOCKED"
    assert LogEntry(what=LogKind.LIMIT_REACHED, detail="loss", cents=500) in cabinet.events


@pytest.mark.requirement("RG-03", "RG-05")
def test_cashing_out_at_a_limit_ends_the_session_and_the_pause() -> None:
    cabinet = fresh()
    cabinet.do(LimitTime(session_s=900), TimeLimitReached())
    assert cabinet.locked() == [LockKind.PLAYER_LIMIT]
    cabinet.do(CashOut())
    assert cabinet.refusal(KeepPlaying()) == "NOT_NOW"
    cabinet.do(TicketPrinted(sequence=1))
    assert cabinet.locked() == []
    assert cabinet.machine.session is None
    cabinet.note(500)
    assert cabinet.machine.session == Session(), "the next player has no limit"


@pytest.mark.requirement("RG-03", "RG-05")
def test_time_that_is_up_while_a_ticket_is_printed_pauses_no_play() -> None:
    cabinet = fresh()
    cabinet.do(LimitTime(session_s=900), CashOut(), TimeLimitReached())
    assert cabinet.state is State.CASHING_OUT
    cabinet.do(TicketPrinted(sequence=1))
    assert (cabinet.locked(), cabinet.machine.session) == ([], None)


@pytest.mark.requirement("RG-03", "RG-05")
def test_a_hand_pay_at_a_limit_can_be_made_or_backed_out_of() -> None:
    cabinet = fresh()
    cabinet.do(LimitTime(session_s=900), TimeLimitReached(), FaultBegan(fault=Fault.PAPER_OUT), CashOut())
    assert cabinet.locked()[0] is LockKind.HAND_PAY
    assert cabinet.refusal(KeepPlaying()) == "LOCKED"
    cabinet.settle(LockKind.HAND_PAY, Settlement.PAID_BY_HAND)
    assert cabinet.locked() == [LockKind.PAPER_OUT]
    assert cabinet.machine.session is None


@pytest.mark.requirement("RG-03")
def test_a_player_who_has_lost_all_waits_for_the_end_of_the_session_or_plays_on() -> None:
    cabinet = fresh(500)
    cabinet.do(LimitLoss(cents=500))
    lose(cabinet, 500)
    assert cabinet.locked() == [LockKind.PLAYER_LIMIT]
    assert cabinet.credit == 0
    cabinet.do(SessionEnded())
    assert (cabinet.locked(), cabinet.machine.session) == ([], None)


@pytest.mark.requirement("RG-03")
def test_playing_on_takes_away_the_limit_that_was_reached_and_no_other() -> None:
    cabinet = fresh()
    cabinet.do(LimitLoss(cents=5_000), LimitTime(session_s=900), TimeLimitReached(), KeepPlaying())
    assert cabinet.locked() == []
    assert cabinet.machine.session == Session(began_ms=NOON_MS, loss_limit_cents=5_000)
    assert LogKind.LIMIT_PASSED in cabinet.logged()
    cabinet.do(LimitTime(session_s=7_200))
    lose(cabinet, 5_000)
    cabinet.do(KeepPlaying())
    assert cabinet.machine.session == Session(began_ms=NOON_MS, time_limit_s=7_200)


@pytest.mark.requirement("RG-03")
@pytest.mark.parametrize(("lower", "same", "higher"), [
    (LimitTime(session_s=600), LimitTime(session_s=900), LimitTime(session_s=1_800)),
    (LimitLoss(cents=400), LimitLoss(cents=500), LimitLoss(cents=600)),
])  # fmt: skip
def test_a_limit_is_lowered_at_once_and_not_raised(lower: Input, same: Input, higher: Input) -> None:
    cabinet = fresh()
    cabinet.do(same)
    assert cabinet.refusal(higher) == "NOT_ALLOWED"
    assert cabinet.refusal(same) == "NOT_ALLOWED"
    cabinet.do(lower)
    assert cabinet.refusal(same) == "NOT_ALLOWED"


def test_a_limit_must_mean_something() -> None:
    cabinet = fresh()
    lose(cabinet, 300)
    for wrong in (LimitTime(session_s=0), LimitTime(session_s=session.LONGEST_S + 1), LimitLoss(cents=300)):
        assert cabinet.refusal(wrong) == "NO_SUCH"
    none = seated("table", credit=0)
    assert [none.refusal(LimitTime(session_s=900)), none.refusal(LARGEST)] == ["NOT_NOW", "NOT_NOW"]
    timeless = seated("table", credit=0)
    timeless.note(500)
    assert timeless.refusal(LimitTime(session_s=900)) == "NOT_NOW", "how long it has lasted is not known"
    timeless.do(LARGEST)


def test_the_operator_may_do_without_limits() -> None:
    cabinet = fresh()
    cabinet.settings = replace(SETTINGS, player_limits=False)
    assert [cabinet.refusal(LimitTime(session_s=900)), cabinet.refusal(LARGEST)] == ["NOT_ALLOWED", "NOT_ALLOWED"]


@pytest.mark.requirement("RG-03")
def test_limits_are_set_during_a_hand_too() -> None:
    cabinet = dealt("table", "8S 6D 8H 10C")
    cabinet.machine = fresh_session(cabinet)
    cabinet.do(LimitTime(session_s=900), LARGEST)


def fresh_session(cabinet: Cabinet) -> Machine:
    """The machine of a cabinet with a session that has just begun."""
    books = cabinet.machine.books
    marks = {"session.bills_in": books.meter("bills_in") - session.held_cents(cabinet.machine)}
    return replace(cabinet.machine, session=Session(began_ms=NOON_MS), marks={**cabinet.machine.marks, **marks})


@pytest.mark.requirement("RG-05")
def test_neither_the_idle_display_nor_another_lock_hides_a_pause() -> None:
    cabinet = fresh()
    cabinet.do(LimitTime(session_s=900), PlayerLeft(), TimeLimitReached())
    assert cabinet.state is State.LOCKED
    assert why_not(SETTINGS, cabinet.machine, CashOut()) is None
    cabinet.do(DoorOpened(door=Door.MAIN))
    assert cabinet.refusal(KeepPlaying()) == "LOCKED"


@pytest.mark.requirement("PD-24")
def test_payouts_of_one_session_are_added_and_those_of_an_earlier_one_are_not():
    cabinet = fresh()
    paid_out(cabinet, 1)
    cabinet.note(2_000)
    paid_out(cabinet, 2)
    assert (cabinet.machine.shown.paid_out_cents, cabinet.machine.shown.paid_out_total_cents) == (2_000, 12_000)
    cabinet.do(SessionEnded())
    assert (cabinet.machine.shown.paid_out_cents, cabinet.machine.shown.paid_out_total_cents) == (0, 0)
    cabinet.note(1_000)
    assert (cabinet.machine.shown.paid_out_cents, cabinet.machine.shown.paid_out_total_cents) == (0, 0)
    paid_out(cabinet, 3)
    assert (cabinet.machine.shown.paid_out_cents, cabinet.machine.shown.paid_out_total_cents) == (1_000, 1_000)


@pytest.mark.requirement("PD-24")
def test_a_payment_that_ended_the_session_is_read_until_the_next_start():
    cabinet = fresh()
    cabinet.note(2_000)
    cabinet.do(SessionBegan(at_ms=1), LimitTime(session_s=900), TimeLimitReached())
    paid_out(cabinet, 1)
    assert (cabinet.machine.session, cabinet.machine.shown.paid_out_cents) == (None, 12_000)
    cabinet.do(PlayerLeft())
    assert cabinet.machine.shown.paid_out_cents == 12_000
    cabinet.do(PoweredUp(clean=True))
    assert (cabinet.machine.shown.paid_out_cents, cabinet.machine.shown.paid_out_total_cents) == (0, 0)


def test_turbo_ends_with_the_session_and_not_before():
    cabinet = fresh()
    cabinet.do(ToggleTurbo())
    paid_out(cabinet, 1)
    assert cabinet.machine.seat.turbo
    cabinet.do(SessionEnded())
    assert not cabinet.machine.seat.turbo
    cabinet.do(ToggleTurbo())
    cabinet.note(1_000)
    assert cabinet.machine.seat.turbo, "the next player has wished it before putting money in"

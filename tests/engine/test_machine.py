"""The tables are complete, facts always have an answer, lamps are what is accepted, storms of presses do no harm."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.inputs import COMMAND_TYPES, COMMANDS, FACT_TYPES, FACTS, PLAYER_COMMANDS, Hand, anything
from support.machines import SETTINGS, Cabinet, dealt, in_every_state, one_table, seated
from support.rounds import seeded_draw

from cabinet.engine import machine as engine
from cabinet.engine.effects import HandPlayed, PayingOut, PrintTicket, Reason, Refused, RoundBegan
from cabinet.engine.inputs import (
    Bet,
    BetAll,
    Button,
    CashOut,
    ChooseChip,
    ChooseGame,
    Deal,
    DoubleBet,
    Fact,
    Hit,
    Input,
    Key,
    KeyTurned,
    Rebet,
    Stand,
)
from cabinet.engine.ledger import NEVER_NEGATIVE, Account
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.machine import BUTTON_COMMANDS, ROWS, bound, lit, starting, state_of, step, why_not
from cabinet.engine.machine import FACTS as FACT_HANDLERS
from cabinet.engine.rules import CLASSIC, EUROPEAN
from cabinet.engine.state import Machine, Phase, State

# --- the tables -------------------------------------------------------------------------------------------------


def test_every_command_has_a_row_in_some_state() -> None:
    rows = {type_ for state in ROWS.values() for type_ in state}
    assert rows == set(COMMAND_TYPES)


def test_every_state_has_its_row_and_its_buttons() -> None:
    assert set(ROWS) == set(BUTTON_COMMANDS) == set(State)


def test_every_fact_has_a_handler_and_no_command_has_one() -> None:
    assert set(FACT_HANDLERS) == set(FACT_TYPES)
    assert set(FACT_TYPES).isdisjoint(COMMAND_TYPES)


def test_every_button_stands_for_commands_that_its_state_knows() -> None:
    for state, buttons in BUTTON_COMMANDS.items():
        for button, commands in buttons.items():
            assert {type(command) for command in commands} <= set(ROWS[state]), (state, button)


def test_the_samples_of_these_tests_have_every_kind_of_input() -> None:
    assert {type(command) for command in COMMANDS} == set(COMMAND_TYPES)
    assert {type(fact) for fact in FACTS} == set(FACT_TYPES)


def test_every_state_can_be_reached() -> None:
    assert set(in_every_state()) == set(State)


# --- facts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", State, ids=lambda state: state.name)
def test_no_fact_is_refused_or_raises_in_any_state(state: State) -> None:
    """`attempt` audits the books after each one."""
    start = in_every_state()[state]
    for fact in FACTS:
        cabinet = Cabinet(machine=start.machine, draw=start.draw)
        assert cabinet.refusal(fact) is None
        _check_money(start.machine, cabinet.machine)


@pytest.mark.parametrize("state", State, ids=lambda state: state.name)
def test_a_fact_reported_twice_moves_money_once(state: State) -> None:
    start = in_every_state()[state]
    once_only = [fact for fact in FACTS if type(fact).__name__ not in {"BillOffered", "BillStacked", "BillUnasked"}]
    for fact in once_only:
        cabinet = Cabinet(machine=start.machine)
        cabinet.do(fact)
        balances = cabinet.machine.books.balances
        cabinet.do(fact)
        if not (isinstance(fact, KeyTurned) and fact.key is Key.RESET):
            assert cabinet.machine.books.balances == balances, fact


@given(st.lists(anything(), max_size=25), st.sampled_from(sorted(State, key=lambda state: state.name)))
def test_any_inputs_in_any_state_keep_the_books(inputs: list[Input], state: State) -> None:
    cabinet = in_every_state()[state]
    for input_ in inputs:
        before = cabinet.machine
        cabinet.attempt(input_)
        _check_money(before, cabinet.machine)
        _check_lamps(cabinet.machine)


def _check_money(before: Machine, after: Machine) -> None:
    for account in NEVER_NEGATIVE:
        assert after.books.balance(account) >= 0
    assert sum(after.books.balances.values()) == 0
    fallen = [name for name, value in before.books.meters.items() if after.books.meter(name) < value]
    assert fallen == []


def test_a_fact_of_an_unknown_kind_is_not_taken_for_a_command() -> None:
    cabinet = seated()
    refused = cabinet.attempt("not an input")  # type: ignore[arg-type]
    assert refused.machine is cabinet.machine
    assert refused.events == (Refused(command="str", reason=Reason.NOT_NOW),)


# --- lamps and refusals -----------------------------------------------------------------------------------------


def _check_lamps(machine: Machine) -> None:
    """A lamp is lit exactly when the press does something; a refused press changes nothing and says why."""
    lamps = lit(SETTINGS, machine)
    for button in Button:
        command = bound(SETTINGS, machine, button)
        if command is None:
            assert button not in lamps
            continue
        done = step(SETTINGS, machine, command, seeded_draw(5))
        refused = any(isinstance(event, Refused) for event in done.events)
        assert refused is (button not in lamps), (state_of(machine), button, command)
        assert not refused or (done.machine is machine and len(done.events) == 1 and not done.effects)


@pytest.mark.no_cover
@pytest.mark.requirement("PD-06")
def test_lit_lamps_are_the_accepted_presses_over_random_play() -> None:
    hand = Hand(2, SETTINGS)
    cabinet = seated(credit=20_000)
    states: Counter[State] = Counter()
    for _ in range(2_500):
        cabinet.attempt(hand.sensible(cabinet.machine))
        _check_lamps(cabinet.machine)
        states[cabinet.state] += 1
    assert set(states) == set(State), "the play never came to some states"


@pytest.mark.no_cover
@pytest.mark.requirement("PD-06")
def test_what_is_accepted_is_what_why_not_lets_pass_over_random_play() -> None:
    """Touch areas ask `why_not` for each command; every command of the player is tried at every turn."""
    hand = Hand(12, SETTINGS)
    cabinet = seated("european", credit=20_000)
    for _ in range(250):
        machine = cabinet.machine
        for command in PLAYER_COMMANDS:
            reason = why_not(SETTINGS, machine, command)
            done = step(SETTINGS, machine, command, seeded_draw(5))
            reasons = [event.reason for event in done.events if isinstance(event, Refused)]
            assert reasons == ([] if reason is None else [reason]), command
        cabinet.attempt(hand.sensible(machine))


def test_a_refused_command_returns_the_very_same_machine_and_one_reason() -> None:
    cabinet = seated(credit=50)
    done = step(SETTINGS, cabinet.machine, Bet(place=0), seeded_draw(1))
    assert done.machine is cabinet.machine
    assert done.events == (Refused(command="Bet", reason=Reason.NO_CREDIT),)
    assert (done.effects, done.postings, done.counts, done.drawn) == ((), (), {}, ())


def test_refusals_name_what_stands_in_the_way() -> None:
    states = in_every_state()
    assert states[State.LOCKED].refusal(Bet(place=0)) == "LOCKED"
    assert states[State.AUDIT].refusal(Bet(place=0)) == "AUDIT"
    assert states[State.DECIDING].refusal(Bet(place=0)) == "NOT_NOW"


# --- storms -----------------------------------------------------------------------------------------------------

STORM = (Bet(place=0), BetAll(), Rebet(), DoubleBet(), Deal(), Deal(), Hit(), Stand(), CashOut(), CashOut())

PER_TEST = 10_000


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Share the storms asked for out among as many tests as it takes for none to be slow."""
    if "storms" in metafunc.fixturenames:
        asked = int(metafunc.config.getoption("--storms"))
        shares = [range(at, min(at + PER_TEST, asked)) for at in range(0, asked, PER_TEST)]
        metafunc.parametrize("storms", shares, ids=lambda each: str(each.start))


@pytest.mark.no_cover
@pytest.mark.requirement("PD-17")
def test_storms_of_presses_bet_deal_draw_and_pay_only_once(storms: range) -> None:
    """Thousands of storms of any order: what was taken, drawn and paid is what the accepted presses say, once each."""
    hand = Hand(17 + storms.start, SETTINGS)
    starts = [seated("european", credit=5_000), dealt("table", "8S 6D 8H 10C"), dealt("classic", "AS 6D KH 10C")]
    for number in storms:
        cabinet = Cabinet(machine=starts[number % 3].machine, draw=seeded_draw(number))
        for _ in range(8):
            _press_in_storm(cabinet, hand.choose(STORM))
        assert cabinet.meter("tickets_out") == 0
        tickets = [effect for effect in cabinet.effects if isinstance(effect, PrintTicket)]
        assert len(tickets) <= 1, "no report that the first ticket came out"
        assert sum(ticket.cents for ticket in tickets) == cabinet.balance(Account.IN_TRANSIT)


def _press_in_storm(cabinet: Cabinet, press: Input) -> None:
    before = cabinet.machine
    credit = before.books.credit_cents
    done = step(SETTINGS, before, press, cabinet.draw)
    events = Counter(type(event) for event in done.events)
    moved = Counter(posting.route.name for posting in done.postings)
    assert events[RoundBegan] <= 1 >= events[HandPlayed]
    assert moved["WAGER"] <= 1 >= moved["CASH_OUT"]
    if isinstance(press, Deal) and events[RoundBegan]:
        began = next(event for event in done.events if isinstance(event, RoundBegan))
        assert sum(began.bets) == sum(p.cents for p in done.postings if p.route.name == "WAGER") <= credit
    if isinstance(press, Hit) and not events[Refused]:
        assert len(done.drawn) >= 1
        assert not moved["WAGER"]
    if isinstance(press, (Bet, BetAll, Rebet, DoubleBet)):
        assert not done.postings
        assert sum(done.machine.seat.bets) <= credit
    cabinet.machine = done.machine
    cabinet.effects.extend(done.effects)


@pytest.mark.requirement("PD-17")
def test_a_second_deal_a_second_cash_out_and_a_press_after_the_end_are_refused() -> None:
    cabinet = dealt("table", "8S 6D 8H 10C")
    assert cabinet.refusal(Deal()) == "NOT_NOW"
    cabinet = seated()
    cabinet.do(CashOut())
    assert cabinet.refusal(CashOut()) == "NOT_NOW"
    assert [event for event in cabinet.events if isinstance(event, PayingOut)] == [
        PayingOut(sequence=1, cents=100_000, expires_days=90)
    ]


@pytest.mark.requirement("PD-16")
@settings(max_examples=30)
@given(st.lists(st.sampled_from(FACTS), max_size=40))
def test_no_round_begins_by_itself(facts: list[Fact]) -> None:
    cabinet = seated("table")
    cabinet.do(Bet(place=0))
    for fact in facts:
        cabinet.do(fact)
    assert not [event for event in cabinet.events if isinstance(event, RoundBegan)]
    assert cabinet.machine.round_number == 0


# --- the state in force -----------------------------------------------------------------------------------------


@pytest.mark.requirement("AT-02")
def test_the_audit_key_waits_for_the_end_of_a_hand() -> None:
    cabinet = dealt("table", "8S 6D 9H 10C 5D")
    cabinet.audit()
    assert cabinet.state is State.DECIDING
    cabinet.do(Stand())
    assert cabinet.state is State.AUDIT


@pytest.mark.requirement("AT-02")
def test_the_audit_key_waits_for_the_end_of_a_payout() -> None:
    cabinet = in_every_state()[State.CASHING_OUT]
    cabinet.audit()
    assert cabinet.state is State.CASHING_OUT


def test_a_machine_with_one_game_sits_down_at_once() -> None:
    machine = starting(one_table(CLASSIC))
    seat = machine.seat
    assert (machine.phase, seat.game_id, seat.chip_cents, seat.bets) == (Phase.BETTING, "classic", 100, (0,))
    assert state_of(machine) is State.BETTING


def test_a_machine_with_several_games_begins_with_the_choice() -> None:
    machine = starting(SETTINGS)
    assert (state_of(machine), machine.seat.game_id) == (State.CHOOSING, EUROPEAN.game_id)
    assert machine.books.credit_cents == 0


@pytest.mark.parametrize("state", State, ids=lambda state: state.name)
def test_no_button_is_dead_by_oversight(state: State) -> None:
    """Outside the menu, whose buttons move its bar, the call for an attendant is always lit."""
    machine = in_every_state()[state].machine
    assert (Button.SERVICE in lit(SETTINGS, machine)) is (state is not State.AUDIT)


def test_buttons_mean_the_first_command_that_is_accepted() -> None:
    cabinet = seated("table")
    assert type(bound(SETTINGS, cabinet.machine, Button.CLEAR)).__name__ == "LeaveTable"
    cabinet.do(Bet(place=0))
    assert type(bound(SETTINGS, cabinet.machine, Button.CLEAR)).__name__ == "ClearBets"


@pytest.mark.requirement("RG-05")
@pytest.mark.parametrize("state", [State.CHOOSING, State.BETTING, State.SETTLED, State.ATTRACT], ids=lambda s: s.name)
def test_cash_out_is_lit_whenever_no_hand_is_open(state: State) -> None:
    assert Button.CASH_OUT in lit(SETTINGS, in_every_state()[state].machine)


@pytest.mark.requirement("PD-20")
def test_turbo_is_the_operators_to_allow() -> None:
    cabinet = seated("table", settings=replace(SETTINGS, turbo_allowed=False))
    assert Button.HIT not in lit(cabinet.settings, cabinet.machine)
    cabinet = seated("table")
    assert Button.HIT in lit(cabinet.settings, cabinet.machine)


@pytest.mark.requirement("RN-05")
def test_the_draw_is_asked_with_the_cards_that_are_out_and_nothing_else() -> None:
    """Whatever the credit, the stake and the past, the same draw gives the same cards."""
    poor, rich = seated("table", credit=100, draw=seeded_draw(3)), seated("table", credit=90_000, draw=seeded_draw(3))
    rich.do(ChooseChip(chip_cents=10_000))
    for cabinet in (poor, rich):
        cabinet.do(Bet(place=0), Deal())
    assert poor.last is not None
    assert rich.last is not None
    assert poor.last.drawn == rich.last.drawn


def test_a_step_reports_what_the_log_must_keep() -> None:
    cabinet = dealt("table", "AS 6D KH 10C")
    seen = len(cabinet.logged())
    cabinet.do(CashOut())
    assert cabinet.logged()[seen:] == [LogKind.CASH_OUT]
    logged = [event for event in cabinet.events if isinstance(event, LogEntry)][-1]
    assert logged.cents == cabinet.machine.books.balance(Account.IN_TRANSIT) > 0


@pytest.mark.requirement("AT-04", "EV-05")
def test_a_game_is_no_entry_of_the_log_because_games_have_a_list_of_their_own() -> None:
    cabinet = seated("table", cards="AS 6D KH 10C")
    cabinet.do(Bet(place=0))
    seen = len(cabinet.logged())
    cabinet.do(Deal())
    assert cabinet.machine.results is not None
    assert cabinet.logged()[seen:] == []


def test_choosing_a_game_twice_in_a_row_is_refused() -> None:
    cabinet = seated("table")
    assert cabinet.refusal(ChooseGame(game_id="classic")) == "NOT_NOW"
    assert engine.state_of(cabinet.machine) is State.BETTING

"""The cabinet's state machine: one table of what may be done when, one of what has happened, one of the buttons.

`step` is the only way a machine changes. A command is looked up in ROWS by the state in force; its row says why not,
and how. A fact has a handler whatever the state. Lit lamps, enabled touch areas and what is accepted are all asked of
the same rows, so they cannot differ.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cabinet.engine import (
    bets,
    bills_in,
    cash_out,
    doors_and_keys,
    faults,
    locks,
    play,
    power,
    session,
    settlement,
    technician,
    ticket_redemption,
    tickets_in,
)
from cabinet.engine.cards import Draw
from cabinet.engine.effects import Reason, Refused
from cabinet.engine.inputs import (
    AcceptorStarted,
    BackOut,
    Bet,
    BetAll,
    BillOffered,
    BillRejected,
    BillReturned,
    BillStacked,
    BillUnasked,
    Button,
    CallAttendant,
    CashOut,
    ChangeInsurance,
    ChooseChip,
    ChooseGame,
    ChoosePlace,
    ClearBets,
    ClockJumped,
    Command,
    CopiesCompared,
    CopiesNotCompared,
    Deal,
    DeclineInsurance,
    DoorClosed,
    DoorOpened,
    Double,
    DoubleBet,
    FaultBegan,
    FaultEnded,
    HandAbandoned,
    Hit,
    Input,
    Insure,
    KeepPlaying,
    KeyTurned,
    LeaveTable,
    LimitLoss,
    LimitTime,
    MemoryRecovered,
    PaperOverdue,
    PayTicket,
    PinEntered,
    PlayerLeft,
    PointAtGame,
    PoweredDown,
    PoweredUp,
    PrepareMemoryClear,
    PrinterStarted,
    PrintFailed,
    PrintUnknown,
    ProgramChecked,
    Rebet,
    RecallViewed,
    RecordsDoubted,
    RecordsDropped,
    ResetPeriod,
    SessionBegan,
    SessionEnded,
    SetOutOfService,
    SettingsChanged,
    SettleLock,
    SingleCopyFound,
    Split,
    Stand,
    TakeChip,
    TicketPrinted,
    TimeLimitReached,
    ToggleTurbo,
    VoidRound,
    Wake,
)
from cabinet.engine.record_facts import FormChanged, MachineCommissioned
from cabinet.engine.state import Machine, Phase, Settings, State
from cabinet.engine.step import Step, StepBuilder
from cabinet.engine.ticket_facts import TicketOffered, TicketStacked

WhyNot = Callable[[Settings, Machine, Any], Reason | None]
Handler = Callable[[StepBuilder, Any], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One command in one state: why it may not be now, and what it does."""

    why_not: WhyNot
    handle: Handler


def _always(settings: Settings, machine: Machine, command: Command) -> Reason | None:
    del settings, machine, command
    return None


def _row(handle: Handler, why_not: WhyNot = _always) -> Row:
    return Row(why_not=why_not, handle=handle)


_CALL: dict[type, Row] = {CallAttendant: _row(doors_and_keys.call_attendant)}
_PAY: dict[type, Row] = {CashOut: _row(cash_out.cash_out, cash_out.why_not_cash_out)}
_LIMITS: dict[type, Row] = {
    LimitTime: _row(session.limit_time, session.why_not_limit_time),
    LimitLoss: _row(session.limit_loss, session.why_not_limit_loss),
}
_ATTENDANT: dict[type, Row] = {
    SettleLock: _row(settlement.settle_lock, settlement.why_not_settle),
    PayTicket: _row(ticket_redemption.pay_ticket, ticket_redemption.why_not_pay),
    VoidRound: _row(settlement.void_round, settlement.why_not_void),
    ResetPeriod: _row(power.reset_period),
    SetOutOfService: _row(power.set_out_of_service, power.why_not_service),
    PrepareMemoryClear: _row(technician.prepare_clear, technician.why_not_prepare),
}
_BETTING: dict[type, Row] = {
    ChooseChip: _row(bets.choose_chip, bets.why_not_chip),
    ChoosePlace: _row(bets.choose_place, bets.why_not_place),
    Bet: _row(bets.bet, bets.why_not_bet),
    BetAll: _row(bets.bet_all, bets.why_not_bet_all),
    TakeChip: _row(bets.take_chip, bets.why_not_take),
    ClearBets: _row(bets.clear_bets, bets.why_not_clear),
    LeaveTable: _row(bets.leave_table, bets.why_not_leave),
    Rebet: _row(bets.rebet, bets.why_not_rebet),
    DoubleBet: _row(bets.double_bet, bets.why_not_double_bet),
    Deal: _row(play.deal, play.why_not_deal),
    ToggleTurbo: _row(bets.toggle_turbo, bets.why_not_turbo),
    **_LIMITS,
    **_PAY,
    **_CALL,
}
_TURBO: dict[type, Row] = {ToggleTurbo: _BETTING[ToggleTurbo]}

ROWS: Mapping[State, Mapping[type, Row]] = {
    State.ATTRACT: {Wake: _row(bets.wake), **_PAY, **_CALL},
    State.CHOOSING: {
        PointAtGame: _row(bets.point_at_game, bets.why_not_point),
        ChooseGame: _row(bets.choose_game, bets.why_not_point),
        **_LIMITS,
        **_PAY,
        **_CALL,
    },
    State.BETTING: _BETTING,
    State.SETTLED: _BETTING,
    State.INSURANCE: {
        ChangeInsurance: _row(play.change_insurance, play.why_not_change_insurance),
        Insure: _row(play.insure, play.why_not_insure),
        DeclineInsurance: _row(play.decline_insurance),
        **_TURBO,
        **_LIMITS,
        **_PAY,
        **_CALL,
    },
    State.DECIDING: {
        Hit: _row(play.act, play.why_not_act),
        Stand: _row(play.act, play.why_not_act),
        Double: _row(play.act, play.why_not_act),
        Split: _row(play.act, play.why_not_act),
        **_TURBO,
        **_LIMITS,
        **_PAY,
        **_CALL,
    },
    State.CASHING_OUT: {**_CALL},
    State.LOCKED: {
        BackOut: _row(cash_out.back_out, cash_out.why_not_back_out),
        KeepPlaying: _row(session.keep_playing, session.why_not_keep_playing),
        **_PAY,
        **_CALL,
    },
    State.AUDIT: _ATTENDANT,
}
"""The whole of what may be done: a command that has no row in the state in force is not accepted."""

FACTS: Mapping[type, Handler] = {
    MachineCommissioned: power.commissioned,
    FormChanged: power.form_changed,
    PoweredUp: power.powered_up,
    SettingsChanged: power.settings_changed,
    ProgramChecked: power.program_checked,
    MemoryRecovered: power.memory_recovered,
    CopiesNotCompared: power.copies_not_compared,
    CopiesCompared: power.copies_compared,
    RecordsDoubted: power.records_doubted,
    SingleCopyFound: power.single_copy_found,
    RecordsDropped: power.records_dropped,
    ClockJumped: power.clock_jumped,
    PoweredDown: power.powered_down,
    PlayerLeft: power.player_left,
    HandAbandoned: power.hand_abandoned,
    SessionBegan: session.began,
    SessionEnded: session.ended,
    TimeLimitReached: session.time_limit_reached,
    BillOffered: bills_in.offered,
    BillStacked: tickets_in.document_stacked,
    BillUnasked: bills_in.unsolicited,
    TicketOffered: tickets_in.offered,
    TicketStacked: tickets_in.stacked,
    BillReturned: tickets_in.document_returned,
    BillRejected: bills_in.rejected,
    PaperOverdue: bills_in.overdue,
    AcceptorStarted: bills_in.acceptor_started,
    PrinterStarted: cash_out.printer_started,
    TicketPrinted: cash_out.printed,
    PrintFailed: cash_out.print_failed,
    PrintUnknown: cash_out.print_unknown,
    FaultBegan: faults.fault_began,
    FaultEnded: faults.fault_ended,
    DoorOpened: doors_and_keys.door_opened,
    DoorClosed: doors_and_keys.door_closed,
    KeyTurned: doors_and_keys.key_turned,
    PinEntered: doors_and_keys.pin_entered,
    RecallViewed: power.recall_viewed,
}
"""What each fact does; a fact cannot be refused, so each has a handler that works in every state."""

_WAKE: dict[Button, tuple[Command, ...]] = dict.fromkeys(Button, (Wake(),))
_BET_BUTTONS: Mapping[Button, tuple[Command, ...]] = {
    Button.CASH_OUT: (CashOut(),),
    Button.SERVICE: (CallAttendant(),),
    Button.CHIP: (ChooseChip(),),
    Button.BET: (Bet(),),
    Button.PLACE: (ChoosePlace(),),
    Button.CLEAR: (ClearBets(), LeaveTable()),
    Button.REBET: (Rebet(),),
    Button.DOUBLE: (DoubleBet(),),
    Button.SPLIT: (BetAll(),),
    Button.HIT: (ToggleTurbo(),),
    Button.DEAL: (Deal(),),
}

BUTTONS: Mapping[State, Mapping[Button, tuple[Command, ...]]] = {
    State.ATTRACT: {**_WAKE, Button.CASH_OUT: (CashOut(),), Button.SERVICE: (CallAttendant(),)},
    State.CHOOSING: {
        Button.CASH_OUT: (CashOut(),),
        Button.SERVICE: (CallAttendant(),),
        Button.CHIP: (PointAtGame(),),
        Button.PLACE: (PointAtGame(),),
        Button.DEAL: (ChooseGame(),),
    },
    State.BETTING: _BET_BUTTONS,
    State.SETTLED: _BET_BUTTONS,
    State.INSURANCE: {
        Button.CASH_OUT: (CashOut(),),
        Button.SERVICE: (CallAttendant(),),
        Button.CHIP: (ChangeInsurance(),),
        Button.STAND: (DeclineInsurance(),),
        Button.HIT: (Insure(),),
    },
    State.DECIDING: {
        Button.CASH_OUT: (CashOut(),),
        Button.SERVICE: (CallAttendant(),),
        Button.DOUBLE: (Double(),),
        Button.SPLIT: (Split(),),
        Button.STAND: (Stand(),),
        Button.HIT: (Hit(),),
    },
    State.CASHING_OUT: {Button.SERVICE: (CallAttendant(),)},
    State.LOCKED: {
        Button.CASH_OUT: (BackOut(), CashOut()),
        Button.SERVICE: (CallAttendant(),),
        Button.HIT: (KeepPlaying(),),
    },
    State.AUDIT: {},
}
"""What each button of the panel means in each state: the first of its commands that is accepted. CASH OUT in a hand is
never accepted: its refusal says when it will be."""

_STATES = {
    Phase.CHOOSING: State.CHOOSING,
    Phase.BETTING: State.BETTING,
    Phase.INSURANCE: State.INSURANCE,
    Phase.DECIDING: State.DECIDING,
    Phase.SETTLED: State.SETTLED,
    Phase.CASHING_OUT: State.CASHING_OUT,
}


def state_of(machine: Machine) -> State:
    """The state in force. The audit key waits for the end of a hand or payout, unless a fault holds it up."""
    stopped = locks.play_stopped(machine)
    under_way = locks.hand_open(machine) or machine.phase is Phase.CASHING_OUT
    if machine.audit_key and (stopped or not under_way):
        return State.AUDIT
    if stopped:
        return State.LOCKED
    if machine.attract:
        return State.ATTRACT
    return _STATES[machine.phase]


def why_not(settings: Settings, machine: Machine, command: Command) -> Reason | None:
    """Why the machine would refuse the command now; None when it would accept it. Changes nothing."""
    state = state_of(machine)
    row = ROWS[state].get(type(command))
    if row is None:
        return {State.LOCKED: Reason.LOCKED, State.AUDIT: Reason.AUDIT}.get(state, Reason.NOT_NOW)
    return row.why_not(settings, machine, command)


def bound(settings: Settings, machine: Machine, button: Button) -> Command | None:
    """What a button means now: the first of its commands that is accepted, else its first; None for nothing."""
    commands = BUTTONS[state_of(machine)].get(button, ())
    fitting = (command for command in commands if why_not(settings, machine, command) is None)
    return next(fitting, commands[0] if commands else None)


def lit(settings: Settings, machine: Machine) -> frozenset[Button]:
    """The buttons whose press would be accepted now; their lamps are lit."""
    return frozenset(
        button
        for button in Button
        if (command := bound(settings, machine, button)) is not None and why_not(settings, machine, command) is None
    )


def step(settings: Settings, machine: Machine, input_: Input, draw: Draw) -> Step:
    """What this input does to the machine. A refused command returns the very same machine and a `Refused` event."""
    builder = StepBuilder(settings, machine, draw)
    handler = FACTS.get(type(input_))
    if handler is not None:
        handler(builder, input_)
        session.follow(builder, machine)
        return builder.done()
    reason = why_not(settings, machine, input_)  # type: ignore[arg-type]
    if reason is not None:
        builder.emit(Refused(command=type(input_).__name__, reason=reason))
        return builder.done()
    ROWS[state_of(machine)][type(input_)].handle(builder, input_)
    session.follow(builder, machine)
    return builder.done()


def starting(settings: Settings) -> Machine:
    """A machine that has never played. With a single game offered there is nothing to choose."""
    first = settings.tables[0]
    machine = Machine(game_id=first.rules.game_id)
    if len(settings.tables) > 1:
        return machine
    builder = StepBuilder(settings, machine, _no_cards)
    bets.choose_game(builder, ChooseGame())
    return builder.machine


def _no_cards(out: object) -> int:
    raise AssertionError(f"no card is drawn here ({out})")

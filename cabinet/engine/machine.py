"""The cabinet's state machine: one table of what may be done when, one of what has happened, one of the buttons.

`step` is the only way a machine changes. A command is looked up in ROWS by the state in force; its row says why not,
and how. A fact has a handler whatever the state. Lit lamps, enabled touch areas and what is accepted are all asked of
the same rows, so they cannot differ.

Theory of operation
===================

`Machine` is one value, but ten machines live in it. Each has its own fields and its own inputs:

phase       Where the player is: CHOOSING, BETTING, INSURANCE, DECIDING, SETTLED or CASHING_OUT (`phase`, `resume`).
            Moved by the player's commands, by VoidRound and by a reprint. Of the facts only the outcome of a print, a
            power-up during one, changed settings and a memory clear touch it.
round       The hand of blackjack (`round`, `results`). Moved by Deal, Insure, DeclineInsurance, Hit, Stand, Double and
            Split, and ended by VoidRound. No fact touches an open round.
bets        Game, chip, place, chips down and TURBO (`seat`). Chips down are still credit; Deal makes them stakes.
locks       What is wrong (`locks`, `faults`). Any input may add a lock; each ends as its row in `locks.LOCKS` says.
doors       Doors, keys and the technician (`access`). Sees DoorOpened, DoorClosed, KeyTurned, PinEntered,
            PinWaitOver, PrepareMemoryClear and PoweredUp.
call        The call lamp (`calling`). Sees CallAttendant, HandAbandoned and the reset key.
attract     Whether the idle display is shown (`attract`). PlayerLeft begins it. Wake, a document that is taken, new
            credit, CashOut, a turn of the audit key, a new lock, changed settings and PoweredUp end it.
document    The note or ticket between escrow and cash box, or the last one booked while a report of it may be repeated
            (`acceptor.document`). An offer opens the intent; BillStacked, TicketStacked or BillReturned closes it. An
            acceptor that starts, fails or falls silent, and a second offer, turn it into a lock: the document is in
            doubt.
print       The ticket that is being printed (`printer.printing`). CashOut or a reprint opens the intent; TicketPrinted,
            PrintFailed, PrintUnknown or PoweredUp closes it.
session     The player's visit (`session`). Sees every input, after it has been handled (`session.follow`), and its own:
            SessionBegan, SessionEnded, TimeLimitReached, ClockJumped, LimitTime, LimitLoss, KeepPlaying.

Beneath them are the books (`books`). Every machine moves money through `StepBuilder.post` along a route of the ledger,
and `step` audits the books behind each step that moved any.

The state in force
------------------

`state_of` makes one state of the ten machines; the first line that applies wins:

    AUDIT       the audit key is on, and a lock stops play or neither a hand nor a payout is under way
    LOCKED      a lock stops play
    ATTRACT     the idle display is shown
    the phase   otherwise

Commands are looked up under this state. Facts are not: a note that is stacked has been stacked in any state.

How they are coupled
--------------------

- phase and round: the phase is INSURANCE or DECIDING exactly while an open round is in the stage of that name.
- phase and print: the phase is CASHING_OUT exactly while a print is open; its outcome brings back `resume`.
- locks and all others: a lock stops play, notes, cash-outs or hand-pays while it lasts. It does not change the
  round: when it ends, the same hand goes on. A new lock ends the attract mode.
- document and locks: a document in doubt is a lock with its amount. It stops notes, so one document at most is in the
  path or in doubt. A document in the path delays the cash-out.
- print and locks: a ticket that did not come out is a HAND_PAY lock, one that may have come out is PRINT_UNKNOWN. The
  money stays in transit until the lock is settled.
- doors and locks: an open door is a lock; the logic door's lock stays until the attendant clears it. With the audit key
  and the logic door (and the PIN where it is asked for) the attendant is the technician.
- session and locks: a limit that is reached is a PLAYER_LIMIT lock, added between hands only.

What never exists together
--------------------------

Held by tests/engine/test_couplings.py on random play:

- a document in the path and one in doubt;
- an open hand and a payout, or an open hand and chips down;
- two payouts: of an open print, a HAND_PAY lock and a PRINT_UNKNOWN lock there is one at most, and it holds exactly
  what the in-transit account holds;
- the attract mode and a hand, a payout, chips down, the audit key or a lock that stops play;
- a technician without the audit key, or a prepared memory clear without the technician and the open logic door;
- a player's money without a session, or a PLAYER_LIMIT lock without one.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cabinet.engine import (
    acceptor,
    attendant,
    bets,
    bills_in,
    cash_out,
    closings,
    documents,
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
from cabinet.engine.closing_facts import EnterCount
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
    Fact,
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
    PinWaitOver,
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
from cabinet.engine.record_facts import FormChanged, MachineCommissioned, UpdateTakenBack
from cabinet.engine.state import Machine, Phase, Seat, Settings, State
from cabinet.engine.step import Step, StepBuilder
from cabinet.engine.table import Rows, fact, facts, row, rows
from cabinet.engine.ticket_facts import TicketOffered, TicketStacked

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_CALL = (row(CallAttendant, doors_and_keys.call_attendant),)
_PAY = (row(CashOut, cash_out.cash_out, cash_out.why_not_cash_out),)
_LIMITS = (
    row(LimitTime, session.limit_time, session.why_not_limit_time),
    row(LimitLoss, session.limit_loss, session.why_not_limit_loss),
)
_TURBO = (row(ToggleTurbo, bets.toggle_turbo, bets.why_not_turbo),)
_ATTENDANT = rows(
    row(SettleLock, settlement.settle_lock, settlement.why_not_settle),
    row(PayTicket, ticket_redemption.pay_ticket, ticket_redemption.why_not_pay),
    row(VoidRound, settlement.void_round, settlement.why_not_void),
    row(ResetPeriod, closings.close_period),
    row(EnterCount, closings.enter_count, closings.why_not_count),
    row(SetOutOfService, attendant.set_out_of_service, attendant.why_not_service),
    row(PrepareMemoryClear, technician.prepare_clear, technician.why_not_prepare),
)
_BETTING = rows(
    row(ChooseChip, bets.choose_chip, bets.why_not_chip),
    row(ChoosePlace, bets.choose_place, bets.why_not_place),
    row(Bet, bets.bet, bets.why_not_bet),
    row(BetAll, bets.bet_all, bets.why_not_bet_all),
    row(TakeChip, bets.take_chip, bets.why_not_take),
    row(ClearBets, bets.clear_bets, bets.why_not_clear),
    row(LeaveTable, bets.leave_table, bets.why_not_leave),
    row(Rebet, bets.rebet, bets.why_not_rebet),
    row(DoubleBet, bets.double_bet, bets.why_not_double_bet),
    row(Deal, play.deal, play.why_not_deal),
    *_TURBO,
    *_LIMITS,
    *_PAY,
    *_CALL,
)

ROWS: Mapping[State, Rows] = {
    State.ATTRACT: rows(row(Wake, bets.wake), *_PAY, *_CALL),
    State.CHOOSING: rows(
        row(PointAtGame, bets.point_at_game, bets.why_not_point),
        row(ChooseGame, bets.choose_game, bets.why_not_point),
        *_LIMITS,
        *_PAY,
        *_CALL,
    ),
    State.BETTING: _BETTING,
    State.SETTLED: _BETTING,
    State.INSURANCE: rows(
        row(ChangeInsurance, play.change_insurance, play.why_not_change_insurance),
        row(Insure, play.insure, play.why_not_insure),
        row(DeclineInsurance, play.decline_insurance),
        *_TURBO,
        *_LIMITS,
        *_PAY,
        *_CALL,
    ),
    State.DECIDING: rows(
        row(Hit, play.act, play.why_not_act),
        row(Stand, play.act, play.why_not_act),
        row(Double, play.act, play.why_not_act),
        row(Split, play.act, play.why_not_act),
        *_TURBO,
        *_LIMITS,
        *_PAY,
        *_CALL,
    ),
    State.CASHING_OUT: rows(*_CALL),
    State.LOCKED: rows(
        row(BackOut, cash_out.back_out, cash_out.why_not_back_out),
        row(KeepPlaying, session.keep_playing, session.why_not_keep_playing),
        *_PAY,
        *_CALL,
    ),
    State.AUDIT: _ATTENDANT,
}
"""The whole of what may be done: a command that has no row in the state in force is not accepted."""

FACTS = facts(
    fact(MachineCommissioned, power.commissioned),
    fact(UpdateTakenBack, power.update_taken_back),
    fact(FormChanged, power.form_changed),
    fact(PoweredUp, power.powered_up),
    fact(SettingsChanged, power.settings_changed),
    fact(ProgramChecked, power.program_checked),
    fact(MemoryRecovered, power.memory_recovered),
    fact(CopiesNotCompared, power.copies_not_compared),
    fact(CopiesCompared, power.copies_compared),
    fact(RecordsDoubted, power.records_doubted),
    fact(SingleCopyFound, power.single_copy_found),
    fact(RecordsDropped, power.records_dropped),
    fact(ClockJumped, power.clock_jumped),
    fact(PoweredDown, power.powered_down),
    fact(PlayerLeft, power.player_left),
    fact(HandAbandoned, power.hand_abandoned),
    fact(SessionBegan, session.began),
    fact(SessionEnded, session.ended),
    fact(TimeLimitReached, session.time_limit_reached),
    fact(BillOffered, bills_in.offered),
    fact(BillStacked, acceptor.stacked),
    fact(BillUnasked, bills_in.unsolicited),
    fact(TicketOffered, tickets_in.offered),
    fact(TicketStacked, tickets_in.stacked),
    fact(BillReturned, acceptor.returned),
    fact(BillRejected, acceptor.rejected),
    fact(PaperOverdue, documents.overdue),
    fact(AcceptorStarted, acceptor.started),
    fact(PrinterStarted, cash_out.printer_started),
    fact(TicketPrinted, cash_out.printed),
    fact(PrintFailed, cash_out.print_failed),
    fact(PrintUnknown, cash_out.print_unknown),
    fact(FaultBegan, faults.fault_began),
    fact(FaultEnded, faults.fault_ended),
    fact(DoorOpened, doors_and_keys.door_opened),
    fact(DoorClosed, doors_and_keys.door_closed),
    fact(KeyTurned, doors_and_keys.key_turned),
    fact(PinEntered, doors_and_keys.pin_entered),
    fact(PinWaitOver, doors_and_keys.pin_wait_over),
    fact(RecallViewed, attendant.recall_viewed),
)
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

BUTTON_COMMANDS: Mapping[State, Mapping[Button, tuple[Command, ...]]] = {
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
"""What each button of the panel means in each state: the first of its commands that is accepted. CASH OUT is never
accepted in a hand; its refusal names the reason."""

_STATES = {phase: State(phase.value) for phase in Phase}


def state_of(machine: Machine) -> State:
    """Returns the state in force. The audit key waits for the end of a hand or payout, unless a fault delays that
    end."""
    stopped = locks.play_stopped(machine)
    under_way = locks.hand_open(machine) or machine.phase is Phase.CASHING_OUT
    if machine.access.audit_key and (stopped or not under_way):
        return State.AUDIT
    if stopped:
        return State.LOCKED
    if machine.attract:
        return State.ATTRACT
    return _STATES[machine.phase]


def why_not(settings: Settings, machine: Machine, command: Command) -> Reason | None:
    """Returns why the machine would refuse the command now; None when it would accept it. Changes nothing."""
    state = state_of(machine)
    row = ROWS[state].get(type(command))
    if row is None:
        return {State.LOCKED: Reason.LOCKED, State.AUDIT: Reason.AUDIT}.get(state, Reason.NOT_NOW)
    return row.why_not(settings, machine, command)


def bound(settings: Settings, machine: Machine, button: Button) -> Command | None:
    """Returns the command of a button now: the first of its commands that is accepted, otherwise its first; None for
    none."""
    commands = BUTTON_COMMANDS[state_of(machine)].get(button, ())
    fitting = (command for command in commands if why_not(settings, machine, command) is None)
    return next(fitting, commands[0] if commands else None)


def lit(settings: Settings, machine: Machine) -> frozenset[Button]:
    """Returns the buttons whose press would be accepted now; their lamps are lit."""
    return frozenset(
        button
        for button in Button
        if (command := bound(settings, machine, button)) is not None and why_not(settings, machine, command) is None
    )


def is_fact(input_: Input) -> "TypeIs[Fact]":
    """Returns True if the input is a fact; otherwise it is a command."""
    return type(input_) in FACTS


def step(settings: Settings, machine: Machine, input_: Input, draw: Draw) -> Step:
    """Returns the step of this input. A refused command returns the very same machine and a `Refused` event."""
    builder = StepBuilder(settings, machine, draw)
    if is_fact(input_):
        FACTS[type(input_)](builder, input_)
    else:
        reason = why_not(settings, machine, input_)
        if reason is not None:
            builder.emit(Refused(command=type(input_).__name__, reason=reason))
            return builder.done()
        ROWS[state_of(machine)][type(input_)].handle(builder, input_)
    if builder.audit_due:
        locks.audit_or_lock(builder)
    session.follow(builder, machine)
    return builder.done()


def starting(settings: Settings) -> Machine:
    """Returns a machine that has never played. If only one game is offered, it is chosen already."""
    first = settings.tables[0]
    machine = Machine(seat=Seat(game_id=first.rules.game_id))
    if len(settings.tables) > 1:
        return machine
    builder = StepBuilder(settings, machine, _no_cards)
    bets.choose_game(builder, ChooseGame())
    return builder.machine


def _no_cards(out: object) -> int:
    raise AssertionError(f"no card is drawn here ({out})")

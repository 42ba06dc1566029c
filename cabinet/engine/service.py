"""The attendant's side of the machine: doors, keys, faults, power, settling locks, periods.

Each settlement happens exactly once because it takes its lock away in the same step.
The technician's level and the memory clear are in `access`.
Source: requirements AT-01 to AT-12, TE-01 to TE-08, PL-04, PL-10.
"""

from dataclasses import replace

from cabinet.engine import bets, bills_in, cash_out, locks, session, technician, tickets_in
from cabinet.engine.effects import LogKind, Reason, RoundVoided
from cabinet.engine.inputs import (
    CallAttendant,
    ClockJumped,
    CopiesCompared,
    CopiesNotCompared,
    Door,
    DoorClosed,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    HandAbandoned,
    Key,
    KeyTurned,
    MemoryRecovered,
    PinEntered,
    PlayerLeft,
    PoweredDown,
    PoweredUp,
    ProgramChecked,
    RecallViewed,
    RecordsDoubted,
    RecordsDropped,
    ResetPeriod,
    SetOutOfService,
    SettingsChanged,
    SettleLock,
    Settlement,
    SingleCopyFound,
    VoidRound,
)
from cabinet.engine.ledger import Account, Route
from cabinet.engine.locks import DOOR_LOCKS, FAULT_LOCKS, LOCKS
from cabinet.engine.record_facts import FormChanged, MachineCommissioned
from cabinet.engine.state import ClearedBy, Lock, LockKind, Machine, NoteIntent, Phase, PrintIntent, Settings
from cabinet.engine.step import StepBuilder

# --- settling locks ---------------------------------------------------------------------------------------------


def settlements_of(machine: Machine, lock: Lock) -> tuple[Settlement, ...]:
    """How this lock may be settled now; empty while its condition lasts or when only the condition can end it."""
    ways = _ways_of(machine, lock)
    return tuple(how for how in ways if how not in _PAYING) if locks.hand_pay_stopped(machine) else ways


_PAYING = frozenset({Settlement.PAID_BY_HAND, Settlement.REPRINT})
"""Settlements by which money leaves the machine."""


def _ways_of(machine: Machine, lock: Lock) -> tuple[Settlement, ...]:
    rule = LOCKS[lock.kind]
    if rule.cleared_by is ClearedBy.ATTENDANT and lock.present:
        return ()
    if rule.technician and not machine.technician:
        return ()
    stuck = stuck_paper(machine, lock)
    if stuck is not None:
        return _ways_of(machine, stuck)
    if bills_in.value_unknown(lock):
        return (*rule.settlements, Settlement.NOTE_RETURNED)
    if lock.kind is LockKind.UNEXPECTED_TICKET and not lock.cents:
        return (Settlement.CLEAR,)
    if lock.kind is LockKind.TICKET_IN_DOUBT and not tickets_in.covered(machine, lock.cents):
        return (Settlement.TICKET_RETURNED,)
    if lock.kind is LockKind.PRINT_UNKNOWN and not _may_print_again(machine):
        return tuple(how for how in rule.settlements if how is not Settlement.REPRINT)
    if lock.kind is LockKind.LARGE_WIN and machine.books.credit_cents < lock.cents:
        return (Settlement.CLEAR,)
    return rule.settlements


def stuck_paper(machine: Machine, lock: Lock) -> Lock | None:
    """The note or ticket that is still open when its jam is settled: where it is must be said then. None without one,
    and for any other lock."""
    return bills_in.doubtful(machine) if lock.kind is LockKind.BILL_JAM else None


def _may_print_again(machine: Machine) -> bool:
    """A duplicate needs a working printer that is not busy, and no hand under way."""
    others = [lock for lock in machine.locks if lock.kind is not LockKind.PRINT_UNKNOWN]
    stopped = any(lock.kind in locks.PRINTER_STOPPERS for lock in others)
    return machine.printer_ready and machine.printing is None and not stopped and not locks.hand_open(machine)


def why_not_settle(settings: Settings, machine: Machine, command: SettleLock) -> Reason | None:
    """The lock must be there and be one that may be settled this way; a note of unknown value is settled with one."""
    lock = locks.find_id(machine, command.lock_id)
    if lock is None:
        return Reason.NO_SUCH
    valued = bills_in.value_unknown(lock) and command.how is not Settlement.NOTE_RETURNED
    named = command.cents in bills_in.values_of(settings, lock) if valued else command.cents is None
    return None if named and command.how in settlements_of(machine, lock) else Reason.NOT_ALLOWED


def settle_lock(step: StepBuilder, command: SettleLock) -> None:
    """Carry out what the attendant decided, once, and audit the books. Nothing is paid from books in disorder."""
    lock = locks.find_id(step.machine, command.lock_id)
    if lock is None or (command.how in _PAYS and not locks.audit_or_lock(step)):
        return
    if command.cents is not None:
        bills_in.suspend_note(step, command.cents)
        lock = replace(lock, cents=command.cents)
    stuck = stuck_paper(step.machine, lock)
    cents = lock.cents if stuck is None else stuck.cents
    step.log(LogKind.SETTLED, f"{lock.kind.value}: {command.how.value}", cents or None)
    if stuck is None:
        _settle(step, lock, command.how)
    else:
        _settle_stuck(step, lock, command.how)
    locks.audit_or_lock(step)


def _settle_stuck(step: StepBuilder, jam: Lock, how: Settlement) -> None:
    """The attendant has said where the note or ticket of the jam is: it is in doubt, settled, and the jam is over."""
    lock_id = step.machine.next_lock_id
    bills_in.doubt(step)
    stuck = locks.find_id(step.machine, lock_id)
    if stuck is not None:
        _settle(step, stuck, how)
    locks.clear_lock(step, jam)


_PAYS = frozenset({Settlement.PAID_BY_HAND, Settlement.REPRINT})
"""Settlements with which money leaves the machine."""


def _settle(step: StepBuilder, lock: Lock, how: Settlement) -> None:
    """What becomes of the money of the lock, and of the lock."""
    match lock.kind, how:
        case LockKind.NOTE_IN_DOUBT, Settlement.CREDIT_NOTE:
            bills_in.credit_note(step, lock.cents, Route.BILL_IN)
            step.update(unconfirmed=NoteIntent(cents=lock.cents, by_hand=True), unconfirmed_ticket=None)
            step.log(LogKind.NOTE_ACCEPTED, "by the attendant", lock.cents)
        case LockKind.UNEXPECTED_NOTE, Settlement.CREDIT_NOTE:
            bills_in.credit_note(step, lock.cents, Route.SUSPENSE_CREDITED)
            step.log(LogKind.NOTE_ACCEPTED, "by the attendant", lock.cents)
        case LockKind.UNEXPECTED_NOTE, Settlement.NOTHING_OWED:
            step.post(Route.SUSPENSE_KEPT, lock.cents)
        case LockKind.TICKET_IN_DOUBT | LockKind.UNEXPECTED_TICKET, Settlement.CREDIT_TICKET:
            tickets_in.credit(step, lock)
        case LockKind.TICKET_IN_DOUBT | LockKind.UNEXPECTED_TICKET, Settlement.PAID_BY_HAND:
            tickets_in.pay_by_hand(step, lock)
            return
        case LockKind.EXCESSIVE_INCREMENT, Settlement.CLEAR:
            locks.notes_counted_from_here(step)
        case LockKind.CLOCK_INVALID, Settlement.TIME_IS_RIGHT:
            step.update(faults=tuple(fault for fault in step.machine.faults if fault is not Fault.CLOCK_INVALID))
            step.log(LogKind.TIME_CONFIRMED)
        case LockKind.EXCESSIVE_REJECTS, Settlement.CLEAR:
            step.update(rejects_in_a_row=0)
        case LockKind.PRINT_UNKNOWN, Settlement.TICKET_CAME_OUT if lock.sequence is not None:
            cash_out.ticket_is_out(step, lock.sequence, lock.cents)
        case LockKind.PRINT_UNKNOWN, Settlement.REPRINT if lock.sequence is not None:
            _reprint(step, lock.sequence, lock.cents)
        case _, Settlement.PAID_BY_HAND:
            cash_out.pay_by_hand(step, lock, _HAND_PAY_ROUTES[lock.kind])
            return
        case _, Settlement.GIVE_CREDIT:
            cash_out.give_back(step, lock)
            return
        case _:
            pass
    locks.clear_lock(step, lock)


_HAND_PAY_ROUTES = {
    LockKind.HAND_PAY: Route.CANCELLED,
    LockKind.PRINT_UNKNOWN: Route.CANCELLED,
    LockKind.LARGE_WIN: Route.JACKPOT,
    LockKind.UNEXPECTED_NOTE: Route.SUSPENSE_PAID,
}


def _reprint(step: StepBuilder, sequence: int, cents: int) -> None:
    step.count(tickets_reprinted=1)
    step.update(resume=step.machine.phase)
    cash_out.start_printing(step, PrintIntent(sequence=sequence, cents=cents, duplicate=True))


def why_not_void(settings: Settings, machine: Machine, command: VoidRound) -> Reason | None:
    """Only a round that is open and that a fault has stopped may be voided."""
    del settings, command
    if not locks.hand_open(machine):
        return Reason.NOT_NOW
    return None if locks.play_stopped(machine) else Reason.NOT_ALLOWED


def void_round(step: StepBuilder, command: VoidRound) -> None:
    """Every stake of the open round goes back to credit; nothing is won, the journal keeps the cards."""
    del command
    machine = step.machine
    locks.audit_or_lock(step)
    cents = machine.books.balance(Account.TABLE)
    step.post(Route.VOIDED, cents)
    step.count(voided_rounds=1)
    places = len(machine.bets)
    step.update(phase=Phase.BETTING, bets=(0,) * places, round=None, results=None, insurance_offer_cents=0)
    step.emit(RoundVoided(number=machine.round_number, cents=cents))
    step.log(LogKind.ROUND_VOIDED, f"round {machine.round_number}", cents)
    locks.audit_or_lock(step)


def reset_period(step: StepBuilder, command: ResetPeriod) -> None:
    """Close the period: period meters begin anew, lifetime meters stay."""
    del command
    step.update(period_start=dict(step.machine.books.meters))
    step.log(LogKind.PERIOD_RESET)


def why_not_service(settings: Settings, machine: Machine, command: SetOutOfService) -> Reason | None:
    """Out of service and back, each only from the other."""
    del settings
    out = locks.find(machine, LockKind.OUT_OF_SERVICE) is not None
    return Reason.NOT_NOW if out is command.out else None


def set_out_of_service(step: StepBuilder, command: SetOutOfService) -> None:
    """Take the machine out of service, or put it back."""
    if command.out:
        locks.add_lock(step, LockKind.OUT_OF_SERVICE)
        step.log(LogKind.OUT_OF_SERVICE)
        return
    lock = locks.find(step.machine, LockKind.OUT_OF_SERVICE)
    if lock is not None:
        locks.clear_lock(step, lock)
        step.log(LogKind.BACK_IN_SERVICE)


def call_attendant(step: StepBuilder, command: CallAttendant) -> None:
    """Switch the call lamp."""
    del command
    step.update(calling=not step.machine.calling)
    step.log(LogKind.CALL_ON if step.machine.calling else LogKind.CALL_OFF)


# --- doors, keys, faults ----------------------------------------------------------------------------------------


def door_opened(step: StepBuilder, fact: DoorOpened) -> None:
    """Everything stops; the door is counted once per opening. What happened while the power was off is a matter of its
    own, which outlasts the closing of the door."""
    if fact.door not in step.machine.open_doors:
        step.update(open_doors=(*step.machine.open_doors, fact.door))
        step.count_named({f"doors:{fact.door.value}": 1})
        step.log(LogKind.DOOR_OPENED, fact.door.value)
        if fact.while_off:
            step.log(LogKind.DOOR_WHILE_OFF, fact.door.value)
            locks.add_lock(step, LockKind.DOOR_WHILE_OFF, fact.door.value)
        locks.add_lock(step, DOOR_LOCKS[fact.door])
    technician.look_for_technician(step)


def door_closed(step: StepBuilder, fact: DoorClosed) -> None:
    """The same state as before comes back, unless something else locks it."""
    if fact.door not in step.machine.open_doors:
        return
    left = tuple(door for door in step.machine.open_doors if door is not fact.door)
    step.update(open_doors=left)
    if fact.door is Door.MAIN:
        _mark(step, "door_close", "games_played")
    step.log(LogKind.DOOR_CLOSED, fact.door.value)
    locks.condition_gone(step, DOOR_LOCKS[fact.door])
    technician.door_closed(step, fact.door)
    locks.audit_or_lock(step)


def _mark(step: StepBuilder, moment: str, *meters: str) -> None:
    """Remember what these meters say at this moment."""
    now = {f"{moment}.{name}": step.machine.books.meter(name) for name in meters}
    step.update(marks={**step.machine.marks, **now})


def key_turned(step: StepBuilder, fact: KeyTurned) -> None:
    """The audit key opens the attendant's menu; the reset key settles what waits for the attendant's yes."""
    if fact.key is Key.AUDIT:
        if fact.on is not step.machine.audit_key:
            step.update(audit_key=fact.on, attract=False)
            step.log(LogKind.AUDIT_ENTERED if fact.on else LogKind.AUDIT_LEFT)
        if fact.on:
            technician.look_for_technician(step)
        else:
            technician.leave(step)
    elif fact.on and step.machine.clear_prepared:
        technician.clear_memory(step)
    elif fact.on:
        _reset(step)


def pin_entered(step: StepBuilder, fact: PinEntered) -> None:
    """Somebody has entered a PIN at the attendant's menu."""
    technician.pin_entered(step, right=fact.right)


def recall_viewed(step: StepBuilder, fact: RecallViewed) -> None:
    """Somebody looks at what a player has played."""
    del fact
    step.log(LogKind.RECALL_VIEWED)


_RESET_SETTLES = {LockKind.HAND_PAY: Settlement.PAID_BY_HAND}
"""What the reset key's yes means where it is not a plain clearing."""


def _reset(step: StepBuilder) -> None:
    """The reset key: the first lock that takes a plain yes; with none, the call lamp goes out. What only the technician
    may lift, and what somebody has to compare with the papers, is lifted in the menu, seen what it is about."""
    for lock in step.machine.locks:
        how, rule = _RESET_SETTLES.get(lock.kind, Settlement.CLEAR), LOCKS[lock.kind]
        in_menu = rule.technician or rule.stops_hand_pay
        if not in_menu and how in settlements_of(step.machine, lock):
            settle_lock(step, SettleLock(lock_id=lock.lock_id, how=how))
            return
    if step.machine.calling:
        call_attendant(step, CallAttendant())


_SILENCES_ACCEPTOR = frozenset({Fault.ACCEPTOR_LINK, Fault.ACCEPTOR_WRONG, Fault.ACCEPTOR_HARDWARE})
"""With these an acceptor may never speak of an open note again."""


def fault_began(step: StepBuilder, fact: FaultBegan) -> None:
    """A device's fault: logged, counted once while it lasts, and locked as its row says. One that lasts for another
    reason is logged again, and its lock says so: it is never gone in between."""
    kind = FAULT_LOCKS[fact.fault]
    told = f"{fact.fault.value}: {fact.detail}" if fact.detail else fact.fault.value
    if kind is not None and fact.fault in step.machine.faults:
        if locks.reword(step, kind, fact.detail):
            step.log(LogKind.FAULT_BEGAN, told)
        return
    step.log(LogKind.FAULT_BEGAN, told)
    if kind is not None:
        step.update(faults=(*step.machine.faults, fact.fault))
        locks.add_lock(step, kind, fact.detail)
    if fact.fault in _SILENCES_ACCEPTOR:
        bills_in.doubt(step)  # nobody may ever answer for it; if the acceptor does after all, that settles it
    if fact.fault is Fault.CASHBOX_REMOVED:
        _mark(step, "cashbox", "bills_in", *(n for n in step.machine.books.meters if n.startswith("bills:")))
        step.count(cashbox_removals=1)


def fault_ended(step: StepBuilder, fact: FaultEnded) -> None:
    """A device says a fault is over."""
    if fact.fault not in step.machine.faults:
        return
    step.update(faults=tuple(fault for fault in step.machine.faults if fault is not fact.fault))
    step.log(LogKind.FAULT_ENDED, fact.fault.value)
    kind = FAULT_LOCKS[fact.fault]
    if kind is not None:
        locks.condition_gone(step, kind)


# --- power and idleness -----------------------------------------------------------------------------------------


def commissioned(step: StepBuilder, fact: MachineCommissioned) -> None:
    """Say in the log where this machine began."""
    step.log(LogKind.COMMISSIONED, fact.version)


def form_changed(step: StepBuilder, fact: FormChanged) -> None:
    """Say from which row on the program before this one cannot read the data."""
    why = f": {fact.why}" if fact.why else ""
    step.log(LogKind.FORM_CHANGED, f"form {fact.old} to {fact.new}{why}")


def powered_up(step: StepBuilder, fact: PoweredUp) -> None:
    """The program has started: count it, doubt what was under way, notice a changed program, audit the books."""
    machine = step.machine
    what = LogKind.POWER_UP_AFTER_CRASH if fact.crashed else LogKind.POWER_UP
    notice = "" if fact.clean else (what if fact.crashed else LogKind.POWER_LOST_IN_PLAY).value
    step.count(power_ups=1)
    step.log(what, fact.version)
    if not fact.clean and locks.hand_open(machine):
        step.log(LogKind.POWER_LOST_IN_PLAY, f"round {machine.round_number}")
    _mark(step, "power_up", "games_played")
    step.update(acceptor_ready=False, printer_ready=False, attract=False, notice=notice)
    technician.leave(step)
    cash_out.doubt_open_ticket(step)
    _compare_program(step, fact.version, fact.program_hash)
    locks.audit_or_lock(step)


def program_checked(step: StepBuilder, fact: ProgramChecked) -> None:
    """The program was looked at again, with a door just closed: nobody plays on files that somebody has changed."""
    _compare_program(step, fact.version, fact.program_hash)


def _compare_program(step: StepBuilder, version: str, program_hash: str) -> None:
    """Another program than the known one is logged and locks; from here on it is the known one."""
    machine = step.machine
    if machine.program_hash and program_hash and machine.program_hash != program_hash:
        change = f"{machine.version} to {version}"
        step.log(LogKind.PROGRAM_CHANGED, f"{change}, files {machine.program_hash[:8]} to {program_hash[:8]}")
        locks.add_lock(step, LockKind.PROGRAM_CHANGED, change)
    step.update(version=version, program_hash=program_hash or machine.program_hash)


def settings_changed(step: StepBuilder, fact: SettingsChanged) -> None:
    """Log what changed; a table that is no longer offered as it was is left, its last bets are forgotten."""
    step.log(LogKind.OPTIONS_CHANGED, f"{fact.old} -> {fact.new}")
    machine = step.machine
    step.update(turbo=machine.turbo and step.settings.turbo_allowed)
    locks.audit_or_lock(step)
    if not fact.of_play or locks.hand_open(machine) or machine.phase is Phase.CASHING_OUT:
        return
    bets.begin_anew(step)


def memory_recovered(step: StepBuilder, fact: MemoryRecovered) -> None:
    """One copy of the data was made anew from the other."""
    step.log(LogKind.MEMORY_RECOVERED, fact.detail)
    locks.audit_or_lock(step)


def copies_not_compared(step: StepBuilder, fact: CopiesNotCompared) -> None:
    """Nobody is paid from a first copy that may be an old one, until the second is there or a person says so."""
    locks.add_lock(step, LockKind.COPIES_NOT_COMPARED, fact.detail)


def copies_compared(step: StepBuilder, fact: CopiesCompared) -> None:
    """The first copy is no older than the second: its lock goes."""
    del fact
    lock = locks.find(step.machine, LockKind.COPIES_NOT_COMPARED)
    if lock is not None:
        locks.clear_lock(step, lock)


def records_doubted(step: StepBuilder, fact: RecordsDoubted) -> None:
    """Money may have moved that these records do not know: a person compares them with the papers first."""
    locks.add_lock(step, LockKind.RECORDS_IN_DOUBT, fact.detail)


def single_copy_found(step: StepBuilder, fact: SingleCopyFound) -> None:
    """Say, once per start, that a damaged medium would take everything with it."""
    del fact
    step.log(LogKind.SINGLE_COPY)


def records_dropped(step: StepBuilder, fact: RecordsDropped) -> None:
    """The log is full: its oldest entries go, and it says so. The seal is kept in this fact, which stays."""
    step.log(LogKind.LOG_OVERFLOW, f"entries before {fact.entry} and rows before {fact.row} are no longer kept")


def clock_jumped(step: StepBuilder, fact: ClockJumped) -> None:
    """The order of the log is that of its numbers; this entry explains why the times beside them jump."""
    step.log(LogKind.CLOCK_JUMPED, f"by {fact.seconds:+d} s")
    session.clock_jumped(step, fact)


def powered_down(step: StepBuilder, fact: PoweredDown) -> None:
    """An orderly stop."""
    del fact
    step.log(LogKind.POWER_DOWN)


def player_left(step: StepBuilder, fact: PlayerLeft) -> None:
    """No player is here: show the attract mode where nothing waits, and without money forget what the player chose."""
    del fact
    machine = step.machine
    idle = machine.phase in {Phase.CHOOSING, Phase.BETTING, Phase.SETTLED} and not sum(machine.bets)
    if idle and not machine.audit_key and not locks.play_stopped(machine):
        step.update(attract=True)
        if not session.held_cents(machine) and not machine.document_in_path:
            bets.forget_player(step)


def hand_abandoned(step: StepBuilder, fact: HandAbandoned) -> None:
    """An open hand waits for ever and is never played for the player; the attendant is called to look after it."""
    del fact
    if not locks.hand_open(step.machine):
        return
    step.log(LogKind.HAND_ABANDONED, f"round {step.machine.round_number}")
    if not step.machine.calling:
        call_attendant(step, CallAttendant())

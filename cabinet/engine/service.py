"""The attendant's side of the machine: doors, keys, faults, power, settling locks, periods.

Each settlement happens exactly once because it takes its lock away in the same step.
The technician's level and the memory clear are in `access`.
Source: requirements AT-01 to AT-12, TE-01 to TE-08, PL-04, PL-10.
"""

from dataclasses import replace

from cabinet.engine import bets, bills_in, cash_out, locks, session, technician, tickets_in
from cabinet.engine.effects import Reason, RoundVoided, Significant
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
from cabinet.engine.step import Draft

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


def settle_lock(draft: Draft, command: SettleLock) -> None:
    """Carry out what the attendant decided, once, and audit the books. Nothing is paid from books in disorder."""
    lock = locks.find_id(draft.machine, command.lock_id)
    if lock is None or (command.how in _PAYS and not locks.audited(draft)):
        return
    if command.cents is not None:
        bills_in.suspend_note(draft, command.cents)
        lock = replace(lock, cents=command.cents)
    stuck = stuck_paper(draft.machine, lock)
    cents = lock.cents if stuck is None else stuck.cents
    draft.log(Significant.SETTLED, f"{lock.kind.value}: {command.how.value}", cents or None)
    if stuck is None:
        _settle(draft, lock, command.how)
    else:
        _settle_stuck(draft, lock, command.how)
    locks.audited(draft)


def _settle_stuck(draft: Draft, jam: Lock, how: Settlement) -> None:
    """The attendant has said where the note or ticket of the jam is: it is in doubt, settled, and the jam is over."""
    lock_id = draft.machine.next_lock_id
    bills_in.doubt(draft)
    stuck = locks.find_id(draft.machine, lock_id)
    if stuck is not None:
        _settle(draft, stuck, how)
    locks.lift(draft, jam)


_PAYS = frozenset({Settlement.PAID_BY_HAND, Settlement.REPRINT})
"""Settlements with which money leaves the machine."""


def _settle(draft: Draft, lock: Lock, how: Settlement) -> None:
    """What becomes of the money of the lock, and of the lock."""
    match lock.kind, how:
        case LockKind.NOTE_IN_DOUBT, Settlement.CREDIT_NOTE:
            bills_in.credit_note(draft, lock.cents, Route.BILL_IN)
            draft.set(unconfirmed=NoteIntent(cents=lock.cents, by_hand=True), unconfirmed_ticket=None)
            draft.log(Significant.NOTE_ACCEPTED, "by the attendant", lock.cents)
        case LockKind.UNEXPECTED_NOTE, Settlement.CREDIT_NOTE:
            bills_in.credit_note(draft, lock.cents, Route.SUSPENSE_CREDITED)
            draft.log(Significant.NOTE_ACCEPTED, "by the attendant", lock.cents)
        case LockKind.UNEXPECTED_NOTE, Settlement.NOTHING_OWED:
            draft.post(Route.SUSPENSE_KEPT, lock.cents)
        case LockKind.TICKET_IN_DOUBT | LockKind.UNEXPECTED_TICKET, Settlement.CREDIT_TICKET:
            tickets_in.credit(draft, lock)
        case LockKind.TICKET_IN_DOUBT | LockKind.UNEXPECTED_TICKET, Settlement.PAID_BY_HAND:
            tickets_in.pay_by_hand(draft, lock)
            return
        case LockKind.EXCESSIVE_INCREMENT, Settlement.CLEAR:
            locks.notes_counted_from_here(draft)
        case LockKind.CLOCK_INVALID, Settlement.TIME_IS_RIGHT:
            draft.set(faults=tuple(fault for fault in draft.machine.faults if fault is not Fault.CLOCK_INVALID))
            draft.log(Significant.TIME_CONFIRMED)
        case LockKind.EXCESSIVE_REJECTS, Settlement.CLEAR:
            draft.set(rejects_in_a_row=0)
        case LockKind.PRINT_UNKNOWN, Settlement.TICKET_CAME_OUT if lock.sequence is not None:
            cash_out.ticket_is_out(draft, lock.sequence, lock.cents)
        case LockKind.PRINT_UNKNOWN, Settlement.REPRINT if lock.sequence is not None:
            _reprint(draft, lock.sequence, lock.cents)
        case _, Settlement.PAID_BY_HAND:
            cash_out.pay_by_hand(draft, lock, _HAND_PAY_ROUTES[lock.kind])
            return
        case _, Settlement.GIVE_CREDIT:
            cash_out.give_back(draft, lock)
            return
        case _:
            pass
    locks.lift(draft, lock)


_HAND_PAY_ROUTES = {
    LockKind.HAND_PAY: Route.CANCELLED,
    LockKind.PRINT_UNKNOWN: Route.CANCELLED,
    LockKind.LARGE_WIN: Route.JACKPOT,
    LockKind.UNEXPECTED_NOTE: Route.SUSPENSE_PAID,
}


def _reprint(draft: Draft, sequence: int, cents: int) -> None:
    draft.count(tickets_reprinted=1)
    draft.set(resume=draft.machine.phase)
    cash_out.start_printing(draft, PrintIntent(sequence=sequence, cents=cents, duplicate=True))


def why_not_void(settings: Settings, machine: Machine, command: VoidRound) -> Reason | None:
    """Only a round that is open and that a fault has stopped may be voided."""
    del settings, command
    if not locks.hand_open(machine):
        return Reason.NOT_NOW
    return None if locks.play_stopped(machine) else Reason.NOT_ALLOWED


def void_round(draft: Draft, command: VoidRound) -> None:
    """Every stake of the open round goes back to credit; nothing is won, the journal keeps the cards."""
    del command
    machine = draft.machine
    locks.audited(draft)
    cents = machine.books.balance(Account.TABLE)
    draft.post(Route.VOIDED, cents)
    draft.count(voided_rounds=1)
    places = len(machine.bets)
    draft.set(phase=Phase.BETTING, bets=(0,) * places, round=None, results=None, insurance_offer_cents=0)
    draft.tell(RoundVoided(number=machine.round_number, cents=cents))
    draft.log(Significant.ROUND_VOIDED, f"round {machine.round_number}", cents)
    locks.audited(draft)


def reset_period(draft: Draft, command: ResetPeriod) -> None:
    """Close the period: period meters begin anew, lifetime meters stay."""
    del command
    draft.set(period_start=dict(draft.machine.books.meters))
    draft.log(Significant.PERIOD_RESET)


def why_not_service(settings: Settings, machine: Machine, command: SetOutOfService) -> Reason | None:
    """Out of service and back, each only from the other."""
    del settings
    out = locks.find(machine, LockKind.OUT_OF_SERVICE) is not None
    return Reason.NOT_NOW if out is command.out else None


def set_out_of_service(draft: Draft, command: SetOutOfService) -> None:
    """Take the machine out of service, or put it back."""
    if command.out:
        locks.lay(draft, LockKind.OUT_OF_SERVICE)
        draft.log(Significant.OUT_OF_SERVICE)
        return
    lock = locks.find(draft.machine, LockKind.OUT_OF_SERVICE)
    if lock is not None:
        locks.lift(draft, lock)
        draft.log(Significant.BACK_IN_SERVICE)


def call_attendant(draft: Draft, command: CallAttendant) -> None:
    """Switch the call lamp."""
    del command
    draft.set(calling=not draft.machine.calling)
    draft.log(Significant.CALL_ON if draft.machine.calling else Significant.CALL_OFF)


# --- doors, keys, faults ----------------------------------------------------------------------------------------


def door_opened(draft: Draft, fact: DoorOpened) -> None:
    """Everything stops; the door is counted once per opening. What happened while the power was off is a matter of its
    own, which outlasts the closing of the door."""
    if fact.door not in draft.machine.open_doors:
        draft.set(open_doors=(*draft.machine.open_doors, fact.door))
        draft.count_named({f"doors:{fact.door.value}": 1})
        draft.log(Significant.DOOR_OPENED, fact.door.value)
        if fact.while_off:
            draft.log(Significant.DOOR_WHILE_OFF, fact.door.value)
            locks.lay(draft, LockKind.DOOR_WHILE_OFF, fact.door.value)
        locks.lay(draft, DOOR_LOCKS[fact.door])
    technician.look_for_technician(draft)


def door_closed(draft: Draft, fact: DoorClosed) -> None:
    """The same state as before comes back, unless something else locks it."""
    if fact.door not in draft.machine.open_doors:
        return
    left = tuple(door for door in draft.machine.open_doors if door is not fact.door)
    draft.set(open_doors=left)
    if fact.door is Door.MAIN:
        _mark(draft, "door_close", "games_played")
    draft.log(Significant.DOOR_CLOSED, fact.door.value)
    locks.condition_gone(draft, DOOR_LOCKS[fact.door])
    technician.door_closed(draft, fact.door)
    locks.audited(draft)


def _mark(draft: Draft, moment: str, *meters: str) -> None:
    """Remember what these meters say at this moment."""
    now = {f"{moment}.{name}": draft.machine.books.meter(name) for name in meters}
    draft.set(marks={**draft.machine.marks, **now})


def key_turned(draft: Draft, fact: KeyTurned) -> None:
    """The audit key opens the attendant's menu; the reset key settles what waits for the attendant's yes."""
    if fact.key is Key.AUDIT:
        if fact.on is not draft.machine.audit_key:
            draft.set(audit_key=fact.on, attract=False)
            draft.log(Significant.AUDIT_ENTERED if fact.on else Significant.AUDIT_LEFT)
        if fact.on:
            technician.look_for_technician(draft)
        else:
            technician.leave(draft)
    elif fact.on and draft.machine.clear_prepared:
        technician.clear_memory(draft)
    elif fact.on:
        _reset(draft)


def pin_entered(draft: Draft, fact: PinEntered) -> None:
    """Somebody has entered a PIN at the attendant's menu."""
    technician.pin_entered(draft, right=fact.right)


def recall_viewed(draft: Draft, fact: RecallViewed) -> None:
    """Somebody looks at what a player has played."""
    del fact
    draft.log(Significant.RECALL_VIEWED)


_RESET_SETTLES = {LockKind.HAND_PAY: Settlement.PAID_BY_HAND}
"""What the reset key's yes means where it is not a plain clearing."""


def _reset(draft: Draft) -> None:
    """The reset key: the first lock that takes a plain yes; with none, the call lamp goes out. What only the technician
    may lift, and what somebody has to compare with the papers, is lifted in the menu, seen what it is about."""
    for lock in draft.machine.locks:
        how, rule = _RESET_SETTLES.get(lock.kind, Settlement.CLEAR), LOCKS[lock.kind]
        in_menu = rule.technician or rule.stops_hand_pay
        if not in_menu and how in settlements_of(draft.machine, lock):
            settle_lock(draft, SettleLock(lock_id=lock.lock_id, how=how))
            return
    if draft.machine.calling:
        call_attendant(draft, CallAttendant())


_SILENCES_ACCEPTOR = frozenset({Fault.ACCEPTOR_LINK, Fault.ACCEPTOR_WRONG, Fault.ACCEPTOR_HARDWARE})
"""With these an acceptor may never speak of an open note again."""


def fault_began(draft: Draft, fact: FaultBegan) -> None:
    """A device's fault: logged, counted once while it lasts, and locked as its row says. One that lasts for another
    reason is logged again, and its lock says so: it is never gone in between."""
    kind = FAULT_LOCKS[fact.fault]
    told = f"{fact.fault.value}: {fact.detail}" if fact.detail else fact.fault.value
    if kind is not None and fact.fault in draft.machine.faults:
        if locks.reword(draft, kind, fact.detail):
            draft.log(Significant.FAULT_BEGAN, told)
        return
    draft.log(Significant.FAULT_BEGAN, told)
    if kind is not None:
        draft.set(faults=(*draft.machine.faults, fact.fault))
        locks.lay(draft, kind, fact.detail)
    if fact.fault in _SILENCES_ACCEPTOR:
        bills_in.doubt(draft)  # nobody may ever answer for it; if the acceptor does after all, that settles it
    if fact.fault is Fault.CASHBOX_REMOVED:
        _mark(draft, "cashbox", "bills_in", *(n for n in draft.machine.books.meters if n.startswith("bills:")))
        draft.count(cashbox_removals=1)


def fault_ended(draft: Draft, fact: FaultEnded) -> None:
    """A device says a fault is over."""
    if fact.fault not in draft.machine.faults:
        return
    draft.set(faults=tuple(fault for fault in draft.machine.faults if fault is not fact.fault))
    draft.log(Significant.FAULT_ENDED, fact.fault.value)
    kind = FAULT_LOCKS[fact.fault]
    if kind is not None:
        locks.condition_gone(draft, kind)


# --- power and idleness -----------------------------------------------------------------------------------------


def commissioned(draft: Draft, fact: MachineCommissioned) -> None:
    """Say in the log where this machine began."""
    draft.log(Significant.COMMISSIONED, fact.version)


def form_changed(draft: Draft, fact: FormChanged) -> None:
    """Say from which row on the program before this one cannot read the data."""
    why = f": {fact.why}" if fact.why else ""
    draft.log(Significant.FORM_CHANGED, f"form {fact.old} to {fact.new}{why}")


def powered_up(draft: Draft, fact: PoweredUp) -> None:
    """The program has started: count it, doubt what was under way, notice a changed program, audit the books."""
    machine = draft.machine
    what = Significant.POWER_UP_AFTER_CRASH if fact.crashed else Significant.POWER_UP
    notice = "" if fact.clean else (what if fact.crashed else Significant.POWER_LOST_IN_PLAY).value
    draft.count(power_ups=1)
    draft.log(what, fact.version)
    if not fact.clean and locks.hand_open(machine):
        draft.log(Significant.POWER_LOST_IN_PLAY, f"round {machine.round_number}")
    _mark(draft, "power_up", "games_played")
    draft.set(acceptor_ready=False, printer_ready=False, attract=False, notice=notice)
    technician.leave(draft)
    cash_out.doubt_open_ticket(draft)
    _compare_program(draft, fact.version, fact.program_hash)
    locks.audited(draft)


def program_checked(draft: Draft, fact: ProgramChecked) -> None:
    """The program was looked at again, with a door just closed: nobody plays on files that somebody has changed."""
    _compare_program(draft, fact.version, fact.program_hash)


def _compare_program(draft: Draft, version: str, program_hash: str) -> None:
    """Another program than the known one is logged and locks; from here on it is the known one."""
    machine = draft.machine
    if machine.program_hash and program_hash and machine.program_hash != program_hash:
        change = f"{machine.version} to {version}"
        draft.log(Significant.PROGRAM_CHANGED, f"{change}, files {machine.program_hash[:8]} to {program_hash[:8]}")
        locks.lay(draft, LockKind.PROGRAM_CHANGED, change)
    draft.set(version=version, program_hash=program_hash or machine.program_hash)


def settings_changed(draft: Draft, fact: SettingsChanged) -> None:
    """Log what changed; a table that is no longer offered as it was is left, its last bets are forgotten."""
    draft.log(Significant.OPTIONS_CHANGED, f"{fact.old} -> {fact.new}")
    machine = draft.machine
    draft.set(turbo=machine.turbo and draft.settings.turbo_allowed)
    locks.audited(draft)
    if not fact.of_play or locks.hand_open(machine) or machine.phase is Phase.CASHING_OUT:
        return
    bets.begin_anew(draft)


def memory_recovered(draft: Draft, fact: MemoryRecovered) -> None:
    """One copy of the data was made anew from the other."""
    draft.log(Significant.MEMORY_RECOVERED, fact.detail)
    locks.audited(draft)


def copies_not_compared(draft: Draft, fact: CopiesNotCompared) -> None:
    """Nobody is paid from a first copy that may be an old one, until the second is there or a person says so."""
    locks.lay(draft, LockKind.COPIES_NOT_COMPARED, fact.detail)


def copies_compared(draft: Draft, fact: CopiesCompared) -> None:
    """The first copy is no older than the second: its lock goes."""
    del fact
    lock = locks.find(draft.machine, LockKind.COPIES_NOT_COMPARED)
    if lock is not None:
        locks.lift(draft, lock)


def records_doubted(draft: Draft, fact: RecordsDoubted) -> None:
    """Money may have moved that these records do not know: a person compares them with the papers first."""
    locks.lay(draft, LockKind.RECORDS_IN_DOUBT, fact.detail)


def single_copy_found(draft: Draft, fact: SingleCopyFound) -> None:
    """Say, once per start, that a damaged medium would take everything with it."""
    del fact
    draft.log(Significant.SINGLE_COPY)


def records_dropped(draft: Draft, fact: RecordsDropped) -> None:
    """The log is full: its oldest entries go, and it says so. The seal is kept in this fact, which stays."""
    draft.log(Significant.LOG_OVERFLOW, f"entries before {fact.entry} and rows before {fact.row} are no longer kept")


def clock_jumped(draft: Draft, fact: ClockJumped) -> None:
    """The order of the log is that of its numbers; this entry explains why the times beside them jump."""
    draft.log(Significant.CLOCK_JUMPED, f"by {fact.seconds:+d} s")
    session.clock_jumped(draft, fact)


def powered_down(draft: Draft, fact: PoweredDown) -> None:
    """An orderly stop."""
    del fact
    draft.log(Significant.POWER_DOWN)


def player_left(draft: Draft, fact: PlayerLeft) -> None:
    """No player is here: show the attract mode where nothing waits, and without money forget what the player chose."""
    del fact
    machine = draft.machine
    idle = machine.phase in {Phase.CHOOSING, Phase.BETTING, Phase.SETTLED} and not sum(machine.bets)
    if idle and not machine.audit_key and not locks.play_stopped(machine):
        draft.set(attract=True)
        if not session.held_cents(machine) and not machine.paper_open:
            bets.forget_player(draft)


def hand_abandoned(draft: Draft, fact: HandAbandoned) -> None:
    """An open hand waits for ever and is never played for the player; the attendant is called to look after it."""
    del fact
    if not locks.hand_open(draft.machine):
        return
    draft.log(Significant.HAND_ABANDONED, f"round {draft.machine.round_number}")
    if not draft.machine.calling:
        call_attendant(draft, CallAttendant())

"""What a start, an end and housekeeping report: power, program, settings, copies, records, clock, idleness.

Facts cannot be refused; each has a handler here for every state.
"""

from cabinet.engine import bets, cash_out, locks, session, technician
from cabinet.engine.doors_and_keys import call_attendant
from cabinet.engine.inputs import (
    CallAttendant,
    ClockJumped,
    CopiesCompared,
    CopiesNotCompared,
    HandAbandoned,
    MemoryRecovered,
    PlayerLeft,
    PoweredDown,
    PoweredUp,
    ProgramChecked,
    RecordsDoubted,
    RecordsDropped,
    SettingsChanged,
    SingleCopyFound,
)
from cabinet.engine.log import LogKind
from cabinet.engine.record_facts import FormChanged, MachineCommissioned, UpdateTakenBack
from cabinet.engine.state import LockKind, Phase
from cabinet.engine.step import StepBuilder


def commissioned(step: StepBuilder, fact: MachineCommissioned) -> None:
    """Logs where this machine began."""
    step.log(LogKind.COMMISSIONED, fact.version)
    if fact.out_of_service:
        locks.add_lock(step, LockKind.OUT_OF_SERVICE)
        step.log(LogKind.OUT_OF_SERVICE)


def form_changed(step: StepBuilder, fact: FormChanged) -> None:
    """Logs the row from which the program before this one cannot read the data."""
    why = f": {fact.why}" if fact.why else ""
    step.log(LogKind.FORM_CHANGED, f"form {fact.old} to {fact.new}{why}")


def update_taken_back(step: StepBuilder, fact: UpdateTakenBack) -> None:
    """Logs that the program before was put back, and why."""
    step.log(LogKind.UPDATE_TAKEN_BACK, f"version {fact.version} at {fact.at}: {fact.why}")


def powered_up(step: StepBuilder, fact: PoweredUp) -> None:
    """Handles a start of the program: counts it, puts an open print in doubt, detects a changed program."""
    machine = step.machine
    what = LogKind.POWER_UP_AFTER_CRASH if fact.crashed else LogKind.POWER_UP
    notice = "" if fact.clean else (what if fact.crashed else LogKind.POWER_LOST_IN_PLAY).value
    step.count(power_ups=1)
    step.log(what, fact.version)
    if not fact.clean and locks.hand_open(machine):
        step.log(LogKind.POWER_LOST_IN_PLAY, f"round {machine.round_number}")
    step.mark("power_up", "games_played")
    step.update(attract=False)
    step.update_acceptor(ready=False)
    step.update_printer(ready=False)
    step.update_shown(notice=notice)
    if machine.session is None:
        session.forget_payment(step)
    technician.leave(step)
    cash_out.doubt_open_ticket(step)
    _compare_program(step, fact.version, fact.program_hash)


def program_checked(step: StepBuilder, fact: ProgramChecked) -> None:
    """Compares the program's hash after a door was closed: changed files lock the machine."""
    _compare_program(step, fact.version, fact.program_hash)


def _compare_program(step: StepBuilder, version: str, program_hash: str) -> None:
    """Logs and locks for a program that is not the known one; it is the known one from now on."""
    machine = step.machine
    if machine.program.files_hash and program_hash and machine.program.files_hash != program_hash:
        change = f"{machine.program.version} to {version}"
        step.log(LogKind.PROGRAM_CHANGED, f"{change}, files {machine.program.files_hash[:8]} to {program_hash[:8]}")
        locks.add_lock(step, LockKind.PROGRAM_CHANGED, change)
    step.update_program(version=version, files_hash=program_hash or machine.program.files_hash)


SETTINGS_ACCESS = "access level: system administrator, in the settings file"
"""The access level of every change of a setting: no page of the machine changes one."""


def settings_changed(step: StepBuilder, fact: SettingsChanged) -> None:
    """Logs changed settings; leaves a table that is no longer offered in the same form, and clears its last bets."""
    step.log(LogKind.OPTIONS_CHANGED, f"{fact.old} -> {fact.new}; {SETTINGS_ACCESS}")
    machine = step.machine
    step.update_seat(turbo=machine.seat.turbo and step.settings.turbo_allowed)
    step.require_audit()
    if not fact.of_play or locks.hand_open(machine) or machine.phase is Phase.CASHING_OUT:
        return
    bets.reset_play(step)


def memory_recovered(step: StepBuilder, fact: MemoryRecovered) -> None:
    """Logs that one copy of the data was renewed from the other."""
    step.log(LogKind.MEMORY_RECOVERED, fact.detail)
    step.require_audit()


def copies_not_compared(step: StepBuilder, fact: CopiesNotCompared) -> None:
    """Locks because the first copy may be an old one: nothing is paid until the second is there or the attendant
    decides."""
    locks.add_lock(step, LockKind.COPIES_NOT_COMPARED, fact.detail)


def copies_compared(step: StepBuilder, _fact: CopiesCompared) -> None:
    """Clears the lock of copies that were not compared: the first is no older than the second."""
    lock = locks.find(step.machine, LockKind.COPIES_NOT_COMPARED)
    if lock is not None:
        locks.clear_lock(step, lock)


def records_doubted(step: StepBuilder, fact: RecordsDoubted) -> None:
    """Locks because money may have moved that is not in these records: the attendant compares them with the printed
    reports first."""
    locks.add_lock(step, LockKind.RECORDS_IN_DOUBT, fact.detail)


def single_copy_found(step: StepBuilder, _fact: SingleCopyFound) -> None:
    """Logs, once per start, that there is only one copy, so that a damaged medium would destroy all data."""
    step.log(LogKind.SINGLE_COPY)


def records_dropped(step: StepBuilder, fact: RecordsDropped) -> None:
    """Logs that the oldest entries are dropped. Their seal stays in this fact."""
    step.log(LogKind.LOG_OVERFLOW, f"entries before {fact.entry} and rows before {fact.row} are no longer kept")


def clock_jumped(step: StepBuilder, fact: ClockJumped) -> None:
    """Logs a jump of the clock; the order of the log is that of its numbers, not of its times."""
    step.log(LogKind.CLOCK_JUMPED, f"by {fact.seconds:+d} s")
    session.clock_jumped(step, fact)


def powered_down(step: StepBuilder, _fact: PoweredDown) -> None:
    """Records an orderly stop."""
    step.log(LogKind.POWER_DOWN)


def player_left(step: StepBuilder, _fact: PlayerLeft) -> None:
    """Shows the attract mode if nothing waits; without money it also forgets the player's choices."""
    machine = step.machine
    idle = machine.phase in {Phase.CHOOSING, Phase.BETTING, Phase.SETTLED} and not sum(machine.seat.bets)
    if idle and not machine.access.audit_key and not locks.play_stopped(machine):
        step.update(attract=True)
        if not session.held_cents(machine) and machine.acceptor.in_path is None:
            bets.forget_player(step)


def hand_abandoned(step: StepBuilder, _fact: HandAbandoned) -> None:
    """Calls the attendant to an open hand. It waits for ever and is never played for the player."""
    if not locks.hand_open(step.machine):
        return
    step.log(LogKind.HAND_ABANDONED, f"round {step.machine.round_number}")
    if not step.machine.calling:
        call_attendant(step, CallAttendant())

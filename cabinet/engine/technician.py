"""Technician login and memory clear.

Rules that hold: the person who turns the audit key is the attendant; with the logic door open, and the PIN where one
is asked for, it is the technician until the key goes back. The memory is cleared only by the technician, behind the
open logic door, with the reset key as a second yes, and never while the machine holds anything of a player's. The count
of clears and the numbers of tickets, receipts, rounds and closings go on, and so does what is in the cash box.
Source: requirements SE-07, PL-09, ME-03 and the event table (3A, 7A).
"""

from cabinet.engine import bets, closings, ledger, locks
from cabinet.engine.effects import MemoryCleared, Reason
from cabinet.engine.inputs import Door, PrepareMemoryClear
from cabinet.engine.ledger import Account, Books
from cabinet.engine.log import LogKind
from cabinet.engine.money import plain_amount
from cabinet.engine.state import LockKind, Machine, NoteIntent, Settings, TicketIntent
from cabinet.engine.step import StepBuilder

TRIES = 3
"""After this count of wrong PINs no PIN is taken for a time. Only that time or the right PIN ends the count: a door may
be closed and opened at will."""

# --- the technician's level -------------------------------------------------------------------------------------


def may_enter_pin(settings: Settings, machine: Machine) -> bool:
    """Returns True if a PIN would be accepted now."""
    open_ = settings.technician_pin and _at_the_logic(machine) and not machine.access.technician
    return open_ and not is_locked_out(machine)


def is_locked_out(machine: Machine) -> bool:
    """Returns True while no PIN is taken because of too many wrong ones."""
    return machine.access.wrong_pins >= TRIES


def end_lock_out(step: StepBuilder) -> None:
    """Lets PINs be tried again, after the time of a lock-out."""
    if is_locked_out(step.machine):
        step.update_access(wrong_pins=0)


def _at_the_logic(machine: Machine) -> bool:
    return machine.access.audit_key and Door.LOGIC in machine.access.open_doors


def detect_technician(step: StepBuilder) -> None:
    """Handles a move of the key or the door: if no PIN is needed, both together give the technician's level."""
    machine = step.machine
    if _at_the_logic(machine) and not step.settings.technician_pin and not machine.access.technician:
        _enter(step)


def pin_entered(step: StepBuilder, *, right: bool) -> None:
    """Applies a PIN: the right one gives the technician's level; a wrong one is logged and counted."""
    machine = step.machine
    if not may_enter_pin(step.settings, machine):
        return
    if right:
        _enter(step)
        return
    step.update_access(wrong_pins=machine.access.wrong_pins + 1)
    step.log(LogKind.PIN_WRONG, f"{machine.access.wrong_pins + 1} of {TRIES}")


def _enter(step: StepBuilder) -> None:
    step.update_access(technician=True, wrong_pins=0)
    step.log(LogKind.TECHNICIAN_ENTERED)


def leave(step: StepBuilder) -> None:
    """Ends the technician's level, after the audit key was turned back or the power was off."""
    _give_up_clear(step)
    if step.machine.access.technician:
        step.update_access(technician=False)
        step.log(LogKind.TECHNICIAN_LEFT)


def door_closed(step: StepBuilder, door: Door) -> None:
    """Gives up a prepared clear."""
    if door is Door.LOGIC:
        _give_up_clear(step)


# --- the memory clear -------------------------------------------------------------------------------------------


def holdings(machine: Machine) -> tuple[str, ...]:
    """Returns what the machine holds that may belong to a player, in words; empty for nothing."""
    balance = machine.books.balance
    paid = plain_amount(balance(Account.IN_TRANSIT))
    things = (
        (bool(machine.books.credit_cents), f"a credit of {plain_amount(machine.books.credit_cents)}"),
        (locks.hand_open(machine) or bool(balance(Account.TABLE)), "an open hand"),
        (isinstance(machine.acceptor.in_path, NoteIntent), "a note still in the acceptor"),
        (isinstance(machine.acceptor.in_path, TicketIntent), "a ticket still in the acceptor"),
        (
            bool(balance(Account.IN_TRANSIT)),
            f"an unsettled payout of {paid}",
        ),
        (locks.find(machine, LockKind.NOTE_IN_DOUBT) is not None, "a note in doubt"),
        (locks.find(machine, LockKind.TICKET_IN_DOUBT) is not None, "a ticket in doubt"),
    )
    return (*(words for there, words in things if there), *_unexpected(machine))


_UNEXPECTED = {LockKind.UNEXPECTED_NOTE: "note", LockKind.UNEXPECTED_TICKET: "ticket"}


def _unexpected(machine: Machine) -> tuple[str, ...]:
    """Returns the notes and tickets without an intent that are not settled: they may belong to a player, at any
    value."""
    unsettled = [lock for lock in machine.locks if lock.kind in _UNEXPECTED]
    named = (
        f"an unexpected {_UNEXPECTED[lock.kind]} of {plain_amount(lock.cents) if lock.cents else 'unknown value'}"
        for lock in unsettled
    )
    rest = machine.books.balance(Account.SUSPENSE) - sum(lock.cents for lock in unsettled)
    return (*named, *((f"{plain_amount(rest)} in suspense",) if rest else ()))


def _may_clear(machine: Machine) -> bool:
    return machine.access.technician and _at_the_logic(machine) and not holdings(machine)


def why_not_prepare(_settings: Settings, machine: Machine, command: PrepareMemoryClear) -> Reason | None:
    """Requires the technician at the open logic door, and nothing in the machine that may belong to a player."""
    if command.on is machine.access.clear_prepared:
        return Reason.NOT_NOW
    return None if not command.on or _may_clear(machine) else Reason.NOT_ALLOWED


def prepare_clear(step: StepBuilder, command: PrepareMemoryClear) -> None:
    """Makes the reset key clear the memory and nothing else, or ends that."""
    if command.on:
        step.update_access(clear_prepared=True)
        step.log(LogKind.MEMORY_CLEAR_PREPARED)
    else:
        _give_up_clear(step)


def _give_up_clear(step: StepBuilder) -> None:
    if step.machine.access.clear_prepared:
        step.update_access(clear_prepared=False)
        step.log(LogKind.MEMORY_CLEAR_LEFT)


_GONE_WITH_THE_BOOKS = frozenset(
    {
        LockKind.SELF_AUDIT,
        LockKind.EXCESSIVE_INCREMENT,
        LockKind.EXCESSIVE_REJECTS,
        LockKind.LARGE_WIN,
        LockKind.PLAYER_LIMIT,
    }
)
"""Locks that were about what is cleared. All others are about the world, which is as it was."""


def clear_memory(step: StepBuilder) -> None:
    """Clears the memory after the reset key was turned with a clear prepared: every balance and meter starts from zero,
    in this one step. What is in the cash box stays known."""
    if not _may_clear(step.machine):
        _give_up_clear(step)
        return
    machine = step.machine
    meters, in_box_cents = machine.books.meters, closings.box_cents(machine)
    step.update(
        books=Books(meters=ledger.cleared(meters)),
        period_start={},
        marks=closings.carried_marks(meters, machine.marks),
        session=None,
    )
    step.update_acceptor(rejects_in_a_row=0)
    step.update_access(clear_prepared=False)
    step.update_seat(insurance_offer_cents=0, turbo=False)
    step.update_shown(last_paid_cents=0, paid_out_cents=0, paid_out_total_cents=0)
    bets.reset_play(step)
    step.count_named({"memory_clears": 1, closings.AT_CLEAR: in_box_cents, **closings.cleared_numbers(meters)})
    number = step.machine.books.meter("memory_clears")
    step.emit(MemoryCleared(number=number))
    step.log(LogKind.MEMORY_CLEARED, f"clear no. {number}")
    step.log(LogKind.METERS_ZEROED, "in the cash box", in_box_cents)
    for lock in machine.locks:
        if lock.kind in _GONE_WITH_THE_BOOKS:
            locks.clear_lock(step, lock)

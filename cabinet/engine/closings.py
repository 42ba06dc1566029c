"""Closings: the end of a period, the removal of the cash box, and the count of its money.

Rules that hold: a closing moves no money and no lifetime meter of money; its number is a meter that a memory clear
keeps; what grew over it follows from the meters and from those at its beginning, so the journal computes the same
figures from its rows. A count changes nothing but the log; the newest one holds. Knows no time of day.
Source: requirements AT-10, ME-04, ME-03.
"""

from collections.abc import Collection, Mapping

from cabinet.engine import locks
from cabinet.engine.closing_facts import ClosingKind, EnterCount
from cabinet.engine.effects import Reason
from cabinet.engine.inputs import ResetPeriod
from cabinet.engine.log import LogKind
from cabinet.engine.money import plain_amount
from cabinet.engine.state import LockKind, Machine, Settings
from cabinet.engine.step import StepBuilder

NUMBERS: Mapping[ClosingKind, str] = {kind: f"closings:{kind.value}" for kind in ClosingKind}
"""The meter that counts the closings of a kind, which is the number of the newest one."""
REMOVALS = "cashbox_removals"
AT_CLEAR = "cashbox_at_clear"
"""The meter with the value of the notes that were in the cash box when the memory was cleared."""
NO_GROWTH = frozenset({*NUMBERS.values(), AT_CLEAR})
"""Meters whose growth means nothing: a memory clear raises them to what they were."""
_BOX = "cashbox."
"""Begins the marks that were set when the cash box was removed last."""
_NOTES = ("bills_in", "bills:")
_BOXED = (REMOVALS, "tickets_in", "tickets_in_count", "coin_in", "coin_out", "tickets_out", "hand_paid", "games_played")
"""The meters besides those of notes that are followed from one removal of the cash box to the next."""


# --- what grew --------------------------------------------------------------------------------------------------


def period_growth(meters: Mapping[str, int], start: Mapping[str, int]) -> dict[str, int]:
    """Returns the growth of every meter since the period began with the meters `start`."""
    grown = {name: value - start.get(name, 0) for name, value in meters.items() if name not in NO_GROWTH}
    return {name: value for name, value in grown.items() if value}


def box_growth(meters: Mapping[str, int], marks: Mapping[str, int]) -> dict[str, int]:
    """Returns the growth of the meters of the cash box since its last removal. Only notes are known if an older program
    recorded that removal."""
    boxed = {name.removeprefix(_BOX): value for name, value in marks.items() if name.startswith(_BOX)}
    whole = meters.get(REMOVALS, 0) == boxed.get(REMOVALS, 0)
    names = {name for name in (*meters, *boxed) if name.startswith(_NOTES) or (whole and name in _BOXED)}
    grown = {name: meters.get(name, 0) - boxed.get(name, 0) for name in sorted(names)}
    return {name: value for name, value in grown.items() if value}


def box_marks(meters: Mapping[str, int], *, notes_only: bool = False) -> dict[str, int]:
    """Returns the marks of the cash box when it is removed with these meters. An older program marked only notes."""
    names = (name for name in meters if name.startswith(_NOTES) or (name in _BOXED and not notes_only))
    return {f"{_BOX}{name}": meters[name] for name in names}


def carried_marks(meters: Mapping[str, int], marks: Mapping[str, int]) -> dict[str, int]:
    """Returns the marks of the cash box behind a memory clear: what is in it stays in it, although the meters begin at
    zero."""
    names = {*box_marks(meters), *(name for name in marks if name.startswith(_BOX))}
    carried = {name: marks.get(name, 0) - meters.get(name.removeprefix(_BOX), 0) for name in sorted(names)}
    return {name: value for name, value in carried.items() if value}


def without_box(marks: Mapping[str, int]) -> dict[str, int]:
    """Returns the marks that are not those of the cash box."""
    return {name: value for name, value in marks.items() if not name.startswith(_BOX)}


def box_cents(machine: Machine) -> int:
    """Returns the value of the notes in the cash box, in cents."""
    return machine.books.meter("bills_in") - machine.marks.get(f"{_BOX}bills_in", 0)


def cleared_numbers(meters: Mapping[str, int]) -> dict[str, int]:
    """Returns the numbers of the newest closings, which a memory clear keeps."""
    return {name: meters[name] for name in NUMBERS.values() if meters.get(name)}


def closed_in(counts: Collection[str]) -> tuple[ClosingKind, ...]:
    """Returns the kinds of closings in a step that raised these meters. A memory clear only carries their numbers."""
    if not counts or AT_CLEAR in counts:
        return ()
    return tuple(kind for kind, name in NUMBERS.items() if name in counts)


# --- closing ----------------------------------------------------------------------------------------------------


def close_period(step: StepBuilder, _command: ResetPeriod) -> None:
    """Closes the period: period meters start from zero, lifetime meters stay."""
    cents = period_growth(step.machine.books.meters, step.machine.period_start).get("bills_in", 0)
    step.count_named({NUMBERS[ClosingKind.PERIOD]: 1})
    step.update(period_start=dict(step.machine.books.meters))
    step.log(LogKind.PERIOD_RESET, _number(step.machine, ClosingKind.PERIOD), cents)


def close_cash_box(step: StepBuilder) -> tuple[str, int]:
    """Closes the cash box that is taken out: the next one is empty. Returns the number in words and the value of the
    notes in it, for the log."""
    cents = box_cents(step.machine)
    step.count_named({REMOVALS: 1, NUMBERS[ClosingKind.CASH_BOX]: 1})
    step.update(marks={**without_box(step.machine.marks), **box_marks(step.machine.books.meters)})
    return _number(step.machine, ClosingKind.CASH_BOX), cents


def _number(machine: Machine, kind: ClosingKind) -> str:
    return f"no. {machine.books.meter(NUMBERS[kind])}"


# --- counting ---------------------------------------------------------------------------------------------------


def why_not_count(_settings: Settings, machine: Machine, command: EnterCount) -> Reason | None:
    """Requires a closing of this number, and a confirmed program: the program before this one knows no count."""
    if locks.find(machine, LockKind.PROGRAM_CHANGED) is not None:
        return Reason.LOCKED
    known = 0 < command.number <= machine.books.meter(NUMBERS[command.kind])
    return None if known and command.cents >= 0 else Reason.NO_SUCH


def enter_count(step: StepBuilder, command: EnterCount) -> None:
    """Logs a count with the difference and the access level. An older count of the same closing stays in the log."""
    apart = command.cents - command.expected_cents
    person = "technician" if step.machine.access.technician else "attendant"
    difference = f"{'+' if apart > 0 else ''}{plain_amount(apart)}"
    words = f"expected {plain_amount(command.expected_cents)}, difference {difference}, by the {person}"
    step.log(LogKind.COUNT_ENTERED, f"{command.kind.value} no. {command.number}: {words}", command.cents)

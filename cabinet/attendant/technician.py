"""The technician's pages as lines of text: access level, PIN and memory clear. Pure.

Rules: of a PIN no digit is shown; the text follows the checks that the machine makes.
"""

import math
from collections.abc import Callable

from cabinet.attendant.data import AttendantData
from cabinet.attendant.pages import Line, LineStyle, sentences
from cabinet.engine import locks, technician
from cabinet.engine.inputs import Door
from cabinet.engine.state import LockKind, Machine
from cabinet.text.attendant_words import text

PIN_LENGTH = 6
"""Digits of a technician's PIN."""
ONLY = text("Only the technician may settle it: open the logic door with the audit key turned; see Technician.")
_PREPARED = text(
    "NOW TURN THE RESET KEY: it clears the memory. Choose Keep the memory, close the logic door or turn the audit key "
    "back to keep it."
)


def level_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the access level, and what the next level needs."""
    machine, strong = data.machine, LineStyle.STRONG
    here = data.say("technician") if machine.access.technician else data.say("attendant")
    level = Line(cells=(data.say("Level"), here), style=strong)
    clears = Line(cells=(data.say("Memory clears so far"), f"{machine.books.meter('memory_clears')}"))
    if machine.access.clear_prepared:
        return (
            level,
            clears,
            *(Line(cells=line.cells, style=LineStyle.WARN) for line in sentences(data.say(_PREPARED))),
        )
    return (level, clears, *sentences(_missing(data)))


def pin_outcome(machine: Machine, say: Callable[..., str]) -> str:
    """Returns what became of the PIN that was entered; `say` is that of the attendant's data."""
    if machine.access.technician:
        return say("The PIN is right: you are the technician.")
    return say("Wrong PIN. Tries left: {count}.", count=technician.TRIES - machine.access.wrong_pins)


def _missing(data: AttendantData) -> str:
    machine = data.machine
    if technician.is_locked_out(machine):
        return data.say(
            "{count} wrong PINs. Minutes until a PIN is taken again: {minutes}. A restart begins this time again. Each "
            "try is in the log.",
            count=technician.TRIES,
            minutes=max(1, math.ceil(data.pin_wait_s / 60)),
        )
    if not machine.access.technician:
        open_ = Door.LOGIC in machine.access.open_doors
        if open_ and data.settings.technician_pin:
            return data.say("Enter the PIN.")
        return data.say("Open the logic door to be the technician.")
    if Door.LOGIC not in machine.access.open_doors:
        return data.say("The memory can be cleared only with the logic door open.")
    held = technician.holdings(machine)
    if held:
        return data.say("The memory cannot be cleared while the machine holds {what}.", what=" and ".join(held))
    return data.say("The memory can be cleared.")


def asked(data: AttendantData) -> str:
    """Returns what the technician must check; empty for nothing."""
    doubted = locks.find(data.machine, LockKind.CLOCK_INVALID) is not None
    return data.say("The clock is not valid: see Locks.") if doubted else ""


def clear_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns what a memory clear does."""
    number = data.machine.books.meter("memory_clears") + 1
    words = data.say(
        "Every lifetime and period meter and all books begin at zero. The event log, the last games, the tickets and "
        "their numbers stay. The log keeps this for ever as clear no. {number}. Print an audit ticket first. Choose "
        "Yes, then turn the reset key.",
        number=number,
    )
    return sentences(words)


def pin_lines(data: AttendantData, entered: int) -> tuple[Line, ...]:
    """Returns the PIN during entry: a star for each digit."""
    left = technician.TRIES - data.machine.access.wrong_pins
    shown = " ".join("*" * entered + "_" * (PIN_LENGTH - entered))
    return (
        Line(cells=(data.say("PIN"), shown), style=LineStyle.STRONG),
        Line(cells=(data.say("Tries left"), f"{left}")),
        *sentences(data.say("The last digit enters the PIN.")),
    )

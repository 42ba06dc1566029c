"""The technician's pages as lines of text: access level, PIN and memory clear. Pure.

Rules: of a PIN only the current digit is shown; the text follows the checks that the machine makes.
"""

from cabinet.attendant.data import AttendantData
from cabinet.attendant.pages import Line, LineStyle, sentences
from cabinet.engine import locks, technician
from cabinet.engine.inputs import Door
from cabinet.engine.state import LockKind, Machine

PIN_LENGTH = 6
"""Digits of a technician's PIN."""
ONLY = "Only the technician may settle it: open the logic door with the audit key turned; see Technician."
_PREPARED = (
    "NOW TURN THE RESET KEY: it clears the memory. Choose Keep the memory, close the logic door or turn the audit key "
    "back to keep it."
)


def level_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the access level, and what the next level needs."""
    machine, strong = data.machine, LineStyle.STRONG
    level = Line(cells=("Level", "technician" if machine.access.technician else "attendant"), style=strong)
    clears = Line(cells=("Memory clears so far", f"{machine.books.meter('memory_clears')}"))
    if machine.access.clear_prepared:
        return (level, clears, *(Line(cells=line.cells, style=LineStyle.WARN) for line in sentences(_PREPARED)))
    return (level, clears, *sentences(_missing(data)))


def pin_outcome(machine: Machine) -> str:
    """Returns what became of the PIN that was entered."""
    left = technician.TRIES - machine.access.wrong_pins
    if machine.access.technician:
        return "The PIN is right: you are the technician."
    return f"Wrong PIN, {left} {'try' if left == 1 else 'tries'} left." if left else "Wrong PIN, no tries left."


def _missing(data: AttendantData) -> str:
    machine = data.machine
    if machine.access.wrong_pins >= technician.TRIES:
        return f"{technician.TRIES} wrong PINs: close the logic door and open it again. Each try is in the log."
    if not machine.access.technician:
        open_ = Door.LOGIC in machine.access.open_doors
        return (
            "Enter the PIN." if open_ and data.settings.technician_pin else "Open the logic door to be the technician."
        )
    if Door.LOGIC not in machine.access.open_doors:
        return "The memory can be cleared only with the logic door open."
    held = technician.holdings(machine)
    if held:
        return f"The memory cannot be cleared while the machine holds {' and '.join(held)}."
    return "The memory can be cleared."


def asked(data: AttendantData) -> str:
    """Returns what the technician must check; empty for nothing."""
    doubted = locks.find(data.machine, LockKind.CLOCK_INVALID) is not None
    return "The clock is not valid: see Locks." if doubted else ""


def clear_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns what a memory clear does."""
    number = data.machine.books.meter("memory_clears") + 1
    words = (
        "Every lifetime and period meter and all books begin at zero. The event log, the last games, the tickets and "
        f"their numbers stay. The log keeps this for ever as clear no. {number}. Print an audit ticket first. Choose "
        "Yes, then turn the reset key."
    )
    return sentences(words)


def pin_lines(data: AttendantData, pin: str) -> tuple[Line, ...]:
    """Returns the PIN during entry: stars, and the current digit."""
    left = technician.TRIES - data.machine.access.wrong_pins
    shown = " ".join((*("*" * (len(pin) - 1)), pin[-1], *("_" * (PIN_LENGTH - len(pin)))))
    return (Line(cells=("PIN", shown), style=LineStyle.STRONG), Line(cells=("Tries left", f"{left}")))

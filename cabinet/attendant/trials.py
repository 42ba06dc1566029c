"""The attendant's tests of lamps, buttons, sound, display, acceptor and printer, as lines of text. Pure.

Rules: TEST stands above each; nothing here is played, no meter moves, the acceptor takes no note meanwhile. Does not
know how a sound is made or a colour is drawn: it names them.
"""

from cabinet.attendant.data import AttendantData
from cabinet.attendant.pages import Line, LineStyle
from cabinet.engine import locks
from cabinet.engine.inputs import Button, Door
from cabinet.engine.state import LockKind

SOUNDS = ("card", "chip", "press", "win_small", "win_medium", "win_large", "push", "refusal", "alarm")
"""The sounds by the names of their files."""

Colour = tuple[int, int, int]
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)
CYAN, MAGENTA, YELLOW = (0, 255, 255), (255, 0, 255), (255, 255, 0)
PICTURES: tuple[tuple[str, tuple[Colour, ...]], ...] = (
    ("bars: white, yellow, cyan, green, magenta, red, blue, black",
     (WHITE, YELLOW, CYAN, GREEN, MAGENTA, RED, BLUE, BLACK)),
    ("all red", (RED,)),
    ("all green", (GREEN,)),
    ("all blue", (BLUE,)),
    ("all white", (WHITE,)),
    ("all black", (BLACK,)),
    ("greys from black to white", tuple((level, level, level) for level in range(0, 256, 17))),
)  # fmt: skip
"""Each picture's name and its colours from left to right."""

_ACCEPTOR_LOCKS = (
    LockKind.BILL_JAM,
    LockKind.BILL_CHEAT,
    LockKind.CASHBOX_REMOVED,
    LockKind.CASHBOX_FULL,
    LockKind.CASHBOX_NEAR_FULL,
    LockKind.EXCESSIVE_REJECTS,
    LockKind.ACCEPTOR_FAULT,
    LockKind.ACCEPTOR_LINK,
    LockKind.ACCEPTOR_WRONG,
    LockKind.ACCEPTOR_EVENTS_LOST,
)
_PRINTER_LOCKS = (
    LockKind.PRINTER_LINK,
    LockKind.PRINTER_FAULT,
    LockKind.PRINTER_COVER,
    LockKind.PRINTER_JAM,
    LockKind.PAPER_OUT,
    LockKind.PAPER_LOW,
)
_NOTES_SHOWN = 4


def _head(words: str) -> Line:
    return Line(cells=("TEST", words), style=LineStyle.HEAD)


def lamp_lines(data: AttendantData, pressed: frozenset[Button]) -> tuple[Line, ...]:
    """Every lamp is lit; a button that is pressed is only seen, but for CLEAR. Below, how doors and audit key stand."""
    buttons = ((button.value.upper(), _tested(button, pressed)) for button in Button)
    doors = ((door.value.capitalize(), "open" if door in data.machine.open_doors else "shut") for door in Door)
    return (
        _head("press every button but CLEAR: each goes dark"),
        *(Line(cells=pair) for pair in buttons),
        *(Line(cells=pair) for pair in doors),
        Line(cells=("Audit key", "turned" if data.machine.audit_key else "not turned")),
    )


def _tested(button: Button, pressed: frozenset[Button]) -> str:
    if button is Button.CLEAR:
        return "ends the test"
    return "works" if button in pressed else "not pressed yet"


def sound(trial: int) -> str:
    """The sound that is tried."""
    return SOUNDS[trial]


def sound_lines(trial: int) -> tuple[Line, ...]:
    """Which sound is heard now."""
    return (
        _head("one sound with each press"),
        *(
            Line(cells=(name.replace("_", " "), "heard now" if number == trial else ""))
            for number, name in enumerate(SOUNDS)
        ),
    )


def pattern(trial: int) -> tuple[Colour, ...]:
    """The colours that are tried."""
    return PICTURES[trial][1]


def display_lines(trial: int) -> tuple[Line, ...]:
    """Which picture is shown now."""
    return (_head(PICTURES[trial][0]),)


def device_lines(data: AttendantData) -> tuple[Line, ...]:
    """How acceptor and printer are, by their own words, and the last notes."""
    machine = data.machine
    return (
        _head("notes go back, nothing is credited"),
        Line(cells=("Acceptor", "has reported" if machine.acceptor_ready else "has not reported since the start")),
        *_standing(data, _ACCEPTOR_LOCKS),
        Line(cells=("Printer", "has reported" if machine.printer_ready else "has not reported since the start")),
        *_standing(data, _PRINTER_LOCKS),
        Line(cells=("Last notes",), style=LineStyle.HEAD),
        *(Line(cells=(each.what, each.when)) for each in data.notes[:_NOTES_SHOWN]),
    )


def _standing(data: AttendantData, kinds: tuple[LockKind, ...]) -> tuple[Line, ...]:
    found = [lock for kind in kinds if (lock := locks.find(data.machine, kind)) is not None]
    named = tuple(Line(cells=("", lock.kind.value), style=LineStyle.WARN) for lock in found)
    return named or (Line(cells=("", "no fault")),)

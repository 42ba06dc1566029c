"""The attendant's tests of lamps, buttons, sound, display, acceptor and printer, as lines of text. Pure.

Rules: each page is marked TEST; no test moves a meter; the acceptor takes no note during a test. The module only names
sounds and colours; it does not play or draw them.
"""

from cabinet.attendant.data import AttendantData
from cabinet.attendant.pages import Line, LineStyle
from cabinet.engine import locks
from cabinet.engine.inputs import Button, Door
from cabinet.engine.state import LockKind
from cabinet.text.attendant_words import text

_NAMES = {
    "card": text("card"),
    "chip": text("chip"),
    "press": text("press"),
    "win_small": text("small win"),
    "win_medium": text("medium win"),
    "win_large": text("large win"),
    "push": text("push"),
    "refusal": text("refusal"),
    "alarm": text("alarm"),
}
SOUNDS = tuple(_NAMES)
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
    """Returns the state of each button (CLEAR ends the test), and below that of the doors and the audit key."""
    buttons = ((button.value.upper(), _tested(data, button, pressed)) for button in Button)
    opened, shut = data.say("open"), data.say("shut")
    turned = data.say("turned") if data.machine.access.audit_key else data.say("not turned")
    doors = (
        (data.say(door.value.capitalize()), opened if door in data.machine.access.open_doors else shut) for door in Door
    )
    return (
        _head(data.say("press every button but CLEAR: each goes dark")),
        *(Line(cells=pair) for pair in buttons),
        *(Line(cells=pair) for pair in doors),
        Line(cells=(data.say("Audit key"), turned)),
    )


def _tested(data: AttendantData, button: Button, pressed: frozenset[Button]) -> str:
    if button is Button.CLEAR:
        return data.say("ends the test")
    return data.say("works") if button in pressed else data.say("not pressed yet")


def sound(trial: int) -> str:
    """Returns the tested sound."""
    return SOUNDS[trial]


def sound_lines(data: AttendantData, trial: int, *, silent: bool = False) -> tuple[Line, ...]:
    """Returns the list of sounds, with the one that plays now; `silent` is for a cabinet without a loudspeaker."""
    now = data.say("not heard") if silent else data.say("heard now")
    return (
        _head(data.say("one sound with each press")),
        *(Line(cells=(data.say(name), now if number == trial else "")) for number, name in enumerate(_NAMES.values())),
    )


def pattern(trial: int) -> tuple[Colour, ...]:
    """Returns the tested colours."""
    return PICTURES[trial][1]


def display_lines(data: AttendantData, trial: int) -> tuple[Line, ...]:
    """Returns the name of the tested picture."""
    return (_head(data.say(PICTURES[trial][0])),)


def device_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the reported state of acceptor and printer, and the last notes."""
    machine = data.machine
    yes, no = data.say("has reported"), data.say("has not reported since the start")
    return (
        _head(data.say("notes go back, nothing is credited")),
        Line(cells=(data.say("Acceptor"), yes if machine.acceptor.ready else no)),
        *_standing(data, _ACCEPTOR_LOCKS),
        Line(cells=(data.say("Printer"), yes if machine.printer.ready else no)),
        *_standing(data, _PRINTER_LOCKS),
        Line(cells=(data.say("Last notes"),), style=LineStyle.HEAD),
        *(Line(cells=(each.what, each.when)) for each in data.notes[:_NOTES_SHOWN]),
    )


def _standing(data: AttendantData, kinds: tuple[LockKind, ...]) -> tuple[Line, ...]:
    found = [lock for kind in kinds if (lock := locks.find(data.machine, kind)) is not None]
    named = tuple(Line(cells=("", data.say(lock.kind.value)), style=LineStyle.WARN) for lock in found)
    return named or (Line(cells=("", data.say("no fault"))),)

"""The attendant's menu as a value: where the bar stands, and what a button does.

Rules that hold: opening, reading and leaving change nothing; whatever changes the machine is asked for a second time
before it is requested; the machine itself decides whether it may be. Moves with four buttons of the panel.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from textwrap import wrap

from cabinet.attendant import recall, reports
from cabinet.attendant.advice import ADVICE, CONSEQUENCES
from cabinet.attendant.desk import Desk
from cabinet.attendant.pages import Line, LineStyle, Page
from cabinet.engine import locks
from cabinet.engine.inputs import Button, Command, ResetPeriod, SetOutOfService, SettleLock, Settlement, VoidRound
from cabinet.engine.locks import LOCKS
from cabinet.engine.service import settlements_of
from cabinet.engine.state import ClearedBy, Lock, LockKind

LINES_PER_PAGE = 14
WIDE = 60
"""So many characters of a sentence stand on one line."""


class MenuKey(Enum):
    """What the attendant can press."""

    UP = "up"
    DOWN = "down"
    SELECT = "select"
    BACK = "back"


KEYS: Mapping[Button, MenuKey] = {
    Button.CHIP: MenuKey.UP,
    Button.BET: MenuKey.DOWN,
    Button.DEAL: MenuKey.SELECT,
    Button.CLEAR: MenuKey.BACK,
}
"""The panel's buttons inside the menu."""

LIT = frozenset(KEYS)
HELP = "CHIP up  ·  BET down  ·  DEAL choose  ·  CLEAR back  ·  turn the key to leave"
READING_HELP = "CHIP page back  ·  BET page on  ·  CLEAR back to the menu  ·  turn the key to leave"
TESTING_HELP = "press every button  ·  CLEAR ends the test  ·  turn the key to leave"


class Extra(Enum):
    """What the menu can ask of the cabinet beside the machine's commands."""

    AUDIT_TICKET = "print an audit ticket"
    TEST_TICKET = "print a test ticket"


Request = Command | Extra


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of a menu: it leads on (`goes`), asks whether (`asks`), or is only read."""

    label: str
    goes: str = ""
    asks: Request | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu:
    """Where the attendant is. `path` names the pages from the top; `asking` is what waits for a yes; `pressed` are the
    buttons the test has seen."""

    path: tuple[str, ...] = ()
    selected: int = 0
    page: int = 0
    asking: Entry | None = None
    pressed: frozenset[Button] = frozenset()


_LOCKS = "Locks and how to settle them"
_TEST = "Test of lamps and buttons"
_YES, _NO = "Yes", "No"

REPORTS: Mapping[str, Callable[[Desk], tuple[Line, ...]]] = {
    "Meters, lifetime": reports.lifetime_lines,
    "Meters, this period": reports.period_lines,
    "Notes": reports.note_lines,
    "Tickets": reports.ticket_lines,
    "Hand-pays": reports.hand_pay_lines,
    "Last games": recall.game_lines,
    "Event log": reports.log_lines,
    "Machine and settings": reports.machine_lines,
}
"""The reports by their name in the menu."""


def open_menu() -> Menu:
    """The menu as it opens."""
    return Menu()


def testing(menu: Menu) -> bool:
    """True while lamps and buttons are tested: every lamp is lit, a button does nothing but be seen."""
    return menu.path == (_TEST,)


def lit(menu: Menu) -> frozenset[Button]:
    """The buttons that are lit in the menu."""
    return frozenset(Button) if testing(menu) else LIT


# --- what can be chosen -----------------------------------------------------------------------------------------


def _top(desk: Desk) -> tuple[Entry, ...]:
    return (
        Entry(label=f"{_LOCKS} ({len(desk.machine.locks)})", goes=_LOCKS),
        *(Entry(label=name, goes=name) for name in REPORTS),
        Entry(label="Close the period", asks=ResetPeriod()),
        _service(desk),
        Entry(label="Print an audit ticket", asks=Extra.AUDIT_TICKET),
        Entry(label="Print a test ticket", asks=Extra.TEST_TICKET),
        Entry(label=_TEST, goes=_TEST),
    )


def _service(desk: Desk) -> Entry:
    out = locks.find(desk.machine, LockKind.OUT_OF_SERVICE) is not None
    return Entry(label="Put back in service" if out else "Take out of service", asks=SetOutOfService(out=not out))


def _lock_name(desk: Desk, lock: Lock) -> str:
    amount = f"  {desk.money(lock.cents)}" if lock.cents else ""
    return f"{lock.kind.value.capitalize()}{amount}"


def _lock_list(desk: Desk) -> tuple[Entry, ...]:
    void = Entry(label="Void the open round", asks=VoidRound())
    stopped = locks.hand_open(desk.machine) and locks.play_stopped(desk.machine)
    listed = tuple(Entry(label=_lock_name(desk, lock), goes=str(lock.lock_id)) for lock in desk.machine.locks)
    return (*listed, void) if stopped else listed


def _lock_of(menu: Menu, desk: Desk) -> Lock | None:
    on_lock = len(menu.path) == 2 and menu.path[0] == _LOCKS
    return locks.find_id(desk.machine, int(menu.path[1])) if on_lock else None


def entries(menu: Menu, desk: Desk) -> tuple[Entry, ...]:
    """The lines the bar can stand on."""
    if menu.asking is not None:
        return (Entry(label=_NO), Entry(label=_YES, asks=menu.asking.asks))
    if not menu.path:
        return _top(desk)
    if menu.path == (_LOCKS,):
        return _lock_list(desk)
    lock = _lock_of(menu, desk)
    if lock is None:
        return ()
    if lock.kind is LockKind.OUT_OF_SERVICE:
        return (_service(desk),)
    return tuple(
        Entry(label=how.value.capitalize(), asks=SettleLock(lock_id=lock.lock_id, how=how))
        for how in settlements_of(desk.machine, lock)
    )


# --- what is read -----------------------------------------------------------------------------------------------


def _text(menu: Menu, desk: Desk) -> tuple[Line, ...]:
    """What is read beside the bar."""
    if menu.asking is not None:
        return _question(menu.asking, desk)
    lock = _lock_of(menu, desk)
    if lock is not None:
        return _lock_lines(desk, lock)
    if testing(menu):
        return _test_lines(menu, desk)
    if menu.path[:1] == (_LOCKS,):
        return _no_lock_lines(menu, desk)
    return REPORTS[menu.path[-1]](desk) if menu.path else ()


def _no_lock_lines(menu: Menu, desk: Desk) -> tuple[Line, ...]:
    if len(menu.path) > 1:
        return (Line(cells=("This lock is gone",)),)
    return () if desk.machine.locks else (Line(cells=("Nothing is locked",)),)


def _sentence(words: str) -> tuple[Line, ...]:
    return tuple(Line(cells=(part,)) for part in wrap(words, WIDE))


def _strong(*cells: str) -> Line:
    return Line(cells=cells, style=LineStyle.STRONG)


def _question(entry: Entry, desk: Desk) -> tuple[Line, ...]:
    """What a yes would do."""
    first = _strong(f"{entry.label}?")
    match entry.asks:
        case SettleLock(lock_id=lock_id, how=how):
            return (first, *_settling(desk, lock_id, how))
        case ResetPeriod():
            words = "Take the cash box out, count it against this, put it back, then say yes. Lifetime meters stay."
            return (first, *_sentence(words), *reports.cashbox_lines(desk))
        case VoidRound():
            words = "Every stake of the round goes back to the credit, nothing is won. Its cards stay under Last games."
            return (first, *_sentence(words))
        case SetOutOfService(out=True):
            return (first, *_sentence("An open hand can be finished and the credit cashed out; nothing new begins."))
        case Extra():
            return (first, *_sentence("It is marked as no money. No meter moves."))
        case _:
            return (first,)


def _settling(desk: Desk, lock_id: int, how: Settlement) -> tuple[Line, ...]:
    lock = locks.find_id(desk.machine, lock_id)
    named = () if lock is None else (Line(cells=(_lock_name(desk, lock),)), *_receipt(desk, lock, (how,)))
    return (*named, *_sentence(CONSEQUENCES[how]))


def _receipt(desk: Desk, lock: Lock, ways: tuple[Settlement, ...]) -> tuple[Line, ...]:
    """The number for the receipt, where the lock may be paid by hand."""
    pays = Settlement.PAID_BY_HAND in ways and lock.cents
    return (Line(cells=("Receipt number", f"{desk.machine.next_receipt}")),) if pays else ()


_ENDS = {
    ClearedBy.CONDITION: "It ends by itself when the cause is gone.",
    ClearedBy.ATTENDANT: "It can be cleared as soon as the cause is gone.",
    ClearedBy.SETTLEMENT: "It stays until it is settled. What is chosen is done once.",
}


def _lock_lines(desk: Desk, lock: Lock) -> tuple[Line, ...]:
    rule, advice = LOCKS[lock.kind], ADVICE[lock.kind]
    off = [w for w, s in (("play", rule.stops_play), ("notes", rule.stops_notes), ("paying", rule.stops_cash_out)) if s]
    pairs = (
        ("Switched off", ", ".join(off) or "nothing"),
        ("Detail", lock.detail),
        ("Amount", desk.money(lock.cents) if lock.cents else ""),
        ("Ticket", f"{lock.sequence:06d}" if lock.sequence is not None else ""),
        ("The cause is", "" if rule.cleared_by is not ClearedBy.ATTENDANT else "there" if lock.present else "gone"),
    )
    return (
        _strong(advice.what),
        *(Line(cells=pair) for pair in pairs if pair[1]),
        *_receipt(desk, lock, settlements_of(desk.machine, lock)),
        *_sentence(advice.to_do),
        *_sentence(_ENDS[rule.cleared_by]),
    )


def _test_lines(menu: Menu, desk: Desk) -> tuple[Line, ...]:
    """TEST stands above: nothing that is pressed here is played."""
    cells = [(button.value.upper(), "works" if button in menu.pressed else "not pressed yet") for button in Button]
    half = len(cells) // 2
    doors = ", ".join(door.value for door in desk.machine.open_doors) or "none"
    return (
        Line(cells=("TEST", "every lamp is lit"), style=LineStyle.HEAD),
        *(Line(cells=(*left, *right)) for left, right in zip(cells[:half], cells[half:], strict=True)),
        Line(cells=("Open doors", doors)),
    )


def _sheets(menu: Menu, desk: Desk) -> tuple[tuple[Line, ...], ...]:
    lines = _text(menu, desk)
    return tuple(lines[at : at + LINES_PER_PAGE] for at in range(0, len(lines), LINES_PER_PAGE)) or ((),)


# --- what a button does -----------------------------------------------------------------------------------------


def press(menu: Menu, button: Button, desk: Desk) -> tuple[Menu, Request | None]:
    """What a button does: the menu afterwards, and what is requested, if anything."""
    if testing(menu) and button is not Button.CLEAR:
        return replace(menu, pressed=menu.pressed | {button}), None
    key = KEYS.get(button)
    choices = entries(menu, desk)
    match key:
        case None:
            return menu, None
        case MenuKey.UP | MenuKey.DOWN:
            return _move(menu, 1 if key is MenuKey.DOWN else -1, len(choices), len(_sheets(menu, desk))), None
        case MenuKey.SELECT if choices:
            return _choose(menu, choices[min(menu.selected, len(choices) - 1)])
        case MenuKey.SELECT | MenuKey.BACK:
            return _back(menu, desk), None


def _back(menu: Menu, desk: Desk) -> Menu:
    """One page up, with the bar on the line that led here."""
    if menu.asking is not None:
        return replace(menu, asking=None)
    if not menu.path:
        return menu
    above = Menu(path=menu.path[:-1])
    led = [at for at, entry in enumerate(entries(above, desk)) if entry.goes == menu.path[-1]]
    return replace(above, selected=led[0] if led else 0)


def _move(menu: Menu, step: int, choices: int, sheets: int) -> Menu:
    if choices:
        return replace(menu, selected=(menu.selected + step) % choices)
    return replace(menu, page=(menu.page + step) % sheets)


def _choose(menu: Menu, entry: Entry) -> tuple[Menu, Request | None]:
    if menu.asking is not None:
        return Menu(path=menu.path[:1]) if entry.asks is not None else replace(
            menu, asking=None, selected=0
        ), entry.asks
    if entry.asks is not None:
        return replace(menu, asking=entry, selected=0), None
    return Menu(path=(*menu.path, entry.goes)), None


def page(menu: Menu, desk: Desk) -> Page:
    """The page to show."""
    sheets = _sheets(menu, desk)
    number = min(menu.page, len(sheets) - 1)
    choices = entries(menu, desk)
    return Page(
        title=_title(menu, desk),
        lines=sheets[number],
        menu=tuple(entry.label for entry in choices),
        selected=min(menu.selected, max(0, len(choices) - 1)),
        position=(number + 1, len(sheets)),
        help=TESTING_HELP if testing(menu) else HELP if choices else READING_HELP,
    )


def _title(menu: Menu, desk: Desk) -> str:
    lock = _lock_of(menu, desk)
    if lock is not None:
        return lock.kind.value.capitalize()
    return menu.path[0] if menu.path else "Attendant"


# --- the audit ticket -------------------------------------------------------------------------------------------


def audit_rows(desk: Desk) -> tuple[tuple[str, str], ...]:
    """The rows of a printed audit ticket: machine, period and lifetime. A row without a value is a heading."""
    lines = (
        *(Line(cells=pair) for pair in desk.identity),
        Line(cells=("THIS PERIOD",)),
        *reports.period_lines(desk),
        Line(cells=("LIFETIME",)),
        *reports.lifetime_lines(desk),
    )
    return tuple((line.cells[0], line.cells[-1] if len(line.cells) > 1 else "") for line in lines)

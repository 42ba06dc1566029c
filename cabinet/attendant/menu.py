"""The attendant's menu as a value: where the bar stands, and what a key does.

Rules that hold: opening, reading and leaving change nothing; whatever changes the machine is asked for a second time
before it is requested; the machine itself decides whether it may be. Moves with four keys, so the panel's buttons do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from cabinet.attendant.desk import Desk
from cabinet.attendant.pages import Line, LineStyle, Page
from cabinet.attendant.reports import REPORTS
from cabinet.engine import locks
from cabinet.engine.inputs import Button, Command, ResetPeriod, SetOutOfService, SettleLock, VoidRound
from cabinet.engine.locks import LOCKS
from cabinet.engine.service import settlements_of
from cabinet.engine.state import ClearedBy, Lock, LockKind

LINES_PER_PAGE = 14


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
    """Where the attendant is. `path` names the pages from the top; `asking` is what waits for a yes."""

    path: tuple[str, ...] = ()
    selected: int = 0
    page: int = 0
    asking: Entry | None = None


_LOCKS = "Locks and how to settle them"
_YES, _NO = "Yes", "No"


def open_menu() -> Menu:
    """The menu as it opens."""
    return Menu()


def _top(desk: Desk) -> tuple[Entry, ...]:
    out = locks.find(desk.machine, LockKind.OUT_OF_SERVICE) is not None
    reports = tuple(Entry(label=name, goes=name) for name in REPORTS)
    waiting = f"{_LOCKS} ({len(desk.machine.locks)})"
    return (
        Entry(label=waiting, goes=_LOCKS),
        *reports,
        Entry(label="Close the period", asks=ResetPeriod()),
        Entry(
            label="Put back in service" if out else "Take out of service",
            asks=SetOutOfService(out=not out),
        ),
        Entry(label="Print an audit ticket", asks=Extra.AUDIT_TICKET),
        Entry(label="Print a test ticket", asks=Extra.TEST_TICKET),
    )


def _lock_name(desk: Desk, lock: Lock) -> str:
    amount = f"  {desk.money(lock.cents)}" if lock.cents else ""
    return f"{lock.lock_id}: {lock.kind.value}{amount}"


def _lock_list(desk: Desk) -> tuple[Entry, ...]:
    void = Entry(label="Void the open round: every stake goes back", asks=VoidRound())
    stopped = locks.hand_open(desk.machine) and locks.play_stopped(desk.machine)
    listed = tuple(Entry(label=_lock_name(desk, lock), goes=str(lock.lock_id)) for lock in desk.machine.locks)
    return (*listed, void) if stopped else listed


def _lock_of(menu: Menu, desk: Desk) -> Lock | None:
    if len(menu.path) == 2 and menu.path[0] == _LOCKS:
        return locks.find_id(desk.machine, int(menu.path[1]))
    return None


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
    return tuple(
        Entry(label=how.value.capitalize(), asks=SettleLock(lock_id=lock.lock_id, how=how))
        for how in settlements_of(desk.machine, lock)
    )


def _text(menu: Menu, desk: Desk) -> tuple[Line, ...]:
    """What is read above the bar."""
    if menu.asking is not None:
        return (Line(cells=(f"{menu.asking.label}?",), style=LineStyle.STRONG),)
    lock = _lock_of(menu, desk)
    if lock is not None:
        return _lock_lines(desk, lock)
    if menu.path == (_LOCKS,):
        return () if desk.machine.locks else (Line(cells=("Nothing is locked",)),)
    return REPORTS[menu.path[-1]](desk) if menu.path and menu.path[-1] in REPORTS else ()


_ENDS = {
    ClearedBy.CONDITION: "It ends by itself when the cause is gone.",
    ClearedBy.ATTENDANT: "Remove the cause, then clear it here or with the reset key.",
    ClearedBy.SETTLEMENT: "Find out what happened, then choose below. It can be chosen once.",
}


def _lock_lines(desk: Desk, lock: Lock) -> tuple[Line, ...]:
    rule = LOCKS[lock.kind]
    off = [w for w, s in (("play", rule.stops_play), ("notes", rule.stops_notes), ("paying", rule.stops_cash_out)) if s]
    lines = [
        Line(cells=(lock.kind.value.capitalize(),), style=LineStyle.STRONG),
        Line(cells=("Off", ", ".join(off) or "nothing")),
    ]
    if lock.detail:
        lines.append(Line(cells=("Detail", lock.detail)))
    if lock.cents:
        lines.append(Line(cells=("Amount", desk.money(lock.cents)), style=LineStyle.STRONG))
    if lock.sequence is not None:
        lines.append(Line(cells=("Ticket", f"{lock.sequence:06d}")))
    if rule.cleared_by is ClearedBy.ATTENDANT:
        lines.append(Line(cells=("The device says", "still there" if lock.present else "gone")))
    lines.append(Line(cells=(_ENDS[rule.cleared_by],)))
    return tuple(lines)


def _sheets(menu: Menu, desk: Desk) -> tuple[tuple[Line, ...], ...]:
    lines = _text(menu, desk)
    return tuple(lines[at : at + LINES_PER_PAGE] for at in range(0, len(lines), LINES_PER_PAGE)) or ((),)


def press(menu: Menu, key: MenuKey, desk: Desk) -> tuple[Menu, Request | None]:
    """What a key does: the menu afterwards, and what is requested, if anything."""
    choices = entries(menu, desk)
    match key:
        case MenuKey.BACK:
            return _back(menu), None
        case MenuKey.UP | MenuKey.DOWN:
            return _move(menu, 1 if key is MenuKey.DOWN else -1, len(choices), len(_sheets(menu, desk))), None
        case MenuKey.SELECT:
            if not choices:
                return _back(menu), None
            return _choose(menu, choices[min(menu.selected, len(choices) - 1)])


def choose(menu: Menu, index: int, desk: Desk) -> tuple[Menu, Request | None]:
    """A line of the menu was touched."""
    choices = entries(menu, desk)
    if not 0 <= index < len(choices):
        return menu, None
    return _choose(replace(menu, selected=index), choices[index])


def _back(menu: Menu) -> Menu:
    if menu.asking is not None:
        return replace(menu, asking=None, selected=0)
    return Menu(path=menu.path[:-1])


def _move(menu: Menu, step: int, choices: int, sheets: int) -> Menu:
    if choices:
        return replace(menu, selected=(menu.selected + step) % choices)
    return replace(menu, page=(menu.page + step) % sheets)


def _choose(menu: Menu, entry: Entry) -> tuple[Menu, Request | None]:
    if menu.asking is not None:
        after = Menu(path=menu.path[:1] if entry.asks is not None else menu.path)
        return after, entry.asks
    if entry.asks is not None:
        return replace(menu, asking=entry, selected=0), None
    if entry.goes:
        return Menu(path=(*menu.path, entry.goes)), None
    return menu, None


def page(menu: Menu, desk: Desk) -> Page:
    """The page to show."""
    sheets = _sheets(menu, desk)
    number = min(menu.page, len(sheets) - 1)
    choices = entries(menu, desk)
    title = menu.path[-1] if menu.path else "Attendant"
    if _lock_of(menu, desk) is not None:
        title = _LOCKS
    return Page(
        title=title,
        lines=sheets[number],
        menu=tuple(entry.label for entry in choices),
        selected=min(menu.selected, max(0, len(choices) - 1)),
        position=(number + 1, len(sheets)),
        help=HELP,
    )


def audit_rows(desk: Desk) -> tuple[tuple[str, str], ...]:
    """The rows of a printed audit ticket."""
    pairs = [(cells[0], cells[-1] if len(cells) > 1 else "") for cells in (line.cells for line in _audit_lines(desk))]
    return tuple(pairs)


def _audit_lines(desk: Desk) -> tuple[Line, ...]:
    identity = tuple(Line(cells=pair) for pair in desk.identity)
    return (*identity, *REPORTS["Meters, lifetime"](desk))

"""The attendant's menu as a value: the selected entry, and what a button does.

Rules: opening, reading and leaving change nothing; a change of the machine needs a second confirmation; the machine
decides whether it accepts the request. Four buttons of the panel move the menu.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from cabinet.attendant import recall, reports, technician, till, trials
from cabinet.attendant.advice import ADVICE, CONSEQUENCES, end_of
from cabinet.attendant.data import AttendantData
from cabinet.attendant.pages import Line, LineStyle, Page, sentences, sheets
from cabinet.attendant.till import TicketChosen
from cabinet.engine import locks
from cabinet.engine import technician as access
from cabinet.engine.bills_in import value_unknown, values_of
from cabinet.engine.inputs import (
    Button,
    Command,
    PrepareMemoryClear,
    ResetPeriod,
    SetOutOfService,
    SettleLock,
    Settlement,
    VoidRound,
)
from cabinet.engine.locks import LOCKS
from cabinet.engine.settlement import settlements_of, stuck_document
from cabinet.engine.state import ClearedBy, Lock, LockKind


class MenuKey(Enum):
    """A key of the menu."""

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
_MOVES = {MenuKey.UP: "up", MenuKey.DOWN: "down", MenuKey.SELECT: "choose", MenuKey.BACK: "back"}
_TURNS = {MenuKey.UP: "previous page", MenuKey.DOWN: "next page", MenuKey.BACK: "to the menu"}
_TRIES = {
    MenuKey.UP: "previous one",
    MenuKey.DOWN: "next one",
    MenuKey.SELECT: "next one",
    MenuKey.BACK: "end the test",
}
_DIGITS = {MenuKey.UP: "digit down", MenuKey.DOWN: "digit up", MenuKey.SELECT: "take it", MenuKey.BACK: "back"}
_ENDS_TEST = {MenuKey.BACK: "end the test"}


class Extra(Enum):
    """Requests of the menu that are no commands of the machine."""

    AUDIT_TICKET = "print an audit ticket"
    TEST_TICKET = "print a test ticket"


@dataclass(frozen=True, slots=True, kw_only=True)
class PinTyped:
    """The digits entered as the technician's PIN."""

    digits: str = field(repr=False)


Request = Command | Extra | PinTyped | TicketChosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of a menu: it opens a page (`goes`), requests something (`asks`), or is only text."""

    label: str
    goes: str = ""
    asks: Request | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu:
    """The state of the menu. `path` names the pages from the top; `asking` is the entry that waits for a yes; `pressed`
    are the buttons that the test has detected, `trial` is the number of the tested sound or picture, `pin` is the PIN
    so far, with the current digit last; `outcome` is the outcome of the last request."""

    path: tuple[str, ...] = ()
    selected: int = 0
    page: int = 0
    asking: Entry | None = None
    pressed: frozenset[Button] = frozenset()
    trial: int = 0
    pin: str = field(default="0", repr=False)
    outcome: str = ""


_LOCKS = "Locks and how to settle them"
_TESTS = "Tests"
_LAMPS, _SOUND, _DISPLAY = "Lamps and buttons", "Sound", "Display"
_DEVICES = "Acceptor and printer"
_TECHNICIAN, _PIN = "Technician", "Enter the PIN"
_GAMES = "Last games"
_PAY = "Pay a ticket by hand"
_YES, _NO = "Yes", "No"

REPORTS: Mapping[str, Callable[[AttendantData], tuple[Line, ...]]] = {
    "Meters, lifetime": reports.lifetime_lines,
    "Meters, this period": reports.period_lines,
    "Notes": reports.note_lines,
    "Tickets": reports.ticket_lines,
    "Hand-pays": reports.hand_pay_lines,
    _GAMES: recall.game_lines,
    "Event log": reports.log_lines,
    "Machine and settings": reports.machine_lines,
}
"""The reports by their name in the menu."""


def open_menu() -> Menu:
    """Returns the menu at its opening."""
    return Menu()


def testing(menu: Menu) -> bool:
    """True during the test of lamps and buttons: every lamp is lit, and a press is only shown."""
    return menu.path == (_TESTS, _LAMPS)


def recalling(menu: Menu) -> bool:
    """True while the last games are on the screen."""
    return menu.path == (_GAMES,)


def lit(menu: Menu, data: AttendantData) -> frozenset[Button]:
    """Returns the buttons with a meaning; during the test of lamps all that have not been pressed yet."""
    if testing(menu):
        return frozenset(Button) - menu.pressed
    if _steps(menu):
        return LIT
    choices, leaves = len(entries(menu, data)), bool(menu.path or menu.asking)
    moves = (choices or len(_sheets(menu, data))) > 1
    does = {MenuKey.UP: moves, MenuKey.DOWN: moves, MenuKey.SELECT: bool(choices), MenuKey.BACK: leaves}
    return frozenset(button for button, key in KEYS.items() if does[key])


# --- what can be chosen -----------------------------------------------------------------------------------------


def _top(data: AttendantData) -> tuple[Entry, ...]:
    return (
        Entry(label=f"{_LOCKS} ({len(data.machine.locks)})", goes=_LOCKS),
        *(Entry(label=name, goes=name) for name in REPORTS),
        Entry(label=_PAY, goes=_PAY),
        Entry(label="Close the period", asks=ResetPeriod()),
        _service(data),
        Entry(label="Print an audit ticket", asks=Extra.AUDIT_TICKET),
        Entry(label=_TESTS, goes=_TESTS),
        Entry(label=_TECHNICIAN, goes=_TECHNICIAN),
    )


_TEST_LIST = (
    *(Entry(label=name, goes=name) for name in (_LAMPS, _SOUND, _DISPLAY, _DEVICES)),
    Entry(label="Print a test ticket", asks=Extra.TEST_TICKET),
)


def _technician_list(data: AttendantData) -> tuple[Entry, ...]:
    machine = data.machine
    may_enter = access.may_enter_pin(data.settings, machine)
    enter = (Entry(label=_PIN, goes=_PIN),) if may_enter else ()
    if machine.access.clear_prepared:
        return (*enter, Entry(label="Keep the memory", asks=PrepareMemoryClear(on=False)))
    clear = PrepareMemoryClear(on=True)
    allowed = access.why_not_prepare(data.settings, machine, clear) is None
    return (*enter, Entry(label="Clear the memory", asks=clear)) if allowed else enter


def _service(data: AttendantData) -> Entry:
    out = locks.find(data.machine, LockKind.OUT_OF_SERVICE) is not None
    return Entry(label="Put back in service" if out else "Take out of service", asks=SetOutOfService(out=not out))


def _lock_name(data: AttendantData, lock: Lock) -> str:
    cents = (stuck_document(data.machine, lock) or lock).cents
    amount = f"  {data.money(cents)}" if cents else ""
    return f"{lock.kind.value.capitalize()}{amount}"


def _lock_list(data: AttendantData) -> tuple[Entry, ...]:
    void = Entry(label="Void the open game", asks=VoidRound())
    stopped = locks.hand_open(data.machine) and locks.play_stopped(data.machine)
    listed = tuple(Entry(label=_lock_name(data, lock), goes=str(lock.lock_id)) for lock in data.machine.locks)
    return (*listed, void) if stopped else listed


def _lock_of(menu: Menu, data: AttendantData) -> Lock | None:
    on_lock = len(menu.path) >= 2 and menu.path[0] == _LOCKS
    return locks.find_id(data.machine, int(menu.path[1])) if on_lock else None


def entries(menu: Menu, data: AttendantData) -> tuple[Entry, ...]:
    """Returns the lines that can be selected."""
    if menu.asking is not None:
        return (Entry(label=_NO), Entry(label=_YES, asks=menu.asking.asks))
    if not menu.path:
        return _top(data)
    if menu.path == (_LOCKS,):
        return _lock_list(data)
    if menu.path == (_TESTS,):
        return _TEST_LIST
    if menu.path == (_TECHNICIAN,):
        return _technician_list(data)
    if menu.path[0] == _PAY:
        return tuple(Entry(label=e.label, goes=e.goes, asks=e.asks) for e in till.choices(data, menu.path[1:]))
    lock = _lock_of(menu, data)
    if lock is None:
        return ()
    if lock.kind is LockKind.OUT_OF_SERVICE:
        return (_service(data),)
    return _ways(menu, data, lock)


def _ways(menu: Menu, data: AttendantData, lock: Lock) -> tuple[Entry, ...]:
    """Returns the settlements of the lock; for a note of unknown value the attendant chooses its value first."""
    value = int(menu.path[2]) if len(menu.path) > 2 else None
    ways = settlements_of(data.machine, lock)
    values: tuple[Entry, ...] = ()
    if value_unknown(lock) and value is None:
        values = tuple(
            Entry(label=f"It is {data.money(cents)}", goes=f"{cents}") for cents in values_of(data.settings, lock)
        )
        ways = (Settlement.NOTE_RETURNED,)
    elif value_unknown(lock):
        ways = tuple(how for how in ways if how is not Settlement.NOTE_RETURNED)
    settles = (SettleLock(lock_id=lock.lock_id, how=how, cents=value) for how in ways)
    return (*values, *(Entry(label=each.how.value.capitalize(), asks=each) for each in settles))


# --- what is read -----------------------------------------------------------------------------------------------


def _text(menu: Menu, data: AttendantData) -> tuple[Line, ...]:
    """Returns the text of the page."""
    if menu.asking is not None:
        return _question(menu.asking, data)
    lock = _lock_of(menu, data)
    if lock is not None:
        return _lock_lines(data, lock)
    if menu.path[:1] == (_LOCKS,):
        return _no_lock_lines(menu, data)
    if not menu.path:
        return ()
    report = REPORTS.get(menu.path[-1])
    return report(data) if report is not None else _hands_on_lines(menu, data)


def _hands_on_lines(menu: Menu, data: AttendantData) -> tuple[Line, ...]:
    """Returns the text of the pages for tests and entry."""
    match menu.path:
        case (_, str(name)) if name == _LAMPS:
            return trials.lamp_lines(data, menu.pressed)
        case (_, str(name)) if name == _SOUND:
            return trials.sound_lines(menu.trial)
        case (_, str(name)) if name == _DISPLAY:
            return trials.display_lines(menu.trial)
        case (_, str(name)) if name == _DEVICES:
            return trials.device_lines(data)
        case (_, str(name)) if name == _PIN:
            return technician.pin_lines(data, menu.pin)
        case (str(name), *_) if name == _PAY:
            return till.list_lines(data, menu.outcome)
        case (str(name),) if name == _TECHNICIAN:
            return technician.level_lines(data)
        case _:
            return ()


def _no_lock_lines(menu: Menu, data: AttendantData) -> tuple[Line, ...]:
    if len(menu.path) > 1:
        return (Line(cells=("This lock is gone",)),)
    return () if data.machine.locks else (Line(cells=("Nothing is locked",)),)


def _strong(*cells: str) -> Line:
    return Line(cells=cells, style=LineStyle.STRONG)


def _question(entry: Entry, data: AttendantData) -> tuple[Line, ...]:
    """Returns what a yes does."""
    first = _strong(f"{entry.label}?")
    match entry.asks:
        case SettleLock() as settles:
            return (first, *_settling(data, settles))
        case TicketChosen() as chosen:
            return (first, *till.question_lines(data, chosen))
        case ResetPeriod():
            words = "Take the cash box out, compare it with this, put it back, then choose Yes. Lifetime meters stay."
            return (first, *sentences(words), *reports.cashbox_lines(data))
        case VoidRound():
            words = "Every stake of the game goes back to the credit. Nothing is won. Its cards stay under Last games."
            return (first, *sentences(words))
        case SetOutOfService(out=True):
            return (first, *sentences("An open hand can be finished and the credit cashed out. No new hand begins."))
        case PrepareMemoryClear(on=True):
            return (first, *technician.clear_lines(data))
        case Extra():
            return (first, *sentences("It is marked as no money. No meter moves."))
        case _:
            return (first,)


def _settling(data: AttendantData, settles: SettleLock) -> tuple[Line, ...]:
    lock = locks.find_id(data.machine, settles.lock_id)
    if lock is None:
        return sentences(CONSEQUENCES[settles.how])
    held = stuck_document(data.machine, lock) or lock
    valued = replace(lock, cents=held.cents or settles.cents or 0)
    named = (Line(cells=(_lock_name(data, valued),)), *_receipt(data, valued, (settles.how,)))
    if settles.how is Settlement.TIME_IS_RIGHT:
        named = (_strong("The clock shows", data.time), *(Line(cells=line.cells) for line in sentences(lock.detail)))
    return (*named, *sentences(CONSEQUENCES[settles.how]))


def _receipt(data: AttendantData, lock: Lock, ways: tuple[Settlement, ...]) -> tuple[Line, ...]:
    """Returns the receipt number, if the lock can be paid by hand."""
    pays = Settlement.PAID_BY_HAND in ways and lock.cents
    return (Line(cells=("Receipt number", f"{data.machine.printer.next_receipt}")),) if pays else ()


def _lock_lines(data: AttendantData, lock: Lock) -> tuple[Line, ...]:
    rule, advice = LOCKS[lock.kind], ADVICE[lock.kind]
    held = stuck_document(data.machine, lock) or lock
    off = [w for w, s in (("play", rule.stops_play), ("notes", rule.stops_notes), ("paying", rule.stops_cash_out)) if s]
    pairs = (
        ("Switched off", ", ".join(off) or "nothing"),
        ("Detail", lock.detail),
        ("Amount", data.money(held.cents) if held.cents else ""),
        ("Ticket", f"{held.sequence:06d}" if held.sequence is not None else ""),
        ("The cause is", "" if rule.cleared_by is not ClearedBy.ATTENDANT else "there" if lock.present else "gone"),
    )
    return (
        _strong(advice.what),
        *(Line(cells=pair) for pair in pairs if pair[1]),
        *_receipt(data, held, settlements_of(data.machine, lock)),
        *sentences(advice.to_do),
        *(sentences(technician.ONLY) if rule.technician and not data.machine.access.technician else ()),
        *sentences(end_of(lock, technician=data.machine.access.technician)),
    )


def _sheets(menu: Menu, data: AttendantData) -> tuple[tuple[Line, ...], ...]:
    return sheets(_text(menu, data))


# --- what a button does -----------------------------------------------------------------------------------------


def press(menu: Menu, button: Button, data: AttendantData) -> tuple[Menu, Request | None]:
    """Applies a button: returns the next menu and the request, if any."""
    if testing(menu) and button is not Button.CLEAR:
        return replace(menu, pressed=menu.pressed | {button}), None
    key = KEYS.get(button)
    if key in _STEPS and _steps(menu):
        return _try(menu, key)
    menu = replace(menu, outcome="")
    choices = entries(menu, data)
    match key:
        case None:
            return menu, None
        case MenuKey.UP | MenuKey.DOWN:
            return _move(menu, 1 if key is MenuKey.DOWN else -1, len(choices), len(_sheets(menu, data))), None
        case MenuKey.SELECT if choices:
            return _choose(menu, choices[min(menu.selected, len(choices) - 1)], data)
        case MenuKey.SELECT:
            return menu, None
        case MenuKey.BACK:
            return _back(menu, data), None


_STEPS = {MenuKey.UP: -1, MenuKey.DOWN: 1, MenuKey.SELECT: 1}


def _trying(menu: Menu) -> bool:
    return menu.path in {(_TESTS, _SOUND), (_TESTS, _DISPLAY)}


def _steps(menu: Menu) -> bool:
    """True where the buttons step through sounds, pictures or digits."""
    return _trying(menu) or menu.path == (_TECHNICIAN, _PIN)


def _try(menu: Menu, key: MenuKey) -> tuple[Menu, Request | None]:
    """Returns the next sound, picture or digit; and the PIN as a request once it is complete."""
    if _trying(menu):
        things = len(trials.SOUNDS if menu.path[-1] == _SOUND else trials.PICTURES)
        return replace(menu, trial=(menu.trial + _STEPS[key]) % things), None
    if key is not MenuKey.SELECT:
        turned = (int(menu.pin[-1]) + _STEPS[key]) % 10
        return replace(menu, pin=f"{menu.pin[:-1]}{turned}"), None
    if len(menu.pin) < technician.PIN_LENGTH:
        return replace(menu, pin=f"{menu.pin}0"), None
    return Menu(path=menu.path[:1]), PinTyped(digits=menu.pin)


def _back(menu: Menu, data: AttendantData) -> Menu:
    """Returns the page above, with the entry of this page selected."""
    above = menu.path if menu.asking is not None else menu.path[:-1]
    return _where(Menu(path=above), menu, data) if menu.path or menu.asking else menu


def _where(above: Menu, left: Menu, data: AttendantData) -> Menu:
    """Returns the page `above` with the entry selected that leads to the page `left`."""
    goes = left.path[len(above.path)] if len(left.path) > len(above.path) else None
    led = [at for at, each in enumerate(entries(above, data)) if each == left.asking or (goes and each.goes == goes)]
    return replace(above, selected=led[0] if led else 0)


def _move(menu: Menu, step: int, choices: int, sheets: int) -> Menu:
    if choices:
        return replace(menu, selected=(menu.selected + step) % choices)
    return replace(menu, page=(menu.page + step) % sheets)


def _choose(menu: Menu, entry: Entry, data: AttendantData) -> tuple[Menu, Request | None]:
    if menu.asking is not None and (second := till.second_question(data, entry.asks)) is not None:
        return replace(menu, asking=Entry(label="Pay this expired ticket anyway", asks=second), selected=0), None
    if menu.asking is not None:
        above = Menu(path=menu.path if entry.asks is None else menu.path[:1])
        return _where(above, menu, data), entry.asks
    if entry.asks is not None:
        return replace(menu, asking=entry, selected=0), None
    return Menu(path=(*menu.path, entry.goes)), None


def page(menu: Menu, data: AttendantData) -> Page:
    """Returns the page to show."""
    sheets = _sheets(menu, data)
    number = min(menu.page, len(sheets) - 1)
    choices = entries(menu, data)
    return Page(
        title=_title(menu, data),
        lines=sheets[number],
        menu=tuple(entry.label for entry in choices),
        selected=min(menu.selected, max(0, len(choices) - 1)),
        notice=_notice(menu, data) if choices else "",
        position=(number + 1, len(sheets)),
        does=_does(menu, data),
        pattern=trials.pattern(menu.trial) if menu.path == (_TESTS, _DISPLAY) else (),
        sound=trials.sound(menu.trial) if menu.path == (_TESTS, _SOUND) else "",
    )


def _notice(menu: Menu, data: AttendantData) -> str:
    at_the_top = not menu.path and menu.asking is None
    return "" if menu.path[:1] == (_PAY,) else menu.outcome or (technician.asked(data) if at_the_top else "")


def _does(menu: Menu, data: AttendantData) -> tuple[tuple[Button, str], ...]:
    """Returns the meaning of each lit button on this page; a dark button has none."""
    alight, words = lit(menu, data), _words(menu, data)
    return tuple((button, words[key]) for button, key in KEYS.items() if button in alight and key in words)


def _words(menu: Menu, data: AttendantData) -> Mapping[MenuKey, str]:
    if testing(menu):
        return _ENDS_TEST
    if _trying(menu):
        return _TRIES
    if menu.path == (_TECHNICIAN, _PIN):
        return _DIGITS
    return _MOVES if entries(menu, data) else _TURNS


def _title(menu: Menu, data: AttendantData) -> str:
    lock = _lock_of(menu, data)
    if lock is not None:
        return lock.kind.value.capitalize()
    if menu.path[:1] == (_TESTS,) and len(menu.path) > 1:
        return f"TEST: {menu.path[1].lower()}"
    if menu.path:
        return menu.path[0]
    return "Technician" if data.machine.access.technician else "Attendant"

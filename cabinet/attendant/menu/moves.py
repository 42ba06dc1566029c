"""What a press or a touch does in the menu: the next menu and the request, if any. Pure.

Rules: a request is made only by a Yes, or by the last digit of a PIN; a language is chosen at once, because it changes
nothing but the words; the bar begins at No; a touch that was made on
another page does nothing.
"""

from dataclasses import replace

from cabinet.attendant import till
from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu.questions import question
from cabinet.attendant.menu.table import GROUPS, node_at
from cabinet.attendant.menu.values import (
    CARD_BACK,
    DIGIT_BUTTONS,
    DIRECT,
    KEYS,
    NEWER,
    OLDER,
    Entry,
    Menu,
    MenuKey,
    Node,
    PrintClosing,
    PrintReceipt,
    Request,
    Steps,
    UseLanguage,
)
from cabinet.attendant.pages import ENTRIES_PER_PAGE, Line, PageTouch, Touched, sheets
from cabinet.engine.closing_facts import EnterCount
from cabinet.engine.inputs import Button

Moved = tuple[Menu, Request | None]
_KEPT = {EnterCount: 3, PrintClosing: 3, PrintReceipt: 3}
"""How many names of the path stay after a Yes, where it is not the page of a group: a closing and a settlement stay
on the screen."""
_STEP = {MenuKey.UP: -1, MenuKey.DOWN: 1, MenuKey.SELECT: 1}


def open_menu() -> Menu:
    """Returns the menu at its opening."""
    return Menu()


def entries(menu: Menu, data: AttendantData) -> tuple[Entry, ...]:
    """Returns the lines that can be selected."""
    return node_of(menu, data).entries


def node_of(menu: Menu, data: AttendantData) -> Node:
    """Returns what stands on the page."""
    return node_at(menu, data) if menu.asking is None else question(menu.asking, data)


def place_of(menu: Menu) -> str:
    """Returns the name of the page for a touch: where it is, and what it asks."""
    asked = "" if menu.asking is None else f"?{menu.asking.label} {menu.asking.asks!r}"
    return "/".join(menu.path) + asked


def page_count(node: Node, data: AttendantData) -> int:
    """Returns the number of pages of the text, the list or the figures."""
    if node.listing is not None:
        return node.listing.pages
    return max(len(sheets_of(node, data)), len(node.figures), node.pictures)


def sheets_of(node: Node, data: AttendantData) -> tuple[tuple[Line, ...], ...]:
    """Returns the text of a page in parts that fit."""
    return sheets(node.lines, data.say("{head}, continued", head="{head}"))


def first_shown(menu: Menu, node: Node) -> int:
    """Returns the number of the first entry that is shown: the entries turn with the bar."""
    chosen = min(menu.selected, max(0, len(node.entries) - 1))
    return chosen // ENTRIES_PER_PAGE * ENTRIES_PER_PAGE


# --- buttons ----------------------------------------------------------------------------------------------------


def press(menu: Menu, button: Button, data: AttendantData) -> Moved:
    """Applies a button: returns the next menu and the request, if any."""
    node = node_of(menu, data)
    key = KEYS.get(button)
    match node.steps:
        case Steps.LAMPS if button is not Button.CLEAR:
            return replace(menu, pressed=menu.pressed | {button}), None
        case Steps.DIGITS if button in DIGIT_BUTTONS:
            return _digit(menu, node, DIGIT_BUTTONS[button])
        case Steps.DIGITS:
            return _take(menu, node, data) if key is MenuKey.SELECT else (_erase(menu, data), None)
        case Steps.TRIALS if key in _STEP:
            return replace(menu, trial=(menu.trial + _STEP[key]) % node.trials), None
        case Steps.PICTURES if key is not MenuKey.BACK:
            return picture_moves(menu, node).get(button, menu), None
    menu = replace(menu, outcome="")
    if button in DIRECT:
        return _direct(menu, node, button, data)
    match key:
        case MenuKey.UP | MenuKey.DOWN:
            return _move(menu, _STEP[key], node, data), None
        case MenuKey.SELECT if node.entries:
            return choose(menu, node.entries[min(menu.selected, len(node.entries) - 1)], data)
        case MenuKey.BACK:
            return _back(menu, data), None
    return menu, None


def _direct(menu: Menu, node: Node, button: Button, data: AttendantData) -> Moved:
    """Opens the entry beside which the button stands."""
    nth = first_shown(menu, node) + DIRECT.index(button)
    if not node.direct or nth >= len(node.entries):
        return menu, None
    return choose(replace(menu, selected=nth), node.entries[nth], data)


def _move(menu: Menu, step: int, node: Node, data: AttendantData) -> Menu:
    if node.entries:
        return replace(menu, selected=(menu.selected + step) % len(node.entries))
    return replace(menu, page=(menu.page + step) % page_count(node, data))


def _back(menu: Menu, data: AttendantData) -> Menu:
    """Returns the page above, with the entry of this page selected."""
    above = menu.path if menu.asking is not None else menu.path[:-1]
    kept = menu.settled if menu.asking is not None else None
    return _where(Menu(path=above, settled=kept), menu, data) if menu.path or menu.asking else menu


def _where(above: Menu, left: Menu, data: AttendantData) -> Menu:
    """Returns the page `above` with the entry selected that leads to the page `left`."""
    goes = left.path[len(above.path) :]
    listed = entries(above, data)
    led = [
        at for at, each in enumerate(listed) if each == left.asking or (goes and each.goes == goes[: len(each.goes)])
    ]
    found = [at for at in led if listed[at].goes or listed[at] == left.asking]
    return replace(above, selected=found[0] if found else 0)


def choose(menu: Menu, entry: Entry, data: AttendantData) -> Moved:
    """Chooses an entry: opens its page, asks its question, or answers one."""
    if menu.asking is not None and (second := till.second_question(data, entry.asks)) is not None:
        anyway = Entry(label=data.say("Pay this expired ticket anyway"), asks=second)
        return replace(menu, asking=anyway, selected=0), None
    if menu.asking is not None:
        asked = entry.asks is not None
        above = Menu(
            path=menu.path[: _KEPT.get(type(entry.asks), 2)] if asked else menu.path,
            settled=None if asked else menu.settled,
        )
        return _where(above, menu, data), entry.asks
    if isinstance(entry.asks, UseLanguage):
        return menu, entry.asks
    if entry.asks is not None:
        return replace(menu, asking=entry, selected=0), None
    return Menu(path=(*menu.path, *entry.goes)), None


# --- a past game ------------------------------------------------------------------------------------------------


def picture_moves(menu: Menu, node: Node) -> dict[Button, Menu]:
    """Returns where each button leads from a step of a past game; a button that leads nowhere is not in it."""
    now, last = min(menu.page, node.pictures - 1), node.pictures - 1
    earlier = max((still for still in node.stills if still < now), default=0)
    later = min((still for still in node.stills if still > now), default=last)
    steps = {Button.CHIP: earlier, Button.BET: later, Button.DEAL: min(now + 1, last), CARD_BACK: max(now - 1, 0)}
    games = {OLDER: node.older, NEWER: node.newer}
    return {button: replace(menu, page=step) for button, step in steps.items() if step != now} | {
        button: Menu(path=(*menu.path[:-1], number)) for button, number in games.items() if number
    }


# --- digits -----------------------------------------------------------------------------------------------------


def _digit(menu: Menu, node: Node, digit: str) -> Moved:
    """Adds a digit; where the last digit chooses, it makes the request."""
    digits = (menu.digits + digit)[: node.most_digits]
    if node.at_once and node.take is not None and len(digits) == node.most_digits:
        return Menu(path=menu.path[:2]), node.take(digits).asks
    return replace(menu, digits=digits, outcome=""), None


def _erase(menu: Menu, data: AttendantData) -> Menu:
    """Takes the last digit away; without one, goes back."""
    return replace(menu, digits=menu.digits[:-1]) if menu.digits else _back(menu, data)


def _take(menu: Menu, node: Node, data: AttendantData) -> Moved:
    if not menu.digits or node.take is None or node.at_once:
        return menu, None
    return choose(menu, node.take(menu.digits), data)


# --- touches ----------------------------------------------------------------------------------------------------


def touch(menu: Menu, touched: PageTouch, data: AttendantData) -> Moved:
    """Applies a touch of the page: returns the next menu and the request, if any."""
    if touched.place != place_of(menu):
        return menu, None
    node, cleared = node_of(menu, data), replace(menu, outcome="")
    match touched.what:
        case Touched.ENTRY:
            fits = touched.nth < len(node.entries) and node.entries[touched.nth].label == touched.word
            chosen = replace(cleared, selected=touched.nth)
            return choose(chosen, node.entries[touched.nth], data) if fits else (menu, None)
        case Touched.TAB:
            known = {"", *(group.name for group in GROUPS)}
            return (Menu(path=(touched.word,) if touched.word else ()) if touched.word in known else menu), None
        case Touched.BACK:
            return _back(cleared, data), None
        case Touched.EARLIER | Touched.LATER:
            return _turn(cleared, -1 if touched.what is Touched.EARLIER else 1, node, data), None
        case Touched.DIGIT if node.steps is Steps.DIGITS:
            return _digit(menu, node, f"{touched.nth % 10}")
        case Touched.ERASE if node.steps is Steps.DIGITS:
            return _erase(menu, data), None
        case Touched.TAKE if node.steps is Steps.DIGITS:
            return _take(menu, node, data)
    return menu, None


def _turn(menu: Menu, step: int, node: Node, data: AttendantData) -> Menu:
    """Turns the page, the sound or picture of a test, or to the next entries."""
    if node.steps is Steps.TRIALS:
        return replace(menu, trial=(menu.trial + step) % node.trials)
    if node.steps is Steps.PICTURES:
        return replace(menu, page=max(0, min(menu.page + step, node.pictures - 1)))
    if len(node.entries) > ENTRIES_PER_PAGE:
        count = -(-len(node.entries) // ENTRIES_PER_PAGE)
        now = first_shown(menu, node) // ENTRIES_PER_PAGE
        return replace(menu, selected=(now + step) % count * ENTRIES_PER_PAGE)
    return menu if node.entries else _move(menu, step, node, data)

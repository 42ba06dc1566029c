"""The page of the menu as a value: what is shown, and which buttons mean what. Pure.

Rules: a button is lit exactly when it does something on this page; the help line, the legends and the touch areas come
from the same values.
"""

from collections.abc import Mapping
from dataclasses import replace

from cabinet.attendant import technician
from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu.game_pages import AS_TEXT, LAST_GAMES
from cabinet.attendant.menu.hands_on import LAMPS, TESTS
from cabinet.attendant.menu.moves import first_shown, node_of, page_count, picture_moves, place_of, sheets_of
from cabinet.attendant.menu.record_pages import PAY
from cabinet.attendant.menu.table import GROUPS
from cabinet.attendant.menu.values import (
    CARD_BACK,
    DIGIT_BUTTONS,
    DIRECT,
    KEYS,
    NEWER,
    OLDER,
    Menu,
    MenuKey,
    Node,
    Steps,
)
from cabinet.attendant.pages import ENTRIES_PER_PAGE, ROWS_PER_PAGE, Head, Line, Page, Tab
from cabinet.engine.inputs import Button
from cabinet.text.attendant_words import text

_MOVES = {
    MenuKey.UP: text("up"),
    MenuKey.DOWN: text("down"),
    MenuKey.SELECT: text("choose"),
    MenuKey.BACK: text("back"),
}
_TURNS = {MenuKey.UP: text("previous page"), MenuKey.DOWN: text("next page"), MenuKey.BACK: text("back")}
_TRIES = {
    MenuKey.UP: text("previous one"),
    MenuKey.DOWN: text("next one"),
    MenuKey.SELECT: text("next one"),
    MenuKey.BACK: text("end the test"),
}
_OF_A_GAME = {
    Button.CHIP: text("earlier choice"),
    Button.BET: text("later choice"),
    Button.DEAL: text("next card"),
    Button.CLEAR: text("back"),
    CARD_BACK: text("one card back"),
    OLDER: text("older game"),
    NEWER: text("newer game"),
}
_DOUBTFUL = text("DOUBTFUL: read from data that the machine has refused; any figure may be wrong")
_ENDS_TEST = {MenuKey.BACK: text("end the test")}


def testing(menu: Menu) -> bool:
    """True during the test of lamps and buttons: every lamp is lit, and a press is only shown."""
    return menu.path == ("Service", TESTS, LAMPS)


def recalling(menu: Menu) -> bool:
    """True while the last games are on the screen, as text or as pictures."""
    return menu.path[:1] == ("Games",) and menu.path[1:2] in {(LAST_GAMES,), (AS_TEXT,)}


def lit(menu: Menu, data: AttendantData) -> frozenset[Button]:
    """Returns the buttons with a meaning; during the test of lamps all that have not been pressed yet."""
    return _lit(menu, node_of(menu, data), data)


def _lit(menu: Menu, node: Node, data: AttendantData) -> frozenset[Button]:
    match node.steps:
        case Steps.LAMPS:
            return frozenset(Button) - menu.pressed
        case Steps.TRIALS:
            return frozenset(KEYS)
        case Steps.DIGITS:
            takes = {Button.DEAL} if menu.digits and not node.at_once else set()
            adds = DIGIT_BUTTONS if len(menu.digits) < node.most_digits else ()
            return frozenset(adds) | {Button.CLEAR} | takes
        case Steps.PICTURES:
            return frozenset(picture_moves(menu, node)) | {Button.CLEAR}
    choices, leaves = len(node.entries), bool(menu.path or menu.asking)
    moves = (choices or page_count(node, data)) > 1
    does = {MenuKey.UP: moves, MenuKey.DOWN: moves, MenuKey.SELECT: bool(choices), MenuKey.BACK: leaves}
    return frozenset(button for button, key in KEYS.items() if does[key]) | frozenset(_direct(menu, node))


def _direct(menu: Menu, node: Node) -> tuple[Button, ...]:
    """Returns the buttons beside the entries that are shown."""
    shown = len(node.entries[first_shown(menu, node) :][:ENTRIES_PER_PAGE])
    return DIRECT[:shown] if node.direct else ()


# --- the page ---------------------------------------------------------------------------------------------------


def page(menu: Menu, data: AttendantData) -> Page:
    """Returns the page to show."""
    node = node_of(menu, data)
    return replace(
        _page_of_text(menu, node, data),
        pattern=node.pattern,
        sound=node.sound,
        silent_lines=node.silent_lines,
        drawing=node.drawing,
        code=node.code,
    )


def _page_of_text(menu: Menu, node: Node, data: AttendantData) -> Page:
    first, count = first_shown(menu, node), page_count(node, data)
    number = min(menu.page, count - 1)
    shown = node.entries[first : first + ENTRIES_PER_PAGE]
    return replace(
        _of_node(node),
        place=place_of(menu),
        lines=_lines(node, number, data),
        menu=tuple(entry.label for entry in shown),
        details=tuple(entry.detail for entry in shown) if any(entry.detail for entry in shown) else (),
        keys=_direct(menu, node),
        first=first,
        selected=max(0, min(menu.selected, len(node.entries) - 1) - first),
        notice=_notice(menu, node, data),
        position=(number + 1, count),
        where=_position(node, number, count, first, data),
        does=_does(menu, node, data),
        beside=data.say("the button beside a line opens it") if _direct(menu, node) else "",
        leaving=data.say("turn the key to leave"),
        figures=node.figures[number] if number < len(node.figures) else (),
        head=_head(data),
        tabs=_tabs(menu, node, data),
        tabbed=not menu.path and menu.asking is None,
        back=data.say("Back") if menu.path or menu.asking is not None else "",
        turns=count > 1 or len(node.entries) > ENTRIES_PER_PAGE or node.steps is Steps.TRIALS,
        keypad=node.steps is Steps.DIGITS,
        erase=data.say("Erase"),
        take="" if node.at_once else data.say("Take"),
    )


def _of_node(node: Node) -> Page:
    """Returns what the place in the menu alone decides."""
    return Page(
        title=node.title,
        pattern=node.pattern,
        sound=node.sound,
        drawing=node.drawing,
        code=node.code,
        picture=node.picture,
    )


def _lines(node: Node, number: int, data: AttendantData) -> tuple[Line, ...]:
    if node.listing is None:
        parts = sheets_of(node, data)
        return parts[number] if number < len(parts) else ()
    if not node.listing.count:
        return (Line(cells=(node.listing.nothing,)),)
    rows = node.listing.rows(number * ROWS_PER_PAGE, ROWS_PER_PAGE)
    return tuple(line for row in rows for line in row)


def _position(node: Node, number: int, count: int, first: int, data: AttendantData) -> str:
    """Returns what part of the whole is shown; empty where it is all of it."""
    if node.steps is Steps.PICTURES:
        return data.say("step {number} of {count}", number=number + 1, count=count)
    if len(node.entries) > ENTRIES_PER_PAGE:
        last = min(first + ENTRIES_PER_PAGE, len(node.entries))
        return data.say("{first}-{last} of {count}", first=first + 1, last=last, count=f"{len(node.entries):,}")
    if node.listing is not None and count > 1:
        start = number * ROWS_PER_PAGE
        last = min(start + ROWS_PER_PAGE, node.listing.count)
        return data.say(
            "rows {first}-{last} of {count}", first=f"{start + 1:,}", last=f"{last:,}", count=f"{node.listing.count:,}"
        )
    return data.say("page {number} of {count}", number=number + 1, count=count) if count > 1 else ""


def _head(data: AttendantData) -> Head:
    locks = len(data.machine.locks)
    return Head(
        time=_minute(data),
        machine=data.machine_name,
        venue=data.venue,
        credit=data.say("Credit {amount}", amount=data.money(data.machine.books.credit_cents)),
        who=data.say("Technician is in") if data.machine.access.technician else data.say("Attendant is in"),
        locks=locks,
        locks_words=data.say("1 lock") if locks == 1 else data.say("{count} locks", count=locks),
    )


def _minute(data: AttendantData) -> str:
    """Returns the time without seconds: the page is not written anew for each."""
    doubt = "" if data.time_believed else " ?"
    return data.time.removesuffix(" ?").rpartition(":")[0] + doubt


def _tabs(menu: Menu, node: Node, data: AttendantData) -> tuple[Tab, ...]:
    """Returns the groups, for a touch; on the first page the entries stand in their place, a picture has none."""
    if (not menu.path and menu.asking is None) or node.picture is not None:
        return ()
    first = Tab(key="", label=data.say("First page"))
    groups = (Tab(key=each.name, label=data.say(each.name), chosen=menu.path[:1] == (each.name,)) for each in GROUPS)
    return (first, *groups)


def _notice(menu: Menu, node: Node, data: AttendantData) -> str:
    if data.doubtful:
        return data.say(_DOUBTFUL)
    at_the_top = not menu.path and menu.asking is None
    if menu.path[1:2] == (PAY,) or node.steps is not Steps.NONE:
        return ""
    return menu.outcome or (technician.asked(data) if at_the_top else "")


# --- the buttons ------------------------------------------------------------------------------------------------


def _does(menu: Menu, node: Node, data: AttendantData) -> tuple[tuple[Button, str], ...]:
    """Returns the meaning of each lit button on this page; a dark button has none."""
    alight, words = _lit(menu, node, data), _words(menu, node, data)
    return tuple((button, words[button]) for button in Button if button in alight and button in words)


def _words(menu: Menu, node: Node, data: AttendantData) -> Mapping[Button, str]:
    if node.steps is Steps.DIGITS:
        erase = data.say("erase") if menu.digits else data.say("back")
        return {**DIGIT_BUTTONS, Button.CLEAR: erase, Button.DEAL: data.say("take it")}
    if node.steps is Steps.PICTURES:
        return {button: data.say(words) for button, words in _OF_A_GAME.items()}
    tables = {Steps.LAMPS: _ENDS_TEST, Steps.TRIALS: _TRIES}
    table = tables.get(node.steps, _MOVES if node.entries else _TURNS)
    moves = {button: data.say(table[key]) for button, key in KEYS.items() if key in table}
    first = first_shown(menu, node)
    named = zip(_direct(menu, node), node.entries[first:], strict=False)
    return moves | {
        button: entry.short or data.say("line {number}", number=nth)
        for nth, (button, entry) in enumerate(named, start=1)
    }

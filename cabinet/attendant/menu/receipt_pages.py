"""The pages of receipts: the offer after a settlement, the list of settlements, and one of them. Pure.

Rules: the offer stays on the page until its receipt is ordered or the page is left. A receipt of a list is a copy.
"""

from collections.abc import Set as AbstractSet

from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu.values import Entry, Menu, Node, PrintReceipt
from cabinet.attendant.pages import Line, sentences
from cabinet.attendant.receipts import Settled, fact_rows, settled, settled_of
from cabinet.attendant.records import read_log
from cabinet.engine.log import LogKind
from cabinet.text.attendant_words import text

SETTLED = text("Settled locks")
HAND_PAYS = text("Hand-pays")
MOST_LISTED = 200
"""Settlements of a list; older ones are in the log."""


def offer(menu: Menu, data: AttendantData) -> tuple[Entry, ...]:
    """Returns the entry that prints the receipt of the settlement just made; none without one."""
    if menu.settled is None or (one := settled(data, menu.settled)) is None:
        return ()
    return (
        Entry(
            label=data.say("Print a receipt"),
            short=data.say("receipt"),
            asks=PrintReceipt(number=one.number),
            detail=_name(data, one),
        ),
    )


def _name(data: AttendantData, one: Settled) -> str:
    """Returns a settlement in one line: the lock, the choice and the amount."""
    words = (one.lock, one.chosen)
    amount = "" if one.cents is None else data.money(one.cents)
    return "  ".join(filter(None, (*(data.say(each.capitalize()) for each in words if each), amount)))


def settled_node(name: str, kinds: AbstractSet[LogKind], menu: Menu, data: AttendantData) -> Node:
    """Returns the list of settlements of these kinds, newest first, or one of them."""
    if len(menu.path) > 2:
        return _one_node(data, name, int(menu.path[2]))
    rows = read_log(data, frozenset(kind.value for kind in kinds), 0, MOST_LISTED)
    nothing = () if rows else (Line(cells=(data.say("Nothing of this kind has happened yet"),)),)
    found = (settled_of(row) for row in rows)
    return Node(
        title=data.say(name),
        lines=nothing,
        entries=tuple(
            Entry(label=_name(data, one), detail=_when(data, one), goes=(f"{one.number}",), short=f"{one.number}")
            for one in found
        ),
    )


def _when(data: AttendantData, one: Settled) -> str:
    receipt = data.say("receipt {number}", number=one.receipt) if one.receipt else ""
    ticket = data.say("Ticket {number}", number=f"{int(one.ticket):06d}") if one.ticket else ""
    return "  ".join(filter(None, (one.when, ticket, receipt)))


def _one_node(data: AttendantData, name: str, number: int) -> Node:
    one = settled(data, number)
    if one is None:
        return Node(title=data.say(name), lines=(Line(cells=(data.say("This entry is no longer in the log"),)),))
    copy = Entry(
        label=data.say("Print a copy of the receipt"),
        short=data.say("copy"),
        asks=PrintReceipt(number=number, copy=True),
        detail=data.say("It has the facts of that time and is marked as a copy."),
    )
    return Node(title=data.say(name), lines=tuple(_facts(data, one)), entries=(copy,))


def _facts(data: AttendantData, one: Settled) -> tuple[Line, ...]:
    return tuple(Line(cells=row) for row in fact_rows(data, one))


def receipt_question(data: AttendantData, wanted: PrintReceipt) -> tuple[Line, ...]:
    """Returns what the receipt will say."""
    one = settled(data, wanted.number)
    if one is None:
        return (Line(cells=(data.say("This entry is no longer in the log"),)),)
    words = data.say("The receipt has no value. It has room for the signatures of the attendant and the player.")
    return (*_facts(data, one), *sentences(words))

"""The long lists: the log by kind, the tickets by state, and the search of a ticket by its last digits. Pure.

Rules: of a list only the shown rows are read. Every kind of log entry is in the whole log, or is a game. Of a ticket's
number only the end is shown.
"""

from collections.abc import Mapping
from functools import partial

from cabinet.attendant import reports, till
from cabinet.attendant.data import IN_DOUBT, OUT_STATES, PAID_BY_HAND, REDEEMED, AttendantData
from cabinet.attendant.menu.receipt_pages import offer
from cabinet.attendant.menu.values import Entry, Menu, Node, Steps
from cabinet.attendant.pages import Line, LineStyle, Listing, sentences
from cabinet.attendant.records import count_log, count_tickets, find_tickets, read_log, read_tickets
from cabinet.engine.log import LogKind
from cabinet.text.attendant_words import text

FIND, PAY = text("Find a ticket"), text("Pay a ticket by hand")
MOST_DIGITS = 6
"""Digits of a search."""

_K = LogKind
LOG_PAGES: Mapping[str, frozenset[LogKind]] = {
    text("Whole log"): frozenset(_K),
    text("Faults and locks"): frozenset(
        {_K.FAULT_BEGAN, _K.FAULT_ENDED, _K.LOCKED, _K.UNLOCKED, _K.SETTLED, _K.SELF_AUDIT_FAILED, _K.CALL_ON}
        | {_K.CALL_OFF, _K.HAND_ABANDONED, _K.OUT_OF_SERVICE, _K.BACK_IN_SERVICE}
    ),
    text("Doors"): frozenset({_K.DOOR_OPENED, _K.DOOR_CLOSED, _K.DOOR_WHILE_OFF}),
    text("Notes"): frozenset(kind for kind in _K if kind.name.startswith("NOTE_")),
    text("Tickets in and out"): frozenset(
        {kind for kind in _K if kind.name.startswith("TICKET_")} | {_K.PRINT_FAILED, _K.PRINT_UNKNOWN}
    ),
    text("Money out"): frozenset(
        {_K.CASH_OUT, _K.TICKET_PRINTED, _K.TICKET_PAID, _K.HAND_PAY_PENDING, _K.HAND_PAID, _K.HAND_PAY_BACKED_OUT}
        | {_K.LARGE_WIN, _K.ROUND_VOIDED}
    ),
    text("Keys and access"): frozenset(
        {_K.AUDIT_ENTERED, _K.AUDIT_LEFT, _K.TECHNICIAN_ENTERED, _K.TECHNICIAN_LEFT, _K.PIN_WRONG, _K.RECALL_VIEWED}
        | {
            _K.PERIOD_RESET,
            _K.COUNT_ENTERED,
            _K.MEMORY_CLEAR_PREPARED,
            _K.MEMORY_CLEAR_LEFT,
            _K.MEMORY_CLEARED,
            _K.TIME_CONFIRMED,
        }
    ),
    text("Program and power"): frozenset(
        {_K.POWER_UP, _K.POWER_UP_AFTER_CRASH, _K.POWER_LOST_IN_PLAY, _K.POWER_DOWN, _K.PROGRAM_CHANGED}
        | {_K.ACCEPTOR_STARTED, _K.PRINTER_STARTED, _K.OPTIONS_CHANGED, _K.MEMORY_RECOVERED, _K.METERS_ZEROED}
        | {_K.COMMISSIONED, _K.FORM_CHANGED, _K.UPDATE_TAKEN_BACK, _K.SINGLE_COPY, _K.LOG_OVERFLOW, _K.CLOCK_JUMPED}
    ),
}
"""The pages of the log, with the kinds of entries on each."""

PUT_IN_KINDS = frozenset(kind for kind in _K if kind.name.startswith("TICKET_")) - {_K.TICKET_PAID, _K.TICKET_PRINTED}

TICKET_PAGES: Mapping[str, frozenset[str]] = {
    text("All tickets"): frozenset(),
    text("Tickets out and unpaid"): OUT_STATES,
    text("Tickets in doubt"): frozenset({IN_DOUBT}),
    text("Tickets that came back"): frozenset({REDEEMED}),
    text("Tickets paid by hand"): frozenset({PAID_BY_HAND}),
}
"""The pages of tickets, with the states on each; none for all."""


def log_node(name: str, kinds: frozenset[LogKind], menu: Menu, data: AttendantData) -> Node:
    """Returns a page of the log."""
    del menu
    chosen = frozenset(kind.value for kind in kinds)
    return Node(
        title=data.say(name),
        listing=Listing(
            count=count_log(data, chosen),
            rows=lambda first, count: tuple(
                reports.event_lines(data, row) for row in read_log(data, chosen, first, count)
            ),
            nothing=data.say("Nothing of this kind has happened yet"),
        ),
    )


def tickets_node(name: str, states: frozenset[str], menu: Menu, data: AttendantData) -> Node:
    """Returns a list of tickets."""
    del menu
    return Node(
        title=data.say(name),
        listing=Listing(
            count=count_tickets(data, states),
            rows=partial(_ticket_rows, data, states),
            nothing=data.say("No ticket so far"),
        ),
    )


def _ticket_rows(data: AttendantData, states: frozenset[str], first: int, count: int) -> tuple[tuple[Line, ...], ...]:
    return tuple((reports.ticket_line(data, row),) for row in read_tickets(data, states, first, count))


# --- the search -------------------------------------------------------------------------------------------------


def find_node(menu: Menu, data: AttendantData) -> Node:
    """Returns the entry of digits, the tickets whose number ends with them, or one ticket."""
    match menu.path[2:]:
        case (digits,):
            return _found_node(data, digits)
        case (_, sequence):
            return _one_ticket_node(data, int(sequence))
        case _:
            return _digits_node(menu, data)


def _digits_node(menu: Menu, data: AttendantData) -> Node:
    shown = " ".join((*menu.digits, *("_" * (MOST_DIGITS - len(menu.digits)))))
    found = find_tickets(data, menu.digits) if menu.digits else ()
    words = data.say("Enter the last digits of the ticket's bar code, or of the number after Ticket no. Then take it.")
    one = (Line(cells=(data.say("Tickets with this end"), f"{len(found)}")),) if menu.digits else ()
    return Node(
        title=data.say(FIND),
        lines=(
            Line(cells=(data.say("Last digits"), shown), style=LineStyle.STRONG),
            *one,
            *(reports.ticket_line(data, row) for row in found[:3]),
            *sentences(words),
        ),
        steps=Steps.DIGITS,
        most_digits=MOST_DIGITS,
        take=lambda digits: Entry(label="", goes=(digits,)),
    )


def _found_node(data: AttendantData, digits: str) -> Node:
    found = find_tickets(data, digits)
    none = (Line(cells=(data.say("No ticket of this machine ends with {digits}", digits=digits),)),)
    return Node(
        title=data.say(FIND),
        lines=() if found else none,
        entries=tuple(
            Entry(
                label=data.say("Ticket {number}", number=f"{row.sequence:06d}") + f"  {data.money(row.cents)}",
                detail=f"{row.when}  {data.state_of(row)}",
                goes=(str(row.sequence),),
            )
            for row in found
        ),
    )


def _one_ticket_node(data: AttendantData, sequence: int) -> Node:
    row = next((each for each in find_tickets(data, f"{sequence:06d}") if each.sequence == sequence), None)
    title = data.say("Ticket {number}", number=f"{sequence:06d}")
    if row is None:
        return Node(title=title, lines=(Line(cells=(data.say("This ticket is no longer listed"),)),))
    chosen = till.TicketChosen(sequence=sequence)
    payable = any(each.sequence == sequence for each in till.payable(data))
    pay = Entry(label=data.say(PAY), asks=chosen, detail=data.say("The ticket is worth nothing after that."))
    return Node(title=title, lines=till.ticket_lines(data, row), entries=(pay,) if payable else ())


# --- payment by hand --------------------------------------------------------------------------------------------


def pay_node(menu: Menu, data: AttendantData) -> Node:
    """Returns the tickets that can be paid by hand."""
    choices = till.choices(data, menu.path[2:])
    return Node(
        title=data.say(PAY),
        lines=till.list_lines(data, menu.outcome),
        entries=(
            *offer(menu, data),
            *(
                Entry(label=each.label, goes=(each.goes,) if each.goes else (), asks=each.asks, short=each.short)
                for each in choices
            ),
        ),
    )

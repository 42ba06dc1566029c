"""The pages of closed periods and removed cash boxes, and the question before a period is closed. Pure.

Rules: a closing shows its number, when it began and ended, its notes, and what is expected, counted and different. The
count is entered in cents, like at a till.
"""

from collections.abc import Iterator

from cabinet.attendant import reports
from cabinet.attendant.data import AttendantData, Closing
from cabinet.attendant.menu.values import Entry, Menu, Node, PrintClosing, Steps
from cabinet.attendant.pages import Line, LineStyle, sentences
from cabinet.engine.closing_facts import ClosingKind, EnterCount
from cabinet.text.attendant_words import text

CLOSINGS = text("Closed periods and cash boxes")
CLOSE = text("Close the period")
COUNT = text("Enter the count")
MOST_DIGITS = 9
"""Digits of a count, cents included."""


def _row(*cells: str) -> Line:
    return Line(cells=cells)


def _strong(*cells: str) -> Line:
    return Line(cells=cells, style=LineStyle.STRONG)


def name_of(data: AttendantData, closing: Closing) -> str:
    """Returns the closing by its kind and number."""
    if closing.kind is ClosingKind.PERIOD:
        return data.say("Period {number}", number=closing.number)
    return data.say("Cash box {number}", number=closing.number)


def closings_node(menu: Menu, data: AttendantData) -> Node:
    """Returns the list of closings, or one of them."""
    if len(menu.path) < 3:
        none = (_row(data.say("No period has been closed and no cash box removed so far")),)
        listed = tuple(_entry(data, each) for each in data.closings)
        return Node(title=data.say(CLOSINGS), lines=() if listed else none, entries=listed)
    kind, _, number = menu.path[2].rpartition(" ")
    chosen = (each for each in data.closings if (each.kind.value, each.number) == (kind, int(number)))
    closing = next(chosen, None)
    if closing is None:
        return Node(title=data.say(CLOSINGS), lines=(_row(data.say("This closing is no longer listed")),))
    if menu.path[3:] == (COUNT,):
        return _count_node(menu, data, closing)
    enter = Entry(
        label=data.say(COUNT),
        short=data.say("count"),
        goes=(COUNT,),
        detail=data.say("What a person has counted. The log keeps it with the difference."),
    )
    slip = Entry(
        label=data.say("Print the slip"),
        short=data.say("print"),
        asks=PrintClosing(kind=closing.kind, number=closing.number),
        detail=data.say("About 20 lines with the notes, the count and room for signatures."),
    )
    return Node(title=name_of(data, closing), lines=tuple(closing_lines(data, closing)), entries=(enter, slip))


def _count_node(menu: Menu, data: AttendantData, closing: Closing) -> Node:
    """Returns the entry of a count."""
    entered = int(menu.digits or "0")
    return Node(
        title=data.say("{what}: enter the count", what=name_of(data, closing)),
        lines=(
            _row(data.say("Expected in the cash box"), data.money(closing.expected_cents)),
            _strong(data.say("Counted"), data.money(entered)),
            *sentences(data.say("Enter every digit, cents too. Then take it.")),
        ),
        steps=Steps.DIGITS,
        most_digits=MOST_DIGITS,
        take=lambda digits: Entry(
            label=data.say("Enter the count {amount}", amount=data.money(int(digits))),
            asks=EnterCount(kind=closing.kind, number=closing.number, cents=int(digits)),
        ),
    )


def count_question(data: AttendantData, counted: EnterCount) -> tuple[Line, ...]:
    """Returns what a yes to a count writes down."""
    found = (each for each in data.closings if (each.kind, each.number) == (counted.kind, counted.number))
    closing = next(found, None)
    if closing is None:
        return (_row(data.say("This closing is no longer listed")),)
    off = counted.cents - closing.expected_cents
    return (
        _strong(name_of(data, closing), ""),
        _row(data.say("Expected in the cash box"), data.money(closing.expected_cents)),
        _row(data.say("Counted"), data.money(counted.cents)),
        Line(cells=(data.say("Difference"), data.money(off)), style=LineStyle.WARN if off else LineStyle.NORMAL),
        *sentences(data.say("The log keeps the count. No meter moves.")),
    )


def _entry(data: AttendantData, closing: Closing) -> Entry:
    counted = data.say("not counted") if closing.counted_cents is None else difference_words(data, closing)
    return Entry(
        label=f"{name_of(data, closing)}  {data.money(closing.expected_cents)}",
        detail=f"{closing.ended}  {counted}",
        goes=(f"{closing.kind.value} {closing.number}",),
        short=name_of(data, closing),
    )


def difference_words(data: AttendantData, closing: Closing) -> str:
    """Returns whether the count agrees with what was expected."""
    difference = (closing.counted_cents or 0) - closing.expected_cents
    if difference == 0:
        return data.say("counted, agrees")
    words = text("{amount} too much") if difference > 0 else text("{amount} too little")
    return data.say(words, amount=data.money(abs(difference)))


def closing_lines(data: AttendantData, closing: Closing) -> Iterator[Line]:
    """Yields what a closing has frozen, and its count."""
    yield _row(data.say("From"), closing.began or data.say("not known"))
    yield _row(data.say("To"), closing.ended or data.say("not known"))
    yield Line(cells=(data.say("Notes"),), style=LineStyle.HEAD)
    yield from reports.note_rows(data, {cents: count for cents, count in closing.notes.items() if count})
    yield _strong(data.say("Expected in the cash box"), data.money(closing.expected_cents))
    if closing.tickets_cents:
        yield _row(data.say("Tickets, no cash"), data.money(closing.tickets_cents))
    if closing.counted_cents is None:
        yield _row(data.say("Counted"), data.say("not entered"))
        return
    yield _row(data.say("Counted"), data.money(closing.counted_cents))
    off = closing.counted_cents - closing.expected_cents
    style = LineStyle.WARN if off else LineStyle.NORMAL
    yield Line(cells=(data.say("Difference"), data.money(off)), style=style)


# --- the question before a period is closed ---------------------------------------------------------------------


def period_number(data: AttendantData) -> int:
    """Returns the number of the period that runs."""
    return next((each.number for each in data.closings if each.kind is ClosingKind.PERIOD), 0) + 1


def period_began(data: AttendantData) -> str:
    """Returns since when the period runs; empty where it is not known."""
    return next((each.ended for each in data.closings if each.kind is ClosingKind.PERIOD), "")


def closing_question(data: AttendantData) -> tuple[Line, ...]:
    """Returns what a yes to the end of the period does, and what the cash box must hold."""
    words = data.say(
        "Take the cash box out, compare it with this, put it back, then choose Yes. Lifetime meters stay. The period "
        "is frozen with these amounts and can be read and printed later."
    )
    return (
        _strong(data.say("Period {number}", number=period_number(data)), ""),
        _row(data.say("Since"), period_began(data) or data.say("the machine was new")),
        _row(data.say("Until now"), data.time),
        *reports.cashbox_lines(data),
        *sentences(words),
    )

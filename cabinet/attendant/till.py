"""Payment of an issued ticket by hand: the choice of the ticket, and the question before it. Pure.

Rules: the attendant finds a ticket by its printed sequence number, in at most eight choices per page. Only the end of
the validation number is shown, to compare it with the paper. An expired ticket needs two confirmations. An unsettled
ticket in the acceptor cannot be chosen. After the yes, the payment checks again that the ticket is still out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cabinet.attendant.data import IN_ACCEPTOR, ISSUED, AttendantData, TicketRow
from cabinet.attendant.pages import Line, LineStyle, sentences
from cabinet.engine.ticket_redemption import expired_words
from cabinet.text.attendant_words import text

CHOICES = 8
"""Choices on one page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketChosen:
    """The attendant pays this ticket by hand. `expired`: the attendant has confirmed that it has expired."""

    sequence: int
    expired: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A line: it opens the tickets of a range (`goes`), or the question about one ticket (`asks`)."""

    label: str
    goes: str = ""
    asks: TicketChosen | None = None
    short: str = ""
    """The words in the legend of its button."""


def choices(data: AttendantData, ranges: tuple[str, ...]) -> tuple[Choice, ...]:
    """Returns the tickets that are out within the chosen ranges, newest first; more than CHOICES as ranges."""
    tickets = payable(data)
    for first, last in (map(int, each.split("-")) for each in ranges):
        tickets = tuple(ticket for ticket in tickets if first <= ticket.sequence <= last)
    if len(tickets) <= CHOICES:
        return tuple(_one(data, ticket) for ticket in tickets)
    size = CHOICES
    while size * CHOICES < len(tickets):
        size *= CHOICES
    return tuple(_range(data, tickets[at : at + size]) for at in range(0, len(tickets), size))


def _one(data: AttendantData, ticket: TicketRow) -> Choice:
    label = "  ".join(
        filter(
            None,
            (
                data.say("Ticket {number}", number=f"{ticket.sequence:06d}"),
                data.money(ticket.cents),
                expired_words(ticket.expired_days),
            ),
        )
    )
    return Choice(label=label, asks=TicketChosen(sequence=ticket.sequence), short=f"{ticket.sequence:06d}")


def _range(data: AttendantData, tickets: tuple[TicketRow, ...]) -> Choice:
    newest, oldest = tickets[0].sequence, tickets[-1].sequence
    words = data.say("Tickets {first} to {last}", first=f"{oldest:06d}", last=f"{newest:06d}")
    return Choice(label=words, goes=f"{oldest}-{newest}", short=data.say("to {number}", number=f"{newest:06d}"))


def second_question(data: AttendantData, chosen: object) -> TicketChosen | None:
    """Returns the second question about an expired ticket; None when one yes is enough."""
    if not isinstance(chosen, TicketChosen):
        return None
    ticket = _find(data, chosen)
    expired = ticket is not None and ticket.expired_days > 0
    return TicketChosen(sequence=chosen.sequence, expired=True) if expired and not chosen.expired else None


def _find(data: AttendantData, chosen: TicketChosen) -> TicketRow | None:
    return next((each for each in payable(data) if each.sequence == chosen.sequence), None)


def payable(data: AttendantData) -> tuple[TicketRow, ...]:
    """Returns the tickets that can be paid by hand now, newest first."""
    return tuple(ticket for ticket in data.unpaid if data.state_of(ticket) != IN_ACCEPTOR)


def list_lines(data: AttendantData, notice: str) -> tuple[Line, ...]:
    """Returns the text beside the list: `notice`, the outcome of the last payment, or how to choose."""
    if not data.unpaid:
        return (*sentences(notice), Line(cells=(data.say("No ticket is out"),)))
    owed = sum(ticket.cents for ticket in data.unpaid)
    out = Line(cells=(data.say("{count} out", count=f"{len(data.unpaid):,}"), data.money(owed)), style=LineStyle.STRONG)
    return (
        out,
        *_waiting_lines(data),
        *sentences(notice or data.say("Choose the ticket by the number printed after Ticket no.")),
    )


def _waiting_lines(data: AttendantData) -> Iterator[Line]:
    """Yields the tickets that are out and cannot be chosen now."""
    for ticket in data.unpaid:
        if data.state_of(ticket) == IN_ACCEPTOR:
            words = data.say("Ticket {number} is in the acceptor", number=f"{ticket.sequence:06d}")
            yield Line(cells=(words, data.money(ticket.cents)), style=LineStyle.WARN)


EXPIRED_MEANWHILE = text("This ticket was not paid: it expired a moment ago. Choose it again.")


def outcome(sequence: int, receipt: int | None, say: Callable[..., str]) -> str:
    """Returns the outcome as text; no receipt means that nothing was paid. `say` is that of the attendant's data."""
    if receipt is None:
        return say(
            "This ticket was not paid: a lock names it, a document is in the acceptor or printer, or the books do not "
            "agree."
        )
    return say("Ticket {number} is paid. Receipt {receipt}.", number=f"{sequence:06d}", receipt=receipt)


def question_lines(data: AttendantData, chosen: TicketChosen) -> tuple[Line, ...]:
    """Returns what must be printed on the paper, and what a yes does."""
    ticket = _find(data, chosen)
    if ticket is None:
        return (Line(cells=(data.say("This ticket is no longer out"),)),)
    warned = (Line(cells=(words,), style=LineStyle.WARN) for words in _warnings(data, ticket, chosen))
    return (
        *ticket_lines(data, ticket),
        Line(cells=(data.say("Receipt number"), f"{data.machine.printer.next_receipt}")),
        *warned,
        *sentences(data.say("Compare the paper with this and keep it. After a yes the ticket is worth nothing.")),
    )


def ticket_lines(data: AttendantData, ticket: TicketRow) -> tuple[Line, ...]:
    """Returns what is known of a ticket; of its number only the end."""
    state = data.state_of(ticket)
    again = data.say("{count}x, {when}", count=ticket.duplicates, when=ticket.settled) if ticket.duplicates else ""
    pairs = (
        (data.say("Amount"), data.money(ticket.cents)),
        (data.say("Issued"), ticket.when),
        (data.say("Good until"), ticket.good_until or data.say("no last day")),
        (data.say("Its number ends"), ticket.tail),
        (data.say("Printed again"), again),
        (data.say("It was"), "" if state == ISSUED else f"{data.say(state)} {ticket.settled}".strip()),
    )
    return tuple(Line(cells=pair) for pair in pairs if pair[1])


def _warnings(data: AttendantData, ticket: TicketRow, chosen: TicketChosen) -> tuple[str, ...]:
    """Returns warnings about the last day of this ticket."""
    words = expired_words(ticket.expired_days)
    if chosen.expired:
        decides = data.say("The house decides whether an expired ticket is paid. The log keeps it.")
        words = f"{words}. {decides}"
    elif ticket.good_until and not words and not data.time_believed:
        words = data.say("The clock is not valid: check by a calendar whether the ticket has expired.")
    return tuple(line.cells[0] for line in sentences(words))

"""Payment of an issued ticket by hand: the choice of the ticket, and the question before it. Pure.

Rules: the attendant finds a ticket by its printed sequence number, in at most ten choices per page. Only the end of the
validation number is shown, to compare it with the paper. An expired ticket needs two confirmations. An unsettled ticket
in the acceptor cannot be chosen. After the yes, the payment checks again that the ticket is still out.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cabinet.attendant.data import IN_ACCEPTOR, ISSUED, AttendantData, TicketRow
from cabinet.attendant.pages import Line, LineStyle, sentences
from cabinet.engine.ticket_redemption import expired_words

CHOICES = 10
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


def choices(data: AttendantData, ranges: tuple[str, ...]) -> tuple[Choice, ...]:
    """Returns the tickets that are out within the chosen ranges, newest first; more than CHOICES as ranges."""
    tickets = _payable(data)
    for first, last in (map(int, each.split("-")) for each in ranges):
        tickets = tuple(ticket for ticket in tickets if first <= ticket.sequence <= last)
    if len(tickets) <= CHOICES:
        return tuple(_one(data, ticket) for ticket in tickets)
    size = CHOICES
    while size * CHOICES < len(tickets):
        size *= CHOICES
    return tuple(_range(tickets[at : at + size]) for at in range(0, len(tickets), size))


def _one(data: AttendantData, ticket: TicketRow) -> Choice:
    label = "  ".join(
        filter(None, (f"Ticket {ticket.sequence:06d}", data.money(ticket.cents), expired_words(ticket.expired_days)))
    )
    return Choice(label=label, asks=TicketChosen(sequence=ticket.sequence))


def _range(tickets: tuple[TicketRow, ...]) -> Choice:
    newest, oldest = tickets[0].sequence, tickets[-1].sequence
    return Choice(label=f"Tickets {oldest:06d} to {newest:06d}", goes=f"{oldest}-{newest}")


def second_question(data: AttendantData, chosen: object) -> TicketChosen | None:
    """Returns the second question about an expired ticket; None when one yes is enough."""
    if not isinstance(chosen, TicketChosen):
        return None
    ticket = _find(data, chosen)
    expired = ticket is not None and ticket.expired_days > 0
    return TicketChosen(sequence=chosen.sequence, expired=True) if expired and not chosen.expired else None


def _find(data: AttendantData, chosen: TicketChosen) -> TicketRow | None:
    return next((each for each in _payable(data) if each.sequence == chosen.sequence), None)


def _payable(data: AttendantData) -> tuple[TicketRow, ...]:
    return tuple(ticket for ticket in data.unpaid if data.state_of(ticket) != IN_ACCEPTOR)


def list_lines(data: AttendantData, notice: str) -> tuple[Line, ...]:
    """Returns the text beside the list: `notice`, the outcome of the last payment, or how to choose."""
    if not data.unpaid:
        return (*sentences(notice), Line(cells=("No ticket is out",)))
    owed = sum(ticket.cents for ticket in data.unpaid)
    out = Line(cells=(f"{len(data.unpaid):,} out", data.money(owed)), style=LineStyle.STRONG)
    return (
        out,
        *_waiting_lines(data),
        *sentences(notice or "Choose the ticket by the number printed after Ticket no."),
    )


def _waiting_lines(data: AttendantData) -> Iterator[Line]:
    """Yields the tickets that are out and cannot be chosen now."""
    for ticket in data.unpaid:
        if data.state_of(ticket) == IN_ACCEPTOR:
            words = f"Ticket {ticket.sequence:06d} is in the acceptor"
            yield Line(cells=(words, data.money(ticket.cents)), style=LineStyle.WARN)


EXPIRED_MEANWHILE = "This ticket was not paid: it expired a moment ago. Choose it again."


def outcome(sequence: int, receipt: int | None) -> str:
    """Returns the outcome as text; no receipt means that nothing was paid."""
    if receipt is None:
        return (
            "This ticket was not paid: a lock names it, a document is in the acceptor or printer, or the books do not "
            "agree."
        )
    return f"Ticket {sequence:06d} is paid. Receipt {receipt}."


def question_lines(data: AttendantData, chosen: TicketChosen) -> tuple[Line, ...]:
    """Returns what must be printed on the paper, and what a yes does."""
    ticket = _find(data, chosen)
    if ticket is None:
        return (Line(cells=("This ticket is no longer out",)),)
    pairs = (
        ("Amount", data.money(ticket.cents)),
        ("Issued", ticket.when),
        ("Good until", ticket.good_until or "no last day"),
        ("Its number ends", ticket.tail),
        ("Printed again", f"{ticket.duplicates}x, {ticket.settled}" if ticket.duplicates else ""),
        ("It was", "" if ticket.state == ISSUED else ticket.state),
        ("Receipt number", f"{data.machine.printer.next_receipt}"),
    )
    warned = (Line(cells=(words,), style=LineStyle.WARN) for words in _warnings(data, ticket, chosen))
    return (
        *(Line(cells=pair) for pair in pairs if pair[1]),
        *warned,
        *sentences("Compare the paper with this and keep it. After a yes the ticket is worth nothing."),
    )


def _warnings(data: AttendantData, ticket: TicketRow, chosen: TicketChosen) -> tuple[str, ...]:
    """Returns warnings about the last day of this ticket."""
    words = expired_words(ticket.expired_days)
    if chosen.expired:
        words = f"{words}. The house decides whether an expired ticket is paid. The log keeps it."
    elif ticket.good_until and not data.time_believed:
        words = "The clock is not valid: check by a calendar whether the ticket has expired."
    return tuple(line.cells[0] for line in sentences(words))

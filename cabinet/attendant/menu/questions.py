"""The question before a request: its title and what a yes does. Pure.

Rules: every request is asked about once, an expired ticket twice; the bar begins at No.
"""

from cabinet.attendant import technician, till
from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu.closing_pages import closing_question, count_question
from cabinet.attendant.menu.lock_pages import OUT, VOIDS, settling_lines
from cabinet.attendant.menu.receipt_pages import receipt_question
from cabinet.attendant.menu.values import Entry, Extra, Node, PrintClosing, PrintReceipt
from cabinet.attendant.pages import Line, sentences
from cabinet.engine.closing_facts import EnterCount
from cabinet.engine.inputs import PrepareMemoryClear, ResetPeriod, SetOutOfService, SettleLock, VoidRound
from cabinet.text.attendant_words import text

_PAPER = text("It is marked as no money. No meter moves.")
_AUDIT = text(
    "It has the period and the lifetime: money in, money out, net win, hold, the cash box and room for signatures."
)

_FILES = text(
    "Signed files of meters, log, games, tickets, closings and hours are written in the folder exports of the data. "
    "No meter moves. Leave the key turned until the page says where they are."
)


def question(entry: Entry, data: AttendantData) -> Node:
    """Returns the question about an entry."""
    return Node(
        title=_title(entry, data),
        lines=_lines(entry, data),
        entries=(Entry(label=data.say("No")), Entry(label=data.say("Yes"), asks=entry.asks)),
        direct=False,
    )


def _title(entry: Entry, data: AttendantData) -> str:
    if isinstance(entry.asks, till.TicketChosen) and not entry.asks.expired:
        return data.say("Pay ticket {number} by hand?", number=f"{entry.asks.sequence:06d}")
    return data.say("{what}?", what=entry.label)


def _lines(entry: Entry, data: AttendantData) -> tuple[Line, ...]:
    """Returns what a yes does."""
    match entry.asks:
        case SettleLock() as settles:
            return settling_lines(data, settles)
        case till.TicketChosen() as chosen:
            return till.question_lines(data, chosen)
        case EnterCount() as counted:
            return count_question(data, counted)
        case ResetPeriod():
            return closing_question(data)
        case VoidRound():
            return sentences(data.say(VOIDS))
        case SetOutOfService(out=True):
            return sentences(data.say(OUT))
        case PrepareMemoryClear(on=True):
            return technician.clear_lines(data)
        case Extra.AUDIT_TICKET:
            return (*sentences(data.say(_AUDIT)), *sentences(data.say(_PAPER)))
        case PrintReceipt() as receipt:
            return receipt_question(data, receipt)
        case Extra.SAVE_FILES:
            return sentences(data.say(_FILES))
        case Extra() | PrintClosing():
            return sentences(data.say(_PAPER))
        case _:
            return ()

"""The receipt of a settlement: what the log holds of it, and the rows that are printed. Pure.

Rules: a receipt has the facts of the settlement's own step, and nothing of the present state but the time of printing.
It has no value. A receipt that is printed from a list is marked as a copy.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cabinet.attendant.audit_ticket import WRITTEN, Row
from cabinet.attendant.data import AttendantData, LogRow
from cabinet.attendant.records import read_step
from cabinet.engine.inputs import Settlement
from cabinet.engine.log import LogKind
from cabinet.engine.state import LockKind
from cabinet.text.attendant_words import text

RECEIPT, COPY = text("RECEIPT"), text("RECEIPT, COPY")
"""The titles on paper."""
SETTLED_KINDS: Final = frozenset({LogKind.SETTLED, LogKind.TICKET_PAID})
"""The entries of the log that a receipt is about."""
PAID_KINDS: Final = frozenset({LogKind.HAND_PAID, LogKind.TICKET_PAID})
_RECEIPT: Final = re.compile(r"\breceipt (\d+)")
_TICKET: Final = re.compile(r"\bticket (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What the log holds of one settlement. `number` is its entry, `lock` and `chosen` are words; `receipt` and
    `ticket` are empty where it has none."""

    number: int
    when: str
    lock: str
    chosen: str
    cents: int | None
    receipt: str
    ticket: str


def settled(data: AttendantData, number: int) -> Settled | None:
    """Returns the settlement of a log entry; None for an entry that is no longer in the log."""
    step = read_step(data, number)
    of = next((row for row in step if row.number == number), None)
    return None if of is None else _read(of, step)


def settled_of(row: LogRow) -> Settled:
    """Returns what one entry holds of a settlement."""
    return _read(row, (row,))


def _read(of: LogRow, step: Sequence[LogRow]) -> Settled:
    """Returns the settlement of an entry and the others of its step."""
    decided = next((row for row in step if row.what == LogKind.SETTLED.value), of)
    lock, chosen = _named(decided)
    cents = next((row.cents for row in (of, *step) if row.cents is not None), None)
    return Settled(
        number=of.number,
        when=of.when,
        lock=lock,
        chosen=chosen,
        cents=cents,
        receipt=_first(_RECEIPT, step),
        ticket=_first(_TICKET, step),
    )


def _named(row: LogRow) -> tuple[str, str]:
    """Returns the lock and the choice of an entry, each as its own words."""
    for kind in LockKind:
        chosen = row.detail.removeprefix(f"{kind.value}: ")
        if chosen in {how.value for how in Settlement}:
            return kind.value, chosen
    return "", row.what


def _first(pattern: re.Pattern[str], rows: Sequence[LogRow]) -> str:
    return next((found[1] for row in rows if (found := pattern.search(row.detail))), "")


def receipt_rows(data: AttendantData, one: Settled) -> tuple[Row, ...]:
    """Returns the rows of a receipt."""
    return tuple(_rows(data, one))


def _rows(data: AttendantData, one: Settled) -> Iterator[Row]:
    named = dict(data.identity)
    yield from ((data.say(label), named[label]) for label in ("Venue", "Machine") if label in named)
    yield from fact_rows(data, one)
    yield data.say("Signatures").upper(), ""
    yield data.say("Attendant"), WRITTEN
    yield data.say("Player"), WRITTEN


def fact_rows(data: AttendantData, one: Settled) -> Iterator[Row]:
    """Yields what the log holds of a settlement; a value that it has not is left out."""
    pairs = (
        (data.say("Settled"), one.when),
        (data.say("Lock"), data.say(one.lock.capitalize()) if one.lock else ""),
        (data.say("Chosen"), data.say(one.chosen.capitalize())),
        (data.say("Amount"), "" if one.cents is None else data.money(one.cents)),
        (data.say("Ticket"), f"{int(one.ticket):06d}" if one.ticket else ""),
        (data.say("Receipt number"), one.receipt),
        (data.say("Log entry"), f"{one.number}"),
    )
    yield from (pair for pair in pairs if pair[1])

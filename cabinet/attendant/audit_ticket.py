"""The audit ticket and the slip of a closing, as rows of a name and a value. Pure.

Rules: an audit ticket has fewer than 60 rows; a slip has about 20. Both leave room for a count and signatures. A row
with an empty value is a heading.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cabinet.attendant.data import PUBLIC_KEY, AttendantData, Closing
from cabinet.attendant.reports import SPANS, labels
from cabinet.engine.closing_facts import ClosingKind
from cabinet.engine.inputs import Door
from cabinet.text.attendant_words import text

Row = tuple[str, str]

_MONEY: Final = (
    "bills_in",
    "tickets_in",
    "total_drop",
    "tickets_out",
    "tickets_paid",
    "total_hand_paid",
    "coin_in",
    "coin_out",
)
"""The sums of each column of an audit ticket, by their names in the store's report."""
_SPAN_TITLES: Final[Mapping[str, str]] = {"period": text("This period"), "lifetime": text("Lifetime")}
WRITTEN = "_" * 12
"""Room for an amount or a name."""


def audit_rows(data: AttendantData) -> tuple[Row, ...]:
    """Returns the rows of an audit ticket: machine, period, lifetime, cash box, signatures."""
    return (
        *_machine(data),
        *(row for span in SPANS for row in _span(data, span)),
        *_box(data),
        *_signatures(data),
    )


def _machine(data: AttendantData) -> Iterator[Row]:
    named = dict(data.identity)
    yield from (
        (data.say(label), named[label]) for label in ("Venue", "Machine", "Program", PUBLIC_KEY) if label in named
    )
    yield data.say("Credit now"), data.money(data.machine.books.credit_cents)
    unpaid = sum(ticket.cents for ticket in data.unpaid)
    yield data.say("Tickets out and unpaid"), f"{len(data.unpaid):,} = {data.money(unpaid)}"


def _span(data: AttendantData, span: str) -> Iterator[Row]:
    report: Mapping[str, Any] = data.meters[span]
    yield data.say(_SPAN_TITLES[span]).upper(), ""
    if span == "period":
        last = next((each for each in data.closings if each.kind is ClosingKind.PERIOD), None)
        yield data.say("Period number"), f"{last.number + 1 if last else 1}"
        yield data.say("From"), (last.ended if last else "") or data.say("the machine was new")
        yield data.say("To"), data.time
    yield from ((data.say(labels()[name]), data.money(report[name])) for name in _MONEY)
    staked, won = report["coin_in"], report["coin_in"] - report["coin_out"]
    yield data.say("Net win"), data.money(won)
    yield data.say("Hold"), f"{won / staked:.2%}" if staked else "-"
    yield data.say(labels()["games_played"]), f"{report['games_played']:,}"
    opened = (f"{report['doors'].get(door.value, 0):,}" for door in Door)
    yield data.say("Doors opened: main, cash box, logic"), " / ".join(opened)


def _box(data: AttendantData) -> Iterator[Row]:
    notes: Mapping[str, int] = data.meters["in_cashbox_by_denomination"]
    yield data.say("In the cash box").upper(), ""
    yield from _notes(data, {int(cents): count for cents, count in notes.items()})
    yield data.say("Expected amount"), data.money(data.meters["in_cashbox"])


def _notes(data: AttendantData, notes: Mapping[int, int]) -> Iterator[Row]:
    for cents, count in sorted(notes.items()):
        if count:
            yield data.money(cents), f"{count:,} = {data.money(cents * count)}"


def _signatures(data: AttendantData) -> Iterator[Row]:
    yield data.say("Count and signatures").upper(), ""
    for words in (data.say("Counted"), data.say("Difference"), data.say("Attendant"), data.say("Second person")):
        yield words, WRITTEN


def closing_rows(data: AttendantData, closing: Closing) -> tuple[Row, ...]:
    """Returns the rows of a slip: what a closing has frozen, and room for what a person finds."""
    named = dict(data.identity)
    of = data.say("Period") if closing.kind is ClosingKind.PERIOD else data.say("Cash box")
    counted = WRITTEN if closing.counted_cents is None else data.money(closing.counted_cents)
    off = WRITTEN if closing.counted_cents is None else data.money(closing.counted_cents - closing.expected_cents)
    return (
        *((data.say(label), named[label]) for label in ("Venue", "Machine") if label in named),
        (of, f"{closing.number}"),
        (data.say("From"), closing.began or data.say("not known")),
        (data.say("To"), closing.ended or data.say("not known")),
        (data.say("Notes").upper(), ""),
        *_notes(data, closing.notes),
        (data.say("Expected amount"), data.money(closing.expected_cents)),
        (data.say("Tickets, no cash"), data.money(closing.tickets_cents)),
        (data.say("Counted"), counted),
        (data.say("Difference"), off),
        (data.say("Attendant"), WRITTEN),
        (data.say("Second person"), WRITTEN),
    )

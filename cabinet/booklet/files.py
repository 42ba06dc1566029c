"""The files of an export: tables as CSV, everything as JSON, the page, and the signed statement. Reads only.

Rules: a table has one head line and one row an entry, in UTF-8 with line feeds. Amounts are cents, times are text of
the machine's clock with a question mark while it was not valid. Of a ticket's number only its end is written: the whole
number is worth money. A table has what the data has; the reader of the journal limits it.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cabinet.attendant.data import AttendantData
from cabinet.attendant.reports import METERS
from cabinet.booklet.page import write_page
from cabinet.booklet.value import booklet, to_plain
from cabinet.statement.text import Statement, statement_text

Cells = Iterable[object]


def statement_of(data: AttendantData, *, row: int, row_hash: str) -> str:
    """Returns the text that the machine signs: the figures that a count or a dispute needs."""
    lifetime: Mapping[str, Any] = data.meters.get("lifetime", {})
    figures = (
        ("Credit", data.money(data.machine.books.credit_cents)),
        ("In the cash box", data.money(data.meters.get("in_cashbox", 0))),
        *(
            (meter.label.strip(), data.money(lifetime.get(meter.name, 0)))
            for group in ("Play", "Money in", "Money out")
            for meter in METERS[group]
            if meter.money and meter.name in STATED
        ),
        ("Games played", f"{lifetime.get('games_played', 0):,}"),
        ("Open locks", f"{len(data.machine.locks)}"),
    )
    return statement_text(
        Statement(
            machine=data.machine_name,
            venue=data.venue,
            time=data.time,
            row=row,
            row_hash=row_hash,
            figures=figures,
        )
    )


STATED: Final = frozenset(
    {"coin_in", "coin_out", "bills_in", "tickets_in", "tickets_out", "total_drop", "total_hand_paid"}
)
"""The meters of the statement; all are lifetime meters."""


def export_files(data: AttendantData, signed_statement: str) -> dict[str, bytes]:
    """Returns the content of each file by its name."""
    found = booklet(data)
    tables: Mapping[str, Iterable[Cells]] = {
        "meters.csv": _meters(data),
        "events.csv": _events(data),
        "games.csv": _games(data),
        "tickets.csv": _tickets(data),
        "closings.csv": _closings(data),
        "hours.csv": _hours(data),
    }
    return {
        "statement.txt": signed_statement.encode(),
        "report.html": write_page(found).encode(),
        "report.json": json.dumps(to_plain(found), ensure_ascii=False, indent=1).encode(),
        **{name: _csv(rows) for name, rows in tables.items()},
    }


def _csv(rows: Iterable[Cells]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def _meters(data: AttendantData) -> Iterable[Cells]:
    yield "meter", "period", "lifetime"
    period, lifetime = (_flat(data.meters.get(span, {})) for span in ("period", "lifetime"))
    for name in lifetime:
        yield name, period.get(name, 0), lifetime[name]


def _flat(report: Mapping[str, Any], prefix: str = "") -> dict[str, int]:
    """Returns the numbers of a report by dotted name."""
    flat: dict[str, int] = {}
    for name, value in report.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {f"{prefix}{name}": value}
    return flat


def _events(data: AttendantData) -> Iterable[Cells]:
    yield "number", "when", "what", "detail", "cents"
    for row in data.events:
        yield row.number, row.when, row.what, row.detail, "" if row.cents is None else row.cents


def _games(data: AttendantData) -> Iterable[Cells]:
    yield "number", "game", "began", "state", "staked", "returned", "credit_before", "credit_after", "cards", "choices"
    for story in data.rounds:
        choices = (f"{each['place'] + 1}.{each['hand'] + 1} {each['choice']}" for each in story["choices"])
        yield (
            story["number"],
            story["game"],
            story.get("when", ""),
            "open" if story["open"] else "voided" if story["voided"] else "ended",
            story["staked"],
            _known(story["returned"]),
            story["credit_before"],
            _known(story["credit_after"]),
            " ".join(story["cards"]),
            ", ".join(choices),
        )


def _known(value: object) -> object:
    return "" if value is None else value


def _tickets(data: AttendantData) -> Iterable[Cells]:
    yield "sequence", "number_ends", "cents", "state", "issued", "settled", "printed_again", "good_until"
    listed = {row.sequence: row for row in (*data.unpaid, *data.tickets)}
    for row in sorted(listed.values(), key=lambda each: -each.sequence):
        state = data.state_of(row)
        yield row.sequence, row.tail, row.cents, state, row.when, row.settled, row.duplicates, row.good_until


def _closings(data: AttendantData) -> Iterable[Cells]:
    yield "kind", "number", "began", "ended", "expected_cents", "counted_cents", "tickets_cents", "notes"
    for each in data.closings:
        notes = " ".join(f"{count}x{cents}" for cents, count in sorted(each.notes.items()))
        counted = _known(each.counted_cents)
        yield (
            each.kind.value,
            each.number,
            each.began,
            each.ended,
            each.expected_cents,
            counted,
            each.tickets_cents,
            notes,
        )


def _hours(data: AttendantData) -> Iterable[Cells]:
    names = sorted({name for hour in data.hours for name in hour.meters})
    yield "day", "hour", *names
    for hour in data.hours:
        yield hour.day, hour.hour, *(hour.meters.get(name, 0) for name in names)

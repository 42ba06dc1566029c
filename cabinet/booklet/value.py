"""Everything an attendant reads of the money, as one value for a page to print: sections of figures and rows. Pure.

Rules: the value is made of plain texts and numbers, so that it can be sent and kept as JSON and read back without loss.
Numbers of tickets are worth money and are not in it. Does not know paper, HTML or the screen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from cabinet.attendant import statistics
from cabinet.attendant.charts import Band, Columns, Figure, Shares, Tile
from cabinet.attendant.dashboard import dashboard_figures
from cabinet.attendant.data import AttendantData, Closing
from cabinet.attendant.reports import METERS, MeterRow
from cabinet.text.attendant_words import text

Row = tuple[str, ...]
_KINDS: Final[Mapping[str, type[Any]]] = {kind.__name__: kind for kind in (Tile, Columns, Shares, Band)}
CLOSING_HEAD: Final = tuple(
    map(text, ("Number", "What", "From", "To", "Expected", "Counted", "Difference", "Drop", "Win"))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Figures, and a table whose first row is its head; either may be empty."""

    title: str
    figures: tuple[Figure, ...] = ()
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Booklet:
    """The sections of one machine at one time; `language` is that of its texts, by two letters."""

    title: str
    venue: str
    time: str
    language: str
    sections: tuple[Section, ...]


def booklet(data: AttendantData) -> Booklet:
    """Returns the booklet of the present data."""
    pages = (Section(title=data.say(name), figures=figures(data)) for name, figures in statistics.pages.items())
    return Booklet(
        title=data.say("Machine {number}", number=data.machine_name),
        venue=data.venue,
        time=data.time,
        language=data.language,
        sections=(
            Section(title=data.say("Now"), figures=dashboard_figures(data)),
            *pages,
            *_meters(data),
            *_closings(data),
        ),
    )


def _meters(data: AttendantData) -> Iterator[Section]:
    """Yields a table for each group of meters, period and lifetime side by side."""
    period, lifetime = (statistics.report_of(data, span) for span in (statistics.PERIOD, statistics.LIFETIME))
    head = tuple(data.say(name) for name in (text("Meter"), text("This period"), text("Lifetime")))
    for group, meters in METERS.items():
        rows = tuple(
            (data.say(row.label), *(_figure(data, row, each) for each in (period, lifetime))) for row in meters
        )
        yield Section(title=data.say(group), rows=(head, *rows))


def _figure(data: AttendantData, row: MeterRow, report: Mapping[str, Any]) -> str:
    value = report.get(row.name, 0)
    return data.money(value) if row.money else f"{value:,}"


def _closings(data: AttendantData) -> Iterator[Section]:
    if data.closings:
        rows = tuple(_closing(data, each) for each in data.closings)
        head = tuple(data.say(name) for name in CLOSING_HEAD)
        yield Section(title=data.say("Closed periods and cash boxes"), rows=(head, *rows))


def _closing(data: AttendantData, each: Closing) -> Row:
    counted = each.counted_cents
    return (
        f"{each.number}",
        data.say(each.kind.value.capitalize()),
        each.began,
        each.ended,
        data.money(each.expected_cents),
        "" if counted is None else data.money(counted),
        "" if counted is None else data.money(counted - each.expected_cents),
        data.money(statistics.drop_cents(each.meters)),
        data.money(statistics.win_cents(each.meters)),
    )


# --- as plain values --------------------------------------------------------------------------------------------


def to_plain(found: Booklet) -> dict[str, Any]:
    """Returns the booklet as values of JSON; a figure has its `kind`."""
    plain: dict[str, Any] = msgspec.to_builtins(found)
    for section, kept in zip(plain["sections"], found.sections, strict=True):
        for figure, value in zip(section["figures"], kept.figures, strict=True):
            figure["kind"] = type(value).__name__
    return plain


def from_plain(plain: Mapping[str, Any]) -> Booklet:
    """Returns the booklet of such values. Raises msgspec.ValidationError for others."""
    sections = tuple(
        Section(
            title=section["title"],
            figures=tuple(map(_figure_of, section["figures"])),
            rows=msgspec.convert(section["rows"], tuple[Row, ...]),
        )
        for section in plain["sections"]
    )
    head = {name: value for name, value in plain.items() if name != "sections"}
    return Booklet(**msgspec.convert(head, dict[str, str]), sections=sections)


def _figure_of(plain: Mapping[str, Any]) -> Figure:
    values = {name: value for name, value in plain.items() if name != "kind"}
    figure: Figure = msgspec.convert(values, _KINDS[plain["kind"]])
    return figure

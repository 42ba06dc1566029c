"""What the commands that read the books show: from the running cabinet if there is one, otherwise from its journal.

Rules: one figure has one source and one report, so that both ways print the same for the same books. Nothing here
writes. `verify` is not here: it reads every row, and asks for a stopped cabinet.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from cabinet.commands import reader_reports
from cabinet.commands.reader_reports import LastRounds
from cabinet.link import wire
from cabinet.link.client import Client, EndedError, connected
from cabinet.report.value import Report

BEGIN: Final = -1
"""Stands for the newest row, as the row after which a reader follows the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One thing to read: how a running cabinet gives it, how a folder gives it, and its report."""

    live: Callable[[Client], Any]
    stopped: Callable[[Path], Any]
    report: Callable[[Any], Report]


def meters() -> Reading:
    """Every meter."""
    return Reading(
        live=lambda client: client.figures(wire.Meters()), stopped=_stopped_meters, report=reader_reports.meters_report
    )


def status() -> Reading:
    """The state of the machine."""
    return Reading(
        live=lambda client: client.figures(wire.Status()), stopped=_stopped_status, report=reader_reports.status_report
    )


def games(count: int) -> Reading:
    """The last games, oldest first."""
    return Reading(
        live=lambda client: LastRounds(stories=tuple(client.pages(wire.Games(), count, "number")[::-1])),
        stopped=partial(_stopped_games, count),
        report=reader_reports.rounds_report,
    )


def events(count: int) -> Reading:
    """The newest entries of the log, newest first."""
    return Reading(
        live=lambda client: client.pages(wire.Events(), count, "number"),
        stopped=partial(_stopped_pages, wire.Events(limit=count)),
        report=reader_reports.events_report,
    )


def tickets(count: int) -> Reading:
    """The newest tickets, newest first."""
    return Reading(
        live=lambda client: client.pages(wire.Tickets(), count, "sequence"),
        stopped=partial(_stopped_pages, wire.Tickets(limit=count)),
        report=reader_reports.tickets_report,
    )


def read(reading: Reading, data: Path) -> Report:
    """Returns the report of the books in `data`. Raises LinkError or StoreError."""
    return reading.report(read_value(reading, data))


def read_games(count: int, data: Path) -> LastRounds:
    """Returns the last games of the books in `data`. Raises LinkError or StoreError."""
    found: LastRounds = read_value(games(count), data)
    return found


def read_value(reading: Reading, data: Path) -> Any:
    """Returns what the report is made of. Raises LinkError or StoreError."""
    try:
        with connected(data) as client:
            if client is not None:
                return reading.live(client)
    except EndedError:
        pass
    return reading.stopped(data)


def watch(reading: Reading, data: Path) -> Iterator[Report]:
    """Yields the report now and after each change, until the cabinet ends; once of a folder without one."""
    try:
        with connected(data) as client:
            if client is None:
                yield reading.report(reading.stopped(data))
                return
            while True:
                yield reading.report(reading.live(client))
                client.wait(client.seq)
    except EndedError:
        return


def follow_rows(data: Path, after: int, *, on: bool = True) -> Iterator[wire.Entries]:
    """Yields the entries of the log after a row; with `on` also those that come, until the cabinet ends."""
    try:
        with connected(data) as client:
            if client is None:
                yield from _stopped_rows(data, after)
                return
            at = client.newest() if after == BEGIN else after
            while True:
                found = client.rows(at)
                if found.rows or found.lost_to:
                    yield found
                at = found.through
                if at >= found.seq:
                    if not on:
                        return
                    client.wait(found.seq)
    except EndedError:
        return


def print_rows(data: Path, after: int | None, *, follow: bool, as_json: bool) -> None:
    """Prints the entries of the log after a row, one in a line; with `follow` also those that come."""
    with suppress(KeyboardInterrupt):
        for found in follow_rows(data, BEGIN if after is None else after, on=follow):
            if found.lost_to:
                gap = {"lost_from": found.lost_from, "lost_to": found.lost_to}
                click.echo(json.dumps(gap) if as_json else reader_reports.gap_line(found.lost_from, found.lost_to))
            for row in found.rows:
                click.echo(json.dumps(row, ensure_ascii=False) if as_json else reader_reports.event_line(row))


# --- a folder: what it needs is imported only without a running cabinet ---------------------------------------------


def _stopped_meters(data: Path) -> dict[str, Any]:
    from cabinet.commands.journal import read_meters

    return read_meters(data)


def _stopped_games(count: int, data: Path) -> LastRounds:
    from cabinet.commands.journal import read_rounds

    return read_rounds(data, count)


def _stopped_rows(data: Path, after: int) -> Iterator[wire.Entries]:
    from cabinet.commands.journal import open_journal
    from cabinet.runtime.reader_figures import rows_after
    from cabinet.store.following import newest_row

    with open_journal(data) as (connection, _):
        newest = newest_row(connection).seq
        at = newest if after == BEGIN else after
        while at < newest:
            found = rows_after(connection, newest, wire.Rows(after=at))
            yield found
            at = found.through


def _stopped_status(data: Path) -> dict[str, Any]:
    from cabinet.commands.journal import open_journal
    from cabinet.runtime.reader_figures import last_note, status_figures
    from cabinet.store.following import newest_row

    with open_journal(data) as (connection, machine):
        figures = status_figures(machine, newest_row(connection), last_note(connection))
    return {"running": False, "uptime_s": 0, **figures}


def _stopped_pages(question: wire.Events | wire.Tickets, data: Path) -> list[dict[str, Any]]:
    from cabinet.commands.journal import open_journal
    from cabinet.runtime.reader_figures import page

    with open_journal(data) as (connection, _):
        return page(connection, question)

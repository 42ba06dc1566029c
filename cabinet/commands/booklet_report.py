"""The report of everything an attendant reads of the money, and where it comes from: a running cabinet or its journal.

Rules: both ways give the same booklet of the same books. Nothing here writes to them.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from cabinet.attendant.charts import Band, Shares, Tile
from cabinet.booklet.value import Booklet, booklet, from_plain, to_plain
from cabinet.booklet.value import Section as BookletSection
from cabinet.commands.journal import StoppedBooks, open_journal
from cabinet.commands.readers import Reading
from cabinet.config.settings import load
from cabinet.link import wire
from cabinet.report.value import Block, Column, Report, Section, Table, words
from cabinet.runtime.attendant_data import AttendantDataReader
from cabinet.store.following import newest_row


def reading(config_path: Path | None) -> Reading:
    """Returns how the booklet is read; the settings are those of a stopped cabinet."""
    return Reading(
        live=lambda client: from_plain(client.ask(wire.Booklet(), wire.Answer).data),
        stopped=partial(_stopped, config_path),
        report=booklet_report,
    )


def _stopped(config_path: Path | None, data: Path) -> Booklet:
    with open_journal(data) as (connection, machine):
        newest = newest_row(connection)
        books = StoppedBooks(seq=newest.seq, connection=connection)
        reader = AttendantDataReader(load(config_path), books, data, moment=lambda: (newest.wall_ms, newest.clock_ok))
        return booklet(reader.data(machine))


def booklet_report(found: Booklet) -> Report:
    """Returns the booklet as tables; of a chart over time only what it says of the whole, the page has its columns."""
    return Report(
        data=to_plain(found),
        title=" ".join(filter(None, (found.venue, found.title, found.time))),
        sections=tuple(Section(title=part.title, blocks=tuple(_booklet_blocks(part))) for part in found.sections),
    )


def _booklet_blocks(part: BookletSection) -> Iterator[Block]:
    tiles = tuple((each.label, each.value, each.detail) for each in part.figures if isinstance(each, Tile))
    if tiles:
        yield Table(columns=(Column(), Column(), Column()), rows=tiles, framed=False)
    for figure in part.figures:
        match figure:
            case Shares() if figure.rows:
                yield Table(
                    columns=words(figure.title, ""), rows=tuple((label, what) for label, _, what in figure.rows)
                )
            case Band() if figure.rows:
                rows = tuple((row.label, row.words, row.detail) for row in figure.rows)
                yield Table(columns=(Column(name=figure.title), Column(), Column()), rows=rows)
            case Tile():
                continue
            case _:
                yield f"{figure.title}. {figure.note}"
    if part.rows:
        head, *body = part.rows
        yield Table(columns=words(*head), rows=tuple(body))

"""The commands on the books of a machine: meters, status, recall, events, tickets, verify, restore."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cabinet.commands.options import (
    Whole,
    as_json_option,
    data_folder,
    example,
    fail,
    print_verdict,
    settings_file,
    speaking,
)

if TYPE_CHECKING:
    from cabinet.commands.readers import Reading

BUSY = 3
"""The exit code of a check that could not be made because a cabinet is running on the data."""


def _watch_option(command: Callable[..., None]) -> Callable[..., None]:
    return click.option("--watch", is_flag=True, help="Show each change, until the cabinet ends or Ctrl-C.")(command)


def _show(reading: "Reading", data: Path, *, as_json: bool, watch: bool) -> None:
    """Prints what a running cabinet or its journal gives; exits with the report's verdict."""
    from cabinet.commands import readers

    if watch:
        from cabinet.report.watching import show_changes

        show_changes(readers.watch(reading, data), as_json=as_json)
    else:
        print_verdict(readers.read(reading, data), as_json)


@click.command(
    short_help="Show every meter and account.", epilog=example("cabinet meters --data data/simulated --json")
)
@data_folder
@as_json_option
@_watch_option
@speaking
def meters(data: Path, as_json: bool, watch: bool) -> None:
    """Show every meter, lifetime and period, and the accounts. A running cabinet is asked, not stopped.

    Exit code 1 when the data is damaged or has lost its end: a figure with ? may then be wrong.
    """
    from cabinet.commands import readers

    _show(readers.meters(), data, as_json=as_json, watch=watch)


@click.command(
    short_help="Show what the machine does and holds.", epilog=example("cabinet status --watch --data data/simulated")
)
@data_folder
@as_json_option
@_watch_option
@speaking
def status(data: Path, as_json: bool, watch: bool) -> None:
    """Show state, locks, faults, doors, credit, cash box, last note, hand-pays, tickets out and the newest row."""
    from cabinet.commands import readers

    _show(readers.status(), data, as_json=as_json, watch=watch)


@click.command(
    short_help="Show the last games card by card.", epilog=example("cabinet recall --games 3 --data data/simulated")
)
@data_folder
@click.option("--games", "--rounds", "rounds", type=Whole(1, 1000), default=10, show_default=True, help="How many.")
@as_json_option
@_watch_option
@speaking
def recall(data: Path, rounds: int, as_json: bool, watch: bool) -> None:
    """Show the last games card by card, choice by choice. A running cabinet is asked, not stopped.

    Exit code 1 when the data has lost its end: what is left is shown, and the reason is on standard error.
    """
    from cabinet.commands import reader_reports, readers
    from cabinet.report.output import print_report

    if watch:
        _show(readers.games(rounds), data, as_json=as_json, watch=True)
        return
    found = readers.read_games(rounds, data)
    print_report(reader_reports.rounds_report(found), as_json=as_json)
    if found.suspect:
        fail(found.suspect, 1)


@click.command(
    short_help="Show the event log, and follow it.", epilog=example("cabinet events --follow --data data/simulated")
)
@data_folder
@click.option("--count", type=Whole(1, 1000), default=20, show_default=True, help="How many of the newest entries.")
@click.option("--after", type=Whole(0), help="All entries after this row of the journal, oldest first.")
@click.option(
    "--follow", "--watch", "follow", is_flag=True, help="Show new entries as they come, until the cabinet ends."
)
@as_json_option
@speaking
def events(data: Path, count: int, after: int | None, follow: bool, as_json: bool) -> None:
    """Show the newest entries of the event log, newest first. A running cabinet is asked, not stopped.

    With --follow or --after an entry is one line, or with --json one JSON object in a line. Rows that were dropped
    before they could be read are reported.
    """
    from cabinet.commands import readers

    if follow or after is not None:
        readers.print_rows(data, after, follow=follow, as_json=as_json)
    else:
        _show(readers.events(count), data, as_json=as_json, watch=False)


@click.command(
    short_help="Show the tickets and their states.", epilog=example("cabinet tickets --data data/simulated --json")
)
@data_folder
@click.option("--count", type=Whole(1, 1000), default=20, show_default=True, help="How many of the newest.")
@as_json_option
@_watch_option
@speaking
def tickets(data: Path, count: int, as_json: bool, watch: bool) -> None:
    """Show the newest tickets, newest first, with the end of each number. A running cabinet is asked, not stopped."""
    from cabinet.commands import readers

    _show(readers.tickets(count), data, as_json=as_json, watch=watch)


@click.command(
    short_help="Check the journal of a stopped cabinet.", epilog=example("cabinet verify --data data/simulated")
)
@data_folder
@as_json_option
@speaking
def verify(data: Path, as_json: bool) -> None:
    """Check the hash chain, every balance, and the meters against the journal. Writes nothing.

    Exit code 0 when all is in order, 1 when anything is wrong or there is nothing to check, 3 when nothing was checked
    because a cabinet is running on the data: stop it first.
    """
    from cabinet.commands import journal
    from cabinet.store.errors import StoreBusyError

    try:
        verdict = journal.check(data)
    except StoreBusyError as error:
        fail(str(error), BUSY)
    print_verdict(journal.verdict_report(verdict, data), as_json)


@click.command(
    short_help="Write the data from its second copy.",
    epilog=example("cabinet restore /media/second --data /var/lib/blackjack-cabinet"),
)
@click.argument("second", type=click.Path(file_okay=False, path_type=Path))
@data_folder
@settings_file
@speaking
def restore(second: Path, data: Path, config_path: Path | None) -> None:
    """Write the data from its second copy, onto a medium that holds none."""
    from cabinet.commands import journal

    click.echo(journal.restore(second, data, config_path))


@click.command(
    short_help="Show everything an attendant reads of the money.",
    epilog=example("cabinet report --html report.html --data data/simulated"),
)
@data_folder
@settings_file
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a page to print to this file.")
@as_json_option
@speaking
def report(data: Path, config_path: Path | None, html: Path | None, as_json: bool) -> None:
    """Show the figures, charts and meters of the attendant's pages. A running cabinet is asked, not stopped.

    The page of --html has the charts, loads nothing and runs no script. A running cabinet uses its own settings; of a
    stopped one the settings give the games and the currency.
    """
    from cabinet.booklet.page import write_page
    from cabinet.commands import booklet_report, readers
    from cabinet.report.output import write_page_file

    found = readers.read_value(booklet_report.reading(config_path), data)
    if html is not None:
        write_page_file(html, write_page(found))
    if as_json or html is None:
        print_verdict(booklet_report.booklet_report(found), as_json)


@click.command(short_help="Check what a machine has signed.", epilog=example("cabinet check-report code.txt --key KEY"))
@click.argument("path", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--key", metavar="KEY", help="The machine's public key, noted at the machine.")
@as_json_option
@speaking
def check_report(path: Path, key: str | None, as_json: bool) -> None:
    """Check the text of a machine's code, or a folder of its files; - reads the text from standard input.

    Exit code 0 when nothing was changed since the machine signed it, 1 when something was. Without --key the answer
    names the key: compare it with the one noted at the machine.
    """
    from cabinet.commands.check_report import checked_report, read_signed

    if key is not None and not key.strip():
        raise click.UsageError("--key is empty: give the key noted at the machine, or leave --key out")
    print_verdict(checked_report(read_signed(path, key or ""), noted=key is not None), as_json)

"""Shows a report that changes: redrawn in place in a terminal, or one JSON line for each change.

Knows rich, not the subject of a report. It ends with its reports, or on an interrupt by the user.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from cabinet.report import terminal
from cabinet.report.output import print_report
from cabinet.report.value import Report


def show_changes(reports: Iterable[Report], *, as_json: bool) -> None:
    """Shows each report as it comes. A file or a pipe gets one after the other."""
    console = terminal.open_console()
    with suppress(KeyboardInterrupt):
        if as_json or not console.is_terminal:
            _print_each(reports, as_json=as_json)
        else:
            _redraw(reports, console)


def _print_each(reports: Iterable[Report], *, as_json: bool) -> None:
    shown: Any = None
    for report in reports:
        if report.data != shown:
            print_report(report, as_json=as_json)
        shown = report.data


def _redraw(reports: Iterable[Report], console: Console) -> None:
    with Live(console=console, auto_refresh=False) as live:
        for report in reports:
            live.update(_drawn(report, console), refresh=True)


def _drawn(report: Report, console: Console) -> Text:
    """Returns the report as the console would show it. A console with `Live` adds what it already shows."""
    paper = Console(width=console.width, highlight=False, force_terminal=True, color_system="truecolor")
    with paper.capture() as written:
        terminal.write(report, paper)
    return Text.from_ansi(written.get())

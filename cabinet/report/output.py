"""Prints the report of a command: one JSON document, or text for people."""

import json

import click
import msgspec

from cabinet.report.value import Report


def print_report(report: Report, *, as_json: bool) -> int:
    """Prints the report on standard output. Returns the exit code: 0 when its verdict is good, else 1."""
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(report.data, str_keys=True), ensure_ascii=False))
    else:
        from cabinet.report import terminal

        terminal.write(report, terminal.open_console())
    return 0 if report.ok else 1

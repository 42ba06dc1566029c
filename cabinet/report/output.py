"""Prints the report of a command: one JSON document, or text for people. Writes a page to a file."""

import json
import os
from contextlib import suppress
from pathlib import Path

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


def write_page_file(path: Path, page: str) -> None:
    """Writes a page to a file, whole or not at all: a file that is there stays as it was until the new one is complete.
    A device or a pipe gets the page as it is. Raises OSError that names the path."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        target.write_text(page, encoding="utf-8")
        return
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        fresh.write_text(page, encoding="utf-8")
        fresh.replace(target)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error

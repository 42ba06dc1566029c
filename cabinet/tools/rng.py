"""The cabinet's random bytes, raw, for statistical test suites.

Rules: the bytes come from the source of the cards (`cabinet.runtime.shoe`), after the check of a start; no card is
drawn from written bytes. The module knows no cards.
"""

import sys
from typing import BinaryIO

import click

from cabinet.runtime import shoe

BLOCK = 1 << 16
"""Bytes asked for at a time."""


def write_bytes(out: BinaryIO, count: int | None, source: shoe.ByteSource = shoe.SYSTEM) -> int:
    """Writes `count` bytes, endless for None, until the reader closes. Returns the number of written bytes.

    Raises ChanceError when the source does not work.
    """
    shoe.self_test(source)
    written = 0
    try:
        while count is None or written < count:
            written += out.write(source(BLOCK if count is None else min(BLOCK, count - written)))
    except BrokenPipeError:
        return written
    return written


def write_to_stdout(count: int | None) -> None:
    """Writes `count` bytes to standard output, endless for None. Raises UsageError for a terminal."""
    out = sys.stdout.buffer
    if out.isatty():
        raise click.UsageError("raw bytes cannot be read on a terminal; send them to a file or a program")
    raw: BinaryIO = getattr(out, "raw", out)
    write_bytes(raw, count)

"""The cabinet's random bytes, raw, for test suites that want to look at them.

Rules that hold: the bytes are those of the very source the cards are drawn with (`chance`), checked like at start;
what is written here is never drawn from. Does not know: cards.
"""

import sys
from typing import BinaryIO

import click

from cabinet.runtime import shoe

BLOCK = 1 << 16
"""Bytes asked for at a time."""


def write_bytes(out: BinaryIO, count: int | None, source: shoe.ByteSource = shoe.SYSTEM) -> int:
    """Write so many bytes, or without an end for None, until the reader has had enough. Returns how many went out.

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
    """Write so many bytes to standard output, or without an end. UsageError for a terminal, which cannot show them."""
    out = sys.stdout.buffer
    if out.isatty():
        raise click.UsageError("raw bytes cannot be read on a terminal; send them to a file or a program")
    raw: BinaryIO = getattr(out, "raw", out)
    write_bytes(raw, count)

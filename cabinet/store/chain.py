"""The hash chain: each row's hash covers the row and the hash before it, so every change of a byte is detected.

A checkpoint replaces dropped rows. Its hash covers everything still known of them, and the step that dropped them
contains that hash, so the chain covers it too.
"""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

START = b"\x00" * 32
"""The hash before the first row."""


class StepRow(NamedTuple):
    """A row of the journal, in the order of its columns, without the hash."""

    seq: int
    boot: int
    wall_ms: int
    mono_ms: int
    clock_ok: int
    round: int
    credit: int
    input: str
    drawn: str
    postings: str
    counts: str
    events: str
    tickets: str
    machine_hash: bytes


class Checkpoint(NamedTuple):
    """The summary of the rows before `seq`, the first kept row; in the order of its columns."""

    seq: int
    before: bytes
    """The hash of the last dropped row."""
    identity: bytes
    """The hash of the machine's very first row: no two machines share it."""
    wall_ms: int
    """The newest trusted time among the dropped rows."""
    entry: int
    """The newest log number after row `seq`."""
    log: bytes
    """A digest of the log entries up to `entry` that are still kept."""
    tickets: str
    """The kept tickets after row `seq`, as JSON."""


def digest(body: bytes) -> bytes:
    """Returns a 128-bit digest of the stored machine."""
    return hashlib.blake2b(body, digest_size=16).digest()


def link(before: bytes, row: Iterable[object]) -> bytes:
    """Returns the row's hash. The length of each field precedes it, so that different rows give different bytes.

    Text of a damaged row that is not valid UTF-8 has lone surrogates; it gives another hash.
    """
    state = hashlib.blake2b(before, digest_size=32)
    for field in row:
        data = field if isinstance(field, bytes) else str(field).encode(errors="surrogateescape")
        state.update(len(data).to_bytes(4, "big"))
        state.update(data)
    return state.digest()

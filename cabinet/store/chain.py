"""The hash chain: each row's hash covers its own words and the hash before it, so no byte can change unnoticed."""

import hashlib
from typing import NamedTuple

START = b"\x00" * 32
"""What stands before the first row."""


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


def digest(body: bytes) -> bytes:
    """A 128-bit digest of the stored machine."""
    return hashlib.blake2b(body, digest_size=16).digest()


def link(before: bytes, row: StepRow) -> bytes:
    """The row's hash. Every field is preceded by its length, so that no two rows read alike.

    Bytes that are no text (a damaged row) may come as lone surrogates; they simply hash to something else.
    """
    state = hashlib.blake2b(before, digest_size=32)
    for field in row:
        data = field if isinstance(field, bytes) else str(field).encode(errors="surrogateescape")
        state.update(len(data).to_bytes(4, "big"))
        state.update(data)
    return state.digest()

"""The hash chain: each row's hash covers its own words and the hash before it, so no byte can change unnoticed.

Where the oldest rows have been dropped, a checkpoint stands for them; its hash covers everything that is still known of
them, and the step that dropped them holds that hash, so it hangs on the chain too.
"""

import hashlib
from collections.abc import Iterable
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


class Checkpoint(NamedTuple):
    """What is known of the rows before `seq`, which is the first one kept; in the order of its columns."""

    seq: int
    before: bytes
    """The hash of the last dropped row."""
    identity: bytes
    """The hash of the machine's very first row: no two machines share it."""
    wall_ms: int
    """The newest time among the dropped rows that could be trusted."""
    entry: int
    """The highest number of the log up to and with row `seq`."""
    log: bytes
    """A digest of the entries up to `entry` that are still kept."""
    tickets: str
    """The kept tickets as they were after row `seq`, as JSON."""


def digest(body: bytes) -> bytes:
    """A 128-bit digest of the stored machine."""
    return hashlib.blake2b(body, digest_size=16).digest()


def link(before: bytes, row: Iterable[object]) -> bytes:
    """The row's hash. Every field is preceded by its length, so that no two rows read alike.

    Bytes that are no text (a damaged row) may come as lone surrogates; they simply hash to something else.
    """
    state = hashlib.blake2b(before, digest_size=32)
    for field in row:
        data = field if isinstance(field, bytes) else str(field).encode(errors="surrogateescape")
        state.update(len(data).to_bytes(4, "big"))
        state.update(data)
    return state.digest()

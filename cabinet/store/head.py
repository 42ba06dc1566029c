"""Reads the end of a journal, for every start and every report: the last row and the machine after it. Read-only."""

import sqlite3

from cabinet.engine.state import Machine
from cabinet.store import codec
from cabinet.store.chain import START, StepRow, digest, link
from cabinet.store.errors import StoreDamagedError
from cabinet.store.record import Progress
from cabinet.store.verify import examine


def read_head(
    connection: sqlite3.Connection, *, checked: bool, progress: Progress | None = None
) -> tuple[int, bytes, Machine | None]:
    """Returns the last step's number, its hash and the machine after it, each checked against the others. Checks all
    earlier rows too, unless the caller has just done so (`checked`). `progress` receives rows done and rows in all."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise StoreDamagedError(f"the journal is damaged: {found}")
    columns = ", ".join(StepRow._fields)
    newest = connection.execute(f"SELECT {columns}, hash FROM steps ORDER BY seq DESC LIMIT 2").fetchall()
    stored = connection.execute("SELECT seq, body FROM machine").fetchone()
    if not newest:
        if stored is not None:
            raise StoreDamagedError("there is a machine but no journal that leads to it")
        return 0, START, None
    *values, hash_ = newest[0]
    row = StepRow(*values)
    before = newest[1][-1] if len(newest) > 1 else START
    if len(newest) == 1 and row.seq != 1:
        raise StoreDamagedError(f"row {row.seq - 1} of the journal is missing")
    if link(before, row) != hash_:
        raise StoreDamagedError(f"row {row.seq} of the journal does not fit its hash")
    if stored is None or stored[0] != row.seq or digest(stored[1]) != row.machine_hash:
        raise StoreDamagedError(f"the stored machine is not the one that row {row.seq} of the journal led to")
    if not checked:
        examine(connection, progress).refuse()
    return row.seq, hash_, codec.decode_machine(stored[1])


def newest_entry(connection: sqlite3.Connection) -> int:
    """Returns the number of the newest log entry; 0 if there is none."""
    (highest,) = connection.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()
    return int(highest)

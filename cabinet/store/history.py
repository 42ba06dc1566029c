"""The growth of the meters in each hour, also of the hours whose rows were dropped.

Rules: an hour is a UTC hour, counted since 1970; a row whose clock was not valid belongs to no hour and is added to
`NO_HOUR`. The table has the rows up to the checkpoint and changes only in the step that drops rows. Newer rows are
added when they are read, so a step costs nothing. A memory clear takes no growth back. Tables of the form before have
none.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cabinet.engine.closings import NO_GROWTH
from cabinet.engine.ledger import ROUTES, Posting
from cabinet.store import codec

TABLES = ("CREATE TABLE IF NOT EXISTS hours (hour INTEGER PRIMARY KEY, meters TEXT NOT NULL) STRICT",)
HOUR_MS = 3_600_000
NO_HOUR = 0
KEPT_HOURS = 400 * 24
"""Hours with growth that stay in the table, the newest."""

Grown = dict[int, dict[str, int]]
"""Hour -> meter -> growth."""


def raised_by(postings: Iterable[Posting], counts: Mapping[str, int]) -> dict[str, int]:
    """Returns how much a row raises each meter."""
    raised = dict(counts)
    for posting in postings:
        for name in ROUTES[posting.route].meters:
            raised[name] = raised.get(name, 0) + posting.cents
    return raised


def add_row(grown: Grown, wall_ms: int, clock_ok: int, raised: Mapping[str, int]) -> None:
    """Adds the growth of one row to its hour."""
    hour = grown.setdefault(wall_ms // HOUR_MS if clock_ok else NO_HOUR, {})
    for name, step in raised.items():
        if name not in NO_GROWTH:
            hour[name] = hour.get(name, 0) + step


# --- the table --------------------------------------------------------------------------------------------------


def is_there(connection: sqlite3.Connection) -> bool:
    """Returns True if the tables of this journal have hours."""
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'hours'").fetchone()
    return found is not None


def read(connection: sqlite3.Connection, since: int = NO_HOUR) -> dict[int, str]:
    """Returns the hours of dropped rows from hour `since` on, oldest first, with their growth as JSON."""
    if not is_there(connection):
        return {}
    return dict(connection.execute("SELECT hour, meters FROM hours WHERE hour >= ? ORDER BY hour", (since,)))


def merged(stored: Mapping[int, str], grown: Grown, keep: int = KEPT_HOURS) -> dict[int, str]:
    """Returns the hours with the growth of further rows: the newest `keep` hours, and `NO_HOUR`."""
    hours = dict(stored)
    for hour, meters in grown.items():
        if meters:
            total = codec.decode_plain(hours[hour]) if hour in hours else {}
            for name, step in meters.items():
                total[name] = total.get(name, 0) + step
            hours[hour] = codec.encode_plain(dict(sorted(total.items())))
    newest = sorted(hour for hour in hours if hour != NO_HOUR)[-keep:]
    return {hour: hours[hour] for hour in (*((NO_HOUR,) if NO_HOUR in hours else ()), *newest)}


def replace(connection: sqlite3.Connection, hours: Mapping[int, str]) -> None:
    """Makes the table these hours, within the open transaction; only those that differ are written."""
    stored = read(connection)
    gone = ((hour,) for hour in stored if hour not in hours)
    changed = ((hour, meters) for hour, meters in hours.items() if stored.get(hour) != meters)
    connection.executemany("DELETE FROM hours WHERE hour = ?", gone)
    connection.executemany("INSERT OR REPLACE INTO hours VALUES (?, ?)", changed)


# --- for people -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class HourReader:
    """The growth of each hour from hour `since` on, read from one journal. Each call reads only new rows."""

    since: int = NO_HOUR + 1
    grown: Grown = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)
    """The hours that the last call of `follow` has read or changed."""
    _seq: int | None = None

    def follow(self, connection: sqlite3.Connection) -> Grown:
        """Returns the hours after the newest row."""
        self.changed = set()
        if self._seq is None:
            self.grown = {hour: codec.decode_plain(text) for hour, text in read(connection, self.since).items()}
            self.changed = set(self.grown)
            (self._seq,) = connection.execute("SELECT coalesce((SELECT seq FROM checkpoint), 0)").fetchone()
        rows = connection.execute(
            "SELECT wall_ms, clock_ok, postings, counts FROM steps WHERE seq > ? AND clock_ok = 1 AND wall_ms >= ? "
            "AND (postings <> '[]' OR counts <> '{}') ORDER BY seq",
            (self._seq, self.since * HOUR_MS),
        )
        for wall_ms, clock_ok, postings, counts in rows:
            raised = raised_by(codec.decode_postings(postings), codec.decode_plain(counts))
            add_row(self.grown, wall_ms, clock_ok, raised)
            self.changed.add(wall_ms // HOUR_MS)
        (self._seq,) = connection.execute("SELECT coalesce(max(seq), 0) FROM steps").fetchone()
        return self.grown

"""Salvage of damaged data: reads every meter and balance from every source, and compares them.

The sources in each copy are the stored machine and the sums of the rows. Rules:
- The module writes nothing in the data folder; it works on a copy.
- A value without a source is absent, never 0.
- A value is sound only if at least two sources agree and none differs. With two copies, both must have it, because a
  copy that has lost its end agrees with itself.
- If a part shows later steps than the rest, no value is sound.

It only reports and decides nothing.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from cabinet.engine.ledger import Books
from cabinet.engine.state import Machine
from cabinet.store import codec, mark
from cabinet.store.chain import StepRow, digest
from cabinet.store.errors import StoreDamagedError
from cabinet.store.opening import FILE, UNREADABLE, copy_files, leniently
from cabinet.store.verify import Totals, begin


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One source of the books."""

    name: str
    copy: Path
    balances: Mapping[str, int]
    meters: Mapping[str, int]
    machine: Machine | None = None
    """The stored machine, if this source is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """What could be read."""

    machine: Machine
    """A machine with the value that most sources have; marks and the period's beginning are those of a stored machine.
    """
    suspect: tuple[str, ...]
    """Names of the accounts and meters that may be wrong."""
    problems: tuple[str, ...]
    places: tuple[str, ...]
    certain: bool
    """False if later steps are missing or may be: then any figure may be wrong, even one that no source disputes."""


@dataclass(slots=True)
class _Found:
    copies: int = 0
    newest: set[int] = field(default_factory=set)
    """The newest steps in the parts of the copies; more than one means that some parts have lost their end."""
    places: list[Place] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    end_unknown: bool = False
    """True if a copy has an invalid number of the newest row."""


def salvage(folders: Iterable[Path]) -> Salvaged:
    """Reads the copies in these folders as far as they are readable. Raises StoreDamagedError if no part is."""
    found = _Found()
    for folder in folders:
        try:
            _read_copy(folder, found)
        except OSError as error:
            found.problems.append(f"{folder / FILE}: {error.strerror}")
    if not found.places:
        raise StoreDamagedError(f"nothing of the books can be read: {'; '.join(found.problems) or 'there is no data'}")
    whole = len(found.newest) == 1 and (found.copies >= 2 or not found.end_unknown)
    enough = whole and len(found.places) >= 2 and found.copies == len({place.copy for place in found.places})
    balances, doubtful = _vote([place.balances for place in found.places], enough=enough)
    meters, unsure = _vote([place.meters for place in found.places], enough=enough)
    stored = next((place.machine for place in found.places if place.machine is not None), None)
    books = Books(balances=balances, meters=meters)
    machine = Machine(
        books=books,
        period_start=stored.period_start if stored else {},
        marks=stored.marks if stored else {},
    )
    return Salvaged(
        machine=machine,
        suspect=(*doubtful, *unsure),
        problems=tuple(found.problems),
        places=tuple(place.name for place in found.places),
        certain=enough,
    )


def _vote(sources: list[Mapping[str, int]], *, enough: bool) -> tuple[dict[str, int], tuple[str, ...]]:
    """Returns the value of each name in most sources, and the names whose value is uncertain."""
    values, unsure = {}, []
    for name in sorted({name for each in sources for name in each}):
        votes = Counter(each.get(name, 0) for each in sources).most_common()
        values[name] = votes[0][0]
        if not enough or len(votes) > 1:
            unsure.append(name)
    return values, tuple(unsure)


def _read_copy(folder: Path, found: _Found) -> None:
    path = folder / FILE
    found.copies += 1
    if not path.is_file():
        found.problems.append(f"{path}: there is no journal")
        return
    with TemporaryDirectory(prefix="salvage-") as place:
        copy_files(folder, Path(place))
        try:
            opened = sqlite3.connect(Path(place) / FILE, isolation_level=None)
            with closing(opened) as connection, leniently(connection):
                _read_machine(connection, path, found)
                _read_rows(connection, path, found)
                _read_ends(connection, folder, found)
        except UNREADABLE as error:
            found.problems.append(f"{path}: {error}")


def _read_machine(connection: sqlite3.Connection, path: Path, found: _Found) -> None:
    try:
        seq, body = connection.execute("SELECT seq, body FROM machine").fetchone() or (0, b"")
        machine = codec.decode_machine(bytes(body))
    except (*UNREADABLE, StoreDamagedError, TypeError) as error:
        found.problems.append(f"{path}: the stored machine: {error}")
        return
    known = None
    with suppress(*UNREADABLE):
        known = connection.execute("SELECT machine_hash FROM steps WHERE seq = ?", (seq,)).fetchone()
    if known is None or known[0] != digest(bytes(body)):
        found.problems.append(f"{path}: the stored machine is not known to be the one that row {seq} led to")
    books = machine.books
    found.places.append(
        Place(name=f"{path}: machine", copy=path, balances=books.balances, meters=books.meters, machine=machine)
    )


def _read_rows(connection: sqlite3.Connection, path: Path, found: _Found) -> None:
    """Adds up every readable row. Names the first row that cannot be read or that contradicts the sum so far."""
    totals, wrong = Totals(), ""
    try:
        begin(connection, totals)
    except (*UNREADABLE, StoreDamagedError) as error:
        found.problems.append(f"{path}: {error}")
        if totals.checkpoint is not None:
            return
    rows = connection.execute(
        f"SELECT {', '.join(StepRow._fields)} FROM steps WHERE seq > ? ORDER BY seq", (totals.newest,)
    )
    counted = 0
    try:
        for values in rows:
            row = StepRow(*values)
            try:
                wrong = wrong or (f"row {row.seq}: {problem}" if (problem := totals.add(row)) else "")
            except (StoreDamagedError, TypeError, AttributeError) as error:
                wrong = wrong or f"row {row.seq}: {error}"
            counted += 1
    except UNREADABLE as error:
        wrong = wrong or f"after row {counted}: {error}"
    if wrong:
        found.problems.append(f"{path}: {wrong}")
    if counted or totals.checkpoint is not None:
        found.places.append(Place(name=f"{path}: rows", copy=path, balances=totals.balances, meters=totals.meters))


def _read_ends(connection: sqlite3.Connection, folder: Path, found: _Found) -> None:
    for table in ("steps", "machine", "events"):
        with suppress(*UNREADABLE):
            (newest,) = connection.execute(f"SELECT max(seq) FROM {table}").fetchone()
            if newest is not None and (table != "events" or newest > max(found.newest, default=0)):
                found.newest.add(newest)
    try:
        known = mark.reached(folder)
    except StoreDamagedError as error:
        found.problems.append(str(error))
        found.end_unknown = True
        return
    if known > max(found.newest, default=0):
        found.newest.add(known)
        found.problems.append(f"{folder / FILE}: it had got to row {known}, which is no longer there")

"""Two copies of the journal on two media: the decision at a start, and the renewal of one from the other.

Both have the same rows with the same hashes. A step goes to the first copy, then to the second, and only then has
effects; so at a start the second may be one step behind, which is no fault, and is never ahead. Rules:

- One copy damaged, missing or shorter: it is renewed from the other, checked, and the renewal is reported.
- Both damaged, or two that disagree: the machine locks and repairs nothing.
- The data folder missing on a machine that has played: the machine locks and does not start as new.
- The second copy out of reach, or not wanted: steps go to the first alone, and a mark beside it records that the second
  is behind. From then on the second is not trusted against the first until it is renewed.
- A second copy that appears while the machine runs is renewed only if it is empty, or sound without newer rows.
- A first copy renewed from the second without any comparison leaves a note, for a person to confirm.

A renewal builds the new file beside the old one and renames it into place; the old file is kept under another name. A
power cut leaves the good copy, and the next start repeats the renewal.
"""

import os
import sqlite3
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

from cabinet.store import compact, mark
from cabinet.store.errors import (
    StoreDamagedError,
    StoreError,
    StoreFolderError,
    StoreFullError,
    StoreMissingError,
)
from cabinet.store.opening import (
    FILE,
    LOCK_FILE,
    ROLLBACK,
    SHM,
    UNREADABLE,
    WAL,
    explained,
    is_there,
    own_known,
    unusable,
    why_out_of_reach,
)
from cabinet.store.reading import lost_file, made_ready, open_unchanged
from cabinet.store.record import Progress, roll_back
from cabinet.store.reports import newest_time_ms
from cabinet.store.verify import examine

BEHIND_FILE = "second-copy-behind"
"""The mark beside the first copy while the second misses steps. It has the number of the first missing step."""
NEW_FILE = "journal.new.db"
ASIDE_FILE = "journal.damaged.db"
DOUBT_FILE = "records-in-doubt"
"""The mark beside a first copy that may miss steps, because it was written from the second without comparison or
because its newest row is unknown. It has the reason, and stays until the machine is locked for it."""


class Condition(Enum):
    """The state of a copy."""

    MISSING = "missing"
    EMPTY = "empty"
    SOUND = "sound"
    DAMAGED = "damaged"
    OUT_OF_REACH = "out of reach"


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """One copy and its state."""

    condition: Condition
    seq: int = 0
    """The newest row; of a damaged or missing copy the newest known row, 0 for none."""
    hash: bytes = b""
    """The hash of that row."""
    identity: bytes = b""
    detail: str = ""
    """The problem of the copy."""
    known: bool = True
    """True if the folder has ever belonged to a cabinet."""


class Plan(Enum):
    """The decision about two copies."""

    GO_ON = "both are in step"
    WITHOUT_SECOND = "the first alone"
    RENEW_FIRST = "renew the first from the second"
    RENEW_SECOND = "renew the second from the first"
    CATCH_UP = "give the second the step it misses"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The plan and why."""

    plan: Plan
    detail: str = ""
    unproven: bool = False
    """True if it is not proved that the source of the renewal has every step."""

    @property
    def agree(self) -> bool:
        """True if two sound copies prove to each other that neither has lost its end."""
        return self.plan in {Plan.GO_ON, Plan.CATCH_UP}


class AnotherMachineError(StoreDamagedError):
    """The second copy belongs to another machine; it stays unchanged."""


# --- what to make of two copies ---------------------------------------------------------------------------------


def decide(first: Copy, second: Copy, *, behind: bool, same_story: bool) -> Decision:
    """Returns what to do with two copies. `behind`: the second is known to miss steps. `same_story`: the rows that both
    have are equal.

    Raises StoreMissingError or StoreDamagedError when a person must decide, StoreFullError when the first copy's medium
    refuses.
    """
    match first.condition:
        case Condition.SOUND:
            return _with_sound_first(first, second, behind=behind, same_story=same_story)
        case Condition.DAMAGED:
            return _with_damaged_first(first, second, behind=behind)
        case Condition.OUT_OF_REACH:
            raise StoreFullError(first.detail)
        case Condition.MISSING | Condition.EMPTY:
            return _with_nothing_first(first, second, behind=behind)


def _with_sound_first(first: Copy, second: Copy, *, behind: bool, same_story: bool) -> Decision:
    match second.condition:
        case Condition.OUT_OF_REACH:
            return Decision(plan=Plan.WITHOUT_SECOND, detail=second.detail)
        case Condition.MISSING | Condition.EMPTY:
            return Decision(plan=Plan.RENEW_SECOND, detail="second copy: there was none")
        case Condition.DAMAGED if second.seq <= first.seq or behind:
            return Decision(plan=Plan.RENEW_SECOND, detail=f"second copy: {second.detail}")
        case Condition.DAMAGED:
            raise StoreDamagedError(
                f"second copy: {second.detail}; but it shows row {second.seq}, and the first ends at row "
                f"{first.seq}; keep both media and call the technician"
            )
        case Condition.SOUND:
            return _with_both_sound(first, second, behind=behind, same_story=same_story)


def _with_both_sound(first: Copy, second: Copy, *, behind: bool, same_story: bool) -> Decision:
    if first.identity != second.identity:
        raise AnotherMachineError(
            "the second copy is that of another machine; connect the medium of this one, or an empty one"
        )
    if not same_story or (behind and second.seq > first.seq):
        raise StoreDamagedError(
            f"the two copies disagree up to rows {first.seq} and {second.seq}; keep both media and call the technician"
        )
    if second.seq > first.seq:
        missed = f"first copy: it ended at row {first.seq}, the second at row {second.seq}"
        return Decision(plan=Plan.RENEW_FIRST, detail=missed)
    if second.seq == first.seq:
        return Decision(plan=Plan.GO_ON)
    if second.seq == first.seq - 1 and not behind:
        return Decision(plan=Plan.CATCH_UP)
    return Decision(
        plan=Plan.RENEW_SECOND, detail=f"second copy: it ended at row {second.seq}, the first at row {first.seq}"
    )


def _with_damaged_first(first: Copy, second: Copy, *, behind: bool) -> Decision:
    if second.condition is not Condition.SOUND:
        raise StoreDamagedError(
            f"first copy: {first.detail}; the second is {second.condition.value}{because(second)}; "
            "keep both media and call the technician"
        )
    if behind or first.seq > second.seq:
        raise StoreDamagedError(
            f"first copy: {first.detail}; the second is sound but ends at row {second.seq} and misses later steps; "
            "keep both media and call the technician"
        )
    return Decision(plan=Plan.RENEW_FIRST, detail=f"first copy: {first.detail}", unproven=not first.seq)


def _with_nothing_first(first: Copy, second: Copy, *, behind: bool) -> Decision:
    match second.condition:
        case Condition.OUT_OF_REACH:
            raise StoreMissingError(
                f"there is no data here, and the second copy is out of reach{because(second)}: "
                "connect its medium, so that it is known whether this machine has played"
            )
        case Condition.DAMAGED:
            raise StoreDamagedError(f"there is no data here, and the second copy is damaged{because(second)}")
        case Condition.MISSING | Condition.EMPTY:
            return Decision(plan=Plan.GO_ON)
        case Condition.SOUND:
            pass
    if behind:
        raise StoreMissingError(
            f"the first copy's file is {first.condition.value}, and the second, which ends at row {second.seq}, misses "
            "later steps; keep both media and call the technician"
        )
    if second.seq < first.seq:
        raise StoreMissingError(
            f"there is no data here, and the second copy ends at row {second.seq}, but the machine had got to row "
            f"{first.seq}; connect the medium with the data, or call the technician"
        )
    if not first.known:
        raise StoreMissingError(
            f"the data folder is empty, but this machine has played {second.seq} steps, says the second copy; connect "
            "the medium with the data, or restore it with `cabinet restore`"
        )
    gone = f"first copy: its file was {first.condition.value}"
    return Decision(plan=Plan.RENEW_FIRST, detail=gone, unproven=not first.seq)


def because(copy: Copy) -> str:
    return f" ({copy.detail})" if copy.detail else ""


def why_not_renew(first: Copy, second: Copy, *, same_story: bool) -> str | None:
    """Returns why a second copy that appears while the machine runs must not be renewed from the first; None if it may.

    Raises AnotherMachineError for the copy of another machine.
    """
    try:
        decision = decide(first, second, behind=False, same_story=same_story)
    except AnotherMachineError:
        raise
    except StoreError as error:
        return str(error)
    if decision.plan is Plan.RENEW_FIRST:
        return f"the second copy ends at row {second.seq}, the first knew only row {first.seq} or before"
    return None


def check_apart(folder: Path, second: Path) -> None:
    """Raises StoreError if the second copy's folder is the data folder, under any name, or a folder in it."""
    first, other = Path(os.path.realpath(folder)), Path(os.path.realpath(second))
    if first == other or first in other.parents:
        found = "is the data folder itself" if first == other else f"lies in the data folder {folder}"
        raise StoreError(
            f'data.mirror: found "{second}", which {found}; expected a folder on another medium: name one in the '
            "settings, or leave data.mirror empty for a single copy"
        )


# --- how a copy is found ----------------------------------------------------------------------------------------


def find_copy(
    folder: Path, opened: ExitStack, progress: Progress | None = None
) -> tuple[Copy, sqlite3.Connection | None]:
    """Returns the copy in a folder and, if it can be used, a connection for reading, which `opened` closes. Changes
    nothing in the folder. `progress` receives rows done and rows in all.

    Raises StoreNewerError when a newer program wrote the file.
    """
    try:
        if lost := lost_file(folder):
            return Copy(condition=Condition.DAMAGED, detail=lost, seq=mark.reached_if_known(folder)), None
        if not is_there(folder / FILE):
            return Copy(condition=Condition.MISSING, known=is_known(folder), seq=mark.reached_if_known(folder)), None
        with explained(folder / FILE):
            connection = open_unchanged(folder, opened)
        return _examined(connection, folder, opened, progress)
    except OSError as error:
        return Copy(condition=Condition.OUT_OF_REACH, detail=f"{folder / FILE} cannot be read: {error.strerror}"), None
    except StoreFullError as error:
        return Copy(condition=Condition.OUT_OF_REACH, detail=str(error)), None


def _examined(
    connection: sqlite3.Connection, folder: Path, opened: ExitStack, progress: Progress | None
) -> tuple[Copy, sqlite3.Connection | None]:
    """As `find_copy`, for a journal that is open."""
    try:
        with explained(folder / FILE):
            ready = made_ready(connection, folder, opened)
        return _found(ready, folder / FILE, progress), ready
    except StoreDamagedError as error:
        newest = max(_newest_readable(connection), mark.reached_if_known(folder))
        return Copy(condition=Condition.DAMAGED, detail=str(error), seq=newest), None


def find_second(
    folder: Path, opened: ExitStack, reach: ExitStack, progress: Progress | None = None, *, unfit: str = ""
) -> tuple[Copy, sqlite3.Connection | None]:
    """As `find_copy`, for the folder of a second copy; `reach` owns it from now on if it has a lock file; if not,
    the caller owns it when it is accepted (`own_new`). The copy is out of reach if the system refuses the folder or if
    `unfit` is a reason not to use it."""
    if trouble := unfit or why_out_of_reach(folder):
        return Copy(condition=Condition.OUT_OF_REACH, detail=trouble), None
    try:
        own_known(folder, reach)
    except StoreFolderError as error:
        return Copy(condition=Condition.OUT_OF_REACH, detail=str(error)), None
    if not os.access(folder, os.W_OK | os.X_OK):
        return Copy(condition=Condition.OUT_OF_REACH, detail=f"{folder} cannot be written"), None
    return find_copy(folder, opened, progress)


def is_known(folder: Path) -> bool:
    """Returns True if a cabinet has ever owned this folder. Raises StoreFolderError if the system refuses to read
    it."""
    try:
        return any(is_there(folder / name) for name in (FILE, LOCK_FILE, BEHIND_FILE))
    except OSError as error:
        raise unusable(folder, error) from error


def _found(connection: sqlite3.Connection, path: Path, progress: Progress | None) -> Copy:
    """Returns a copy that can be opened. Raises StoreDamagedError, which names the problem."""
    with explained(path):
        (sound,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if sound != "ok":
            raise StoreDamagedError(f"the journal is damaged: {sound}")
        examined = examine(connection, progress)
        examined.refuse()
        row = examined.totals.row
        with suppress(mark.UnreadableNumberError):  # no fault of the copy; see `number_trouble`
            mark.check_end(path.parent, path, steps=row.seq if row else 0)
        if row is None:
            return Copy(condition=Condition.EMPTY)
        return Copy(
            condition=Condition.SOUND,
            seq=row.seq,
            hash=examined.totals.hash,
            identity=compact.identity(connection) or b"",
        )


def _newest_readable(connection: sqlite3.Connection) -> int:
    """Returns the newest step in the readable parts of a damaged copy; 0 if there is none."""
    found = []
    for query in ("SELECT max(seq) FROM steps", "SELECT seq FROM machine"):
        with suppress(*UNREADABLE):
            answer = connection.execute(query).fetchone()
            found += [int(answer[0])] if answer and answer[0] else []
    return min(found, default=0)


def same_story(first: sqlite3.Connection | None, second: sqlite3.Connection | None, one: Copy, other: Copy) -> bool:
    """Returns True if the newest row of the shorter copy is also in the longer one, or is older than its first kept
    row."""
    if first is None or second is None or Condition.EMPTY in {one.condition, other.condition}:
        return True
    longer, short = (first, other) if one.seq >= other.seq else (second, one)
    found = longer.execute("SELECT hash FROM steps WHERE seq = ?", (short.seq,)).fetchone()
    if found is None:
        return short.seq < compact.first_kept(longer)
    return bool(found[0] == short.hash)


def facts_of(copy: sqlite3.Connection) -> list[tuple[str, str]]:
    """Returns the facts of a copy about its installation, by name."""
    return copy.execute("SELECT name, value FROM facts ORDER BY name").fetchall()


def share_facts(first: sqlite3.Connection, second: sqlite3.Connection) -> None:
    """Copies to the second copy the facts that it lacks: a fact is written to the first copy first, and a power cut may
    come in between."""
    facts = facts_of(first)
    if facts == facts_of(second):
        return
    try:
        second.execute("BEGIN IMMEDIATE")
        second.execute("DELETE FROM facts")
        second.executemany("INSERT INTO facts VALUES (?, ?)", facts)
        second.execute("COMMIT")
    except sqlite3.Error:
        roll_back(second)
        raise


# --- renewing a copy --------------------------------------------------------------------------------------------


def renew(source: sqlite3.Connection, folder: Path) -> None:
    """Renews the copy in `folder` from an open sound one. Durable on return; raises StoreError otherwise."""
    new = folder / NEW_FILE
    try:
        _remove(new)
        with closing(sqlite3.connect(new, isolation_level=None)) as target:
            target.execute("PRAGMA synchronous = FULL")
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
            examined = examine(target)
        if examined.problems:
            raise StoreError(f"{new}: what was written is not what is read: {examined.problems[0]}; change the medium")
        mark.sync(new)
        mark.keep_reached(folder, max(0, examined.totals.newest))
        put_aside(folder)
        new.replace(folder / FILE)
        mark.sync(folder)
    except (OSError, sqlite3.Error) as error:
        raise StoreFullError(f"{folder}: a copy cannot be written: {error}") from error


def put_aside(folder: Path) -> None:
    """Renames the old files. What a run has left beside the journal goes first, because it would damage a new file."""
    for ending in (WAL, ROLLBACK, ""):
        old = folder / f"{FILE}{ending}"
        if old.exists():
            old.replace(folder / f"{ASIDE_FILE}{ending}")
            mark.sync(folder)
    (folder / f"{FILE}{SHM}").unlink(missing_ok=True)


def _remove(new: Path) -> None:
    for ending in (WAL, SHM, ROLLBACK, ""):
        new.with_name(f"{new.name}{ending}").unlink(missing_ok=True)


# --- the mark of a second copy that is behind -------------------------------------------------------------------


def is_behind(folder: Path) -> bool:
    """Returns True if the second copy is known to miss steps that the first copy in `folder` has."""
    return mark.read(folder / BEHIND_FILE) is not None


def mark_behind(folder: Path, seq: int) -> None:
    """Records durably that the second copy misses step `seq`. Raises StoreFullError when the medium refuses."""
    _write_mark(folder / BEHIND_FILE, f"{seq}\n")


def _write_mark(path: Path, text: str) -> None:
    try:
        mark.write(path, text.encode())
    except OSError as error:
        raise StoreFullError(f"{path}: cannot be written: {error.strerror}") from error


def unmark_behind(folder: Path) -> None:
    """Removes the mark, because the second copy is complete again. If a power cut keeps the mark, the next start only
    renews the copy once more."""
    mark.remove(folder / BEHIND_FILE)


# --- the note of a first copy that nothing proves ---------------------------------------------------------------


def doubt(source: sqlite3.Connection, found: Copy, folder: Path) -> None:
    """Records durably that the first copy in `folder`, which is about to be renewed from this one, may miss steps."""
    newest_ms = newest_time_ms(source)
    when = f"{datetime.fromtimestamp(newest_ms / 1000, tz=UTC).astimezone():%d %b %Y %H:%M}" if newest_ms else "no time"
    _write_mark(folder / DOUBT_FILE, f"data from the second copy of {when}, {found.seq} rows: check against papers\n")


def number_trouble(folder: Path) -> str:
    """Returns why the number of the newest row in `folder` is invalid; empty if it is valid or does not exist.

    Raises StoreDamagedError when the mark is not a file.
    """
    try:
        mark.reached(folder)
    except mark.UnreadableNumberError as error:
        return str(error)
    return ""


def doubt_number(folder: Path, trouble: str) -> None:
    """Records durably, before the number is written again, that steps may be missing. Raises StoreFullError when the
    medium refuses."""
    if not read_doubt(folder):
        _write_mark(folder / DOUBT_FILE, f"{trouble}; check against papers\n")
    mark.forget_reached(folder)


def read_doubt(folder: Path) -> str:
    """Returns why the first copy in `folder` may miss steps, in one line; empty if there is no doubt.

    A mark without text, as a power cut may leave it, is a doubt too.
    """
    found = mark.read(folder / DOUBT_FILE)
    if found is None:
        return ""
    return mark.one_line(found) or f"{DOUBT_FILE} lies there and says nothing: check against papers"


def forget_doubt(folder: Path) -> None:
    """Removes the doubt, after the lock for it is durable."""
    mark.remove(folder / DOUBT_FILE)

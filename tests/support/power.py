"""The power goes: pictures of both copies around every step of a session, and what a medium may have kept between two.

A film holds, for every step, the files before it, after the first copy has it, and after both have. While a step is
being written a medium may have kept any of the sectors that were to change, in any order, one of them torn or turned to
garbage, and the file as long as before, as after, or anything between. The library syncs the head of a new log before
the pages in it, its log before it touches the database, and the first copy before the second is begun: those orders are
kept, no others are assumed.
"""

import random
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from support.crashes import Cue, InMemory, cues_of, go_on, money_of, restart
from support.journals import drop_if_due, number_of, stamp

from cabinet.engine import machine as engine
from cabinet.engine.state import Machine, Settings
from cabinet.store.compact import Keeping
from cabinet.store.journal import FILE, LOCK_FILE, Journal
from cabinet.store.opening import WAL

FEW = Keeping(rows=15, step=5, rounds=1, entries=20, of_a_kind=3, tickets=2)
"""So little that old rows leave while a short session is played."""
SECTOR = 512
LOG_HEAD = 32
"""Bytes at the beginning of the log that say which pages in it are valid."""
PAGES_IN_LOG = 9
"""Pages of the log after which the database receives them: few, so that cuts fall into this, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The files of one copy; empty for a file that is not there."""

    database: bytes = b""
    log: bytes = b""

    def put(self, folder: Path) -> None:
        """Writes the files into a folder where a cabinet has been."""
        for ending, content in (("", self.database), (WAL, self.log)):
            if content:
                (folder / f"{FILE}{ending}").write_bytes(content)
        (folder / LOCK_FILE).touch()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """Both copies around one step; `row` is the step's number, `cue` what was played, None for the dropping of rows."""

    row: int
    cue: Cue | None
    before: tuple[Files, Files]
    between: tuple[Files, Files]
    after: tuple[Files, Files]
    was: Machine
    is_: Machine
    done: int
    """How many cues were played before it."""


@dataclass(slots=True)
class Film:
    """A session on two copies, step by step."""

    settings: Settings
    cues: tuple[Cue, ...]
    shots: list[Shot]
    ends: dict[tuple[int, int], dict[str, int]]

    @property
    def whole(self) -> dict[str, int]:
        """The money of the session that nothing interrupted."""
        return money_of(self.cues[-1].step.machine)

    def end_from(self, done: int, machine: Machine) -> dict[str, int]:
        """Returns the money at the end of a session that restarts with this machine after `done` cues."""
        key = done, machine.books.meter("power_ups")
        if key not in self.ends:
            take = InMemory(self.settings, machine)
            restart(take)
            self.ends[key] = money_of(go_on(take.machine, self.cues[done:], take))
        return self.ends[key]


def files_of(folder: Path, known: Files) -> Files:
    """The files in a folder now; what has not changed is shared with `known`."""
    found = [path.read_bytes() if path.exists() else b"" for path in (folder / FILE, folder / f"{FILE}{WAL}")]
    database, log = found
    return Files(
        database=known.database if database == known.database else database,
        log=known.log if log == known.log else log,
    )


def open_pair(folder: Path) -> Journal:
    """The journal on the two copies in a folder; what it is on its own when there is no second."""
    second = folder / "second"
    journal = Journal(folder / "first", number_of, second=second if second.is_dir() else None, keeping=FEW)
    for connection in journal.connections:
        connection.execute(f"PRAGMA wal_autocheckpoint = {PAGES_IN_LOG}")
    return journal


def take_film(folder: Path, name: str) -> Film:
    """Plays a session on two copies and takes a picture of every step."""
    settings, cues = cues_of(name)
    film = Film(settings=settings, cues=cues, shots=[], ends={})
    folders = folder / "first", folder / "second"
    folders[1].mkdir(parents=True)
    now = [Files(), Files()]
    between: list[tuple[Files, Files]] = []

    def look() -> tuple[Files, Files]:
        now[:] = [files_of(each, known) for each, known in zip(folders, now, strict=True)]
        return now[0], now[1]

    def on_second(statement: str) -> None:
        if statement.startswith("BEGIN"):
            between.append(look())

    with open_pair(folder) as journal:
        journal.connections[1].set_trace_callback(on_second)
        for done, cue in enumerate(cues):
            for whose in (cue, None):
                before, was = look(), journal.machine or engine.starting(settings)
                if whose is not None:
                    journal.commit(whose.input, whose.step, stamp(journal.seq + 1))
                elif not drop_if_due(journal):
                    break
                assert journal.machine is not None
                shot = Shot(
                    row=journal.seq,
                    cue=whose,
                    before=before,
                    between=between.pop(),
                    after=look(),
                    was=was,
                    is_=journal.machine,
                    done=done if whose is not None else done + 1,
                )
                film.shots.append(shot)
    return film


# --- what a medium may have kept --------------------------------------------------------------------------------


def _sectors(before: bytes, after: bytes) -> list[int]:
    """The sectors that were to change."""
    size = max(len(before), len(after))
    return [at for at in range(0, size, SECTOR) if before[at : at + SECTOR] != after[at : at + SECTOR]]


def partly(before: bytes, after: bytes, lot: random.Random) -> bytes:
    """A file of which only some sectors, drawn by lot, have changed from `before` to `after`."""
    changing = _sectors(before, after)
    kept = _some(changing, lot)
    length = lot.choice(
        [len(before), len(after), lot.randint(min(len(before), len(after)), max(len(before), len(after)))]
    )
    found = bytearray(before.ljust(max(len(before), len(after)), b"\0"))
    for at in kept:
        found[at : at + SECTOR] = after[at : at + SECTOR]
    if kept and lot.random() < 0.5:
        _tear(found, before, lot.choice(kept), lot)
    longest = max((at + SECTOR for at in kept), default=0)
    return bytes(found[: max(length, min(longest, len(found)))])


def _some(changing: list[int], lot: random.Random) -> list[int]:
    """Some of the sectors: the first ones, the last ones, or any."""
    if not changing:
        return []
    number = lot.randint(0, len(changing))
    return lot.choice([changing[:number], changing[len(changing) - number :], sorted(lot.sample(changing, number))])


def _tear(found: bytearray, before: bytes, at: int, lot: random.Random) -> None:
    """One sector was being written: a part of it is the old one, or garbage."""
    cut = at + lot.randrange(SECTOR)
    end = min(at + SECTOR, len(found))
    old = before[cut:end].ljust(max(0, end - cut), b"\0")
    found[cut:end] = lot.choice([old, lot.randbytes(max(0, end - cut))])


def while_written(before: Files, after: Files, lot: random.Random) -> Files:
    """One copy cut while it was written: in its log, or in the writing back that may follow."""
    if before.database == after.database or lot.random() < 0.5:
        return replace(before, log=_log_while_written(before.log, after.log, lot))
    return Files(database=partly(before.database, after.database, lot), log=after.log)


def _log_while_written(before: bytes, after: bytes, lot: random.Random) -> bytes:
    """A log that begins anew has its head synced before any page follows it."""
    if before[:LOG_HEAD] == after[:LOG_HEAD]:
        return partly(before, after, lot)
    if lot.random() < 0.3:
        cut = lot.randrange(LOG_HEAD)
        return after[:cut] + before[cut:]
    return partly(after[:LOG_HEAD] + before[LOG_HEAD:], after, lot)


def decayed(files: Files, lot: random.Random) -> Files:
    """A copy whose medium has lost or changed something: bytes, sectors, the end, or all of it."""
    which = "database" if not files.log or lot.random() < 0.5 else "log"
    content = bytearray(getattr(files, which))
    if not content:
        return Files()
    at = lot.randrange(len(content))
    match lot.randrange(6):
        case 0:
            content[at] ^= 1 << lot.randrange(8)
        case 1:
            content[at : at + SECTOR] = lot.randbytes(len(content[at : at + SECTOR]))
        case 2:
            content[at : at + 4096] = bytes(len(content[at : at + 4096]))
        case 3:
            del content[at:]
        case 4:
            return Files()
        case _:
            content[:] = bytes(len(content))
    return replace(files, **{which: bytes(content)})


def write_files(folder: Path, copies: tuple[Files, ...]) -> None:
    """An arranged folder with these copies, the first one first."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, files in zip(("first", "second"), copies, strict=False):
        (folder / name).mkdir(parents=True)
        files.put(folder / name)

"""Saves the books as a signed folder of files, while the attendant's page is open.

Rules: the journal is read on the thread that owns it, one bounded part in a turn. The files are made and written on a
thread of their own, from values that no longer change. All parts are of one row of the journal: a step in between ends
the reading, and nothing is written. A folder without its signed list is unfinished. The newest folders stay, so that
they never fill the medium of the books.
"""

import logging
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, TypeVar

from cabinet.attendant.data import AttendantData
from cabinet.booklet.files import export_files
from cabinet.runtime.attendant_data import timed
from cabinet.runtime.attendant_records import Books
from cabinet.runtime.signed_statement import StatementSigner
from cabinet.statement.folder import MANIFEST
from cabinet.store import reports

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

MOST_EVENTS, MOST_TICKETS, MOST_GAMES = 5_000, 5_000, 1_000
PART, PART_GAMES = 250, 10
"""Rows that are read in one turn, and games."""
KEPT: Final = 5
"""Folders that stay; the oldest goes first."""
FIRST = 1 << 62
"""Above the number of every game."""
LOOK_S: Final = 0.1
"""How often the end of the writing is looked for, in seconds."""


class Exporter:
    """Saves files below one folder, one export at a time."""

    def __init__(
        self, folder: Path, signer: StatementSigner, journal: Books, *, part: int = PART, part_games: int = PART_GAMES
    ) -> None:
        """`folder` is made when the first export is written. `part` rows of a list, or `part_games` games, are read in
        one turn."""
        self._part, self._part_games = part, part_games
        self._folder, self._signer, self._journal = folder, signer, journal
        self._running: Iterator[str | None] | None = None
        self._reading = False

    def due_s(self, now: float) -> float:
        """Returns when `work` is wanted next; infinity while nothing is saved."""
        if self._running is None:
            return float("inf")
        return now if self._reading else now + LOOK_S

    def begin(self, data: AttendantData) -> str:
        """Begins to save these books; returns the words for the page."""
        if self._running is not None:
            return data.say("The files are still being written")
        self._running, self._reading = self._save(data), True
        return data.say("The files are being written")

    def work(self) -> str | None:
        """Does one part of the work; returns the outcome in words at the end."""
        if self._running is None:
            return None
        outcome = next(self._running)
        if outcome is not None:
            self._running = None
        return outcome

    def leave(self) -> None:
        """Ends the reading, because the attendant has left; files that are being written are finished."""
        self._running = None

    def _save(self, data: AttendantData) -> Iterator[str | None]:
        """Yields None after each part, and the outcome at last."""
        seq, signed = self._journal.seq, self._signer.statement(data)
        records, lists = data.records, ([], [], [])  # type: tuple[Any, tuple[list[Any], list[Any], list[Any]]]
        reads = (
            _parts(partial(records.read_log, frozenset()), MOST_EVENTS, self._part),
            _parts(partial(records.read_tickets, frozenset()), MOST_TICKETS, self._part),
            self._games(),
        )
        for found, parts in zip(lists, reads, strict=True):
            for part in parts:
                found.extend(part)
                yield None
                if self._journal.seq != seq:
                    yield data.say("Nothing is saved: something has happened at the machine meanwhile. Try again.")
        events, tickets, rounds = map(tuple, lists)
        whole = replace(data, events=events, tickets=tickets, rounds=rounds[::-1], records=None, statement=None)
        done: SimpleQueue[str] = SimpleQueue()
        self._reading = False
        write = partial(self._write, whole, signed, seq, done.put)
        threading.Thread(target=write, name="export", daemon=True).start()
        while done.empty():
            yield None
        yield done.get()

    def _games(self) -> Iterator[tuple[Mapping[str, Any], ...]]:
        """Yields the newest games, newest first."""
        before = FIRST
        for _ in range(MOST_GAMES // self._part_games):
            found = reports.recall(self._journal.connection, rounds=self._part_games, before=before)
            if found:
                yield tuple(map(timed, reversed(found)))
            if len(found) < self._part_games:
                return
            before = found[0]["number"]

    def _write(self, data: AttendantData, signed: str, row: int, done: Callable[[str], None]) -> None:
        """Makes and writes the files, and reports the outcome."""
        folder = self._folder / f"CABINET-{data.machine_name}-{row:09d}"
        try:
            if not (folder / MANIFEST).exists():
                shutil.rmtree(folder, ignore_errors=True)
                about = {"Machine": data.machine_name, "Time": data.time, "Row": f"{row}"}
                self._signer.write(folder, export_files(data, signed), about)
            self._drop_old()
        except OSError as error:
            done(data.say("Nothing is saved: {reason}", reason=f"{folder}: {error.strerror or error}"))
        except Exception as error:  # noqa: BLE001 - a fault in a report never takes the cabinet down
            _log.error("the files of the books could not be made: %s", error, exc_info=error)
            done(data.say("Nothing is saved: {reason}", reason=data.say("the log of the cabinet says more")))
        else:
            done(data.say("Saved: {folder}", folder=folder))

    def _drop_old(self) -> None:
        for old in sorted(self._folder.glob("CABINET-*"))[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)


def _parts(read: Callable[[int, int], tuple[_T, ...]], most: int, part: int) -> Iterator[tuple[_T, ...]]:
    """Yields the newest rows of a list in parts of `part`, at most `most` in all."""
    for first in range(0, most, part):
        found = read(first, part)
        if found:
            yield found
        if len(found) < part:
            return

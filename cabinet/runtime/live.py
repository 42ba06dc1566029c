"""The figures of a running cabinet for other processes: what the controller publishes after a commit, and the socket.

Rules: `publish` keeps references only; figures are made on the server's thread from a machine that never changes. A
cabinet that can have no socket runs without one.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabinet.engine.effects import Event
from cabinet.engine.state import Machine
from cabinet.link import wire
from cabinet.link.place import place_to_serve
from cabinet.link.server import Server
from cabinet.runtime.inbox import Asked
from cabinet.runtime.program import program_version
from cabinet.runtime.reader_figures import last_note, meter_figures, note_of, status_figures
from cabinet.store.following import NewestRow, newest_row
from cabinet.store.journal import Journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What is known after a durable row."""

    machine: Machine
    seq: int
    row_hash: bytes
    wall_ms: int
    last_note: Mapping[str, Any] | None


class LiveFigures:
    """Publishes one cabinet. `publish` belongs to the thread that owns the journal."""

    def __init__(self, journal: Journal, data: Path, ask: Callable[[Asked], None]) -> None:
        """Begins with the newest row of the journal; `ask` is the queue of the thread that answers questions."""
        self._journal = journal
        self._began_s = time.monotonic()
        self._note = last_note(journal.connection)
        self._ask = ask
        self._server = Server(place_to_serve(data), figures=self._figures, ask=self._put, program=program_version())
        if journal.machine is not None:
            self.publish(journal.machine, (), newest_row(journal.connection).wall_ms)

    def publish(self, machine: Machine, events: tuple[Event, ...], wall_ms: int) -> None:
        """Publishes the machine after the newest durable row."""
        self._note = note_of(events, wall_ms) or self._note
        journal = self._journal
        published = Published(
            machine=machine, seq=journal.seq, row_hash=journal.row_hash, wall_ms=wall_ms, last_note=self._note
        )
        self._server.publish(journal.seq, published)

    def start(self) -> None:
        """Opens the socket. Raises OSError."""
        self._server.start()

    def stop(self) -> None:
        """Closes the socket."""
        self._server.stop()

    def _put(self, question: wire.Question, reply: Callable[[wire.Reply], None]) -> None:
        self._ask(Asked(question=question, reply=reply))

    def _figures(self, request: wire.Figures, published: Published) -> dict[str, Any]:
        """Returns the figures of a request; runs on the server's thread."""
        if isinstance(request, wire.Meters):
            return meter_figures(published.machine)
        newest = NewestRow(published.seq, published.row_hash.hex(), published.wall_ms)
        figures = status_figures(published.machine, newest, published.last_note)
        return {"running": True, "uptime_s": int(time.monotonic() - self._began_s), **figures}

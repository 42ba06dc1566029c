"""The questions of readers to the journal, answered by the thread that owns it when that disturbs no play.

Rules: a question reads a limited number of rows and changes nothing. One is answered in a turn of the controller, after
its input. It waits while an animation has just begun or a note or ticket is on its way, but at most `LONGEST_WAIT_S`. A
question that fails is refused; the cabinet goes on. A booklet is made at most once in `BOOKLET_HOLDS_S`.
"""

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cabinet.engine.state import Machine
from cabinet.link import wire
from cabinet.presentation.snapshot import Snapshot
from cabinet.runtime.inbox import Asked
from cabinet.runtime.reader_figures import answer
from cabinet.store.errors import StoreError
from cabinet.store.reports import Connection

_log = logging.getLogger(__name__)

FIRST_MOMENTS_S = 0.15
"""How long an animation has the machine for itself after it began, in seconds."""
LONGEST_WAIT_S = 0.25
"""How long a question waits at most, in seconds: a reader has its answer within half a second."""
BOOKLET_HOLDS_S = 5.0
"""How long a booklet is given to further readers, in seconds: one takes longer to make than any other answer."""


@dataclass(slots=True)
class Questions:
    """The questions that wait, oldest first."""

    booklet: Callable[[], dict[str, Any]]
    """Makes the booklet of the present data."""
    _booklet: tuple[float, wire.Answer] | None = None
    """The newest booklet, with the time of its question."""
    _waiting: deque[tuple[Asked, float]] = field(default_factory=deque)

    def add(self, asked: Asked, now: float) -> None:
        """Adds a question."""
        self._waiting.append((asked, now))

    def due_s(self, machine: Machine, snapshot: Snapshot) -> float:
        """Returns from when on the oldest question may be answered; infinity without one."""
        if not self._waiting:
            return float("inf")
        _, asked_s = self._waiting[0]
        latest_s = asked_s + LONGEST_WAIT_S
        if machine.acceptor.in_path is not None or machine.printer.printing is not None:
            return latest_s
        animated = snapshot.open_at_s > snapshot.began_at_s
        return min(latest_s, snapshot.began_at_s + FIRST_MOMENTS_S) if animated else asked_s

    def answer_one(self, connection: Connection, seq: int) -> None:
        """Answers the oldest question from the journal whose newest row is `seq`."""
        asked, asked_s = self._waiting.popleft()
        asked.reply(self._answered(connection, seq, asked.question, asked_s))

    def _answered(self, connection: Connection, seq: int, question: wire.Question, asked_s: float) -> wire.Reply:
        try:
            if isinstance(question, wire.Booklet):
                return self._booklet_at(seq, asked_s)
            return answer(connection, seq, question)
        except StoreError as error:
            return wire.Refused(why=str(error))
        except Exception as error:  # noqa: BLE001 - a reader's question never takes the cabinet down
            _log.error("a question of a reader has failed: %s: %s", question, error, exc_info=error)
            return wire.Refused(why="this question cannot be answered; the log of the cabinet says more")

    def _booklet_at(self, seq: int, asked_s: float) -> wire.Answer:
        if self._booklet is None or asked_s >= self._booklet[0] + BOOKLET_HOLDS_S:
            self._booklet = (asked_s, wire.Answer(seq=seq, data=self.booklet()))
        return self._booklet[1]

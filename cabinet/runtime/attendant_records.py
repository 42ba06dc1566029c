"""Reads parts of the journal's long lists for the attendant's pages, with times as text.

Rules: a count or a part is read once for each step of the machine. Only for the thread that owns the journal.
"""

from collections.abc import Callable, Hashable
from collections.abc import Set as AbstractSet
from typing import Any, Protocol, TypeVar

from cabinet.attendant.data import LogRow, TicketRow
from cabinet.attendant.pictures import GameRow, PastGame, past_game
from cabinet.engine.state import Settings
from cabinet.runtime.shown_values import when
from cabinet.store import reports

_T = TypeVar("_T")


class Books(Protocol):
    """A journal that can be read: the number of its newest row, and a connection for this thread."""

    @property
    def seq(self) -> int:
        """Returns the number of the newest row."""
        ...

    @property
    def connection(self) -> reports.Connection:
        """Returns the connection for reports."""
        ...


class JournalRecords:
    """The long lists of a journal after one step."""

    def __init__(
        self,
        journal: Books,
        log_row: Callable[[reports.EventRow], LogRow],
        ticket_row: Callable[[reports.TicketRow], TicketRow],
        settings: Settings,
    ) -> None:
        """`log_row` and `ticket_row` write a row of the journal for an attendant; past games are played again by the
        rules of `settings`."""
        self._settings = settings
        self._connection = journal.connection
        self._log_row, self._ticket_row = log_row, ticket_row
        self._read: dict[Hashable, Any] = {}

    def _once(self, key: Hashable, read: Callable[[], _T]) -> _T:
        """Returns what was read under this key, which names the kind of its value."""
        if key not in self._read:
            self._read[key] = read()
        found: _T = self._read[key]
        return found

    def count_log(self, kinds: AbstractSet[str]) -> int:
        """Returns the number of log entries of these kinds."""
        what = sorted(kinds)
        return self._once(("log", *what), lambda: reports.count_events(self._connection, what=what))

    def read_log(self, kinds: AbstractSet[str], first: int, count: int) -> tuple[LogRow, ...]:
        """Returns log entries of these kinds from the `first` newest on."""
        what = sorted(kinds)

        def read() -> tuple[LogRow, ...]:
            return tuple(map(self._log_row, reports.events(self._connection, limit=count, what=what, first=first)))

        return self._once(("log", first, count, *what), read)

    def read_step(self, number: int) -> tuple[LogRow, ...]:
        """Returns the log entries of the step that made the entry of this number, oldest first."""

        def read() -> tuple[LogRow, ...]:
            return tuple(map(self._log_row, reports.events_of_step(self._connection, number)))

        return self._once(("step", number), read)

    def count_tickets(self, states: AbstractSet[str]) -> int:
        """Returns the number of tickets in these states; of all without a state."""
        among = sorted(states)
        return self._once(("tickets", *among), lambda: reports.count_tickets(self._connection, states=among))

    def read_tickets(self, states: AbstractSet[str], first: int, count: int) -> tuple[TicketRow, ...]:
        """Returns tickets in these states from the `first` newest on."""
        among = sorted(states)

        def read() -> tuple[TicketRow, ...]:
            found = reports.tickets(self._connection, limit=count, states=among, first=first)
            return tuple(map(self._ticket_row, found))

        return self._once(("tickets", first, count, *among), read)

    def find_tickets(self, digits: str, most: int) -> tuple[TicketRow, ...]:
        """Returns the newest tickets whose bar code or printed number ends with these digits."""

        def read() -> tuple[TicketRow, ...]:
            return tuple(map(self._ticket_row, reports.tickets_ending(self._connection, digits, limit=most)))

        return self._once(("find", digits, most), read)

    def read_game(self, number: int) -> PastGame:
        """Returns a past game step by step."""

        def read() -> PastGame:
            rows = reports.game_rows(self._connection, number)
            return past_game(number, tuple(map(game_row, rows)), self._settings)

        return self._once(("game", number), read)


def game_row(row: reports.GameRow) -> GameRow:
    """Returns a row of a game with its time as text."""
    return GameRow(
        when=when(row.wall_ms, clock_ok=row.clock_ok),
        credit_cents=row.credit_cents,
        drawn=row.drawn,
        events=row.events,
        money=row.money,
    )

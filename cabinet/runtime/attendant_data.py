"""Reads the attendant's data from the journal: the newest events, notes, tickets and games, with times as text."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cabinet.attendant.data import AttendantData, LogRow, TicketRow
from cabinet.config.settings import Config
from cabinet.engine.log import LogKind
from cabinet.engine.state import Machine, Settings
from cabinet.par import cached_sheet, kept_in
from cabinet.runtime import program
from cabinet.store import reports
from cabinet.store.journal import Journal
from cabinet.store.tickets import DAY_MS
from cabinet.text.amounts import CURRENCIES

EVENTS_SHOWN, NOTES_SHOWN, TICKETS_SHOWN, HAND_PAYS_SHOWN, GAMES_SHOWN = 140, 35, 35, 35, 10
PROGRAMS_SHOWN = 10
MINUTE_MS = 60_000
TAIL = 4
"""Digits of a ticket's number that may be shown; the whole number is worth money."""

_NOTE_EVENTS = tuple(what.value for what in LogKind if what.name.startswith("NOTE_"))
_HAND_PAY_EVENTS = (LogKind.HAND_PAID.value, LogKind.TICKET_PAID.value)
_TICKET_IN_EVENTS = tuple(
    what.value
    for what in (
        LogKind.TICKET_ACCEPTED,
        LogKind.TICKET_REFUSED,
        LogKind.TICKET_RETURNED,
        LogKind.TICKET_RECOVERED,
        LogKind.TICKET_UNEXPECTED,
    )
)


def _no_time() -> tuple[int, bool]:
    return 0, False


class AttendantDataReader:
    """Reads the data of one cabinet; only for the thread that owns the journal.

    It keeps the data until the next step or the next minute, so that turning pages reads nothing.
    """

    def __init__(
        self,
        config: Config,
        journal: Journal,
        data: Path,
        *,
        simulated: bool = False,
        moment: Callable[[], tuple[int, bool]] = _no_time,
    ) -> None:
        """`data` is the folder for the par sheets of unusual rules, which are computed here, once. `moment` returns the
        time of day in milliseconds since 1970, and whether it is valid."""
        self._journal = journal
        self._moment = moment
        self._settings = config.settings()
        self._sign = CURRENCIES[config.machine.currency]
        self._returns = returns_of(self._settings, kept_in(data))
        self._spreads = spreads_of(self._settings, kept_in(data))
        self._identity = identity(config, simulated=simulated)
        self._stacker_notes = config.acceptor.stacker_notes
        self._name, self._venue = f"{config.machine.number:04d}", config.machine.venue
        self._built: AttendantData | None = None
        self._built_at = (-1, 0, False)

    def data(self, machine: Machine) -> AttendantData:
        """Returns the data after the last durable step, which led to this machine, in this minute."""
        wall_ms, believed = self._moment()
        at = (self._journal.seq, wall_ms // MINUTE_MS, believed)
        if self._built is None or self._built_at != at or self._built.machine is not machine:
            self._built, self._built_at = self._build(machine, wall_ms, believed=believed), at
        return self._built

    def _build(self, machine: Machine, wall_ms: int, *, believed: bool) -> AttendantData:
        connection, settings = self._journal.connection, self._settings
        now_ms = wall_ms if believed else 0
        return AttendantData(
            machine=machine,
            settings=settings,
            sign=self._sign,
            meters=reports.meters(machine, (table.rules.game_id for table in settings.tables)),
            returns=self._returns,
            spreads=self._spreads,
            events=_events(reports.events(connection, limit=EVENTS_SHOWN)),
            notes=_events(reports.events(connection, limit=NOTES_SHOWN, what=_NOTE_EVENTS)),
            hand_pays=_events(reports.events(connection, limit=HAND_PAYS_SHOWN, what=_HAND_PAY_EVENTS)),
            tickets=tuple(_ticket(row, now_ms) for row in reports.tickets(connection, limit=TICKETS_SHOWN)),
            tickets_in=_events(reports.events(connection, limit=TICKETS_SHOWN, what=_TICKET_IN_EVENTS)),
            unpaid=tuple(_ticket(row, now_ms) for row in reports.unpaid_tickets(connection)),
            rounds=tuple(_timed(story) for story in reports.recall(connection, rounds=GAMES_SHOWN)),
            identity=(
                *self._identity,
                ("Program hash", machine.program.files_hash or f"{program.program_hash()}, not kept: simulated"),
                *_program_changes(self._journal),
            ),
            time=when(wall_ms, clock_ok=believed),
            time_believed=believed,
            today=day(wall_ms) if believed else "",
            stacker_notes=self._stacker_notes,
            machine_name=self._name,
            venue=self._venue,
        )


def when(wall_ms: int, *, clock_ok: bool) -> str:
    """Returns a time as text, with a question mark if the clock was not valid."""
    moment = datetime.fromtimestamp(wall_ms / 1000, tz=UTC).astimezone()
    return f"{moment:%d %b %Y %H:%M:%S}{'' if clock_ok else ' ?'}"


def day(wall_ms: int) -> str:
    """Returns a day as text."""
    return f"{datetime.fromtimestamp(wall_ms / 1000, tz=UTC).astimezone():%d %b %Y}"


def returns_of(settings: Settings, folder: Path | None) -> Mapping[str, float]:
    """Returns the return of each game as a share of the stakes, played by the chart."""
    return {table.rules.game_id: 1 + cached_sheet(table.rules, folder).ev_per_staked for table in settings.tables}


def spreads_of(settings: Settings, folder: Path | None) -> Mapping[str, float]:
    """Returns the standard deviation of one round's return per amount staked, by game."""
    sheets = [cached_sheet(table.rules, folder) for table in settings.tables]
    return {sheet.game_id: sheet.deviation / sheet.average_stake for sheet in sheets}


def _program_changes(journal: Journal) -> Iterator[tuple[str, str]]:
    """Yields the last changes of the program, newest first."""
    for change in reports.events(journal.connection, limit=PROGRAMS_SHOWN, what=(LogKind.PROGRAM_CHANGED.value,)):
        yield "Program changed", f"{when(change.wall_ms, clock_ok=change.clock_ok)}: {change.detail}"


def _events(rows: Iterable[reports.EventRow]) -> tuple[LogRow, ...]:
    return tuple(
        LogRow(
            number=row.number,
            when=when(row.wall_ms, clock_ok=row.clock_ok),
            what=row.what,
            detail=row.detail,
            cents=row.cents,
        )
        for row in rows
    )


def _ticket(row: reports.TicketRow, now_ms: int) -> TicketRow:
    return TicketRow(
        sequence=row.sequence,
        when=when(row.wall_ms, clock_ok=row.clock_ok),
        cents=row.cents,
        state=row.state,
        tail=row.number[-TAIL:],
        duplicates=row.duplicates,
        settled=when(row.settled_ms, clock_ok=row.settled_ok) if row.settled_ms else "",
        good_until=day(row.wall_ms + row.expires_days * DAY_MS) if row.expires_days and row.clock_ok else "",
        expired_days=row.expired_days(now_ms),
    )


def _timed(story: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**story, "when": when(story["began_ms"], clock_ok=story["clock_ok"])}


def identity(config: Config, *, simulated: bool = False) -> tuple[tuple[str, str], ...]:
    """Returns the identity and the parts of the machine."""
    acceptor, printer = config.acceptor, config.printer
    on_line, on_port = ("simulated",) * 2 if simulated else (f"on {acceptor.port}", f"on {printer.port}")
    return (
        *((("SIMULATED", "acceptor, printer and panel; no real money"),) if simulated else ()),
        ("Venue", config.machine.venue),
        ("Machine", f"{config.machine.number:04d}"),
        ("Program", program.program_version()),
        ("Libraries", ", ".join(" ".join(each) for each in sorted(program.library_versions().items()))),
        ("Acceptor", f"{acceptor.protocol}, {on_line}"),
        ("Printer", f"{printer.protocol}, {printer.paper} paper, {on_port}"),
        ("Second copy of the data", config.data.mirror or "none: one damaged medium takes everything with it"),
    )

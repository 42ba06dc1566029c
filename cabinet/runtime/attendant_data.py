"""Reads the attendant's data from the journal: the newest events, notes, tickets and games, closings and hours, with
times as text."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from cabinet.attendant.data import PUBLIC_KEY, AttendantData, Closing, Hour, LogRow, SettingRow, TicketRow
from cabinet.config.listing import list_settings
from cabinet.config.settings import Config
from cabinet.engine.log import LASTING, LogKind
from cabinet.engine.state import Machine, Settings
from cabinet.par import cached_sheet, kept_in
from cabinet.runtime import program
from cabinet.runtime.attendant_records import Books, JournalRecords
from cabinet.runtime.shown_values import TAIL, day, when
from cabinet.runtime.signed_statement import StatementSigner
from cabinet.store import reports
from cabinet.store.closings import ListedClosing, expected_cents, listed, notes_of
from cabinet.store.head import newest_entry
from cabinet.store.history import HOUR_MS, HourReader
from cabinet.store.tickets import DAY_MS
from cabinet.text.amounts import CURRENCIES

_T = TypeVar("_T")

EVENTS_SHOWN, NOTES_SHOWN, TICKETS_SHOWN, HAND_PAYS_SHOWN, GAMES_SHOWN = 300, 35, 35, 35, 10
LASTING_SHOWN = 1_000
"""Entries shown of doors, keys, locks, settlements and settings; a player's presses hide none of them."""
CLOSINGS_SHOWN = 100
HOURS_SHOWN = 31 * 24
PROGRAMS_SHOWN = 10
MINUTE_MS = 60_000

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
        journal: Books,
        data: Path | None,
        *,
        simulated: bool = False,
        moment: Callable[[], tuple[int, bool]] = _no_time,
        signer: StatementSigner | None = None,
        doubtful: bool = False,
    ) -> None:
        """`data` is the folder for the par sheets of unusual rules, which are computed here, once. `doubtful` data is
        shown as far as it can be read. `moment` returns the
        time of day in milliseconds since 1970, and whether it is valid. `signer` signs the figures of the books."""
        self._journal, self._doubtful = journal, doubtful
        self.unread: tuple[str, ...] = ()
        """Why parts of doubtful data could not be read."""
        self._moment = moment
        self._settings = config.settings()
        self._sign = CURRENCIES[config.machine.currency]
        self._returns = returns_of(self._settings, kept_in(data))
        self._spreads = spreads_of(self._settings, kept_in(data))
        self._signer = signer
        key = () if signer is None else ((PUBLIC_KEY, signer.public_key),)
        self._identity = (*identity(config, simulated=simulated), *key)
        self._stacker_notes = config.acceptor.stacker_notes
        self._name, self._venue = f"{config.machine.number:04d}", config.machine.venue
        self._every_setting = tuple(
            SettingRow(key=each.key, value=each.value, delivered=each.delivered, allowed=each.allowed)
            for each in list_settings(config, Config())
        )
        self._language = config.display.attendant_language
        self._log = _Log()
        self._hours = _Hours()
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
        now_ms, part, connection = wall_ms if believed else 0, self._part, self._journal.connection
        return AttendantData(
            machine=machine,
            settings=self._settings,
            sign=self._sign,
            meters=reports.meters(machine, (table.rules.game_id for table in self._settings.tables)),
            returns=self._returns,
            spreads=self._spreads,
            records=None if self._doubtful else self._records(now_ms),
            doubtful=self._doubtful,
            events=part(lambda: self._log.rows(connection)),
            notes=part(lambda: _events(reports.events(connection, limit=NOTES_SHOWN, what=_NOTE_EVENTS))),
            hand_pays=part(lambda: _events(reports.events(connection, limit=HAND_PAYS_SHOWN, what=_HAND_PAY_EVENTS))),
            tickets=part(lambda: _tickets(reports.tickets(connection, limit=TICKETS_SHOWN), now_ms)),
            tickets_in=part(lambda: _events(reports.events(connection, limit=TICKETS_SHOWN, what=_TICKET_IN_EVENTS))),
            unpaid=part(lambda: _tickets(reports.unpaid_tickets(connection), now_ms)),
            rounds=part(lambda: tuple(timed(story) for story in reports.recall(connection, rounds=GAMES_SHOWN))),
            identity=self._identity_of(machine),
            language=self._language,
            every_setting=self._every_setting,
            time=when(wall_ms, clock_ok=believed),
            time_believed=believed,
            today=day(wall_ms) if believed else "",
            stacker_notes=self._stacker_notes,
            closings=part(lambda: tuple(_closing(each) for each in listed(connection, CLOSINGS_SHOWN))),
            hours=part(lambda: self._hours.rows(connection, now_ms)),
            machine_name=self._name,
            venue=self._venue,
            statement=None if self._signer is None else self._signer.statement,
        )

    def _identity_of(self, machine: Machine) -> tuple[tuple[str, str], ...]:
        """Returns who the machine is, with the hash of its program and the changes of it."""
        files_hash = machine.program.files_hash or f"{program.program_hash()}, not kept: simulated"
        changes = self._part(lambda: tuple(_program_changes(self._journal)))
        return (*self._identity, ("Program hash", files_hash), *changes)

    def _records(self, now_ms: int) -> JournalRecords:
        return JournalRecords(self._journal, _log_row, partial(_ticket, now_ms=now_ms), self._settings)

    def _part(self, read: Callable[[], tuple[_T, ...]]) -> tuple[_T, ...]:
        """Returns what was read; of doubtful data nothing where it cannot be read."""
        if not self._doubtful:
            return read()
        try:
            return read()
        except Exception as error:  # noqa: BLE001 - damaged data may break the reading in any way
            self.unread += (str(error),)
            return ()


class _Log:
    """The newest entries of the log, and the newest lasting ones. An entry becomes text once."""

    def __init__(self) -> None:
        self._newest = -1
        self._rows: dict[int, LogRow] = {}

    def rows(self, connection: reports.Connection) -> tuple[LogRow, ...]:
        """Returns the entries, newest first."""
        newest = newest_entry(connection)
        if newest != self._newest:
            every = reports.events(connection, limit=EVENTS_SHOWN)
            lasting = reports.events(connection, limit=LASTING_SHOWN, what=(what.value for what in LASTING))
            found = {row.number: row for row in (*every, *lasting)}
            self._rows = {
                number: self._rows.get(number) or _log_row(found[number]) for number in sorted(found, reverse=True)
            }
            self._newest = newest
        return tuple(self._rows.values())


class _Hours:
    """The hours of the last days that are known, in local time. An hour without new growth stays as it was made."""

    def __init__(self) -> None:
        self._reader: HourReader | None = None
        self._made: dict[int, Hour] = {}

    def rows(self, connection: reports.Connection, now_ms: int) -> tuple[Hour, ...]:
        """Returns the hours, oldest first. `now_ms` is 0 while the clock is not valid: then the newest trusted time of
        the journal counts."""
        if self._reader is None:
            newest = (now_ms or reports.newest_time_ms(connection)) // HOUR_MS
            self._reader = HourReader(since=max(1, newest - HOURS_SHOWN))
        grown = self._reader.follow(connection)
        self._made |= {hour: _hour(hour, grown[hour]) for hour in self._reader.changed}
        oldest = max(self._made, default=0) - HOURS_SHOWN
        self._made = {hour: self._made[hour] for hour in sorted(self._made) if hour > oldest}
        return tuple(self._made.values())


def _hour(hour: int, meters: Mapping[str, int]) -> Hour:
    moment = datetime.fromtimestamp(hour * HOUR_MS / 1000, tz=UTC).astimezone()
    return Hour(day=f"{moment:%d %b %Y}", hour=moment.hour, weekday=moment.weekday(), meters=dict(meters))


def _closing(each: ListedClosing) -> Closing:
    return Closing(
        kind=each.kind,
        number=each.number,
        began="" if each.began is None else when(each.began[0], clock_ok=each.began[1]),
        ended=when(each.ended[0], clock_ok=each.ended[1]),
        meters=each.meters,
        notes=dict(notes_of(each.meters)),
        expected_cents=expected_cents(each.meters),
        tickets_cents=each.meters.get("tickets_in", 0),
        counted_cents=each.counted_cents,
    )


def returns_of(settings: Settings, folder: Path | None) -> Mapping[str, float]:
    """Returns the return of each game as a share of the stakes, played by the chart."""
    return {table.rules.game_id: 1 + cached_sheet(table.rules, folder).ev_per_staked for table in settings.tables}


def spreads_of(settings: Settings, folder: Path | None) -> Mapping[str, float]:
    """Returns the standard deviation of one round's return per amount staked, by game."""
    sheets = [cached_sheet(table.rules, folder) for table in settings.tables]
    return {sheet.game_id: sheet.deviation / sheet.average_stake for sheet in sheets}


def _program_changes(journal: Books) -> Iterator[tuple[str, str]]:
    """Yields the last changes of the program, newest first."""
    for change in reports.events(journal.connection, limit=PROGRAMS_SHOWN, what=(LogKind.PROGRAM_CHANGED.value,)):
        yield "Program changed", f"{when(change.wall_ms, clock_ok=change.clock_ok)}: {change.detail}"


def _events(rows: Iterable[reports.EventRow]) -> tuple[LogRow, ...]:
    return tuple(map(_log_row, rows))


def _log_row(row: reports.EventRow) -> LogRow:
    return LogRow(
        number=row.number,
        when=when(row.wall_ms, clock_ok=row.clock_ok),
        what=row.what,
        detail=row.detail,
        cents=row.cents,
    )


def _tickets(rows: Iterable[reports.TicketRow], now_ms: int) -> tuple[TicketRow, ...]:
    return tuple(_ticket(row, now_ms) for row in rows)


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


def timed(story: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the story of a game with the time of its beginning as text."""
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

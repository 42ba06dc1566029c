"""Fills the attendant's desk from the journal: the newest events, notes, tickets and games, with times as text."""

from datetime import UTC, datetime

from cabinet import boot
from cabinet.attendant.desk import Desk, DeskEvent, DeskTicket
from cabinet.config import Config
from cabinet.engine.effects import Significant
from cabinet.engine.state import Machine
from cabinet.store import reports
from cabinet.store.journal import Journal
from cabinet.words import CURRENCIES

EVENTS_SHOWN, NOTES_SHOWN, TICKETS_SHOWN, GAMES_SHOWN = 140, 35, 35, 10
_NOTE_EVENTS = tuple(what.value for what in Significant if what.name.startswith("NOTE_"))


def when(wall_ms: int, *, clock_ok: bool) -> str:
    """A time as the attendant reads it; a question mark where the clock could not be trusted."""
    moment = datetime.fromtimestamp(wall_ms / 1000, tz=UTC).astimezone()
    return f"{moment:%d %b %Y %H:%M:%S}{'' if clock_ok else ' ?'}"


def make_desk(config: Config, journal: Journal, machine: Machine) -> Desk:
    """The desk as it is now. Reads the journal, so only on the thread that owns it."""
    connection = journal.connection
    settings = config.settings()
    game_ids = tuple(table.rules.game_id for table in settings.tables)
    rounds = reports.recall(connection, rounds=GAMES_SHOWN)
    return Desk(
        machine=machine,
        settings=settings,
        sign=CURRENCIES[config.machine.currency].sign,
        meters=reports.meters(machine, game_ids),
        events=_events(reports.events(connection, limit=EVENTS_SHOWN)),
        notes=_events(reports.events(connection, limit=NOTES_SHOWN, what=_NOTE_EVENTS)),
        tickets=tuple(
            DeskTicket(
                sequence=ticket.sequence,
                when=when(ticket.wall_ms, clock_ok=ticket.clock_ok),
                cents=ticket.cents,
                state=ticket.state,
                tail=ticket.number[-4:],
                duplicates=ticket.duplicates,
            )
            for ticket in reports.tickets(connection, limit=TICKETS_SHOWN)
        ),
        rounds=tuple({**story, "when": when(story["began_ms"], clock_ok=story["clock_ok"])} for story in rounds),
        identity=identity(config, machine),
    )


def _events(rows: tuple[reports.EventRow, ...]) -> tuple[DeskEvent, ...]:
    return tuple(
        DeskEvent(
            number=row.number,
            when=when(row.wall_ms, clock_ok=row.clock_ok),
            what=row.what,
            detail=row.detail,
            cents=row.cents,
        )
        for row in rows
    )


def identity(config: Config, machine: Machine) -> tuple[tuple[str, str], ...]:
    """Who the machine is and what it runs."""
    return (
        ("Venue", config.machine.venue),
        ("Machine", f"{config.machine.number:04d}"),
        ("Program", boot.program_version()),
        ("Program hash", machine.program_hash or boot.program_hash()),
        ("Acceptor", f"{config.acceptor.protocol} on {config.acceptor.port}"),
        ("Printer", f"{config.printer.protocol}, paper {config.printer.paper}, on {config.printer.port}"),
        ("Second copy of the data", "none: no mirror is configured"),
    )

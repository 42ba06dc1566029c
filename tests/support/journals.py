"""Journals in a test's hands: a folder with a session in it, and small ways to spoil one."""

import gzip
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from support.inputs import Hand
from support.machines import SETTINGS
from support.rounds import seeded_draw
from support.sessions import play, read_session

from cabinet.engine import machine as engine
from cabinet.engine.cards import Card, Draw
from cabinet.engine.effects import Refused
from cabinet.engine.inputs import Input
from cabinet.engine.state import Machine, Settings
from cabinet.engine.step import Step
from cabinet.store import codec, schema
from cabinet.store.compact import Keeping
from cabinet.store.journal import FILE, Journal, Stamp
from cabinet.store.record import seal_facts

SESSION = "money-in-trouble"


def number_of(sequence: int) -> str:
    """A validation number that a test can know."""
    return f"{sequence:018d}"


def stamp(number: int = 1, *, boot: int = 1, clock_ok: bool = True) -> Stamp:
    """The time of a step: one second apart."""
    return Stamp(boot=boot, wall_ms=1_700_000_000_000 + 1_000 * number, mono_ms=1_000 * number, clock_ok=clock_ok)


def open_journal(folder: Path) -> Journal:
    """The journal of a folder."""
    return Journal(folder, number_of)


@contextmanager
def raw(folder: Path) -> Iterator[sqlite3.Connection]:
    """Opens the database of a folder, to damage it."""
    connection = sqlite3.connect(folder / FILE, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


def keep(folder: Path, *steps: tuple[Input, Step]) -> None:
    """Commits steps to the journal of a folder and closes it."""
    with open_journal(folder) as journal:
        for input_, step in steps:
            journal.commit(input_, step, stamp(journal.seq + 1))


def session_steps(name: str = SESSION) -> list[tuple[Input, Step]]:
    """The steps of a written session that a cabinet would record: those that changed or reported something."""
    return [
        (line.input, step)
        for line, step in play(read_session(name))
        if not step.events or not isinstance(step.events[0], Refused)
    ]


def random_steps(seed: int, number: int, settings: Settings = SETTINGS) -> list[tuple[Input, Step]]:
    """Steps of random play that a cabinet would record."""
    hand, draw, machine = Hand(seed, settings), seeded_draw(seed), engine.starting(settings)
    found: list[tuple[Input, Step]] = []
    while len(found) < number:
        input_ = hand.sensible(machine)
        step = engine.step(settings, machine, input_, draw)
        if not any(isinstance(event, Refused) for event in step.events):
            found.append((input_, step))
            machine = step.machine
    return found


def replayed(folder: Path, settings: Settings) -> Machine:
    """The machine that the journal of a folder leads to, played anew from the first row."""
    with raw(folder) as connection:
        return replayed_from(connection, settings)


def replayed_from(connection: sqlite3.Connection, settings: Settings) -> Machine:
    """The machine that an open journal's inputs and cards lead to, played anew from the first row."""
    machine = engine.starting(settings)
    for text, drawn in connection.execute("SELECT input, drawn FROM steps ORDER BY seq"):
        cards: list[Card] = codec.decode_plain(drawn)
        machine = engine.step(settings, machine, codec.decode_input(text), _recorded(cards)).machine
        assert not cards, "a recorded card was not needed"
    return machine


def _recorded(cards: list[Card]) -> Draw:
    def draw(out: Collection[int]) -> Card:
        del out
        return cards.pop(0)

    return draw


def keep_dropping(
    folder: Path, steps: list[tuple[Input, Step]], keeping: Keeping, second: Path | None = None
) -> Machine:
    """Commits steps as a cabinet does, and drops old records whenever that is due. Returns the last machine."""
    with Journal(folder, number_of, second=second, keeping=keeping) as journal:
        for input_, step in steps:
            journal.commit(input_, step, stamp(journal.seq + 1))
            drop_if_due(journal)
        assert journal.machine is not None
        return journal.machine


def drop_if_due(journal: Journal) -> bool:
    """Drops old records, as the cabinet's thread does after a step. Returns True if any were due."""
    due = journal.find_droppable()
    if due is None:
        return False
    assert journal.machine is not None
    journal.commit(due, engine.step(SETTINGS, journal.machine, due, _recorded([])), stamp(journal.seq + 1))
    return True


LEFT = Path(__file__).parent.parent / "store" / "journals"
"""What the programs of older forms have left."""


def left_by_the_program_before(folder: Path) -> Path:
    """A data folder as the program of the form before has left it: with a cash-out whose outcome is not known."""
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_bytes(gzip.decompress((LEFT / f"form-{schema.KEPT}-doubt.db.gz").read_bytes()))
    return folder


def as_form(folder: Path, form: int) -> None:
    """Puts the journal of a folder into the form that an earlier program kept it in; nothing newer may be in it."""
    old = folder / f"{FILE}.old"
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        schema.migrate(connection, schema.MIGRATIONS[:form])
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        connection.execute("DELETE FROM facts")
        connection.execute("ATTACH ? AS newer", (str(folder / FILE),))
        for table in tables:
            columns = ", ".join(name for _, name, *_ in connection.execute(f"PRAGMA main.table_info({table})"))
            connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newer.{table}")
        if form < schema.SIGNED:
            connection.execute("DELETE FROM facts WHERE name = ?", (schema.FORM,))
            seal_facts(connection)
    old.replace(folder / FILE)

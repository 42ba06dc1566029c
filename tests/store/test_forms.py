"""Which program reads which form: a journal stays in the form of the program before until the new one is confirmed.

The program before is stood in for by a reader that is made of its words alone (`support.vocabulary`).
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.crashes import no_cards
from support.inputs import ACCEPTOR, PRINTER
from support.journals import keep, left_by_the_program_before, number_of, open_journal, raw, session_steps, stamp
from support.machines import SETTINGS
from support.vocabulary import reader_of

from cabinet.engine import machine as engine
from cabinet.engine.inputs import (
    Door,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    Input,
    Key,
    KeyTurned,
    PoweredDown,
    PoweredUp,
    SettleLock,
    Settlement,
)
from cabinet.engine.locks import find
from cabinet.engine.log import LogKind
from cabinet.engine.record_facts import FormChanged, MachineCommissioned
from cabinet.engine.state import LockKind
from cabinet.store import codec, reports, schema
from cabinet.store.errors import StoreDamagedError, StoreError, StoreNewerError
from cabinet.store.journal import FILE, Copies, Journal
from cabinet.store.opening import WAL
from cabinet.store.record import seal_facts
from cabinet.store.restore import restore
from cabinet.store.salvage import salvage
from cabinet.store.verify import verify
from cabinet.store.vocabulary import NoWordError

NEWER = ("CREATE TABLE wings (x INTEGER) STRICT",)


def form_of(folder: Path) -> int:
    """The form of a journal."""
    with raw(folder) as connection:
        (form,) = connection.execute("PRAGMA user_version").fetchone()
        return int(form)


def take(journal: Journal, *inputs: Input | None) -> None:
    """Step and commit, as the cabinet does."""
    for input_ in filter(None, inputs):
        assert journal.machine is not None
        journal.commit(input_, engine.step(SETTINGS, journal.machine, input_, no_cards), stamp(journal.seq + 1))


def start(journal: Journal) -> None:
    """All that happens from the start of a new program until the technician stands before its lock."""
    take(
        journal,
        PoweredUp(clean=True, version="2.0", program_hash="new"),
        FaultBegan(fault=Fault.CLOCK_INVALID),
        ACCEPTOR,
        PRINTER,
        FaultEnded(fault=Fault.CLOCK_INVALID),
        DoorOpened(door=Door.LOGIC),
        KeyTurned(key=Key.AUDIT, on=True),
    )


def confirm(journal: Journal) -> None:
    """The technician clears *program changed*."""
    assert journal.machine is not None
    lock = find(journal.machine, LockKind.PROGRAM_CHANGED)
    assert lock is not None
    take(journal, SettleLock(lock_id=lock.lock_id, how=Settlement.CLEAR))
    assert find(journal.machine, LockKind.PROGRAM_CHANGED) is None


def read_by_the_program_before(folder: Path) -> int:
    """Read every row and the machine in the words of the program before; how many rows there were."""
    reader = reader_of(schema.KEPT)
    with raw(folder) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (schema.KEPT,)
        assert connection.execute("SELECT value FROM facts WHERE name = ?", (schema.FORM,)).fetchone() is None
        for (body,) in connection.execute("SELECT body FROM machine UNION ALL SELECT body FROM snapshots"):
            reader.read_machine(body)
        rows = connection.execute("SELECT input, events FROM steps ORDER BY seq").fetchall()
    for input_, events in rows:
        for plain in (codec.decode_plain(input_), *codec.decode_plain(events)):
            reader.read_tagged(plain)
    return len(rows)


# --- older journals under this program --------------------------------------------------------------------------


@pytest.mark.requirement("ME-08", "SE-03")
def test_the_program_before_can_read_every_row_until_the_new_one_is_confirmed(tmp_path: Path) -> None:
    before = read_by_the_program_before(left_by_the_program_before(tmp_path))
    with open_journal(tmp_path) as journal:
        start(journal)
        rows = journal.seq
    assert read_by_the_program_before(tmp_path) == rows > before
    assert verify(tmp_path).problems == ()
    with open_journal(tmp_path) as journal:
        take(journal, PoweredDown())
    assert read_by_the_program_before(tmp_path) == rows + 1


@pytest.mark.requirement("ME-08", "SE-03", "EV-05")
def test_the_confirmed_program_moves_the_journal_on_in_one_step_that_the_log_shows(tmp_path: Path) -> None:
    with open_journal(left_by_the_program_before(tmp_path)) as journal:
        start(journal)
        confirm(journal)
        due = journal.form_change()
        assert due == FormChanged(old=schema.KEPT, new=schema.NEWEST)
        take(journal, due)
        assert journal.form_change() is None
        (entry,) = reports.events(journal.connection, limit=9, what=(LogKind.FORM_CHANGED.value,))
        assert entry.detail == f"form {schema.KEPT} to {schema.NEWEST}"
    assert form_of(tmp_path) == schema.NEWEST
    assert verify(tmp_path).problems == ()
    with open_journal(tmp_path) as journal:
        assert journal.form_change() is None
        take(journal, MachineCommissioned(version="2.0"))
    assert verify(tmp_path).problems == ()


@pytest.mark.requirement("ME-08")
def test_a_step_without_a_word_in_the_form_is_refused_whole(tmp_path: Path) -> None:
    with open_journal(left_by_the_program_before(tmp_path)) as journal:
        seq = journal.seq
        with pytest.raises(NoWordError, match="form 4 of the journal has no word for MachineCommissioned"):
            take(journal, MachineCommissioned(version="2.0"))
        assert journal.seq == seq
        take(journal, journal.form_change("MachineCommissioned"), MachineCommissioned(version="2.0"))
        assert journal.seq == seq + 2
    assert verify(tmp_path).problems == ()


def test_a_journal_without_a_row_gets_the_newest_form_at_once(tmp_path: Path) -> None:
    with raw(tmp_path) as connection:
        schema.migrate(connection, schema.MIGRATIONS[: schema.KEPT])
    open_journal(tmp_path).close()
    assert form_of(tmp_path) == schema.NEWEST


@pytest.mark.requirement("PL-06")
def test_both_copies_move_on_together(tmp_path: Path) -> None:
    first, second = left_by_the_program_before(tmp_path / "first"), left_by_the_program_before(tmp_path / "second")
    with Journal(first, number_of, second=second) as journal:
        start(journal)
        forms = [opened.execute("PRAGMA user_version").fetchone() for opened in journal.connections]
        assert forms == [(schema.KEPT,), (schema.KEPT,)]
        confirm(journal)
        take(journal, journal.form_change())
    for folder in (first, second):
        assert form_of(folder) == schema.NEWEST
        assert verify(folder).problems == ()
    assert (first / FILE).stat().st_size == (second / FILE).stat().st_size


@pytest.mark.requirement("PL-06", "PL-02")
def test_a_cut_between_the_two_copies_lets_the_second_catch_up(tmp_path: Path) -> None:
    first, second = left_by_the_program_before(tmp_path / "first"), left_by_the_program_before(tmp_path / "second")
    with Journal(first, number_of, second=second) as journal:
        start(journal)
        confirm(journal)
    shutil.copytree(second, tmp_path / "cut")
    with Journal(first, number_of, second=second) as journal:
        take(journal, journal.form_change())
    shutil.rmtree(second)
    (tmp_path / "cut").rename(second)
    assert (form_of(first), form_of(second)) == (schema.NEWEST, schema.KEPT)
    with Journal(first, number_of, second=second) as journal:
        assert journal.copies is Copies.TWO
        assert journal.form_change() is None
    assert form_of(second) == schema.NEWEST
    assert verify(second).problems == ()


def test_a_medium_that_refuses_the_move_leaves_the_form_as_it_was(tmp_path: Path) -> None:
    with open_journal(left_by_the_program_before(tmp_path)) as journal:
        due = journal.form_change()
        journal.connection.execute("PRAGMA query_only = ON")
        with pytest.raises(StoreError):
            take(journal, due)
        journal.connection.execute("PRAGMA query_only = OFF")
        assert journal.form_change() == due
        take(journal, PoweredDown())
    read_by_the_program_before(tmp_path)
    assert verify(tmp_path).problems == ()


# --- newer journals ---------------------------------------------------------------------------------------------


def newer(folder: Path, *, in_log: bool) -> dict[str, bytes]:
    """A data folder as a newer program has left it, its form still in the write-ahead log or not; what is in it."""
    keep(folder, *session_steps()[:5])
    with raw(folder) as connection:
        schema.migrate(connection, (*schema.MIGRATIONS, NEWER))
        if in_log:
            held = {name: (folder / name).read_bytes() for name in (FILE, f"{FILE}{WAL}")}
    if in_log:
        for name, content in held.items():
            (folder / name).write_bytes(content)
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(params=[False, True], ids=["in the file", "in the log"])
def in_log(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether the newer program was cut off before its log was put away."""
    return request.param


@pytest.mark.requirement("ME-08", "SE-03")
def test_a_newer_journal_is_refused_as_newer_and_left_to_the_byte(tmp_path: Path, in_log: bool) -> None:
    before = newer(tmp_path, in_log=in_log)
    for read in (open_journal, verify):
        with pytest.raises(StoreNewerError, match=r"form 6, .* newer program wrote it. Install that program again"):
            read(tmp_path)
        assert contents(tmp_path) == before


@pytest.mark.requirement("PL-06", "ME-08")
@pytest.mark.parametrize("which", ["first", "second"])
def test_a_newer_copy_is_never_made_anew_from_an_older_one(tmp_path: Path, which: str, in_log: bool) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    second.mkdir()
    with Journal(first, number_of, second=second) as journal:
        for input_, step in session_steps()[:5]:
            journal.commit(input_, step, stamp(journal.seq + 1))
    shutil.rmtree(tmp_path / which)
    before = newer(tmp_path / which, in_log=in_log)
    with pytest.raises(StoreNewerError, match="a newer program wrote it"):
        Journal(first, number_of, second=second)
    assert contents(tmp_path / which) == before


def test_a_newer_second_copy_is_not_restored_from(tmp_path: Path) -> None:
    newer(tmp_path / "second", in_log=False)
    with pytest.raises(StoreNewerError):
        restore(tmp_path / "second", tmp_path / "first")


def test_a_newer_second_copy_that_comes_later_is_left_and_named(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    keep(first, *session_steps()[:5])
    with Journal(first, number_of, second=second) as journal:
        before = newer(second, in_log=False)
        assert journal.renew_lost_second() is None
        assert "newer program" in journal.second_trouble
    assert contents(second) == before


def test_a_form_number_above_ours_without_its_seal_is_damage(tmp_path: Path) -> None:
    keep(tmp_path, *session_steps()[:5])
    with raw(tmp_path) as connection:
        connection.execute("PRAGMA user_version = 6")
    with pytest.raises(StoreDamagedError, match="number of its form is 6, its facts say 5"):
        open_journal(tmp_path)
    with raw(tmp_path) as connection:
        connection.execute("UPDATE facts SET value = '6' WHERE name = 'form'")
        seal_facts(connection)
    with pytest.raises(StoreNewerError):
        open_journal(tmp_path)
    assert salvage((tmp_path,)).machine.books.balances is not None

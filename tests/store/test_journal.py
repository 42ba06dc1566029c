"""One durable transaction per step; what cannot be kept, opened or trusted is an error, never a default."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.journals import keep, number_of, open_journal, random_steps, raw, replayed, session_steps, stamp
from support.machines import SETTINGS, seated
from support.sessions import read_session

from cabinet.engine import machine as engine
from cabinet.engine.effects import PaidOut, PayingOut, TicketInDoubt, TicketVoided
from cabinet.engine.inputs import Bet, CallAttendant, Deal, Input
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.step import Step
from cabinet.store import codec
from cabinet.store.errors import StoreBusyError, StoreDamagedError, StoreError, StoreFullError
from cabinet.store.journal import FILE, LOCK_FILE, own_folder
from cabinet.store.opening import WAL
from cabinet.store.verify import verify

TESTS = Path(__file__).parents[1]


def a_step(detail: str = "x", size: int = 0) -> tuple[Input, Step]:
    """A step with one log entry of about this size."""
    event = LogEntry(what=LogKind.CALL_ON, detail=detail + "." * size)
    return CallAttendant(), Step(machine=engine.starting(SETTINGS), events=(event,))


# --- what is asked of the medium --------------------------------------------------------------------------------


@pytest.mark.requirement("PL-01")
def test_durability_is_asked_for_and_read_back(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        pragma = {
            name: journal.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "locking_mode", "foreign_keys", "trusted_schema")
        }
    assert pragma == {
        "journal_mode": "wal", "synchronous": 2, "locking_mode": "exclusive", "foreign_keys": 1, "trusted_schema": 0,
    }  # fmt: skip


@pytest.mark.requirement("PL-01", "PL-03", "TP-03", "EV-05")
def test_each_step_is_one_transaction(tmp_path: Path) -> None:
    """Input, cards, transfers, log, ticket and machine: everything between one BEGIN and one COMMIT."""
    with open_journal(tmp_path) as journal:
        for input_, step in session_steps():
            said: list[str] = []
            journal.connection.set_trace_callback(said.append)
            journal.commit(input_, step, stamp(journal.seq + 1))
            journal.connection.set_trace_callback(None)
            verbs = [words.split()[0] for words in said]
            assert (verbs[0], verbs[-1]) == ("BEGIN", "COMMIT")
            assert verbs.count("BEGIN") == verbs.count("COMMIT") == 1
            assert {"INSERT"} <= set(verbs) <= {"BEGIN", "INSERT", "SELECT", "COMMIT"}


@pytest.mark.requirement("PL-05", "PL-02")
def test_the_machine_comes_back_after_every_step(tmp_path: Path) -> None:
    for number, (input_, step) in enumerate(session_steps("european-places"), start=1):
        with open_journal(tmp_path) as journal:
            journal.commit(input_, step, stamp(number))
        with open_journal(tmp_path) as journal:
            assert (journal.seq, journal.machine) == (number, step.machine)


def test_a_new_folder_holds_no_machine(tmp_path: Path) -> None:
    with open_journal(tmp_path / "deep" / "down") as journal:
        assert (journal.seq, journal.machine) == (0, None)


@pytest.mark.requirement("PL-01", "PD-14", "RN-08")
@pytest.mark.parametrize("name", ["table-evening", "european-places", "money-in-trouble"])
def test_the_inputs_and_cards_of_the_journal_lead_to_the_stored_machine(tmp_path: Path, name: str) -> None:
    steps = session_steps(name)
    keep(tmp_path, *steps)
    assert replayed(tmp_path, read_session(name).settings) == steps[-1][1].machine


@pytest.mark.requirement("PD-14", "RN-08")
def test_random_play_can_be_replayed(tmp_path: Path) -> None:
    steps = random_steps(31, 600)
    keep(tmp_path, *steps)
    assert replayed(tmp_path, SETTINGS) == steps[-1][1].machine


@pytest.mark.requirement("SE-06")
def test_no_card_that_is_not_out_is_on_disk(tmp_path: Path) -> None:
    """Half a hand is kept: the journal holds the four cards of the deal and the machine holds no others."""
    cabinet = seated("table", cards="8S 6D 9H 10C")
    steps = [(Bet(place=0), cabinet.do(Bet(place=0))), (Deal(), cabinet.do(Deal()))]
    keep(tmp_path, *steps)
    with raw(tmp_path) as connection:
        drawn = [codec.decode_plain(text) for (text,) in connection.execute("SELECT drawn FROM steps")]
    assert [len(cards) for cards in drawn] == [0, 4]
    assert cabinet.machine.round is not None
    assert set(drawn[1]) == set(cabinet.machine.round.drawn)


# --- tickets and the log ----------------------------------------------------------------------------------------


@pytest.mark.requirement("TP-02", "TP-05")
def test_a_ticket_is_on_disk_with_its_number_before_it_is_printed_and_keeps_it(tmp_path: Path) -> None:
    seen = []
    with open_journal(tmp_path) as journal:
        for input_, step in session_steps():
            journal.commit(input_, step, stamp(journal.seq + 1))
            if any(isinstance(e, (PayingOut, PaidOut, TicketInDoubt, TicketVoided)) for e in step.events):
                seen.append(journal.connection.execute("SELECT number, state, duplicates FROM tickets").fetchall())
    first, second, third = (number_of(sequence) for sequence in (1, 2, 3))
    assert seen[1:5] == [  # seen[0]: a large win paid by hand, no ticket
        [(first, "printing", 0)],
        [(first, "in doubt", 0)],
        [(first, "printing", 1)],
        [(first, "in doubt", 1)],
    ]
    assert seen[-1] == [(first, "issued", 1), (second, "given back as credit", 0), (third, "issued", 0)]


@pytest.mark.requirement("EV-05", "EV-07")
def test_the_log_is_numbered_without_a_gap_whatever_the_clock_says(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        for back, (input_, step) in enumerate(session_steps()):
            journal.commit(input_, step, stamp(1_000 - back, clock_ok=back > 20))
        rows = journal.connection.execute("SELECT number, wall_ms, clock_ok FROM events ORDER BY number").fetchall()
    assert [number for number, _, _ in rows] == list(range(1, len(rows) + 1))
    assert [wall for _, wall, _ in rows] == sorted((wall for _, wall, _ in rows), reverse=True)
    assert {ok for _, _, ok in rows} == {0, 1}
    assert verify(tmp_path).ok


def test_facts_are_remembered(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        assert journal.fact("secret") is None
        journal.remember("secret", "one")
        journal.remember("secret", "two")
    with open_journal(tmp_path) as journal:
        assert journal.fact("secret") == "two"


# --- one owner --------------------------------------------------------------------------------------------------


def test_a_second_opening_is_refused_until_the_first_is_closed(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    with pytest.raises(StoreBusyError, match="a cabinet is running on this data folder; stop it first"):
        open_journal(tmp_path)
    with pytest.raises(StoreBusyError), own_folder(tmp_path):
        pass
    journal.close()
    journal.close()
    open_journal(tmp_path).close()


def test_a_second_process_is_refused_and_the_lock_goes_with_its_owner(tmp_path: Path) -> None:
    hold = (
        "import sys; from pathlib import Path; from support.journals import open_journal\n"
        "journal = open_journal(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
    ) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"open\n"
        with pytest.raises(StoreBusyError):
            open_journal(tmp_path)
        owner.send_signal(signal.SIGKILL)
        owner.wait(timeout=30)
    open_journal(tmp_path).close()


def test_a_program_that_has_the_file_open_is_named_as_such(tmp_path: Path) -> None:
    keep(tmp_path, a_step())
    with raw(tmp_path) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO facts VALUES ('a', 'b')")
        with pytest.raises(StoreBusyError, match="another program has this file open; close it first"):
            open_journal(tmp_path)


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file: cannot be used as data folder"):
        open_journal(tmp_path / "file")


# --- a full medium ----------------------------------------------------------------------------------------------


@pytest.mark.requirement("PL-12", "PL-01")
def test_a_full_medium_keeps_nothing_of_the_step_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        journal.commit(*a_step("first"), stamp(1))
        before = journal.machine
        pages = journal.connection.execute("PRAGMA page_count").fetchone()[0]
        journal.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreFullError, match=r"the medium refused a write .* the step was not acted upon"):
            journal.commit(*a_step("second", size=50_000), stamp(2))
        assert (journal.seq, journal.machine) == (1, before)
        assert journal.connection.execute("SELECT count(*) FROM steps").fetchone() == (1,)
        assert journal.connection.execute("SELECT count(*) FROM events").fetchone() == (1,)
        with pytest.raises(StoreFullError):
            journal.remember("a", "b" * 50_000)
        journal.connection.execute("PRAGMA max_page_count = 100000")
        journal.commit(*a_step("third", size=50_000), stamp(3))
    assert verify(tmp_path).ok
    assert verify(tmp_path).rows == 2


FILL = """
import resource, signal, sys
from pathlib import Path
from support.journals import open_journal, random_steps, stamp
from cabinet.store.errors import StoreFullError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
steps = random_steps(5, 400)
journal = open_journal(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.RLIM_INFINITY))
kept = 0
try:
    for input_, step in steps:
        journal.commit(input_, step, stamp(kept + 1))
        kept += 1
except StoreFullError as error:
    print("full", kept, journal.seq)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
for input_, step in steps[kept:kept + 5]:
    journal.commit(input_, step, stamp(journal.seq + 1))
print("then", journal.seq)
journal.close()
"""


@pytest.mark.requirement("PL-12")
def test_a_file_that_may_grow_no_further_is_a_full_medium_too(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FILL, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    (full, kept, seq), (_, then) = (line.split() for line in run.stdout.splitlines())
    assert (full, kept) == ("full", seq)
    assert 0 < int(kept) < 400
    assert int(then) == int(kept) + 5
    verdict = verify(tmp_path)
    assert (verdict.ok, verdict.rows) == (True, int(then))


def test_a_medium_that_refuses_the_file_is_named_so_and_not_damage(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(StoreFullError, match=r"the medium refuses .*; make room or check the medium"):
        open_journal(tmp_path)


# --- damage -----------------------------------------------------------------------------------------------------

SPOILS = {
    "UPDATE machine SET body = x'7b7d'": "the stored machine is not the one that row",
    "UPDATE machine SET seq = seq - 1": "the stored machine is not the one that row",
    "DELETE FROM machine": "the stored machine is not the one that row",
    "DELETE FROM steps": "there is a machine but no journal that leads to it",
    "UPDATE steps SET credit = credit + 1 WHERE seq = (SELECT max(seq) FROM steps)": "does not fit its hash",
    "DELETE FROM steps WHERE seq = (SELECT max(seq) FROM steps)": "the stored machine is not the one that row",
    "DELETE FROM steps WHERE seq = (SELECT max(seq) FROM steps) - 1": "does not fit its hash",
    "PRAGMA user_version = 99": "number of its form is 99, its facts say 5",
    "DROP TABLE steps": "no such table: steps; the machine stays locked, keep this file",
}


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("spoil", SPOILS)
def test_a_journal_that_contradicts_itself_is_not_opened(tmp_path: Path, spoil: str) -> None:
    keep(tmp_path, *session_steps())
    with raw(tmp_path) as connection:
        connection.execute(spoil)
    with pytest.raises(StoreDamagedError, match=SPOILS[spoil]):
        open_journal(tmp_path)
    with pytest.raises(StoreDamagedError):
        open_journal(tmp_path)
    assert (tmp_path / FILE).exists()


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("damage", ["garbage", "half", "zeros"])
def test_a_damaged_file_is_not_opened_and_not_touched(tmp_path: Path, damage: str) -> None:
    keep(tmp_path, *session_steps())
    path = tmp_path / FILE
    whole = path.read_bytes()
    damaged = {
        "garbage": b"no database at all " * 200,
        "half": whole[: len(whole) // 2],
        "zeros": whole[:4096] + bytes(len(whole) - 4096),
    }[damage]
    path.write_bytes(damaged)
    with pytest.raises(StoreDamagedError):
        open_journal(tmp_path)
    assert path.read_bytes() == damaged


def test_a_failed_opening_gives_the_folder_up(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all " * 200)
    with pytest.raises(StoreDamagedError):
        open_journal(tmp_path)
    with own_folder(tmp_path):
        assert (tmp_path / LOCK_FILE).exists()


def test_a_step_that_cannot_be_written_at_all_is_a_store_error(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        journal.commit(*a_step(), stamp(1))
        journal.connection.execute("DROP TABLE events")
        with pytest.raises(StoreError, match="the journal refused a write: no such table"):
            journal.commit(*a_step(), stamp(2))
        assert journal.seq == 1


def test_the_database_is_sqlite_with_strict_tables(tmp_path: Path) -> None:
    keep(tmp_path, a_step())
    with raw(tmp_path) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute("UPDATE steps SET credit = 'much'")


# --- files that go while they are written -----------------------------------------------------------------------


def _replaced(path: Path) -> None:
    shutil.copy(path, path.with_name("other"))
    path.with_name("other").replace(path)


GOES = {"removed": Path.unlink, "replaced": _replaced, "emptied": lambda path: os.truncate(path, 0)}


@pytest.mark.requirement("PL-01", "PL-07")
@pytest.mark.parametrize("name", [FILE, f"{FILE}{WAL}"])
@pytest.mark.parametrize(
    ("goes", "during"),
    [(goes, False) for goes in GOES.values()] + [(Path.unlink, True), (_replaced, True)],
    ids=[*GOES, "removed while it is written", "replaced while it is written"],
)
def test_a_step_into_a_file_that_is_gone_is_an_error_and_never_acted(
    tmp_path: Path, name: str, goes: Callable[[Path], None], during: bool
) -> None:
    keep(tmp_path, a_step())
    journal = open_journal(tmp_path)
    journal.commit(*a_step(size=5_000), stamp(2))
    if during:
        journal.connection.set_trace_callback(lambda said: goes(tmp_path / name) if said == "COMMIT" else None)
    else:
        goes(tmp_path / name)

    with pytest.raises(StoreError, match=f"{name}: (is no longer there|was replaced|was cut off)"):
        journal.commit(*a_step(), stamp(3))
    journal.connection.set_trace_callback(None)
    journal.close()

"""A journal in small parts: nothing is lost and nothing is double for a reader that knows only its last row."""

from pathlib import Path

import pytest
from support.journals import keep, number_of, open_journal, random_steps, raw, stamp
from support.machines import SETTINGS
from support.rounds import seeded_draw

from cabinet.engine import machine as engine
from cabinet.store import reports
from cabinet.store.compact import Keeping
from cabinet.store.following import EntriesFound, entries_after, entries_before, newest_row
from cabinet.store.journal import Journal


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with random play in it."""
    folder = tmp_path_factory.mktemp("played")
    keep(folder, *random_steps(14, 300))
    return folder


def test_the_newest_row_is_the_one_the_journal_goes_on_from(folder: Path, tmp_path: Path):
    with open_journal(folder) as journal:
        newest = newest_row(journal.connection)
        assert newest == (journal.seq, journal.row_hash.hex(), stamp(journal.seq).wall_ms, stamp(journal.seq).clock_ok)
    with open_journal(tmp_path) as journal:
        assert newest_row(journal.connection) == (0, "", 0, False)


def test_entries_before_a_number_are_the_log_newest_first(folder: Path):
    with raw(folder) as connection:
        all_ = entries_before(connection, limit=10_000)
        assert [entry.number for entry in all_] == [row.number for row in reports.events(connection, limit=10_000)]
        assert entries_before(connection, limit=5, before=all_[9].number) == all_[10:15]


def test_following_with_any_step_gives_every_entry_once(folder: Path):
    with raw(folder) as connection:
        wanted = entries_before(connection, limit=10_000)[::-1]
        newest = newest_row(connection).seq
        for limit in (1, 2, 3, 7, 200):
            found: list[EntriesFound] = []
            at = 0
            while at < newest:
                found.append(entries_after(connection, seq=at, limit=limit))
                assert found[-1].through > at
                at = found[-1].through
            assert tuple(entry for each in found for entry in each.entries) == wanted


def test_a_row_is_never_cut(folder: Path):
    with raw(folder) as connection:
        rows = [entry.seq for entry in entries_before(connection, limit=10_000)]
        together = max(rows, key=rows.count)
        assert rows.count(together) > 1, "no row has more than one entry"
        found = entries_after(connection, seq=together - 1, limit=1)
        assert [entry.seq for entry in found.entries] == [together] * rows.count(together)


def test_after_the_newest_row_there_is_nothing(folder: Path):
    with raw(folder) as connection:
        newest = newest_row(connection).seq
        assert entries_after(connection, seq=newest, limit=9) == EntriesFound(entries=(), through=newest)
        assert entries_after(connection, seq=newest + 50, limit=9).through == newest + 50


def test_dropped_rows_are_a_gap(tmp_path: Path):
    keeping = Keeping(rows=40, step=10, rounds=1, entries=20, lasting=5, of_a_kind=1, tickets=2)
    with Journal(tmp_path, number_of, keeping=keeping) as journal:
        for input_, step in random_steps(14, 300):
            journal.commit(input_, step, stamp(journal.seq + 1))
        dropped = None
        for _ in range(100):
            dropped = dropped or journal.find_droppable()
        assert dropped is not None
        assert journal.machine is not None
        step = engine.step(SETTINGS, journal.machine, dropped, seeded_draw(1))
        journal.commit(dropped, step, stamp(journal.seq + 1))
        (first,) = journal.connection.execute("SELECT min(seq) FROM steps").fetchone()
        assert first > 50
        gaps = {
            at: entries_after(journal.connection, seq=at, limit=200).gap for at in (0, 30, first - 2, first - 1, first)
        }
    assert gaps == {
        0: (1, first - 1),
        30: (31, first - 1),
        first - 2: (first - 1, first - 1),
        first - 1: None,
        first: None,
    }

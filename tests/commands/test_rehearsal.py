"""A start on a copy of the books: what it commits, and what it leaves for the real one."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.journals import keep, left_by_the_program_before, session_steps

from cabinet.commands.rehearsal import rehearse
from cabinet.config.settings import Config, DataSection
from cabinet.engine.state import LockKind
from cabinet.installation.update.books import read_figures
from cabinet.runtime import startup
from cabinet.runtime.program import program_version
from cabinet.store.errors import StoreError
from cabinet.store.verify import verify

WALL_MS = 1_900_000_000_000
CONFIG = replace(Config(), data=DataSection(mark=""))


@pytest.fixture
def books(tmp_path: Path) -> Path:
    """Books with money in them."""
    keep(tmp_path, *session_steps())
    return tmp_path


def test_a_start_and_an_end_are_in_the_books_and_the_money_is_the_same(books: Path):
    before = read_figures(books)
    found = rehearse(CONFIG, books, WALL_MS)
    assert found.version == program_version() == found.figures.program
    assert found.figures.start > before.start
    assert (found.figures.accounts, found.figures.meters) == (before.accounts, before.meters)
    assert verify(books).ok


def test_the_next_start_finds_an_orderly_end(books: Path):
    rehearse(CONFIG, books, WALL_MS)
    before = read_figures(books)
    again = rehearse(CONFIG, books, WALL_MS)
    assert set(again.figures.locks) == set(before.locks)


def test_another_program_than_the_last_locks_the_copy(books: Path, monkeypatch: pytest.MonkeyPatch):
    rehearse(CONFIG, books, WALL_MS)
    monkeypatch.setattr(startup, "program_hash", lambda *_: "another")
    found = rehearse(CONFIG, books, WALL_MS)
    assert LockKind.PROGRAM_CHANGED.value in found.figures.locks


def test_older_books_stay_in_their_form(tmp_path: Path):
    found = rehearse(CONFIG, left_by_the_program_before(tmp_path), WALL_MS)
    assert found.figures.form == 4


def test_no_second_copy_and_no_mark_is_written(books: Path, tmp_path_factory: pytest.TempPathFactory):
    outside = tmp_path_factory.mktemp("outside")
    config = replace(CONFIG, data=DataSection(mirror=str(outside), mark=str(outside)))
    rehearse(config, books, WALL_MS)
    assert list(outside.iterdir()) == []


def test_settings_that_the_books_refuse_are_refused_here_too(books: Path):
    rehearse(CONFIG, books, WALL_MS)
    other = replace(CONFIG, machine=replace(CONFIG.machine, number=77))
    with pytest.raises(StoreError, match="the settings were changed"):
        rehearse(other, books, WALL_MS)

"""Reading writes nothing, meets media that refuse every write, and leaves a running cabinet alone."""

import shutil
import stat
from pathlib import Path

import pytest
from support.journals import SESSION, as_form, keep, number_of, open_journal, session_steps, stamp

from cabinet.store import schema
from cabinet.store.errors import StoreBusyError, StoreDamagedError
from cabinet.store.journal import FILE, LOCK_FILE, Journal
from cabinet.store.opening import WAL
from cabinet.store.reading import BooksFound, find_books, find_form, reading
from cabinet.store.verify import verify

ROWS = len(session_steps(SESSION))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a session in it."""
    keep(tmp_path, *session_steps())
    return tmp_path


def state_of(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file of a folder, and when it was written."""
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


def rows_read(folder: Path) -> int:
    with reading(folder) as connection:
        (found,) = connection.execute("SELECT count(*) FROM steps").fetchone()
    return int(found)


@pytest.mark.requirement("EV-03")
def test_reading_leaves_the_folder_as_it_was_to_the_byte(folder: Path) -> None:
    before = state_of(folder)
    assert rows_read(folder) == ROWS
    assert verify(folder).ok
    assert state_of(folder) == before


def test_a_folder_that_cannot_be_written_is_read(folder: Path) -> None:
    """Also without the lock file, as on a medium that was copied."""
    (folder / LOCK_FILE).unlink()
    for path in folder.iterdir():
        path.chmod(stat.S_IRUSR)
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert verify(folder).rows == ROWS
        assert not (folder / LOCK_FILE).exists()
    finally:
        folder.chmod(stat.S_IRWXU)


def cut_off(folder: Path, into: Path) -> None:
    """The files as a power cut leaves them: the newest rows are in the log only."""
    with Journal(folder, number_of) as journal:
        journal.connection.execute("PRAGMA wal_autocheckpoint = 0")
        for input_, step in session_steps()[:5]:
            journal.commit(input_, step, stamp(journal.seq + 1))
        for name in (FILE, f"{FILE}{WAL}"):
            shutil.copy(folder / name, into / name)


@pytest.mark.requirement("EV-03")
def test_what_only_the_log_holds_is_read_too_and_stays_there(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "cut").mkdir()
    cut_off(tmp_path / "run", tmp_path / "cut")
    before = state_of(tmp_path / "cut")
    assert rows_read(tmp_path / "cut") == 5
    assert verify(tmp_path / "cut").rows == 5
    assert state_of(tmp_path / "cut") == before


@pytest.mark.requirement("ME-08")
@pytest.mark.parametrize("form", range(1, len(schema.MIGRATIONS)))
def test_a_journal_of_an_older_form_is_read_and_stays_in_it(tmp_path: Path, form: int) -> None:
    folder = tmp_path / "old"
    keep(folder, *session_steps("table-evening")[:20])
    as_form(folder, form)
    before = state_of(folder)
    assert verify(folder).ok
    assert state_of(folder) == before


def test_a_running_cabinet_is_left_alone_and_no_cabinet_starts_meanwhile(folder: Path) -> None:
    with open_journal(folder), pytest.raises(StoreBusyError, match="stop it first"), reading(folder):
        pass
    with reading(folder), pytest.raises(StoreBusyError), open_journal(folder):
        pass
    open_journal(folder).close()


def test_an_error_while_reading_says_where_and_what_to_do(folder: Path) -> None:
    (folder / FILE).write_bytes(b"no database at all" * 300)
    with pytest.raises(StoreDamagedError, match=rf"{FILE}: file is not a database; .* keep this file"), reading(folder):
        pass


@pytest.mark.requirement("PL-07")
def test_a_played_journal_that_was_emptied_is_not_called_right(folder: Path) -> None:
    for name in (FILE, f"{FILE}{WAL}"):
        (folder / name).unlink(missing_ok=True)
    (folder / FILE).touch()
    assert not verify(folder).ok
    (folder / FILE).unlink()
    mark = (folder / "played").read_bytes()
    (folder / "played").unlink()
    (folder / "newest-row").unlink()
    open_journal(folder).close()
    assert verify(folder).ok, "nothing was ever played here"
    (folder / "played").write_bytes(mark)
    verdict = verify(folder)
    assert not verdict.ok
    assert "a machine has played on this folder" in verdict.problems[0]


# --- what lies in a folder --------------------------------------------------------------------------------------


@pytest.mark.requirement("PL-06")
def test_books_are_described_as_they_lie_there(tmp_path: Path) -> None:
    books, loop = tmp_path / "books", tmp_path / "loop"
    assert find_books(books) == BooksFound()
    books.mkdir()
    assert find_books(books) == BooksFound()
    with Journal(books, number_of) as journal:
        for input_, step in session_steps()[:5]:
            journal.commit(input_, step, stamp(journal.seq + 1))
        assert "a cabinet is running" in find_books(books).problem
    assert find_books(books) == BooksFound(rows=5)
    (books / FILE).write_bytes(b"no database at all" * 300)
    assert "not a database" in find_books(books).problem
    (books / FILE).unlink()
    assert "a machine has played on this folder" in find_books(books).problem
    loop.symlink_to(loop)
    for place in (loop, tmp_path / ("a" * 300)):
        assert "cannot be read" in find_books(place).problem


@pytest.mark.requirement("ME-08")
@pytest.mark.parametrize("form", range(1, schema.NEWEST + 1))
def test_the_form_is_the_one_that_was_written_and_finding_it_changes_nothing(folder: Path, form: int) -> None:
    as_form(folder, form)
    before = state_of(folder)
    assert find_form(folder) == form
    assert state_of(folder) == before


def test_a_form_that_only_the_log_holds_is_found(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "cut").mkdir()
    cut_off(tmp_path / "run", tmp_path / "cut")
    assert find_form(tmp_path / "cut") == schema.NEWEST


def test_no_form_is_found_where_there_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(StoreDamagedError, match="there is no journal here"):
        find_form(tmp_path)


def test_the_form_of_running_books_is_not_read(folder: Path) -> None:
    with open_journal(folder), pytest.raises(StoreBusyError):
        find_form(folder)

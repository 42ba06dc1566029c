"""A process is killed while it migrates a journal, renews a copy or restores a medium; the next one does it again."""

import gzip
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.crashes import no_cards
from support.journals import keep, left_by_the_program_before, number_of, open_journal, session_steps, stamp
from support.machines import SETTINGS

from cabinet.engine import machine as engine
from cabinet.store.errors import StoreError
from cabinet.store.journal import FILE, Journal
from cabinet.store.mark import REACHED
from cabinet.store.mirror import unmark_behind
from cabinet.store.opening import connect
from cabinet.store.restore import restore
from cabinet.store.schema import migrate
from cabinet.store.verify import verify

LEFT = sorted((Path(__file__).parents[1] / "store" / "journals").glob("form-*-printing.db.gz"))
TOUCHES = ("open", "os.rename", "os.remove", "sqlite3.connect")
"""What the system is asked for that can leave a name or a file half made."""


def killed_at(place: int, action: Callable[[Callable[[], None]], None]) -> bool:
    """Do it in a process that is killed as it comes to this place, the first is 0; whether it came so far."""
    child = os.fork()
    if child == 0:
        left = [place]

        def come_to_a_place() -> None:
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1

        action(come_to_a_place)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def at_every_touch(action: Callable[[], object]) -> Callable[[Callable[[], None]], None]:
    """The action with a place before everything it asks of files and names."""

    def run(come_to_a_place: Callable[[], None]) -> None:
        sys.addaudithook(lambda event, _: come_to_a_place() if event in TOUCHES else None)
        action()

    return run


@pytest.mark.sample(1)
@pytest.mark.requirement("PL-01", "ME-08", "SE-03")
@pytest.mark.parametrize("path", LEFT, ids=lambda path: path.name)
def test_a_migration_killed_at_any_statement_is_done_again(path: Path, tmp_path: Path) -> None:
    whole = verify(_left_by(path, tmp_path))

    def migrated(come_to_a_place: Callable[[], None]) -> None:
        connection = connect(tmp_path / FILE)
        connection.set_trace_callback(lambda _: come_to_a_place())
        migrate(connection)

    kills = 0
    while killed_at(kills, migrated):
        kills += 1
        with open_journal(tmp_path) as journal:
            assert journal.machine is not None
            assert journal.seq == whole.rows
        assert verify(tmp_path).accounts == whole.accounts
        _left_by(path, tmp_path)
    assert kills > 3


@pytest.mark.requirement("PL-01", "ME-08", "SE-03")
def test_a_move_to_the_newest_form_killed_at_any_statement_is_whole_or_not_begun(tmp_path: Path) -> None:
    left_by_the_program_before(tmp_path)
    rows = verify(tmp_path).rows

    def moved(come_to_a_place: Callable[[], None]) -> None:
        with open_journal(tmp_path) as journal:
            due = journal.form_change()
            assert due is not None
            assert journal.machine is not None
            step = engine.step(SETTINGS, journal.machine, due, no_cards)
            journal.connection.set_trace_callback(lambda _: come_to_a_place())
            journal.commit(due, step, stamp(rows + 1))

    kills, found = 0, set()
    while killed_at(kills, moved):
        kills += 1
        with open_journal(tmp_path) as journal:
            found.add((journal.form_change() is None, journal.seq))
        assert verify(tmp_path).problems == ()
        left_by_the_program_before(tmp_path)
        (tmp_path / REACHED).unlink(missing_ok=True)
    assert kills > 5
    assert found <= {(False, rows), (True, rows + 1)}


def _left_by(path: Path, folder: Path) -> Path:
    for old in folder.iterdir():
        old.unlink()
    (folder / FILE).write_bytes(gzip.decompress(path.read_bytes()))
    return folder


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """A second copy that is whole."""
    folder = tmp_path / "second"
    folder.mkdir()
    keep(folder, *session_steps())
    unmark_behind(folder)  # as if there had always been a first
    return folder


@pytest.mark.requirement("PL-01", "PL-06", "PL-07")
def test_a_restoring_killed_anywhere_is_done_again_or_was_done(tmp_path: Path, second: Path) -> None:
    whole, first, kills = verify(second), tmp_path / "first", 0
    while killed_at(kills, at_every_touch(lambda: restore(second, first))):
        kills += 1
        assert verify(second).accounts == whole.accounts, "what it is made from is never touched"
        if not (first / FILE).exists():
            restore(second, first)
        assert (verify(first).problems, verify(first).rows) == ((), whole.rows)
        shutil.rmtree(first)
    assert kills > 5


@pytest.mark.requirement("PL-01", "PL-06", "PL-07")
@pytest.mark.parametrize(("known", "place"), [("by its mark", 0), ("by its rows", 1), ("by nothing", 2)])
def test_the_next_start_completes_a_renewal_that_was_killed_anywhere(
    tmp_path: Path, second: Path, known: str, place: int, breadth: int
) -> None:
    """Whether it may miss steps depends on the source of its newest row, and on no kill. Each of the three is killed at
    each third place, together at all of them; in `make test-all` each is killed at all."""
    whole, first, kills = verify(second), tmp_path / "first", 0
    place, apart = (place, 3) if breadth == 1 else (0, 1)

    def spoil() -> None:
        shutil.rmtree(first, ignore_errors=True)
        shutil.copytree(second, first)
        content = bytearray((first / FILE).read_bytes())
        start_of_zeros = 0 if known == "by nothing" else len(content) // 2
        content[start_of_zeros : start_of_zeros + 4_096] = bytes(4_096)
        (first / FILE).write_bytes(content)
        if known != "by its mark":
            (first / REACHED).unlink()

    def start() -> None:
        Journal(first, number_of, second=second).close()

    spoil()
    with pytest.raises(StoreError):
        open_journal(first)
    while killed_at(place + apart * kills, at_every_touch(start)):
        kills += 1
        with Journal(first, number_of, second=second) as journal:
            assert (journal.seq, bool(journal.doubt)) == (whole.rows, known == "by nothing")
        assert (verify(first).problems, verify(first).rows) == ((), whole.rows)
        assert (verify(second).problems, verify(second).rows) == ((), whole.rows)
        spoil()
    assert kills > 5

"""What is acted upon is durable: every sync that it needs has been made before `commit` returns.

The calls of SQLite and of the store are recorded as the system sees them, and each moment is judged by what the worst
medium has then: nothing but what was synced.
"""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support.journals import number_of, session_steps, stamp
from support.recorded_files import Medium, Say, record

from cabinet.engine.ledger import ROUTES, Account
from cabinet.engine.step import Step
from cabinet.store import mirror, slots
from cabinet.store.journal import FILE, Journal
from cabinet.store.mark import MARK, REACHED
from cabinet.store.opening import WAL
from cabinet.store.restore import restore
from cabinet.store.verify import verify

STEPS = session_steps()
AWAY = {Account.IN_TRANSIT, Account.TICKETS, Account.HAND_PAID}
PAID, KEPT = "paid", "kept"


def pays(step: Step) -> bool:
    """Whether money leaves the machine with this step."""
    return any(ROUTES[posting.route].target in AWAY for posting in step.postings)


def rows_in(image: dict[str, bytes]) -> int:
    """The newest row that a start would find in these files."""
    if not image.get(FILE):
        return 0
    with TemporaryDirectory(dir="/dev/shm") as place:
        for name in (FILE, f"{FILE}{WAL}"):
            (Path(place) / name).write_bytes(image.get(name, b""))
        with closing(sqlite3.connect(Path(place) / FILE)) as connection, suppress(sqlite3.OperationalError):
            return int(connection.execute("SELECT coalesce(max(seq), 0) FROM steps").fetchone()[0])
    return 0  # there are no tables yet


def number_in(image: dict[str, bytes]) -> int:
    """The number of the newest row that a start would find in these files."""
    return slots.newest(image.get(REACHED, b"")) or 0


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """The folders of two copies."""
    (tmp_path / "second").mkdir()
    return tmp_path / "first", tmp_path / "second"


def play(first: Path, second: Path | None) -> Callable[[Say], None]:
    """A scenario: a session is committed; after each commit it says what may be done now."""

    def scenario(say: Say) -> None:
        with Journal(first, number_of, second=second) as journal:
            for input_, step in STEPS:
                journal.commit(input_, step, stamp(journal.seq + 1))
                say(f"{PAID if pays(step) else KEPT} {journal.seq}")

    return scenario


@pytest.mark.requirement("PL-01", "PL-06", "PL-07")
def test_a_step_is_durable_in_both_copies_before_its_effects(
    pair: tuple[Path, Path],
) -> None:
    """Of the number it also holds that it is never ahead of the rows, and not waited for where no money leaves."""
    met = {PAID: 0, KEPT: 0}
    behind = dict.fromkeys(pair, 0)
    for call, medium in record(play(*pair)):
        if call.kind != "said":
            continue
        word, seq = call.path.split()
        met[word] += 1
        for folder in pair:
            image = medium.image(folder)
            assert rows_in(image) == int(seq), (word, folder.name)
            number = number_in(image)
            assert number == int(seq) if word == PAID else number <= int(seq), (word, seq, folder.name)
            behind[folder] += number < int(seq)
    assert sum(met.values()) == len(STEPS)
    assert met[PAID] >= 4
    assert min(behind.values()) > 0


@pytest.mark.requirement("PL-06")
def test_each_step_is_durable_in_the_first_copy_before_it_is_in_the_second(pair: tuple[Path, Path]) -> None:
    first, second = pair
    log, met = str(second / f"{FILE}{WAL}"), 0
    for call, medium in record(play(*pair)):
        if call.kind == "sync" and call.path == log:
            assert rows_in(medium.image(first)) >= rows_in(medium.image(second))
            met += 1
    assert met >= len(STEPS)


@pytest.mark.requirement("PL-07")
def test_that_a_machine_has_played_is_durable_before_its_second_step(tmp_path: Path) -> None:
    said = {call.path: medium.image(tmp_path) for call, medium in record(play(tmp_path, None)) if call.kind == "said"}
    assert len(said) == len(STEPS)
    assert [words for words, image in said.items() if not image.get(MARK)] == [next(iter(said))]


# --- a copy that is renewed -------------------------------------------------------------------------------------


def _lose(folder: Path) -> None:
    for path in folder.glob(f"{FILE}*"):
        path.unlink()


def _spoil_number(folder: Path) -> None:
    (folder / REACHED).write_bytes(b"noise")


SCENES: dict[str, Callable[[Path, Path], object]] = {
    "the first copy is lost": lambda first, _: _lose(first),
    "the second copy is lost": lambda _, second: _lose(second),
    "the number of the first copy is noise": lambda first, _: _spoil_number(first),
    "a person restores the first copy": lambda first, second: (shutil.rmtree(first), restore(second, first)),
}


@pytest.mark.requirement("PL-06", "PL-07")
@pytest.mark.parametrize("scene", SCENES)
def test_a_new_file_is_durable_before_it_replaces_the_old_one(
    pair: tuple[Path, Path], tmp_path: Path, scene: str
) -> None:
    """Marks and copies alike; what the worst medium then has of each copy is in order."""
    first, second = pair
    with Journal(first, number_of, second=second) as journal:
        for input_, step in STEPS[:20]:
            journal.commit(input_, step, stamp(journal.seq + 1))

    def scenario(say: Say) -> None:
        SCENES[scene](first, second)
        with Journal(first, number_of, second=second):
            say("open")

    last, moved = Medium(), []
    for call, medium in record(scenario, *pair):
        if call.kind == "move" and Path(call.other).name != mirror.ASIDE_FILE:
            assert medium.has(Path(call.path)), call
            moved.append(Path(call.other).name)
        if call.kind == "said":
            last = medium
            written = [medium.write(folder, tmp_path / "cut" / folder.name) for folder in pair]
    assert moved
    assert last.image(first)
    for folder in written:
        found = verify(folder)
        assert (found.problems, found.rows) == ((), 20), folder.name


@pytest.mark.requirement("PL-06")
def test_a_copy_that_was_made_anew_is_durable_with_its_name_when_that_is_done(pair: tuple[Path, Path]) -> None:
    first, second = pair
    with Journal(first, number_of) as journal:
        for input_, step in STEPS[:20]:
            journal.commit(input_, step, stamp(journal.seq + 1))

    def scenario(say: Say) -> None:
        with closing(sqlite3.connect(first / FILE)) as source:
            mirror.renew(source, second)
        say("made")

    ((rows, number),) = [
        (rows_in(medium.image(second)), number_in(medium.image(second)))
        for call, medium in record(scenario, first)
        if call.kind == "said"
    ]
    assert (rows, number) == (20, 20)

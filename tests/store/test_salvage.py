"""Damaged data is still read; certain values are separate from uncertain ones, and no value is invented."""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from support.journals import keep, keep_dropping, random_steps, raw

from cabinet.store.compact import Keeping
from cabinet.store.errors import StoreDamagedError
from cabinet.store.journal import FILE
from cabinet.store.salvage import Salvaged, salvage

STEPS = random_steps(23, 250)
MACHINE = STEPS[-1][1].machine
BOOKS = MACHINE.books


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal, not to be touched."""
    folder = tmp_path_factory.mktemp("kept")
    keep(folder, *STEPS)
    return folder


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    return shutil.copytree(kept, tmp_path / "data")


def spoil(folder: Path, statement: str) -> None:
    with raw(folder) as connection:
        connection.execute(statement)


def right(saved: Salvaged) -> bool:
    """Whether every value is what it should be."""
    books = saved.machine.books
    return books == BOOKS and saved.machine.period_start == MACHINE.period_start


def test_sound_data_is_sound(folder: Path) -> None:
    saved = salvage((folder,))
    assert right(saved)
    assert (saved.suspect, saved.problems) == ((), ())
    assert len(saved.places) == 2


@pytest.mark.requirement("PL-07")
def test_a_changed_meter_is_marked_and_the_others_are_not(folder: Path) -> None:
    spoil(folder, "UPDATE machine SET body = CAST(replace(body, '\"coin_in\":', '\"coin_in\":1') AS BLOB)")
    saved = salvage((folder,))
    assert "coin_in" in saved.suspect
    assert set(saved.suspect) <= {name for name in BOOKS.meters if "coin_in" in name}
    assert any("is not known to be the one that row" in problem for problem in saved.problems)


ONE_PLACE_LEFT = (
    "DROP TABLE machine",
    "DELETE FROM machine",
    "UPDATE machine SET body = x'00'",
    "DROP TABLE steps",
    "DELETE FROM steps",
)


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("statement", ONE_PLACE_LEFT)
def test_with_one_place_left_every_value_is_there_and_suspect(folder: Path, statement: str) -> None:
    spoil(folder, statement)
    saved = salvage((folder,))
    assert saved.machine.books == BOOKS
    assert set(saved.suspect) == {*BOOKS.meters, *BOOKS.balances}
    assert saved.problems


@pytest.mark.requirement("PL-07")
def test_a_row_that_cannot_be_read_is_named_and_the_rest_is_added_up(folder: Path) -> None:
    spoil(folder, "UPDATE steps SET postings = 'x' WHERE postings <> '[]' AND seq > 100")
    saved = salvage((folder,))
    assert any("row 1" in problem for problem in saved.problems)
    assert saved.suspect


@pytest.mark.requirement("PL-07", "PL-06")
def test_two_damaged_copies_together_show_what_neither_shows_alone(folder: Path, tmp_path: Path) -> None:
    second = tmp_path / "stick"
    shutil.copytree(folder, second)
    spoil(folder, "DROP TABLE machine")
    spoil(second, "DROP TABLE steps")
    saved = salvage((folder, second))
    assert right(saved)
    assert saved.suspect == ()
    assert len(saved.problems) == 3


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])


def _garble(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[4096 * 3 : 4096 * 5] = bytes(4096 * 2)
    path.write_bytes(bytes(whole))


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("damage", [_cut, _garble])
def test_no_value_is_made_up_and_none_goes_unmarked_that_may_be_wrong(
    folder: Path, damage: Callable[[Path], None]
) -> None:
    damage(folder / FILE)
    before = sorted((path.name, path.read_bytes()) for path in folder.iterdir())
    with suppress(StoreDamagedError):
        saved = salvage((folder,))
        assert saved.problems
        for name in {*BOOKS.meters, *BOOKS.balances} - set(saved.suspect):
            assert saved.machine.books.meters.get(name) == BOOKS.meters.get(name)
            assert saved.machine.books.balances.get(name) == BOOKS.balances.get(name)
    assert sorted((path.name, path.read_bytes()) for path in folder.iterdir()) == before


@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("content", [b"", b"x" * 5_000, None])
def test_unreadable_data_gives_no_value(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / FILE).write_bytes(content)
    with pytest.raises(StoreDamagedError, match="nothing of the books can be read"):
        salvage((tmp_path,))


def test_rows_behind_a_checkpoint_add_up_from_it(tmp_path: Path) -> None:
    keep_dropping(tmp_path, STEPS, Keeping(rows=50, step=10, rounds=2))
    assert right(salvage((tmp_path,)))
    spoil(tmp_path, "UPDATE checkpoint SET hash = x'00'")
    saved = salvage((tmp_path,))
    assert saved.machine.books == BOOKS
    assert saved.suspect
    assert "the checkpoint does not fit its hash" in saved.problems[0]

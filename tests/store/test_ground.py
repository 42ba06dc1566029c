"""What a cabinet that takes money asks of the folders of its data: a medium that keeps them, and books."""

from pathlib import Path

import pytest
from support.journals import keep, number_of, open_journal, session_steps, stamp

from cabinet.store.errors import StoreDamagedError, StoreError, StoreNewError, StorePlaceError
from cabinet.store.ground import HAS_BOOKS, Ground, firm, has_books, remember_books
from cabinet.store.journal import FILE, LOCK_FILE, Copies, Journal
from cabinet.store.mark import MARK
from cabinet.store.verify import verify

DISK = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"


def in_memory(folder: Path) -> str:
    """A list of mounts with a file system in memory on the folder."""
    return f"{DISK}2 1 0:9 / {folder} rw - tmpfs tmpfs rw\n"


def read_only(folder: Path) -> str:
    """A list of mounts with a file system on the folder that takes no write."""
    return f"{DISK}2 1 8:2 / {folder} ro - ext4 /dev/sdb1 ro\n"


def on(ground: Ground, folder: Path, second: Path | None = None) -> Journal:
    """The journal of a folder on this ground."""
    return Journal(folder, number_of, second=second, ground=ground)


@pytest.mark.requirement("PL-02")
@pytest.mark.parametrize(("mounts", "kind"), [(in_memory, "tmpfs"), (read_only, "ext4")])
def test_books_that_the_medium_would_not_keep_are_not_opened(tmp_path: Path, mounts, kind: str) -> None:
    keep(tmp_path, *session_steps()[:3])
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(StorePlaceError, match=rf"is on {kind} \(.*restart the machine") as raised:
        on(firm(mounts(tmp_path), tmp_path, None), tmp_path)
    assert kind in raised.value.found
    assert (tmp_path / FILE).read_bytes() == before
    with on(firm(DISK, tmp_path, None), tmp_path) as journal:
        assert journal.seq == 3


@pytest.mark.requirement("PL-06")
@pytest.mark.parametrize(("mounts", "kind"), [(in_memory, "tmpfs"), (read_only, "ext4")])
def test_a_second_copy_on_such_a_medium_is_out_of_reach_with_its_name(tmp_path: Path, mounts, kind: str) -> None:
    """A player's credit can still be paid out, once a person has compared; no note comes in."""
    first, second = tmp_path / "first", tmp_path / "second"
    second.mkdir()
    keep(first, *session_steps()[:3])
    with on(firm(mounts(second), first, None), first, second) as journal:
        assert journal.copies is Copies.SECOND_LOST
        assert f"is on {kind}" in journal.unseen
        assert journal.renew_lost_second() is None
        assert f"is on {kind}" in journal.second_trouble
    assert not (second / FILE).exists()
    with on(firm(DISK, first, None), first, second) as journal:
        assert journal.copies is Copies.TWO


# --- a folder without books -------------------------------------------------------------------------------------


@pytest.mark.requirement("PL-06", "ME-08")
def test_an_empty_folder_is_no_new_machine_and_is_left_as_it_is(tmp_path: Path) -> None:
    for folder in (tmp_path / "missing", tmp_path / "empty"):
        if folder.name == "empty":
            folder.mkdir()
        with pytest.raises(StoreNewError, match=r"connect the medium .* `cabinet commission` once"):
            on(firm(DISK, folder, None), folder)
        assert not folder.exists() or not list(folder.iterdir())


def test_two_empty_folders_are_no_new_machine_either(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    second.mkdir()
    with pytest.raises(StoreNewError, match="holds no books"):
        on(firm(DISK, first, None), first, second)
    assert not first.exists()


def test_tables_without_a_row_are_no_books(tmp_path: Path) -> None:
    open_journal(tmp_path).close()
    with pytest.raises(StoreNewError, match="holds no books"):
        on(firm(DISK, tmp_path, None), tmp_path)


def test_books_that_were_lost_beside_their_own_mark_stay_a_memory_fault(tmp_path: Path) -> None:
    keep(tmp_path, *session_steps()[:3])
    (tmp_path / FILE).unlink()
    assert {MARK, LOCK_FILE} <= {path.name for path in tmp_path.iterdir()}
    with pytest.raises(StoreDamagedError, match="a machine has played on this folder"):
        on(firm(DISK, tmp_path, None), tmp_path)


def test_a_lost_folder_beside_a_sound_second_copy_is_restored_and_not_begun_anew(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    second.mkdir()
    ground = firm(DISK, first, None)
    with Journal(first, number_of, second=second) as journal:
        for input_, step in session_steps()[:3]:
            journal.commit(input_, step, stamp(journal.seq + 1))
    (first / FILE).unlink()
    with on(ground, first, second) as journal:
        assert journal.seq == 3
    assert verify(first).ok


# --- the mark outside the data ----------------------------------------------------------------------------------


@pytest.mark.requirement("ME-08")
def test_the_mark_survives_the_data_folder_and_the_refusal_names_it(tmp_path: Path) -> None:
    data, marks = tmp_path / "data", tmp_path / "marks"
    marks.mkdir()
    remember_books(data, marks)
    with pytest.raises(StoreNewError, match=r"has had some, says .*has-books: connect .*cabinet restore.*--anew"):
        on(firm(DISK, data, marks), data)
    remember_books(data, marks)
    assert has_books(marks)


def test_a_mark_in_the_data_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "marks").mkdir()
    for inside in (tmp_path, tmp_path / "marks"):
        with pytest.raises(StoreError, match=r"data\.mark: .* is lost with it"):
            remember_books(tmp_path, inside)
    assert not (tmp_path / HAS_BOOKS).exists()


def test_a_mark_without_its_folder_says_what_to_make(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be written: No such file .* make the folder .* data\.mark"):
        remember_books(tmp_path / "data", tmp_path / "marks")


def test_a_mark_that_cannot_be_read_counts_and_keeps_sound_books_from_nothing(tmp_path: Path) -> None:
    data, marks = tmp_path / "data", tmp_path / "marks"
    (marks / HAS_BOOKS).mkdir(parents=True)
    assert has_books(marks)
    keep(data, *session_steps()[:3])
    with on(firm(DISK, data, marks), data) as journal:
        assert journal.seq == 3

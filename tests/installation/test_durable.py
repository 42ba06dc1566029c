"""Durable changes of files: whole or not at all, and in an order that survives a power cut."""

import os
import stat
from pathlib import Path

import pytest
from support.update_cuts import Call, Unsynced, at_each_call

from cabinet.installation.durable import (
    copy_file,
    copy_folder,
    folder_bytes,
    make_folder,
    make_link,
    remove_file,
    remove_folder,
    remove_partial,
    write_file,
    write_pieces,
)


def tree(folder: Path) -> dict[str, bytes]:
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A folder with files and a folder in it."""
    folder = tmp_path / "full"
    (folder / "inner").mkdir(parents=True)
    (folder / "one").write_bytes(b"1" * 3_000_000)
    (folder / "inner/two").write_bytes(b"2")
    (folder / "inner/two").chmod(0o640)
    return folder


def not_durable(tmp_path: Path, calls: list[Call], medium: Unsynced) -> set[Path]:
    assert calls
    return medium.of(tmp_path)


def test_a_written_file_is_durable_and_leaves_nothing_beside_it(tmp_path: Path):
    medium = Unsynced(tmp_path)
    with at_each_call(medium.follow) as calls:
        write_file(tmp_path / "x", b"new", 0o600)
    assert not_durable(tmp_path, calls, medium) == set()
    assert tree(tmp_path) == {"x": b"new"}
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o600


def test_a_replaced_file_keeps_its_mode_and_a_new_one_has_the_given_one(tmp_path: Path):
    (tmp_path / "x").write_bytes(b"old")
    (tmp_path / "x").chmod(0o604)
    write_file(tmp_path / "x", b"new", 0o640)
    write_file(tmp_path / "y", b"new", 0o640)
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("x", "y")] == [0o604, 0o640]


def test_a_link_is_replaced_by_a_file_of_its_own(tmp_path: Path):
    (tmp_path / "far").write_bytes(b"theirs")
    (tmp_path / "x").symlink_to("far")
    write_file(tmp_path / "x", b"new")
    assert ((tmp_path / "x").is_symlink(), tree(tmp_path)) == (False, {"far": b"theirs", "x": b"new"})


def test_the_folder_of_a_file_is_made_and_that_of_a_private_one_is_private(tmp_path: Path):
    write_file(tmp_path / "new/open/x", b"1")
    write_file(tmp_path / "own/shut/x", b"1", 0o600)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new", "new/open", "own", "own/shut")]
    assert modes == [0o755, 0o755, 0o700, 0o700]


def test_a_medium_without_rights_is_written_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """FAT has one owner and one mode for all files, and refuses others."""

    def refuse(*_arguments: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    for name in ("fchmod", "fchown"):
        monkeypatch.setattr(os, name, refuse)
    write_file(tmp_path / "config.txt", b"1", group=7)
    write_file(tmp_path / "config.txt", b"2")
    assert tree(tmp_path) == {"config.txt": b"2"}


def test_a_file_has_its_old_content_until_it_has_the_new_one(tmp_path: Path):
    (tmp_path / "x").write_bytes(b"old")
    seen = set()
    with at_each_call(lambda _: seen.add((tmp_path / "x").read_bytes())):
        write_file(tmp_path / "x", b"new")
    assert seen | {(tmp_path / "x").read_bytes()} == {b"old", b"new"}


def test_what_an_interrupted_write_left_is_no_hindrance(tmp_path: Path):
    (tmp_path / "x.partial").write_bytes(b"half")
    write_file(tmp_path / "x", b"new")
    assert tree(tmp_path) == {"x": b"new"}


def test_an_existing_file_is_never_written_over_in_its_place(tmp_path: Path):
    (tmp_path / "x").write_bytes(b"old")
    with pytest.raises(FileExistsError):
        write_pieces(tmp_path / "x", lambda _: b"")


def test_a_link_in_the_place_of_a_file_is_not_followed(tmp_path: Path):
    (tmp_path / "x").symlink_to("y")
    with pytest.raises(FileExistsError):
        write_pieces(tmp_path / "x", lambda _: b"")
    assert not (tmp_path / "y").exists()


def test_a_medium_that_takes_a_part_of_a_piece_gets_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, content: real(handle, content[:7]))
    write_file(tmp_path / "x", bytes(range(100)))
    assert tree(tmp_path) == {"x": bytes(range(100))}


def test_a_copied_file_has_its_content_and_its_mode(tmp_path: Path, full: Path):
    copy_file(full / "inner/two", tmp_path / "x")
    found = (tmp_path / "x").stat()
    assert ((tmp_path / "x").read_bytes(), stat.S_IMODE(found.st_mode)) == (b"2", 0o640)


def test_a_copied_folder_is_durable_before_it_has_its_name(tmp_path: Path, full: Path):
    medium = Unsynced(tmp_path)

    def follow(call: Call) -> None:
        if call.name == "rename":
            assert medium.of(call.paths()[0]) == set()
        medium.follow(call)

    with at_each_call(follow) as calls:
        copy_folder(full, tmp_path / "copy")
    assert not_durable(tmp_path, calls, medium) == set()
    assert tree(tmp_path / "copy") == tree(full)
    assert stat.S_IMODE((tmp_path / "copy/inner").stat().st_mode) == stat.S_IMODE((full / "inner").stat().st_mode)


def test_a_copy_leaves_out_what_is_no_content(tmp_path: Path, full: Path):
    (full / "link").symlink_to("/etc/passwd")
    os.mkfifo(full / "pipe")
    copy_folder(full, tmp_path / "copy")
    assert sorted(tree(tmp_path / "copy")) == ["inner/two", "one"]


def test_a_copy_that_fails_does_not_appear(tmp_path: Path, full: Path):
    def fail(call: Call) -> None:
        if call.name == "write":
            raise OSError(28, "No space left on device")

    with at_each_call(fail), pytest.raises(OSError, match="No space"):
        copy_folder(full, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    copy_folder(full, tmp_path / "copy")
    assert tree(tmp_path / "copy") == tree(full)


def test_a_link_changes_at_once(tmp_path: Path):
    (tmp_path / "x").symlink_to("old")
    seen = set()
    with at_each_call(lambda _: seen.add(str((tmp_path / "x").readlink()))):
        make_link(tmp_path / "x", "new")
    assert seen | {str((tmp_path / "x").readlink())} == {"old", "new"}


def test_a_folder_that_is_removed_never_has_its_name_and_half_its_content(tmp_path: Path, full: Path):
    before, seen = tree(full), []
    with at_each_call(lambda _: seen.append(tree(full) if full.exists() else None)):
        remove_folder(full)
    assert all(found in (None, before) for found in seen)
    assert list(tmp_path.iterdir()) == []


def test_removing_what_is_not_there_is_harmless(tmp_path: Path):
    remove_folder(tmp_path / "x")
    remove_file(tmp_path / "x")
    remove_partial(tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_everything_partial_goes_and_the_rest_stays(tmp_path: Path, full: Path):
    (tmp_path / "a.partial").mkdir()
    (tmp_path / "a.partial/x").write_bytes(b"")
    (tmp_path / "b.partial").symlink_to(full)
    (tmp_path / "c.partial").write_bytes(b"")
    before = tree(full)
    remove_partial(tmp_path)
    assert ([each.name for each in tmp_path.iterdir()], tree(full)) == (["full"], before)


def test_a_new_folder_is_durable_with_those_above_it(tmp_path: Path):
    medium = Unsynced(tmp_path)
    with at_each_call(medium.follow) as calls:
        make_folder(tmp_path / "a/b/c")
    assert not_durable(tmp_path, calls, medium) == set()
    assert (tmp_path / "a/b/c").is_dir()


def test_the_size_of_a_folder_is_that_of_its_files(full: Path):
    assert folder_bytes(full) == 3_000_001

"""Where a socket is: found by the folder of the books, whatever the length of its path."""

import socket
import stat
from pathlib import Path

import pytest

from cabinet.link.place import BESIDE, listen, place_to_serve, places, short


def _dial(path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as near, short(path) as name:
        near.connect(name)


def test_the_same_books_have_one_place_by_whatever_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "books").mkdir()
    (tmp_path / "link").symlink_to("books")
    monkeypatch.chdir(tmp_path)
    common = tmp_path / "common"
    assert places(Path("link"), common) == places(tmp_path / "books", common) == places(Path("books/../link"), common)


def test_two_cabinets_never_share_a_name_in_the_common_folder(tmp_path: Path):
    assert places(tmp_path / "a", tmp_path)[0] != places(tmp_path / "b", tmp_path)[0]


def test_the_socket_is_beside_the_books_where_there_is_no_common_folder(tmp_path: Path):
    common = tmp_path / "common"
    assert place_to_serve(tmp_path, common) == tmp_path / BESIDE
    common.mkdir()
    assert place_to_serve(tmp_path, common).parent == common


def test_a_path_longer_than_the_system_allows_is_used(tmp_path: Path):
    folder = tmp_path / ("long" * 40) / ("longer" * 30)
    folder.mkdir(parents=True)
    assert len(str(folder / BESIDE)) > 300
    with listen(folder / BESIDE):
        _dial(folder / BESIDE)


def test_only_owner_and_group_may_use_it_from_the_first_moment(tmp_path: Path):
    with listen(tmp_path / BESIDE):
        assert stat.S_IMODE((tmp_path / BESIDE).stat().st_mode) == 0o660
        assert [path.name for path in tmp_path.iterdir()] == [BESIDE]


def test_a_socket_that_a_killed_cabinet_left_is_replaced(tmp_path: Path):
    with listen(tmp_path / BESIDE):
        pass
    with pytest.raises(ConnectionRefusedError):
        _dial(tmp_path / BESIDE)
    with listen(tmp_path / BESIDE):
        _dial(tmp_path / BESIDE)


def test_a_folder_that_is_missing_is_an_error_that_leaves_nothing(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        listen(tmp_path / "missing" / BESIDE)
    assert list(tmp_path.iterdir()) == []

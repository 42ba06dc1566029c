"""A folder with a signed list: what was changed, added or removed is found."""

from pathlib import Path

import pytest

from cabinet.statement.errors import StatementError
from cabinet.statement.folder import FIRST_LINE, LARGEST_MANIFEST, MANIFEST, check_folder, write_folder
from cabinet.statement.signing import public_key, sign, signing_key

KEY = signing_key(bytes(range(32)))
FILES = {"meters.csv": b"name,cents\ncoin_in,500\n", "events.csv": b""}
ABOUT = {"Machine": "0042"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A written folder."""
    write_folder(tmp_path / "out", FILES, ABOUT, KEY)
    return tmp_path / "out"


def test_a_written_folder_is_in_order(folder: Path):
    signed = check_folder(folder, public_key(KEY))
    assert signed.text.startswith(f"{FIRST_LINE}\nMachine: 0042\n")
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name != MANIFEST} == FILES


def test_a_changed_file_is_found(folder: Path):
    (folder / "meters.csv").write_bytes(b"name,cents\ncoin_in,501\n")
    with pytest.raises(StatementError, match=r"meters\.csv was changed"):
        check_folder(folder)


def test_a_removed_file_is_found(folder: Path):
    (folder / "events.csv").unlink()
    with pytest.raises(StatementError, match=r"events\.csv is missing"):
        check_folder(folder)


def test_an_added_file_is_found(folder: Path):
    (folder / "more.csv").write_bytes(b"")
    with pytest.raises(StatementError, match=r"more\.csv was added"):
        check_folder(folder)


def test_a_changed_list_is_found(folder: Path):
    manifest = folder / MANIFEST
    manifest.write_text(manifest.read_text().replace("0042", "0043"))
    with pytest.raises(StatementError, match="changed after the machine signed"):
        check_folder(folder)


def test_an_unfinished_folder_is_refused(folder: Path):
    (folder / MANIFEST).unlink()
    with pytest.raises(StatementError, match="unfinished"):
        check_folder(folder)


@pytest.mark.parametrize("name", ["../secret", "..", "/etc/passwd", "."])
def test_a_list_that_leads_out_of_the_folder_is_refused(folder: Path, name: str):
    digest = "0" * 64
    (folder / MANIFEST).write_text(sign(f"{FIRST_LINE}\n{digest}  {name}\n", KEY))
    with pytest.raises(StatementError, match="no name of a file"):
        check_folder(folder)


def test_a_signed_text_of_another_kind_is_no_list(folder: Path):
    (folder / MANIFEST).write_text(sign("OTHER\n", KEY))
    with pytest.raises(StatementError, match="first line"):
        check_folder(folder)


@pytest.mark.parametrize("name", ["a: b", "a\nb", "a\u2028b", "..", "", "a/b", MANIFEST])
def test_a_file_that_the_list_cannot_name_is_not_written(tmp_path: Path, name: str):
    with pytest.raises(ValueError, match="cannot hold a file"):
        write_folder(tmp_path / "out", {name: b"1"}, ABOUT, KEY)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"), [("Venue", f"Hall\n{'0' * 64}  more.csv"), ("Ve: nue", "Hall"), ("", "Hall"), ("a\u2028", "b")]
)
def test_a_line_about_the_machine_that_would_be_two_is_not_written(tmp_path: Path, name: str, value: str):
    with pytest.raises(ValueError, match="cannot hold the line"):
        write_folder(tmp_path / "out", FILES, {name: value}, KEY)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("venue", ["A: B", "A  B", "\U0001f600", "x" * 500, ""])
def test_a_venue_of_any_printable_letters_is_read_back(tmp_path: Path, venue: str):
    write_folder(tmp_path / "out", FILES, {"Venue": venue}, KEY)
    assert f"\nVenue: {venue}\n" in check_folder(tmp_path / "out", public_key(KEY)).text


def test_a_list_with_more_behind_the_limit_is_refused(folder: Path):
    with (folder / MANIFEST).open("a") as manifest:
        manifest.write("\n" * LARGEST_MANIFEST + "Venue: another\n")
    with pytest.raises(StatementError, match="more than 1,000,000 bytes"):
        check_folder(folder)


def test_what_is_wrong_with_the_list_names_its_file(folder: Path):
    (folder / MANIFEST).write_text("no list\n")
    with pytest.raises(StatementError, match=MANIFEST):
        check_folder(folder)


def test_nothing_is_written_over(folder: Path):
    with pytest.raises(FileExistsError):
        write_folder(folder, FILES, ABOUT, KEY)

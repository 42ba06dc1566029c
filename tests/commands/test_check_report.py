"""The check of what a machine has signed."""

import json
from pathlib import Path

import pytest
from support.commands import call, is_one_sentence

from cabinet.commands.check_report import LARGEST
from cabinet.statement.folder import write_folder
from cabinet.statement.signing import public_key, sign, signing_key
from cabinet.statement.text import FIRST_LINE, Statement, statement_text

KEY = signing_key(bytes(range(32)))
TEXT = sign(
    statement_text(
        Statement(
            machine="0042", venue="Hall", time="1 Dec 2026", row=7, row_hash="ab" * 32, figures=(("Credit", "$12.50"),)
        )
    ),
    KEY,
)


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """The text of a code, as a phone saves it."""
    (tmp_path / "code.txt").write_text(TEXT)
    return tmp_path / "code.txt"


def test_a_text_in_order_shows_its_lines_and_its_key(code: Path):
    found = call("check-report", str(code))
    assert found.exit_code == 0
    for words in (FIRST_LINE, "Credit", "$12.50", public_key(KEY), "The signature fits"):
        assert words in found.stdout


def test_with_the_noted_key_no_key_is_left_to_compare(code: Path):
    found = call("check-report", str(code), "--key", public_key(KEY))
    assert found.exit_code == 0
    assert "Compare" not in found.stdout


def test_json_has_every_line(code: Path):
    found = json.loads(call("check-report", str(code), "--json").stdout)
    assert found["ok"] is True
    assert found["lines"]["Credit"] == "$12.50"
    assert found["key"] == public_key(KEY)


def test_a_text_comes_from_standard_input_too():
    assert call("check-report", "-", typed=TEXT).exit_code == 0
    refused = call("check-report", "-", typed=b"\xff\xfe")
    assert refused.exit_code == 1
    assert is_one_sentence(refused.stderr)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [("12.50", "12.51", "was changed after the machine signed it"), ("Signature", "Sig", "its end is missing")],
)
def test_a_changed_text_is_refused_in_one_sentence(code: Path, old: str, new: str, words: str):
    code.write_text(TEXT.replace(old, new))
    found = call("check-report", str(code))
    assert found.exit_code == 1
    assert is_one_sentence(found.stderr)
    assert words in found.stderr
    assert str(code) in found.stderr


def test_another_machines_key_is_refused(code: Path):
    other = public_key(signing_key(bytes(32)))
    assert call("check-report", str(code), "--key", other).exit_code == 1


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"x" * 2 * LARGEST])
def test_any_other_file_is_refused_in_one_sentence(code: Path, content: bytes):
    code.write_bytes(content)
    found = call("check-report", str(code))
    assert found.exit_code == 1
    assert is_one_sentence(found.stderr)


def test_text_behind_the_limit_is_never_left_out_of_the_check(code: Path):
    code.write_text(TEXT + "\n" * LARGEST + "Credit: $99.00\n")
    found = call("check-report", str(code))
    assert found.exit_code == 1
    assert is_one_sentence(found.stderr)


def test_an_empty_key_is_no_key_to_check_with(code: Path):
    found = call("check-report", str(code), "--key", "")
    assert found.exit_code == 2
    assert "--key is empty" in found.stderr


def test_a_name_and_its_value_stand_apart(code: Path):
    assert "Machine  0042" in call("check-report", str(code)).stdout


def test_a_folder_is_checked_file_by_file(tmp_path: Path):
    write_folder(tmp_path / "out", {"meters.csv": b"a,1\n"}, {"Machine": "0042"}, KEY)
    assert call("check-report", str(tmp_path / "out")).exit_code == 0
    (tmp_path / "out" / "meters.csv").write_bytes(b"a,2\n")
    found = call("check-report", str(tmp_path / "out"))
    assert found.exit_code == 1
    assert "meters.csv was changed" in found.stderr


def test_a_missing_path_is_named(tmp_path: Path):
    found = call("check-report", str(tmp_path / "nothing"))
    assert found.exit_code == 1
    assert "nothing" in found.stderr

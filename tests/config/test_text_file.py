"""The text files that a person writes: what is read, and what is refused unread."""

import os
from pathlib import Path

import pytest

from cabinet.config.reader import ConfigError
from cabinet.config.text_file import LONGEST_BYTES, parse_toml, read_text


def test_the_mark_of_utf_8_is_left_out(tmp_path: Path):
    path = tmp_path / "answers.toml"
    path.write_bytes(b"\xef\xbb\xbfnumber = 17\n")
    assert read_text(path) == "number = 17\n"


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is no file"):
        read_text(tmp_path / "pipe")


def test_a_device_without_an_end_is_refused(tmp_path: Path):
    (tmp_path / "answers.toml").symlink_to("/dev/zero")
    with pytest.raises(OSError, match="it is no file"):
        read_text(tmp_path / "answers.toml")


def test_a_file_that_is_too_long_is_refused(tmp_path: Path):
    path = tmp_path / "answers.toml"
    path.write_bytes(b"#" * (LONGEST_BYTES + 1))
    with pytest.raises(OSError, match="File too large"):
        read_text(path)


def test_bytes_that_are_no_text_are_named(tmp_path: Path):
    path = tmp_path / "answers.toml"
    path.write_bytes('venue = "Café"'.encode("latin-1"))
    with pytest.raises(ConfigError, match="byte 12 is no UTF-8"):
        read_text(path)


@pytest.mark.parametrize("text", ["x = " + "[" * 100_000, "x = " + "9" * 5_000, "x = ", "x = 1\nx = 2\n"])
def test_what_cannot_be_parsed_is_an_error_with_a_sentence(text: str):
    with pytest.raises(ConfigError, match="is not TOML"):
        parse_toml(text)

"""The record of an unfinished update, and the right to make one."""

from pathlib import Path

import pytest

from cabinet.installation.paths import Paths
from cabinet.installation.update.record import (
    RECORD,
    Record,
    RecordError,
    Stage,
    read_record,
    remove_record,
    right_to_update,
    write_record,
)

KNOWN = Record(stage=Stage.TRYING, old="0.1.0", old_form=5, new="0.2.0", unpacked=True)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    found = Paths(root=tmp_path)
    found.update.mkdir(parents=True)
    return found


def test_a_record_is_read_as_it_was_written(paths: Paths):
    write_record(paths, KNOWN)
    assert read_record(paths) == KNOWN


def test_a_removed_record_is_gone(paths: Paths):
    write_record(paths, KNOWN)
    remove_record(paths)
    remove_record(paths)
    assert read_record(paths) is None


def test_the_text_of_a_record_stays_as_it_is_because_another_version_reads_it(paths: Paths):
    write_record(paths, KNOWN)
    text = '{"stage":"trying","old":"0.1.0","old_form":5,"new":"0.2.0","unpacked":true}'
    assert (paths.update / RECORD).read_text(encoding="utf-8") == text
    (paths.update / RECORD).write_text(text.replace("}", ',"more":1}'), encoding="utf-8")
    assert read_record(paths) == KNOWN


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"stage":"unknown"}'])
def test_a_record_that_cannot_be_read_is_an_error_and_not_none(paths: Paths, content: bytes):
    (paths.update / RECORD).write_bytes(content)
    with pytest.raises(RecordError, match="cannot be read"):
        read_record(paths)


def test_one_at_a_time_has_the_right(paths: Paths):
    with right_to_update(paths), pytest.raises(RecordError, match="another update is running"), right_to_update(paths):
        pass
    with right_to_update(paths):
        pass

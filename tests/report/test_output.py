"""A report as one JSON document or as text."""

import json
import os
import resource
import sys
import threading
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import pytest

from cabinet.report.output import print_report, write_page_file
from cabinet.report.value import Report, Section


class Colour(Enum):
    """A choice."""

    RED = "red"


@dataclass(frozen=True)
class Item:
    """Something with figures."""

    cents: int
    share: float
    colour: Colour


def _print(
    data: object, capsys: pytest.CaptureFixture[str], *, as_json: bool = True, ok: bool = True
) -> tuple[int, str]:
    code = print_report(Report(data=data, sections=(Section(blocks=("for people",)),), ok=ok), as_json=as_json)
    return code, capsys.readouterr().out


def test_json_is_one_document_on_one_line(capsys: pytest.CaptureFixture[str]):
    value = {"path": "/a/[bold]b :cat: ü", "list": list(range(200))}
    _, out = _print(value, capsys)
    assert json.loads(out) == value
    assert out.count("\n") == 1
    assert "ü" in out


def test_json_keeps_numbers_as_numbers_and_choices_as_their_words(capsys: pytest.CaptureFixture[str]):
    _, out = _print({"items": (Item(cents=5, share=0.25, colour=Colour.RED),), "none": None}, capsys)
    assert json.loads(out) == {"items": [{"cents": 5, "share": 0.25, "colour": "red"}], "none": None}


def test_people_read_the_sections(capsys: pytest.CaptureFixture[str]):
    assert _print({"key": 1}, capsys, as_json=False) == (0, "for people\n")


@pytest.mark.parametrize("as_json", [False, True])
def test_the_exit_code_is_the_verdict(capsys: pytest.CaptureFixture[str], as_json: bool):
    assert _print([], capsys, as_json=as_json)[0] == 0
    assert _print([], capsys, as_json=as_json, ok=False)[0] == 1


def test_json_needs_no_terminal_library(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setitem(sys.modules, "rich", None)
    monkeypatch.delitem(sys.modules, "cabinet.report.terminal", raising=False)
    assert _print({"path": str(Path("/a"))}, capsys) == (0, '{"path": "/a"}\n')


def test_a_page_replaces_the_file_that_is_there_and_leaves_nothing_beside_it(tmp_path: Path):
    page = tmp_path / "page.html"
    for text in ("old and longer", "new ü"):
        write_page_file(page, text)
    assert page.read_text(encoding="utf-8") == "new ü"
    assert list(tmp_path.iterdir()) == [page]


def test_a_page_that_cannot_be_written_whole_leaves_the_old_one_and_the_error_names_it(tmp_path: Path):
    page = tmp_path / "page.html"
    page.write_text("old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
    try:
        with pytest.raises(OSError, match="File too large") as refused:
            write_page_file(page, "x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert refused.value.filename == str(page)
    assert page.read_text() == "old"
    assert list(tmp_path.iterdir()) == [page]


def test_a_page_goes_to_the_file_that_a_link_names(tmp_path: Path):
    (tmp_path / "link.html").symlink_to(tmp_path / "page.html")
    write_page_file(tmp_path / "link.html", "page")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "page.html").read_text() == "page"


def test_a_page_goes_into_a_pipe_as_it_is(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    writing = threading.Thread(target=write_page_file, args=(tmp_path / "pipe", "page"))
    writing.start()
    assert (tmp_path / "pipe").read_text() == "page"
    writing.join()

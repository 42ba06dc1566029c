"""A report as one JSON document or as text."""

import json
import sys
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import pytest

from cabinet.report.output import print_report
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

"""The progress of a long command."""

from io import StringIO

import pytest
from rich.console import Console

from cabinet.report.progress import progress


def _watched(*, terminal: bool) -> str:
    out = StringIO()
    with progress("Counting [1]", total=4, console=Console(file=out, force_terminal=terminal, width=100)) as update:
        update(completed=1)
        update(completed=4, description="Counting [2]")
    return out.getvalue()


def test_a_terminal_shows_what_is_done_and_how_far():
    said = _watched(terminal=True)
    assert "Counting [2]" in said
    assert "100%" in said


def test_nothing_is_written_where_no_person_watches():
    assert _watched(terminal=False) == ""


def test_progress_never_goes_to_standard_output(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress("Counting", total=1) as update:
        update(completed=1)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Counting" in captured.err

"""A report that changes: one line for each change, and no line without one."""

from collections.abc import Iterator

import pytest

from cabinet.report.value import Report, Section
from cabinet.report.watching import show_changes

UP = "\x1b[1A"
"""Moves the cursor of a terminal one line up."""


def report(number: int) -> Report:
    """A report with a number in it."""
    return Report(data={"number": number}, sections=(Section(blocks=(f"number {number}",)),))


def test_with_json_each_change_is_one_line(capsys: pytest.CaptureFixture[str]):
    show_changes(map(report, (1, 1, 2)), as_json=True)
    assert capsys.readouterr().out == '{"number": 1}\n{"number": 2}\n'


def test_a_pipe_gets_one_report_after_the_other(capsys: pytest.CaptureFixture[str]):
    show_changes(map(report, (1, 2)), as_json=False)
    assert capsys.readouterr().out == "number 1\nnumber 2\n"


def test_a_terminal_shows_the_last_in_place_of_the_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    show_changes(map(report, (1, 2)), as_json=False)
    shown_after = capsys.readouterr().out.partition("number 1")[2]
    assert "number 1" not in shown_after
    assert UP in shown_after.partition("number 2")[0]


def test_an_interrupt_ends_it(capsys: pytest.CaptureFixture[str]):
    def reports() -> Iterator[Report]:
        yield report(1)
        raise KeyboardInterrupt

    show_changes(reports(), as_json=True)
    assert capsys.readouterr().out == '{"number": 1}\n'

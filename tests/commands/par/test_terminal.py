"""The par sheet in a terminal."""

from io import StringIO
from typing import Any

import pytest
from rich.console import Console
from support.par_documents import par_document

from cabinet.commands.par.document import hand_document
from cabinet.commands.par.sections import Section, sections
from cabinet.commands.par.terminal import chart_grid, open_console, show_hand, show_sheet
from cabinet.engine.round import Action
from cabinet.engine.rules import CLASSIC, EUROPEAN, TABLE, Rules


def _console(*, colour: bool = False, width: int = 160) -> Console:
    return Console(file=StringIO(), width=width, force_terminal=colour, color_system="standard" if colour else None)


def _said(console: Console) -> str:
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def _shown(document: dict[str, Any]) -> str:
    console = _console()
    show_sheet(document, console)
    return _said(console)


def test_every_table_of_the_sheet_is_shown():
    document = par_document(effects=True)
    shown = _shown(document)

    for section in sections(document):
        assert section.title in shown
        assert all(cell in shown for row in section.rows for cell in row)
    assert all(sentence in shown for sentence in document["reading"])
    assert "Computed in 1.2 s" in shown


def test_the_chart_has_a_letter_and_a_colour_for_each_cell():
    plain, coloured = _console(), _console(colour=True)
    for console in (plain, coloured):
        console.print(chart_grid(par_document()))

    assert "A,7 " in _said(plain)
    assert "double, or stand where that is not allowed" in _said(plain)
    for letter, code in (("H", "107"), ("S", "43"), ("D", "102"), ("d", "42"), ("P", "106")):
        assert f"{code}m {letter} " in _said(coloured)


def test_the_distribution_is_drawn_beside_its_figures():
    assert f"   -1 {'█' * 40}\n" in _shown(par_document())


def test_a_hand_is_shown_best_action_first():
    console = _console()
    show_hand(hand_document(EUROPEAN, (1, 7), 9, {Action.STAND: -0.18, Action.HIT: -0.1}), console)
    said = _said(console)

    assert "A, 7 against 9" in said
    assert said.index("hit") < said.index("stand")
    assert "-8.0000 %" in said


def _words(section: Section) -> set[str]:
    """Everything in a table that may not be folded."""
    return {*section.head[1:], *(figure for row in section.rows for figure in row[1:])}


@pytest.mark.parametrize("rules", [EUROPEAN, TABLE, CLASSIC], ids=lambda rules: rules.game_id)
@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_figure_is_cut_however_narrow_the_terminal(rules: Rules, width: int):
    document, console = par_document(rules, effects=True), _console(width=width)
    show_sheet(document, console)
    said = _said(console)

    assert "…" not in said
    assert {word for section in sections(document) for word in _words(section) if word not in said} == set()
    assert width < 80 or max(map(len, said.splitlines())) <= width


@pytest.mark.parametrize("rules", [EUROPEAN, TABLE, CLASSIC], ids=lambda rules: rules.game_id)
def test_a_pipe_has_no_width(rules: Rules, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("COLUMNS", "40")
    document = par_document(rules, effects=True)
    show_sheet(document, open_console())
    lines = capsys.readouterr().out.splitlines()

    for section in sections(document):
        for row in section.rows:
            assert any(all(cell in line for cell in row) for line in lines), row
    assert all(f"· {sentence}" in lines for sentence in document["reading"])
    assert any(line.startswith("Hard ") and " Soft " in line and " Pairs " in line for line in lines)


def test_a_terminal_has_its_width(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    assert open_console().width == 80

"""The par sheet in a terminal."""

from io import StringIO
from typing import Any

from rich.console import Console
from support.par_documents import par_document

from cabinet.engine.round import Action
from cabinet.engine.rules import EUROPEAN
from cabinet.parsheet.document import hand_document
from cabinet.parsheet.sections import sections
from cabinet.parsheet.text import chart_grid, show_hand, show_sheet


def _console(*, colour: bool = False) -> Console:
    return Console(file=StringIO(), width=160, force_terminal=colour, color_system="standard" if colour else None)


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

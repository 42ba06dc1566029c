"""The par sheet and the worth of a hand as reports."""

import pytest
from support.par_documents import par_document
from support.reports import shown

from cabinet.commands.par.document import hand_document
from cabinet.commands.par.report import hand_report, sheet_report
from cabinet.commands.par.sections import Section, sections
from cabinet.engine.round import Action
from cabinet.engine.rules import CLASSIC, EUROPEAN, TABLE, Rules


def test_every_table_of_the_sheet_is_shown():
    document = par_document(effects=True)
    said = shown(sheet_report(document), 160)

    for section in sections(document):
        assert section.title in said
        assert all(cell in said for row in section.rows for cell in row)
    assert all(sentence in said for sentence in document["reading"])
    assert "Computed in 1.2 s" in said


def test_the_chart_has_a_letter_and_a_colour_for_each_cell():
    plain, coloured = (shown(sheet_report(par_document()), 160, colour=colour) for colour in (False, True))

    assert "A,7 " in plain
    assert "double, or stand where that is not allowed" in plain
    for letter, code in (("H", "107"), ("S", "43"), ("D", "102"), ("d", "42"), ("P", "106")):
        assert f"{code}m {letter} " in coloured


def test_the_distribution_is_drawn_beside_its_figures():
    assert f"  -1 {'█' * 40}\n" in shown(sheet_report(par_document()))


def test_a_hand_is_shown_best_action_first():
    said = shown(hand_report(hand_document(EUROPEAN, (1, 7), 9, {Action.STAND: -0.18, Action.HIT: -0.1})))

    assert "A, 7 against 9" in said
    assert said.index("hit") < said.index("stand")
    assert "-8.0000 %" in said


def _words(section: Section) -> set[str]:
    """Everything in a table that may not be folded."""
    return {*section.head[1:], *(figure for row in section.rows for figure in row[1:])}


@pytest.mark.parametrize("rules", [EUROPEAN, TABLE, CLASSIC], ids=lambda rules: rules.game_id)
@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_figure_is_cut_however_narrow_the_terminal(rules: Rules, width: int):
    document = par_document(rules, effects=True)
    said = shown(sheet_report(document), width)

    assert "…" not in said
    assert {word for section in sections(document) for word in _words(section) if word not in said} == set()
    assert width < 80 or max(map(len, said.splitlines())) <= width

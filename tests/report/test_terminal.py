"""A report in a terminal, a file or a pipe."""

import re

import pytest
from support.reports import shown

from cabinet.report.terminal import BAR_WIDTH, STYLES, open_console, write
from cabinet.report.value import Bars, Beside, Block, Column, Report, Section, Span, Table, Tone, words

LONG = "a sentence that goes on and on, names /dev/serial/by-id/usb-something [and brackets], and does not end"
FIGURES = Table(columns=words("what", "figure", "another"), rows=((LONG, "1,234.56", "0.07"), ("sum", "8", "9")))
NAMES = Table(columns=(Column(), Column()), rows=(("a name of several words", LONG),), framed=False)


def _report(*blocks: Block, title: str = "") -> Report:
    return Report(data=None, sections=(Section(title=title, blocks=blocks),))


def test_every_tone_has_a_style():
    assert STYLES.keys() == set(Tone)


def test_a_tone_is_a_colour_and_words_without_one_have_none():
    assert shown(_report((Span(text="wrong", tone=Tone.BAD), " here")), colour=True) == "\x1b[31mwrong\x1b[0m here\n"


def test_titles_stand_above_their_sections_with_a_line_between():
    report = Report(data=None, title="All", sections=tuple(Section(title=name, blocks=("text",)) for name in "AB"))
    rule, *lines = shown(report, width=40).splitlines()
    assert (len(rule), rule.strip("─ ")) == (40, "All")
    assert lines == ["A", "text", "", "B", "text"]


def test_text_is_printed_as_it_is():
    report = _report("[red]:cat:[/red]", Table(columns=words("[b]"), rows=(("[/b]",),)), title="[i]")
    assert all(text in shown(report) for text in ("[red]:cat:[/red]", "[b]", "[/b]", "[i]"))


@pytest.mark.parametrize("width", [56, 80, 200])
def test_words_are_folded_and_figures_are_not(width: int):
    lines = shown(_report(FIGURES), width).splitlines()
    assert max(map(len, lines)) <= width
    assert sum("1,234.56" in line and "0.07" in line for line in lines) == 1
    assert "…" not in "".join(lines)


def test_columns_stand_closer_before_a_table_is_wider_than_the_terminal():
    table = Table(columns=words("w", "aaaaaaaa", "bbbbbbbb"), rows=(("word", "1,234.56", "12345678"),))
    roomy, close, wide = (shown(_report(table), width).splitlines() for width in (30, 29, 12))
    assert "│ word │ 1,234.56 │ 12345678 │" in roomy
    assert "│word│1,234.56│12345678│" in close
    assert wide == close


def test_a_total_stands_apart():
    text = shown(_report(Table(columns=words("a", "b"), rows=(("x", "1"), ("sum", "1")), total=True)))
    assert text.splitlines()[-3].startswith("├")
    assert "├" not in shown(_report(FIGURES), 200)


@pytest.mark.parametrize("width", [12, 48, 200])
def test_names_of_a_table_without_lines_stay_whole(width: int):
    lines = shown(_report(NAMES), width).splitlines()
    name = "a name of several words"
    assert re.match(f"{name} +a ", lines[0])
    assert all(line.startswith(" " * len(name)) for line in lines[1:])
    assert "".join("".join(lines).split()) == "".join(f"{name}{LONG}".split())


def test_fields_of_a_chart_touch_each_other_and_charts_stand_beside_each_other():
    row = ("8 ", *(Span(text=f" {letter} ", tone=Tone.FIELD_1) for letter in "HS"))
    chart = Table(columns=(Column(name="Hard"), *(Column(figures=True),) * 2), rows=(row,), framed=False)
    assert [line.split() for line in shown(_report(Beside(tables=(chart, chart)))).splitlines()] == [
        ["Hard", "Hard"],
        ["8", "H", "S", "8", "H", "S"],
    ]
    assert "107m H \x1b[0m\x1b[30;107m S " in shown(_report(chart), colour=True)


def test_the_largest_share_has_the_longest_bar():
    lines = shown(_report(Bars(rows=(("+1.5", 0.1), ("0", 0.4))))).splitlines()
    assert lines == [f"+1.5 {'█' * (BAR_WIDTH // 4)}", f"   0 {'█' * BAR_WIDTH}"]


def test_a_pipe_has_no_width(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("COLUMNS", "40")
    write(_report(LONG, FIGURES), open_console())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == LONG
    assert any(LONG in line and "0.07" in line for line in lines[1:])


def test_a_terminal_has_its_width(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    assert open_console().width == 80


def test_a_rule_is_no_wider_than_a_narrow_terminal():
    assert max(map(len, shown(Report(data=None, title="T", sections=()), 30).splitlines())) == 30

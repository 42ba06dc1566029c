"""The types of the core: mypy refuses wrong changes of machine and rules, and a function in the row of another type."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.source import PROJECT

from cabinet.engine import bets, bills_in, play
from cabinet.engine.inputs import Bet, BillOffered, Hit
from cabinet.engine.table import fact, facts, row, rows

BEGIN = """
from cabinet.engine import bets, bills_in, play
from cabinet.engine.inputs import Bet, BillOffered, BillStacked, Hit
from cabinet.engine.rules import CLASSIC, vary
from cabinet.engine.state import BookedNote, NoteIntent, Phase, PrintIntent
from cabinet.engine.step import StepBuilder
from cabinet.engine.table import fact, facts, row, rows

def change(step: StepBuilder) -> None:
"""

LINES = (
    ("    step.update(attract=True, phase=Phase.BETTING)", None),
    ("    step.update(attract='hello')", "arg-type"),
    ("    step.update(phaze=17)", "call-arg"),
    ("    step.update(bets=(100,))", "call-arg"),
    ("    step.update_seat(turbo=True, bets=(100,))", None),
    ("    step.update_seat(place='1')", "arg-type"),
    ("    step.update_seat(turboo=True)", "call-arg"),
    ("    step.update_access(technician=1)", "arg-type"),
    ("    step.update_acceptor(document=NoteIntent(cents=100))", None),
    ("    step.update_acceptor(document=(NoteIntent(cents=100), BookedNote(cents=100)))", "arg-type"),
    ("    step.update_acceptor(in_path=NoteIntent(cents=100), booked=BookedNote(cents=100))", "call-arg"),
    ("    step.update_acceptor(document=PrintIntent(sequence=1, cents=100))", "arg-type"),
    ("    step.update_printer(ready=None)", "arg-type"),
    ("    step.update_program(hash='aa')", "call-arg"),
    ("    step.update_shown(notice=0)", "arg-type"),
    ("    step.update(credit=-1)", "call-arg"),
    ("vary(CLASSIC, decks=8, cards_max=None)", None),
    ("vary(CLASSIC, decks='8')", "arg-type"),
    ("vary(CLASSIC, deks=8)", "call-arg"),
    ("rows(row(Hit, play.act, play.why_not_act), row(Bet, bets.bet, bets.why_not_bet))", None),
    ("rows(row(Hit, bets.bet, play.why_not_act))", "arg-type"),
    ("rows(row(Hit, play.act, bets.why_not_bet))", "arg-type"),
    ("rows(row(Bet, play.act))", "arg-type"),
    ("rows(row(BillOffered, bills_in.offered))", "type-var"),
    ("facts(fact(BillOffered, bills_in.offered))", None),
    ("facts(fact(BillOffered, bills_in.stacked))", "arg-type"),
    ("facts(fact(Bet, bets.bet))", "type-var"),
)
"""Each line with the code of the error that mypy must find in it; None for a line without one."""


def test_a_wrong_change_or_a_handler_in_the_wrong_row_is_a_type_error(tmp_path: Path) -> None:
    snippet = tmp_path / "snippet.py"
    snippet.write_text(BEGIN + "\n".join(line for line, _ in LINES) + "\n")
    mypy = (sys.executable, "-m", "mypy", "--config-file", PROJECT / "pyproject.toml", "--no-error-summary", snippet)
    found = subprocess.run(mypy, cwd=PROJECT, capture_output=True, text=True, check=False)
    first = BEGIN.count("\n") + 1
    errors = {
        int(line.split(":")[1]) - first: line.rpartition("[")[2].rstrip("]")
        for line in found.stdout.splitlines()
        if ": error: " in line
    }
    expected = {number: code for number, (_, code) in enumerate(LINES) if code is not None}
    assert errors == expected, found.stdout + found.stderr


def test_rows_are_found_by_the_type_they_were_checked_with() -> None:
    table = rows(row(Hit, play.act, play.why_not_act), row(Bet, bets.bet))
    assert {command: made.handle for command, made in table.items()} == {Hit: play.act, Bet: bets.bet}


def test_two_rows_of_one_command_or_fact_are_an_error() -> None:
    bet, offered = row(Bet, bets.bet, bets.why_not_bet), fact(BillOffered, bills_in.offered)
    with pytest.raises(ValueError, match="Bet has two rows"):
        rows(bet, row(Hit, play.act, play.why_not_act), bet)
    with pytest.raises(ValueError, match="BillOffered has two rows"):
        facts(offered, offered)

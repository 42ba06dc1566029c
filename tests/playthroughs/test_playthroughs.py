"""Whole sessions, compared word by word with what is written down. `REGENERATE=1 pytest tests/playthroughs` writes them
anew; the difference is then read like any other change."""

import os

import pytest
from support.sessions import FOLDER, play, read_session, render

from cabinet.engine.effects import HandSettled, Refused
from cabinet.engine.round import Outcome

NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))


@pytest.mark.requirement("EV-01", "CM-05")
@pytest.mark.parametrize("name", NAMES)
def test_a_session_goes_as_written(name: str) -> None:
    told = render(read_session(name))
    if os.environ.get("REGENERATE"):
        (FOLDER / f"{name}.txt").write_text(told, encoding="utf-8")
    assert told == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_the_sessions_see_every_outcome_and_most_inputs() -> None:
    steps = [each for name in NAMES for each in play(read_session(name))]
    outcomes = {event.outcome for _, step in steps for event in step.events if isinstance(event, HandSettled)}
    assert outcomes == set(Outcome) - {Outcome.CARDS_WIN}
    kinds = {type(line.input) for line, _ in steps}
    assert len(kinds) > 35
    assert any(isinstance(event, Refused) for _, step in steps for event in step.events)


def test_the_money_of_each_session_is_all_accounted_for() -> None:
    for name in NAMES:
        *_, (_, last) = play(read_session(name))
        balances = last.machine.books.balances
        assert balances["credit"] == balances["table"] == balances.get("in_transit", 0) == 0, name
        assert -balances["cashbox"] == balances["tickets"] + balances.get("hand_paid", 0) + balances["house"]

"""Random games of one kind, as the steps that a cabinet records, and as the rows that a journal has about each."""

from dataclasses import dataclass

from support.journals import random_steps
from support.machines import one_table

from cabinet.attendant.pictures import GameRow
from cabinet.engine.effects import RoundBegan, RoundSettled, RoundVoided
from cabinet.engine.ledger import Route
from cabinet.engine.rules import CLASSIC, EUROPEAN, TABLE
from cabinet.engine.state import Settings
from cabinet.engine.step import Step

GAMES = {rules.game_id: rules for rules in (EUROPEAN, TABLE, CLASSIC)}
STEPS = 700
NOTE = Route.BILL_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A game: its steps up to its end, and its rows."""

    number: int
    steps: tuple[Step, ...]
    rows: tuple[GameRow, ...]


def settings_of(game_id: str) -> Settings:
    """Settings of a cabinet that offers one game."""
    return one_table(GAMES[game_id])


def games(game_id: str, seed: int) -> list[Played]:
    """The games of a random session, the open one too."""
    found: list[Played] = []
    steps: list[Step] = []
    for _, step in random_steps(seed, STEPS, settings_of(game_id)):
        began = any(isinstance(event, RoundBegan) for event in step.events)
        if began and steps:
            found.append(_played(steps))
        steps = [step] if began else [*steps, step] if steps else []
        if steps and any(isinstance(event, RoundSettled | RoundVoided) for event in step.events):
            found.append(_played(steps))
            steps = []
    return [*found, *([_played(steps)] if steps else [])]


def _played(steps: list[Step]) -> Played:
    rows = tuple(row_of(step, f"{nth}") for nth, step in enumerate(steps))
    return Played(number=steps[0].machine.round_number, steps=tuple(steps), rows=rows)


def row_of(step: Step, when: str) -> GameRow:
    """The row of a step."""
    return GameRow(
        when=when,
        credit_cents=step.machine.books.credit_cents,
        drawn=step.drawn,
        events=step.events,
        money=tuple((each.route.value, each.cents) for each in step.postings if each.route is NOTE),
    )

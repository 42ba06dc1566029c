"""Past games for the pictures of the attendant's pages: played by the engine and kept in a journal for that moment.

Rules: always the same games, one of each kind; the newest has five places.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cabinet.attendant.pictures import PastGame, past_game
from cabinet.engine import machine as engine
from cabinet.engine.cards import Card, Draw, card_from_code
from cabinet.engine.inputs import (
    AcceptorStarted,
    Bet,
    BetAll,
    BillOffered,
    BillStacked,
    ChooseChip,
    ChooseGame,
    Deal,
    Double,
    Hit,
    Input,
    Insure,
    LeaveTable,
    PrinterStarted,
    Split,
    Stand,
)
from cabinet.engine.state import Settings
from cabinet.runtime.attendant_records import game_row
from cabinet.runtime.shown_values import when
from cabinet.store import reports
from cabinet.store.journal import Journal, Stamp

BEGAN_MS = 1_930_314_000_000
"""When the first step happened, in milliseconds since 1970."""
STEP_MS = 4_000

_FIVE = "KS AD 8S QD AH 6D 9H 6C 8D 7S KC"
_GAMES: tuple[tuple[tuple[Input, ...], str], ...] = (
    ((ChooseGame(game_id="classic"), ChooseChip(chip_cents=2_500), Bet(), Deal(), Stand()), "AS 6S 7H 9D KH"),
    (
        (LeaveTable(), ChooseGame(game_id="table"), ChooseChip(chip_cents=2_500), Bet(), Deal(), Insure(), Hit()),
        "10S AS 6H 5D 9C",
    ),
    (
        (
            *(LeaveTable(), ChooseGame(game_id="european"), ChooseChip(chip_cents=500), BetAll(), Deal()),
            *(Stand(), Hit(), Stand(), Split(), Double(), Stand(), Hit(), Stand()),
        ),
        f"{_FIVE} 2H 3C JH 10D 5C 10H 6H",
    ),
)
"""The inputs of each game, and the cards that are drawn."""


@cache
def past_games(settings: Settings) -> tuple[tuple[Mapping[str, Any], ...], tuple[PastGame, ...]]:
    """Returns the games as stories, oldest first, and step by step."""
    with TemporaryDirectory(prefix="gallery-") as folder, Journal(Path(folder), str) as journal:
        _play(journal, settings)
        stories = reports.recall(journal.connection, rounds=len(_GAMES))
        games = tuple(_game(journal, settings, story["number"]) for story in stories)
    return tuple({**story, "when": when(story["began_ms"], clock_ok=True)} for story in stories), games


def _game(journal: Journal, settings: Settings, number: int) -> PastGame:
    return past_game(number, tuple(map(game_row, reports.game_rows(journal.connection, number))), settings)


def _play(journal: Journal, settings: Settings) -> None:
    machine = engine.starting(settings)
    for nth, (given, cards) in enumerate(_inputs()):
        step = engine.step(settings, machine, given, _drawing(cards))
        machine = step.machine
        at_ms = nth * STEP_MS
        journal.commit(given, step, Stamp(boot=1, wall_ms=BEGAN_MS + at_ms, mono_ms=at_ms, clock_ok=True))


def _inputs() -> Iterator[tuple[Input, list[str]]]:
    """Yields each input with the cards that are left for its game."""
    started = (PrinterStarted(model="printer"), AcceptorStarted(model="reader", firmware="1", serial="1"))
    notes = (BillOffered(cents=10_000), BillStacked(cents=10_000)) * 3
    yield from ((given, []) for given in (*started, *notes))
    for inputs, codes in _GAMES:
        cards = codes.split()
        yield from ((given, cards) for given in inputs)


def _drawing(codes: list[str]) -> Draw:
    def draw(out: Collection[Card]) -> Card:
        code = codes.pop(0)
        return next(card for deck in range(6) if (card := card_from_code(code, deck)) not in out)

    return draw

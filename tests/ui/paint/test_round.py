"""A whole round of European Blackjack on five places shows only assets prepared before it."""

import random
from collections.abc import Iterator

import pytest
from support.display import open_display
from support.snapshot import Player
from support.snapshot import at as at_table

from cabinet.engine import machine as engine
from cabinet.engine.inputs import Bet, BetAll, Command, Deal, DeclineInsurance, Double, Hit, Input, Insure, Split, Stand
from cabinet.engine.state import Settings
from cabinet.presentation.snapshot import Snapshot
from cabinet.text.message_keys import Key
from cabinet.text.messages import LANGUAGES
from cabinet.text.po_files import catalogue_of
from cabinet.tools.screens_gallery import SAMPLE_FACTS, WALL, at, named_draw, snapshot_after
from cabinet.ui.art.tally import DRAWN
from cabinet.ui.paint.painter import Painter
from cabinet.ui.paint.warm import LETTERS
from cabinet.ui.presenter import present
from cabinet.ui.ui_state import UiState
from cabinet.ui.view import Screen

pytestmark = pytest.mark.screen

SIZE = (1280, 720)
FRAME_S = 1 / 30
SEATED = at("european", 2_500, 100_000)
PLAIN: tuple[Input, ...] = (BetAll(), Deal(), Stand(), Hit(), Stand(), Hit(), Stand())
PLAIN_CARDS = "KS AD 8S QD AH 10C 9H 6C 8D 7S KC 2H 10H 6H 5C"
INSURED: tuple[Input, ...] = (BetAll(), Deal(), Insure(), *(DeclineInsurance(),) * 4, *(Stand(),) * 5)
INSURED_CARDS = "KS 9D 8S QD 6H AC 9H 6C 8D 7S KC 5C 4D"
SPLIT: tuple[Input, ...] = (BetAll(), Deal(), Double(), Split(), Stand(), Double(), *(Stand(),) * 3)
SPLIT_TO_FOUR: tuple[Input, ...] = (
    *(BetAll(), Deal(), *(Insure(),) * 5),
    *(Split(), Split(), Split(), *(Hit(), Stand()) * 4),
    *(Stand(),) * 4,
)
SPLIT_TO_FOUR_CARDS = "8S 9D 10S QD 9H AC 8C 8D 8H 7S KC 8D 3D 8S 2D 4C 5C 2H 3H 2C 4H 9C 8C 6C 6D 7D 10H"
SPLIT_CARDS = "6S 8D 10S QD 9H 10C 5H 8C 8D 7S KC 10H 3C 3D QC 6H 5C"


WISHES: tuple[Command, ...] = (
    *(Split(), Hit(), Hit(), Double(), Stand(), Insure(), DeclineInsurance()),
    *(Deal(), BetAll(), Bet()),
)
"""The commands for random rounds; a split is taken whenever there is one."""


def screens(given: tuple[Input, ...], cards: str) -> Iterator[Screen]:
    """Yields the screens from a table without bets until everything is paid."""
    settings = Settings()
    draw, machine, now_s = named_draw(cards), engine.starting(settings), 0.0
    snapshot: Snapshot | None = None
    for number, input_ in enumerate((*SEATED, *given)):
        snapshot = snapshot_after(snapshot, settings, machine, input_, draw, now_s)
        machine = snapshot.machine
        while number >= len(SEATED) - 1:
            yield present(snapshot, UiState(), now_s, WALL, settings, SAMPLE_FACTS)
            now_s += FRAME_S
            if now_s > snapshot.open_at_s + 2 * FRAME_S:
                break
        now_s = max(now_s, snapshot.open_at_s)


@pytest.fixture(scope="module")
def prepared() -> Painter:
    """A painter that has prepared a table."""
    surface = open_display(SIZE)
    painter = Painter(SIZE)
    first = next(screens((), ""))
    painter.paint(surface, first)
    while painter.warm_up(first):
        pass
    assert painter.is_warm(first)
    return painter


def drawn_in(painter: Painter, given: tuple[Input, ...], cards: str) -> tuple[int, int]:
    """Returns how much was drawn from scratch or scaled in the frames of the round, and how many surfaces were made."""
    surface = open_display(SIZE)
    painter.forget()
    drawn, made = 0, painter.assets.made
    for screen in screens(given, cards):
        before = DRAWN.count
        painter.paint(surface, screen)
        drawn += DRAWN.count - before
    return drawn, painter.assets.made - made


def test_nothing_is_drawn_from_scratch_while_a_round_is_dealt_and_paid(prepared: Painter):
    drawn, made = drawn_in(prepared, PLAIN, PLAIN_CARDS)
    assert drawn == 0
    assert made, "results and amounts are composed of prepared pieces"


@pytest.mark.parametrize(
    ("given", "cards"),
    [(INSURED, INSURED_CARDS), (SPLIT, SPLIT_CARDS), (SPLIT_TO_FOUR, SPLIT_TO_FOUR_CARDS)],
    ids=["insured", "split and doubled", "split to four hands beside insurances"],
)
def test_nothing_is_drawn_or_scaled_for_insurances_and_hands_of_a_split(
    prepared: Painter, given: tuple[Input, ...], cards: str
):
    drawn, _ = drawn_in(prepared, given, cards)
    assert drawn == 0


@pytest.mark.sample(1)
@pytest.mark.parametrize("game_id", ["european", "table"])
def test_nothing_is_drawn_or_scaled_in_random_crowded_rounds(game_id: str):
    surface, chance = open_display(SIZE), random.Random(7)
    player = Player(seed=7).put(*at_table(game_id, 2_500, 200_000)).settle()
    painter = Painter(SIZE)
    painter.paint(surface, player.screen())
    while painter.warm_up(player.screen()):
        pass
    painter.paint(surface, player.put(Bet()).screen())
    before, splits = DRAWN.count, 0
    for _ in range(45):
        wishes = [wish for wish in WISHES if engine.why_not(player.settings, player.machine, wish) is None]
        wish = Split() if Split() in wishes else chance.choice(wishes)
        splits += isinstance(wish, Split)
        player.now_s = player.snapshot.open_at_s + 2 * FRAME_S
        player.step(wish)
        while player.now_s < player.snapshot.open_at_s + FRAME_S:
            painter.paint(surface, player.screen())
            player.now_s += 2 * FRAME_S
    assert splits
    assert DRAWN.count == before


def test_every_letter_of_the_screen_is_prepared():
    used = {
        sign
        for language in LANGUAGES.values()
        for key in Key
        if not key.name.startswith("ON_TICKET_")
        for text in catalogue_of(language).texts[key]
        for sign in text
    }
    assert used - set(LETTERS) - set("{}_|") == set()

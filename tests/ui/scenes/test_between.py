"""The texts between rounds, and for every text that names a button: that it is lit."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.snapshot import Player, at, notes

from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillStacked,
    Button,
    CallAttendant,
    CashOut,
    ChooseChip,
    ChooseGame,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    Input,
    Key,
    KeyTurned,
    LeaveTable,
    PlayerLeft,
    PoweredUp,
    SessionBegan,
    SetOutOfService,
    Stand,
    TicketPrinted,
)
from cabinet.engine.state import Phase, Settings, State
from cabinet.presentation.snapshot import Snapshot, unready_now
from cabinet.text.messages import LANGUAGES, Language, Words
from cabinet.tools.screens_gallery import SAMPLE_FACTS, gallery, screen_of
from cabinet.ui.scenes.bars import BUTTON_WORDS
from cabinet.ui.scenes.between import invitation, next_round_text, paid_out_text
from cabinet.ui.view import NoticeView, Screen

LOST = "10S 9S 8H 10D"
WON = "AS 6S KH 9D"
ONE: tuple[Input, ...] = (
    BillOffered(cents=100),
    BillStacked(cents=100),
    ChooseGame(game_id="classic"),
    ChooseChip(chip_cents=100),
)
HALF_LEFT: tuple[Input, ...] = (*ONE, Bet(), Deal(), Bet(), Deal(), Stand(), Bet(), Deal(), Stand())
"""One dollar that became two and a half, of which two are lost."""
HALF_CARDS = f"{WON} {LOST} 10C 9C 8C 10H"
PAID: tuple[Input, ...] = (*at("classic"), CashOut(), TicketPrinted(sequence=1))
languages = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)


def rail(*inputs: Input, cards: str = LOST, notes: bool = True) -> tuple[str, str]:
    """Returns message and hint on the screen long after these inputs."""
    shown = Player(notes=notes).put(*inputs, cards=cards).settle().screen().rail
    return shown.message, shown.hint


# --- no dark button is named ----------------------------------------------------------------------------------------


def dark_named(screen: Screen, language: Language, snapshot: Snapshot, now_s: float) -> set[str]:
    """Returns the buttons that the message line or the notice names and that are neither lit nor about to be."""
    words = Words(language=language)
    said = f"{screen.rail.message} | {screen.rail.hint}"
    if isinstance(screen.overlay, NoticeView):
        said += f" | {screen.overlay.sentence} | {screen.overlay.advice}"
    lit = {legend.button for legend in screen.rail.legends if legend.lit}
    named = {button for button in Button if re.search(rf"(?<!\w){words.say(BUTTON_WORDS[button])}(?!\w)", said)}
    return {button.value for button in named - lit - unready_now(snapshot, now_s)}


@languages
def test_every_button_named_in_the_gallery_is_lit(language: Language):
    facts = replace(SAMPLE_FACTS, language=language)
    named = {
        name: dark_named(screen_of(exhibit, facts), language, exhibit.snapshot, exhibit.now_s)
        for name, exhibit in gallery().items()
    }
    assert {name: dark for name, dark in named.items() if dark} == {}


def wishes(player: Player, chance: random.Random) -> Iterator[Input | Button]:
    """Yields what a person or a device does next, most often a press."""
    machine = player.machine
    if machine.printer.printing is not None and chance.random() < 0.7:
        yield TicketPrinted(sequence=machine.printer.printing.sequence)
        return
    if chance.random() < 0.75:
        yield chance.choice([*Button, Button.DEAL, Button.STAND, Button.BET, Button.REBET])
        return
    value = chance.choice([100, 100, 500, 2_000])
    audit = KeyTurned(key=Key.AUDIT, on=True)
    yield from chance.choice(
        [
            (BillOffered(cents=value), BillStacked(cents=value)),
            (PlayerLeft(),),
            (CashOut(),),
            (LeaveTable(), ChooseGame(game_id=chance.choice(["european", "table", "classic"]))),
            (ChooseChip(chip_cents=chance.choice([100, 500, 2_500, 10_000])),),
            (PoweredUp(clean=False),),
            (CallAttendant(),),
            (DoorOpened(door=Door.MAIN), DoorClosed(door=Door.MAIN)),
            (audit, SetOutOfService(out=chance.random() < 0.3), KeyTurned(key=Key.AUDIT, on=False)),
            (KeyTurned(key=Key.RESET, on=True), KeyTurned(key=Key.RESET, on=False)),
        ]
    )


def screens_of(player: Player, chance: random.Random, language: Language) -> Iterator[Screen]:
    """Yields the screens between one wish and the next."""
    player.read(language=language)
    yield player.screen()
    for pause_s in (0.05, 0.3, 1.0):
        if chance.random() < 0.4:
            player.wait(pause_s)
            yield player.screen()


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(6))
def test_every_button_named_in_random_play_is_lit(seed: int):
    """At any moment, during and after animations, skipped or not, with notes taken or not, rich or nearly broke."""
    chance = random.Random(seed)
    player = Player(seed=seed, settings=Settings(large_win_cents=3_000)).put(SessionBegan(at_ms=0))
    named: set[tuple[str, str, str]] = set()
    for _ in range(700):
        player.notes = chance.random() < 0.8
        for wish in wishes(player, chance):
            if isinstance(wish, Button):
                player.wish(wish)
            else:
                player.step(wish)
        if chance.random() < 0.5:
            player.settle()
        player.snapshot = replace(player.snapshot, reading=chance.random() < 0.05)
        language = chance.choice(list(LANGUAGES.values()))
        for screen in screens_of(player, chance, language):
            rail = screen.rail
            named |= {
                (button, rail.message, rail.hint)
                for button in dark_named(screen, language, player.snapshot, player.now_s)
            }
            if player.machine.shown.paid_out_cents and player.moment().state is not State.AUDIT:
                assert paid_out_text(player.moment()) in {rail.message, rail.hint}
    assert named == set()


# --- what can be done next ------------------------------------------------------------------------------------------


def test_credit_below_the_least_bet_is_explained_with_the_next_steps():
    assert rail(*HALF_LEFT, cards=HALF_CARDS) == ("The dealer wins with 19", "Insert a note, or press CASH OUT")
    left = (*HALF_LEFT, LeaveTable(), ChooseGame(game_id="classic"))
    assert rail(*left, cards=HALF_CARDS) == ("The least bet is $1", "Insert a note, or press CASH OUT")
    assert rail(*left, cards=HALF_CARDS, notes=False)[1] == "CASH OUT pays out your credit"


def test_with_credit_below_the_last_bet_the_text_asks_for_a_new_one():
    three = (*at("classic", 2_500, 10_000), Bet(), Bet(), Bet(), Deal(), Stand())
    assert rail(*three)[1] == "Touch the circle, or press BET"
    assert rail(*three, ChooseChip(chip_cents=10_000))[1] == "Choose a smaller chip with CHIP"
    choose = (LeaveTable(), ChooseGame(game_id="classic"), ChooseChip(chip_cents=2_500))
    assert rail(*three, *choose) == ("Place your bets", "Touch the circle, or press BET")
    assert rail(*at("classic"), Bet(), Deal(), Stand())[1] == "Press REBET, or place a new bet"


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ((*at("classic", 10_000, 10_000), Bet(), Deal(), Stand()), "The dealer wins with 19"),
        (PAID, "Paid out $300.00"),
        ((*at("classic"), Bet(), Deal(), Stand(), CashOut(), TicketPrinted(sequence=1)), "Paid out $275.00"),
    ],
)
def test_no_text_asks_for_a_note_while_none_are_taken(inputs: tuple[Input, ...], message: str):
    assert rail(*inputs) == (message, "Insert a note to play")
    assert rail(*inputs, notes=False) == (message, "No notes can be taken at the moment")


def test_a_placed_bet_leads_to_the_deal():
    player = Player().put(*at("european"), Bet()).settle()
    assert invitation(player.moment()) == ("Press DEAL when you are ready", "CLEAR takes your bets back")


def test_no_text_asks_for_a_press_before_presses_are_taken():
    player = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards=LOST)
    assert next_round_text(player.moment()) == ""
    assert next_round_text(player.settle().moment()) == "Press REBET, or place a new bet"


# --- what was paid out ----------------------------------------------------------------------------------------------

TWICE: tuple[Input, ...] = (*PAID, *notes(10_000), CashOut(), TicketPrinted(sequence=2))


@pytest.mark.requirement("PD-24")
@pytest.mark.parametrize(
    "then",
    [
        (),
        notes(20_000),
        (*notes(20_000), Bet()),
        (LeaveTable(),),
        (LeaveTable(), ChooseGame(game_id="european")),
        (PlayerLeft(),),
        (CallAttendant(),),
        (PoweredUp(clean=False),),
        (*notes(20_000), PoweredUp(clean=False), Bet()),
        (DoorOpened(door=Door.MAIN),),
        (*notes(20_000), CashOut()),
    ],
)
@pytest.mark.parametrize(("before", "text"), [(PAID, "Paid out $300.00"), (TWICE, "Paid out $100.00, $400.00 in all")])
def test_a_payment_is_shown_until_the_next_hand(before: tuple[Input, ...], text: str, then: tuple[Input, ...]):
    assert text in rail(*before, *then)
    player = Player().put(*before, *then).wait(0.1)
    assert text in {player.screen().rail.message, player.screen().rail.hint}
    player.snapshot = replace(player.snapshot, reading=True)
    assert text in {player.screen().rail.message, player.screen().rail.hint}


@pytest.mark.requirement("PD-24")
def test_the_next_hand_ends_the_payment_text():
    player = Player().put(*PAID, *notes(10_000), Bet())
    assert paid_out_text(player.moment()) == "Paid out $300.00"
    player.put(Deal(), cards="10S 6S 8H 9D")
    assert player.machine.phase is Phase.DECIDING
    assert paid_out_text(player.moment()) == ""


@pytest.mark.requirement("PD-24")
def test_with_new_money_the_next_step_stands_above_the_payment():
    player = Player().put(*PAID, *notes(10_000)).settle()
    for there in ((), (LeaveTable(),)):
        shown = player.put(*there).settle().screen().rail
        assert shown.hint == "Paid out $300.00"
    assert shown.message == "Choose your game"


@pytest.mark.requirement("PD-24")
def test_a_call_is_confirmed_beside_the_payment():
    player = Player().put(*PAID, *notes(10_000), Bet(), CallAttendant()).wait(5.0)
    shown = player.screen().rail
    assert (shown.message, shown.hint) == ("The attendant has been called", "Paid out $300.00")


# --- no ticket can be printed -----------------------------------------------------------------------------------------

BY_HAND = "Cash-outs are paid by the attendant at present"
DOWN = (Fault.PAPER_OUT, Fault.PRINTER_COVER, Fault.PRINTER_LINK, Fault.PRINTER_HARDWARE)


@pytest.mark.requirement("TP-07")
@pytest.mark.parametrize("fault", DOWN)
def test_the_player_reads_who_pays_before_money_goes_in(fault: Fault):
    down = FaultBegan(fault=fault)
    for state in ((PlayerLeft(),), (KeyTurned(key=Key.RESET, on=False),), (ChooseGame(game_id="classic"),)):
        assert rail(down, *state)[1] == BY_HAND, state
        assert rail(down, *state, FaultEnded(fault=fault))[1] != BY_HAND, state


def test_a_player_with_credit_reads_who_pays_only_between_hands():
    down = FaultBegan(fault=Fault.PAPER_OUT)
    dealt = (*at("classic"), Bet(), Deal())
    assert rail(*at("classic"), down)[1] == BY_HAND
    assert rail(*dealt, down)[1] != BY_HAND
    message, hint = rail(*dealt, down, Stand())
    assert (message, hint) == ("The dealer wins with 19", BY_HAND)


def test_low_paper_shows_nothing_to_the_player():
    low = FaultBegan(fault=Fault.PAPER_LOW)
    assert rail(low, *at("classic")) == rail(*at("classic"))


def test_the_text_to_choose_a_smaller_chip_comes_first():
    down = FaultBegan(fault=Fault.PAPER_OUT)
    assert rail(*ONE, ChooseChip(chip_cents=500), down) == rail(*ONE, ChooseChip(chip_cents=500))


def test_a_payment_stays_readable_when_it_used_up_the_paper():
    message, hint = rail(*PAID, FaultBegan(fault=Fault.PAPER_OUT))
    assert "Paid out" in message
    assert hint == BY_HAND

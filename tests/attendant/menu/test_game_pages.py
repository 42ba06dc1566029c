"""The last games as pictures: the list, every button and touch of a game, its words, and games without pictures."""

from contextlib import ExitStack
from dataclasses import replace

import pytest
from support.attendant_data import MenuHand, bare_desk, keep
from support.machines import seated

from cabinet.attendant.menu import lit, recalling
from cabinet.attendant.menu.game_pages import LISTED, numbers
from cabinet.attendant.pages import LineStyle, Touched
from cabinet.attendant.pictures import PastGame
from cabinet.engine.inputs import Bet, BillOffered, BillStacked, Button, Deal, Hit, Insure, Split, Stand

CARD_BACK, OLDER, NEWER = Button.CASH_OUT, Button.SERVICE, Button.PLACE


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A cabinet with three games: a loss with insurance, a split, and an open one during which a note was put in."""
    with ExitStack() as undo:
        found = keep(tmp_path_factory.mktemp("kept"), seated("table", credit=100_000), undo)
        games = (
            ("10S AS 6H 5D 9C", (Insure(), Hit())),
            ("8S 6S 8H 10D 3C 10H 5C", (Split(), Stand(), Stand())),
            ("9S 6D 2H 10C 4D", (BillOffered(cents=500), BillStacked(cents=500), Hit())),
        )
        for cards, choices in games:
            found.cabinet.cards(cards)
            found.do(Bet(), Bet(), Deal(), *choices)
        yield found


def _game(kept, number: int) -> MenuHand:
    hand = MenuHand(data=kept.data())
    hand.choose("Last games", f"Game {number} ")
    return hand


def _said(hand: MenuHand) -> list[str]:
    """What each step says, from the first one on."""
    found = [hand.page.picture.said]
    while Button.DEAL in lit(hand.menu, hand.data):
        hand.press(Button.DEAL)
        found.append(hand.page.picture.said)
    return found


def test_the_list_has_every_game_newest_first_with_its_end(kept):
    hand = MenuHand(data=kept.data())
    hand.choose("Last games")
    assert [label.split("  ") for label in hand.page.menu] == [
        [f"Game {number}", "Table Blackjack"] for number in (3, 2, 1)
    ]
    assert ["open, staked so far" in detail for detail in hand.page.details] == [True, False, False]
    assert hand.page.details[2].endswith("staked $3.00, paid $0.00")


def test_each_step_says_what_happened(kept):
    assert _said(_game(kept, 1)) == [
        "The bets are on the table",
        "Place 1 gets 10S",
        "The dealer gets AS",
        "Place 1 gets 6H",
        "The dealer gets the hole card, face down",
        "Place 1: insurance for $1.00",
        "The dealer looks at the hole card: no blackjack",
        "Place 1: insurance lost, stake $1.00",
        "Place 1: hit",
        "Place 1 gets 9C",
        "The dealer turns the hole card: 5D",
        "Place 1: bust, stake $2.00",
        "The game is paid: the credit counts $0.00 more",
    ]
    split = _said(_game(kept, 2))
    assert "Place 1: split, $2.00 more" in [line.replace("Place 1, hand 1:", "Place 1:") for line in split]
    assert "Place 1, hand 2 gets 10H" in split
    assert "During the game: note in, $5.00" in _said(_game(kept, 3))


@pytest.mark.requirement("EV-03")
def test_each_picture_is_marked_as_a_record_without_money(kept):
    hand = _game(kept, 2)
    count = hand.page.position[1]
    for nth in range(1, count + 1):
        strip = hand.page.picture.strip
        assert strip.startswith(f"RECALL  ·  game 2, step {nth} of {count}  ·  ")
        assert strip.endswith("  ·  nothing here is money now")
        hand.press(Button.DEAL)


def test_the_amounts_are_those_of_the_step(kept):
    hand = _game(kept, 1)
    assert hand.page.picture.amounts == (("Bet", "$2.00"), ("Paid", "$0.00"), ("Credit then", "$998.00"))
    _said(hand)
    assert hand.page.picture.amounts == (("Bet", "$3.00"), ("Paid", "$0.00"), ("Credit then", "$997.00"))


def test_buttons_go_by_card_by_choice_and_by_game(kept):
    hand = _game(kept, 1)
    where = []
    for button in (Button.DEAL, Button.BET, Button.BET, CARD_BACK, Button.CHIP, Button.CHIP):
        hand.press(button)
        where.append(hand.page.position[0])
    assert where == [2, 5, 8, 7, 5, 1]
    hand.press(NEWER)
    assert (hand.menu.path[-1], hand.page.position[0]) == ("2", 1)
    hand.press(OLDER)
    assert hand.menu.path[-1] == "1"
    hand.press(Button.CLEAR)
    assert hand.page.title == "Last games"
    assert hand.page.menu[hand.page.selected].startswith("Game 1 ")


def test_a_button_is_lit_exactly_where_it_leads_somewhere_and_no_press_asks_anything(kept):
    for number in (1, 2, 3):
        hand = _game(kept, number)
        for _ in range(hand.page.position[1]):
            alight = lit(hand.menu, hand.data)
            assert {button for button, _ in hand.page.does} == alight
            for button in Button:
                other = MenuHand(data=hand.data, menu=hand.menu)
                other.press(button)
                assert (other.menu != hand.menu) == (button in alight), button
                assert not other.asked
            hand.press(Button.DEAL)


def test_a_touch_goes_back_and_one_card_to_and_fro(kept):
    hand = _game(kept, 1)
    assert (hand.page.turns, hand.page.tabs) == (True, ())
    for what, at in ((Touched.EARLIER, 1), (Touched.LATER, 2), (Touched.LATER, 3), (Touched.EARLIER, 2)):
        hand.touch(what)
        assert hand.page.position[0] == at
    hand.touch(Touched.BACK)
    assert hand.page.title == "Last games"


def test_looking_at_a_game_is_looking_at_the_last_games(kept):
    hand = _game(kept, 1)
    assert recalling(hand.menu)
    hand.press(Button.CLEAR)
    assert recalling(hand.menu)
    hand.press(Button.CLEAR)
    assert not recalling(hand.menu)
    hand.choose("Last games as text")
    assert recalling(hand.menu)


def test_a_game_whose_rows_were_dropped_says_so(kept):
    data = kept.data()
    late = replace(data, rounds=data.rounds[1:], records=None)
    hand = MenuHand(data=late)
    hand.choose("Last games", "Game 1")
    assert hand.page.picture is None
    assert "its rows were dropped from the journal" in " ".join(line.cells[0] for line in hand.page.lines)


def test_of_many_games_the_newest_are_listed_even_those_without_rows(kept):
    data = kept.data()
    machine = replace(data.machine, round_number=40)
    assert numbers(replace(data, rounds=(), machine=machine)) == tuple(range(40, 40 - LISTED, -1))
    assert numbers(data) == (3, 2, 1)
    few = replace(data, rounds=tuple({**story, "number": story["number"] + 20} for story in data.rounds))
    assert numbers(few) == tuple(range(23, 23 - LISTED, -1))


def test_a_game_by_other_rules_says_so_and_has_its_text(kept):
    hand = MenuHand(data=replace(kept.data(), records=None, games=(PastGame(number=2),)))
    hand.choose("Last games", "Game 2")
    assert hand.page.picture is None
    assert [line.style for line in hand.page.lines[:2]] == [LineStyle.WARN] * 2
    assert "it was played by other rules" in " ".join(line.cells[0] for line in hand.page.lines[:2])
    assert "RECALL  game 2, Table Blackjack, settled" in hand.text


def test_without_a_game_the_list_says_so():
    hand = MenuHand(data=bare_desk(seated()))
    hand.choose("Last games")
    assert [line.cells for line in hand.page.lines] == [("No game so far",)]
    assert all(line.style is LineStyle.NORMAL for line in hand.page.lines)

"""Recall: the last ten games, card by card, the open one too, marked as recall."""

from contextlib import ExitStack

import pytest
from support.attendant_data import MenuHand, keep
from support.machines import seated

from cabinet.attendant.recall import AFTER, CARDS_A_LINE, game_lines
from cabinet.engine.inputs import (
    Bet,
    BetAll,
    BillOffered,
    BillStacked,
    Button,
    CashOut,
    Deal,
    DeclineInsurance,
    Door,
    DoorClosed,
    DoorOpened,
    Double,
    Hit,
    Insure,
    Split,
    Stand,
    TicketPrinted,
    VoidRound,
)


@pytest.fixture
def table(tmp_path):
    """A cabinet at a table, with a journal."""
    with ExitStack() as undo:

        def sit(game_id: str = "table", cards: str = ""):
            found = keep(tmp_path, seated(game_id, credit=100_000), undo)
            found.do(BillOffered(cents=500), BillStacked(cents=500))
            found.cabinet.cards(cards)
            return found

        yield sit


def _rows(kept) -> list[tuple[str, ...]]:
    return [line.cells for line in game_lines(kept.data())]


@pytest.mark.requirement("EV-01", "EV-03")
def test_a_game_is_recalled_with_every_card_choice_stake_and_result(table):
    kept = table(cards="8S 6D 8H 10C 3D 10H 9C 7S")
    kept.do(Bet(), Deal(), Split(), Double(), Stand())
    title, *rows = _rows(kept)
    assert title[0] == "RECALL  game 1, Table Blackjack, settled"
    assert title[1]
    assert rows == [
        ("Credit before", "$1,005.00"),
        ("Bet on place 1", "$1.00"),
        ("Cards as drawn", "1:8S  D:6D  1:8H  D:10C  1:3D  1/2:10H  1:9C  D:7S"),
        ("Place 1 hand 1 chooses", "split, $1.00 more"),
        ("Place 1 hand 1 chooses", "double, $1.00 more"),
        ("Place 1 hand 2 chooses", "stand"),
        ("Place 1 hand 1", "win, stake $2.00, paid $4.00"),
        ("Place 1 hand 2", "win, stake $1.00, paid $2.00"),
        ("Staked, paid", "$3.00, $6.00"),
        ("Credit after", "$1,008.00"),
    ]


@pytest.mark.requirement("EV-01")
def test_insurance_taken_is_recalled(table):
    kept = table(cards="9S AD 8H 10C")
    kept.do(Bet(), Deal(), Insure())
    rows = _rows(kept)
    assert ("Place 1 hand 1 chooses", "insurance, $0.50 more") in rows
    assert ("Place 1 insurance", "stake $0.50, paid $1.50") in rows


@pytest.mark.requirement("EV-01")
def test_insurance_declined_is_recalled(table):
    kept = table(cards="9S AD 8H 10C")
    kept.do(Bet(), Deal(), DeclineInsurance())
    assert ("Place 1 hand 1 chooses", "no insurance") in _rows(kept)


@pytest.mark.requirement("EV-01")
def test_every_place_is_recalled(table):
    kept = table("european", "2S 3S 4S 5S 6S 9D 2H 3H 4H 5H 6H KD")
    kept.do(BetAll(), Deal(), *(Stand() for _ in range(5)))
    rows = _rows(kept)
    assert [cells[0] for cells in rows if cells[0].startswith("Bet on")] == [f"Bet on place {n}" for n in range(1, 6)]
    assert ("Cards as drawn", "1:2S  2:3S  3:4S  4:5S  5:6S  D:9D  1:2H  2:3H  3:4H  4:5H  5:6H  D:KD") in rows
    assert [cells[1] for cells in rows if cells[0] == "Place 5 hand 1"] == ["loss, stake $1.00, paid $0.00"]


@pytest.mark.requirement("EV-01")
def test_money_put_in_and_taken_out_is_recalled_with_its_game(table):
    kept = table(cards="9S 6D 8H 10C 10D")
    kept.do(
        Bet(), Deal(), BillOffered(cents=500), BillStacked(cents=500), Stand(), CashOut(), TicketPrinted(sequence=1)
    )
    titles = [cells[0] for cells in _rows(kept)]
    assert titles[titles.index("During the game: note in") :] == [
        "During the game: note in",
        "Staked, paid",
        "Credit after",
        AFTER,
        "Cash-out",
    ]
    assert ("Cash-out", "$1,011.00") in _rows(kept)


@pytest.mark.requirement("EV-01", "EV-04")
@pytest.mark.parametrize("void", [False, True], ids=["played", "voided"])
def test_money_that_follows_a_game_is_not_in_it(table, void):
    kept = table(cards="9S 6D 8H 10C 10D")
    kept.do(Bet(), Deal())
    if void:
        kept.do(DoorOpened(door=Door.MAIN))
        kept.cabinet.audit()
        kept.do(VoidRound(), DoorClosed(door=Door.MAIN))
        kept.cabinet.audit(on=False)
    else:
        kept.do(Stand())
    kept.do(BillOffered(cents=2_000), BillStacked(cents=2_000))
    rows = _rows(kept)
    last = [cells[0] for cells in rows].index("Credit after")
    assert rows[last + 1 :] == [(AFTER, ""), ("Note in", "$20.00")]


@pytest.mark.requirement("EV-01")
def test_a_game_without_money_behind_it_has_no_heading_for_it(table):
    kept = table(cards="9S 6D 8H 10C 10D")
    kept.do(Bet(), Deal(), Stand())
    assert AFTER not in [cells[0] for cells in _rows(kept)]


@pytest.mark.requirement("EV-01")
def test_what_stands_above_the_credit_after_adds_up_to_it(table):
    kept = table(cards="9S 6D 8H 10C 10D")
    kept.do(Bet(), Deal(), BillOffered(cents=500), BillStacked(cents=500), Stand())
    kept.do(BillOffered(cents=2_000), BillStacked(cents=2_000), CashOut(), TicketPrinted(sequence=1))
    (story,) = kept.data().rounds
    meanwhile = [each["cents"] for each in story["money"] if not each["after"]]
    assert meanwhile == [500]
    assert story["credit_before"] - story["staked"] + sum(meanwhile) + story["returned"] == story["credit_after"]


@pytest.mark.requirement("EV-04", "PL-02")
def test_the_open_game_is_recalled_and_its_hidden_card_stays_hidden(table):
    kept = table(cards="9S 6D 8H 10C")
    kept.do(Bet(), Deal())
    title, *rows = _rows(kept)
    assert title[0].endswith("open")
    assert ("Cards as drawn", "1:9S  D:6D  1:8H  D:??") in rows
    assert ("Credit after", "the game is open") in rows
    assert ("Staked so far, paid", "$1.00, open") in rows


def test_a_voided_game_is_recalled_as_voided(table):
    kept = table(cards="9S 6D 8H 10C")
    kept.do(Bet(), Deal(), DoorOpened(door=Door.MAIN))
    kept.cabinet.audit()
    kept.do(VoidRound())
    rows = _rows(kept)
    assert rows[0][0].endswith("voided")
    assert ("Staked, given back", "$1.00, $1.00") in rows


@pytest.mark.requirement("EV-01", "EV-03")
def test_ten_games_are_recalled_newest_first_each_marked(table):
    kept = table()
    for _ in range(12):
        kept.cabinet.cards("9S 6D 8H 10C 10D")
        kept.do(Bet(), Deal(), Stand())
    titles = [cells[0] for cells in _rows(kept) if cells[0].startswith("RECALL")]
    assert [title.split(",")[0] for title in titles] == [f"RECALL  game {number}" for number in range(12, 2, -1)]


@pytest.mark.requirement("EV-02")
def test_a_hand_of_many_cards_keeps_them_all(table):
    kept = table(cards="AS 6D AH 10C AC AD AS AH 2S 2H 2D 2C 2S")
    kept.do(Bet(), Deal(), *(Hit() for _ in range(9)))
    rows = _rows(kept)
    cards = [cells[1] for cells in rows if cells[0] in {"Cards as drawn", ""}]
    assert [len(line.split()) for line in cards] == [CARDS_A_LINE, 13 - CARDS_A_LINE]
    assert ("Place 1 hand 1", "cards win, stake $1.00, paid $2.00") in rows


@pytest.mark.requirement("EV-03")
def test_looking_back_changes_nothing(table):
    kept = table(cards="9S 6D 8H 10C 10D")
    kept.do(Bet(), Deal(), Stand())
    before, seq = kept.cabinet.machine, kept.journal.seq
    hand = MenuHand(data=kept.data())
    hand.choose("Last games as text")
    assert hand.text
    hand.choose("Last games", "Game 1")
    hand.press(*(Button.DEAL,) * 20, Button.CLEAR)
    assert (hand.asked, kept.cabinet.machine, kept.journal.seq) == ([], before, seq)


def test_without_a_game_the_page_says_so(table):
    assert _rows(table()) == [("No game so far",)]

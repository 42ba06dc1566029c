"""Meters, recall, log and tickets, read back from a journal."""

from collections.abc import Collection
from pathlib import Path

import pytest
from support.inputs import Hand
from support.journals import SESSION, keep, open_journal, random_steps, session_steps, stamp
from support.machines import SETTINGS, Cabinet, dealt, seated
from support.rounds import codes, seeded_draw

from cabinet.engine.cards import code_of
from cabinet.engine.inputs import (
    Bet,
    BetAll,
    CashOut,
    Deal,
    Hit,
    Input,
    Key,
    KeyTurned,
    PrintFailed,
    ResetPeriod,
    Split,
    Stand,
    TicketPrinted,
)
from cabinet.engine.ledger import Account
from cabinet.engine.log import LogKind
from cabinet.engine.machine import why_not
from cabinet.engine.rules import GAMES
from cabinet.engine.state import State
from cabinet.engine.step import Step
from cabinet.store import reports

IDS = tuple(GAMES)
METERS_1_3A = {
    "coin_in", "coin_out", "jackpots", "cancelled_credit", "games_played", "games_won", "games_lost", "games_pushed",
    "bills_in", "bills_by_denomination", "bills_rejected", "credit", "tickets_out", "tickets_out_count", "tickets_in",
    "total_won", "total_hand_paid", "hand_paid", "total_drop", "doors", "power_ups", "blackjacks", "doubles", "splits",
    "insurance_taken", "insurance_won", "pushes", "by_game", "suspended", "suspense_credited", "suspense_paid",
}  # fmt: skip


def recorded(cabinet: Cabinet, *inputs: Input) -> list[tuple[Input, Step]]:
    """Take the inputs and keep the steps."""
    return [(input_, cabinet.do(input_)) for input_ in inputs]


# --- meters -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("ME-01", "ME-10")
def test_every_meter_of_the_list_is_reported_for_lifetime_and_period() -> None:
    report = reports.meters(seated("table").machine, IDS)
    for span in ("lifetime", "period"):
        assert set(report[span]) >= METERS_1_3A
        assert set(report[span]["by_game"]) == set(IDS)
    assert set(report) >= {"credit", "games_since_power_up", "games_since_door_close", "in_cashbox",
                           "in_cashbox_by_denomination", "accounts"}  # fmt: skip


LISTS = {
    "bills": "bills_by_denomination",
    "doors": "doors",
    "closings": "closings",
    "bills_rejected": "bills_rejected_by_reason",
    "bills_refused": "bills_refused_by_reason",
    "hand_pays": "hand_pays_by_kind",
}
"""How the meters of each list begin, and its name in the report."""


@pytest.mark.requirement("ME-01", "ME-06")
def test_every_meter_that_moves_in_random_play_is_reported() -> None:
    machine = random_steps(41, 3_000)[-1][1].machine
    report = reports.meters(machine, IDS)["lifetime"]
    for name, value in machine.books.meters.items():
        head, _, tail = name.partition(":")
        if tail:
            shown = report[LISTS[head]][tail]
        elif "." in name:
            game_id, _, meter = name.partition(".")
            shown = report["by_game"][game_id][meter]
        else:
            shown = report[name]
        assert shown == value, name


@pytest.mark.requirement("ME-06")
def test_derived_sums_hold_in_random_play() -> None:
    for _, step in random_steps(42, 1_500)[::50]:
        report = reports.meters(step.machine, IDS)
        life = report["lifetime"]
        notes = sum(int(cents) * number for cents, number in life["bills_by_denomination"].items())
        assert life["bills_in"] == notes == life["total_drop"]
        assert life["total_hand_paid"] == life["hand_paid"]
        assert life["total_won"] == life["coin_out"]
        assert life["games_played"] == life["games_won"] + life["games_lost"] + life["games_pushed"]
        for meter in ("coin_in", "coin_out", "games_played", "games_won", "games_lost", "games_pushed"):
            assert life[meter] == sum(game[meter] for game in life["by_game"].values())
        assert sum(report["accounts"].values()) == 0
        assert set(report["accounts"]) == {account.value for account in Account}


@pytest.mark.requirement("ME-04", "AT-10")
def test_a_period_is_the_lifetime_less_what_it_was_when_the_period_began() -> None:
    cabinet = dealt("table", "AS 6D KH 10C")
    cabinet.audit()
    before = reports.meters(cabinet.machine, IDS)["lifetime"]
    cabinet.do(ResetPeriod())
    cabinet.audit(on=False)
    cabinet.note(500)
    report = reports.meters(cabinet.machine, IDS)
    assert report["lifetime"]["bills_in"] == before["bills_in"] + 500
    assert report["lifetime"]["coin_in"] == before["coin_in"] == 100
    assert (report["period"]["bills_in"], report["period"]["coin_in"]) == (500, 0)
    assert report["period"]["bills_by_denomination"]["500"] == 1
    assert report["period"]["by_game"]["table"]["games_played"] == 0


# --- recall -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("EV-01")
def test_a_round_is_recalled_with_every_card_choice_stake_result_and_cent(tmp_path: Path) -> None:
    cabinet = seated("classic", credit=1_000, cards="8S 10C 8H 7D 10S 2S 10H")
    cabinet.do(Bet(place=0), Deal(), Split(), Stand(), Hit(), Stand(), CashOut(), TicketPrinted(sequence=1))
    keep(tmp_path, *cabinet.history)
    with open_journal(tmp_path) as journal:
        (story,) = reports.recall(journal.connection, rounds=10)
    assert (story["number"], story["game"], story["open"], story["voided"]) == (1, "classic", False, False)
    assert (story["credit_before"], story["credit_after"]) == (1_000, 1_200)
    assert (story["bets"], story["staked"], story["returned"]) == ([100], 200, 400)
    assert story["cards"] == ["8S", "10C", "8H", "7D", "10S", "2S", "10H"]
    assert [(choice["hand"], choice["choice"], choice["added"]) for choice in story["choices"]] == [
        (0, "split", 100), (0, "stand", 0), (1, "hit", 0), (1, "stand", 0),
    ]  # fmt: skip
    assert [(r["hand"], r["outcome"], r["returned"]) for r in story["results"]] == [(0, "win", 200), (1, "win", 200)]
    assert [(money["kind"], money["cents"]) for money in story["money"]] == [("cash-out", 1_200)]
    deal = [type(input_) for input_, _ in cabinet.history].index(Deal)
    assert story["began_ms"] == stamp(deal + 1).wall_ms


@pytest.mark.requirement("EV-01")
def test_an_open_round_says_what_is_staked_so_far_and_nothing_of_what_it_pays(tmp_path: Path) -> None:
    cabinet = seated("classic", credit=1_000, cards="8S 10C 8H 7D 10S 2S 10H")
    cabinet.do(Bet(place=0), Deal(), Split())
    keep(tmp_path, *cabinet.history)
    with open_journal(tmp_path) as journal:
        (story,) = reports.recall(journal.connection, rounds=10)
    assert (story["open"], story["staked"], story["returned"]) == (True, 200, None)


@pytest.mark.requirement("EV-01")
def test_results_stand_in_order_of_place_and_hand_whenever_they_were_settled(tmp_path: Path) -> None:
    cabinet = seated("european", credit=100_000, cards="9H 7S 10S 6D 8H 6S 8D 10C 10H 10D 9C")
    cabinet.do(Bet(place=0), Bet(place=2), Bet(place=4), Deal(), Stand())
    while cabinet.state is not State.SETTLED:
        cabinet.attempt(Hit())
    keep(tmp_path, *cabinet.history)
    with open_journal(tmp_path) as journal:
        (story,) = reports.recall(journal.connection, rounds=10)
    places = [result["place"] for result in story["results"]]
    assert places == sorted(places) == [0, 2, 4]


@pytest.mark.requirement("EV-01")
def test_the_last_ten_games_are_recalled_in_order_with_the_money_in_between(tmp_path: Path) -> None:
    cabinet = seated("table", draw=seeded_draw(3))
    hand = Hand(3, SETTINGS)
    cabinet.do(Bet(place=0))
    for _ in range(14):
        cabinet.do(Deal())
        while cabinet.state is not State.SETTLED:
            cabinet.attempt(hand.sensible(cabinet.machine))
    keep(tmp_path, *cabinet.history)
    with open_journal(tmp_path) as journal:
        stories = reports.recall(journal.connection, rounds=10)
    numbers = [story["number"] for story in stories]
    assert numbers == list(range(numbers[-1] - 9, numbers[-1] + 1))
    for story in stories:
        if story["voided"]:
            continue  # what came and went after it was voided stands with it, too
        between = sum(money["cents"] for money in story["money"] if money["kind"] == "bill in")
        assert story["credit_after"] == story["credit_before"] - story["staked"] + story["returned"] + between


@pytest.mark.requirement("EV-04", "SE-06", "EV-03")
@pytest.mark.parametrize(("game_id", "hidden"), [("table", 3), ("classic", 1)])
def test_the_open_game_is_in_recall_with_its_face_down_card_hidden(tmp_path: Path, game_id: str, hidden: int) -> None:
    cabinet = seated(game_id, cards="8S 6D 9H 10C")
    cabinet.do(Bet(place=0), Deal())
    keep(tmp_path, *cabinet.history)
    expected = ["8S", "6D", "9H", "10C"]
    expected[hidden] = reports.HIDDEN
    with open_journal(tmp_path) as journal:
        (story,) = reports.recall(journal.connection, rounds=10)
        assert journal.machine == cabinet.machine
    assert (story["open"], story["credit_after"], story["cards"]) == (True, None, expected)
    assert [each["card"] for each in story["dealt"]] == [None if card == reports.HIDDEN else card for card in expected]


@pytest.mark.requirement("EV-02")
def test_the_longest_round_is_kept_whole(tmp_path: Path) -> None:
    """Five places, four hands on each, every hand hit with small cards as long as it lasts."""
    cabinet = seated("european", credit=300_000)
    cabinet.do(BetAll())
    pack = ["2S", "3S", "4S", "5S", "6S", "7D", "2H", "3H", "4H", "5H", "6H"]
    cabinet.cards(" ".join(pack))
    cabinet.do(Deal())
    drawn, presses = list(pack), 0
    while cabinet.state is State.DECIDING:
        press, cards = _long_choice(cabinet)
        cabinet.draw = _Enough(cards)
        cabinet.do(press)
        presses += 1
        assert cabinet.last is not None
        drawn += codes(cabinet.last.drawn).split()
    keep(tmp_path, *cabinet.history)
    with open_journal(tmp_path) as journal:
        (story,) = reports.recall(journal.connection, rounds=1)
    assert story["cards"] == drawn
    assert len(story["results"]) == 20
    assert len(story["choices"]) == presses > 100
    assert len(story["cards"]) > 130


class _Enough:
    """Draws the first card that is not out of these ranks, small ones first."""

    def __init__(self, first: str) -> None:
        self.first = first

    def __call__(self, out: Collection[int]) -> int:
        return next(card for rank in self.first for card in range(312) if code_of(card)[0] == rank and card not in out)


def _long_choice(cabinet: Cabinet) -> tuple[Input, str]:
    """Split while it can be, into the same pair again; else hit with the smallest card; else stand."""
    round_ = cabinet.machine.round
    assert round_ is not None
    assert round_.turn is not None
    place, hand = round_.turn
    if why_not(SETTINGS, cabinet.machine, Split()) is None:
        return Split(), code_of(round_.places[place].hands[hand].cards[0])[0]
    return (Hit() if why_not(SETTINGS, cabinet.machine, Hit()) is None else Stand()), "A23456789"


@pytest.mark.requirement("EV-03", "TE-04")
def test_a_voided_round_is_recalled_as_such_and_recall_changes_nothing(tmp_path: Path) -> None:
    keep(tmp_path, *session_steps(SESSION))
    with open_journal(tmp_path) as journal:
        before = journal.machine
        changes = journal.connection.total_changes
        stories = reports.recall(journal.connection, rounds=10)
        assert journal.connection.total_changes == changes
        assert journal.machine is before
    assert [(story["number"], story["voided"]) for story in stories] == [(1, False), (2, False), (3, True), (4, False)]
    assert stories[2]["results"] == []
    assert stories[2]["credit_before"] == stories[2]["credit_after"]


# --- lists ------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("BA-10", "EV-05")
def test_the_log_is_read_newest_first_and_by_kind(tmp_path: Path) -> None:
    keep(tmp_path, *session_steps(SESSION))
    with open_journal(tmp_path) as journal:
        newest = reports.events(journal.connection, limit=5)
        notes = reports.events(journal.connection, limit=5, what=("note accepted", "note recovered after power-up"))
        everything = reports.events(journal.connection, limit=10_000)
    assert newest == everything[:5]
    assert newest[0].what == "power down"
    assert [entry.number for entry in everything] == list(range(len(everything), 0, -1))
    assert [note.cents for note in notes] == [5_000, 10_000, 10_000, 5_000, 1_000]
    assert all(note.wall_ms and note.clock_ok for note in notes)


@pytest.mark.requirement("TP-09")
def test_the_last_tickets_are_read_newest_first(tmp_path: Path) -> None:
    cabinet = seated("table", credit=0)
    steps: list[tuple[Input, Step]] = []
    for sequence in range(1, 41):
        cabinet.note(100)
        steps += recorded(cabinet, CashOut(), TicketPrinted(sequence=sequence))
    with open_journal(tmp_path) as journal:
        for input_, step in steps:
            journal.commit(input_, step, stamp(journal.seq + 1))
        listed = reports.tickets(journal.connection, limit=35)
    assert [ticket.sequence for ticket in listed] == list(range(40, 5, -1))
    assert {(ticket.state, ticket.cents, ticket.duplicates) for ticket in listed} == {("issued", 100, 0)}


def test_the_entries_of_one_step_are_read_together_and_no_others(tmp_path: Path) -> None:
    cabinet = seated("table", credit=500)
    cabinet.do(CashOut(), PrintFailed(sequence=1, reason="no paper"))
    cabinet.do(KeyTurned(key=Key.RESET, on=True), KeyTurned(key=Key.AUDIT, on=True))
    keep(tmp_path, *cabinet.history)
    with open_journal(tmp_path) as journal:
        (paid,) = reports.events(journal.connection, limit=9, what=[LogKind.HAND_PAID.value])
        step = reports.events_of_step(journal.connection, paid.number)
        assert [row.what for row in step] == [LogKind.SETTLED.value, LogKind.HAND_PAID.value]
        assert step[1] == paid
        assert reports.events_of_step(journal.connection, 10**6) == ()

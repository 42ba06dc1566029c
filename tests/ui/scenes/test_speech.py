"""The message line."""

import pytest
from support.cases import case
from support.snapshot import Player, at, notes

from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillRejected,
    BillReturned,
    CallAttendant,
    CashOut,
    ChooseChip,
    Deal,
    Door,
    DoorOpened,
    Fault,
    FaultBegan,
    Hit,
    Input,
    Key,
    KeyTurned,
    PlayerLeft,
    PoweredUp,
    SetOutOfService,
    Split,
    Stand,
    TicketPrinted,
)
from cabinet.engine.state import Settings, State
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked
from cabinet.text.messages import ENGLISH
from cabinet.ui.scenes.notices import notice
from cabinet.ui.scenes.speech import CALLED_S, event_text, is_win, paid_out_text, said_until_s, speech


def said(*inputs: Input, cards: str | None = None, settings: Settings | None = None) -> tuple[str, str]:
    """Returns message and hint long after these inputs."""
    return speech(Player(settings=settings or Settings()).put(*inputs, cards=cards).settle().moment())


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ((), "Choose your game"),
        (at("classic"), "Place your bets"),
        (at("classic", credit_cents=0)[:1], "Insert a note to play"),
        ((*at("classic"), Bet()), "Press DEAL when you are ready"),
        ((*at("classic"), CashOut()), "Your ticket is being printed"),
        ((*at("classic"), CashOut(), TicketPrinted(sequence=1)), "Paid out $300.00"),
    ],
)
def test_each_state_has_its_sentence(inputs: tuple[Input, ...], message: str):
    assert said(*inputs)[0] == message


@pytest.mark.requirement("TE-02", "TE-03")
def test_the_message_line_asks_for_a_call_exactly_where_the_notice_of_a_lock_does():
    found = set()
    for fault in Fault:
        player = Player().put(*at("classic"), FaultBegan(fault=fault)).settle()
        shown = notice(player.moment())
        for called in (False, True) if shown is not None and player.moment().state is State.LOCKED else ():
            moment = (player.put(CallAttendant()).settle() if called else player).moment()
            shown, line = notice(moment), speech(moment)[0]
            assert shown is not None
            asks = shown.advice.startswith("Please press SERVICE")
            assert (line == "Press SERVICE for the attendant") == asks, fault
            assert asks or line == "Please wait for the attendant", fault
            found.add(asks)
    assert found == {False, True}


@pytest.mark.parametrize(
    ("game", "cards", "inputs", "message"),
    [
        ("classic", "10S 6S 6H 10D", (), "16 against a ten"),
        ("classic", "AS 6S 7H 8D", (), "Soft 18 against an eight"),
        ("european", "10S AC 6H", (Hit(),), "Place 1: insurance for $12.50?"),
        ("european", "10S KC 6H", (), "Place 1: 16 against a ten"),
        ("table", "8S 6S 8H 10D 3C 10H", (Split(),), "First hand: 11 against a six"),
        ("european", "8S 6S 8H 3C 10H", (Split(),), "Place 1, first hand: 11 against a six"),
        ("table", "10S AS 9H 5D", (), "Insurance for $12.50?"),
    ],
)
def test_a_decision_is_named_by_place_hand_total_and_upcard(
    game: str, cards: str, inputs: tuple[Input, ...], message: str
):
    assert said(*at(game), Bet(), Deal(), *inputs, cards=cards)[0] == message


def test_places_without_credit_for_insurance_are_named_together():
    bets = (Bet(place=0), Bet(place=2), Bet(place=3), Bet(place=4))
    message, hint = said(*at("european", credit_cents=10_000), *bets, Deal(), cards="KS AD 8S QD AC 9H 6C 8D 7S")
    assert message == "Places 1, 3, 4, 5: insurance for $50.00?"
    assert hint == "Insert a note to insure; STAND is no"


def test_no_hint_asks_for_a_note_while_none_are_taken():
    chip = ChooseChip(chip_cents=10_000)
    player = Player(notes=False).put(*at("table", credit_cents=10_000), chip, Bet(), Deal(), cards="10S AS 9H 5D")
    assert speech(player.settle().moment())[1] == "Your credit does not cover it: STAND is no"


@pytest.mark.parametrize(
    ("credit_cents", "hint"), [(20_000, "Press STAND to go on"), (30_000, "Touch or press a lit button")]
)
def test_at_a_21_that_may_be_doubled_the_other_button_counts_too(credit_cents: int, hint: str):
    cards = "KS 10S KH 9D AS 5H"
    assert said(*at("classic", 10_000, credit_cents), Bet(), Deal(), Split(), cards=cards)[1] == hint


def test_at_21_the_hint_is_to_stand():
    assert said(*at("table"), Bet(), Deal(), Hit(), cards="10S 9S 6H 10D 5D")[1] == "Press STAND to go on"


@pytest.mark.requirement("PD-19")
@pytest.mark.parametrize(
    ("cards", "last", "message", "win"),
    [
        ("AS 6S 7H 9D KH", Stand(), "You win $25.00!", True),
        ("10S 9S 9H 10D", Stand(), "Your stake comes back", False),
        ("10S 9S 8H 10D", Stand(), "The dealer wins with 19", False),
        ("10S 9S 6H 10D KD", Hit(), "The dealer wins", False),
    ],
)
def test_a_round_ends_in_one_sentence(cards: str, last: Input, message: str, win: bool):
    moment = Player().put(*at("classic"), Bet(), Deal(), last, cards=cards).settle().moment()
    assert speech(moment)[0] == message
    assert is_win(moment) is win


@pytest.mark.requirement("PD-19")
def test_a_return_below_the_stakes_is_no_win():
    player = Player().put(*at("european"), Bet(place=0), Bet(place=1), Deal(), cards="10S 9S 10C 10H 9H")
    moment = player.put(Stand(), Stand(), cards="KC").settle().moment()
    assert speech(moment)[0] == "$25.00 comes back"
    assert not is_win(moment)


def test_an_animation_has_its_text_and_the_result_comes_last():
    player = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH")
    lines_shown = player.shows(lambda screen: screen.rail.message)
    assert "You win" not in str(lines_shown[0])
    assert lines_shown[-2:] == ["The dealer’s turn", "You win $25.00!"]
    assert not is_win(Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH").moment())


def test_an_event_is_shown_for_a_moment():
    player = Player().put(*at("classic"), *notes(10_000)).wait(0.5)
    assert event_text(player.moment()) == "$100.00 added"
    until_s = said_until_s(player.moment())
    assert until_s is not None
    player.now_s = until_s
    assert event_text(player.moment()) == ""
    assert said_until_s(player.moment()) is None


@pytest.mark.parametrize(
    ("last", "message"),
    [
        (Hit(), "Not possible now"),
        (BillOffered(cents=12_300), "Please take your note back"),
        (BillRejected(reason="unknown"), "That note was not accepted"),
    ],
)
def test_refusals_are_explained(last: Input, message: str):
    assert event_text(Player().put(*at("classic"), last).wait(0.1).moment()) == message


def test_deal_without_a_bet_names_the_missing_part():
    for credit, taken, message in (
        (0, True, "Insert a note to play"),
        (0, False, "No notes can be taken at the moment"),
        (10_000, True, "Place a bet first"),
    ):
        with case(credit=credit, taken=taken):
            player = Player(notes=taken).put(*at("classic", credit_cents=credit), Deal())
            assert event_text(player.wait(0.1).moment()) == message


def test_a_note_that_the_acceptor_gave_back_is_explained():
    player = Player().put(*at("classic"), BillOffered(cents=2_000), BillReturned()).wait(0.1)
    assert event_text(player.moment()) == "Please take your note back"


@pytest.mark.requirement("TP-12")
@pytest.mark.parametrize(
    ("standing", "message"),
    [
        (Standing.USED, "This ticket has been paid already"),
        (Standing.EXPIRED, "This ticket has expired"),
        (Standing.UNKNOWN, "This ticket is not from this machine"),
        (Standing.VOID, "This ticket is not good any more"),
        (Standing.OPEN, "Please show this ticket to the attendant"),
        (Standing.CLEARED, "Please show this ticket to the attendant"),
    ],
)
def test_a_returned_ticket_is_explained(standing: Standing, message: str):
    player = Player().put(*at("classic"), TicketOffered(sequence=1, cents=500, standing=standing)).wait(0.1)
    assert event_text(player.moment()) == message


@pytest.mark.requirement("TP-12")
def test_a_ticket_taken_or_over_the_limit_is_called_a_ticket():
    payable = {"sequence": 1, "cents": 30_000, "standing": Standing.PAYABLE}
    paid = Player(settings=Settings(credit_limit_cents=30_000)).put(*at("classic"), CashOut())
    paid.put(TicketPrinted(sequence=1), *notes(10_000), TicketOffered(**payable)).wait(0.1)
    assert event_text(paid.moment()) == "Please take your ticket back: $300 is the most credit"
    back = Player().put(*at("classic"), CashOut(), TicketPrinted(sequence=1))
    back.put(TicketOffered(**payable), TicketStacked(**payable)).wait(0.5)
    assert event_text(back.moment()) == "Ticket of $300.00 added"


def test_limits_are_named_when_they_refuse():
    over = Player().put(*at("classic", 10_000), Bet(), Bet()).wait(0.1).moment()
    assert event_text(over) == "The limit is $100"
    poor = Player().put(*at("classic", 10_000, 10_000), Bet(), CallAttendant(), Bet()).wait(0.1).moment()
    assert event_text(poor) == "The limit is $100"
    full = Player(settings=Settings(credit_limit_cents=10_000)).put(*at("classic", 100, 10_000))
    full.put(BillOffered(cents=10_000)).wait(0.1)
    assert event_text(full.moment()) == "Please take your note back: $100 is the most credit"


@pytest.mark.requirement("PD-24")
def test_several_payments_are_added_up():
    player = Player().put(*at("classic"))
    assert paid_out_text(player.moment()) == ""
    player.put(CashOut(), TicketPrinted(sequence=1), *notes(20_000), CashOut(), TicketPrinted(sequence=2))
    assert paid_out_text(player.moment()) == "Paid out $200.00, $500.00 in all"


def test_power_service_and_closing_stand_in_the_hint():
    assert said(*at("classic"), PoweredUp(clean=False))[1] == "The machine was restarted; your credit is as it was"
    hand = (*at("classic"), Bet(), Deal(), PoweredUp(clean=False))
    assert said(*hand, cards="AS 6S 7H 9D")[1] == "The machine was restarted; your hand is as it was"
    closing = (KeyTurned(key=Key.AUDIT, on=True), SetOutOfService(out=True), KeyTurned(key=Key.AUDIT, on=False))
    assert said(*at("classic"), *closing)[0] == "Out of service"
    assert said(*at("classic"), *closing, DoorOpened(door=Door.MAIN))[0] == "Please wait for the attendant"


def test_no_text_asks_for_a_note_while_notes_are_off():
    player = Player(notes=False).put(*at("classic", credit_cents=0)[:1]).settle()
    assert speech(player.moment())[0] == "No notes can be taken at the moment"


def test_an_idle_machine_shows_how_to_choose_a_language_and_read_the_rules():
    idle = Player().put(PlayerLeft())
    assert speech(idle.moment())[1] == "Hold CHIP for another language, PLACE for the rules"
    assert speech(idle.read(languages=(ENGLISH,)).moment())[1] == "Hold PLACE for the rules"


def test_a_call_is_confirmed_for_a_while_and_the_hints_return_during_it():
    player = Player().put(*at("classic")).settle()
    hint = speech(player.moment())[1]
    player.put(CallAttendant()).wait(CALLED_S - 1)
    assert speech(player.moment())[1] == "The attendant has been called"
    until_s = said_until_s(player.moment())
    assert until_s is not None
    player.wait(until_s - player.now_s)
    assert speech(player.moment())[1] == hint
    assert said_until_s(player.moment()) is None
    assert player.machine.calling
    player.put(CallAttendant()).wait(1)
    assert not player.machine.calling
    assert speech(player.moment())[1] == hint


def test_after_the_last_stand_no_players_card_is_announced():
    player = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="10S 9S 8H 7D KH")
    lines_shown = []
    while player.now_s < player.snapshot.open_at_s:
        lines_shown.append(speech(player.moment())[0])
        player.wait(0.02)
    assert lines_shown[0] == "The dealer’s turn"
    assert "Your card" not in lines_shown

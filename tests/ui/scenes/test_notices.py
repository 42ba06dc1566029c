"""Every lock in plain words; payments as they happen."""

from dataclasses import replace
from itertools import combinations

import pytest
from support.cases import case
from support.snapshot import Player, at, notes, snapshot_of

from cabinet.attendant.pages import Page
from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillStacked,
    Button,
    CallAttendant,
    CashOut,
    Deal,
    Door,
    DoorClosed,
    DoorOpened,
    Fault,
    FaultBegan,
    Input,
    Key,
    KeyTurned,
    SessionEnded,
    SetOutOfService,
    SettleLock,
    Settlement,
    TicketPrinted,
)
from cabinet.engine.locks import LOCKS, find
from cabinet.engine.state import Lock, LockKind, Settings
from cabinet.text.messages import LANGUAGES, Language
from cabinet.ui.scenes.notices import LOCK_TEXTS, PAID_S, notice, notice_until_s
from cabinet.ui.view import NoticeTone, OverlayAction

STOPPING = [kind for kind, rule in LOCKS.items() if rule.stops_play]


def under(*kinds: LockKind, cents: int = 0, settings: Settings | None = None) -> Player:
    """Returns a player at a table under these locks."""
    player = Player(settings=settings or Settings()).put(*at("classic")).settle()
    locks = tuple(Lock(lock_id=n, kind=kind, cents=cents) for n, kind in enumerate(kinds, start=1))
    player.machine = replace(player.machine, locks=locks)
    player.snapshot = snapshot_of(player.machine, now_s=player.now_s)
    return player


@pytest.mark.requirement("TE-02")
def test_every_lock_that_stops_play_explains_itself_and_the_next_step():
    for kind in STOPPING:
        with case(kind=kind):
            shown = notice(under(kind).moment())
            assert shown is not None
            assert shown.title
            assert shown.sentence.endswith(".")
            assert shown.advice.endswith(".")
            assert "0042" in shown.foot


@pytest.mark.requirement("PL-07")
def test_the_amount_of_damaged_records_is_marked_as_not_certain():
    shown = notice(under(LockKind.MEMORY, cents=500).moment())
    assert (shown.amount, shown.amount_label) == ("$5.00", "AMOUNT NOT CERTAIN")


def test_every_kind_of_lock_has_a_text_and_none_mentions_a_full_cash_box():
    for kind in LockKind:
        with case(kind=kind):
            assert kind in LOCK_TEXTS
            shown = notice(under(kind).moment())
            assert (shown is not None) is LOCKS[kind].stops_play
            read = "" if shown is None else f"{shown.title} {shown.sentence} {shown.advice}".lower()
            assert "full" not in read
            assert "cash box" not in read


@pytest.mark.requirement("TE-02")
def test_several_locks_are_all_named_the_most_serious_first():
    shown = notice(under(LockKind.PRINTER_JAM, LockKind.BILL_JAM, LockKind.MAIN_DOOR).moment())
    assert shown is not None
    assert shown.title == "Door open"
    assert shown.more == ("Also: Note stuck", "Also: Ticket printer")


@pytest.mark.requirement("TE-02")
@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_no_title_is_read_twice_in_a_notice(language: Language):
    player = under().read(language=language)
    for kinds in combinations(STOPPING, 2):
        locks = tuple(Lock(lock_id=number, kind=kind) for number, kind in enumerate(kinds))
        player.snapshot = snapshot_of(replace(player.machine, locks=locks), now_s=player.now_s)
        shown = notice(player.moment())
        assert shown is not None
        assert not any(shown.title in line for line in shown.more), kinds


@pytest.mark.requirement("CM-08")
def test_a_hand_pay_shows_its_amount_and_can_be_cancelled():
    player = Player(settings=Settings(ticket_max_cents=10_000)).put(*at("classic"), CashOut()).settle()
    shown = notice(player.moment())
    assert shown is not None
    assert (shown.amount, shown.amount_label) == ("$300.00", "TO BE PAID")
    assert [button.action for button in shown.buttons] == [OverlayAction.BACK_OUT]
    player.put(DoorOpened(door=Door.MAIN)).settle()
    shown = notice(player.moment())
    assert shown is not None
    assert shown.buttons == ()


def test_a_called_attendant_is_announced_to_the_player():
    player = Player().put(*at("classic"), FaultBegan(fault=Fault.BILL_JAM), CallAttendant()).settle()
    shown = notice(player.moment())
    assert shown is not None
    assert shown.advice.startswith("The attendant has been called")


@pytest.mark.requirement("RG-05")
def test_out_of_service_says_that_the_credit_can_be_cashed_out():
    shown = notice(under(LockKind.OUT_OF_SERVICE).moment())
    assert shown is not None
    assert shown.covers
    assert shown.advice == "You can still press CASH OUT."


def test_the_ticket_of_a_closed_machine_is_announced_before_its_lock():
    player = under(LockKind.OUT_OF_SERVICE).put(CashOut()).settle().put(TicketPrinted(sequence=1)).wait(1)
    shown = notice(player.moment())
    assert shown is not None
    assert (shown.title, shown.amount) == ("Please take your ticket", "$300.00")
    assert notice_until_s(player.moment()) is not None
    player.wait(PAID_S)
    after = notice(player.moment())
    assert after is not None
    assert after.title == "Out of service"


@pytest.mark.requirement("TP-01", "RG-04")
def test_printing_and_paying_show_their_amount():
    player = Player().put(*at("classic"), CashOut()).settle()
    printing = notice(player.moment())
    assert printing is not None
    assert (printing.title, printing.amount, printing.tone) == (
        "Your ticket is being printed",
        "$300.00",
        NoticeTone.CALM,
    )
    assert printing.amount_label == "AMOUNT", "nothing is paid before the ticket is out"
    player.put(TicketPrinted(sequence=1)).wait(1)
    paid = notice(player.moment())
    assert paid is not None
    assert (paid.title, paid.amount, paid.foot) == ("Please take your ticket", "$300.00", "Help: 0800")
    assert paid.amount_label == "PAID OUT"
    assert notice_until_s(player.moment()) == pytest.approx(player.now_s - 1 + PAID_S)
    player.wait(PAID_S)
    assert notice(player.moment()) is None
    assert notice_until_s(player.moment()) is None


@pytest.mark.requirement("TP-08")
def test_the_notice_of_a_waiting_ticket_stays_until_it_is_taken():
    player = Player().put(*at("classic"), CashOut(), TicketPrinted(sequence=1)).wait(PAID_S + 1)
    assert notice(player.moment()) is None
    player.snapshot = replace(player.snapshot, ticket_waits=True)
    waiting = notice(player.moment())
    assert waiting is not None
    assert (waiting.title, waiting.passing) == ("Please take your ticket", True)
    assert notice_until_s(player.moment()) is None, "nothing is drawn again while nothing changes"
    player.snapshot = replace(player.snapshot, ticket_waits=False)
    assert notice(player.moment()) is None


@pytest.mark.requirement("TP-08")
def test_a_cash_out_behind_an_earlier_ticket_explains_the_next_step():
    player = Player().put(*at("classic"), CashOut()).settle()
    player.snapshot = replace(player.snapshot, ticket_waits=True)
    shown = notice(player.moment())
    assert shown is not None
    assert (shown.title, shown.sentence) == (
        "Please take your ticket",
        "The next one is printed as soon as it has been taken.",
    )


@pytest.mark.requirement("RG-05", "RG-04")
@pytest.mark.parametrize("kind", [kind for kind in STOPPING if not LOCKS[kind].stops_cash_out])
def test_a_ticket_being_printed_is_shown_under_every_lock_that_allows_it(kind: LockKind):
    player = Player().put(*at("classic"), CashOut()).settle()
    player.machine = replace(player.machine, locks=(Lock(lock_id=1, kind=kind),))
    player.snapshot = snapshot_of(player.machine, now_s=player.now_s)
    shown = notice(player.moment())
    assert shown is not None
    assert (shown.title, shown.foot) == ("Your ticket is being printed", "Help: 0800")


def test_no_notice_covers_a_hand_in_play():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D")
    assert notice(player.moment()) is None
    assert notice(player.settle().moment()) is None


def test_a_door_that_is_shut_is_not_called_open():
    player = Player().put(*at("classic"), DoorOpened(door=Door.LOGIC)).settle()
    shown = notice(player.moment())
    assert shown is not None
    assert shown.title == "Door open"
    player.put(DoorClosed(door=Door.LOGIC)).settle()
    shown = notice(player.moment())
    assert shown is not None
    assert shown.title == "A door was opened"


def _hand_pay(*more: Input) -> Player:
    return Player(settings=Settings(ticket_max_cents=10_000)).put(*at("classic"), CashOut(), *more).wait(1)


@pytest.mark.requirement("CM-08")
def test_cancelling_a_payment_promises_play_only_where_play_is_possible():
    shown = notice(_hand_pay().moment())
    assert shown is not None
    assert [button.word for button in shown.buttons] == ["KEEP PLAYING"]
    out = (KeyTurned(key=Key.AUDIT, on=True), SetOutOfService(out=True), KeyTurned(key=Key.AUDIT, on=False))
    player = _hand_pay(*out)
    assert find(player.machine, LockKind.OUT_OF_SERVICE) is not None
    kept = notice(player.moment())
    assert kept is not None
    assert [button.word for button in kept.buttons] == ["KEEP AS CREDIT"]
    assert "There is no play now" in kept.advice
    player.settle()
    legends = player.screen().rail.legends
    assert [legend.second for legend in legends if legend.button is Button.CASH_OUT] == ["keep as credit"]


@pytest.mark.requirement("AT-08")
def test_a_payment_by_the_reset_key_shows_its_receipt_until_the_next_hand():
    player = _hand_pay(KeyTurned(key=Key.RESET, on=True), KeyTurned(key=Key.RESET, on=False))
    assert not player.machine.locks
    paid = notice(player.moment())
    assert paid is not None
    assert (paid.title, paid.sentence, paid.amount) == ("Paid by the attendant", "Receipt number 1", "$300.00")
    player.wait(PAID_S)
    assert notice(player.moment()) is None
    said = player.screen().rail
    assert "Paid out $300.00, receipt number 1" in (said.message, said.hint)


@pytest.mark.requirement("AT-08")
def test_a_payment_from_the_menu_shows_after_the_menu_was_closed():
    player = _hand_pay(KeyTurned(key=Key.AUDIT, on=True))
    lock = find(player.machine, LockKind.HAND_PAY)
    assert lock is not None
    player.put(SettleLock(lock_id=lock.lock_id, how=Settlement.PAID_BY_HAND))
    player.wait(PAID_S * 2)
    player.snapshot = replace(player.snapshot, attendant=Page(title="-"), paid_hidden=True)
    player.put(KeyTurned(key=Key.AUDIT, on=False)).wait(1)
    paid = notice(player.moment())
    assert paid is not None
    assert paid.sentence == "Receipt number 1"


@pytest.mark.requirement("AT-08")
def test_a_payment_that_was_shown_is_not_shown_again_after_a_later_visit_of_the_attendant():
    player = _hand_pay(KeyTurned(key=Key.RESET, on=True), KeyTurned(key=Key.RESET, on=False)).wait(PAID_S)
    player.put(*notes(10_000), KeyTurned(key=Key.AUDIT, on=True))
    player.snapshot = replace(player.snapshot, attendant=Page(title="-"))
    player.put(KeyTurned(key=Key.AUDIT, on=False)).wait(1)
    assert notice(player.moment()) is None


@pytest.mark.requirement("TP-08")
def test_the_screen_asks_for_the_ticket_until_the_player_acts_although_the_paper_is_out():
    player = Player().put(*at("classic"), CashOut(), TicketPrinted(sequence=1)).wait(1)
    player.step(FaultBegan(fault=Fault.PAPER_OUT))
    player.wait(1)
    shown = notice(player.moment())
    assert shown is not None
    assert shown.title == "Please take your ticket"
    player.snapshot = replace(player.snapshot, ticket_waits=True)
    player.wait(PAID_S * 10)
    player.step(SessionEnded())
    assert notice(player.moment()) is not None
    player.step(BillOffered(cents=10_000))
    player.step(BillStacked(cents=10_000))
    assert notice(player.moment()) is None


@pytest.mark.requirement("TE-02")
def test_a_jam_names_its_note():
    player = Player().put(*at("classic"), BillOffered(cents=5_000), FaultBegan(fault=Fault.BILL_JAM)).settle()
    shown = notice(player.moment())
    assert shown is not None
    assert (shown.title, shown.amount, shown.amount_label) == ("Note stuck", "$50.00", "AMOUNT")

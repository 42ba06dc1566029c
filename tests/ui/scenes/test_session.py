"""The session on the screen, and the player's own limits."""

from dataclasses import replace

import pytest
from support.snapshot import WALL, Player, at, notes

from cabinet.engine.inputs import (
    Bet,
    CashOut,
    ChooseGame,
    Deal,
    Fault,
    FaultBegan,
    Input,
    LimitLoss,
    LimitTime,
    SessionBegan,
    Stand,
    TicketPrinted,
    TimeLimitReached,
)
from cabinet.engine.session import LOSS
from cabinet.engine.state import LockKind, Settings
from cabinet.ui.scenes.notices import notice
from cabinet.ui.scenes.session import session_change_s, session_view
from cabinet.ui.scenes.speech import speech
from cabinet.ui.view import NoticeTone, NoticeView, OverlayAction, SessionView

LOST = "10S 9S 8H 10D"
WON = "10S 9S KH 8D"


def began(minutes: int, seconds: int = 0) -> SessionBegan:
    """Returns a session of this age by the clock of the screen."""
    return SessionBegan(at_ms=round((WALL.timestamp() - minutes * 60 - seconds) * 1_000))


def playing(*more: Input, cards: str | None = None, settings: Settings | None = None, age: int = 47) -> Player:
    """Returns a player with three hundred at the classic table, with the session open."""
    player = Player(settings=settings or Settings()).put(*at("classic"), began(age), *more, cards=cards)
    return player.settle().read(session_shown=True)


def seen(player: Player) -> SessionView:
    """Returns the page; fails when it is closed."""
    view = session_view(player.moment())
    assert view is not None
    return view


def rows(player: Player) -> dict[str, str]:
    return dict(seen(player).rows)


def enabled(player: Player) -> list[str]:
    """Returns the words of the enabled buttons."""
    return [button.word for button in seen(player).buttons if button.enabled]


# --- what it says -----------------------------------------------------------------------------------------------


@pytest.mark.requirement("RG-02")
@pytest.mark.parametrize(("seconds", "minutes"), [(0, 15), (29, 15), (31, 16), (59, 16)])
def test_a_time_limit_counts_from_the_nearest_minute(seconds: int, minutes: int) -> None:
    player = Player().put(*at("classic"), began(0, seconds)).settle().read(session_shown=True)
    (first, *_) = [button for button in seen(player).buttons if button.word == "15 min"]
    assert first.value == minutes * 60


def test_the_session_page_is_closed_until_it_is_opened() -> None:
    assert session_view(Player().moment()) is None


@pytest.mark.requirement("RG-02", "RG-04")
def test_the_session_page_shows_time_money_limits_and_help() -> None:
    player = playing()
    assert rows(player) == {
        "Time of day": "14:32",
        "Session time": "47 min",
        "Classic Blackjack": "Limits $1 – $100",
        "Put in": "$300.00",
        "Paid out": "$0.00",
        "Still in the machine": "$300.00",
    }
    assert seen(player).foot == "Help: 0800"
    assert isinstance(player.screen().overlay, SessionView)
    assert player.screen().top.clock_on


@pytest.mark.requirement("RG-02")
@pytest.mark.parametrize(
    ("cards", "result"),
    [
        (LOST, "You have lost $25.00 in this session."),
        (WON, "You have won $25.00 in this session."),
        ("10S 9S 9H 10D", "You have neither won nor lost in this session."),
    ],
)
def test_a_loss_is_shown_as_plainly_as_a_gain(cards: str, result: str) -> None:
    assert seen(playing(Bet(), Deal(), Stand(), cards=cards)).result == result


@pytest.mark.requirement("RG-02")
@pytest.mark.parametrize("cards", [LOST, WON])
def test_the_session_page_shows_a_result_only_after_its_animation(cards: str) -> None:
    player = playing(Bet(), Deal(), Stand(), cards=cards)
    player.now_s = player.snapshot.began_at_s + 0.1
    assert seen(player).result == "You have neither won nor lost in this session."
    assert rows(player)["Still in the machine"] == "$300.00"


@pytest.mark.requirement("RG-02")
def test_payments_are_part_of_the_result() -> None:
    player = playing(Bet(), Deal(), Stand(), CashOut(), TicketPrinted(sequence=1), *notes(10_000), cards=LOST)
    assert rows(player)["Paid out"] == "$275.00"
    assert rows(player)["Put in"] == "$400.00"
    assert seen(player).result == "You have lost $25.00 in this session."


@pytest.mark.requirement("RG-02")
@pytest.mark.parametrize(("age", "words"), [(0, "0 min"), (59, "59 min"), (60, "1 h 0 min"), (200, "3 h 20 min")])
def test_the_time_is_shown_in_hours_and_minutes(age: int, words: str) -> None:
    assert rows(playing(age=age))["Session time"] == words


@pytest.mark.requirement("RG-02")
def test_with_a_doubtful_clock_the_time_is_unknown_and_the_result_is_shown() -> None:
    player = playing(FaultBegan(fault=Fault.CLOCK_INVALID))
    assert rows(player)["Session time"] == "not known"
    assert seen(player).result == "You have neither won nor lost in this session."
    assert not any(button.enabled for button in seen(player).buttons if button.action is OverlayAction.LIMIT_TIME)


def test_without_a_session_the_page_explains_when_one_begins() -> None:
    player = Player().put(ChooseGame(game_id="table")).settle().read(session_shown=True)
    assert list(rows(player)) == ["Time of day", "Table Blackjack"]
    assert seen(player).result.startswith("No session is under way.")
    assert [button.action for button in seen(player).buttons] == [OverlayAction.CLOSE]


def test_the_session_page_changes_every_minute() -> None:
    player = Player().put(*at("classic"), began(47, 40)).settle()
    assert session_change_s(player.moment()) is None
    player.read(session_shown=True)
    change_s = session_change_s(player.moment())
    assert change_s == pytest.approx(player.now_s + 20)
    assert player.screen().next_change_s == pytest.approx(player.now_s + 20)


# --- limits -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("RG-03")
def test_limits_count_from_now() -> None:
    player = playing(Bet(), Deal(), Stand(), cards=LOST)
    assert enabled(player) == ["15 min", "30 min", "60 min", "120 min", "$50", "$100", "$200", "$500", "CLOSE"]
    values = [button.value for button in seen(player).buttons]
    assert values == [3_720, 4_620, 6_420, 10_020, 7_500, 12_500, 22_500, 52_500, 0]
    assert [limit.state for limit in seen(player).limits] == ["No limit is set", "No limit is set"]


@pytest.mark.requirement("RG-03")
def test_a_set_limit_is_named_and_only_lower_ones_are_offered() -> None:
    player = playing(LimitTime(session_s=(47 + 45) * 60), LimitLoss(cents=15_000))
    assert [limit.state for limit in seen(player).limits] == ["Set for 15:17", "Set for a loss of $150.00"]
    assert enabled(player) == ["15 min", "30 min", "$50", "$100", "CLOSE"]


def test_the_operator_may_offer_none() -> None:
    view = seen(playing(settings=replace(Settings(), player_limits=False)))
    assert view.limits == ()
    assert view.notes == ()
    assert [button.action for button in view.buttons] == [OverlayAction.CLOSE]


@pytest.mark.requirement("RG-03")
def test_with_buttons_one_choice_after_the_other_is_pointed_at() -> None:
    player = playing(LimitTime(session_s=(47 + 45) * 60), LimitLoss(cents=15_000))
    pointed = []
    for choice in range(6):
        player.read(choice=choice)
        pointed += [button.word for button in seen(player).buttons if button.pointed]
    assert pointed == ["15 min", "30 min", "$50", "$100", "CLOSE", "15 min"]
    player.read(choice=None)
    assert not any(button.pointed for button in seen(player).buttons)


# --- when one is reached ----------------------------------------------------------------------------------------


@pytest.mark.requirement("RG-03", "RG-04", "RG-05")
def test_a_reached_time_limit_offers_cash_out_first() -> None:
    player = playing(Bet(), Deal(), Stand(), LimitTime(session_s=3_000), TimeLimitReached(), cards=LOST)
    shown = player.screen().overlay
    assert isinstance(shown, NoticeView), "not hidden behind the session"
    assert (shown.tone, shown.title) == (NoticeTone.PAUSE, "Your limit is reached")
    assert shown.sentence == "The time that you set for this session is over."
    assert (shown.amount, shown.amount_label) == ("$25.00", "LOST IN THIS SESSION")
    assert shown.advice == "CASH OUT pays out your credit. HIT plays on without this limit."
    assert shown.more == ("Help: 0800",)
    assert [(button.action, button.enabled) for button in shown.buttons] == [
        (OverlayAction.CASH_OUT, True),
        (OverlayAction.KEEP_PLAYING, True),
    ]
    assert speech(player.moment())[0] == "Your limit is reached"


@pytest.mark.requirement("RG-03")
def test_a_loss_limit_shows_after_the_round_that_reached_it() -> None:
    player = Player().put(*at("classic", 10_000, 10_000), LimitLoss(cents=10_000), Bet(), Deal(), Stand(), cards=LOST)
    assert player.machine.locks[0].kind is LockKind.PLAYER_LIMIT
    assert player.machine.locks[0].detail == LOSS
    assert notice(player.moment()) is None, "the dealer has not turned the hole card yet"
    shown = notice(player.settle().moment())
    assert shown is not None
    assert shown.sentence == "You have lost as much as you set for this session."
    assert shown.advice.startswith("This is a good moment for a break.")
    assert [button.action for button in shown.buttons] == [OverlayAction.KEEP_PLAYING]


def test_a_session_that_is_ahead_shows_its_win() -> None:
    shown = notice(playing(Bet(), Deal(), Stand(), LimitTime(session_s=3_000), TimeLimitReached(), cards=WON).moment())
    assert shown is not None
    assert (shown.amount, shown.amount_label) == ("$25.00", "WON IN THIS SESSION")

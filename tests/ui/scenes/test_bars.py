"""Top bar, rail and fine line."""

from contextlib import ExitStack
from dataclasses import replace

import pytest
from support.attendant_data import every_page, keep
from support.machines import SETTINGS, seated
from support.snapshot import Player, at, snapshot_of

from cabinet.attendant import menu
from cabinet.attendant.data import LogRow
from cabinet.attendant.pages import LEAVING
from cabinet.engine.inputs import (
    Bet,
    Button,
    CallAttendant,
    Deal,
    Door,
    DoorOpened,
    Double,
    Insure,
    Key,
    KeyTurned,
    Split,
    Stand,
    ToggleTurbo,
)
from cabinet.engine.state import Lock, LockKind, Machine, Settings
from cabinet.text.messages import LANGUAGES
from cabinet.ui.scenes.bars import (
    bet_shown,
    credit_shown,
    footer,
    largest_amount,
    legends,
    limits_text,
    paid_shown,
    rail,
    top_bar,
    uncounted_cents,
)
from cabinet.ui.scenes.notices import notice
from cabinet.ui.view import TopItem

ENTRY = LogRow(number=1, when="2031-01-01 12:00:00", what="door opened", detail="", cents=None)


def seconds(player: Player) -> dict[str, str]:
    """Returns the small words under the lit legends."""
    return {legend.word: legend.second for legend in legends(player.moment()) if legend.second}


def test_the_small_words_name_a_buttons_present_action():
    player = Player()
    assert seconds(player) == {"CHIP": "next game", "PLACE": "next game", "DEAL": "sit down"}
    player.put(*at("european"), Bet()).settle()
    assert seconds(player) == {"DOUBLE": "bet × 2", "SPLIT": "bet on all", "HIT": "turbo"}
    player.put(Deal(), cards="8S 9C 8H").settle()
    assert seconds(player) == {"DOUBLE": "bet × 2"}
    player.put(Stand(), cards="KH").settle()
    assert seconds(player)["DEAL"] == "rebet & deal"
    asked = Player().put(*at("table"), Bet(), Deal(), cards="10S AS 9H 5D").settle()
    assert seconds(asked) == {"STAND": "no insurance", "HIT": "yes, insure"}
    called = Player().put(*at("table"), CallAttendant()).settle()
    assert seconds(called)["SERVICE"] == "called"


@pytest.mark.requirement("AT-04", "PD-06")
def test_legends_match_the_help_line_on_every_attendants_page(tmp_path):
    cabinet = seated(credit=0, settings=replace(SETTINGS, technician_pin=True))
    cabinet.do(KeyTurned(key=Key.AUDIT, on=True), DoorOpened(door=Door.LOGIC))
    entries = tuple(replace(ENTRY, number=number) for number in range(40))
    with ExitStack() as undo:
        kept = keep(tmp_path, cabinet, undo).data()
        desk = replace(kept, settings=cabinet.settings, events=entries, records=None)
    player, said = Player().put(KeyTurned(key=Key.AUDIT, on=True)).settle(), set()
    for where, page in every_page(desk):
        player.snapshot = replace(player.snapshot, attendant=page, lit=menu.lit(where, desk))
        words = {f"{word} {second}" for word, second in seconds(player).items()}
        beside = {f"{button.value.upper()} {words}" for button, words in page.does if button in page.keys}
        assert words - beside == {part for part in page.help.split("  ·  ") if part not in {LEAVING, page.beside}}
        assert beside <= words, where.path
        said |= words
    assert {"CHIP up", "CHIP previous page", "CHIP previous one", "CHIP 3", "CLEAR back", "PLACE Money"} <= said


def test_legends_have_the_order_of_the_panel_and_show_presses():
    shown = legends(Player().read(pressed=frozenset({Button.DEAL})).moment())
    assert tuple(legend.button for legend in shown) == tuple(Button)
    assert [legend.button for legend in shown if legend.pressed] == [Button.DEAL]


def test_the_title_is_the_game_at_a_table_and_the_venue_elsewhere():
    assert (top_bar(Player().moment()).title, top_bar(Player().moment()).limits) == ("Venue", "")
    moment = Player().put(*at("european")).moment()
    assert top_bar(moment).title == "European Blackjack"
    assert top_bar(moment).limits == limits_text(moment, moment.table) == "Limits $1 – $100 a place"


def test_switches_show_their_setting():
    moment = Player().put(*at("classic"), ToggleTurbo()).settle().read(volume=0).moment()
    items = {item.item: item for item in top_bar(moment).items}
    assert items[TopItem.TURBO].on
    assert not items[TopItem.SOUND].on
    assert items[TopItem.LANGUAGE].word == "EN"
    assert items[TopItem.LANGUAGE].enabled
    assert TopItem.KEYS not in items


def test_with_one_language_there_is_nothing_to_choose():
    moment = Player().put(*at("classic")).settle().read(languages=(LANGUAGES["en"],)).moment()
    assert not {item.item: item for item in top_bar(moment).items}[TopItem.LANGUAGE].enabled


def test_the_game_can_be_left_only_without_bets():
    player = Player().put(*at("classic"))
    assert TopItem.GAMES in {item.item for item in top_bar(player.moment()).items}
    player.put(Bet())
    assert TopItem.GAMES not in {item.item for item in top_bar(player.moment()).items}


def test_the_fine_line_names_return_and_machine():
    assert footer(Player().put(*at("european")).moment(), "european") == (
        "Malfunction voids all pays and play · Theoretical return 99.49% with best play · Machine 0042"
    )
    assert "return" not in footer(Player().put(*at("classic")).moment(), "classic")


def test_bet_counts_every_stake_of_the_round():
    player = Player().put(*at("table"), Bet(), Deal(), Insure(), cards="8S AS 8H 5D")
    assert bet_shown(player.machine) == 3_750
    player.put(Split(), cards="3C 10H")
    assert bet_shown(player.machine) == 6_250
    player.put(Double(), Stand(), cards="10D KD 9S")
    assert bet_shown(player.machine) == 8_750


def test_money_not_counted_up_yet_is_missing_from_both_amounts():
    player = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH")
    moment = player.moment()
    assert uncounted_cents(moment) == 5_000
    assert (paid_shown(moment), credit_shown(moment)) == (0, 27_500)
    moment = player.settle().moment()
    assert uncounted_cents(moment) == 0
    assert (paid_shown(moment), credit_shown(moment)) == (5_000, 32_500)


@pytest.mark.requirement("PD-04")
def test_the_width_kept_is_that_of_the_largest_prize():
    settings = Settings()
    assert largest_amount(settings) >= settings.credit_limit_cents + 5 * 4 * 2 * 2 * 10_000
    assert rail(Player().moment(), "", "", celebrate=False).value_chars == len("$12,000.00")


def test_bet_paid_and_credit_stand_in_credits_beside_the_currency():
    """'All Awards will be shown in credits'"""
    won = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S KH 9D").settle()
    shown = rail(won.moment(), "", "", celebrate=False).meters
    assert [(meter.value, meter.credits) for meter in shown] == [
        ("$25.00", "100 credits"),
        ("$62.50", "250 credits"),
        ("$337.50", "1,350 credits"),
    ]


def test_paid_is_counted_up_in_whole_credits():
    won = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S KH 9D")
    seen = set()
    for _ in range(80):
        paid = won.screen().rail.meters[1]
        assert float(paid.value[1:]) * 4 == int(paid.credits.split()[0])
        seen.add(paid.credits)
        won.wait(0.05)
    assert len(seen) > 3


def test_chips_are_offered_only_after_a_game_is_chosen():
    assert rail(Player().moment(), "", "", celebrate=False).chips == ()
    chips = rail(Player().put(*at("classic")).moment(), "", "", celebrate=False).chips
    assert [(chip.label, chip.raised) for chip in chips] == [
        ("1", False),
        ("5", False),
        ("25", True),
        ("100", False),
    ]


@pytest.mark.requirement("PL-07", "TE-02")
@pytest.mark.parametrize(
    "kind",
    [LockKind.MEMORY, LockKind.SETTINGS_REFUSED, LockKind.DATA_REFUSED, LockKind.DATA_PARTITION_MISSING],
)
def test_without_books_the_amount_of_the_lock_is_the_only_figure(kind: LockKind):
    player = Player()
    player.machine = Machine(locks=(Lock(lock_id=1, kind=kind, cents=500),))
    player.snapshot = snapshot_of(player.machine, now_s=player.now_s)
    shown = rail(player.moment(), "", "", celebrate=False)
    assert [(meter.value, meter.credits) for meter in shown.meters] == [("–", "")] * 3
    assert notice(player.moment()).amount == "$5.00"

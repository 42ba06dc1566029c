"""Snapshots: an animation continues while more happens, and can be skipped."""

import pytest
from support.snapshot import Player, at

from cabinet.attendant.pages import Page
from cabinet.engine import machine as engine
from cabinet.engine.effects import Credited, Event
from cabinet.engine.inputs import Bet, BillOffered, BillStacked, Button, CashOut, Deal, Stand, TicketPrinted
from cabinet.presentation.snapshot import (
    OVER_A_PAGE,
    Snapshot,
    is_open,
    is_skipped,
    lit_now,
    next_snapshot,
    played_unseen,
    skip_animation,
    with_page_open,
)
from cabinet.presentation.timeline import MIN_SHOW_S


def dealt() -> Player:
    """Returns a hand that has just been dealt."""
    return Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D")


def test_a_new_step_begins_a_new_animation_with_a_higher_number():
    player = dealt()
    before = player.snapshot
    player.put(Stand(), cards="KH")
    assert player.snapshot.number > before.number
    assert player.snapshot.began_at_s == player.now_s
    assert not set(before.events) & set(player.snapshot.events)


def test_events_during_an_animation_are_appended_to_it():
    player = dealt()
    before = player.snapshot
    player.wait(0.2)
    player.step(BillOffered(cents=10_000))
    player.step(BillStacked(cents=10_000))
    assert player.snapshot.began_at_s == before.began_at_s
    assert player.snapshot.events[: len(before.events)] == before.events
    assert Credited(cents=10_000) in player.snapshot.events


def test_a_skipped_animation_stays_skipped_when_more_happens():
    player = dealt().wait(0.2)
    player.snapshot = skip_animation(player.snapshot, player.now_s)
    assert is_skipped(player.snapshot)
    assert is_open(player.snapshot, player.now_s)
    ended = dealt().put(Stand(), cards="KH").wait(0.1)
    ended.snapshot = skip_animation(ended.snapshot, ended.now_s)
    open_at_s = ended.snapshot.open_at_s
    assert open_at_s == ended.now_s + MIN_SHOW_S
    ended.step(BillOffered(cents=10_000))
    assert ended.snapshot.open_at_s == open_at_s


def test_a_payment_made_in_the_menu_is_hidden_until_the_menu_is_left():
    player = Player().put(*at("classic"), CashOut()).settle()
    printed = engine.step(player.settings, player.machine, TicketPrinted(sequence=1), player.draw)

    def after(old: Snapshot, events: tuple[Event, ...], page: Page | None) -> Snapshot:
        player.wait(100)
        lit: frozenset[Button] = frozenset()
        return next_snapshot(
            old, machine=printed.machine, events=events, lit=lit, notes=True, attendant=page, now_s=player.now_s
        )

    paid = after(player.snapshot, printed.events, Page(title="-"))
    waits = after(paid, (), Page(title="-"))
    left = after(waits, (), None)
    assert [each.paid_hidden for each in (paid, waits, left)] == [True, True, False]
    assert left.paid_at_s == player.now_s
    seen_s = player.now_s
    again = after(after(left, (), Page(title="-")), (), None)
    assert again.paid_at_s == seen_s


def test_skipping_an_animation_that_has_ended_changes_nothing():
    player = dealt().settle()
    assert skip_animation(player.snapshot, player.now_s) is player.snapshot


def test_an_open_page_darkens_every_button_that_plays():
    player = dealt().settle()
    before = player.snapshot
    read = with_page_open(before, reading=True)
    assert read.number > before.number
    assert lit_now(read, player.now_s) == before.lit & OVER_A_PAGE
    assert {button for button in Button if played_unseen(read, button)} == set(Button) - OVER_A_PAGE
    assert with_page_open(read, reading=True) is read
    assert lit_now(with_page_open(read, reading=False), player.now_s) == lit_now(before, player.now_s)


def test_a_page_stays_open_while_the_machine_changes():
    player = dealt().settle()
    player.snapshot = with_page_open(player.snapshot, reading=True)
    player.put(Stand(), cards="KH")
    assert player.snapshot.reading


@pytest.mark.requirement("PD-06")
def test_lamps_are_dark_during_an_animation_and_show_accepted_buttons_after_it():
    player = dealt()
    assert lit_now(player.snapshot, player.now_s) == {Button.SERVICE}
    player.settle()
    assert lit_now(player.snapshot, player.now_s) == {Button.SERVICE, Button.HIT, Button.STAND, Button.DOUBLE}

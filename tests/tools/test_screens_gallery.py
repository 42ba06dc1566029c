"""The gallery shows every state there is, each reached by playing."""

from dataclasses import replace

import pytest

from cabinet.engine import machine as engine
from cabinet.engine.errors import EngineError
from cabinet.engine.locks import LOCKS
from cabinet.engine.state import Settings, State
from cabinet.runtime.fault_machine import fault_machine
from cabinet.runtime.watchdog import ServiceManager
from cabinet.store.errors import StoreDamagedError, StorePlaceError
from cabinet.text.messages import LANGUAGES
from cabinet.tools.screens_gallery import (
    SAMPLE_FACTS,
    WALL,
    Stagehand,
    at,
    gallery,
    money,
    named_draw,
    screen_of,
)
from cabinet.ui.presenter import present
from cabinet.ui.ui_state import UiState
from cabinet.ui.view import HelpView, KeysView, NoticeView, SessionView
from cabinet.window.ports import FaultPort


def test_every_state_of_the_machine_is_shown():
    assert {engine.state_of(exhibit.snapshot.machine) for exhibit in gallery().values()} == set(State)


def test_every_kind_of_overlay_is_shown():
    kinds = {type(screen_of(exhibit).overlay) for exhibit in gallery().values()}
    assert kinds == {HelpView, KeysView, NoticeView, SessionView, type(None)}


def test_locks_that_stop_the_player_are_shown():
    shown = {lock.kind for exhibit in gallery().values() for lock in exhibit.snapshot.machine.locks}
    missing = {kind.value for kind, rule in LOCKS.items() if rule.stops_play} - {kind.value for kind in shown}
    assert missing == {"display lost"}


def test_a_cabinet_that_may_not_start_is_shown_as_it_is():
    for error in (StoreDamagedError("words"), StorePlaceError("words", found="words")):
        live = FaultPort(machine=fault_machine(error), manager=ServiceManager({})).snapshot()
        (lock,) = live.machine.locks
        exhibit = gallery()[f"lock-{lock.kind.value.replace(' ', '-')}"]
        shown, seen = (
            present(each, UiState(), 0.0, WALL, Settings(), SAMPLE_FACTS) for each in (exhibit.snapshot, live)
        )
        assert (shown.rail, shown.top) == (seen.rail, seen.top)
        assert shown.overlay.advice == seen.overlay.advice


def test_a_printer_that_is_down_is_shown_before_money_goes_in_and_while_it_is_in():
    for name in ("printer-down", "printer-down-attract", "printer-down-betting"):
        assert screen_of(gallery()[name]).rail.hint == "Cash-outs are paid by the attendant at present"
    attract = screen_of(gallery()["printer-down-attract"]).attract
    assert attract is not None
    assert "Cash-outs are paid by the attendant at present" in attract.lines


def test_names_can_be_file_names():
    assert all(name.replace("-", "").isalnum() and name.islower() for name in gallery())


@pytest.mark.requirement("PD-04")
def test_the_largest_amounts_that_can_happen_fit_the_width_that_is_kept():
    for name, exhibit in gallery().items():
        rail = screen_of(exhibit).rail
        assert all(len(meter.value) <= rail.value_chars for meter in rail.meters), name


def test_money_comes_in_notes():
    credit = Stagehand().play(*money(30_000)).snapshot.machine.books.credit_cents
    assert credit == 30_000
    assert Stagehand().play(*at("classic")).snapshot.machine.seat.game_id == "classic"


def test_a_draw_hands_out_what_is_named_and_nothing_else():
    draw = named_draw("8S 8 8S")
    cards: list[int] = []
    for _ in range(3):
        cards.append(draw(cards))
    assert len(set(cards)) == 3
    assert {card % 13 for card in cards} == {7}
    with pytest.raises(EngineError, match="too few cards"):
        draw(cards)


def test_more_of_a_card_than_the_pack_holds_is_a_mistake():
    draw = named_draw("8S " * 7)
    cards: list[int] = []
    for _ in range(6):
        cards.append(draw(cards))
    with pytest.raises(EngineError, match="more of 8S"):
        draw(cards)


def test_the_attendants_pages_are_in_the_language_of_the_pictures():
    exhibit = gallery()["audit"]
    shown = screen_of(exhibit, replace(SAMPLE_FACTS, language=LANGUAGES["de"]))
    assert shown.audit is not None
    assert shown.audit.title == "Personal"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("audit-tests", "Tests"),
        ("audit-test-lamps", "TEST: lamps and buttons"),
        ("audit-test-display", "TEST: display"),
        ("audit-settings", "Settings"),
        ("audit-find", "Find a ticket"),
    ],
)
def test_a_state_of_the_attendants_pages_is_the_page_of_its_name(name: str, title: str):
    shown = screen_of(gallery()[name]).audit
    assert shown is not None
    assert shown.title == title

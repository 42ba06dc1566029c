"""The cabinet's thread on real lines and pins: doors, keys, lost devices, slow and full media, people who leave."""

import time
from contextlib import contextmanager
from dataclasses import replace

import pytest
from support.live import running
from support.machines import dealt, seated
from support.slow_store import PATIENCE_S as STALL_S
from support.slow_store import Stall, in_its_thread

from cabinet.config.settings import Config, DisplaySection
from cabinet.engine.inputs import Button, CallAttendant, ChooseGame, HandAbandoned
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.state import LockKind, Phase, State
from cabinet.presentation.snapshot import OVER_A_PAGE, is_open
from cabinet.runtime import build
from cabinet.runtime.inbox import Pressed
from cabinet.runtime.simulated import build_bench
from cabinet.runtime.translate import LAMPS
from cabinet.store import reports
from cabinet.store.errors import StoreFullError
from cabinet.store.journal import Journal
from drivers.panel.layout import Tower

MOST_PRESSES = 400


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """A cabinet at a table with credit, shared by tests that leave it so."""
    with running(tmp_path_factory.mktemp("controller")) as found:
        found.note(10_000)
        found.sit("table")
        yield found


def _lamps_of(live) -> frozenset:
    return frozenset(LAMPS[button] for button in live.controller.snapshot().lit)


def _settled(live) -> None:
    """Lamps on the pins are those of the news."""
    live.until(lambda: live.simulated_devices.panel.lamps() == _lamps_of(live), "the lamps being those of the news")


# --- play -------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("PD-06")
def test_the_lamps_on_the_pins_are_what_the_machine_would_accept(live):
    for _ in range(3):
        live.deal() if live.machine.phase is not Phase.DECIDING else None
        _settled(live)
        live.stand()
        _settled(live)


def test_a_touch_of_a_legend_is_a_press_of_its_button(live):
    live.stand()
    before = live.machine.seat.chip_cents
    live.touch(Button.CHIP)
    live.until(lambda: live.machine.seat.chip_cents != before, "another chip")
    for _ in range(3):
        seen = live.machine.seat.chip_cents
        live.touch(Button.CHIP)
        live.until(lambda was=seen: live.machine.seat.chip_cents != was, "the next chip")


def test_a_button_that_is_held_down_is_known_until_it_is_released(live):
    number = live.controller.snapshot().number
    live.simulated_devices.panel.press("split")
    live.until(lambda: live.controller.held == {Button.SPLIT}, "the button being down")
    live.until(lambda: live.controller.snapshot().number > number, "the refusal")
    live.simulated_devices.panel.release("split")
    live.until(lambda: live.controller.held == frozenset(), "the button being up")


def test_on_the_panel_chip_is_a_press_when_it_is_let_go_unless_it_was_taken_for_held(live):
    live.stand()
    chip_cents = live.machine.seat.chip_cents
    live.simulated_devices.panel.press("chip")
    live.until(lambda: live.controller.take_held(Button.CHIP), "the button being down")
    live.simulated_devices.panel.release("chip")
    live.until(lambda: not live.controller.take_held(Button.CHIP), "the button being up")
    assert live.machine.seat.chip_cents == chip_cents, "it was held"
    live.simulated_devices.panel.press("chip")
    live.press("bet")
    live.until(lambda: sum(live.machine.seat.bets), "the bet, after the button went down")
    assert live.machine.seat.chip_cents == chip_cents, "not yet"
    live.simulated_devices.panel.release("chip")
    live.until(lambda: live.machine.seat.chip_cents != chip_cents, "another chip")
    assert not live.controller.take_held(Button.CHIP), "it was a press"


def test_a_button_that_acts_at_once_is_never_held_as_well(live):
    live.stand()
    before = sum(live.machine.seat.bets)
    live.simulated_devices.panel.press("bet")
    live.until(lambda: sum(live.machine.seat.bets) > before, "the bet, with the button still down")
    assert not live.controller.take_held(Button.BET)
    live.simulated_devices.panel.release("bet")


def test_a_refused_press_is_reported_and_not_recorded(live):
    live.stand()
    seq, number = live.cabinet.journal.seq, live.controller.snapshot().number
    live.touch(Button.STAND)
    live.controller.put(Pressed(wish=ChooseGame(game_id="classic"), at_s=time.monotonic()))
    live.until(lambda: live.controller.snapshot().number > number, "the refusal")
    assert live.cabinet.journal.seq == seq


# --- doors and keys ---------------------------------------------------------------------------------------------


@pytest.mark.requirement("TE-07", "CM-06", "TE-03")
def test_an_open_door_stops_everything_and_the_same_hand_comes_back(live):
    live.deal()
    hand, credit = live.machine.round, live.credit
    live.simulated_devices.do("main_door_open")
    live.until(lambda: live.locked(LockKind.MAIN_DOOR), "the door")
    live.until(lambda: live.simulated_devices.panel.lamps() == {LAMPS[Button.SERVICE]}, "every lamp but one being dark")
    live.until(lambda: not live.controller.snapshot().notes, "notes being off")
    live.press("hit", "stand", "cash_out")
    assert (live.machine.round, live.credit) == (hand, credit)
    live.simulated_devices.do("main_door_close")
    live.until(lambda: not live.machine.locks, "the door being shut")
    assert (live.machine.round, live.machine.phase, live.credit) == (hand, Phase.DECIDING, credit)
    live.until(lambda: live.controller.snapshot().notes, "notes being taken again")
    live.stand()


@pytest.mark.requirement("AT-01", "AT-03", "AT-11")
def test_the_audit_key_opens_the_menu_its_buttons_move_it_and_leaving_gives_the_same_state_back(live):
    live.stand()
    before = live.machine
    live.simulated_devices.do("audit_key_on")
    live.until(lambda: live.controller.snapshot().attendant, "the menu")
    live.until(
        lambda: live.simulated_devices.panel.lamps() == {LAMPS[b] for b in Button if b is not Button.CLEAR},
        "its lamps",
    )
    live.until(lambda: not live.controller.snapshot().notes, "notes being off")
    live.press("place", "service")
    live.until(lambda: live.controller.snapshot().attendant.title.startswith("Meters"), "the meters")
    live.until(
        lambda: live.simulated_devices.panel.lamps() == {LAMPS[b] for b in (Button.CHIP, Button.BET, Button.CLEAR)},
        "its lamps",
    )
    live.press("bet")
    live.until(lambda: live.controller.snapshot().attendant.position[0] == 2, "their second page")
    live.press("hit", "stand", "cash_out")
    live.simulated_devices.do("audit_key_off")
    live.until(lambda: not live.machine.access.audit_key, "the menu being left")
    assert live.controller.snapshot().attendant is None
    assert live.machine == before
    live.until(lambda: live.controller.snapshot().notes, "notes being taken again")


@pytest.mark.requirement("AT-02")
def test_the_audit_key_waits_for_the_end_of_a_hand(live):
    live.deal()
    live.simulated_devices.do("audit_key_on")
    live.until(lambda: live.machine.access.audit_key, "the key")
    assert live.controller.snapshot().attendant is None
    live.stand()
    live.until(lambda: live.controller.snapshot().attendant, "the menu")
    live.simulated_devices.do("audit_key_off")
    live.until(lambda: not live.machine.access.audit_key, "the menu being left")


@pytest.mark.requirement("AT-06")
def test_in_the_test_of_lamps_every_lamp_and_the_tower_are_lit(live):
    live.stand()
    live.simulated_devices.do("audit_key_on")
    live.until(lambda: live.controller.snapshot().attendant, "the menu")
    live.press("hit", "rebet", "cash_out")
    live.until(lambda: live.simulated_devices.panel.lamps() == set(LAMPS.values()), "every lamp")
    assert live.simulated_devices.panel.tower() == {"tower_call", "tower_fault"}
    live.press("hit")
    live.until(lambda: any("works" in line.cells for line in live.controller.snapshot().attendant.lines), "the button")
    live.simulated_devices.do("audit_key_off")
    live.until(lambda: not live.simulated_devices.panel.tower(), "the tower being dark")
    live.until(lambda: not live.machine.access.audit_key, "the menu being left")


# --- devices that go and come back ------------------------------------------------------------------------------


@pytest.mark.requirement("BA-11", "BA-07")
def test_a_lost_acceptor_takes_no_notes_play_goes_on_and_it_comes_back_unaided(live):
    live.stand()
    live.simulated_devices.do("acceptor_unplug")
    live.until(lambda: live.locked(LockKind.ACCEPTOR_LINK), "the link being lost")
    live.until(lambda: not live.controller.snapshot().notes, "notes being off")
    live.deal()
    live.stand()
    live.simulated_devices.do("acceptor_replug")
    live.until(lambda: not live.machine.locks, "the link being back")
    live.note(500)


@pytest.mark.requirement("CM-08", "CM-10", "TP-07", "AT-08")
def test_without_a_printer_a_cash_out_is_paid_by_hand_with_the_reset_key(live):
    live.stand()
    live.note(100)
    live.simulated_devices.do("printer_unplug")
    live.until(lambda: live.locked(LockKind.PRINTER_LINK), "the link being lost")
    owed = live.credit
    live.press("cash_out")
    live.until(lambda: live.locked(LockKind.HAND_PAY), "the hand-pay")
    assert live.credit == 0
    live.until(lambda: live.simulated_devices.panel.tower() == {"tower_call", "tower_fault"}, "the tower")
    live.simulated_devices.do("reset_key_on")
    live.until(lambda: not live.locked(LockKind.HAND_PAY), "the hand-pay being made")
    live.simulated_devices.do("reset_key_off")
    assert live.machine.books.meter("cancelled_credit") == owed
    live.simulated_devices.do("printer_replug")
    live.until(lambda: not live.machine.locks, "the printer being back")
    live.note(10_000)


# --- what is found at the start ---------------------------------------------------------------------------------


@pytest.fixture
def found(monkeypatch):
    """Runs user actions on the simulated devices before the cabinet polls them."""

    def prepare(*hands) -> None:
        @contextmanager
        def early(config, data, pace):
            with build_bench(config, data, pace) as simulated_devices:
                for hand in hands:
                    hand(simulated_devices)
                yield simulated_devices

        monkeypatch.setattr(build, "build_bench", early)

    return prepare


@pytest.mark.requirement("CM-10", "PL-04")
def test_a_reset_key_found_turned_at_the_start_pays_nothing(tmp_path, found):
    with running(tmp_path) as live:
        live.note(500)
        live.simulated_devices.do("printer_unplug")
        live.until(lambda: live.locked(LockKind.PRINTER_LINK), "the link being lost")
        live.press("cash_out")
        live.until(lambda: live.locked(LockKind.HAND_PAY), "the hand-pay")
    found(lambda simulated_devices: simulated_devices.do("reset_key_on"))
    with running(tmp_path, begin=False) as live:
        live.cabinet.start()
        live.until(lambda: live.machine.printer.ready, "the printer")
        assert live.locked(LockKind.HAND_PAY)
        live.simulated_devices.do("reset_key_off")
        live.simulated_devices.panel.tap("service")
        live.until(lambda: live.machine.calling, "the call, which comes after the key")
        live.simulated_devices.do("reset_key_on")
        live.until(lambda: not live.locked(LockKind.HAND_PAY), "the hand-pay being made")
        assert live.machine.books.meter("hand_paid") == 500


@pytest.mark.requirement("PL-04", "TE-08")
def test_a_door_found_open_and_a_button_found_pressed_are_reported(tmp_path, found):
    found(
        lambda simulated_devices: simulated_devices.do("cashbox_door_open"),
        lambda simulated_devices: simulated_devices.panel.press("hit"),
    )
    with running(tmp_path, begin=False) as live:
        live.cabinet.start()
        kinds = {LockKind.CASHBOX_DOOR, LockKind.STUCK_BUTTON}
        live.until(lambda: kinds <= {lock.kind for lock in live.machine.locks}, "both being reported")
        (stuck,) = [lock for lock in live.machine.locks if lock.kind is LockKind.STUCK_BUTTON]
        assert stuck.detail == "hit"
        live.until(lambda: Tower.TOWER_CALL in live.simulated_devices.panel.tower(), "the tower light calling")
        live.simulated_devices.panel.release("hit")
        live.until(lambda: not live.locked(LockKind.STUCK_BUTTON), "the lock ending by itself")


# --- time -------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("BA-04")
def test_no_note_is_taken_before_a_frame_was_shown(tmp_path):
    with running(tmp_path, human_pace=True, begin=False) as live:
        live.cabinet.start()
        live.until(lambda: live.machine.acceptor.ready, "the acceptor")
        for _ in range(3):
            number = live.controller.snapshot().number
            live.touch(Button.SERVICE)
            live.until(lambda number=number: live.controller.snapshot().number > number, "a further turn")
        assert not live.controller.snapshot().notes
        live.controller.frame_done(time.monotonic())
        live.until(lambda: live.controller.snapshot().notes, "notes being taken")


def test_a_press_during_an_animation_only_skips_it(tmp_path):
    with running(tmp_path, human_pace=True) as live:
        live.note(500)
        live.sit("table")
        live.touch(Button.BET)
        live.until(lambda: sum(live.machine.seat.bets), "the bet")
        live.touch(Button.DEAL)
        live.until(lambda: live.machine.round_number == 1, "the round")
        shown = live.controller.snapshot()
        assert not is_open(shown, time.monotonic())
        live.touch(Button.STAND)
        live.until(lambda: live.controller.snapshot().open_at_s < shown.open_at_s, "the animation being skipped")
        assert live.machine == shown.machine
        live.touch(Button.SERVICE)
        live.until(lambda: live.machine.calling, "the call, which is taken at any time")


@pytest.mark.requirement("PL-02")
def test_an_abandoned_hand_calls_the_attendant_and_is_not_played(tmp_path):
    config = replace(Config(), display=DisplaySection(abandoned_after_s=0.6, attract_after_s=0.2))
    with running(tmp_path, config) as live:
        live.note(500)
        live.sit("table")
        live.deal()
        hand, number = live.machine.round, live.machine.round_number
        live.until(lambda: live.machine.calling, "the call")
        live.until(lambda: live.simulated_devices.panel.tower() == {"tower_call"}, "the call lamp")
        assert (live.machine.round, live.machine.phase) == (hand, Phase.DECIDING)
    with Journal(tmp_path, str) as journal:
        entries = reports.events(journal.connection, limit=20, what=[LogKind.HAND_ABANDONED.value])
    assert [entry.detail for entry in entries] == [f"round {number}"]


def test_a_hand_is_abandoned_only_while_there_is_one():
    cabinet = seated()
    cabinet.do(HandAbandoned())
    assert not cabinet.machine.calling
    assert cabinet.logged()[-1] is not LogKind.HAND_ABANDONED


def test_a_hand_abandoned_with_the_call_lamp_on_leaves_it_on():
    cabinet = dealt("table", "9S 6D 8H 10C")
    cabinet.do(CallAttendant())
    step = cabinet.do(HandAbandoned())
    assert cabinet.machine.calling
    assert cabinet.state is State.DECIDING
    assert step.events == (LogEntry(what=LogKind.HAND_ABANDONED, detail="round 1"),)


@pytest.mark.requirement("PD-22")
def test_reading_at_the_screen_counts_as_presence(tmp_path):
    wait_s = 0.6
    config = replace(Config(), display=DisplaySection(attract_after_s=wait_s))
    with running(tmp_path, config) as live:
        live.controller.attended(reading=True)
        live.until(lambda: live.machine.attract, "the attract mode")
        touched_s = [time.monotonic()]
        live.note(500)
        while len(touched_s) <= 5:
            touched_s.append(time.monotonic())
            live.controller.attended(reading=True)
            until_s = touched_s[-1] + wait_s / 3
            live.until(lambda until_s=until_s: time.monotonic() >= until_s, "a third of the time")
            if live.machine.attract:
                assert time.monotonic() - touched_s[-2] >= wait_s, "a player has just read"
                # This process had to wait for a processor so long: once more.
                touched_s = [time.monotonic()]
                live.note(500)
        live.until(lambda: live.machine.attract, "the attract mode again")
        assert time.monotonic() - touched_s[0] >= 2 * wait_s


@pytest.mark.requirement("PD-06")
def test_under_an_open_page_the_panel_is_dark_and_plays_nothing(tmp_path):
    with running(tmp_path) as live:
        live.note(10_000)
        live.sit("table")
        live.controller.attended(reading=True)
        over = {LAMPS[button] for button in OVER_A_PAGE}
        live.until(lambda: live.simulated_devices.panel.lamps() <= over, "all lamps that play going dark")
        live.press(*(button.value for button in (Button.BET, Button.CHIP)))
        chip_cents = live.machine.seat.chip_cents
        assert sum(live.machine.seat.bets) == 0
        live.controller.attended(reading=False)
        live.until(lambda: LAMPS[Button.BET] in live.simulated_devices.panel.lamps(), "the lamp of BET")
        live.touch(Button.BET)
        live.until(lambda: sum(live.machine.seat.bets) == chip_cents, "one bet and no other")


@pytest.mark.requirement("PD-22")
def test_an_idle_machine_attracts_until_a_note_comes(tmp_path):
    wait_s = 0.5
    config = replace(Config(), display=DisplaySection(attract_after_s=wait_s))
    seen: list[tuple[float, bool, int]] = []
    with running(tmp_path, config) as live:
        live.until(lambda: live.machine.attract, "the attract mode")
        live.controller.on_snapshot(lambda: seen.append((time.monotonic(), live.machine.attract, live.credit)))
        live.note(500)
        live.until(lambda: live.machine.attract, "the attract mode again")
    credited = min(at for at, _, credit in seen if credit)
    again = min(at for at, attract, credit in seen if credit and attract)
    assert again - credited >= wait_s


# --- the medium -------------------------------------------------------------------------------------------------


def test_the_snapshot_can_be_read_during_a_slow_commit(tmp_path):
    with running(tmp_path, begin=False) as live:
        live.cabinet.start()
        stall = Stall(live)
        live.touch(Button.SERVICE)
        live.until(stall.slow.is_set, "a commit that takes its time")
        began = time.monotonic()
        snapshot = live.controller.snapshot()
        assert time.monotonic() - began < STALL_S / 2
        assert snapshot.machine.calling
        stall.release.set()
        live.until(lambda: not live.machine.calling, "the commit")


@pytest.mark.requirement("PD-17")
def test_a_press_during_a_commit_does_not_play_what_was_not_visible_yet(tmp_path):
    """The story of the first begins when it is published; the second was meant for the hand as it was before."""
    with running(tmp_path) as live:
        live.note(10_000)
        live.sit("classic")
        live.deal()
        cards = len(live.machine.round.places[0].hands[0].cards)
        stall = Stall(live)
        live.touch(Button.HIT)
        live.until(stall.slow.is_set, "a commit that takes its time")
        live.touch(Button.HIT)
        live.touch(Button.STAND)
        released_s = time.monotonic()
        calling = live.machine.calling
        stall.release.set()
        live.touch(Button.SERVICE)
        live.until(lambda: live.machine.calling is not calling, "everything pressed before")
        hand = live.machine.round.places[0].hands[0]
        assert len(hand.cards) == cards + 1
        assert live.controller.snapshot().began_at_s >= released_s


@pytest.mark.requirement("PL-12", "PL-01")
def test_a_full_medium_inhibits_the_acceptor_and_brings_the_cabinet_down_loudly(tmp_path, caplog):
    with running(tmp_path) as live:
        live.until(
            lambda: live.simulated_devices.acceptor_line.call(lambda: live.simulated_devices.acceptor.enabled),
            "notes being taken",
        )
        in_its_thread(live, lambda connection: connection.execute("PRAGMA max_page_count = 1"))
        for _ in range(MOST_PRESSES):
            number = live.controller.snapshot().number
            live.touch(Button.SERVICE)
            live.until(lambda n=number: live.controller.snapshot().number > n or live.controller.failure, "an answer")
            if live.controller.failure is not None:
                break
        assert isinstance(live.controller.failure, StoreFullError)
        assert live.controller.stopping
        live.until(
            lambda: not live.simulated_devices.acceptor_line.call(lambda: live.simulated_devices.acceptor.enabled),
            "the inhibit",
        )
        assert not live.controller.snapshot().notes
        last_published = live.machine
        assert not live.cabinet.stop()
    assert "the cabinet goes down" in caplog.text
    with Journal(tmp_path, str) as journal:
        assert journal.machine == last_published


@pytest.mark.requirement("TE-08")
def test_a_door_that_was_shut_and_is_open_at_the_start_was_opened_while_off(tmp_path, found):
    with running(tmp_path) as live:
        live.simulated_devices.do("main_door_open")
        live.until(lambda: live.locked(LockKind.MAIN_DOOR), "the door")
    found(
        lambda simulated_devices: simulated_devices.do("main_door_open"),
        lambda simulated_devices: simulated_devices.do("cashbox_door_open"),
    )
    with running(tmp_path, begin=False) as live:
        live.cabinet.start()
        live.until(lambda: live.locked(LockKind.DOOR_WHILE_OFF), "the door opened while off")
        (lock,) = [lock for lock in live.machine.locks if lock.kind is LockKind.DOOR_WHILE_OFF]
        assert lock.detail == "cash box door", "the main door was open before"
        live.simulated_devices.do("main_door_close")
        live.simulated_devices.do("cashbox_door_close")
        live.until(lambda: not live.machine.access.open_doors, "the doors being shut")
        assert live.locked(LockKind.DOOR_WHILE_OFF)
        live.simulated_devices.do("reset_key_on")
        live.until(lambda: not live.machine.locks, "the attendant's yes")


def test_a_first_start_with_an_open_door_knows_of_no_time_before(tmp_path, found):
    found(lambda simulated_devices: simulated_devices.do("main_door_open"))
    with running(tmp_path, begin=False) as live:
        live.cabinet.start()
        live.until(lambda: live.locked(LockKind.MAIN_DOOR), "the door")
        assert not live.locked(LockKind.DOOR_WHILE_OFF)

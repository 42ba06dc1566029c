"""The panel on its pins: contacts become changes, lamps become levels, and the wrong pins are refused."""

import threading
from dataclasses import replace

import pytest
from gpiozero import Button
from support.panel import Bench

from drivers.errors import ConfigurationError
from drivers.panel.debounce import PRESS_S, Change
from drivers.panel.gpio import SAMPLE_EVERY_S, Panel, open_contact
from drivers.panel.layout import (
    BUTTON_INPUTS,
    DEFAULT_INPUTS,
    DEFAULT_LAMPS,
    DOORS,
    Input,
    InputPin,
    LampPins,
    Level,
    Pull,
    Tower,
    Wiring,
)

NO_LAMPS: frozenset[Input] = frozenset()
DARK: frozenset[Tower] = frozenset()


@pytest.mark.parametrize("name", BUTTON_INPUTS)
def test_a_tap_is_one_press_and_one_release(name: Input) -> None:
    bench = Bench()
    with bench.open() as panel:
        start_s = bench.clock.now
        bench.far.tap(name, hold_s=0.05)
        assert panel.poll(bench.clock.now) == (
            Change(name=name, active=True, at_s=start_s),
            Change(name=name, active=False, at_s=start_s + 0.05),
        )


def test_a_pin_of_a_simulated_cabinet_does_not_remember_what_it_was() -> None:
    bench = Bench()
    with bench.open() as panel:
        for _ in range(50):
            bench.far.tap("hit", hold_s=0.05)
        assert panel.poll(bench.clock.now)
        pin = bench.factory.pin(DEFAULT_INPUTS[Input.HIT].pin)
        assert len(pin.states) == 1


def test_an_edge_wakes_the_poller_and_does_nothing_else() -> None:
    bench = Bench()
    with bench.open() as panel:
        bench.far.press("hit")
        assert bench.woken == 1
        assert panel.poll(bench.clock.now) == ()


def test_an_edge_from_another_thread_is_taken_by_the_poller() -> None:
    bench = Bench()
    with bench.open() as panel:
        finger = threading.Thread(target=bench.far.press, args=("hit",))
        finger.start()
        finger.join(5)
        assert panel.poll(bench.clock.now) == ()
        bench.clock.move(0.015)
        assert [change.name for change in panel.poll(bench.clock.now)] == [Input.HIT]


def test_a_bouncing_button_is_one_press() -> None:
    bench = Bench()
    with bench.open() as panel:
        for _ in range(8):
            bench.far.press("deal")
            bench.clock.move(0.0007)
            bench.far.release("deal")
            bench.clock.move(0.0004)
        bench.far.press("deal")
        bench.clock.move(0.031)
        assert [change.active for change in panel.poll(bench.clock.now)] == [True]


def test_a_panel_whose_press_is_set_shorter_counts_it_sooner() -> None:
    bench = Bench()
    panel = Panel(bench.wiring, bench.wake, bench.factory, press_s=0.006, clock=bench.clock)
    bench.far.press("hit")
    bench.clock.move(0.0061)
    assert [change.name for change in panel.poll(bench.clock.now)] == [Input.HIT]
    panel.close()


def test_due_is_when_the_press_counts_and_then_when_to_poll_again() -> None:
    bench = Bench()
    with bench.open() as panel:
        panel.poll(bench.clock.now)
        assert panel.due() == bench.clock.now + SAMPLE_EVERY_S
        bench.far.press("hit")
        panel.poll(bench.clock.now)
        assert panel.due() == bench.clock.now + PRESS_S
        assert len(panel.poll(panel.due())) == 1
        assert panel.due() == bench.clock.now + SAMPLE_EVERY_S


@pytest.mark.fault(24, 25)
@pytest.mark.parametrize("active", [True, False])
def test_a_lost_edge_is_found_by_the_next_poll(active: bool) -> None:
    bench = Bench()
    if not active:
        bench.far.press("hit")
    with bench.open() as panel:
        panel.poll(bench.clock.now)
        pin = bench.factory.pin(DEFAULT_INPUTS[Input.HIT].pin)
        pin.edges = "none"
        (bench.far.press if active else bench.far.release)("hit")
        assert bench.woken == 0
        bench.clock.move(SAMPLE_EVERY_S)
        assert panel.poll(bench.clock.now) == ()
        bench.clock.move(0.030)
        changes = panel.poll(bench.clock.now)
        assert [(change.name, change.active) for change in changes] == [(Input.HIT, active)]


def test_a_glitch_whose_end_was_lost_is_not_a_press() -> None:
    bench = Bench()
    with bench.open() as panel:
        bench.far.press("hit")
        bench.factory.pin(DEFAULT_INPUTS[Input.HIT].pin).edges = "none"
        bench.far.release("hit")
        bench.clock.move(0.01)
        assert panel.poll(bench.clock.now) == ()


def test_at_rest_no_button_is_pressed_no_door_open_no_key_turned() -> None:
    with Bench().open() as panel:
        assert panel.levels() == dict.fromkeys(Input, False)
        assert panel.stuck_at_start == frozenset()


@pytest.mark.parametrize("door", DOORS)
def test_a_door_opens_and_shuts(door: Input) -> None:
    bench = Bench()
    with bench.open() as panel:
        bench.far.open_door(door)
        bench.clock.move(0.031)
        opened = panel.poll(bench.clock.now)
        bench.far.close_door(door)
        bench.clock.move(0.031)
        shut = panel.poll(bench.clock.now)
    assert [(change.name, change.active) for change in (*opened, *shut)] == [(door, True), (door, False)]


@pytest.mark.parametrize("door", DOORS)
def test_a_door_that_is_open_at_the_start_is_in_the_levels(door: Input) -> None:
    bench = Bench()
    bench.far.open_door(door)
    with bench.open() as panel:
        assert [name for name, level in panel.levels().items() if level] == [door]
        bench.clock.move(1)
        assert panel.poll(bench.clock.now) == ()


def test_a_door_that_was_read_open_for_a_moment_is_reported_shut() -> None:
    """The poll read it as open; the debouncer alone would not have counted it."""
    bench = Bench()
    with bench.open() as panel:
        bench.far.open_door("main_door")
        assert panel.settle()[Input.MAIN_DOOR]
        bench.clock.move(0.003)
        bench.far.close_door("main_door")
        bench.clock.move(0.031)
        changes = panel.poll(bench.clock.now)
        assert [(change.name, change.active) for change in changes] == [(Input.MAIN_DOOR, False)]


def test_a_cut_door_wire_reads_as_open() -> None:
    bench = Bench()
    with bench.open() as panel:
        bench.factory.pin(DEFAULT_INPUTS[Input.CASHBOX_DOOR].pin).hold(None)
        assert panel.levels()[Input.CASHBOX_DOOR]


def test_a_key_turns_on_and_off() -> None:
    bench = Bench()
    with bench.open() as panel:
        bench.far.turn_key("audit_key", on=True)
        bench.clock.move(0.031)
        assert [(change.name, change.active) for change in panel.poll(bench.clock.now)] == [(Input.AUDIT_KEY, True)]
        bench.far.turn_key("audit_key", on=False)
        bench.clock.move(0.031)
        assert [(change.name, change.active) for change in panel.poll(bench.clock.now)] == [(Input.AUDIT_KEY, False)]


@pytest.mark.fault(26)
def test_a_button_stuck_at_the_start_is_reported_and_is_no_press() -> None:
    bench = Bench()
    bench.far.press("deal")
    bench.far.open_door("main_door")
    with bench.open() as panel:
        assert panel.stuck_at_start == {Input.DEAL}
        bench.clock.move(1)
        assert panel.poll(bench.clock.now) == ()
        bench.far.release("deal")
        bench.clock.move(0.031)
        assert [change.active for change in panel.poll(bench.clock.now)] == [False]


@pytest.mark.parametrize("pull", Pull)
@pytest.mark.parametrize("active", Level)
def test_every_way_to_wire_a_contact_reads_pressed_as_pressed(pull: Pull, active: Level) -> None:
    contact = InputPin(pin=9, pull=pull, active=active)
    bench = Bench(wiring=Wiring(inputs={**DEFAULT_INPUTS, Input.HIT: contact}))
    with bench.open() as panel:
        assert not panel.levels()[Input.HIT]
        bench.far.press("hit")
        bench.clock.move(0.031)
        assert [change.active for change in panel.poll(bench.clock.now)] == [True]
        assert panel.levels()[Input.HIT]


def test_the_first_bit_sent_is_the_last_output_of_the_chain() -> None:
    bench = Bench()
    with bench.open() as panel:
        sent: list[bool] = []
        data, clock, latch = (
            bench.factory.pin(pin) for pin in (DEFAULT_LAMPS.data, DEFAULT_LAMPS.clock, DEFAULT_LAMPS.latch)
        )
        clock.watch(lambda level: sent.append(bool(data.state)) if level else None)
        latched_after: list[int] = []
        latch.watch(lambda level: latched_after.append(len(sent)) if level else None)
        panel.show(frozenset({Input.CASH_OUT}), frozenset({Tower.TOWER_FAULT}))
    # Outputs 15 and 14 carry nothing, 13 is the fault lamp, 0 is CASH OUT.
    assert sent[:16] == [False, False, True, *[False] * 12, True]
    assert latched_after[0] == 16


def test_nothing_is_clocked_when_the_lamps_stay_as_they_are() -> None:
    bench = Bench()
    with bench.open() as panel:
        panel.show(frozenset({Input.HIT}), DARK)
        clocked: list[bool] = []
        bench.factory.pin(DEFAULT_LAMPS.clock).watch(clocked.append)
        panel.show(frozenset({Input.HIT}), DARK)
        assert clocked == []


def test_darkness_is_clocked_in_before_the_outputs_are_enabled() -> None:
    bench = Bench()
    factory = bench.factory
    order: list[str] = []
    factory.pin(DEFAULT_LAMPS.latch).watch(lambda level: order.append("latch") if level else None)
    factory.pin(DEFAULT_LAMPS.enable).watch(lambda level: order.append("off" if level else "on"))
    with bench.open():
        assert order[0] == "latch"
        assert order[-1] == "on"
        assert bench.far.lamps() == NO_LAMPS


def test_an_unwired_lamp_is_passed_over() -> None:
    bench = Bench(wiring=Wiring(lamps=replace(DEFAULT_LAMPS, outputs=(Input.HIT,))))
    with bench.open() as panel:
        panel.show(frozenset({Input.HIT, Input.DEAL}), frozenset(Tower))
        assert bench.far.lamps() == {Input.HIT}
        assert bench.far.tower() == DARK


@pytest.mark.parametrize("active", Level)
def test_only_the_pins_of_lamps_that_change_are_written(active: Level) -> None:
    lamps = LampPins(pins={Input.HIT: 7, Input.DEAL: 8, Tower.TOWER_CALL: 9}, active=active)
    bench = Bench(wiring=Wiring(lamps=lamps))
    with bench.open() as panel:
        panel.show(frozenset({Input.HIT, Input.DEAL}), DARK)
        written: list[int] = []
        for pin in lamps.pins.values():
            bench.factory.pin(pin).watch(lambda _, pin=pin: written.append(pin))
        panel.show(frozenset({Input.HIT}), frozenset({Tower.TOWER_CALL}))
        assert sorted(written) == [8, 9]
        assert bench.far.lamps() == {Input.HIT}
        assert bench.far.tower() == {Tower.TOWER_CALL}


def test_closing_puts_the_lamps_out_before_the_pins_are_let_go() -> None:
    bench = Bench()
    with bench.open() as panel:
        panel.show(frozenset(BUTTON_INPUTS), frozenset(Tower))
        levels: list[bool] = []
        bench.factory.pin(DEFAULT_LAMPS.enable).watch(levels.append)
        panel.close()
        panel.close()
        assert levels == [True]
    assert bench.far.lamps() == NO_LAMPS


def test_a_pin_that_is_taken_is_reported_by_function_and_number_and_the_rest_is_let_go() -> None:
    bench = Bench()
    with (
        Button(DEFAULT_INPUTS[Input.HIT].pin, pin_factory=bench.factory),
        pytest.raises(ConfigurationError, match="hit on GPIO23 cannot be opened"),
        bench.open(),
    ):
        pass
    assert bench.far.lamps() == NO_LAMPS
    with bench.open() as panel:
        assert panel.levels()[Input.HIT] is False


def test_one_contact_is_opened_with_edges_and_let_go() -> None:
    bench, contact = Bench(), DEFAULT_INPUTS[Input.HIT]
    with open_contact(Input.HIT, contact, bench.factory):
        assert bench.factory.pin(contact.pin).edges == "both"
        assert bench.factory.pin(contact.pin).when_changed is not None
    with bench.open() as panel:
        assert panel.levels()[Input.HIT] is False

"""The simulated panel moves real pins and sees only what the pins say."""

from dataclasses import replace

import pytest
from gpiozero import DigitalOutputDevice
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st
from support.panel import Bench

from drivers.errors import ConfigurationError
from drivers.panel.gpio import Panel
from drivers.panel.layout import BUTTON_INPUTS, DEFAULT_LAMPS, Input, Tower, Wiring
from drivers.panel.pin_factory import make_factory
from drivers.simulated.panel import SimulatedPanel


@pytest.mark.no_cover
@given(frames=st.lists(st.tuples(st.frozensets(st.sampled_from(BUTTON_INPUTS)), st.frozensets(st.sampled_from(Tower)))))
def test_the_lamps_seen_are_the_lamps_shown(frames: list[tuple[frozenset[Input], frozenset[Tower]]]) -> None:
    bench = Bench()
    with bench.open() as panel:
        for lit, tower in frames:
            panel.show(lit, tower)
            assert bench.far.lamps() == lit
            assert bench.far.tower() == tower
    assert bench.far.lamps() == frozenset()
    assert bench.far.tower() == frozenset()


def test_lamps_on_a_chain_of_three_are_seen_in_their_places() -> None:
    outputs = (Tower.TOWER_CALL, *reversed(BUTTON_INPUTS), Tower.TOWER_FAULT, Input.HIT)[:14]
    lamps = replace(DEFAULT_LAMPS, outputs=outputs)
    bench = Bench(wiring=Wiring(lamps=lamps))
    with bench.open() as panel:
        panel.show(frozenset({Input.DEAL}), frozenset({Tower.TOWER_FAULT}))
        assert bench.far.lamps() == {Input.DEAL}
        assert bench.far.tower() == {Tower.TOWER_FAULT}


def test_bits_that_were_clocked_but_not_latched_light_nothing() -> None:
    bench = Bench()
    with bench.open():
        bench.factory.pin(DEFAULT_LAMPS.data).state = True
        bench.factory.pin(DEFAULT_LAMPS.clock).state = True
        assert bench.far.lamps() == frozenset()
        bench.factory.pin(DEFAULT_LAMPS.latch).state = True
        assert bench.far.lamps() == {DEFAULT_LAMPS.outputs[0]}


def test_disabled_outputs_are_dark_whatever_is_latched() -> None:
    bench = Bench()
    with bench.open() as panel:
        panel.show(frozenset(BUTTON_INPUTS), frozenset(Tower))
        bench.factory.pin(DEFAULT_LAMPS.enable).state = True
        assert bench.far.lamps() == frozenset()
        assert bench.far.tower() == frozenset()


def test_a_cabinet_that_is_not_running_is_dark() -> None:
    bench = Bench()
    assert bench.far.lamps() == frozenset()
    with DigitalOutputDevice(DEFAULT_LAMPS.latch, pin_factory=bench.factory) as latch:
        latch.on()
        assert bench.far.lamps() == frozenset()


def test_a_panel_opened_first_can_be_operated_too() -> None:
    wiring, factory = Wiring(), make_factory("mock")
    panel = Panel(wiring, lambda: None, factory)
    far = SimulatedPanel(wiring, factory)
    far.press("hit")
    assert panel.levels()[Input.HIT]
    panel.show(frozenset({Input.HIT}), frozenset())
    assert far.lamps() == {Input.HIT}
    panel.close()


@pytest.mark.parametrize(("method", "name"), [("press", "main_door"), ("open_door", "hit"), ("release", "nonsense")])
def test_a_name_of_another_kind_is_refused_with_the_names_there_are(method: str, name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"'{name}' is unknown; expected one of"):
        getattr(Bench().far, method)(name)


def test_plain_mock_pins_are_refused() -> None:
    with pytest.raises(ConfigurationError, match='needs the pin factory "mock"'):
        SimulatedPanel(Wiring(), MockFactory())


def test_a_tap_holds_and_rests_long_enough_to_count_twice() -> None:
    bench = Bench()
    with bench.open() as panel:
        bench.far.tap("hit")
        bench.far.tap(Input.HIT)
        assert [change.active for change in panel.poll(bench.clock.now)] == [True, False, True, False]


def test_a_key_is_turned_and_turned_back_like_a_tap() -> None:
    bench = Bench()
    with bench.open() as panel:
        bench.far.tap("reset_key")
        changes = panel.poll(bench.clock.now)
        assert [(change.name, change.active) for change in changes] == [
            (Input.RESET_KEY, True),
            (Input.RESET_KEY, False),
        ]

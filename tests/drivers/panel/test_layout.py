"""An impossible wiring is refused with the names of the functions and the pin."""

from dataclasses import replace

import pytest

from drivers.errors import ConfigurationError
from drivers.panel.layout import (
    BUTTON_INPUTS,
    DEFAULT_INPUTS,
    DEFAULT_LAMPS,
    DOORS,
    KEYS,
    Input,
    InputPin,
    LampPins,
    Level,
    Pull,
    Tower,
    Wiring,
    functions,
)


def inputs_with(name: Input, contact: InputPin) -> dict[Input, InputPin]:
    return {**DEFAULT_INPUTS, name: contact}


def test_the_buttons_are_in_their_order_on_the_panel() -> None:
    assert [button.name for button in BUTTON_INPUTS] == (
        ["CASH_OUT", "SERVICE", "CHIP", "BET", "PLACE", "CLEAR", "REBET", "DOUBLE", "SPLIT", "STAND", "HIT", "DEAL"]
    )


def test_every_input_is_a_button_a_door_or_a_key() -> None:
    assert (*BUTTON_INPUTS, *DOORS, *KEYS) == tuple(Input)


def test_the_default_leaves_uart_and_i2c_free() -> None:
    wiring = Wiring(uart_in_use=True, i2c_in_use=True)
    pins = [pin for _, pin in functions(wiring)]
    assert len(pins) == len(set(pins)) == 21


def test_the_default_lights_every_button_and_the_tower() -> None:
    assert set(DEFAULT_LAMPS.outputs) == {*BUTTON_INPUTS, *Tower}


def test_doors_read_open_when_their_wire_is_cut() -> None:
    assert all(DEFAULT_INPUTS[door].pull is Pull.UP for door in DOORS)
    assert all(DEFAULT_INPUTS[door].active is Level.HIGH for door in DOORS)


def test_two_inputs_on_one_pin_are_refused_by_both_names_and_the_pin() -> None:
    with pytest.raises(ConfigurationError, match=r"hit and deal are both on GPIO23\b"):
        Wiring(inputs=inputs_with(Input.DEAL, InputPin(pin=23)))


def test_an_input_on_a_pin_of_the_lamp_register_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="split and lamp register latch are both on GPIO8"):
        Wiring(inputs=inputs_with(Input.SPLIT, InputPin(pin=8)))


def test_a_lamp_on_the_pin_of_an_input_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="cash_out and tower_call lamp are both on GPIO4"):
        Wiring(lamps=LampPins(pins={Tower.TOWER_CALL: 4}))


def test_two_lines_of_the_register_on_one_pin_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="lamp register data and lamp register clock are both on GPIO10"):
        Wiring(lamps=replace(DEFAULT_LAMPS, clock=10))


@pytest.mark.parametrize("pin", [0, 1])
def test_the_pins_of_the_identity_chip_are_refused(pin: int) -> None:
    with pytest.raises(ConfigurationError, match=f"hit on GPIO{pin}: reserved"):
        Wiring(inputs=inputs_with(Input.HIT, InputPin(pin=pin)))


@pytest.mark.parametrize("pin", [-1, 28, 40])
def test_a_pin_that_the_header_does_not_have_is_refused(pin: int) -> None:
    with pytest.raises(ConfigurationError, match=f"hit on GPIO{pin}: the header has GPIO0 to GPIO27"):
        Wiring(inputs=inputs_with(Input.HIT, InputPin(pin=pin)))


@pytest.mark.parametrize("pin", [14, 15])
def test_the_uart_pins_are_free_only_while_the_uart_is_not_used(pin: int) -> None:
    inputs = inputs_with(Input.HIT, InputPin(pin=pin))
    assert Wiring(inputs=inputs).inputs[Input.HIT].pin == pin
    with pytest.raises(ConfigurationError, match=f"hit on GPIO{pin}: .*uart_in_use"):
        Wiring(inputs=inputs, uart_in_use=True)


@pytest.mark.parametrize("pin", [2, 3])
def test_the_i2c_pins_are_free_only_while_i2c_is_not_used(pin: int) -> None:
    inputs = inputs_with(Input.HIT, InputPin(pin=pin))
    assert Wiring(inputs=inputs).inputs[Input.HIT].pin == pin
    with pytest.raises(ConfigurationError, match=f"hit on GPIO{pin}: .*i2c_in_use"):
        Wiring(inputs=inputs, i2c_in_use=True)


@pytest.mark.parametrize("pull", [Pull.DOWN, Pull.NONE])
def test_a_pull_that_the_board_cannot_give_is_refused(pull: Pull) -> None:
    with pytest.raises(ConfigurationError, match=f"hit on GPIO2 asks for pull {pull.value}"):
        Wiring(inputs=inputs_with(Input.HIT, InputPin(pin=2, pull=pull)))


def test_an_input_without_a_pin_is_refused() -> None:
    inputs = {name: contact for name, contact in DEFAULT_INPUTS.items() if name not in (Input.HIT, Input.RESET_KEY)}
    with pytest.raises(ConfigurationError, match="no pin for hit, reset_key"):
        Wiring(inputs=inputs)


def test_a_lamp_in_a_door_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="main_door cannot have a lamp"):
        Wiring(lamps=LampPins(pins={Input.MAIN_DOOR: 9}))


def test_a_lamp_named_twice_in_the_register_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="hit named twice"):
        Wiring(lamps=replace(DEFAULT_LAMPS, outputs=(Input.HIT, Input.DEAL, Input.HIT)))

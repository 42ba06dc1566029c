"""The wiring, pin by pin, is that of the settings."""

from pathlib import Path

import pytest

from cabinet.config.reader import ConfigError
from cabinet.config.settings import Config, parse
from cabinet.installation.wiring.header import HEADER, Kind, list_positions, list_registers, printed_name
from drivers.panel.layout import DEFAULT_INPUTS, HEADER_PINS, Tower, functions

PULSES = "[acceptor]\nprotocol = 'pulse'\n[acceptor.pulse]\nnotes = { 2 = 100, 10 = 500 }\n"
LAMPS = "[panel.lamps.pins]\ndeal = 10\ntower_call = 11\n"


def _config(text: str) -> Config:
    return parse(text, Path("x.toml"))


def _named(config: Config) -> dict[int | None, str]:
    return {each.pin: each.name for each in list_positions(config)}


def test_the_header_has_each_pin_once():
    assert sorted(each for each in HEADER if isinstance(each, int)) == list(HEADER_PINS)
    assert (len(HEADER), HEADER.count("ground"), HEADER.count("3.3 V"), HEADER.count("5 V")) == (40, 8, 2, 2)


@pytest.mark.parametrize("text", ["", PULSES, LAMPS, "[panel.inputs]\nhit = { pin = 9 }\n"])
def test_each_function_of_the_settings_is_on_its_pin(text: str):
    config = _config(text)
    used = {each.pin for each in list_positions(config) if each.kind not in {Kind.FREE, Kind.TAKEN}} - {None}
    assert used == {pin for _, pin in functions(config.wiring())}


def test_every_contact_has_its_name():
    named = _named(Config())
    assert [named[contact.pin] for contact in DEFAULT_INPUTS.values()] == [
        printed_name(each) for each in DEFAULT_INPUTS
    ]


def test_a_moved_contact_leaves_its_pin_free():
    named = _named(_config("[panel.inputs]\nhit = { pin = 9 }\n"))
    assert (named[9], named[23]) == ("HIT", "free")


def test_pins_that_belong_to_something_else_say_so():
    named = _named(_config("[panel]\nuart_in_use = true\ni2c_in_use = true\n"))
    assert (named[0], named[2], named[14]) == ("leave open", "I2C bus", "serial port")


@pytest.mark.parametrize(
    ("contact", "note"),
    [
        ('pull = "up", active = "low"', "closes to ground when pressed"),
        ('pull = "up", active = "high"', "closed to ground while not pressed"),
        ('pull = "down", active = "high"', "closes to 3.3 V when pressed"),
        ('pull = "down", active = "low"', "closed to 3.3 V while not pressed"),
        ('pull = "none", active = "low"', "low when pressed; needs its own resistor"),
    ],
)
def test_a_contact_says_how_it_is_connected(contact: str, note: str):
    config = _config(f"[panel.inputs]\nhit = {{ {contact} }}\n")
    assert [each.note for each in list_positions(config) if each.name == "HIT"] == [note]


def test_registers_have_their_outputs_in_order():
    first, second = list_registers(Config())
    assert first.outputs == ("CASH OUT", "SERVICE", "CHIP", "BET", "PLACE", "CLEAR", "REBET", "DOUBLE")
    assert second.outputs == ("SPLIT", "STAND", "HIT", "DEAL", "tower: call", "tower: fault", "", "")


def test_lamps_on_pins_have_no_registers():
    config = _config(LAMPS)
    assert list_registers(config) == ()
    assert (_named(config)[10], _named(config)[11]) == ("DEAL lamp", printed_name(Tower.TOWER_CALL))


def test_an_acceptor_on_pins_is_on_the_header():
    named = _named(_config(PULSES))
    assert (named[15], named[9]) == ("acceptor pulses", "acceptor release")


def test_a_wiring_that_cannot_be_built_is_an_error():
    with pytest.raises(ConfigError, match=r"^x\.toml: panel\.inputs\.hit\.pin"):
        list_positions(_config("[panel.inputs]\nhit = { pin = 4 }\n"))

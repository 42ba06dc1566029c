"""The page of the wiring: it shows what the settings have, and the one in the manual is up to date."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from cabinet.config.settings import Config, load, parse
from cabinet.installation.wiring.drawing import HEIGHT, WIDTH, draw_wiring
from cabinet.installation.wiring.header import list_positions, list_registers
from cabinet.text.shipped import SAMPLE_SETTINGS, assets_folder

IMAGE = Path(__file__).parents[3] / "docs" / "images" / "wiring.svg"
SVG = "{http://www.w3.org/2000/svg}"
PULSES = "[acceptor]\nprotocol = 'pulse'\n[acceptor.pulse]\nnotes = { 2 = 100, 10 = 500 }\nactive = 'high'\n"
WIDE = 0.62
"""Width of a letter as a share of its height, more than that of most letters."""


def _config(text: str) -> Config:
    return parse(text, Path("x.toml"))


def _texts(svg: str) -> list[ET.Element]:
    return list(ET.fromstring(svg).iter(f"{SVG}text"))


def _words(svg: str) -> list[str]:
    return [each.text or "" for each in _texts(svg)]


def test_the_picture_in_the_manual_is_that_of_the_sample_settings():
    drawn = draw_wiring(load(assets_folder() / SAMPLE_SETTINGS))
    assert IMAGE.read_text(encoding="utf-8") == drawn, "run: cabinet wiring --svg docs/images/wiring.svg"


@pytest.mark.parametrize("text", ["", PULSES, "[panel.lamps.pins]\ndeal = 10\n", "[panel.inputs]\nhit = { pin = 9 }\n"])
def test_each_position_and_each_output_is_on_the_page(text: str):
    config = _config(text)
    words = _words(draw_wiring(config))
    for position in list_positions(config):
        assert position.name in words
        assert position.pin is None or f"GPIO{position.pin}" in words
        assert position.note in {"", *words}
    for register in list_registers(config):
        assert {name for name in register.outputs if name} <= set(words)


def test_the_devices_are_those_of_the_settings():
    words = _words(draw_wiring(_config("[printer]\nport = '/dev/ttyACM7'\nprotocol = 'tcl'\n")))
    assert "/dev/ttyACM7" in words
    assert any("tcl" in each for each in words)


def test_an_acceptor_on_pins_has_no_usb_plug():
    words = _words(draw_wiring(_config(PULSES)))
    assert "on pins, see the header" in words
    assert "/dev/cabinet/acceptor" not in words
    assert "ground, and 4.7 kΩ from the pin to ground." in words


def test_signs_in_a_name_do_not_break_the_page():
    assert 'A <b> & "c"' in _words(draw_wiring(_config("[machine]\nvenue = 'A <b> & \"c\"'\n")))


@pytest.mark.parametrize("text", ["", PULSES, f"[machine]\nvenue = '{'W' * 64}'\n"])
def test_each_text_is_on_the_page(text: str):
    for each in _texts(draw_wiring(_config(text))):
        long = len(each.text or "") * float(each.get("font-size", "0")) * WIDE
        x, y = float(each.get("x", "0")), float(each.get("y", "0"))
        left = {"start": x, "middle": x - long / 2, "end": x - long}[each.get("text-anchor", "")]
        assert (left > 0, left + long < WIDTH, 0 < y < HEIGHT) == (True, True, True), each.text


def test_no_two_texts_of_the_header_share_a_place():
    places = [(each.get("x"), each.get("y")) for each in _texts(draw_wiring(Config()))]
    assert len(places) == len(set(places))

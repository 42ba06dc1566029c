"""docs/devices.md: every family is there, its settings are read by the program, and its line is the protocol's."""

import re
from pathlib import Path

import pytest

from cabinet.config.acceptor import ACCEPTORS
from cabinet.config.settings import load
from cabinet.runtime.build import make_taker, make_writer
from drivers.bills.catalog import PROTOCOLS
from drivers.printers.catalog import LANGUAGES
from drivers.serial_link import describe

DOCS = Path(__file__).parents[2] / "docs"
MANUAL = (DOCS / "devices.md").read_text(encoding="utf-8")
SAMPLES = re.findall(r"```toml\n(.*?)```", MANUAL, flags=re.DOTALL)


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_sample_of_settings_is_read_and_builds_its_devices(sample: str, tmp_path: Path):
    file = tmp_path / "cabinet.toml"
    file.write_text(sample, encoding="utf-8")
    config = load(file)
    assert make_taker(config).line is not None
    assert make_writer(config).line.baud == config.printer.baud


def test_every_acceptor_and_printer_has_a_sample():
    shown = set(re.findall(r'protocol = "(\w+)"', "".join(SAMPLES)))
    assert shown == {*ACCEPTORS, *LANGUAGES}


def test_the_table_of_lines_is_that_of_the_protocols():
    lines = set(re.findall(r"\| (\d+ \d[NEO]\d) \|", MANUAL))
    assert lines == {describe(facts.line) for facts in PROTOCOLS.values()}


def test_the_pins_of_a_pulse_acceptor_are_those_of_the_wiring_page():
    wiring = (DOCS / "wiring.md").read_text(encoding="utf-8")
    pins = load(None).acceptor.pulse
    assert f"| GPIO{pins.pin} | 10 |" in wiring
    assert f"| GPIO{pins.release_pin} | 21 |" in wiring

"""The table for the electrician matches the program."""

import re
from pathlib import Path

from cabinet.config.acceptor import PulseSection
from drivers.panel.layout import BUTTON_INPUTS, DEFAULT_INPUTS, DEFAULT_LAMPS, DOORS, Input, Tower
from drivers.panel.pin_factory import HEADER_CHIPS

WIRING = (Path(__file__).parents[3] / "docs" / "wiring.md").read_text(encoding="utf-8")

# The 40-pin header: BCM number -> position.
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip


def as_printed(name: Input | Tower) -> str:
    if name in BUTTON_INPUTS:
        return name.value.replace("_", " ").upper()
    if isinstance(name, Tower):
        return name.value.replace("_", ": ")
    return name.value.replace("cashbox", "cash-box").replace("_", " ")


def test_every_function_is_on_its_pin_in_the_table():
    rows = re.findall(r"^\| ([\w -]+) \| GPIO(\d+) \| (\d+) \|", WIRING, flags=re.MULTILINE)
    expected = [(as_printed(name), contact.pin) for name, contact in DEFAULT_INPUTS.items()]
    expected += [(line, getattr(DEFAULT_LAMPS, line)) for line in ("data", "clock", "latch", "enable")]
    expected += [("pulses", PulseSection().pin), ("release", PulseSection().release_pin)]
    assert [(name, int(pin)) for name, pin, _ in rows] == expected
    assert [int(position) for _, _, position in rows] == [HEADER[pin] for _, pin in expected]


def test_every_lamp_is_on_its_output_in_the_table():
    rows = re.findall(r"^\| (?:first|second) register \| (.*) \|$", WIRING, flags=re.MULTILINE)
    outputs = [cell for row in rows for cell in row.split(" | ")]
    assert [cell for cell in outputs if cell != "–"] == [as_printed(lamp) for lamp in DEFAULT_LAMPS.outputs]
    assert len(outputs) == 16


def test_the_start_up_lines_pull_up_every_contact_and_keep_the_lamps_dark():
    modes: dict[int, str] = {}
    for pins, mode in re.findall(r"^gpio=([\d,-]+)=(\S+)$", WIRING, flags=re.MULTILINE):
        for part in pins.split(","):
            first, _, last = part.partition("-")
            modes |= dict.fromkeys(range(int(first), int(last or first) + 1), mode)
    assert {pin for pin, mode in modes.items() if mode == "ip,pu"} == {c.pin for c in DEFAULT_INPUTS.values()}
    assert modes[DEFAULT_LAMPS.enable] == "op,dh"
    assert all(f"{as_printed(door)} |" in WIRING for door in DOORS)


def test_the_header_chips_are_searched():
    assert set(re.findall(r"pinctrl-\w+", WIRING)) == set(HEADER_CHIPS)

"""The boot files: the cabinet's lines on every kind of card, and the user's own."""

import re

import pytest
from support.boot_files import BOOT_FILES, EDITED_CMDLINE, EDITED_CONFIG, STOCK_CMDLINE, STOCK_CONFIG

from cabinet.config.settings import Config
from cabinet.installation.system.blocks import BEGIN, END, remove_block
from cabinet.installation.system.boot_files import (
    Radio,
    find_pin_conflicts,
    gpio_lines,
    put_cmdline,
    put_config,
    undo_cmdline,
)
from drivers.panel.layout import DEFAULT_INPUTS, AcceptorPins, Input, InputPin, LampPins, Level, Pull, Wiring

SCREEN = "HDMI-A-1:1920x1080M@60D"
WIRING = Config().wiring()


def _modes(lines: tuple[str, ...]) -> dict[int, str]:
    """Returns each pin with its mode, as the firmware reads the lines."""
    modes: dict[int, str] = {}
    for line in lines:
        _, pins, mode = line.split("=")
        for part in pins.split(","):
            first, _, last = part.partition("-")
            modes |= dict.fromkeys(range(int(first), int(last or first) + 1), mode)
    return modes


def _block(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[lines.index(BEGIN) + 1 : lines.index(END)]


@pytest.mark.parametrize("kind", BOOT_FILES)
def test_a_second_run_changes_nothing(kind: str):
    config, cmdline = BOOT_FILES[kind]
    first = put_config(config, WIRING, Radio()), put_cmdline(cmdline, screen=SCREEN)
    assert (put_config(first[0], WIRING, Radio()), put_cmdline(first[1], screen=SCREEN)) == first


@pytest.mark.parametrize("kind", BOOT_FILES)
def test_the_users_lines_stay(kind: str):
    config, _ = BOOT_FILES[kind]
    assert put_config(config, WIRING, Radio()).startswith(config)


def test_the_block_holds_for_every_model_whatever_section_the_file_ends_in():
    block = _block(put_config(EDITED_CONFIG, WIRING, Radio()))
    assert (block[0], block[-1]) == ("[all]", "[all]")


def test_the_graphics_driver_is_loaded_once():
    assert put_config(STOCK_CONFIG, WIRING, Radio()).count("dtoverlay=vc4-kms-v3d") == 1
    assert "dtoverlay=vc4-kms-v3d" in _block(put_config("#dtoverlay=vc4-kms-v3d\n", WIRING, Radio()))


def test_a_network_by_radio_keeps_its_device():
    with_radio, without = (put_config("", WIRING, Radio(wireless=each)) for each in (True, False))
    assert (with_radio.count("disable-wifi"), without.count("disable-wifi")) == (0, 3)


def test_only_a_battery_that_can_be_charged_is_charged():
    assert "rtc_bbat_vchg=3000000" in put_config("", WIRING, Radio(charge_clock=True))
    assert "rtc_bbat_vchg" not in put_config("", WIRING, Radio())


def test_a_bus_that_belongs_to_something_else_stays_on():
    wiring = Wiring(uart_in_use=True, i2c_in_use=True)
    block = _block(put_config("", wiring, Radio()))
    assert "enable_uart=1" in block
    assert "dtparam=i2c_arm=off" not in block


def test_every_pin_has_its_level_until_the_program_sets_it():
    modes = _modes(gpio_lines(WIRING))
    assert {pin for pin, mode in modes.items() if mode == "ip,pu"} == {each.pin for each in DEFAULT_INPUTS.values()}
    assert {pin: mode for pin, mode in modes.items() if mode != "ip,pu"} == {
        7: "op,dh",
        8: "op,dl",
        10: "op,dl",
        11: "op,dl",
    }


def test_the_pins_are_those_of_the_settings():
    inputs = {**DEFAULT_INPUTS, Input.HIT: InputPin(pin=9, pull=Pull.DOWN, active=Level.HIGH)}
    wiring = Wiring(
        inputs=inputs,
        lamps=LampPins(pins={Input.DEAL: 10, Input.HIT: 11}, active=Level.LOW),
        acceptor=AcceptorPins(pulse=15, release=8, active=Level.HIGH),
    )
    modes = _modes(gpio_lines(wiring))
    assert [modes[pin] for pin in (9, 10, 11, 15, 8)] == ["ip,pd", "op,dh", "op,dh", "ip,pd", "op,dl"]
    assert 23 not in modes


def test_a_line_that_takes_a_pin_of_the_panel_is_named():
    found = [(each.number, each.pin, each.function) for each in find_pin_conflicts(EDITED_CONFIG, WIRING)]
    assert found == [(5, 4, "cash_out")]
    assert "dtoverlay=w1-gpio" in str(find_pin_conflicts(EDITED_CONFIG, WIRING)[0])


@pytest.mark.parametrize(
    ("line", "pins"),
    [
        ("dtoverlay=w1-gpio,gpiopin=25", [25]),
        ("dtoverlay=hifiberry-dac", [18, 19, 20, 21]),
        ("dtparam=i2s=on", [18, 19, 20, 21]),
        ("dtoverlay=gpio-fan,gpiopin=14", []),
        ("#dtoverlay=w1-gpio", []),
    ],
)
def test_which_pins_a_line_takes(line: str, pins: list[int]):
    assert [each.pin for each in find_pin_conflicts(f"{line}\n", WIRING)] == pins


def test_the_stock_file_takes_no_pin_of_the_panel():
    assert find_pin_conflicts(put_config(STOCK_CONFIG, WIRING, Radio()), WIRING) == ()


def test_the_kernel_line_of_a_stock_card():
    assert put_cmdline(STOCK_CMDLINE, screen=SCREEN) == (
        "console=tty3 root=PARTUUID=0a1b2c3d-02 rootfstype=ext4 fsck.repair=yes rootwait "
        "cfg80211.ieee80211_regdom=DE quiet loglevel=3 logo.nologo vt.global_cursor_default=0 consoleblank=0 "
        "video=HDMI-A-1:1920x1080M@60D\n"
    )


def test_the_kernel_line_of_an_edited_card_keeps_its_parts_and_the_mode_of_its_screen():
    assert put_cmdline(EDITED_CMDLINE, screen=SCREEN) == (
        'root=/dev/sda2  rootwait loglevel=7 console=tty3 foo="a b" video=HDMI-A-1:1280x720@60 quiet '
        "loglevel=3 logo.nologo vt.global_cursor_default=0 consoleblank=0\n"
    )


@pytest.mark.parametrize("kind", BOOT_FILES)
def test_the_kernel_line_stays_one_line(kind: str):
    assert re.fullmatch(r"[^\r\n]+\n", put_cmdline(BOOT_FILES[kind][1], screen=SCREEN))


def test_without_a_screen_no_mode_is_set():
    assert "video=" not in put_cmdline(STOCK_CMDLINE)


def test_the_undo_of_an_edited_kernel_line_keeps_the_edit():
    after = put_cmdline(STOCK_CMDLINE, screen=SCREEN)
    edited = after.replace("rootwait", "rootwait mine=1")
    assert undo_cmdline(edited, STOCK_CMDLINE, after) == (
        "console=serial0,115200 console=tty1 root=PARTUUID=0a1b2c3d-02 rootfstype=ext4 fsck.repair=yes rootwait mine=1 "
        "cfg80211.ieee80211_regdom=DE\n"
    )


def test_the_undo_of_an_edited_settings_file_of_the_firmware_keeps_the_edit():
    edited = put_config(STOCK_CONFIG, WIRING, Radio()) + "mine=1\n"
    assert remove_block(edited) == f"{STOCK_CONFIG}mine=1\n"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("dtoverlay=vc4-kms-v3d\n[pi4]\n", False),
        ("[pi4]\n[all]\ndtoverlay=vc4-kms-v3d,noaudio\n", False),
        ("[pi4]\ndtoverlay=vc4-kms-v3d\n", True),
        ("[pi4]\r\ndtoverlay=vc4-kms-v3d\r\n", True),
    ],
)
def test_the_picture_of_one_model_is_not_that_of_every_model(text: str, written: bool):
    """With a line for a Pi 4 only, a Pi 5 has no picture."""
    block = put_config(text, WIRING, Radio()).partition("# --- blackjack-cabinet begin")[2]
    assert ("dtoverlay=vc4-kms-v3d" in block) is written

"""The udev rules, worked through as udev does: which adapter gets which name, and what at a USB socket is switched off.

`udevadm verify` came with systemd 254; where there is one, it is asked as well.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from cabinet.installation.system.sockets import put_sockets

TOKEN = re.compile(r'(?P<key>[A-Z]+)(?:\{(?P<name>\w+)\})?(?P<operator>==|!=|\+=|=)"(?P<value>[^"]*)"')
MATCHES = {"ACTION", "SUBSYSTEM", "KERNEL", "ENV", "ATTR"}
ASSIGNMENTS = {"ENV", "ATTR", "SYMLINK", "TAG", "GROUP", "MODE", "GOTO", "LABEL", "IMPORT"}

PI_4 = "platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.{}:1.0"
PI_5 = "platform-xhci-hcd.{}-usb-0:1:1.0"
SOCKETS = {
    "Pi 4": put_sockets("", {"acceptor": PI_4.format(1), "printer": PI_4.format(2)}),
    "Pi 5": put_sockets("", {"acceptor": PI_5.format(0), "printer": PI_5.format(1)}),
}
USB = (Path(__file__).parents[2] / "systemd" / "63-blackjack-cabinet-usb.rules").read_text(encoding="utf-8")


@dataclass
class Device:
    """A device as it is added; `path` is what udev's path_id would find out."""

    kernel: str = "ttyUSB0"
    subsystem: str = "tty"
    action: str = "add"
    path: str = ""
    env: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    given: dict[str, list[str]] = field(default_factory=dict)

    def read(self, key: str, name: str) -> str:
        known = {"ACTION": self.action, "SUBSYSTEM": self.subsystem, "KERNEL": self.kernel}
        kept = {"ENV": self.env, "ATTR": self.attributes}
        return kept[key].get(name, "") if key in kept else known[key]


def read_rules(text: str) -> list[list[re.Match[str]]]:
    """Return each rule as its tokens; anything that is not a token, a comma or a comment fails."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    rules = [list(TOKEN.finditer(line)) for line in lines]
    for line, rule in zip(lines, rules, strict=True):
        assert ", ".join(token[0] for token in rule) == line
    return rules


def is_match(token: re.Match[str]) -> bool:
    return token["operator"] in {"==", "!="}


def holds(token: re.Match[str], device: Device) -> bool:
    found = any(fnmatchcase(device.read(token["key"], token["name"]), one) for one in token["value"].split("|"))
    return found is (token["operator"] == "==")


def assign(token: re.Match[str], device: Device) -> None:
    match token["key"]:
        case "IMPORT":
            device.env["ID_PATH"] = device.path
        case "ENV":
            device.env[token["name"]] = token["value"]
        case "ATTR":
            device.attributes[token["name"]] = token["value"]
        case "SYMLINK" | "TAG" | "GROUP" | "MODE" as key:
            device.given.setdefault(key, []).append(token["value"])


def apply_rules(text: str, device: Device) -> Device:
    skip_to = None
    for rule in read_rules(text):
        if skip_to and not any(token["key"] == "LABEL" and token["value"] == skip_to for token in rule):
            continue
        skip_to = None
        if all(holds(token, device) for token in rule if is_match(token)):
            assignments = [token for token in rule if not is_match(token)]
            for token in assignments:
                assign(token, device)
            skip_to = next((token["value"] for token in assignments if token["key"] == "GOTO"), None)
    assert skip_to is None, f"GOTO {skip_to} leads nowhere"
    return device


@pytest.mark.parametrize(
    ("board", "path", "name"),
    [
        ("Pi 4", PI_4.format(1), "acceptor"),
        ("Pi 4", PI_4.format(2), "printer"),
        ("Pi 5", PI_5.format(0), "acceptor"),
        ("Pi 5", PI_5.format(1), "printer"),
    ],
)
@pytest.mark.parametrize("kernel", ["ttyUSB0", "ttyUSB7", "ttyACM0"])
def test_an_adapter_is_named_by_its_socket_whatever_its_number(kernel: str, board: str, path: str, name: str):
    device = apply_rules(SOCKETS[board], Device(kernel=kernel, path=path))
    assert device.given["SYMLINK"] == [f"cabinet/{name}"]
    assert (device.given["GROUP"], device.given["MODE"], device.given["TAG"]) == (["dialout"], ["0660"], ["systemd"])


def test_modem_manager_leaves_the_cabinets_lines_alone():
    device = apply_rules(SOCKETS["Pi 4"], Device(path=PI_4.format(1)))
    assert device.env["ID_MM_DEVICE_IGNORE"] == device.env["ID_MM_PORT_IGNORE"] == "1"


@pytest.mark.parametrize(
    "device",
    [
        Device(path=PI_4.format(3)),
        Device(path=PI_4.format("1.2")),
        Device(kernel="tty1", path=PI_4.format(1)),
        Device(kernel="ttyUSB0", subsystem="usb-serial", path=PI_4.format(1)),
        Device(action="remove", path=PI_4.format(1)),
    ],
    ids=["another socket", "behind a hub", "a console", "the adapter's parent", "taken away"],
)
def test_nothing_else_is_named_or_touched(device: Device):
    apply_rules(SOCKETS["Pi 4"], device)
    assert device.given == {}
    assert "ID_MM_DEVICE_IGNORE" not in device.env


def interface(kind: str, *, subclass: str = "00", protocol: str = "00") -> Device:
    """A USB interface as it is added, by the numbers that it states."""
    stated = {"bInterfaceClass": kind, "bInterfaceSubClass": subclass, "bInterfaceProtocol": protocol}
    return Device(kernel="1-1:1.0", subsystem="usb", env={"DEVTYPE": "usb_interface"}, attributes=stated)


@pytest.mark.parametrize(
    "device",
    [
        interface("09"),
        interface("ff"),
        interface("02", subclass="02", protocol="01"),
        interface("0a"),
        interface("07", subclass="01", protocol="02"),
        interface("01", subclass="02"),
        interface("08", subclass="06", protocol="50"),
        interface("03"),
        interface("03", subclass="01", protocol="02"),
    ],
    ids=["hub", "FTDI", "CDC ACM", "its data", "printer", "sound", "medium", "touch panel", "mouse"],
)
def test_what_a_cabinet_needs_at_its_usb_sockets_stays_on(device: Device):
    assert "authorized" not in apply_rules(USB, device).attributes


@pytest.mark.parametrize(
    "device",
    [
        interface("03", subclass="01", protocol="01"),
        interface("02", subclass="06"),
        interface("02", subclass="0d"),
        interface("e0", subclass="01", protocol="03"),
        interface("0e", subclass="01"),
        interface("06", subclass="01", protocol="01"),
        interface("fe", subclass="01"),
    ],
    ids=["keyboard", "network ECM", "network NCM", "network RNDIS", "camera", "telephone", "firmware update"],
)
def test_what_a_cabinet_does_not_need_at_its_usb_sockets_is_switched_off(device: Device):
    assert apply_rules(USB, device).attributes["authorized"] == "0"


def test_a_keyboard_that_does_not_say_so_on_the_wire_has_no_keys():
    hidden = Device(kernel="input7", subsystem="input", env={"ID_INPUT_KEYBOARD": "1"})
    panel = Device(kernel="input8", subsystem="input", env={"ID_INPUT_TOUCHSCREEN": "1"})
    assert apply_rules(USB, hidden).attributes == {"inhibited": "1"}
    assert apply_rules(USB, panel).attributes == {}


@pytest.mark.parametrize(
    "device",
    [
        Device(kernel="1-1", subsystem="usb", env={"DEVTYPE": "usb_device"}, attributes={"authorized": "1"}),
        Device(kernel="sda1", subsystem="block"),
        Device(kernel="1-1:1.0", subsystem="usb", action="remove", env={"DEVTYPE": "usb_interface"}),
    ],
    ids=["the device of an interface", "a partition", "taken away"],
)
def test_the_usb_rules_touch_interfaces_and_keyboards_only(device: Device):
    before = dict(device.attributes)
    assert apply_rules(USB, device).attributes == before


def find_checker(file: Path) -> list[str]:
    """Return the command of udev's own checker, or nothing if this machine has none."""
    udevadm = shutil.which("udevadm")
    if not udevadm:
        return []
    reported = subprocess.run([udevadm, "--help"], capture_output=True, text=True, timeout=30, check=True).stdout
    return [udevadm, "verify", str(file)] if "verify" in reported else []


@pytest.mark.parametrize("text", [*SOCKETS.values(), USB], ids=[*SOCKETS, "USB"])
def test_every_key_is_used_as_udev_allows(text: str, tmp_path: Path):
    file = tmp_path / "60-tested.rules"
    file.write_text(text, encoding="utf-8")
    if checker := find_checker(file):
        result = subprocess.run(checker, capture_output=True, text=True, timeout=30, check=False)
        assert result.returncode == 0, result.stdout + result.stderr
    for rule in read_rules(text):
        for token in rule:
            assert token["key"] in (MATCHES if is_match(token) else ASSIGNMENTS), token[0]
            assert (token["operator"] == "+=") is (token["key"] in {"SYMLINK", "TAG"}), token[0]


def test_the_socket_is_known_before_it_is_asked_for():
    keys = [(token["key"], token["name"]) for rule in read_rules(SOCKETS["Pi 4"]) for token in rule]
    assert keys.index(("IMPORT", "builtin")) < keys.index(("ENV", "ID_PATH"))

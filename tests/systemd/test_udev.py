"""The udev rules, worked through as udev does: which adapter gets which name, and who is left alone.

`udevadm verify` came with systemd 254; where there is one, it is asked as well.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

RULES = Path(__file__).parents[2] / "systemd" / "60-blackjack-cabinet.rules"
TOKEN = re.compile(r'(?P<key>[A-Z]+)(?:\{(?P<name>\w+)\})?(?P<operator>==|!=|\+=|=)"(?P<value>[^"]*)"')
MATCHES = {"ACTION", "SUBSYSTEM", "KERNEL", "ENV"}
ASSIGNMENTS = {"ENV", "SYMLINK", "TAG", "GROUP", "MODE", "GOTO", "LABEL", "IMPORT"}

PI_4 = "platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.{}:1.0"
PI_5 = "platform-xhci-hcd.{}-usb-0:1:1.0"


@dataclass
class Device:
    """A device as it is added; `path` is what udev's path_id would find out."""

    kernel: str = "ttyUSB0"
    subsystem: str = "tty"
    action: str = "add"
    path: str = ""
    env: dict[str, str] = field(default_factory=dict)
    given: dict[str, list[str]] = field(default_factory=dict)

    def read(self, key: str, name: str) -> str:
        known = {"ACTION": self.action, "SUBSYSTEM": self.subsystem, "KERNEL": self.kernel}
        return self.env.get(name, "") if key == "ENV" else known[key]


def read_rules() -> list[list[re.Match[str]]]:
    """Return each rule as its tokens; anything that is not a token, a comma or a comment fails."""
    lines = [line for line in RULES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
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
        case "SYMLINK" | "TAG" | "GROUP" | "MODE" as key:
            device.given.setdefault(key, []).append(token["value"])


def apply_rules(device: Device) -> Device:
    skip_to = None
    for rule in read_rules():
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
    ("path", "name"),
    [
        (PI_4.format(1), "acceptor"),
        (PI_4.format(2), "printer"),
        (PI_5.format(0), "acceptor"),
        (PI_5.format(1), "printer"),
    ],
)
@pytest.mark.parametrize("kernel", ["ttyUSB0", "ttyUSB7", "ttyACM0"])
def test_an_adapter_is_named_by_its_socket_whatever_its_number(kernel: str, path: str, name: str):
    device = apply_rules(Device(kernel=kernel, path=path))
    assert device.given["SYMLINK"] == [f"cabinet/{name}"]
    assert (device.given["GROUP"], device.given["MODE"], device.given["TAG"]) == (["dialout"], ["0660"], ["systemd"])


def test_modem_manager_leaves_the_cabinets_lines_alone():
    device = apply_rules(Device(path=PI_4.format(1)))
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
    apply_rules(device)
    assert device.given == {}
    assert "ID_MM_DEVICE_IGNORE" not in device.env


def find_checker() -> list[str]:
    """Return the command of udev's own checker, or nothing if this machine has none."""
    udevadm = shutil.which("udevadm")
    if not udevadm:
        return []
    reported = subprocess.run([udevadm, "--help"], capture_output=True, text=True, timeout=30, check=True).stdout
    return [udevadm, "verify", str(RULES)] if "verify" in reported else []


def test_every_key_is_used_as_udev_allows():
    if checker := find_checker():
        result = subprocess.run(checker, capture_output=True, text=True, timeout=30, check=False)
        assert result.returncode == 0, result.stdout + result.stderr
    for rule in read_rules():
        for token in rule:
            assert token["key"] in (MATCHES if is_match(token) else ASSIGNMENTS), token[0]
            assert (token["operator"] == "+=") is (token["key"] in {"SYMLINK", "TAG"}), token[0]


def test_the_socket_is_known_before_it_is_asked_for():
    keys = [(token["key"], token["name"]) for rule in read_rules() for token in rule]
    assert keys.index(("IMPORT", "builtin")) < keys.index(("ENV", "ID_PATH"))

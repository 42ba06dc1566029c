"""The settings of the Pi's boot loader, which are in a chip of the board and not on the card. Pure.

Rules: the order of media is narrowed to the medium that the system is on, never to another. The module writes nothing;
the set-up writes only after a yes, and keeps the settings before.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cabinet.installation.system.blocks import split_lines

BEFORE: Final = "boot-loader-before.txt"
"""The file in the set-up's folder that has the settings before the first change; an undo keeps it."""
_ORDERS: Final = {"mmcblk": "0xf1", "nvme": "0xf6", "sd": "0xf4"}
"""Beginning of a device's name -> the order that tries this kind of medium only, again and again."""
_DEFAULTS: Final = {"BOOT_ORDER": "0xf41", "BOOT_UART": "0", "WAKE_ON_GPIO": "1", "POWER_OFF_ON_HALT": "0"}
"""The value of a setting without a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One setting of the boot loader that a cabinet needs to be different."""

    key: str
    found: str
    wanted: str
    reason: str

    def __str__(self) -> str:
        """As one line."""
        return f"{self.key}={self.wanted} (now {self.found or 'not set'}): {self.reason}"


def advise(text: str, medium: str) -> tuple[Advice, ...]:
    """Returns the settings that a cabinet needs to be different. `medium` is the device with the system, such as
    mmcblk0p2."""
    order = next((value for name, value in _ORDERS.items() if medium.startswith(name)), "")
    wanted = (
        ("BOOT_ORDER", order, "a medium in another socket must not start this machine"),
        ("BOOT_UART", "0", "the boot loader writes to no pin of the panel"),
        ("WAKE_ON_GPIO", "0", "a contact of the panel must not start a machine that is switched off"),
        ("POWER_OFF_ON_HALT", "0", "a halted machine starts again with its power"),
    )
    found = _values(text)
    return tuple(
        Advice(key=key, found=found.get(key, ""), wanted=value, reason=reason)
        for key, value, reason in wanted
        if value and found.get(key, _DEFAULTS[key]).lower() != value
    )


def put_advice(text: str, advice: tuple[Advice, ...]) -> str:
    """Returns the settings with the advised values; other lines stay."""
    keys = {each.key for each in advice}
    kept = [line for line in split_lines(text) if line.partition("=")[0].strip() not in keys]
    body = "".join(kept)
    gap = "" if not body or body.endswith("\n") else "\n"
    sections = re.findall(r"^\[[^\]]+\]", body, re.MULTILINE)
    head = "" if sections[-1:] == ["[all]"] else "[all]\n"
    return f"{body}{gap}{head}" + "".join(f"{each.key}={each.wanted}\n" for each in advice)


def how_to_restore(before: Path) -> str:
    """Returns the sentence that names the settings before the set-up and the command that restores them."""
    return (
        f"The boot loader keeps its settings; those before the set-up are in {before}. To restore them, run "
        f"`rpi-eeprom-config --apply {before}`, then restart."
    )


def _values(text: str) -> dict[str, str]:
    pairs = (line.strip().partition("=") for line in split_lines(text))
    return {key.strip(): value.strip() for key, sign, value in pairs if sign and not key.startswith("#")}

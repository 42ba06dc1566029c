"""The ways into the machine besides its doors: boot loader, remote access, radio, firewall.

Rules: files and links below the visit's root, and the boot loader's own program, say what is set; pure functions say
what it means.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cabinet.commands.doctor.findings import Finding, good, poor
from cabinet.commands.doctor.visit import SIMULATED, Visit
from cabinet.installation.paths import ON_CABINET
from cabinet.installation.system.board import examine_board
from cabinet.installation.system.eeprom import advise

SET_UP: Final = "close it with `cabinet setup`"

# --- boot loader -------------------------------------------------------------------------------------------------


def check_boot_loader(visit: Visit) -> Finding:
    """Checks that the board starts from the medium with the system only."""
    if visit.simulate:
        return good("Boot loader", SIMULATED)
    return boot_loader_finding(visit.output_of("rpi-eeprom-config"), examine_board(visit.paths).medium)


def boot_loader_finding(settings: str, medium: str) -> Finding:
    """Returns what a cabinet wants otherwise. `settings` is what `rpi-eeprom-config` prints, empty where there is none;
    `medium` is the device with the system, such as mmcblk0p2."""
    if not settings.strip():
        return good("Boot loader", "has no settings on this board")
    advice = advise(settings, medium)
    if advice:
        found = "; ".join(f"{each.key}={each.found}" if each.found else f"no {each.key}" for each in advice)
        wanted = ", ".join(f"{each.key}={each.wanted}" for each in advice)
        todo = f"set {wanted} with `rpi-eeprom-config --edit`, or let `cabinet setup` do it: {advice[0].reason}"
        return poor("Boot loader", found, todo)
    return good("Boot loader", f"starts the system from {medium} only" if medium else "its settings are as wanted")


# --- remote access ----------------------------------------------------------------------------------------------

_UNITS: Final = (
    "multi-user.target.wants/ssh.service",
    "multi-user.target.wants/sshd.service",
    "sockets.target.wants/ssh.socket",
    "ssh.service.requires/ssh.socket",
)
_BY_PASSWORD: Final = ("passwordauthentication", "kbdinteractiveauthentication")
_SSH: Final = Path("/etc/ssh")


@dataclass(frozen=True, slots=True, kw_only=True)
class SshFile:
    """A settings file of the SSH server; `text` is None where it may not be read."""

    name: str
    text: str | None


def check_ssh(visit: Visit) -> Finding:
    """Checks that remote access is off, or needs a key."""
    if visit.simulate:
        return good("SSH", SIMULATED)
    enabled = any(map(visit.is_enabled, _UNITS))
    return ssh_finding(tuple(_ssh_files(visit)), enabled=enabled)


def _ssh_files(visit: Visit) -> Iterator[SshFile]:
    """Yields the files in the server's order: the drop-ins by name, which its own file includes first."""
    drop_ins = sorted(visit.at(_SSH / "sshd_config.d").glob("*.conf"))
    for path in (*drop_ins, visit.at(_SSH / "sshd_config")):
        try:
            yield SshFile(name=path.name, text=path.read_text(errors="replace"))
        except FileNotFoundError:
            continue
        except OSError:
            yield SshFile(name=path.name, text=None)


def ssh_finding(files: Sequence[SshFile], *, enabled: bool) -> Finding:
    """Returns how a person gets in over the network."""
    if not enabled:
        return good("SSH", "off")
    for key in _BY_PASSWORD:
        value, unread = _first_value(files, key)
        if unread:
            return poor("SSH", f"on; {unread} may not be read", f"check as root that {key} is no")
        if value != "no":
            return poor("SSH", f"on, and a password opens it ({key} {value})", "allow keys only, or switch it off")
    return good("SSH", "on, with a key only")


def _first_value(files: Sequence[SshFile], key: str) -> tuple[str, str]:
    """Returns the value in force, the first one that the server reads, or the file that hides it."""
    for file in files:
        if file.text is None:
            return "", file.name
        for line in file.text.splitlines():
            name, *value = line.replace("=", " ").lower().split()[:2] or [""]
            if name == "match":
                break
            if name == key and value:
                return value[0].strip('"'), ""
    return "yes", ""


# --- radio ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Radio:
    """A sender of the board by the kernel's files; it is off when the program or a switch blocks it."""

    name: str
    kind: str
    off: bool


def check_radio(visit: Visit) -> Finding:
    """Checks that wireless network and Bluetooth are off."""
    if visit.simulate:
        return good("Radio", SIMULATED)
    folder = "/sys/class/rfkill"
    radios = [
        Radio(
            name=visit.read(f"{folder}/{path.name}/name"),
            kind=visit.read(f"{folder}/{path.name}/type"),
            off="1" in {visit.read(f"{folder}/{path.name}/{block}") for block in ("soft", "hard")},
        )
        for path in sorted(visit.at(folder).glob("rfkill*"))
    ]
    return radio_finding(radios)


def radio_finding(radios: Sequence[Radio]) -> Finding:
    """Returns which senders are on."""
    on = [f"{radio.name} ({radio.kind})" for radio in radios if not radio.off]
    if on:
        todo = "switch off what the machine does not need: dtoverlay=disable-wifi, dtoverlay=disable-bt in config.txt"
        return poor("Radio", f"on: {', '.join(on)}", todo)
    return good("Radio", "off" if radios else "none")


# --- firewall ---------------------------------------------------------------------------------------------------


_LOADS: Final = ("sysinit.target.wants/nftables.service", "multi-user.target.wants/nftables.service")


def check_firewall(visit: Visit) -> Finding:
    """Checks that a firewall refuses connections from the network."""
    if visit.simulate:
        return good("Firewall", SIMULATED)
    enabled = any(map(visit.is_enabled, _LOADS))
    return firewall_finding(visit.text(ON_CABINET.firewall), enabled=enabled)


def firewall_finding(rules: str, *, enabled: bool) -> Finding:
    """Returns whether there is a table that drops what comes in, and whether it is loaded at every start."""
    lines = "\n".join(line.partition("#")[0] for line in rules.splitlines())
    if not re.search(r"\bhook\s+input\b[^}]*?\bpolicy\s+drop\b", lines):
        return poor("Firewall", "no table drops what comes in", SET_UP)
    if not enabled:
        return poor("Firewall", "the table is there, but nothing loads it", "systemctl enable --now nftables")
    return good("Firewall", "drops what comes in, but for what it names")

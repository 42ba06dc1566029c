"""What is known before the first question: from the settings, from the last set-up, and from the machine.

Rules: an answer of the last set-up counts less than a setting that was changed since. The PIN comes from the settings
only. What cannot be read is not known, never an error.
"""

import os
from collections.abc import Mapping
from dataclasses import asdict, fields
from enum import Enum
from pathlib import Path
from typing import Any, Final

from cabinet.config.settings import ConfigError, MachineSection, load
from cabinet.config.text_file import parse_toml, read_text
from cabinet.installation.paths import DATA_LABEL, SECOND_LABEL, Paths
from cabinet.installation.setup.answers import HINTS, Answers
from cabinet.installation.system.board import Board
from cabinet.installation.system.sockets import read_sockets

_NOT_KEPT: Final = frozenset({"technician_pin", "commission"})
"""A secret, and an act that is done once."""


def find_known(paths: Paths, kept: Path, board: Board) -> dict[str, object]:
    """Returns what is known, by the name of its answer."""
    return {
        **_from_machine(paths, board),
        **_from_last_set_up(kept),
        **{f"{name}_socket": path for name, path in read_sockets(_text(paths.sockets)).items()},
        **_from_settings(paths.settings),
    }


def answers_to_keep(answers: Answers) -> Mapping[str, object]:
    """Returns the answers that the next set-up may repeat, as plain values."""
    plain = {name: each.value if isinstance(each, Enum) else each for name, each in asdict(answers).items()}
    return {name: each for name, each in plain.items() if name not in _NOT_KEPT and not name.endswith("_socket")}


def _from_machine(paths: Paths, board: Board) -> dict[str, object]:
    found: dict[str, object] = {}
    if zone := _zone(paths.local_time):
        found["time_zone"] = zone
    for name, label in (("books_partition", DATA_LABEL), ("second_copy", SECOND_LABEL)):
        if label in (board.labels or ()):
            found[name] = True
    if board.screens:
        found["screen"] = "hdmi2" if board.screens == ("HDMI-A-2",) else "hdmi1"
        found["sound"] = found["screen"]
    return found


def _zone(link: Path) -> str:
    """Returns the zone that a link leads to, UTC without a link as the system does; empty if that is not known."""
    if not os.path.lexists(link):
        return "Etc/UTC"
    return os.path.realpath(link).partition("/zoneinfo/")[2]


def _from_last_set_up(kept: Path) -> dict[str, Any]:
    try:
        raw = parse_toml(read_text(kept))
    except (ConfigError, OSError):
        return {}
    return {name: value for name, value in raw.items() if name in HINTS and name not in _NOT_KEPT}


def _from_settings(path: Path) -> dict[str, object]:
    try:
        config = load(path)
    except ConfigError:
        return {}
    found = {
        **_own_words(config.machine),
        "currency": config.machine.currency,
        "acceptor": config.acceptor.protocol,
        "note_values": list(config.acceptor.values_cents),
        "pulse_notes": dict(config.acceptor.pulse.notes),
        "printer": config.printer.protocol,
        "second_copy": config.data.second() is not None,
    }
    if config.data.own_partition:
        found["books_partition"] = True
    return {**found, "technician_pin": config.attendant.technician_pin} if config.attendant.technician_pin else found


def _own_words(machine: MachineSection) -> dict[str, object]:
    """Returns number and words of the machine that are not those of the sample."""
    sample = MachineSection()
    names = [item.name for item in fields(MachineSection) if item.name != "currency"]
    return {name: getattr(machine, name) for name in names if getattr(machine, name) != getattr(sample, name)}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    except OSError:
        return ""

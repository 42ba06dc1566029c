"""Whether the computer's clock goes on without power: what the texts of the kernel say of its clock chips.

Every Pi 5 has a clock chip, with or without a battery. Its driver shows the battery's voltage and, where it may be
charged, the charging voltage, both in microvolts; without a battery a few millivolts are read. Older kernels show the
charging voltage alone. Source: the kernel's driver `rtc-rpi`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cabinet.commands.doctor.findings import Finding, good, poor
from cabinet.runtime.startup import RELEASED_MS

FULL_UV = 2_400_000
"""A battery below this, in microvolts, does not keep the clock."""
PI_5 = ("Raspberry Pi 5", "Raspberry Pi Compute Module 5")
"""How the models begin whose own clock chip comes without a battery."""
OWN_CHIP = "rpi"
"""Part of the name of a Pi's own clock chip."""
SLACK_MS = 5_000
"""A clock that is behind the books by no more than this may be right."""
OLD_TIME = "after a power cut the clock shows an old time until the network puts it right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A clock chip from the kernel's files; a missing file gives an empty text."""

    name: str
    battery_uv: str = ""
    charging_uv: str = ""


def chips_in(folder: Path) -> tuple[Chip, ...]:
    """The clock chips below this folder of the kernel's."""
    return tuple(
        Chip(
            name=_text(place / "name"),
            battery_uv=_text(place / "battery_voltage"),
            charging_uv=_text(place / "charging_voltage"),
        )
        for place in sorted(folder.glob("rtc*"))
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def clock_finding(wall_ms: int, model: str, chips: Sequence[Chip] | None, *, newest_ms: int = 0) -> Finding:
    """Checks whether the time can be believed, and outlives a power cut on this model. `chips` is None where that does
    not matter. `newest_ms` is the newest time in the books, 0 for none."""
    said = _date(wall_ms)
    if wall_ms < RELEASED_MS:
        return poor("Clock", said, "set the clock: tickets will say that their date is uncertain")
    if wall_ms < newest_ms - SLACK_MS:
        todo = "set the clock, or let the technician confirm the time: tickets will say that their date is uncertain"
        return poor("Clock", f"{said}, but the newest row of the books is of {_date(newest_ms)}", todo)
    if chips is None:
        return good("Clock", said)
    if not chips:
        return poor("Clock", f"{said}, no battery clock", OLD_TIME)
    if any(not _is_own(chip, model) for chip in chips):
        return good("Clock", said)
    return _own_finding(said, chips[0])


def _date(wall_ms: int) -> str:
    return f"{datetime.fromtimestamp(wall_ms / 1_000, tz=UTC).astimezone():%d %b %Y %H:%M}"


def _is_own(chip: Chip, model: str) -> bool:
    """Returns True if it is the chip on a Pi's board. Only such a chip comes without a battery."""
    return OWN_CHIP in chip.name or bool(chip.battery_uv) or (not chip.name and model.startswith(PI_5))


def _own_finding(said: str, chip: Chip) -> Finding:
    battery, charging = _number(chip.battery_uv), _number(chip.charging_uv) or 0
    charged = f"charged up to {charging / 1e6:.1f} V" if charging else "not charged"
    if battery is None and charging:
        return good("Clock", f"{said}, battery {charged}")
    if battery is None:
        return poor("Clock", f"{said}, no battery can be seen on the clock chip", f"fit the battery: {OLD_TIME}")
    if battery < FULL_UV:
        todo = f"fit the battery, or charge it (dtparam=rtc_bbat_vchg=3000000): {OLD_TIME}"
        return poor("Clock", f"{said}, no battery on the clock chip or an empty one ({battery / 1e6:.2f} V)", todo)
    return good("Clock", f"{said}, battery {battery / 1e6:.1f} V, {charged}")


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None

"""The temperature and the voltage of the computer, from the kernel's files.

A Pi reports through `get_throttled` of its firmware (a number in hex: bit 0 is under-voltage, bit 2 throttled, bit 3
the soft limit of temperature, all of this moment) or through the sensor `rpi_volt`; any computer through its thermal
zones. A missing sensor is no fault. The module does not decide what a fault stops.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cabinet.engine.inputs import Fault

SYSTEM = Path("/sys")
HOT_C, COOL_C = 80.0, 75.0
"""Degrees Celsius: from the first a Pi slows down; below the second the fault clears."""
_VOLTAGE_BIT, _HOT_BITS = 0x1, 0x4 | 0x8


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """The state of a board fault: it begins, it ends, or neither."""

    fault: Fault
    begins: bool
    ends: bool
    detail: str = ""


def conditions(system: Path = SYSTEM) -> tuple[Condition, ...]:
    """Returns the conditions of voltage and temperature now."""
    flags, warmest = _throttled(system), max(_temperatures(system), default=None)
    low = _voltage_low(system) or bool(flags & _VOLTAGE_BIT)
    slowed = bool(flags & _HOT_BITS)
    hot = slowed or (warmest is not None and warmest >= HOT_C)
    cool = not slowed and (warmest is None or warmest < COOL_C)
    words = "" if warmest is None else f"{warmest:.0f} degrees"
    return (
        Condition(fault=Fault.UNDER_VOLTAGE, begins=low, ends=not low),
        Condition(fault=Fault.OVER_TEMPERATURE, begins=hot, ends=cool, detail=words),
    )


def _throttled(system: Path) -> int:
    return max(
        (_number(path, 16) or 0 for path in system.glob("devices/platform/soc/*firmware/get_throttled")), default=0
    )


def _voltage_low(system: Path) -> bool:
    sensors = (path.parent for path in system.glob("class/hwmon/hwmon*/name") if _read(path) == "rpi_volt")
    return any(_number(sensor / "in0_lcrit_alarm", 10) for sensor in sensors)


def _temperatures(system: Path) -> Iterator[float]:
    for path in system.glob("class/thermal/thermal_zone*/temp"):
        found = _number(path, 10)
        if found is not None:
            yield found / 1_000


def _number(path: Path, base: int) -> int | None:
    try:
        return int(_read(path), base)
    except ValueError:
        return None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""

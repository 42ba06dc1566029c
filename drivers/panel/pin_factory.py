"""The kinds of pins: lgpio, RPi.GPIO by either of its two libraries, and gpiozero's mock pins for a simulated cabinet.

Rules:
- The kind of pins is given by name and never replaced by another; a fall-back of gpiozero is an error.
- Two libraries carry the name `RPi.GPIO`. rpi-lgpio works on every Pi; the one of that name sees no contact since Linux
  6.6, and is refused there. Which of them is installed is read from its source, before it is loaded.

Knows no contact, no lamp and no panel.
"""

import os
import platform
import re
import tempfile
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path
from typing import Any

from gpiozero import Factory, GPIOZeroError
from gpiozero.exc import PinFactoryFallback
from gpiozero.pins.mock import MockFactory, MockPin

from drivers.errors import ConfigurationError

FACTORIES = ("lgpio", "rpigpio", "mock")
HEADER_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chip that drives the 40-pin header: Pi 5, Pi 4, Pi 3. Its number differs between kernels."""
OLD, NEW = "RPi.GPIO", "rpi-lgpio"
"""The packages of the two libraries that are imported as RPi.GPIO."""


class BenchPin(MockPin):  # type: ignore[misc]
    """A mock pin with a contact, and with a watcher of the levels that the cabinet writes.

    A plain mock pin loses its driven level when its pull is set up; here a closed contact overrides the pull.
    """

    def __init__(self, factory: Factory, info: Any) -> None:
        self._held: bool | None = None
        self._late_s = 0.0
        self._watchers: list[Callable[[bool], None]] = []
        super().__init__(factory, info)

    def hold(self, level: bool | None, *, late_s: float = 0.0) -> None:
        """Holds an input at a level, like a closed contact; None releases it to the pull.

        The edge is stamped `late_s` in the past, as a kernel stamps an edge that is read late.
        """
        self._held, self._late_s = level, late_s
        if self._function == "input":
            self._set_pull(self._pull)

    def watch(self, watcher: Callable[[bool], None]) -> None:
        """Calls `watcher` with the new level, in the writer's thread, at each change of this output."""
        self._watchers.append(watcher)

    def _change_state(self, value: bool) -> bool:
        changed: bool = super()._change_state(value)
        # A mock pin keeps all its states; over months of use that is too much memory.
        del self.states[:-1]
        return changed

    def _call_when_changed(self) -> None:
        self._last_change = self.factory.ticks() - self._late_s
        super()._call_when_changed()

    def _set_pull(self, value: str) -> None:
        if self._held is None:
            super()._set_pull(value)
            return
        self._pull = value
        if self._held:
            self.drive_high()
        else:
            self.drive_low()

    def _set_state(self, value: bool) -> None:
        before = self._state
        super()._set_state(value)
        if self._state != before:
            for watcher in self._watchers:
                watcher(bool(value))


def make_factory(
    name: str,
    *,
    devices: Path = Path("/dev"),
    compatible: Path = Path("/proc/device-tree/compatible"),
    release: str = platform.release(),
    environment: Mapping[str, str] = os.environ,
) -> Factory:
    """Returns the pin factory of that kind: "lgpio" (any Pi), "rpigpio" (any Pi with rpi-lgpio, or a Pi 3 or 4 with an
    old kernel) or "mock" (simulated cabinet).

    From then on a fall-back of gpiozero to another kind raises. Raises `ConfigurationError` when the kind is unknown
    or does not work on this machine; no other kind is tried. `release` is the kernel's release, as printed by `uname
    -r`.
    """
    warnings.filterwarnings("error", category=PinFactoryFallback)
    match name:
        case "mock":
            return MockFactory(pin_class=BenchPin)
        case "lgpio":
            return _make_lgpio(devices, environment)
        case "rpigpio":
            return _make_rpigpio(compatible, release, environment)
        case _:
            raise ConfigurationError(f"pin factory {name!r} is unknown; expected one of {', '.join(FACTORIES)}")


def find_chip(labels: Mapping[int, str]) -> int:
    """Returns the number of the gpiochip that drives the header, by its label.

    Raises `ConfigurationError` if there is none. The first of several counts: on some kernels a Pi 5 lists its chip
    under two numbers.
    """
    for number, label in sorted(labels.items()):
        if label in HEADER_CHIPS:
            return number
    found = ", ".join(f"gpiochip{number} is {label}" for number, label in sorted(labels.items())) or "no gpiochip"
    raise ConfigurationError(f"pin factory lgpio: found {found}; expected one labelled {' or '.join(HEADER_CHIPS)}")


def _make_lgpio(devices: Path, environment: Mapping[str, str]) -> Factory:
    _check_work_folder("lgpio", Path(environment.get("LG_WD", ".")))
    try:
        import lgpio
    except (ImportError, OSError) as error:
        raise ConfigurationError(
            f"pin factory lgpio: the library cannot be loaded ({error}); install python3-lgpio"
        ) from error
    if not hasattr(lgpio, "gpiochip_open"):
        raise ConfigurationError("pin factory lgpio: the installed package is an empty stub; install python3-lgpio")
    chip = find_chip(_chip_labels(lgpio, devices))
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory(chip=chip)


def _check_work_folder(name: str, folder: Path) -> None:
    """Checks the folder in which the library makes a pipe at import; without it the import fails without an
    explanation."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ConfigurationError(
            f"pin factory {name}: its work folder {folder.absolute()} cannot be written ({error.strerror}); "
            "set LG_WD to a folder that exists and can be written"
        ) from error


def _chip_labels(lgpio: Any, devices: Path) -> dict[int, str]:
    numbers = [
        int(match[1]) for path in devices.glob("gpiochip*") if (match := re.fullmatch(r"gpiochip(\d+)", path.name))
    ]
    labels: dict[int, str] = {}
    for number in numbers:
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error as error:
            raise ConfigurationError(
                f"pin factory lgpio: {devices / f'gpiochip{number}'} cannot be opened ({error}); "
                "is the user in the group gpio?"
            ) from error
        labels[number] = lgpio.gpio_get_chip_info(handle)[3]
        lgpio.gpiochip_close(handle)
    return labels


@dataclass(frozen=True, slots=True, kw_only=True)
class PinLibrary:
    """The library under gpiozero; `version` is empty where it is not known."""

    package: str
    version: str

    def __str__(self) -> str:
        """As a name with its version."""
        name = f"{self.package} {self.version}".rstrip()
        return f"{name}, imported as {OLD}" if self.package == NEW else name


def library_of(name: str) -> PinLibrary | None:
    """Returns the library of a kind of pins; None where it is not installed, and for mock pins."""
    if name == "lgpio":
        return _installed("lgpio") if _place_of("lgpio") else None
    return _find_rpi_gpio() if name == "rpigpio" else None


def _place_of(module: str) -> Path | None:
    """Returns the file of a module that is not loaded for this; None where there is none."""
    try:
        spec = util.find_spec(module)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


def _find_rpi_gpio() -> PinLibrary | None:
    """Returns the library that an import of RPi.GPIO would load."""
    place = _place_of(OLD)
    if place is None:
        return None
    source = place.read_text(encoding="utf-8", errors="replace")
    return _installed(NEW if re.search(r"^import lgpio\b", source, re.MULTILINE) else OLD)


def _installed(package: str) -> PinLibrary:
    try:
        return PinLibrary(package=package, version=metadata.version(package))
    except metadata.PackageNotFoundError:
        return PinLibrary(package=package, version="")


def why_not_rpigpio(release: str, compatible: bytes) -> str:
    """Returns why the old library RPi.GPIO detects no contact on this kernel release and board; empty when it does."""
    if b"bcm2712" in compatible:
        return "does not know the chip of a Pi 5"
    numbers = tuple(int(part) for part in re.findall(r"\d+", release)[:2])
    if numbers < (6, 6):
        return ""
    return (
        "writes pin numbers to /sys/class/gpio/export, where the header's chip begins at 0 only before Linux 6.6, and "
        f"this is {release}: no contact is seen"
    )


def _make_rpigpio(compatible: Path, release: str, environment: Mapping[str, str]) -> Factory:
    found = _find_rpi_gpio()
    cure = f"install {NEW} (python3-{NEW}), which has the same import name, or choose lgpio"
    if found is None:
        raise ConfigurationError(f"pin factory rpigpio: found no library RPi.GPIO; {cure}")
    reason = why_not_rpigpio(release, compatible.read_bytes() if compatible.exists() else b"")
    if found.package == OLD and reason:
        raise ConfigurationError(f"pin factory rpigpio: {found} {reason}; {cure}")
    if found.package == NEW:
        _check_work_folder("rpigpio", Path(environment.get("LG_WD", ".")))
    try:
        from gpiozero.pins.rpigpio import RPiGPIOFactory

        return RPiGPIOFactory()
    except (ImportError, RuntimeError, OSError, GPIOZeroError) as error:
        raise ConfigurationError(f"pin factory rpigpio: {found} does not work here ({error}); {cure}") from error

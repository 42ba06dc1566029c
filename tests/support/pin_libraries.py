"""Stand-ins for the two libraries that are imported as RPi.GPIO, installed as files for the time of a test."""

import sys
from pathlib import Path

import gpiozero.pins.local
import pytest

PI_4_B = 0xC03114
"""The revision code of a Raspberry Pi 4."""
_MODULES = ("RPi", "RPi.GPIO", "lgpio", "gpiozero.pins.rpigpio")
_LIBRARY = """
BCM, OUT, IN, RISING, FALLING, BOTH = 11, 0, 1, 31, 32, 33
PUD_OFF, PUD_DOWN, PUD_UP, SERIAL, SPI, I2C, HARD_PWM, UNKNOWN = 20, 21, 22, 40, 41, 42, 43, -1
levels, watched = {}, set()


def setmode(mode): pass


def setwarnings(value): pass


def setup(channel, direction, pull_up_down=None, initial=None):
    levels[channel] = int(pull_up_down == PUD_UP)


def gpio_function(channel): return IN


def input(channel): return levels[channel]


def add_event_detect(channel, edge, callback=None, bouncetime=None):
    if not EDGES:
        raise RuntimeError("Failed to add edge detection")
    watched.add(channel)


def remove_event_detect(channel): watched.discard(channel)


def cleanup(channel=None): pass
"""


def use_rpi_gpio(
    monkeypatch: pytest.MonkeyPatch, folder: Path, package: str, version: str, *, edges: bool = True
) -> None:
    """Installs the stand-in of `RPi.GPIO` or `rpi-lgpio` in `folder`, on a Raspberry Pi 4.

    Without `edges` the library opens pins and refuses to watch them, as the old one does on a new kernel.
    """
    head = "import lgpio\n" if package == "rpi-lgpio" else ""
    (folder / "RPi" / "GPIO").mkdir(parents=True)
    (folder / "RPi" / "__init__.py").touch()
    (folder / "RPi" / "GPIO" / "__init__.py").write_text(f"{head}EDGES = {edges}\n{_LIBRARY}")
    (folder / "lgpio.py").touch()
    described = folder / f"{package.replace('-', '_')}-{version}.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    monkeypatch.syspath_prepend(folder)
    for name in _MODULES:
        monkeypatch.setitem(sys.modules, name, sys)
        del sys.modules[name]
    monkeypatch.setattr(gpiozero.pins.local, "get_pi_revision", lambda: PI_4_B)

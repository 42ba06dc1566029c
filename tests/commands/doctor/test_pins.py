"""The pins of the examined machine, with one contact opened."""

import fcntl
from dataclasses import replace
from pathlib import Path

import pytest
from support.journals import keep, session_steps
from support.pin_libraries import use_rpi_gpio
from support.visits import BAD, GOOD, is_, put, simulated, with_environment

from cabinet.commands.doctor.pins import check_pins
from cabinet.commands.doctor.visit import Visit
from cabinet.config.panel import InputSection
from cabinet.config.settings import Config, PanelSection
from cabinet.store.journal import LOCK_FILE


def test_pins_that_cannot_be_had_are_bad(world: Visit):
    (world.at("/dev")).mkdir()
    is_(check_pins(world), BAD, "pin factory lgpio", "`cabinet wiring` shows")
    is_(check_pins(simulated(world)), GOOD, "mock")


def rpigpio(world: Visit, release: str) -> Visit:
    """The machine with pins by RPi.GPIO, on a kernel of this release."""
    put(world, "/proc/sys/kernel/osrelease", f"{release}\n")
    return with_environment(replace(world, config=replace(Config(), panel=PanelSection(factory="rpigpio"))), LG_WD=".")


def test_the_library_that_carries_the_name_is_named(world: Visit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    use_rpi_gpio(monkeypatch, tmp_path, "rpi-lgpio", "0.6")
    is_(check_pins(rpigpio(world, "6.12.34+rpt-rpi-v8")), GOOD, "rpi-lgpio 0.6, imported as RPi.GPIO", "DEAL on GPIO24")


def test_the_old_library_is_bad_on_a_kernel_where_it_sees_no_contact(
    world: Visit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    use_rpi_gpio(monkeypatch, tmp_path, "RPi.GPIO", "0.7.1")
    is_(check_pins(rpigpio(world, "6.12.34+rpt-rpi-v8")), BAD, "RPi.GPIO 0.7.1", "/sys/class/gpio/export", "rpi-lgpio")
    is_(check_pins(rpigpio(world, "6.1.0")), GOOD, "RPi.GPIO 0.7.1")


def test_a_library_that_opens_pins_and_sees_no_contact_is_bad(
    world: Visit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    use_rpi_gpio(monkeypatch, tmp_path, "rpi-lgpio", "0.6", edges=False)
    is_(check_pins(rpigpio(world, "6.12.34+rpt-rpi-v8")), BAD, "rpi-lgpio 0.6", "Failed to add edge detection")


def test_simulated_pins_on_a_real_cabinet_are_bad(world: Visit):
    config = replace(Config(), panel=replace(Config().panel, factory="mock"))
    assert isinstance(config.panel, PanelSection)
    is_(check_pins(replace(world, config=config)), BAD, "simulated", "lgpio")


def test_one_contact_is_opened_as_the_cabinet_opens_it(world: Visit):
    is_(check_pins(simulated(world)), GOOD, "mock", "DEAL on GPIO24 is opened with edges")
    moved = replace(Config(), panel=PanelSection(inputs={"deal": InputSection(pin=2)}))
    is_(check_pins(simulated(replace(world, config=moved))), GOOD, "DEAL on GPIO2 ")


def test_the_pins_of_a_running_cabinet_are_left_alone(world: Visit):
    keep(world.data, *session_steps()[:1])
    is_(check_pins(simulated(world)), GOOD, "DEAL on")
    with (world.data / LOCK_FILE).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        is_(check_pins(simulated(world)), GOOD, "no contact was opened: a cabinet is running")

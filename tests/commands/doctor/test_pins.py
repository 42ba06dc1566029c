"""The pins of the examined machine, with one contact opened."""

import fcntl
from dataclasses import replace

from support.journals import keep, session_steps
from support.visits import BAD, GOOD, is_, put, simulated

from cabinet.commands.doctor.pins import check_pins
from cabinet.commands.doctor.visit import Visit
from cabinet.config.panel import InputSection
from cabinet.config.settings import Config, PanelSection
from cabinet.store.journal import LOCK_FILE


def test_pins_that_cannot_be_had_are_bad(world: Visit):
    (world.at("/dev")).mkdir()
    is_(check_pins(world), BAD, "pin factory lgpio", "docs/wiring.md")
    is_(check_pins(simulated(world)), GOOD, "mock")


def test_rpigpio_is_bad_on_a_kernel_where_it_dies_at_every_start(world: Visit):
    put(world, "/proc/sys/kernel/osrelease", "6.12.34+rpt-rpi-v8\n")
    rpigpio = replace(world, config=replace(Config(), panel=PanelSection(factory="rpigpio")))
    is_(check_pins(rpigpio), BAD, "Linux 6.6 and later", "choose lgpio")


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

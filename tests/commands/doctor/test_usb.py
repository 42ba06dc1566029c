"""The USB sockets and keyboards of the examined machine."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.visits import GOOD, POOR, is_, link, put, simulated

from cabinet.commands.doctor.findings import Grade
from cabinet.commands.doctor.usb import (
    Adapter,
    Keyboard,
    Learned,
    Ports,
    check_keyboards,
    check_sockets,
    check_usb,
    find_keyboards,
    keyboards_finding,
    sockets_finding,
    usb_finding,
)
from cabinet.commands.doctor.visit import Visit
from cabinet.config.settings import AcceptorSection
from cabinet.installation.system.sockets import put_sockets

ONE, TWO, THREE = (f"platform-xhci-hcd.{number}-usb-0:1:1.0" for number in range(3))
RULES = "/etc/udev/rules.d/61-blackjack-cabinet-sockets.rules"

# --- learned sockets --------------------------------------------------------------------------------------------


def plug(world: Visit, number: int, socket: str) -> None:
    """Puts a serial adapter into a socket of the machine."""
    put(world, f"/sys/class/tty/ttyUSB{number}/dev", f"188:{number}\n")
    put(world, f"/run/udev/data/c188:{number}", f"S:x\nE:ID_BUS=usb\nE:ID_PATH={socket}\n")


def test_each_device_must_be_in_its_learned_socket(world: Visit):
    is_(check_sockets(world), POOR, "no socket was learned for acceptor and printer", "`cabinet setup`")
    is_(check_sockets(simulated(world)), GOOD, "simulated")
    put(world, RULES, put_sockets("", {"acceptor": ONE, "printer": TWO}))
    is_(check_sockets(world), POOR, f"nothing is in the socket of acceptor ({ONE}), printer ({TWO})")
    plug(world, 0, ONE)
    plug(world, 1, THREE)
    is_(check_sockets(world), POOR, f"printer ({TWO}); ttyUSB1 is in {THREE}", "plug each device")
    plug(world, 1, TWO)
    is_(check_sockets(world), GOOD, f"acceptor in {ONE}; printer in {TWO}")


def test_a_name_by_another_rule_counts(world: Visit):
    for name in ("acceptor", "printer"):
        put(world, f"/dev/cabinet/{name}")
    is_(check_sockets(world), GOOD, "a rule of your own")


def test_devices_with_other_ports_need_no_learned_socket(world: Visit):
    pulses = replace(world, config=replace(world.config, acceptor=AcceptorSection(protocol="pulse")))
    is_(check_sockets(pulses), POOR, "learned for printer")
    is_(sockets_finding(Learned(wanted=(), sockets={}, adapters=())), GOOD, "not used")


def test_a_learned_socket_of_a_device_that_is_not_wanted_may_be_empty():
    adapters = (Adapter(name="ttyUSB0", socket=TWO),)
    learned = Learned(wanted=("printer",), sockets={"acceptor": ONE, "printer": TWO}, adapters=adapters)
    is_(sockets_finding(learned), GOOD, f"printer in {TWO}")


# --- what may be plugged in -------------------------------------------------------------------------------------


def port(world: Visit, hub: str, name: str, *, speed: str, taken: bool = False, peer: Path | None = None) -> Path:
    """Makes a port of a hub; `hub` is the device, such as usb1."""
    put(world, f"/sys/bus/usb/devices/{hub}/speed", f"{speed}\n")
    place = world.at(f"/sys/bus/usb/devices/{hub}/{hub}-0:1.0/{name}")
    place.mkdir(parents=True)
    (place / "connect_type").write_text("hotplug\n")
    if taken:
        (place / "device").mkdir()
    if peer is not None:
        (place / "peer").symlink_to(peer)
        (peer / "peer").symlink_to(place)
    interface = world.at(f"/sys/bus/usb/devices/{hub}-0:1.0")
    if not interface.is_symlink():
        interface.symlink_to(place.parent)
    return place


def test_each_socket_is_counted_once(world: Visit):
    slow = port(world, "usb1", "usb1-port1", speed="480", taken=True)
    port(world, "usb2", "usb2-port1", speed="5000", peer=slow)
    blue = port(world, "usb1", "usb1-port2", speed="480")
    port(world, "usb2", "usb2-port2", speed="5000", taken=True, peer=blue)
    port(world, "usb2", "usb2-port3", speed="5000")
    port(world, "usb1", "usb1-port3", speed="480")
    (port(world, "usb1", "usb1-port4", speed="480") / "connect_type").write_text("hardwired\n")
    is_(check_usb(world), POOR, "1 of 3 sockets free", "any device", "`cabinet setup`")
    is_(check_usb(simulated(world)), GOOD, "simulated")


def test_a_hub_brings_its_own_sockets(world: Visit):
    (port(world, "usb1", "usb1-port1", speed="480", taken=True) / "device" / "bDeviceClass").write_text("09\n")
    port(world, "1-1", "1-1-port1", speed="480", taken=True)
    port(world, "1-1", "1-1-port2", speed="480")
    is_(check_usb(world), POOR, "1 of 2 sockets free")


def test_rules_or_the_kernel_close_the_sockets(world: Visit):
    is_(check_usb(world), POOR, "sockets not counted")
    name = "udev/rules.d/63-blackjack-cabinet-usb.rules"
    put(world, f"/usr/lib/{name}", 'ATTR{authorized}="0"\n')
    is_(check_usb(world), GOOD, "rules refuse keyboards")
    hidden = link(world, f"/etc/{name}", "/dev/null")
    is_(check_usb(world), POOR, "any device")
    hidden.unlink()
    for number, default in ((1, "0"), (2, "1")):
        put(world, f"/sys/bus/usb/devices/usb{number}/authorized_default", f"{default}\n")
    world.at(f"/usr/lib/{name}").unlink()
    is_(check_usb(world), POOR, "any device")
    put(world, "/sys/bus/usb/devices/usb2/authorized_default", "0\n")
    is_(check_usb(world), GOOD, "the kernel refuses")


@pytest.mark.parametrize(
    ("defaults", "rules", "grade"),
    [(("0", "0"), False, GOOD), (("0", "1"), False, POOR), ((), False, POOR), ((), True, GOOD), (("1",), True, GOOD)],
)
def test_every_host_must_refuse_where_no_rule_does(defaults: tuple[str, ...], rules: bool, grade: Grade):
    is_(usb_finding(Ports(free=1, total=4, rules=rules, defaults=defaults)), grade, "1 of 4 sockets free")


# --- keyboards --------------------------------------------------------------------------------------------------

LISTING = """\
I: Bus=0003 Vendor=046d Product=c31c Version=0110
N: Name="Logitech USB Keyboard"
P: Phys=usb-0000:01:00.0-1.1/input0
S: Sysfs=/devices/pci/usb1/1-1/input/input5
H: Handlers=sysrq kbd event5 leds

I: Bus=0003 Vendor=0eef Product=0001 Version=0100
N: Name="eGalax Touch"
S: Sysfs=/devices/pci/usb1/1-2/input/input6
H: Handlers=mouse0 event6

I: Bus=0019 Vendor=0001 Product=0001 Version=0100
N: Name="gpio-keys"
S: Sysfs=/devices/platform/input/input7
H: Handlers=sysrq kbd event7

I: Bus=0005 Vendor=04e8 Product=7021 Version=011b
N: Name="Bluetooth keys"
S: Sysfs=/devices/virtual/input/input8
H: Handlers=sysrq kbd event8
"""


def test_a_touch_panel_and_keys_of_the_board_are_no_keyboards():
    assert [name for name, _ in find_keyboards(LISTING)] == ["Logitech USB Keyboard", "Bluetooth keys"]


def test_a_keyboard_whose_keys_count_is_poor(world: Visit):
    is_(check_keyboards(world), GOOD, "none")
    put(world, "/proc/bus/input/devices", LISTING)
    is_(check_keyboards(world), POOR, "Logitech USB Keyboard, Bluetooth keys", "unplug")
    is_(check_keyboards(simulated(world)), GOOD, "simulated")
    put(world, "/sys/devices/virtual/input/input8/inhibited", "1\n")
    put(world, "/sys/devices/pci/usb1/1-1/input/input5/inhibited", "0\n")
    is_(check_keyboards(world), POOR, "connected: Logitech USB Keyboard")
    put(world, "/sys/devices/pci/usb1/1-1/input/input5/inhibited", "1\n")
    is_(check_keyboards(world), GOOD, "none that does anything")


def test_no_keyboard_is_good():
    is_(keyboards_finding(()), GOOD, "none")
    is_(keyboards_finding((Keyboard(name="K", inhibited=False),)), POOR, "K")

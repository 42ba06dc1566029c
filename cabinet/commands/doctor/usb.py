"""The USB sockets: the two that are learned, the free ones, what a person may plug in, and keyboards.

Rules: the kernel's and udev's files below the visit's root say what is there; pure functions say what it means. Nothing
is written to a device.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cabinet.commands.doctor.findings import Finding, good, poor
from cabinet.commands.doctor.visit import SIMULATED, Visit
from cabinet.installation.paths import ON_CABINET
from cabinet.installation.system.sockets import ACCEPTOR, PRINTER, read_sockets
from drivers.bills.catalog import PULSES

# --- learned sockets --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """A serial adapter, and the path of the socket it is in; empty where udev has not said it."""

    name: str
    socket: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """The devices that the settings find by their socket, the sockets of the rules, and the adapters."""

    wanted: Sequence[str]
    sockets: Mapping[str, str]
    adapters: Sequence[Adapter]
    named: Sequence[str] = ()
    """The devices whose name exists, by whichever rule."""


def check_sockets(visit: Visit) -> Finding:
    """Checks that acceptor and printer are in the sockets that were learned for them."""
    if visit.simulate:
        return good("Sockets", SIMULATED)
    config = visit.config
    ports = {PRINTER: config.printer.port}
    if config.acceptor.protocol != PULSES.name:
        ports[ACCEPTOR] = config.acceptor.port
    wanted = tuple(name for name, port in sorted(ports.items()) if port == f"/dev/cabinet/{name}")
    return sockets_finding(
        Learned(
            wanted=wanted,
            sockets=read_sockets(visit.text(ON_CABINET.sockets)),
            adapters=tuple(_adapters(visit)),
            named=tuple(name for name in wanted if visit.at(ports[name]).exists()),
        )
    )


def _adapters(visit: Visit) -> Iterator[Adapter]:
    for place in sorted(visit.at("/sys/class/tty").glob("tty[UA][SC][BM]*")):
        number = visit.read(f"/sys/class/tty/{place.name}/dev")
        found = re.search(r"^E:ID_PATH=(.+)$", visit.text(f"/run/udev/data/c{number}"), re.MULTILINE)
        yield Adapter(name=place.name, socket=found[1] if found else "")


def sockets_finding(learned: Learned) -> Finding:
    """Returns which socket has which device, and what is in none of them."""
    if not learned.wanted:
        return good("Sockets", "not used: the settings name other ports")
    unknown = [name for name in learned.wanted if name not in {*learned.sockets, *learned.named}]
    if unknown:
        return poor("Sockets", f"no socket was learned for {' and '.join(unknown)}", "learn them with `cabinet setup`")
    taken = {adapter.socket: adapter.name for adapter in learned.adapters}
    sockets = {name: path for name, path in learned.sockets.items() if name in learned.wanted}
    empty = [f"{name} ({path})" for name, path in sorted(sockets.items()) if path not in taken]
    if empty:
        other = [f"{each.name} is in {each.socket}" for each in learned.adapters if each.socket not in sockets.values()]
        found = "; ".join((f"nothing is in the socket of {', '.join(empty)}", *other))
        return poor("Sockets", found, "plug each device into its socket, or learn them again with `cabinet setup`")
    said = [f"{name} in {path}" for name, path in sorted(sockets.items())]
    return good("Sockets", "; ".join(said) or "named by a rule of your own")


# --- what may be plugged in -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The USB sockets of the board and its hubs, and what refuses a device that is plugged in."""

    free: int
    total: int
    rules: bool
    """True if the cabinet's rules refuse other kinds of devices."""
    defaults: Sequence[str]
    """Each host's own answer to a new device: 0 refuses."""


HUB: Final = "09"
"""The USB class of hubs."""
SLOW: Final = frozenset({"1.5", "12", "480"})
"""Speeds of a hub of USB 1 and 2, in megabits a second."""
_RULES: Final = ("etc/udev/rules.d", "run/udev/rules.d", "usr/local/lib/udev/rules.d", "usr/lib/udev/rules.d")


def check_usb(visit: Visit) -> Finding:
    """Checks that the USB sockets refuse a new device."""
    if visit.simulate:
        return good("USB", SIMULATED)
    free, total = _count_ports(visit)
    hosts = sorted(visit.at("/sys/bus/usb/devices").glob("usb*/authorized_default"))
    first = next((text for folder in _RULES if (text := _rules(visit, folder)) is not None), "")
    return usb_finding(
        Ports(
            free=free,
            total=total,
            rules='ATTR{authorized}="0"' in first,
            defaults=tuple(path.read_text().strip() for path in hosts),
        )
    )


def _rules(visit: Visit, folder: str) -> str | None:
    path = f"/{folder}/{ON_CABINET.usb_lock.name}"
    return visit.text(path) if visit.at(path).exists() else None


def _count_ports(visit: Visit) -> tuple[int, int]:
    """Returns the free sockets and all of them. Each socket has one slow port; a fast one is its peer."""
    ports = [path for path in visit.at("/sys/bus/usb/devices").glob("*/*-port*") if _is_socket(path)]
    return sum(not any(_devices(path)) for path in ports), len(ports)


def _is_socket(port: Path) -> bool:
    """Returns True if a person can plug a device into a port; a hub that is plugged in adds ports."""
    inside = _text(port / "connect_type").startswith("hardwired")
    hub = any(_text(device / "bDeviceClass") == HUB for device in _devices(port))
    speed = _text(port.resolve().parent.parent / "speed")
    return not (inside or hub) and speed in SLOW


def _devices(port: Path) -> list[Path]:
    """Returns the device in a port, or in the fast half of its socket."""
    return [device for device in (port / "device", port / "peer" / "device") if device.exists()]


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def usb_finding(ports: Ports) -> Finding:
    """Returns whether the sockets refuse what they do not know."""
    counted = f"{ports.free} of {ports.total} sockets free" if ports.total else "sockets not counted"
    if ports.defaults and all(default == "0" for default in ports.defaults):
        return good("USB", f"{counted}; the kernel refuses every device without a rule")
    if ports.rules:
        return good("USB", f"{counted}; rules refuse keyboards, network adapters and the like")
    todo = "close them with `cabinet setup`, or with usbcore.authorized_default=0 and a rule for each device"
    return poor("USB", f"{counted}; any device that is plugged in is used", todo)


# --- keyboards --------------------------------------------------------------------------------------------------

_BY_WIRE_OR_RADIO: Final = ("0003", "0005")
"""The kernel's numbers of USB and Bluetooth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyboard:
    """A keyboard that a person has connected; the kernel passes on no key of an inhibited one."""

    name: str
    inhibited: bool


def check_keyboards(visit: Visit) -> Finding:
    """Checks that no connected keyboard has an effect."""
    if visit.simulate:
        return good("Keyboards", SIMULATED)
    devices = find_keyboards(visit.text("/proc/bus/input/devices"))
    found = [Keyboard(name=name, inhibited=visit.read(f"/sys{place}/inhibited") == "1") for name, place in devices]
    return keyboards_finding(found)


def find_keyboards(listing: str) -> Iterator[tuple[str, str]]:
    """Yields name and place of each keyboard in the kernel's list of input devices."""
    for block in listing.split("\n\n"):
        bus = re.search(r"^I: Bus=(\w+)", block, re.MULTILINE)
        name = re.search(r'^N: Name="(.*)"', block, re.MULTILINE)
        place = re.search(r"^S: Sysfs=(\S+)", block, re.MULTILINE)
        handlers = re.search(r"^H: Handlers=(.*)", block, re.MULTILINE)
        # Only what has an Alt key gets the handler of the SysRq key.
        if bus and bus[1] in _BY_WIRE_OR_RADIO and handlers and "sysrq" in handlers[1].split():
            yield name[1] if name else "without a name", place[1] if place else ""


def keyboards_finding(keyboards: Sequence[Keyboard]) -> Finding:
    """Returns whether there is a keyboard, and whether it does anything."""
    awake = [each.name for each in keyboards if not each.inhibited]
    if awake:
        todo = "unplug it before players come; `cabinet setup` can refuse keyboards"
        return poor("Keyboards", f"connected: {', '.join(awake)}", todo)
    return good("Keyboards", "none that does anything" if keyboards else "none")

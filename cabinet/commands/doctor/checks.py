"""Says in plain words what is there and what is missing: files, permissions, devices, display, sound, power, clock.

Every check is one row of CHECKS and returns a Finding; none changes anything, and only the two that ask the devices
talk to them (`doctor_devices`). A `bad` finding means that the cabinet could not run as configured, a `poor` one that
it runs with something missing. What is examined comes in as a Visit, the machine's own files below its `root`.
"""

import os
import platform
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cabinet.commands.doctor.clock import chips_in, clock_finding
from cabinet.commands.doctor.data import find_commissioning, find_copy, find_medium
from cabinet.commands.doctor.devices import ACCEPTOR, PATIENCE_S, PRINTER, OpenLine, ask_acceptor, ask_printer
from cabinet.commands.doctor.findings import Finding, Grade, bad, good, poor
from cabinet.commands.doctor.pictures import find_pictures
from cabinet.commands.journal import open_journal
from cabinet.config.settings import Config, ConfigError, load
from cabinet.runtime import program, shoe
from cabinet.store.errors import StoreBusyError, StoreError
from cabinet.store.journal import FILE, own_folder
from cabinet.store.mounts import MOUNTS, why_unfit
from cabinet.text import shipped
from drivers.bills.catalog import PULSES
from drivers.errors import DriverError
from drivers.panel.gpio import make_factory
from drivers.serial_link import open_link

ENOUGH_BYTES = 200 * 1024 * 1024
DRIVERS = ("kmsdrm", "wayland", "x11")
"""Video drivers that show something."""
SIMULATED = "simulated"
MISSING = "does not exist"
HOT_MILLIDEGREES = 80_000
"""The processor slows itself down above this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """The examined machine: `may` returns whether the cabinet's user has a right on a path."""

    config: Config
    data: Path
    simulate: bool
    root: Path = Path("/")
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    wall_ms: int
    enough_bytes: int = ENOUGH_BYTES
    may: Callable[[Path, int], bool] = os.access
    random: shoe.ByteSource = os.urandom
    open_line: OpenLine = open_link
    patience_s: float = PATIENCE_S

    def at(self, path: str | Path) -> Path:
        """A file of the machine, by its absolute path."""
        return self.root / str(path).lstrip("/")

    def text(self, path: str | Path) -> str:
        """A file of the machine as it is; nothing when it is not there."""
        try:
            return self.at(path).read_text(errors="replace")
        except OSError:
            return ""

    def read(self, path: str) -> str:
        """Returns a file of the machine as one line; empty if it is missing or empty."""
        return " ".join(self.text(path).replace("\0", " ").split())


# --- the program ------------------------------------------------------------------------------------------------


def check_python(visit: Visit) -> Finding:
    """The interpreter and the board."""
    board = visit.read("/proc/device-tree/model") or platform.machine()
    return good("Python", f"{platform.python_version()} on {board}")


def check_program(visit: Visit) -> Finding:
    """The program itself."""
    del visit
    return good("Program", f"version {program.program_version()}, hash {program.program_hash()}")


def check_random(visit: Visit) -> Finding:
    """The generator behind the cards."""
    try:
        shoe.self_test(visit.random)
    except shoe.ChanceError as error:
        return bad("Random generator", str(error), "do not play; replace the board")
    return good("Random generator", "the system's generator answers and does not repeat itself")


def check_fonts(visit: Visit) -> Finding:
    """The fonts come from packages."""
    del visit
    todo = "run `make setup`: the font packages belong to the installation"
    try:
        import fontpkg

        from cabinet.text.typefaces import Role
        from cabinet.ui.art import fonts
    except ImportError as error:
        return bad("Fonts", str(error), todo)
    try:
        for role in Role:
            fonts.font(role, 20)
    except (fontpkg.FontpkgError, OSError) as error:
        return bad("Fonts", str(error), todo)
    return good("Fonts", "the font packages are there")


def check_pictures(visit: Visit) -> Finding:
    """Cards and icons are files beside the program, which SDL renders."""
    del visit
    return find_pictures()


# --- the data ---------------------------------------------------------------------------------------------------


def check_data(visit: Visit) -> Finding:
    """The data folder: whether it can be used, and room on it."""
    folder = visit.data
    absent = _why_absent(folder)
    if absent == MISSING:
        return _check_place(visit, folder)
    if absent is not None:
        return bad("Data folder", f"{folder} cannot be made or used: it {absent}", "give another --data")
    if not folder.is_dir():
        return bad("Data folder", f"{folder} is not a folder", "give another --data")
    if not visit.may(folder, os.W_OK | os.X_OK):
        return bad("Data folder", f"{folder} cannot be written", "give the cabinet's user the right to write there")
    free = shutil.disk_usage(folder).free
    if free < visit.enough_bytes:
        return bad("Data folder", f"{free // 2**20} MB free on {folder}", f"make {visit.enough_bytes // 2**20} MB free")
    if not (folder / FILE).is_file():
        return good("Data folder", f"{folder} is empty, {free // 2**20} MB free")
    return _check_owner(folder, free)


def _why_absent(path: Path) -> str | None:
    """Why nothing can be had at a path, to follow its name; None when something can."""
    try:
        path.stat()
    except FileNotFoundError:
        return "is a link that leads nowhere" if path.is_symlink() else MISSING
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except ValueError as error:
        return f"is no path: {error}"
    return None


def _check_place(visit: Visit, folder: Path) -> Finding:
    """Whether a folder that is not there can be made."""
    above = next(each for each in folder.parents if os.path.lexists(each))
    if above.is_dir() and visit.may(above, os.W_OK | os.X_OK):
        return good("Data folder", f"{folder} will be made at the first start")
    found = f"{folder} cannot be made: {above} is no folder that can be written"
    return bad("Data folder", found, "give another --data")


def _check_owner(folder: Path, free: int) -> Finding:
    try:
        with own_folder(folder):
            state = "holds a journal"
    except StoreBusyError:
        state = "is in use by a running cabinet"
    except StoreError as error:
        return bad("Data folder", str(error), "give another --data")
    return good("Data folder", f"{folder} {state}, {free // 2**20} MB free")


def check_books(visit: Visit) -> Finding:
    """Whether the books are whole, by the same check as `cabinet verify`."""
    try:
        return find_copy("Books", visit.data)
    except StoreBusyError:
        return good("Books", "not checked: a cabinet is running on them")


def check_medium(visit: Visit) -> Finding:
    """What the data folder lies on, and the library that keeps the journal there."""
    return find_medium(visit.text(MOUNTS), visit.data.absolute(), simulate=visit.simulate)


def check_commissioning(visit: Visit) -> Finding:
    """Whether the machine was commissioned, and whether that is remembered outside the data."""
    marks = visit.config.data.marks()
    if visit.simulate:
        return good("Commissioning", "simulated: its books begin by themselves")
    return find_commissioning(visit.data, marks and visit.at(marks), visit.may)


# --- the devices ------------------------------------------------------------------------------------------------


def check_display(visit: Visit) -> Finding:
    """Whether there is a display a window could be opened on."""
    import pygame

    about = f"pygame {pygame.version.ver}, SDL {'.'.join(map(str, pygame.get_sdl_version()))}"
    wanted = visit.environment.get("SDL_VIDEODRIVER", "")
    grade = poor if visit.simulate else bad
    if wanted and wanted not in DRIVERS:
        return grade("Display", f"{about}; SDL_VIDEODRIVER={wanted} shows nothing", f"set it to {', '.join(DRIVERS)}")
    if desktops := _desktops(visit):
        return good("Display", f"{about}; {', '.join(desktops)} set")
    cards = sorted(path.name for path in visit.at("/dev/dri").glob("card*"))
    if not cards:
        todo = "connect a display; without one only `cabinet autoplay` works"
        return grade("Display", f"{about}; no desktop and no graphics card", todo)
    return _check_cards(visit, about, cards)


def _desktops(visit: Visit) -> list[str]:
    """Returns the environment variables of a desktop; none for a display without one."""
    if visit.environment.get("SDL_VIDEODRIVER", "") == "kmsdrm":
        return []
    return [name for name in ("WAYLAND_DISPLAY", "DISPLAY") if visit.environment.get(name)]


def _check_cards(visit: Visit, about: str, cards: list[str]) -> Finding:
    """Graphics cards without a desktop: one must have a display that is on."""
    states = {path.parent.name: path.read_text().strip() for path in visit.at("/sys/class/drm").glob("card*-*/status")}
    lit = sorted(name for name, state in states.items() if state == "connected")
    if states and not lit:
        todo = "switch the display on and check its cable, or force the mode on the kernel's line (video=...)"
        return poor("Display", f"{about}; nothing is connected to {', '.join(sorted(states))}", todo)
    if visit.environment.get("SDL_VIDEODRIVER", "") != "kmsdrm":
        return poor("Display", f"{about}; {', '.join(cards)} without a desktop", "set SDL_VIDEODRIVER=kmsdrm")
    return good("Display", f"{about}; kmsdrm on {', '.join(lit or cards)}")


def check_touch(visit: Visit) -> Finding:
    """Whether touches could be read without a desktop."""
    if _desktops(visit):
        return good("Touch", "comes from the desktop")
    devices = sorted(visit.at("/dev/input").glob("event*"))
    if not devices:
        return poor("Touch", "no input device", "connect the touch screen, or play with the buttons alone")
    if not any(visit.may(path, os.R_OK) for path in devices):
        grade = poor if visit.simulate else bad
        return grade("Touch", "no input device may be read", "add the cabinet's user to the group `input`")
    return good("Touch", f"{len(devices)} input devices")


def check_sound(visit: Visit) -> Finding:
    """Whether there is a sound card; playing silently is allowed."""
    cards = visit.read("/proc/asound/cards")
    if not cards or "no soundcards" in cards:
        return poor("Sound", "no sound card", "the cabinet plays silently; the alarm cannot be heard either")
    return good("Sound", cards)


def _check_port(visit: Visit, what: str, port: str) -> Finding:
    if visit.simulate:
        return good(what, "simulated")
    path = visit.at(port)
    absent = _why_absent(path)
    if absent is not None:
        return bad(what, f"{port} {absent}", "plug it in, or name the port in the configuration (udev rule)")
    if not visit.may(path, os.R_OK | os.W_OK):
        return bad(what, f"{port} may not be opened", "add the cabinet's user to the group `dialout`")
    return good(what, f"{port} is there and may be opened")


def check_acceptor(visit: Visit) -> Finding:
    """The bill acceptor's line."""
    if visit.config.acceptor.protocol == PULSES.name:
        return good("Acceptor", "on pins of the header, see below")
    return _check_port(visit, "Acceptor", visit.config.acceptor.port)


def check_printer(visit: Visit) -> Finding:
    """The ticket printer's line."""
    if not visit.simulate and _share_a_line(visit):
        ports = f"{visit.config.printer.port} leads to the same line as {visit.config.acceptor.port}"
        return bad("Ticket printer", ports, "give acceptor.port and printer.port a line each (udev rules)")
    return _check_port(visit, "Ticket printer", visit.config.printer.port)


def _share_a_line(visit: Visit) -> bool:
    """Whether acceptor and printer have one line under two names."""
    acceptor, printer = visit.at(visit.config.acceptor.port), visit.at(visit.config.printer.port)
    there = _why_absent(acceptor) is None and _why_absent(printer) is None
    return visit.config.acceptor.protocol != PULSES.name and there and acceptor.samefile(printer)


def check_acceptor_answers(visit: Visit) -> Finding:
    """Who answers on the acceptor's line."""
    reason = _why_not_asked(visit, visit.config.acceptor.port)
    pulses = visit.config.acceptor.protocol == PULSES.name
    if reason is not None and not (pulses and not visit.simulate):
        return _not_asked(ACCEPTOR, reason)
    return ask_acceptor(visit.config, visit.open_line, visit.patience_s)


def check_printer_answers(visit: Visit) -> Finding:
    """Who answers on the printer's line."""
    reason = _why_not_asked(visit, visit.config.printer.port)
    return (
        _not_asked(PRINTER, reason)
        if reason is not None
        else ask_printer(visit.config, visit.open_line, visit.patience_s)
    )


def _not_asked(what: str, reason: str) -> Finding:
    return (
        good(what, reason)
        if reason == SIMULATED
        else poor(what, f"not asked: {reason}", "repair that, and run doctor again")
    )


def _why_not_asked(visit: Visit, port: str) -> str | None:
    """Why a device is left alone now; None when it may be asked."""
    if visit.simulate:
        return SIMULATED
    path = visit.at(port)
    if _why_absent(path) is not None or not visit.may(path, os.R_OK | os.W_OK):
        return "its line is not there or may not be opened"
    if _share_a_line(visit):
        return "acceptor and printer have the same line"
    absent = _why_absent(visit.data / FILE)
    if absent is not None:
        return None if absent == MISSING else f"the books cannot be read: {visit.data / FILE} {absent}"
    try:
        with open_journal(visit.data) as (_, machine):
            open_note = machine.note is not None or machine.unconfirmed is not None
    except StoreBusyError:
        return "the cabinet is running and owns the line; stop it first"
    except StoreError as error:
        return f"the books cannot be read ({error})"
    return "the books have a note under way; start the cabinet, which asks the acceptor for it" if open_note else None


def check_mirror(visit: Visit) -> Finding:
    """The folder of the second copy of the books."""
    second = visit.config.data.second()
    if second is None:
        if visit.simulate:
            return good("Second copy", "simulated books need none")
        return poor("Second copy", "the books have one copy only", "set data.mirror to a folder on another medium")
    place = visit.at(second)
    absent = _why_absent(place) or (None if place.is_dir() else "is not a folder")
    if absent is not None:
        return bad("Second copy", f"{second} {absent}", "connect the second medium, or make the folder on it")
    if not visit.may(place, os.W_OK | os.X_OK):
        return bad("Second copy", f"{second} cannot be written", "give the cabinet's user the right to write there")
    if not visit.simulate and (trouble := why_unfit(visit.text(MOUNTS), second)):
        return bad("Second copy", str(trouble), "mount another medium there (ext4, writable)")
    data = next(each for each in (visit.data, *visit.data.parents) if _why_absent(each) is None)
    try:
        copy = find_copy("Second copy", place)
    except StoreBusyError:
        copy = good("Second copy", "in use")
    if copy.grade is not Grade.GOOD:
        return copy
    if place.stat().st_dev == data.stat().st_dev:
        return poor("Second copy", f"{second} is on the same medium as the books", "use another medium")
    return good("Second copy", f"{second}, {shutil.disk_usage(place).free // 2**20} MB free")


def check_pins(visit: Visit) -> Finding:
    """The pins of buttons, lamps, doors and keys."""
    name = "mock" if visit.simulate else visit.config.panel.factory
    try:
        factory = make_factory(
            name,
            devices=visit.at("/dev"),
            compatible=visit.at("/proc/device-tree/compatible"),
            release=visit.read("/proc/sys/kernel/osrelease"),
            environment=visit.environment,
        )
    except DriverError as error:
        return bad("Pins", str(error), "see docs/wiring.md")
    factory.close()
    if name == "mock" and not visit.simulate:
        return bad("Pins", "the pins are simulated, the cabinet is not", "set panel.factory to lgpio")
    return good("Pins", f"pin factory {name}")


# --- the machine around it --------------------------------------------------------------------------------------


def check_watchdog(visit: Visit) -> Finding:
    """Checks that a watchdog restarts a hanging cabinet."""
    identity = visit.read("/sys/class/watchdog/watchdog0/identity")
    service = "the service manager" if visit.environment.get("WATCHDOG_USEC") else ""
    found = ", ".join(each for each in (service, identity) if each)
    if not found:
        return poor("Watchdog", "none", "run the cabinet from its systemd unit")
    if not service:
        return poor("Watchdog", found, "run the cabinet from its systemd unit: nothing else watches the cabinet itself")
    return good("Watchdog", found)


def check_power(visit: Visit) -> Finding:
    """The supply's voltage and the processor's heat, where the board measures them."""
    for sensor in sorted(visit.at("/sys/class/hwmon").glob("hwmon*")):
        place = f"/sys/class/hwmon/{sensor.name}"
        if visit.read(f"{place}/name") == "rpi_volt" and visit.read(f"{place}/in0_lcrit_alarm") == "1":
            todo = "use a stronger supply; give the acceptor and the printer one of their own"
            return poor("Power", "the board has seen its voltage drop", todo)
    heat = visit.read("/sys/class/thermal/thermal_zone0/temp")
    if not heat.lstrip("-").isdigit():
        return good("Power", "not measured on this machine")
    degrees = f"{int(heat) // 1000} degrees Celsius"
    if int(heat) > HOT_MILLIDEGREES:
        return poor("Power", f"the processor is at {degrees}", "give the cabinet air: it slows itself down")
    return good("Power", f"no voltage drop, the processor is at {degrees}")


def check_clock(visit: Visit) -> Finding:
    """Whether the time can be believed, now and after a power cut."""
    chips = None if visit.simulate else chips_in(visit.at("/sys/class/rtc"))
    return clock_finding(visit.wall_ms, visit.read("/proc/device-tree/model"), chips)


CHECKS: tuple[Callable[[Visit], Finding], ...] = (
    check_python,
    check_program,
    check_random,
    check_fonts,
    check_pictures,
    check_data,
    check_books,
    check_medium,
    check_commissioning,
    check_mirror,
    check_display,
    check_touch,
    check_sound,
    check_acceptor,
    check_printer,
    check_acceptor_answers,
    check_printer_answers,
    check_pins,
    check_watchdog,
    check_power,
    check_clock,
)


def examine(data: Path, config_path: Path | None, *, simulate: bool) -> Iterator[Finding]:
    """Every finding, the settings first."""
    try:
        config = load(config_path)
    except ConfigError as error:
        there = config_path is not None and os.path.isfile(config_path)  # noqa: PTH113 - also where nothing may be read
        todo = (
            "correct the file"
            if there
            else f"copy {shipped.assets_folder() / shipped.SAMPLE_SETTINGS} there and change it"
        )
        yield bad("Settings", str(error), f"{todo}; the rest is examined with the defaults")
        config = Config()
    else:
        yield good("Settings", str(config_path) if config_path else "no file given: the defaults")
    visit = Visit(config=config, data=data, simulate=simulate, wall_ms=time.time_ns() // 1_000_000)
    for check in CHECKS:
        yield examined(check, visit)


def examined(check: Callable[[Visit], Finding], visit: Visit) -> Finding:
    """What a check finds. One that stumbles over what the system says is a finding too, and never the end of all."""
    try:
        return check(visit)
    except (OSError, ValueError) as error:
        name = check.__name__.removeprefix("check_").replace("_", " ").capitalize()
        return bad(name, f"cannot be examined: {error}", "correct what it names, and run doctor again")

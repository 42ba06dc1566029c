"""Says in plain words what is there and what is missing: program, data, devices, system, ways into the machine.

Every check is one row of CHECKS and returns a Finding; none changes anything, and only the two in `devices` talk to the
devices. A `bad` finding means that the cabinet could not run as configured, a `poor` one that it runs with something
missing. What is examined comes in as a Visit, the machine's own files below its `root`.
"""

import os
import platform
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from cabinet.commands.doctor.access import check_boot_loader, check_firewall, check_radio, check_ssh
from cabinet.commands.doctor.clock import chips_in, clock_finding
from cabinet.commands.doctor.data import find_commissioning, find_copy, find_medium
from cabinet.commands.doctor.devices import ACCEPTOR, PRINTER, ask_acceptor, ask_printer
from cabinet.commands.doctor.findings import SET_UP, Finding, Grade, bad, good, poor
from cabinet.commands.doctor.pictures import find_pictures
from cabinet.commands.doctor.pins import check_pins
from cabinet.commands.doctor.screen import check_display, check_sound, check_touch
from cabinet.commands.doctor.system import check_libraries, check_log, check_power, check_service, check_watchdog
from cabinet.commands.doctor.usb import check_keyboards, check_sockets, check_usb
from cabinet.commands.doctor.visit import MISSING, SIMULATED, Visit, why_absent
from cabinet.commands.journal import open_journal
from cabinet.config.settings import Config, ConfigError, MachineSection, load
from cabinet.installation.paths import ON_CABINET
from cabinet.installation.system.sockets import gives_name
from cabinet.runtime import program, shoe
from cabinet.store import reports
from cabinet.store.errors import StoreBusyError, StoreError
from cabinet.store.mounts import MOUNTS, why_unfit
from cabinet.store.opening import FILE, own_known
from cabinet.text import shipped
from cabinet.text.shipped import REPAIR, advise
from drivers.bills.catalog import PULSES

# --- the program ------------------------------------------------------------------------------------------------


def check_python(visit: Visit) -> Finding:
    """Reports the interpreter and the board."""
    board = visit.read("/proc/device-tree/model") or platform.machine()
    return good("Python", f"{platform.python_version()} on {board}")


def check_program(visit: Visit) -> Finding:
    """Reports the program itself."""
    del visit
    return good("Program", f"version {program.program_version()}, hash {program.program_hash()}")


def check_random(visit: Visit) -> Finding:
    """Checks the generator of the cards."""
    try:
        shoe.self_test(visit.random)
    except shoe.ChanceError as error:
        return bad("Random generator", str(error), "do not play; replace the board")
    return good("Random generator", "the system's generator answers and does not repeat itself")


def check_fonts(visit: Visit) -> Finding:
    """Checks the fonts, which come from packages."""
    del visit
    todo = f"{advise(*REPAIR)}: the font packages belong to the installation"
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
    """Checks cards and icons: files beside the program, which SDL renders."""
    del visit
    return find_pictures()


# --- the data ---------------------------------------------------------------------------------------------------


def check_data(visit: Visit) -> Finding:
    """Checks that the data folder can be used and has room."""
    folder = visit.data
    absent = why_absent(folder)
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


def _check_place(visit: Visit, folder: Path) -> Finding:
    """Checks that a missing folder can be made."""
    above = next(each for each in folder.parents if os.path.lexists(each))
    if above.is_dir() and visit.may(above, os.W_OK | os.X_OK):
        return good("Data folder", f"{folder} will be made at the first start")
    found = f"{folder} cannot be made: {above} is no folder that can be written"
    return bad("Data folder", found, "give another --data")


def _check_owner(folder: Path, free: int) -> Finding:
    try:
        with ExitStack() as reach:
            own_known(folder, reach)
            state = "can be used"
    except StoreBusyError:
        state = "is in use by a running cabinet"
    except StoreError as error:
        return bad("Data folder", str(error), "give another --data")
    return good("Data folder", f"{folder} {state}, {free // 2**20} MB free")


def check_books(visit: Visit) -> Finding:
    """Checks that the books are whole, as `cabinet verify` does."""
    try:
        return find_copy("Books", visit.data)
    except StoreBusyError:
        return good("Books", "not checked: a cabinet is running on them")


def check_medium(visit: Visit) -> Finding:
    """Checks what the data folder lies on, and the library that keeps the journal there."""
    own = visit.config.data.own_partition
    return find_medium(visit.text(MOUNTS), visit.data.absolute(), simulate=visit.simulate, own_partition=own)


def check_commissioning(visit: Visit) -> Finding:
    """Checks whether the machine was commissioned, and whether that is remembered outside the data."""
    marks = visit.config.data.marks()
    if visit.simulate:
        return good("Commissioning", "simulated: its books begin by themselves")
    return find_commissioning(visit.data, marks and visit.at(marks), visit.may)


# --- the devices ------------------------------------------------------------------------------------------------


def _check_port(visit: Visit, what: str, port: str) -> Finding:
    if visit.simulate:
        return good(what, "simulated")
    path = visit.at(port)
    absent = why_absent(path)
    if absent is not None:
        return bad(what, f"{port} {absent}", _how_to_find(port))
    if not visit.may(path, os.R_OK | os.W_OK):
        return bad(what, f"{port} may not be opened", "add the cabinet's user to the group `dialout`")
    return good(what, f"{port} is there and may be opened")


def _how_to_find(port: str) -> str:
    """Returns what to do about a line that is not there."""
    if gives_name(port):
        return f"plug its adapter into the socket that was learned; on a new machine {SET_UP}, which learns it"
    return "plug it in, or name its line in the settings"


def check_acceptor(visit: Visit) -> Finding:
    """Checks the bill acceptor's line."""
    if visit.config.acceptor.protocol == PULSES.name:
        return good("Acceptor", "on pins of the header, see below")
    return _check_port(visit, "Acceptor", visit.config.acceptor.port)


def check_printer(visit: Visit) -> Finding:
    """Checks the ticket printer's line."""
    if not visit.simulate and _share_a_line(visit):
        ports = f"{visit.config.printer.port} leads to the same line as {visit.config.acceptor.port}"
        return bad("Ticket printer", ports, "give acceptor.port and printer.port a line each (udev rules)")
    return _check_port(visit, "Ticket printer", visit.config.printer.port)


def _share_a_line(visit: Visit) -> bool:
    """Returns True if acceptor and printer have one line under two names."""
    acceptor, printer = visit.at(visit.config.acceptor.port), visit.at(visit.config.printer.port)
    there = why_absent(acceptor) is None and why_absent(printer) is None
    return visit.config.acceptor.protocol != PULSES.name and there and acceptor.samefile(printer)


def check_acceptor_answers(visit: Visit) -> Finding:
    """Who answers on the acceptor's line."""
    reason = _why_not_asked(visit, visit.config.acceptor.port)
    pulses = visit.config.acceptor.protocol == PULSES.name
    if reason is not None and not (pulses and not visit.simulate):
        return _not_asked(ACCEPTOR, reason)
    return ask_acceptor(visit.config, visit.open_line, visit.patience_s)


def check_printer_answers(visit: Visit) -> Finding:
    """Checks which unit answers on the printer's line."""
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
    """Returns why a device is not asked now; None when it may be asked."""
    if visit.simulate:
        return SIMULATED
    path = visit.at(port)
    if why_absent(path) is not None or not visit.may(path, os.R_OK | os.W_OK):
        return "its line is not there or may not be opened"
    if _share_a_line(visit):
        return "acceptor and printer have the same line"
    absent = why_absent(visit.data / FILE)
    if absent is not None:
        return None if absent == MISSING else f"the books cannot be read: {visit.data / FILE} {absent}"
    try:
        with open_journal(visit.data) as (_, machine):
            under_way = machine.acceptor.document is not None
    except StoreBusyError:
        return "the cabinet is running and owns the line; stop it first"
    except StoreError as error:
        return f"the books cannot be read ({error})"
    what = "the books have a note or ticket under way"
    return f"{what}; start the cabinet, which asks the acceptor for it" if under_way else None


def check_mirror(visit: Visit) -> Finding:
    """Checks the folder of the second copy of the books."""
    second = visit.config.data.second()
    if second is None:
        if visit.simulate:
            return good("Second copy", "simulated books need none")
        return poor("Second copy", "the books have one copy only", "set data.mirror to a folder on another medium")
    place = visit.at(second)
    absent = why_absent(place) or (None if place.is_dir() else "is not a folder")
    if absent is not None:
        return bad("Second copy", f"{second} {absent}", "connect the second medium, or make the folder on it")
    if not visit.may(place, os.W_OK | os.X_OK):
        return bad("Second copy", f"{second} cannot be written", "give the cabinet's user the right to write there")
    if not visit.simulate and (trouble := why_unfit(visit.text(MOUNTS), second)):
        return bad("Second copy", str(trouble), "mount another medium there (ext4, writable)")
    data = next(each for each in (visit.data, *visit.data.parents) if why_absent(each) is None)
    try:
        copy = find_copy("Second copy", place)
    except StoreBusyError:
        copy = good("Second copy", "in use")
    if copy.grade is not Grade.GOOD:
        return copy
    if place.stat().st_dev == data.stat().st_dev:
        return poor("Second copy", f"{second} is on the same medium as the books", "use another medium")
    return good("Second copy", f"{second}, {shutil.disk_usage(place).free // 2**20} MB free")


# --- the machine around it --------------------------------------------------------------------------------------


def check_clock(visit: Visit) -> Finding:
    """Checks that the time is valid, now and after a power cut."""
    chips = None if visit.simulate else chips_in(visit.at("/sys/class/rtc"))
    return clock_finding(visit.wall_ms, visit.read("/proc/device-tree/model"), chips, newest_ms=_newest_ms(visit))


def _newest_ms(visit: Visit) -> int:
    """Returns the newest time in the books; 0 where there is none, or where they cannot be read now."""
    if why_absent(visit.data / FILE) is not None:
        return 0
    try:
        with open_journal(visit.data) as (connection, _):
            return reports.newest_time_ms(connection)
    except StoreError:
        return 0


def check_number(visit: Visit) -> Finding:
    """Checks that the number is not the sample's: it is a part of every ticket number."""
    return number_finding(visit.config.machine.number, simulate=visit.simulate)


def number_finding(number: int, *, simulate: bool) -> Finding:
    """Returns whether it is the number of the sample settings."""
    if number == MachineSection().number and not simulate:
        todo = f"{SET_UP} and give it its own: two machines with one number print tickets of one number"
        return poor("Machine number", f"{number:04d}, as in the sample settings", todo)
    return good("Machine number", f"{number:04d}")


def check_pin(visit: Visit) -> Finding:
    """Checks that the technician's menu has a PIN."""
    if visit.config.attendant.technician_pin or visit.simulate:
        return good("Technician's PIN", SIMULATED if visit.simulate else "set")
    todo = f"{SET_UP} and give one"
    return poor("Technician's PIN", "none: the audit key and the open logic door are enough to clear the memory", todo)


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
    check_sockets,
    check_service,
    check_watchdog,
    check_log,
    check_libraries,
    check_power,
    check_clock,
    check_number,
    check_pin,
    check_usb,
    check_keyboards,
    check_boot_loader,
    check_ssh,
    check_radio,
    check_firewall,
)


def examine(data: Path, config_path: Path | None, *, simulate: bool) -> Iterator[Finding]:
    """Yields every finding, the settings first."""
    config, finding = _read_settings(config_path)
    yield finding
    visit = Visit(config=config, data=data, simulate=simulate, wall_ms=time.time_ns() // 1_000_000)
    for check in CHECKS:
        yield examined(check, visit)


def _read_settings(path: Path | None) -> tuple[Config, Finding]:
    """Returns the settings, the defaults where they cannot be read, and what is found of their file."""
    try:
        return load(path), good("Settings", str(path) if path else "no file given: the defaults")
    except ConfigError as error:
        rest = "; the rest is examined with the defaults"
        if path is not None and os.path.isfile(path):  # noqa: PTH113 - also where nothing may be read
            return Config(), bad("Settings", str(error), f"correct the file{rest}")
        if path == ON_CABINET.settings and not os.path.lexists(path):
            return Config(), bad("Settings", f"{path} does not exist: this machine was not set up", SET_UP + rest)
        sample = shipped.assets_folder() / shipped.SAMPLE_SETTINGS
        return Config(), bad("Settings", str(error), f"copy {sample} there and change it{rest}")


def examined(check: Callable[[Visit], Finding], visit: Visit) -> Finding:
    """Returns the finding of a check. An error of the system during a check is a finding too, and the other checks go
    on."""
    try:
        return check(visit)
    except (OSError, ValueError) as error:
        name = check.__name__.removeprefix("check_").replace("_", " ").capitalize()
        return bad(name, f"cannot be examined: {error}", "correct what it names, and run doctor again")

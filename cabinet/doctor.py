"""Says in plain words what is there and what is missing: files, permissions, devices, display, sound, clock.

Every check is one row of CHECKS and returns a Finding; none changes anything or talks to a device. A `bad` finding
means that the cabinet could not run as configured, a `poor` one that it runs with something missing.
"""

import os
import platform
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path

from cabinet import boot, chance
from cabinet.config import Config, ConfigError, load
from cabinet.store.errors import StoreBusyError, StoreError
from cabinet.store.journal import FILE, own_folder
from drivers.errors import DriverError
from drivers.panel.gpio import make_factory

ENOUGH_BYTES = 200 * 1024 * 1024
WATCHDOG = Path("/sys/class/watchdog/watchdog0")
GOOD_DRIVERS = frozenset({"kmsdrm", "wayland", "x11"})


class Grade(Enum):
    """How a finding is to be taken."""

    GOOD = "good"
    POOR = "poor"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check found, and what to do about it."""

    what: str
    grade: Grade
    found: str
    todo: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What is examined."""

    config: Config
    data: Path
    simulate: bool


def _good(what: str, found: str) -> Finding:
    return Finding(what=what, grade=Grade.GOOD, found=found)


def _poor(what: str, found: str, todo: str) -> Finding:
    return Finding(what=what, grade=Grade.POOR, found=found, todo=todo)


def _bad(what: str, found: str, todo: str) -> Finding:
    return Finding(what=what, grade=Grade.BAD, found=found, todo=todo)


def check_python(visit: Visit) -> Finding:
    """The interpreter."""
    del visit
    return _good("Python", f"{platform.python_version()} on {platform.machine()}")


def check_program(visit: Visit) -> Finding:
    """The program itself."""
    del visit
    return _good("Program", f"version {boot.program_version()}, hash {boot.program_hash()}")


def check_random(visit: Visit) -> Finding:
    """The generator behind the cards."""
    del visit
    try:
        chance.self_test()
    except chance.ChanceError as error:
        return _bad("Random generator", str(error), "do not play; replace the board")
    return _good("Random generator", "the system's generator answers and does not repeat itself")


def check_data(visit: Visit) -> Finding:
    """The data folder."""
    folder = visit.data
    if not folder.exists():
        parent = next(each for each in (folder, *folder.parents) if each.exists())
        if os.access(parent, os.W_OK):
            return _good("Data folder", f"{folder} will be made at the first start")
        return _bad("Data folder", f"{folder} does not exist and {parent} cannot be written", "give another --data")
    if not os.access(folder, os.W_OK | os.X_OK):
        return _bad("Data folder", f"{folder} cannot be written", "give the cabinet's user the right to write there")
    free = shutil.disk_usage(folder).free
    if free < ENOUGH_BYTES:
        return _bad("Data folder", f"{free // 2**20} MB free on {folder}", f"make {ENOUGH_BYTES // 2**20} MB free")
    try:
        with own_folder(folder):
            state = "holds a journal" if (folder / FILE).is_file() else "is empty"
    except StoreBusyError:
        state = "is in use by a running cabinet"
    except StoreError as error:
        return _bad("Data folder", str(error), "give another --data")
    return _good("Data folder", f"{folder} {state}, {free // 2**20} MB free")


def check_sqlite(visit: Visit) -> Finding:
    """The library that keeps the journal."""
    del visit
    return _good("SQLite", sqlite3.sqlite_version)


def check_fonts(visit: Visit) -> Finding:
    """The fonts come from packages."""
    del visit
    try:
        from cabinet.ui.art import fonts

        fonts.font(fonts.Role.TEXT, 20)
    except (ImportError, OSError) as error:
        return _bad("Fonts", str(error), "run `make setup`: the fontpkg packages belong to the installation")
    return _good("Fonts", "the font packages are there")


def check_display(visit: Visit) -> Finding:
    """Whether there is a display a window could be opened on."""
    import pygame

    sdl = ".".join(map(str, pygame.get_sdl_version()))
    about = f"pygame {pygame.version.ver}, SDL {sdl}"
    wanted = os.environ.get("SDL_VIDEODRIVER", "")
    there = [name for name in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(name)]
    cards = sorted(path.name for path in Path("/dev/dri").glob("card*")) if Path("/dev/dri").is_dir() else []
    if wanted and wanted not in GOOD_DRIVERS:
        return _bad("Display", f"{about}; SDL_VIDEODRIVER={wanted} shows nothing", "set it to kmsdrm, wayland or x11")
    if there:
        return _good("Display", f"{about}; {', '.join(there)} set")
    if cards:
        return _good("Display", f"{about}; no desktop, graphics cards {', '.join(cards)}: use SDL_VIDEODRIVER=kmsdrm")
    todo = "connect a display; without one only `cabinet autoplay` can be looked at"
    return (_poor if visit.simulate else _bad)("Display", f"{about}; no desktop and no graphics card", todo)


def check_touch(visit: Visit) -> Finding:
    """Whether touches could be read without a desktop."""
    devices = sorted(Path("/dev/input").glob("event*")) if Path("/dev/input").is_dir() else []
    if visit.simulate or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return _good("Touch", "comes from the desktop")
    if not devices:
        return _poor("Touch", "no input device", "connect the touch screen, or play with the buttons alone")
    if not any(os.access(path, os.R_OK) for path in devices):
        return _bad("Touch", "no input device may be read", "add the cabinet's user to the group `input`")
    return _good("Touch", f"{len(devices)} input devices")


def check_sound(visit: Visit) -> Finding:
    """Whether there is a sound card; playing silently is allowed."""
    del visit
    cards = Path("/proc/asound/cards")
    text = cards.read_text() if cards.exists() else ""
    if not text.strip() or "no soundcards" in text:
        return _poor("Sound", "no sound card", "the cabinet plays silently; the alarm cannot be heard either")
    return _good("Sound", text.strip().splitlines()[0].strip())


def _check_port(what: str, port: str) -> Finding:
    path = Path(port)
    if not path.exists():
        return _bad(what, f"{port} does not exist", "plug it in, or name the port in the configuration (udev rule)")
    if not os.access(path, os.R_OK | os.W_OK):
        return _bad(what, f"{port} may not be opened", "add the cabinet's user to the group `dialout`")
    return _good(what, f"{port} is there and may be opened")


def check_acceptor(visit: Visit) -> Finding:
    """The bill acceptor's line."""
    if visit.simulate:
        return _good("Bill acceptor", "simulated")
    return _check_port("Bill acceptor", visit.config.acceptor.port)


def check_printer(visit: Visit) -> Finding:
    """The ticket printer's line."""
    if visit.simulate:
        return _good("Ticket printer", "simulated")
    return _check_port("Ticket printer", visit.config.printer.port)


def check_pins(visit: Visit) -> Finding:
    """The pins of buttons, lamps, doors and keys."""
    name = "mock" if visit.simulate else visit.config.panel.factory
    try:
        factory = make_factory(name)
    except DriverError as error:
        return _bad("Pins", str(error), "see docs/wiring.md")
    factory.close()
    return _good("Pins", f"pin factory {name}")


def check_watchdog(visit: Visit) -> Finding:
    """Whether somebody restarts a cabinet that hangs."""
    del visit
    hardware = f"hardware watchdog {(WATCHDOG / 'identity').read_text().strip()}" if WATCHDOG.exists() else ""
    service = "service manager" if os.environ.get("WATCHDOG_USEC") else ""
    found = ", ".join(each for each in (service, hardware) if each)
    if not found:
        return _poor("Watchdog", "none", "run the cabinet from its systemd unit")
    return _good("Watchdog", found)


def check_clock(visit: Visit) -> Finding:
    """Whether the time can be believed."""
    del visit
    now = time.time()
    said = time.strftime("%d %b %Y %H:%M", time.localtime(now))
    if now * 1000 < boot.RELEASED_MS:
        return _poor("Clock", said, "set the clock: tickets will say that their date is uncertain")
    return _good("Clock", said)


CHECKS: tuple[Callable[[Visit], Finding], ...] = (
    check_python,
    check_program,
    check_random,
    check_data,
    check_sqlite,
    check_fonts,
    check_display,
    check_touch,
    check_sound,
    check_acceptor,
    check_printer,
    check_pins,
    check_watchdog,
    check_clock,
)


def examine(data: Path, config_path: Path | None, *, simulate: bool) -> Iterator[Finding]:
    """Every finding, the settings first."""
    try:
        config = load(config_path)
    except ConfigError as error:
        yield _bad("Settings", str(error), "mend the file; the rest is examined with the defaults")
        config = Config()
    else:
        yield _good("Settings", str(config_path) if config_path else "no file given: the defaults")
    visit = Visit(config=config, data=data, simulate=simulate)
    for check in CHECKS:
        yield check(visit)


def run_doctor(data: Path, config_path: Path | None, *, simulate: bool, as_json: bool) -> int:
    """Print the findings; 1 when one is bad."""
    from rich.console import Console
    from rich.table import Table

    from cabinet.offline import print_json

    findings = tuple(examine(data, config_path, simulate=simulate))
    bad = any(finding.grade is Grade.BAD for finding in findings)
    if as_json:
        print_json([{**asdict(finding), "grade": finding.grade.value} for finding in findings])
        return int(bad)
    grid = Table("", "what", "found", "what to do", show_edge=False)
    marks = {Grade.GOOD: "[green]good[/]", Grade.POOR: "[yellow]poor[/]", Grade.BAD: "[red]bad[/]"}
    for finding in findings:
        grid.add_row(marks[finding.grade], finding.what, finding.found, finding.todo)
    console = Console()
    console.print(grid)
    verdict = "The cabinet could not run as configured." if bad else "The cabinet can run."
    console.print(verdict)
    return int(bad)

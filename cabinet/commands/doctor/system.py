"""The system around the cabinet: service, watchdog, log, libraries, power.

Rules: a file is read at the edge, below the visit's root; what it means is decided by a pure function.
Nothing is changed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cabinet.commands.doctor.findings import SET_UP, Finding, bad, good, poor
from cabinet.commands.doctor.visit import SIMULATED, Visit
from cabinet.installation.paths import SERVICE, Paths
from cabinet.runtime.program import library_versions
from cabinet.store.mounts import IN_MEMORY, MOUNTS, mount_of

HOT_MILLIDEGREES: Final = 80_000
"""The processor slows itself down above this."""

# --- service and watchdog ---------------------------------------------------------------------------------------


def check_service(visit: Visit) -> Finding:
    """Checks that the service manager starts the cabinet, and restarts it when it hangs."""
    if visit.simulate:
        return good("Service", SIMULATED)
    enabled = any(visit.is_enabled(f"{target}.wants/{SERVICE}") for target in _TARGETS)
    return service_finding(watched=bool(visit.environment.get("WATCHDOG_USEC")), enabled=enabled)


_TARGETS: Final = ("multi-user.target", "graphical.target")


def service_finding(*, watched: bool, enabled: bool) -> Finding:
    """Returns what is found of the unit: `enabled` for every start, or `watched` because it runs this program."""
    if not watched and not enabled:
        todo = f"{SET_UP}, which enables it: nothing else starts the cabinet again when it hangs"
        return poor("Service", f"{SERVICE} is not enabled", todo)
    return good("Service", f"{SERVICE} starts the cabinet, and again when it hangs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Watchdog:
    """The hardware watchdog by the kernel's files; a missing file gives an empty text."""

    identity: str = ""
    state: str = ""
    timeout: str = ""


LONGEST_S: Final = 60
"""A watchdog that waits longer leaves a hanging cabinet for players to find."""


def check_watchdog(visit: Visit) -> Finding:
    """Checks that the hardware resets a system that hangs."""
    if visit.simulate:
        return good("Watchdog", SIMULATED)
    place = "/sys/class/watchdog/watchdog0"
    return watchdog_finding(
        Watchdog(**{name: visit.read(f"{place}/{name}") for name in ("identity", "state", "timeout")})
    )


def watchdog_finding(watchdog: Watchdog) -> Finding:
    """Returns whether it is armed, and its time."""
    if not (watchdog.identity or watchdog.state):
        return poor("Watchdog", "none", f"{SET_UP}, then restart: nothing resets a system that hangs")
    name = watchdog.identity or "a watchdog"
    if watchdog.state != "active":
        todo = (
            "set RuntimeWatchdogSec=14 in /etc/systemd/system.conf.d/ and start again: nothing resets a hanging system"
        )
        return poor("Watchdog", f"{name} is {watchdog.state or 'in an unknown state'}, not armed", todo)
    timeout_s = int(watchdog.timeout) if watchdog.timeout.isdigit() else 0
    if timeout_s > LONGEST_S:
        return poor(
            "Watchdog", f"{name} waits {timeout_s} s", "set RuntimeWatchdogSec=14 in /etc/systemd/system.conf.d/"
        )
    return good("Watchdog", f"{name} is armed, {timeout_s or '?'} s")


# --- the system's log -------------------------------------------------------------------------------------------

_FOLDERS: Final = ("etc/systemd", "run/systemd", "usr/local/lib/systemd", "usr/lib/systemd")
"""Where systemd looks for settings; a file hides the files of its name in the folders behind it."""
LOG_FOLDER: Final = Path("/var/log/journal")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSettings:
    """The settings of the system's log: each file with its text, the later one in force; and where the log is kept."""

    files: tuple[tuple[str, str], ...]
    kept: bool
    """True if the folder of a persistent log exists."""
    on: str = ""
    """The file system of that folder."""


def check_log(visit: Visit) -> Finding:
    """Checks that the system's log survives a power cut."""
    if visit.simulate:
        return good("System log", SIMULATED)
    mount = mount_of(visit.text(MOUNTS), LOG_FOLDER)
    settings = LogSettings(
        files=tuple((str(path), visit.text(path)) for path in map(visit.paths.on_cabinet, log_files(visit.paths))),
        kept=visit.at(LOG_FOLDER).is_dir(),
        on=mount.kind if mount else "",
    )
    return log_finding(settings)


def log_files(paths: Paths) -> Iterator[Path]:
    """Yields the files that systemd reads for its log, in its order: the main file, then the drop-ins by name."""
    main = [place for folder in _FOLDERS if (place := paths.at(f"{folder}/journald.conf")).exists()]
    yield from main[:1]
    named: dict[str, Path] = {}
    for folder in reversed(_FOLDERS):
        named |= {path.name: path for path in paths.at(f"{folder}/journald.conf.d").glob("*.conf")}
    yield from (named[name] for name in sorted(named))


def log_finding(settings: LogSettings) -> Finding:
    """Returns whether the log is persistent, and which file says so."""
    storage, source = _storage(settings.files)
    todo = (
        "put the cabinet's drop-in for journald in force (`cabinet setup`): a fault before a power cut leaves no line"
    )
    said = f"Storage={storage}{f' in {source}' if source else ''}"
    if storage != "persistent" and not (storage == "auto" and settings.kept):
        return poor("System log", f"{said}: the log is lost when the power goes", todo)
    if settings.on in IN_MEMORY:
        return poor("System log", f"{said}, but {LOG_FOLDER} is on {settings.on}, which is lost", todo)
    return good("System log", f"{said}: the log stays after a power cut")


def _storage(files: tuple[tuple[str, str], ...]) -> tuple[str, str]:
    """Returns the value in force and its file; systemd's own for none."""
    storage, source = "auto", ""
    for name, text in files:
        section = ""
        for line in map(str.strip, text.splitlines()):
            key, _, value = (part.strip() for part in line.partition("="))
            if line.startswith("["):
                section = line
            elif section == "[Journal]" and key == "Storage":
                storage, source = (value, name) if value else ("auto", "")
    return storage, source


# --- libraries --------------------------------------------------------------------------------------------------

SDL_ON_PI_5: Final = (2, 30)
"""Before this version SDL draws wrong pictures on a Pi 5."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Libraries:
    """Versions by name, the kernel's release, and what depends on them."""

    versions: Mapping[str, str]
    kernel: str
    model: str = ""
    bundled_sdl: bool = False
    """True if pygame brings an SDL of its own, which cannot open a screen without a desktop."""
    needs_kmsdrm: bool = False


def check_libraries(visit: Visit) -> Finding:
    """Reports the libraries of the system, and the kernel."""
    import pygame

    package = Path(str(pygame.__file__)).parent.parent
    return libraries_finding(
        Libraries(
            versions=library_versions(),
            kernel=visit.read("/proc/sys/kernel/osrelease"),
            model=visit.read("/proc/device-tree/model"),
            bundled_sdl=(package / "pygame.libs").is_dir(),
            needs_kmsdrm=visit.environment.get("SDL_VIDEODRIVER") == "kmsdrm" and not visit.simulate,
        )
    )


def libraries_finding(libraries: Libraries) -> Finding:
    """Returns the versions, and those that do not work here."""
    named = ", ".join(f"{name} {version}" for name, version in sorted(libraries.versions.items()))
    found = f"{named}, kernel {libraries.kernel or 'unknown'}"
    if libraries.needs_kmsdrm and libraries.bundled_sdl:
        todo = "install the system's python3-pygame in place of pip's"
        return bad("Libraries", f"{found}; the SDL that pip's pygame brings has no KMSDRM", todo)
    parts = libraries.versions.get("SDL", "").split(".")[:2]
    sdl = tuple(int(part) for part in parts if part.isdigit())
    if sdl < SDL_ON_PI_5 and "Raspberry Pi 5" in libraries.model:
        return poor("Libraries", found, "install SDL 2.30 or newer: older ones draw wrong pictures on a Pi 5")
    return good("Libraries", found)


# --- power ------------------------------------------------------------------------------------------------------


def check_power(visit: Visit) -> Finding:
    """Checks the supply's voltage and the processor's temperature, if the board measures them."""
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

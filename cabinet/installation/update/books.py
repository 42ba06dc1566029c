"""Reads the books for an update, and makes the copies of them.

Rules: nothing is ever written into the data folder. Running books are read from a copy, which is made again if they
changed meanwhile. A copy has its final name only when it is durable. The module knows no version and no service.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from cabinet.engine.log import LogKind
from cabinet.engine.rules import GAMES
from cabinet.engine.state import LockKind, Machine
from cabinet.engine.technician import holdings
from cabinet.installation.durable import copy_folder, remove_folder
from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import Paths
from cabinet.store import reports
from cabinet.store.errors import StoreDamagedError
from cabinet.store.head import read_head
from cabinet.store.opening import FILE, WAL
from cabinet.store.reading import find_form, reading

COPIES_KEPT: Final = 2
"""Number of copies of the books that are kept: the new one, and the newest of the others."""
_COPY, _TRIAL = "books", "trial"
_STARTS = (LogKind.POWER_UP.value, LogKind.POWER_UP_AFTER_CRASH.value)
_OF_A_START = frozenset({"power_ups", "doors"})
"""Meters that a start or an open door moves."""
_TRIES = 20


class UnsteadyError(InstallationError):
    """The running books changed while they were copied, every time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The figures of the books that an update compares."""

    accounts: dict[str, int]
    """Every balance, in cents."""
    meters: dict[str, Any]
    """Every lifetime meter of money and play."""
    locks: tuple[str, ...]
    """The kinds of the locks."""
    held: tuple[str, ...]
    """What the machine holds that belongs to a player, in words."""
    form: int
    """The form of the journal."""
    start: int
    """The number of the log entry of the newest start."""
    program: str
    """The version that this start reported."""

    @property
    def out_of_service(self) -> bool:
        """Returns True if the machine was taken out of service."""
        return LockKind.OUT_OF_SERVICE.value in self.locks

    @property
    def changed(self) -> bool:
        """Returns True if the technician still has to confirm the program."""
        return LockKind.PROGRAM_CHANGED.value in self.locks


def read_figures(data: Path) -> Figures:
    """Reads the figures of books on which no cabinet runs. Raises StoreError; StoreNewerError where a newer program has
    written its form."""
    form = find_form(data)
    with reading(data) as connection:
        _, _, machine = read_head(connection, checked=False)
        if machine is None:
            raise StoreDamagedError(f"{data / FILE}: the journal is empty; on a new machine install versions with apt")
        starts = reports.events(connection, limit=1, what=_STARTS)
        found = reports.meters(machine, GAMES)
    return Figures(
        accounts=found["accounts"],
        meters={name: value for name, value in found["lifetime"].items() if name not in _OF_A_START},
        locks=tuple(lock.kind.value for lock in machine.locks),
        held=(*holdings(machine), *_printing(machine)),
        form=form,
        start=starts[0].number if starts else 0,
        program=starts[0].detail if starts else "",
    )


def _printing(machine: Machine) -> tuple[str, ...]:
    return ("a ticket in the printer",) if machine.printer.printing is not None else ()


def read_running(paths: Paths) -> Figures:
    """Reads the figures of books on which a cabinet may run. Raises StoreError or UnsteadyError."""
    if not (paths.data / FILE).is_file():
        raise StoreDamagedError(f"{paths.data / FILE}: there is no journal here; connect the medium with the data")
    for _ in range(_TRIES):
        with TemporaryDirectory(prefix="books-") as name:
            if _copied_whole(paths.data, Path(name)):
                try:
                    return read_figures(Path(name))
                except StoreDamagedError:
                    if _stamps(paths.data) == _stamps(Path(name)):
                        raise
    raise UnsteadyError(f"{paths.data}: the books change all the time; take the machine out of service, then try again")


def _copied_whole(data: Path, place: Path) -> bool:
    """Copies the files of a journal. Returns True if they did not change meanwhile."""
    before = _stamps(data)
    for name in before:
        shutil.copy2(data / name, place / name)
    return bool(before) and _stamps(data) == before == _stamps(place)


def _stamps(data: Path) -> dict[str, tuple[int, int]]:
    found = {}
    for name in (FILE, f"{FILE}{WAL}"):
        try:
            stat = (data / name).stat()
        except FileNotFoundError:
            continue
        found[name] = (stat.st_size, stat.st_mtime_ns)
    return found


# --- copies -----------------------------------------------------------------------------------------------------


def copy_books(paths: Paths, date: str, version: str) -> Path:
    """Copies the data folder before an update and removes the oldest other copies; returns the new one, durable.

    `date` sorts the copies by time, such as `20261201-101500`; `version` is the program that the books are of. The new
    copy stays whatever its date is: the clock of a Pi without a battery can be in the past.
    """
    target = paths.update / f"{_COPY}-{date}-{version}"
    remove_folder(target)
    copy_folder(paths.data, target)
    others = [each for each in copies(paths) if each != target]
    for old in others[: 1 - COPIES_KEPT]:
        remove_folder(old)
    return target


def copies(paths: Paths) -> tuple[Path, ...]:
    """Returns all whole copies of the books, the oldest first."""
    found = paths.update.glob(f"{_COPY}-*")
    return tuple(sorted(each for each in found if each.is_dir() and not each.name.endswith(".partial")))


def trial_folder(paths: Paths) -> Path:
    """Returns the place of the copy of the books that a new version is tried on."""
    return paths.update / _TRIAL

"""What the command `run` does: opens the window of a cabinet, or of one that may not start.

A machine with an unusable journal does not start on defaults and does not end in a crash loop: it shows the problem,
takes no note and waits for the attendant.
"""

import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cabinet.config.mounting import unfit
from cabinet.config.reader import ConfigError
from cabinet.config.settings import Config, load
from cabinet.engine.log import LogKind
from cabinet.installation.paths import ON_CABINET, Paths
from cabinet.installation.update.record import read_taken_back
from cabinet.presentation.port import SimulatedKeys
from cabinet.runtime.build import Cabinet, build
from cabinet.runtime.fault_attendant import open_fault_attendant
from cabinet.runtime.fault_machine import fault_machine
from cabinet.runtime.watchdog import ServiceManager
from cabinet.store import reports
from cabinet.store.errors import StoreBusyError, StoreError, StoreFolderError, StorePlaceError, StoreRefusedError
from cabinet.store.mounts import mount_of, read_mounts
from cabinet.ui.ui_state import volume_step
from cabinet.window.machine_info import machine_info
from cabinet.window.ports import ControllerPort, FaultPort
from cabinet.window.signals import deferred
from cabinet.window.simulated_keys import panel_keys, simulated_keys

if TYPE_CHECKING:
    from cabinet.window.loop import WindowOptions

_log = logging.getLogger(__name__)


def run_cabinet(data: Path, config_path: Path | None, *, simulate: bool, windowed: bool) -> int:
    """Runs until it is stopped; returns the exit code."""
    config = load(config_path)
    if windowed:
        _check_window(config)
    with deferred():
        return _run(config, data, simulate=simulate, windowed=windowed)


def _run(config: Config, data: Path, *, simulate: bool, windowed: bool) -> int:
    place = mount_of(read_mounts(), data)
    try:
        cabinet = _start(config, data, simulate=simulate)
    except StoreBusyError:
        raise
    except StoreError as error:
        if simulate and isinstance(error, StoreFolderError):
            raise
        waits = isinstance(error, StoreRefusedError) and not simulate
        moved = (lambda: mount_of(read_mounts(), data) != place) if waits else (lambda: False)
        return _show_fault(error, config, data, moved, simulate=simulate, windowed=windowed)
    try:
        code = _show_cabinet(cabinet, config, data, windowed=windowed)
    except BaseException as error:
        cabinet.stop(crashed=not isinstance(error, KeyboardInterrupt))
        raise
    return code if cabinet.stop(crashed=code == CRASHED) else code or 1


def _check_window(config: Config) -> None:
    """Refuses a window that the table does not fit into. Raises `ConfigError`."""
    if why := unfit(config.display.mounting().picture_size(config.display.windowed)):
        raise ConfigError(f"display.windowed: with display.rotation {config.display.rotation} it is {why}")


CRASHED = 70
"""The exit code after our own mistake in the window; what BSD's sysexits calls an internal software error."""


def _show_cabinet(cabinet: Cabinet, config: Config, data: Path, *, windowed: bool) -> int:
    """Shows a running cabinet until it is stopped. Returns the exit code: 1 without a display, CRASHED after a fault of
    the program."""
    from cabinet.window.display import WindowError
    from cabinet.window.supervisor import run_window

    try:
        keys = simulated_keys(cabinet)
        options = _options(config, data, keys, windowed=windowed)
        return run_window(cabinet=ControllerPort(cabinet.controller, keys), options=options)
    except WindowError as error:
        print(f"cabinet: {error}", file=sys.stderr)  # noqa: T201 - the one sentence of this failure
        return 1
    except Exception as error:  # noqa: BLE001 - every fault of the program is logged, and recorded as a crash
        said = f"{type(error).__name__}: {error}"
        _log.critical("the window has failed and the cabinet goes down, to come back: %s", said, exc_info=error)
        return CRASHED


def _start(config: Config, data: Path, *, simulate: bool) -> Cabinet:
    """A cabinet that runs. Whatever keeps it from starting, its lines, pins and data are given up first."""
    cabinet = build(config, data, simulate=simulate)
    try:
        if not simulate:
            report_taken_back(cabinet, ON_CABINET)
        cabinet.start()
    except BaseException as error:
        cabinet.stop(crashed=not isinstance(error, KeyboardInterrupt))
        raise
    return cabinet


def report_taken_back(cabinet: Cabinet, paths: Paths) -> None:
    """Lets the log of a cabinet that is about to start say which update was taken back, once.

    A journal in the older form waits: it has no word for that, and a new word would close the way back.
    """
    fact = read_taken_back(paths)
    if fact is None or cabinet.journal.form_change() is not None:
        return
    last = reports.events(cabinet.journal.connection, limit=1, what=(LogKind.UPDATE_TAKEN_BACK.value,))
    if not any(fact.at in entry.detail for entry in last):
        cabinet.controller.put(fact)


def _show_fault(
    error: StoreError, config: Config, data: Path, moved: Callable[[], bool], *, simulate: bool, windowed: bool
) -> int:
    """Shows why the cabinet may not start, until stopped. Nothing is repaired, cleared, written or assumed.

    It ends by itself with 0 when `moved` returns True: another file system is where the data is expected, and the
    service manager starts the cabinet again. A simulated one ends like any other: by its window or the console.
    Raises `WindowError` when that has no display.
    """
    from cabinet.window.display import ServerGoneError
    from cabinet.window.supervisor import run_window

    _log.critical("%s", error)
    manager = ServiceManager()
    manager.ready()
    folders = tuple(filter(None, (data, config.data.second())))
    machine = fault_machine(error, folders)
    manager.status(f"{machine.locks[0].kind.value}: {error}")
    readable = () if isinstance(error, StorePlaceError) else folders
    with open_fault_attendant(config, readable, machine, simulate=simulate) as (attendant, panel):
        keys = None if panel is None else panel_keys(panel)
        port = FaultPort(machine=machine, manager=manager, simulate=keys, moved=moved, attendant=attendant)
        with suppress(ServerGoneError):
            run_window(cabinet=port, options=_options(config, None, port.simulate, windowed=windowed))
    if port.stopping:
        _log.warning("another file system is at %s: the cabinet starts again", data)
    return 0 if port.stopping else 1


def _options(config: Config, data: Path | None, keys: SimulatedKeys | None, *, windowed: bool) -> "WindowOptions":
    """How the operator wants the window."""
    from cabinet.window.loop import WindowOptions

    display = config.display
    return WindowOptions(
        settings=config.settings(),
        facts=machine_info(config, data, simulated=keys is not None, keys=keys.rows() if keys else ()),
        windowed=display.windowed if windowed else None,
        volume=volume_step(config.sound.volume),
        mounting=display.mounting(),
        mode=display.panel_mode(),
    )

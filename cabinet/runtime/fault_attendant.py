"""The attendant's pages of a cabinet that may not start: the audit key opens them, and they show what can be read.

Rules: nothing can be requested and nothing is written; figures come from a copy of the refused data, read when the key
is turned; each page says that they are doubtful. The panel and the copy belong to one thread of this module, which
publishes a machine, the lit buttons and a page; other threads read that value and put presses into a queue. A page that
the damage breaks leads back to the one above. The module knows no screen.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

from cabinet.attendant import menu as attendant
from cabinet.attendant.data import AttendantData
from cabinet.attendant.pages import Page, PageTouch
from cabinet.config.settings import Config
from cabinet.engine.inputs import Button
from cabinet.engine.state import Machine
from cabinet.runtime.attendant_data import AttendantDataReader
from cabinet.runtime.clock import read_wall_ms
from cabinet.runtime.translate import BUTTON_OF_INPUT, LAMPS, tower_of
from cabinet.store.errors import StoreError
from cabinet.store.opening import FILE, UNREADABLE
from cabinet.store.reading import open_unchanged
from cabinet.store.reports import Connection
from cabinet.store.salvage import salvage
from drivers.errors import DriverError
from drivers.panel.gpio import Panel
from drivers.panel.layout import Input
from drivers.panel.pin_factory import make_factory
from drivers.simulated.panel import SimulatedPanel

_log = logging.getLogger(__name__)

LONGEST_SLEEP_S = 0.5
ENDS_S = 2.0
"""Seconds for the thread to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPage:
    """What the screen and the lamps show."""

    machine: Machine
    lit: frozenset[Button] = frozenset()
    page: Page | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Copy:
    """A journal that can be read in part."""

    connection: Connection
    seq: int


Read = Callable[[], AttendantData | None]


def read_doubtful(config: Config, folders: tuple[Path, ...], locked: Machine) -> AttendantData | None:
    """Returns what the copies in `folders` show, with the locks of `locked`; None if nothing can be read. Writes
    nothing in the folders."""
    try:
        found = salvage(folders).machine
    except (StoreError, OSError) as error:
        _log.warning("no figures can be shown: %s", error)
        return None
    machine = replace(found, locks=locked.locks, access=replace(locked.access, audit_key=True))
    for folder in folders:
        with ExitStack() as opened:
            try:
                connection = open_unchanged(folder, opened)
                connection.text_factory = lambda raw: raw.decode(errors="replace")
                (seq,) = connection.execute("SELECT coalesce(max(seq), 0) FROM steps").fetchone()
            except (StoreError, *UNREADABLE) as error:
                _log.warning("no lists can be shown from %s: %s", folder / FILE, error)
                continue
            books = _Copy(connection=connection, seq=seq)
            reader = AttendantDataReader(config, books, None, moment=_unproven_time, doubtful=True)
            data = reader.data(machine)
            for trouble in reader.unread:
                _log.warning("a list cannot be read from %s: %s", folder / FILE, trouble)
            return data
    return None


def _unproven_time() -> tuple[int, bool]:
    return read_wall_ms(), False


@contextmanager
def open_fault_attendant(
    config: Config, folders: tuple[Path, ...], machine: Machine, *, simulate: bool
) -> Iterator[tuple["FaultAttendant | None", SimulatedPanel | None]]:
    """Opens the panel of a cabinet that may not start, and runs the pages that its audit key opens.

    Yields the pages, and the simulated panel of a simulated cabinet. Where the panel cannot be opened it yields None
    for the pages: the screen still shows the lock.
    """
    changed, simulated = threading.Event(), None
    with ExitStack() as opened:
        try:
            factory = make_factory("mock" if simulate else config.panel.factory)
            opened.callback(factory.close)
            simulated = SimulatedPanel(config.wiring(), factory) if simulate else None
            panel = Panel(config.wiring(), changed.set, factory, press_s=config.panel.press_ms / 1_000)
        except DriverError as error:
            _log.error("no key of the panel works: %s", error)
            yield None, simulated
            return
        opened.callback(panel.close)
        attendant = FaultAttendant(panel, machine, partial(read_doubtful, config, folders, machine), changed)
        opened.enter_context(attendant.running())
        yield attendant, simulated


class FaultAttendant:
    """The keys and buttons of a panel, and the pages that they open."""

    def __init__(self, panel: Panel, machine: Machine, read: Read, changed: threading.Event) -> None:
        """`read` is called in this object's thread, each time the audit key is turned. `changed` is set by an edge of
        the panel."""
        self._panel, self._locked, self._read, self._wake = panel, machine, read, changed
        self._data: AttendantData | None = None
        self._menu = attendant.open_menu()
        self._inbox: SimpleQueue[Button | PageTouch] = SimpleQueue()
        self._ends = threading.Event()
        self._lamps: object = None
        self._listeners: list[Callable[[], None]] = []
        self._shown = FaultPage(machine=machine)
        self._thread = threading.Thread(target=self._run, name="fault", daemon=True)

    # --- for other threads --------------------------------------------------------------------------------------

    @property
    def shown(self) -> FaultPage:
        """What is to be shown now."""
        return self._shown

    @property
    def held(self) -> frozenset[Button]:
        """The panel's buttons that are down."""
        return frozenset(BUTTON_OF_INPUT[name] for name in self._panel.down)

    def on_change(self, listener: Callable[[], None]) -> None:
        """Adds a listener for each change; it must be quick and runs on this object's thread."""
        self._listeners.append(listener)

    def put(self, wish: Button | PageTouch) -> None:
        """Applies a button of the screen or a touch of the page."""
        self._inbox.put(wish)
        self._wake.set()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Runs the thread during the block."""
        self._thread.start()
        try:
            yield
        finally:
            self._ends.set()
            self._wake.set()
            self._thread.join(ENDS_S)

    # --- the thread ---------------------------------------------------------------------------------------------

    def _run(self) -> None:
        for name, active in self._panel.settle().items():
            self._on_contact(name, active=active)
        while not self._ends.is_set():
            self._turn(time.monotonic())
            self._wake.wait(max(0.0, min(self._panel.due() - time.monotonic(), LONGEST_SLEEP_S)))
            self._wake.clear()

    def _turn(self, now: float) -> None:
        for change in self._panel.poll(now):
            self._on_contact(change.name, active=change.active)
        while True:
            try:
                self._press(self._inbox.get_nowait())
            except Empty:
                break
        lamps = frozenset(LAMPS[button] for button in self._shown.lit), tower_of(self._shown.machine)
        if lamps != self._lamps:
            self._panel.show(*lamps)
            self._lamps = lamps

    def _on_contact(self, name: Input, *, active: bool) -> None:
        if name is Input.AUDIT_KEY:
            self._menu = attendant.open_menu()
            self._data = self._read() if active else None
            self._publish(audit=self._data is not None)
        elif active and name in BUTTON_OF_INPUT:
            self._press(BUTTON_OF_INPUT[name])

    def _press(self, wish: Button | PageTouch) -> None:
        """Moves in the pages. A request is dropped, except for the choice of a language."""
        if self._data is None:
            return
        try:
            self._menu, request = (
                attendant.press(self._menu, wish, self._data)
                if isinstance(wish, Button)
                else attendant.touch(self._menu, wish, self._data)
            )
        except Exception as error:  # noqa: BLE001 - damaged data may break a page in any way
            self._give_up(error)
            return
        if isinstance(request, attendant.UseLanguage):
            self._data = replace(self._data, language=request.code)
        self._publish(audit=True)

    def _publish(self, *, audit: bool) -> None:
        machine = replace(self._locked, access=replace(self._locked.access, audit_key=audit))
        shown = FaultPage(machine=machine)
        if audit and self._data is not None:
            try:
                lit, page = attendant.lit(self._menu, self._data), attendant.page(self._menu, self._data)
            except Exception as error:  # noqa: BLE001 - damaged data may break a page in any way
                self._give_up(error)
                return
            shown = FaultPage(machine=machine, lit=lit, page=page)
        self._shown = shown
        for listener in self._listeners:
            listener()

    def _give_up(self, error: Exception) -> None:
        """Leaves a page that cannot be made."""
        _log.warning("a page of doubtful data cannot be shown: %s", error)
        if not self._menu.path:
            self._data = None
        self._menu = replace(attendant.open_menu(), path=self._menu.path[:-1])
        self._publish(audit=self._data is not None)

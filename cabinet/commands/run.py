"""What the commands do that open a window or play by themselves: run, autoplay, screens.

A machine whose journal cannot be used does not start on defaults and does not end in a crash loop: it shows what is
wrong, takes no note and waits for the attendant.
"""

import logging
import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cabinet.commands.autoplay import Report
from cabinet.config.mounting import unfit
from cabinet.config.reader import ConfigError
from cabinet.config.settings import Config, load
from cabinet.engine.inputs import Button, Command, Fault, FaultBegan, FaultEnded
from cabinet.engine.ledger import Account
from cabinet.engine.money import plain_amount as money
from cabinet.engine.state import Lock, LockKind, Machine
from cabinet.presentation.port import SimulatedKey, SimulatedKeys
from cabinet.presentation.snapshot import Snapshot
from cabinet.runtime.build import Cabinet, build
from cabinet.runtime.controller import Controller
from cabinet.runtime.inbox import LetGo, Pressed
from cabinet.runtime.startup import PLAYERS, SettingsRefusedError
from cabinet.runtime.watchdog import ServiceManager
from cabinet.store.errors import StoreBusyError, StoreError, StoreFolderError, StoreRefusedError
from cabinet.store.salvage import Salvaged, salvage
from cabinet.ui.ui_state import volume_step
from cabinet.window.machine_info import machine_info
from cabinet.window.signals import deferred

if TYPE_CHECKING:
    from cabinet.text.messages import Language
    from cabinet.window.loop import WindowOptions

_log = logging.getLogger(__name__)


class ControllerPort:
    """The heart as the window sees it."""

    def __init__(self, controller: Controller, simulate: SimulatedKeys | None) -> None:
        """`simulate` is the keyboard of a simulated cabinet."""
        self._controller = controller
        self._simulate = simulate
        self.snapshot = controller.snapshot
        self.on_snapshot = controller.on_snapshot
        self.frame_done = controller.frame_done
        self.attended = controller.attended
        self.take_held = controller.take_held

    def put(self, wish: Button | Command, now: float) -> None:
        """Hand a wish to the cabinet's thread."""
        self._controller.put(Pressed(wish=wish, at_s=now))

    def let_go(self, button: Button, now: float) -> None:
        """Tell the cabinet's thread that a button on the screen is up."""
        self._controller.put(LetGo(button=button, at_s=now))

    def display_lost(self, detail: str) -> None:
        """A cabinet that cannot be seen takes nothing."""
        self._controller.put(FaultBegan(fault=Fault.DISPLAY_LOST, detail=detail))

    def display_found(self) -> None:
        """It can be seen again."""
        self._controller.put(FaultEnded(fault=Fault.DISPLAY_LOST))

    @property
    def stopping(self) -> bool:
        """True once the cabinet is going down."""
        return self._controller.stopping

    @property
    def held(self) -> frozenset[Button]:
        """Buttons of the panel that are held down."""
        return self._controller.held

    @property
    def simulate(self) -> SimulatedKeys | None:
        """The keyboard of a simulated cabinet."""
        return self._simulate


@dataclass(slots=True, kw_only=True)
class FaultPort:
    """A machine that may not start: one lock that says why, and nothing that can be pressed."""

    machine: Machine
    manager: ServiceManager
    stopping: bool = False
    held: frozenset[Button] = frozenset()
    simulate: SimulatedKeys | None = None
    """A keyboard without keys on a simulated cabinet: its window can be closed."""
    _snapshot: Snapshot = field(init=False)

    def __post_init__(self) -> None:
        self._snapshot = Snapshot(number=1, machine=self.machine)

    def snapshot(self) -> Snapshot:
        """Always the same."""
        return self._snapshot

    def on_snapshot(self, callback: Callable[[], None]) -> None:
        """There is never news."""

    def put(self, wish: Button | Command, now: float) -> None:
        """Nothing can be wished of it."""

    def let_go(self, button: Button, now: float) -> None:
        """Nothing was pressed."""

    def attended(self, *, reading: bool) -> None:
        """Nothing can be pressed as it is."""

    def take_held(self, button: Button) -> bool:
        """Nothing is held."""
        del button
        return False

    def display_lost(self, detail: str) -> None:
        """It is locked already."""
        self.manager.status(detail)

    def display_found(self) -> None:
        """Its one lock stays."""

    def frame_done(self, now: float) -> None:
        """The fault is on the screen: that is all this machine has to do, so the watchdog is fed."""
        del now
        self.manager.feed()


KEYS_SHOWN = 3
"""Changed settings that are named on the screen; the log has all of them."""


def fault_machine(error: StoreError, folders: tuple[Path, ...] = ()) -> Machine:
    """The machine to show when the cabinet may not start. `folders` hold the copies of the data."""
    if isinstance(error, SettingsRefusedError):
        return refused_settings(error)
    if isinstance(error, StoreRefusedError):
        return refused_data(error, folders)
    return memory_fault(error, folders)


def refused_settings(error: SettingsRefusedError) -> Machine:
    """The machine to show when the settings do not fit what the journal holds: which ones, and the money at stake."""
    left = len(error.keys) - KEYS_SHOWN
    keys = (*error.keys[:KEYS_SHOWN], *((f"+{left}",) if left > 0 else ()))
    return Machine(locks=(Lock(lock_id=1, kind=LockKind.SETTINGS_REFUSED, detail=", ".join(keys), cents=error.cents),))


def refused_data(error: StoreRefusedError, folders: tuple[Path, ...] = ()) -> Machine:
    """The machine to show when the data is whole but may not be used: what was found, and the money in its books where
    they can be read without a doubt."""
    cents = 0
    with suppress(StoreError, OSError):
        saved = salvage(folders)
        if saved.certain and not saved.suspect:
            cents = sum(saved.machine.books.balance(account) for account in PLAYERS)
    return Machine(locks=(Lock(lock_id=1, kind=LockKind.DATA_REFUSED, detail=error.found, cents=max(0, cents)),))


def memory_fault(error: StoreError, folders: tuple[Path, ...] = ()) -> Machine:
    """The machine to show when the journal cannot be used; it holds nothing. The lock names what the players had, as
    far as the damaged copies in `folders` still tell."""
    try:
        saved = salvage(folders)
    except (StoreError, OSError):
        return Machine(locks=(Lock(lock_id=1, kind=LockKind.MEMORY, detail=str(error)),))
    books = saved.machine.books
    told = ", ".join(_told(saved, account) for account in PLAYERS if books.balance(account))
    nothing = "none" if saved.certain else "none, which is not certain"
    detail = f"{error}. Players' money, as far as can be read: {told or nothing}"
    cents = sum(books.balance(account) for account in PLAYERS)
    return Machine(locks=(Lock(lock_id=1, kind=LockKind.MEMORY, detail=detail, cents=max(0, cents)),))


def _told(saved: Salvaged, account: Account) -> str:
    """A balance in words; marked where it may be wrong."""
    mark = " ?" if account.value in saved.suspect else ""
    return f"{account.value.replace('_', ' ')} {money(saved.machine.books.balance(account))}{mark}"


def run_cabinet(data: Path, config_path: Path | None, *, simulate: bool, windowed: bool) -> int:
    """Run until stopped; the exit code."""
    config = load(config_path)
    if windowed:
        _check_window(config)
    with deferred():
        return _run(config, data, simulate=simulate, windowed=windowed)


def _run(config: Config, data: Path, *, simulate: bool, windowed: bool) -> int:
    try:
        cabinet = _start(config, data, simulate=simulate)
    except StoreBusyError:
        raise
    except StoreError as error:
        if simulate and isinstance(error, StoreFolderError):
            raise
        return _show_fault(error, config, data, simulate=simulate, windowed=windowed)
    try:
        code = _show_cabinet(cabinet, config, data, windowed=windowed)
    except BaseException as error:
        cabinet.stop(crashed=not isinstance(error, KeyboardInterrupt))
        raise
    return code if cabinet.stop(crashed=code == CRASHED) else code or 1


def _check_window(config: Config) -> None:
    """Refuse a window that the table does not fit into. Raises `ConfigError`."""
    if why := unfit(config.display.mounting().picture_size(config.display.windowed)):
        raise ConfigError(f"display.windowed: with display.rotation {config.display.rotation} it is {why}")


CRASHED = 70
"""The exit code after our own mistake in the window; what BSD's sysexits calls an internal software error."""


def _show_cabinet(cabinet: Cabinet, config: Config, data: Path, *, windowed: bool) -> int:
    """Show a running cabinet until it is stopped; 1 when there is no display, CRASHED after a mistake of ours."""
    from cabinet.window.display import WindowError
    from cabinet.window.supervisor import run_window

    try:
        keys = simulated_keys(cabinet)
        options = _options(config, data, keys, windowed=windowed)
        return run_window(cabinet=ControllerPort(cabinet.controller, keys), options=options)
    except WindowError as error:
        print(f"cabinet: {error}", file=sys.stderr)  # noqa: T201 - the one sentence of this failure
        return 1
    except Exception as error:  # noqa: BLE001 - the one way down after a mistake: told, and remembered as a crash
        said = f"{type(error).__name__}: {error}"
        _log.critical("the window has failed and the cabinet goes down, to come back: %s", said, exc_info=error)
        return CRASHED


def _start(config: Config, data: Path, *, simulate: bool) -> Cabinet:
    """A cabinet that runs. Whatever keeps it from starting, its lines, pins and data are given up first."""
    cabinet = build(config, data, simulate=simulate)
    try:
        cabinet.start()
    except BaseException as error:
        cabinet.stop(crashed=not isinstance(error, KeyboardInterrupt))
        raise
    return cabinet


def _show_fault(error: StoreError, config: Config, data: Path, *, simulate: bool, windowed: bool) -> int:
    """Show why the cabinet may not start, until stopped. Nothing is repaired, cleared or assumed.

    A simulated one ends like any other: by its window or the console. Raises `WindowError` when that has no display.
    """
    from cabinet.window.display import ServerGoneError
    from cabinet.window.supervisor import run_window

    _log.critical("%s", error)
    manager = ServiceManager()
    manager.ready()
    machine = fault_machine(error, tuple(filter(None, (data, config.data.second()))))
    manager.status(f"{machine.locks[0].kind.value}: {error}")
    port = FaultPort(machine=machine, manager=manager, simulate=SimulatedKeys() if simulate else None)
    with suppress(ServerGoneError):
        run_window(cabinet=port, options=_options(config, data, None, windowed=windowed))
    return 1


def _options(config: Config, data: Path, keys: SimulatedKeys | None, *, windowed: bool) -> "WindowOptions":
    """How the operator wants the window."""
    from cabinet.window.loop import WindowOptions

    display = config.display
    return WindowOptions(
        settings=config.settings(),
        facts=machine_info(config, data, keys=keys.rows() if keys else ()),
        windowed=display.windowed if windowed else None,
        volume=volume_step(config.sound.volume),
        mounting=display.mounting(),
    )


# --- the keyboard of a simulated cabinet ------------------------------------------------------------------------

PLAYER_KEYS: Mapping[str, str] = {
    "c": "cash_out",
    "a": "service",
    "x": "chip",
    "b": "bet",
    "n": "place",
    "l": "clear",
    "r": "rebet",
    "d": "double",
    "p": "split",
    "s": "stand",
    "h": "hit",
    "space": "deal",
}
"""Keys that are buttons of the panel while they are down."""


def simulated_keys(cabinet: Cabinet) -> SimulatedKeys | None:
    """The keyboard: the panel's buttons, and the hands that work the devices."""
    simulated_devices = cabinet.simulated_devices
    if simulated_devices is None:
        return None
    keys: dict[str, SimulatedKey] = {}
    for key, button in PLAYER_KEYS.items():
        keys[key] = SimulatedKey(
            meaning=Button(button.replace("_", " ")),
            down=_once(partial(simulated_devices.panel.press, button)),
            up=_once(partial(simulated_devices.panel.release, button)),
        )
    for action in simulated_devices.actions():
        meaning = f"{action.description}: not with this device" if action.cannot else action.description
        keys[action.key] = SimulatedKey(meaning=meaning, down=_once(action.act))
    return SimulatedKeys(keys=keys)


def _once(act: Callable[[], object]) -> Callable[[], None]:
    def down() -> None:
        act()

    return down


# --- autoplay and screens ---------------------------------------------------------------------------------------


def run_autoplay(data: Path, config_path: Path | None, *, rounds: int, screens: Path, as_json: bool) -> int:
    """Let a simulated cabinet play by itself; the exit code is 0 only when every account balances."""
    _without_display()
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from cabinet.commands.autoplay import play
    from cabinet.commands.journal import print_json

    config = load(config_path)
    console = Console(stderr=True)
    album = _Album(config, data, screens)
    cabinet = build(config, data, simulate=True, human_pace=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Playing", total=rounds)
        report = play(
            cabinet, data, rounds=rounds, look=album.add, progress=lambda done: progress.update(task, completed=done)
        )
    report.screens = [str(path) for path in album.written]
    if as_json:
        print_json(report.as_json())
    else:
        _show_report(report, data, screens)
    return 0 if report.balanced else 1


class _Album:
    """Takes a picture of what was on the screen, as the window would have painted it."""

    def __init__(self, config: Config, data: Path, folder: Path) -> None:
        """Pictures go into `folder`, one per name, numbered in order."""
        from cabinet.ui.paint.still import Camera

        self._settings = config.settings()
        self._facts = machine_info(config, data)
        self._folder = folder
        self._camera = Camera((1280, 720))
        self.written: list[Path] = []
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, name: str, snapshot: Snapshot) -> None:
        """One picture, once the story behind the news is told."""
        from datetime import UTC, datetime

        from cabinet.ui.paint.still import save_picture
        from cabinet.ui.presenter import present
        from cabinet.ui.ui_state import fresh_ui

        wall = datetime.now(tz=UTC).astimezone()
        facts = self._facts
        screen = present(snapshot, fresh_ui(facts), time.monotonic() + STORY_TOLD_S, wall, self._settings, facts)
        path = self._folder / f"{len(self.written) + 1:02d}-{name}.png"
        save_picture(self._camera.take(screen), path)
        self.written.append(path)


LARGEST_SIDE = 7_680
"""Pixels; no display of a cabinet is larger."""

STORY_TOLD_S = 30.0
"""Any story is told after so long: pictures show how it ended."""


def _show_report(report: Report, data: Path, screens: Path) -> None:
    """What a run did, in words and figures."""
    from rich.console import Console

    from cabinet.commands.journal import read_meters, show_meters, show_verdict

    console = Console(highlight=False)
    show_meters(read_meters(data), console)
    console.print(
        f"Played {report.rounds} rounds: {money(report.inserted)} put in, {money(report.wagered)} staked, "
        f"{money(report.paid)} paid."
    )
    console.print(f"Ticket:   {report.ticket or 'none: there was no credit left'}")
    console.print(f"Pictures: {screens} ({len(report.screens)})")
    if report.verdict is not None:
        show_verdict(report.verdict, data, console)
    console.print("Every account balances." if report.balanced else "[red]The accounts do not balance.[/red]")


def run_contact_sheet(path: Path, language: str = "en") -> int:
    """Write one picture of a dozen states; the exit code."""
    _without_display()
    import click

    from cabinet.commands.screens import write_contact_sheet

    spoken = _spoken(language)
    try:
        write_contact_sheet(path, spoken)
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written: {error.strerror}") from error
    print(path)  # noqa: T201 - the answer of the command
    return 0


def run_screens(folder: Path, sizes: tuple[str, ...], language: str = "en") -> int:
    """Write a picture of every state; the exit code."""
    _without_display()
    import click
    from rich.console import Console

    from cabinet.commands.screens import SIZES, write_screens

    spoken = _spoken(language)
    wanted = tuple(_size(text) for text in sizes) or SIZES
    console = Console(stderr=True)
    try:
        with console.status("Painting") as status:
            tell = (lambda name: status.update(f"Painting {name}")) if console.is_terminal else tell_folders(console)
            written = write_screens(folder, wanted, tell, language=spoken)
    except OSError as error:
        raise click.ClickException(f"{folder}: cannot be written: {error.strerror}") from error
    print(f"{len(written)} pictures in {folder}")  # noqa: T201 - the answer of the command
    return 0


def _spoken(code: str) -> "Language":
    """The language of a code. Raises BadParameter for one that is not spoken."""
    import click

    from cabinet.text.messages import LANGUAGES

    if code not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise click.BadParameter(
            f"{code!r} is not a language of the screens; expected one of {known}", param_hint="--language"
        )
    return LANGUAGES[code]


def tell_folders(console: Any) -> Callable[[str], None]:
    """Progress where no line can be written over: one line for each folder."""
    said: set[str] = set()

    def tell(name: str) -> None:
        folder = str(Path(name).parent)
        if folder not in said:
            said.add(folder)
            console.print(f"Painting {folder}", soft_wrap=True)

    return tell


def _size(text: str) -> tuple[int, int]:
    import click

    found = re.fullmatch(r"(\d{3,5})x(\d{3,5})", text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not a size; expected something like 1920x1080", param_hint="--size")
    width, height = int(found[1]), int(found[2])
    if max(width, height) > LARGEST_SIDE:
        raise click.BadParameter(f"{text!r} is too large; expected at most {LARGEST_SIDE} a side", param_hint="--size")
    return width, height


def _without_display() -> None:
    """Pictures are painted without a display and without sound."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    os.environ["SDL_AUDIODRIVER"] = "dummy"

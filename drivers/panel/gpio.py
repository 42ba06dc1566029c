"""The panel on its pins (contacts in, lamps out) and the wires of a pulse acceptor. The only code that uses gpiozero.

Rules:
- Callbacks run in gpiozero's own thread. They only put (input, level, time) in a queue and wake the polling thread; a
  slow callback loses edges. gpiozero's `bounce_time` is not used: mock pins ignore it, and real pins have lost
  releases with it. `poll` debounces and also reads the pins, which replaces a lost edge.
- `poll`, `due` and `close` belong to one thread; `show` may belong to another one, but always to the same.
- The kind of pins is given by name and never replaced by another; a fall-back of gpiozero is an error.
- Only pins that change are written. Shutdown turns the lamps off first. A released pin floats, so a pin that could do
  harm needs a resistor in the wiring.

Knows no effect of a press, no reason for a lamp to be lit, and no blinking.
"""

import os
import platform
import re
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from importlib import metadata
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol

from gpiozero import DigitalInputDevice, DigitalOutputDevice, Factory, GPIOZeroError, InputDevice
from gpiozero.exc import PinFactoryFallback
from gpiozero.pins.mock import MockFactory, MockPin

from drivers.errors import ConfigurationError
from drivers.panel.debounce import PRESS_S, Change, Debouncer
from drivers.panel.layout import BUTTONS, Input, InputPin, Lamp, LampPins, LampRegister, Level, Pull, Tower, Wiring

SAMPLE_EVERY_S = 0.050
OLDEST_EDGE_S = 1.0
"""Seconds. An older edge has the time of another clock, as on old kernels."""
FACTORIES = ("lgpio", "rpigpio", "mock")
HEADER_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chip that drives the 40-pin header: Pi 5, Pi 4, Pi 3. Its number differs between kernels."""

_PULL_UP = {Pull.UP: True, Pull.DOWN: False, Pull.NONE: None}


class Panel:
    """The buttons, doors, keys and lamps of one cabinet.

    `on_edge` is called from gpiozero's thread after each recorded edge; it must be quick and must not raise.
    `factory` comes from `make_factory`; its creator closes it, after the panel. `clock` stamps edges, in monotonic
    seconds, and must be the clock of `poll`. A contact counts after `press_s`. Raises `ConfigurationError` when a pin
    cannot be opened.
    """

    def __init__(
        self,
        wiring: Wiring,
        on_edge: Callable[[], None],
        factory: Factory,
        *,
        press_s: float = PRESS_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_edge = on_edge
        self._clock = clock
        self._edges: SimpleQueue[tuple[Input, bool, float]] = SimpleQueue()
        self._sampled_s = float("-inf")
        with ExitStack() as opened:
            self._lamps = _open_lamps(wiring.lamps, factory, opened)
            opened.callback(self._put_out)
            self._contacts = {name: _Contact(name, contact, factory, opened) for name, contact in wiring.inputs.items()}
            at_start = self.levels()
            self._debouncer = Debouncer(press_s=press_s, levels=at_start)
            self.down: frozenset[Input] = frozenset(name for name in BUTTONS if at_start[name])
            """The buttons that are down at this moment, without debouncing, for immediate display."""
            self.stuck_at_start = frozenset(name for name in BUTTONS if at_start[name])
            """The buttons that were already pressed when the panel was opened: stuck, or held."""
            for name, contact in self._contacts.items():
                contact.watch(partial(self._note, name))
            self._opened = opened.pop_all()

    def levels(self) -> dict[Input, bool]:
        """Reads every input now, without debouncing: True is pressed, open or turned. For the state at the start."""
        return {name: contact.active() for name, contact in self._contacts.items()}

    def settle(self) -> dict[Input, bool]:
        """Reads doors and keys and makes their levels count: later changes are relative to the returned levels."""
        levels = {name: contact.active() for name, contact in self._contacts.items() if name not in BUTTONS}
        self._debouncer.settle(levels)
        return levels

    def poll(self, now: float) -> tuple[Change, ...]:
        """Returns the presses and releases that now count, oldest first, each once."""
        for _ in range(self._edges.qsize()):
            self._debouncer.edge(*self._edges.get_nowait())
        sampled = {name: self._contacts[name].active() for name in self._to_sample(now)}
        for name, level in sampled.items():
            self._debouncer.sample(name, level, now)
        # An edge that was lost must not leave a button shown as down.
        self.down = frozenset(name for name in BUTTONS if sampled.get(name, name in self.down))
        return self._debouncer.changes(now)

    def due(self) -> float:
        """Returns when `poll` should be called next even without an edge, in monotonic seconds."""
        sample_s = self._sampled_s + SAMPLE_EVERY_S
        settles_s = self._debouncer.due()
        return sample_s if settles_s is None else min(sample_s, settles_s)

    def show(self, lit: frozenset[Input], tower: frozenset[Tower]) -> None:
        """Lights exactly these lamps. A lamp that the wiring does not have is skipped."""
        self._lamps.show(lit | tower)

    def close(self) -> None:
        """Turns all lamps off and releases the pins; harmless when done twice."""
        self._opened.close()

    def _note(self, name: Input, level: bool) -> None:
        if name in BUTTONS:
            self.down = self.down | {name} if level else self.down - {name}
        self._edges.put((name, level, self._clock()))
        self._on_edge()

    def _to_sample(self, now: float) -> frozenset[Input]:
        if now < self._sampled_s + SAMPLE_EVERY_S:
            return self._debouncer.pending()
        self._sampled_s = now
        return frozenset(self._contacts)

    def _put_out(self) -> None:
        self._lamps.show(frozenset())


class _Contact:
    """One input pin, read as active or not."""

    def __init__(self, name: Input, contact: InputPin, factory: Factory, opened: ExitStack) -> None:
        pull_up = _PULL_UP[contact.pull]
        active_high = contact.active is Level.HIGH
        # gpiozero ties the active level to the pull; a contact that opens when active needs the opposite.
        self._inverted = pull_up is not None and pull_up is active_high
        active_state = active_high if pull_up is None else None
        make = partial(DigitalInputDevice, pull_up=pull_up, active_state=active_state)
        self._device = _open(name.value, make, contact.pin, factory, opened)

    def active(self) -> bool:
        return bool(self._device.is_active) is not self._inverted

    def watch(self, note: Callable[[bool], None]) -> None:
        self._device.when_activated = partial(note, not self._inverted)
        self._device.when_deactivated = partial(note, self._inverted)


def open_contact(name: Input, contact: InputPin, factory: Factory) -> ExitStack:
    """Opens one contact with edges, as the panel does; the caller closes it. Raises `ConfigurationError`."""
    with ExitStack() as opened:
        _Contact(name, contact, factory, opened)
        return opened.pop_all()


class _Lamps(Protocol):
    def show(self, lit: frozenset[Lamp]) -> None: ...


class ShiftRegisterLamps:
    """Lamps behind daisy-chained 74HC595: data is read when clock rises and appears when latch rises.

    The first bit ends at the far end of the chain, so bits go out from the last output to the first. The outputs are
    enabled only after the registers are cleared, and disabled again when the panel is closed.
    """

    def __init__(self, wiring: LampRegister, factory: Factory, opened: ExitStack) -> None:
        self._wiring = wiring
        self._bits = -(-len(wiring.outputs) // 8) * 8
        self._lit: frozenset[Lamp] = frozenset()
        self._data, self._clock, self._latch = (
            _open(f"lamp register {line}", DigitalOutputDevice, getattr(wiring, line), factory, opened)
            for line in ("data", "clock", "latch")
        )
        self._clock_out()
        # Last, because lgpio always drives a new output low for a moment, and low is enabled.
        disabled = partial(DigitalOutputDevice, active_high=False)
        enable = _open("lamp register enable", disabled, wiring.enable, factory, opened)
        opened.callback(enable.off)
        enable.on()

    def show(self, lit: frozenset[Lamp]) -> None:
        """Lights exactly these lamps; clocks nothing if they are already lit."""
        lit = lit.intersection(self._wiring.outputs)
        if lit != self._lit:
            self._lit = lit
            self._clock_out()

    def _clock_out(self) -> None:
        levels = [lamp in self._lit for lamp in self._wiring.outputs]
        levels += [False] * (self._bits - len(levels))
        for level in reversed(levels):
            self._data.value = level
            self._clock.on()
            self._clock.off()
        self._latch.on()
        self._latch.off()


class DirectLamps:
    """Lamps directly on pins."""

    def __init__(self, wiring: LampPins, factory: Factory, opened: ExitStack) -> None:
        make = partial(DigitalOutputDevice, active_high=wiring.active is Level.HIGH)
        self._devices: dict[Lamp, Any] = {
            lamp: _open(f"{lamp.value} lamp", make, pin, factory, opened) for lamp, pin in wiring.pins.items()
        }
        self._lit: frozenset[Lamp] = frozenset()

    def show(self, lit: frozenset[Lamp]) -> None:
        """Lights exactly these lamps; writes only pins whose lamp changes."""
        for lamp in (lit ^ self._lit) & self._devices.keys():
            self._devices[lamp].value = lamp in lit
        self._lit = lit


class PulsePins:
    """The two wires of a pulse acceptor: its pulses arrive on `pulse`, and high on `release` enables it.

    Edges have the kernel's time if the pins have it, in the seconds of `clock`. `on_edge` is called from gpiozero's
    thread after each edge; it must be quick and must not raise. `active` is the level of a pulse: the line comes
    through an optocoupler and has a resistor to its idle level. The release line has a resistor to ground: the
    acceptor is inhibited while the line is not driven. Raises `ConfigurationError` when a pin cannot be opened.
    """

    def __init__(
        self,
        pulse: int,
        release: int,
        on_edge: Callable[[], None],
        factory: Factory,
        *,
        active: Level = Level.LOW,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_edge = on_edge
        self._factory = factory
        self._idle_high = active is Level.LOW
        self._clock = clock
        self._edges: SimpleQueue[tuple[bool, float]] = SimpleQueue()
        with ExitStack() as opened:
            self._release = _open("acceptor release", DigitalOutputDevice, release, factory, opened)
            opened.callback(self._release.off)
            pulse_in = partial(InputDevice, pull_up=self._idle_high)
            self._pulse = _open("acceptor pulses", pulse_in, pulse, factory, opened).pin
            self._pulse.edges = "both"
            self._pulse.when_changed = self._note
            self._opened = opened.pop_all()

    def now(self) -> float:
        """Returns the time of the clock that stamps edges."""
        return self._clock()

    def level(self) -> bool:
        """Reads the pulse line; True is its idle level."""
        return bool(self._pulse.state) is self._idle_high

    def edges(self) -> tuple[tuple[bool, float], ...]:
        """Returns the edges since the last call, oldest first: the new level (True is idle) and its time."""
        return tuple(self._edges.get_nowait() for _ in range(self._edges.qsize()))

    def has_edges(self) -> bool:
        """Whether there are edges that `edges` has not returned yet."""
        return not self._edges.empty()

    def release(self, released: bool) -> None:
        """Releases the acceptor, or inhibits it."""
        self._release.value = released

    def close(self) -> None:
        """Inhibits the acceptor and releases the pins; harmless when done twice."""
        self._opened.close()

    def _note(self, ticks: float, state: int) -> None:
        age_s = self._factory.ticks_diff(self._factory.ticks(), ticks)
        plausible = 0.0 <= age_s <= OLDEST_EDGE_S
        self._edges.put((bool(state) is self._idle_high, self._clock() - (age_s if plausible else 0.0)))
        self._on_edge()


def _open_lamps(wiring: LampRegister | LampPins, factory: Factory, opened: ExitStack) -> _Lamps:
    if isinstance(wiring, LampPins):
        return DirectLamps(wiring, factory, opened)
    return ShiftRegisterLamps(wiring, factory, opened)


def _open(function: str, make: Callable[..., Any], pin: int, factory: Factory, opened: ExitStack) -> Any:
    """Opens a gpiozero device that `opened` closes. An error of the library becomes a `ConfigurationError` with
    function and pin."""
    try:
        device = make(pin, pin_factory=factory)
    except Exception as error:
        raise ConfigurationError(
            f"panel: {function} on GPIO{pin} cannot be opened: {error}; "
            "is the pin used by another program, or by an overlay in config.txt?"
        ) from error
    opened.callback(device.close)
    return device


class BenchPin(MockPin):  # type: ignore[misc]
    """A mock pin with a contact, and with a watcher of the levels that the cabinet writes.

    A plain mock pin loses its driven level when its pull is set up; here a closed contact overrides the pull.
    """

    def __init__(self, factory: Factory, info: Any) -> None:
        self._held: bool | None = None
        self._late_s = 0.0
        self._watchers: list[Callable[[bool], None]] = []
        super().__init__(factory, info)

    def hold(self, level: bool | None, *, late_s: float = 0.0) -> None:
        """Holds an input at a level, like a closed contact; None releases it to the pull.

        The edge is stamped `late_s` in the past, as a kernel stamps an edge that is read late.
        """
        self._held, self._late_s = level, late_s
        if self._function == "input":
            self._set_pull(self._pull)

    def watch(self, watcher: Callable[[bool], None]) -> None:
        """Calls `watcher` with the new level, in the writer's thread, at each change of this output."""
        self._watchers.append(watcher)

    def _change_state(self, value: bool) -> bool:
        changed: bool = super()._change_state(value)
        # A mock pin keeps all its states; over months of use that is too much memory.
        del self.states[:-1]
        return changed

    def _call_when_changed(self) -> None:
        self._last_change = self.factory.ticks() - self._late_s
        super()._call_when_changed()

    def _set_pull(self, value: str) -> None:
        if self._held is None:
            super()._set_pull(value)
            return
        self._pull = value
        if self._held:
            self.drive_high()
        else:
            self.drive_low()

    def _set_state(self, value: bool) -> None:
        before = self._state
        super()._set_state(value)
        if self._state != before:
            for watcher in self._watchers:
                watcher(bool(value))


def make_factory(
    name: str,
    *,
    devices: Path = Path("/dev"),
    compatible: Path = Path("/proc/device-tree/compatible"),
    release: str = platform.release(),
    environment: Mapping[str, str] = os.environ,
) -> Factory:
    """Returns the pin factory of that kind: "lgpio" (any Pi), "rpigpio" (a Pi 3 or 4 with an old kernel) or "mock"
    (simulated cabinet).

    From then on a fall-back of gpiozero to another kind raises. Raises `ConfigurationError` when the kind is unknown
    or does not work on this machine; no other kind is tried. `release` is the kernel's release, as printed by `uname
    -r`.
    """
    warnings.filterwarnings("error", category=PinFactoryFallback)
    match name:
        case "mock":
            return MockFactory(pin_class=BenchPin)
        case "lgpio":
            return _make_lgpio(devices, environment)
        case "rpigpio":
            return _make_rpigpio(compatible, release)
        case _:
            raise ConfigurationError(f"pin factory {name!r} is unknown; expected one of {', '.join(FACTORIES)}")


def find_chip(labels: Mapping[int, str]) -> int:
    """Returns the number of the gpiochip that drives the header, by its label.

    Raises `ConfigurationError` if there is none. The first of several counts: on some kernels a Pi 5 lists its chip
    under two numbers.
    """
    for number, label in sorted(labels.items()):
        if label in HEADER_CHIPS:
            return number
    found = ", ".join(f"gpiochip{number} is {label}" for number, label in sorted(labels.items())) or "no gpiochip"
    raise ConfigurationError(f"pin factory lgpio: found {found}; expected one labelled {' or '.join(HEADER_CHIPS)}")


def _make_lgpio(devices: Path, environment: Mapping[str, str]) -> Factory:
    _check_work_folder(Path(environment.get("LG_WD", ".")))
    try:
        import lgpio
    except (ImportError, OSError) as error:
        raise ConfigurationError(
            f"pin factory lgpio: the library cannot be loaded ({error}); install python3-lgpio"
        ) from error
    if not hasattr(lgpio, "gpiochip_open"):
        raise ConfigurationError("pin factory lgpio: the installed package is an empty stub; install python3-lgpio")
    chip = find_chip(_chip_labels(lgpio, devices))
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory(chip=chip)


def _check_work_folder(folder: Path) -> None:
    """Checks the folder in which the library makes a pipe at import; without it the import fails without an
    explanation."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ConfigurationError(
            f"pin factory lgpio: its work folder {folder.absolute()} cannot be written ({error.strerror}); "
            "set LG_WD to a folder that exists and can be written"
        ) from error


def _chip_labels(lgpio: Any, devices: Path) -> dict[int, str]:
    numbers = [
        int(match[1]) for path in devices.glob("gpiochip*") if (match := re.fullmatch(r"gpiochip(\d+)", path.name))
    ]
    labels: dict[int, str] = {}
    for number in numbers:
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error as error:
            raise ConfigurationError(
                f"pin factory lgpio: {devices / f'gpiochip{number}'} cannot be opened ({error}); "
                "is the user in the group gpio?"
            ) from error
        labels[number] = lgpio.gpio_get_chip_info(handle)[3]
        lgpio.gpiochip_close(handle)
    return labels


def why_not_rpigpio(release: str, compatible: bytes) -> str:
    """Returns why RPi.GPIO detects no contact on this kernel release and board; empty when it does."""
    if b"bcm2712" in compatible:
        return "does not work on a Pi 5"
    numbers = tuple(int(part) for part in re.findall(r"\d+", release)[:2])
    return f"detects no contact on Linux 6.6 and later, and this is {release}" if numbers >= (6, 6) else ""


def _is_shim() -> bool:
    """Whether the module RPi.GPIO comes from rpi-lgpio, which works on every Pi."""
    try:
        metadata.version("rpi-lgpio")
    except metadata.PackageNotFoundError:
        return False
    return True


def _make_rpigpio(compatible: Path, release: str) -> Factory:
    reason = why_not_rpigpio(release, compatible.read_bytes() if compatible.exists() else b"")
    if reason and not _is_shim():
        raise ConfigurationError(f"pin factory rpigpio: RPi.GPIO {reason}; choose lgpio")
    try:
        from gpiozero.pins.rpigpio import RPiGPIOFactory

        return RPiGPIOFactory()
    except (ImportError, RuntimeError, GPIOZeroError) as error:
        raise ConfigurationError(
            f"pin factory rpigpio: RPi.GPIO does not work here ({error}); it needs a Pi 3 or 4 and python3-rpi.gpio"
        ) from error

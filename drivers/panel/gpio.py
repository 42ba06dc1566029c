"""The panel on its pins: contacts in, lamps out; and a pulse acceptor's wires. The only code that knows gpiozero.

Rules:
- Callbacks come in gpiozero's own thread. They note (input, level, time) in a queue, wake whoever polls, and do nothing
  else; a slow callback loses edges. gpiozero's `bounce_time` stays unused: the mock pins ignore it and real ones have
  eaten releases with it. `poll` debounces, and looks at the pins itself, so that a lost edge heals.
- `poll`, `due` and `close` belong to one thread; `show` may be called from another one, but only from that one.
- The kind of pins is asked for by name and never replaced by another; a fall-back of gpiozero is an error.
- Only pins that change are written. Going down puts the lamps out first; a pin that is let go floats, so whatever could
  do harm needs a resistor in the wiring that keeps it safe.

Does not know: what a press does, when a lamp should be lit, patterns of blinking lamps.
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
"""An edge stamped longer ago was stamped by another clock, as old kernels do."""
FACTORIES = ("lgpio", "rpigpio", "mock")
HEADER_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chip that drives the 40-pin header: Pi 5, Pi 4, Pi 3. Its number differs between kernels."""

_PULL_UP = {Pull.UP: True, Pull.DOWN: False, Pull.NONE: None}


class Panel:
    """The buttons, doors, keys and lamps of one cabinet.

    `on_edge` is called from gpiozero's thread after each noted edge; it must be quick and must not raise. `factory`
    comes from `make_factory`; whoever made it closes it, after the panel. `clock` stamps edges and must be the clock
    that `poll` is given, monotonic seconds. A contact counts once it has held for `press_s`. Raises
    `ConfigurationError` when a pin cannot be had.
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
            """The buttons that are down this very moment, bounces and all: for whoever shows them, at once."""
            self.stuck_at_start = frozenset(name for name in BUTTONS if at_start[name])
            """The buttons that were already pressed when the panel was opened: stuck, or leaned on."""
            for name, contact in self._contacts.items():
                contact.watch(partial(self._note, name))
            self._opened = opened.pop_all()

    def levels(self) -> dict[Input, bool]:
        """Read every input now, without debouncing: True is pressed, open or turned. For the state at the start."""
        return {name: contact.active() for name, contact in self._contacts.items()}

    def settle(self) -> dict[Input, bool]:
        """Read doors and keys now and let that count: whatever they do later is a change from what is returned."""
        levels = {name: contact.active() for name, contact in self._contacts.items() if name not in BUTTONS}
        self._debouncer.settle(levels)
        return levels

    def poll(self, now: float) -> tuple[Change, ...]:
        """Return the presses and releases that have come to count since the last call, oldest first."""
        for _ in range(self._edges.qsize()):
            self._debouncer.edge(*self._edges.get_nowait())
        sampled = {name: self._contacts[name].active() for name in self._to_sample(now)}
        for name, level in sampled.items():
            self._debouncer.sample(name, level, now)
        # An edge that was lost must not leave a button shown as down.
        self.down = frozenset(name for name in BUTTONS if sampled.get(name, name in self.down))
        return self._debouncer.changes(now)

    def due(self) -> float:
        """Return when `poll` should be called next even if no edge wakes the caller, monotonic seconds."""
        sample_s = self._sampled_s + SAMPLE_EVERY_S
        settles_s = self._debouncer.due()
        return sample_s if settles_s is None else min(sample_s, settles_s)

    def show(self, lit: frozenset[Input], tower: frozenset[Tower]) -> None:
        """Light exactly these lamps. A lamp that the wiring does not have is passed over."""
        self._lamps.show(lit | tower)

    def close(self) -> None:
        """Put all lamps out and let the pins go; harmless when done twice."""
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


class _Lamps(Protocol):
    def show(self, lit: frozenset[Lamp]) -> None: ...


class ShiftRegisterLamps:
    """Lamps behind daisy-chained 74HC595: data is taken when clock rises and appears when latch rises.

    The bit sent first travels to the far end of the chain, so bits go out from the last output to the first. The
    outputs are enabled only after darkness has been clocked in, and disabled again when the panel is closed.
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
        # Last, because lgpio drives a new output low for a moment whatever is asked of it, and low is enabled.
        disabled = partial(DigitalOutputDevice, active_high=False)
        enable = _open("lamp register enable", disabled, wiring.enable, factory, opened)
        opened.callback(enable.off)
        enable.on()

    def show(self, lit: frozenset[Lamp]) -> None:
        """Light exactly these lamps; nothing is clocked if they are lit already."""
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
    """Lamps on pins of their own."""

    def __init__(self, wiring: LampPins, factory: Factory, opened: ExitStack) -> None:
        make = partial(DigitalOutputDevice, active_high=wiring.active is Level.HIGH)
        self._devices: dict[Lamp, Any] = {
            lamp: _open(f"{lamp.value} lamp", make, pin, factory, opened) for lamp, pin in wiring.pins.items()
        }
        self._lit: frozenset[Lamp] = frozenset()

    def show(self, lit: frozenset[Lamp]) -> None:
        """Light exactly these lamps; a pin whose lamp stays as it is is not written."""
        for lamp in (lit ^ self._lit) & self._devices.keys():
            self._devices[lamp].value = lamp in lit
        self._lit = lit


class PulsePins:
    """The two wires of a pulse acceptor: its pulses come in on `pulse`, high on `release` lets it take notes.

    Edges carry the kernel's time where the pins have it, in the seconds of `clock`. `on_edge` is called from gpiozero's
    thread after each; it must be quick and must not raise. `active` is the level of a pulse: the line comes through an
    optocoupler and has a resistor to its idle level. The release line has a resistor to ground: while nobody drives it
    the acceptor is inhibited. Raises `ConfigurationError` when a pin cannot be had.
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
        """The time by which edges are stamped."""
        return self._clock()

    def level(self) -> bool:
        """Read the pulse line now; True is its idle level."""
        return bool(self._pulse.state) is self._idle_high

    def edges(self) -> tuple[tuple[bool, float], ...]:
        """Return the edges since the last call, oldest first: the level that began (True is idle), and when."""
        return tuple(self._edges.get_nowait() for _ in range(self._edges.qsize()))

    def has_edges(self) -> bool:
        """Whether there are edges that have not been returned yet."""
        return not self._edges.empty()

    def release(self, released: bool) -> None:
        """Let the acceptor take notes, or inhibit it."""
        self._release.value = released

    def close(self) -> None:
        """Inhibit the acceptor and let the pins go; harmless when done twice."""
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
    """Open a gpiozero device that `opened` will close; whatever the library raises is told with function and pin."""
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
    """A mock pin with a contact wired to it, and with somebody watching what the cabinet writes to it.

    A plain mock pin forgets what it was driven to when its pull is set up; a closed contact outweighs the pull.
    """

    def __init__(self, factory: Factory, info: Any) -> None:
        self._held: bool | None = None
        self._late_s = 0.0
        self._watchers: list[Callable[[bool], None]] = []
        super().__init__(factory, info)

    def hold(self, level: bool | None, *, late_s: float = 0.0) -> None:
        """Hold an input at a level, as a closed contact does; None lets go, and the pull takes over.

        `late_s` ago it should have happened; the edge is stamped with that time, as a kernel stamps it.
        """
        self._held, self._late_s = level, late_s
        if self._function == "input":
            self._set_pull(self._pull)

    def watch(self, watcher: Callable[[bool], None]) -> None:
        """Call `watcher` with the new level, in the writer's thread, whenever the cabinet changes this output."""
        self._watchers.append(watcher)

    def _change_state(self, value: bool) -> bool:
        changed: bool = super()._change_state(value)
        # A mock pin remembers every state it was in; one that works for months must not.
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
    """Return the pins of that kind: "lgpio" (any Pi), "rpigpio" (a Pi 3 or 4 with an old kernel) or "mock" (simulated
    cabinet).

    From then on gpiozero falling back to another kind by itself raises. Raises `ConfigurationError` when the kind is
    unknown or does not work on this machine; no other is tried. `release` is the kernel's, as `uname -r` writes it.
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
    """Return the number of the gpiochip that drives the header, by its label.

    Raises `ConfigurationError` if there is none. The first of several wins: a Pi 5 on some kernels lists its chip
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
    """The library makes a pipe in this folder as it is imported, and dies without a word of explanation if it can't."""
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
    """Why RPi.GPIO cannot see a contact on a kernel of this release and a board with these names; empty when it can."""
    if b"bcm2712" in compatible:
        return "does not work on a Pi 5"
    numbers = tuple(int(part) for part in re.findall(r"\d+", release)[:2])
    return f"sees no contact on Linux 6.6 and later, and this is {release}" if numbers >= (6, 6) else ""


def _is_shim() -> bool:
    """Whether the name RPi.GPIO is served by rpi-lgpio, which works on every Pi."""
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

"""The panel on its pins (contacts in, lamps out) and the wires of a pulse acceptor, by gpiozero.

Rules:
- Callbacks run in gpiozero's own thread. They only put (input, level, time) in a queue and wake the polling thread; a
  slow callback loses edges. gpiozero's `bounce_time` is not used: mock pins ignore it, and real pins have lost
  releases with it. `poll` debounces and also reads the pins, which replaces a lost edge.
- `poll`, `due` and `close` belong to one thread; `show` may belong to another one, but always to the same.
- Only pins that change are written. Shutdown turns the lamps off first. A released pin floats, so a pin that could do
  harm needs a resistor in the wiring.

Knows no effect of a press, no reason for a lamp to be lit, and no blinking.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from queue import SimpleQueue
from typing import Any, Protocol

from gpiozero import DigitalInputDevice, DigitalOutputDevice, Factory, InputDevice

from drivers.errors import ConfigurationError
from drivers.panel.debounce import PRESS_S, Change, Debouncer
from drivers.panel.layout import (
    BUTTON_INPUTS,
    Input,
    InputPin,
    Lamp,
    LampPins,
    LampRegister,
    Level,
    Pull,
    Tower,
    Wiring,
)

SAMPLE_EVERY_S = 0.050
OLDEST_EDGE_S = 1.0
"""Seconds. An older edge has the time of another clock, as on old kernels."""

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
            self.down: frozenset[Input] = frozenset(name for name in BUTTON_INPUTS if at_start[name])
            """The buttons that are down at this moment, without debouncing, for immediate display."""
            self.stuck_at_start = frozenset(name for name in BUTTON_INPUTS if at_start[name])
            """The buttons that were already pressed when the panel was opened: stuck, or held."""
            for name, contact in self._contacts.items():
                contact.watch(partial(self._note, name))
            self._opened = opened.pop_all()

    def levels(self) -> dict[Input, bool]:
        """Reads every input now, without debouncing: True is pressed, open or turned. For the state at the start."""
        return {name: contact.active() for name, contact in self._contacts.items()}

    def settle(self) -> dict[Input, bool]:
        """Reads doors and keys and makes their levels count: later changes are relative to the returned levels."""
        levels = {name: contact.active() for name, contact in self._contacts.items() if name not in BUTTON_INPUTS}
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
        self.down = frozenset(name for name in BUTTON_INPUTS if sampled.get(name, name in self.down))
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
        if name in BUTTON_INPUTS:
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
        """Returns True if there are edges that `edges` has not returned yet."""
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

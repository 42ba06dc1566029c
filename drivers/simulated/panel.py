"""The far end of the panel's wires: presses buttons, moves doors and keys, reads the lamps.

Rules:
- Everything goes over the mock pins. A press changes a pin; a lamp is lit only if the levels written by the cabinet
  light it, with the shift registers clocked, latched and enabled like the chips.
- It may be used from a thread that does not poll the panel, and before or after the panel is opened.

Knows no code of the panel, no effect of a press and no reason for a lamp.
"""

import time
from collections.abc import Callable
from threading import Lock
from typing import Any

from drivers.errors import ConfigurationError
from drivers.panel.layout import (
    BUTTON_INPUTS,
    DOORS,
    KEYS,
    Input,
    Lamp,
    LampPins,
    LampRegister,
    Level,
    Tower,
    Wiring,
)

TAP_S = 0.02
"""Seconds of a tap: longer than a contact must be closed to count."""
AWAY_S = 0.035
"""Seconds of pause after a tap: longer than a contact must be open before the next press counts."""


class SimulatedPanel:
    """Operates the panel of a simulated cabinet through `factory`, the mock pins of its `Panel`.

    At first no button is pressed, every door is shut and every key is off. Inputs may be named by `Input` or by its
    value ("hit"). `sleep` waits during a tap.
    """

    def __init__(self, wiring: Wiring, factory: Any, *, sleep: Callable[[float], None] = time.sleep) -> None:
        if not hasattr(factory.pin(next(iter(wiring.inputs.values())).pin), "hold"):
            raise ConfigurationError('simulated panel: needs the pin factory "mock"')
        self._wiring = wiring
        self._factory = factory
        self._sleep = sleep
        self._lock = Lock()
        lamps = wiring.lamps
        self._lamps = _DirectLamps(lamps, factory) if isinstance(lamps, LampPins) else _Registers(lamps, factory)
        for name in wiring.inputs:
            self._hold(name, active=False)

    def press(self, name: str) -> None:
        """Presses a button and keeps it down."""
        self._hold(_one_of(BUTTON_INPUTS, name), active=True)

    def release(self, name: str) -> None:
        """Releases a button."""
        self._hold(_one_of(BUTTON_INPUTS, name), active=False)

    def tap(self, name: str, *, hold_s: float = TAP_S) -> None:
        """Presses a button or turns a key, holds and releases it, and returns after AWAY_S."""
        pressed = _one_of((*BUTTON_INPUTS, *KEYS), name)
        for active, seconds in ((True, hold_s), (False, AWAY_S)):
            self._hold(pressed, active=active)
            self._sleep(seconds)

    def open_door(self, name: str) -> None:
        """Opens a door and leaves it open."""
        self._hold(_one_of(DOORS, name), active=True)

    def close_door(self, name: str) -> None:
        """Shuts a door."""
        self._hold(_one_of(DOORS, name), active=False)

    def turn_key(self, name: str, *, on: bool) -> None:
        """Turns a key switch on or off."""
        self._hold(_one_of(KEYS, name), active=on)

    def lamps(self) -> frozenset[Input]:
        """Returns the buttons that are lit now."""
        return frozenset(lamp for lamp in self._lamps.lit() if isinstance(lamp, Input))

    def tower(self) -> frozenset[Tower]:
        """Returns the lamps of the tower light that are lit now."""
        return frozenset(lamp for lamp in self._lamps.lit() if isinstance(lamp, Tower))

    def _hold(self, name: Input, *, active: bool) -> None:
        contact = self._wiring.inputs[name]
        with self._lock:
            self._factory.pin(contact.pin).hold(active is (contact.active is Level.HIGH))


def _one_of(names: tuple[Input, ...], name: str) -> Input:
    if name not in names:
        raise ConfigurationError(f"simulated panel: {name!r} is unknown; expected one of {', '.join(names)}")
    return Input(name)


class _Registers:
    """A chain of 74HC595: one bit deeper on each rising clock, onto the outputs on each rising latch."""

    def __init__(self, wiring: LampRegister, factory: Any) -> None:
        self._outputs = wiring.outputs
        self._data = factory.pin(wiring.data)
        self._enable = factory.pin(wiring.enable)
        self._stages: tuple[bool, ...] = (False,) * (-(-len(wiring.outputs) // 8) * 8)
        self._latched = self._stages
        factory.pin(wiring.clock).watch(self._on_clock)
        factory.pin(wiring.latch).watch(self._on_latch)

    def lit(self) -> frozenset[Lamp]:
        if self._enable.function != "output" or self._enable.state:
            return frozenset()
        # The chain may be longer than its lamps.
        return frozenset(lamp for lamp, level in zip(self._outputs, self._latched, strict=False) if level)

    def _on_clock(self, level: bool) -> None:
        if level:
            self._stages = (bool(self._data.state), *self._stages[:-1])

    def _on_latch(self, level: bool) -> None:
        if level:
            self._latched = self._stages


class _DirectLamps:
    """Lamps directly on pins; a lamp on an undriven pin is dark."""

    def __init__(self, wiring: LampPins, factory: Any) -> None:
        self._lit_level = wiring.active is Level.HIGH
        self._pins = {lamp: factory.pin(pin) for lamp, pin in wiring.pins.items()}

    def lit(self) -> frozenset[Lamp]:
        driven = ((lamp, pin) for lamp, pin in self._pins.items() if pin.function == "output")
        return frozenset(lamp for lamp, pin in driven if bool(pin.state) is self._lit_level)

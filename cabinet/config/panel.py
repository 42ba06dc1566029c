"""The panel section of the settings: the pins of contacts and lamps, where they differ from the standard wiring.

Rules: a missing key keeps the value of the standard wiring; a wiring that cannot be built is a ConfigError with the
key. It knows names and pins, no hardware.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from msgspec import Meta

from cabinet.config.reader import ConfigError, one_of
from cabinet.text.quoting import cut, quote
from drivers.errors import ConfigurationError
from drivers.panel.layout import (
    ACCEPTOR_PULSES,
    ACCEPTOR_RELEASE,
    BUTTON_INPUTS,
    DEFAULT_INPUTS,
    DEFAULT_LAMPS,
    AcceptorPins,
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

Pin = Annotated[int, Meta(ge=0, le=27)]
PressMs = Annotated[int, Meta(ge=5, le=16)]
"""Milliseconds; longer than most contacts bounce, shorter than a frame."""
_ACCEPTOR_KEYS = {ACCEPTOR_PULSES: "acceptor.pulse.pin", ACCEPTOR_RELEASE: "acceptor.pulse.release_pin"}
_LAMPS: dict[str, Lamp] = {each.value: each for each in (*BUTTON_INPUTS, *Tower)}


@dataclass(frozen=True, slots=True, kw_only=True)
class InputSection:
    """The pin of one contact; None keeps the default."""

    pin: Pin | None = None
    pull: Pull | None = None
    active: Level | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LampsSection:
    """The lamps: on shift registers or, with `pins`, each on a separate pin."""

    data: Pin = DEFAULT_LAMPS.data
    clock: Pin = DEFAULT_LAMPS.clock
    latch: Pin = DEFAULT_LAMPS.latch
    enable: Pin = DEFAULT_LAMPS.enable
    outputs: tuple[str, ...] = DEFAULT_LAMPS.outputs
    pins: dict[str, Pin] = field(default_factory=dict)
    active: Level = Level.HIGH
    """The level that lights a lamp on a separate pin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelSection:
    """The pins of buttons, doors, keys and lamps."""

    factory: Literal["lgpio", "rpigpio"] = "lgpio"
    uart_in_use: bool = False
    i2c_in_use: bool = False
    press_ms: PressMs = 15
    """How long a contact must be closed before its press counts, in milliseconds."""
    inputs: dict[str, InputSection] = field(default_factory=dict)
    lamps: LampsSection = field(default_factory=LampsSection)

    def wiring(self, acceptor: AcceptorPins | None = None) -> Wiring:
        """Returns the wiring, with the pins of a pulse acceptor. Raises ConfigError when it cannot be built."""
        changed = dict(_contacts(self))
        lamps = _lamps(self.lamps)
        try:
            return Wiring(
                inputs={**DEFAULT_INPUTS, **changed},
                lamps=lamps,
                uart_in_use=self.uart_in_use,
                i2c_in_use=self.i2c_in_use,
                acceptor=acceptor,
            )
        except ConfigurationError as error:
            raise ConfigError(f"{_key_in(self, str(error))}: {error}") from error


def _contacts(panel: PanelSection) -> Iterator[tuple[Input, InputPin]]:
    for name, section in panel.inputs.items():
        if name not in set(Input):
            raise ConfigError(f"panel.inputs.{cut(name)}: unknown key, expected {one_of(Input)}")
        given: dict[str, Any] = {"pin": section.pin, "pull": section.pull, "active": section.active}
        changed = {key: value for key, value in given.items() if value is not None}
        yield Input(name), replace(DEFAULT_INPUTS[Input(name)], **changed)


def _lamps(section: LampsSection) -> LampRegister | LampPins:
    if section.pins:
        pins = {_lamp(f"panel.lamps.pins.{cut(name)}", name): pin for name, pin in section.pins.items()}
        return LampPins(pins=pins, active=section.active)
    return LampRegister(
        data=section.data,
        clock=section.clock,
        latch=section.latch,
        enable=section.enable,
        outputs=tuple(_lamp("panel.lamps.outputs", name) for name in section.outputs),
    )


def _lamp(key: str, name: str) -> Lamp:
    if name not in _LAMPS:
        raise ConfigError(f"{key}: found {quote(name)}, expected {one_of(_LAMPS)}")
    return _LAMPS[name]


def _key_in(panel: PanelSection, sentence: str) -> str:
    """Returns the key of the file that an error about the wiring names."""
    for function, key in _ACCEPTOR_KEYS.items():
        if function in sentence:
            return key
    for name in panel.inputs:
        if re.search(rf"\b{name}\b(?! lamp)", sentence):
            return f"panel.inputs.{name}.{'pull' if 'asks for pull' in sentence else 'pin'}"
    for line in ("data", "clock", "latch", "enable"):
        if f"lamp register {line}" in sentence:
            return f"panel.lamps.{line}"
    for name in panel.lamps.pins:
        if f"{name} lamp" in sentence:
            return f"panel.lamps.pins.{name}"
    return "panel.lamps.outputs" if "lamp" in sentence else "panel"

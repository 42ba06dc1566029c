"""The wiring of the configured panel, pin by pin on the 40-pin header, with the outputs of the lamp registers. Pure.

Rules: all of it comes from the settings; a pin without a function is shown too, with its name. Positions are those of
the header of a Pi 3, 4 and 5. The module knows no picture and no terminal.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cabinet.config.settings import Config
from drivers.panel.layout import (
    ACCEPTOR_PULSES,
    ACCEPTOR_RELEASE,
    BUTTON_INPUTS,
    DOORS,
    I2C_PINS,
    ID_PINS,
    UART_PINS,
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

V33, V5, GROUND = "3.3 V", "5 V", "ground"
HEADER: Final[tuple[str | int, ...]] = (
    V33, V5, 2, V5, 3, GROUND, 4, 14, GROUND, 15, 17, 18, 27, GROUND, 22, 23, V33, 24, 10, GROUND,
    9, 25, 11, 8, GROUND, 7, 0, 1, 5, GROUND, 6, 12, 13, GROUND, 19, 16, 26, 20, GROUND, 21,
)  # fmt: skip
"""The function of each position of the header, from 1: a supply, ground, or a BCM number."""


class Kind(StrEnum):
    """The use of a position of the header."""

    BUTTON = "button"
    DOOR = "door"
    KEY = "key"
    LAMP = "lamp"
    ACCEPTOR = "acceptor"
    TAKEN = "not for the panel"
    FREE = "free"
    GROUND = "ground"
    SUPPLY = "supply"


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """One position of the header. `pin` is its BCM number, None for a supply or ground; `note` says what to connect."""

    number: int
    pin: int | None
    kind: Kind
    name: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """One 74HC595: the names of its eight outputs from QA on, empty for a free one."""

    outputs: tuple[str, ...]


def printed_name(name: Input | Tower) -> str:
    """Returns the name of a part as it stands on the panel or in the manual."""
    if name in BUTTON_INPUTS:
        return name.value.replace("_", " ").upper()
    if isinstance(name, Tower):
        return name.value.replace("_", ": ")
    return name.value.replace("cashbox", "cash-box").replace("_", " ")


def list_positions(config: Config) -> tuple[Position, ...]:
    """Returns the 40 positions of the header. Raises ConfigError for a wiring that cannot be built."""
    wiring = config.wiring()
    used = {position.pin: position for position in _used(wiring)}
    return tuple(_position(number, what, wiring, used) for number, what in enumerate(HEADER, start=1))


def list_registers(config: Config) -> tuple[Register, ...]:
    """Returns the lamp registers in the order of their chain; none where lamps are on pins."""
    lamps = config.wiring().lamps
    if isinstance(lamps, LampPins):
        return ()
    names = [printed_name(lamp) for lamp in lamps.outputs]
    names += [""] * (-len(names) % 8)
    return tuple(Register(outputs=tuple(names[start : start + 8])) for start in range(0, len(names), 8))


def _position(number: int, what: str | int, wiring: Wiring, used: Mapping[int | None, Position]) -> Position:
    if isinstance(what, str):
        return Position(number=number, pin=None, kind=Kind.GROUND if what == GROUND else Kind.SUPPLY, name=what)
    if what in used:
        found = used[what]
        return Position(number=number, pin=what, kind=found.kind, name=found.name, note=found.note)
    if reason := _taken(what, wiring):
        return Position(number=number, pin=what, kind=Kind.TAKEN, name=reason)
    return Position(number=number, pin=what, kind=Kind.FREE, name="free")


def _taken(pin: int, wiring: Wiring) -> str:
    for pins, taken, reason in (
        (ID_PINS, True, "leave open"),
        (UART_PINS, wiring.uart_in_use, "serial port"),
        (I2C_PINS, wiring.i2c_in_use, "I2C bus"),
    ):
        if taken and pin in pins:
            return reason
    return ""


def _used(wiring: Wiring) -> Iterator[Position]:
    """Yields the positions with a function; the number of the position follows from the pin."""
    for name, contact in wiring.inputs.items():
        kind = Kind.BUTTON if name in BUTTON_INPUTS else Kind.DOOR if name in DOORS else Kind.KEY
        yield Position(number=0, pin=contact.pin, kind=kind, name=printed_name(name), note=_contact_note(kind, contact))
    match wiring.lamps:
        case LampRegister() as register:
            yield from _register_lines(register)
        case LampPins(pins=pins, active=active):
            for lamp, pin in pins.items():
                yield Position(
                    number=0, pin=pin, kind=Kind.LAMP, name=_lamp_name(lamp), note=f"lit when {active.value}"
                )
    if wiring.acceptor is not None:
        pulses = f"pulses are {wiring.acceptor.active.value}, by an optocoupler"
        yield Position(number=0, pin=wiring.acceptor.pulse, kind=Kind.ACCEPTOR, name=ACCEPTOR_PULSES, note=pulses)
        yield Position(
            number=0,
            pin=wiring.acceptor.release,
            kind=Kind.ACCEPTOR,
            name=ACCEPTOR_RELEASE,
            note="4.7 kΩ to ground, and an optocoupler",
        )


def _lamp_name(lamp: Lamp) -> str:
    return printed_name(lamp) if isinstance(lamp, Tower) else f"{printed_name(lamp)} lamp"


def _register_lines(register: LampRegister) -> Iterator[Position]:
    for line, pin, note in (
        ("data", register.data, "to SER (14) of the first register"),
        ("clock", register.clock, "to SRCLK (11) of every register"),
        ("latch", register.latch, "to RCLK (12) of every register"),
        ("enable", register.enable, "to /OE (13) of every register, 10 kΩ to 3.3 V"),
    ):
        yield Position(number=0, pin=pin, kind=Kind.LAMP, name=f"lamps: {line}", note=note)


_STATES: Final = {
    Kind.BUTTON: ("pressed", "not pressed"),
    Kind.DOOR: ("open", "shut"),
    Kind.KEY: ("turned", "not turned"),
}


def _contact_note(kind: Kind, contact: InputPin) -> str:
    """Returns how the contact is connected, from its resistor and its level."""
    active, idle = _STATES[kind]
    if contact.pull is Pull.NONE:
        return f"{contact.active.value} when {active}; needs its own resistor"
    rail = GROUND if contact.pull is Pull.UP else V33
    closes = (contact.pull is Pull.UP) is (contact.active is Level.LOW)
    return f"closes to {rail} when {active}" if closes else f"closed to {rail} while {idle}"

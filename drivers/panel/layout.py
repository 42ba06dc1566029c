"""The parts of the panel by name, and their pins.

Rules:
- Every `Wiring` can be built: every button, door and key has a pin, no pin has two functions, and no pin is reserved
  for the board. Otherwise a `ConfigurationError` names the function and the pin.
- Pins are BCM numbers, as printed on pinout cards ("GPIO17"), never positions on the header.
- The default fits the 40-pin header of a Pi 3, 4 and 5 and leaves the UART and I2C pins free. Seventeen inputs and
  fourteen lamps do not fit one header, so the lamps are on shift registers; a cabinet with few lamps may have them
  directly on pins.

Knows no meaning of a press, no gpiozero and no time.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from drivers.errors import ConfigurationError


class Input(StrEnum):
    """A button, door or key switch. The buttons come first, in their order on the panel from left to right."""

    CASH_OUT = "cash_out"
    SERVICE = "service"
    CHIP = "chip"
    BET = "bet"
    PLACE = "place"
    CLEAR = "clear"
    REBET = "rebet"
    DOUBLE = "double"
    SPLIT = "split"
    STAND = "stand"
    HIT = "hit"
    DEAL = "deal"
    MAIN_DOOR = "main_door"
    CASHBOX_DOOR = "cashbox_door"
    LOGIC_DOOR = "logic_door"
    AUDIT_KEY = "audit_key"
    RESET_KEY = "reset_key"


BUTTON_INPUTS = tuple(Input)[:12]
DOORS = (Input.MAIN_DOOR, Input.CASHBOX_DOOR, Input.LOGIC_DOOR)
KEYS = (Input.AUDIT_KEY, Input.RESET_KEY)


class Tower(StrEnum):
    """A lamp of the tower light on top of the cabinet."""

    TOWER_CALL = "tower_call"
    TOWER_FAULT = "tower_fault"


Lamp = Input | Tower
"""The lamp inside a button, named like the button, or a lamp of the tower light."""


class Pull(StrEnum):
    """The resistor inside the Pi that sets an input while its contact is open; NONE if the board has its own."""

    UP = "up"
    DOWN = "down"
    NONE = "none"


class Level(StrEnum):
    """The level of a pin that means pressed, open, turned or lit."""

    LOW = "low"
    HIGH = "high"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputPin:
    """The pin of a contact. A contact to ground that closes when pressed is pull up, active low."""

    pin: int
    pull: Pull = Pull.UP
    active: Level = Level.LOW


@dataclass(frozen=True, slots=True, kw_only=True)
class LampRegister:
    """Lamps behind daisy-chained 74HC595 shift registers.

    `outputs` names the lamp on each output, from QA of the register nearest to the Pi on; its length gives the number
    of registers. `enable` drives the registers' /OE, which has a resistor to their supply: every lamp is dark while
    that pin is not driven.
    """

    data: int
    clock: int
    latch: int
    enable: int
    outputs: tuple[Lamp, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LampPins:
    """Lamps directly on pins, each through a driver transistor; for cabinets with few lamps."""

    pins: Mapping[Lamp, int]
    active: Level = Level.HIGH


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptorPins:
    """The wires of a pulse acceptor: pulses of this level in; release out, where high enables the acceptor."""

    pulse: int
    release: int
    active: Level = Level.LOW


def _contact(pin: int) -> InputPin:
    return InputPin(pin=pin, pull=Pull.UP, active=Level.LOW)


def _door(pin: int) -> InputPin:
    """Returns the input of a door. Its contact is closed to ground while the door is shut: an open door and a cut
    wire read the same."""
    return InputPin(pin=pin, pull=Pull.UP, active=Level.HIGH)


DEFAULT_INPUTS: Mapping[Input, InputPin] = MappingProxyType(
    {
        Input.CASH_OUT: _contact(4),
        Input.SERVICE: _contact(17),
        Input.CHIP: _contact(27),
        Input.BET: _contact(22),
        Input.PLACE: _contact(5),
        Input.CLEAR: _contact(6),
        Input.REBET: _contact(13),
        Input.DOUBLE: _contact(19),
        Input.SPLIT: _contact(26),
        Input.STAND: _contact(18),
        Input.HIT: _contact(23),
        Input.DEAL: _contact(24),
        Input.MAIN_DOOR: _door(25),
        Input.CASHBOX_DOOR: _door(12),
        Input.LOGIC_DOOR: _door(16),
        Input.AUDIT_KEY: _contact(20),
        Input.RESET_KEY: _contact(21),
    }
)

DEFAULT_LAMPS = LampRegister(data=10, clock=11, latch=8, enable=7, outputs=(*BUTTON_INPUTS, *Tower))

ACCEPTOR_PULSES, ACCEPTOR_RELEASE = "acceptor pulses", "acceptor release"
"""The names of the two pins of a pulse acceptor in messages."""

HEADER_PINS = range(28)
ID_PINS = frozenset({0, 1})
I2C_PINS = frozenset({2, 3})
UART_PINS = frozenset({14, 15})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """The function of each pin. Raises `ConfigurationError` for a wiring that cannot be built.

    `uart_in_use` and `i2c_in_use`: another device uses the header's serial port or I2C bus; their pins are then
    refused. `acceptor` are the two pins of a pulse acceptor, which are not part of the panel but on the same header.
    """

    inputs: Mapping[Input, InputPin] = field(default_factory=lambda: DEFAULT_INPUTS)
    lamps: LampRegister | LampPins = DEFAULT_LAMPS
    uart_in_use: bool = False
    i2c_in_use: bool = False
    acceptor: AcceptorPins | None = None

    def __post_init__(self) -> None:
        _check_complete(self)
        _check_pins(self)
        _check_pulls(self)
        _check_lamps(self.lamps)


def functions(wiring: Wiring) -> Iterator[tuple[str, int]]:
    """Yields every function with its pin, as named in messages: ("hit", 23), ("lamp register clock", 11)."""
    for name, contact in wiring.inputs.items():
        yield name.value, contact.pin
    if wiring.acceptor is not None:
        yield ACCEPTOR_PULSES, wiring.acceptor.pulse
        yield ACCEPTOR_RELEASE, wiring.acceptor.release
    lamps = wiring.lamps
    if isinstance(lamps, LampPins):
        for lamp, pin in lamps.pins.items():
            yield f"{lamp.value} lamp", pin
    else:
        for line in ("data", "clock", "latch", "enable"):
            yield f"lamp register {line}", getattr(lamps, line)


def _check_complete(wiring: Wiring) -> None:
    missing = [name.value for name in Input if name not in wiring.inputs]
    if missing:
        raise ConfigurationError(
            f"wiring: no pin for {', '.join(missing)}, expected one for every button, door and key"
        )


def _check_pins(wiring: Wiring) -> None:
    taken: dict[int, str] = {}
    for function, pin in functions(wiring):
        reason = _why_refused(wiring, pin)
        if reason:
            raise ConfigurationError(f"wiring: {function} on GPIO{pin}: {reason}, expected another pin")
        if pin in taken:
            raise ConfigurationError(
                f"wiring: {taken[pin]} and {function} are both on GPIO{pin}, expected a separate pin for each"
            )
        taken[pin] = function


def _why_refused(wiring: Wiring, pin: int) -> str | None:
    if pin not in HEADER_PINS:
        return f"the header has GPIO{HEADER_PINS.start} to GPIO{HEADER_PINS.stop - 1} only (BCM numbers)"
    if pin in ID_PINS:
        return "reserved for the identity chip of an add-on board"
    if wiring.uart_in_use and pin in UART_PINS:
        return "the header's serial port is in use (uart_in_use)"
    if wiring.i2c_in_use and pin in I2C_PINS:
        return "the I2C bus is in use (i2c_in_use)"
    return None


def _check_pulls(wiring: Wiring) -> None:
    for name, contact in wiring.inputs.items():
        if contact.pin in I2C_PINS and contact.pull is not Pull.UP:
            raise ConfigurationError(
                f"wiring: {name.value} on GPIO{contact.pin} asks for pull {contact.pull.value}, "
                "expected pull up or another pin: the board has a fixed pull-up resistor there"
            )
    acceptor = wiring.acceptor
    if acceptor is None:
        return
    fixed = "the board has a fixed pull-up resistor there"
    if acceptor.release in I2C_PINS:
        raise ConfigurationError(
            f"wiring: {ACCEPTOR_RELEASE} on GPIO{acceptor.release}: {fixed}, which would enable the acceptor while "
            "the program does not drive the pin, expected another pin"
        )
    if acceptor.pulse in I2C_PINS and acceptor.active is Level.HIGH:
        raise ConfigurationError(
            f"wiring: {ACCEPTOR_PULSES} on GPIO{acceptor.pulse}: {fixed}, expected low pulses or another pin"
        )


def _check_lamps(lamps: LampRegister | LampPins) -> None:
    names = tuple(lamps.pins) if isinstance(lamps, LampPins) else lamps.outputs
    unlit = [name.value for name in names if name in DOORS or name in KEYS]
    if unlit:
        raise ConfigurationError(
            f"wiring: {', '.join(unlit)} cannot have a lamp, expected buttons and the tower light only"
        )
    twice = sorted({name.value for name in names if names.count(name) > 1})
    if twice:
        raise ConfigurationError(
            f"wiring: {', '.join(twice)} named twice among the lamp register's outputs, expected each once"
        )

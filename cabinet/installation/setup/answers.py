"""The answers to the questions of the set-up, checked: the facts of a cabinet that only a person knows. Pure.

Rules: every wrong answer is an error that names the answer, the value found and the expected value. Defaults that
identify no machine are refused, because two cabinets with one number print equal ticket numbers. No message shows the
PIN.
"""

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Annotated, Any, Final, Literal, get_type_hints

from msgspec import Meta

from cabinet.attendant.technician import PIN_LENGTH
from cabinet.config.acceptor import ACCEPTORS, BY_PULSES
from cabinet.config.printer import PRINTERS
from cabinet.config.reader import Cents, ConfigError, Pin, one_of, read_value
from cabinet.config.settings import MachineSection
from cabinet.config.text_file import parse_toml
from cabinet.installation.system.drop_ins import Sound
from cabinet.text.amounts import CURRENCIES
from cabinet.text.quoting import cut, plain, quote

Name = Annotated[str, Meta(max_length=64)]
_MODE: Final = re.compile(r"monitor|\d{3,5}x\d{3,5}")
_ZONE: Final = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*")
_SERVER: Final = re.compile(r"[A-Za-z0-9.:-]*( [A-Za-z0-9.:-]+)*")
_SOCKET: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9:._/-]*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers; those without a default must be given."""

    number: Annotated[int, Meta(ge=0, le=9_999)]
    venue: Annotated[str, Meta(min_length=1, max_length=64)]
    location: Name = ""
    currency: str
    helpline: Annotated[str, Meta(max_length=120)] = ""
    acceptor: str
    note_values: tuple[Cents, ...] = ()
    """The value of each note type in cents, for an acceptor that does not report them."""
    pulse_notes: dict[str, int] = field(default_factory=dict)
    """Number of pulses -> cents, for an acceptor on pins."""
    acceptor_socket: str = ""
    """The ID_PATH of its USB socket; empty to keep the one that is known."""
    printer: str
    printer_socket: str = ""
    technician_pin: Pin = field(repr=False)
    books_partition: bool = False
    """True if the books have a separate file system."""
    second_copy: bool
    time_zone: str
    time_server: str = ""
    sound: Sound
    screen: Literal["hdmi1", "hdmi2", "other"] = "hdmi1"
    screen_mode: str = "monitor"
    """Width and height that the display has even when it is off at power-up; "monitor" for what the monitor reports."""
    charge_clock: bool = False
    """True if the clock battery of a Pi 5 can be charged."""
    ssh: bool = False
    wireless: bool = False
    firewall: bool = True
    lock_usb: bool = True
    """True if the USB sockets refuse keyboards and network adapters."""
    eeprom: bool = False
    """True if the set-up may change the settings of the Pi's boot loader."""
    commission: bool = False
    """True if the books of a new machine begin at the end of the set-up."""


HINTS: Final[Mapping[str, Any]] = get_type_hints(Answers, include_extras=True)
NEEDED: Final = tuple(
    item.name for item in fields(Answers) if item.default is MISSING and item.default_factory is MISSING
)
"""Answers without a default."""


def read_answers(text: str, *, simulated: bool, known: Mapping[str, object] | None = None) -> Answers:
    """Returns the answers of a TOML file. `known` are answers that the file may leave out. Raises ConfigError."""
    return make_answers({**(known or {}), **parse_toml(text)}, simulated=simulated)


def make_answers(raw: Mapping[str, object], *, simulated: bool) -> Answers:
    """Returns checked answers. Raises ConfigError."""
    for name in raw:
        if name not in HINTS:
            raise ConfigError(f"{cut(name)}: unknown answer, expected {one_of(HINTS)}")
    if missing := [name for name in NEEDED if name not in raw]:
        raise ConfigError(f"{missing[0]}: found no answer, expected one; missing are {', '.join(missing)}")
    answers = Answers(**{name: check_answer(name, found, simulated=simulated) for name, found in raw.items()})
    if answers.acceptor_socket and answers.acceptor_socket == answers.printer_socket:
        raise ConfigError(
            f"printer_socket: found {answers.printer_socket}, expected another socket than that of the acceptor"
        )
    if answers.acceptor == BY_PULSES and not answers.pulse_notes:
        raise ConfigError(
            "pulse_notes: found nothing, expected numbers of pulses with the cents of their notes, such as "
            "{ 2 = 100, 10 = 500 }, because the acceptor counts by pulses"
        )
    return answers


def check_answer(name: str, found: object, *, simulated: bool) -> Any:
    """Returns one answer as its type. Raises ConfigError."""
    value = read_value(HINTS[name], found, name)
    expected = _wrong(name, value) or ("" if simulated else _not_this_machine(name, value))
    if expected:
        shown = f"{len(value)} characters" if name == "technician_pin" else quote(str(value))
        raise ConfigError(f"{name}: found {shown}, expected {expected}")
    return value


_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "currency": tuple(CURRENCIES),
    "acceptor": ACCEPTORS,
    "printer": PRINTERS,
}
_PATTERNS: Final[Mapping[str, tuple[re.Pattern[str], str]]] = {
    "screen_mode": (_MODE, "width x height such as 1920x1080, or monitor"),
    "time_zone": (_ZONE, "the name of a time zone, such as Europe/Vienna"),
    "time_server": (_SERVER, "names or addresses of time servers with blanks between, or nothing"),
    "acceptor_socket": (_SOCKET, "udev's path of a USB socket, such as platform-xhci-hcd.0-usb-0:1:1.0"),
    "printer_socket": (_SOCKET, "udev's path of a USB socket, such as platform-xhci-hcd.1-usb-0:1:1.0"),
}


def _wrong(name: str, value: Any) -> str:
    """Returns the expectation that this value does not meet; empty for a valid value."""
    if name in _CHOICES and value not in _CHOICES[name]:
        return one_of(_CHOICES[name])
    if name in _PATTERNS and not _PATTERNS[name][0].fullmatch(value):
        return _PATTERNS[name][1]
    if name == "technician_pin" and value and not (len(value) == PIN_LENGTH and value.isascii() and value.isdigit()):
        return f"{PIN_LENGTH} digits in quotes"
    if isinstance(value, str) and value != plain(value):
        return "one line of plain text"
    return ""


def _not_this_machine(name: str, value: object) -> str:
    """Returns the expectation that a default does not meet, because it identifies no machine."""
    sample = MachineSection()
    if name == "number" and value == sample.number:
        return f"the number of this machine; {sample.number} is that of the sample, and two machines must not share one"
    if name == "venue" and value == sample.venue:
        return "the name of this house; that is the name of the sample, and it is printed on tickets"
    if name == "technician_pin" and not value:
        return f"a PIN of {PIN_LENGTH} digits: without one, the logic door alone opens the technician's menu"
    return ""

"""The two boot files of the Pi: the firmware's settings and the kernel's command line. Pure.

Rules: in `config.txt` the cabinet has one marked block, at the end, where the firmware lets later lines win. The pins
in it are those of the settings, so that every lamp is dark and every contact has its level until the program runs.
`cmdline.txt` is one line without comments: parts are added to it, consoles of the player's screen are replaced, and
everything else stays. A line of the user that takes a pin of the panel is reported, never changed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from cabinet.installation.system.blocks import put_block, remove_block, split_lines
from drivers.panel.layout import LampPins, LampRegister, Level, Pull, Wiring, functions

_GRAPHICS: Final = "dtoverlay=vc4-kms-v3d"
_PULLS: Final = {Pull.UP: "ip,pu", Pull.DOWN: "ip,pd", Pull.NONE: "ip,pn"}
_LOW, _HIGH = "op,dl", "op,dh"
UART_PINS: Final = frozenset({14, 15})

QUIET: Final = ("quiet", "loglevel=3", "logo.nologo", "vt.global_cursor_default=0", "consoleblank=0")
"""Parts of the kernel's command line that keep its messages off the player's screen."""
SPLASH: Final = "fullscreen_logo=1"
"""With this part the kernel shows a picture while it starts."""
_NO_SPLASH: Final = frozenset({"quiet", "loglevel=3", "logo.nologo"})
"""Parts that keep the kernel from showing it."""
HIDDEN_CONSOLE: Final = "console=tty3"
_SEEN_CONSOLE: Final = re.compile(r"console=tty[01](,|$)")
_SERIAL_CONSOLE: Final = re.compile(r"console=(serial|ttyAMA|ttyS)\d")
_PART: Final = re.compile(r'(?:"[^"]*"|[^\s"])+')


# --- config.txt -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Radio:
    """What is switched on besides the panel: `wireless` for a network by radio, `charge_clock` for a Pi 5 whose clock
    battery can be charged."""

    wireless: bool = False
    charge_clock: bool = False


def put_config(text: str, wiring: Wiring, radio: Radio) -> str:
    """Returns `config.txt` with the cabinet's block. Raises BlockError."""
    return put_block(text, _config_lines(remove_block(text), wiring, radio))


def _config_lines(own: str, wiring: Wiring, radio: Radio) -> Iterator[str]:
    yield "[all]"
    yield from ("disable_splash=1", "avoid_warnings=1", "boot_delay=0", "auto_initramfs=1")
    yield "dtparam=spi=off"
    if not wiring.i2c_in_use:
        yield "dtparam=i2c_arm=off"
    yield "dtparam=watchdog=on"
    yield f"enable_uart={int(wiring.uart_in_use)}"
    if not any(line == _GRAPHICS or line.startswith(f"{_GRAPHICS},") for line in _for_all_models(own)):
        yield _GRAPHICS
    yield from gpio_lines(wiring)
    for model, suffix in (("pi3", ""), ("pi4", ""), ("pi5", "-pi5")):
        yield f"[{model}]"
        yield f"dtoverlay=disable-bt{suffix}"
        if not radio.wireless:
            yield f"dtoverlay=disable-wifi{suffix}"
    yield "usb_max_current_enable=0"
    if radio.charge_clock:
        yield "dtparam=rtc_bbat_vchg=3000000"
    yield "[all]"


def gpio_lines(wiring: Wiring) -> tuple[str, ...]:
    """Returns the lines that set every pin of the wiring before the program does: no lamp lit, no note taken."""
    pins: dict[str, list[int]] = {}
    for pin, level in _levels(wiring):
        pins.setdefault(level, []).append(pin)
    return tuple(f"gpio={_ranges(pins[level])}={level}" for level in sorted(pins))


def _levels(wiring: Wiring) -> Iterator[tuple[int, str]]:
    for contact in wiring.inputs.values():
        yield contact.pin, _PULLS[contact.pull]
    match wiring.lamps:
        case LampRegister(data=data, clock=clock, latch=latch, enable=enable):
            yield from ((pin, _LOW) for pin in (data, clock, latch))
            yield enable, _HIGH
        case LampPins(pins=pins, active=active):
            yield from ((pin, _LOW if active is Level.HIGH else _HIGH) for pin in pins.values())
    if wiring.acceptor is not None:
        yield wiring.acceptor.pulse, _PULLS[Pull.UP if wiring.acceptor.active is Level.LOW else Pull.DOWN]
        yield wiring.acceptor.release, _LOW


def _ranges(pins: Iterable[int]) -> str:
    """Returns pin numbers as the firmware reads them, such as `4-6,12`."""
    parts: list[list[int]] = []
    for pin in sorted(pins):
        if parts and pin == parts[-1][-1] + 1:
            parts[-1].append(pin)
        else:
            parts.append([pin])
    return ",".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)


def _active(text: str) -> Iterator[tuple[int, str]]:
    """Yields the lines of a `config.txt` that are no comments, with their numbers from 1."""
    for number, line in enumerate(split_lines(text), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def _for_all_models(text: str) -> Iterator[str]:
    """Yields the lines that are in force on every model: those behind no section, or behind `[all]`."""
    for_all = True
    for _, line in _active(text):
        if line.startswith("["):
            for_all = line.lower() == "[all]"
        elif for_all:
            yield line


# --- lines of the user that take a pin --------------------------------------------------------------------------

_I2S: Final = (18, 19, 20, 21)
_TAKEN_BY: Final[Mapping[str, tuple[int, ...]]] = {
    "dtoverlay=w1-gpio": (4,),
    "dtoverlay=dht11": (4,),
    "dtoverlay=gpio-fan": (12,),
    "dtoverlay=gpio-ir": (18,),
    "dtoverlay=gpio-ir-tx": (18,),
    "dtoverlay=gpio-poweroff": (26,),
    "dtoverlay=gpio-shutdown": (3,),
    "dtoverlay=pps-gpio": (18,),
    "dtoverlay=pwm": (18,),
    "dtoverlay=pwm-2chan": (18, 19),
    "dtoverlay=audremap": (12, 13),
    "dtoverlay=spi1-1cs": (18, 19, 20, 21),
    "dtoverlay=spi1-2cs": (17, 18, 19, 20, 21),
    "dtoverlay=spi1-3cs": (16, 17, 18, 19, 20, 21),
    "dtoverlay=uart3": (4, 5),
    "dtoverlay=uart4": (8, 9),
    "dtoverlay=uart5": (12, 13),
    "dtoverlay=i2s-mmap": _I2S,
    "dtoverlay=max98357a": _I2S,
    "dtparam=i2s=on": _I2S,
}
"""Line of a `config.txt` -> the pins that it takes where it names none. The cabinet's block cannot undo these."""
_SOUND_BOARDS: Final = ("hifiberry", "iqaudio", "allo-", "justboom", "googlevoicehat", "audioinjector", "rpi-dac")
_PIN_NAMES: Final = re.compile(r"(?:gpio|gpiopin|gpio_pin|pin|pin2|pin_a|pin_b)=(\d+)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class PinConflict:
    """A line of the user that takes a pin of the panel."""

    number: int
    line: str
    pin: int
    function: str

    def __str__(self) -> str:
        """As a sentence without its end."""
        return (
            f'config.txt line {self.number}: "{self.line}" takes GPIO{self.pin}, which is {self.function}; delete the '
            "line, or connect the contact to another pin and set it in the settings"
        )


def find_pin_conflicts(text: str, wiring: Wiring) -> tuple[PinConflict, ...]:
    """Returns the lines outside the block that take a pin of the panel and stay in force. Raises BlockError."""
    used = {pin: function for function, pin in functions(wiring)}
    return tuple(
        PinConflict(number=number, line=line, pin=pin, function=used[pin])
        for number, line in _active(remove_block(text))
        for pin in _pins_of(line)
        if pin in used
    )


def _pins_of(line: str) -> tuple[int, ...]:
    name, *options = line.split(",")
    named = tuple(int(found[1]) for option in options if (found := _PIN_NAMES.match(option.strip())))
    if name.startswith("dtoverlay=") and named:
        return named
    if name.startswith(tuple(f"dtoverlay={board}" for board in _SOUND_BOARDS)):
        return _I2S
    return _TAKEN_BY.get(name, ())


# --- cmdline.txt ------------------------------------------------------------------------------------------------


def put_cmdline(text: str, *, screen: str = "") -> str:
    """Returns `cmdline.txt` with the cabinet's parts.

    `screen` is the mode that the display has even when it is off at power-up, such as `HDMI-A-1:1920x1080M@60D`; empty
    for none. A mode that the user has set for the same socket stays.
    """
    line, rest = _first_line(text)
    for found in _PART.findall(line):
        if _SERIAL_CONSOLE.match(found):
            line = _drop(line, found)
        elif _SEEN_CONSOLE.match(found):
            line = _swap(line, found, HIDDEN_CONSOLE)
    parts = _PART.findall(line)
    if not any(part.startswith("console=tty") for part in parts):
        line = _append(line, HIDDEN_CONSOLE)
    for part in QUIET:
        if part not in parts and not (SPLASH in parts and part in _NO_SPLASH):
            line = _append(line, part)
    socket = screen.partition(":")[0]
    if screen and not any(part.startswith(f"video={socket}:") for part in parts):
        line = _append(line, f"video={screen}")
    return line + rest


def count_lines(text: str) -> int:
    """Returns the number of lines of a `cmdline.txt` that have parts; the kernel reads the first line only."""
    return sum(bool(line.strip()) for line in text.splitlines())


def undo_cmdline(now: str, before: str, after: str) -> str:
    """Returns a `cmdline.txt` that was edited since the set-up without what the set-up changed in it."""
    old, new = _PART.findall(_first_line(before)[0]), _PART.findall(_first_line(after)[0])
    line, rest = _first_line(now)
    for part in new:
        if part not in old:
            line = _drop(line, part)
    present = _PART.findall(line)
    missing = [part for part in old if part not in new and part not in present]
    return " ".join([*missing, *([line] if line else [])]) + rest


def _first_line(text: str) -> tuple[str, str]:
    """Returns the line that the kernel reads, and the rest of the file with the line end."""
    line = re.match(r"[^\r\n]*", text)
    first = line[0] if line else ""
    return first, text[len(first) :] or "\n"


def _append(line: str, part: str) -> str:
    return f"{line} {part}" if line and not line.endswith(" ") else f"{line}{part}"


def _swap(line: str, part: str, other: str) -> str:
    if other in _PART.findall(line):
        return _drop(line, part)
    return re.sub(rf"(?<!\S){re.escape(part)}(?!\S)", lambda _: other, line, count=1)


def _drop(line: str, part: str) -> str:
    word = re.escape(part)
    return re.sub(rf"(?<!\S){word} | {word}$|^{word}$", "", line, count=1)

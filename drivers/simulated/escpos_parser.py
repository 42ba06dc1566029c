"""Parses ESC/POS commands like a printer; part of the simulated ticket printer.

Written only from Epson's ESC/POS reference and without code of the driver's encoder, so that an error on one side
shows on the other. Rules:
- a command is parsed only when all of its bytes are there;
- an unknown command is skipped as two bytes, as on most boards, and named `UNKNOWN`;
- real-time questions in the stream are skipped: they were answered on arrival.
"""

from dataclasses import dataclass
from enum import Enum

_DLE, _ESC, _FS, _GS, _LF = 0x10, 0x1B, 0x1C, 0x1D, 0x0A


class Op(Enum):
    """The effect of a command."""

    TEXT = "print characters"
    NEW_LINE = "LF"
    RESET = "ESC @"
    CODE_PAGE = "ESC t"
    CHINESE = "FS &"
    NOT_CHINESE = "FS ."
    ALIGN = "ESC a"
    BOLD = "ESC E"
    FEED_LINES = "ESC d"
    FEED_DOTS = "ESC J"
    SIZE = "GS !"
    INVERSE = "GS B"
    BAR_HEIGHT = "GS h"
    BAR_WIDTH = "GS w"
    BAR_TEXT = "GS H"
    BARCODE = "GS k"
    CUT = "GS V"
    ASK_SENSOR = "GS r"
    ASK_IDENTITY = "GS I"
    AUTOMATIC = "GS a"
    NOTHING = "no effect here"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command; `value` is its parameter (for BARCODE the kind), `data` its text or digits."""

    op: Op
    value: int = 0
    data: bytes = b""


_ESC_COMMANDS: dict[int, tuple[Op, int]] = {
    0x40: (Op.RESET, 0),
    0x74: (Op.CODE_PAGE, 1),
    0x61: (Op.ALIGN, 1),
    0x45: (Op.BOLD, 1),
    0x64: (Op.FEED_LINES, 1),
    0x4A: (Op.FEED_DOTS, 1),
    0x21: (Op.NOTHING, 1),
    0x2D: (Op.NOTHING, 1),
    0x32: (Op.NOTHING, 0),
    0x33: (Op.NOTHING, 1),
    0x4D: (Op.NOTHING, 1),
    0x52: (Op.NOTHING, 1),
}
_FS_COMMANDS: dict[int, tuple[Op, int]] = {0x26: (Op.CHINESE, 0), 0x2E: (Op.NOT_CHINESE, 0)}
_GS_COMMANDS: dict[int, tuple[Op, int]] = {
    0x21: (Op.SIZE, 1),
    0x42: (Op.INVERSE, 1),
    0x68: (Op.BAR_HEIGHT, 1),
    0x77: (Op.BAR_WIDTH, 1),
    0x48: (Op.BAR_TEXT, 1),
    0x66: (Op.NOTHING, 1),
    0x72: (Op.ASK_SENSOR, 1),
    0x49: (Op.ASK_IDENTITY, 1),
    0x61: (Op.AUTOMATIC, 1),
}


def read_command(stream: bytes) -> tuple[Command, int] | None:
    """Returns the first command of the stream and its length; None while it is incomplete."""
    if not stream:
        return None
    first = stream[0]
    if first >= 0x20:
        length = next((at for at, byte in enumerate(stream) if byte < 0x20), len(stream))
        return Command(op=Op.TEXT, data=stream[:length]), length
    if first == _LF:
        return Command(op=Op.NEW_LINE), 1
    if first not in {_DLE, _ESC, _FS, _GS}:
        return Command(op=Op.NOTHING), 1
    if len(stream) < 2:
        return None
    if first == _DLE:
        return _fixed(stream, (Op.NOTHING, 1) if stream[1] in {0x04, 0x05} else (Op.UNKNOWN, 0))
    if first == _ESC:
        return _fixed(stream, _ESC_COMMANDS.get(stream[1], (Op.UNKNOWN, 0)))
    if first == _FS:
        return _fixed(stream, _FS_COMMANDS.get(stream[1], (Op.UNKNOWN, 0)))
    if stream[1] == 0x6B:
        return _barcode(stream)
    if stream[1] == 0x56:
        return _cut(stream)
    return _fixed(stream, _GS_COMMANDS.get(stream[1], (Op.UNKNOWN, 0)))


def _fixed(stream: bytes, command: tuple[Op, int]) -> tuple[Command, int] | None:
    op, parameters = command
    length = 2 + parameters
    if len(stream) < length:
        return None
    value = stream[2] if parameters else stream[1] if op is Op.UNKNOWN else 0
    return Command(op=op, value=value), length


def _cut(stream: bytes) -> tuple[Command, int] | None:
    if len(stream) < 3:
        return None
    feeding = stream[2] in {65, 66}
    if feeding and len(stream) < 4:
        return None
    return Command(op=Op.CUT, value=stream[3] if feeding else 0), 4 if feeding else 3


def _barcode(stream: bytes) -> tuple[Command, int] | None:
    if len(stream) < 4:
        return None
    kind = stream[2]
    if kind < 65:
        end = stream.find(0, 3)
        return None if end < 0 else (Command(op=Op.BARCODE, value=kind, data=stream[3:end]), end + 1)
    end = 4 + stream[3]
    return None if len(stream) < end else (Command(op=Op.BARCODE, value=kind, data=stream[4:end]), end)

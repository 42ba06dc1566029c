"""The bytes of ICT's RS-232 interface: single bytes, without frame, check sum, address or sequence.

Rules:
- 02 has two meanings: "power-up received" and "accept the note in escrow".
- 80 and 81 are the first halves of two-byte messages; everything else stands alone.
- Fault codes are consecutive. Some models count them one higher; `shift` is the difference.
- Every byte from 20 to 2F is a fault code, including those that no table explains (2E; 20 of a shifted model, which
  means "restart").

Source: International Currency Technologies, ICT002, ICT004 and ICT-104U interface descriptions. Compared byte by byte
with independent public hosts: zynesis/pi-bill-acceptor and a second ICT-104 controller (`ba_ict104.c`) agree except
for the types; the kiosk driver of TerminalClient agrees and explains 26; a host of the LV77 (ICT-104U V0.3) has the
codes that count one higher. They differ in these points: types end at 44, 45, 46 or 49 (the highest is used here); 10
is "stacked" for one and "stacking" for three, and is sent once in both cases; 26 is missing in two; the shifted codes
have the sensor at 27, where one step up is 26 (a fault of the unit in both cases). Knows no time.
"""

from collections.abc import Mapping
from enum import Enum, IntEnum

from drivers.bills.events import Trouble

FIRST_TYPE = 0x40
HIGHEST_TYPE = 0x49
FIRST_FAULT = 0x20
FAULT_ROW = range(FIRST_FAULT, 0x30)


class HostByte(IntEnum):
    """Bytes from the host."""

    ACKNOWLEDGE_POWER_UP = 0x02
    ACCEPT = 0x02
    STATUS = 0x0C
    REJECT = 0x0F
    HOLD = 0x18
    ENABLE = 0x3E
    DISABLE = 0x5E


class DeviceByte(IntEnum):
    """Bytes from the unit, except note types and faults."""

    STACKED = 0x10
    RETURNED = 0x11
    FAULT_OVER = 0x2F
    ENABLED = 0x3E
    DISABLED = 0x5E
    POWER_UP = 0x80
    VALIDATED = 0x81
    POWER_UP_END = 0x8F


class Fault(Enum):
    """The fault codes, in the order of their numbers."""

    MOTOR = 0
    CHECKSUM = 1
    JAM = 2
    REMOVED = 3
    STACKER_OPEN = 4
    SENSOR = 5
    COMMUNICATION = 6
    FISHING = 7
    STACKER = 8
    REJECT = 9
    INVALID_COMMAND = 10


LASTING: Mapping[Fault, tuple[Trouble, str]] = {
    Fault.MOTOR: (Trouble.HARDWARE, "its motor has failed"),
    Fault.CHECKSUM: (Trouble.HARDWARE, "its program is damaged"),
    Fault.JAM: (Trouble.JAM, ""),
    Fault.STACKER_OPEN: (Trouble.CASHBOX_REMOVED, "the stacker is open"),
    Fault.SENSOR: (Trouble.HARDWARE, "a sensor has failed"),
    Fault.COMMUNICATION: (Trouble.HARDWARE, "it got no answer when it powered up; switch it off and on"),
    Fault.STACKER: (Trouble.HARDWARE, "its stacker has failed"),
}
"""Faults that last until the unit reports their end."""

FRAUDS: Mapping[Fault, str] = {Fault.REMOVED: "a note was pulled out", Fault.FISHING: "a note on a string"}


def read_fault(code: int, *, shift: int) -> Fault | None:
    """Returns the fault of this code; None when it is not a fault."""
    number = code - FIRST_FAULT - shift
    return Fault(number) if 0 <= number < len(Fault) and code != DeviceByte.FAULT_OVER else None


def read_type(byte: int) -> int | None:
    """Returns the channel, from 1 on, of a note type; None when the byte is not a note type."""
    return byte - FIRST_TYPE + 1 if FIRST_TYPE <= byte <= HIGHEST_TYPE else None

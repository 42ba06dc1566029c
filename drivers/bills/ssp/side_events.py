"""Poll events of SSP units that pay out, print or bag notes. They do not concern an incoming note.

Their lengths are known, so that the events after them can be read. They only make a line in the log.

Rules:
- A length may depend on the host protocol version agreed on: the form of the highest version that is not above it.
- A value is four bytes and a country of three capital letters; no event has a letter's code. So when sources differ
  on whether a value or a list of values follows, the letters decide.
- A list is a number of entries and the entries. If their countries are not letters it is not a list, and its length
  is unknown.
- Some events have no published length. They count as bare when everything behind them can then be read.

Source: Innovative Technology, SSP Protocol Manual GA138. Compared with kybarg/ssp and the table of events of
SmileySecure; a public log of an NV11 (skokov3812/encrypted-smiley-secure-protocol, issue 44) shows C6 bare. Knows no
frames and no time.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

Measure = Callable[[bytes], int | None]
"""Returns the number of data bytes of an event, from the bytes after its code; None when it is unknown."""

_log = logging.getLogger(__name__)

VALUE_SIZE = 7
_COUNTRY_SIZE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SideEvent:
    """One such event. `forms` are its lengths, each from a protocol version on; empty when none is published."""

    name: str
    forms: tuple[tuple[int, Measure], ...]


def _is_country(data: bytes) -> bool:
    return len(data) == _COUNTRY_SIZE and all(0x41 <= byte <= 0x5A for byte in data)


def _begins_with_value(data: bytes) -> bool:
    return _is_country(data[VALUE_SIZE - _COUNTRY_SIZE : VALUE_SIZE])


def _fixed(size: int) -> Measure:
    return lambda _data: size


def _listed(entry: int, trailer: int = 0) -> Measure:
    def measure(data: bytes) -> int | None:
        ends = range(1 + entry, 1 + entry * (data[0] if data else 0) + 1, entry)
        whole = bool(data) and all(_is_country(data[end - _COUNTRY_SIZE : end]) for end in ends)
        return 1 + entry * data[0] + trailer if whole else None

    return measure


def measure_value_if_there(data: bytes) -> int:
    """Returns the length of an optional value."""
    return VALUE_SIZE if _begins_with_value(data) else 0


def _measure_value_or_list(data: bytes) -> int | None:
    return VALUE_SIZE if _begins_with_value(data) else _listed(VALUE_SIZE)(data)


_OLDEST = 0
_BARE = ((_OLDEST, _fixed(0)),)
_BYTE = ((_OLDEST, _fixed(1)),)
_VALUES = ((_OLDEST, _fixed(4)), (6, _listed(VALUE_SIZE)))
_PAID_AND_ASKED = ((_OLDEST, _fixed(8)), (6, _listed(4 + VALUE_SIZE)))


def _side(name: str, forms: tuple[tuple[int, Measure], ...] = _BARE) -> SideEvent:
    return SideEvent(name=name, forms=forms)


SIDE_EVENTS: Mapping[int, SideEvent] = {
    0x83: _side("calibration failed", _BYTE),
    0x8B: _side("coin escrow active", ()),
    0x90: _side("cash bag out of service", _BYTE),
    0x91: _side("cash bag tampered with"),
    0x92: _side("cash bag in service"),
    0x93: _side("cash bag may be unlocked"),
    0xA0: _side("tickets low"),
    0xA1: _side("tickets replaced"),
    0xA2: _side("printer head removed"),
    0xA3: _side("ticket path open"),
    0xA4: _side("ticket jam"),
    0xA5: _side("ticket printing"),
    0xA6: _side("ticket printed"),
    0xA7: _side("ticket in bezel at start", ()),
    0xA8: _side("ticket printing error", _BYTE),
    0xA9: _side("printer head replaced"),
    0xAA: _side("ticket path closed"),
    0xAB: _side("no paper"),
    0xAC: _side("paper replaced"),
    0xAD: _side("ticket in bezel"),
    0xAE: _side("printing halted"),
    0xAF: _side("printed to cash box"),
    0xB0: _side("jam recovery"),
    0xB1: _side("error during payout", ((_OLDEST, _fixed(1)), (7, _listed(VALUE_SIZE, trailer=1)))),
    0xB3: _side("emptying", _VALUES),
    0xB4: _side("emptied", _VALUES),
    0xB7: _side("coin mechanism error", ()),
    0xBA: _side("coin rejected", ()),
    0xBD: _side("coin mechanism disabled"),
    0xBE: _side("coin mechanism enabled"),
    0xBF: _side("value added", ((_OLDEST, _listed(VALUE_SIZE)),)),
    0xC0: _side("maintenance required", ()),
    0xC2: _side("emptying into the cash box"),
    0xC3: _side("emptied into the cash box"),
    0xC4: _side("coin mechanism jammed"),
    0xC5: _side("coin return pressed"),
    0xC6: _side("payout out of service"),
    0xC7: _side("note float removed"),
    0xC8: _side("note float attached"),
    0xCF: _side("note store full"),
    0xD2: _side("paid out", _VALUES),
    0xD3: _side("coins low", ()),
    0xD5: _side("payout jammed", _VALUES),
    0xD6: _side("payout halted", _VALUES),
    0xD7: _side("floating", _VALUES),
    0xD8: _side("floated", _VALUES),
    0xD9: _side("payout timed out", _VALUES),
    0xDA: _side("paying out", _VALUES),
    0xDB: _side("note stored for payout", ((_OLDEST, measure_value_if_there),)),
    0xDC: _side("payout incomplete", _PAID_AND_ASKED),
    0xDD: _side("float incomplete", _PAID_AND_ASKED),
    0xDE: _side("paid into the cash box", _VALUES),
    0xDF: _side("coin credit", ((_OLDEST, _fixed(4)), (6, _measure_value_or_list))),
}
"""By code, with the text for the log. The codes that concern notes are `drivers.bills.ssp.codec.Code`."""


def measure_side_event(data: bytes, version: int) -> int | None:
    """Returns the length of the side event at the beginning of `data`, including its code; None when it is
    unknown."""
    forms = SIDE_EVENTS[data[0]].forms
    fitting = [measure for since, measure in forms if since <= version]
    size = fitting[-1](data[1:]) if fitting else None
    return None if size is None else 1 + size


class SideLog:
    """Writes each side event of one acceptor into the log, once."""

    def __init__(self) -> None:
        self._written: set[int] = set()

    def write(self, codes: Iterable[int]) -> None:
        """Logs the side events of a reply."""
        for code in codes:
            if code not in self._written:
                self._written.add(code)
                _log.info("acceptor: %s (%02X); later ones are not logged", SIDE_EVENTS[code].name, code)

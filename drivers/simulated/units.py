"""The simulated bill acceptors: a unit for each protocol, and the user actions on it.

Rules:
- A user action has the same effect on every unit whose protocol can report it; for another unit `cannot` has the
  reason, and nothing happens.
- The unit matches the settings: the same address, the same values, the same pins.

Knows no keyboard and no thread; units are used in the thread of their far end.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from drivers.bills.catalog import CCTALK_BILL_VALIDATOR, AcceptorSettings
from drivers.bills.ebds.codec import NOTE_TABLES
from drivers.bills.events import Channel
from drivers.bills.id003.codec import NoteType
from drivers.simulated.cashflow import Cashflow
from drivers.simulated.cctalk_validator import CcTalkValidator
from drivers.simulated.ict import Ict
from drivers.simulated.note_path import BRISK, INSTANT, SimulatedAcceptor, Timings
from drivers.simulated.nv9 import NV9
from drivers.simulated.pty_line import Clockwork, Device
from drivers.simulated.pulses import PulseAcceptor
from drivers.simulated.uba import UBA

USA = 1
"""The country number of the simulated ID-003 unit's notes, for any currency."""

US_CHANNELS: Mapping[int, int] = {100: 1, 500: 3, 1000: 4, 2000: 5, 5000: 6, 10000: 7}
US_RESERVED = (2, 8)
"""The note codes of a UBA for US dollars; 62 and 68 are reserved."""


class Hand(StrEnum):
    """The user actions on an acceptor besides putting a note in."""

    BAD_NOTE = "bad_note"
    CHEAT = "cheat"
    JAM = "bill_jam"
    FREE = "bill_jam_clear"
    BOX_OUT = "cashbox_out"
    BOX_IN = "cashbox_in"
    FULL = "stacker_full"
    ROOM = "stacker_empty"
    POWER = "acceptor_power"
    UNPLUG = "acceptor_unplug"
    REPLUG = "acceptor_replug"


class Pace(StrEnum):
    """The speed of the parts of a simulated device."""

    BRISK = "brisk"
    """Slow enough to follow, quick enough for a demonstration."""
    INSTANT = "instant"
    """For tests: movements take no time."""


class Acceptor(Clockwork, Protocol):
    """The interface of every simulated unit. `stacked` and `returned` are the true notes, in cents."""

    stacked: list[int]
    returned: list[int]

    def insert(self, value_cents: int) -> bool:
        """Puts in a genuine note. Returns False when the unit does not draw it in."""

    @property
    def enabled(self) -> bool:
        """True if the unit would draw a note in."""


@runtime_checkable
class SerialAcceptor(Acceptor, Device, Protocol):
    """A unit on a serial line. Its far end plugs and unplugs the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PulseWires:
    """The two pins of a pulse acceptor, its idle level, and its table of pulses to cents."""

    pulse: int
    release: int
    idle_high: bool
    notes: Mapping[int, int]
    factory: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A simulated acceptor. `hands` are the possible user actions; `cannot` has the reasons for the others.
    `put_ticket` puts in a ticket with this bar code, if the unit has a reader."""

    device: Acceptor
    notes_cents: tuple[int, ...]
    hands: Mapping[Hand, Callable[[], object]]
    cannot: Mapping[Hand, str] = field(default_factory=dict)
    put_ticket: Callable[[str], object] | None = None


def make_unit(
    protocol: str,
    settings: AcceptorSettings,
    notes_cents: tuple[int, ...],
    wires: PulseWires | None = None,
    pace: Pace = Pace.BRISK,
) -> Unit:
    """Returns the unit of this protocol with these notes; for pulses on these wires."""
    if wires is not None:
        return _make_pulses(wires, _TIMINGS[pace])
    values = settings.values_cents or NOTE_TABLES.get(settings.currency or "", ()) if protocol == "pyramid" else ()
    if protocol == "ict":
        values = settings.values_cents or ()
    channels = tuple(
        Channel(number=number, value_cents=cents, currency=settings.currency or "USD")
        for number, cents in enumerate(values or notes_cents, start=1)
        if cents
    )
    device = _MAKERS[protocol](settings, channels, _TIMINGS[pace])
    hands = _hands_of(device)
    return Unit(
        device=device,
        notes_cents=_values(channels),
        hands=hands,
        cannot={hand: _NO_CODE for hand in (Hand.FULL, Hand.ROOM) if hand not in hands},
        put_ticket=device.insert_ticket if isinstance(device, NV9 | UBA) else None,
    )


_TIMINGS = {Pace.BRISK: BRISK, Pace.INSTANT: INSTANT}
_NO_CODE = "this acceptor has no code for a full box"


def _hands_of(unit: SimulatedAcceptor[Any]) -> dict[Hand, Callable[[], object]]:
    hands: dict[Hand, Callable[[], object]] = {
        Hand.BAD_NOTE: unit.insert_bad,
        Hand.CHEAT: unit.cheat,
        Hand.JAM: unit.jam,
        Hand.FREE: unit.clear_jam,
        Hand.BOX_OUT: unit.remove_cashbox,
        Hand.BOX_IN: unit.replace_cashbox,
        Hand.POWER: unit.power_cycle,
    }
    return hands if unit.FULL is None else {**hands, Hand.FULL: unit.fill, Hand.ROOM: unit.empty}


def _make_uba(settings: AcceptorSettings, channels: tuple[Channel, ...], timings: Timings) -> UBA:
    countries = settings.countries or {}
    country = next((number for number, name in countries.items() if name == settings.currency), USA)
    like_us = settings.currency == "USD" and US_CHANNELS.keys() >= set(_values(channels))
    notes = (
        NoteType(
            channel=US_CHANNELS[each.value_cents] if like_us else each.number,
            country=country,
            value_cents=each.value_cents,
        )
        for each in channels
    )
    return UBA(notes, reserved=US_RESERVED if like_us else (), timings=timings)


def _make_pulses(wires: PulseWires, timings: Timings) -> Unit:
    counts = {cents: count for count, cents in wires.notes.items()}
    unit = PulseAcceptor(
        counts,
        wires.factory,
        pulse=wires.pulse,
        release=wires.release,
        idle_high=wires.idle_high,
        timings=timings,
    )
    mute = "a pulse acceptor has one wire, which can report nothing but notes"
    can: dict[Hand, Callable[[], object]] = {
        Hand.BAD_NOTE: lambda: unit.insert(0),
        Hand.POWER: unit.power_cut,
        Hand.UNPLUG: unit.unplug,
        Hand.REPLUG: unit.replug,
    }
    return Unit(
        device=unit,
        notes_cents=tuple(sorted(counts)),
        hands=can,
        cannot={hand: mute for hand in Hand if hand not in can},
    )


def _values(channels: tuple[Channel, ...]) -> tuple[int, ...]:
    return tuple(channel.value_cents for channel in channels)


_MAKERS: Mapping[str, Callable[[AcceptorSettings, tuple[Channel, ...], Timings], SimulatedAcceptor[Any]]] = {
    "ssp": lambda settings, channels, timings: NV9(
        channels, address=settings.address, has_reader=True, timings=timings
    ),
    "cctalk": lambda settings, channels, timings: CcTalkValidator(
        channels, address=settings.address or CCTALK_BILL_VALIDATOR, timings=timings
    ),
    "id003": _make_uba,
    "ebds": lambda _, channels, timings: Cashflow(channels, timings=timings),
    "pyramid": lambda _, channels, timings: Cashflow(channels, extended=False, timings=timings),
    "ict": lambda settings, channels, timings: Ict(channels, fault_shift=settings.fault_shift, timings=timings),
}
SIMULATED = (*_MAKERS, "pulse")
"""The protocols that have a simulated unit."""

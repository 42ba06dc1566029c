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
from drivers.bills.ebds.codec import NOTE_TABLES, Flag
from drivers.bills.events import Channel
from drivers.bills.ict.codec import Fault
from drivers.bills.id003.codec import NoteType, State
from drivers.simulated import cashflow, cctalk_validator, ict, nv9, pulses, uba
from drivers.simulated.pty_line import Clockwork, Device

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
        """Whether the unit would draw a note in."""


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
        return _make_pulses(wires, pace)
    values = settings.values_cents or NOTE_TABLES.get(settings.currency or "", ()) if protocol == "pyramid" else ()
    if protocol == "ict":
        values = settings.values_cents or ()
    channels = tuple(
        Channel(number=number, value_cents=cents, currency=settings.currency or "USD")
        for number, cents in enumerate(values or notes_cents, start=1)
        if cents
    )
    return _MAKERS[protocol](settings, channels, pace)


_NV9 = {
    Pace.BRISK: nv9.Timings(reading_s=0.2, stacking_s=0.3, rejecting_s=0.2, boot_s=0.5),
    Pace.INSTANT: nv9.INSTANT,
}
_CCTALK = {
    Pace.BRISK: cctalk_validator.Timings(reading_s=0.2, stacking_s=0.3, returning_s=0.2, boot_s=0.5),
    Pace.INSTANT: cctalk_validator.INSTANT,
}
_UBA = {
    Pace.BRISK: uba.Timings(
        reading_s=0.2, stacking_s=0.3, going_back_s=0.2, stacked_s=0.1, initialising_s=0.3, boot_s=0.3
    ),
    Pace.INSTANT: uba.INSTANT,
}
_CASHFLOW = {
    Pace.BRISK: cashflow.Timings(reading_s=0.2, stacking_s=0.3, returning_s=0.2, boot_s=0.3),
    Pace.INSTANT: cashflow.INSTANT,
}
_ICT = {
    Pace.BRISK: ict.Timings(reading_s=0.2, stacking_s=0.3, returning_s=0.2, boot_s=0.3),
    Pace.INSTANT: ict.INSTANT,
}
_PULSES = {Pace.BRISK: pulses.Timings(stacking_s=0.3), Pace.INSTANT: pulses.Timings(stacking_s=0.0)}


def _make_nv9(settings: AcceptorSettings, channels: tuple[Channel, ...], pace: Pace) -> Unit:
    unit = nv9.NV9(channels, address=settings.address, has_reader=True, timings=_NV9[pace])
    hands: dict[Hand, Callable[[], object]] = {
        Hand.BAD_NOTE: unit.insert_bad,
        Hand.CHEAT: unit.cheat,
        Hand.JAM: unit.jam,
        Hand.FREE: unit.clear_jam,
        Hand.BOX_OUT: unit.remove_cashbox,
        Hand.BOX_IN: unit.replace_cashbox,
        Hand.FULL: unit.fill,
        Hand.ROOM: unit.empty,
        Hand.POWER: unit.power_cycle,
    }
    return Unit(device=unit, notes_cents=_values(channels), hands=hands, put_ticket=unit.insert_ticket)


def _make_cctalk(settings: AcceptorSettings, channels: tuple[Channel, ...], pace: Pace) -> Unit:
    unit = cctalk_validator.CcTalkValidator(
        channels, address=settings.address or CCTALK_BILL_VALIDATOR, timings=_CCTALK[pace]
    )
    hands: dict[Hand, Callable[[], object]] = {
        Hand.BAD_NOTE: unit.insert_bad,
        Hand.CHEAT: unit.cheat,
        Hand.JAM: unit.jam,
        Hand.FREE: unit.clear_jam,
        Hand.BOX_OUT: unit.remove_cashbox,
        Hand.BOX_IN: unit.replace_cashbox,
        Hand.FULL: unit.fill,
        Hand.ROOM: unit.empty,
        Hand.POWER: unit.power_cycle,
    }
    return Unit(device=unit, notes_cents=_values(channels), hands=hands)


def _make_uba(settings: AcceptorSettings, channels: tuple[Channel, ...], pace: Pace) -> Unit:
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
    unit = uba.UBA(notes, reserved=US_RESERVED if like_us else (), timings=_UBA[pace])
    hands: dict[Hand, Callable[[], object]] = {
        Hand.BAD_NOTE: unit.insert_bad,
        Hand.CHEAT: unit.cheat,
        Hand.JAM: lambda: unit.break_down(State.JAM_IN_ACCEPTOR),
        Hand.FREE: lambda: unit.mend(State.JAM_IN_ACCEPTOR),
        Hand.BOX_OUT: lambda: unit.break_down(State.STACKER_OPEN),
        Hand.BOX_IN: lambda: unit.mend(State.STACKER_OPEN),
        Hand.FULL: lambda: unit.break_down(State.STACKER_FULL),
        Hand.ROOM: lambda: unit.mend(State.STACKER_FULL),
        Hand.POWER: unit.power_cycle,
    }
    return Unit(device=unit, notes_cents=_values(channels), hands=hands, put_ticket=unit.insert_ticket)


def _make_cashflow(channels: tuple[Channel, ...], pace: Pace, *, extended: bool) -> Unit:
    unit = cashflow.Cashflow(channels, extended=extended, timings=_CASHFLOW[pace])
    hands: dict[Hand, Callable[[], object]] = {
        Hand.BAD_NOTE: lambda: unit.insert(0),
        Hand.CHEAT: unit.cheat,
        Hand.JAM: lambda: unit.break_down(Flag.JAMMED),
        Hand.FREE: lambda: unit.mend(Flag.JAMMED),
        Hand.BOX_OUT: unit.remove_cassette,
        Hand.BOX_IN: unit.replace_cassette,
        Hand.FULL: lambda: unit.break_down(Flag.FULL),
        Hand.ROOM: lambda: unit.mend(Flag.FULL),
        Hand.POWER: unit.power_cycle,
    }
    return Unit(device=unit, notes_cents=_values(channels), hands=hands)


def _make_ict(settings: AcceptorSettings, channels: tuple[Channel, ...], pace: Pace) -> Unit:
    unit = ict.Ict(channels, fault_shift=settings.fault_shift, timings=_ICT[pace])
    hands: dict[Hand, Callable[[], object]] = {
        Hand.BAD_NOTE: unit.insert_bad,
        Hand.CHEAT: unit.cheat,
        Hand.JAM: lambda: unit.break_down(Fault.JAM),
        Hand.FREE: unit.repair,
        Hand.BOX_OUT: lambda: unit.break_down(Fault.STACKER_OPEN),
        Hand.BOX_IN: unit.repair,
        Hand.POWER: unit.power_cycle,
    }
    no_code = "an ICT acceptor has no code for a full box"
    return Unit(
        device=unit, notes_cents=_values(channels), hands=hands, cannot={Hand.FULL: no_code, Hand.ROOM: no_code}
    )


def _make_pulses(wires: PulseWires, pace: Pace) -> Unit:
    counts = {cents: count for count, cents in wires.notes.items()}
    unit = pulses.PulseAcceptor(
        counts,
        wires.factory,
        pulse=wires.pulse,
        release=wires.release,
        idle_high=wires.idle_high,
        timings=_PULSES[pace],
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


_MAKERS: Mapping[str, Callable[[AcceptorSettings, tuple[Channel, ...], Pace], Unit]] = {
    "ssp": _make_nv9,
    "cctalk": _make_cctalk,
    "id003": _make_uba,
    "ebds": lambda _settings, channels, pace: _make_cashflow(channels, pace, extended=True),
    "pyramid": lambda _settings, channels, pace: _make_cashflow(channels, pace, extended=False),
    "ict": _make_ict,
}
SIMULATED = (*_MAKERS, "pulse")
"""The protocols that have a simulated unit."""

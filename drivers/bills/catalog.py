"""The wire protocols for bill acceptors by their name in the settings, and what each one guarantees.

A new protocol needs one entry here and one package beside this file. Knows no settings file and no line.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

from drivers.bills.cctalk.host import LINE as CCTALK_LINE
from drivers.bills.cctalk.host import CcTalkProtocol, CcTalkTiming
from drivers.bills.ebds.codec import NOTE_TABLES
from drivers.bills.ebds.host import LINE as EBDS_LINE
from drivers.bills.ebds.host import EbdsProtocol, EbdsTiming
from drivers.bills.events import BillEvent, BillOrder, Channel
from drivers.bills.ict.host import LINE as ICT_LINE
from drivers.bills.ict.host import IctProtocol, IctTiming
from drivers.bills.id003.host import LINE as ID003_LINE
from drivers.bills.id003.host import Id003Protocol, Id003Timing
from drivers.bills.ssp.host import LINE as SSP_LINE
from drivers.bills.ssp.host import SspProtocol, SspTiming
from drivers.bills.ssp.secret import FIXED_KEY, Secrecy
from drivers.errors import ConfigurationError
from drivers.protocol import LineSettings, WireProtocol

CCTALK_BILL_VALIDATOR = 40
"""Address of a bill validator in the specification; 0 is the broadcast address."""

EBDS_POLL_S = 0.1
"""Seconds between polls. Some units never leave their power-up state when they are polled more slowly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """The waits of each protocol's host; the defaults suit real units."""

    cctalk: CcTalkTiming = field(default_factory=CcTalkTiming)
    ebds: EbdsTiming = field(default_factory=EbdsTiming)
    ict: IctTiming = field(default_factory=IctTiming)
    id003: Id003Timing = field(default_factory=Id003Timing)
    ssp: SspTiming = field(default_factory=SspTiming)


USUAL = Timings()


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptorSettings:
    """The settings of one acceptor: bus address (0: the usual one), ISO code that the notes must have (None: any),
    seconds between polls. For units that do not report these: the value of each note type in cents, from the first
    type on (0: not accepted), the shift of the unit's fault codes, and the currency of each country number of the
    maker.

    `encryption` is for lines that can be encrypted (SSP): "auto" encrypts when the unit requires it, "always" refuses
    a unit that cannot, "never" refuses a unit that must. `fixed_key` is the half of the key that both sides were
    given; `draw` returns the given number of unpredictable bytes for the other half.
    """

    address: int = 0
    currency: str | None = None
    poll_interval_s: float = 0.2
    values_cents: tuple[int, ...] | None = None
    fault_shift: int = 0
    encryption: Literal["auto", "always", "never"] = "auto"
    fixed_key: int = FIXED_KEY
    draw: Callable[[int], bytes] = secrets.token_bytes
    countries: Mapping[int, str] | None = None
    timings: Timings = USUAL


class Option(StrEnum):
    """A field of `AcceptorSettings` that only some protocols use."""

    ADDRESS = "address"
    POLL_INTERVAL = "poll_interval_s"
    VALUES = "values_cents"
    FAULT_SHIFT = "fault_shift"
    COUNTRIES = "countries"
    ENCRYPTION = "encryption"
    FIXED_KEY = "fixed_key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Promises:
    """The guarantees of one protocol. `money_at` is the message that makes a note the machine's."""

    name: str
    title: str
    devices: str
    money_at: str
    repeated_until_confirmed: str
    after_power_cut: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts(Promises):
    """One protocol on a serial line. `tickets`: units may have a bar code reader, which reads interleaved 2 of 5
    only."""

    line: LineSettings
    tickets: bool = False
    options: frozenset[Option]
    highest_address: int
    make: Callable[[AcceptorSettings], WireProtocol[BillEvent, BillOrder]]


PULSES = Promises(
    name="pulse",
    title="pulses on a pin",
    devices="TB74, and ICT or Apex set to pulse mode; no escrow, so a note cannot be sent back",
    money_at="the silence after a complete train of pulses",
    repeated_until_confirmed="no, each pulse is sent once",
    after_power_cut="nothing: a train that is cut off is lost, or is counted as a smaller note of the table",
)
"""Not a serial line: `drivers.bills.pulse.host` counts the edges of a pin."""


def _make_ssp(settings: AcceptorSettings) -> SspProtocol:
    secrecy = Secrecy(draw=settings.draw, always=settings.encryption == "always", fixed_key=settings.fixed_key)
    return SspProtocol(
        address=settings.address,
        currency=settings.currency,
        timing=replace(settings.timings.ssp, poll_interval_s=settings.poll_interval_s),
        secrecy=None if settings.encryption == "never" else secrecy,
    )


def _make_cctalk(settings: AcceptorSettings) -> CcTalkProtocol:
    return CcTalkProtocol(
        address=settings.address or CCTALK_BILL_VALIDATOR,
        currency=settings.currency,
        timing=replace(settings.timings.cctalk, poll_interval_s=settings.poll_interval_s),
    )


def _make_ict(settings: AcceptorSettings) -> IctProtocol:
    if not settings.values_cents:
        raise ConfigurationError(
            "found nothing, expected the values of its note types, from type 40 on, such as [100, 500]: an ICT "
            "acceptor does not report the values of its notes"
        )
    channels = tuple(
        Channel(number=number, value_cents=cents, currency=settings.currency or "")
        for number, cents in enumerate(settings.values_cents, start=1)
        if cents
    )
    return IctProtocol(channels, fault_shift=settings.fault_shift, timing=settings.timings.ict)


def _make_id003(settings: AcceptorSettings) -> Id003Protocol:
    return Id003Protocol(
        currency=settings.currency,
        countries=settings.countries,
        timing=replace(settings.timings.id003, poll_interval_s=settings.poll_interval_s),
    )


def _ebds_timing(settings: AcceptorSettings) -> EbdsTiming:
    return replace(settings.timings.ebds, poll_interval_s=min(EBDS_POLL_S, settings.poll_interval_s))


def _make_ebds(settings: AcceptorSettings) -> EbdsProtocol:
    return EbdsProtocol(currency=settings.currency, timing=_ebds_timing(settings))


def _make_pyramid(settings: AcceptorSettings) -> EbdsProtocol:
    values_cents = settings.values_cents or NOTE_TABLES.get(settings.currency or "")
    if values_cents is None:
        raise ConfigurationError(
            "found nothing, expected the values of its note indexes, from index 1 on: a Pyramid acceptor does not "
            f"report the values of its notes, and a table is known of {', '.join(NOTE_TABLES)} only, not of "
            f"{settings.currency or 'any currency'}"
        )
    return EbdsProtocol(
        currency=settings.currency,
        values_cents=values_cents,
        timing=_ebds_timing(settings),
    )


_EBDS_REPEATED = (
    "for five seconds: the unit keeps its reply until the next ack bit; after a crash of the cabinet in half of the "
    "cases"
)

PROTOCOLS: Mapping[str, Facts] = {
    "ssp": Facts(
        name="ssp",
        tickets=True,
        title="SSP (Innovative Technology)",
        devices="NV9, NV9 USB, NV10, NV11, NV12, NV200, SMART Payout; encrypted when the unit requires it",
        line=SSP_LINE,
        options=frozenset({Option.ADDRESS, Option.POLL_INTERVAL, Option.ENCRYPTION, Option.FIXED_KEY}),
        highest_address=0x7D,
        money_at="credit (EE), or cleared to cash box (E2) after a power cut",
        repeated_until_confirmed="yes when the unit has poll-with-ack, otherwise reported once",
        after_power_cut="the unit reports whether the note went to the box or out of the front, usually with its value",
        make=_make_ssp,
    ),
    "cctalk": Facts(
        name="cctalk",
        title="ccTalk (bill validators)",
        devices="NV9 in ccTalk form, Alberici and others, with the simple check sum or CRC, not encrypted",
        line=CCTALK_LINE,
        options=frozenset({Option.ADDRESS, Option.POLL_INTERVAL}),
        highest_address=255,
        money_at="event (type, 0) in the ring of the last five events",
        repeated_until_confirmed="in effect yes: the unit keeps its last five events, and takes one note at a time",
        after_power_cut="unit off: nothing, the note is in doubt; only the cabinet off: the last five events",
        make=_make_cctalk,
    ),
    "ict": Facts(
        name="ict",
        title="ICT RS-232 (International Currency Technologies)",
        devices="V7, A7, L70, U70, P70, TP77, LV77, set to serial mode",
        line=ICT_LINE,
        options=frozenset({Option.VALUES, Option.FAULT_SHIFT}),
        highest_address=0,
        money_at="stacked (10) after our own accept (02)",
        repeated_until_confirmed="no, reported once in one byte without check sum",
        after_power_cut="nothing: an accepted note is in doubt",
        make=_make_ict,
    ),
    "id003": Facts(
        name="id003",
        tickets=True,
        title="ID-003 (JCM)",
        devices="UBA, iVIZION, iPRO, Vega, DBV, TBV, WBA",
        line=ID003_LINE,
        options=frozenset({Option.POLL_INTERVAL, Option.COUNTRIES}),
        highest_address=0,
        money_at="vend valid (15), or power up with a note in the stacker (42)",
        repeated_until_confirmed="yes: vend valid until the ack (50), power up until the reset",
        after_power_cut="the unit reports whether the note is in the stacker or comes out, without its value",
        make=_make_id003,
    ),
    "ebds": Facts(
        name="ebds",
        title="EBDS (MEI, CPI)",
        devices="Cashflow SC, SC66, SC83, with extended note reporting",
        line=EBDS_LINE,
        options=frozenset({Option.POLL_INTERVAL}),
        highest_address=0,
        money_at="stacked bit, when it rises",
        repeated_until_confirmed=_EBDS_REPEATED,
        after_power_cut="an accepted note is reported as stacked, its value only with policy B",
        make=_make_ebds,
    ),
    "pyramid": Facts(
        name="pyramid",
        title="RS-232 (Pyramid), EBDS without extended messages",
        devices="Apex 5000 and 7000, Trilogy, Curve, Spectra; Series 2000",
        line=EBDS_LINE,
        options=frozenset({Option.POLL_INTERVAL, Option.VALUES}),
        highest_address=0,
        money_at="stacked bit, when it rises",
        repeated_until_confirmed=_EBDS_REPEATED,
        after_power_cut="an accepted note is reported as stacked, its value only with policy B; Series 2000 returns it",
        make=_make_pyramid,
    ),
}


def make_protocol(name: str, settings: AcceptorSettings) -> WireProtocol[BillEvent, BillOrder]:
    """Returns a new protocol object. Raises ConfigurationError for an unknown name or an address out of range."""
    facts = PROTOCOLS.get(name)
    if name == PULSES.name:
        raise ConfigurationError(f"{name!r} is not a serial protocol: it is {PULSES.title}")
    if facts is None:
        raise ConfigurationError(f"unknown bill acceptor protocol {name!r}; expected one of: {', '.join(PROTOCOLS)}")
    if not 0 <= settings.address <= facts.highest_address:
        raise ConfigurationError(
            f"found {settings.address}, expected 0 to {facts.highest_address}, the addresses of {facts.title}; a note "
            "validator is usually 0"
        )
    return facts.make(settings)

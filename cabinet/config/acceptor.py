"""The acceptor section of the settings: protocol, line or pins, and values that the unit cannot report.

Rules: an option that the chosen protocol does not use is refused, not ignored, because its author expects an effect. A
configuration that cannot be built is a ConfigError with the key. The module knows names and values, no device.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Annotated, Literal

from msgspec import Meta

from cabinet.config.money import NOTES, strange_notes
from cabinet.config.panel import Pin
from cabinet.config.reader import Cents, ConfigError, Port
from cabinet.text.quoting import cut, quote, show
from drivers.bills.catalog import PROTOCOLS, PULSES, AcceptorSettings, Option, make_protocol
from drivers.bills.pulse.host import PulseTiming, find_pulse_value
from drivers.bills.ssp.secret import FIXED_KEY
from drivers.errors import ConfigurationError
from drivers.panel.layout import AcceptorPins, Level

ACCEPTORS = (*PROTOCOLS, PULSES.name)
"""Accepted values of `acceptor.protocol`."""
BY_PULSES = PULSES.name
"""The acceptor that is on pins instead of a line."""
WITH_VALUES = frozenset(name for name, facts in PROTOCOLS.items() if Option.VALUES in facts.options)
"""Acceptors whose settings may have the values of the note types."""
MOST_PULSES = 1_000

PulseSeconds = Annotated[float, Meta(gt=0, le=10)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PulseSection:
    """The two wires of a pulse acceptor, and the meaning of its pulses."""

    pin: Pin = 15
    release_pin: Pin = 9
    active: Level = Level.LOW
    notes: dict[str, Cents] = field(default_factory=dict)
    """Number of pulses -> value of the note in cents."""
    pulse_s: PulseSeconds = PulseTiming().pulse_s
    tolerance: Annotated[float, Meta(gt=0, lt=1)] = PulseTiming().tolerance
    noise_s: PulseSeconds = PulseTiming().noise_s
    stuck_s: PulseSeconds = PulseTiming().stuck_s
    train_end_s: PulseSeconds = PulseTiming().train_end_s

    def timing(self) -> PulseTiming:
        """Returns the timing of a pulse. Raises ConfigError when the limits contradict each other."""
        try:
            return PulseTiming(
                pulse_s=self.pulse_s,
                tolerance=self.tolerance,
                noise_s=self.noise_s,
                stuck_s=self.stuck_s,
                train_end_s=self.train_end_s,
            )
        except ConfigurationError as error:
            raise ConfigError(f"acceptor.pulse: {error}") from error

    def table(self) -> dict[int, int]:
        """Returns the value in cents by number of pulses. Raises ConfigError for a number that cannot be counted."""
        table: dict[int, int] = {}
        for text, cents in self.notes.items():
            pulses = int(text) if text.isascii() and text.isdigit() else 0
            if not 1 <= pulses <= MOST_PULSES or pulses in table:
                raise ConfigError(
                    f"acceptor.pulse.notes: found {quote(text)}, expected a number of pulses, 1 to {MOST_PULSES}, each "
                    "once"
                )
            table[pulses] = cents
        return table


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptorSection:
    """The bill acceptor and its line."""

    port: Port = "/dev/cabinet/acceptor"
    protocol: str = "ssp"
    address: Annotated[int, Meta(ge=0, le=255)] = 0
    poll_interval_s: Annotated[float, Meta(ge=0.02, le=1.0)] = AcceptorSettings().poll_interval_s
    values_cents: tuple[Cents, ...] = ()
    """Value of each note type, from the first; only for a unit that does not report values, otherwise empty."""
    fault_shift: Annotated[int, Meta(ge=0, le=255)] = 0
    countries: dict[str, str] = field(default_factory=dict)
    """The maker's country number (two hexadecimal digits) -> currency."""
    encryption: Literal["auto", "always", "never"] = "auto"
    fixed_key: str = field(default=f"{FIXED_KEY:016X}", repr=False)
    """The fixed half of the key of an encrypted line; sixteen hexadecimal digits."""
    stacker_notes: Annotated[int, Meta(ge=0, le=10_000)] = 0
    """The count of notes that the cash box can hold, for the attendant's pages; 0 where it is not known."""
    pulse: PulseSection = field(default_factory=PulseSection)

    def chosen(self, currency: str) -> AcceptorSettings:
        """Returns the settings for the protocol. Raises ConfigError for an invalid country or key."""
        return AcceptorSettings(
            address=self.address,
            currency=currency,
            poll_interval_s=self.poll_interval_s,
            values_cents=self.values_cents or None,
            fault_shift=self.fault_shift,
            countries=_read_countries(self.countries) or None,
            encryption=self.encryption,
            fixed_key=_read_key(self.fixed_key),
        )

    def pins(self) -> AcceptorPins | None:
        """Returns the pins of a pulse acceptor; None for an acceptor on a line."""
        if self.protocol != PULSES.name:
            return None
        return AcceptorPins(pulse=self.pulse.pin, release=self.pulse.release_pin, active=self.pulse.active)


def check_acceptor(acceptor: AcceptorSection, currency: str, notes_cents: tuple[int, ...]) -> None:
    """Raises ConfigError when the acceptor cannot run with these settings and notes."""
    for key, found in _given(acceptor):
        if key not in _options(acceptor.protocol):
            raise ConfigError(
                f"acceptor.{key}: found {found}, expected nothing: {_why_not(key, acceptor.protocol)}; leave it out"
            )
    if acceptor.protocol == PULSES.name:
        _check_pulses(acceptor.pulse, notes_cents)
        return
    strange = strange_notes(filter(None, acceptor.values_cents), currency)
    if strange:
        raise ConfigError(
            f"acceptor.values_cents: found a note type worth {strange[0]}, expected notes of {currency}: "
            f"{', '.join(map(str, NOTES[currency]))}, or 0 for a type that is not taken"
        )
    try:
        make_protocol(acceptor.protocol, acceptor.chosen(currency))
    except ConfigurationError as error:
        raise ConfigError(f"{_key_of(acceptor)}: {error}") from error


def _given(acceptor: AcceptorSection) -> Iterator[tuple[str, str]]:
    """Yields each option that differs from its default, with its value as text."""
    for item in fields(acceptor):
        usual = item.default_factory() if item.default_factory is not MISSING else item.default
        found = getattr(acceptor, item.name)
        if item.name != "protocol" and found != usual:
            yield item.name, "a key" if item.name == Option.FIXED_KEY else _shown(found)


def _shown(found: object) -> str:
    if isinstance(found, Mapping | PulseSection):
        return "a table"
    return cut(found) if isinstance(found, str) else show(found)


_OF_EVERY_UNIT = ("stacker_notes",)


def _options(protocol: str) -> frozenset[str]:
    if protocol == PULSES.name:
        return frozenset({"pulse", *_OF_EVERY_UNIT})
    return frozenset({"port", *_OF_EVERY_UNIT, *PROTOCOLS[protocol].options})


_WHY_NOT: Mapping[str, str] = {
    Option.VALUES: "such an acceptor reports what its notes are worth",
    Option.ADDRESS: "such an acceptor has no address",
    Option.FAULT_SHIFT: "the fault codes of such an acceptor are the same in every unit",
    Option.COUNTRIES: "such an acceptor names the currency of its notes",
    Option.ENCRYPTION: "such an acceptor is never encrypted",
    Option.FIXED_KEY: "such an acceptor is never encrypted",
    Option.POLL_INTERVAL: "such an acceptor is not polled for its notes",
    "pulse": "the acceptor is on a serial line",
    "port": "the acceptor is on pins, not on a serial line",
}


def _why_not(key: str, protocol: str) -> str:
    reason = _WHY_NOT.get(key, "such an acceptor does not use it")
    if protocol == PULSES.name and key == Option.VALUES:
        reason = "acceptor.pulse.notes sets the value of pulses"
    return f"the protocol is {protocol}, and {reason}"


def _key_of(acceptor: AcceptorSection) -> str:
    """Returns the key that the protocol's error is about."""
    facts = PROTOCOLS[acceptor.protocol]
    if Option.ADDRESS in facts.options and acceptor.address > facts.highest_address:
        return "acceptor.address"
    return "acceptor.values_cents" if Option.VALUES in facts.options else "acceptor"


def _check_pulses(pulse: PulseSection, notes_cents: tuple[int, ...]) -> None:
    pulse.timing()
    table = pulse.table()
    if not table:
        raise ConfigError(
            "acceptor.pulse.notes: found nothing, expected numbers of pulses with the cents of their notes, such as "
            "{ 2 = 100, 10 = 500 }"
        )
    values = list(table.values())
    if 0 in values or len(set(values)) != len(values):
        raise ConfigError(f"acceptor.pulse.notes: found {show(values)}, expected notes of more than 0 cents, each once")
    try:
        find_pulse_value(table)
    except ConfigurationError as error:
        raise ConfigError(f"acceptor.pulse.notes: {error}") from error
    unwanted = sorted(set(values) - set(notes_cents))
    if unwanted:
        raise ConfigError(
            f"acceptor.pulse.notes: found a note of {unwanted[0]}, expected only notes of money.notes_cents: a pulse "
            "acceptor cannot refuse one kind of note, so switch it off in the acceptor and leave it out"
        )


def _read_key(text: str) -> int:
    if re.fullmatch("[0-9A-Fa-f]{16}", text) is None:
        raise ConfigError(f"acceptor.fixed_key: found {len(text)} characters, expected sixteen hexadecimal digits")
    return int(text, 16)


def _read_countries(countries: Mapping[str, str]) -> dict[int, str]:
    read: dict[int, str] = {}
    for text, currency in countries.items():
        try:
            number = int(text, 16)
        except ValueError:
            number = -1
        if not 0 <= number <= 0xFF or number in read:
            raise ConfigError(
                f"acceptor.countries: found {quote(text)}, expected a country number as doctor shows it, 00 to FF, "
                "each once"
            )
        if re.fullmatch("[A-Z]{3}", currency) is None:
            raise ConfigError(
                f"acceptor.countries.{cut(text)}: found {quote(currency)}, expected the three letters of a currency, "
                "such as USD"
            )
        read[number] = currency
    return read

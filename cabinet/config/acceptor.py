"""The bill acceptor's part of the settings: which language on which line, or which pins, and what the unit cannot tell.

Rules: an option that the chosen protocol has no use for is refused, not passed over, because whoever wrote it believes
in it; what could not be built is a ConfigError with the key. Knows names and values, no device.
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
from drivers.bills.pulse.host import PulseTiming, find_worth
from drivers.bills.ssp.secret import FIXED_KEY
from drivers.errors import ConfigurationError
from drivers.panel.layout import AcceptorPins, Level

ACCEPTORS = (*PROTOCOLS, PULSES.name)
"""What a cabinet may be told its acceptor speaks."""
MOST_PULSES = 1_000

PulseSeconds = Annotated[float, Meta(gt=0, le=10)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PulseSection:
    """The two wires of a pulse acceptor, and what its pulses mean."""

    pin: Pin = 15
    release_pin: Pin = 9
    active: Level = Level.LOW
    notes: dict[str, Cents] = field(default_factory=dict)
    """How many pulses are a note of how many cents."""
    pulse_s: PulseSeconds = PulseTiming().pulse_s
    tolerance: Annotated[float, Meta(gt=0, lt=1)] = PulseTiming().tolerance
    noise_s: PulseSeconds = PulseTiming().noise_s
    stuck_s: PulseSeconds = PulseTiming().stuck_s
    train_end_s: PulseSeconds = PulseTiming().train_end_s

    def timing(self) -> PulseTiming:
        """What a pulse looks like. ConfigError when the limits contradict each other."""
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
        """How many pulses are how many cents. ConfigError for what cannot be counted."""
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
    """What the note types of a unit that cannot tell are worth, from the first on; empty for one that tells."""
    fault_shift: Annotated[int, Meta(ge=0, le=255)] = 0
    countries: dict[str, str] = field(default_factory=dict)
    """Which currency the maker's country numbers (two hexadecimal digits) mean."""
    encryption: Literal["auto", "always", "never"] = "auto"
    fixed_key: str = field(default=f"{FIXED_KEY:016X}", repr=False)
    """The half of the key of an encrypted line that both sides were given; sixteen hexadecimal digits."""
    pulse: PulseSection = field(default_factory=PulseSection)

    def chosen(self, currency: str) -> AcceptorSettings:
        """The same for the protocol. ConfigError for a country or a key that is none."""
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
        """The pins of a pulse acceptor; None for one on a line."""
        if self.protocol != PULSES.name:
            return None
        return AcceptorPins(pulse=self.pulse.pin, release=self.pulse.release_pin, active=self.pulse.active)


def check_acceptor(acceptor: AcceptorSection, currency: str, notes_cents: tuple[int, ...]) -> None:
    """Whether the acceptor could be run like this, by a cabinet that takes these notes. Raises ConfigError."""
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
    """The options that are not left as they are, and how they stand in the file."""
    for item in fields(acceptor):
        usual = item.default_factory() if item.default_factory is not MISSING else item.default
        found = getattr(acceptor, item.name)
        if item.name != "protocol" and found != usual:
            yield item.name, "a key" if item.name == Option.FIXED_KEY else _shown(found)


def _shown(found: object) -> str:
    if isinstance(found, Mapping | PulseSection):
        return "a table"
    return cut(found) if isinstance(found, str) else show(found)


def _options(protocol: str) -> frozenset[str]:
    if protocol == PULSES.name:
        return frozenset({"pulse"})
    return frozenset({"port", *PROTOCOLS[protocol].options})


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
    reason = _WHY_NOT.get(key, "it means nothing to such an acceptor")
    if protocol == PULSES.name and key == Option.VALUES:
        reason = "acceptor.pulse.notes sets the value of pulses"
    return f"the protocol is {protocol}, and {reason}"


def _key_of(acceptor: AcceptorSection) -> str:
    """The key that a complaint of the protocol is about."""
    facts = PROTOCOLS[acceptor.protocol]
    if Option.ADDRESS in facts.options and acceptor.address > facts.highest_address:
        return "acceptor.address"
    return "acceptor.values_cents" if Option.VALUES in facts.options else "acceptor"


def _check_pulses(pulse: PulseSection, notes_cents: tuple[int, ...]) -> None:
    pulse.timing()
    table = pulse.table()
    if not table:
        raise ConfigError(
            "acceptor.pulse.notes: found nothing, expected how many pulses are a note of how many cents, such as "
            "{ 2 = 100, 10 = 500 }"
        )
    values = list(table.values())
    if 0 in values or len(set(values)) != len(values):
        raise ConfigError(f"acceptor.pulse.notes: found {show(values)}, expected notes of more than 0 cents, each once")
    try:
        find_worth(table)
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

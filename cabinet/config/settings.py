"""The operator's settings: a TOML file becomes checked, frozen values.

An unknown key, a wrong type or a contradiction between values is a ConfigError that names file, key, found and expected
value. A missing key has the default written here. The module knows no device and no clock.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from os.path import normpath
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from msgspec import Meta

from cabinet.attendant.technician import PIN_LENGTH
from cabinet.config.acceptor import ACCEPTORS, AcceptorSection, check_acceptor
from cabinet.config.money import MoneySection, check_money, check_notes
from cabinet.config.mounting import SMALLEST, STRAIGHT, TURNS, Mounting, is_calibration, unfit
from cabinet.config.panel import PanelSection
from cabinet.config.printer import BarCode, PrinterSection, check_printer
from cabinet.config.reader import Cents, ConfigError, FolderPath, Pin, one_of, read_section, read_value
from cabinet.config.text_file import read_text
from cabinet.engine.errors import RulesError
from cabinet.engine.rules import GAMES, Limits, Rules, Table, vary
from cabinet.engine.state import Settings
from cabinet.text.amounts import CURRENCIES
from cabinet.text.messages import LANGUAGES
from cabinet.text.quoting import cut, quote, show
from drivers.bills.catalog import PROTOCOLS, PULSES
from drivers.panel.layout import Wiring
from drivers.printers.paper import Symbology

__all__ = ["AcceptorSection", "Config", "ConfigError", "MoneySection", "load"]

Pixels = Annotated[int, Meta(ge=320, le=16_384)]

FIXED_RULES = frozenset({"game_id", "title"})
"""Rules that are no settings: the name of a game."""
RULES = {name: hint for name, hint in get_type_hints(Rules).items() if name not in FIXED_RULES}
"""The rules an operator may change, with their types."""
NO_LIMIT = 0
"""The value of `cards_max` in the file for any number of cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineSection:
    """The identity of the machine."""

    number: Annotated[int, Meta(ge=0, le=9_999)] = 42
    venue: Annotated[str, Meta(min_length=1, max_length=64)] = "Blackjack Cabinet"
    location: Annotated[str, Meta(max_length=64)] = ""
    currency: str = "USD"
    helpline: Annotated[str, Meta(max_length=120)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSection:
    """The folders of the second copy and of the mark, and whether the books have a partition."""

    mirror: FolderPath = ""
    """A folder on another medium, which must exist. Empty for no second copy."""
    mark: FolderPath = "/var/lib/blackjack-cabinet-mark"
    """A folder outside the data that remembers that this machine has books. Empty for no mark."""
    own_partition: bool = False
    """True if the data folder must be on a partition of its own."""

    def second(self) -> Path | None:
        """Returns the folder of the second copy; None for none."""
        return Path(self.mirror) if self.mirror else None

    def marks(self) -> Path | None:
        """Returns the folder of the mark; None for none."""
        return Path(self.mark) if self.mark else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSection:
    """The limits of one table, in cents."""

    min_cents: Cents = Limits().min_cents
    max_cents: Cents = Limits().max_cents
    chips_cents: tuple[Cents, ...] = Limits().chips_cents


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesSection:
    """The offered games. `rules` has, for each game, the rules that differ from its defaults."""

    offered: tuple[str, ...] = tuple(GAMES)
    turbo: bool = Settings().turbo_allowed
    credit_cents: Annotated[int, Meta(ge=1, le=100_000)] = Limits().credit_cents
    limits: dict[str, LimitsSection] = field(default_factory=dict)
    rules: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplaySection:
    """The screen, and the idle times in seconds after which it reacts."""

    windowed: tuple[Pixels, Pixels] = (1280, 720)
    attract_after_s: Annotated[float, Meta(ge=10, le=86_400)] = 60.0
    """Long enough to place a bet and read the table between two touches."""
    abandoned_after_s: Annotated[float, Meta(ge=30, le=86_400)] = 600.0
    """Long enough to decide on a hand."""
    languages: tuple[str, ...] = tuple(LANGUAGES)
    """The languages that a player may choose."""
    language: str = "en"
    """The language of every new player."""
    attendant_language: str = "en"
    """The language of the attendant's pages; the attendant may choose another until the key is turned back."""
    four_colour: bool = False
    """True if the four suits have four colours."""
    mode: tuple[Pixels, ...] = ()
    """Width and height of the display's mode, where no desktop sets it. Empty for the best one."""
    rotation: int = 0
    """Clockwise rotation of the picture on the panel, in degrees."""
    touch_rotation: int = 0
    """Clockwise rotation of the touch foil against the panel, in degrees."""
    touch_calibration: tuple[float, ...] = STRAIGHT

    def panel_mode(self) -> tuple[int, int] | None:
        """Returns the display's mode; None for the best one."""
        return (self.mode[0], self.mode[1]) if self.mode else None

    def mounting(self) -> Mounting:
        """Returns the mounting of panel and foil."""
        return Mounting(
            rotation=self.rotation, touch_rotation=self.touch_rotation, touch_calibration=self.touch_calibration
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundSection:
    """The volume; the alarm is always loud."""

    volume: Annotated[int, Meta(ge=0, le=10)] = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendantSection:
    """The technician's PIN. Without one, the open logic door and the audit key are enough."""

    technician_pin: Pin = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSection:
    """The time after which a player's session ends, and whether players may set personal limits."""

    gap_s: Annotated[float, Meta(ge=10, le=3_600)] = 120.0
    limits: bool = Settings().player_limits


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachSection:
    """Whether a player may ask for the best play; for real money only with both settings."""

    offered: bool = False
    with_real_money: bool = False

    def speaks(self, *, real_money: bool) -> bool:
        """Returns True if the coach may be asked."""
        return self.offered and (self.with_real_money or not real_money)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings."""

    machine: MachineSection = field(default_factory=MachineSection)
    money: MoneySection = field(default_factory=MoneySection)
    games: GamesSection = field(default_factory=GamesSection)
    acceptor: AcceptorSection = field(default_factory=AcceptorSection)
    printer: PrinterSection = field(default_factory=PrinterSection)
    panel: PanelSection = field(default_factory=PanelSection)
    display: DisplaySection = field(default_factory=DisplaySection)
    sound: SoundSection = field(default_factory=SoundSection)
    data: DataSection = field(default_factory=DataSection)
    session: SessionSection = field(default_factory=SessionSection)
    coach: CoachSection = field(default_factory=CoachSection)
    attendant: AttendantSection = field(default_factory=AttendantSection)

    def settings(self) -> Settings:
        """Returns the engine's settings. Raises ConfigError when sections contradict each other."""
        _check_games(self.games)
        tables = tuple(_table(self.games, game_id) for game_id in self.games.offered)
        check_money(self.money, tables)
        return Settings(
            tables=tables,
            notes_cents=tuple(sorted(self.money.notes_cents)),
            credit_limit_cents=self.money.credit_limit_cents,
            ticket_max_cents=self.money.ticket_max_cents,
            ticket_expires_days=self.money.ticket_expires_days,
            tickets_in=self.money.tickets_in,
            large_win_cents=self.money.large_win_cents,
            increment_max_cents=self.money.increment_max_cents,
            turbo_allowed=self.games.turbo,
            rejects_max=self.money.rejects_max,
            technician_pin=bool(self.attendant.technician_pin),
            player_limits=self.session.limits,
        )

    def bar_code(self) -> Symbology:
        """Returns the bar code of the tickets."""
        if self.printer.bar_code is not BarCode.AUTO:
            return Symbology(self.printer.bar_code.value)
        return Symbology.ITF if self.tickets_come_back() else Symbology.CODE128_C

    def tickets_come_back(self) -> bool:
        """Returns True if an acceptor may read the tickets of this machine."""
        protocol = PROTOCOLS.get(self.acceptor.protocol)
        return self.money.tickets_in and protocol is not None and protocol.tickets

    def wiring(self) -> Wiring:
        """Returns the wiring. Raises ConfigError when it cannot be built."""
        return self.panel.wiring(self.acceptor.pins())


# --- games ------------------------------------------------------------------------------------------------------


def _check_games(games: GamesSection) -> None:
    for key, names in (("offered", games.offered), ("limits", games.limits), ("rules", games.rules)):
        for name in names:
            if name not in GAMES:
                raise ConfigError(f"games.{key}: found {quote(name)}, expected {one_of(GAMES)}")
    if not games.offered:
        raise ConfigError(f"games.offered: found no game, expected at least {one_of(GAMES)}")
    if len(set(games.offered)) != len(games.offered):
        raise ConfigError(f"games.offered: found a game twice in {cut(', '.join(games.offered))}, expected each once")


def _table(games: GamesSection, game_id: str) -> Table:
    rules = _changed_rules(game_id, games.rules.get(game_id, {}))
    section, key = games.limits.get(game_id, LimitsSection()), f"games.limits.{game_id}"
    _check_limits(key, section)
    try:
        limits = Limits(
            min_cents=section.min_cents,
            max_cents=section.max_cents,
            chips_cents=section.chips_cents,
            credit_cents=games.credit_cents,
        )
    except RulesError as error:
        raise ConfigError(f"{key}: {error}") from error
    if (least := limits.chips_cents[0]) > limits.min_cents:
        raise ConfigError(
            f"{key}.min_cents: found {limits.min_cents}, expected at least the smallest chip, {least}: no smaller bet "
            "can be placed"
        )
    _check_payouts(key, rules, limits)
    try:
        return Table(rules=rules, limits=limits)
    except RulesError as error:
        raise ConfigError(f"games.rules.{game_id}: {error}") from error


def _check_limits(key: str, section: LimitsSection) -> None:
    most, chips = section.max_cents, section.chips_cents
    if section.min_cents > most:
        raise ConfigError(f"{key}.min_cents: found {section.min_cents}, expected at most the max_cents of {most}")
    if max(chips, default=0) > most:
        raise ConfigError(
            f"{key}.chips_cents: found a chip of {max(chips)}, expected none above the max_cents of {most}"
        )
    if 0 in chips:
        raise ConfigError(f"{key}.chips_cents: found a chip of 0, expected more than 0")


def _check_payouts(key: str, rules: Rules, limits: Limits) -> None:
    """Raises ConfigError when a minimum bet or a chip, of which all bets consist, does not pay out in whole cents."""
    for name, (paid, for_), part in (
        ("blackjack", rules.blackjack_pays, 1),
        ("insurance", rules.insurance_pays, 2),
    ):
        odd = [cents for cents in (limits.min_cents, *limits.chips_cents) if cents // part * paid % for_]
        if odd:
            raise ConfigError(
                f"{key}: found {odd[0]}, expected amounts that {name} at {paid} to {for_} pays in whole cents"
            )


def _changed_rules(game_id: str, changes: Mapping[str, Any]) -> Rules:
    """Returns the rules of a game with the operator's changes."""
    key = f"games.rules.{game_id}"
    read: dict[str, Any] = {}
    for name, found in changes.items():
        if name not in RULES:
            raise ConfigError(f"{key}.{cut(name)}: unknown key, expected {one_of(RULES)}")
        unlimited = name == "cards_max" and found == NO_LIMIT and type(found) is int
        read[name] = None if unlimited else read_value(RULES[name], found, f"{key}.{name}")
    try:
        return vary(GAMES[game_id], **read)
    except RulesError as error:
        raise ConfigError(f"{key}: {error}") from error


# --- devices and words ------------------------------------------------------------------------------------------


def _check_devices(config: Config) -> None:
    acceptor, printer = config.acceptor, config.printer
    for key, found, known in (
        ("machine.currency", config.machine.currency, CURRENCIES),
        ("acceptor.protocol", acceptor.protocol, ACCEPTORS),
    ):
        if found not in known:
            raise ConfigError(f"{key}: found {quote(found)}, expected {one_of(known)}")
    check_notes(config.money, config.machine.currency)
    check_acceptor(acceptor, config.machine.currency, config.money.notes_cents)
    check_printer(printer)
    if config.tickets_come_back() and printer.bar_code is BarCode.CODE128_C:
        raise ConfigError(
            f'printer.bar_code: found "{printer.bar_code.value}", expected "{BarCode.ITF.value}": acceptors that speak '
            f"{acceptor.protocol} read tickets with no other; leave it out, or set money.tickets_in to false"
        )
    if normpath(acceptor.port) == normpath(printer.port) and acceptor.protocol != PULSES.name:
        raise ConfigError(f"printer.port: found {quote(printer.port)}, expected another line than that of the acceptor")


def _check_mounting(display: DisplaySection) -> None:
    for key, found in (("rotation", display.rotation), ("touch_rotation", display.touch_rotation)):
        if found not in TURNS:
            raise ConfigError(f"display.{key}: found {found}, expected {one_of(map(str, TURNS))}")
    if not is_calibration(display.touch_calibration):
        raise ConfigError(
            f"display.touch_calibration: found {show(display.touch_calibration)}, expected the six numbers of a "
            "matrix that maps different points to different ones and reaches all of the panel, such as "
            f"{list(STRAIGHT)}"
        )


def _check_display(display: DisplaySection) -> None:
    """Checks the mode only where the mounting is one: it decides what fits."""
    _check_mounting(display)
    _check_mode(display)


def _check_mode(display: DisplaySection) -> None:
    if len(display.mode) not in {0, len(SMALLEST)}:
        raise ConfigError(
            f"display.mode: found {show(display.mode)}, expected width and height, or [] for the best one"
        )
    mode = display.panel_mode()
    if mode and (why := unfit(display.mounting().picture_size(mode))):
        raise ConfigError(f"display.mode: with display.rotation {display.rotation} it is {why}")


def _check_data(data: DataSection) -> None:
    for key, found, such in (("mirror", data.mirror, "/media/second"), ("mark", data.mark, DataSection().mark)):
        if found and not Path(found).is_absolute():
            raise ConfigError(f'data.{key}: found {quote(found)}, expected a folder\'s whole path, such as "{such}"')


def _check_languages(display: DisplaySection) -> None:
    chosen = display.languages
    if display.attendant_language not in LANGUAGES:
        found = quote(display.attendant_language)
        raise ConfigError(f"display.attendant_language: found {found}, expected {one_of(LANGUAGES)}")
    if not chosen:
        raise ConfigError(f"display.languages: found no language, expected at least {one_of(LANGUAGES)}")
    for code in (*chosen, display.language):
        if code not in LANGUAGES:
            key = "languages" if code in chosen else "language"
            raise ConfigError(f"display.{key}: found {quote(code)}, expected {one_of(LANGUAGES)}")
    if len(set(chosen)) != len(chosen):
        raise ConfigError(f"display.languages: found a language twice in {cut(', '.join(chosen))}, expected each once")
    if display.language not in chosen:
        raise ConfigError(
            f"display.language: found {quote(display.language)}, expected one of display.languages, {show(chosen)}"
        )


def _check_pin(attendant: AttendantSection) -> None:
    pin = attendant.technician_pin
    if pin and not (len(pin) == PIN_LENGTH and pin.isascii() and pin.isdigit()):
        raise ConfigError(
            f"attendant.technician_pin: found {len(pin)} characters, expected {PIN_LENGTH} digits in quotes, or "
            "nothing for no PIN"
        )


def _check_words(machine: MachineSection) -> None:
    """Raises ConfigError for operator texts of several lines, or with letters that the screen's typefaces lack."""
    for key in ("venue", "location", "helpline"):
        found = getattr(machine, key)
        if not found.isprintable():
            raise ConfigError(f"machine.{key}: found {quote(found)}, expected one line of plain text")
        lacking = () if found.isascii() or key == "location" else _lacking(found)
        if lacking:
            raise ConfigError(
                f"machine.{key}: found {quote(found)} with {', '.join(map(quote, lacking))}, expected letters that the "
                "typefaces of the screen have, those of languages that are written in Latin letters"
            )


def _lacking(words: str) -> tuple[str, ...]:
    from cabinet.text.typefaces import letters_lacking  # slow to load, and few settings need it

    return letters_lacking(words)


def load(path: Path | None) -> Config:
    """Reads the settings of a file; None gives the defaults. Raises ConfigError."""
    return Config() if path is None else parse(_read(path), path)


def parse(text: str, path: Path) -> Config:
    """Reads settings from the text of a file; `path` is its name in messages. Raises ConfigError."""
    try:
        config = read_section(Config, tomllib.loads(text))
        _check_all(config)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {_place(str(error), text)}: is not TOML: {error}") from error
    except (RecursionError, ValueError) as error:
        raise ConfigError(f"{path}: is not a file of settings: {error}") from error
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    return config


def _check_all(config: Config) -> None:
    """Raises ConfigError with the mistakes that the checks find, one for each key: others follow from it."""
    mistakes: dict[str, str] = {}
    for check in (
        config.settings,
        config.wiring,
        partial(_check_devices, config),
        partial(_check_words, config.machine),
        partial(_check_data, config.data),
        partial(_check_display, config.display),
        partial(_check_languages, config.display),
        partial(_check_pin, config.attendant),
    ):
        try:
            check()
        except ConfigError as error:
            for mistake in error.mistakes:
                mistakes.setdefault(mistake.partition(":")[0], mistake)
    if mistakes:
        raise ConfigError(*mistakes.values())


def _read(path: Path) -> str:
    try:
        return read_text(path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}; give another file with --config") from error
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def _place(problem: str, text: str) -> str:
    """Returns the line that an error such as "… (at line 3, column 7)" names; the last line for the end of the file."""
    lines = text.splitlines() or [""]
    number = problem.partition("(at line ")[2].partition(",")[0]
    at = int(number) if number.isdigit() else len(lines)
    return f"line {at}, {cut(lines[at - 1].strip())}"

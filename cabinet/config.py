"""The operator's settings: a TOML file turned into checked, frozen values.

Nothing is guessed: an unknown key, a wrong type or a value that contradicts another is a ConfigError that names file,
key, what was found and what was expected. What is left out has the default written here. Knows no device and no clock.
"""

import tomllib
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from cabinet.engine.errors import RulesError
from cabinet.engine.rules import GAMES, Limits, Table
from cabinet.engine.state import Settings

Cents = Annotated[int, Meta(ge=0, le=10_000_000_000)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]


class ConfigError(Exception):
    """The settings cannot be used; the message names file, key, found and expected."""


class _Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the file; keys it does not know are refused."""


class MachineSection(_Section, frozen=True):
    """Who the machine is."""

    number: Annotated[int, Meta(ge=0, le=9_999)] = 42
    venue: str = "Blackjack Cabinet"
    location: str = ""
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")] = "USD"
    helpline: str = ""


class MoneySection(_Section, frozen=True):
    """What money may do. Every amount in cents."""

    notes_cents: tuple[Cents, ...] = Settings().notes_cents
    credit_limit_cents: Cents = Settings().credit_limit_cents
    ticket_max_cents: Cents = Settings().ticket_max_cents
    large_win_cents: Cents = Settings().large_win_cents
    increment_max_cents: Cents = Settings().increment_max_cents
    ticket_expires_days: Annotated[int, Meta(ge=30, le=3_650)] | None = 90
    rejects_max: Annotated[int, Meta(ge=1, le=1_000)] = 10


class LimitsSection(_Section, frozen=True):
    """The limits of one table, in cents."""

    min_cents: Cents = Limits().min_cents
    max_cents: Cents = Limits().max_cents
    chips_cents: tuple[Cents, ...] = Limits().chips_cents


class GamesSection(_Section, frozen=True):
    """What is played."""

    offered: tuple[str, ...] = tuple(GAMES)
    turbo: bool = True
    credit_cents: Annotated[int, Meta(ge=1, le=100_000)] = Limits().credit_cents
    limits: dict[str, LimitsSection] = {}


class LineSection(_Section, frozen=True):
    """A serial device."""

    port: str
    protocol: str
    baud: Annotated[int, Meta(ge=300, le=1_000_000)] = 9_600
    paper: str = "80mm"


class PanelSection(_Section, frozen=True):
    """The pins."""

    factory: str = "lgpio"


class DisplaySection(_Section, frozen=True):
    """The screen."""

    windowed: tuple[int, int] = (1280, 720)
    attract_after_s: Seconds = 60.0
    abandoned_after_s: Seconds = 600.0


class SoundSection(_Section, frozen=True):
    """How loud; the alarm is always loud."""

    volume: Annotated[int, Meta(ge=0, le=10)] = 6


class Config(_Section, frozen=True):
    """All settings."""

    machine: MachineSection = MachineSection()
    money: MoneySection = MoneySection()
    games: GamesSection = GamesSection()
    acceptor: LineSection = LineSection(port="/dev/cabinet/acceptor", protocol="ssp")
    printer: LineSection = LineSection(port="/dev/cabinet/printer", protocol="escpos", baud=19_200)
    panel: PanelSection = PanelSection()
    display: DisplaySection = DisplaySection()
    sound: SoundSection = SoundSection()

    def settings(self) -> Settings:
        """What the engine obeys. ConfigError when the parts contradict each other."""
        _check_games(self.games)
        try:
            tables = tuple(self._table(game_id) for game_id in self.games.offered)
        except RulesError as error:
            raise ConfigError(f"games: {error}") from error
        return Settings(
            tables=tables,
            notes_cents=tuple(sorted(self.money.notes_cents)),
            credit_limit_cents=self.money.credit_limit_cents,
            ticket_max_cents=self.money.ticket_max_cents,
            large_win_cents=self.money.large_win_cents,
            increment_max_cents=self.money.increment_max_cents,
            turbo_allowed=self.games.turbo,
            rejects_max=self.money.rejects_max,
        )

    def _table(self, game_id: str) -> Table:
        section = self.games.limits.get(game_id, LimitsSection())
        limits = Limits(
            min_cents=section.min_cents,
            max_cents=section.max_cents,
            chips_cents=section.chips_cents,
            credit_cents=self.games.credit_cents,
        )
        return Table(rules=GAMES[game_id], limits=limits)


def _check_games(games: GamesSection) -> None:
    known = ", ".join(GAMES)
    for key, names in (("offered", games.offered), ("limits", tuple(games.limits))):
        for name in names:
            if name not in GAMES:
                raise ConfigError(f"games.{key}: found {name!r}, expected one of {known}")
    if not games.offered:
        raise ConfigError(f"games.offered: found no game, expected at least one of {known}")
    if len(set(games.offered)) != len(games.offered):
        raise ConfigError(f"games.offered: found a game twice in {', '.join(games.offered)}, expected each once")


def load(path: Path | None) -> Config:
    """The settings in a file, or the defaults for None. Raises ConfigError."""
    if path is None:
        return Config()
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}; give another file with --config") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: is not TOML: {error}") from error
    try:
        config = msgspec.convert(raw, Config)
        config.settings()
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {_explain(str(error), raw)}") from error
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    return config


def _explain(message: str, raw: dict[str, Any]) -> str:
    """The library's sentence with the key in front and what was found behind."""
    problem, _, where = message.partition(" - at `")
    key = where.removesuffix("`").removeprefix("$").lstrip(".")
    found: Any = raw
    for part in key.replace("[...]", "").split("."):
        found = found.get(part) if isinstance(found, dict) else None
    tail = "" if found is None or isinstance(found, dict) else f" (found {found!r})"
    return f"{key or 'the file'}: {problem[:1].lower()}{problem[1:]}{tail}"

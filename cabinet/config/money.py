"""The money section of the settings: accepted notes and limits.

Rules: a setting without effect is refused, because its author expects one: a note that the currency does not have, a
note that the machine would always return, a credit limit below the smallest bet. The module knows amounts and the notes
of each currency, no device.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from cabinet.config.reader import Cents, ConfigError
from cabinet.engine.rules import Table
from cabinet.engine.state import Settings
from cabinet.text.quoting import show

NOTES: Mapping[str, tuple[int, ...]] = {
    "USD": (100, 200, 500, 1_000, 2_000, 5_000, 10_000),
    "CAD": (500, 1_000, 2_000, 5_000, 10_000),
    "AUD": (500, 1_000, 2_000, 5_000, 10_000),
    "NZD": (500, 1_000, 2_000, 5_000, 10_000),
    "EUR": (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000),
    "GBP": (500, 1_000, 2_000, 5_000, 10_000),
    "CHF": (1_000, 2_000, 5_000, 10_000, 20_000, 100_000),
}
"""The notes in circulation of each currency, in cents; GBP includes the hundred of Scotland and Northern Ireland."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneySection:
    """Limits of money, in cents."""

    notes_cents: tuple[Cents, ...] = Settings().notes_cents
    credit_limit_cents: Cents = Settings().credit_limit_cents
    ticket_max_cents: Cents = Settings().ticket_max_cents
    large_win_cents: Cents = Settings().large_win_cents
    increment_max_cents: Cents = Settings().increment_max_cents
    ticket_expires_days: Annotated[int, Meta(ge=0, le=3_650)] = Settings().ticket_expires_days
    """0 for never."""
    tickets_in: bool = Settings().tickets_in
    """True if the machine takes its own tickets, where the acceptor reads them."""
    rejects_max: Annotated[int, Meta(ge=1, le=1_000)] = Settings().rejects_max


def check_money(money: MoneySection, tables: Iterable[Table]) -> None:
    """Raises ConfigError when the amounts contradict each other or these tables."""
    notes, days = money.notes_cents, money.ticket_expires_days
    largest, least_bet = max(notes, default=0), min((table.limits.min_cents for table in tables), default=0)
    for key, wrong, found, expected in (
        ("notes_cents", len(set(notes)) != len(notes), f"a note twice in {show(notes)}", "each once"),
        ("notes_cents", 0 in notes, "a note of 0", "more than 0"),
        (
            "credit_limit_cents",
            largest > money.credit_limit_cents,
            money.credit_limit_cents,
            f"at least the largest note, {largest}: it would always go back; leave it out of money.notes_cents",
        ),
        (
            "credit_limit_cents",
            least_bet > money.credit_limit_cents,
            money.credit_limit_cents,
            f"at least the smallest min_cents of the games, {least_bet}: no bet could be placed",
        ),
        (
            "increment_max_cents",
            largest >= money.increment_max_cents,
            money.increment_max_cents,
            f"more than the largest note, {largest}",
        ),
        ("ticket_expires_days", 0 < days < 30, days, "30 or more, or 0 for never"),
    ):
        if wrong:
            raise ConfigError(f"money.{key}: found {found}, expected {expected}")


def check_notes(money: MoneySection, currency: str) -> None:
    """Raises ConfigError when this currency does not have one of the notes."""
    strange = strange_notes(money.notes_cents, currency)
    if strange:
        raise ConfigError(
            f"money.notes_cents: found a note of {strange[0]}, expected some of the notes of {currency}: "
            f"{', '.join(map(str, NOTES[currency]))}; list the notes to accept, or set machine.currency"
        )


def strange_notes(notes_cents: Iterable[int], currency: str) -> tuple[int, ...]:
    """Returns the amounts that are no notes of the currency."""
    return tuple(cents for cents in notes_cents if cents not in NOTES[currency])

"""The money part of the settings: which notes there are, and what money may do.

Rules: what can never happen is refused, because whoever wrote it believes in it: a note that the currency does not
have, one that would always go back, a credit that no bet fits in. Knows amounts and the currencies' notes, no device.
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
"""The notes of each currency that are paid with, in cents; of GBP also the hundred of Scotland and Northern Ireland."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneySection:
    """What money may do. Every amount in cents."""

    notes_cents: tuple[Cents, ...] = Settings().notes_cents
    credit_limit_cents: Cents = Settings().credit_limit_cents
    ticket_max_cents: Cents = Settings().ticket_max_cents
    large_win_cents: Cents = Settings().large_win_cents
    increment_max_cents: Cents = Settings().increment_max_cents
    ticket_expires_days: Annotated[int, Meta(ge=0, le=3_650)] = Settings().ticket_expires_days
    """0 for never."""
    tickets_in: bool = Settings().tickets_in
    """Whether this machine's own tickets are taken, where the acceptor reads them."""
    rejects_max: Annotated[int, Meta(ge=1, le=1_000)] = Settings().rejects_max


def check_money(money: MoneySection, tables: Iterable[Table]) -> None:
    """Whether the amounts can go together, at these tables. Raises ConfigError."""
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
    """Whether the notes are such as this currency, one of those known, has. Raises ConfigError."""
    strange = strange_notes(money.notes_cents, currency)
    if strange:
        raise ConfigError(
            f"money.notes_cents: found a note of {strange[0]}, expected some of the notes of {currency}: "
            f"{', '.join(map(str, NOTES[currency]))}; write those that are to be taken, or set machine.currency"
        )


def strange_notes(notes_cents: Iterable[int], currency: str) -> tuple[int, ...]:
    """The amounts that are no notes of a currency."""
    return tuple(cents for cents in notes_cents if cents not in NOTES[currency])

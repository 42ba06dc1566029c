"""The money part of the settings: notes that there are, amounts that go together. See test_config as well."""

from dataclasses import replace

import pytest

from cabinet.config.money import NOTES, MoneySection, check_money, check_notes, strange_notes
from cabinet.config.reader import ConfigError
from cabinet.engine.rules import EUROPEAN, Limits, Table
from cabinet.text.amounts import CURRENCIES
from drivers.bills.ebds.codec import NOTE_TABLES

TABLES = (
    Table(rules=EUROPEAN, limits=Limits(min_cents=1_000)),
    Table(rules=EUROPEAN, limits=Limits(min_cents=500)),
)


def test_every_currency_has_its_notes_from_small_to_large_in_whole_units() -> None:
    assert NOTES.keys() == CURRENCIES.keys()
    for notes in NOTES.values():
        assert list(notes) == sorted(set(notes))
        assert all(cents % 100 == 0 for cents in notes)


def test_what_acceptors_are_known_to_take_are_notes_of_the_currency() -> None:
    assert all(not strange_notes(cents, currency) for currency, cents in NOTE_TABLES.items())


@pytest.mark.parametrize("currency", NOTES)
def test_the_notes_of_a_currency_are_taken_and_no_other(currency: str) -> None:
    check_notes(MoneySection(notes_cents=NOTES[currency]), currency)
    with pytest.raises(ConfigError, match=f"found a note of 300, expected some of the notes of {currency}: "):
        check_notes(MoneySection(notes_cents=(*NOTES[currency], 300)), currency)


def test_a_limit_that_one_note_fills_is_enough() -> None:
    money = MoneySection(notes_cents=(500, 2_000), credit_limit_cents=2_000)
    check_money(money, TABLES)
    with pytest.raises(ConfigError, match="found 1999, expected at least the largest note, 2000"):
        check_money(replace(money, credit_limit_cents=1_999), TABLES)


def test_the_least_bet_of_one_table_must_fit_in_the_credit() -> None:
    money = MoneySection(notes_cents=(), credit_limit_cents=500)
    check_money(money, TABLES)
    with pytest.raises(ConfigError, match="found 499, expected at least the smallest min_cents of the games, 500"):
        check_money(replace(money, credit_limit_cents=499), TABLES)

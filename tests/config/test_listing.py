"""Every setting with its value, the value as delivered and what it may be."""

from dataclasses import replace

import pytest

from cabinet.config.key_names import unguarded
from cabinet.config.listing import ListedSetting, list_settings
from cabinet.config.settings import AttendantSection, Config, DisplaySection

DELIVERED = Config()


def listed(config: Config) -> dict[str, ListedSetting]:
    """The settings by their keys."""
    return {each.key: each for each in list_settings(config, DELIVERED)}


def test_every_setting_is_listed_once():
    found = list(list_settings(DELIVERED, DELIVERED))
    assert len(found) == len({each.key for each in found})
    assert unguarded(DELIVERED).shown.keys() <= {each.key for each in found}


def test_as_delivered_no_setting_is_changed():
    assert not [each for each in listed(DELIVERED).values() if each.changed]


def test_a_changed_setting_has_both_values():
    config = replace(DELIVERED, display=DisplaySection(abandoned_after_s=900.0))
    changed = [each for each in listed(config).values() if each.changed]
    assert [(each.key, each.value, each.delivered) for each in changed] == [
        ("display.abandoned_after_s", "900.0", "600.0")
    ]


def test_a_secret_shows_only_that_it_is_set():
    config = replace(DELIVERED, attendant=AttendantSection(technician_pin="314159"))
    assert "314159" not in str(listed(config))
    assert listed(config)["attendant.technician_pin"].value == "set"


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("display.abandoned_after_s", "a number from 30 to 86400"),
        ("money.rejects_max", "a whole number"),
        ("games.turbo", "true or false"),
        ("attendant.technician_pin", "six digits in quotes"),
        ("display.languages", "a list"),
        ("acceptor.encryption", "one of auto"),
    ],
)
def test_what_a_setting_may_be_is_in_words(key: str, words: str):
    assert listed(DELIVERED)[key].allowed.startswith(words)


def test_no_setting_is_without_words_of_what_it_may_be():
    assert not [each.key for each in listed(DELIVERED).values() if len(each.allowed) < 5]

"""Every setting that can differ has the name that it has in the operator's file, proved by reading that file."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.cases import case

from cabinet.config.key_names import KEYS, LONGEST_VALUE, named, operator_key, unguarded, word
from cabinet.config.settings import Config, load
from cabinet.engine.state import Settings
from cabinet.runtime.build import guarded_identity
from cabinet.runtime.startup import differences, plain_settings

SAMPLE = Path(__file__).parents[2] / "assets" / "cabinet.toml"


def leaves(plain: dict[str, Any], path: str = "") -> Iterator[str]:
    """The way to every value of a table of tables."""
    for name, value in plain.items():
        full = f"{path}.{name}" if path else name
        if isinstance(value, dict) and value:
            yield from leaves(value, full)
        else:
            yield full


def guarded(config: Config) -> dict[str, Any]:
    """What a start compares with the last one."""
    return {**plain_settings(config.settings()), **guarded_identity(config)}


NAMES = sorted(name for name in leaves(guarded(Config())) if not name.endswith(".rules.game_id"))


def test_every_guarded_setting_is_a_key_of_the_sample_file() -> None:
    for name in NAMES:
        with case(name=name):
            assert operator_key(name) in set(leaves(tomllib.loads(SAMPLE.read_text(encoding="utf-8"))))


def test_no_name_is_kept_of_a_setting_that_is_none() -> None:
    assert set(KEYS) - set(NAMES) == set()


CHANGES = {
    "machine.number": "7",
    "machine.currency": '"EUR"',
    "money.notes_cents": "[500, 1000]",
    "money.credit_limit_cents": "200000",
    "money.ticket_max_cents": "200000",
    "money.large_win_cents": "90000",
    "money.increment_max_cents": "900000",
    "money.ticket_expires_days": "60",
    "money.tickets_in": "false",
    "money.rejects_max": "5",
    "games.offered": '["classic", "table"]',
    "games.turbo": "false",
    "games.credit_cents": "50",
    "games.limits.classic.max_cents": "5000",
    "games.rules.classic.cards_max": "7",
    "games.rules.table.splits_max": "2",
    "session.limits": "false",
    "attendant.technician_pin": '"493817"',
}


@pytest.mark.requirement("AT-09")
@pytest.mark.parametrize("key", CHANGES)
def test_a_changed_setting_is_reported_under_its_key_in_the_file(key: str, tmp_path: Path) -> None:
    section, _, last = key.rpartition(".")
    notes = "\n[money]\nnotes_cents = [500, 1000]\n" if key == "machine.currency" else ""
    chips = "chips_cents = [100, 500]\n" if last == "max_cents" else ""
    file = tmp_path / "cabinet.toml"
    file.write_text(f"[{section}]\n{last} = {CHANGES[key]}\n{chips}{notes}", encoding="utf-8")
    keys = [name for name, _, _ in named(differences(guarded(Config()), guarded(load(file))))]
    beside = {"money.notes_cents"} if notes else {"games.limits.classic.chips_cents"} if chips else set()
    assert set(keys) == {key, *beside}
    assert keys == sorted(keys), "each once, in order"


def test_every_setting_of_the_engine_is_changed_by_one_of_these() -> None:
    ours = {operator_key(name) for name in NAMES}
    assert {key for key in ours if not key.startswith(("games.limits.", "games.rules."))} <= set(CHANGES)
    assert Settings() == Config().settings()


def test_a_value_is_reported_as_in_the_file_and_a_pin_never() -> None:
    changes = [
        ("classic.rules.cards_max", None, 7),
        ("technician_pin", False, True),
        ("classic.limits.credit_cents", 25, 50),
        ("table.limits.credit_cents", 25, 50),
    ]
    assert named(changes) == (
        ("attendant.technician_pin", "empty", "set"),
        ("games.credit_cents", "25", "50"),
        ("games.rules.classic.cards_max", "0", "7"),
    )


def test_every_setting_is_guarded_or_reported_and_secrets_are_hidden() -> None:
    found = unguarded(Config())
    ours = {operator_key(name) for name in NAMES}
    sample = {key for key in leaves(tomllib.loads(SAMPLE.read_text(encoding="utf-8"))) if not key.startswith("games.")}
    known = ours | found.shown.keys() | found.hidden.keys()
    assert {key for key in sample - known if not key.startswith("panel.inputs.")} == {"panel.lamps.pins"} - known
    assert found.hidden.keys() == {"attendant.technician_pin", "acceptor.fixed_key"}
    assert not ours & found.shown.keys()
    assert "0123456701234567" not in repr(found)


def test_what_is_not_guarded_is_in_words(tmp_path: Path) -> None:
    file = tmp_path / "cabinet.toml"
    file.write_text('[panel.inputs]\nhit = { pin = 9 }\n[display]\nlanguages = ["en", "de"]\n', encoding="utf-8")
    shown = unguarded(load(file)).shown
    assert (shown["panel.inputs"], shown["display.languages"]) == ("hit=(pin=9)", "en de")
    assert shown["panel.lamps.pins"] == "none"
    assert shown["machine.helpline"] == ""


def test_values_are_said_in_words() -> None:
    assert [word(value) for value in (True, False, None, "", [], 3, "a b", [1, 2])] == [
        "yes", "no", "none", "none", "none", "3", "a b", "1 2",
    ]  # fmt: skip
    assert word({"hit": {"pin": 9, "pull": "up"}, "deal": {"pin": 4}}) == "deal=(pin=4) hit=(pin=9 pull=up)"
    assert word({}) == "none"
    assert len(word("x" * 1_000)) == LONGEST_VALUE

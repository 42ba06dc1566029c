"""The pages of the machine: identity, settings, and every rule of every game."""

from dataclasses import fields, replace

import pytest
from support.attendant_data import bare_desk
from support.machines import one_table, seated

from cabinet.attendant import machine_reports
from cabinet.attendant.data import SettingRow
from cabinet.attendant.pages import LineStyle
from cabinet.engine.rules import EUROPEAN, Rules


def _read(lines) -> dict[str, str]:
    """Labels and values."""
    return {line.cells[0]: line.cells[-1] for line in lines if len(line.cells) > 1}


@pytest.mark.requirement("AT-04")
def test_identity_version_hash_and_the_settings_of_money_and_play_are_on_a_page():
    data = replace(bare_desk(seated()), identity=(("Program", "1.0"), ("Program hash", "ab12")))
    lines = (
        *machine_reports.machine_lines(data),
        *machine_reports.setting_lines(data),
        *machine_reports.table_lines(data),
    )
    found = _read(lines)
    assert found["Program hash"] == "ab12"
    assert found["Notes taken"] == "$1.00, $5.00, $10.00, $20.00, $50.00, $100.00"
    assert found["Paid by hand above"] == "$3,000.00"
    assert found["A game is a large win from"] == "$1,200.00"
    assert (found["TURBO"], found["Players' own limits"]) == ("allowed", "allowed")
    assert found["Limits of a place"] == "$1.00 to $100.00"


def test_what_is_switched_off_says_so():
    settings = one_table(EUROPEAN, notes_cents=(), large_win_cents=0, turbo_allowed=False, player_limits=False)
    found = _read(machine_reports.setting_lines(replace(bare_desk(seated()), settings=settings)))
    assert found["Players' own limits"] == "off"
    assert (found["Notes taken"], found["A game is a large win from"], found["TURBO"]) == ("none", "never", "off")


@pytest.mark.requirement("SE-05")
def test_every_rule_of_every_game_is_on_the_page():
    settings = one_table(EUROPEAN)
    found = _read(machine_reports.table_lines(replace(bare_desk(seated()), settings=settings)))
    rules = [item.name for item in fields(Rules) if item.name not in {"game_id", "title"}]
    assert all(name.replace("_", " ").capitalize() in found for name in rules)
    assert found["Blackjack pays"] == "3 to 2"
    assert found["Split by"] == "identical rank"
    assert found["Cards max"] == "no limit"
    assert found["Hole card"] == "no"


def test_every_setting_stands_in_its_section_and_a_changed_one_is_marked():
    rows = (
        SettingRow(key="money.rejects_max", value="10", delivered="10", allowed="a whole number from 1 to 1000"),
        SettingRow(key="sound.volume", value="9", delivered="6", allowed="a whole number from 0 to 10"),
    )
    lines = machine_reports.every_setting_lines(replace(bare_desk(seated()), every_setting=rows))
    assert [line.cells for line in lines[-4:]] == [
        ("money", "Value", "Allowed"),
        ("rejects_max", "10", "a whole number from 1 to 1000"),
        ("sound", "Value", "Allowed"),
        ("volume", "9, delivered 6", "a whole number from 0 to 10"),
    ]
    assert [line.style for line in lines[-4:]] == [LineStyle.HEAD, LineStyle.NORMAL, LineStyle.HEAD, LineStyle.STRONG]

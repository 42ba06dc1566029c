"""The operator's manual keeps up with the machine: every lock, menu entry, choice and setting is in it."""

import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from support.attendant_data import MenuHand, bare_desk
from support.cases import case
from support.machines import seated

from cabinet.attendant.menu import GROUPS
from cabinet.config.settings import RULES, Config
from cabinet.engine.inputs import Settlement
from cabinet.engine.locks import LOCKS
from cabinet.engine.state import ClearedBy, LockKind
from drivers.bills.catalog import PROTOCOLS

MANUAL = (Path(__file__).parents[2] / "docs" / "operator.md").read_text(encoding="utf-8")


def _rows(heading: str) -> dict[str, str]:
    """The table rows below a heading: first cell and the rest."""
    (part,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", MANUAL, re.MULTILINE | re.DOTALL)
    lines = [line.strip("| ").split(" | ", 1) for line in part.splitlines() if line.startswith("| ")]
    return {line[0]: line[1] for line in lines if len(line) == 2}


@pytest.mark.requirement("TE-02")
def test_every_lock_has_a_row_under_its_name_in_the_order_of_the_machine():
    named = [name for name in _rows("Locks") if name != "lock"]
    assert named == [kind.value for kind in LockKind]


def test_the_row_says_how_the_lock_ends():
    for kind in LockKind:
        with case(kind=kind):
            words = _rows("Locks")[kind.value]
            ends_by_itself = LOCKS[kind].cleared_by is ClearedBy.CONDITION
            assert ("ends by itself" in words) == ends_by_itself


def test_every_choice_of_a_lock_is_named():
    assert [how.value for how in Settlement if how.value.capitalize() not in MANUAL] == []


@pytest.mark.requirement("AT-04")
def test_every_entry_of_the_menu_is_explained_in_its_order():
    """A row has a page, pages of a group (`Money: *Hand-pays*`), or a group with its pages in the text."""
    found: dict[str, list[str]] = {}
    for name, words in _rows("The menu").items():
        group, _, pages = name.partition(": ")
        found.setdefault(group.strip("*"), []).extend(_emphasised(pages or words))
    labels = [re.sub(r" \(\d+\)$", "", label) for label in MenuHand(data=bare_desk(seated())).page.menu]
    assert list(found)[1:] == labels
    for group in GROUPS:
        with case(group=group.name):
            pages = [leaf.name for leaf in group.leaves]
            assert [name for name in found[group.name] if name in pages] == pages


def _emphasised(words: str) -> list[str]:
    return re.findall(r"\*([^*]+)\*", words)


def _keys(section: object, prefix: str = "") -> list[str]:
    """Every key down to what is a table of its own for each game or contact."""
    found = []
    for item in fields(section):  # type: ignore[arg-type]
        value, name = getattr(section, item.name), f"{prefix}{item.name}"
        deeper = is_dataclass(value) and name != "panel.lamps"
        found += _keys(value, f"{name}.") if deeper else [name]
    return found


def test_every_setting_and_rule_is_explained():
    missing = [key for key in (*_keys(Config()), *RULES) if f"`{key}`" not in MANUAL]
    assert missing == []


def test_what_the_meters_say_of_a_games_return_is_explained():
    assert {words for words in ("Band of 99 in 100 actual returns", "Outside its band") if words not in MANUAL} == set()


@pytest.mark.requirement("PL-09")
def test_it_says_what_the_logic_door_must_be_open_for():
    assert "can be entered only while the logic door is open" in " ".join(MANUAL.split())
    assert "The logic door must stay open until then" in " ".join(MANUAL.split())


def test_every_language_of_an_acceptor_is_named():
    assert [name for name in PROTOCOLS if f"`{name}`" not in MANUAL] == []


@pytest.mark.requirement("TE-08")
def test_it_says_that_a_door_opened_and_shut_without_power_leaves_no_trace():
    assert "A door opened and shut again while the power was off leaves no trace" in MANUAL

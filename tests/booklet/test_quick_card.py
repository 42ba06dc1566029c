"""The quick card: one page in each language, with the menu's own names."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from support.attendant_data import bare_desk
from support.machines import seated

from cabinet.attendant.menu import GROUPS
from cabinet.attendant.menu.table import first_entries
from cabinet.booklet.quick_card import COLUMN, EDGE, HIGH, LOCKS, WIDE, quick_card
from cabinet.text.attendant_words import say
from cabinet.text.messages import LANGUAGES

CARDS = Path(__file__).parents[2] / "docs" / "quick-card"
NAMESPACE = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_card_is_one_page(language: str):
    picture = ET.fromstring(quick_card(language))
    texts = list(picture.iter(f"{NAMESPACE}text"))
    assert (picture.get("width"), picture.get("height")) == (f"{WIDE}mm", f"{HIGH}mm")
    assert all(EDGE <= float(each.get("x")) <= WIDE - EDGE - COLUMN for each in texts)
    assert all(EDGE <= float(each.get("y")) <= HIGH - EDGE for each in texts)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_card_names_every_lock_of_its_list(language: str):
    words = {each.text for each in ET.fromstring(quick_card(language)).iter(f"{NAMESPACE}text")}
    assert {say(language, kind.value.capitalize()) for kind in LOCKS} <= words


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_card_leads_to_pages_that_are_there(language: str):
    words = " ".join(each.text for each in ET.fromstring(quick_card(language)).iter(f"{NAMESPACE}text"))
    pages = ["Money", "Close the period", "Closed periods and cash boxes", "Games", "Last games"]
    known = {name for group in GROUPS for name in (group.name, *(leaf.name for leaf in group.leaves))}
    assert set(pages) <= known
    for name in pages:
        assert say(language, name) in words
    assert "Pay ticket" in {entry.label for entry in first_entries(bare_desk(seated()))}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_cards_of_the_documents_are_the_present_ones(language: str):
    kept = (CARDS / f"{language}.svg").read_text(encoding="utf-8")
    assert kept == quick_card(language), (
        f"run: cabinet quick-card --language {language} --svg docs/quick-card/{language}.svg"
    )


def test_no_word_of_a_card_is_left_in_english():
    found = {code: set(re.findall(r">([^<>]{12,})</text>", quick_card(code))) for code in LANGUAGES}
    for code in sorted(set(LANGUAGES) - {"en"}):
        assert not found[code] & found["en"]

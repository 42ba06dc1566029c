"""The attendant's texts: each one of the source is in the English list; without a translation it is English."""

import importlib.util
import string
from pathlib import Path

import pytest

from cabinet.attendant.advice import ADVICE
from cabinet.text import attendant_words
from cabinet.text.messages import LANGUAGES

SCRIPT = Path(__file__).parents[2] / ".ci" / "attendant_words.py"


@pytest.fixture(scope="module")
def script():
    """The script that reads the texts of the source."""
    spec = importlib.util.spec_from_file_location("attendant_words_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parts(words: str) -> set[str]:
    """Returns the names of a text's parts."""
    return {name for _, name, _, _ in string.Formatter().parse(words) if name}


def test_each_text_of_the_source_is_in_the_english_list_and_no_other(script):
    assert script.source_texts() == script.listed_texts("en"), "run .ci/attendant_words.py"


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_every_text_of_the_source_has_a_translation_with_its_parts(script, language):
    assert script.untranslated(language) == set()
    translations = attendant_words.translations(language)
    assert set(translations) <= script.source_texts()
    assert {english for english, words in translations.items() if parts(words) != parts(english)} == set()


def test_a_text_without_a_translation_is_english_with_its_parts():
    assert attendant_words.say("xx", "{count} locks", count=2) == "2 locks"
    assert attendant_words.say("en", "100 % {as_written}") == "100 % {as_written}"


def test_a_missing_part_is_an_error():
    with pytest.raises(KeyError):
        attendant_words.say("en", "{count} locks", number=2)


def test_both_texts_of_a_lock_are_in_the_list(script):
    listed = script.source_texts()
    assert {text for advice in ADVICE.values() for text in (advice.what, advice.to_do)} <= listed

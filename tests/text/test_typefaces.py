"""Letters that can be drawn, and those that cannot."""

import pytest

from cabinet.text.messages import LANGUAGES, Language
from cabinet.text.po_files import catalogue_of
from cabinet.text.typefaces import letters_lacking


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_every_letter_of_the_catalogues_can_be_drawn(language: Language):
    texts = catalogue_of(language).texts.values()
    assert letters_lacking("".join(form for forms in texts for form in forms)) == ()


@pytest.mark.parametrize(
    "text", ["Kasyno Łódź", "Café de l’Étoile – n° 5 · €", "Kursaal Öst", "İstanbul", "a b\u202fc"]
)
def test_languages_in_latin_letters_lack_nothing(text: str):
    assert letters_lacking(text) == ()


def test_missing_letters_are_named_once_in_order():
    assert letters_lacking("賭場 ☎ 賭 Ω") == ("賭", "場", "☎", "Ω")

"""Each language is complete: every key, the same parts, nothing left in English; and broken files are named."""

import re
import string
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from cabinet.engine.inputs import Button
from cabinet.text.messages import ENGLISH, LANGUAGES, Key
from cabinet.text.po_files import SOURCE, Catalogue, CatalogueError, Language, catalogue_of, read_texts

MAY_EXCLAIM = {"YOU_WIN", "LARGE_WIN_TITLE"}
OTHERS = [language for code, language in LANGUAGES.items() if code != SOURCE]
each = pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda language: language.code)
translated = pytest.mark.parametrize("language", OTHERS, ids=lambda language: language.code)

SAME_EVERYWHERE = {
    "GAME_EUROPEAN": "names of games",
    "GAME_TABLE": "names of games",
    "GAME_CLASSIC": "names of games",
    "ATTRACT_HEADING": "the game is called Blackjack",
    "RESULT_BLACKJACK": "the game is called Blackjack",
    "DEALER_BLACKJACK": "the game is called Blackjack",
    "ITEM_TURBO": "Turbo is Turbo",
}
"""Key -> why its text is the same in every language."""
SAME_BY_CHANCE = {
    "de": {"RULES_BLACKJACK", "BUTTON_SERVICE", "LIMITS", "SOFT"},
    "fr": {
        "BUTTON_SERVICE",
        "BUTTON_PLACE",
        "FOOTER_MACHINE",
        "SOFT",
        "TOTAL_SOFT",
        "LOCK_FOOT",
        "SECOND_TURBO",
        "SESSION_MINUTES",
        "SESSION_HOURS",
        "ON_TICKET_MACHINE",
    },
    "es": {"SESSION_MINUTES", "SESSION_HOURS", "QUESTION_NO", "SECOND_TURBO"},
}
"""Language -> keys whose words it shares with English."""


def texts_of(language: Language) -> dict[str, tuple[str, ...]]:
    """Returns the texts of a language's file as written."""
    return read_texts(language.path)[0]


def parts(text: str) -> set[str]:
    """Returns the names of a text's parts."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


# --- the files --------------------------------------------------------------------------------------------------


@each
def test_every_key_has_its_text_in_the_order_of_the_keys(language: Language):
    assert list(texts_of(language)) == [key.name for key in Key]


@each
def test_no_key_is_written_twice_and_nothing_waits_for_a_translator(language: Language):
    text = language.path.read_text(encoding="utf-8")
    names = re.findall(r'^msgid "(\w+)"$', text, flags=re.MULTILINE)
    assert len(names) == len(set(names))
    assert "fuzzy" not in text


@each
def test_files_say_which_language_they_are_and_pass_the_checks_of_gettext(language: Language):
    with language.path.open("rb") as file:
        found = read_po(file, abort_invalid=True)
    assert found.locale is not None
    assert found.locale.language == language.code
    assert list(found.check()) == []


@translated
def test_a_translation_takes_the_same_parts_and_names_the_same_buttons(language: Language):
    english, other = texts_of(ENGLISH), texts_of(language)
    wanted = {name: set().union(*map(parts, forms)) for name, forms in english.items()}
    assert {name: set().union(*map(parts, forms)) for name, forms in other.items()} == wanted


@each
def test_a_number_has_all_its_forms(language: Language):
    english, other = texts_of(ENGLISH), texts_of(language)
    assert {n for n, forms in other.items() if len(forms) > 1} == {n for n, forms in english.items() if len(forms) > 1}
    plural = catalogue_of(language).plural
    assert {plural(count) for count in range(1000)} == {0, 1}
    assert plural(1) == 0


@translated
def test_nothing_is_left_in_english(language: Language):
    english, other = texts_of(ENGLISH), texts_of(language)
    same = {name for name, forms in other.items() if forms == english[name] and re.search(r"[A-Za-z]{2}", _bare(forms))}
    assert same == SAME_EVERYWHERE.keys() | SAME_BY_CHANCE[language.code]


def _bare(forms: tuple[str, ...]) -> str:
    """Returns the texts without their parts."""
    return re.sub(r"\{\w+\}", "", " ".join(forms))


@each
def test_only_a_real_win_has_an_exclamation_mark(language: Language):
    assert {name for name, forms in texts_of(language).items() if "!" in " ".join(forms)} <= MAY_EXCLAIM


@each
def test_no_text_mentions_a_full_cash_box(language: Language):
    other = " ".join(" ".join(forms) for forms in texts_of(language).values()).lower()
    assert not re.search(r"cash ?box|stacker|\bfull|kassette|\bvoll\b|\bplein|coffre|\bllen[oa]\b|apilador", other)


@each
def test_texts_use_typographic_signs(language: Language):
    for name, forms in texts_of(language).items():
        for text in forms:
            assert text == text.strip(), name
            assert "  " not in text, name
            assert "..." not in text, name
            assert not set("'\"") & set(text), name


def test_french_keeps_its_high_signs_on_the_line_of_their_word():
    for name, forms in texts_of(LANGUAGES["fr"]).items():
        assert not re.search(r"[^\xa0\u202f][;:!?»](\s|$)", " ".join(forms)), name


# --- reading ----------------------------------------------------------------------------------------------------


def test_names_of_buttons_are_those_on_the_legends():
    for language in LANGUAGES.values():
        texts = catalogue_of(language).texts
        hit, stand = texts[Key.BUTTON_HIT][0], texts[Key.BUTTON_STAND][0]
        assert hit in texts[Key.INSURANCE_HINT][0]
        assert stand in texts[Key.INSURANCE_HINT][0]
        assert texts[Key.ITEM_RULES][0] in texts[Key.INSERT_NOTE_HINT][0]


def test_every_button_has_a_name():
    assert {f"BUTTON_{button.name}" for button in Button} <= {key.name for key in Key}


def _written(folder: Path, code: str, body: str) -> Language:
    """Returns a language with a file of its own."""
    language = Language(code=code, folder=folder)
    language.path.parent.mkdir(parents=True)
    head = f'msgid ""\nmsgstr ""\n"Language: {code}\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
    language.path.write_text(head + body, encoding="utf-8")
    return language


def test_a_missing_text_is_given_in_english(tmp_path: Path):
    language = _written(tmp_path, "nl", 'msgid "METER_BET"\nmsgstr "INZET"\n\nmsgid "METER_PAID"\nmsgstr ""\n')
    found: Catalogue = catalogue_of(language)
    assert found.texts[Key.METER_BET] == ("INZET",)
    assert found.texts[Key.METER_PAID] == ("PAID",)
    assert found.texts[Key.METER_CREDIT] == ("CREDIT",)


def test_a_fuzzy_text_is_not_used(tmp_path: Path):
    language = _written(tmp_path, "nl", '#, fuzzy\nmsgid "METER_BET"\nmsgstr "GELD"\n')
    assert catalogue_of(language).texts[Key.METER_BET] == ("BET",)


@pytest.mark.parametrize("body", ["msgid METER_BET\n", "what is this\n"])
def test_a_broken_file_is_named(tmp_path: Path, body: str):
    language = _written(tmp_path, "nl", body)
    with pytest.raises(CatalogueError, match=r"nl/LC_MESSAGES/player\.po"):
        read_texts(language.path)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(CatalogueError, match=r"player\.po"):
        catalogue_of(Language(code="xx", folder=tmp_path))

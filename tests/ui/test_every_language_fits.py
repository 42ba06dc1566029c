"""Every text on every screen fits its room, in every language and in a pseudo language longer than all."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.display import open_display
from support.fitting import Set, words_set
from support.pseudo import PSEUDO, TONGUES, pseudo, spoken
from support.tables import SIZES

from cabinet.tools.screens_gallery import gallery, screen_of
from cabinet.ui.view import HelpView, Scene, Screen

pytestmark = pytest.mark.screen

READABLE = 16.0
"""The smallest type on a screen that is 1080 high, in pixels. Its capitals are two millimetres high on a cabinet's
display, and seven minutes of arc at a metre; a good eye can read five."""
OF_SMALL_CARDS = 12.0
"""The same for the word over the number of a soft total, on a table so full that its cards are small."""
OF_NO_LANGUAGE = 13.0
"""The same for the pseudo language."""
LEAST_SHARE = 0.55
"""The least size of a text, as a share of its intended size, so that large texts stay large."""
PLAYED = {"help": "european", "table-at-21": "table", "classic-deciding": "classic"}
"""An exhibit of each game, to open its help in."""
OF_THE_CABINET = {"Blackjack Cabinet", "Play for fun. Help: 0800 000 000", "EN", "[5 March 2031, 14:32]"}
"""Not in the catalogue: the operator's own texts, the languages' own names, and dates."""
FOUND = re.compile(r"games\.turbo|/var/lib/\S+=[\w:]+")
"""A refused setting, and a folder on its file system or device, have the same name in every language."""
WORD = re.compile(r"[^\W\d_]{2,}")
PLAIN_VOWEL = re.compile(r"[aeiouAEIOU]")
"""In no word of the pseudo language."""

tongues = pytest.mark.parametrize("tongue", TONGUES)
sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def shown(tongue: str) -> Iterator[tuple[str, Screen]]:
    """Yields every screen of a player, in a language."""
    for name, exhibit in gallery().items():
        screen = screen_of(exhibit, spoken()[tongue])
        if screen.scene is not Scene.AUDIT:
            yield name, screen


def help_pages(tongue: str) -> Iterator[tuple[str, Screen]]:
    """Yields every page of help of every game."""
    for name in PLAYED:
        page, pages = 0, 1
        while page < pages:
            exhibit = gallery()[name]
            screen = screen_of(replace(exhibit, ui=replace(exhibit.ui, help_page=page)), spoken()[tongue])
            assert isinstance(screen.overlay, HelpView)
            pages = page + 1 + screen.overlay.buttons[1].enabled
            yield f"{name} {page}", screen
            page += 1


def unfit(screen: Screen, size: tuple[int, int], readable: float) -> list[Set]:
    """Returns the texts on a screen that are cut or too small."""
    unit = min(size[0] / 1920, size[1] / 1080)
    return [
        words
        for words in words_set(screen, size)
        if words.share > 1
        or words.px < round((OF_SMALL_CARDS if words.kind == "soft" else readable) * unit)
        or words.px < LEAST_SHARE * words.asked_px
    ]


def readable_in(tongue: str) -> float:
    """Returns the smallest type allowed in a language."""
    return OF_NO_LANGUAGE if tongue == PSEUDO else READABLE


@pytest.mark.sample(7)
@pytest.mark.requirement("PD-04")
@sizes
@tongues
def test_every_text_fits_its_room_and_is_readable(tongue: str, size: tuple[int, int]):
    open_display((64, 64))
    found = {name: unfit(screen, size, readable_in(tongue)) for name, screen in shown(tongue)}
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.requirement("PD-04")
@sizes
@tongues
def test_the_texts_of_a_simulated_cabinets_top_bar_fit(tongue: str, size: tuple[int, int]):
    """It has a badge and one switch more than any other: the title shrinks, the limits keep their size."""
    open_display((64, 64))
    for name in ("attract-with-credit", "choice", "betting", "betting-turbo", "deciding", "insurance", "results"):
        screen = screen_of(replace(gallery()[name], simulated=True), spoken()[tongue])
        assert screen.top.badge
        assert unfit(screen, size, readable_in(tongue)) == [], name


@pytest.mark.requirement("PD-08")
@tongues
def test_every_page_of_help_has_its_room(tongue: str):
    open_display((64, 64))
    pages = dict(help_pages(tongue))
    assert len(pages) > 3 * 6
    found = {name: unfit(screen, SIZES[0], readable_in(tongue)) for name, screen in pages.items()}
    assert {name: words for name, words in found.items() if words} == {}


def test_every_word_comes_from_the_catalogue():
    open_display((64, 64))
    written = {FOUND.sub("", words.words) for _, screen in shown(PSEUDO) for words in words_set(screen, SIZES[0])}
    plain = {words for words in written if any(map(PLAIN_VOWEL.search, WORD.findall(words)))}
    assert plain - OF_THE_CABINET - _of_the_keyboard() == set(), "a text is not in the catalogue"


def _of_the_keyboard() -> set[str]:
    """Returns the keys of a simulated cabinet, which only a person who tries it out sees."""
    keys = screen_of(gallery()["keys"], spoken()[PSEUDO]).overlay
    return {meaning for _, meaning in getattr(keys, "rows", ())}


def test_the_pseudo_language_is_longer_and_keeps_its_parts():
    assert pseudo("Insured {amount}", "INSURANCE_TAG") == "[Îñsüréd {amount}öü]"
    assert pseudo("Out of service", "X") == "[Öüt öf sérvîçé öüé]"
    assert pseudo("H|hit", "CHART_HIT") == "H|[hît]"
    assert len(pseudo("x" * 100, "X")) == 140

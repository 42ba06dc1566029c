"""Type: found in its packages, true to its proportions at every size, tabular where it counts, bounded in memory."""

from functools import cache
from itertools import pairwise

import fontpkg
import numpy as np
import pygame
import pytest

from cabinet.text.messages import LANGUAGES
from cabinet.text.po_files import catalogue_of
from cabinet.text.typefaces import Role
from cabinet.ui.art import fonts
from cabinet.ui.art.fonts import (
    advances,
    body_of,
    clearance,
    figures,
    figures_width,
    fitted,
    font,
    inked,
    letter,
    line_height,
    text,
    text_width,
)

INK = (20, 20, 20)
SIZES = (*range(8, 25), 29, 31, 32, 47, 63, 64, 96, 120)
"""From a cabinet's smallest type on 1280 x 720 to its titles on 3840 x 2160."""
SEEN = 0.2
"""The share of a letter's strength by which the row below its dot or accent is weaker than both."""
ROLES = pytest.mark.parametrize("role", list(Role))


@cache
def catalogues() -> tuple[str, ...]:
    """Returns every text of every language."""
    found = (
        text for language in LANGUAGES.values() for forms in catalogue_of(language).texts.values() for text in forms
    )
    return tuple(dict.fromkeys(found))


def covered(line: pygame.Surface) -> float:
    """Returns how many pixels' worth of ink a line has."""
    return float(pygame.surfarray.array_alpha(line).sum() / 255)


@cache
def inked_by(role: Role, px: int, sign: str) -> float:
    """Returns how many pixels' worth of ink a letter has before it is put into a line."""
    return float(letter(role, px, sign).cover.sum() / 255 / fonts.steps_of(px))


@ROLES
def test_every_role_has_its_font_in_a_package(role: Role) -> None:
    family, weight = role.value
    assert fontpkg.path(family, weight).is_file()
    assert font(role, 30).get_height() >= 30


def test_every_role_knows_the_signs_of_the_four_languages() -> None:
    for role in Role:
        assert all(font(role, 20).metrics("ÄÖÜßéèêçñ¿¡€$£½¼¾–−·×"))


@pytest.mark.parametrize("px", [18, 30, 56, 97])
def test_amounts_of_equal_length_are_equally_wide(px: int) -> None:
    amounts = ("$1,111.11", "$4,444.44", "$8,080.00", "$7,171.17")
    assert len({figures(px, amount, INK).get_size() for amount in amounts}) == 1
    assert figures(px, amounts[0], INK).get_width() == figures_width(px, amounts[1])


def test_no_digit_is_cut_by_its_cell() -> None:
    for digit in "0123456789":
        plain = text(Role.FIGURES, 60, digit, INK).get_bounding_rect()
        assert figures(60, digit, INK).get_bounding_rect().size == plain.size


@pytest.mark.parametrize("px", [12, 27, 40, 90])
def test_in_titles_a_zero_is_plainly_narrower_than_the_letter_o(px: int) -> None:
    zero, round_ = (text(Role.TITLE, px, sign, INK).get_bounding_rect() for sign in "0O")
    assert zero.width < 0.9 * round_.width
    assert abs(zero.height - round_.height) <= 1
    assert text_width(Role.TITLE, px, "000") < 0.85 * text_width(Role.TITLE, px, "OOO")


def test_tracking_adds_room_between_characters_only() -> None:
    plain = text_width(Role.TITLE, 40, "DEAL")
    assert text_width(Role.TITLE, 40, "DEAL", tracking=5) == plain + 15
    assert text(Role.TITLE, 40, "DEAL", INK, tracking=5).get_width() == plain + 15
    assert text_width(Role.TITLE, 40, "", tracking=5) == 0


def test_a_letter_with_negative_bearing_keeps_its_place_in_a_tracked_word() -> None:
    for px in (20, 40, 80):
        close, wide = (text(Role.TITLE, px, "kj", INK, tracking=tracking) for tracking in (0, 1))
        assert abs(wide.get_bounding_rect().right - close.get_bounding_rect().right - 1) <= 1


def test_text_is_cached_and_the_cache_is_bounded() -> None:
    assert text(Role.TEXT, 22, "Limits", INK) is text(Role.TEXT, 22, "Limits", INK)
    for number in range(fonts.TEXT_CACHE + 40):
        text(Role.TEXT, 12, str(number), INK)
    assert text.cache_info().currsize <= fonts.TEXT_CACHE


def test_a_long_line_shrinks_to_its_room() -> None:
    words = "Donaudampfschifffahrtsgesellschaft " * 3
    for room in ((300, 40), (60, 20), (9, 9)):
        assert fitted(Role.TEXT_BOLD, 36, words, INK, room, tracking=0.05).get_width() <= room[0]
    assert (
        fitted(Role.TEXT_BOLD, 20, "HIT", INK, (300, 40)).get_size() == text(Role.TEXT_BOLD, 20, "HIT", INK).get_size()
    )


def test_an_inked_word_has_no_empty_border() -> None:
    glyph = inked(Role.FIGURES, 80, "25", INK, 60)
    assert glyph.get_bounding_rect().size == glyph.get_size()
    assert glyph.get_width() <= 60


@pytest.mark.sample(2)
@pytest.mark.requirement("PD-04")
@ROLES
def test_no_letter_of_any_language_is_cut_at_any_size(role: Role) -> None:
    signs = sorted(set("".join(catalogues())) | set("0123456789.,$€£"))
    for px in SIZES:
        for sign in signs:
            drawn = letter(role, px, sign)
            whole = inked_by(role, px, sign)
            assert covered(text(role, px, sign, INK)) == pytest.approx(whole, rel=0.02, abs=0.1), (px, sign)
            assert 0 <= drawn.top <= line_height(role, px) - drawn.cover.shape[1], (px, sign)


@pytest.mark.sample(2)
@pytest.mark.requirement("PD-04")
@ROLES
def test_a_line_is_as_wide_as_it_is_measured_and_keeps_its_proportions(role: Role) -> None:
    for words in catalogues()[::9]:
        large = text_width(role, 1000, words) / 1000
        for px in (9, 11, 14, 40, 64):
            line = text(role, px, words, INK)
            assert line.get_size() == (text_width(role, px, words), line_height(role, px))
            assert line.get_width() == pytest.approx(large * px, abs=1.1), (px, words)
            assert covered(line) > 0.9 * sum(inked_by(role, px, sign) for sign in words), (px, words)


def _gap_px(role: Role, px: int, before: str, after: str) -> float:
    """Returns the free room between two words, in pixels and parts of them."""
    words = f"{before} {after}"
    columns = pygame.surfarray.array_alpha(text(role, px, words, INK)).max(axis=1) / 255
    middle = round(sum(advances(role, px, words, 0)[len(before) : len(before) + 2]) / 2)
    ink = np.flatnonzero(columns > 0.5)
    left, right = ink[ink < middle].max(), ink[ink >= middle].min()
    return float((1 - columns[left + 1 : right]).sum())


@pytest.mark.requirement("PD-04")
@ROLES
def test_words_stand_apart_at_every_size(role: Role) -> None:
    ends = {(a[-1], b[0]) for words in catalogues() for a, b in pairwise(words.split(" ")) if a and b}
    for px in (9, 11, 12, 13, 14, 16, 19, 24):
        for before, after in ends:
            start, end = advances(role, px, f"{before} {after}", 0)[1:3]
            assert end - start >= 0.2 * px, (px, before, after)
        for before, after in (
            ("pays", "and"),
            ("voids", "all"),
            ("return", "with"),
            ("liefert", "eine"),
            ("des", "as"),
        ):
            assert _gap_px(role, px, before, after) >= 0.2 * px, (px, before, after)


@ROLES
def test_letters_keep_their_share_of_a_word_at_every_size(role: Role) -> None:
    words = "GEZAHLT Auszahlungsquote pays and play"
    large = advances(role, 1000, words, 0)
    for px in SIZES:
        assert advances(role, px, words, 0) == pytest.approx([x * px / 1000 for x in large])


def test_the_spaces_that_divide_amounts_and_signs_the_family_lacks_take_room() -> None:
    for space in ("\u202f", "\u00a0", " "):
        assert text_width(Role.FIGURES, 20, f"1{space}000") >= text_width(Role.FIGURES, 20, "1000") + 4
        assert figures_width(20, f"1{space}000") >= figures_width(20, "1000") + 4
    assert text_width(Role.TEXT, 20, "日") > 0
    assert text(Role.TEXT, 20, "日😀", INK).get_width() == text_width(Role.TEXT, 20, "日😀")


def test_letters_with_a_mark_above_are_known() -> None:
    assert [body_of(sign) for sign in "ijäÉñî"] == ["ı", "ı", "a", "E", "n", "ı"]
    assert not any(body_of(sign) for sign in "aclç!0 ")


@pytest.mark.sample(2)
@pytest.mark.requirement("PD-04")
@ROLES
def test_dots_and_accents_stand_apart_from_their_letters_at_every_size(role: Role) -> None:
    """Without the gap 'aidé' reads as 'aIde' and 'jam' as another word: the mark is visible, and a row below it is
    free."""
    signs = sorted({sign for sign in "".join(catalogues()) if body_of(sign)} | set("ijäöüéñÄÖÜÉÑ"))
    assert len(signs) > 12
    for px in (*range(9, 40), 47, 63, 64, 96):
        for sign in signs:
            line = pygame.surfarray.array_alpha(text(role, px, sign, INK)).max(axis=0)
            rows = np.flatnonzero(line)
            covers = [int(cover) for cover in line[rows[0] : rows[-1] + 1]]
            assert clearance(covers) >= SEEN, (px, sign, covers)

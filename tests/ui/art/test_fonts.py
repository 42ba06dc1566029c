"""Type: found in its packages, tabular where it counts, bounded in memory."""

import fontpkg
import pytest

from cabinet.ui.art import fonts
from cabinet.ui.art.fonts import Role, figures, figures_width, fitted, font, inked, text, text_width

INK = (20, 20, 20)


@pytest.mark.parametrize("role", list(Role))
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


def test_tracking_adds_room_between_characters_only() -> None:
    plain = text_width(Role.TITLE, 40, "DEAL")
    assert text_width(Role.TITLE, 40, "DEAL", tracking=5) == plain + 15
    assert text(Role.TITLE, 40, "DEAL", INK, tracking=5).get_width() == plain + 15
    assert text_width(Role.TITLE, 40, "", tracking=5) == 0


def test_a_letter_that_reaches_back_stands_no_further_in_a_tracked_word() -> None:
    for px in (20, 40, 80):
        close, wide = (text(Role.TITLE, px, "kj", INK, tracking=tracking) for tracking in (0, 1))
        assert abs(wide.get_bounding_rect().right - close.get_bounding_rect().right - 1) <= 1


def test_text_is_kept_and_the_store_is_bounded() -> None:
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

"""Bar code widths against the figures of the standards, and what fits which roll."""

import pytest

from drivers.errors import ConfigurationError
from drivers.printers.paper import (
    MM_58,
    MM_80,
    MM_80_NARROW,
    PaperProfile,
    Symbology,
    barcode_dots,
    barcode_modules,
    choose_module_dots,
)


def test_eighteen_digits_of_code128_c_are_134_modules_wide() -> None:
    assert barcode_modules(18, Symbology.CODE128_C) == 134


def test_eighteen_digits_of_itf_are_at_most_171_modules_wide() -> None:
    assert barcode_modules(18, Symbology.ITF) == 171


def test_quiet_zones_of_ten_modules_on_either_side_are_counted() -> None:
    assert barcode_dots(18, Symbology.CODE128_C, 2) == 268 + 40


def test_rolls_have_32_and_48_columns() -> None:
    assert (MM_58.columns, MM_80.columns) == (32, 48)


@pytest.mark.parametrize(
    ("paper", "symbology", "dots"),
    [
        (MM_58, Symbology.CODE128_C, 2),
        (MM_80, Symbology.CODE128_C, 3),
        (MM_58, Symbology.ITF, 2),
        (MM_80, Symbology.ITF, 3),
        (MM_80_NARROW, Symbology.CODE128_C, 3),
        (MM_80_NARROW, Symbology.ITF, 2),
    ],
)
def test_the_widest_bars_that_fit_are_chosen(paper: PaperProfile, symbology: Symbology, dots: int) -> None:
    assert choose_module_dots(18, symbology, paper) == dots
    assert barcode_dots(18, symbology, dots) <= paper.width_dots


def test_a_code_too_wide_for_the_roll_is_refused_with_both_widths() -> None:
    with pytest.raises(ConfigurationError, match="needs 396 dots, but 58 mm paper has 384"):
        choose_module_dots(26, Symbology.CODE128_C, MM_58)


@pytest.mark.parametrize("count", [0, 1, 17])
def test_an_odd_or_empty_count_of_digits_is_refused(count: int) -> None:
    with pytest.raises(ConfigurationError, match="even number of digits"):
        barcode_modules(count, Symbology.ITF)

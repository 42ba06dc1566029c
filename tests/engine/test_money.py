"""Exact fractions of whole cents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.engine.errors import OddAmountError
from cabinet.engine.money import fraction_of


@pytest.mark.requirement("CM-02")
def test_three_to_two_and_half_come_out_whole_or_are_refused() -> None:
    assert fraction_of(500, 3, 2) == 750
    assert fraction_of(500, 1, 2) == 250
    with pytest.raises(OddAmountError, match="3/2 of 101 cents is not a whole number of cents"):
        fraction_of(101, 3, 2)


@pytest.mark.requirement("CM-01", "CM-02")
@given(st.integers(0, 10**12), st.integers(1, 12), st.integers(1, 12))
def test_a_fraction_is_exact_or_an_error(amount: int, numerator: int, denominator: int) -> None:
    try:
        found = fraction_of(amount, numerator, denominator)
    except OddAmountError:
        assert amount * numerator % denominator != 0
    else:
        assert type(found) is int
        assert found * denominator == amount * numerator

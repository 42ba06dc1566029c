"""Money as whole cents.

An amount is an `int` of the currency's minor unit and its name ends in `_cents`. There is no float anywhere on a
money path. This module knows exact fractions of amounts and nothing of accounts or currencies' names.
"""

from cabinet.engine.errors import OddAmountError


def fraction_of(amount_cents: int, numerator: int, denominator: int) -> int:
    """`amount_cents` times numerator / denominator, exactly.

    Raises OddAmountError when the result is not a whole number of cents: such an amount is never offered
    (odd chips are refused by the table's limits), so meeting one is our own mistake.
    """
    product = amount_cents * numerator
    whole, rest = divmod(product, denominator)
    if rest:
        raise OddAmountError(f"{numerator}/{denominator} of {amount_cents} cents is not a whole number of cents")
    return whole


def plain_amount(cents: int) -> str:
    """An amount in figures for people, with two digits behind the point: 2000 is "20.00". No currency is known here."""
    whole, part = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole:,}.{part:02d}"

"""Statistics of dealt cards, each as a deviate: what true randomness gives is close to a standard normal number.

A deal is a row of cards 0 to 311 drawn without replacement; rows know nothing of each other. Chi-squares become
deviates by Wilson and Hilferty's formula, where only large ones are alarming; counts and correlations are alarming
either way.
"""

from collections.abc import Callable, Iterator
from math import factorial, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from cabinet.runtime.shoe import ByteSource, Shoe

Deals = npt.NDArray[np.int64]

PACK, WIDTH = 312, 10
"""Cards of the pack, cards of a deal."""
GROUP = 512
"""Birthdays of a group."""
_LONGEST_GAP = 40


def deal_cards(source: ByteSource, rounds: int) -> Deals:
    """Deals of WIDTH cards each, drawn by the cabinet's own code from these bytes."""
    draw = Shoe(PACK // 52, source).draw
    deals = []
    for _ in range(rounds):
        out: list[int] = []
        for _ in range(WIDTH):
            out.append(draw(out))
        deals.append(out)
    return np.array(deals)


def deviates(deals: Deals) -> Iterator[tuple[str, float]]:
    """Every statistic by name."""
    for position in range(WIDTH):
        cards = deals[:, position]
        yield f"ranks at {position}", _even(cards % 13, 13)
        yield f"suits at {position}", _even(cards % 52 // 13, 4)
        yield f"cards at {position}", _even(cards, PACK)
        yield f"serial correlation at {position}", _correlation(cards)
        yield f"runs at {position}", _runs(cards)
        yield f"gaps between aces at {position}", _gaps(cards % 13 == 0)
    for position in range(0, WIDTH, 2):
        yield f"pairs at {position}", _pairs(deals[:, position] % 13, deals[:, position + 1] % 13)
    yield "last card and first of the next deal", _neighbours(deals[:-1:2, -1] % 13, deals[1::2, 0] % 13)
    yield "order of four", _orders(deals[:, :4])
    yield "order of the next four", _orders(deals[:, 4:8])
    yield "birthday spacings", _birthdays(deals[:, :3])
    yield "later birthday spacings", _birthdays(deals[:, 5:8])


def _chi_square(found: npt.NDArray[np.int64], expected: npt.NDArray[np.floating[Any]]) -> float:
    """The deviate of the squared distances of counts, which add up to the sum expected."""
    degrees = len(found) - 1
    ratio = float(((found - expected) ** 2 / expected).sum()) / degrees
    return (ratio ** (1 / 3) - (1 - 2 / (9 * degrees))) / sqrt(2 / (9 * degrees))


def _even(kinds: Deals, number: int) -> float:
    found = np.bincount(kinds, minlength=number)
    return _chi_square(found, np.full(number, len(kinds) / number))


def _pairs(first: Deals, second: Deals) -> float:
    """Ranks of two cards of one deal: the second lacks the first."""
    left = np.full((13, 13), 24.0) - np.eye(13)
    return _chi_square(np.bincount(13 * first + second, minlength=169), (left / left.sum()).ravel() * len(first))


def _neighbours(first: Deals, second: Deals) -> float:
    return _even(13 * first + second, 169)


def _orders(cards: Deals) -> float:
    """In which order cards lie, low to high: each is as likely."""
    width = cards.shape[1]
    codes, found = np.unique(cards.argsort(axis=1) @ width ** np.arange(width), return_counts=True)
    number = factorial(width)
    return _chi_square(np.pad(found, (0, number - len(codes))), np.full(number, len(cards) / number))


def _correlation(cards: Deals) -> float:
    centred = cards - (PACK - 1) / 2
    return float((centred[:-1] * centred[1:]).sum() / ((PACK**2 - 1) / 12) / sqrt(len(cards) - 1))


def _runs(cards: Deals) -> float:
    """How often low follows high or high low."""
    high = cards >= PACK // 2
    return float(((high[:-1] != high[1:]).sum() - (len(cards) - 1) / 2) / sqrt((len(cards) - 1) / 4))


def _gaps(hits: npt.NDArray[np.bool_]) -> float:
    """How many deals lie between two with an ace in this position; long gaps are counted together."""
    gaps = np.minimum(np.diff(np.flatnonzero(hits)) - 1, _LONGEST_GAP)
    chance = 1 / 13 * (12 / 13) ** np.arange(_LONGEST_GAP + 1)
    chance[-1] *= 13
    return _chi_square(np.bincount(gaps, minlength=_LONGEST_GAP + 1), chance * len(gaps))


def _birthdays(cards: Deals) -> float:
    """Three cards in order are one of 312 x 311 x 310 days; how many distances between birthdays of a group are alike.

    Marsaglia's test: their number follows Poisson's law with the mean GROUP cubed over four times the days.
    """
    days = PACK * (PACK - 1) * (PACK - 2)
    first, second, third = cards.T
    second = second - (second > first)
    third = third - (third > cards[:, 0]) - (third > cards[:, 1])
    dates = (first * (PACK - 1) + second) * (PACK - 2) + third
    groups = len(dates) // GROUP
    spaces = np.diff(np.sort(dates[: groups * GROUP].reshape(groups, GROUP), axis=1), axis=1)
    alike = int((np.diff(np.sort(spaces, axis=1), axis=1) == 0).sum())
    mean = groups * GROUP**3 / (4 * days)
    return (alike - mean) / sqrt(mean)


ONE_SIDED = ("ranks", "suits", "cards", "gaps", "pairs", "last", "order")
"""Statistics that are alarming only when large."""


def alarms(deals: Deals, limit: float) -> list[str]:
    """The statistics beyond the limit."""
    return [f"{name}: {value:+.2f}" for name, value in deviates(deals) if _size(name)(value) > limit]


def _size(name: str) -> Callable[[float], float]:
    return float if name.startswith(ONE_SIDED) else abs

"""Liveries: four courts that are told apart by colour."""

import itertools
import math

from cabinet.ui.art.liveries import LIVERIES, SKIN, SKIN_SHADE


def test_the_robes_of_any_two_suits_differ_clearly() -> None:
    for one, other in itertools.combinations(LIVERIES, 2):
        assert math.dist(one.main, other.main) + math.dist(one.second, other.second) > 80
        assert one.hair != other.hair


def test_strands_and_linings_are_lighter_than_what_they_lie_on() -> None:
    for livery in LIVERIES:
        assert sum(livery.strand) > sum(livery.hair)
        assert sum(livery.lining) > sum(livery.main)
    assert sum(SKIN) > sum(SKIN_SHADE)

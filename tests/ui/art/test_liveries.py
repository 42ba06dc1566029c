"""Liveries: four courts with distinct colours."""

import itertools
import math

from cabinet.ui.art.liveries import DRAWN_IN, LIVERIES


def test_the_robes_of_two_suits_differ_clearly() -> None:
    for one, other in itertools.combinations(LIVERIES, 2):
        assert math.dist(one.main, other.main) + math.dist(one.second, other.second) > 80
        assert one.hair != other.hair


def test_strands_and_linings_are_lighter_than_their_ground() -> None:
    for livery in LIVERIES:
        assert sum(livery.strand) > sum(livery.hair)
        assert sum(livery.lining) > sum(livery.main)


def test_a_livery_puts_its_own_colours_in_the_place_of_another_one() -> None:
    for livery in LIVERIES:
        assert livery.instead_of(DRAWN_IN)[DRAWN_IN.hair] == livery.hair
        assert len(livery.instead_of(DRAWN_IN)) == 5

"""The values of tiles and charts: the grid lines of an axis."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from support.cases import case

from cabinet.attendant.charts import MOST_STEPS, scale_of

LARGEST_CENTS = 10**12
amounts = st.lists(st.integers(-LARGEST_CENTS, LARGEST_CENTS), max_size=40)


def lines(*found: int) -> list[int]:
    """Returns the grid lines for these amounts."""
    return [line for line, _ in scale_of(found, str)]


def test_grid_lines_are_round_amounts():
    for found, expected in (
        ((430,), [0, 100, 200, 300, 400, 500]),
        ((7,), [0, 2, 4, 6, 8]),
        ((-250, 900), [-500, 0, 500, 1000]),
        ((-40,), [-40, -30, -20, -10, 0]),
        ((0, 0), [0, 1]),
        ((), [0, 1]),
        ((10**9,), [0, 2 * 10**8, 4 * 10**8, 6 * 10**8, 8 * 10**8, 10**9]),
    ):
        with case(amounts=found):
            assert lines(*found) == expected


@given(amounts)
def test_an_axis_holds_zero_and_every_amount(found: list[int]):
    grid = lines(*found)
    assert grid[0] <= min((0, *found))
    assert grid[-1] >= max((0, *found))
    assert 0 in grid


@given(amounts)
def test_an_axis_has_few_equal_steps(found: list[int]):
    grid = lines(*found)
    assert 2 <= len(grid) <= MOST_STEPS + 1
    assert len({after - before for before, after in pairwise(grid)}) == 1


def test_each_grid_line_has_its_words():
    assert scale_of((3,), lambda cents: f"{cents} c") == ((0, "0 c"), (1, "1 c"), (2, "2 c"), (3, "3 c"))

"""The two tiers of the tests: `make test` runs a sample of what repeats, `make test-all` runs everything.

A test has the mark `breadth` when another test makes the same assertions on another size, game, seed, language or
device. A test with many parameters has the mark `sample(count)`: `count` of them run in `make test`, evenly spread over
the list and the first always among them; the others become breadth. Every assertion and every requirement stays in
`make test`.
"""

from collections import defaultdict
from collections.abc import Iterable

import pytest


def mark_breadth(items: Iterable[pytest.Item]) -> None:
    """Gives the parameters that are outside the sample of their test the mark `breadth`."""
    families: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        families[item.nodeid.partition("[")[0]].append(item)
    for family in families.values():
        mark = family[0].get_closest_marker("sample")
        if mark is not None:
            chosen = choose(len(family), *mark.args)
            for number, item in enumerate(family):
                if number not in chosen:
                    item.add_marker("breadth")


def choose(total: int, count: int) -> frozenset[int]:
    """`count` of the numbers from 0 to `total` - 1, evenly spread, with 0 among them; all when `count` is larger.

    Raises ValueError for a sample of nothing.
    """
    if count < 1:
        raise ValueError("a sample has at least one")
    return frozenset(number * total // count for number in range(count)) if count < total else frozenset(range(total))

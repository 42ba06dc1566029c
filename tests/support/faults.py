"""The list of faults known from the field (tests/faults.toml) and which of them the tests name.

Read off the source, so that the list is judged the same whichever tests are run. Knows nothing of pytest.
"""

import ast
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from support.source import Source

FAULTS_FILE = Path(__file__).parents[1] / "faults.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFault:
    """One line of the list; `unproved` says why no test names it, None when one does."""

    number: int
    title: str
    unproved: str | None


def parse_faults(text: str) -> dict[int, KnownFault]:
    """Reads the list from TOML text, by number."""
    return {
        int(number): KnownFault(number=int(number), title=line["title"], unproved=line.get("unproved"))
        for number, line in tomllib.loads(text).items()
    }


def read_faults() -> dict[int, KnownFault]:
    """The project's list."""
    return parse_faults(FAULTS_FILE.read_text(encoding="utf-8"))


def find_marked_faults(tree: ast.AST) -> set[int]:
    """The numbers in every `pytest.mark.fault(...)`."""
    return {
        argument.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.fault"
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, int)
    }


def name_faults(tests: Iterable[Source]) -> dict[int, list[str]]:
    """Fault number -> the test files that name it."""
    named: dict[int, list[str]] = {}
    for test in tests:
        for number in find_marked_faults(test.tree):
            named.setdefault(number, []).append(test.module)
    return {number: sorted(files) for number, files in sorted(named.items())}


def compare_faults(known: Mapping[int, KnownFault], named: Mapping[int, list[str]]) -> list[str]:
    """One sentence for each number that is not as the list says."""
    strangers = [
        f"{', '.join(files)} names fault {number}, which is not in tests/faults.toml"
        for number, files in named.items()
        if number not in known
    ]
    stale = [
        f"fault {number} is proved by {', '.join(named[number])}: take its `unproved` out of tests/faults.toml"
        for number, fault in known.items()
        if fault.unproved is not None and number in named
    ]
    bare = [
        f"fault {number} ({fault.title}) is named by no test: name it, or say in tests/faults.toml why it is `unproved`"
        for number, fault in known.items()
        if fault.unproved is None and number not in named
    ]
    return [*strangers, *stale, *bare]

"""The list of requirements (tests/requirements.toml) and what a test run says about it.

Pure but for `read_requirements`. Knows nothing of pytest: the hooks in conftest.py hand in ids and outcomes.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

REQUIREMENTS_FILE = Path(__file__).parents[1] / "requirements.toml"
_ID = re.compile(r"[A-Z]{2}-\d{2}")


class Level(Enum):
    """How much a requirement binds."""

    MUST = "M"
    SHOULD = "S"
    OPTION = "O"


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One line of the list."""

    id: str
    level: Level
    title: str


def parse_requirements(text: str) -> dict[str, Requirement]:
    """Reads the list from TOML text. A ValueError names the line that is not `ID = {level, title}`."""
    found = {}
    for key, line in tomllib.loads(text).items():
        if not _ID.fullmatch(key):
            raise ValueError(f"requirements.toml: {key!r} is no requirement id; expected two capitals, '-', two digits")
        if not isinstance(line, dict) or set(line) != {"level", "title"}:
            raise ValueError(f"requirements.toml: {key} must have exactly a level and a title, has {line!r}")
        found[key] = Requirement(id=key, level=Level(line["level"]), title=line["title"])
    return found


def read_requirements() -> dict[str, Requirement]:
    """The project's list, by id, in the order of the file."""
    return parse_requirements(REQUIREMENTS_FILE.read_text(encoding="utf-8"))


def explain_unknown_ids(test: str, named: Iterable[str], known: Collection[str]) -> list[str]:
    """One sentence for each id that a test names and that is not in the list."""
    return [
        f"{test} names requirement {wrong!r}, which is not in tests/requirements.toml"
        for wrong in named
        if wrong not in known
    ]


def summarise(known: Mapping[str, Requirement], *, passed: Collection[str], failed: Collection[str]) -> list[str]:
    """The closing lines of a run. A requirement is proved when a test naming it passed and none naming it failed."""
    proved = set(passed) - set(failed)
    must = [line.id for line in known.values() if line.level is Level.MUST]
    missing = [id_ for id_ in must if id_ not in proved]
    proved_must = len(must) - len(missing)
    lines = [
        f"requirements: {len(proved)} of {len(known)} lines proved ({proved_must} of the {len(must)} that must be)"
    ]
    if missing:
        lines.append("not yet proved, though they must be:")
        lines.extend(f"  {group}" for group in _group(missing))
    return lines


def _group(ids: Iterable[str]) -> list[str]:
    """`PD-01, PD-04, CM-02` as the lines `PD 01 04` and `CM 02`."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for id_ in ids:
        prefix, number = id_.split("-")
        groups[prefix].append(number)
    return [f"{prefix} {' '.join(numbers)}" for prefix, numbers in groups.items()]

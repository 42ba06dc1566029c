"""The share of each guarded package that the tests must run through, and the check of it.

The floors stand in pyproject.toml under `tool.cabinet.coverage-floors`: percent of lines and branches, per folder, so
that a well-tested folder cannot make up for another one.
"""

import io
import tomllib
from collections.abc import Mapping
from pathlib import Path

from coverage import Coverage

PYPROJECT_FILE = Path(__file__).parents[2] / "pyproject.toml"


def read_floors() -> dict[str, float]:
    """Folder -> lowest allowed percentage."""
    settings = tomllib.loads(PYPROJECT_FILE.read_text(encoding="utf-8"))
    return dict(settings["tool"]["cabinet"]["coverage-floors"])


def measure_coverage(folders: Mapping[str, float]) -> dict[str, float]:
    """Folder -> percentage of lines and branches run, from the data file that the run left behind."""
    coverage = Coverage(config_file=str(PYPROJECT_FILE))
    coverage.load()
    return {folder: coverage.report(include=[f"{folder}/*"], file=io.StringIO()) for folder in folders}


def compare_with_floors(measured: Mapping[str, float], floors: Mapping[str, float]) -> tuple[list[str], bool]:
    """The lines to print, and whether every folder reaches its floor."""
    lines = []
    reached = True
    for folder, floor in floors.items():
        low = measured[folder] < floor
        reached = reached and not low
        verdict = f"BELOW its floor of {floor:g} %" if low else f"floor {floor:g} %"
        lines.append(f"coverage of {folder}: {measured[folder]:.1f} % ({verdict})")
    return lines, reached

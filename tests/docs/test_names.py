"""Each path, module, command, task and link that a document names exists."""

import re
import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from cabinet.commands.main import main

PROJECT = Path(__file__).parents[2]
ROOTS = ("cabinet/", "drivers/", "tests/", "docs/", "systemd/", "assets/", ".ci/")
HISTORY = "CHANGELOG.md"
"""Names things that a release removed."""
PLACEHOLDER = re.compile(r"<\w+>|(?<=/)N(?=\.)")
"""The part of a path that the reader completes."""


def _documents() -> dict[str, str]:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    return {name: (PROJECT / name).read_text(encoding="utf-8") for name in listed.split() if name != HISTORY}


DOCUMENTS = _documents()


def _found(pattern: str) -> Iterator[tuple[str, str]]:
    """Yields each match of the pattern with its document."""
    for name, text in DOCUMENTS.items():
        yield from ((name, match[1]) for match in re.finditer(pattern, text))


def _missing_paths() -> list[tuple[str, str]]:
    named = {*_found(r"`([\w.]+/[\w./*<>-]*)`"), *_found(r"`([\w/]+\.py)`")}
    ours = [(name, path) for name, path in named if path.startswith(ROOTS) or path.endswith(".py")]
    assert len(ours) > 100
    return sorted((name, path) for name, path in ours if not list(PROJECT.glob(PLACEHOLDER.sub("*", path))))


def _exists(dotted: str) -> bool:
    """True for a module, or a name in a module."""
    try:
        import_module(dotted)
    except ModuleNotFoundError:
        room, _, last = dotted.rpartition(".")
        return "." in room and hasattr(import_module(room), last)
    return True


def test_each_path_exists():
    assert _missing_paths() == []


def test_each_module_exists():
    assert [each for each in _found(r"`((?:cabinet|drivers)\.[a-z_.]+\w+)`") if not _exists(each[1])] == []


def test_each_command_of_the_cabinet_exists():
    named = set(_found(r"(?:`|\bbin/|^|&& )cabinet ([a-z]+(?:-[a-z]+)*)\b"))
    assert len(named) > 20
    assert [each for each in named if each[1] not in main.commands] == []


def test_each_task_of_make_exists():
    tasks = set(re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(_found(r"(?:`|^|&& )make ([a-z][a-z-]*)"))
    assert len(named) > 10
    assert [each for each in named if each[1] not in tasks] == []


def test_each_link_leads_to_a_file_and_a_heading():
    lost = []
    for name, link in _found(r"\]\(([^)\s]+)\)"):
        if link.startswith(("http:", "https:")):
            continue
        path, _, heading = link.partition("#")
        target = (PROJECT / name).parent / path if path else PROJECT / name
        if not target.exists() or (heading and heading not in _anchors(target)):
            lost.append((name, link))
    assert lost == []


def _anchors(document: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_the_index_of_decisions_has_each_number_and_title():
    folder = PROJECT / "docs" / "decisions"
    titles = {path.name: path.read_text(encoding="utf-8").split("\n", 1)[0] for path in folder.glob("0*.md")}
    index = DOCUMENTS["docs/decisions/README.md"]
    rows = [f"| [{name[:4]}]({name}) | {title.removeprefix(f'# {name[:4]} ')} |" for name, title in titles.items()]
    assert [row for row in rows if row not in index] == []
    numbers = [int(number) for number in re.findall(r"^\| \[?(\d{4})", index, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_path_that_does_not_exist_is_found(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(DOCUMENTS, "docs/x.md", "see `cabinet/nothing.py`")
    assert _missing_paths() == [("docs/x.md", "cabinet/nothing.py")]

"""The identity of the program: version, files, libraries."""

from pathlib import Path

import numpy as np
import pygame
import pytest

from cabinet.runtime.program import NOT_INSTALLED, UNKNOWN, library_versions, program_hash, program_version

LIBRARIES = {"pygame": "2.6.1", "SDL": "2.32.4", "lgpio": "0.2.2.0", "numpy": "2.2.4"}


@pytest.fixture
def program(tmp_path):
    files = {"cabinet/a.py": "a", "cabinet/ui/b.json": "b", "drivers/c.py": "c", "assets/cards/e.svg": "e"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.requirement("SE-01")
def test_the_hash_of_a_program_is_stable_and_has_128_bits(program):
    assert program_hash(program) == program_hash(program)
    assert len(bytes.fromhex(program_hash(program))) == 16


def _rename(program):
    (program / "cabinet/a.py").rename(program / "cabinet/aa.py")


def _move_a_byte(program):
    (program / "cabinet/a.py").write_bytes(b"")
    (program / "cabinet/ui/b.json").write_bytes(b"ab")


CHANGES = {
    "a byte": lambda program: (program / "drivers/c.py").write_bytes(b"d"),
    "a byte of data": lambda program: (program / "cabinet/ui/b.json").write_bytes(b"x"),
    "a byte more": lambda program: (program / "cabinet/a.py").write_bytes(b"a\0"),
    "a byte of a picture": lambda program: (program / "assets/cards/e.svg").write_bytes(b"x"),
    "a new file": lambda program: (program / "cabinet/d.bin").write_bytes(b""),
    "a file gone": lambda program: (program / "cabinet/a.py").unlink(),
    "another name": _rename,
    "a byte in another file": _move_a_byte,
}


@pytest.mark.requirement("SE-01")
@pytest.mark.parametrize("change", CHANGES)
def test_the_hash_changes_with(program, change):
    before = program_hash(program)
    CHANGES[change](program)
    assert program_hash(program) != before


def test_the_hash_is_the_same_where_the_pictures_are_installed_inside_the_package(program):
    before = program_hash(program)
    (program / "assets").rename(program / "cabinet/assets")
    assert program_hash(program) == before


def test_the_sample_settings_are_no_part_of_the_program(program):
    before = program_hash(program)
    (program / "assets/cabinet.toml").write_text("changed")
    assert program_hash(program) == before


@pytest.mark.requirement("SE-01")
def test_the_hash_covers_the_files_of_the_program_that_runs(tmp_path):
    """A root that is not where the packages are would give the hash of nothing."""
    assert program_hash() == program_hash(Path(__file__).parents[2])
    assert program_hash() != program_hash(tmp_path)


def test_what_python_compiles_is_no_part_of_the_program(program):
    before = program_hash(program)
    (program / "cabinet/__pycache__").mkdir()
    (program / "cabinet/__pycache__/a.pyc").write_bytes(b"compiled")
    assert program_hash(program) == before


@pytest.mark.requirement("SE-01")
@pytest.mark.parametrize("name", LIBRARIES)
def test_the_hash_changes_with_the_version_of_a_library(program, name: str):
    before = program_hash(program, LIBRARIES)
    assert program_hash(program, {**LIBRARIES, name: "9.9"}) != before
    assert program_hash(program, dict(reversed(LIBRARIES.items()))) == before


@pytest.mark.requirement("SE-01")
def test_the_hash_covers_the_libraries_that_are_loaded():
    assert program_hash() == program_hash(None, library_versions())
    assert program_hash() != program_hash(None, LIBRARIES)


def test_the_libraries_are_named_with_their_versions():
    assert library_versions().keys() == LIBRARIES.keys()
    assert library_versions()["pygame"] == pygame.version.ver
    assert library_versions()["SDL"] == ".".join(map(str, pygame.get_sdl_version()))
    assert library_versions()["numpy"] == np.__version__


def test_an_lgpio_without_its_list_is_of_unknown_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    library_versions.cache_clear()
    assert library_versions()["lgpio"] == NOT_INSTALLED
    (tmp_path / "lgpio.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    library_versions.cache_clear()
    assert library_versions()["lgpio"] == UNKNOWN
    library_versions.cache_clear()


def test_a_program_that_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch):
    assert program_version()[0].isdigit()
    monkeypatch.setattr("importlib.metadata.Distribution.discover", lambda **_: iter(()))
    assert program_version() == NOT_INSTALLED

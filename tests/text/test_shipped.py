"""The files shipped with the program are found beside the package and inside it, a wheel has them all, and advice fits.

An installed program is a copy without the files of the checkout, as the package puts it on a cabinet.
"""

import ast
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import hatchling.build
import pytest
from support.source import Source, parse_source, read_product

from cabinet.text.shipped import SAMPLE_SETTINGS, advise, assets_folder, in_checkout
from cabinet.ui.art.pictures import names

ROOT = Path(__file__).parents[2]


def test_a_checkout_has_the_files_beside_the_package():
    assert assets_folder() == ROOT / "assets"
    assert (assets_folder() / SAMPLE_SETTINGS).is_file()


def test_an_installed_program_has_the_files_inside_the_package(tmp_path: Path):
    (tmp_path / "cabinet/assets").mkdir(parents=True)
    (tmp_path / "assets").mkdir()
    assert assets_folder(tmp_path / "cabinet") == tmp_path / "cabinet/assets"


def test_a_wheel_carries_every_picture_and_the_sample_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    wheel = tmp_path / hatchling.build.build_wheel(str(tmp_path))
    carried = set(zipfile.ZipFile(wheel).namelist())
    expected = {f"cabinet/assets/{name}.svg" for name in names()} | {f"cabinet/assets/{SAMPLE_SETTINGS}"}
    assert expected <= carried


# --- advice -----------------------------------------------------------------------------------------------------


def test_a_checkout_is_known_by_the_files_beside_the_package(tmp_path: Path):
    assert in_checkout()
    assert not in_checkout(tmp_path / "cabinet")
    (tmp_path / "Makefile").touch()
    assert not in_checkout(tmp_path / "cabinet")
    (tmp_path / "pyproject.toml").touch()
    assert in_checkout(tmp_path / "cabinet")
    assert advise("here", "there") == "here"
    assert advise("here", "there", package=tmp_path / "site/cabinet") == "there"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program without the files of the checkout, and with a library that cannot be loaded."""
    site = tmp_path_factory.mktemp("site")
    for name in ("cabinet", "drivers"):
        shutil.copytree(ROOT / name, site / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "assets", site / "cabinet/assets")
    (site / "fontpkg.py").write_text("raise ImportError('no fonts')\n")
    return site


def said_by(site: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(site), *sys.path))}
    command = [sys.executable, "-P", "-m", "cabinet", *arguments]
    done = subprocess.run(command, env=environment, cwd=site, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1, done
    return done.stdout + done.stderr


@pytest.mark.requirement("TE-02")
@pytest.mark.parametrize("arguments", [("doctor", "--simulate"), ("screens", "pictures")], ids=["doctor", "command"])
def test_an_installed_cabinet_gets_advice_that_works_there(installed: Path, arguments: tuple[str, ...]):
    said = " ".join(said_by(installed, *arguments).split())
    assert "apt install --reinstall ./blackjack-cabinet_VERSION_arm64.deb" in said
    assert "`make" not in said


def test_a_display_that_is_missing_is_explained_without_make(installed: Path):
    said = subprocess.run(
        [sys.executable, "-P", "-c", "from cabinet.window.display import NO_DISPLAY; print(NO_DISPLAY)"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(installed), *sys.path))},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    assert "connect the cabinet's screen; `cabinet doctor`" in said
    assert "`make" not in said


def test_advice_with_make_is_given_by_the_one_function_that_knows_the_place():
    assert [line for source in read_product() for line in advice_with_make(source)] == []
    stray = parse_source('raise E("run `make setup`")\nadvise("run `make run`", "call")\ndef f():\n    "See `make x`."')
    assert [line.partition(":")[2] for line in advice_with_make(stray)] == ["1"]


def advice_with_make(source: Source) -> Iterator[str]:
    """Yields each text with `make` that is no docstring and no advice for a checkout."""
    allowed: set[ast.AST] = set()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "advise":
            allowed |= set(ast.walk(node.args[0]))
        if isinstance(node, ast.Expr):
            allowed.add(node.value)
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "REPAIR":
            allowed |= set(ast.walk(node))
    for node in ast.walk(source.tree):
        text = isinstance(node, ast.Constant) and isinstance(node.value, str) and "`make " in node.value
        if text and node not in allowed:
            yield f"{source.module}:{node.lineno}"

"""A cabinet without the folder of the tools runs, and says what is missing when a tool is called."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import PATIENCE_S, is_one_sentence

import cabinet
import drivers
from cabinet.commands.main import main

TOOLS = {
    "bench": ("bench",),
    "rng": ("rng", "--bytes", "8"),
    "screens": ("screens", "pictures"),
    "simulate": ("simulate", "classic", "--rounds", "10"),
}


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program without the tools. Its bytecode is copied, too: it holds for a source of the same time."""
    top = tmp_path_factory.mktemp("program")
    for package in (cabinet, drivers):
        folder = Path(str(package.__file__)).parent
        shutil.copytree(folder, top / folder.name)
    shutil.copytree(Path(str(cabinet.__file__)).parents[1] / "assets", top / "assets")
    shutil.rmtree(top / "cabinet" / "tools")
    return top


def _run(top: Path, *arguments: str) -> tuple[int, str, str]:
    environment = {**os.environ, "PYTHONPATH": str(top), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-m", "cabinet", *arguments]
    done = subprocess.run(
        command, cwd=top, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    return done.returncode, done.stdout, done.stderr


def test_every_tool_is_missing_in_one_sentence(without: Path):
    for name, arguments in TOOLS.items():
        code, out, err = _run(without, *arguments)
        assert (code, out) == (1, ""), name
        assert is_one_sentence(err), name
        assert "the tools are not installed" in err, name


def test_a_cabinet_plays_without_its_tools(without: Path):
    code, out, err = _run(without, "autoplay", "--rounds", "1", "--data", "data", "--screens", "screens")
    assert code == 0, err
    assert "Every account balances." in out


def test_every_other_command_can_be_called_without_the_tools(without: Path):
    code, out, _ = _run(without, "devices")
    assert (code, "escrow" in out) == (0, True)
    assert _run(without, "doctor", "--simulate", "--data", "data", "--json")[1].startswith('{"ok": ')
    assert main.commands.keys() > TOOLS.keys()

"""The files shipped with the program are found beside the package and inside it, and a wheel has them all."""

import zipfile
from pathlib import Path

import hatchling.build
import pytest

from cabinet.text.shipped import SAMPLE_SETTINGS, assets_folder
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

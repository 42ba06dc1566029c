"""The paths of an installed cabinet are below one root."""

from pathlib import Path

import pytest

from cabinet.config.settings import DataSection
from cabinet.installation.paths import ON_CABINET, Paths


def _all(paths: Paths) -> dict[str, Path]:
    named = {name: getattr(paths, name) for name in dir(paths) if not name.startswith("_")}
    found = {name: value for name, value in named.items() if isinstance(value, Path) and name != "root"}
    return {**found, "version": paths.version("1.2.3"), "share": paths.share(), "command": paths.command()}


def test_each_path_is_below_the_root(tmp_path: Path):
    below = Paths(root=tmp_path)
    assert {name: below.on_cabinet(path) for name, path in _all(below).items()} == _all(ON_CABINET)


def test_no_two_names_mean_one_path():
    found = list(_all(ON_CABINET).values())
    assert sorted(found) == sorted(set(found))


def test_the_mark_is_where_the_settings_have_it_by_default():
    assert ON_CABINET.mark == DataSection().marks()


def test_a_version_has_its_program_and_its_files():
    version = ON_CABINET.version("1.2.3")
    assert (ON_CABINET.command(version), ON_CABINET.share(version)) == (
        Path("/opt/blackjack-cabinet/1.2.3/bin/cabinet"),
        Path("/opt/blackjack-cabinet/1.2.3/share"),
    )


def test_a_path_outside_the_root_is_an_error(tmp_path: Path):
    with pytest.raises(ValueError, match="not in the subpath"):
        Paths(root=tmp_path / "root").on_cabinet(tmp_path / "other")

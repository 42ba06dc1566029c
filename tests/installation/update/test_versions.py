"""The folders of versions and the link to the one that runs."""

from pathlib import Path

import pytest
from support.update_cuts import at_each_call
from support.updates import release_of

from cabinet.installation.paths import Paths
from cabinet.installation.update.versions import (
    RELEASE,
    VersionError,
    complete_folder,
    current_release,
    drop_versions,
    installed,
    order_of,
    parse_release,
    switch,
    switch_back,
    unpacking,
    version_before,
)


def make(tmp_path: Path, *versions: str, current: str = "") -> Paths:
    """A root with these versions."""
    paths = Paths(root=tmp_path)
    for version in versions:
        paths.version(version).mkdir(parents=True)
        (paths.version(version) / RELEASE).write_bytes(release_of(version))
    if current:
        paths.current.symlink_to(current)
    return paths


def names(paths: Paths) -> list[str]:
    return [each.version for each in installed(paths)]


def test_versions_are_ordered_by_their_numbers():
    found = ["0.10.0", "0.9.1", "0.9", "1.0", "0.9.0"]
    assert sorted(found, key=order_of) == ["0.9", "0.9.0", "0.9.1", "0.10.0", "1.0"]


@pytest.mark.parametrize("version", ["", "1", "1.0-rc1", "../1.0", "1.0.", "v1.0", "1..0", "1.0\n", "1.0.0.0.0"])
def test_what_is_no_version_number_is_refused(version: str):
    with pytest.raises(VersionError, match="no version number"):
        order_of(version)


def test_only_folders_with_a_whole_name_are_versions(tmp_path: Path):
    paths = make(tmp_path, "0.2.0", "0.10.0", current="0.2.0")
    for name in ("0.3.0.partial", "0.4.0.new.partial", "back"):
        (paths.programs / name).mkdir()
    (paths.programs / "0.5.0").write_text("a file", encoding="utf-8")
    assert names(paths) == ["0.2.0", "0.10.0"]


def test_the_version_that_runs_is_the_one_the_link_leads_to(tmp_path: Path):
    paths = make(tmp_path, "0.1.0", "0.2.0", current="0.1.0")
    assert current_release(paths).version == "0.1.0"
    switch(paths, "0.2.0")
    assert current_release(paths).version == "0.2.0"
    assert paths.current.readlink() == Path("0.2.0"), "relative, so that it holds below any root"


def test_a_version_that_is_not_complete_never_runs(tmp_path: Path):
    paths = make(tmp_path, "0.1.0", current="0.1.0")
    paths.version("0.2.0").mkdir()
    with pytest.raises(VersionError, match="RELEASE: cannot be read"):
        switch(paths, "0.2.0")
    assert current_release(paths).version == "0.1.0"


def test_the_way_back_is_made_before_the_change_and_needs_no_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    paths = make(tmp_path, "0.1.0", "0.2.0", current="0.1.0")
    switch(paths, "0.2.0")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.symlink", full)
    switch_back(paths, "0.1.0")
    assert current_release(paths).version == "0.1.0"


def test_a_version_that_runs_already_needs_no_way_back(tmp_path: Path):
    """A medium that is full before the change has no room for a link either."""
    paths = make(tmp_path, "0.1.0", current="0.1.0")
    with at_each_call(lambda _: None) as calls:
        switch_back(paths, "0.1.0")
    assert (calls, current_release(paths).version) == ([], "0.1.0")


def test_without_its_link_the_way_back_is_made(tmp_path: Path):
    paths = make(tmp_path, "0.1.0", "0.2.0", current="0.2.0")
    switch_back(paths, "0.1.0")
    assert current_release(paths).version == "0.1.0"


def test_a_folder_in_the_place_of_the_link_is_an_error(tmp_path: Path):
    paths = make(tmp_path, "0.1.0")
    paths.current.mkdir()
    with pytest.raises(VersionError, match="expected a link to a version"):
        current_release(paths)


def test_the_version_before_is_the_next_older_one(tmp_path: Path):
    paths = make(tmp_path, "0.1.0", "0.9.0", "0.10.0", "0.11.0", current="0.10.0")
    assert version_before(paths).version == "0.9.0"


def test_an_unpacked_folder_replaces_an_older_one_of_its_name(tmp_path: Path):
    paths = make(tmp_path, "0.1.0", "0.2.0", current="0.1.0")
    (paths.version("0.2.0") / "old").write_text("x", encoding="utf-8")
    new = unpacking(paths, "0.2.0")
    new.mkdir()
    (new / RELEASE).write_bytes(release_of("0.2.0"))
    complete_folder(paths, "0.2.0")
    assert [each.name for each in paths.version("0.2.0").iterdir()] == [RELEASE]
    assert sorted(each.name for each in paths.programs.iterdir()) == ["0.1.0", "0.2.0", "current"]


def test_the_version_that_runs_is_never_removed(tmp_path: Path):
    paths = make(tmp_path, "0.1.0", "0.2.0", "0.3.0", current="0.2.0")
    assert drop_versions(paths, frozenset({"0.3.0"})) == ("0.1.0",)
    assert names(paths) == ["0.2.0", "0.3.0"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not the description"),
        (b"{}", "not the description"),
        (b"\xff", "not the description"),
        (release_of("0.1.0", name="another"), "it is of 'another'"),
        (release_of("0.1.0", form="5"), "not the description"),
        (release_of("../../etc"), "no version number"),
    ],
)
def test_a_description_that_is_not_whole_is_refused(content: bytes, reason: str):
    with pytest.raises(VersionError, match=reason):
        parse_release(content, "there")


def test_a_description_may_say_more_than_this_program_knows():
    assert parse_release(release_of("0.1.0", built="today"), "there").form == 5


def test_a_folder_without_a_description_is_no_version(tmp_path: Path):
    """apt leaves the folder of a version behind where a file that is not of the package is in it."""
    paths = make(tmp_path, "0.1.0", "0.2.0", current="0.2.0")
    paths.version("0.0.5").mkdir()
    assert names(paths) == ["0.1.0", "0.2.0"]

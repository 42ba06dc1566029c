"""Packages: what is taken out of one, and what is refused before anything is written."""

import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.updates import (
    SECOND,
    SYSTEM_LINK,
    Member,
    control_of,
    file_member,
    folder_member,
    link_member,
    members_of,
    release_of,
    write_package,
)

from cabinet.installation.paths import NAME, Paths
from cabinet.installation.update.package_file import PackageError, read_package, unpack

TOP = f"opt/{NAME}/{SECOND}"


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """A root that has the files of the system."""
    found = Paths(root=tmp_path / "root")
    (found.root / "usr/bin").mkdir(parents=True)
    found.programs.mkdir(parents=True)
    (found.root / SYSTEM_LINK[0]).symlink_to(SYSTEM_LINK[1])
    return found


def package(tmp_path: Path, members: Sequence[Member], control: str = control_of(SECOND)) -> Path:
    return write_package(tmp_path / "x.deb", control, members)


def special(name: str, kind: bytes) -> Member:
    info = tarfile.TarInfo(f"./{name}")
    info.type, info.linkname = kind, f"./{TOP}/RELEASE"
    return info, b""


def test_a_package_is_read_and_unpacked_as_it_is(tmp_path: Path, paths: Paths):
    found = read_package(package(tmp_path, members_of(SECOND)), paths)
    assert (found.release.version, found.release.form) == (SECOND, 5)
    target = paths.programs / "there"
    unpack(found, paths, target)
    assert sorted(str(each.relative_to(target)) for each in target.rglob("*")) == [
        "RELEASE",
        "bin",
        "bin/cabinet",
        "bin/python",
        "bin/python3",
        "lib",
        "lib/data.bin",
        "share",
        "share/release.key",
    ]
    assert found.unpacked_bytes == sum(each.lstat().st_size for each in target.rglob("*") if each.is_file())
    assert (target / "bin/cabinet").stat().st_mode & 0o777 == 0o755
    assert (target / "RELEASE").stat().st_mode & 0o777 == 0o644
    assert (target / "bin/python").readlink() == Path("/usr/bin/python3.13")


def test_reading_writes_nothing(tmp_path: Path, paths: Paths):
    read_package(package(tmp_path, members_of(SECOND)), paths)
    assert list(paths.programs.iterdir()) == []


def test_a_program_with_the_rights_of_root_loses_them(tmp_path: Path, paths: Paths):
    members = [*members_of(SECOND), file_member(f"{TOP}/bin/su", b"", 0o6777)]
    unpack(read_package(package(tmp_path, members), paths), paths, paths.programs / "there")
    assert (paths.programs / "there/bin/su").stat().st_mode & 0o7777 == 0o755


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        (file_member("../../etc/passwd", b""), "leads outside"),
        (file_member(f"{TOP}/../../x", b""), "leads outside"),
        (link_member(f"{TOP}/out", "/etc/passwd"), "the link .* leads outside"),
        (link_member(f"{TOP}/out", "../../../etc"), "the link .* leads outside"),
        (link_member(f"{TOP}/out", "/usr/bin/python3.13/../sh"), "the link .* leads outside"),
        (special(f"{TOP}/dev", tarfile.CHRTYPE), "no file, folder or link"),
        (special(f"{TOP}/pipe", tarfile.FIFOTYPE), "no file, folder or link"),
        (special(f"{TOP}/hard", tarfile.LNKTYPE), "no file, folder or link"),
        (file_member(f"opt/{NAME}/9.9.9/x", b""), "has the system file"),
        (file_member("etc/cron.d/x", b""), "has the system file /etc/cron.d/x"),
        (link_member("usr/lib/systemd/system/x.service", "/opt/x"), "has the system file"),
        (link_member(SYSTEM_LINK[0], "/elsewhere"), "has the system file"),
    ],
)
def test_a_member_that_does_not_belong_there_is_refused(tmp_path: Path, paths: Paths, member: Member, reason: str):
    with pytest.raises(PackageError, match=reason):
        read_package(package(tmp_path, [*members_of(SECOND), member]), paths)


def test_a_member_behind_a_link_is_refused(tmp_path: Path, paths: Paths):
    """The link itself stays in the version, but what it leads to may be replaced."""
    members = [*members_of(SECOND), link_member(f"{TOP}/way", "lib"), file_member(f"{TOP}/way/x", b"")]
    found = read_package(package(tmp_path, members), paths)
    with pytest.raises(PackageError, match="lies behind the link way"):
        unpack(found, paths, paths.programs / "there")


def test_what_is_for_readers_is_left_out(tmp_path: Path, paths: Paths):
    members = [*members_of(SECOND), folder_member("usr/share/doc/x"), file_member("usr/share/doc/x/copyright", b"x")]
    unpack(read_package(package(tmp_path, members), paths), paths, paths.programs / "there")
    assert not (paths.root / "usr/share").exists()


def test_a_file_that_the_system_has_is_left_as_it_is(tmp_path: Path, paths: Paths):
    settings = paths.root / "etc/x.conf"
    settings.parent.mkdir()
    settings.write_text("the operator's", encoding="utf-8")
    members = [*members_of(SECOND), file_member("etc/x.conf", b"the package's")]
    unpack(read_package(package(tmp_path, members), paths), paths, paths.programs / "there")
    assert settings.read_text(encoding="utf-8") == "the operator's"


@pytest.mark.parametrize(
    ("control", "members", "reason"),
    [
        (control_of(SECOND).replace(NAME, "nethack", 1), members_of(SECOND), "the package 'nethack'"),
        (control_of("0.3.0"), members_of(SECOND), "has the system file"),
        (control_of(SECOND, "amd64"), members_of(SECOND), "says 0.2.0 amd64, its RELEASE says 0.2.0 arm64"),
        (control_of(SECOND), [file_member(f"{TOP}/x", b"")], "it has no opt/.*RELEASE"),
        (control_of(SECOND), [file_member(f"{TOP}/RELEASE", release_of("0.2.1"))], "its RELEASE says 0.2.1"),
        (control_of(SECOND), [file_member(f"{TOP}/RELEASE", b"x")], "not the description of a version"),
    ],
)
def test_a_package_of_something_else_is_refused(
    tmp_path: Path, paths: Paths, control: str, members: list[Member], reason: str
):
    with pytest.raises(PackageError, match=reason):
        read_package(package(tmp_path, members, control), paths)


@pytest.mark.parametrize("content", [b"", b"no package", b"!<arch>\n"])
def test_what_is_no_package_is_refused(tmp_path: Path, paths: Paths, content: bytes):
    file = tmp_path / "x.deb"
    file.write_bytes(content)
    with pytest.raises(PackageError, match="it is no Debian package"):
        read_package(file, paths)


def test_a_package_that_is_cut_off_is_refused(tmp_path: Path, paths: Paths):
    file = package(tmp_path, members_of(SECOND))
    file.write_bytes(file.read_bytes()[:-3000])
    with pytest.raises(PackageError, match=r"cannot be read|cannot unpack it|no Debian package"):
        read_package(file, paths)


def without(*names: str) -> list[Member]:
    """Returns the members of a package without these files of its version."""
    return [each for each in members_of(SECOND) if each[0].name not in {f"./{TOP}/{name}" for name in names}]


@pytest.mark.parametrize(
    "members",
    [
        without("bin/cabinet"),
        [*without("bin/cabinet"), file_member(f"{TOP}/bin/cabinet", b"#!/bin/sh\n", 0o644)],
        [*without("bin/cabinet"), folder_member(f"{TOP}/bin/cabinet")],
    ],
)
def test_a_version_without_a_program_that_can_be_started_is_refused(
    tmp_path: Path, paths: Paths, members: list[Member]
):
    with pytest.raises(PackageError, match=r"it has no program opt/.*/bin/cabinet: expected an executable file there"):
        read_package(package(tmp_path, members), paths)


def test_a_version_without_its_python_is_refused(tmp_path: Path, paths: Paths):
    with pytest.raises(PackageError, match=r"it has no opt/.*/bin/python, to which its Python leads"):
        read_package(package(tmp_path, without("bin/python")), paths)


def test_a_version_without_a_file_that_the_system_has_through_current_is_refused(tmp_path: Path, paths: Paths):
    """The link in the system would lead to nothing after the change of versions."""
    listed = paths.root / f"var/lib/dpkg/info/{NAME}.list"
    listed.parent.mkdir(parents=True)
    listed.write_text("/.\n/usr\n/usr/bin/cabinet\n/usr/lib/x.conf\n", encoding="utf-8")
    (paths.root / "usr/lib").mkdir()
    (paths.root / "usr/lib/x.conf").symlink_to(f"/opt/{NAME}/current/share/x.conf")
    with pytest.raises(PackageError, match=r"it has no opt/.*/share/x\.conf, to which /usr/lib/x\.conf leads"):
        read_package(package(tmp_path, members_of(SECOND)), paths)
    whole = [*members_of(SECOND), file_member(f"{TOP}/share/x.conf", b"")]
    assert read_package(package(tmp_path, whole), paths).release.version == SECOND

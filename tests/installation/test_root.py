"""A change stays below the root: links that lead out of it are refused in words."""

from pathlib import Path

import pytest

from cabinet.installation.paths import ON_CABINET, Paths
from cabinet.installation.root import RootError, check_below, check_root


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    (tmp_path / "root/usr/lib").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    return Paths(root=tmp_path / "root")


def test_a_missing_root_is_named(tmp_path: Path):
    with pytest.raises(RootError, match=r"/nothing: the folder of --root does not exist, expected the folder"):
        check_root(Paths(root=tmp_path / "nothing"))


def test_a_file_as_the_root_is_named(tmp_path: Path):
    (tmp_path / "card.img").write_bytes(b"")
    with pytest.raises(RootError, match=r"/card\.img: the folder of --root is a file"):
        check_root(Paths(root=tmp_path / "card.img"))


def test_a_folder_without_a_system_is_named(paths: Paths):
    with pytest.raises(RootError, match=rf"{paths.root}/etc: does not exist, .* mount the system of the image at"):
        check_root(paths)
    paths.fstab.parent.mkdir()
    check_root(paths)


@pytest.mark.parametrize("target", ["/etc", "../outside"])
def test_a_folder_that_leads_out_is_named_with_its_target(paths: Paths, target: str):
    (paths.root / "etc").symlink_to(target)
    with pytest.raises(RootError, match=rf"root/etc: is a link to {target}, which leads out of .*root, expected"):
        check_below(paths, paths.at("/etc/systemd/journald.conf.d/x.conf"))


def test_a_link_to_a_link_that_leads_out_is_refused(paths: Paths):
    (paths.root / "etc").symlink_to("usr/etc")
    (paths.root / "usr/etc").symlink_to("/etc")
    with pytest.raises(RootError, match="root/etc: is a link to usr/etc, which leads out"):
        check_below(paths, paths.at("/etc/fstab"))


def test_a_link_that_stays_below_the_root_is_no_problem(paths: Paths):
    (paths.root / "lib").symlink_to("usr/lib")
    check_below(paths, paths.at("/lib/systemd/system/x.service"))
    check_below(paths, paths.at("/not/there/yet"))


def test_the_last_name_may_be_a_link_because_it_is_replaced(paths: Paths):
    (paths.root / "etc").mkdir()
    (paths.root / "etc/localtime").symlink_to("/usr/share/zoneinfo/Etc/UTC")
    check_below(paths, paths.local_time)


def test_a_root_that_is_a_link_itself_is_followed(paths: Paths, tmp_path: Path):
    (tmp_path / "mounted").symlink_to("root")
    (paths.root / "etc").mkdir()
    linked = Paths(root=tmp_path / "mounted")
    check_root(linked)
    check_below(linked, linked.fstab)


def test_on_a_cabinet_no_link_leads_out():
    check_below(ON_CABINET, Path("/proc/self/cwd/x"))


def test_a_path_that_leads_out_of_the_root_without_a_link_is_refused(tmp_path: Path):
    paths = Paths(root=tmp_path / "root")
    paths.root.mkdir()
    with pytest.raises(RootError, match=r"leads out of .*root, expected a path in it$"):
        check_below(paths, paths.at("../../x"))

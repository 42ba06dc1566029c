"""A read-only system is writable for the time of a change only."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from cabinet.installation.paths import Paths
from cabinet.installation.remount import (
    SYSTEM,
    RemountError,
    find_read_only,
    run_mount,
    writable,
    writable_places,
)

CARD = (
    "24 1 179:2 / / ro,noatime shared:1 - ext4 /dev/mmcblk0p2 ro\n"
    "30 24 179:1 / /boot/firmware ro,noatime shared:2 - vfat /dev/mmcblk0p1 ro,fmask=0022\n"
    "31 24 179:3 / /var rw,noatime shared:3 - ext4 /dev/mmcblk0p3 rw\n"
)

REFUSED = r"^/boot/firmware: the file system cannot be made writable: .*busy; restart the machine, then try again$"


class Mounts:
    """The program `mount` of a system; it refuses the mounts that are named."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused
        self.done: list[str] = []

    def __call__(self, command: Sequence[str]) -> None:
        act = " ".join(command[2:])
        if act in self.refused:
            raise RemountError(f"{act}: target is busy")
        self.done.append(act)


def test_only_what_is_read_only_is_found():
    assert find_read_only(CARD) == SYSTEM
    assert find_read_only(CARD.replace(" ro,", " rw,").replace("p2 ro", "p2 rw").replace("p1 ro", "p1 rw")) == ()


def test_a_mount_that_is_read_only_on_a_writable_file_system_is_found():
    assert find_read_only("24 1 179:2 / / ro,noatime shared:1 - ext4 /dev/mmcblk0p2 rw\n") == (Path("/"),)


def test_a_name_with_ro_in_it_is_not_read_only():
    assert find_read_only("24 1 179:2 / / rw,relatime - ext4 /dev/mmcblk0p2 rw,errors=remount-ro\n") == ()


def test_a_system_that_is_writable_stays_as_it_is():
    mounts = Mounts()
    with writable_places((), print, mounts):
        pass
    assert mounts.done == []


def test_it_is_writable_within_and_read_only_behind():
    mounts = Mounts()
    with writable_places(SYSTEM, print, mounts):
        assert mounts.done == ["remount,rw /", "remount,rw /boot/firmware"]
    assert mounts.done[2:] == ["remount,ro /boot/firmware", "remount,ro /"]


def test_an_error_within_leaves_it_read_only():
    mounts = Mounts()
    with pytest.raises(ValueError, match="within"), writable_places(SYSTEM, print, mounts):
        raise ValueError("within")
    assert mounts.done[-1] == "remount,ro /"


def test_nothing_is_changed_where_it_does_not_become_writable():
    mounts = Mounts("remount,rw /boot/firmware")
    within = False
    with pytest.raises(RemountError, match=REFUSED), writable_places(SYSTEM, print, mounts):
        within = True
    assert not within
    assert mounts.done == ["remount,rw /", "remount,ro /"]


def test_a_system_that_stays_writable_is_said():
    said: list[str] = []
    with writable_places((Path("/"),), said.append, Mounts("remount,ro /")):
        pass
    assert said == ["Note: / stays writable until the next start: remount,ro /: target is busy"]


def test_the_list_of_the_system_itself_decides(tmp_path: Path):
    card, mounts = Paths(root=tmp_path), Mounts()
    card.at("proc/self").mkdir(parents=True)
    card.at("proc/self/mountinfo").write_text(CARD, encoding="ascii")
    with writable(card, print, mounts):
        pass
    assert mounts.done[0] == f"remount,rw {tmp_path}"


def test_an_image_below_a_folder_has_no_mounts(tmp_path: Path):
    mounts = Mounts()
    with writable(Paths(root=tmp_path), print, mounts):
        pass
    assert mounts.done == []


def test_a_program_that_fails_is_named_with_its_words():
    with pytest.raises(RemountError, match=r"ls /no/such/folder: .*No such file"):
        run_mount(["ls", "/no/such/folder"])
    with pytest.raises(RemountError, match="no-such-program"):
        run_mount(["/no-such-program"])

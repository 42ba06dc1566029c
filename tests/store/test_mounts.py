"""Which file system a folder is on, by lists of mounts as kernels write them."""

from pathlib import Path

import pytest

from cabinet.store.mounts import IN_MEMORY, NEVER_WRITTEN, find_mount, mount_of, parse_mounts, read_mounts, why_unfit

PI = r"""21 26 0:19 / /proc rw,nosuid,nodev,noexec,relatime shared:5 - proc proc rw
24 26 0:5 / /dev rw,nosuid,relatime shared:2 - devtmpfs udev rw,size=1863828k,mode=755
26 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw
40 26 179:3 / /var/lib/blackjack-cabinet rw,nosuid,nodev,noatime shared:60 - ext4 /dev/mmcblk0p3 rw,errors=remount-ro
41 26 8:1 / /media/second ro,noatime shared:61 master:3 - ext4 /dev/sda1 ro
42 26 8:2 / /media/with\040a\011name rw - exfat /dev/sda2 rw
43 26 8:3 / /media/refused rw,noatime - ext4 /dev/sda3 ro,errors=remount-ro
"""
"""A Pi with a partition for the data; two second media that take no write, one of them since an error."""

OVERLAY = """1 0 0:30 / / rw,relatime - overlay overlayroot rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay
2 1 179:2 / /media/root-ro ro,relatime - ext4 /dev/mmcblk0p2 ro
3 1 0:31 / /media/root-rw rw,relatime - tmpfs tmpfs-root rw
"""
"""A root that is protected by an overlay in memory."""


def kind_of(text: str, folder: str) -> str | None:
    """The file system of a folder."""
    mount = find_mount(parse_mounts(text), Path(folder))
    return None if mount is None else mount.kind


def test_a_folder_is_on_the_nearest_mount_above_it() -> None:
    found = [kind_of(PI, folder) for folder in ("/home", "/var/lib/blackjack-cabinet/x", "/dev/shm", "/proc")]
    assert found == ["ext4", "ext4", "devtmpfs", "proc"]
    assert [mount.point for mount in parse_mounts(PI)][3] == "/var/lib/blackjack-cabinet"


def test_spaces_and_tabs_of_a_mount_point_are_read() -> None:
    assert kind_of(PI, "/media/with a\tname/below") == "exfat"
    assert kind_of(PI, "/media/with") == "ext4"


def test_a_folder_whose_name_only_begins_like_a_mount_point_is_not_on_it() -> None:
    mount = find_mount(parse_mounts(PI), Path("/media/second-one"))
    assert mount is not None
    assert mount.point == "/"


def test_of_two_mounts_on_one_point_the_later_one_counts() -> None:
    text = PI + "50 40 0:40 / /var/lib/blackjack-cabinet rw - tmpfs tmpfs rw\n"
    assert kind_of(text, "/var/lib/blackjack-cabinet") == "tmpfs"


def test_a_mount_that_a_later_one_above_it_covers_does_not_count() -> None:
    text = PI + "51 26 0:41 / /var rw - tmpfs tmpfs rw\n"
    assert kind_of(text, "/var/lib/blackjack-cabinet") == "tmpfs"
    text += "52 51 179:4 / /var/lib/blackjack-cabinet rw - ext4 /dev/mmcblk0p4 rw\n"
    assert kind_of(text, "/var/lib/blackjack-cabinet") == "ext4"


@pytest.mark.requirement("PL-02")
@pytest.mark.parametrize(
    ("text", "folder", "said"),
    [
        (PI, "/var/lib/blackjack-cabinet", ""),
        (PI, "/media/second", "ext4 (/media/second), which is mounted read-only"),
        (PI, "/media/refused/cabinet", "ext4 (/media/refused), which is mounted read-only"),
        (PI, "/dev/shm/data", "devtmpfs (/dev), which is lost when the power goes"),
        (OVERLAY, "/var/lib/blackjack-cabinet", "overlay (/), which is lost when the power goes"),
        ("", "/anywhere", ""),
    ],
)
def test_what_is_wrong_with_a_file_system_is_said_with_its_name(text: str, folder: str, said: str) -> None:
    found = why_unfit(text, Path(folder))
    assert (str(found) if found else "") == (said and f"{folder} is on {said}")


NO_PARTITION = r"""26 1 179:2 / / ro,noatime shared:1 - ext4 /dev/mmcblk0p2 rw
44 26 179:2 /var/lib/blackjack-cabinet /var/lib/blackjack-cabinet rw,noatime - ext4 /dev/mmcblk0p2 rw
"""
"""The same Pi without its partition, as the service sees it: it may write to this folder of the root only."""
VAR = """26 1 179:5 / / ro - erofs /dev/mmcblk0p5 ro
30 26 179:7 / /var rw - ext4 /dev/mmcblk0p7 rw
"""
"""A system with a `/var` of its own, without the partition of the data."""


@pytest.mark.requirement("PL-02")
@pytest.mark.parametrize("text", [NO_PARTITION, VAR, OVERLAY], ids=["root", "var", "overlay"])
def test_a_folder_of_the_system_is_no_partition_of_its_own(text: str) -> None:
    found = why_unfit(text, Path("/var/lib/blackjack-cabinet"), own=True)
    assert found is not None
    assert found.partition_missing
    assert str(found).endswith("which is the system's own")
    assert found.short == f"/var/lib/blackjack-cabinet={found.mount.device}"
    if text is not OVERLAY:
        assert why_unfit(text, Path("/var/lib/blackjack-cabinet")) is None


def test_a_partition_of_its_own_is_checked_for_what_it_is() -> None:
    assert why_unfit(PI, Path("/var/lib/blackjack-cabinet"), own=True) is None
    found = why_unfit(PI, Path("/media/second"), own=True)
    assert found is not None
    assert (found.partition_missing, found.short) == (False, "/media/second=ext4,ro")
    assert why_unfit("", Path("/anywhere"), own=True) is None


def test_no_file_system_in_memory_and_no_image_holds_books() -> None:
    for kind in IN_MEMORY | NEVER_WRITTEN:
        found = why_unfit(f"1 0 0:9 / / rw,relatime - {kind} none rw\n", Path("/data"))
        assert found is not None
        assert found.short == f"/data={kind}"
    assert {"tmpfs", "ramfs", "overlay", "squashfs"} <= IN_MEMORY | NEVER_WRITTEN


def test_a_link_is_followed_to_where_the_files_are(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "disk")
    text = f"1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:9 / {tmp_path}/disk rw - tmpfs tmpfs rw\n"
    mount = mount_of(text, tmp_path / "data" / "not there yet")
    assert mount is not None
    assert mount.kind == "tmpfs"


@pytest.mark.parametrize(
    "line", ["", "rubbish", "1 0 8:1 / /", "x 0 8:1 / / rw - ext4 a rw", "1 0 8:1 / / rw ext4 a rw", "1 0 8:1 / / rw -"]
)
def test_a_line_that_is_none_is_left_out(line: str) -> None:
    assert parse_mounts(line) == ()
    assert kind_of(f"{line}\n{PI}", "/home") == "ext4"


def test_mounts_that_name_each_other_as_parent_end_the_walk() -> None:
    text = "1 0 8:1 / / rw - ext4 a rw\n2 1 8:2 / /a rw - ext4 b rw\n2 2 8:2 / /a rw - ext4 b rw\n"
    assert kind_of(text, "/a/b") == "ext4"


def test_the_list_of_this_system_has_its_root() -> None:
    assert mount_of(read_mounts(), Path("/")) is not None

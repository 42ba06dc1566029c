"""The partition of the books on a card: found by its label, enlarged to the end, never made."""

from copy import deepcopy
from typing import Any

import pytest
from support.cases import case
from support.image_card import CARD_BYTES, list_devices, list_partitions

from cabinet.installation.first_boot.card import LSBLK, Act, CardError, Place, find_place, plan_growth

FOLDER = "/run/card"
PLACE = Place(
    partition="/dev/mmcblk0p4", card="/dev/mmcblk0", card_bytes=CARD_BYTES, mounted=False, on_card=True
)  # fmt: skip


def programs(acts: tuple[Act, ...]) -> list[str]:
    """Return the names of the programs, in order."""
    return [act.command[0] for act in acts]


def test_the_partitions_are_listed_within_their_disk():
    """Without this column lsblk lists all devices side by side."""
    assert "NAME" in LSBLK[-1].split(",")


def test_the_partition_is_found_by_its_label_on_the_card_of_the_system():
    assert find_place(list_devices()) == PLACE


def test_a_partition_that_is_mounted_is_known_as_such():
    listed = list_devices()
    listed["blockdevices"][0]["children"][3]["mountpoints"] = ["/var/lib/blackjack-cabinet"]
    assert find_place(listed).mounted


def test_the_rest_of_the_card_becomes_the_books_and_the_kernel_learns_of_it():
    acts = plan_growth(PLACE, list_partitions(), FOLDER)
    assert acts[0] == Act(command=("sfdisk", "--no-reread", "--force", "--partno", "4", "/dev/mmcblk0"), feed=",+\n")
    assert acts[1] == Act(command=("partx", "--update", "--nr", "4", "/dev/mmcblk0"))
    assert programs(acts) == ["sfdisk", "partx", "e2fsck", "mkdir", "mount", "resize2fs", "umount"]


def test_a_partition_that_fills_the_card_keeps_its_table():
    table = list_partitions(fills=True)
    assert "sfdisk" not in programs(plan_growth(PLACE, table, FOLDER))


def test_a_file_system_that_a_power_cut_left_small_grows_in_a_partition_that_fills_the_card():
    acts = plan_growth(PLACE, list_partitions(fills=True), FOLDER)
    assert Act(command=("resize2fs", "/dev/mmcblk0p4")) in acts


def test_a_table_with_a_copy_of_itself_at_the_end_keeps_that_room():
    table = list_partitions()
    part = table["partitiontable"]["partitions"][3]
    table["partitiontable"]["lastlba"] = part["start"] + part["size"] - 1
    assert "sfdisk" not in programs(plan_growth(PLACE, table, FOLDER))


def test_only_a_mounted_file_system_is_enlarged_because_a_power_cut_cannot_harm_that():
    names = programs(plan_growth(PLACE, list_partitions(), FOLDER))
    assert names.index("mount") < names.index("resize2fs") < names.index("umount")


def test_a_file_system_that_is_mounted_stays_so():
    mounted = Place(partition=PLACE.partition, card=PLACE.card, card_bytes=CARD_BYTES, mounted=True, on_card=True)
    assert programs(plan_growth(mounted, list_partitions(), FOLDER)) == ["sfdisk", "partx", "resize2fs"]


def test_no_act_makes_a_file_system():
    for fills in (False, True):
        acts = plan_growth(PLACE, list_partitions(fills=fills), FOLDER)
        assert not [act for act in acts if act.command[0].startswith(("mkfs", "mke2fs", "wipefs", "dd"))]


def test_a_medium_of_its_own_is_never_enlarged():
    listed = list_devices()
    books = listed["blockdevices"][0]["children"].pop(3)
    books["path"] = "/dev/sda1"
    listed["blockdevices"].append(
        {"path": "/dev/sda", "type": "disk", "size": CARD_BYTES, "label": None, "fstype": None, "mountpoints": [None],
         "children": [books]}
    )  # fmt: skip
    place = find_place(listed)
    assert not place.on_card
    assert plan_growth(place, list_partitions(), FOLDER) == ()


def _without_the_label(listed: dict[str, Any]) -> None:
    listed["blockdevices"][0]["children"][3]["label"] = None


def _twice(listed: dict[str, Any]) -> None:
    other = deepcopy(listed["blockdevices"][0])
    other["path"] = "/dev/sda"
    for number, part in enumerate(other["children"], start=1):
        part.update(path=f"/dev/sda{number}", mountpoints=[None])
    listed["blockdevices"].append(other)


def _of_another_kind(listed: dict[str, Any]) -> None:
    listed["blockdevices"][0]["children"][3]["fstype"] = "btrfs"


def _without_a_system(listed: dict[str, Any]) -> None:
    listed["blockdevices"][0]["children"][1]["mountpoints"] = [None]


def test_a_card_that_is_not_as_the_image_made_it_is_left_as_it_is():
    for spoil, said in (
        (_without_the_label, "found no partition with the label CABINETDATA"),
        (_twice, "found /dev/mmcblk0p4 and /dev/sda4 with the label"),
        (_of_another_kind, "found the file system btrfs, expected ext4"),
        (_without_a_system, "no partition is mounted at /"),
    ):
        with case(said=said):
            listed = list_devices()
            spoil(listed)
            with pytest.raises(CardError, match=said):
                find_place(listed)


def test_a_partition_with_another_one_behind_it_is_not_enlarged():
    table = list_partitions()
    last = table["partitiontable"]["partitions"][3]
    table["partitiontable"]["partitions"].append(
        {"node": "/dev/mmcblk0p5", "start": last["start"] + last["size"], "size": 2048, "type": "83"}
    )
    with pytest.raises(CardError, match="found /dev/mmcblk0p5 behind /dev/mmcblk0p4"):
        plan_growth(PLACE, table, FOLDER)

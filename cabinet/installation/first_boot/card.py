"""The partition of the books on the card of an image: found, and enlarged to the end of the card. Pure.

Rules: the partition is known by its label, and must be on the card that the system starts from and the last one there;
in every other case nothing is enlarged. No act makes a file system: books that are there stay. Each act can be
repeated, and a power cut after any of them leaves a card from which the next start goes on. The input is what `lsblk`
and `sfdisk` print as JSON; the module runs nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import DATA_LABEL

LSBLK: Final = ("lsblk", "--json", "--bytes", "--output", "NAME,PATH,TYPE,SIZE,LABEL,FSTYPE,MOUNTPOINTS")
"""Prints the block devices, the partitions within their disk because NAME is among the columns."""
SETTLE: Final = ("udevadm", "settle", "--timeout=30")
"""Waits until the system knows the labels of all partitions."""
SFDISK: Final = ("sfdisk", "--json")
"""Prints the partitions of the card whose path follows."""
GRAIN_BYTES: Final = 1 << 20
"""Less free room than this at the end of a card is not used."""


class CardError(InstallationError):
    """The partitions of the card are not as the image made them; the message says what and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The partition of the books, and the card that the system starts from."""

    partition: str
    """Its path, such as `/dev/mmcblk0p4`."""
    card: str
    card_bytes: int
    mounted: bool
    on_card: bool
    """True if the partition is on that card; a medium of its own is never enlarged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A program of the system; `feed` is its input, `good` are the exit codes of success."""

    command: tuple[str, ...]
    feed: str = ""
    good: tuple[int, ...] = (0,)


def find_place(listed: Mapping[str, Any], root: str = "/") -> Place:
    """Returns the partition of the books. `listed` is what `LSBLK` prints. Raises CardError."""
    rows = [(disk, row) for disk in listed["blockdevices"] for row in (disk, *disk.get("children", ()))]
    cards = [disk for disk, row in rows if root in row["mountpoints"]]
    found = [(disk, row) for disk, row in rows if row["label"] == DATA_LABEL]
    if not cards:
        raise CardError(
            f"no partition is mounted at {root}, expected one of the card; write the image to the card again"
        )
    if len(found) != 1:
        named = " and ".join(str(row["path"]) for _, row in found) or "no partition"
        raise CardError(
            f"found {named} with the label {DATA_LABEL}, expected one; unplug other media, or write the image to the "
            "card again where it has lost this partition"
        )
    ((disk, row),) = found
    if row["fstype"] != "ext4":
        raise CardError(
            f"{row['path']}: found the file system {row['fstype']}, expected ext4; it is left as it is: "
            "write the image to the card again"
        )
    return Place(
        partition=row["path"],
        card=cards[0]["path"],
        card_bytes=int(cards[0]["size"]),
        mounted=any(row["mountpoints"]),
        on_card=disk["path"] == cards[0]["path"],
    )


def plan_growth(place: Place, table: Mapping[str, Any], folder: str) -> tuple[Act, ...]:
    """Returns the acts that enlarge the partition and its file system, in order. `table` is what `SFDISK` prints.

    `folder` is where the file system is mounted for it: only a mounted one can be enlarged so that a power cut leaves
    it whole. Raises CardError.
    """
    return tuple(_acts(place, table["partitiontable"], folder)) if place.on_card else ()


def _acts(place: Place, table: Mapping[str, Any], folder: str) -> Iterator[Act]:
    number = _find_number(place, table)
    part = table["partitions"][number - 1]
    sector = int(table.get("sectorsize", 512))
    # A table of the kind GPT keeps its copy behind the last sector that can be used.
    end = int(table["lastlba"]) + 1 if "lastlba" in table else place.card_bytes // sector
    if (end - part["start"] - part["size"]) * sector >= GRAIN_BYTES:
        yield Act(command=("sfdisk", "--no-reread", "--force", "--partno", str(number), place.card), feed=",+\n")
    yield Act(command=("partx", "--update", "--nr", str(number), place.card))
    if not place.mounted:
        # Code 1: something was put right.
        yield Act(command=("e2fsck", "-p", place.partition), good=(0, 1))
        yield Act(command=("mkdir", "--parents", folder))
        yield Act(command=("mount", "-o", "noatime,nodev,nosuid,noexec", place.partition, folder))
    yield Act(command=("resize2fs", place.partition))
    if not place.mounted:
        yield Act(command=("umount", folder))


def _find_number(place: Place, table: Mapping[str, Any]) -> int:
    """Returns the number of the partition, from 1. Raises CardError unless it is the last one on the card."""
    parts = table["partitions"]
    last = max(parts, key=lambda part: part["start"])
    if last["node"] != place.partition:
        raise CardError(
            f"{place.card}: found {last['node']} behind {place.partition}, the partition of the books, expected "
            "nothing there; write the image to another card"
        )
    return int(parts.index(last)) + 1

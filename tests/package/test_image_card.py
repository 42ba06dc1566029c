"""The first start on a real card with four partitions, in a loop device: real tables, file systems and mounts."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from support.image_card import ANSWERED, SystemPrograms, first_boot, make_image_card

from cabinet.commands.first_boot import run_act
from cabinet.installation.first_boot.card import SFDISK, Act
from cabinet.installation.first_boot.sequence import ANSWERS, GROWING, REPORT, complete
from cabinet.installation.paths import DATA_LABEL, Paths

pytestmark = [pytest.mark.package, pytest.mark.timeout(600)]

MIB = 1 << 20
TABLE = (
    "label: dos\nlabel-id: 0xb1acc4b1\n"
    "start=1MiB, size=40MiB, type=c, bootable\n"
    "start=41MiB, size=64MiB, type=83\n"
    "start=105MiB, size=64MiB, type=83\n"
    "start=169MiB, size=32MiB, type=83\n"
)
CARD_MIB = 400
NEEDED = ("losetup", "sfdisk", "partx", "mkfs.ext4", "mkfs.vfat", "e2fsck", "resize2fs", "lsblk")
_CAPABILITIES = Path("/proc/self/status").read_text(encoding="ascii").partition("CapEff:")[2].split()[0]
MAY_GROW_MOUNTED = bool(int(_CAPABILITIES, 16) >> 24 & 1)
"""Whether this process has CAP_SYS_RESOURCE, as root has on a Pi."""
BOOKS = b"the books of a player"


def run(*command: str | Path) -> str:
    """Run a program of this machine; return what it prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card in a loop device, with its partitions mounted below a folder as on a Pi."""

    device: str
    paths: Paths

    def partition(self, number: int) -> str:
        """Return the path of a partition."""
        return f"{self.device}p{number}"

    def sectors(self, number: int) -> int:
        """Return the size of a partition in the table."""
        table = json.loads(run(*SFDISK, self.device))
        return int(table["partitiontable"]["partitions"][number - 1]["size"])


@pytest.fixture
def card(tmp_path: Path) -> Iterator[Card]:
    """A new card; the partition of the books has a file already."""
    if os.geteuid() != 0:
        pytest.skip("a loop device needs root: run this as root")
    if missing := [name for name in NEEDED if shutil.which(name) is None]:
        pytest.skip(f"these programs are missing: {', '.join(missing)}; install them with apt")
    image = tmp_path / "card.img"
    with image.open("wb") as file:
        file.truncate(CARD_MIB * MIB)
    subprocess.run(["sfdisk", "--quiet", image], input=TABLE, text=True, check=True)
    device = run("losetup", "--find", "--show", "--partscan", image).strip()
    made = Card(device=device, paths=Paths(root=tmp_path / "card"))
    try:
        run("partx", "--add", device)
        _make_nodes(made)
        _make_file_systems(made)
        _mount(made)
        yield made
    finally:
        for folder in (made.paths.data, made.paths.at("var"), made.paths.boot, made.paths.root, Path(GROWING)):
            subprocess.run(["umount", folder], check=False, capture_output=True)
        subprocess.run(["partx", "--delete", device], check=False, capture_output=True)
        run("losetup", "--detach", device)
        for number in range(1, 5):
            Path(made.partition(number)).unlink(missing_ok=True)


def _make_nodes(card: Card) -> None:
    """Make the device files where no udev does."""
    for number in range(1, 5):
        node = Path(card.partition(number))
        if not node.exists():
            major, minor = (Path("/sys/block") / Path(card.device).name / node.name / "dev").read_text().split(":")
            run("mknod", node, "b", major, minor.strip())


def _make_file_systems(card: Card) -> None:
    # A kernel without FAT gets another file system for the boot partition: the acts are the same.
    if "\tvfat\n" in Path("/proc/filesystems").read_text(encoding="ascii"):
        run("mkfs.vfat", "-n", "BOOT", card.partition(1))
    else:
        run("mkfs.ext4", "-q", "-L", "BOOT", card.partition(1))
    for number, label in ((2, "CABINETROOT"), (3, "CABINETVAR"), (4, DATA_LABEL)):
        run("mkfs.ext4", "-q", "-L", label, card.partition(number))


def _mount(card: Card) -> None:
    for number, folder in ((2, card.paths.root), (1, card.paths.boot), (3, card.paths.at("var"))):
        folder.mkdir(parents=True, exist_ok=True)
        run("mount", card.partition(number), folder)
    make_image_card(card.paths.root)
    run("mount", card.partition(4), card.paths.data)
    (card.paths.data / "books").write_bytes(BOOKS)
    run("umount", card.paths.data)


class RealPrograms(SystemPrograms):
    """The real programs for the card; stand-ins only for those that would change this machine itself."""

    device = ""

    def __call__(self, act: Act) -> str:
        """Run one."""
        if act.command[0] in {"cabinet", "systemd-machine-id-setup", "ssh-keygen", "systemctl", "udevadm"}:
            return super().__call__(act)
        self.done.append(" ".join(act.command))
        if act.command[0] == "lsblk":
            return self._list(act)
        if act.command[0] == "resize2fs" and not MAY_GROW_MOUNTED:
            return self._grow_unmounted(act)
        return run_act(act)

    @staticmethod
    def _grow_unmounted(act: Act) -> str:
        """The same for a root that a container keeps from enlarging what is mounted."""
        folders = run("findmnt", "-n", "-o", "TARGET", act.command[1]).split()
        for folder in folders:
            run("umount", folder)
        run("e2fsck", "-f", "-p", act.command[1])
        done = run_act(act)
        for folder in folders:
            run("mount", act.command[1], folder)
        return done

    def _list(self, act: Act) -> str:
        """Only the card: this machine may have others, and knows labels by udev or not at all."""
        listed = json.loads(run_act(Act(command=(*act.command, self.device))))
        for part in listed["blockdevices"][0]["children"]:
            for name, tag in (("label", "LABEL"), ("fstype", "TYPE")):
                command = ["blkid", "-p", "-o", "value", "-s", tag, part["path"]]
                found = subprocess.run(command, capture_output=True, text=True, check=False)
                part[name] = found.stdout.strip() or None
        return json.dumps(listed)


def start(card: Card, *, failing: str = "") -> RealPrograms:
    """Do the first start; return the programs that ran."""
    programs = RealPrograms(card.paths)
    programs.device = card.device

    def mount_books(folder: Path) -> bool:
        if not folder.is_mount():
            run("mount", card.partition(4), folder)
        return folder.is_mount()

    def failing_run(act: Act) -> str:
        if failing and act.command[0] == failing:
            raise KeyboardInterrupt
        return programs(act)

    complete(replace(first_boot(card.paths, programs, []), run=failing_run, is_mounted=mount_books))
    return programs


def test_the_books_get_the_rest_of_the_card_and_stay(card: Card):
    start(card)
    assert card.sectors(4) * 512 == (CARD_MIB - 169) * MIB
    room = os.statvfs(card.paths.data)
    assert room.f_blocks * room.f_frsize > (CARD_MIB - 169) * MIB * 0.8
    assert (card.paths.data / "books").read_bytes() == BOOKS
    run("umount", card.paths.data)
    run("e2fsck", "-f", "-n", card.partition(4))


def test_the_other_partitions_stay_as_they_were(card: Card):
    before = [card.sectors(number) for number in (1, 2, 3)]
    start(card)
    assert [card.sectors(number) for number in (1, 2, 3)] == before


def test_the_pin_is_nowhere_on_the_boot_partition_and_the_report_is(card: Card):
    run("sync")
    pin = ANSWERED.partition('technician_pin = "')[2][:6].encode()
    assert pin in Path(card.partition(1)).read_bytes()
    start(card)
    assert (card.paths.boot / REPORT).exists()
    assert not (card.paths.boot / ANSWERS).exists()
    run("umount", card.paths.boot)
    assert pin not in Path(card.partition(1)).read_bytes()


@pytest.mark.parametrize("cut", ["partx", "e2fsck", "mount", "resize2fs", "umount", "cabinet"])
def test_a_start_that_was_cut_is_completed_by_the_next(card: Card, cut: str):
    with pytest.raises(KeyboardInterrupt):
        start(card, failing=cut)
    start(card)
    assert card.sectors(4) * 512 == (CARD_MIB - 169) * MIB
    room = os.statvfs(card.paths.data)
    assert room.f_blocks * room.f_frsize > (CARD_MIB - 169) * MIB * 0.8
    assert (card.paths.data / "books").read_bytes() == BOOKS

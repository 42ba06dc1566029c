"""The installed program on media of every kind: it plays on a read-only system, and begins no books that get lost."""

import json
import subprocess
from pathlib import Path

import pytest
from support.debian_system import System

from cabinet.installation.paths import DATA_LABEL, ON_CABINET, USER

pytestmark = [pytest.mark.package, pytest.mark.timeout(7200)]

DATA = ON_CABINET.data
PROGRAM = ON_CABINET.command()
OURS = f'chown --reference="$root{ON_CABINET.mark}" "$root{DATA}"; chmod 750 "$root{DATA}"'
WRITABLE = 'for folder in tmp var/tmp; do mount -t tmpfs -o mode=1777 tmpfs "$root/$folder"; done'


@pytest.fixture(scope="module")
def cabinet(system: System, package: Path) -> System:
    """A system with the package and its sample settings."""
    system.run("apt-get", "install", "--yes", system.put(package))
    system.shell(f"mkdir -p {ON_CABINET.settings.parent}; cp {ON_CABINET.share()}/cabinet.toml {ON_CABINET.settings}")
    return system


@pytest.fixture(scope="module")
def partition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an ext4 partition for the books."""
    image = tmp_path_factory.mktemp("partition") / "books.img"
    with image.open("wb") as file:
        file.truncate(512 * 2**20)
    subprocess.run(["mkfs.ext4", "-q", "-L", DATA_LABEL, image], check=True)
    return image


def mounted(partition: Path, options: str = "") -> str:
    """Return the shell lines that mount the partition as fstab does."""
    line = f'mount -o loop,noatime,nodev,nosuid,noexec,errors=remount-ro{options} {partition} "$root{DATA}"'
    return line if options else f"{line}; {OURS}"


def test_it_plays_on_a_read_only_system_and_its_books_balance(cabinet: System, partition: Path):
    play = f"SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy {PROGRAM} autoplay --rounds 10 --json --data {DATA}/trial"
    command = ["runuser", "-u", USER, "--", "sh", "-euc", f"cd /var/tmp; {play} --screens /var/tmp/screens"]
    done = cabinet.run(*command, read_only=True, mounts=f"{WRITABLE}; {mounted(partition)}")
    assert json.loads(done.stdout)["balanced"] is True


LAYERS = f"lowerdir=$root{DATA},upperdir=$root/run/up,workdir=$root/run/work"
MEDIA = {
    "memory": (f'mount -t tmpfs tmpfs "$root{DATA}"; {OURS}', "tmpfs"),
    "an overlay": (
        f'mkdir "$root/run/up" "$root/run/work"; mount -t overlay overlay -o "{LAYERS}" "$root{DATA}"; {OURS}',
        "overlay",
    ),
}
"""Medium -> how it comes to the place of the books, and what the refusal names."""


@pytest.mark.parametrize("medium", MEDIA)
def test_no_books_begin_on_a_medium_that_loses_them(cabinet: System, medium: str):
    mounts, named = MEDIA[medium]
    refused = cabinet.run("cabinet", "commission", mounts=mounts, fails=True).stderr
    assert named in refused
    assert "Traceback" not in refused


def test_no_books_begin_on_a_medium_that_takes_no_write(cabinet: System, partition: Path):
    refused = cabinet.run("cabinet", "commission", mounts=mounted(partition, ",ro"), fails=True).stderr
    assert "read-only" in refused or "Read-only" in refused


def test_no_books_begin_on_a_read_only_system_without_their_partition(cabinet: System):
    refused = cabinet.run("cabinet", "commission", read_only=True, mounts=WRITABLE, fails=True).stderr
    assert "read-only" in refused or "Read-only" in refused


def test_the_books_begin_on_their_partition_and_the_doctor_finds_them(cabinet: System, partition: Path):
    cabinet.run("cabinet", "commission", mounts=mounted(partition))
    assert "0" in cabinet.run("cabinet", "meters", mounts=mounted(partition)).stdout


def test_without_their_partition_they_are_missed_and_no_others_begin(cabinet: System):
    """The folder is there and empty, as after a start without the medium; the mark on the system's partition knows."""
    refused = cabinet.run("cabinet", "commission", fails=True).stderr
    assert str(ON_CABINET.mark) in refused
    assert list(cabinet.at(DATA).iterdir()) == []


def test_with_their_partition_again_they_are_whole(cabinet: System, partition: Path):
    verified = cabinet.run("cabinet", "verify", "--json", mounts=mounted(partition)).stdout
    assert json.loads(verified)["ok"] is True

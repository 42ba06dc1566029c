"""A fresh Debian 13 system in a folder, in which commands run as on a machine of its own.

Each command has private mounts, processes and devices, and a network only if it asks for one; process 1 is the command,
not systemd. The system is made once by debootstrap, with what the package depends on, and kept in the cache of the user
(`$XDG_CACHE_HOME` or `~/.cache`); each use is a copy. A system for another processor runs under qemu, which is
registered with the kernel for that time only. Debian has no python3-lgpio: an empty package stands in for it.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SUITE: Final = "trixie"
MIRROR: Final = "http://deb.debian.org/debian"
INSTALLED: Final = ("systemd", "udev", "kbd", "python3", "python3-pygame", "nftables", "ca-certificates")
CHECKER: Final = "lintian"
"""Installed where the system runs without qemu, which is too slow for it."""
NATIVE: Final = {"x86_64": "amd64", "aarch64": "arm64"}
PATIENCE_S: Final = 3600.0

_REGISTRY: Final = Path("/proc/sys/fs/binfmt_misc")
_EMULATOR: Final = "blackjack-cabinet-aarch64"
_MAGIC: Final = (
    r":M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    r":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:"
)
"""How the kernel recognises a program for 64-bit ARM."""

_ENTER: Final = """
set -eu
root=$1; shift
if [ "$READ_ONLY" ]; then mount --bind "$root" "$root"; mount -o remount,bind,ro "$root"; fi
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
    touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"; ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
export root
eval "$MOUNTS"
exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root \
    DEBIAN_FRONTEND=noninteractive "$@"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A system in a folder."""

    root: Path
    architecture: str

    def run(
        self,
        *command: str | Path,
        network: bool = False,
        read_only: bool = False,
        mounts: str = "",
        fails: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command as root of the system and returns what it said.

        `read_only` is for the file system of the root, as an image without writes has it. `mounts` are shell lines that
        mount more below `$root` first. An exit code other than 0 is an error, unless `fails`: then 0 is one.
        """
        words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private"]
        words += [] if network else ["--net"]
        words += ["bash", "-c", _ENTER, "bash", str(self.root), *map(str, command)]
        environment = {**os.environ, "MOUNTS": mounts, "READ_ONLY": "yes" if read_only else ""}
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=PATIENCE_S, check=False, env=environment, errors="replace"
        )
        if bool(done.returncode) is not fails:
            output = f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
            raise AssertionError(f"{' '.join(map(str, command))}: ended with {done.returncode}\n{output}")
        return done

    def shell(self, script: str, *, mounts: str = "") -> str:
        """Runs shell lines that must succeed; returns what they print."""
        return self.run("sh", "-euc", script, mounts=mounts).stdout

    def put(self, file: Path, place: str = "/root") -> Path:
        """Copies a file into the system; returns its path there."""
        target = Path(place) / file.name
        shutil.copyfile(file, self.root / str(target).lstrip("/"))
        return target

    def put_text(self, place: str, text: str) -> str:
        """Writes a file of the system; returns its path there."""
        self.at(place).write_text(text, encoding="utf-8")
        return place

    def at(self, path: str | Path) -> Path:
        """Returns the place of a path of the system."""
        return self.root / str(path).lstrip("/")


def why_not(architecture: str) -> str:
    """Returns why this machine cannot have such a system; empty where it can."""
    if os.geteuid() != 0:
        return "a system in a folder needs root: run this as root"
    needed = ["debootstrap", "unshare", "chroot", "dpkg-deb", "minisign"]
    if architecture != _own():
        needed.append("qemu-aarch64-static")
    missing = [name for name in needed if shutil.which(name) is None]
    return f"these programs are missing: {', '.join(missing)}; install them with apt" if missing else ""


def _own() -> str:
    return NATIVE.get(os.uname().machine, "")


@contextmanager
def fresh_system(architecture: str) -> Iterator[System]:
    """A copy of the kept system; it is removed at the end."""
    with _emulated(architecture):
        kept = _kept_system(architecture)
        place = Path(tempfile.mkdtemp(prefix=f"{architecture}-", dir=_cache()))
        try:
            subprocess.run(["cp", "--archive", "--reflink=auto", f"{kept}/.", place], check=True)
            yield System(root=place, architecture=architecture)
        finally:
            shutil.rmtree(place)


def _cache() -> Path:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "blackjack-cabinet" / "systems"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _kept_system(architecture: str) -> Path:
    """Returns the folder of the kept system; makes it where it is missing or was not finished."""
    folder = _cache() / f"{SUITE}-{architecture}"
    ready = folder.with_suffix(".ready")
    if not ready.is_file():
        shutil.rmtree(folder, ignore_errors=True)
        _bootstrap(folder, architecture)
        ready.touch()
    return folder


def _bootstrap(folder: Path, architecture: str) -> None:
    foreign = architecture != _own()
    command = ["debootstrap", f"--arch={architecture}", "--variant=minbase", *(["--foreign"] if foreign else [])]
    subprocess.run([*command, SUITE, folder, MIRROR], check=True, stdout=subprocess.DEVNULL)
    system = System(root=folder, architecture=architecture)
    if foreign:
        system.run("/debootstrap/debootstrap", "--second-stage")
    system.at("/etc/apt/sources.list").write_text(f"deb {MIRROR} {SUITE} main\n", encoding="utf-8")
    shutil.copyfile("/etc/resolv.conf", system.at("/etc/resolv.conf"))
    policy = system.at("/usr/sbin/policy-rc.d")
    policy.write_text("#!/bin/sh\nexit 101\n", encoding="utf-8")
    policy.chmod(0o755)
    packages = [*INSTALLED, *([] if foreign else [CHECKER])]
    system.run("apt-get", "update", "--quiet", network=True)
    system.run("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages, network=True)
    _install_stand_in(system)


def _install_stand_in(system: System) -> None:
    """Installs an empty python3-lgpio, which only Raspberry Pi's archive has."""
    with tempfile.TemporaryDirectory() as temporary:
        control = Path(temporary) / "stand-in" / "DEBIAN" / "control"
        control.parent.mkdir(parents=True)
        control.write_text(
            "Package: python3-lgpio\nVersion: 0.2.2\nArchitecture: all\nMaintainer: tests <root@localhost>\n"
            "Description: stand-in for tests\n",
            encoding="utf-8",
        )
        built = Path(temporary) / "python3-lgpio.deb"
        command: Sequence[str | Path] = ["dpkg-deb", "--root-owner-group", "--build", control.parent.parent, built]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        system.run("dpkg", "--install", system.put(built))


@contextmanager
def _emulated(architecture: str) -> Iterator[None]:
    """Programs of the other processor run while this is open."""
    entry = _REGISTRY / _EMULATOR
    if architecture == _own() or entry.exists():
        yield
        return
    if not (_REGISTRY / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", _REGISTRY], check=True)
    interpreter = shutil.which("qemu-aarch64-static")
    (_REGISTRY / "register").write_text(f":{_EMULATOR}{_MAGIC}{interpreter}:OPF", encoding="ascii")
    try:
        yield
    finally:
        entry.write_text("-1", encoding="ascii")

"""The libraries of the package: what the lock names for a machine, its wheels, and their unpacking.

Rules: the network is used only where a wheel is missing in the folder of wheels; a wheel whose hash the lock does not
name is never used; a name without a wheel, and a wheel that is a stub, end the build. Does not know what a package is.
"""

import csv
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.markers import Marker
from packaging.utils import canonicalize_name, parse_wheel_filename

PYTHON: Final = "3.13"
"""The system's Python on a cabinet: that of Debian 13."""
FROM_SYSTEM: Final = frozenset({"pygame"})
"""Names of the lock that the cabinet has from its system; pip's pygame cannot open a screen without a desktop."""
SMALLEST_WHEEL: Final = 5_000
"""In bytes. A smaller wheel is a stub that installs and holds no library."""


NO_LIBRARY: Final = ("docs", "examples", "test", "tests")
"""Folders that a library puts beside itself by mistake; under such a name no program imports anything."""


class PackageError(Exception):
    """The package cannot be built; the message says what is missing and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A kind of machine, in the words of Debian, of Linux and of wheels."""

    architecture: str
    machine: str
    depends: tuple[str, ...]

    @property
    def platforms(self) -> tuple[str, ...]:
        """Returns the platforms of wheels that run on it, the newest first."""
        return tuple(f"manylinux{tag}_{self.machine}" for tag in ("_2_28", "_2_17", "2014"))

    @property
    def environment(self) -> dict[str, str]:
        """Returns what the markers of the lock are compared with."""
        return {
            "implementation_name": "cpython",
            "implementation_version": f"{PYTHON}.0",
            "os_name": "posix",
            "platform_machine": self.machine,
            "platform_python_implementation": "CPython",
            "platform_system": "Linux",
            "python_full_version": f"{PYTHON}.0",
            "python_version": PYTHON,
            "sys_platform": "linux",
        }


_EVERYWHERE: Final = (
    "python3 (>= 3.13)",
    "python3 (<< 3.14)",
    "python3-pygame",
    "libc6 (>= 2.28)",
    "kbd",
    "systemd",
    "udev",
)
TARGETS: Final[Mapping[str, Target]] = {
    "arm64": Target(architecture="arm64", machine="aarch64", depends=(*_EVERYWHERE, "python3-lgpio")),
    # For tests of the package: Debian itself has no python3-lgpio.
    "amd64": Target(architecture="amd64", machine="x86_64", depends=_EVERYWHERE),
}


def run(command: Sequence[str | Path], *, at: Path | None = None, **environment: str) -> str:
    """Runs a program in a folder and returns what it prints. Raises PackageError with its last words."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=at, env={**os.environ, **environment}
    )
    if done.returncode:
        raise PackageError(f"{Path(command[0]).name}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


# --- the lock and the wheels ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Locked:
    """A library of the lock, with the hashes of its files."""

    name: str
    version: str
    hashes: frozenset[str]

    def line(self) -> str:
        """Returns it as a line of a requirements file."""
        return f"{self.name}=={self.version} {' '.join(f'--hash=sha256:{each}' for each in sorted(self.hashes))}"


_ENTRY: Final = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;]+)\s*(?:;(?P<marker>.*?))?(?=\s--hash|$)")


def read_lock(text: str, target: Target) -> tuple[Locked, ...]:
    """Returns what the lock has for a target, without what its system brings.

    Raises PackageError for an entry that cannot be read and for a name that is locked twice.
    """
    found: dict[str, Locked] = {}
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        entry = line.partition("#")[0].strip()
        if not entry:
            continue
        read, hashes = _ENTRY.match(entry), frozenset(re.findall(r"--hash=sha256:([0-9a-f]{64})", entry))
        if read is None or not hashes:
            raise PackageError(f"the lock has {entry!r}: expected NAME==VERSION with hashes; write it with `make lock`")
        name = canonicalize_name(read["name"])
        if read["marker"] and not Marker(read["marker"]).evaluate(target.environment):
            continue
        if name in found:
            raise PackageError(f"the lock has two versions of {name} for {target.architecture}; check its markers")
        found[name] = Locked(name=name, version=read["version"], hashes=hashes)
    return tuple(each for name, each in sorted(found.items()) if name not in FROM_SYSTEM)


def find_wheels(locked: Iterable[Locked], folder: Path) -> dict[Locked, Path]:
    """Returns the wheel of each library that the folder has. Raises PackageError for one that is a stub."""
    by_hash = {hashlib.sha256(file.read_bytes()).hexdigest(): file for file in sorted(folder.glob("*.whl"))}
    found = {each: by_hash[digest] for each in locked for digest in sorted(each.hashes) if digest in by_hash}
    for each, file in found.items():
        name, version, *_ = parse_wheel_filename(file.name)
        if (canonicalize_name(name), str(version)) != (each.name, each.version):
            raise PackageError(f"{file}: its bytes are those of {each.name} {each.version}; give it its own name")
        if file.stat().st_size < SMALLEST_WHEEL:
            raise PackageError(
                f"{file}: found {file.stat().st_size} bytes, expected {SMALLEST_WHEEL} or more; it is a stub without a "
                "library, lock another version"
            )
    return found


def take_wheels(locked: Sequence[Locked], folder: Path, target: Target) -> dict[Locked, Path]:
    """Returns the wheel of every library; downloads those that the folder lacks. Raises PackageError."""
    folder.mkdir(parents=True, exist_ok=True)
    if missing := [each for each in locked if each not in find_wheels(locked, folder)]:
        print(f"Downloading {len(missing)} wheels for {target.machine} into {folder}")
        _download(missing, folder, target)
    found = find_wheels(locked, folder)
    if missing := [f"{each.name} {each.version}" for each in locked if each not in found]:
        raise PackageError(f"{folder}: there is no wheel for {target.machine} of {', '.join(missing)}; see the lock")
    return found


def _download(missing: Iterable[Locked], folder: Path, target: Target) -> None:
    """pip evaluates markers with its own Python, so that it gets lines without markers."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as lines:
        lines.write("\n".join(each.line() for each in missing) + "\n")
        lines.flush()
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
        command += ["--require-hashes", "--only-binary", ":all:", "--implementation", "cp"]
        command += ["--python-version", PYTHON.replace(".", ""), "--dest", str(folder), "--requirement", lines.name]
        for platform in target.platforms:
            command += ["--platform", platform]
        if subprocess.run(command, check=False).returncode:
            raise PackageError(f"the wheels for {target.machine} could not be downloaded into {folder}; see above")


# --- unpacking ---------------------------------------------------------------------------------------------------


def install_libraries(wheels: Iterable[Path], folder: Path, target: Target) -> None:
    """Unpacks wheels into a folder of libraries, each checked by its hash."""
    files = sorted(wheels)
    with tempfile.TemporaryDirectory() as temporary:
        lines = Path(temporary) / "lines.txt"
        lines.write_text("".join(_line_of(file) for file in files), encoding="utf-8")
        command: list[str | Path] = [find_uv(), "pip", "install", "--quiet", "--offline", "--no-config", "--no-cache"]
        command += ["--no-index", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--link-mode", "copy"]
        command += ["--python", sys.executable, "--python-version", PYTHON]
        command += ["--python-platform", f"{target.machine}-manylinux_2_28", "--target", folder]
        for place in sorted({file.parent for file in files}):
            command += ["--find-links", place]
        run([*command, "--requirement", lines], UV_FIND_LINKS="", UV_NO_PROGRESS="1")
    # Programs of the libraries name the Python of this machine, and the cabinet uses none of them.
    for name in ("bin", *NO_LIBRARY):
        shutil.rmtree(folder / name, ignore_errors=True)
    for note in (folder / ".lock", *folder.glob("*.dist-info/uv_cache.json")):
        note.unlink(missing_ok=True)
    for record in folder.glob("*.dist-info/RECORD"):
        lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
        there = (line for line in lines if (folder / next(csv.reader([line]))[0]).exists())
        record.write_text("".join(there), encoding="utf-8")


def _line_of(wheel: Path) -> str:
    name, version, *_ = parse_wheel_filename(wheel.name)
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def find_uv() -> str:
    """Returns the program uv. Raises PackageError."""
    beside = Path(sys.executable).with_name("uv")
    found = str(beside) if beside.is_file() else shutil.which("uv")
    if found is None:
        raise PackageError("uv was not found beside this Python or in PATH; `make setup` installs it")
    return found

"""Build the Debian package of a finished cabinet: `make package`.

The package holds the whole environment of the program below `/opt/blackjack-cabinet/VERSION`, and links of the system
that lead through `/opt/blackjack-cabinet/current`. Every library is a wheel of requirements-run.lock, checked by its
hash. The same commit and the same wheels give the same bytes.

Rules: nothing runs as root; every file of the system leads through the link `current`, but the one that cannot. The
libraries are the task of package_wheels.py. It knows nothing of setting up a cabinet and of updating one.
"""

import argparse
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Final

from package_wheels import (
    PYTHON,
    TARGETS,
    PackageError,
    Target,
    find_uv,
    install_libraries,
    read_lock,
    run,
    take_wheels,
)

from cabinet.store.schema import NEWEST

ROOT: Final = Path(__file__).resolve().parent.parent
NAME: Final = "blackjack-cabinet"
SCRIPTS: Final = ("prerm", "postinst", "postrm")
"""What dpkg runs before and after it changes files."""
PROGRAMS: Final = Path("opt") / NAME
CURRENT: Final = Path("/") / PROGRAMS / "current"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """A file of the repository: its place below `share/` of a version, and its name in the system (empty for none).

    The name in the system is a link to the place. A file without a place is copied: it never changes. A file without a
    name in the system is put in force by `cabinet setup` or by the start of the service.
    """

    source: str
    share: str = ""
    system: str = ""


_UNITS, _DROP_IN = "usr/lib/systemd/system", "60-blackjack-cabinet.conf"
SHIPPED: Final = (
    Shipped(source="systemd/cabinet", share="cabinet", system="usr/bin/cabinet"),
    Shipped(source="assets/cabinet.toml", share="cabinet.toml"),
    Shipped(source="systemd/blackjack-cabinet.service", system=f"{_UNITS}/blackjack-cabinet.service"),
    Shipped(
        source="systemd/blackjack-cabinet.conf",
        share="systemd/blackjack-cabinet.conf",
        system=f"{_UNITS}/blackjack-cabinet.service.d/{_DROP_IN}",
    ),
    Shipped(
        source="systemd/blackjack-cabinet-failed.service",
        share="systemd/blackjack-cabinet-failed.service",
        system=f"{_UNITS}/blackjack-cabinet-failed.service",
    ),
    *(
        Shipped(
            source=f"systemd/blackjack-cabinet-{name}.service",
            share=f"systemd/blackjack-cabinet-{name}.service",
            system=f"{_UNITS}/{wanted_by}blackjack-cabinet-{name}.service",
        )
        for name in ("first-boot", "update")
        for wanted_by in ("", "blackjack-cabinet.service.wants/")
    ),
    *(
        Shipped(source=f"systemd/{name}", share=f"systemd/{name}", system=f"usr/lib/systemd/{part}/{_DROP_IN}")
        for name, part in (
            ("journald.conf", "journald.conf.d"),
            ("timesyncd.conf", "timesyncd.conf.d"),
            ("logind-console.conf", "logind.conf.d"),
            ("runtime-watchdog.conf", "system.conf.d"),
        )
    ),
    Shipped(
        source="systemd/90-blackjack-cabinet.conf",
        share="systemd/90-blackjack-cabinet.conf",
        system="usr/lib/sysctl.d/90-blackjack-cabinet.conf",
    ),
    Shipped(
        source="systemd/sysusers.conf",
        share="systemd/sysusers.conf",
        system="usr/lib/sysusers.d/blackjack-cabinet.conf",
    ),
    Shipped(source="systemd/tmpfiles.conf", share="systemd/tmpfiles.conf"),
    Shipped(source="systemd/63-blackjack-cabinet-usb.rules", share="udev/63-blackjack-cabinet-usb.rules"),
)


# --- the version folder -----------------------------------------------------------------------------------------


def write_environment(version_folder: Path, on_cabinet: Path) -> Path:
    """Writes a Python environment that uses the system's Python and libraries; returns its folder of libraries."""
    libraries = version_folder / "lib" / f"python{PYTHON}" / "site-packages"
    programs = version_folder / "bin"
    for folder in (libraries, programs):
        folder.mkdir(parents=True)
    (programs / "python").symlink_to(f"/usr/bin/python{PYTHON}")
    (programs / "python3").symlink_to("python")
    # -s, -P: no library from the home folder or from the folder of a command.
    (programs / "cabinet").write_text(
        f"#!{on_cabinet}/bin/python -sP\nimport sys\n\nfrom cabinet.__main__ import main\n\nsys.exit(main())\n",
        encoding="utf-8",
    )
    (version_folder / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = true\nversion = {PYTHON}\n", encoding="utf-8"
    )
    return libraries


def compile_libraries(libraries: Path, stage: Path, python: Path) -> None:
    """Compiles every module, so that a read-only system starts as fast. The bytecode holds the hash of its source."""
    command = [python, "-m", "compileall", "-q", "-j", "1", "--invalidation-mode", "checked-hash"]
    run([*command, "-s", stage, "-p", "/", libraries], PYTHONHASHSEED="0", PYTHONDONTWRITEBYTECODE="")


def write_share(version_folder: Path, public_key: str | None) -> None:
    """Copies the files that are no program; a public key becomes `release.key`."""
    for each in SHIPPED:
        if each.share:
            _copy(each.source, version_folder / "share" / each.share)
    if public_key is not None:
        (version_folder / "share" / "release.key").write_text(public_key, encoding="utf-8")


def link_system(stage: Path) -> None:
    """Links each file of the system through `current`, so that one rename changes program and system together."""
    for each in SHIPPED:
        if each.system and each.share:
            link = stage / each.system
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(CURRENT / "share" / each.share)
        elif each.system:
            _copy(each.source, stage / each.system)


def _copy(source: str, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / source, place)


# --- the package ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What the package is: the same words are in RELEASE, in the trusted comment of the signature, and in its name."""

    version: str
    architecture: str

    def text(self) -> str:
        """Returns it as one line of JSON."""
        named = {"name": NAME, "version": self.version, "architecture": self.architecture}
        return json.dumps({**named, "form": NEWEST, "python": PYTHON})

    @property
    def file_name(self) -> str:
        """Returns the name of the package's file."""
        return f"{NAME}_{self.version}_{self.architecture}.deb"


def write_documents(stage: Path, release: Release, epoch: int) -> None:
    """Writes what Debian wants of every package: licence, changes, and why a check does not hold for this one."""
    folder = stage / "usr/share/doc" / NAME
    folder.mkdir(parents=True)
    shutil.copyfile(ROOT / "systemd/debian/copyright", folder / "copyright")
    date = run(["date", "--utc", "--rfc-email", f"--date=@{epoch}"]).strip()
    changes = f"{NAME} ({release.version}) trixie; urgency=medium\n\n  * See CHANGELOG.md of the project.\n\n"
    with (
        (folder / "changelog.gz").open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=9, mtime=0) as packed,
    ):
        packed.write(f"{changes} -- {_maintainer()}  {date}\n".encode())
    overrides = stage / "usr/share/lintian/overrides" / NAME
    overrides.parent.mkdir(parents=True)
    shutil.copyfile(ROOT / "systemd/debian/lintian-overrides", overrides)


def _maintainer() -> str:
    return "The blackjack-cabinet authors <maintainers@blackjack-cabinet.invalid>"


def write_control(stage: Path, release: Release, target: Target) -> None:
    """Writes the control files: what the package is, its scripts, and the sum of every file."""
    files = sorted(path for path in stage.rglob("*") if path.is_file() and not path.is_symlink())
    control = stage / "DEBIAN"
    control.mkdir()
    sums = (f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(stage)}\n" for path in files)
    (control / "md5sums").write_text("".join(sums), encoding="utf-8")
    values = {
        "version": release.version,
        "architecture": target.architecture,
        "maintainer": _maintainer(),
        "size": str(sum(path.stat().st_size for path in files) // 1024),
        "depends": ", ".join(target.depends),
    }
    for name in ("control", *SCRIPTS):
        text = (ROOT / "systemd/debian" / name).read_text(encoding="utf-8")
        (control / name).write_text(_filled(text, values), encoding="utf-8")


class _AtTemplate(Template):
    """A template whose names are written `@name@`: shell scripts have dollar signs of their own."""

    delimiter = "@"
    pattern = r"@(?:(?P<escaped>@)|(?P<named>[a-z]+)@|(?P<braced>[a-z]+)@|(?P<invalid>(?!)))"  # type: ignore[assignment]


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _AtTemplate(text).substitute(values)


def settle(stage: Path, version_folder: Path, epoch: int) -> None:
    """Gives everything the same rights and the same time, whatever the umask and the clock of this machine."""
    programs = {version_folder / "bin" / "cabinet", version_folder / "share" / "cabinet"}
    programs.update(stage / "DEBIAN" / script for script in SCRIPTS)
    for path in (stage, *stage.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path in programs else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def sign(package: Path, release: Release, key: Path) -> None:
    """Writes the signature beside the package."""
    comment = release.text()
    command: list[str | Path] = [_minisign(), "-S", "-s", key, "-m", package, "-t", comment, "-x", f"{package}.minisig"]
    if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode:
        raise PackageError(f"{package}: minisign did not sign it with {key}; see above")


def public_key_of(key: Path | None) -> str | None:
    """Returns the public key that goes into the package: `assets/release.key`, or that of a key that signs.

    Raises PackageError where the two differ: no cabinet could be updated from such a package.
    """
    shipped = ROOT / "assets" / "release.key"
    known = shipped.read_text(encoding="utf-8") if shipped.is_file() else None
    if key is None:
        return known
    with tempfile.TemporaryDirectory() as temporary:
        made = Path(temporary) / "release.key"
        run([_minisign(), "-R", "-s", key, "-p", made])
        found = made.read_text(encoding="utf-8")
    if known is not None and known.splitlines()[-1] != found.splitlines()[-1]:
        raise PackageError(f"{key}: it does not fit {shipped}, with which cabinets verify an update; sign with its key")
    return found


def _minisign() -> str:
    found = shutil.which("minisign")
    if found is None:
        raise PackageError("KEY signs the package, which needs minisign: apt install minisign")
    return found


def build(
    target: Target, *, version: str, wheels: Iterable[Path], python: Path, epoch: int, out: Path, public_key: str | None
) -> Path:
    """Builds the package of these wheels; returns its file."""
    release = Release(version=version, architecture=target.architecture)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        stage = Path(temporary) / "stage"
        version_folder = stage / PROGRAMS / version
        libraries = write_environment(version_folder, Path("/") / PROGRAMS / version)
        install_libraries(wheels, libraries, target)
        compile_libraries(libraries, stage, python)
        write_share(version_folder, public_key)
        (version_folder / "RELEASE").write_text(release.text() + "\n", encoding="utf-8")
        link_system(stage)
        write_documents(stage, release, epoch)
        write_control(stage, release, target)
        settle(stage, version_folder, epoch)
        package = out / release.file_name
        command: list[str | Path] = [
            "dpkg-deb",
            "--root-owner-group",
            "-Zxz",
            "-z2",
            "--threads-max=1",
            "--build",
            stage,
            package,
        ]
        run(command, SOURCE_DATE_EPOCH=str(epoch))
    return package


# --- the command ------------------------------------------------------------------------------------------------


def build_wheel(out: Path, epoch: int) -> Path:
    """Builds the program's own wheel."""
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out], SOURCE_DATE_EPOCH=str(epoch), at=ROOT)
    (wheel,) = out.glob("*.whl")
    return wheel


def find_python() -> Path:
    """Returns a CPython of the cabinet's version, which writes the bytecode. Raises PackageError."""
    for candidate in _candidates():
        probe = "import sys; print(sys.implementation.name, sys.version_info[:2] == (3, 13))"
        done = subprocess.run([candidate, "-c", probe], capture_output=True, text=True, check=False)
        if done.stdout.split() == ["cpython", "True"]:
            return candidate
    raise PackageError(
        f"no CPython {PYTHON} was found to write the bytecode of the package; `uv python install {PYTHON}` brings one"
    )


def _candidates() -> Iterator[Path]:
    yield Path(sys.executable)
    for folder in os.get_exec_path():
        if (found := Path(folder) / f"python{PYTHON}").is_file():
            yield found
    command = [find_uv(), "python", "find", "--offline", "--no-project", "--no-config", PYTHON]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        yield Path(done.stdout.strip())
    yield from sorted(Path.home().glob(f".pyenv/versions/{PYTHON}.*/bin/python{PYTHON}"))


def newest_commit_s() -> int:
    """Returns the time of the newest commit, in seconds: the time of everything in the package."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or run(["git", "-C", ROOT, "log", "-1", "--format=%ct"]))


def main() -> int:
    """Reads the arguments, builds and signs."""
    parser = argparse.ArgumentParser(description="Build the Debian package of a cabinet.")
    parser.add_argument("--arch", choices=TARGETS, default="arm64")
    parser.add_argument("--wheels", type=Path, required=True, help="folder of wheels; missing ones are downloaded")
    parser.add_argument("--key", type=Path, help="minisign secret key that signs the package")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    options = parser.parse_args()
    target, epoch = TARGETS[options.arch], newest_commit_s()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    try:
        public_key, python = public_key_of(options.key), find_python()
        locked = read_lock((ROOT / "requirements-run.lock").read_text(encoding="utf-8"), target)
        wheels = take_wheels(locked, options.wheels / target.architecture, target)
        with tempfile.TemporaryDirectory() as temporary:
            package = build(
                target,
                version=version,
                wheels=[*wheels.values(), build_wheel(Path(temporary), epoch)],
                python=python,
                epoch=epoch,
                out=options.out,
                public_key=public_key,
            )
        if options.key is not None:
            sign(package, Release(version=version, architecture=options.arch), options.key)
    except PackageError as error:
        print(f"package: {error}", file=sys.stderr)
        return 1
    print(f"{package} ({package.stat().st_size / 1e6:.0f} MB)")
    if public_key is None:
        print(
            "No public key of releases is in it: a cabinet takes updates only with /etc/blackjack-cabinet/release.key."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""An installed cabinet in a folder, packages for it, and its service, as an update meets them.

with installed(tmp_path) as cabinet:
    cabinet.update(cabinet.package("0.2.0"))

The versions are real programs that run as processes of their own (`version_program.py`); their service is a process
whose reports arrive on a socket, as under systemd. Packages are real Debian packages, signed as minisign signs.
"""

import base64
import hashlib
import io
import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from support.journals import as_form
from support.live import wait_for
from support.program_server import address, end_with_parent
from support.version_program import Fault

from cabinet.config.settings import Config, load
from cabinet.engine import machine as engine
from cabinet.engine.inputs import Fact, Key, KeyTurned, SetOutOfService, SettleLock
from cabinet.installation.paths import NAME, Paths
from cabinet.installation.update.books import Figures, read_figures
from cabinet.installation.update.environment import Outcome, Pace, Updater
from cabinet.installation.update.sequence import resume, update
from cabinet.installation.update.versions import current_release
from cabinet.store.journal import Journal, Stamp

TESTS = Path(__file__).parents[1]
ARCHITECTURE, PYTHON = "arm64", "3.13"
FIRST, SECOND = "0.1.0", "0.2.0"
FORM = 5
QUICK = Pace(trial_s=60.0, steady_s=0.0, poll_s=0.02)
PATIENCE_S = 90.0
_KEY = b"\x07" * 32
_KEY_NUMBER = b"testkey."


OUT_OF_SERVICE: tuple[Fact | SetOutOfService, ...] = (
    KeyTurned(key=Key.AUDIT, on=True),
    SetOutOfService(out=True),
    KeyTurned(key=Key.AUDIT, on=False),
)
"""What an attendant does before an update."""


# --- packages -------------------------------------------------------------------------------------------------------


def public_key(key: bytes = _KEY) -> str:
    """Returns the file of the public key, as minisign writes it."""
    raw = Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw()
    return f"untrusted comment: a key of the tests\n{base64.b64encode(b'Ed' + _KEY_NUMBER + raw).decode()}\n"


def sign(file: Path, comment: str, key: bytes = _KEY) -> None:
    """Writes the signature of a file beside it, as minisign does."""
    signer = Ed25519PrivateKey.from_private_bytes(key)
    of_file = signer.sign(hashlib.blake2b(file.read_bytes(), digest_size=64).digest())
    lines = (
        "untrusted comment: a signature of the tests",
        base64.b64encode(b"ED" + _KEY_NUMBER + of_file).decode(),
        f"trusted comment: {comment}",
        base64.b64encode(signer.sign(of_file + comment.encode())).decode(),
    )
    file.with_name(f"{file.name}.minisig").write_text("\n".join(lines) + "\n", encoding="utf-8")


Member = tuple[tarfile.TarInfo, bytes]


def file_member(name: str, content: bytes, mode: int = 0o644) -> Member:
    """Returns a file of a package."""
    info = tarfile.TarInfo(f"./{name}")
    info.size, info.mode = len(content), mode
    return info, content


def link_member(name: str, target: str) -> Member:
    """Returns a link of a package."""
    info = tarfile.TarInfo(f"./{name}")
    info.type, info.linkname = tarfile.SYMTYPE, target
    return info, b""


def folder_member(name: str) -> Member:
    """Returns a folder of a package."""
    info = tarfile.TarInfo(f"./{name}/")
    info.type, info.mode = tarfile.DIRTYPE, 0o755
    return info, b""


def _archive(members: Sequence[Member]) -> bytes:
    into = io.BytesIO()
    with tarfile.open(fileobj=into, mode="w:gz", compresslevel=1) as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content) if info.isreg() else None)
    return into.getvalue()


def write_package(file: Path, control: str, members: Sequence[Member]) -> Path:
    """Writes a Debian package: an archive of three members."""
    parts = (
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", _archive([file_member("control", control.encode())])),
        ("data.tar.gz", _archive(members)),
    )
    with file.open("wb") as into:
        into.write(b"!<arch>\n")
        for name, content in parts:
            into.write(f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode() + content)
            into.write(b"\n" * (len(content) % 2))
    return file


SYSTEM_LINK = ("usr/bin/cabinet", f"../../opt/{NAME}/current/bin/cabinet")
"""A file of the system that leads into the version that runs."""


def control_of(version: str, architecture: str = ARCHITECTURE) -> str:
    """Returns what a package says of itself."""
    lines = (f"Package: {NAME}", f"Version: {version}", f"Architecture: {architecture}", "Maintainer: tests <t@t.t>")
    return "\n".join((*lines, "Description: a cabinet of the tests", ""))


def release_of(version: str, **changes: object) -> bytes:
    """Returns the description of a version."""
    known = {"name": NAME, "version": version, "architecture": ARCHITECTURE, "form": FORM, "python": PYTHON}
    return json.dumps({**known, **changes}).encode()


def members_of(version: str, fault: Fault = Fault.NONE, **release: object) -> list[Member]:
    """Returns what a package of this version holds."""
    top = f"opt/{NAME}/{version}"
    program = "\n".join(
        (
            f"#!{sys.executable} -IS",
            "import sys",
            f"sys.path.insert(0, {str(TESTS)!r})",
            "from support.program_launcher import launch",
            f"launch({address()!r}, {version!r}, {fault.name!r}, {release.get('form', FORM)})",
            "",
        )
    )
    return [
        *(folder_member(name) for name in ("opt", f"opt/{NAME}", top, f"{top}/bin", f"{top}/share", f"{top}/lib")),
        file_member(f"{top}/bin/cabinet", program.encode(), 0o755),
        link_member(f"{top}/bin/python", "/usr/bin/python3.13"),
        link_member(f"{top}/bin/python3", "python"),
        file_member(f"{top}/lib/data.bin", hashlib.sha512(version.encode()).digest() * 500),
        file_member(f"{top}/share/release.key", public_key().encode()),
        file_member(f"{top}/RELEASE", release_of(version, **release)),
        link_member(*SYSTEM_LINK),
        link_member(f"opt/{NAME}/current", version),
    ]


# --- the service ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class ChildService:
    """The service as a process of the test: the version that `current` leads to."""

    paths: Paths
    process: "subprocess.Popen[bytes] | None" = None
    reports: socket.socket | None = None
    ready: bool = False
    reloads: int = 0

    def start(self) -> None:
        """Starts the program."""
        self.stop()
        name = f"@cabinet-{uuid4().hex}"
        self.reports, self.ready = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), False
        self.reports.bind(f"\0{name[1:]}")
        self.reports.setblocking(False)
        command = [str(self.paths.command()), "run", "--data", str(self.paths.data)]
        self.process = subprocess.Popen(
            [*command, "--config", str(self.paths.settings)],
            env={**os.environ, "NOTIFY_SOCKET": name},
            preexec_fn=end_with_parent,  # noqa: PLW1509 - one thread
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def stop(self) -> None:
        """Ends the program in order."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE_S)
            finally:
                self.process.kill()
        if self.reports is not None:
            self.reports.close()
        self.process, self.reports, self.ready = None, None, False

    def reload(self) -> None:
        """Counts."""
        self.reloads += 1

    def is_up(self) -> bool:
        """Returns whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def is_ready(self) -> bool:
        """Returns whether the process runs and has said so."""
        while self.reports is not None:
            try:
                self.ready = b"READY=1" in self.reports.recv(4096) or self.ready
            except BlockingIOError:
                break
        return self.ready and self.is_up()


# --- the cabinet ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Installed:
    """A cabinet in a folder, with the first version installed and running, out of service."""

    paths: Paths
    packages: Path
    service: ChildService
    said: list[str] = field(default_factory=list)
    pace: Pace = QUICK
    number: int = 0

    def updater(self) -> Updater:
        """Returns what the command has."""
        self.number += 1
        return Updater(
            paths=self.paths,
            service=self.service,
            say=self.said.append,
            now=time.monotonic,
            sleep=threading.Event().wait,
            date=f"20261201-{self.number:06d}",
            pace=self.pace,
        )

    def update(self, file: Path | None, *, dry_run: bool = False) -> Outcome:
        """Updates, or goes back without a file."""
        return update(self.updater(), file, dry_run=dry_run)

    def resume(self, *, at_start: bool = True) -> Outcome:
        """Ends an interrupted update, as the system does before it starts the service, or as a technician does."""
        return resume(self.updater(), at_start=at_start)

    def package(self, version: str, fault: Fault = Fault.NONE, **release: object) -> Path:
        """Writes a signed package."""
        file = self.packages / f"{NAME}_{version}_{ARCHITECTURE}.deb"
        write_package(file, control_of(version), members_of(version, fault, **release))
        sign(file, f"{NAME} {version} {ARCHITECTURE}")
        return file

    def current(self) -> str:
        """Returns the version that runs; a failed assertion where it is not complete."""
        release = current_release(self.paths)
        assert (self.paths.command()).is_file()
        return release.version

    def versions(self) -> list[str]:
        """Returns the names in the folder of all versions."""
        return sorted(each.name for each in self.paths.programs.iterdir())

    def books(self) -> dict[str, bytes]:
        """Returns the files of the books."""
        return {each.name: each.read_bytes() for each in sorted(self.paths.data.iterdir()) if each.is_file()}

    def figures(self) -> Figures:
        """Returns the figures of the stopped cabinet."""
        return read_figures(self.paths.data)

    def until(self, condition: Callable[[], object]) -> None:
        """Waits for a condition."""
        assert wait_for(condition, PATIENCE_S), self.said

    def take(self, *inputs: Fact | SetOutOfService | SettleLock) -> None:
        """Commits inputs to the books of the stopped cabinet."""
        commit(self.paths.data, load(self.paths.settings), *inputs)


def commit(data: Path, config: Config, *inputs: Fact | SetOutOfService | SettleLock) -> None:
    """Commits inputs to a journal on which no cabinet runs."""
    with Journal(data, str) as journal:
        for each in inputs:
            assert journal.machine is not None
            step = engine.step(config.settings(), journal.machine, each, lambda _: 0)
            journal.commit(each, step, Stamp(boot=1, wall_ms=1, mono_ms=journal.seq + 1, clock_ok=False))


@cache
def _first_root(form: int) -> Path:
    """Returns a root with the first version, made once in a process; its books have this form."""
    root = Path(os.environ["CABINET_TEST_ROOTS"]) / f"root-{os.getpid()}-{form}"
    paths = Paths(root=root)
    for folder in (paths.programs, paths.data, paths.settings.parent, root / "usr/bin"):
        folder.mkdir(parents=True)
    unpack_first(paths, members_of(FIRST, form=form))
    paths.settings.write_text('[data]\nmark = ""\n', encoding="utf-8")
    (root / SYSTEM_LINK[0]).symlink_to(SYSTEM_LINK[1])
    paths.current.symlink_to(FIRST)
    service = ChildService(paths)
    service.start()
    assert wait_for(service.is_ready, PATIENCE_S)
    service.stop()
    commit(paths.data, load(paths.settings), *OUT_OF_SERVICE)
    if form != FORM:
        as_form(paths.data, form)
    return root


def unpack_first(paths: Paths, members: Sequence[Member]) -> None:
    """Writes a version folder without an update, as apt does."""
    for info, content in members:
        place = paths.root / info.name
        if not place.is_relative_to(paths.programs) or place == paths.current:
            continue
        if info.isdir():
            place.mkdir(exist_ok=True, parents=True)
        elif info.issym():
            place.symlink_to(info.linkname)
        else:
            place.write_bytes(content)
            place.chmod(info.mode)


@contextmanager
def installed(folder: Path, *, form: int = FORM, running: bool = True) -> Iterator[Installed]:
    """A cabinet in a folder; its program is `running`."""
    os.environ.setdefault("CABINET_TEST_ROOTS", str(folder.parent))
    root = folder / "root"
    shutil.copytree(_first_root(form), root, symlinks=True)
    cabinet = Installed(paths=Paths(root=root), packages=folder, service=ChildService(Paths(root=root)))
    try:
        if running:
            cabinet.service.start()
            cabinet.until(cabinet.service.is_ready)
        yield cabinet
    finally:
        cabinet.service.stop()

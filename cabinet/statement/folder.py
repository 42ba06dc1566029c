"""A folder of files that an attendant takes away, with a signed list of what is in it.

Rules: the list `manifest.txt` is a signed text with the SHA-256 digest of every other file; it is written last, so that
a folder without it is unfinished. Each file is synced before the list, and the folder after it. A check finds a file
that was changed, added or removed. Nothing is written that the check could not read back, and a text is checked to its
end or not at all. Reads and writes only below the folder it gets.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cabinet.statement.errors import StatementError
from cabinet.statement.signing import Signed, check, sign

MANIFEST: Final = "manifest.txt"
FIRST_LINE: Final = "BLACKJACK CABINET FILES 1"
LARGEST_MANIFEST: Final = 1_000_000
"""The largest list that is read, in bytes."""


def write_folder(
    folder: Path, files: Mapping[str, bytes], about: Mapping[str, str], key: Ed25519PrivateKey
) -> tuple[Path, ...]:
    """Writes the files and their signed list to a new folder; `about` says whose they are. Returns the written paths.
    Raises OSError, FileExistsError for a folder that is there, ValueError for a name or a value that the list cannot
    hold."""
    _require_readable(files, about)
    folder.mkdir(parents=True)
    listed = [f"{name}: {value}" for name, value in about.items()]
    listed += [f"{hashlib.sha256(content).hexdigest()}  {name}" for name, content in sorted(files.items())]
    text = "".join(f"{line}\n" for line in (FIRST_LINE, *listed))
    every = {**files, MANIFEST: sign(text, key).encode()}
    for name, content in every.items():
        _write(folder / name, content)
    _sync(folder)
    return tuple(folder / name for name in every)


def _require_readable(files: Mapping[str, bytes], about: Mapping[str, str]) -> None:
    """Raises ValueError for a name or a value that would make another line of the list."""
    for name in files:
        if not _is_name(name) or name == MANIFEST or ": " in name or not name.isprintable():
            raise ValueError(f"the list of a folder cannot hold a file with the name {name!r}")
    for name, value in about.items():
        if not name or ":" in name or not (name.isprintable() and value.isprintable()):
            raise ValueError(f"the list of a folder cannot hold the line {name!r}: {value!r}")


def check_folder(folder: Path, key: str = "") -> Signed:
    """Checks the list of a folder and every file in it. Raises StatementError naming the first that does not fit, and
    OSError for one that cannot be read."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        raise StatementError(f"{manifest} is missing: the folder is unfinished, or not one of a cabinet")
    with manifest.open("rb") as file:
        text = read_whole(file, LARGEST_MANIFEST, manifest).decode(errors="replace")
    try:
        signed = check(text, key)
    except StatementError as error:
        raise StatementError(f"{manifest}: {error}") from error
    if not signed.text.startswith(f"{FIRST_LINE}\n"):
        raise StatementError(f"{manifest}: the first line must be {FIRST_LINE!r}")
    digests = dict(_digests(signed.text))
    for name, digest in digests.items():
        if not (folder / name).is_file():
            raise StatementError(f"{folder / name} is missing; the machine has written it")
        with (folder / name).open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != digest:
            raise StatementError(f"{folder / name} was changed after the machine wrote it")
    added = {path.name for path in folder.iterdir()} - {*digests, MANIFEST}
    if added:
        raise StatementError(f"{folder / min(added)} was added; the machine has not written it")
    return signed


def read_whole(file: BinaryIO, most: int, path: Path) -> bytes:
    """Returns the content of a file of at most `most` bytes; `path` is its name in a message. Raises StatementError for
    a larger one: what stands behind the limit would not be checked."""
    content = file.read(most + 1)
    if len(content) > most:
        raise StatementError(f"{path} has more than {most:,} bytes: no cabinet writes such a file")
    return content


def _digests(text: str) -> tuple[tuple[str, str], ...]:
    """Returns name and digest of each listed file. A name with a separator is refused: it would lead elsewhere."""
    rows = (line.partition("  ") for line in text.splitlines()[1:] if "  " in line and ": " not in line)
    found = tuple((name, digest) for digest, _, name in rows)
    for name, _ in found:
        if not _is_name(name):
            raise StatementError(f"the list names {name!r}, which is no name of a file")
    return found


def _is_name(name: str) -> bool:
    """Returns True for the name of a file in the folder itself."""
    return name not in {"", ".."} and Path(name).name == name


def _write(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

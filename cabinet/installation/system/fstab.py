"""The table of mounts: separate file systems for the books and their second copy. Pure.

Rules: a file system is named by its label, never by an identity that a copy of the card also has. A missing one must
not stop the start of the Pi (`nofail`): the program reports it on the screen. If the user has a line for the same
folder, it stays and the set-up writes none for that folder.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cabinet.installation.paths import DATA_LABEL, ON_CABINET, SECOND_LABEL
from cabinet.installation.system.blocks import put_block, remove_block, split_lines

OPTIONS: Final = "noatime,nodev,nosuid,noexec,errors=remount-ro,nofail,x-systemd.device-timeout=10s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mounts:
    """The file systems of the cabinet: `books` for a partition of the books, `second` for the second copy."""

    books: bool
    second: bool

    def folders(self) -> Iterator[tuple[str, str]]:
        """Yields label and folder of each one."""
        if self.books:
            yield DATA_LABEL, str(ON_CABINET.data)
        if self.second:
            yield SECOND_LABEL, str(ON_CABINET.second)


def put_mounts(text: str, mounts: Mounts) -> str:
    """Returns the table with the cabinet's block; without a file system to mount it has none. Raises BlockError."""
    own = _folders(remove_block(text))
    return put_block(
        text,
        (f"LABEL={label}  {folder}  ext4  {OPTIONS}  0 2" for label, folder in mounts.folders() if folder not in own),
    )


def find_own_mounts(text: str, mounts: Mounts) -> tuple[str, ...]:
    """Returns a sentence for each folder for which the user has another mount. Raises BlockError."""
    own = _folders(remove_block(text))
    return tuple(
        f"fstab line {own[folder]}: mounts {folder} otherwise than by the label {label}; the line stays. Without the "
        'option "nofail" a missing medium keeps the Pi from starting'
        for label, folder in mounts.folders()
        if folder in own
    )


def _folders(text: str) -> dict[str, int]:
    """Returns each folder of the table with the number of its line, from 1."""
    rows = ((number, line.split()) for number, line in enumerate(split_lines(text), start=1))
    return {row[1].rstrip("/") or "/": number for number, row in rows if len(row) > 1 and not row[0].startswith("#")}

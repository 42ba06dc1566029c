"""Signs the figures of the books with the machine's key.

Rules: the figures are those of one row of the journal. The signed text always fits a code for a phone: the name of the
venue is shortened for it, an amount never. A text is signed once for each row and time.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from cabinet.attendant.data import AttendantData
from cabinet.booklet.files import statement_of
from cabinet.statement.code import LONGEST
from cabinet.statement.folder import write_folder
from cabinet.statement.signing import public_key, sign, signing_key


class StatementSigner:
    """Signs for one machine."""

    def __init__(self, secret: bytes, newest: Callable[[], tuple[int, bytes]]) -> None:
        """`secret` is the secret of the machine's ticket numbers; `newest` returns the number and the hash of the
        journal's newest row."""
        self._newest = newest
        self._private = signing_key(secret)
        self.public_key = public_key(self._private)
        self._made: tuple[tuple[int, str], str] | None = None

    def statement(self, data: AttendantData) -> str:
        """Returns the signed figures of the data after the newest row of the journal."""
        row, digest = self._newest()
        row_hash, at = digest.hex(), (row, data.time)
        if self._made is None or self._made[0] != at:
            bare = self._sign(data, "", row, row_hash)
            self._made = at, self._sign(data, _cut(data.venue, LONGEST - len(bare.encode())), row, row_hash)
        return self._made[1]

    def write(self, folder: Path, files: Mapping[str, bytes], about: Mapping[str, str]) -> None:
        """Writes files with their signed list to a new folder. Raises OSError."""
        write_folder(folder, files, about, self._private)

    def _sign(self, data: AttendantData, venue: str, row: int, row_hash: str) -> str:
        return sign(statement_of(replace(data, venue=venue), row=row, row_hash=row_hash), self._private)


def _cut(words: str, most: int) -> str:
    """Returns a text of at most `most` bytes; a character that cannot be shown becomes a blank."""
    shown = "".join(each if each.isprintable() else " " for each in words)
    return shown.encode()[: max(0, most)].decode(errors="ignore")

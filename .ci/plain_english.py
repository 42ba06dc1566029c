"""Find words that the house style rules out, in comments, docstrings, messages, names and documents.

`make lint` runs it. Each word has the plain word to use; a line that quotes one on purpose says `plain: ok`. It knows
no grammar: it only keeps the listed words out.
"""

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

WORDS: dict[str, str] = {
    r"nobody|somebody|anybody|whoever": "name the person: the attendant, the player, the caller, no caller",
    r"heed(?:s|ed|ing)?": "read, obey, apply",
    r"lay|lays|laid|laying": "add (a lock), place (a chip)",
    r"tell|tells|told|telling": "report, say, return, detect",
    r"so many": "give the number or `count`",
    r"that which": "name the thing",
    r"it is well": "the fault clears",
}
"""Pattern -> what to write instead."""

STORED = (".ci/plain_english.py", "cabinet/store/forms/", "tests/playthroughs/", "tests/wire/", "tests/store/journals/")
"""Prefixes whose words are stored names or recorded text, and this list of words."""

STORED_NAMES = ("told_cents", "suspended note owed to nobody", "tells_when_taken")
"""A field and a log entry that journals hold, and a key of `cabinet devices --json`; their names never change."""

SUFFIXES = {".py", ".md", ".toml", ".service", ".conf", ".rules"}
_BANNED = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(WORDS)})(?![A-Za-z])", re.IGNORECASE)


class Finding(NamedTuple):
    """A ruled-out word in line `number` of a file."""

    number: int
    word: str

    @property
    def advice(self) -> str:
        """What to write instead."""
        return next(plain for pattern, plain in WORDS.items() if re.fullmatch(pattern, self.word, re.IGNORECASE))


def find_words(path: str, text: str) -> Iterator[Finding]:
    """Yields the findings of one file."""
    lines = text.splitlines()
    pieces = _pieces_of_code(text) if path.endswith(".py") else enumerate(lines, start=1)
    for first, piece in pieces:
        for found in _BANNED.finditer(_without_stored_names(piece)):
            number = first + piece.count("\n", 0, found.start())
            if "plain: ok" not in lines[number - 1]:
                yield Finding(number, found[0])


def _without_stored_names(piece: str) -> str:
    """Replaces each stored name, also with spaces for underscores, by dashes; every position stays."""
    for name in STORED_NAMES:
        for form in (name, name.replace("_", " ")):
            piece = piece.replace(form, "-" * len(form))
    return piece


def _pieces_of_code(text: str) -> Iterator[tuple[int, str]]:
    """Yields the first line and the text of each comment, string and name; `two_words` becomes `two words`."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string.replace("_", " ")
        elif token.type in {tokenize.STRING, tokenize.COMMENT, _FSTRING_MIDDLE}:
            yield token.start[0], token.string


_FSTRING_MIDDLE = getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)
"""The text of an f-string, which Python 3.12 and later split into tokens."""


def checked_files() -> list[str]:
    """Paths of the files in git that are read, relative to the root."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    ours = [name for name in listed if Path(name).suffix in SUFFIXES or name == "Makefile"]
    return [name for name in ours if not name.startswith(STORED) and (ROOT / name).is_file()]


def complaints() -> list[str]:
    """One line for each finding."""
    found = {name: find_words(name, (ROOT / name).read_text(encoding="utf-8")) for name in checked_files()}
    return [f"{name}:{each.number}: {each.word!r}: {each.advice}" for name, these in found.items() for each in these]


def main() -> int:
    """Prints each complaint; returns 1 when there is one."""
    lines = complaints()
    print(*lines, sep="\n", end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())

"""Find words that the house style rules out, in comments, docstrings, messages, names and documents.

`make lint` runs it. Each word has the plain word to use; a line that quotes one on purpose says `plain: ok`. It knows
no grammar: it only keeps the listed words out, and listed verbs from the beginning of a function's docstring, which is
in the third person. The help text of a command is not: it says what the command is asked to do.
"""

import ast
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

_VERBS = """
    Add Allow Answer Append Apply Ask Begin Book Bring Build Call Carry Change Check Choose Clear Close Collect
    Commit Compare Compute Connect Convert Copy Count Create Cut Decide Decline Decode Delete Do Draw Drop Emit
    Encode End Enter Feed Fill Find Follow Forget Get Give Go Handle Hold Ignore Insert Install Keep Leave Let List
    Load Lock Log Look Make Mark Measure Move Open Order Paint Parse Pay Play Point Post Prepare Print Put Raise
    Read Record Refuse Remove Replace Report Request Reset Restore Return Run Save Say Select Send Set Settle Show
    Sit Skip Split Start Stop Store Switch Take Touch Try Turn Undo Update Use Verify Wait Wake Walk Watch Work
    Write Yield
"""
IMPERATIVES = frozenset(_VERBS.split())
"""Verbs that begin no docstring of a function: `Returns`, not `Return`."""

IN_THIRD_PERSON = ("cabinet/", "drivers/", "tests/support/", ".ci/")
"""Prefixes of the files whose docstrings are read for the person of their verb."""

HELP_TEXTS = "cabinet/commands/"
"""Prefix of the files whose functions may be commands, by a decorator of click."""

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
        if self.word in IMPERATIVES:
            return "the third person: a docstring says what the function does"
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


def find_imperatives(path: str, text: str) -> Iterator[Finding]:
    """Yields the docstrings of functions in one file of Python that begin with a bare verb."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        words = (ast.get_docstring(node) or "").split(maxsplit=1)
        if words and words[0].rstrip(".,:;") in IMPERATIVES and not _is_help_text(path, node):
            yield Finding(node.body[0].lineno, words[0].rstrip(".,:;"))


def _is_help_text(path: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    decorators = " ".join(map(ast.unparse, node.decorator_list))
    return path.startswith(HELP_TEXTS) and ("click." in decorators or ".command(" in decorators)


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
    return [
        f"{name}:{each.number}: {each.word!r}: {each.advice}"
        for name in checked_files()
        for each in _findings(name, (ROOT / name).read_text(encoding="utf-8"))
    ]


def _findings(name: str, text: str) -> Iterator[Finding]:
    yield from find_words(name, text)
    if name.endswith(".py") and name.startswith(IN_THIRD_PERSON):
        yield from find_imperatives(name, text)


def main() -> int:
    """Prints each complaint; returns 1 when there is one."""
    lines = complaints()
    print(*lines, sep="\n", end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())

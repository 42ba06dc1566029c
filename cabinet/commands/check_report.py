"""Checks what a machine has signed: the text of its code, or the folder of its files. Needs no machine and no books."""

import sys
from pathlib import Path
from typing import Any, Final

from cabinet.report.value import Column, Report, Section, Span, Table, Tone
from cabinet.statement.errors import StatementError
from cabinet.statement.folder import check_folder, read_whole
from cabinet.statement.signing import Signed, check

LARGEST: Final = 100_000
"""The largest text that is read, in bytes; a code holds less than a hundredth of it."""


def read_signed(path: Path, key: str) -> Signed:
    """Reads and checks a text or a folder; `-` is standard input. Raises StatementError, OSError."""
    if path.is_dir():
        return check_folder(path, key)
    content = _read(path)
    try:
        return check(content.decode(), key)
    except StatementError as error:
        raise StatementError(f"{path}: {error}") from error
    except UnicodeDecodeError as error:
        raise StatementError(
            f"{path}: this is no text; expected is the text of a code, or a folder of files"
        ) from error


def _read(path: Path) -> bytes:
    if str(path) == "-":
        return read_whole(sys.stdin.buffer, LARGEST, path)
    with path.open("rb") as file:
        return read_whole(file, LARGEST, path)


def checked_report(signed: Signed, *, noted: bool) -> Report:
    """Returns what was signed, and by which key; `noted` where the key was given by the caller."""
    first, *lines = signed.text.splitlines()
    pairs = tuple((name, value) for name, mark, value in (line.partition(": ") for line in lines) if mark)
    verdict = Span(text="The signature fits: nothing was changed since the machine signed it.", tone=Tone.GOOD)
    trust = (
        "The key is the one you gave."
        if noted
        else f"Compare the key with the one noted at the machine, or give it with --key: {signed.key}"
    )
    data: dict[str, Any] = {"ok": True, "kind": first, "key": signed.key, "key_given": noted, "lines": dict(pairs)}
    table = Table(columns=(Column(name="Line"), Column(name="value")), rows=pairs, framed=False)
    return Report(data=data, sections=(Section(title=first, blocks=(table,)), Section(blocks=(verdict, trust))))

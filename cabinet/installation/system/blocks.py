"""The marked block of a system file: the cabinet's lines between two comment lines. Pure.

Rules: everything outside the block is the user's and stays as it is, byte for byte. A block that is there is
replaced at its place; a new one goes to the end. A block is written with the line ends of its file. The module knows
no file by name.
"""

import re
from collections.abc import Iterable
from typing import Final

from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import NAME

BEGIN: Final = f"# --- {NAME} begin"
END: Final = f"# --- {NAME} end"


class BlockError(InstallationError):
    """The marks of a file do not fit together; the message names the line."""


def split_lines(text: str) -> list[str]:
    """Returns the lines of a text, each with its own line end."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def put_block(text: str, lines: Iterable[str]) -> str:
    """Returns the text with these lines as its block. Without lines it has no block. Raises BlockError."""
    wanted = tuple(lines)
    if not wanted:
        return remove_block(text)
    end = "\r\n" if "\r\n" in text else "\n"
    block = "".join(f"{line}{end}" for line in (BEGIN, *wanted, END))
    found = _find(text)
    if found is not None:
        before, after = found
        return before + block + after
    gap = "" if not text or text.endswith("\n") else end
    return text + gap + block


def remove_block(text: str) -> str:
    """Returns the text without its block. Raises BlockError."""
    found = _find(text)
    return text if found is None else "".join(found)


def _find(text: str) -> tuple[str, str] | None:
    """Returns the texts before and after the block; None without a block."""
    lines = split_lines(text)
    begins = [number for number, line in enumerate(lines) if line.strip() == BEGIN]
    ends = [number for number, line in enumerate(lines) if line.strip() == END]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0] < begins[0]:
        first = min(begins + ends) + 1
        raise BlockError(
            f'line {first}: found {len(begins)} lines "{BEGIN}" and {len(ends)} lines "{END}", expected one block '
            "with both; delete the cabinet's lines and their marks, then repeat the set-up"
        )
    return "".join(lines[: begins[0]]), "".join(lines[ends[0] + 1 :])

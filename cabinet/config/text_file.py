"""Reads a text file that a person writes: the settings, a file of answers.

Rules: only a file is read, never a pipe or a device, which may have no end; a longer file than any of these is refused
unread. A mark of UTF-8 at the beginning, which some editors write, is left out. The module knows no key.
"""

import errno
import os
import tomllib
from pathlib import Path
from typing import Any, Final

from cabinet.config.reader import ConfigError

LONGEST_BYTES: Final = 1 << 20
"""A file of settings or answers is far shorter."""


def read_text(path: Path) -> str:
    """Returns the text of a file. Raises OSError, and ConfigError for bytes that are no text."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "it is no file", str(path))
    with path.open("rb") as file:
        content = file.read(LONGEST_BYTES + 1)
    if len(content) > LONGEST_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"is not TOML: byte {error.start} is no UTF-8; save it as UTF-8 text") from error


def parse_toml(text: str) -> dict[str, Any]:
    """Returns the tables of a text. Raises ConfigError without the name of the file."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"is not TOML: {error}") from error
    except (RecursionError, ValueError) as error:  # lists in lists in lists, or a number of thousands of digits
        raise ConfigError(f"is not TOML that can be read: {error}") from error

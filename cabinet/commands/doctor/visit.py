"""The examined machine: its settings, its data, and its own files below a root, so that a test examines a folder tree.

Reads only. A file that is missing or may not be read has no text.
"""

import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cabinet.commands.doctor.devices import UNIT_PATIENCE_S, OpenLine
from cabinet.config.settings import Config
from cabinet.installation.paths import ON_CABINET, Paths
from cabinet.runtime import shoe
from drivers.serial_link import open_link

ENOUGH_BYTES = 200 * 1024 * 1024
SIMULATED = "simulated"
MISSING = "does not exist"
PROGRAM_S = 10.0
"""Seconds after which a program of the system counts as one that says nothing."""


def output_of(*command: str) -> str:
    """Returns what a program of the system prints; empty where it is missing, fails or hangs."""
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=PROGRAM_S)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """The examined machine: `may` returns whether the cabinet's user has a right on a path."""

    config: Config
    data: Path
    simulate: bool
    root: Path = Path("/")
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    wall_ms: int
    enough_bytes: int = ENOUGH_BYTES
    may: Callable[[Path, int], bool] = os.access
    random: shoe.ByteSource = os.urandom
    open_line: OpenLine = open_link
    patience_s: float = UNIT_PATIENCE_S

    output_of: Callable[..., str] = output_of
    """Runs a program of the system and returns what it prints."""

    @property
    def paths(self) -> Paths:
        """Returns the paths of an installed cabinet, below the root."""
        return Paths(root=self.root)

    def at(self, path: str | Path) -> Path:
        """Returns a file of the machine, by its absolute path."""
        return self.paths.at(path)

    def text(self, path: str | Path) -> str:
        """Returns the contents of a file of the machine; empty if it is missing."""
        try:
            return self.at(path).read_text(errors="replace")
        except OSError:
            return ""

    def read(self, path: str | Path) -> str:
        """Returns a file of the machine as one line; empty if it is missing or empty."""
        return " ".join(self.text(path).replace("\0", " ").split())

    def is_enabled(self, link: str) -> bool:
        """Returns True if a link such as `multi-user.target.wants/ssh.service` starts a unit that is not masked."""
        own = self.at(ON_CABINET.units / Path(link).name)
        masked = own.is_symlink() and own.readlink() == Path(os.devnull)
        return self.at(ON_CABINET.units / link).is_symlink() and not masked


def why_absent(path: Path) -> str | None:
    """Why nothing can be had at a path, to follow its name; None when something can."""
    try:
        path.stat()
    except FileNotFoundError:
        return "is a link that leads nowhere" if path.is_symlink() else MISSING
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except ValueError as error:
        return f"is no path: {error}"
    return None

"""The environment of an update: how long it waits, what it uses, how it can end.

The module decides nothing and changes nothing.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import Paths
from cabinet.installation.update.program import Program
from cabinet.installation.update.service import Service
from cabinet.store.errors import StoreError

TRIAL_S: Final = 60.0
"""How long a new version may need until it is ready and has no new lock, in seconds."""
AGAIN_S: Final = 100.0
"""How long the version before may need until it is ready again, in seconds: longer than the service itself allows its
start, so that a slow start does not count as a failed one."""
STEADY_S: Final = 5.0
"""How long it must then stay so, in seconds."""
POLL_S: Final = 1.0
ADVICE: Final = "The record of the update stays: run `cabinet update --resume`, or switch the cabinet off and on"
CLEARS: Final = "The technician checks the machine and clears *program changed* in the menu"


class Outcome(Enum):
    """How an update ended; the values are the exit codes of the command."""

    DONE = 0
    REFUSED = 1
    WENT_BACK = 4
    """The new version did not prove itself; the version before runs."""
    NEEDS_HELP = 5
    """The cabinet does not run correctly, and the update cannot change that."""


class FailedError(InstallationError):
    """The new version is not proved. The message says why."""


class MovedOnError(InstallationError):
    """The new version has written its own form of the books: the version before cannot read them any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long an update waits, in seconds."""

    trial_s: float = TRIAL_S
    again_s: float = AGAIN_S
    """How long the version before may need until it is ready again."""
    steady_s: float = STEADY_S
    poll_s: float = POLL_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Updater:
    """The environment of an update."""

    paths: Paths
    service: Service
    say: Callable[[str], None]
    """Shows one line to the technician."""
    now: Callable[[], float]
    """Monotonic seconds."""
    sleep: Callable[[float], object]
    date: str
    """The time of day for the name of a copy, such as `20261201-101500`."""
    mounts: str = ""
    """The kernel's list of file systems; empty where it is not asked."""
    pace: Pace = field(default_factory=Pace)
    undisturbed: Callable[[], AbstractContextManager[None]] = nullcontext
    """In such a block a signal does not interrupt: the way out of an update is not left half way."""

    def program(self, version: str) -> Program:
        """Returns a version as something to ask."""
        return Program(paths=self.paths, folder=self.paths.version(version))


ERRORS = (OSError, InstallationError, StoreError)
"""Errors that end an update; any other error is a fault of the program, and undoes the update as well."""

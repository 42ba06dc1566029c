"""The service of the cabinet, as an update sees it.

Rules: a stop waits until the program has ended, so that a note in flight is finished; a start does not wait. The module
decides nothing.
"""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import SERVICE

ORDER_PATIENCE_S: Final = 120.0
"""How long the service manager may need for one order, in seconds; longer than the service's own limits."""


class ServiceError(InstallationError):
    """The service manager refused an order."""


class Service(Protocol):
    """What an update asks of the service."""

    def stop(self) -> None:
        """Ends the program in order and waits for it. Raises ServiceError."""

    def start(self) -> None:
        """Begins to start the version that `current` leads to. Raises ServiceError."""

    def reload(self) -> None:
        """Lets the service manager read the unit of the version that `current` leads to. Raises ServiceError."""

    def is_up(self) -> bool:
        """Returns whether a program is running or starting."""

    def is_ready(self) -> bool:
        """Returns whether the program has reported that it is ready."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Systemd:
    """The service under systemd."""

    unit: str = SERVICE
    program: Sequence[str] = ("systemctl",)

    def stop(self) -> None:
        """Ends the program in order and waits for it."""
        self._order("stop", self.unit)

    def start(self) -> None:
        """Begins to start the program."""
        self._order("start", "--no-block", self.unit)

    def reload(self) -> None:
        """Reads all units again."""
        self._order("daemon-reload")

    def is_up(self) -> bool:
        """Returns whether the unit is in any state but stopped and failed."""
        return self._state() not in {"inactive", "failed", ""}

    def is_ready(self) -> bool:
        """Returns whether the unit is active, which for this unit means that the program said READY."""
        return self._state() == "active"

    def _state(self) -> str:
        return self._call("is-active", self.unit).stdout.strip()

    def _order(self, *words: str) -> None:
        done = self._call(*words)
        if done.returncode:
            raise ServiceError(
                f"`systemctl {' '.join(words)}` failed with {done.returncode}: {' '.join(done.stderr.split())}; see "
                f"`journalctl -u {self.unit}`"
            )

    def _call(self, *words: str) -> "subprocess.CompletedProcess[str]":
        command = [*self.program, *words]
        try:
            # In a process group of its own: Ctrl-C on a terminal reaches the update, not an order that undoes it.
            return subprocess.run(
                command, capture_output=True, text=True, timeout=ORDER_PATIENCE_S, check=False, process_group=0
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ServiceError(f"`{' '.join(command)}` gave no answer: {error}") from error

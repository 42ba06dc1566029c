"""Runs the commands of a version of the program: whether books are whole, what the doctor finds, how a start ends.

Rules: a version is another process, run as the cabinet's user; only its output counts, so an update never runs code of
two versions in one process. The three commands and their JSON are an interface between versions: see
`docs/releasing.md`.
"""

import os
import pwd
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import USER, Paths
from cabinet.installation.update.books import Figures

ANSWER_PATIENCE_S: Final = 1800.0
"""How long a version may need for an answer, in seconds: a Pi checks some thousand rows in a second."""
REHEARSE: Final = "--rehearse"
"""The option of `cabinet update` that starts a version on a copy of the books."""
_T = TypeVar("_T")


class ProgramError(InstallationError):
    """A version gave no answer, or a bad one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """The result of a start on a copy of the books."""

    version: str
    figures: Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    what: str
    grade: str
    found: str = ""
    todo: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Findings:
    findings: tuple[_Finding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verdict:
    ok: bool
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One version, by its folder."""

    paths: Paths
    folder: Path
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def verify(self, data: Path) -> tuple[str, ...]:
        """Returns what is wrong with the books; empty if they are whole. Raises ProgramError."""
        verdict = self._ask(_Verdict, data, "verify", "--data", data, "--json")
        return () if verdict.ok else verdict.problems or ("the books are not whole",)

    def bad_findings(self, data: Path) -> dict[str, str]:
        """Returns the checks of the doctor that are bad, with what was found and what to do. Raises ProgramError."""
        found = self._ask(_Findings, data, "doctor", "--config", self.paths.settings, "--data", data, "--json")
        return {each.what: f"{each.found}: {each.todo}" for each in found.findings if each.grade == "bad"}

    def rehearse(self, data: Path) -> Rehearsed:
        """Starts the version on a copy of the books, without devices, and ends it. Raises ProgramError."""
        return self._ask(Rehearsed, data, "update", REHEARSE, data, "--config", self.paths.settings)

    def _ask(self, kind: type[_T], data: Path, *words: str | Path) -> _T:
        """Runs a command in the folder of the books: the pin library makes a pipe in the folder it is started in."""
        command = [str(self.paths.command(self.folder)), *map(str, words)]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=ANSWER_PATIENCE_S,
                check=False,
                cwd=data,
                env={**self.environment, "CABINET_CONFIG": str(self.paths.settings)},
                **user_of(self.paths),
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ProgramError(f"{command[0]} {words[0]}: gave no answer: {error}") from error
        try:
            return msgspec.json.decode(done.stdout, type=kind)
        except msgspec.DecodeError as error:
            said = " ".join(done.stderr.split())[-500:] or f"its answer is not understood: {error}"
            raise ProgramError(f"{command[0]} {words[0]}: failed with {done.returncode}: {said}") from error


def user_of(paths: Paths) -> dict[str, Any]:
    """Returns the arguments that run a process as the cabinet's user: needed by root on a cabinet, not below another
    root.

    Raises ProgramError if the user is missing.
    """
    if os.geteuid() != 0 or paths.root != Path("/"):
        return {}
    try:
        user = pwd.getpwnam(USER)
    except KeyError as error:
        raise ProgramError(f"there is no user {USER}; install the package again with apt") from error
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": os.getgrouplist(USER, user.pw_gid)}

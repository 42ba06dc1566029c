"""Mutants: one-line changes of the product, each of which breaks a rule, and the test that must fail then.

`tests/mutants.toml` is the list; `make mutants` applies one after the other to a copy of the tree and runs its test.
A mutant dies when that test fails by an assertion, or by a refusal of the product. An import error, a misspelt name, a
time-out or an error while the test is collected proves nothing: the verdict is then "broken".
"""

import ast
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
MUTANTS_FILE = ROOT / "tests" / "mutants.toml"

_COPIED = ("cabinet", "drivers", "tests", "assets", "pyproject.toml")
_MEMORY = Path("/dev/shm")
_AT_ONCE = 2
"""Mutants that are tried at a time: one for each core of a small machine."""
_LONGEST_S = 300.0
"""Seconds for one test; a mutant may make it hang."""
_MOST_LINES = 3
"""Lines of code that a mutant replaces at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One line of the list: `before` becomes `after` in `file`, which breaks `rule`, and `test` fails."""

    file: str
    rule: str
    before: str
    after: str
    test: str

    def mutate(self, source: str) -> str:
        """Returns the changed source; ValueError when `before` is not there exactly once."""
        found = source.count(self.before)
        if found != 1:
            raise ValueError(f"{self.file}: found {found} times, expected once: {self.before.strip()}")
        return source.replace(self.before, self.after)


class Verdict(Enum):
    """What one run of the test shows."""

    KILLED = "killed"
    SURVIVED = "SURVIVED"
    BROKEN = "BROKEN"
    NOT_FOUND = "NOT FOUND"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A mutant and what became of it; `reason` is what the test says."""

    mutant: Mutant
    verdict: Verdict
    reason: str = ""
    took_s: float = 0.0


# --- the list -------------------------------------------------------------------------------------------------------


def parse_mutants(text: str) -> tuple[Mutant, ...]:
    """Reads the list from TOML text."""
    return tuple(Mutant(**line) for line in tomllib.loads(text)["mutant"])


def read_mutants() -> tuple[Mutant, ...]:
    """The project's list."""
    return parse_mutants(MUTANTS_FILE.read_text(encoding="utf-8"))


def explain_mutant(mutant: Mutant, root: Path = ROOT) -> str | None:
    """Returns what is wrong with a line of the list; None for nothing. Runs no test."""
    path = root / mutant.file
    if not path.is_file():
        return f"{mutant.file}: no such file"
    source = path.read_text(encoding="utf-8")
    try:
        changed = ast.dump(ast.parse(mutant.mutate(source)))
    except (ValueError, SyntaxError) as error:
        return str(error) if isinstance(error, ValueError) else f"{mutant.file}: does not compile: {mutant.after}"
    if changed == _meaning(source):
        return f"{mutant.file}: means the same as before: {mutant.after}"
    if len(mutant.before.strip("\n").splitlines()) > _MOST_LINES:
        return f"{mutant.file}: replaces more than {_MOST_LINES} lines"
    return _explain_test(mutant.test, root)


def _explain_test(test: str, root: Path) -> str | None:
    file, _, name = test.partition("::")
    path = root / file
    if not path.is_file():
        return f"{test}: no such file"
    return None if name in _tests_in(path.read_text(encoding="utf-8")) else f"{test}: no such test"


@cache
def _meaning(source: str) -> str:
    return ast.dump(ast.parse(source))


@cache
def _tests_in(source: str) -> frozenset[str]:
    functions = (node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    return frozenset(name for name in functions if name.startswith("test_"))


# --- trying one -----------------------------------------------------------------------------------------------------

_FAILED = re.compile(r"^FAILED (?P<test>\S+?::\w+(?:\[.*?\])?)(?: - (?P<reason>.*))?$", re.MULTILINE)
_PROVES_NOTHING = re.compile(
    r"^(ImportError|ModuleNotFoundError|SyntaxError|NameError|UnboundLocalError|AttributeError|TypeError"
    r"|Failed: Timeout)"
)


def judge(exit_code: int, output: str) -> tuple[Verdict, str]:
    """The verdict of a run of pytest, and why."""
    if exit_code == 0:
        return Verdict.SURVIVED, ""
    failed = _FAILED.search(output)
    if exit_code != 1 or failed is None:
        return Verdict.BROKEN, output.strip().splitlines()[-1] if output.strip() else f"exit code {exit_code}"
    reason = failed["reason"] or ""
    return (Verdict.BROKEN if _PROVES_NOTHING.match(reason) else Verdict.KILLED), reason


def make_sandbox(source: Path, target: Path) -> Path:
    """Copies what the tests need; file times are kept, so that compiled files stay valid."""
    for name in _COPIED:
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name)
        else:
            shutil.copy2(source / name, target / name)
    return target


def run_tests(sandbox: Path, tests: Sequence[str], *, keep_compiled: bool) -> tuple[int, str]:
    """Runs these tests in the sandbox; exit code and output of pytest."""
    environment = {**os.environ, "PYTHONPATH": str(sandbox), "COLUMNS": "240"}
    environment.pop("PYTEST_ADDOPTS", None)
    # Compiled code is recognised by its file's time, in whole seconds: that of a mutant must not be kept.
    environment["PYTHONDONTWRITEBYTECODE"] = "" if keep_compiled else "1"
    options = ("-n", "0", "-x", "-q", "-p", "no:cacheprovider", f"--basetemp={sandbox / 'tmp'}")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *tests],
            cwd=sandbox,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=_LONGEST_S,
        )
    except subprocess.TimeoutExpired:
        return -1, f"no end after {_LONGEST_S:.0f} s"
    return done.returncode, done.stdout + done.stderr


def try_mutant(sandbox: Path, mutant: Mutant) -> Trial:
    """Applies the mutant, runs its test and takes the mutant back."""
    path, began_s = sandbox / mutant.file, time.monotonic()
    found = path.stat()
    source = path.read_text(encoding="utf-8")
    try:
        changed = mutant.mutate(source)
    except ValueError as error:
        return Trial(mutant=mutant, verdict=Verdict.NOT_FOUND, reason=str(error))
    path.write_text(changed, encoding="utf-8")
    try:
        verdict, reason = judge(*run_tests(sandbox, [mutant.test], keep_compiled=False))
    finally:
        path.write_text(source, encoding="utf-8")
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    return Trial(mutant=mutant, verdict=verdict, reason=reason, took_s=time.monotonic() - began_s)


# --- trying all -----------------------------------------------------------------------------------------------------


def try_all(mutants: Sequence[Mutant], folder: Path, report: Callable[[Trial], None]) -> list[Trial]:
    """Tries every mutant, some at a time. SystemExit when a named test fails without any mutant."""
    first = make_sandbox(ROOT, folder / "0")
    code, output = run_tests(first, sorted({mutant.test for mutant in mutants}), keep_compiled=True)
    if code != 0:
        raise SystemExit(f"{output}\nThe tests must pass before a mutant is tried.")
    free: queue.SimpleQueue[Path] = queue.SimpleQueue()
    for sandbox in (first, *(make_sandbox(first, folder / str(number)) for number in range(1, _AT_ONCE))):
        free.put(sandbox)

    def attempt(mutant: Mutant) -> Trial:
        sandbox = free.get()
        try:
            trial = try_mutant(sandbox, mutant)
        finally:
            free.put(sandbox)
        report(trial)
        return trial

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        return list(threads.map(attempt, mutants))


def describe(trial: Trial) -> str:
    """One line of the table."""
    mutant = trial.mutant
    test = mutant.test.removeprefix("tests/")
    line = f"{trial.verdict.value:<9} {trial.took_s:5.1f} s  {mutant.file:<38} {mutant.rule}\n{'':<19} {test}"
    return line if trial.verdict is Verdict.KILLED else f"{line}\n{'':<19} {trial.reason}"


def summarise(trials: Iterable[Trial]) -> tuple[str, bool]:
    """The last line, and whether all have died."""
    trials = tuple(trials)
    alive = [f"{trial.mutant.file}: {trial.mutant.rule}" for trial in trials if trial.verdict is not Verdict.KILLED]
    words = f"{len(trials) - len(alive)} of {len(trials)} mutants are killed"
    return "\n".join((words, *(f"  not killed: {name}" for name in alive))), not alive


def main(words: Sequence[str]) -> int:
    """Tries the mutants whose file or rule holds one of the words, or all; 0 when all have died."""
    mutants = [m for m in read_mutants() if not words or any(word in f"{m.file} {m.rule}" for word in words)]
    if not mutants:
        raise SystemExit(f"no mutant's file or rule holds {' or '.join(words)}")
    began_s = time.monotonic()

    def report(trial: Trial) -> None:
        sys.stdout.write(f"{describe(trial)}\n")
        sys.stdout.flush()

    place = _MEMORY if _MEMORY.is_mount() else None
    with tempfile.TemporaryDirectory(prefix="mutants-", dir=place) as folder:
        trials = try_all(mutants, Path(folder), report)
    last, dead = summarise(trials)
    sys.stdout.write(f"{last}, in {time.monotonic() - began_s:.0f} s\n" if dead else f"{last}\n")
    return 0 if dead else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

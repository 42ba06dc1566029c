"""The real package in a fresh Debian system: `make test-package`. No other run collects these tests.

They need root, debootstrap, minisign and a place for systems of some gigabytes, which are kept for the next run in the
cache of the user; for another processor also qemu. Where one is missing, they say which and are left out.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.debian_system import System, fresh_system, why_not

ROOT = Path(__file__).parents[2]
NEWER = "99.1.0"
"""The version of the package that an update goes to."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--package-arch", default="", help="architecture of the systems (make test-package: amd64)")
    parser.addoption("--package-wheels", default="", help="folder of the wheels (make test-package)")


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    return None if config.getoption("--package-arch", default="") else True


@pytest.fixture(scope="session")
def architecture(pytestconfig: pytest.Config) -> str:
    """The architecture of the systems; leaves the tests out where this machine cannot have them."""
    chosen = str(pytestconfig.getoption("--package-arch"))
    if reason := why_not(chosen):
        pytest.skip(reason)
    return chosen


@pytest.fixture(scope="module")
def system(architecture: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """A fresh Debian 13 with what the package depends on, for the tests of one file in their order."""
    with fresh_system(architecture) as made:
        yield made


@pytest.fixture(scope="session")
def release_key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A secret key without a password; the public one is beside it."""
    key = tmp_path_factory.mktemp("key") / "release.sec"
    command = ["minisign", "-G", "-W", "-f", "-s", key, "-p", key.with_suffix(".pub")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return key


@pytest.fixture(scope="session")
def package(
    pytestconfig: pytest.Config, architecture: str, release_key: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The package of this tree as `make package` builds it, signed."""
    return build_package(ROOT, pytestconfig, architecture, release_key, tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="session")
def newer_package(
    pytestconfig: pytest.Config, architecture: str, release_key: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The package of a copy of this tree with a newer version."""
    copy = tmp_path_factory.mktemp("newer")
    packed = subprocess.run(["git", "-C", ROOT, "archive", "HEAD"], capture_output=True, check=True).stdout
    subprocess.run(["tar", "--extract", "--directory", copy], input=packed, check=True)
    project = copy / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    project.write_text(re.sub(r'^version = ".*"$', f'version = "{NEWER}"', text, flags=re.MULTILINE), encoding="utf-8")
    return build_package(copy, pytestconfig, architecture, release_key, copy / "dist")


def build_package(tree: Path, config: pytest.Config, architecture: str, key: Path, out: Path) -> Path:
    """Build the package of a tree; returns its file, with the signature beside it."""
    epoch = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=True)
    command: list[str | Path] = [sys.executable, tree / ".ci" / "package.py", "--arch", architecture, "--key", key]
    command += ["--wheels", Path(str(config.getoption("--package-wheels"))), "--out", out]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": epoch.stdout.strip()}
    subprocess.run(command, check=True, cwd=tree, env=environment, stdout=subprocess.DEVNULL)
    (package,) = out.glob("*.deb")
    return package

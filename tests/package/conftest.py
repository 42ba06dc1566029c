"""The real package in a fresh Debian system: `make test-package`. No other run collects these tests.

They need root, debootstrap, minisign and a place for systems of some gigabytes, which are kept for the next run in the
cache of the user; for another processor also qemu. Where one is missing, they say which and are left out.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.debian_system import System, fresh_system, why_not

ROOT = Path(__file__).parents[2]


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

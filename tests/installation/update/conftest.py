"""Cabinets with a first version, for the tests of an update."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.updates import Installed, installed


@pytest.fixture
def cabinet(tmp_path: Path) -> Iterator[Installed]:
    """A cabinet with the first version, running and out of service."""
    with installed(tmp_path) as found:
        yield found


@pytest.fixture
def still(tmp_path: Path) -> Iterator[Installed]:
    """The same, stopped: for what is refused before the program is asked."""
    with installed(tmp_path, running=False) as found:
        yield found

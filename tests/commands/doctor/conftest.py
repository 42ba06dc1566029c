"""The examined machine of the doctor's tests: a folder tree in which everything is missing."""

from pathlib import Path

import pytest

from cabinet.commands.doctor.visit import Visit
from cabinet.config.settings import Config
from cabinet.runtime import startup

TODAY_MS = startup.RELEASED_MS + 1


@pytest.fixture
def world(tmp_path: Path) -> Visit:
    """A machine with nothing in it, and a data folder that can be made."""
    (tmp_path / "root").mkdir()
    return Visit(
        config=Config(),
        data=tmp_path / "data",
        simulate=False,
        root=tmp_path / "root",
        environment={},
        wall_ms=TODAY_MS,
        enough_bytes=1,
    )

"""Shared fixtures of the window's tests."""

from collections.abc import Iterator

import pytest
from support.played_cabinet import PlayedCabinet
from support.stage import READY, Stage

from cabinet.tools.screens_gallery import named_draw


@pytest.fixture
def stage() -> Iterator[Stage]:
    """A cabinet at a table, with credit and a selected chip, and the cards of one round."""
    cabinet = PlayedCabinet(draw=named_draw("10S 9S 8H 7D 10C KD"))
    cabinet.step(*READY)
    stage = Stage(cabinet)
    yield stage
    stage.mixer.close()

"""What is measured of the screen, and where it is drawn."""

from pathlib import Path

import pytest

from cabinet.config.settings import Config
from cabinet.runtime.build import build
from cabinet.tools.bench.engine import BenchError
from cabinet.tools.bench.window import BARE_WINDOW, MeasuredWindow, without_display


@pytest.mark.parametrize(
    ("environment", "driver"),
    [({}, "dummy"), ({"DISPLAY": ":0"}, None), ({"WAYLAND_DISPLAY": "w"}, None), ({"SDL_VIDEODRIVER": "x11"}, "x11")],
)
def test_it_is_drawn_to_nowhere_only_where_there_is_no_display(environment: dict[str, str], driver: str | None):
    without_display(environment)
    assert environment.get("SDL_VIDEODRIVER") == driver


def test_a_real_cabinet_is_not_measured(tmp_path: Path):
    cabinet = build(Config(), tmp_path, simulate=True)
    bench, cabinet.simulated_devices = cabinet.simulated_devices, None
    assert bench is not None
    with pytest.raises(BenchError, match="only a simulated cabinet"):
        MeasuredWindow(cabinet, tmp_path)
    cabinet.parts.close()


def test_the_bare_window_is_as_large_as_that_of_the_cabinet():
    assert str(Config().display.windowed) in BARE_WINDOW

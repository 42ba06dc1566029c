"""The display itself: refused, opened, rotated, and found missing."""

from pathlib import Path

import pygame
import pytest

from cabinet.config.mounting import Mounting
from cabinet.window.display import Window, WindowError, check_display, display_here, displays_named, unlit_connectors

pytestmark = pytest.mark.screen

SIZE = (640, 360)
RED = (255, 0, 0)


@pytest.mark.parametrize(("driver", "size"), [("offscreen", SIZE), ("fbcon", SIZE), ("x11", (1024, 768))])
def test_a_display_that_shows_nothing_or_has_another_size_is_refused(driver: str, size: tuple[int, int]):
    with pytest.raises(WindowError, match="expected"):
        check_display(driver, size, SIZE)


def test_a_missing_display_is_reported_before_any_library_prints(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
        assert display_here({name: "x"}, tmp_path)
    assert not display_here({}, tmp_path)
    (tmp_path / "card1").touch()
    assert display_here({}, tmp_path)
    monkeypatch.setattr("cabinet.window.display.display_here", lambda _: False)
    with pytest.raises(WindowError, match=r"no display here.*make run"):
        Window(SIZE).open()


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"DISPLAY": ":77"}, ["DISPLAY=:77"]),
        ({"WAYLAND_DISPLAY": "w-7", "DISPLAY": ":77"}, ["WAYLAND_DISPLAY=w-7", "DISPLAY=:77"]),
        ({"WAYLAND_DISPLAY": "w-7", "DISPLAY": ":77", "SDL_VIDEODRIVER": "x11"}, ["DISPLAY=:77"]),
        ({"WAYLAND_DISPLAY": "w-7", "SDL_VIDEODRIVER": "x11,wayland"}, ["WAYLAND_DISPLAY=w-7"]),
        ({"DISPLAY": ":77", "SDL_VIDEODRIVER": "kmsdrm"}, []),
        ({"DISPLAY": ""}, []),
    ],
)
def test_a_display_is_named_as_the_environment_does(environment: dict[str, str], named: list[str]):
    assert list(displays_named(environment)) == named


def test_a_refused_driver_is_reported_with_the_named_desktop(monkeypatch: pytest.MonkeyPatch):
    for name in ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":77")
    with pytest.raises(WindowError, match="no display answers at DISPLAY=:77: start its server"):
        check_display("offscreen", SIZE, SIZE)
    check_display("KMSDRM", SIZE, SIZE)


def test_a_desktop_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch):
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":7777")
    with pytest.raises(WindowError, match="no display answers at DISPLAY=:7777"):
        Window(SIZE).open()
    assert not pygame.display.get_init()


def test_a_display_of_the_right_size_is_accepted():
    check_display("KMSDRM", SIZE, SIZE)
    check_display("dummy", SIZE, SIZE)


@pytest.mark.requirement("PD-04")
@pytest.mark.parametrize(("rotation", "given"), [(0, "1024x768"), (90, "768x1024")])
def test_a_display_too_small_for_the_table_is_refused_and_released(rotation: int, given: str):
    pygame.display.quit()
    window = Window(None, Mounting(rotation=rotation))
    with pytest.raises(WindowError, match=rf"gives a picture of {given} pixels: the smallest is 1280x720"):
        window.open()
    assert not pygame.display.get_init()


@pytest.mark.filterwarnings("ignore:no fast renderer")
def test_a_picture_of_the_measured_size_fills_the_display():
    pygame.display.quit()
    window = Window.measured(SIZE)
    surface = window.open()
    assert surface.get_size() == SIZE
    assert surface.get_flags() & pygame.FULLSCREEN
    assert not pygame.mouse.get_visible()
    assert window.missing() == ""
    window.show([pygame.Rect(0, 0, 1, 1)])
    window.close()


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch):
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "kmsdrm")
    with pytest.raises(WindowError, match=r"cannot be opened: .*SDL_VIDEODRIVER"):
        Window(None).open()
    assert not pygame.display.get_init()


@pytest.mark.parametrize(("rotation", "corner"), [(0, (2, 2)), (90, (637, 2)), (180, (637, 357)), (270, (2, 357))])
def test_the_picture_is_rotated_as_the_panel_is_mounted(rotation: int, corner: tuple[int, int]):
    window = Window(SIZE, Mounting(rotation=rotation))
    picture = window.open()
    assert picture.get_size() == (SIZE if rotation in {0, 180} else SIZE[::-1])
    picture.fill(RED, (0, 0, 20, 10))
    window.show(window.transfer([pygame.Rect(0, 0, 20, 10)]))
    panel = pygame.display.get_surface()
    assert panel is not None
    red = pygame.mask.from_threshold(panel, RED, (1, 1, 1, 255))
    assert red.count() == 200
    assert red.get_at(corner)
    window.close()


def test_a_display_that_is_gone_raises_a_clear_error():
    window = Window(SIZE)
    window.open()
    pygame.display.quit()
    with pytest.raises(WindowError, match="check its power and cable"):
        window.show([pygame.Rect(0, 0, 1, 1)])


@pytest.mark.parametrize(
    ("states", "dark"),
    [
        ({}, ()),
        ({"card1-HDMI-A-1": "connected", "card1-HDMI-A-2": "disconnected"}, ()),
        ({"card1-HDMI-A-1": "disconnected", "card1-HDMI-A-2": "disconnected"}, ("HDMI-A-1", "HDMI-A-2")),
    ],
)
def test_the_kernels_connectors_report_an_unplugged_monitor(
    tmp_path: Path, states: dict[str, str], dark: tuple[str, ...]
):
    for name, state in states.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(state + "\n")
    assert unlit_connectors(tmp_path) == dark

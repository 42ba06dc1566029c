"""The display itself: refused, opened, rotated, and found missing."""

import os
from pathlib import Path

import pygame
import pytest

from cabinet.config.mounting import Mounting
from cabinet.window.display import (
    CARD,
    Window,
    WindowError,
    check_display,
    display_here,
    displays_named,
    unlit_connectors,
)

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


class Television:
    """A TV at the window library without a desktop; the library draws on its dummy driver, which has no such modes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.driver, self.switches = "KMSDRM", True
        self.asked: list[tuple[tuple[int, int], int]] = []
        self._set_mode = pygame.display.set_mode
        monkeypatch.setattr("pygame.display.get_driver", lambda: self.driver)
        monkeypatch.setattr("pygame.display.list_modes", lambda: [(3840, 2160), (1920, 1080), (1280, 720)])
        monkeypatch.setattr("pygame.display.get_desktop_sizes", lambda: [(3840, 2160)])
        monkeypatch.setattr("pygame.display.set_mode", self.set_mode)
        monkeypatch.setenv("SDL_RENDER_VSYNC", "0")

    def set_mode(self, size: tuple[int, int], flags: int = 0, *, vsync: int = 0) -> pygame.Surface:
        """Opens the display; one that does not switch refuses a mode of its own."""
        del vsync
        self.asked.append((size, flags))
        if flags == pygame.FULLSCREEN and not self.switches:
            raise pygame.error("no such mode")
        return self._set_mode(size)


@pytest.fixture
def tv(monkeypatch: pytest.MonkeyPatch) -> Television:
    """Returns a TV that offers 3840x2160 first."""
    pygame.display.quit()
    return Television(monkeypatch)


@pytest.mark.requirement("PD-04")
@pytest.mark.parametrize(("mode", "size"), [(None, (1920, 1080)), ((1280, 720), (1280, 720)), ((9, 9), (1920, 1080))])
def test_without_a_desktop_the_window_takes_the_best_mode_of_the_display_and_logs_why(
    tv: Television,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    mode: tuple[int, int] | None,
    size: tuple[int, int],
) -> None:
    window = Window(None, mode=mode, connectors=tmp_path)
    assert window.open().get_size() == size
    assert tv.asked == [(size, pygame.FULLSCREEN)]
    why = {None: "made for it", (1280, 720): "display.mode names it", (9, 9): "does not have 9x9"}
    assert why[mode] in caplog.text
    caplog.clear()
    window.close()
    window.open()
    assert caplog.text == "", "a display that comes back is no news"
    window.close()


def test_a_display_that_refuses_to_switch_shows_the_picture_enlarged(
    tv: Television, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tv.switches = False
    window = Window(None, connectors=tmp_path)
    assert window.open().get_size() == (1920, 1080)
    assert tv.asked[-1] == ((1920, 1080), pygame.SCALED | pygame.FULLSCREEN)
    assert "refuses the mode 1920x1080" in caplog.text
    window.close()


def test_a_mode_that_is_the_displays_own_is_not_switched_to(tv: Television, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("pygame.display.get_desktop_sizes", lambda: [(1920, 1080)])
    window = Window(None, connectors=tmp_path)
    window.open()
    assert tv.asked == [((1920, 1080), pygame.SCALED | pygame.FULLSCREEN)]
    window.close()


def test_a_desktop_keeps_its_own_mode(tv: Television, tmp_path: Path) -> None:
    tv.driver = "x11"
    window = Window(None, connectors=tmp_path)
    assert window.open().get_size() == (3840, 2160)
    assert tv.asked == [((3840, 2160), pygame.SCALED | pygame.FULLSCREEN)]
    window.close()


def test_the_card_with_the_display_is_named_unless_the_operator_names_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "kmsdrm")
    monkeypatch.delenv(CARD, raising=False)
    status = tmp_path / "card2-HDMI-A-1" / "status"
    status.parent.mkdir()
    window = Window(None, connectors=tmp_path)
    for state, card in (("connected", "2"), ("disconnected", None), ("connected", "2")):
        status.write_text(state)
        with pytest.raises(WindowError, match="cannot be opened"):
            window.open()
        assert os.environ.get(CARD) == card
    monkeypatch.setenv(CARD, "7")
    with pytest.raises(WindowError, match="cannot be opened"):
        Window(None, connectors=tmp_path).open()
    assert os.environ[CARD] == "7"


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

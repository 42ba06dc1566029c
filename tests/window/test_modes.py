"""The mode of the display by lists of real panels, and the graphics card by folders of the kernel."""

from pathlib import Path

import pytest

from cabinet.config.mounting import Mounting, unfit
from cabinet.window.modes import MADE_FOR, Size, choose_mode, find_card, offered, read_modes

UPRIGHT, TURNED = Mounting(), Mounting(rotation=90)
MONITOR = ((1920, 1080), (1680, 1050), (1280, 1024), (1440, 900), (1280, 720), (1024, 768), (800, 600), (640, 480))
LAPTOP_PANEL = ((1366, 768), (1360, 768), (1280, 720), (1024, 768), (800, 600), (640, 480))
OLD_MONITOR = ((1280, 1024), (1280, 960), (1152, 864), (1024, 768), (832, 624), (800, 600), (640, 480))
TV = ((4096, 2160), (3840, 2160), (2560, 1440), (1920, 1080), (1280, 720), (720, 576), (720, 480), (640, 480))
ONLY_4K = ((4096, 2160), (3840, 2160))
WIDE = ((2560, 1600), (2560, 1440), (1280, 800), (1280, 720))
PORTRAIT = ((1080, 1920), (720, 1280), (480, 800))
BAR = ((1920, 480), (1280, 320))


@pytest.mark.requirement("PD-04")
@pytest.mark.parametrize(
    ("offers", "mounting", "size", "why"),
    [
        (MONITOR, UPRIGHT, (1920, 1080), "made for"),
        (LAPTOP_PANEL, UPRIGHT, (1366, 768), "largest"),
        (OLD_MONITOR, UPRIGHT, (1280, 1024), "largest"),
        (TV, UPRIGHT, (1920, 1080), "made for"),
        (ONLY_4K, UPRIGHT, (3840, 2160), "smallest"),
        (WIDE, UPRIGHT, (2560, 1600), "largest"),
        (PORTRAIT, TURNED, (1080, 1920), "made for"),
        (reversed(MONITOR), UPRIGHT, (1920, 1080), "made for"),
    ],
    ids=["monitor", "laptop panel", "old monitor", "TV", "4K alone", "wide", "portrait, turned", "another order"],
)
def test_the_best_mode_of_a_panel(offers: tuple[Size, ...], mounting: Mounting, size: Size, why: str) -> None:
    choice = choose_mode(offers, mounting)
    assert choice is not None
    assert (choice.size, choice.denied) == (size, False)
    assert why in choice.why


@pytest.mark.requirement("PD-04")
@pytest.mark.parametrize(
    ("offers", "mounting"), [((), UPRIGHT), (PORTRAIT, UPRIGHT), (MONITOR[5:], UPRIGHT), (BAR, UPRIGHT), (TV, TURNED)]
)
def test_no_mode_below_the_least_is_chosen(offers: tuple[Size, ...], mounting: Mounting) -> None:
    assert choose_mode(offers, mounting) is None


def test_every_choice_fits_the_table() -> None:
    for offers in (MONITOR, LAPTOP_PANEL, OLD_MONITOR, TV, ONLY_4K, WIDE):
        for end in range(len(offers)):
            choice = choose_mode(offers[end:], UPRIGHT)
            assert choice is None or not unfit(choice.size)


def test_the_settings_may_name_a_mode_and_one_that_is_not_there_costs_no_picture() -> None:
    choice = choose_mode(TV, UPRIGHT, (1280, 720))
    assert choice is not None
    assert (choice.size, choice.why, choice.denied) == ((1280, 720), "display.mode names it", False)
    choice = choose_mode(TV, UPRIGHT, (1600, 900))
    assert choice is not None
    assert (choice.size, choice.denied) == (MADE_FOR, True)
    assert choice.why.startswith("the display does not have 1600x900 of display.mode; ")


def test_a_mode_that_is_only_interlaced_does_not_count() -> None:
    listed = ((1920, 1080), (1366, 768), (1280, 720))
    assert offered(listed, ("1366x768", "1920x1080i", "1280x720")) == ((1366, 768), (1280, 720))
    assert offered(listed, ("1920x1080i", "1920x1080", "1280x720")) == ((1920, 1080), (1280, 720))
    assert offered(listed, ()) == listed


def kernel(folder: Path, **sockets: tuple[str, str]) -> Path:
    """The kernel's folder with these sockets: status and modes."""
    for name, (status, modes) in sockets.items():
        place = folder / name.replace("_", "-")
        place.mkdir()
        (place / "status").write_text(f"{status}\n")
        (place / "modes").write_text(modes)
    return folder


def test_the_card_of_a_pi_5_is_the_one_with_the_display(tmp_path: Path) -> None:
    off = ("disconnected", "")
    (tmp_path / "card0").mkdir()  # draws, and has no socket
    (tmp_path / "version").write_text("drm 1.1.0\n")
    folder = kernel(tmp_path, card1_HDMI_A_1=off, card1_HDMI_A_2=("connected", "1920x1080\n1280x720\n"))
    assert find_card(folder) == 1
    assert read_modes(folder) == ("1920x1080", "1280x720")
    kernel(folder, card10_DSI_1=("connected", "800x1280\n"), card1_Writeback_1=("unknown", ""))
    assert find_card(folder) == 1
    (folder / "card1-HDMI-A-2" / "status").write_text("disconnected\n")
    assert find_card(folder) == 10


def test_without_a_display_no_card_is_named(tmp_path: Path) -> None:
    assert find_card(tmp_path / "missing") is None
    assert read_modes(tmp_path / "missing") == ()
    assert find_card(kernel(tmp_path, card0_HDMI_A_1=("disconnected", ""))) is None

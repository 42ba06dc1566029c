"""Display, touch screen and sound card of the examined machine."""

from dataclasses import replace

import pytest
from support.visits import BAD, GOOD, POOR, forbidden, is_, put, simulated, with_environment

from cabinet.commands.doctor.findings import Grade
from cabinet.commands.doctor.screen import check_display, check_sound, check_touch
from cabinet.commands.doctor.visit import Visit
from cabinet.config.settings import DisplaySection

HERE = {"DISPLAY": ":0"}


def test_no_display_is_bad_and_poor_for_a_simulated_cabinet(world: Visit):
    is_(check_display(world), BAD, "no graphics card", "autoplay")
    is_(check_display(simulated(world)), POOR, "no graphics card")


def test_a_video_driver_that_shows_nothing_is_bad(world: Visit):
    is_(check_display(with_environment(world, SDL_VIDEODRIVER="dummy", **HERE)), BAD, "shows nothing", "kmsdrm")


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_a_desktop_is_a_display(world: Visit, name: str):
    is_(check_display(with_environment(world, **{name: "0"})), GOOD, name)


def test_a_graphics_card_needs_its_driver_named_and_a_display_that_is_on(world: Visit):
    put(world, "/dev/dri/card1")
    is_(check_display(world), POOR, "card1", "SDL_VIDEODRIVER=kmsdrm")
    reported = with_environment(world, SDL_VIDEODRIVER="kmsdrm")
    is_(check_display(reported), GOOD, "kmsdrm on card1")
    put(world, "/sys/class/drm/card1-HDMI-A-1/status", "disconnected\n")
    is_(check_display(reported), POOR, "nothing is connected to card1-HDMI-A-1", "cable")
    put(world, "/sys/class/drm/card1-HDMI-A-2/status", "connected\n")
    is_(check_display(reported), POOR, "card1-HDMI-A-2 names no mode", "video=")
    modes = put(world, "/sys/class/drm/card1-HDMI-A-2/modes", "1920x1080\n1280x720\n")
    is_(check_display(reported), GOOD, "kmsdrm on card1-HDMI-A-2, 1920x1080")
    modes.write_text("3840x2160\n1920x1080i\n2560x1440\n")
    is_(check_display(reported), GOOD, "kmsdrm on card1-HDMI-A-2, 2560x1440")
    named = replace(reported, config=replace(reported.config, display=DisplaySection(mode=(1600, 900))))
    is_(check_display(named), POOR, "does not have 1600x900 of display.mode")
    modes.write_text("1920x1080i\n")
    is_(check_display(reported), POOR, "names no mode")
    modes.write_text("320x200\n")
    is_(check_display(reported), BAD, "card1-HDMI-A-2 shows 320x200", "larger display")


def test_touch_comes_from_the_desktop_or_from_devices_that_may_be_read(world: Visit):
    is_(check_touch(with_environment(world, **HERE)), GOOD, "desktop")
    for without in (world, simulated(world), with_environment(world, SDL_VIDEODRIVER="kmsdrm", **HERE)):
        is_(check_touch(without), POOR, "no input device", "buttons")
    devices = [put(world, f"/dev/input/event{number}") for number in range(2)]
    is_(check_touch(world), GOOD, "2 input devices")
    is_(check_touch(forbidden(world, *devices)), BAD, "may be read", "`input`")
    is_(check_touch(simulated(forbidden(world, *devices))), POOR, "may be read", "`input`")


@pytest.mark.parametrize(
    ("cards", "grade", "word"),
    [
        (None, POOR, "no sound card"),
        ("--- no soundcards ---\n", POOR, "silently"),
        (" 0 [vc4hdmi0]: vc4-hdmi\n      vc4-hdmi-0\n", GOOD, "vc4hdmi0"),
    ],
)
def test_a_cabinet_without_sound_is_poor(world: Visit, cards: str | None, grade: Grade, word: str):
    if cards is not None:
        put(world, "/proc/asound/cards", cards)
    is_(check_sound(world), grade, word)


USB_CARD = 'pcm.!default {\n    slave.pcm "sysdefault:CARD=Device"\n}\nctl.!default {\n    card Device\n}\n'
CARDS = " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n 1 [vc4hdmi1       ]: vc4-hdmi - vc4-hdmi-1\n"


@pytest.mark.parametrize(
    ("settings", "grade", "word"),
    [
        ('pcm.!default {\n    type plug\n    slave.pcm "sysdefault:CARD=vc4hdmi1"\n}\n', GOOD, "vc4hdmi1"),
        (USB_CARD, POOR, "Device"),
        ("pcm.!default {\n    type null\n}\n", POOR, "switched off"),
        ("# CARD=Device\n#   type null\n", GOOD, "vc4hdmi0"),
        ("pcm.!default {\n    type hw\n    card 0\n}\n", GOOD, "vc4hdmi0"),
    ],
)
def test_the_sound_library_must_name_a_card_that_is_there(world: Visit, settings: str, grade: Grade, word: str):
    put(world, "/proc/asound/cards", CARDS)
    put(world, "/etc/asound.conf", settings)
    is_(check_sound(world), grade, word)
    is_(check_sound(simulated(world)), GOOD, "vc4hdmi0")

"""What a machine says of itself."""

import os
from pathlib import Path

import pytest
from support.card import make_card

from cabinet.installation.paths import Paths
from cabinet.installation.system.board import Board, examine_board, why_unfit


def test_a_pi_5_with_its_system(tmp_path: Path):
    assert examine_board(make_card(tmp_path)) == Board(
        model="Raspberry Pi 5 Model B Rev 1.0",
        pi=5,
        wide=True,
        debian=13,
        kernel=(6, 12),
        medium="mmcblk0p2",
    )


@pytest.mark.parametrize(
    ("model", "pi"),
    [
        ("Raspberry Pi 3 Model B Plus Rev 1.3", 3),
        ("Raspberry Pi 4 Model B Rev 1.5", 4),
        ("Raspberry Pi 400 Rev 1.0", 4),
        ("Raspberry Pi 500 Rev 1.0", 5),
        ("Raspberry Pi Compute Module 4 Rev 1.1", 4),
        ("Raspberry Pi Zero 2 W Rev 1.0", None),
        ("Raspberry Pi Model B Rev 2", None),
    ],
)
def test_the_model_is_read_from_its_name(tmp_path: Path, model: str, pi: int | None):
    assert examine_board(make_card(tmp_path, model=model)).pi == pi


def test_nothing_is_known_of_an_empty_folder(tmp_path: Path):
    assert examine_board(Paths(root=tmp_path)) == Board()


def test_screens_and_sound_adapters_are_found(tmp_path: Path):
    for name, status in (("card1-HDMI-A-1", "disconnected"), ("card1-HDMI-A-2", "connected")):
        (tmp_path / "sys/class/drm" / name).mkdir(parents=True)
        (tmp_path / "sys/class/drm" / name / "status").write_text(f"{status}\n")
    device = tmp_path / "sys/devices/platform/usb1/1-1/1-1:1.0/sound/card2"
    device.mkdir(parents=True)
    (device / "id").write_text("Device\n")
    (device / "device").symlink_to("../..")
    (tmp_path / "sys/class/sound").mkdir()
    (tmp_path / "sys/class/sound/card2").symlink_to(device)
    board = examine_board(Paths(root=tmp_path))
    assert (board.screens, board.usb_sound) == (("HDMI-A-2",), "Device")


def test_labels_keys_and_a_network_by_radio_are_found(tmp_path: Path):
    for name in ("dev/disk/by-label/CABINET2ND", "home/ann/.ssh/authorized_keys", "proc/net/route"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    assert examine_board(Paths(root=tmp_path)) == Board(labels=frozenset({"CABINET2ND"}))
    (tmp_path / "home/ann/.ssh/authorized_keys").write_text("ssh-ed25519 AAAA ann\n")
    (tmp_path / "proc/net/route").write_text("Iface\tDestination\nwlan0\t00000000\n")
    board = examine_board(Paths(root=tmp_path))
    assert (board.keys, board.by_radio) == (True, True)


def test_a_system_of_32_bits_is_found(tmp_path: Path):
    (tmp_path / "usr/lib").mkdir(parents=True)
    (tmp_path / "usr/lib/ld-linux-armhf.so.3").touch()
    assert examine_board(Paths(root=tmp_path)).wide is False


FIT = Board(model="Raspberry Pi 4 Model B Rev 1.5", pi=4, wide=True, debian=13, kernel=(6, 12))


def test_a_fit_machine_has_no_complaint():
    assert why_unfit(FIT) == ()


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        (Board(model="Raspberry Pi 2", pi=2), "the board is Raspberry Pi 2, expected a Raspberry Pi 3, 4 or 5"),
        (Board(), "the board is not known, expected a Raspberry Pi 3, 4 or 5"),
        (Board(model="x", pi=4, wide=False), "the system is of 32 bits, expected Raspberry Pi OS Lite (64-bit)"),
        (Board(model="x", pi=4, debian=12), "the system is Debian 12, expected Raspberry Pi OS of Debian 13 (trixie)"),
        (Board(model="x", pi=4, kernel=(6, 1)), "the kernel is 6.1, expected 6.6 or newer; update the system"),
    ],
)
def test_each_thing_that_does_not_fit_is_named(board: Board, sentence: str):
    assert why_unfit(board) == (sentence,)


def test_an_image_needs_no_known_model_and_still_a_fit_system():
    assert why_unfit(Board(debian=12), model_needed=False) == (
        "the system is Debian 12, expected Raspberry Pi OS of Debian 13 (trixie)",
    )
    assert why_unfit(Board(model="not known to anyone"), model_needed=False) == (
        "the board is not known to anyone, expected a Raspberry Pi 3, 4 or 5",
    )


def test_a_number_of_thousands_of_digits_is_no_kernel(tmp_path: Path):
    paths = make_card(tmp_path / "card")
    paths.at("proc/sys/kernel/osrelease").write_text("9" * 5_000 + ".1")
    assert examine_board(paths).kernel == ()


def test_a_pipe_is_an_unknown_fact(tmp_path: Path):
    paths = make_card(tmp_path / "card")
    paths.at("etc/os-release").unlink()
    os.mkfifo(paths.at("etc/os-release"))
    assert examine_board(paths).debian is None

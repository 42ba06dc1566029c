"""A USB socket is learned from the plug that comes into it, on a tree of files like the kernel's."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from cabinet.installation.paths import Paths
from cabinet.installation.system.socket_watch import ask_udev, find_lines, learn_socket
from cabinet.installation.system.sockets import SocketError


class Kernel:
    """The kernel's files of USB serial adapters, and a program that answers as udev does."""

    def __init__(self, root: Path) -> None:
        self.paths = Paths(root=root)
        self.plugs = 10
        (root / "sys/class/tty").mkdir(parents=True)
        self.udev = root / "udevadm"
        self.udev.write_text('#!/bin/sh\nfor last; do :; done\ncat "$(dirname "$0")/paths/${last##*/}" 2>/dev/null\n')
        self.udev.chmod(0o755)
        (root / "paths").mkdir()

    def plug(self, name: str, socket: str, *, id_path: str) -> None:
        """Puts an adapter into a socket; the kernel gives the plug a new number."""
        self.plugs += 1
        device = self.paths.root / f"sys/devices/usb1/{socket}"
        line = device / f"{socket}:1.0" / name
        line.mkdir(parents=True, exist_ok=True)
        (device / "devnum").write_text(f"{self.plugs}\n")
        (line / "device").unlink(missing_ok=True)
        (line / "device").symlink_to(device / f"{socket}:1.0")
        (self.paths.root / "sys/class/tty" / name).symlink_to(line)
        (self.paths.root / "paths" / name).write_text(f"{id_path}\n")

    def unplug(self, name: str) -> None:
        """Pulls an adapter out."""
        (self.paths.root / "sys/class/tty" / name).unlink()

    def learn(self, *acts: Callable[[], None], checks: int = 8) -> str:
        """Learns a socket while the acts happen, one in each pause."""
        left = iter(acts)

        def pause() -> None:
            for act in itertools.islice(left, 1):
                act()

        return learn_socket(
            lambda: find_lines(self.paths), lambda name: ask_udev(name, str(self.udev)), pause, checks=checks
        )


@pytest.fixture
def kernel(tmp_path: Path) -> Kernel:
    return Kernel(tmp_path)


def test_the_socket_of_a_new_plug_is_learned(kernel: Kernel):
    kernel.plug("ttyUSB0", "1-1", id_path="printer-path")
    assert kernel.learn(lambda: kernel.plug("ttyUSB1", "1-2", id_path="acceptor-path")) == "acceptor-path"


def test_an_adapter_that_was_in_its_socket_is_unplugged_and_plugged_in(kernel: Kernel):
    kernel.plug("ttyUSB0", "1-1", id_path="left")
    acts = (lambda: kernel.unplug("ttyUSB0"), lambda: kernel.plug("ttyUSB0", "1-1", id_path="left"))
    assert kernel.learn(*acts) == "left"


def test_an_adapter_that_is_replugged_between_two_checks_is_seen(kernel: Kernel):
    kernel.plug("ttyUSB0", "1-1", id_path="left")

    def replug() -> None:
        kernel.unplug("ttyUSB0")
        kernel.plug("ttyUSB0", "1-1", id_path="left")

    assert kernel.learn(replug) == "left"


def test_a_modem_like_line_is_seen(kernel: Kernel):
    assert kernel.learn(lambda: kernel.plug("ttyACM0", "1-3", id_path="right")) == "right"


def test_the_wait_goes_on_until_udev_knows_the_path(kernel: Kernel):
    late = (
        lambda: kernel.plug("ttyUSB0", "1-1", id_path=""),
        lambda: None,
        lambda: (kernel.paths.root / "paths/ttyUSB0").write_text("late\n") and None,
    )
    assert kernel.learn(*late) == "late"


def test_without_a_plug_the_wait_ends(kernel: Kernel):
    with pytest.raises(SocketError, match="no adapter was plugged in"):
        kernel.learn(checks=3)


def test_two_new_lines_are_an_error(kernel: Kernel):
    acts = (
        lambda: kernel.plug("ttyUSB0", "1-1", id_path="a"),
        lambda: kernel.plug("ttyUSB1", "1-2", id_path="b"),
    )
    with pytest.raises(SocketError, match="found 2 new lines, ttyUSB0, ttyUSB1, expected one"):
        kernel.learn(*acts)


def test_a_machine_without_udev_says_what_to_do(tmp_path: Path):
    with pytest.raises(SocketError, match="give the sockets in an answers file"):
        ask_udev("ttyUSB0", str(tmp_path / "none"))

"""A card of a Raspberry Pi with its system, as a folder: only the files that a set-up reads or changes."""

import os
from pathlib import Path

from support.boot_files import BOOT_FILES

from cabinet.installation.paths import Paths

ANSWERS = """\
number = 17
venue = "The House"
currency = "EUR"
acceptor = "ssp"
acceptor_socket = "platform-xhci-hcd.0-usb-0:1:1.0"
printer = "escpos"
printer_socket = "platform-xhci-hcd.1-usb-0:1:1.0"
technician_pin = "493817"
books_partition = true
second_copy = true
time_zone = "Europe/Vienna"
sound = "hdmi1"
screen_mode = "1920x1080"
"""
"""A complete answers file."""

FSTAB = (
    "proc            /proc           proc    defaults          0       0\n"
    "PARTUUID=0a1b2c3d-01  /boot/firmware  vfat    defaults          0       2\n"
    "PARTUUID=0a1b2c3d-02  /               ext4    defaults,noatime  0       1\n"
)
NFTABLES = "#!/usr/sbin/nft -f\n\nflush ruleset\n"
USB_RULES = 'ACTION!="add", GOTO="end"\nLABEL="end"\n'
GROUP = 998 if os.geteuid() == 0 else os.getgid()
"""The number of the cabinet's group: only root may give a file to a group that is not its own."""
FIVE = "Raspberry Pi 5 Model B Rev 1.0"


def make_card(root: Path, kind: str = "stock", *, model: str = FIVE) -> Paths:
    """Makes a card with boot files of this kind below `root`, on a board of this model."""
    config, cmdline = BOOT_FILES[kind]
    texts = {
        "boot/firmware/config.txt": config,
        "boot/firmware/cmdline.txt": cmdline,
        "etc/fstab": FSTAB,
        "etc/nftables.conf": NFTABLES,
        "etc/group": f"root:x:0:\nblackjack:x:{GROUP}:\n",
        "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_ID="13"\n',
        "proc/device-tree/model": f"{model}\0",
        "proc/sys/kernel/osrelease": "6.12.47+rpt-rpi-2712\n",
        "proc/self/mountinfo": "24 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw\n",
        "usr/lib/ld-linux-aarch64.so.1": "",
        "usr/sbin/nft": "",
        "usr/share/zoneinfo/Etc/UTC": "",
        "usr/share/zoneinfo/Europe/Vienna": "",
        "opt/blackjack-cabinet/1.0.0/share/udev/63-blackjack-cabinet-usb.rules": USB_RULES,
    }
    for name, text in texts.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
    (root / "etc/localtime").symlink_to("/usr/share/zoneinfo/Etc/UTC")
    (root / "opt/blackjack-cabinet/current").symlink_to("1.0.0")
    (root / "etc/systemd/system").mkdir(parents=True)
    return Paths(root=root)


def read_card(paths: Paths) -> dict[str, bytes | str]:
    """Returns every file and link below the root but those of the set-up, with contents or target."""
    found: dict[str, bytes | str] = {}
    for place in sorted(paths.root.rglob("*")):
        if place.is_relative_to(paths.setup):
            continue
        if place.is_symlink():
            found[str(place.relative_to(paths.root))] = str(place.readlink())
        elif place.is_file():
            found[str(place.relative_to(paths.root))] = place.read_bytes()
    return found

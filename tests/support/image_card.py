"""A card that was written from the image: what lsblk and sfdisk print of it, and its files as a folder."""

import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from support.card import make_card

from cabinet.commands.setup import Options, set_up
from cabinet.installation.first_boot.card import Act
from cabinet.installation.first_boot.sequence import ANSWERS, PENDING, FirstBoot, FirstBootError
from cabinet.installation.paths import Paths

SECTOR = 512
CARD_BYTES = 31_914_983_424
"""A card of 32 GB."""
STARTS = (16_384, 1_064_960, 9_453_568, 17_842_176)
"""The first sectors of boot, system, var and books."""
BOOKS_SECTORS = 131_072
"""What the image gives to the books."""

ANSWERED = """\
number = 17
venue = "The House"
currency = "EUR"
acceptor_socket = "platform-xhci-hcd.0-usb-0:1:1.0"
printer_socket = "platform-xhci-hcd.1-usb-0:1:1.0"
technician_pin = "493817"
time_zone = "Europe/Vienna"
"""
"""An answers file on the boot partition."""


def list_devices(root: str = "/") -> dict[str, Any]:
    """Returns what `lsblk --json --bytes` prints of a new card in a Pi whose system is mounted at `root`."""
    parts = zip(("BOOT", "ROOT", "VAR", "CABINETDATA"), ("vfat", "ext4", "ext4", "ext4"),
                ("/boot/firmware", root, "/var", None), strict=True)  # fmt: skip
    children = [
        {"path": f"/dev/mmcblk0p{number}", "type": "part", "size": BOOKS_SECTORS * SECTOR, "label": label,
         "fstype": fstype, "mountpoints": [mounted]}
        for number, (label, fstype, mounted) in enumerate(parts, start=1)
    ]  # fmt: skip
    card = {
        "path": "/dev/mmcblk0", "type": "disk", "size": CARD_BYTES, "label": None, "fstype": None,
        "mountpoints": [None], "children": children,
    }  # fmt: skip
    return {"blockdevices": [card]}


def list_partitions(*, fills: bool = False) -> dict[str, Any]:
    """Returns what `sfdisk --json` prints of it; with `fills` after the books reach to its end."""
    ends = (*STARTS[1:], CARD_BYTES // SECTOR if fills else STARTS[3] + BOOKS_SECTORS)
    partitions = [
        {"node": f"/dev/mmcblk0p{number}", "start": start, "size": end - start, "type": "83"}
        for number, (start, end) in enumerate(zip(STARTS, ends, strict=True), start=1)
    ]
    table = {"label": "dos", "id": "0xb1acc4b1", "device": "/dev/mmcblk0", "unit": "sectors", "sectorsize": SECTOR}
    return {"partitiontable": {**table, "partitions": partitions}}


def make_image_card(root: Path, answers: str | None = ANSWERED) -> Paths:
    """Makes the files of a card that was written from the image below `root`; None for no answers."""
    card = make_card(root)
    card.first_boot.mkdir(parents=True)
    (card.first_boot / PENDING).touch()
    card.data.mkdir(parents=True)
    if answers is not None:
        (card.boot / ANSWERS).write_text(answers, encoding="utf-8")
    return card


class SystemPrograms:
    """The programs of the system on such a card: they answer as on a Pi, and `failing` ends with its words."""

    def __init__(self, card: Paths, failing: str = "") -> None:
        self.card, self.failing = card, failing
        self.done: list[str] = []

    def __call__(self, act: Act) -> str:
        """Runs one command."""
        shown = " ".join(act.command)
        if self.failing and shown.startswith(self.failing):
            raise FirstBootError(f"{shown}: it does not work here")
        self.done.append(shown)
        match act.command:
            case ("lsblk", *_):
                return json.dumps(list_devices(str(self.card.root)))
            case ("sfdisk", "--json", _):
                return json.dumps(list_partitions())
            case ("cabinet", "commission", *_):
                return self._commission()
        return ""

    def _commission(self) -> str:
        books = self.card.data / "books"
        if books.exists():
            return "The books stay as they are.\n"
        books.write_text("new", encoding="utf-8")
        return "The books of a new machine begin.\n"


def first_boot(card: Paths, programs: SystemPrograms, said: list[str], *, mounted: bool = True) -> FirstBoot:
    """Returns the first start of a card, with the real set-up on its files. Each socket has the name of its device."""
    return FirstBoot(
        paths=card,
        say=said.append,
        run=programs,
        learn=lambda name: f"platform-usb-{name}",
        set_up=lambda answers: _set_up(card, answers),
        is_mounted=lambda _folder: mounted,
    )


def _set_up(card: Paths, answers: Path) -> None:
    with redirect_stdout(io.StringIO()):
        set_up(Options(root=card.root, live=False, answers=answers, yes=True))

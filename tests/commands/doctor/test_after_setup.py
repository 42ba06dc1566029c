"""The doctor on a card that `cabinet setup` has changed: what the set-up writes is what the doctor wants."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.card import ANSWERS, make_card
from support.source import PROJECT
from support.visits import GOOD, POOR, put

from cabinet.commands.doctor import checks as doctor
from cabinet.commands.doctor.findings import Finding
from cabinet.commands.doctor.visit import Visit
from cabinet.installation.paths import ON_CABINET
from cabinet.installation.setup.answers import read_answers
from cabinet.installation.setup.changes import apply_changes
from cabinet.installation.setup.plan import Site, plan_setup
from cabinet.installation.system.board import examine_board
from cabinet.text.shipped import SAMPLE_SETTINGS, assets_folder

CLOSING = "lock_usb = true\nfirewall = true\n"
ADAPTERS = ("platform-xhci-hcd.0-usb-0:1:1.0", "platform-xhci-hcd.1-usb-0:1:1.0")
WANTED: tuple[Callable[[Visit], Finding], ...] = (
    doctor.check_number,
    doctor.check_pin,
    doctor.check_sockets,
    doctor.check_service,
    doctor.check_log,
    doctor.check_usb,
    doctor.check_ssh,
    doctor.check_firewall,
    doctor.check_sound,
)
"""The checks of what the set-up writes."""


def set_up(world: Visit, answers: str) -> Visit:
    """Returns the machine after a set-up with these answers, both devices plugged in."""
    root = world.root
    paths = make_card(root)
    put(world, "/usr/lib/systemd/journald.conf.d/40-rpi-volatile-storage.conf", "[Journal]\nStorage=volatile\n")
    put(world, "/proc/asound/cards", " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n")
    for number, socket in enumerate(ADAPTERS):
        put(world, f"/sys/class/tty/ttyUSB{number}/dev", f"188:{number}\n")
        put(world, f"/run/udev/data/c188:{number}", f"E:ID_PATH={socket}\n")
    plan = plan_setup(
        Site(
            answers=read_answers(ANSWERS + answers, simulated=False),
            paths=paths,
            board=examine_board(paths),
            sample=(assets_folder() / SAMPLE_SETTINGS).read_text(encoding="utf-8"),
            usb_rules=(PROJECT / "systemd" / ON_CABINET.usb_lock.name).read_text(encoding="utf-8"),
        )
    )
    apply_changes(plan.changes, paths)
    return replace(world, config=plan.config)


@pytest.mark.parametrize("ssh", ["ssh = false\n", "ssh = true\n"])
def test_a_machine_that_was_set_up_is_good(world: Visit, ssh: str):
    there = set_up(world, CLOSING + ssh)
    findings = [check(there) for check in WANTED]
    assert [each for each in findings if each.grade is not GOOD] == []


def test_an_open_machine_is_poor_in_what_was_left_open(world: Visit, tmp_path: Path):
    there = set_up(world, "lock_usb = false\nfirewall = false\nssh = true\n")
    assert {check(there).what for check in WANTED if check(there).grade is POOR} == {"USB", "Firewall"}

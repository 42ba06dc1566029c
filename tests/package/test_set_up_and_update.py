"""The installed program set up twice on each kind of boot files, updated, cut off in an update, and taken back.

The updates run the real packages of two versions in one system; a stand-in starts the service with simulated devices.
"""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from support import service_manager
from support.boot_files import BOOT_FILES
from support.card import ANSWERS
from support.debian_system import System

from cabinet.installation.paths import ON_CABINET, USER
from cabinet.installation.update.record import RECORD
from cabinet.link.place import COMMON

pytestmark = [pytest.mark.package, pytest.mark.timeout(7200)]

STAND_INS = "/usr/local/stand-ins"
SET_UP = "cabinet setup --answers /root/answers.toml --yes --simulated"
LETTERS = {"books_partition = true": "books_partition = false", "second_copy = true": "second_copy = false"}
"""Answers of the card that a system in a folder cannot have: it has no other media."""
COMMIT = f"""
from pathlib import Path
from cabinet.config.settings import load
from cabinet.engine import machine as engine
from cabinet.engine.inputs import *
from cabinet.store.journal import Journal, Stamp
with Journal(Path("{ON_CABINET.data}"), str) as journal:
    for each in (INPUTS):
        step = engine.step(load(Path("{ON_CABINET.settings}")).settings(), journal.machine, each, lambda _: 0)
        journal.commit(each, step, Stamp(boot=1, wall_ms=1, mono_ms=journal.seq + 1, clock_ok=False))
"""
"""Commits inputs to the books of the stopped cabinet."""
OUT_OF_SERVICE = "KeyTurned(key=Key.AUDIT, on=True), SetOutOfService(out=True), KeyTurned(key=Key.AUDIT, on=False)"
"""What an attendant does before an update."""
NOTE = "AcceptorStarted(model='NV9', firmware='4.28', serial='1'), BillOffered(cents=500)"
START = "systemctl start --no-block x; until systemctl is-active x; do read -t 0.2 _ <> /dev/ptmx || :; done"


@pytest.fixture(scope="module")
def cabinet(system: System, package: Path) -> System:
    """A system with the package, answers, and the stand-in for the service manager."""
    system.run("apt-get", "install", "--yes", system.put(package))
    answers = ANSWERS.replace("Europe/Vienna", "Etc/UTC")
    for old, new in LETTERS.items():
        answers = answers.replace(old, new)
    system.at("/root/answers.toml").write_text(f"{answers}commission = true\nlock_usb = true\n", encoding="utf-8")
    system.at(STAND_INS).mkdir()
    shutil.copyfile(service_manager.__file__, system.at(STAND_INS) / "service_manager.py")
    order = system.at(STAND_INS) / "systemctl"
    order.write_text(f'#!/bin/sh\nexec /usr/bin/python3 {STAND_INS}/service_manager.py "$@"\n', encoding="utf-8")
    order.chmod(0o755)
    return system


def put_boot_files(system: System, kind: str) -> tuple[str, str]:
    """Write the boot files of a kind; returns them."""
    config, cmdline = BOOT_FILES[kind]
    system.at(ON_CABINET.config_txt.parent).mkdir(parents=True, exist_ok=True)
    system.at(ON_CABINET.config_txt).write_bytes(config.encode())
    system.at(ON_CABINET.cmdline_txt).write_bytes(cmdline.encode())
    return config, cmdline


def read_boot_files(system: System) -> tuple[str, str]:
    found = [system.at(path).read_bytes().decode() for path in (ON_CABINET.config_txt, ON_CABINET.cmdline_txt)]
    return found[0], found[1]


@pytest.mark.parametrize("kind", BOOT_FILES)
def test_a_set_up_changes_the_boot_files_once_and_can_be_taken_back(cabinet: System, kind: str):
    before = put_boot_files(cabinet, kind)
    first = cabinet.run("sh", "-c", SET_UP, fails=True).stdout  # the doctor misses the devices
    after = read_boot_files(cabinet)
    second = cabinet.run("sh", "-c", SET_UP, fails=True).stdout
    assert (f"+++ {ON_CABINET.config_txt}" in first) or ("config.txt" in first)
    assert after != before
    assert "nothing to change" in second
    assert read_boot_files(cabinet) == after
    cabinet.shell("cabinet setup --undo --yes")
    assert read_boot_files(cabinet) == before


def test_a_set_up_leaves_a_cabinet_with_its_books_and_its_service(cabinet: System):
    put_boot_files(cabinet, "stock")
    cabinet.run("sh", "-c", SET_UP, fails=True)
    assert cabinet.at(ON_CABINET.data / "journal.db").is_file()
    assert (cabinet.at(ON_CABINET.units) / "multi-user.target.wants" / "blackjack-cabinet.service").is_symlink()
    assert 'ATTR{authorized}="0"' in cabinet.at(ON_CABINET.usb_lock).read_text(encoding="utf-8")


def with_service(system: System, script: str, *, fails: bool = False) -> str:
    """Run shell lines beside the running service; returns what they print."""
    words = ["bash", "-euc", f"export PATH={STAND_INS}:$PATH\n{script}"]
    done = system.run(*words, fails=fails)
    return done.stdout + done.stderr


def commit(system: System, inputs: str) -> None:
    program = system.put_text("/var/tmp/commit.py", COMMIT.replace("INPUTS", inputs))
    system.shell(f"runuser -u {USER} -- {ON_CABINET.current}/bin/python {program}")


def version(system: System) -> str:
    return str(system.at(ON_CABINET.current).readlink())


def books(system: System) -> dict[str, Any]:
    """Return every account and meter but those that each start counts."""
    found: dict[str, Any] = json.loads(system.shell("cabinet meters --json"))
    for name in ("lifetime", "period"):
        del found[name]["power_ups"]
    return found


def test_the_service_starts_and_is_ready(cabinet: System):
    assert "active" in with_service(cabinet, f"{START}; systemctl stop x")
    assert cabinet.shell("cabinet verify") != ""


def test_a_member_of_the_readers_reads_the_running_cabinet_and_no_other_user_does(cabinet: System):
    read = "runuser -u guest -- cabinet meters --json"
    cabinet.shell("useradd guest")
    refused = with_service(cabinet, f"{START}; ! {read}; systemctl stop x")
    assert "lifetime" not in refused
    cabinet.shell("usermod -aG blackjack-readers guest")
    assert "lifetime" in with_service(cabinet, f"{START}; {read}; systemctl stop x")
    cabinet.shell("userdel guest")


def test_a_machine_with_a_note_in_its_acceptor_keeps_its_program(cabinet: System):
    commit(cabinet, NOTE)
    refused = cabinet.run("apt-get", "remove", "--yes", "blackjack-cabinet", fails=True)
    assert "the machine holds a note still in the acceptor" in refused.stderr + refused.stdout
    assert cabinet.run("dpkg", "--verify", "blackjack-cabinet").stdout == ""
    commit(cabinet, "BillReturned(),")


def test_an_update_is_refused_while_the_machine_is_in_service(cabinet: System, newer_package: Path):
    cabinet.put(newer_package)
    cabinet.put(newer_package.with_name(f"{newer_package.name}.minisig"))
    before = version(cabinet)
    refused = with_service(cabinet, f"cabinet update /root/{newer_package.name}", fails=True)
    assert "out of service" in refused
    assert version(cabinet) == before


def test_an_update_with_one_byte_more_is_refused(cabinet: System, newer_package: Path):
    commit(cabinet, OUT_OF_SERVICE)
    longer = cabinet.put(newer_package, "/var/tmp")
    with cabinet.at(longer).open("ab") as file:
        file.write(b"\0")
    shutil.copyfile(f"{newer_package}.minisig", cabinet.at(f"{longer}.minisig"))
    refused = with_service(cabinet, f"cabinet update {longer}", fails=True)
    assert "not the one that was signed" in refused


def test_a_killed_update_leaves_a_complete_version_and_the_same_books(cabinet: System, newer_package: Path):
    before = books(cabinet)
    update = f"cabinet update /root/{newer_package.name} > /var/tmp/said 2>&1 & until grep -q Unpacking /var/tmp/said"
    with_service(cabinet, f"{START}; {update}; do read -t 0.2 _ <> /dev/ptmx || :; done; kill -9 $!")
    assert version(cabinet) == current_release(cabinet)
    assert cabinet.at(ON_CABINET.update / RECORD).is_file()
    said = with_service(cabinet, "cabinet update --resume --at-start")
    assert not cabinet.at(ON_CABINET.update / RECORD).exists()
    assert "had not begun to run" in said
    assert books(cabinet) == before


def current_release(system: System) -> str:
    """Return the version that the folder behind `current` says it is."""
    text = (system.at(ON_CABINET.programs) / version(system) / "RELEASE").read_text(encoding="utf-8")
    return re.findall(r'"version": "([^"]+)"', text)[0]


def test_an_update_runs_the_new_version_and_changes_the_files_of_the_system_with_it(
    cabinet: System, newer_package: Path
):
    before = books(cabinet)
    cabinet.shell("groupdel blackjack-readers")  # a version before had no readers
    update = f"cabinet update /root/{newer_package.name}"
    said = with_service(cabinet, f"{START}; {update}; stat -c %G:%a {COMMON} {COMMON}/*; systemctl stop x")
    assert said.count("blackjack-readers:2750") == said.count("blackjack-readers:660") == 1
    number = newer_package.name.split("_")[1]
    assert "every balance and meter is as it was" in said
    assert version(cabinet) == current_release(cabinet) == number
    drop_in = cabinet.shell("realpath /usr/lib/systemd/system/blackjack-cabinet.service.d/*.conf")
    assert drop_in.startswith(f"{ON_CABINET.version(number)}/share/")
    assert books(cabinet) == before


def test_the_way_back_is_open_until_the_technician_confirms(cabinet: System, package: Path):
    said = with_service(cabinet, f"{START}; cabinet update --back; systemctl stop x")
    assert version(cabinet) == package.name.split("_")[1]
    assert "runs" in said
    assert cabinet.run("dpkg", "--verify", "blackjack-cabinet").stdout == ""


def test_a_removal_takes_the_set_up_back(cabinet: System):
    cabinet.run("apt-get", "remove", "--yes", "blackjack-cabinet")
    assert read_boot_files(cabinet) == BOOT_FILES["stock"]
    assert cabinet.at(ON_CABINET.data / "journal.db").is_file()

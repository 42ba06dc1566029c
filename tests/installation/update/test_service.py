"""The orders to systemd, given to a program that writes down what it was asked."""

import os
from pathlib import Path

import pytest

from cabinet.installation.paths import SERVICE
from cabinet.installation.update.service import ServiceError, Systemd


def systemd(folder: Path, script: str = "") -> Systemd:
    """A service manager that runs this script."""
    program = folder / "systemctl"
    program.write_text(f'#!/bin/sh\necho "$@" >> {folder}/asked\n{script}\n', encoding="utf-8")
    program.chmod(0o755)
    return Systemd(program=(str(program),))


def asked(folder: Path) -> list[str]:
    return (folder / "asked").read_text(encoding="utf-8").splitlines()


def test_each_order_is_one_of_systemctl(tmp_path: Path):
    manager = systemd(tmp_path)
    manager.stop()
    manager.reload()
    manager.start()
    assert asked(tmp_path) == [f"stop {SERVICE}", "daemon-reload", f"start --no-block {SERVICE}"]


@pytest.mark.parametrize(
    ("state", "up", "ready"),
    [
        ("active", True, True),
        ("activating", True, False),
        ("reloading", True, False),
        ("deactivating", True, False),
        ("inactive", False, False),
        ("failed", False, False),
        ("", False, False),
    ],
)
def test_a_unit_is_ready_only_when_it_is_active(tmp_path: Path, state: str, up: bool, ready: bool):
    """A unit of type notify is active once its program has said READY; `is-active` ends with 3 otherwise."""
    manager = systemd(tmp_path, f"echo {state}; exit 3")
    assert (manager.is_up(), manager.is_ready()) == (up, ready)


def test_a_refused_order_is_an_error_with_the_reason(tmp_path: Path):
    manager = systemd(tmp_path, "echo 'Unit is masked.' >&2; exit 5")
    for order in (manager.stop, manager.start, manager.reload):
        with pytest.raises(ServiceError, match=r"failed with 5: Unit is masked\."):
            order()


def test_a_manager_that_is_not_there_is_an_error(tmp_path: Path):
    with pytest.raises(ServiceError, match="gave no answer"):
        Systemd(program=(str(tmp_path / "nothing"),)).stop()


def test_an_order_is_out_of_reach_of_the_terminals_interrupt(tmp_path: Path):
    """Ctrl-C goes to each process of the group that has the terminal."""
    systemd(tmp_path, f"cut -d ' ' -f 5 /proc/$$/stat > {tmp_path}/group").stop()
    assert int((tmp_path / "group").read_text()) != os.getpgrp()

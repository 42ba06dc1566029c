"""The examined machine: its files below a root, and the programs of its system."""

import sys

from support.visits import link, put

from cabinet.commands.doctor import visit as doctor
from cabinet.commands.doctor.visit import MISSING, Visit, output_of, why_absent


def test_a_file_is_read_below_the_root_and_has_no_text_where_it_is_missing(world: Visit):
    assert (world.text("/proc/x"), world.read("/proc/x")) == ("", "")
    put(world, "/proc/x", " a\n b\0")
    assert (world.text("/proc/x"), world.read("/proc/x")) == (" a\n b\0", "a b")


def test_a_program_of_the_system_is_asked_for_what_it_prints():
    assert output_of(sys.executable, "-c", "print('0xf1')") == "0xf1\n"


def test_a_program_that_is_missing_fails_or_hangs_prints_nothing(monkeypatch):
    monkeypatch.setattr(doctor, "PROGRAM_S", 0.2)
    assert output_of("/no/such/program") == ""
    assert output_of(sys.executable, "-c", "print(1); raise SystemExit(1)") == ""
    assert output_of(sys.executable, "-c", "import signal; print(1, flush=True); signal.pause()") == ""


def test_a_path_at_which_nothing_can_be_had_says_why(world: Visit):
    assert why_absent(world.root) is None
    assert why_absent(world.root / "none") == MISSING
    (world.root / "lost").symlink_to("nowhere")
    assert why_absent(world.root / "lost") == "is a link that leads nowhere"


def test_a_masked_unit_is_not_started_by_a_link(world: Visit):
    units = "/etc/systemd/system"
    assert not world.is_enabled("multi-user.target.wants/a.service")
    link(world, f"{units}/multi-user.target.wants/a.service")
    assert world.is_enabled("multi-user.target.wants/a.service")
    mask = link(world, f"{units}/a.service", "/dev/null")
    assert not world.is_enabled("multi-user.target.wants/a.service")
    mask.unlink()
    link(world, f"{units}/a.service", "/usr/lib/systemd/system/b.service")
    assert world.is_enabled("multi-user.target.wants/a.service")

"""The end of a set-up: the programs of the system are called in order, and what fails is said."""

from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from support.card import ANSWERS, make_card
from support.programs import Programs

from cabinet.commands.setup import Options, set_up, take_back
from cabinet.commands.setup_live import NOT_READY, Act, begin_and_examine, find_acts, put_in_force, set_boot_loader
from cabinet.installation.paths import Paths
from cabinet.installation.setup.answers import Answers, read_answers
from cabinet.installation.system.board import Board
from cabinet.installation.system.sockets import read_sockets

CHIP = "[all]\nBOOT_UART=0\nWAKE_ON_GPIO=0\nPOWER_OFF_ON_HALT=0\nBOOT_ORDER=0xf41\n"
FIVE = Board(pi=5, medium="mmcblk0p2")


@pytest.fixture
def answers() -> Answers:
    return read_answers(ANSWERS, simulated=False)


@pytest.fixture
def card(tmp_path: Path) -> Paths:
    return make_card(tmp_path / "card")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    (tmp_path / "programs").mkdir()
    made = Programs(tmp_path / "programs", monkeypatch)
    for name in ("systemctl", "udevadm", "mount", "install", "cabinet"):
        made.add(name)
    return made


def test_each_medium_is_mounted_and_then_given_to_the_cabinet(answers: Answers):
    acts = find_acts(answers, Paths())
    assert [act.command[0] for act in acts] == ["systemctl", "udevadm", "udevadm", *["mount", "install"] * 2]
    assert acts[-1] == Act(
        command=("install", "-d", "-o", "blackjack", "-g", "blackjack", "-m", "750", "/media/second"),
        reason="the cabinet writes there",
        below=Path("/media/second"),
    )


def test_a_folder_without_its_medium_is_not_given_to_the_cabinet(answers: Answers, card: Paths, programs: Programs):
    put_in_force(answers, card)
    assert programs.calls == [
        "systemctl daemon-reload",
        "udevadm control --reload",
        "udevadm trigger --settle --subsystem-match=tty",
        f"mount {card.data}",
        f"mount {card.second}",
    ]


def test_a_medium_that_is_mounted_is_not_mounted_again(answers: Answers):
    mounted = replace(answers, books_partition=True, second_copy=False)
    commands = [act.command[0] for act in find_acts(mounted, Paths(root=Path("/proc/..")))]
    assert commands.count("mount") == 1  # /var/lib/blackjack-cabinet is none here


def test_what_fails_is_said_with_its_words(
    answers: Answers, card: Paths, programs: Programs, capsys: pytest.CaptureFixture[str]
):
    programs.add("mount", complains="mount: special device LABEL=CABINET2ND does not exist.\n", code=32)
    put_in_force(answers, card)
    assert "(its file system) failed: mount: special device LABEL=CABINET2ND does not exist." in capsys.readouterr().out


def test_a_missing_program_is_said(
    answers: Answers, card: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
):
    monkeypatch.setenv("PATH", str(tmp_path))
    put_in_force(answers, card)
    assert "systemctl daemon-reload (the new mounts and units) failed" in capsys.readouterr().out


@pytest.mark.parametrize(("allowed", "calls"), [(False, 1), (True, 2)])
def test_the_boot_loader_is_written_only_if_the_answers_allow_it(
    answers: Answers, card: Paths, programs: Programs, capsys: pytest.CaptureFixture[str], allowed: bool, calls: int
):
    programs.add("rpi-eeprom-config", says=CHIP)
    set_boot_loader(FIVE, replace(answers, eeprom=allowed), card)
    assert len(programs.calls) == calls
    assert "BOOT_ORDER=0xf1 (now 0xf41)" in capsys.readouterr().out


def test_the_settings_of_the_boot_loader_before_are_kept(answers: Answers, card: Paths, programs: Programs):
    programs.add("rpi-eeprom-config", says=CHIP)
    set_boot_loader(FIVE, replace(answers, eeprom=True), card)
    assert (card.setup / "boot-loader-before.txt").read_text() == CHIP
    wanted = card.setup / "boot-loader.txt"
    assert programs.calls[-1] == f"rpi-eeprom-config --apply {wanted}"
    assert wanted.read_text() == CHIP.replace("0xf41", "0xf1")


def test_a_second_set_up_keeps_the_settings_of_the_boot_loader_before_the_first(
    answers: Answers, card: Paths, programs: Programs
):
    programs.add("rpi-eeprom-config", says=CHIP)
    set_boot_loader(FIVE, replace(answers, eeprom=True), card)
    programs.add("rpi-eeprom-config", says=CHIP.replace("BOOT_UART=0", "BOOT_UART=1"))
    set_boot_loader(FIVE, replace(answers, eeprom=True), card)
    assert (card.setup / "boot-loader-before.txt").read_text() == CHIP


def test_an_undo_keeps_the_settings_of_the_boot_loader_and_says_how_to_restore_them(
    card: Paths, tmp_path: Path, programs: Programs, capsys: pytest.CaptureFixture[str]
):
    programs.add("rpi-eeprom-config", says=CHIP)
    file = tmp_path / "answers.toml"
    file.write_text(f"{ANSWERS}eeprom = true\n")
    set_up(Options(root=card.root, live=True, answers=file, yes=True))
    take_back(Options(root=card.root, live=True, yes=True))
    before = card.setup / "boot-loader-before.txt"
    assert (list(card.setup.iterdir()), before.read_text()) == ([before], CHIP)
    output = capsys.readouterr().out
    assert f"run `rpi-eeprom-config --apply {before}`, then restart." in output
    assert output.endswith("run `systemctl daemon-reload`, then `reboot`.\n")


def test_a_boot_loader_that_is_right_is_not_written(answers: Answers, card: Paths, programs: Programs):
    programs.add("rpi-eeprom-config", says=CHIP.replace("0xf41", "0xf1"))
    set_boot_loader(FIVE, replace(answers, eeprom=True), card)
    assert len(programs.calls) == 1


def test_a_pi_3_has_no_settings_of_a_boot_loader(answers: Answers, card: Paths, programs: Programs):
    set_boot_loader(Board(pi=3, medium="mmcblk0p2"), replace(answers, eeprom=True), card)
    assert programs.calls == []


def test_the_doctor_has_the_last_word(answers: Answers, card: Paths, programs: Programs):
    programs.add("cabinet", code=1)
    assert begin_and_examine(answers, card) == NOT_READY == 3
    assert programs.calls == ["cabinet doctor"]


def test_books_begin_where_this_was_asked_for(answers: Answers, card: Paths, programs: Programs):
    assert begin_and_examine(replace(answers, commission=True, books_partition=False), card) == 0
    assert programs.calls == ["cabinet commission", "cabinet doctor"]


def test_books_do_not_begin_below_a_medium_that_is_missing(
    answers: Answers, card: Paths, programs: Programs, capsys: pytest.CaptureFixture[str]
):
    begin_and_examine(replace(answers, commission=True, books_partition=True), card)
    assert programs.calls == ["cabinet doctor"]
    assert "/var/lib/blackjack-cabinet is not mounted" in capsys.readouterr().out


def test_without_the_package_the_doctor_is_not_asked(
    answers: Answers, card: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert begin_and_examine(answers, card) == NOT_READY
    assert "install the package" in capsys.readouterr().out


def test_a_whole_set_up_ends_with_the_doctor(card: Paths, tmp_path: Path, programs: Programs):
    programs.add("rpi-eeprom-config", says=CHIP)
    file = tmp_path / "answers.toml"
    file.write_text(ANSWERS)
    assert set_up(Options(root=card.root, live=True, answers=file, yes=True)) == 0
    assert programs.calls[0] == "systemctl daemon-reload"
    assert programs.calls[-1] == "cabinet doctor"


def test_a_system_that_is_read_only_is_writable_during_the_set_up(card: Paths, tmp_path: Path, programs: Programs):
    (card.root / "proc/self/mountinfo").write_text("24 1 179:2 / / ro,noatime - ext4 /dev/mmcblk0p2 ro\n")
    programs.add("rpi-eeprom-config", says=CHIP)
    file = tmp_path / "answers.toml"
    file.write_text(ANSWERS)
    assert set_up(Options(root=card.root, live=True, answers=file, yes=True)) == 0
    assert programs.calls[0] == f"mount -o remount,rw {card.root}"
    assert programs.calls[-2:] == ["cabinet doctor", f"mount -o remount,ro {card.root}"]


def test_a_socket_is_learned_from_the_plug(card: Paths, programs: Programs):
    """The wait of the command is replaced by the plug: the kernel's files appear, and udev knows the path."""
    programs.add("rpi-eeprom-config", says=CHIP)
    pauses = iter(("ttyUSB0", "", "ttyUSB1", ""))  # each wait looks once more for a second line of the same adapter

    def plug() -> None:
        if name := next(pauses, ""):
            (card.root / f"sys/class/tty/{name}/device").mkdir(parents=True)
            programs.add("udevadm", says=f"platform-of-{name}\n")

    typed = [
        *("17", "The House", "", "", "EUR", "ssp", "escpos", "y", "y", "493817", "493817"),
        *["no"] * 2,
        "Europe/Vienna",
        "",
    ]
    typed += [*("hdmi1", "hdmi1", "monitor"), *["no"] * 3, "yes", "yes", "no", "no", "y"]

    def work() -> None:
        set_up(Options(root=card.root, live=True, pause=plug))

    result = CliRunner().invoke(click.command()(work), input="".join(f"{each}\n" for each in typed))
    assert (result.exit_code, "Learned: platform-of-ttyUSB0" in result.output) == (0, True), result.output
    assert read_sockets(card.sockets.read_text()) == {
        "acceptor": "platform-of-ttyUSB0",
        "printer": "platform-of-ttyUSB1",
    }

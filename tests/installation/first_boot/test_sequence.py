"""The first start of a card that was written from the image: every step, every problem, and every power cut."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from support.cases import case
from support.image_card import ANSWERED, SystemPrograms, first_boot, make_image_card
from support.kills import kill_at_each_act

from cabinet.config.reader import ConfigError
from cabinet.config.settings import load
from cabinet.installation.first_boot.sequence import (
    ANSWERS,
    BEGIN,
    REPORT,
    FirstBootError,
    check_answers,
    complete,
    incomplete,
    is_pending,
    wipe,
    write_report,
)
from cabinet.installation.paths import Paths
from cabinet.installation.setup.questions import DEFAULTS
from cabinet.installation.system.sockets import read_sockets

PIN = "493817"


@pytest.fixture
def card(tmp_path: Path) -> Paths:
    return make_image_card(tmp_path / "card")


@pytest.fixture
def programs(card: Paths) -> SystemPrograms:
    return SystemPrograms(card)


def run(card: Paths, programs: SystemPrograms, **more: bool) -> bool:
    """Do the first start once."""
    return complete(first_boot(card, programs, [], **more))


def test_the_answers_become_the_settings_and_the_machine_restarts(card: Paths, programs: SystemPrograms):
    assert run(card, programs) is True
    config = load(card.settings)
    assert (config.machine.number, config.attendant.technician_pin) == (17, PIN)
    assert "LABEL=CABINETDATA" in card.fstab.read_text(encoding="utf-8")


def test_the_books_begin_out_of_service_after_everything_else(card: Paths, programs: SystemPrograms):
    run(card, programs)
    assert "--out-of-service" in BEGIN.command
    assert programs.done[-1] == " ".join(BEGIN.command)


def test_the_partition_is_enlarged_before_the_set_up(card: Paths, programs: SystemPrograms):
    run(card, programs)
    assert programs.done.index("resize2fs /dev/mmcblk0p4") < programs.done.index(" ".join(BEGIN.command))


def test_the_labels_are_known_before_the_partition_is_looked_for(card: Paths, programs: SystemPrograms):
    run(card, programs)
    assert [act.split()[0] for act in programs.done[:2]] == ["udevadm", "lsblk"]


def test_the_identity_of_the_machine_is_kept_while_the_system_is_writable(card: Paths, programs: SystemPrograms):
    run(card, programs)
    assert {"systemd-machine-id-setup --commit", "ssh-keygen -A"} <= set(programs.done)


def test_the_pin_leaves_the_boot_partition(card: Paths, programs: SystemPrograms):
    run(card, programs)
    assert not (card.boot / ANSWERS).exists()
    assert not [file for file in card.boot.rglob("*") if file.is_file() and PIN.encode() in file.read_bytes()]


def test_a_wiped_file_is_written_over_before_it_is_removed(tmp_path: Path):
    secret, other = tmp_path / "secret", tmp_path / "same"
    secret.write_text(PIN, encoding="utf-8")
    other.hardlink_to(secret)  # the same bytes of the medium, under another name
    wipe(secret)
    assert not secret.exists()
    assert other.read_bytes() == b"######"
    wipe(secret)


def test_the_cabinet_waits_for_the_restart_and_then_the_card_is_no_longer_new(card: Paths, programs: SystemPrograms):
    run(card, programs)
    assert is_pending(card)
    assert run(card, programs) is False
    assert not is_pending(card)
    assert list(card.first_boot.iterdir()) == []


def test_the_second_start_runs_no_program(card: Paths, programs: SystemPrograms):
    run(card, programs)
    programs.done.clear()
    run(card, programs)
    assert programs.done == []


def test_the_report_says_that_it_is_complete(card: Paths, programs: SystemPrograms):
    run(card, programs)
    assert "complete" in (card.boot / REPORT).read_text(encoding="utf-8")


def test_sockets_that_are_not_answered_are_learned(tmp_path: Path):
    lines = "".join(line for line in ANSWERED.splitlines(keepends=True) if "_socket" not in line)
    card = make_image_card(tmp_path / "card", lines)
    run(card, SystemPrograms(card))
    assert read_sockets(card.sockets.read_text(encoding="utf-8")) == {
        "acceptor": "platform-usb-acceptor",
        "printer": "platform-usb-printer",
    }


def test_an_acceptor_on_pins_has_no_socket_to_learn(tmp_path: Path):
    lines = 'acceptor = "pulse"\npulse_notes = { 2 = 500 }\n'
    card = make_image_card(
        tmp_path / "card", ANSWERED.replace('acceptor_socket = "platform-xhci-hcd.0-usb-0:1:1.0"\n', lines)
    )
    run(card, SystemPrograms(card))
    assert set(read_sockets(card.sockets.read_text(encoding="utf-8"))) == {"printer"}


def test_a_socket_that_was_learned_before_a_problem_is_not_asked_for_again(tmp_path: Path):
    lines = "".join(line for line in ANSWERED.splitlines(keepends=True) if "_socket" not in line)
    card = make_image_card(tmp_path / "card", lines.replace("Europe/Vienna", "Europe/Vienne"))
    with pytest.raises(ConfigError, match="time_zone"):
        run(card, SystemPrograms(card))
    (card.boot / ANSWERS).write_text(lines, encoding="utf-8")
    asked: list[str] = []

    def learn(name: str) -> str:
        asked.append(name)
        return name

    complete(replace(first_boot(card, SystemPrograms(card), []), learn=learn))
    assert asked == []


def test_a_file_of_a_windows_editor_is_read(tmp_path: Path):
    card = make_image_card(tmp_path / "card", None)
    (card.boot / ANSWERS).write_bytes(ANSWERED.replace("\n", "\r\n").encode("utf-8-sig"))
    run(card, SystemPrograms(card))
    assert load(card.settings).machine.number == 17


def test_a_problem_names_the_answer_and_leaves_the_file_to_be_corrected(tmp_path: Path):
    for answers, said in (
        (ANSWERED.replace("17", "42"), r"cabinet-answers\.toml: number: found \"42\""),
        (ANSWERED.replace("currency", "money"), "money: unknown answer"),
        (ANSWERED + "books_partition = false\n", "books_partition: found false"),
        (ANSWERED + "number = 18\n", "is not TOML"),
        (ANSWERED.replace(f'"{PIN}"', '"49381"'), "technician_pin: found 5 characters"),
    ):
        with case(said=said):
            card = make_image_card(tmp_path / "card", answers)
            with pytest.raises(ConfigError, match=said) as raised:
                run(card, SystemPrograms(card))
            assert PIN not in str(raised.value)
            assert (card.boot / ANSWERS).read_text(encoding="utf-8") == answers
            assert not (card.data / "books").exists()
            shutil.rmtree(card.root)


def test_bytes_that_are_no_text_are_named(tmp_path: Path):
    card = make_image_card(tmp_path / "card", None)
    (card.boot / ANSWERS).write_bytes(b'venue = "Caf\xe9"\n')
    with pytest.raises(ConfigError, match=r"cabinet-answers\.toml: is not TOML: byte 12 is no UTF-8"):
        run(card, SystemPrograms(card))


def test_a_card_without_answers_says_where_they_belong(tmp_path: Path):
    card = make_image_card(tmp_path / "card", None)
    with pytest.raises(FirstBootError, match="found none, expected this file on the first partition"):
        run(card, SystemPrograms(card))
    (card.boot / f"{ANSWERS}.txt").touch()
    with pytest.raises(FirstBootError, match=r"found cabinet-answers\.toml\.txt"):
        run(card, SystemPrograms(card))


def test_no_books_begin_where_their_partition_is_not_mounted(card: Paths, programs: SystemPrograms):
    with pytest.raises(FirstBootError, match="CABINETDATA is not mounted"):
        run(card, programs, mounted=False)
    assert " ".join(BEGIN.command) not in programs.done
    assert (card.boot / ANSWERS).exists()


def test_books_that_are_there_are_never_begun_anew(card: Paths, programs: SystemPrograms):
    assert "--if-new" in BEGIN.command
    (card.data / "books").write_text("of a player", encoding="utf-8")
    run(card, programs)
    assert (card.data / "books").read_text(encoding="utf-8") == "of a player"
    assert not [act for act in programs.done if act.startswith(("mkfs", "mke2fs", "wipefs"))]


@pytest.mark.parametrize("failing", ["lsblk", "sfdisk --json", "resize2fs", "systemd-machine-id", "cabinet commission"])
def test_after_a_program_that_failed_the_next_start_completes(card: Paths, programs: SystemPrograms, failing: str):
    programs.failing = failing
    with pytest.raises(FirstBootError, match="it does not work here"):
        run(card, programs)
    assert (card.boot / ANSWERS).exists()
    programs.failing = ""
    assert run(card, programs) is True


def test_a_power_cut_at_any_moment_is_completed_by_the_next_starts(tmp_path: Path, breadth: int):
    card = Paths(root=tmp_path / "card")

    def prepare() -> None:
        shutil.rmtree(card.root, ignore_errors=True)
        make_image_card(card.root)

    def work() -> None:
        complete(first_boot(card, SystemPrograms(card), []))

    cuts = 0
    for cuts in kill_at_each_act(prepare, work, every=max(1, 24 // breadth)):  # noqa: B007
        starts = 0
        while is_pending(card):
            starts += 1
            assert starts <= 2, "the card stays new"
            complete(first_boot(card, SystemPrograms(card), []))
        assert load(card.settings).machine.number == 17
        assert (card.data / "books").read_text(encoding="utf-8") == "new"
        assert not (card.boot / ANSWERS).exists()
        assert list(card.first_boot.iterdir()) == []
    assert cuts > 50


def test_the_books_of_the_image_are_always_on_their_partition():
    known = {**DEFAULTS, "books_partition": False}
    raw = {"number": 17, "venue": "The House", "currency": "EUR", "technician_pin": PIN, "time_zone": "Europe/Vienna"}
    assert check_answers(raw, known).books_partition


def test_a_report_is_one_sentence_and_what_to_do(card: Paths):
    write_report(card, incomplete("number: found 42"))
    text = (card.boot / REPORT).read_text(encoding="utf-8")
    assert "number: found 42." in text
    assert "switch the machine on again" in text


def test_a_folder_in_the_place_of_the_answers_is_named(tmp_path: Path):
    card = make_image_card(tmp_path / "card", None)
    (card.boot / ANSWERS).mkdir()
    with pytest.raises(FirstBootError, match=r"^cabinet-answers\.toml: cannot be read: Is a directory"):
        run(card, SystemPrograms(card))

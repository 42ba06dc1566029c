"""The doctor: every check good, poor and bad in a world arranged for it, and what is printed of it."""

import fcntl
import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.commands import call
from support.journals import keep, open_journal, session_steps
from support.reports import shown
from support.visits import BAD, GOOD, POOR, forbidden, is_, put, simulated

from cabinet.commands.doctor import checks as doctor
from cabinet.commands.doctor.checks import CHECKS, examine, examined, number_finding
from cabinet.commands.doctor.findings import Finding, Grade, bad, findings_report, good, poor
from cabinet.commands.doctor.pictures import find_pictures
from cabinet.commands.doctor.visit import Visit
from cabinet.config.settings import AttendantSection, Config, DataSection
from cabinet.installation.paths import ON_CABINET
from cabinet.runtime import program, startup
from cabinet.store.ground import HAS_BOOKS
from cabinet.store.journal import FILE, LOCK_FILE, Stamp
from cabinet.store.mark import REACHED
from cabinet.text.quoting import plain

# --- the program ------------------------------------------------------------------------------------------------


def test_the_interpreter_and_the_board_are_named(world: Visit):
    is_(doctor.check_python(world), GOOD, "3.")
    put(world, "/proc/device-tree/model", "Raspberry Pi 5 Model B\0")
    is_(doctor.check_python(world), GOOD, "on Raspberry Pi 5 Model B")


def test_the_program_is_named_by_version_and_hash(world: Visit):
    is_(doctor.check_program(world), GOOD, program.program_version(), program.program_hash())


@pytest.mark.requirement("PL-11")
def test_a_generator_that_repeats_itself_is_bad(world: Visit):
    is_(doctor.check_random(world), GOOD)
    is_(doctor.check_random(replace(world, random=bytes)), BAD, "repeats itself", "do not play")
    is_(doctor.check_random(replace(world, random=lambda _number: b"")), BAD, "expected 32")


def test_missing_fonts_are_bad(world: Visit, monkeypatch: pytest.MonkeyPatch):
    is_(doctor.check_fonts(world), GOOD)
    import fontpkg

    from cabinet.ui.art import fonts

    def gone(family: str, weight: int) -> Path:
        raise fontpkg.FontpkgError(f"no font {family} {weight}")

    fonts.font.cache_clear()
    monkeypatch.setattr(fontpkg, "path", gone)
    is_(doctor.check_fonts(world), BAD, "no font", "make setup")
    fonts.font.cache_clear()


def test_pictures_that_can_be_drawn_are_good(world: Visit):
    is_(doctor.check_pictures(world), GOOD, "all pictures in", "assets")


def test_a_damaged_picture_is_bad(tmp_path: Path):
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/king.svg").write_text("<svg>")
    is_(find_pictures(tmp_path), BAD, "cards/king.svg", "install the program again")


# --- the data ---------------------------------------------------------------------------------------------------


def test_fonts_without_their_library_are_bad(world: Visit, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "fontpkg", None)
    is_(doctor.check_fonts(world), BAD, "fontpkg", "make setup")


def test_a_data_folder_that_can_be_made_is_good(world: Visit):
    is_(doctor.check_data(world), GOOD, "will be made")
    assert not world.data.exists(), "the doctor makes nothing"


def test_a_data_folder_that_cannot_be_made_is_bad(world: Visit):
    is_(doctor.check_data(forbidden(world, world.data.parent)), BAD, "cannot be made", "--data")
    file = put(world, "/file")
    is_(doctor.check_data(replace(world, data=file / "below")), BAD, "cannot be made")


def no_places(folder: Path) -> list[Path]:
    """Paths at which nothing can be had: links in a circle and to nowhere, names that are too long."""
    loop, lost = folder / "loop", folder / "lost"
    loop.symlink_to(loop)
    lost.symlink_to(folder / "nowhere")
    return [loop, loop / "below", lost, lost / "below", folder / ("a" * 300), Path("/" + "a" * 5000)]


def test_a_data_folder_at_no_place_is_bad(world: Visit):
    for place in no_places(world.data.parent):
        is_(doctor.check_data(replace(world, data=place)), BAD, str(place), "cannot be made", "--data")


def test_missing_lines_and_folders_are_named_without_an_error(world: Visit):
    (world.at("/dev")).mkdir()
    for place in [*no_places(world.root), Path("/nul\0")]:
        path = f"/{place.relative_to(world.root)}" if place.is_relative_to(world.root) else str(place)
        config = replace(
            world.config,
            acceptor=replace(world.config.acceptor, port=path),
            printer=replace(world.config.printer, port=path),
            data=replace(world.config.data, mirror=path),
        )
        there = replace(world, config=config, data=place)
        for check in (doctor.check_acceptor, doctor.check_printer, doctor.check_mirror):
            is_(check(there), BAD, plain(path))
        is_(doctor.check_acceptor_answers(there), POOR, "not there")
        assert [examined(check, there).found for check in CHECKS]


def test_devices_are_left_alone_where_the_books_cannot_be_looked_at(world: Visit):
    put(world, world.config.acceptor.port)
    loop = world.root / "loop"
    loop.symlink_to(loop)
    is_(doctor.check_acceptor_answers(replace(world, data=loop)), POOR, "books cannot be read", "symbolic links")


def test_a_check_that_stumbles_is_a_finding_and_not_the_end(world: Visit):
    def check_far_side(_: Visit) -> Finding:
        raise OSError(5, "Input/output error", "/far")

    is_(examined(check_far_side, world), BAD, "cannot be examined", "Input/output error", "/far")
    assert examined(check_far_side, world).what == "Far side"


def test_a_data_folder_that_is_a_file_is_bad(world: Visit):
    is_(doctor.check_data(replace(world, data=put(world, "/file"))), BAD, "not a folder")


def test_a_data_folder_that_cannot_be_written_is_bad(world: Visit):
    world.data.mkdir()
    is_(doctor.check_data(world), GOOD, "is empty", "MB free")
    assert list(world.data.iterdir()) == [], "the doctor makes nothing"
    is_(doctor.check_data(forbidden(world, world.data)), BAD, "cannot be written", "right")


@pytest.mark.requirement("PL-12")
def test_too_little_room_is_bad(world: Visit):
    world.data.mkdir()
    is_(doctor.check_data(replace(world, enough_bytes=2**60)), BAD, "MB free on", f"make {2**40} MB free")


def test_a_journal_that_is_there_or_in_use_is_said_to_be_so(world: Visit):
    keep(world.data, session_steps()[0])
    is_(doctor.check_data(world), GOOD, "can be used")
    with (world.data / LOCK_FILE).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        is_(doctor.check_data(world), GOOD, "running cabinet")


def test_the_books_are_checked_where_there_are_any_and_no_cabinet_runs_on_them(world: Visit):
    is_(doctor.check_books(world), GOOD, "none in")
    keep(world.data, session_steps()[0])
    is_(doctor.check_books(world), GOOD, "1 rows in", "in order")
    with (world.data / LOCK_FILE).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        is_(doctor.check_books(world), GOOD, "a cabinet is running")
    (world.data / FILE).write_bytes(b"no database at all" * 300)
    is_(doctor.check_books(world), BAD, "not a database", "call the technician")
    (world.data / FILE).unlink()
    (world.data / REACHED).write_bytes(b"noise")
    is_(doctor.check_books(world), BAD, "newest-row: found nothing that fits its check")


def test_a_lock_that_cannot_be_opened_is_bad(world: Visit):
    keep(world.data, session_steps()[0])
    (world.data / LOCK_FILE).unlink()
    (world.data / LOCK_FILE).mkdir()
    is_(doctor.check_data(world), BAD, "cannot be used")


ROOT_MOUNT = "1 0 8:1 / / rw - ext4 /dev/sda1 rw"


def test_a_partition_of_the_data_that_is_missing_is_bad(world: Visit):
    world = replace(world, simulate=False, config=replace(world.config, data=DataSection(own_partition=True)))
    put(world, "/proc/self/mountinfo", ROOT_MOUNT)
    is_(doctor.check_medium(world), BAD, "file system ext4", "the data partition is missing: ", f"on {world.data}")
    put(world, "/proc/self/mountinfo", f"{ROOT_MOUNT}\n2 1 8:3 / {world.data} rw - ext4 /dev/sda3 rw")
    is_(doctor.check_medium(world), GOOD, "ext4")


@pytest.mark.parametrize(
    ("mounts", "grade", "word"),
    [
        (ROOT_MOUNT, GOOD, "ext4"),
        ("", GOOD, "unknown"),
        ("1 0 0:9 / / rw - overlay overlay rw", BAD, "lost when the power goes"),
        ("1 0 0:9 / / rw - overlay overlay rw\n2 1 8:3 / {above} rw - ext4 /dev/sda3 rw", GOOD, "ext4"),
        (ROOT_MOUNT + "\n2 1 0:9 / {above} rw - tmpfs tmpfs rw", BAD, "tmpfs"),
        (ROOT_MOUNT + "\n2 1 8:3 / {above} rw - ext4 /dev/sda3 ro", BAD, "mounted read-only"),
        (ROOT_MOUNT + "\n2 1 0:9 / {above}x rw - tmpfs tmpfs rw", GOOD, "ext4"),
        ("1 0 8:1 / / rw - vfat /dev/sda1 rw", POOR, "use ext4"),
        ("1 0 0:9 / / rw - nfs4 server:/ rw", POOR, "nfs4"),
    ],
)
def test_the_medium_must_keep_what_it_is_given(world: Visit, mounts: str, grade: Grade, word: str):
    put(world, "/proc/self/mountinfo", mounts.format(above=world.data.parent))
    is_(doctor.check_medium(world), grade, word, "SQLite 3.")


def test_a_simulated_cabinet_may_forget(world: Visit):
    put(world, "/proc/self/mountinfo", "1 0 0:9 / / rw - tmpfs tmpfs rw")
    is_(doctor.check_medium(simulated(world)), POOR, "lost when the power goes")


def test_a_machine_without_books_waits_for_the_technician(world: Visit):
    is_(doctor.check_commissioning(world), BAD, "no books", "`cabinet commission`")
    put(world, f"{world.config.data.marks()}/{HAS_BOOKS}")
    is_(doctor.check_commissioning(world), BAD, "this machine has had some", "connect the medium")
    is_(doctor.check_commissioning(simulated(world)), GOOD, "begin by themselves")


def test_books_are_remembered_outside_the_data(world: Visit):
    keep(world.data, *session_steps()[:1])
    is_(doctor.check_commissioning(world), POOR, "cannot be written", "make that folder")
    put(world, f"{world.config.data.marks()}/{HAS_BOOKS}")
    is_(doctor.check_commissioning(world), GOOD, "blackjack-cabinet-mark")
    unmarked = replace(world, config=replace(world.config, data=DataSection(mark="")))
    is_(doctor.check_commissioning(unmarked), POOR, "nothing outside", "data.mark")


# --- the devices ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "port"),
    [(doctor.check_acceptor, Config().acceptor.port), (doctor.check_printer, Config().printer.port)],
)
def test_a_line_must_be_there_and_be_ours(world: Visit, check: Callable[[Visit], Finding], port: str):
    is_(check(simulated(world)), GOOD, "simulated")
    is_(check(world), BAD, port, "does not exist", "run `cabinet setup`, which learns it")
    device = put(world, port)
    is_(check(world), GOOD, port)
    is_(check(forbidden(world, device)), BAD, "may not be opened", "`dialout`")


# --- the machine around it --------------------------------------------------------------------------------------


def test_a_clock_that_cannot_be_right_or_will_not_stay_so_is_poor(world: Visit):
    is_(doctor.check_clock(world), POOR, "no battery clock", "power cut")
    put(world, "/sys/class/rtc/rtc0/name", "rpi-rtc soc:rpi_rtc\n")
    put(world, "/sys/class/rtc/rtc0/battery_voltage", "5128\n")
    put(world, "/proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    is_(doctor.check_clock(world), POOR, "no battery on the clock chip", "power cut")
    is_(doctor.check_clock(simulated(world)), GOOD, "20")
    put(world, "/sys/class/rtc/rtc0/battery_voltage", "3070082\n")
    is_(doctor.check_clock(world), GOOD, "battery 3.1 V")
    is_(doctor.check_clock(replace(world, wall_ms=startup.RELEASED_MS - 1)), POOR, "set the clock")


def test_a_clock_behind_the_books_is_poor(world: Visit):
    keep(world.data, *session_steps()[:3])
    put(world, "/sys/class/rtc/rtc0/name", "rtc-ds1307 1-0068\n")
    is_(doctor.check_clock(world), GOOD, "20")
    with open_journal(world.data) as journal:
        input_, step = session_steps()[3]
        journal.commit(input_, step, Stamp(boot=1, wall_ms=world.wall_ms + 3_600_000, mono_ms=9_000, clock_ok=True))
    is_(doctor.check_clock(world), POOR, "the newest row of the books is of", "set the clock")
    with (world.data / LOCK_FILE).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        is_(doctor.check_clock(world), GOOD, "20")


# --- the settings that a machine must not share -----------------------------------------------------------------


def test_the_number_of_the_sample_settings_is_poor_on_a_real_machine(world: Visit):
    is_(doctor.check_number(world), POOR, "0042", "run `cabinet setup`")
    is_(doctor.check_number(simulated(world)), GOOD, "0042")
    is_(number_finding(43, simulate=False), GOOD, "0043")


def test_a_machine_without_a_pin_is_poor(world: Visit):
    is_(doctor.check_pin(world), POOR, "none", "run `cabinet setup`")
    is_(doctor.check_pin(simulated(world)), GOOD)
    config = replace(world.config, attendant=AttendantSection(technician_pin="1234"))
    is_(doctor.check_pin(replace(world, config=config)), GOOD, "set")
    assert "1234" not in str(doctor.check_pin(replace(world, config=config)))


# --- what is shown ----------------------------------------------------------------------------------------------


def test_no_finding_steers_the_terminal(world: Visit):
    port = "/dev/\x9b31m\u202e"
    config = replace(world.config, acceptor=replace(world.config.acceptor, port=port))
    finding = doctor.check_acceptor(replace(world, config=config))
    is_(finding, BAD, "/dev/\\u009B31m\\u202E does not exist")
    for make in (bad, poor):
        made = make("What", "a\x1b[2J", "do\n\x07")
        assert (made.found, made.todo) == ("a\\u001B[2J", "do\\u000A\\u0007")
    assert good("What", "a\x1b[2J").found == "a\\u001B[2J"


# --- all of it --------------------------------------------------------------------------------------------------


def test_every_check_finds_something_in_a_bare_world(world: Visit):
    (world.at("/dev")).mkdir()
    findings = [check(world) for check in CHECKS]
    assert len({finding.what for finding in findings}) == len(CHECKS)
    assert all(finding.found for finding in findings)
    checks = {value for name, value in vars(doctor).items() if name.startswith("check_")}
    assert checks == set(CHECKS), "a check that never runs"


def test_settings_that_cannot_be_used_are_bad_and_the_rest_is_examined_all_the_same(tmp_path: Path):
    file = tmp_path / "cabinet.toml"
    file.write_text("[machine]\nnumbr = 3\n")
    first, *rest = examine(tmp_path, file, simulate=True)
    is_(first, BAD, "numbr", "correct the file")
    assert len(rest) == len(CHECKS)


def test_settings_are_good_with_a_file_and_without(tmp_path: Path):
    file = tmp_path / "cabinet.toml"
    file.write_text("[machine]\nnumber = 3\n")
    is_(next(examine(tmp_path, file, simulate=True)), GOOD, str(file))
    is_(next(examine(tmp_path, None, simulate=True)), GOOD, "the defaults")


@pytest.fixture
def findings() -> tuple[Finding, ...]:
    long = "a sentence that goes on and on, names /dev/serial/by-id/usb-something [and brackets], and does not end"
    return tuple(Finding(what=f"What {each.value}", grade=each, found=long, todo=long) for each in Grade)


@pytest.mark.parametrize("width", [60, 80, 200])
def test_text_keeps_its_words_in_a_window_of_any_width(findings: tuple[Finding, ...], width: int):
    text = shown(findings_report(findings), width)
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width
    words = " ".join(text.split())
    assert "[and brackets]," in words
    assert words.count("->") == len(findings)
    assert "could not run as configured: 1 bad" in words


def test_text_says_when_the_cabinet_can_run(findings: tuple[Finding, ...]):
    assert "The cabinet can run: nothing bad, 1 poor." in shown(findings_report(findings[:2]))


def test_json_is_one_document_and_the_code_reports_whether_anything_is_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(os.environ, "SDL_VIDEODRIVER", "x11")
    monkeypatch.setitem(os.environ, "DISPLAY", ":0")
    command = ("doctor", "--simulate", "--json", "--data", tmp_path / "data")
    result = call(*command)
    report = json.loads(result.stdout)
    assert (result.exit_code, report["ok"]) == (0, True)
    assert {finding["grade"] for finding in report["findings"]} <= {"good", "poor"}
    assert report["findings"][0].keys() == {"what", "grade", "found", "todo"}
    result = call(*command, "--config", tmp_path / "none.toml")
    assert (result.exit_code, json.loads(result.stdout)["ok"]) == (1, False)


def test_text_is_printed_without_json(tmp_path: Path):
    result = call("doctor", "--simulate", "--data", tmp_path / "data", "--config", tmp_path / "none.toml")
    assert result.exit_code == 1
    assert "none.toml" in "".join(result.stdout.split())


def test_settings_that_are_not_there_are_written_there_and_not_repaired(tmp_path):
    first = next(iter(doctor.examine(tmp_path, tmp_path / "none.toml", simulate=True)))
    is_(first, BAD, "none.toml", "assets/cabinet.toml there")


def test_a_cabinet_without_a_set_up_names_the_command_for_it(tmp_path: Path):
    finding = next(iter(doctor.examine(tmp_path, ON_CABINET.settings, simulate=True)))
    is_(finding, BAD, f"{ON_CABINET.settings} does not exist: this machine was not set up", "run `cabinet setup`;")


def test_a_line_with_a_name_of_the_kernel_is_not_learned(world: Visit):
    config = replace(world.config, printer=replace(world.config.printer, port="/dev/ttyUSB0"))
    is_(doctor.check_printer(replace(world, config=config)), BAD, "/dev/ttyUSB0", "name its line in the settings")


def test_no_finding_sends_a_technician_to_a_file_of_the_checkout(world: Visit):
    """An installed cabinet has no documents."""
    todos = [doctor.examined(check, world).todo for check in doctor.CHECKS]
    assert len([todo for todo in todos if todo]) > 10
    assert [todo for todo in todos if "docs/" in todo] == []

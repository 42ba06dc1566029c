"""The unit and the files beside it: what the system's own tools say about them, and what must stay in them."""

import re
import subprocess
from pathlib import Path

import pytest

from cabinet.commands.main import main as cli
from cabinet.config.settings import DataSection
from cabinet.installation.first_boot.sequence import PENDING
from cabinet.installation.paths import ON_CABINET, USER
from cabinet.installation.update.environment import Pace
from cabinet.installation.update.record import RECORD
from cabinet.link.place import COMMON
from cabinet.runtime.build import CONTROLLER_ENDS_S, PUMPS_END_S
from cabinet.runtime.watchdog import STARTING_S

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "systemd"
README = (SYSTEMD / "README.md").read_text(encoding="utf-8")
TOOL = SYSTEMD / "cabinet"
UNIT = SYSTEMD / "blackjack-cabinet.service"
SETTINGS = SYSTEMD / "blackjack-cabinet.conf"
FAILED = SYSTEMD / "blackjack-cabinet-failed.service"
READERS_GROUP = "blackjack-readers"
HIGHEST_EXPOSURE = 1.2
"""Of 10, as `systemd-analyze security` counts; below 2 is what it calls OK. The cabinet needs its devices."""


def read_settings(path: Path) -> list[tuple[str, str]]:
    """Return every Key=Value of a file in order, comments left out; a key may come often."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    pairs = (line.partition("=") for line in lines if line and line[0] not in "#[")
    return [(key.strip(), value.strip()) for key, _, value in pairs]


def values(key: str) -> list[str]:
    """Return every value of a key of the service; those of the drop-in come later, as the system reads them."""
    return [value for file in (UNIT, SETTINGS) for name, value in read_settings(file) if name == key]


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The service with its drop-in; only their programs are replaced, by one that this machine has."""
    drop_ins = tmp_path / f"{UNIT.name}.d"
    drop_ins.mkdir()
    for file, folder, key in ((UNIT, tmp_path, "ExecStart"), (SETTINGS, drop_ins, "ExecStopPost")):
        text = file.read_text(encoding="utf-8")
        text, count = re.subn(rf"^({key}=[-+]*)/\S+", r"\1/bin/true", text, flags=re.MULTILINE)
        assert count == 1
        (folder / file.name).write_text(text, encoding="utf-8")
    (tmp_path / FAILED.name).write_text(FAILED.read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path / UNIT.name


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60, check=False)


def test_verify_has_nothing_to_say(unit: Path):
    result = analyze("verify", str(unit), str(unit.parent / FAILED.name))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_verify_would_speak_of_an_unknown_key(unit: Path):
    drop_in = unit.parent / f"{UNIT.name}.d" / SETTINGS.name
    drop_in.write_text(drop_in.read_text(encoding="utf-8").replace("TTYReset=", "TTYRestart="), encoding="utf-8")
    assert "TTYRestart" in analyze("verify", str(unit)).stderr


def test_the_exposure_stays_low(unit: Path):
    result = analyze("security", "--offline=true", "--no-pager", str(unit))
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", result.stdout)
    assert found, result.stdout + result.stderr
    assert float(found[1]) <= HIGHEST_EXPOSURE


def test_the_screen_keyboard_is_given_back_after_every_stop():
    (command,) = values("ExecStopPost")
    assert command == "-+/usr/bin/kbd_mode -u -C /dev/tty1"


def test_the_console_login_makes_room():
    assert values("Conflicts") == ["getty@tty1.service"]
    assert "getty@tty1.service" in values("After")[0].split()
    assert values("TTYPath") == ["/dev/tty1"]
    assert values("StandardInput") == ["tty"]
    assert values("TTYReset") == values("TTYVHangup") == ["yes"]


def test_the_cabinet_always_comes_back():
    assert values("Restart") == ["always"]
    assert values("StartLimitIntervalSec") == ["0"]


def test_the_watchdog_is_on_and_leaves_stacks():
    assert values("Type") == ["notify"]
    assert values("WatchdogSec") == ["10"]
    assert "PYTHONFAULTHANDLER=1" in values("Environment")


def test_a_note_in_flight_has_time_to_finish():
    assert values("TimeoutStopSec") == ["30"]
    assert 2 * (CONTROLLER_ENDS_S + PUMPS_END_S) <= 30, "a slow machine also has to close the window and the journal"


def test_a_slow_machine_has_time_to_start_and_more_while_it_reports():
    """A start takes up to 4 s here on a busy machine with nothing read yet; a machine five times slower needs 20 s."""
    assert values("TimeoutStartSec") == ["90"]
    assert float(values("WatchdogSec")[0]) < STARTING_S


def test_every_device_group_is_there():
    groups = set(" ".join(values("SupplementaryGroups")).split())
    assert groups == {"video", "render", "input", "audio", "gpio", "dialout"}


def test_the_pins_are_those_of_lgpio_and_its_folder_exists_at_the_start():
    environment = dict(value.split("=", 1) for value in values("Environment"))
    (runtime,) = values("RuntimeDirectory")
    assert environment["GPIOZERO_PIN_FACTORY"] == "lgpio"
    assert environment["LG_WD"] == f"%t/{runtime}"


def test_the_screen_is_the_bare_one():
    assert "SDL_VIDEODRIVER=kmsdrm" in values("Environment")


BOOKS = "/var/lib/blackjack-cabinet"


def test_the_books_are_mounted_first_and_writable():
    mount = "var-lib-blackjack\\x2dcabinet.mount"
    assert mount in values("After")
    assert values("Wants") == [mount]
    assert f"STATE_DIRECTORY={BOOKS}" in values("Environment")
    assert values("ProtectSystem") == ["strict"]
    assert f"-{BOOKS}" in values("ReadWritePaths")


@pytest.mark.requirement("TE-02")
def test_a_medium_that_is_missing_is_said_on_the_screen():
    """These settings require the mount of each folder that they name: without it the service would not start."""
    assert values("StateDirectory") == values("RequiresMountsFor") == []
    assert not any(path.startswith(BOOKS) for path in values("WorkingDirectory"))


def test_the_mark_outside_the_books_may_be_written_and_the_package_makes_its_folder():
    marks = DataSection().mark
    assert f"-{marks}" in values("ReadWritePaths")
    assert f"for folder in {BOOKS} {marks}; do" in (SYSTEMD / "debian" / "postinst").read_text(encoding="utf-8")


def test_money_waits_for_no_network():
    assert "network" not in " ".join(value for key in ("After", "Wants", "Requires") for value in values(key))
    assert not {"AF_INET", "AF_INET6"}.intersection(values("RestrictAddressFamilies")[0].split())


def test_no_memory_image_shows_undealt_cards():
    assert values("LimitCORE") == ["0"]


def test_the_hardware_watchdog_is_within_what_every_kernel_takes():
    settings = dict(read_settings(SYSTEMD / "runtime-watchdog.conf"))
    assert 10 <= int(settings["RuntimeWatchdogSec"]) <= 14
    assert int(settings["RebootWatchdogSec"]) <= 14


def test_no_console_opens_for_a_keyboard():
    assert dict(read_settings(SYSTEMD / "logind-console.conf")) == {"NAutoVTs": "0", "ReserveVT": "0"}
    assert dict(read_settings(SYSTEMD / "90-blackjack-cabinet.conf"))["kernel.sysrq"] == "0"


def test_a_kernel_in_trouble_restarts_the_machine():
    settings = dict(read_settings(SYSTEMD / "90-blackjack-cabinet.conf"))
    assert (settings["kernel.panic"], settings["kernel.panic_on_oops"]) == ("10", "1")


def test_the_log_outlives_the_power_and_has_a_limit():
    settings = dict(read_settings(SYSTEMD / "journald.conf"))
    assert (settings["Storage"], settings["SystemMaxUse"]) == ("persistent", "64M")


def test_the_time_of_a_machine_without_a_battery_is_a_minute_old_at_most():
    assert dict(read_settings(SYSTEMD / "timesyncd.conf")) == {"SaveIntervalSec": "60"}


def test_a_leak_restarts_the_cabinet_and_not_the_machine():
    assert values("MemoryMax") == ["60%"]
    assert values("OOMPolicy") == ["kill"]


def test_no_other_user_reads_what_the_cabinet_writes():
    assert values("UMask") == ["0077"]


def test_each_failure_puts_a_sentence_on_the_screen_that_stays_until_the_picture():
    assert values("OnFailure") == [FAILED.name]
    assert values("RestartMode") == []  # "direct" would pass the failure by
    assert values("TTYVTDisallocate") == ["no"]
    failed = dict(read_settings(FAILED))
    assert (failed["TTYPath"], failed["StandardOutput"]) == (values("TTYPath")[0], "tty")
    printed = subprocess.run(_words(failed["ExecStart"]), capture_output=True, text=True, timeout=60, check=True).stdout
    assert "out of order and starts again by itself. All money in it is recorded." in printed
    assert "stays for more than two minutes, call the attendant." in printed
    assert f"journalctl -u {UNIT.stem} -b" in printed
    assert float(values("TimeoutStartSec")[0]) < 120
    assert max(map(len, printed.splitlines())) <= 100


def test_a_way_back_waits_as_long_as_the_service_may_start():
    """A slow card, or a monitor that comes late: the version before is on its way and not broken."""
    assert Pace().again_s > float(values("TimeoutStartSec")[0])


def _words(command: str) -> list[str]:
    """Return a command line as the system splits it; printf reads the escapes itself, as the system would."""
    program, text = command.split(" ", 1)
    return [program, text.strip('"')]


def test_the_readme_explains_every_file():
    files = {f"{path.name}{'/' if path.is_dir() else ''}" for path in SYSTEMD.iterdir()} - {"README.md"}
    assert set(re.findall(r"^\| `(\S+)` \|", README, flags=re.MULTILINE)) == files


def test_the_service_finds_its_program_and_its_settings_where_the_installation_puts_them():
    program, *arguments = values("ExecStart")[0].split()
    assert program == str(ON_CABINET.command())
    command = cli.commands[arguments[0]].make_context(arguments[0], arguments[1:])
    assert command.params["config_path"] == ON_CABINET.settings
    assert values("User") == values("Group") == [USER]


def test_only_what_never_changes_is_in_the_copied_unit():
    """An update does not replace this file; every other setting is in the drop-in, which it does replace."""
    assert {key for key, _ in read_settings(UNIT)} == {
        "Description", "Type", "ExecStart", "User", "Group", "WantedBy"
    }  # fmt: skip


def test_the_package_gives_the_user_the_groups_of_the_service():
    (groups,) = values("SupplementaryGroups")
    text = (SYSTEMD / "sysusers.conf").read_text(encoding="utf-8")
    assert re.findall(r"^m (\S+) (\S+)$", text, flags=re.MULTILINE) == [(USER, group) for group in groups.split()]


def test_the_socket_for_readers_is_in_a_folder_of_their_group():
    """What is made in a folder with mode 2750 has the group of the folder; a member may enter it, and no other user."""
    (line,) = re.findall(r"^d (.*)$", (SYSTEMD / "tmpfiles.conf").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert line.split() == [str(COMMON), "2750", USER, READERS_GROUP, "-"]
    assert f"-{COMMON}" in values("ReadWritePaths")
    users = (SYSTEMD / "sysusers.conf").read_text(encoding="utf-8")
    assert re.search(rf"^g {READERS_GROUP} -$", users, flags=re.MULTILINE)
    assert f"usermod -aG {READERS_GROUP} NAME" in (SYSTEMD.parent / "docs" / "status.md").read_text(encoding="utf-8")


def test_the_service_makes_the_group_and_the_folder_of_the_readers_and_starts_without_them_too():
    """An update runs no script of the package: only what the version itself holds takes effect."""
    group, folder = values("ExecStartPre")
    share = ON_CABINET.share() / "systemd"
    assert group.startswith("-+/bin/sh -c ")
    (script,) = re.findall(r"'(.*)'$", group)
    users = f"systemd-sysusers {share}/sysusers.conf"
    assert script == f"getent group {READERS_GROUP} >/dev/null || timeout 10 {users}"
    assert folder == f"-+/usr/bin/systemd-tmpfiles --create {share}/tmpfiles.conf"


def test_the_tool_lets_a_user_read_who_is_not_root():
    text = TOOL.read_text(encoding="utf-8")
    (names, what) = re.findall(r"^([a-z |]+)\)\n(.*?);;", text, flags=re.MULTILINE | re.DOTALL)[0]
    assert set(names.split(" | ")) == {"meters", "status", "recall", "events", "tickets", "report"}
    assert '[ "$(id -u)" = 0 ] || exec "$program" "$@"' in what


def test_every_command_line_is_one():
    blocks = re.findall(r"^```sh\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    assert blocks
    for script in (*blocks, TOOL.read_text(encoding="utf-8")):
        subprocess.run(["sh", "-n"], input=script, text=True, timeout=60, check=True)


def test_the_tool_works_on_what_the_service_works_on_and_plays_nothing():
    text = TOOL.read_text(encoding="utf-8")
    program, *_, settings = values("ExecStart")[0].split()
    assert f"program={program}\n" in text
    assert f"CABINET_CONFIG={settings}" in text
    assert f"STATE_DIRECTORY={BOOKS}" in text
    allowed = {
        name for names in re.findall(r"^([a-z][a-z |-]*)\)", text, flags=re.MULTILINE) for name in names.split(" | ")
    }
    assert allowed < set(cli.commands)
    refused = set(cli.commands) - allowed
    assert {"run", "autoplay"} < refused
    manual = (ROOT / "docs" / "operator.md").read_text(encoding="utf-8")
    lines = "".join(re.findall(r"^```sh\n(.*?)^```", manual, flags=re.MULTILINE | re.DOTALL))
    assert set(re.findall(r"^cabinet ([a-z-]+)", lines, flags=re.MULTILINE)) <= allowed
    for name in refused:
        assert subprocess.run(["sh", TOOL, name], capture_output=True, timeout=60, check=False).returncode == 2


@pytest.mark.parametrize(("given", "asked"), [((), "--help"), (("--help",), "--help"), (("--version",), "--version")])
def test_the_tool_answers_what_it_is_and_which_version(tmp_path: Path, given: tuple[str, ...], asked: str):
    program, tool = tmp_path / "program", tmp_path / "cabinet"
    program.write_text('#!/bin/sh\necho "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    text = TOOL.read_text(encoding="utf-8")
    tool.write_text(re.sub(r"^program=.*$", f"program={program}", text, flags=re.MULTILINE), encoding="utf-8")
    answer = subprocess.run(["sh", tool, *given], capture_output=True, timeout=60, check=True, text=True)
    assert answer.stdout == f"{asked}\n"


def test_only_what_changes_the_system_or_reads_no_books_runs_as_root():
    text = TOOL.read_text(encoding="utf-8")
    as_root = re.findall(r'^([a-z][a-z |-]*)\) exec "\$program"', text, flags=re.MULTILINE)
    assert as_root == ["setup | update | idle", "check-report"]
    assert text.rstrip().endswith(f'runuser -u {USER} -- "$program" "$@"')


@pytest.mark.requirement("PL-06")
def test_the_second_copy_may_be_written_where_the_manual_says_and_need_not_be_there():
    """The manual, the sample settings and the unit name the same folder."""
    assert values("ProtectSystem") == ["strict"]
    path = values("ReadWritePaths")[-1]
    assert path.startswith("-/")
    root = SYSTEMD.parent
    assert f"`{path[1:]}`" in (root / "docs" / "operator.md").read_text(encoding="utf-8")
    assert path[1:] in (root / "assets" / "cabinet.toml").read_text(encoding="utf-8")


# --- the end of an interrupted update -------------------------------------------------------------------------------

RESUME = SYSTEMD / "blackjack-cabinet-update.service"


def test_an_interrupted_update_ends_before_the_cabinet_starts_and_only_where_there_is_one():
    settings = dict(read_settings(RESUME))
    assert settings["Before"] == "blackjack-cabinet.service"
    assert settings["ConditionPathExists"] == str(ON_CABINET.update / RECORD)
    assert settings["ExecStart"] == f"{ON_CABINET.command()} update --resume --at-start"
    assert settings["Type"] == "oneshot"


FIRST = SYSTEMD / "blackjack-cabinet-first-boot.service"


def test_the_first_start_ends_before_the_cabinet_starts_and_only_on_a_new_card():
    settings = dict(read_settings(FIRST))
    assert settings["Before"] == "blackjack-cabinet.service"
    assert settings["ConditionPathExists"] == str(ON_CABINET.first_boot / PENDING)
    assert settings["ExecStart"] == f"{ON_CABINET.command()} setup --first-boot"
    assert settings["Type"] == "oneshot"


def test_the_cabinet_does_not_start_on_a_card_that_is_still_new():
    drop_in = dict(read_settings(SYSTEMD / "blackjack-cabinet.conf"))
    assert drop_in["ConditionPathExists"] == f"!{ON_CABINET.first_boot / PENDING}"


@pytest.mark.parametrize("unit", [RESUME, FIRST], ids=lambda unit: unit.stem)
def test_what_runs_before_the_cabinet_is_a_unit_that_the_system_reads(unit: Path, tmp_path: Path):
    copy = tmp_path / unit.name
    text = unit.read_text(encoding="utf-8")
    copy.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE), encoding="utf-8")
    result = analyze("verify", str(copy))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")

"""The unit and the files beside it: what the system's own tools say about them, and what must stay in them."""

import re
import subprocess
from pathlib import Path

import pytest

from cabinet.commands.main import main as cli
from cabinet.config.settings import DataSection, load

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "systemd"
README = (SYSTEMD / "README.md").read_text(encoding="utf-8")
TOOL = SYSTEMD / "cabinet"
UNIT = SYSTEMD / "blackjack-cabinet.service"
HIGHEST_EXPOSURE = 2.0
"""Of 10, as `systemd-analyze security` counts; below 2 is what it calls OK. The cabinet needs its devices."""


def read_settings(path: Path) -> list[tuple[str, str]]:
    """Return every Key=Value of a file in order, comments left out; a key may come often."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    pairs = (line.partition("=") for line in lines if line and line[0] not in "#[")
    return [(key.strip(), value.strip()) for key, _, value in pairs]


def values(key: str) -> list[str]:
    return [value for name, value in read_settings(UNIT) if name == key]


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with its programs replaced by one that this machine has; nothing else is changed."""
    text = UNIT.read_text(encoding="utf-8")
    for key in ("ExecStart", "ExecStopPost"):
        text, count = re.subn(rf"^({key}=[-+]*)/\S+", r"\1/bin/true", text, flags=re.MULTILINE)
        assert count == 1
    copy = tmp_path / UNIT.name
    copy.write_text(text, encoding="utf-8")
    return copy


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60, check=False)


def test_verify_has_nothing_to_say(unit: Path):
    result = analyze("verify", str(unit))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_verify_would_speak_of_an_unknown_key(unit: Path):
    unit.write_text(unit.read_text(encoding="utf-8").replace("TTYReset=", "TTYRestart="), encoding="utf-8")
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
    assert values("TimeoutStopSec") == ["15"]


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


def test_the_mark_outside_the_books_may_be_written_and_the_readme_makes_its_folder():
    marks = DataSection().mark
    assert f"-{marks}" in values("ReadWritePaths")
    assert f"{BOOKS} {marks}\n" in README


def test_money_waits_for_no_network():
    assert "network" not in " ".join(
        value for key, value in read_settings(UNIT) if key in {"After", "Wants", "Requires"}
    )
    assert not {"AF_INET", "AF_INET6"}.intersection(values("RestrictAddressFamilies")[0].split())


def test_no_memory_image_shows_undealt_cards():
    assert values("LimitCORE") == ["0"]


def test_the_hardware_watchdog_is_within_what_every_kernel_takes():
    settings = dict(read_settings(SYSTEMD / "runtime-watchdog.conf"))
    assert 10 <= int(settings["RuntimeWatchdogSec"]) <= 14
    assert int(settings["RebootWatchdogSec"]) <= 14


def test_no_console_opens_for_a_keyboard():
    assert dict(read_settings(SYSTEMD / "logind-console.conf")) == {"NAutoVTs": "0", "ReserveVT": "0"}
    assert dict(read_settings(SYSTEMD / "90-blackjack-cabinet.conf")) == {"kernel.sysrq": "0"}


def test_the_sound_card_is_named_and_not_numbered():
    text = re.sub(r"#.*", "", (SYSTEMD / "asound.conf").read_text(encoding="utf-8"))
    assert re.findall(r"CARD=(\w+)|\bcard\s+(\w+)", text) == [("vc4hdmi0", ""), ("", "vc4hdmi0")]
    assert "hw:" not in text


def test_every_file_is_installed_by_the_readme():
    files = {path.name for path in SYSTEMD.iterdir()} - {"README.md"}
    assert set(re.findall(r"^install -Dm\d+ systemd/(\S+)", README, flags=re.MULTILINE)) == files


def test_every_file_the_readme_takes_from_the_checkout_is_there():
    named = re.findall(r"^install -D?m\d+ (?:-\w \S+ )*(\S+)", README, flags=re.MULTILINE)
    named += re.findall(r"requirements\S*lock|docs/\w+\.md", README)
    assert "assets/cabinet.toml" in named
    assert [path for path in named if not (ROOT / path).is_file()] == []


def test_the_service_finds_its_program_and_its_settings_where_the_readme_puts_them():
    program, *arguments = values("ExecStart")[0].split()
    assert f"venv --system-site-packages {Path(program).parents[1]}" in README
    command = cli.commands[arguments[0]].make_context(arguments[0], arguments[1:])
    (user,) = values("User")
    assert f"-g {user} assets/cabinet.toml {command.params['config_path']}" in README
    load(ROOT / "assets" / "cabinet.toml")


def test_the_readme_gives_the_user_the_groups_of_the_service():
    (groups,) = values("SupplementaryGroups")
    assert f"--groups {groups.replace(' ', ',')} {values('User')[0]}" in README


def test_the_readme_installs_all_that_is_locked_but_what_the_system_brings():
    (command,) = re.findall(r"^(awk .*) > \S+$", README, flags=re.MULTILINE)
    result = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    locked = (ROOT / "requirements-run.lock").read_text(encoding="utf-8")
    names = r"^([a-z0-9-]+)=="
    kept = re.findall(names, result.stdout, flags=re.MULTILINE)
    assert set(re.findall(names, locked, flags=re.MULTILINE)) - set(kept) == {"pygame"}
    (whole,) = re.findall(r"^pygame==.*?(?=^[a-z])", locked, flags=re.MULTILINE | re.DOTALL)
    assert result.stdout == locked.replace(whole, "")


def test_every_command_line_of_the_readme_is_one():
    blocks = re.findall(r"^```sh\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    for script in (*blocks, TOOL.read_text(encoding="utf-8")):
        subprocess.run(["sh", "-n"], input=script, text=True, timeout=60, check=True)


def test_the_tool_works_on_what_the_service_works_on_and_plays_nothing():
    text = TOOL.read_text(encoding="utf-8")
    program, *_, settings = values("ExecStart")[0].split()
    assert f'{program} "$@"' in text
    assert f"CABINET_CONFIG={settings}" in text
    assert f"STATE_DIRECTORY={BOOKS}" in text
    (named,) = re.findall(r"^([a-z |]+)\) ;;$", text, flags=re.MULTILINE)
    allowed = set(named.split(" | "))
    assert allowed < set(cli.commands)
    refused = set(cli.commands) - allowed
    assert {"run", "autoplay"} < refused
    for name in refused:
        assert subprocess.run(["sh", TOOL, name], capture_output=True, timeout=60, check=False).returncode == 2


@pytest.mark.requirement("PL-06")
def test_the_second_copy_may_be_written_where_the_manual_says_and_need_not_be_there():
    """The manual, the sample settings and the unit name the same folder."""
    assert values("ProtectSystem") == ["strict"]
    path = values("ReadWritePaths")[-1]
    assert path.startswith("-/")
    root = SYSTEMD.parent
    assert f"`{path[1:]}`" in (root / "docs" / "operator.md").read_text(encoding="utf-8")
    assert path[1:] in (root / "assets" / "cabinet.toml").read_text(encoding="utf-8")

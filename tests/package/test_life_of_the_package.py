"""The package from its first installation to its purge, in one system: each test goes on where the one before ended."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from support.debian_system import CHECKER, System

from cabinet.installation.paths import ON_CABINET, SERVICE, USER

pytestmark = [pytest.mark.package, pytest.mark.timeout(7200)]

ROUNDS = 10
PROGRAM = ON_CABINET.command()
JOURNAL = ON_CABINET.data / "journal.db"


def install(system: System, package: Path) -> str:
    return system.run("apt-get", "install", "--yes", system.put(package)).stdout


def test_it_installs_with_one_command_and_without_a_network(system: System, package: Path):
    install(system, package)
    assert system.at(ON_CABINET.current).readlink() == Path(package.name.split("_")[1])
    assert system.at(JOURNAL.parent).is_dir()


def test_dpkg_finds_every_file_as_it_was_built(system: System):
    assert system.run("dpkg", "--audit").stdout == ""
    assert system.run("dpkg", "--verify", "blackjack-cabinet").stdout == ""


def test_the_checks_of_debian_have_nothing_to_say(system: System, package: Path):
    if not system.at(f"/usr/bin/{CHECKER}").exists():
        assert system.architecture == "arm64"  # checked on the other processor: qemu is too slow for it
        return
    system.shell("id checker || useradd checker")
    place = system.put(package, "/var/tmp")
    assert system.run("runuser", "-u", "checker", "--", CHECKER, "--no-cfg", place).stdout == ""


def test_the_user_has_the_groups_of_the_devices(system: System):
    groups = set(system.run("id", "--name", "--groups", USER).stdout.split())
    assert groups == {USER, "video", "render", "input", "audio", "gpio", "dialout"}


def test_systemd_accepts_the_units_with_their_links(system: System):
    done = system.run("systemd-analyze", "verify", SERVICE, "blackjack-cabinet-failed.service")
    assert (done.stdout, done.stderr) == ("", "")
    shown = system.run("systemd-analyze", "security", "--offline=true", "--no-pager", SERVICE).stdout
    (exposure,) = re.findall(r"Overall exposure level for \S+: ([0-9.]+)", shown)
    assert float(exposure) <= 1.2


@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("systemd/journald.conf", "Storage=persistent"),
        ("systemd/logind.conf", "NAutoVTs=0"),
        ("systemd/system.conf", "RuntimeWatchdogSec=14"),
        ("systemd/timesyncd.conf", "SaveIntervalSec=60"),
        ("sysctl.d", "kernel.panic = 10"),
    ],
)
def test_the_system_reads_each_drop_in_through_its_link(system: System, part: str, line: str):
    assert line in system.run("systemd-analyze", "cat-config", part).stdout.splitlines()


def test_udev_accepts_the_rules(system: System):
    rules = system.at(ON_CABINET.current).parent / system.at(ON_CABINET.current).readlink() / "share" / "udev"
    files = [f"/{path.relative_to(system.root)}" for path in sorted(rules.glob("*.rules"))]
    assert files
    assert f"Success: {len(files)}" in system.run("udevadm", "verify", *files).stdout


def test_an_enabled_service_names_no_version(system: System):
    """systemd follows links as far as they lead; after an update such a link would start the old unit."""
    system.run("systemctl", "enable", SERVICE)
    links = [path for path in system.at(ON_CABINET.units).rglob("*") if path.is_symlink()]
    assert any(path.name == SERVICE for path in links)
    assert [path for path in links if str(path.readlink()).startswith("/opt")] == []


def test_the_doctor_starts_and_reads_the_settings_of_the_package(system: System):
    system.shell(f"mkdir -p {ON_CABINET.settings.parent}; cp {ON_CABINET.share()}/cabinet.toml {ON_CABINET.settings}")
    done = system.run("cabinet", "doctor", "--json", fails=True)  # there are no pins here
    findings = {each["what"]: each["grade"] for each in json.loads(done.stdout)["findings"]}
    assert findings["Settings"] == "good"


def test_it_plays_and_its_books_balance(system: System):
    play = f"cd /var/tmp; SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy {PROGRAM} autoplay --rounds {ROUNDS} --json"
    done = system.run(
        "runuser", "-u", USER, "--", "sh", "-euc", f"{play} --data /var/tmp/autoplay --screens /var/tmp/s"
    )
    report = json.loads(done.stdout)
    assert report["rounds"] == ROUNDS
    assert report["balanced"] is True


def test_nothing_was_written_into_the_version_folder(system: System):
    assert system.run("dpkg", "--verify", "blackjack-cabinet").stdout == ""
    assert system.shell("find /opt/blackjack-cabinet -newer /root -type f") == ""


@pytest.fixture(scope="module")
def books(system: System) -> str:
    """The sum of the books of a commissioned machine."""
    system.run("cabinet", "commission")
    return sum_of_books(system)


def sum_of_books(system: System) -> str:
    return hashlib.sha256(system.at(JOURNAL).read_bytes()).hexdigest()


def test_a_removal_keeps_books_and_settings_and_says_where(system: System, books: str):
    removed = system.run("apt-get", "remove", "--yes", "blackjack-cabinet").stdout
    assert str(ON_CABINET.data) in removed
    assert str(ON_CABINET.settings.parent) in removed
    assert sum_of_books(system) == books
    assert system.at(ON_CABINET.settings).is_file()
    assert not system.at(ON_CABINET.programs).exists()
    assert system.run("dpkg", "--audit").stdout == ""


def test_a_reinstallation_finds_them_again(system: System, package: Path, books: str):
    install(system, package)
    assert sum_of_books(system) == books
    assert json.loads(system.run("cabinet", "verify", "--json").stdout)["ok"] is True
    assert system.run("dpkg", "--verify", "blackjack-cabinet").stdout == ""


def test_a_purge_leaves_the_books_and_nothing_else(system: System, books: str):
    purged = system.run("apt-get", "purge", "--yes", "blackjack-cabinet").stdout
    assert str(ON_CABINET.data) in purged
    assert sum_of_books(system) == books
    kept = "/var/lib/blackjack-cabinet*", "/root/*", "/var/tmp/*", "/var/cache/*", "/proc/*"
    but = " ".join(f"-not -path '{path}'" for path in kept)
    assert system.shell(f"find / -xdev -name '*blackjack*' {but}") == ""
    system.run("getent", "passwd", USER, fails=True)
    assert system.run("dpkg", "--audit").stdout == ""


def test_a_user_made_anew_owns_the_books_again(system: System, package: Path, books: str):
    system.shell(f"chown -R 4711:4711 {ON_CABINET.data}")
    install(system, package)
    assert system.shell(f"stat -c %U {ON_CABINET.data} {JOURNAL}") == f"{USER}\n{USER}\n"
    assert sum_of_books(system) == books

"""The build of the package, with libraries of a few bytes: what is in it, what it refuses, and what its scripts do.

The scripts run on a folder: their absolute paths are replaced, and programs of the system that need root are stand-ins.
The real package in a real system is the task of tests/package.
"""

import hashlib
import importlib
import os
import random
import re
import stat
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from types import ModuleType

import pytest

from cabinet.installation.paths import ON_CABINET

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements-run.lock").read_text(encoding="utf-8")
SCRIPTS = ROOT / "systemd" / "debian"
EPOCH = 4_000_000_000
"""Later than the clock of any machine: dpkg-deb itself brings only later times down to it."""


@pytest.fixture(scope="module")
def wheels_module() -> Iterator[ModuleType]:
    """The script that chooses and unpacks wheels."""
    sys.path.insert(0, str(ROOT / ".ci"))
    try:
        yield importlib.import_module("package_wheels")
    finally:
        sys.path.remove(str(ROOT / ".ci"))


@pytest.fixture(scope="module")
def builder(wheels_module: ModuleType) -> ModuleType:
    """The script that builds the package."""
    return importlib.import_module("package")


def make_wheel(folder: Path, name: str, *, size: int = 6_000) -> Path:
    """Write a wheel of one module; its bytes depend on its name and size only."""
    noise = random.Random(name).randbytes(size).hex()
    files = {
        f"{name}/__init__.py": f"NOISE = '{noise}'\n",
        f"docs/{name}.py": "",
        f"tests/test_{name}.py": "",
        f"{name}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{name}-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{name}-1.0.dist-info/entry_points.txt": f"[console_scripts]\n{name} = {name}:main\n",
    }
    record = "".join(f"{path},,\n" for path in (*files, f"{name}-1.0.dist-info/RECORD"))
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in {**files, f"{name}-1.0.dist-info/RECORD": record}.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return wheel


def lock_of(*wheels: Path) -> str:
    entries = (
        f"{wheel.name.split('-')[0]}==1.0 \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
        for wheel in wheels
    )
    return "".join(entries)


# --- the lock and the wheels ------------------------------------------------------------------------------------


@pytest.mark.parametrize("architecture", ["arm64", "amd64"])
def test_the_package_takes_every_locked_name_except_those_of_debian_and_of_windows(
    wheels_module: ModuleType, architecture: str
):
    taken = {each.name for each in wheels_module.read_lock(LOCK, wheels_module.TARGETS[architecture])}
    assert set(re.findall(r"^([a-z0-9-]+)==", LOCK, flags=re.MULTILINE)) - taken == {"pygame", "colorama"}


def test_markers_are_those_of_the_cabinet_and_not_of_this_python(wheels_module: ModuleType):
    text = (
        "old==1.0 ; python_full_version < '3.12' \\\n    --hash=sha256:" + "1" * 64 + "\n"
        "new==2.0 ; python_full_version >= '3.12' and platform_machine == 'aarch64' \\\n    --hash=sha256:" + "2" * 64
    )
    locked = wheels_module.read_lock(text, wheels_module.TARGETS["arm64"])
    assert [(each.name, each.version) for each in locked] == [("new", "2.0")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("some==1.0\n", "expected NAME==VERSION with hashes"),
        ("some>=1.0 \\\n    --hash=sha256:" + "1" * 64, "expected NAME==VERSION with hashes"),
        ("some==1.0 --hash=sha256:" + "1" * 64 + "\nsome==2.0 --hash=sha256:" + "2" * 64, "two versions of some"),
    ],
    ids=["no hash", "no version", "two versions"],
)
def test_a_lock_that_leaves_a_choice_is_refused(wheels_module: ModuleType, text: str, reason: str):
    with pytest.raises(wheels_module.PackageError, match=reason):
        wheels_module.read_lock(text, wheels_module.TARGETS["arm64"])


def test_wheels_that_are_there_need_no_network(
    wheels_module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    wheel = make_wheel(tmp_path, "some")
    locked = wheels_module.read_lock(lock_of(wheel), wheels_module.TARGETS["arm64"])
    monkeypatch.setattr(wheels_module, "_download", None)
    assert list(wheels_module.take_wheels(locked, tmp_path, wheels_module.TARGETS["arm64"]).values()) == [wheel]


def test_a_name_without_a_wheel_ends_the_build(
    wheels_module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    locked = wheels_module.read_lock(lock_of(make_wheel(tmp_path, "some")), wheels_module.TARGETS["arm64"])
    for name, value in {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(wheels_module.PackageError, match="could not be downloaded"):
        wheels_module.take_wheels(locked, tmp_path / "empty", wheels_module.TARGETS["arm64"])


def test_a_wheel_with_other_bytes_is_not_taken(wheels_module: ModuleType, tmp_path: Path):
    wheel = make_wheel(tmp_path, "some")
    locked = wheels_module.read_lock(lock_of(wheel), wheels_module.TARGETS["arm64"])
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    assert wheels_module.find_wheels(locked, tmp_path) == {}


def test_a_stub_ends_the_build(wheels_module: ModuleType, tmp_path: Path):
    wheel = make_wheel(tmp_path, "lgpio", size=100)
    locked = wheels_module.read_lock(lock_of(wheel), wheels_module.TARGETS["arm64"])
    with pytest.raises(wheels_module.PackageError, match="it is a stub"):
        wheels_module.find_wheels(locked, tmp_path)


# --- what is in the package -------------------------------------------------------------------------------------


def build(builder: ModuleType, wheels_module: ModuleType, folder: Path) -> Path:
    wheels = [make_wheel(folder / "wheels", name) for name in ("some", "other")]
    built = builder.build(
        wheels_module.TARGETS["arm64"],
        version="1.2.3",
        wheels=wheels,
        python=Path(sys.executable),
        epoch=EPOCH,
        out=folder / "dist",
        public_key="untrusted comment: a key\nRWQ\n",
    )
    assert isinstance(built, Path)
    return built


@pytest.fixture(scope="module")
def package(builder: ModuleType, wheels_module: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package of two libraries."""
    return build(builder, wheels_module, tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def members(package: Path) -> dict[str, tarfile.TarInfo]:
    """Everything in the package by its path in the system."""
    packed = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        return {member.name.removeprefix("."): member for member in archive}


def read_control(package: Path, name: str) -> str:
    return subprocess.run(["dpkg-deb", "--info", package, name], capture_output=True, text=True, check=True).stdout


def test_the_same_wheels_give_the_same_bytes(
    builder: ModuleType, wheels_module: ModuleType, package: Path, tmp_path: Path
):
    before = os.umask(0o077)
    try:
        again = build(builder, wheels_module, tmp_path)
    finally:
        os.umask(before)
    assert again.read_bytes() == package.read_bytes()


def test_folders_that_a_library_puts_beside_itself_are_left_out(
    wheels_module: ModuleType, members: dict[str, tarfile.TarInfo]
):
    libraries = f"{ON_CABINET.version('1.2.3')}/lib/python3.13/site-packages"
    tops = {Path(path).relative_to(libraries).parts[0] for path in members if path.startswith(f"{libraries}/")}
    assert {"some", "other"} < tops
    assert tops.isdisjoint(wheels_module.NO_LIBRARY)


def test_a_library_lists_no_file_that_was_left_out(package: Path, tmp_path: Path):
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    (record,) = tmp_path.rglob("some-1.0.dist-info/RECORD")
    listed = [line.partition(",")[0] for line in record.read_text(encoding="utf-8").splitlines()]
    assert "some/__init__.py" in listed
    assert [name for name in listed if not (record.parents[1] / name).exists()] == []


def test_everything_has_the_time_of_the_commit(members: dict[str, tarfile.TarInfo]):
    assert {member.mtime for member in members.values()} == {EPOCH}


def test_the_package_has_nothing_in_the_folders_of_the_operator(members: dict[str, tarfile.TarInfo]):
    kept = (ON_CABINET.data, ON_CABINET.mark, ON_CABINET.second, ON_CABINET.settings.parent)
    assert [path for path in members if Path(path).parts[1:2] in {("etc",), ("var",), ("media",)}] == []
    assert [path for path in members if any(Path(path).is_relative_to(each) for each in kept)] == []


def test_every_name_in_the_system_leads_through_current_to_a_file_of_the_version(members: dict[str, tarfile.TarInfo]):
    links = {path: member.linkname for path, member in members.items() if member.issym() and path.startswith("/usr")}
    assert len(links) > 8
    for path, target in links.items():
        assert target.startswith(f"{ON_CABINET.current}/share/"), path
        assert target.replace(str(ON_CABINET.current), str(ON_CABINET.version("1.2.3"))) in members, path


def test_only_the_service_is_a_copy_in_the_system(members: dict[str, tarfile.TarInfo]):
    copies = [path for path, member in members.items() if member.isreg() and path.startswith("/usr/")]
    assert [path for path in copies if not path.startswith(("/usr/share/doc/", "/usr/share/lintian/"))] == [
        "/usr/lib/systemd/system/blackjack-cabinet.service"
    ]


def test_current_is_not_part_of_the_package(members: dict[str, tarfile.TarInfo]):
    assert str(ON_CABINET.current) not in members


def test_everything_belongs_to_root_and_only_programs_are_executable(members: dict[str, tarfile.TarInfo]):
    assert {(member.uid, member.gid) for member in members.values()} == {(0, 0)}
    files = {path: stat.S_IMODE(member.mode) for path, member in members.items() if member.isreg()}
    version = ON_CABINET.version("1.2.3")
    assert {path for path, mode in files.items() if mode == 0o755} == {
        f"{version}/bin/cabinet",
        f"{version}/share/cabinet",
    }
    assert set(files.values()) == {0o644, 0o755}


def test_the_environment_uses_the_python_of_the_system(
    package: Path, members: dict[str, tarfile.TarInfo], tmp_path: Path
):
    version = ON_CABINET.version("1.2.3")
    assert members[f"{version}/bin/python"].linkname == "/usr/bin/python3.13"
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    inside = tmp_path / version.relative_to("/")
    assert "include-system-site-packages = true" in (inside / "pyvenv.cfg").read_text(encoding="utf-8")
    assert (inside / "bin" / "cabinet").read_text(encoding="utf-8").startswith(f"#!{version}/bin/python ")
    assert (inside / "share" / "release.key").read_text(encoding="utf-8").endswith("RWQ\n")


def test_every_module_is_compiled_and_checked_against_its_source(package: Path, tmp_path: Path):
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    (compiled,) = tmp_path.rglob("some/__pycache__/*.pyc")
    assert int.from_bytes(compiled.read_bytes()[4:8], "little") == 0b11  # by the hash of the source
    assert str(tmp_path) not in compiled.read_bytes().decode("latin-1")


def test_the_package_says_what_it_is_in_one_way(builder: ModuleType, package: Path, tmp_path: Path):
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    release = (tmp_path / "opt/blackjack-cabinet/1.2.3/RELEASE").read_text(encoding="utf-8")
    assert release.strip() == builder.Release(version="1.2.3", architecture="arm64").text()
    control = dict(line.split(": ", 1) for line in read_control(package, "control").splitlines() if ": " in line)
    assert (control["Package"], control["Version"], control["Architecture"]) == ("blackjack-cabinet", "1.2.3", "arm64")
    assert package.name == "blackjack-cabinet_1.2.3_arm64.deb"


def test_the_pins_of_a_pi_come_from_its_system_and_the_python_cannot_change(package: Path):
    (depends,) = re.findall(r"^Depends: (.*)$", read_control(package, "control"), flags=re.MULTILINE)
    assert {"python3 (>= 3.13)", "python3 (<< 3.14)", "python3-pygame", "python3-lgpio"} < set(depends.split(", "))


def test_dpkg_can_verify_every_file(package: Path, members: dict[str, tarfile.TarInfo]):
    listed = {f"/{line.split('  ', 1)[1]}" for line in read_control(package, "md5sums").splitlines()}
    assert listed == {path for path, member in members.items() if member.isreg()}


def test_every_file_of_the_folder_is_in_the_package(builder: ModuleType):
    sources = {ROOT / each.source for each in builder.SHIPPED}
    ours = {path for path in (ROOT / "systemd").iterdir() if path.is_file()} - {ROOT / "systemd" / "README.md"}
    assert ours - sources == set()


def test_the_wheel_has_the_sample_settings_and_the_files_of_the_system():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included == {"assets": "cabinet/assets", "systemd": "cabinet/systemd"}


# --- the signature ----------------------------------------------------------------------------------------------


def test_a_key_without_minisign_says_what_to_install(
    builder: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(builder.PackageError, match="apt install minisign"):
        builder.public_key_of(tmp_path / "release.sec")


# --- the scripts ------------------------------------------------------------------------------------------------


def test_every_script_is_short_and_starts_no_service_by_itself():
    for name in ("prerm", "postinst", "postrm"):
        text = (SCRIPTS / name).read_text(encoding="utf-8")
        assert len(text.splitlines()) < 21, name
        assert "set -eu" in text
        assert "systemctl start" not in text
        guarded = text.partition("[ -d /run/systemd/system ]")
        assert "systemctl" not in guarded[0]
        assert "deb-systemd-invoke" not in guarded[0]


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """A folder that stands for the root, with stand-ins for what only root may do."""
    stand_ins = tmp_path / "stand-ins"
    stand_ins.mkdir()
    for name in ("systemd-sysusers", "chown", "getent", "userdel", "groupdel"):
        (stand_ins / name).write_text(f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/called\n', encoding="utf-8")
        (stand_ins / name).chmod(0o755)
    for folder in ("opt/blackjack-cabinet", "var/lib", "etc/blackjack-cabinet"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def run_script(system: Path, name: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script as dpkg does, on a folder."""
    text = (SCRIPTS / name).read_text(encoding="utf-8").replace("@version@", "1.2.3")
    text = re.sub(r"(?<![\w*/])/(opt|var|etc|usr/lib|run)/", rf"{system}/\1/", text)
    path = f"{system}/stand-ins:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-s", "--", *arguments],
        input=text.partition("\n")[2],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": path, **environment},
    )


def put_version(system: Path, version: str, *, busy: bool = False) -> None:
    """Write a version whose program notes its calls, and knows whether the machine holds anything of a player."""
    program = system / "opt/blackjack-cabinet" / version / "bin/cabinet"
    program.parent.mkdir(parents=True)
    words = f'#!/bin/sh\necho cabinet "$@" >> {system}/called\n[ "$1" != idle ] || exit {int(busy)}\n'
    program.write_text(words, encoding="utf-8")
    program.chmod(0o755)


def current(system: Path) -> str:
    return str((system / "opt/blackjack-cabinet/current").readlink())


def passes(done: subprocess.CompletedProcess[str]) -> bool:
    return (done.returncode, done.stderr) == (0, "")


def test_an_installation_makes_the_link_the_user_and_the_folders(system: Path):
    put_version(system, "1.2.3")
    assert passes(run_script(system, "postinst", "configure", ""))
    assert current(system) == "1.2.3"
    assert "systemd-sysusers" in (system / "called").read_text(encoding="utf-8")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (system / "var/lib").iterdir()}
    assert modes == {"blackjack-cabinet": 0o750, "blackjack-cabinet-mark": 0o750}


def test_a_newer_package_takes_over(system: Path):
    put_version(system, "1.2.2")
    put_version(system, "1.2.3")
    (system / "opt/blackjack-cabinet/current").symlink_to("1.2.2")
    assert passes(run_script(system, "postinst", "configure", "1.2.2"))
    assert current(system) == "1.2.3"


def test_a_repeated_installation_leaves_a_version_that_an_update_made_current(system: Path):
    put_version(system, "1.2.3")
    put_version(system, "1.3.0")
    (system / "opt/blackjack-cabinet/current").symlink_to("1.3.0")
    assert passes(run_script(system, "postinst", "configure", "1.2.3"))
    assert current(system) == "1.3.0"


def test_a_repeated_installation_repairs_a_link_that_leads_to_nothing(system: Path):
    put_version(system, "1.2.3")
    (system / "opt/blackjack-cabinet/current").symlink_to("1.3.0")
    assert passes(run_script(system, "postinst", "configure", "1.2.3"))
    assert current(system) == "1.2.3"


def test_the_link_leads_to_the_new_version_before_the_old_one_is_removed(system: Path):
    """dpkg runs this script of the old package between the two; a power cut there must leave a complete version."""
    put_version(system, "1.2.3")
    put_version(system, "1.3.0")
    (system / "opt/blackjack-cabinet/current").symlink_to("1.2.3")
    assert passes(run_script(system, "postrm", "upgrade", "1.3.0"))
    assert current(system) == "1.3.0"


@pytest.mark.parametrize("act", ["remove", "upgrade", "failed-upgrade", "deconfigure"])
def test_a_machine_that_holds_anything_of_a_player_keeps_its_program(system: Path, act: str):
    put_version(system, "1.2.3", busy=True)
    (system / "opt/blackjack-cabinet/current").symlink_to("1.2.3")
    done = run_script(system, "prerm", act)
    assert done.returncode == 1
    assert "BLACKJACK_CABINET_FORCE=1" in done.stderr


@pytest.mark.parametrize(
    ("busy", "environment"), [(False, {}), (True, {"BLACKJACK_CABINET_FORCE": "1"})], ids=["idle", "forced"]
)
def test_an_idle_machine_and_a_technician_who_insists_go_on(system: Path, busy: bool, environment: dict[str, str]):
    put_version(system, "1.2.3", busy=busy)
    (system / "opt/blackjack-cabinet/current").symlink_to("1.2.3")
    assert passes(run_script(system, "prerm", "remove", **environment))


@pytest.mark.parametrize(("act", "undone"), [("remove", True), ("upgrade", False), ("deconfigure", False)])
def test_a_removal_takes_the_set_up_back(system: Path, act: str, undone: bool):
    put_version(system, "1.2.3")
    (system / "opt/blackjack-cabinet/current").symlink_to("1.2.3")
    assert passes(run_script(system, "prerm", act))
    called = (system / "called").read_text(encoding="utf-8").splitlines()
    assert ("cabinet setup --undo --yes" in called) is undone


def test_a_program_that_is_gone_can_be_removed(system: Path):
    assert passes(run_script(system, "prerm", "remove"))


def put_data(system: Path) -> Sequence[Path]:
    """Write books, mark, copies of the books and settings; returns the files."""
    names = (
        "blackjack-cabinet/journal.db",
        "blackjack-cabinet-mark/mark",
        "blackjack-cabinet-update/books-1/journal.db",
    )
    files = [*(system / "var/lib" / name for name in names), system / "etc/blackjack-cabinet/cabinet.toml"]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("kept", encoding="utf-8")
    return files


def test_a_removal_keeps_books_and_settings_and_says_where(system: Path):
    files = put_data(system)
    put_version(system, "1.3.0")
    (system / "run/blackjack-cabinet-readers").mkdir(parents=True)
    done = run_script(system, "postrm", "remove")
    assert [file.is_file() for file in files] == [True, True, True, True]
    assert not (system / "opt/blackjack-cabinet").exists()
    assert not (system / "run/blackjack-cabinet-readers").exists()
    assert "/var/lib/blackjack-cabinet" in done.stdout
    assert "/etc/blackjack-cabinet" in done.stdout


def test_a_purge_removes_settings_and_user_and_never_the_books(system: Path):
    files = put_data(system)
    done = run_script(system, "postrm", "purge")
    assert [file.is_file() for file in files] == [True, True, True, False]
    assert "userdel blackjack" in (system / "called").read_text(encoding="utf-8")
    assert "/var/lib/blackjack-cabinet" in done.stdout


def test_a_note_that_comes_in_before_the_stop_keeps_the_program_and_the_machine_starts_again(system: Path):
    put_version(system, "1.2.3")
    (system / "opt/blackjack-cabinet/current").symlink_to("1.2.3")
    (system / "run/systemd/system").mkdir(parents=True)
    program = system / "opt/blackjack-cabinet/1.2.3/bin/cabinet"
    program.write_text(f"#!/bin/sh\n[ ! -e {system}/note ] || exit 1\n", encoding="utf-8")
    manager = system / "stand-ins/deb-systemd-invoke"
    manager.write_text(f'#!/bin/sh\necho "$@" >> {system}/called\ntouch {system}/note\n', encoding="utf-8")
    manager.chmod(0o755)
    done = run_script(system, "prerm", "remove")
    assert (done.returncode, "settle this first" in done.stderr) == (1, True)
    service = "blackjack-cabinet.service"
    assert (system / "called").read_text(encoding="utf-8").splitlines() == [f"stop {service}", f"start {service}"]


@pytest.mark.parametrize("mounted", [True, False])
def test_a_user_made_anew_owns_the_second_copy_where_its_medium_is_connected(system: Path, mounted: bool):
    put_version(system, "1.2.3")
    answer = system / "stand-ins/mountpoint"
    answer.write_text(f"#!/bin/sh\nexit {int(not mounted)}\n", encoding="utf-8")
    answer.chmod(0o755)
    assert passes(run_script(system, "postinst", "configure", ""))
    called = (system / "called").read_text(encoding="utf-8").splitlines()
    assert ("chown -Rh blackjack:blackjack /media/second" in called) is mounted

"""The recipe of the image: what rpi-image-gen reads, and what its hooks do to a folder. The tool does not run here.

Read was rpi-image-gen v2.8.0, commit 262d4df5a9f9d4133370465399a7958a7c22cdc7 (August 2026): docs/layer/index.adoc,
docs/config/index.adoc, docs/execution/index.adoc, and the layers that are named here. `chroot` is a stand-in for the
system inside the folder, which belongs to another processor.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from cabinet.installation.first_boot.sequence import ANSWERS, PENDING
from cabinet.installation.paths import DATA_LABEL, NAME, Paths
from cabinet.installation.remount import SYSTEM
from cabinet.installation.setup.answers import HINTS
from cabinet.installation.system.boot_files import put_cmdline
from cabinet.installation.system.fstab import Mounts, put_mounts

ROOT = Path(__file__).parents[2]
IMAGE = ROOT / "image"
LAYERS = sorted((IMAGE / "layer").glob("*.yaml"))
CARD = IMAGE / "layer/image-cabinet-card.d"
CABINET = IMAGE / f"layer/{NAME}.d"
SCRIPTS = sorted([*IMAGE.glob("layer/*.d/hooks/*"), CARD / "settle-partition"])
NEEDED = ("Layer-Name", "Layer-Category", "Layer-Desc", "Layer-Version")
VARIABLE = ("Desc", "Required", "Valid", "Set")
FROM_THE_TOOL = {
    *("image-base", "linux-base", "debian-trixie-arm64-minbase-snapshot", "rpi-debian-trixie", "rpi-essential-base"),
    *("rpi-misc-skel", "systemd-net-min", "openssh-server", "systemd-timesyncd", "rpi-splash-screen", "rpi4"),
}
"""Layers of the tool that ours build on."""
PHASES = ("customize", "preimage")


def metadata(layer: Path) -> dict[str, str]:
    """Return the fields between METABEGIN and METAEND, without `X-Env-`; a line with a blank goes on."""
    block = layer.read_text(encoding="utf-8").partition("# METABEGIN\n")[2].partition("# METAEND\n")[0]
    fields: dict[str, str] = {}
    name = ""
    for line in (line[2:] for line in block.splitlines()):
        if line.startswith(" "):
            fields[name] += line
        elif line:
            name, _, value = line.removeprefix("X-Env-").partition(":")
            fields[name] = value.strip()
    return fields


def settings() -> dict[str, dict[str, str]]:
    """Return the configuration of the image."""
    read: dict[str, dict[str, str]] = yaml.safe_load((IMAGE / "config/cabinet.yaml").read_text(encoding="utf-8"))
    return read


def test_there_are_two_layers_and_a_configuration():
    assert [layer.stem for layer in LAYERS] == [NAME, "image-cabinet-card"]


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.stem)
def test_a_layer_has_the_fields_that_the_tool_wants(layer: Path):
    fields = metadata(layer)
    assert all(fields.get(name) for name in NEEDED)
    assert fields["Layer-Name"] == layer.stem
    assert re.fullmatch(r"\d+\.\d+\.\d+", fields["Layer-Version"])


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.stem)
def test_every_variable_of_a_layer_says_what_it_is_and_what_is_valid(layer: Path):
    fields = metadata(layer)
    names = [name for name in fields if re.fullmatch(r"Var-[a-z0-9_]+", name)]
    assert names
    assert "VarPrefix" in fields
    assert [f"{name}-{part}" for name in names for part in VARIABLE if not fields.get(f"{name}-{part}")] == []


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.stem)
def test_a_layer_has_yaml_with_packages_and_needs_only_known_layers(layer: Path):
    body = yaml.safe_load(layer.read_text(encoding="utf-8"))
    assert set(body) == {"mmdebstrap"}
    packages = body["mmdebstrap"]["packages"]
    assert packages == sorted(set(packages))
    required = {name.strip() for name in metadata(layer)["Layer-Requires"].split(",")}
    assert required <= FROM_THE_TOOL


def test_the_configuration_names_layers_that_are_there():
    found = settings()
    named = {found["device"]["layer"], found["image"]["layer"], *found["layer"].values()}
    assert named <= FROM_THE_TOOL | {layer.stem for layer in LAYERS}
    assert metadata(IMAGE / "layer/image-cabinet-card.yaml")["Layer-Provides"] == "image"


def test_no_password_is_ever_accepted():
    assert settings()["ssh"]["pubkey_only"] is True or settings()["ssh"]["pubkey_only"] == "y"
    assert not [name for name in settings()["device"] if "pass" in name]


def test_the_version_of_the_tool_is_one_and_the_build_checks_it():
    make = (ROOT / "Makefile").read_text(encoding="utf-8")
    (commit,) = re.findall(r"^TOOL_COMMIT := ([0-9a-f]{40})$", make, flags=re.MULTILINE)
    assert commit in (IMAGE / "config/cabinet.yaml").read_text(encoding="utf-8")
    assert commit in (IMAGE / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_can_run_and_the_shell_reads_it(script: Path):
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").startswith("#!/bin/sh\n")
    assert "\nset -eu\n" in script.read_text(encoding="utf-8")
    for shell in ("bash", "dash"):
        if shutil.which(shell):
            assert subprocess.run([shell, "-n", script], check=False).returncode == 0
    if checker := shutil.which("shellcheck"):
        done = subprocess.run([checker, script], capture_output=True, text=True, check=False)
        assert done.stdout == ""


def test_a_hook_is_named_by_its_phase():
    hooks = [script.name for script in SCRIPTS if script.parent.name == "hooks"]
    assert [name for name in hooks if not re.fullmatch(rf"({'|'.join(PHASES)})\d\d-[a-z-]+", name)] == []


# --- the hooks on a folder --------------------------------------------------------------------------------------

STAND_IN = """#!/bin/sh
echo "$*" >> "$LOG"
case "$*" in
*dpkg-query*cloud-init) printf installed ;;
*dpkg-query*bluez) printf config-files ;;
*dpkg-query*) exit 1 ;;
esac
"""


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """The folder of a system before the hooks."""
    root = tmp_path / "root"
    for folder in ("boot/firmware", "etc", "tmp", f"var/lib/{NAME}", f"var/lib/{NAME}-mark"):
        (root / folder).mkdir(parents=True)
    (root / "boot/firmware/cmdline.txt").write_text(
        "console=serial0,115200 root=PARTUUID=0a1b-02 rootfstype=ext4 rw fsck.repair=yes rootwait\n", encoding="utf-8"
    )
    return root


def run_hooks(root: Path, phase: str, **more: str) -> str:
    """Run the hooks of a phase in their order, as the tool does; return the calls into the system."""
    tools = root.parent / "tools"
    tools.mkdir(exist_ok=True)
    (tools / "chroot").write_text(STAND_IN, encoding="utf-8")
    (tools / "chroot").chmod(0o755)
    package = root.parent / "cabinet.deb"
    package.write_bytes(b"package")
    environment = {
        "PATH": f"{tools}:{os.environ['PATH']}",
        "LOG": str(root.parent / "log"),
        "IGconf_cabinet_package": str(package),
        **more,
    }
    for script in SCRIPTS:
        if script.name.startswith(phase):
            command = [script, root, root.parent]
            subprocess.run(command, check=True, env=environment, cwd=script.parent, stdin=subprocess.DEVNULL)
    log = root.parent / "log"
    return log.read_text(encoding="utf-8") if log.exists() else ""


def test_the_package_is_installed_and_its_file_does_not_stay(system: Path):
    calls = run_hooks(system, "customize")
    assert f"{system} apt-get install --yes --no-install-recommends /tmp/blackjack-cabinet.deb" in calls
    assert list((system / "tmp").iterdir()) == []


def test_only_what_is_installed_is_removed(system: Path):
    calls = run_hooks(system, "customize")
    assert re.findall(r"purge --yes (\S+)", calls) == ["cloud-init"]


def test_what_waits_for_a_network_or_uses_a_radio_never_starts(system: Path):
    run_hooks(system, "customize")
    masked = {link.name for link in (system / "etc/systemd/system").iterdir() if link.is_symlink()}
    wanted = {"systemd-networkd-wait-online.service", "bluetooth.service", "apt-daily.timer", "wpa_supplicant.service"}
    assert wanted <= masked
    assert {str((system / "etc/systemd/system" / name).readlink()) for name in masked} == {"/dev/null"}


def test_the_card_is_new_and_the_cabinet_is_wanted_at_each_start(system: Path):
    run_hooks(system, "customize")
    paths = Paths(root=system)
    assert (paths.first_boot / PENDING).exists()
    assert (paths.units / f"multi-user.target.wants/{NAME}.service").is_symlink()
    assert (system / "etc/machine-id").read_bytes() == b""


def test_a_card_with_books_of_the_build_is_not_made(system: Path):
    (Paths(root=system).mark / "has-books").touch()
    with pytest.raises(subprocess.CalledProcessError):
        run_hooks(system, "customize")


def test_a_missing_package_stops_the_build(system: Path):
    with pytest.raises(subprocess.CalledProcessError):
        run_hooks(system, "customize", IGconf_cabinet_package=str(system / "none.deb"))


def test_the_example_has_known_answers_and_is_refused_until_it_is_changed(system: Path):
    run_hooks(system, "customize")
    import tomllib

    (example,) = (system / "boot/firmware").glob("*.toml")
    assert example.name != ANSWERS
    answers = tomllib.loads(example.read_text(encoding="utf-8"))
    assert set(answers) <= set(HINTS)
    assert (answers["number"], answers["technician_pin"]) == (42, "")


# --- the card ---------------------------------------------------------------------------------------------------

SIZES = {
    name: metadata(IMAGE / "layer/image-cabinet-card.yaml")[f"Var-{name}"]
    for name in ("boot_part_size", "root_part_size", "var_part_size", "books_part_size")
}


def described(system: Path) -> str:
    """Return the description of the card for genimage."""
    sizes = {f"IGconf_image_{name}": size for name, size in SIZES.items()}
    more = {"IGconf_image_name": "cabinet", "IGconf_image_suffix": "img", "LAYER_DOTD": str(CARD)}
    run_hooks(system, "preimage", **sizes, **more)
    return (system.parent / "genimage.cfg").read_text(encoding="utf-8")


def test_nothing_in_the_description_of_the_card_is_left_open(system: Path):
    text = described(system)
    assert "<" not in text
    assert text.count("{") == text.count("}")


def test_the_books_are_the_last_partition_and_empty(system: Path):
    text = described(system)
    assert re.findall(r"^   partition (\w+)", text, flags=re.MULTILINE) == ["boot", "root", "var", "books"]
    books = text.partition("image books.ext4")[2]
    assert f'label = "{DATA_LABEL}"' in books
    assert "empty = true" in books


def test_the_same_system_gives_the_same_card(system: Path):
    text = described(system)
    assert "random" not in text
    assert text.count("hash_seed=") == text.count("use-mke2fs = true") == 3


def settle(system: Path, name: str, folder: Path) -> None:
    """Settle a partition as genimage does."""
    environment = {**os.environ, "IMAGEMOUNTPATH": str(folder)}
    subprocess.run([CARD / "settle-partition", name], check=True, env=environment)


def test_the_kernel_mounts_the_system_of_the_card_read_only(system: Path):
    settle(system, "BOOT", system / "boot/firmware")
    line = (system / "boot/firmware/cmdline.txt").read_text(encoding="utf-8")
    assert line == ("console=serial0,115200 rootfstype=ext4 fsck.repair=yes rootwait root=PARTUUID=b1acc4b1-02 ro\n")


def test_a_boot_partition_without_a_kernel_line_is_not_made(system: Path):
    (system / "boot/firmware/cmdline.txt").unlink()
    with pytest.raises(subprocess.CalledProcessError):
        settle(system, "BOOT", system / "boot/firmware")


def test_the_system_and_the_boot_files_are_read_only_and_var_is_not(system: Path):
    settle(system, "ROOT", system)
    rows = [line.split() for line in (system / "etc/fstab").read_text(encoding="utf-8").splitlines()]
    options = {Path(row[1]): row[3].split(",") for row in rows}
    assert {folder for folder, found in options.items() if "ro" in found} == set(SYSTEM)
    assert "rw" in options[Path("/var")]


def test_a_missing_partition_does_not_stop_the_start_and_the_cabinet_waits_for_one_that_is_there(system: Path):
    settle(system, "ROOT", system)
    for line in (system / "etc/fstab").read_text(encoding="utf-8").splitlines():
        if line.split()[1] != "/":
            assert {"nofail", "x-systemd.before=local-fs.target"} <= set(line.split()[3].split(","))


def test_the_set_up_adds_the_books_to_the_mounts_of_the_card(system: Path):
    settle(system, "ROOT", system)
    text = (system / "etc/fstab").read_text(encoding="utf-8")
    after = put_mounts(text, Mounts(books=True, second=False))
    assert after.startswith(text)
    assert f"LABEL={DATA_LABEL}" in after


def test_the_set_up_leaves_the_picture_of_the_start():
    line = put_cmdline("fullscreen_logo=1 fullscreen_logo_name=logo.tga root=PARTUUID=b1acc4b1-02 ro\n")
    assert not {"quiet", "loglevel=3", "logo.nologo"} & set(line.split())
    assert {"console=tty3", "fullscreen_logo=1"} <= set(line.split())


def test_apt_can_write_the_system_and_leaves_it_read_only():
    (file,) = (CABINET / "customize.overlay/etc/apt/apt.conf.d").iterdir()
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("DPkg")]
    assert [(line.split()[0], "remount,rw" in line, "remount,ro" in line) for line in lines] == [
        ("DPkg::Pre-Invoke", True, False),
        ("DPkg::Post-Invoke", False, True),
    ]

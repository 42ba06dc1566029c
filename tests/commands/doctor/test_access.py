"""Boot order, remote access, radio and firewall of the examined machine."""

from dataclasses import replace

import pytest
from support.visits import GOOD, POOR, is_, link, put, simulated

from cabinet.commands.doctor.access import (
    SshFile,
    boot_loader_finding,
    check_boot_loader,
    check_firewall,
    check_radio,
    check_ssh,
    ssh_finding,
)
from cabinet.commands.doctor.findings import Grade
from cabinet.commands.doctor.visit import Visit
from cabinet.installation.system.drop_ins import SSHD, firewall_lines

UNITS = "/etc/systemd/system"

# --- boot loader ------------------------------------------------------------------------------------------------

REST = "WAKE_ON_GPIO=0\n"


@pytest.mark.parametrize(
    ("settings", "medium", "grade", "words"),
    [
        ("", "mmcblk0p2", GOOD, "no settings"),
        (f"[all]\nBOOT_ORDER=0xf1\n{REST}", "mmcblk0p2", GOOD, "mmcblk0p2 only"),
        (f"[all]\nBOOT_ORDER=0xf41\n{REST}", "mmcblk0p2", POOR, "BOOT_ORDER=0xf41"),
        (f"[all]\nBOOT_ORDER=0xf1\n{REST}", "nvme0n1p2", POOR, "set BOOT_ORDER=0xf6 with"),
        (f"[all]\nBOOT_UART=1\nBOOT_ORDER=0xf1\n{REST}", "mmcblk0p2", POOR, "set BOOT_UART=0 with"),
        (f"[all]\n{REST}", "mmcblk0p2", POOR, "no BOOT_ORDER"),
        (f"[all]\n{REST}", "", GOOD, "as wanted"),
    ],
)
def test_the_medium_with_the_system_alone_starts_the_machine(settings: str, medium: str, grade: Grade, words: str):
    is_(boot_loader_finding(settings, medium), grade, words)


def test_the_boot_loader_is_asked_by_its_own_program(world: Visit):
    asked: list[tuple[str, ...]] = []

    def output_of(*command: str) -> str:
        asked.append(command)
        return f"BOOT_ORDER=0xf41\n{REST}"

    put(world, "/proc/self/mountinfo", "24 1 179:2 / / rw - ext4 /dev/mmcblk0p2 rw\n")
    there = replace(world, output_of=output_of)
    is_(check_boot_loader(there), POOR, "0xf41", "BOOT_ORDER=0xf1", "another socket")
    assert asked == [("rpi-eeprom-config",)]
    is_(check_boot_loader(simulated(there)), GOOD, "simulated")
    assert len(asked) == 1


# --- remote access ----------------------------------------------------------------------------------------------


def test_remote_access_is_off_or_needs_a_key(world: Visit):
    is_(check_ssh(world), GOOD, "off")
    link(world, f"{UNITS}/multi-user.target.wants/ssh.service")
    is_(check_ssh(world), POOR, "a password opens it (passwordauthentication yes)")
    is_(check_ssh(simulated(world)), GOOD, "simulated")
    put(world, "/etc/ssh/sshd_config", "Include /etc/ssh/sshd_config.d/*.conf\nKbdInteractiveAuthentication no\n")
    put(world, "/etc/ssh/sshd_config.d/50-cloud-init.conf", "PasswordAuthentication yes\n")
    is_(check_ssh(world), POOR, "a password opens it")
    put(world, "/etc/ssh/sshd_config.d/01-blackjack-cabinet.conf", "\n".join(SSHD) + "\n")
    is_(check_ssh(world), GOOD, "with a key only")


@pytest.mark.parametrize("unit", ["sockets.target.wants/ssh.socket", "multi-user.target.wants/sshd.service"])
def test_each_way_to_start_the_server_counts(world: Visit, unit: str):
    link(world, f"{UNITS}/{unit}")
    is_(check_ssh(world), POOR, "on")


def test_a_masked_server_is_off_though_it_was_enabled(world: Visit):
    link(world, f"{UNITS}/multi-user.target.wants/ssh.service")
    for unit in ("ssh.service", "ssh.socket"):
        world.at(f"{UNITS}/{unit}").symlink_to("/dev/null")
    is_(check_ssh(world), GOOD, "off")


KEYS_ONLY = "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"


@pytest.mark.parametrize(
    ("texts", "grade", "words"),
    [
        ((KEYS_ONLY,), GOOD, "key only"),
        ((KEYS_ONLY, "PasswordAuthentication yes\n"), GOOD, "key only"),
        (("PasswordAuthentication yes\n", KEYS_ONLY), POOR, "passwordauthentication yes"),
        (("PasswordAuthentication no\n",), POOR, "kbdinteractiveauthentication yes"),
        (("Match User a\n" + KEYS_ONLY,), POOR, "passwordauthentication yes"),
        (("#PasswordAuthentication no\n",), POOR, "passwordauthentication yes"),
        (("passwordauthentication=no\nKBDINTERACTIVEAUTHENTICATION no\n",), GOOD, "key only"),
        ((KEYS_ONLY, None), GOOD, "key only"),
        ((None, KEYS_ONLY), POOR, "0 may not be read"),
    ],
)
def test_the_first_value_of_the_server_is_in_force(texts: tuple[str | None, ...], grade: Grade, words: str):
    files = [SshFile(name=str(number), text=text) for number, text in enumerate(texts)]
    is_(ssh_finding(files, enabled=True), grade, words)


# --- radio ------------------------------------------------------------------------------------------------------


def test_a_sender_that_is_on_is_poor(world: Visit):
    is_(check_radio(world), GOOD, "none")
    blocks = {}
    for number, kind in enumerate(("wlan", "bluetooth")):
        place = f"/sys/class/rfkill/rfkill{number}"
        put(world, f"{place}/name", f"{kind}0\n")
        put(world, f"{place}/type", f"{kind}\n")
        put(world, f"{place}/hard", "0\n")
        blocks[kind] = put(world, f"{place}/soft", "0\n")
    is_(check_radio(world), POOR, "wlan0 (wlan), bluetooth0 (bluetooth)", "disable-wifi")
    is_(check_radio(simulated(world)), GOOD, "simulated")
    blocks["wlan"].write_text("1\n")
    is_(check_radio(world), POOR, "on: bluetooth0 (bluetooth)")
    put(world, "/sys/class/rfkill/rfkill1/hard", "1\n")
    is_(check_radio(world), GOOD, "off")


# --- firewall ---------------------------------------------------------------------------------------------------


def test_the_firewall_drops_what_comes_in_and_is_loaded_at_every_start(world: Visit):
    is_(check_firewall(world), POOR, "no table", "`cabinet setup`")
    rules = put(world, "/etc/nftables.conf", "#!/usr/sbin/nft -f\n" + "\n".join(firewall_lines(ssh=True)) + "\n")
    is_(check_firewall(world), POOR, "nothing loads it", "systemctl enable --now nftables")
    link(world, f"{UNITS}/sysinit.target.wants/nftables.service")
    is_(check_firewall(world), GOOD, "drops what comes in")
    is_(check_firewall(simulated(world)), GOOD, "simulated")
    for other in (
        "chain input {\n type filter hook input priority 0; policy accept;\n}\n# hook input policy drop\n",
        "chain input { type filter hook input priority 0; }\nchain forward { hook forward; policy drop; }\n",
    ):
        rules.write_text(other)
        is_(check_firewall(world), POOR, "no table")

"""Boot order, remote access, radio and firewall of the examined machine."""

from dataclasses import replace

import pytest
from support.visits import GOOD, POOR, is_, link, put, simulated

from cabinet.commands.doctor.access import (
    SshFile,
    boot_order_finding,
    check_boot_order,
    check_firewall,
    check_radio,
    check_ssh,
    ssh_finding,
)
from cabinet.commands.doctor.findings import Grade
from cabinet.commands.doctor.visit import Visit
from cabinet.installation.system_files import SSHD, firewall_lines

UNITS = "/etc/systemd/system"

# --- boot order -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "grade", "words"),
    [
        ("", GOOD, "not known"),
        ("[all]\nBOOT_UART=0\nBOOT_ORDER=0xf1\n", GOOD, "0xf1: card"),
        ("[all]\nBOOT_ORDER=0xf6\n", GOOD, "NVMe"),
        ("[all]\nBOOT_ORDER=0xf4\n", GOOD, "USB"),
        ("[all]\nBOOT_ORDER=0xf41\n", POOR, "card, then USB"),
        ("[all]\nBOOT_ORDER=0xF461\n", POOR, "card, then NVMe, then USB"),
        ("[all]\nBOOT_ORDER=0xf2\n", POOR, "network"),
        ("[all]\nBOOT_ORDER=0xf\n", POOR, "0xf"),
        ("[all]\nBOOT_UART=0\n", POOR, "card, then USB"),
        ("[all]\nBOOT_ORDER=0xf41\n[all]\nBOOT_ORDER=0xf1\n", GOOD, "card"),
    ],
)
def test_one_medium_alone_starts_the_machine(settings: str, grade: Grade, words: str):
    is_(boot_order_finding(settings), grade, words)


def test_the_boot_loader_is_asked_by_its_own_program(world: Visit):
    asked: list[tuple[str, ...]] = []

    def output_of(*command: str) -> str:
        asked.append(command)
        return "BOOT_ORDER=0xf41\n"

    there = replace(world, output_of=output_of)
    is_(check_boot_order(there), POOR, "0xf41", "BOOT_ORDER=0xf1")
    assert asked == [("rpi-eeprom-config",)]
    is_(check_boot_order(simulated(there)), GOOD, "simulated")
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

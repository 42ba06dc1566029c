"""The small system files of a cabinet: log, time service, sound, firewall and remote access. Pure.

Each function returns the lines of one block. Rules: the cabinet uses drop-ins where the system has them, so that files
of other packages stay as they are.
"""

from enum import StrEnum
from typing import Final

JOURNALD: Final = (
    "# Raspberry Pi OS keeps the log in memory; a cabinet needs it after a power cut.",
    "[Journal]",
    "Storage=persistent",
    "SystemMaxUse=64M",
    "SystemMaxFileSize=8M",
    "MaxRetentionSec=3month",
    "SyncIntervalSec=1min",
    "RateLimitIntervalSec=30s",
    "RateLimitBurst=2000",
    "ForwardToConsole=no",
)

SSHD: Final = (
    "# Remote access for the technician: with a key, never with a password.",
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "PermitRootLogin no",
)

CLOUD_INIT: Final = ("# It has done its work at the first start; at each other one it would make the player wait.",)

MASKED_UNITS: Final[dict[str, str]] = {
    "ctrl-alt-del.target": "a connected keyboard must not restart the machine",
    "getty@tty1.service": "the player's screen has no login",
    "NetworkManager-wait-online.service": "the start must not wait for a network",
    "apt-daily.timer": "the program must not change without the technician",
    "apt-daily-upgrade.timer": "the program must not change without the technician",
    "man-db.timer": "needless work on the card",
    "ModemManager.service": "it would send bytes to the acceptor",
    "brltty.service": "it would take the serial adapters",
    "brltty-udev.service": "it would take the serial adapters",
}
"""Unit -> why a cabinet never starts it."""


class Sound(StrEnum):
    """The output of the sound."""

    HDMI_1 = "hdmi1"
    HDMI_2 = "hdmi2"
    USB = "usb"
    NONE = "none"


def sound_lines(card: str) -> tuple[str, ...]:
    """Returns the settings of the sound library for a card's name; for an empty name there is no sound."""
    if not card:
        return ("pcm.!default {", "    type null", "}")
    return (
        "# By the card's name: numbers change between starts. sysdefault converts what an HDMI output cannot play.",
        "pcm.!default {",
        "    type plug",
        f'    slave.pcm "sysdefault:CARD={card}"',
        "}",
        "ctl.!default {",
        "    type hw",
        f"    card {card}",
        "}",
    )


def time_server_lines(server: str) -> tuple[str, ...]:
    """Returns the settings of the time service; none for the servers of the system."""
    return ("[Time]", f"NTP={server}") if server else ()


def firewall_lines(*, ssh: bool) -> tuple[str, ...]:
    """Returns the firewall's table: answers only, and the technician's access if `ssh` is true."""
    return (
        "table inet blackjack_cabinet {",
        "    chain input {",
        "        type filter hook input priority filter; policy drop;",
        "        ct state established,related accept",
        '        iif "lo" accept',
        "        icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-advert } accept",
        "        ip6 saddr fe80::/10 udp dport 546 accept",
        *(["        tcp dport 22 accept"] if ssh else []),
        "    }",
        "    chain forward {",
        "        type filter hook forward priority filter; policy drop;",
        "    }",
        "}",
    )

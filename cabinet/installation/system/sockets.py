"""The udev rules that name acceptor and printer by the USB socket they are plugged into. Pure.

Rules: many serial adapters have no number of their own, so the socket is the name. A path is udev's `ID_PATH`. Two
devices never have the same socket. The names are those of the settings.
"""

import re
from collections.abc import Mapping
from typing import Final

from cabinet.installation.errors import InstallationError
from cabinet.installation.system.blocks import put_block

ACCEPTOR, PRINTER = "acceptor", "printer"
_END: Final = "blackjack_cabinet_sockets_end"
_FOR_BOTH: Final = (
    'ENV{CABINET_LINE}=="?*", TAG+="systemd", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1", '
    'ENV{ID_MM_PORT_IGNORE}="1"'
)
_PATH: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9:._/-]*")
_RULE: Final = re.compile(r'^ENV\{ID_PATH\}=="([^"]+)", .*ENV\{CABINET_LINE\}="(\w+)"', re.MULTILINE)
_NAME: Final = re.compile(r"/dev/((?!tty|serial/)[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*)")
"""A name that a rule can give, other than those of the kernel and the system."""


class SocketError(InstallationError):
    """A socket cannot be used; the message says why and what to do."""


def gives_name(port: str) -> bool:
    """Returns True if the rules can give a device this name, such as `/dev/cabinet/acceptor`."""
    return _NAME.fullmatch(port) is not None


def put_sockets(text: str, sockets: Mapping[str, str], ports: Mapping[str, str] | None = None) -> str:
    """Returns the rules for these sockets: `acceptor` and `printer` -> ID_PATH. Raises SocketError and BlockError.

    `ports` are the names in the settings; where the rules cannot give such a name, the usual one is given.
    """
    for name, path in sockets.items():
        if not _PATH.fullmatch(path):
            raise SocketError(
                f"{name}: found the socket {path!r}, expected a path such as platform-xhci-hcd.0-usb-0:1:1.0"
            )
    if len(set(sockets.values())) != len(sockets):
        raise SocketError(
            f"acceptor and printer: found the same socket {next(iter(sockets.values()))} for both, expected two; plug "
            "each adapter into its own socket"
        )
    return put_block(text, _rules(sockets, ports or {}) if sockets else ())


def read_sockets(text: str) -> dict[str, str]:
    """Returns the sockets that these rules name: `acceptor` and `printer` -> ID_PATH."""
    return {name: path for path, name in _RULE.findall(text)}


def _name(name: str, ports: Mapping[str, str]) -> str:
    found = _NAME.fullmatch(ports.get(name, ""))
    return found[1] if found else f"cabinet/{name}"


def _rules(sockets: Mapping[str, str], ports: Mapping[str, str]) -> tuple[str, ...]:
    return (
        f'ACTION=="remove", GOTO="{_END}"',
        f'SUBSYSTEM!="tty", GOTO="{_END}"',
        f'KERNEL!="ttyUSB*|ttyACM*", GOTO="{_END}"',
        "# The system's own rule that sets ID_PATH may come later in the alphabet.",
        'IMPORT{builtin}="path_id"',
        *(
            f'ENV{{ID_PATH}}=="{path}", SYMLINK+="{_name(name, ports)}", ENV{{CABINET_LINE}}="{name}"'
            for name, path in sorted(sockets.items())
        ),
        "# ModemManager, where installed, must not send bytes to an acceptor.",
        _FOR_BOTH,
        f'LABEL="{_END}"',
    )

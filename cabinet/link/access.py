"""Who may read: the user of the cabinet, root, and the group of the socket."""

import grp
import os
import pwd
import socket
import struct
from pathlib import Path

_CREDENTIALS = struct.Struct("3i")
"""Process, user and group of the other side, as the kernel gives them."""


def why_not(connection: socket.socket, path: Path) -> str:
    """Returns why the other side of a connection may not read the cabinet of this socket; empty when it may."""
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _, user, group = _CREDENTIALS.unpack(found)
    return "" if may_read(user, group, path.stat().st_gid) else f"user {user} is not in the group of {path}"


def may_read(user: int, group: int, wanted: int) -> bool:
    """Returns True for root, for this program's own user, and for a user whose groups include `wanted`."""
    return user in {0, os.geteuid()} or group == wanted or user in _members(wanted)


def _members(group: int) -> set[int]:
    """Returns the users that the system lists for a group."""
    try:
        names = grp.getgrgid(group).gr_mem
    except KeyError:
        return set()
    return {found.pw_uid for name in names if (found := _user(name)) is not None}


def _user(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None

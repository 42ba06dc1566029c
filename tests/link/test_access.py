"""Who may read a cabinet."""

import grp
import os
import pwd
import socket
from pathlib import Path

from cabinet.link.access import may_read, why_not

STRANGER, THEIRS, WANTED = 61_234, 61_235, 61_236
"""A user and groups that the system does not know."""


def test_root_and_the_own_user_may_read():
    assert may_read(0, THEIRS, WANTED)
    assert may_read(os.geteuid(), THEIRS, WANTED)


def test_the_group_of_the_socket_may_read():
    assert may_read(STRANGER, WANTED, WANTED)
    member = next((group for group in grp.getgrall() if group.gr_mem), None)
    if member is not None:
        assert may_read(pwd.getpwnam(member.gr_mem[0]).pw_uid, THEIRS, member.gr_gid)


def test_a_stranger_may_not():
    assert not may_read(STRANGER, THEIRS, WANTED)


def test_the_kernel_names_the_other_side(tmp_path: Path):
    near, far = socket.socketpair()
    with near, far:
        assert why_not(near, tmp_path) == ""

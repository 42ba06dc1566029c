"""The file `bin/cabinet` of a version in a test: it lets a server start the program and ends as the program ends.

Loads little, because an update starts many programs. What the server does is in `program_server.py`.
"""

import _socket
import marshal
import os
import signal
import sys
from typing import NoReturn

LONGEST = 2**17
"""The length of the longest message, in bytes."""
STREAMS = 3
"""The standard streams, which are passed on."""
PASSED = (signal.SIGTERM, signal.SIGINT)
"""The signals that are passed on. They wait until there is a program to pass them on to."""


def launch(address: str, *what: str | int) -> NoReturn:
    """Starts the program with the arguments of this process; `what` is for its function `main`."""
    signal.pthread_sigmask(signal.SIG_BLOCK, PASSED)
    server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    server.connect(f"\0{address}")
    folder = os.getcwd()  # noqa: PTH109 - pathlib is slow to load
    message = marshal.dumps((what, sys.argv, dict(os.environ), folder, os.getpgrp()))
    streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(STREAMS))
    server.sendmsg([message], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
    for each in PASSED:
        signal.signal(each, lambda number, _: server.send(bytes([number])) and None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED)
    ended = int(server.recv(LONGEST))
    if ended >= 0:
        os._exit(ended)
    if -ended in PASSED:
        signal.signal(-ended, signal.SIG_DFL)
    os.kill(os.getpid(), -ended)
    raise AssertionError(f"a signal that ends a program does not end its launcher: {-ended}")

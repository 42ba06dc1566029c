"""Where the socket of a cabinet is: in a folder that readers may enter, or beside the books.

Rules: the name in the common folder depends on the folder of the books, so that two cabinets never share one. A path of
any length can be used: the system's limit of 107 bytes is kept by a name below a folder that is open.
"""

import hashlib
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

COMMON: Final = Path("/run/blackjack-cabinet-readers")
"""The folder that systemd makes for an installed cabinet; its group may read."""
BESIDE: Final = "readers.sock"
"""The name beside the books, where there is no such folder."""


def places(data: Path, common: Path = COMMON) -> tuple[Path, Path]:
    """Returns where the socket of the books in `data` can be: in the common folder, and beside the books."""
    real = os.path.realpath(data)
    name = hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
    return common / f"{name}.sock", Path(real) / BESIDE


def place_to_serve(data: Path, common: Path = COMMON) -> Path:
    """Returns where a cabinet has its socket: in the common folder if it can be written."""
    shared, beside = places(data, common)
    return shared if os.access(shared.parent, os.W_OK | os.X_OK) else beside


@contextmanager
def short(path: Path) -> Iterator[str]:
    """Yields a name of the socket that is short enough for the system. Raises OSError without its folder."""
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def listen(path: Path) -> socket.socket:
    """Returns a socket that listens at the path, for its owner and its group. One that a killed cabinet left there is
    replaced: the caller owns the books, so no cabinet uses it. Raises OSError."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.setblocking(False)
        fresh.unlink(missing_ok=True)
        with short(fresh) as name:
            listening.bind(name)
        fresh.chmod(0o660)
        listening.listen(64)
        fresh.replace(path)
    except OSError:
        listening.close()
        fresh.unlink(missing_ok=True)
        raise
    return listening

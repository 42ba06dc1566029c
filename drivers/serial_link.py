"""A serial line: the only code that uses pyserial.

Rules:
- One owner, by two means. The lock (flock) refuses every second program that uses the lock, even as root. The
  exclusive mode of the terminal (TIOCEXCL) refuses every other open, also without the lock, except as root. Neither
  stops a program that opened the line earlier.
- The exclusive mode ends with the last close of a real port. A pseudo-terminal keeps it while its other side is open,
  so `close` ends it first.
- DTR and RTS are set to "ready" before opening, so that they do not change at the opening.
- Reading and writing both have a time limit.
- A failure to open is a `LineError` that names the remedy. A later failure is a `LineGoneError`, because an unplugged
  adapter, a hang-up and a second reader cannot be distinguished. The owner of the link closes it and opens again.
- On a line with parity a byte with wrong parity is dropped: some protocols have no other check.
- Parity on the Raspberry Pi's mini UART is refused: that chip has no parity and would silently send wrong frames.

Knows no protocol and does not retry.
"""

import contextlib
import errno
import fcntl
import os
import select
import socket
import termios
from pathlib import Path
from typing import Protocol

import serial

from drivers.errors import LineError, LineGoneError
from drivers.protocol import LineSettings, Parity

_WRITE_TIMEOUT_S = 2.0
_MINI_UART = b"bcm2835-aux-uart"
_TAKEN = frozenset({errno.EBUSY, errno.EWOULDBLOCK})


class Link(Protocol):
    """The line as a pump uses it."""

    def read(self, max_wait_s: float) -> bytes:
        """Returns bytes as soon as some arrive; empty when none arrive in time. Raises LineGoneError."""

    def write(self, data: bytes) -> None:
        """Sends all of `data`. Raises LineGoneError."""

    def wake(self) -> None:
        """Ends a waiting `read`, or the next one; for any thread."""

    def close(self) -> None:
        """Closes the line; harmless when it is already gone."""


class SerialLink:
    """An open serial line at `path`. The constructor opens it and raises LineError.

    `settings` keeps the requested settings for tests, because a pseudo-terminal hides parity and stop bits.
    """

    def __init__(self, path: str, settings: LineSettings) -> None:
        self.path = path
        self.settings = settings
        _refuse_parity_on_mini_uart(path, settings)
        try:
            self._port = prepare_port(settings)
            self._port.port = path
            self._port.open()
            fcntl.ioctl(self._port.fileno(), termios.TIOCEXCL)
            if settings.parity is not Parity.NONE:
                _drop_damaged_bytes(self._port.fileno())
        except (OSError, ValueError, termios.error) as reason:
            raise LineError(_explain(path, settings, reason)) from reason
        self._woken, self._waker = socket.socketpair()
        self._waker.setblocking(False)

    def read(self, max_wait_s: float) -> bytes:
        """Returns bytes as soon as some arrive, or empty after `max_wait_s`."""
        try:
            line = self._port.fileno()
            ready, _, _ = select.select([line, self._woken.fileno()], [], [], max_wait_s)
            if self._woken.fileno() in ready:
                self._woken.recv(4096)
            return bytes(self._port.read(max(1, self._port.in_waiting))) if line in ready else b""
        except (OSError, ValueError, TypeError, termios.error) as reason:
            raise LineGoneError(f"{self.path} is gone while reading: {reason}") from reason

    def wake(self) -> None:
        """Ends a waiting `read`; harmless at any other time."""
        with contextlib.suppress(OSError):
            self._waker.send(b"!")

    def write(self, data: bytes) -> None:
        """Sends all of `data`, or raises LineGoneError within two seconds."""
        try:
            self._port.write(data)
        except (OSError, termios.error) as reason:
            raise LineGoneError(f"{self.path} is gone while writing {len(data)} bytes: {reason}") from reason

    def close(self) -> None:
        """Closes the line; may be called again."""
        self._woken.close()
        self._waker.close()
        try:
            if self._port.is_open:
                with contextlib.suppress(OSError):
                    fcntl.ioctl(self._port.fileno(), termios.TIOCNXCL)
            self._port.close()
        except (OSError, termios.error) as reason:
            raise LineGoneError(f"{self.path} is gone while closing: {reason}") from reason


def open_link(path: str, settings: LineSettings) -> Link:
    """Opens `path` exclusively. Raises LineError with a sentence for the log."""
    return SerialLink(path, settings)


def describe(settings: LineSettings) -> str:
    """Returns the usual short form, such as "9600 8N2"."""
    return f"{settings.baud} {settings.data_bits}{settings.parity.value}{settings.stop_bits}"


def has_mini_uart(path: str, *, sys_root: Path = Path("/sys")) -> bool:
    """Returns True if `path` is the Raspberry Pi's mini UART, which has no parity; its device-tree node decides.

    False for a missing path or a broken link; opening it reports that error.
    """
    try:
        name = Path(os.path.realpath(path)).name
        return _MINI_UART in (sys_root / "class/tty" / name / "device/of_node/compatible").read_bytes()
    except (OSError, ValueError):
        return False


def _refuse_parity_on_mini_uart(path: str, settings: LineSettings) -> None:
    if settings.parity is not Parity.NONE and has_mini_uart(path):
        raise LineError(
            f"{path} is the Raspberry Pi's mini UART and has no parity, but {describe(settings)} is needed; "
            "use a USB adapter, or move Bluetooth off the full UART and use that"
        )


def _drop_damaged_bytes(line: int) -> None:
    """Makes the kernel drop bytes with wrong parity. pyserial sends parity, but does not check it on reception."""
    attributes = termios.tcgetattr(line)
    attributes[0] |= termios.INPCK | termios.IGNPAR
    termios.tcsetattr(line, termios.TCSANOW, attributes)


def prepare_port(settings: LineSettings) -> serial.Serial:
    """Returns a port with these settings that is not open yet and will use the lock. Raises ValueError for settings
    that no port has."""
    port = serial.Serial()
    port.baudrate = settings.baud
    port.bytesize = settings.data_bits
    port.parity = settings.parity.value
    port.stopbits = settings.stop_bits
    port.timeout = 0
    port.write_timeout = _WRITE_TIMEOUT_S
    port.exclusive = True
    port.dtr = True
    port.rts = True
    return port


def _explain(path: str, settings: LineSettings, reason: Exception) -> str:
    if isinstance(reason, OSError) and reason.errno in _TAKEN:
        return (
            f"the serial line {path} is in use by another program; stop that program, which may be a cabinet that is "
            "still running, and try again"
        )
    return (
        f"cannot open the serial line {path} at {describe(settings)}: {reason}; "
        "check that the adapter is plugged in and that the udev name points to it"
    )

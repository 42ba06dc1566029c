"""A serial line: the only code that knows pyserial.

Rules:
- One owner, in two ways. The lock (flock) refuses a second program that asks for the lock, also one of root. The
  exclusive mode of the terminal (TIOCEXCL) refuses every other open, of programs without the lock, too; root can still
  open then. A program that had the line open before us is not shut out.
- The exclusive mode ends with the last close of a real port. A pseudo-terminal keeps it while its other side is open,
  so it is ended before the line is closed.
- DTR and RTS are set before opening, so that opening does not make them jump; both stand at "ready".
- Reading and writing are both bounded in time.
- Whatever goes wrong while opening is a `LineError` that says what to do; whatever goes wrong afterwards is a
  `LineGoneError`, because an unplugged adapter, a hang-up and a second reader look alike. Whoever owns the link closes
  it and opens again.
- On a line with parity a byte that arrives with the wrong one is dropped: some protocols have no other check.
- Parity on the Raspberry Pi's mini UART is refused: that chip has none and would silently send wrong frames.

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
    """What a pump needs of a line."""

    def read(self, max_wait_s: float) -> bytes:
        """Bytes as soon as there are some; empty when none came in time. Raises LineGoneError."""

    def write(self, data: bytes) -> None:
        """Send all of it. Raises LineGoneError."""

    def wake(self) -> None:
        """From any thread: end a `read` that is waiting, now or the next one."""

    def close(self) -> None:
        """Give the line back; harmless when it is gone already."""


class SerialLink:
    """An open serial line at `path`; opening happens in the constructor and raises LineError.

    `settings` are kept as asked: a pseudo-terminal hides parity and stop bits, so this is what tests can look at.
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
        """Bytes as soon as there are some, at the latest after `max_wait_s` (then empty)."""
        try:
            line = self._port.fileno()
            ready, _, _ = select.select([line, self._woken.fileno()], [], [], max_wait_s)
            if self._woken.fileno() in ready:
                self._woken.recv(4096)
            return bytes(self._port.read(max(1, self._port.in_waiting))) if line in ready else b""
        except (OSError, ValueError, TypeError, termios.error) as reason:
            raise LineGoneError(f"{self.path} is gone while reading: {reason}") from reason

    def wake(self) -> None:
        """End a `read` that is waiting; harmless at any other time."""
        with contextlib.suppress(OSError):
            self._waker.send(b"!")

    def write(self, data: bytes) -> None:
        """Send all of `data`, or raise within two seconds."""
        try:
            self._port.write(data)
        except (OSError, termios.error) as reason:
            raise LineGoneError(f"{self.path} is gone while writing {len(data)} bytes: {reason}") from reason

    def close(self) -> None:
        """Give the line back; may be called again."""
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
    """Open `path` for ourselves alone. Raises LineError with a sentence for the log."""
    return SerialLink(path, settings)


def describe(settings: LineSettings) -> str:
    """The usual short form, such as "9600 8N2"."""
    return f"{settings.baud} {settings.data_bits}{settings.parity.value}{settings.stop_bits}"


def has_mini_uart(path: str, *, sys_root: Path = Path("/sys")) -> bool:
    """Whether `path` is the Raspberry Pi's mini UART, which has no parity (its device-tree node says so).

    A path that is none, or a link that leads nowhere, is not; opening says what is wrong with it.
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
    """Let the kernel drop bytes of wrong parity. pyserial sends parity, but has it not looked at in what comes in."""
    attributes = termios.tcgetattr(line)
    attributes[0] |= termios.INPCK | termios.IGNPAR
    termios.tcsetattr(line, termios.TCSANOW, attributes)


def prepare_port(settings: LineSettings) -> serial.Serial:
    """A port with these settings that is not open yet and asks for the lock. Raises ValueError for settings that no
    port has."""
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

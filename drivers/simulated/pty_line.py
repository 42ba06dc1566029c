"""The far end of a serial line without hardware: a pseudo-terminal with a simulated device behind it.

Our own drivers open `path` like any serial port and cannot tell the difference, except that a pseudo-terminal ignores
parity and has no modem lines.

Rules:
- One thread owns the device and the line. Whoever wants to touch the device hands a function to `call`; it runs in
  that thread, so a device needs no lock and no clock.
- The stable name is a symbolic link, as a udev rule makes one. `unplug` removes it and hangs the line up, `replug`
  brings it back on a new terminal. The device keeps running (and ticking) in between, as one with its own supply does.
- Bytes sent while nobody listens are lost, as on a wire.

A device whose wires are pins has the same thread without the line: `FarEnd`.

Knows nothing of what the bytes mean.
"""

import contextlib
import os
import selectors
import tempfile
import threading
import time
import tty
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

from drivers.errors import LineError

ResultT = TypeVar("ResultT")

_READ_SIZE = 4096
_LONGEST_NAP_S = 0.5
_PATIENCE_S = 5.0
_POLL_S = 0.5
"""How often a caller looks whether the device's thread still runs."""


class Clockwork(Protocol):
    """What a simulated device on pins must offer; `now` is monotonic seconds."""

    def tick(self, now: float) -> None:
        """Time has passed, or somebody touched the device."""

    def due(self) -> float | None:
        """When `tick` must be called next; None means only after bytes or a touch."""


class Device(Clockwork, Protocol):
    """What a simulated device on a line must offer."""

    def receive(self, data: bytes, now: float) -> None:
        """Bytes came from the host."""

    def bytes_to_send(self) -> bytes:
        """Bytes owed to the host; each is returned once."""


class FarEnd:
    """Runs one simulated device in a thread of its own. It hangs on pins, so there is no line to open."""

    def __init__(self, device: Clockwork, *, name: str) -> None:
        self.name = name
        self.failure: BaseException | None = None
        self._clockwork = device
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._stopping = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Plug the line in and run the device; a second call changes nothing."""
        if self._thread is not None:
            return
        self._plug()
        self._thread = threading.Thread(target=self._run, name=f"far end {self.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Hang up, end the thread, remove the name; a second call changes nothing."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping = True
        self._wake()
        thread.join(_PATIENCE_S)
        self._unplug()
        os.close(self._wake_read)
        os.close(self._wake_write)
        self._clean_up()

    def call(self, act: Callable[[], ResultT]) -> ResultT:
        """Run `act` in the device's thread, then let the device react; returns (or raises) what `act` does.

        Waits as long as that thread runs, however slow the machine is; raises `LineError` when it has stopped.
        """
        thread = self._thread
        if thread is None:
            return act()
        if self.failure is not None:
            raise LineError(f"the simulated device {self.name} has stopped: {self.failure!r}") from self.failure
        future: Future[ResultT] = Future()
        self._calls.put((future, act))
        self._wake()
        while not wait((future,), _POLL_S).done:
            if not thread.is_alive() and not future.done():
                raise LineError(f"the simulated device {self.name} has stopped: {self.failure!r}")
        return future.result()

    def _plug(self) -> None:
        """The line comes; pins are there already."""

    def _unplug(self) -> None:
        """The line goes."""

    def _clean_up(self) -> None:
        """Nothing is left behind."""

    def _listen(self, selector: selectors.BaseSelector) -> None:
        """Add what may wake the device."""

    def _exchange(self, now: float) -> None:
        self._clockwork.tick(now)

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b"!")

    def _run(self) -> None:
        try:
            while not self._stopping:
                self._wait()
                self._turn()
        except BaseException as failure:  # noqa: BLE001 - kept for the owner: a simulation must not die unseen
            self.failure = failure
            for future, _ in self._waiting():
                future.set_exception(LineError(f"the simulated device {self.name} has stopped: {failure!r}"))

    def _waiting(self) -> Iterator[tuple[Future[Any], Callable[[], Any]]]:
        with contextlib.suppress(Empty):
            while True:
                yield self._calls.get_nowait()

    def _wait(self) -> None:
        due = self._clockwork.due()
        nap = _LONGEST_NAP_S if due is None else min(_LONGEST_NAP_S, max(0.0, due - time.monotonic()))
        with selectors.SelectSelector() as selector:
            selector.register(self._wake_read, selectors.EVENT_READ)
            self._listen(selector)
            selector.select(nap)

    def _turn(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake_read, _READ_SIZE)
        for future, act in self._waiting():
            _settle(future, act)
        self._exchange(time.monotonic())


class PtyFarEnd(FarEnd):
    """Runs one simulated device behind a pseudo-terminal.

    `directory` is where the stable name `name` appears; without one a temporary directory is made and removed again
    by `stop`. `chunk` cuts what the device sends into writes of that many bytes.
    """

    def __init__(
        self, device: Device, *, directory: Path | None = None, name: str = "line", chunk: int | None = None
    ) -> None:
        super().__init__(device, name=name)
        self._device = device
        self._own_directory = tempfile.TemporaryDirectory(prefix="line-") if directory is None else None
        self._link = (Path(self._own_directory.name) if self._own_directory else Path(str(directory))) / name
        self._chunk = chunk
        self._master: int | None = None
        self._slave: int | None = None

    @property
    def path(self) -> str:
        """The stable name to open; it stays the same across `unplug` and `replug`."""
        return str(self._link)

    def unplug(self) -> None:
        """Pull the adapter: the host's open line breaks and the name disappears."""
        self.call(self._unplug)

    def replug(self) -> None:
        """Put the adapter back under the same name."""
        self.call(self._plug)

    def _plug(self) -> None:
        if self._master is not None:
            return
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(os.ttyname(self._slave))

    def _unplug(self) -> None:
        if self._master is None or self._slave is None:
            return
        self._link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = None

    def _clean_up(self) -> None:
        if self._own_directory is not None:
            self._own_directory.cleanup()

    def _listen(self, selector: selectors.BaseSelector) -> None:
        if self._master is not None:
            selector.register(self._master, selectors.EVENT_READ)

    def _exchange(self, now: float) -> None:
        if data := self._read():
            self._device.receive(data, now)
        self._device.tick(time.monotonic())
        self._write(self._device.bytes_to_send())

    def _read(self) -> bytes:
        if self._master is None:
            return b""
        try:
            return os.read(self._master, _READ_SIZE)
        except BlockingIOError:
            return b""

    def _write(self, data: bytes) -> None:
        step = self._chunk or max(1, len(data))
        for start in range(0, len(data), step):
            if self._master is not None:
                with contextlib.suppress(BlockingIOError):
                    os.write(self._master, data[start : start + step])


def _settle(future: Future[Any], act: Callable[[], Any]) -> None:
    """Run `act` and hand its outcome to whoever waits, so that a wrong call fails in the caller's thread."""
    try:
        future.set_result(act())
    except BaseException as failure:  # noqa: BLE001 - raised again by the caller's `result`
        future.set_exception(failure)
